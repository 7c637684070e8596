"""Judges, their runs and their calls: enough to resume a run without asking for the same thing twice."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, insert, select, update

from store import models as m
from store.content_records import Json
from store.encoding import canonical, now, read_json, storable_or_none
from store.errors import Conflict

CALL_OK = "ok"


@dataclass(frozen=True, slots=True)
class Judge:
    """A judge's definition as it was first used. `definition_hash` is its identity; it answers as `rater_id`."""

    id: int
    name: str
    rater_id: int
    definition: Mapping[str, Json]
    definition_hash: str


@dataclass(frozen=True, slots=True)
class Call:
    """One request to a judge and what came of it. A failed one has a status and never an answer."""

    request_hash: str
    status: str
    assignment_id: int | None = None
    raw_text: str | None = None
    input_tokens: int | None = None
    output_tokens: int | None = None
    latency_ms: int | None = None
    repeat: int = 0


def add_judge(
    conn: Connection, name: str, rater_id: int, definition: Mapping[str, Json], definition_hash: str
) -> Judge:
    """The judge with this definition; made if there is none.

    raises   Conflict if the definition already answers as another rater
    """
    known = _judge(conn, definition_hash)
    if known is None:
        row = {
            "name": name,
            "rater_id": rater_id,
            "definition": canonical(dict(definition)),
            "definition_hash": definition_hash,
            "created_at": now(),
        }
        conn.execute(insert(m.judge), row)
        known = _judge(conn, definition_hash)
        assert known is not None
    if known.rater_id != rater_id:
        raise Conflict(f"The judge {known.name} with this definition already answers as another rater.")
    return known


def judges_of(conn: Connection, rater_id: int) -> tuple[Judge, ...]:
    """The definitions under which a rater answered, oldest first."""
    t = m.judge.c
    rows = conn.execute(select(m.judge).where(t.rater_id == rater_id).order_by(t.id))
    return tuple(Judge(r.id, r.name, r.rater_id, read_json(r.definition), r.definition_hash) for r in rows)


def _judge(conn: Connection, definition_hash: str) -> Judge | None:
    r = conn.execute(select(m.judge).where(m.judge.c.definition_hash == definition_hash)).first()
    return None if r is None else Judge(r.id, r.name, r.rater_id, read_json(r.definition), r.definition_hash)


def start_run(
    conn: Connection, judge_id: int, protocol_id: int, params: Mapping[str, Json] | None = None
) -> int:
    """A new run; calls are written under its id."""
    row = {
        "judge_id": judge_id,
        "protocol_id": protocol_id,
        "params": canonical(dict(params or {})),
        "started_at": now(),
    }
    key = conn.execute(insert(m.judge_run), row).inserted_primary_key
    assert key is not None
    return int(key[0])


def end_run(conn: Connection, run_id: int) -> None:
    """Note that a run came to its end; one that was killed has none."""
    conn.execute(update(m.judge_run).where(m.judge_run.c.id == run_id).values(ended_at=now()))


def call(conn: Connection, request_hash: str, repeat: int = 0) -> Call | None:
    """What came of a request, or None if it was never made."""
    t = m.judge_call.c
    r = conn.execute(select(m.judge_call).where(t.request_hash == request_hash, t.repeat == repeat)).first()
    return None if r is None else _call(r)


def _call(r: Row[Any]) -> Call:
    return Call(
        r.request_hash,
        r.status,
        r.assignment_id,
        r.raw_text,
        r.input_tokens,
        r.output_tokens,
        r.latency_ms,
        r.repeat,
    )


def record_call(conn: Connection, run_id: int, made: Call) -> None:
    """Write what came of a request; a failed one is replaced when it is made again, a good one stays.

    raises   Conflict if the request was already answered
    """
    t = m.judge_call.c
    known = call(conn, made.request_hash, made.repeat)
    if known is not None and known.status == CALL_OK:
        raise Conflict("This request was already answered: its answer is kept.")
    row = {
        "run_id": run_id,
        "assignment_id": made.assignment_id,
        "request_hash": made.request_hash,
        "repeat": made.repeat,
        "status": made.status,
        "raw_text": storable_or_none(made.raw_text),
        "input_tokens": made.input_tokens,
        "output_tokens": made.output_tokens,
        "latency_ms": made.latency_ms,
        "called_at": now(),
    }
    if known is None:
        conn.execute(insert(m.judge_call), row)
    else:
        same = (t.request_hash == made.request_hash, t.repeat == made.repeat)
        conn.execute(update(m.judge_call).where(*same).values(row))


def calls(conn: Connection, judge_id: int) -> tuple[Call, ...]:
    """All calls of a judge, in the order in which they were written."""
    t, run = m.judge_call.c, m.judge_run.c
    rows = conn.execute(
        select(m.judge_call)
        .join(m.judge_run, run.id == t.run_id)
        .where(run.judge_id == judge_id)
        .order_by(t.id)
    )
    return tuple(_call(row) for row in rows)
