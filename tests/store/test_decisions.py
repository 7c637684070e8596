"""Acts: what they write, what they may not do, and that undo reaches over every kind of them."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace

import pytest
from sqlalchemy import select
from studies import act, tiny_study

from store import models as m
from store.assignments import assign, assignment_by_id, assignments, progress, rater_by_name
from store.content import item_view
from store.database import Database
from store.decisions import append, item_answers, verify
from store.errors import Conflict, NotPossible
from store.kinds import Attested, ItemState, Phase, Status, UnitKind, Verb
from store.place import load_place, save_place
from store.records import Act, Assignment, Change, ItemAnswers, ItemView, NewUnit, Saved, Seen


def do(study: Database, *acts: Act) -> ItemAnswers:
    """Each act in its own transaction; what the rater says after the last."""
    saved: Saved | None = None
    for one in acts:
        with study.write() as conn:
            saved = append(conn, one)
    assert saved is not None
    with study.read() as conn:
        assert item_answers(conn, saved.assignment_id) == saved.answers
        assert verify(conn) == ()
    return saved.answers


def keep(view: ItemView, place: int = 1) -> Change:
    return Change("verdict", "keep", view.units[place].id)


def values(answers: ItemAnswers) -> dict[tuple[int, str], object]:
    return {cell: answer.value for cell, answer in answers.answers.items()}


# ---------------------------------------------------------------- what an act writes


def test_an_answer_holds_all_that_was_known_at_the_key(
    study: Database, first: Assignment, view: ItemView
) -> None:
    unit = view.units[1].id
    change = Change("verdict", "keep", unit, attested=Attested.DERIVED, raw_value=["typed"])
    order = tuple(one.id for one in view.units)
    seen = Seen(prefill=True, translation=True)
    made = act(Verb.SET, first, change, active_ms=1234, presentation=order, seen=seen)
    answer = do(study, made).answers[unit, "verdict"]
    assert answer.value == "keep"
    assert (answer.status, answer.attested, answer.revision) == (Status.ANSWERED, Attested.DERIVED, 1)
    assert (answer.decided_at, answer.active_ms, answer.presentation) == (made.decided_at, 1234, order)
    assert (answer.seen, answer.raw_value) == (seen, ["typed"])
    with study.read() as conn:
        row = conn.execute(select(m.decision)).one()
        protocol = conn.execute(
            select(m.protocol.c.id).where(m.protocol.c.name == first.protocol)
        ).scalar_one()
    assert row.protocol_id == protocol
    assert row.guideline_id is not None
    assert row.old_value is None


def test_a_later_answer_keeps_the_old_value_in_the_log(
    study: Database, first: Assignment, view: ItemView
) -> None:
    unit = view.units[1].id
    do(study, act(Verb.SET, first, keep(view)), act(Verb.SET, first, Change("verdict", "delete", unit)))
    with study.read() as conn:
        rows = conn.execute(
            select(m.decision.c.old_value, m.decision.c.value).order_by(m.decision.c.revision)
        ).all()
    assert [tuple(row) for row in rows] == [(None, '"keep"'), ('"keep"', '"delete"')]


def test_fields_that_change_together_are_undone_together(
    study: Database, first: Assignment, view: ItemView
) -> None:
    unit = view.units[1].id
    both = act(Verb.SET, first, Change("verdict", "edit", unit), Change("edit_reason", ["label"], unit))
    answers = do(study, both)
    assert answers.revision == 2
    assert values(answers) == {(unit, "verdict"): "edit", (unit, "edit_reason"): ["label"]}
    assert values(do(study, act(Verb.UNDO, first))) == {}


def test_skipped_and_not_judgeable_fields_are_states_without_a_value(
    study: Database, first: Assignment, view: ItemView
) -> None:
    one, other = view.units[1].id, view.units[2].id
    cannot = Change("verdict", None, one, status=Status.CANNOT_JUDGE, reason="no context")
    skipped = Change("verdict", None, other, status=Status.SKIPPED, reason="later")
    answers = do(study, act(Verb.SET, first, cannot), act(Verb.SET, first, skipped))
    assert answers.answers[one, "verdict"].status is Status.CANNOT_JUDGE
    assert answers.answers[other, "verdict"].reason == "later"
    assert values(answers) == {(one, "verdict"): None, (other, "verdict"): None}


def test_the_same_act_sent_twice_is_written_once(study: Database, first: Assignment, view: ItemView) -> None:
    made = act(Verb.SET, first, keep(view))
    once = do(study, made)
    assert do(study, made) == once
    undone = do(study, act(Verb.UNDO, first))
    assert do(study, made) == undone


def test_an_acts_id_used_for_another_act_is_a_conflict(
    study: Database, first: Assignment, view: ItemView
) -> None:
    made = act(Verb.SET, first, keep(view))
    do(study, made)
    with pytest.raises(Conflict), study.write() as conn:
        append(conn, act(Verb.SUBMIT, first, act_id=made.act_id))


def test_an_act_on_another_item_than_its_assignments_is_refused(
    study: Database, queue: tuple[Assignment, ...], view: ItemView
) -> None:
    strayed = replace(act(Verb.SET, queue[0], keep(view)), item_id=queue[1].item_id)
    refused(study, strayed, "another item")


def test_a_unit_of_another_item_or_of_another_rater_is_refused(
    study: Database, queue: tuple[Assignment, ...], view: ItemView
) -> None:
    refused(study, act(Verb.SET, queue[1], keep(view)), "not of its item")
    added = act(
        Verb.SET, queue[0], Change("memory", {"value": "x"}, new_unit=NewUnit(UnitKind.MEMORY, "new", "m3"))
    )
    mine = do(study, added).made[0]
    with study.read() as conn:
        ben = rater_by_name(conn, "ben")
        assert ben is not None
        his = next(a for a in assignments(conn, ben.id) if a.item_id == queue[0].item_id)
    refused(study, act(Verb.SET, his, Change("memory", {"value": "y"}, mine.id)), "not of its item")
    refused(study, act(Verb.NOTE, his, unit_id=mine.id, reason="hm"), "not of its item")


def refused(study: Database, one: Act, *words: str) -> None:
    with study.read() as conn:
        before = conn.execute(select(m.decision)).all()
    with pytest.raises(NotPossible) as caught, study.write() as conn:
        append(conn, one)
    assert all(word in str(caught.value) for word in words)
    with study.read() as conn:
        assert conn.execute(select(m.decision)).all() == before
        assert verify(conn) == ()


@pytest.mark.parametrize(
    "change",
    [
        Change("verdict", None, 2),
        Change("verdict", "keep", 2, status=Status.SKIPPED),
        Change("verdict", None, 2, status=Status.UNSEEN),
        Change("verdict", "keep"),
        Change("verdict", "keep", 2, new_unit=NewUnit(UnitKind.MEMORY, "n", "n")),
        Change("verdict", float("nan"), 2),
        Change("verdict", {1, 2}, 2),
    ],
)
def test_an_answer_that_says_nothing_or_two_things_is_refused(
    study: Database, first: Assignment, view: ItemView, change: Change
) -> None:
    unit = None if change.unit_id is None else view.units[1].id
    refused(study, act(Verb.SET, first, replace(change, unit_id=unit)), "verdict")
    refused(study, act(Verb.SET, first), "at least one field")


def test_what_no_longer_applies_goes_and_comes_back_with_the_answer_that_made_it_so(
    study: Database, first: Assignment, view: ItemView
) -> None:
    unit = view.units[1].id
    reason = Change("delete_reason", "private", unit)
    deleted = do(study, act(Verb.SET, first, Change("verdict", "delete", unit), reason))
    kept = do(
        study, act(Verb.SET, first, keep(view), Change("delete_reason", None, unit, status=Status.UNSEEN))
    )
    assert {field: answer.value for (_, field), answer in kept.answers.items()} == {"verdict": "keep"}
    assert do(study, act(Verb.UNDO, first)).answers == deleted.answers
    assert do(study, act(Verb.REDO, first)).answers == kept.answers
    with study.read() as conn:
        assert verify(conn) == ()


# ---------------------------------------------------------------- states of an item


def test_a_submitted_item_is_changed_only_after_it_is_reopened(
    study: Database, first: Assignment, view: ItemView
) -> None:
    assert do(study, act(Verb.SET, first, keep(view)), act(Verb.SUBMIT, first)).state is ItemState.SUBMITTED
    for verb in (Verb.SET, Verb.CLEAR):
        refused(study, act(verb, first, keep(view)), "submitted", "Reopen")
    refused(study, act(Verb.SUBMIT, first), "submitted")
    refused(study, act(Verb.SKIP, first, reason="no"), "submitted")
    reopened = do(study, act(Verb.REOPEN, first))
    assert reopened.state is ItemState.OPEN
    refused(study, act(Verb.REOPEN, first), "open already")
    assert do(study, act(Verb.CLEAR, first, keep(view))).answers == {}


def test_a_skip_needs_a_reason_and_is_a_state_of_its_own(study: Database, first: Assignment) -> None:
    refused(study, act(Verb.SKIP, first), "reason")
    refused(study, act(Verb.SKIP, first, reason="  "), "reason")
    skipped = do(study, act(Verb.SKIP, first, reason="not my language"))
    assert (skipped.state, skipped.skip_reason) == (ItemState.SKIPPED, "not my language")
    with study.read() as conn:
        assert progress(conn, first.rater_id, first.protocol).skipped == 1
    assert do(study, act(Verb.REOPEN, first)).skip_reason is None


def test_notes_and_flags_may_be_set_and_taken_away_in_every_state(
    study: Database, first: Assignment, view: ItemView
) -> None:
    unit = view.units[1].id
    answers = do(
        study,
        act(Verb.NOTE, first, reason="about all"),
        act(Verb.SUBMIT, first),
        act(Verb.NOTE, first, reason="about one", unit_id=unit),
        act(Verb.FLAG, first, reason="private"),
    )
    assert answers.notes == {None: "about all", unit: "about one"}
    assert answers.flags == {None: "private"}
    assert do(study, act(Verb.NOTE, first, reason=None)).notes == {unit: "about one"}
    assert do(study, act(Verb.UNDO, first)).notes == {None: "about all", unit: "about one"}


def test_nothing_is_undone_where_nothing_was_done(study: Database, first: Assignment, view: ItemView) -> None:
    refused(study, act(Verb.UNDO, first), "nothing to undo")
    do(study, act(Verb.SET, first, keep(view)))
    refused(study, act(Verb.REDO, first), "nothing to redo")


def test_a_new_act_after_an_undo_takes_the_redo_away(
    study: Database, first: Assignment, view: ItemView
) -> None:
    answers = do(
        study, act(Verb.SET, first, keep(view)), act(Verb.UNDO, first), act(Verb.SET, first, keep(view, 2))
    )
    assert answers.can_redo is False
    refused(study, act(Verb.REDO, first), "nothing to redo")


def test_undo_reaches_back_over_every_kind_of_act_and_redo_returns(
    study: Database, first: Assignment, view: ItemView
) -> None:
    unit = view.units[1].id
    acts = [
        act(Verb.SET, first, keep(view)),
        act(
            Verb.SET, first, Change("memory", {"value": "x"}, new_unit=NewUnit(UnitKind.MEMORY, "new", "m3"))
        ),
        act(Verb.CLEAR, first, Change("verdict", unit_id=unit)),
        act(Verb.FLAG, first, reason="odd"),
        act(Verb.NOTE, first, reason="see turn 3", unit_id=unit),
        act(Verb.SKIP, first, reason="tired"),
        act(Verb.REOPEN, first),
        act(Verb.SUBMIT, first),
        act(Verb.REOPEN, first),
        *(act(Verb.SET, first, Change("verdict", f"v{count}", unit)) for count in range(60)),
        act(Verb.SUBMIT, first),
    ]
    states = all_of(study, acts)
    backwards = all_of(study, [act(Verb.UNDO, first) for _ in acts])
    for undone, before in zip(backwards, [*states[-2::-1], None], strict=True):
        assert undone.can_redo
        if before is None:
            assert (undone.answers, undone.notes, undone.flags, undone.made) == ({}, {}, {}, ())
            assert undone.state is ItemState.OPEN
            assert not undone.can_undo
        else:
            assert said(undone) == said(before)
    forwards = all_of(study, [act(Verb.REDO, first) for _ in acts])
    assert [said(one) for one in forwards] == [said(one) for one in states]
    with study.read() as conn:
        assert item_answers(conn, first.id) == forwards[-1]
        assert verify(conn) == ()


def all_of(study: Database, acts: list[Act]) -> list[ItemAnswers]:
    """What the rater says after each act; one transaction, so that a long session is quick to write."""
    with study.write() as conn:
        return [append(conn, one).answers for one in acts]


def said(answers: ItemAnswers) -> tuple[object, ...]:
    """All that a rater said, without how it came about."""
    return (answers.state, answers.answers, answers.notes, answers.flags, answers.made, answers.skip_reason)


# ---------------------------------------------------------------- what a rater makes


def test_a_unit_the_rater_made_is_there_as_long_as_it_has_an_answer(
    study: Database, first: Assignment
) -> None:
    new = NewUnit(UnitKind.MEMORY, "new-1", "m3")
    added = act(
        Verb.SET, first, Change("memory", {"value": "x"}, new_unit=new), Change("why", "y", new_unit=new)
    )
    made = do(study, added).made
    assert [(unit.key, unit.shown_id, unit.made) for unit in made] == [("new-1", "m3", True)]
    assert do(study, act(Verb.UNDO, first)).made == ()
    assert do(study, act(Verb.REDO, first)).made == made
    once_more = do(study, act(Verb.SET, first, Change("memory", {"value": "z"}, new_unit=new)))
    assert once_more.made == made
    assert once_more.answers[made[0].id, "memory"].value == {"value": "z"}
    cleared = [Change(field, unit_id=made[0].id) for field in ("memory", "why")]
    assert do(study, act(Verb.CLEAR, first, *cleared)).made == ()
    with study.read() as conn:
        assert made[0].id not in {unit.id for unit in item_view(conn, first.id).units}


def test_two_raters_may_make_units_of_the_same_key(study: Database, first: Assignment) -> None:
    new = NewUnit(UnitKind.MEMORY, "new-1", "m3")
    with study.read() as conn:
        ben = rater_by_name(conn, "ben")
        assert ben is not None
        his = next(a for a in assignments(conn, ben.id) if a.item_id == first.item_id)
    mine = do(study, act(Verb.SET, first, Change("memory", {"value": "x"}, new_unit=new))).made
    theirs = do(study, act(Verb.SET, his, Change("memory", {"value": "y"}, new_unit=new))).made
    assert mine[0].id != theirs[0].id
    refused(
        study,
        act(Verb.SET, first, Change("q", 1, new_unit=replace(new, kind=UnitKind.INTENT))),
        "another kind",
    )


# ---------------------------------------------------------------- phases


def test_what_was_revealed_cannot_be_unseen(study: Database, first: Assignment, view: ItemView) -> None:
    unit = view.units[1].id
    refused(study, act(Verb.REVEAL, first), "only after it was submitted")
    do(study, act(Verb.SET, first, keep(view)), act(Verb.SUBMIT, first), act(Verb.REVEAL, first))
    refused(study, act(Verb.UNDO, first), "nothing to undo")
    refused(study, act(Verb.REVEAL, first), "revealed already")
    with study.read() as conn:
        assert assignment_by_id(conn, first.id).phase is Phase.REVEALED  # type: ignore[union-attr]
    do(study, act(Verb.REOPEN, first), act(Verb.SET, first, Change("verdict", "delete", unit)))
    assert ratings(study) == {("verdict", "blind"): '"keep"', ("verdict", "revealed"): '"delete"'}
    do(study, act(Verb.CLEAR, first, Change("verdict", unit_id=unit)))
    assert ratings(study) == {("verdict", "blind"): '"keep"', ("verdict", "revealed"): None}
    do(study, act(Verb.UNDO, first), act(Verb.UNDO, first), act(Verb.UNDO, first))
    assert ratings(study) == {("verdict", "blind"): '"keep"'}


def test_a_reveal_locks_what_was_said_and_leaves_an_open_item_open(
    study: Database, first: Assignment, view: ItemView
) -> None:
    do(study, act(Verb.SET, first, keep(view)), act(Verb.REVEAL, first))
    refused(study, act(Verb.UNDO, first), "nothing to undo")
    with study.read() as conn:
        assert progress(conn, first.rater_id, first.protocol).submitted == 0
        assert item_answers(conn, first.id).state is ItemState.OPEN
    do(study, act(Verb.SET, first, Change("verdict", "delete", view.units[1].id)), act(Verb.SUBMIT, first))
    assert ratings(study) == {("verdict", "blind"): '"keep"', ("verdict", "revealed"): '"delete"'}
    with study.read() as conn:
        assert progress(conn, first.rater_id, first.protocol).submitted == 1


def ratings(study: Database) -> dict[tuple[str, str], str | None]:
    with study.read() as conn:
        rows = conn.execute(select(m.rating.c.field, m.rating.c.phase, m.rating.c.value)).all()
    return {(row.field, row.phase): row.value for row in rows}


def test_a_locked_item_takes_no_answer(study: Database, first: Assignment, view: ItemView) -> None:
    with study.write() as conn:
        number = assign(conn, first.item_id, first.rater_id, phase=Phase.LOCKED, occasion=1)
        locked = assignment_by_id(conn, number)
    for one in (
        act(Verb.SET, locked, keep(view)),
        act(Verb.SUBMIT, locked),
        act(Verb.SKIP, locked, reason="x"),
    ):
        refused(study, one, "locked")
    assert do(study, act(Verb.NOTE, locked, reason="still")).notes == {None: "still"}


# ---------------------------------------------------------------- the log is append only, and verify sees all else


@contextmanager
def tampering(study: Database) -> Iterator[sqlite3.Connection]:
    """Somebody with another program, who even takes the triggers away."""
    raw = sqlite3.connect(str(study.path))
    raw.execute("PRAGMA foreign_keys = OFF")
    raw.execute("DROP TRIGGER decision_is_never_changed")
    raw.execute("DROP TRIGGER decision_is_never_removed")
    yield raw
    raw.commit()
    raw.close()


@pytest.mark.parametrize("statement", ["UPDATE decision SET value = '1'", "DELETE FROM decision"])
def test_the_log_takes_no_update_and_no_delete(
    study: Database, first: Assignment, view: ItemView, statement: str
) -> None:
    do(study, act(Verb.SET, first, keep(view)))
    raw = sqlite3.connect(str(study.path))
    with pytest.raises(sqlite3.IntegrityError, match="append only"):
        raw.execute(statement)
    raw.close()


@pytest.mark.parametrize(
    ("statement", "found"),
    [
        ("UPDATE rating SET value = '\"delete\"' WHERE field = 'verdict'", "value"),
        ("UPDATE rating SET attested = 'seeded'", "attested"),
        ("UPDATE rating SET saw_judge = 1", "saw_judge"),
        ("DELETE FROM rating", "is missing"),
        ("UPDATE rating SET field = 'other' WHERE field = 'verdict'", "in no decision"),
        ("UPDATE assignment SET state = 'open'", "state"),
        ("UPDATE assignment SET revision = 7", "revision"),
        ("UPDATE assignment SET remarks = '{}'", "remarks"),
        ("UPDATE assignment SET active_ms = 5", "active_ms"),
        ("DELETE FROM decision WHERE revision = 2", "revision 2 is missing"),
        ("DELETE FROM decision WHERE revision = 4", "revision"),
        ("UPDATE decision SET value = '\"delete\"' WHERE value = '\"keep\"'", "changed after it was written"),
        ("UPDATE decision SET decided_at = '1999' WHERE revision = 3", "changed after it was written"),
        ("UPDATE decision SET assignment_id = 9999", "belong to no assignment"),
    ],
)
def test_verify_finds_what_was_changed_behind_our_back(
    study: Database, first: Assignment, view: ItemView, statement: str, found: str
) -> None:
    do(
        study,
        act(Verb.SET, first, keep(view)),
        act(Verb.SET, first, Change("note", 1, view.units[0].id)),
        act(Verb.NOTE, first, reason="hm"),
        act(Verb.SUBMIT, first),
    )
    with tampering(study) as raw:
        raw.execute(statement)
    with study.read() as conn:
        mismatches = [str(one) for one in verify(conn)]
    assert any(found in one for one in mismatches), mismatches


def test_verify_says_nothing_of_a_whole_study(study: Database) -> None:
    with study.read() as conn:
        assert verify(conn) == ()


# ---------------------------------------------------------------- places are no decisions


def test_a_place_is_remembered_and_replaced(study: Database, first: Assignment) -> None:
    with study.write() as conn:
        save_place(conn, first.id, {"turn": 3, "draft": "日本 \ud800"})
    with study.write() as conn:
        save_place(conn, first.id, {"turn": 4, "draft": "[/]"})
    with study.read() as conn:
        assert load_place(conn, first.id) == {"turn": 4, "draft": "[/]"}
        assert load_place(conn, first.id + 1) == {}


def test_every_value_and_every_text_comes_back(tmp_path_factory: pytest.TempPathFactory) -> None:
    db = tiny_study(tmp_path_factory.mktemp("values") / "alps.db")
    with db.read() as conn:
        ada = rater_by_name(conn, "ada")
        assert ada is not None
        mine = assignments(conn, ada.id)[0]
        unit = item_view(conn, mine.id).units[0].id
    odd = [
        0,
        -1.5,
        True,
        2**80,
        "",
        "[/] \x1b[2J \u202e",
        "a\0b\ud800",
        ["x", None],
        {"b": 1, "a": {"c": []}},
    ]
    answers = do(
        db, *(act(Verb.SET, mine, Change(f"f{place}", value, unit)) for place, value in enumerate(odd))
    )
    assert [answers.answers[unit, f"f{place}"].value for place in range(len(odd))] == odd
    noted = do(db, act(Verb.NOTE, mine, reason="a\0b\ud800c"))
    assert noted.notes == {None: "a␀b\ufffdc"}
    db.close()
