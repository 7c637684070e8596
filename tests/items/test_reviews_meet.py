"""Reviews of one extraction: a judge's and a person's of the same pair are one unit, on the gold the judge saw."""

import json
from collections.abc import Iterator
from pathlib import Path

import pytest
from judged_sessions import GOLD, PREDICTED, judged_memories, session_packet, write
from paths import ALPSBENCH, needs_shared

from alps_tui.items.build import build_items
from alps_tui.items.derive import derive_decisions
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign, assignment_by_id, assignments, raters
from store.content import memories_by_id, preview_item
from store.database import Database, open_database
from store.decisions import append
from store.kinds import UnitKind, Verb
from store.ratings import long_rows, ratings_table, review_name
from store.records import Act, Assignment, Change, NewUnit
from store.table import matrix

FORM = "extraction-review"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with open_database(tmp_path / "study.db", create=True) as study:
        yield study


def bring(db: Database, *paths: Path) -> dict:
    import_paths(db, paths)
    build_items(db)
    return derive_decisions(db).to_json()["forms"]


def the_judges_sitting(db: Database) -> Assignment:
    with db.read() as conn:
        (judge,) = (rater for rater in raters(conn) if rater.name.startswith("judge-of-"))
        (sitting,) = assignments(conn, judge.id, FORM)
    return sitting


def review(db: Database, item_id: int, *said: dict) -> None:
    """Let a person review what the judge reviewed; the keys of the units are the person's own."""
    with db.write() as conn:
        person = add_rater(conn, "ada")
        sitting = assignment_by_id(conn, assign(conn, item_id, person.id))
        for number, one in enumerate(said, 1):
            unit = NewUnit(UnitKind.REVIEW, f"own:{number}", f"r{number}")
            changes = tuple(Change(field, value, new_unit=unit) for field, value in one.items())
            append(
                conn,
                Act(Verb.SET, sitting.id, item_id, f"act-{number}", "2026-05-01T10:00:00+00:00", changes),
            )


def test_a_person_and_a_judge_who_name_the_same_memories_answer_for_one_unit(db, tmp_path):
    bring(db, write(tmp_path / "j.json", judged_memories()))
    pair = {"review": "pair", "gold_id": "m1", "pred_id": "p1", "ok": False, "error_type": "OVERGENERAL"}
    other = {"review": "extra", "pred_id": "p9", "hallucinated": False, "severity": 0}
    review(db, the_judges_sitting(db).item_id, {**pair, "severity": 3}, other)

    with db.read() as conn:
        table = ratings_table(conn, protocol=FORM)
    found = matrix(table, "severity", True)
    by_unit = {
        unit.rpartition("/")[2]: list(row) for unit, row in zip(found.units, found.values, strict=True)
    }
    who = list(found.raters)
    assert by_unit["pair:m1:p1"][who.index("ada")] == 3
    assert by_unit["pair:m1:p1"][1 - who.index("ada")] == 2
    assert {name for name in by_unit if "@" in name} == set()
    assert "extra:p9" in by_unit and "extra:p2" in by_unit


def test_the_same_pair_reviewed_twice_is_two_units_and_a_review_of_nothing_stays_the_raters_own(db, tmp_path):
    bring(db, write(tmp_path / "j.json", judged_memories()))
    pair = {"review": "pair", "gold_id": "m1", "pred_id": "p1", "severity": 1}
    review(db, the_judges_sitting(db).item_id, pair, pair, {"severity": 1})

    with db.read() as conn:
        mine = {row["unit_id"].rpartition("/")[2] for row in long_rows(conn) if row["rater"] == "ada"}
    assert mine == {"pair:m1:p1", "pair:m1:p1#2", "own:3@ada"}


@pytest.mark.parametrize(
    ("said", "name"),
    [
        ({"review": "pair", "gold_id": "m1", "pred_id": "p1"}, "pair:m1:p1"),
        ({"review": "missing", "gold_id": "m1", "pred_id": "p1"}, "missing:m1"),
        ({"review": "extra", "gold_id": "m1", "pred_id": "p1"}, "extra:p1"),
        ({"review": "pair", "gold_id": "m1"}, None),
        ({"review": "else", "gold_id": "m1"}, None),
        ({"review": 7}, None),
        ({}, None),
    ],
)
def test_a_review_is_named_by_what_it_reviews(said, name):
    assert review_name({key: json.dumps(value) for key, value in said.items()}) == name


# ---------------------------------------------------------------- the gold a judge saw


def gold_of(db: Database, item_id: int) -> list[tuple[str, str | None]]:
    """(key, value) of the gold units of an item; of one whose memory is gone the value is None."""
    with db.read() as conn:
        units = preview_item(conn, item_id).units
        known = memories_by_id(conn, [unit.memory_id for unit in units if unit.memory_id is not None])
    return [
        (unit.key, None if unit.memory_id is None else known[unit.memory_id].value)
        for unit in units
        if unit.kind is UnitKind.MEMORY and unit.key.startswith("gold:")
    ]


def test_a_judge_of_the_gold_of_now_stands_on_it(db, tmp_path):
    document = judged_memories() | {"golden_answer": GOLD}
    forms = bring(db, write(tmp_path / "j.json", document))

    assert "other_gold" not in forms[FORM]["answers"]
    assert [key for key, _ in gold_of(db, the_judges_sitting(db).item_id)] == ["gold:m1", "gold:m2"]


def test_a_judge_of_a_gold_that_is_gone_stands_on_an_item_of_its_own_with_what_is_known_of_it(db, tmp_path):
    forms = bring(db, write(tmp_path / "j.json", judged_memories()))

    assert forms[FORM]["answers"]["other_gold"] == 1
    assert gold_of(db, the_judges_sitting(db).item_id) == [("gold:m1", GOLD[0]["value"]), ("gold:m2", None)]


def test_the_gold_a_judge_saw_is_taken_from_an_older_list_or_from_the_packet(tmp_path):
    older = judged_memories() | {"golden_answer": GOLD, "llm_as_judge_results": {}}
    for name, other in (("older", older), ("packet", session_packet("sess_j"))):
        with open_database(tmp_path / f"{name}.db", create=True) as db:
            first = write(tmp_path / f"{name}-1.json", other)
            bring(db, first, write(tmp_path / f"{name}-2.json", judged_memories()))
            seen = gold_of(db, the_judges_sitting(db).item_id)
            assert [key for key, _ in seen] == ["gold:m1", "gold:m2"]
            assert [value for _, value in seen] == [one["value"] for one in GOLD]


def test_a_judge_that_leaves_out_a_memory_of_the_gold_saw_the_gold_of_now(db, tmp_path):
    extended = [*GOLD, GOLD[0] | {"memory_id": "m3", "value": "Has a cat"}]
    forms = bring(db, write(tmp_path / "j.json", judged_memories() | {"golden_answer": extended}))

    assert "other_gold" not in forms[FORM]["answers"]
    assert len(gold_of(db, the_judges_sitting(db).item_id)) == 3
    assert len(PREDICTED) == 2


@needs_shared
def test_24_real_extractions_were_judged_on_a_gold_that_is_not_the_one_of_now(tmp_path):
    with open_database(tmp_path / "study.db", create=True) as db:
        import_paths(db, [ALPSBENCH / "llm_memories"], locate=False)
        build_items(db)
        report = derive_decisions(db).forms[FORM]
    assert (report.derived, report.answers["other_gold"]) == (72, 24)
