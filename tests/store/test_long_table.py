"""The long table: every rating, what is missing, and nothing that would make a number look better than it is."""

from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from studies import VERIFICATION, act, verification_item

from store.assignments import add_item, add_protocol, assign, assign_all, assignments, rater_by_name
from store.content import dialogues, item_view
from store.database import Database
from store.decisions import append
from store.kinds import Attested, Status, UnitKind, Verb
from store.ratings import long_rows, ratings_table
from store.records import Assignment, Change, FieldScale, ItemView, NewUnit, Seen
from store.table import (
    COLUMNS,
    Table,
    default_population,
    from_rows,
    matrix,
    memory_sets,
    version_order,
)


def rows_of(study: Database, **how: Any) -> list[dict[str, Any]]:
    with study.read() as conn:
        return list(long_rows(conn, **how))


def cells(rows: list[dict[str, Any]]) -> dict[tuple[str, str], tuple[Any, str]]:
    return {(row["unit_id"].rpartition("/")[2], row["field"]): (row["value"], row["status"]) for row in rows}


def do(study: Database, *acts: Any) -> None:
    with study.write() as conn:
        for one in acts:
            append(conn, one)


def test_the_columns_are_those_of_the_design_in_their_order() -> None:
    assert " ".join(COLUMNS) == (
        "dialogue_id item_id unit_id unit_kind field rater rater_kind phase occasion purpose value number level scale "
        "status skip_reason attested revision decided_at active_ms protocol guideline position presentation "
        "saw_prefill saw_judge saw_peer saw_translation accepted_unchanged probability language ability origin note"
    )


def test_items_that_were_not_begun_give_no_rows(study: Database) -> None:
    assert rows_of(study) == []


def test_a_row_tells_all_that_is_known_of_an_answer(
    study: Database, first: Assignment, view: ItemView
) -> None:
    order = tuple(unit.id for unit in view.units)
    made = act(
        Verb.SET,
        first,
        Change("verdict", "keep", view.units[1].id),
        active_ms=900,
        presentation=order,
        seen=Seen(prefill=True),
    )
    do(study, made, act(Verb.NOTE, first, reason="hm", unit_id=view.units[1].id))
    row = next(row for row in rows_of(study) if row["field"] == "verdict")
    assert set(row) == set(COLUMNS)
    assert row == row | {
        "dialogue_id": first.shown_id,
        "item_id": f"memory-verification/{first.shown_id}",
        "unit_id": f"memory-verification/{first.shown_id}/gold:m1",
        "unit_kind": "memory",
        "rater": "ada",
        "rater_kind": "human",
        "phase": "blind",
        "occasion": 0,
        "purpose": "core",
        "value": '"keep"',
        "number": None,
        "level": "nominal",
        "scale": '["keep","edit","delete","in_doubt"]',
        "status": "answered",
        "attested": "explicit",
        "revision": 1,
        "decided_at": made.decided_at,
        "active_ms": 900,
        "protocol": "memory-verification@1",
        "position": first.position,
        "presentation": '["session","gold:m1","gold:m2"]',
        "saw_prefill": True,
        "saw_judge": False,
        "accepted_unchanged": True,
        "probability": 1.0,
        "language": "en",
        "origin": "gold",
        "note": "hm",
    }
    assert len(row["guideline"]) == 12


def test_what_a_submitted_item_lacks_is_unseen_and_a_skipped_one_skipped_with_its_reason(
    study: Database, queue: tuple[Assignment, ...], view: ItemView
) -> None:
    kept = Change("verdict", "keep", view.units[1].id)
    do(study, act(Verb.SET, queue[0], kept), act(Verb.SKIP, queue[1], reason="not my language"))
    assert {status for _, status in cells(rows_of(study)).values()} >= {"answered", "skipped"}
    open_rows = [row for row in rows_of(study) if row["item_id"].endswith(queue[0].shown_id)]
    assert {row["status"] for row in open_rows} == {"answered"}
    do(study, act(Verb.SUBMIT, queue[0]))
    rows = rows_of(study)
    submitted = cells([row for row in rows if row["item_id"].endswith(queue[0].shown_id)])
    assert submitted["session", "faithfulToOriginalMeaning"] == (None, "unseen")
    assert submitted["gold:m2", "verdict"] == (None, "unseen")
    skipped = [row for row in rows if row["item_id"].endswith(queue[1].shown_id)]
    assert len(skipped) == 3
    assert {(row["status"], row["skip_reason"], row["value"]) for row in skipped} == {
        ("skipped", "not my language", None)
    }


def test_a_field_that_only_shows_on_a_condition_is_never_missing(study: Database) -> None:
    conditional = FieldScale("why", UnitKind.MEMORY, "multi", None, None, required=True, conditional=True)
    form = replace(VERIFICATION, version="2", content_hash="2", fields=(*VERIFICATION.fields, conditional))
    with study.write() as conn:
        number = add_protocol(conn, form)
        for one in dialogues(conn):
            add_item(conn, number, verification_item(conn, one.id, one.external_id))
        assign_all(conn, 1)
        mine = assignments(conn, 1, form.name)[0]
        append(conn, act(Verb.SUBMIT, mine))
    assert {row["field"] for row in rows_of(study)} == {"verdict", "faithfulToOriginalMeaning"}


def test_skipped_and_not_judgeable_cells_keep_their_reason(
    study: Database, first: Assignment, view: ItemView
) -> None:
    cannot = Change("verdict", None, view.units[1].id, status=Status.CANNOT_JUDGE, reason="no context")
    do(study, act(Verb.SET, first, cannot))
    (row,) = rows_of(study)
    assert (row["status"], row["skip_reason"], row["value"]) == ("cannot_judge", "no context", None)


def test_numbers_are_numbers_and_does_not_apply_is_none(study: Database) -> None:
    with study.write() as conn:
        mine = assignments(conn, 1, "response-rating")[0]
        units = [unit.id for unit in item_view(conn, mine.id).units if unit.kind is UnitKind.RESPONSE]
        values = {"preference_alignment": 4, "resonation": "na"}
        append(
            conn, act(Verb.SET, mine, *(Change(field, value, units[0]) for field, value in values.items()))
        )
        append(conn, act(Verb.SET, mine, Change("preference_alignment", 2.5, units[1])))
    with study.read() as conn:
        table = ratings_table(conn, protocol="response-rating", field=["preference_alignment", "resonation"])
    assert sorted(table.field("preference_alignment").column("number")) == [2.5, 4.0]
    assert np.isnan(table.field("resonation").column("number")).all()
    assert set(table.column("origin")) == {"model-north", "model-south"}
    assert matrix(table, "preference_alignment", numeric=True).values.shape == (2, 1)
    assert matrix(table, "resonation", numeric=False).values.tolist() == [["na"]]


def test_a_made_unit_is_its_raters_own_and_a_taken_back_one_is_nowhere(
    study: Database, first: Assignment
) -> None:
    new = NewUnit(UnitKind.MEMORY, "new-1", "m3")
    do(study, act(Verb.SET, first, Change("memory", {"value": "x"}, new_unit=new)))
    (row,) = rows_of(study)
    assert row["unit_id"] == f"memory-verification/{first.shown_id}/new-1@ada"
    assert row["origin"] == "rater"
    do(study, act(Verb.SUBMIT, first))
    assert [row["unit_id"] for row in rows_of(study) if "new-1" in row["unit_id"]] == [row["unit_id"]]
    do(study, act(Verb.UNDO, first), act(Verb.UNDO, first))
    assert rows_of(study) == []


def test_the_final_list_can_be_read_from_the_table_alone(
    study: Database, queue: tuple[Assignment, ...], view: ItemView
) -> None:
    first, second = queue
    m1, m2 = view.units[1].id, view.units[2].id
    with study.read() as conn:
        other = [unit.id for unit in item_view(conn, second.id).units]
    new = NewUnit(UnitKind.MEMORY, "new-1", "m3")
    stale = {"value": "typed, then taken back by a keep"}
    do(
        study,
        act(Verb.SET, first, Change("verdict", "edit", m1), Change("memory", stale, m1)),
        act(Verb.SET, first, Change("verdict", "keep", m1, attested=Attested.SEEDED)),
        act(
            Verb.SET,
            first,
            Change("verdict", "edit", m2),
            Change("memory", {"value": "Eats little meat"}, m2),
        ),
        act(Verb.SET, first, Change("memory", {"value": "Has a dog"}, new_unit=new)),
        act(Verb.SET, second, Change("verdict", "delete", other[1])),
        act(Verb.SET, second, Change("verdict", "in_doubt", other[2]), Change("memory", stale, other[2])),
    )
    with study.read() as conn:
        table = ratings_table(conn, protocol="memory-verification")
    kept = table.where((table.column("field") == "memory") & (table.column("attested") == "seeded"))
    assert [value["value"] for value in kept.parsed()] == ["Likes green tea"]
    sets = {one.dialogue_id: one for one in memory_sets(table)}
    assert [memory["value"] for memory in sets[first.shown_id].memories] == [
        "Likes green tea",
        "Eats little meat",
        "Has a dog",
    ]
    assert sets[first.shown_id].memories[0]["label"] == "Preferences/Food"
    assert sets[second.shown_id].memories == ()
    assert not sets[first.shown_id].untouched
    assert {one.rater for one in sets.values()} == {"ada"}


def test_a_list_nobody_touched_is_said_to_be_untouched_and_a_skipped_dialogue_has_no_list(
    study: Database, queue: tuple[Assignment, ...], view: ItemView
) -> None:
    kept = [Change("verdict", "keep", unit.id, attested=Attested.SEEDED) for unit in view.units[1:]]
    do(study, act(Verb.SET, queue[0], *kept), act(Verb.SKIP, queue[1], reason="x"))
    with study.read() as conn:
        (only,) = memory_sets(ratings_table(conn))
    assert only.untouched
    assert only.seeded
    assert len(only.memories) == 2


def test_the_order_of_rows_is_that_of_assignments_units_and_fields(
    study: Database, first: Assignment, view: ItemView
) -> None:
    do(
        study,
        act(Verb.SET, first, Change("verdict", "keep", view.units[2].id)),
        act(Verb.SET, first, Change("verdict", "delete", view.units[1].id), Change("b", 1, view.units[1].id)),
        act(Verb.SET, first, Change("a", 1, view.units[1].id)),
    )
    found = [(row["unit_id"].rpartition("/")[2], row["field"]) for row in rows_of(study)]
    assert found == [
        ("gold:m1", "a"),
        ("gold:m1", "b"),
        ("gold:m1", "verdict"),
        ("gold:m2", "verdict"),
        ("gold:m2", "memory"),
    ]
    assert rows_of(study) == rows_of(study)
    assert rows_of(study, protocol="response-rating") == []


def test_a_filter_that_is_no_column_is_refused(study: Database) -> None:
    with study.read() as conn, pytest.raises(KeyError, match="annotater"):
        ratings_table(conn, annotater="ada")


def test_two_raters_answers_stand_side_by_side(study: Database, first: Assignment, view: ItemView) -> None:
    with study.write() as conn:
        ben = rater_by_name(conn, "ben")
        assert ben is not None
        his = next(a for a in assignments(conn, ben.id) if a.item_id == first.item_id)
        append(conn, act(Verb.SET, first, Change("verdict", "keep", view.units[1].id)))
        append(
            conn, act(Verb.SET, first, Change("verdict", "keep", view.units[2].id, attested=Attested.SEEDED))
        )
        append(conn, act(Verb.SET, his, Change("verdict", "delete", view.units[1].id)))
    with study.read() as conn:
        found = matrix(ratings_table(conn), "verdict", numeric=False)
    assert found.raters == ("ada", "ben")
    assert found.values.tolist() == [["keep", "delete"], ["keep", None]]
    assert found.attested.tolist() == [["explicit", "explicit"], ["seeded", None]]
    assert found.clusters == (first.shown_id, first.shown_id)


def test_a_second_occasion_makes_the_matrix_refuse_until_one_is_chosen(
    study: Database, first: Assignment, view: ItemView
) -> None:
    with study.write() as conn:
        again = assign(conn, first.item_id, first.rater_id, occasion=1)
        second = replace(first, id=again)
        append(conn, act(Verb.SET, first, Change("verdict", "keep", view.units[1].id)))
        append(conn, act(Verb.SET, second, Change("verdict", "delete", view.units[1].id)))
    with study.read() as conn:
        table = ratings_table(conn, field="verdict")
    with pytest.raises(ValueError, match="twice"):
        matrix(table, "verdict", numeric=False)
    population, left_out = default_population(table)
    assert left_out == {"later_occasion": 1}
    assert matrix(population, "verdict", numeric=False).values.tolist() == [["keep"]]


# ---------------------------------------------------------------- tables from elsewhere, and the population


def row(**fields: Any) -> dict[str, Any]:
    return {"unit": "u1", "rater": "a", "field": "f", "value": 3} | fields


def test_a_table_from_elsewhere_may_use_other_names_and_plain_values() -> None:
    table = from_rows(
        [
            {"item": "i1", "unit": "u1", "annotator": "kim", "cluster": "d1", "field": "f", "value": "keep"},
            {"unit": "u2", "annotator": "lee", "field": "f", "value": 4},
            {"unit": "u3", "annotator": "lee", "field": "f", "value": "4.5"},
            {"unit": "u4", "annotator": "lee", "field": "f", "value": None},
            {"unit": "u5", "annotator": "lee", "field": "f", "value": True},
        ]
    )
    assert table.column("value").tolist() == ['"keep"', "4", "4.5", None, "true"]
    assert table.column("rater").tolist() == ["kim", "lee", "lee", "lee", "lee"]
    assert table.column("dialogue_id").tolist()[0] == "d1"
    np.testing.assert_array_equal(table.column("number"), [np.nan, 4, 4.5, np.nan, np.nan])
    assert table.column("status").tolist() == ["answered", "answered", "answered", "unseen", "answered"]
    assert default_population(table)[1] == {}


def test_an_empty_table_is_a_table() -> None:
    table = from_rows([])
    assert len(table) == 0
    population, left_out = default_population(table)
    assert (len(population), left_out) == (0, {})
    assert matrix(table, "f", numeric=True).values.shape == (0, 0)
    assert memory_sets(table) == ()


@pytest.mark.parametrize(
    ("fields", "reason"),
    [
        ({"rater_kind": "judge"}, "not_human"),
        ({"phase": "revealed"}, "not_blind"),
        ({"purpose": "repeat"}, "not_core"),
        ({"saw_judge": True}, "saw_judge"),
        ({"saw_peer": True}, "saw_peer"),
        ({"protocol": "form@1.9"}, "older_protocol"),
        ({"occasion": 2}, "later_occasion"),
    ],
)
def test_the_default_population_says_what_it_left_out_and_why(fields: dict[str, Any], reason: str) -> None:
    base = {"protocol": "form@1.10"}
    table = from_rows([row(**base), row(rater="b", **base), row(**(base | fields))])
    population, left_out = default_population(table)
    assert len(population) == 2
    assert left_out == {reason: 1}


def test_a_row_that_several_reasons_leave_out_counts_once() -> None:
    table = from_rows([row(), row(rater_kind="judge", phase="revealed", saw_judge=True)])
    assert default_population(table)[1] == {"not_human": 1}


def test_the_first_occasion_is_that_of_the_rows_that_count() -> None:
    shown = row(item="i", occasion=0, saw_judge=True)
    table = from_rows([shown, row(item="i", occasion=1), row(item="i", occasion=2)])
    population, left_out = default_population(table)
    assert population.column("occasion").tolist() == [1]
    assert left_out == {"saw_judge": 1, "later_occasion": 1}


def test_forms_are_compared_within_their_name_only() -> None:
    table = from_rows([row(protocol="a@2"), row(protocol="b@1", unit="u2")])
    assert default_population(table)[1] == {}


@pytest.mark.parametrize(("older", "newer"), [("f@1.9", "f@1.10"), ("f@1", "f@1.1"), ("f@2-rc1", "f@10")])
def test_versions_are_ordered_as_people_count(older: str, newer: str) -> None:
    assert version_order(older) < version_order(newer)


def test_a_part_of_a_table_is_a_table() -> None:
    table = from_rows([row(unit=f"u{count}", value=count) for count in range(4)])
    some = table.where(table.column("number") > 1)
    assert isinstance(some, Table)
    assert some.column("unit_id").tolist() == ["u2", "u3"]
    assert table.where(np.array([3, 0])).column("number").tolist() == [3.0, 0.0]
