"""AlpsBench datasets as JSON lines: one row per session, in the shape that check items hold as their `original`."""

from typing import Any

from alps_tui.sources.alpsbench_tasks import read_task, tell_task
from alps_tui.sources.lints import Notes, Unreadable
from alps_tui.sources.parts import as_object, id_of
from store.content_records import Dialogue


def read(document: Any, notes: Notes) -> tuple[Dialogue]:
    """The dialogue of a row with what its task adds.

    raises   Unreadable if the row is of no known shape, or has no id
    """
    row = as_object(document, "the row")
    task = tell_task(row)
    if task is None:
        raise Unreadable("a row of none of the four tasks' shapes")
    external_id = _id(row)
    ability = row.get("ability")
    return (read_task(task, row, external_id, ability if isinstance(ability, str) else None, notes),)


def _id(row: dict[str, Any]) -> str:
    """The session, where the row names it; else the number of the record."""
    holders = [row, row.get("metadata"), (row.get("probe") or {}).get("metadata") if "probe" in row else None]
    for key in ("session_id", "canonical_id", "benchmark_id", "record_id"):
        for holder in holders:
            if isinstance(holder, dict) and (found := id_of(holder.get(key))) is not None:
                return found
    raise Unreadable('no "session_id" and no "record_id"')
