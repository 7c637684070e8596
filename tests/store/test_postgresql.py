"""What is SQLite's own stays in store/database.py: everything else is understood by PostgreSQL too."""

import ast
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

from paths import ROOT
from sqlalchemy import Engine, event
from sqlalchemy.dialects import postgresql, sqlite
from sqlalchemy.schema import CreateIndex, CreateTable
from studies import act, tiny_study

import store
from store import models as m
from store.assignments import (
    assign,
    assignments,
    find_item,
    mark_opened,
    next_open,
    progress,
    protocol_fields,
    rater_by_name,
    raters,
)
from store.connections import driver_insert
from store.content import (
    add_file,
    add_quarantine,
    annotations,
    dialogue_by_external_id,
    dialogues,
    item_view,
    lints,
    memories,
    memories_by_id,
    preview_item,
    quarantined,
    responses_of_dialogue,
    turns,
    updates,
)
from store.content_records import Quarantined
from store.database import Database
from store.decisions import append, item_answers, verify
from store.kinds import UnitKind, Verb
from store.place import load_place, save_place
from store.ratings import long_rows
from store.records import Change, NewUnit
from store.versions import news, queue_again, version_counts

DIALECT = postgresql.dialect()
SOURCES = sorted(Path(store.__path__[0]).rglob("*.py"))


def test_the_schema_is_understood_by_postgresql() -> None:
    for table in m.metadata.sorted_tables:
        compiled = str(CreateTable(table).compile(dialect=DIALECT))
        assert compiled.strip().startswith("CREATE TABLE")
        for index in table.indexes:
            assert "INDEX" in str(CreateIndex(index).compile(dialect=DIALECT))


@contextmanager
def recorded() -> Iterator[list[Any]]:
    """Every statement that is executed, as SQLAlchemy has it before it knows a dialect."""
    statements: list[Any] = []

    def note(conn: Any, statement: Any, *_: Any) -> None:
        statements.append(statement)

    event.listen(Engine, "before_execute", note)
    try:
        yield statements
    finally:
        event.remove(Engine, "before_execute", note)


def use_everything(db: Database) -> None:
    """A walk through every function of the store that sends a statement."""
    with db.write() as conn:
        number = add_file(conn, "x", "x", "plain")
        add_quarantine(conn, number, Quarantined(0, "x", b"x", "broken"))
        ada = rater_by_name(conn, "ada")
        assert ada is not None
        mine = assignments(conn, ada.id)[0]
        mark_opened(conn, mine.id, "2026")
        unit = item_view(conn, mine.id).units[1].id
        new = NewUnit(UnitKind.MEMORY, "n", "n")
        append(conn, act(Verb.SET, mine, Change("verdict", "keep", unit), Change("memory", {}, new_unit=new)))
        append(conn, act(Verb.UNDO, mine))
        append(conn, act(Verb.REDO, mine))
        append(conn, act(Verb.NOTE, mine, reason="x", unit_id=unit))
        append(conn, act(Verb.SUBMIT, mine))
        append(conn, act(Verb.ACKNOWLEDGE, mine))
        assign(conn, mine.item_id, ada.id, occasion=1)
        queue_again(conn, mine.protocol)
        save_place(conn, mine.id, {"a": 1})
    with db.read() as conn:
        load_place(conn, mine.id)
        item_answers(conn, mine.id)
        preview_item(conn, mine.item_id)
        next_open(conn, ada.id, mine.protocol)
        news(conn, ada.id, mine.protocol)
        version_counts(conn, mine.protocol)
        progress(conn, ada.id, mine.protocol)
        raters(conn)
        protocol_fields(conn, mine.protocol_id)
        find_item(conn, "a/b")
        first = dialogues(conn)[0]
        dialogue_by_external_id(conn, first.external_id)
        turns(conn, first.id)
        memories_by_id(conn, [one.id for one in memories(conn, first.id)])
        responses_of_dialogue(conn, first.id)
        updates(conn, first.id)
        annotations(conn, "task1")
        lints(conn)
        quarantined(conn)
        list(long_rows(conn, protocol=mine.protocol))
        verify(conn)


def test_every_statement_of_the_store_is_understood_by_postgresql(tmp_path: Path) -> None:
    with recorded() as statements:
        db = tiny_study(tmp_path / "alps.db")
        use_everything(db)
        db.close()
    assert len(statements) > 100
    kinds = set()
    for statement in statements:
        kinds.add(type(statement).__name__)
        str(statement.compile(dialect=DIALECT))
    assert {"Select", "Insert", "Update", "Delete"} <= kinds


def test_a_bulk_insert_names_its_places_where_the_driver_does() -> None:
    columns = ("dialogue_id", "position", "role", "text")
    text, places = driver_insert(m.turn, columns, DIALECT)
    assert not places and "%(text)s" in text
    text, places = driver_insert(m.turn, columns, sqlite.dialect())
    assert places == columns and text.count("?") == len(places)


def test_no_module_but_the_database_speaks_sqlite() -> None:
    """No driver SQL, no text, no dialect of SQLite, no sqlite3 outside store/database.py and connections.py."""
    for path in SOURCES:
        if path.name in ("database.py", "connections.py"):
            continue
        for node in ast.walk(ast.parse(path.read_text())):
            names: list[str] = []
            if isinstance(node, ast.Import):
                names = [alias.name for alias in node.names]
            elif isinstance(node, ast.ImportFrom):
                names = [f"{node.module}.{alias.name}" for alias in node.names]
            elif isinstance(node, ast.Attribute):
                names = [node.attr]
            for name in names:
                assert "sqlite3" not in name, path
                assert "dialects" not in name, path
                assert name != "exec_driver_sql", path
                if path.name != "models.py":  # the condition of a partial index is text, the same in both
                    assert name != "sqlalchemy.text", path


def test_the_store_imports_nothing_of_ours() -> None:
    for path in SOURCES:
        for node in ast.walk(ast.parse(path.read_text())):
            if isinstance(node, ast.ImportFrom):
                assert node.module is not None
                assert node.module.partition(".")[0] not in ("alps_tui", "exports", "tests"), path


def test_the_pure_modules_load_no_sqlalchemy_and_making_tables_opens_nothing() -> None:
    code = (
        "import sys; import store.kinds, store.records, store.encoding, store.fold, store.errors, store.table; "
        "assert not {'sqlalchemy', 'sqlmodel', 'textual', 'sqlite3'} & set(sys.modules), sorted(sys.modules)"
    )
    subprocess.run([sys.executable, "-c", code], check=True, cwd=ROOT, timeout=60)
