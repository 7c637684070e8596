"""The migration after which a log may hold acknowledgements, and guidelines the note of what changed."""

from sqlalchemy import DDL, Connection, and_, column, select, table

_VERBS_BEFORE = "'reopen', 'reveal')"
_VERBS_NOW = "'reopen', 'reveal', 'acknowledge')"
_SCHEMA = table("sqlite_master", *map(column, ("type", "name", "tbl_name", "sql")))


def versions_can_be_acknowledged(connection: Connection) -> None:
    """Widen the list of verbs, which a check of the table holds: the log moves to a table that is the same but for it.

    Its rows, numbers and chain stay what they are; its indexes and triggers are made again as they were.
    """
    _run(connection, "ALTER TABLE guideline ADD COLUMN note TEXT NOT NULL DEFAULT ''")
    s = _SCHEMA.c
    old = connection.execute(select(s.sql).where(s.type == "table", s.name == "decision")).scalar_one()
    beside = and_(s.tbl_name == "decision", s.type.in_(("index", "trigger")), s.sql.is_not(None))
    parts = connection.execute(select(s.sql).where(beside).order_by(s.type, s.name)).scalars().all()
    head, opening, body = old.partition("(")
    assert _VERBS_BEFORE in body and "decision" in head
    _run(connection, f"CREATE TABLE decision_widened {opening}{body.replace(_VERBS_BEFORE, _VERBS_NOW)}")
    _run(connection, "INSERT INTO decision_widened SELECT * FROM decision")
    _run(connection, "DROP TABLE decision")
    _run(connection, "ALTER TABLE decision_widened RENAME TO decision")
    for part in parts:
        _run(connection, part)
    _run(connection, "CREATE INDEX acknowledged ON decision (guideline_id) WHERE verb = 'acknowledge'")


def _run(connection: Connection, statement: str) -> None:
    connection.execute(DDL(statement.replace("%", "%%")))  # type: ignore[no-untyped-call]
