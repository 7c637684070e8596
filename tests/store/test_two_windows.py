"""Two windows of one rater on one item: what one of them did is never written over by the other one unseen."""

import threading
from itertools import count
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from studies import act, tiny_study

from store.assignments import assign, assignment_by_id, assignments, rater_by_name
from store.content import item_view
from store.database import Database
from store.decisions import append, item_answers, on_own_acts, verify
from store.errors import ChangedElsewhere, NotPossible
from store.kinds import Verb
from store.records import Act, Assignment, Change, ItemView, Saved
from store.recovery import keep, recover, recovery_path
from store.writer import WriteFailed, Writer


def verdict(first: Assignment, view: ItemView, word: str, **on: Any) -> Act:
    unit = next(unit for unit in view.units if unit.memory_id is not None)
    return act(Verb.SET, first, Change("verdict", word, unit.id), **on)


def stored(study: Database, first: Assignment) -> list[str]:
    with study.read() as conn:
        return [answer.value for answer in item_answers(conn, first.id).answers.values()]


def test_an_act_on_a_state_that_another_window_changed_is_not_written(
    study: Database, first: Assignment, view: ItemView
) -> None:
    with study.write() as conn:
        append(conn, verdict(first, view, "keep", on_revision=0, window="one"))
    with pytest.raises(ChangedElsewhere) as refused, study.write() as conn:
        append(conn, verdict(first, view, "delete", on_revision=0, window="two"))
    assert [answer.value for answer in refused.value.answers.answers.values()] == ["keep"]
    assert stored(study, first) == ["keep"]


def test_an_undo_takes_nothing_back_that_its_window_has_not_seen(
    study: Database, first: Assignment, view: ItemView
) -> None:
    with study.write() as conn:
        append(conn, verdict(first, view, "keep", on_revision=0, window="one"))
        append(conn, verdict(first, view, "delete", on_revision=1, window="two"))
    with pytest.raises(ChangedElsewhere), study.write() as conn:
        append(conn, act(Verb.UNDO, first, on_revision=1, window="one"))
    assert stored(study, first) == ["delete"]


def test_an_act_without_a_screen_is_written_whatever_stands_there(
    study: Database, first: Assignment, view: ItemView
) -> None:
    for word in ("keep", "delete"):
        with study.write() as conn:
            append(conn, verdict(first, view, word))
    assert stored(study, first) == ["delete"]


def test_keys_faster_than_the_writer_are_all_written_an_undo_too_many_among_them(
    study: Database, first: Assignment, view: ItemView
) -> None:
    """All are made on the revision that the screen knows, which is the one before the first of them."""
    results: list[Saved | WriteFailed] = []
    writer = Writer(study, results.append)
    on = {"on_revision": 0, "window": "one"}
    for word in ("keep", "delete", "in_doubt"):
        writer.put(verdict(first, view, word, **on))
    for _ in range(4):
        writer.put(act(Verb.UNDO, first, **on))
    writer.put(verdict(first, view, "edit", **on))
    assert writer.close(30)
    refused = [one for one in results if isinstance(one, WriteFailed)]
    assert [one.act.verb for one in refused] == [Verb.UNDO]
    assert refused[0].answers is None
    assert stored(study, first) == ["edit"]


def test_a_window_that_was_overtaken_hears_what_stands_there_and_none_of_its_burst_is_written(
    study: Database, first: Assignment, view: ItemView
) -> None:
    results: list[Saved | WriteFailed] = []
    told = threading.Event()
    writer = Writer(study, lambda result: (results.append(result), told.set()))  # type: ignore[func-returns-value]
    writer.put(verdict(first, view, "keep", on_revision=0, window="one"))
    assert told.wait(30)
    with study.write() as conn:
        append(conn, verdict(first, view, "delete", on_revision=1, window="two"))
    for word in ("edit", "in_doubt"):
        writer.put(verdict(first, view, word, on_revision=1, window="one"))
    assert writer.close(30)
    said = [[a.value for a in one.answers.answers.values()] for one in results[1:]]  # type: ignore[union-attr]
    assert said == [["delete"], ["delete"]]
    assert stored(study, first) == ["delete"]


def test_an_act_sent_again_after_another_window_wrote_is_still_written_once(
    study: Database, first: Assignment, view: ItemView
) -> None:
    mine = verdict(first, view, "keep", on_revision=0, window="one")
    with study.write() as conn:
        append(conn, mine)
        append(conn, verdict(first, view, "delete", on_revision=1, window="two"))
        again = append(conn, mine)
    assert (again.revision, again.answers.revision) == (1, 2)
    assert stored(study, first) == ["delete"]


def test_what_waited_beside_the_study_comes_in_by_window_and_the_overtaken_is_kept_aside(
    study: Database, first: Assignment, view: ItemView
) -> None:
    mine = [
        verdict(first, view, word, on_revision=0, window="one") for word in ("keep", "delete", "in_doubt")
    ]
    other = verdict(first, view, "edit", on_revision=0, window="two")
    with study.write() as conn:
        append(conn, mine[0])  # this one had reached the disk when the window was killed
    keep(recovery_path(study), [*mine, other])
    found = recover(study)
    assert found.written == 3
    assert [refused.act_id for refused, _ in found.refused] == [other.act_id]
    assert stored(study, first) == ["in_doubt"]


# ---------------------------------------------------------------- any two windows


class Seen:
    """A window: what it has seen of the item, and what it has written since."""

    def __init__(self, name: str) -> None:
        self.name, self.revision = name, 0
        self.reached: int | None = None


steps = st.lists(
    st.tuples(
        st.sampled_from((0, 1)), st.sampled_from(("keep", "edit", "delete", "undo", "redo", "look", "note"))
    ),
    max_size=40,
)


@pytest.fixture(scope="module")
def shared(tmp_path_factory: pytest.TempPathFactory) -> Any:
    db = tiny_study(Path(tmp_path_factory.mktemp("windows")) / "alps.db")
    yield db, count(1)
    db.close()


@given(steps)
@settings(max_examples=40)
def test_whatever_two_windows_do_each_act_rests_on_what_its_window_has_seen(
    shared: Any, done: list[tuple[int, str]]
) -> None:
    db, occasions = shared
    with db.write() as conn:
        ada = rater_by_name(conn, "ada")
        assert ada is not None
        item = assignments(conn, ada.id, "memory-verification")[0].item_id
        first = assignment_by_id(conn, assign(conn, item, ada.id, occasion=next(occasions)))
        assert first is not None
        view = item_view(conn, first.id)
    windows = (Seen("one"), Seen("two"))
    last_by: Seen | None = None
    for which, what in done:
        window = windows[which]
        with db.read() as conn:
            now = item_answers(conn, first.id)
        if what == "look":
            window.revision = now.revision
            continue
        is_newest = now.revision in (window.revision, 0) or (last_by is window and window.reached is not None)
        one = _step(first, view, what, window)
        try:
            with db.write() as conn:
                window.reached = append(conn, on_own_acts(one, window.reached)).revision
        except ChangedElsewhere as error:
            assert not is_newest
            assert error.answers == now
        except NotPossible:
            assert what in ("undo", "redo")
        else:
            assert is_newest
            last_by = window
    with db.read() as conn:
        assert verify(conn) == ()


def _step(first: Assignment, view: ItemView, what: str, window: Seen) -> Act:
    on: dict[str, Any] = {"on_revision": window.revision, "window": window.name}
    if what in ("undo", "redo"):
        return act(Verb(what), first, **on)
    return act(Verb.NOTE, first, reason="why", **on) if what == "note" else verdict(first, view, what, **on)
