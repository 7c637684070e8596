"""The log of decisions as rows: how it is read, chained, and turned into what the projections must hold."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

from sqlalchemy import Connection, bindparam, select

from store import models as m
from store.encoding import canonical, digest, read_json
from store.fold import Folded, Layered, LogRow
from store.kinds import Status, Verb

_LOGGED = (
    "revision",
    "act_id",
    "verb",
    "phase",
    "unit_id",
    "field",
    "status",
    "value",
    "raw_value",
    "reason",
    "attested",
    "decided_at",
    "active_ms",
    "presentation",
    "saw_prefill",
    "saw_judge",
    "saw_peer",
    "saw_translation",
    "guideline_id",
)
_RATED = (
    "raw_value",
    "reason",
    "attested",
    "revision",
    "decided_at",
    "active_ms",
    "presentation",
    "saw_prefill",
    "saw_judge",
    "saw_peer",
    "saw_translation",
    "guideline_id",
)
_CHAINED = (*_LOGGED, "assignment_id", "act_part", "old_value", "recorded_at", "protocol_id")


_LOG = (
    select(*(m.decision.c[name] for name in _LOGGED))
    .where(m.decision.c.assignment_id == bindparam("assignment"))
    .order_by(m.decision.c.revision)
)


def read_log(conn: Connection, assignment_id: int) -> tuple[LogRow, ...]:
    """The log of one assignment in the order of its revisions."""
    return tuple(map(LogRow._make, conn.execute(_LOG, {"assignment": assignment_id}).all()))


class StoredRow(NamedTuple):
    """A row of the log with what is only there to prove it whole."""

    row: LogRow
    assignment_id: int
    chain: str
    chained: tuple[Any, ...]


def stored_rows(conn: Connection, first: int, last: int) -> dict[int, list[StoredRow]]:
    """The logs of a range of assignments, each in the order of its revisions."""
    d = m.decision.c
    query = (
        select(*(d[name] for name in _CHAINED), d.chain)
        .where(d.assignment_id.between(first, last))
        .order_by(d.assignment_id, d.revision)
    )
    logs: dict[int, list[StoredRow]] = {}
    place = _CHAINED.index("assignment_id")
    for values in map(tuple, conn.execute(query).all()):
        row = StoredRow(LogRow._make(values[: len(_LOGGED)]), values[place], values[-1], values[:-1])
        logs.setdefault(row.assignment_id, []).append(row)
    return logs


def chained(before: str, record: Mapping[str, Any]) -> str:
    """The chain after a row: SHA-256 of the chain before it and all that the row says."""
    return chain_of(before, [record[name] for name in _CHAINED])


def chain_of(before: str, values: Sequence[Any]) -> str:
    """The same from the values in the order of a StoredRow's `chained`."""
    return digest(before, canonical(list(values)))


# ---------------------------------------------------------------- what the projections must hold


def ratings_of(ratings: Mapping[Layered, LogRow]) -> dict[Layered, dict[str, Any]]:
    """The rows of `rating` for a fold's ratings, by unit, field and phase, without the assignment."""
    rows = {}
    for (unit_id, field, phase), row in ratings.items():
        cleared = row.verb == Verb.CLEAR
        rows[unit_id, field, phase] = {
            "unit_id": unit_id,
            "field": field,
            "phase": phase,
            "status": Status.UNSEEN.value if cleared else row.status,
            "value": row.value,
            **{name: getattr(row, name) for name in _RATED},
        }
    return rows


STATE_COLUMNS = ("state", "phase", "revision", "skip_reason", "submitted_at", "active_ms", "remarks")
"""The columns of `assignment` that repeat what its log says."""


def state_of(folded: Folded) -> dict[str, Any]:
    """The values of STATE_COLUMNS after a fold."""
    return {
        "state": folded.state.value,
        "phase": folded.phase.value,
        "revision": folded.revision,
        "skip_reason": folded.skip_reason,
        "submitted_at": folded.submitted_at,
        "active_ms": folded.active_ms,
        "remarks": remarks_to_json(folded.notes, folded.flags),
    }


def remarks_to_json(notes: Mapping[int | None, str], flags: Mapping[int | None, str]) -> str:
    """Notes and flags by unit id as text, "" for the whole item; {} where there are none."""
    named = {
        name: {"" if unit is None else str(unit): text for unit, text in remarks.items()}
        for name, remarks in (("notes", notes), ("flags", flags))
        if remarks
    }
    return canonical(named)


def notes_from_json(remarks: str) -> dict[int | None, str]:
    """The notes of an assignment's `remarks`, by unit id, None for the whole item."""
    notes = read_json(remarks).get("notes", {})
    return {int(unit) if unit else None: text for unit, text in notes.items()}
