"""What the screen shows before the writer reports is what the store then says."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from at_the_desk import RATE, VERIFY, queue_of
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from studies import tiny_study

from alps_tui.protocols.loading import load_builtin
from alps_tui.ui.asking import bar_fields, first_open_field, left_behind, letter_options, next_question
from alps_tui.ui.shown import card, evidence_of
from alps_tui.ui.sitting import Sitting
from store.content import item_view
from store.database import Database
from store.decisions import append, on_own_acts
from store.kinds import ItemState, Status, UnitKind, Verb
from store.records import Act, Change, ItemAnswers


@pytest.fixture
def study(tmp_path: Path) -> Iterator[Database]:
    with tiny_study(tmp_path / "study.db") as db:
        yield db


def sitting_of(db: Database, protocol: str = VERIFY, place: int = 0) -> Sitting:
    with db.read() as conn:
        return Sitting(item_view(conn, queue_of(db, protocol)[place].id), load_builtin(protocol))


def save(db: Database, sitting: Sitting, act: Act) -> None:
    with db.write() as conn:
        saved = append(conn, on_own_acts(act, sitting.saved.revision))
    sitting.on_saved(act.act_id, saved.answers)


def told(answers: ItemAnswers) -> tuple[object, ...]:
    """What is said, parts by their keys: ids and times are the store's."""
    keys = {unit.id: unit.key for unit in answers.made}
    cells = {(keys.get(u, u), f): (a.value, a.status, a.reason) for (u, f), a in answers.answers.items()}
    notes = {keys.get(u, u): text for u, text in answers.notes.items()}
    flags = {keys.get(u, u): text for u, text in answers.flags.items()}
    return cells, notes, flags, answers.state, answers.skip_reason, [u.key for u in answers.made]


STEPS = (
    "keep",
    "delete",
    "because",
    "instead",
    "note",
    "unnote",
    "flag",
    "cannot",
    "make",
    "change_made",
    "unmake",
    "skip",
    "submit",
    "reopen",
)


def step(sitting: Sitting, name: str, place: int) -> Act | None:
    """The act of one step on one of the parts; None where the store would refuse it."""
    units = sitting.units
    unit = units[place % len(units)]
    is_open = sitting.state == ItemState.OPEN
    if name == "note":
        return sitting.act(Verb.NOTE, unit=unit, reason="why") if unit.id > 0 else None
    if name == "unnote":
        return sitting.act(Verb.NOTE, unit=unit) if unit.id > 0 else None
    if name == "flag":
        return sitting.act(Verb.FLAG, reason="look")
    if name == "reopen":
        return None if is_open else sitting.act(Verb.REOPEN)
    if not is_open:
        return None
    if name == "skip":
        return sitting.act(Verb.SKIP, reason="no time")
    if name == "submit":
        return sitting.act(Verb.SUBMIT)
    if name == "make":
        return sitting.act(
            Verb.SET, sitting.changes(sitting.new_unit(UnitKind.MEMORY), {"memory": {"value": "x"}})
        )
    if unit.made:
        if name == "unmake":
            return sitting.act(Verb.CLEAR, [sitting.change(unit, "memory")])
        return sitting.act(Verb.SET, sitting.changes(unit, {"memory": {"value": f"y{place}"}}))
    if name == "because":
        values = {"verdict": "delete", "delete_reason": "private"}
        return sitting.act(Verb.SET, sitting.changes(unit, values))
    if name == "instead":
        empty = replace(sitting.change(unit, "delete_reason"), status=Status.UNSEEN)
        return sitting.act(Verb.SET, [*sitting.changes(unit, {"verdict": "keep"}), empty])
    if name == "cannot":
        change = Change("verdict", unit_id=unit.id, status=Status.CANNOT_JUDGE, reason="unclear")
        return sitting.act(Verb.SET, [change])
    return sitting.act(
        Verb.SET, sitting.changes(unit, {"verdict": name if name in ("keep", "delete") else "keep"})
    )


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 5)), min_size=1, max_size=8))
def test_what_is_shown_at_once_is_what_the_store_says_afterwards(
    study: Database, steps: list[tuple[str, int]]
) -> None:
    sitting = sitting_of(study)
    acts = [act for name, place in steps if (act := step(sitting, name, place)) is not None]
    shown = told(sitting.shown)
    for act in acts:
        save(study, sitting, act)
    assert told(sitting.saved) == told(sitting.shown) == shown
    assert not sitting.pending


@settings(max_examples=25, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(steps=st.lists(st.tuples(st.sampled_from(STEPS), st.integers(0, 5)), min_size=1, max_size=8))
def test_what_was_kept_of_a_part_is_what_would_be_worked_out_anew(
    study: Database, steps: list[tuple[str, int]]
) -> None:
    sitting = sitting_of(study)
    for name, place in steps:
        act = step(sitting, name, place)
        if act is not None and place % 2 and sitting.pending == [act]:
            save(study, sitting, act)
        anew = Sitting(replace(sitting.view, answers=sitting.shown), sitting.protocol)
        assert worked_out(sitting) == worked_out(anew)


def worked_out(sitting: Sitting) -> list[tuple[object, ...]]:
    """All that a sitting keeps, of every part."""
    return [
        (
            card(sitting, unit),
            evidence_of(sitting, unit),
            sitting.missing(unit),
            sitting.decided(unit),
            sitting.visible_fields(unit),
        )
        for unit in sitting.units
    ]


def test_a_memory_added_before_stands_once_when_the_item_is_opened_again(study: Database) -> None:
    sitting = sitting_of(study)
    act = step(sitting, "make", 0)
    assert act is not None
    save(study, sitting, act)
    again = sitting_of(study)
    keys = [unit.key for unit in again.units]
    assert len(keys) == len(set(keys))
    made = next(unit for unit in again.units if unit.made)
    assert told(again.shown) == told(again.saved)
    again.act(Verb.CLEAR, [again.change(made, "memory")])
    assert made.key not in {unit.key for unit in again.units}


def test_an_act_that_is_refused_never_happened(study: Database) -> None:
    sitting = sitting_of(study)
    before = told(sitting.shown)
    act = sitting.act(Verb.SET, sitting.changes(sitting.units[0], {"verdict": "keep"}))
    assert told(sitting.shown) != before
    sitting.on_refused(act.act_id)
    assert told(sitting.shown) == before


def test_every_act_bears_the_item_and_a_time_and_an_id_of_its_own(study: Database) -> None:
    sitting = sitting_of(study, place=1)
    acts = [sitting.act(Verb.FLAG, reason="a") for _ in range(5)]
    assert {(a.assignment_id, a.item_id) for a in acts} == {
        (sitting.assignment_id, sitting.view.assignment.item_id)
    }
    assert len({a.act_id for a in acts}) == 5
    assert all(a.decided_at.endswith("+00:00") for a in acts)


def test_what_hangs_on_an_answer_is_asked_a_memory_before_its_reasons(study: Database) -> None:
    sitting = sitting_of(study)
    unit = sitting.units[0]
    asked = []
    given: dict[str, object] = {"verdict": "edit"}
    while (question := next_question(sitting, unit, given, asked)) is not None:
        asked.append(question.key)
        given[question.key] = ["wording"] if question.key == "edit_reason" else {"value": "x"}
    assert asked == ["memory", "edit_reason"]


def test_answers_behind_a_closed_door_go_with_the_door(study: Database) -> None:
    sitting = sitting_of(study)
    unit = sitting.units[0]
    given = {"verdict": "delete", "delete_reason": "duplicate", "duplicate_of": "gold:m2"}
    save(study, sitting, sitting.act(Verb.SET, sitting.changes(unit, given)))
    assert left_behind(sitting, unit, {"verdict": "keep"}) == ("delete_reason", "duplicate_of")


def test_letters_answer_the_part_under_the_cursor_and_digits_the_first_open_question(study: Database) -> None:
    sitting = sitting_of(study)
    letters = letter_options(sitting, sitting.units[1])
    assert {key: unit.key for key, (unit, _, _) in letters.items()} == {
        **dict.fromkeys("aexd", sitting.units[1].key),
        "w": "session",
    }
    rating = sitting_of(study, RATE)
    unit = rating.units[0]
    assert bar_fields(rating, unit)[0].key == "preference_alignment"
    save(study, rating, rating.act(Verb.SET, rating.changes(unit, {"preference_alignment": 3})))
    following = first_open_field(rating, unit, "preference_alignment")
    assert following is not None
    assert following.key == "resonation"


def test_nothing_is_missing_once_every_required_question_is_answered_or_cannot_be_judged(
    study: Database,
) -> None:
    sitting = sitting_of(study)
    first, second = sitting.units
    change = Change("verdict", unit_id=second.id, status=Status.CANNOT_JUDGE, reason="unclear")
    save(study, sitting, sitting.act(Verb.SET, sitting.changes(first, {"verdict": "keep"})))
    assert [(gap.unit.key, gap.field.key) for gap in sitting.gaps()] == [
        (second.key, "verdict"),
        ("session", "faithfulToOriginalMeaning"),
    ]
    save(study, sitting, sitting.act(Verb.SET, [change]))
    assert sitting.session is not None
    answered = sitting.changes(sitting.session, {"faithfulToOriginalMeaning": "no"})
    save(study, sitting, sitting.act(Verb.SET, answered))
    assert not list(sitting.gaps())
