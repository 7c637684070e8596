"""Blind is structural: what a rater's view is made of holds nothing of a model, an origin, a judge or a peer."""

import secrets
import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from sqlalchemy import Connection, event
from studies import RATING, VERIFICATION, act, dialogue, memory, rating_item, record, verification_item

from store.assignments import add_item, add_protocol, add_rater, assign_all, assignments, next_open, progress
from store.content import add_file, add_record, dialogues, item_view, preview_item
from store.content_records import Query, Response
from store.database import Database, open_database
from store.decisions import append, item_answers
from store.kinds import Origin, RaterKind, UnitKind, Verb
from store.place import load_place
from store.records import Change, NewUnit, Rater, UnitSpec

CANARIES = {
    name: f"canary-{name}-{secrets.token_hex(4)}"
    for name in ("model", "origin", "raw", "peer", "judge", "id")
}


@pytest.fixture
def seeded(tmp_path: Path) -> Iterator[Database]:
    """A study in which everything a blind rater must not see holds a canary."""
    db = open_database(tmp_path / "alps.db", create=True)
    with db.write() as conn:
        number = add_file(conn, f"{CANARIES['raw']}.jsonl", "0" * 64, "tiny")
        model = memory("m9", "Likes mint tea", Origin.MODEL, CANARIES["origin"])
        model = replace(
            model, external_id=CANARIES["id"], raw={"judge": CANARIES["judge"], "memory_id": "m9"}
        )
        one = replace(
            dialogue("d1"),
            memories=(memory("m1", "Likes green tea"), model),
            queries=(Query("q1", "utilization", "What should I cook?", ability="ability1"),),
            responses=(
                Response("q1", CANARIES["model"], "A soup.", 0),
                Response("q1", f"{CANARIES['model']}-2", "A steak.", 1),
            ),
            meta={"judge_output": CANARIES["judge"]},
        )
        add_record(conn, number, record(one, raw=CANARIES["raw"].encode()))
        verification, rating = add_protocol(conn, VERIFICATION), add_protocol(conn, RATING)
        number = dialogues(conn)[0].id
        spec = verification_item(conn, number, "d1")
        told = UnitSpec(f"model:{CANARIES['origin']}", UnitKind.MEMORY, "m2", memory_id=spec.candidates[0])
        add_item(conn, verification, replace(spec, units=(*spec.units, told)))
        add_item(conn, rating, rating_item(conn, number, "d1"))
        ada = add_rater(conn, "ada")
        peer = add_rater(conn, f"ben-{CANARIES['peer']}")
        judge = add_rater(conn, CANARIES["judge"], RaterKind.JUDGE, {"model": CANARIES["judge"]})
        for rater in (ada, peer, judge):
            assign_all(conn, rater.id)
        for rater, word in ((peer, CANARIES["peer"]), (judge, CANARIES["judge"])):
            _decide(conn, rater, word)
    yield db
    db.close()


def _decide(conn: Connection, rater: Rater, word: str) -> None:
    """Answers, a note, a flag and a unit of their own, all with a canary."""
    for mine in assignments(conn, rater.id):
        unit = item_view(conn, mine.id).units[-1].id
        new = NewUnit(UnitKind.MEMORY, f"new-{word}", word)
        append(conn, act(Verb.SET, mine, Change("verdict", word, unit), Change("memory", word, new_unit=new)))
        append(conn, act(Verb.NOTE, mine, reason=word))
        append(conn, act(Verb.FLAG, mine, reason=word, unit_id=unit))


@contextmanager
def watched(db: Database) -> Iterator[tuple[list[str], list[Any]]]:
    """Every statement sent and every row fetched on the study's reading connections, as SQLite gives it."""
    statements: list[str] = []
    rows: list[Any] = []

    def fetched(_: sqlite3.Cursor, row: tuple[Any, ...]) -> tuple[Any, ...]:
        rows.append(row)
        return row

    def sent(conn: Any, cursor: Any, statement: str, *_: Any) -> None:
        statements.append(statement)

    def borrowed(raw: sqlite3.Connection, *_: Any) -> None:
        raw.row_factory = fetched

    engine = db._reader
    event.listen(engine, "checkout", borrowed)
    event.listen(engine, "before_cursor_execute", sent)
    yield statements, rows
    event.remove(engine, "checkout", borrowed)
    event.remove(engine, "before_cursor_execute", sent)


def test_the_watch_itself_sees_a_canary(seeded: Database) -> None:
    with watched(seeded) as (statements, rows), seeded.read() as conn:
        conn.exec_driver_sql("SELECT model FROM response").all()
    assert statements == ["SELECT model FROM response"]
    assert CANARIES["model"] in repr(rows)


def test_no_canary_is_in_a_blind_view_nor_in_any_row_fetched_for_it(seeded: Database) -> None:
    with watched(seeded) as (statements, rows), seeded.read() as conn:
        mine = assignments(conn, 1)
        assert len(mine) == 2
        views: list[Any] = [item_view(conn, one.id) for one in mine]
        views += [preview_item(conn, one.item_id) for one in mine]
        views += [item_answers(conn, one.id) for one in mine]
        views += [load_place(conn, one.id) for one in mine]
        views += [progress(conn, 1, one.protocol) for one in mine]
        views += [next_open(conn, 1, one.protocol) for one in mine]
    assert rows
    assert any("memory" in statement for statement in statements)
    for name, canary in CANARIES.items():
        assert canary not in repr(views), name
        assert canary not in repr(rows), name
        assert canary not in repr(statements), name


def test_no_statement_for_a_blind_view_names_a_column_that_tells(seeded: Database) -> None:
    """`memory.origin` stands only in the comparison that hides the key of a memory that is no proposal."""
    with watched(seeded) as (statements, _), seeded.read() as conn:
        for one in assignments(conn, 1):
            item_view(conn, one.id)
    for statement in statements:
        selected = statement.partition("FROM")[0]
        for column in ("origin_name", ".model", ".raw,", "external_id", "record_id", ".meta"):
            assert column not in selected, statement


def test_a_view_holds_the_material_itself(seeded: Database) -> None:
    with seeded.read() as conn:
        verification, rating = (item_view(conn, one.id) for one in assignments(conn, 1))
    assert [unit.shown_id for unit in verification.units] == ["session", "m1", "m2"]
    assert [memory.value for memory in verification.candidates] == ["Likes mint tea"]
    assert {response.text for response in rating.responses.values()} == {"A soup.", "A steak."}
    assert [unit.shown_id for unit in rating.units if unit.kind is UnitKind.RESPONSE] == ["A", "B"]
    assert rating.query is not None
    assert rating.query.text == "What should I cook?"
    assert [memory.shown_id for memory in rating.preferences] == ["p1"]
