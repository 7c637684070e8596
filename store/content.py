"""Content on its way out: dialogues, memories, queries, responses as frozen rows, for items, sources and exports.

What a rater's screen may see is made in `store.views`; what comes in, in `store.ingest`. Their public functions
are reachable from here.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Select, select

from store import models as m
from store.content_records import Json, Memory, Query, Response, Turn, UpdateTask
from store.encoding import read_json, turns_from_json
from store.ingest import add_file, add_quarantine, add_record
from store.kinds import RECORD_KEYS, Origin
from store.views import item_view, preview_item, what_it_says

__all__ = [
    "StoredAnnotation",
    "StoredDialogue",
    "StoredLint",
    "StoredMemory",
    "StoredQuarantine",
    "StoredQuery",
    "StoredResponse",
    "StoredUpdate",
    "add_file",
    "add_quarantine",
    "add_record",
    "annotation_tasks",
    "annotations",
    "dialogue_by_external_id",
    "dialogues",
    "item_view",
    "lints",
    "memories",
    "memories_by_id",
    "memory_record",
    "preview_item",
    "quarantined",
    "queries",
    "raw_record",
    "responses",
    "responses_of_dialogue",
    "turns",
    "updates",
]


@dataclass(frozen=True, slots=True)
class StoredDialogue:
    """A dialogue without its turns. `version` counts from 1; only the newest is listed."""

    id: int
    source: str
    external_id: str
    version: int
    language: str | None
    meta: dict[str, Json]


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredMemory(Memory):
    """A memory with its row id. `version` is that of the list it is in."""

    id: int
    dialogue_id: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredQuery(Query):
    id: int
    dialogue_id: int
    version: int


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredResponse(Response):
    """A response with its row id. `query_row` is the id of its query's row, None while that is not imported."""

    id: int
    dialogue_id: int
    query_row: int | None


@dataclass(frozen=True, slots=True, kw_only=True)
class StoredUpdate(UpdateTask):
    id: int
    dialogue_id: int
    version: int


@dataclass(frozen=True, slots=True)
class StoredAnnotation:
    """An imported annotation with the rater's row id and name; the payload verbatim."""

    id: int
    source: str
    session_id: str
    task: str
    rater_id: int
    rater: str
    side: str
    payload: dict[str, Json]
    updated_at: str | None
    record_id: int | None = None


@dataclass(frozen=True, slots=True)
class StoredLint:
    path: str
    record: str
    code: str
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class StoredQuarantine:
    path: str
    ordinal: int
    record: str
    reason: str
    raw: bytes


# ---------------------------------------------------------------- dialogues


def dialogues(conn: Connection) -> tuple[StoredDialogue, ...]:
    """The newest version of every dialogue, in the order of import."""
    newest: dict[tuple[str, str], StoredDialogue] = {}
    for row in conn.execute(_dialogues().order_by(m.dialogue.c.version)):
        newest[row.source, row.external_id] = _dialogue(row)
    return tuple(sorted(newest.values(), key=lambda one: one.id))


def dialogue_by_external_id(conn: Connection, external_id: str) -> tuple[StoredDialogue, ...]:
    """The newest version of each source's dialogue of this id: usually one."""
    newest: dict[str, StoredDialogue] = {}
    t = m.dialogue.c
    for row in conn.execute(_dialogues().where(t.external_id == external_id).order_by(t.version)):
        newest[row.source] = _dialogue(row)
    return tuple(sorted(newest.values(), key=lambda one: one.id))


def _dialogues() -> Select[Any]:
    t = m.dialogue.c
    return select(t.id, t.source, t.external_id, t.version, t.language, t.meta)


def _dialogue(row: Row[Any]) -> StoredDialogue:
    return StoredDialogue(row.id, row.source, row.external_id, row.version, row.language, read_json(row.meta))


def turns(conn: Connection, dialogue_id: int) -> tuple[Turn, ...]:
    """The turns of a dialogue in order."""
    t = m.turn.c
    rows = conn.execute(
        select(t.role, t.text, t.speaker, t.timestamp, t.translation)
        .where(t.dialogue_id == dialogue_id)
        .order_by(t.position)
    )
    return tuple(Turn(row.role, row.text, row.speaker, row.timestamp, row.translation) for row in rows)


# ---------------------------------------------------------------- memories


def memories(
    conn: Connection, dialogue_id: int, origin: Origin | None = None, *, all_versions: bool = False
) -> tuple[StoredMemory, ...]:
    """The memories of a dialogue, by origin, origin name and place in their list; the newest list of each.

    origin         only those of one origin
    all_versions   older lists too, before the newer ones
    """
    t = m.memory.c
    query = select(m.memory).where(t.dialogue_id == dialogue_id)
    if origin is not None:
        query = query.where(t.origin == origin.value)
    rows = conn.execute(query.order_by(t.origin, t.origin_name, t.version, t.ordinal)).all()
    if not all_versions:
        newest = {
            (row.origin, row.origin_name): row.version for row in rows
        }  # versions rise: the last one stays
        rows = [row for row in rows if row.version == newest[row.origin, row.origin_name]]
    return tuple(_memory(row) for row in rows)


def memories_by_id(conn: Connection, ids: Iterable[int]) -> dict[int, StoredMemory]:
    """The memories with these row ids, of whatever version; ids that do not exist are left away."""
    wanted = sorted(set(ids))
    found: dict[int, StoredMemory] = {}
    for start in range(0, len(wanted), 500):
        some = wanted[start : start + 500]
        for row in conn.execute(select(m.memory).where(m.memory.c.id.in_(some))):
            found[row.id] = _memory(row)
    return found


def _memory(row: Row[Any]) -> StoredMemory:
    return StoredMemory(
        id=row.id,
        dialogue_id=row.dialogue_id,
        version=row.version,
        external_id=row.external_id,
        origin=Origin(row.origin),
        origin_name=row.origin_name,
        position=row.position,
        raw=read_json(row.raw),
        **what_it_says(row),
    )


def memory_record(memory: Memory) -> dict[str, Json]:
    """The record that a kept memory stands for: what came with AlpsBench's keys, the rest made from the fields.

    `evidence` made from the fields is {"utterance_index", "text"} of the first quote, or None.
    """
    first = memory.evidence[0] if memory.evidence else None
    made: dict[str, Json] = {key: getattr(memory, key, None) for key in RECORD_KEYS}
    made["memory_id"] = memory.external_id
    made["evidence"] = None if first is None else {"utterance_index": first.turn, "text": first.quote}
    if "memory_id" in memory.raw and "value" in memory.raw:
        made.update({key: memory.raw[key] for key in RECORD_KEYS if key in memory.raw})
    return made


# ---------------------------------------------------------------- queries, responses, updates


def queries(conn: Connection, dialogue_id: int, kind: str | None = None) -> tuple[StoredQuery, ...]:
    """The newest version of every query of a dialogue, in the order of import."""
    t = m.query.c
    statement = select(m.query).where(t.dialogue_id == dialogue_id)
    if kind is not None:
        statement = statement.where(t.kind == kind)
    newest: dict[tuple[str, str], StoredQuery] = {}
    for row in conn.execute(statement.order_by(t.version)):
        newest[row.kind, row.external_id] = StoredQuery(
            id=row.id,
            dialogue_id=row.dialogue_id,
            version=row.version,
            external_id=row.external_id,
            kind=row.kind,
            text=row.text,
            ability=row.ability,
            category=row.category,
            target=row.target,
            given=tuple(read_json(row.given)),
            pool=tuple(read_json(row.pool)),
        )
    return tuple(sorted(newest.values(), key=lambda one: one.id))


def responses(conn: Connection, query_row: int) -> tuple[StoredResponse, ...]:
    """The responses to one query, in content order: position, then order of import."""
    return _responses(conn, m.response.c.query_id == query_row)


def responses_of_dialogue(conn: Connection, dialogue_id: int) -> tuple[StoredResponse, ...]:
    """All responses of a dialogue, those that wait for their query among them."""
    return _responses(conn, m.response.c.dialogue_id == dialogue_id)


def _responses(conn: Connection, which: Any) -> tuple[StoredResponse, ...]:
    t = m.response.c
    rows = conn.execute(select(m.response).where(which).order_by(t.position, t.id))
    return tuple(
        StoredResponse(
            id=row.id,
            dialogue_id=row.dialogue_id,
            query_row=row.query_id,
            query_id=row.query_external_id,
            model=row.model,
            text=row.text,
            position=row.position,
        )
        for row in rows
    )


def updates(conn: Connection, dialogue_id: int) -> tuple[StoredUpdate, ...]:
    """The newest version of every update task of a dialogue, in the order of import."""
    t = m.update_task.c
    newest: dict[str, StoredUpdate] = {}
    for row in conn.execute(select(m.update_task).where(t.dialogue_id == dialogue_id).order_by(t.version)):
        newest[row.external_id] = StoredUpdate(
            id=row.id,
            dialogue_id=row.dialogue_id,
            version=row.version,
            external_id=row.external_id,
            selected=row.selected,
            new_dialogue=turns_from_json(row.new_dialogue),
            pool=tuple(read_json(row.pool)),
            answer=tuple(read_json(row.answer)),
        )
    return tuple(sorted(newest.values(), key=lambda one: one.id))


# ---------------------------------------------------------------- annotations, lints, quarantine


def annotations(conn: Connection, task: str) -> tuple[StoredAnnotation, ...]:
    """The newest version of every imported annotation of a task, by session, side and rater name."""
    t, r = m.annotation.c, m.rater.c
    rows = conn.execute(
        select(
            t.id,
            t.source,
            t.session_id,
            t.task,
            t.rater_id,
            r.name.label("rater"),
            t.side,
            t.payload,
            t.updated_at,
            t.record_id,
        )
        .join(m.rater, r.id == t.rater_id)
        .where(t.task == task)
        .order_by(t.version)
    )
    newest: dict[tuple[str, str, int, str], StoredAnnotation] = {}
    for row in rows:
        newest[row.source, row.session_id, row.rater_id, row.side] = StoredAnnotation(
            row.id,
            row.source,
            row.session_id,
            row.task,
            row.rater_id,
            row.rater,
            row.side,
            read_json(row.payload),
            row.updated_at,
            row.record_id,
        )
    return tuple(sorted(newest.values(), key=lambda one: (one.session_id, one.side, one.rater, one.source)))


def annotation_tasks(conn: Connection) -> tuple[str, ...]:
    """The tasks of which there is an imported annotation, by name."""
    return tuple(conn.execute(select(m.annotation.c.task).distinct().order_by(m.annotation.c.task)).scalars())


def raw_record(conn: Connection, record_id: int) -> bytes | None:
    """A source record's bytes as they came; None if there is no such record."""
    raw = conn.execute(select(m.source_record.c.raw).where(m.source_record.c.id == record_id)).scalar()
    return None if raw is None else bytes(raw)


def lints(conn: Connection) -> tuple[StoredLint, ...]:
    """What was odd but imported, with its file and record, in the order of import."""
    t, r, f = m.lint.c, m.source_record.c, m.source_file.c
    rows = conn.execute(
        select(f.path, r.external_id, t.code, t.location, t.message)
        .join(m.source_record, r.id == t.record_id)
        .join(m.source_file, f.id == r.file_id)
        .order_by(t.id)
    )
    return tuple(StoredLint(row.path, row.external_id, row.code, row.location, row.message) for row in rows)


def quarantined(conn: Connection) -> tuple[StoredQuarantine, ...]:
    """The records that could not be read, with file, place, reason and bytes."""
    r, f = m.source_record.c, m.source_file.c
    rows = conn.execute(
        select(f.path, r.ordinal, r.external_id, r.reason, r.raw)
        .join(m.source_file, f.id == r.file_id)
        .where(r.reason.is_not(None))
        .order_by(r.file_id, r.ordinal)
    )
    return tuple(
        StoredQuarantine(row.path, row.ordinal, row.external_id, row.reason, row.raw) for row in rows
    )
