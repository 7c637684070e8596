"""Models' memories that come in waves: an item that people have begun stays that item, and only offers more."""

from itertools import pairwise
from typing import Any

import pytest
from item_studies import bring_in, dialogue
from studies import act

from alps_tui.items.build import build_items
from store.assignments import add_rater, assign_all, assignments
from store.content import item_view
from store.database import open_database
from store.decisions import append, verify
from store.kinds import UnitKind, Verb
from store.ratings import long_rows
from store.records import Change, NewUnit
from store.study import sittings

FORM = "memory-verification"
FIRST = {"zeta": [{"value": "Has a cat"}, {"value": "Plays chess"}]}
LATER = FIRST | {"alpha": [{"value": "has a cat."}, {"value": "Lives by the sea"}]}


@pytest.fixture
def db(tmp_path):
    with open_database(tmp_path / "alps.db", create=True) as study:
        yield study


def wave(db, tmp_path, number: int, candidates: dict[str, Any], **more: Any) -> dict[str, int]:
    bring_in(db, tmp_path / f"wave{number}", dialogue(candidates=candidates, **more))
    return build_items(db)


def seat(db, name: str):
    """A rater and their one item as it is shown to them."""
    with db.write() as conn:
        rater = add_rater(conn, name)
        assign_all(conn, rater.id)
        (mine,) = assignments(conn, rater.id, FORM)
        return mine, item_view(conn, mine.id)


def take_over(db, mine, candidate) -> None:
    new = NewUnit(UnitKind.MEMORY, "n1", "n1")
    changes = [
        Change("memory", {"value": candidate.value}, new_unit=new),
        Change("from_candidate", candidate.key, new_unit=new),
    ]
    with db.write() as conn:
        append(conn, act(Verb.SET, mine, *changes))


def test_a_second_model_makes_no_new_version_and_what_was_taken_over_is_still_found(db, tmp_path) -> None:
    wave(db, tmp_path, 1, FIRST)
    mine, view = seat(db, "ada")
    taken = next(one for one in view.candidates if one.value == "Plays chess")
    unit = next(one for one in view.units if one.kind is UnitKind.MEMORY)
    take_over(db, mine, taken)
    with db.write() as conn:
        append(conn, act(Verb.SET, mine, Change("verdict", "keep", unit.id)))

    made = wave(db, tmp_path, 2, LATER)

    assert made[FORM] == 0
    again, view = seat(db, "ada")
    other, theirs = seat(db, "ben")
    assert (again.id, other.item_id) == (mine.id, mine.item_id)
    assert sorted(one.value for one in view.candidates) == ["Has a cat", "Lives by the sea", "Plays chess"]
    assert [one.shown_id for one in view.candidates] == ["c1", "c2", "c3"]
    kept = next(one for one in view.candidates if one.key == taken.key)
    assert (kept.id, kept.value) == (taken.id, "Plays chess")
    assert {one.key for one in theirs.candidates} == {one.key for one in view.candidates}
    with db.write() as conn:
        append(conn, act(Verb.SET, other, Change("verdict", "delete", unit.id)))
    with db.read() as conn:
        verdicts = [row for row in long_rows(conn) if row["field"] == "verdict" and row["value"] is not None]
        assert len({row["unit_id"] for row in verdicts}) == 1
        assert {row["rater"] for row in verdicts} == {"ada", "ben"}
        assert {one.item_version for one in sittings(conn, FORM)} == {1}
        assert verify(conn) == ()


def test_the_order_is_each_raters_own_and_what_comes_later_leaves_it_as_it_was(db, tmp_path) -> None:
    many = {"zeta": [{"value": f"Thing {number}"} for number in range(8)]}
    wave(db, tmp_path, 1, many)
    names = ("ada", "ben", "cleo")
    before = {name: [one.value for one in seat(db, name)[1].candidates] for name in names}
    wave(db, tmp_path, 2, many | {"alpha": [{"value": f"Matter {number}"} for number in range(8)]})
    after = {name: [one.value for one in seat(db, name)[1].candidates] for name in names}

    assert len({tuple(order) for order in before.values()}) > 1
    for name in names:
        assert [value for value in after[name] if value in before[name]] == before[name]
        models = [value.split()[0] for value in after[name]]
        assert sum(one != other for one, other in pairwise(models)) > 1


def test_a_list_that_lost_a_candidate_still_offers_it_and_coming_again_changes_nothing(db, tmp_path) -> None:
    wave(db, tmp_path, 1, FIRST)
    wave(db, tmp_path, 2, {"zeta": [{"value": "Has a cat"}]})
    assert wave(db, tmp_path, 3, LATER)[FORM] == 0
    first = [one.key for one in seat(db, "ada")[1].candidates]
    build_items(db)
    assert [one.key for one in seat(db, "ada")[1].candidates] == first
    assert len(first) == 3


def test_other_gold_is_still_a_new_version(db, tmp_path) -> None:
    wave(db, tmp_path, 1, FIRST)
    assert wave(db, tmp_path, 2, LATER, memories=[{"id": "m9", "value": "Has a dog"}])[FORM] == 1
    assert [one.value for one in seat(db, "ada")[1].memories.values()] == ["Has a dog"]
