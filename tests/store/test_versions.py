"""Versions of a form: what a rater is told of a change, what was answered under which, and queueing again."""

import sqlite3
from collections.abc import Iterator
from contextlib import closing
from dataclasses import replace
from pathlib import Path

import pytest
from earlier import take_back
from sqlalchemy.exc import IntegrityError
from studies import VERIFICATION, act, tiny_study, verification_item

from store.assignments import (
    add_item,
    add_protocol,
    assign_all,
    assignments,
    mark_opened,
    progress,
    rater_by_name,
)
from store.content import dialogues, item_view
from store.database import Database, open_database
from store.decisions import append, item_answers, verify
from store.encoding import now
from store.kinds import Status, UnitKind, Verb
from store.ratings import ratings_table
from store.records import Act, Assignment, Change
from store.table import default_population
from store.versions import known_forms, news, queue_again, to_queue_again, version_counts

FORM = VERIFICATION.name
SECOND = replace(VERIFICATION, version="2", content_hash="v2", guideline="Keep less.", note="Keep less now.")


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Database]:
    with tiny_study(tmp_path / "study.db") as db:
        yield db


def queue(db: Database, name: str = "ada") -> tuple[Assignment, ...]:
    with db.read() as conn:
        rater = rater_by_name(conn, name)
        assert rater is not None
        return assignments(conn, rater.id, FORM)


def keep_all(db: Database, assignment: Assignment, verb: Verb = Verb.SUBMIT) -> None:
    """Keep every memory of an item, and submit it."""
    with db.write() as conn:
        memories = [u for u in item_view(conn, assignment.id).units if u.kind == UnitKind.MEMORY]
        changes = [Change("verdict", "keep", unit.id) for unit in memories]
        append(conn, act(Verb.SET, assignment, *changes))
        append(conn, act(verb, assignment, reason="no time" if verb is Verb.SKIP else None))


def upgrade(db: Database, form: object = SECOND) -> int:
    """The second version with its items, and what follows for everybody's queue."""
    with db.write() as conn:
        number = add_protocol(conn, form)  # type: ignore[arg-type]
        for one in dialogues(conn):
            add_item(conn, number, verification_item(conn, one.id, one.external_id))
        for name in ("ada", "ben"):
            rater = rater_by_name(conn, name)
            assert rater is not None
            assign_all(conn, rater.id)
    return number


def opened(db: Database, assignment: Assignment) -> None:
    with db.write() as conn:
        mark_opened(conn, assignment.id, now())


def acknowledge(assignment: Assignment) -> Act:
    return replace(act(Verb.ACKNOWLEDGE, assignment, reason="Keep less now."), decided_at=now())


def test_what_was_begun_stays_under_its_version_and_the_rest_moves_to_the_newest(study: Database) -> None:
    keep_all(study, queue(study)[0])
    newest = upgrade(study)
    assert [one.protocol_id == newest for one in queue(study)] == [False, True]
    assert [one.protocol_id for one in queue(study, "ben")] == [newest, newest]


def test_a_change_is_news_to_those_who_opened_an_item_before_and_to_nobody_else(study: Database) -> None:
    opened(study, queue(study)[0])
    upgrade(study)
    with study.read() as conn:
        told = news(conn, queue(study)[0].rater_id, FORM)
        assert news(conn, queue(study, "ben")[0].rater_id, FORM) is None
    assert told is not None
    assert (told.before, told.version, told.note) == ("1", "2", "Keep less now.")
    assert (told.guideline_before, told.guideline) == ("Keep what the dialogue says.", "Keep less.")
    assert told.assignment_id == queue(study)[1].id


def test_an_acknowledgement_is_once_and_for_all_and_no_undo_takes_it_back(study: Database) -> None:
    opened(study, queue(study)[0])
    upgrade(study)
    mine = queue(study)[1]
    unit = _memory(study, mine)
    with study.write() as conn:
        append(conn, act(Verb.SET, mine, Change("verdict", "keep", unit)))
        append(conn, act(Verb.UNDO, mine))
        append(conn, acknowledge(mine))
        assert item_answers(conn, mine.id).can_redo, "what was undone still waits"
        append(conn, act(Verb.REDO, mine))
        append(conn, act(Verb.UNDO, mine))
        assert not item_answers(conn, mine.id).can_undo
    with study.read() as conn:
        assert news(conn, mine.rater_id, FORM) is None
        assert verify(conn) == ()


def test_to_have_acknowledged_is_not_to_have_begun(study: Database) -> None:
    opened(study, queue(study)[0])
    upgrade(study)
    mine = queue(study)[1]
    with study.write() as conn:
        append(conn, acknowledge(mine))
        assert progress(conn, mine.rater_id, FORM).started == 0
        append(conn, act(Verb.SET, mine, Change("verdict", "keep", _memory(study, mine))))
        assert progress(conn, mine.rater_id, FORM).started == 1


def test_a_guideline_that_changed_alone_is_news_with_both_texts(study: Database) -> None:
    opened(study, queue(study)[0])
    with study.write() as conn:
        add_protocol(conn, replace(VERIFICATION, guideline="Keep what is said twice.", note="Twice now."))
    with study.read() as conn:
        told = news(conn, queue(study)[0].rater_id, FORM)
    assert told is not None
    assert (told.before, told.version, told.note) == ("1", "1", "Twice now.")
    assert told.guideline == "Keep what is said twice."


def test_items_answered_under_the_old_version_are_queued_again_as_the_next_occasion(study: Database) -> None:
    keep_all(study, queue(study)[0])
    keep_all(study, queue(study, "ben")[0], Verb.SKIP)
    with study.read() as conn:
        assert to_queue_again(conn, FORM) == ()
    newest = upgrade(study)
    with study.write() as conn:
        plan = to_queue_again(conn, FORM)
        assert [(one.rater.name, one.occasion) for one in plan] == [("ada", 1), ("ben", 1)]
        assert [one.waiting for one in version_counts(conn, FORM)] == [2, 0]
        assert queue_again(conn, FORM) == plan
        assert queue_again(conn, FORM) == ()
    last = queue(study)[-1]
    assert (last.protocol_id, last.occasion, last.shown_id) == (newest, 1, queue(study)[0].shown_id)
    with study.read() as conn:
        view = item_view(conn, last.id)
        assert dict(view.answers.answers) == {}, "the old answers are not shown"
        old = item_answers(conn, queue(study)[0].id)
        assert {one.status for one in old.answers.values()} == {Status.ANSWERED}


def test_the_newest_version_and_its_first_occasion_is_what_is_compared(study: Database) -> None:
    """One of two raters has answered under the old version only: left out, and counted."""
    for name in ("ada", "ben"):
        keep_all(study, queue(study, name)[0])
    upgrade(study)
    with study.write() as conn:
        queue_again(conn, FORM)
    keep_all(study, queue(study)[-1])
    with study.read() as conn:
        everything = ratings_table(conn, protocol=FORM)
    kept, left_out = default_population(everything)
    assert set(kept.column("protocol")) == {f"{FORM}@2"}
    assert set(kept.column("rater")) == {"ada"}
    assert left_out == {"older_protocol": len(everything) - len(kept)}
    assert set(kept.column("occasion")) == {1}


def test_the_counts_of_a_version_say_what_stands_under_it(study: Database) -> None:
    keep_all(study, queue(study)[0])
    upgrade(study)
    with study.read() as conn:
        old, new = version_counts(conn, FORM)
        assert [form.version for form in known_forms(conn, FORM)] == ["1", "2"]
        assert version_counts(conn, "nothing") == ()
    assert (old.version, old.items, old.raters, old.labelled, old.begun, old.answers) == ("1", 2, 1, 1, 0, 2)
    assert (new.version, new.items, new.raters, new.labelled, new.answers) == ("2", 2, 0, 0, 0)


def test_a_log_from_before_takes_acknowledgements_after_the_upgrade(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    tiny_study(path).close()
    with open_database(path) as db:
        keep_all(db, queue(db)[0])
    take_back(path, 4)
    with open_database(path) as db:
        with db.read() as conn:
            assert verify(conn) == ()
        with db.write() as conn:
            append(conn, acknowledge(queue(db)[1]))
            assert verify(conn) == ()
        for change in ("UPDATE decision SET verb = 'set'", "DELETE FROM decision"):
            with pytest.raises(IntegrityError, match="append only"), db.write() as conn:
                conn.exec_driver_sql(change)
    fresh = tmp_path / "fresh.db"
    open_database(fresh, create=True).close()
    assert _parts(path) == _parts(fresh)


def _parts(path: Path) -> set[tuple[str, str]]:
    """The names of what belongs to the log, with the table's columns and checks in one form."""
    with closing(sqlite3.connect(path)) as raw:
        rows = raw.execute("SELECT type, name, sql FROM sqlite_master WHERE tbl_name = 'decision'").fetchall()
    return {(f"{kind} {name}", " ".join((sql or "").replace('"', "").split())) for kind, name, sql in rows}


def _memory(db: Database, assignment: Assignment) -> int:
    with db.read() as conn:
        return next(u.id for u in item_view(conn, assignment.id).units if u.kind == UnitKind.MEMORY)
