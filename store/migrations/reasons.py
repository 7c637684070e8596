"""Responses keep the reason that their model gave beside its answer."""

import json
from typing import Any

from sqlalchemy import DDL, Connection, and_, column, select, table, update

from store.encoding import storable

_RESPONSES = table("response", *map(column, ("id", "record_id", "dialogue_id", "reason")))
_RECORDS = table("source_record", *map(column, ("id", "raw")))
_DIALOGUES = table("dialogue", *map(column, ("id", "source")))


def responses_keep_their_reason(connection: Connection) -> None:
    """Read the reasons from the records of the one source whose models gave any: AlpsBench's items of task 3."""
    connection.execute(DDL("ALTER TABLE response ADD COLUMN reason TEXT NOT NULL DEFAULT ''"))  # type: ignore[no-untyped-call]
    r, s, d = _RESPONSES.c, _RECORDS.c, _DIALOGUES.c
    found = connection.execute(
        select(r.id, s.raw)
        .select_from(_RESPONSES)
        .join(_RECORDS, s.id == r.record_id)
        .join(_DIALOGUES, and_(d.id == r.dialogue_id, d.source == "alpsbench-check-task3"))
    ).all()
    for number, raw in found:
        reason = _reason(json.loads(raw))
        if reason:
            connection.execute(update(_RESPONSES).where(r.id == number).values(reason=reason))


def _reason(record: Any) -> str:
    output = record.get("model_output") if isinstance(record, dict) else None
    parsed = output.get("parsed_response") if isinstance(output, dict) else None
    said = parsed.get("reason") if isinstance(parsed, dict) else None
    return storable(said.replace("\r\n", "\n").replace("\r", "\n")) if isinstance(said, str) else ""
