"""Studies as an older program left them: what each migration brought, taken out again."""

import re
import sqlite3
from collections.abc import Callable, Mapping
from contextlib import closing
from pathlib import Path

from store.migrations.steps import MIGRATIONS


def take_back(path: Path, number: int) -> None:
    """Make a study of now one of the schema with this number."""
    with closing(sqlite3.connect(path)) as raw:
        for step in reversed(MIGRATIONS):
            if step.number > number:
                UNDONE[step.number](raw)
        raw.execute("DELETE FROM schema_migration WHERE number > ?", (number,))
        raw.commit()


def _without_shown_updates(raw: sqlite3.Connection) -> None:
    raw.execute("ALTER TABLE update_task DROP COLUMN shown_before")
    raw.execute("ALTER TABLE update_task DROP COLUMN shown_after")


def _without_update_of_items(raw: sqlite3.Connection) -> None:
    """The column refers to a table, and such a column cannot be dropped: the items move to a table without it."""
    (sql,) = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'item'").fetchone()
    lines = [line for line in sql.splitlines() if "update_id" not in line]
    columns = ", ".join(row[1] for row in raw.execute("PRAGMA table_info(item)") if row[1] != "update_id")
    old = re.sub(r",\s*\)\s*$", ")", "\n".join(lines))
    raw.execute(old.replace("CREATE TABLE item ", "CREATE TABLE old_item "))
    raw.execute(f"INSERT INTO old_item ({columns}) SELECT {columns} FROM item")
    raw.execute("DROP TABLE item")
    raw.execute("PRAGMA legacy_alter_table = ON")
    raw.execute("ALTER TABLE old_item RENAME TO item")


def _without_shown_pools(raw: sqlite3.Connection) -> None:
    raw.execute("ALTER TABLE query DROP COLUMN shown_pool")
    raw.execute("ALTER TABLE query DROP COLUMN shown_target")


def _without_acknowledgements(raw: sqlite3.Connection) -> None:
    """The log's check of its verbs without the newest one: the log moves to a table with the narrower check."""
    (schema,) = raw.execute("SELECT sql FROM sqlite_master WHERE name = 'decision'").fetchone()
    parts = raw.execute(
        "SELECT sql FROM sqlite_master WHERE tbl_name = 'decision' AND type != 'table' "
        "AND sql IS NOT NULL AND name != 'acknowledged'"
    ).fetchall()
    old = schema.replace(", 'acknowledge')", ")").replace("TABLE decision", "TABLE old_decision")
    assert old.count("acknowledge") == 0
    raw.executescript(
        f"{old}; INSERT INTO old_decision SELECT * FROM decision; DROP TABLE decision; "
        "ALTER TABLE old_decision RENAME TO decision; ALTER TABLE guideline DROP COLUMN note"
    )
    for (part,) in parts:
        raw.execute(part)


def _without_reasons(raw: sqlite3.Connection) -> None:
    raw.execute("ALTER TABLE response DROP COLUMN reason")


UNDONE: Mapping[int, Callable[[sqlite3.Connection], None]] = {
    2: _without_shown_updates,
    3: _without_update_of_items,
    4: _without_shown_pools,
    5: _without_acknowledgements,
    6: _without_reasons,
}
