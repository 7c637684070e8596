"""Content on its way in: files, records, dialogues and what hangs on them. Written once, never changed."""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import groupby
from math import isfinite
from typing import Any

from sqlalchemy import Connection, Table, and_, bindparam, func, insert, select, update

from store import ingest_statements as ask
from store import models as m
from store.connections import insert_rows
from store.content_records import (
    Annotation,
    Dialogue,
    Memory,
    Quarantined,
    Query,
    Response,
    SourceRecord,
    UpdateTask,
)
from store.encoding import as_it_came, canonical, digest, evidence_to_json, now, turns_to_json
from store.ingest_annotations import add_annotations
from store.kinds import Origin
from store.shown_records import opaque, shown_pool, shown_records

Row = dict[str, Any]

_COUNTED_AS = {
    Origin.GOLD: "gold",
    Origin.MODEL: "model",
    Origin.SYSTEM: "system",
    Origin.GIVEN: "given",
    Origin.RATER: "rater",
}


def add_file(conn: Connection, path: str, sha256: str, format: str) -> int:
    """The row id of a file, known by the hash of its bytes; a new row only where the hash is new."""
    known = conn.execute(ask.FILE, {"sha256": sha256}).scalar()
    if known is not None:
        return int(known)
    row = {"path": path, "sha256": sha256, "format": format, "imported_at": now()}
    return _insert(conn, m.source_file, row)


def add_record(conn: Connection, file_id: int, record: SourceRecord) -> Counter[str]:
    """Write one record with all it holds; a record that is already in the study changes nothing.

    returns  what was new, by kind: dialogues, turns, gold, model, given, system, updates, pools, pool_entries,
             queries, responses, annotations, lints; "changed" counts lists and texts that are a new version of
             known ones; {"same": 1} if the record as a whole is known
    """
    content_hash = _record_hash(record)
    if _is_known(conn, content_hash):
        return Counter(same=1)
    record_id = _write_record(conn, file_id, record, content_hash)
    _add_lints(conn, record_id, record)
    return Counter(records=1, lints=len(record.lints)) + add_parts(conn, record_id, record.content)


UNFINISHED = "its import did not come to its end: import the file again, it goes on where it was"


def begin_record(conn: Connection, file_id: int, record: SourceRecord) -> int | None:
    """Begin a record that is too long for one transaction; its row id, or None if it is known as a whole.

    Its parts follow with `add_parts`, in order, and `end_record` makes it whole. Until then it stands in the study
    as kept aside, with UNFINISHED as the reason and no bytes; begun again it goes on, and ends as if it had been
    written at once.
    """
    if _is_known(conn, _record_hash(record)):
        return None
    return _write_record(conn, file_id, record, None)


def add_parts(conn: Connection, record_id: int, parts: Sequence[Dialogue | Annotation]) -> Counter[str]:
    """Write parts of a record, counted as by `add_record`; what is known of them changes nothing."""
    counts: Counter[str] = Counter()
    for part in parts:
        if isinstance(part, Dialogue):
            counts += _add_dialogue(conn, record_id, part)
    made = [part for part in parts if isinstance(part, Annotation)]
    return counts + add_annotations(conn, record_id, made)


def end_record(conn: Connection, record_id: int, record: SourceRecord) -> Counter[str]:
    """The end of a record that was begun; {"same": 1} if another import has ended it meanwhile."""
    t = m.source_record.c
    begun = and_(t.id == record_id, t.content_hash.is_(None))
    said = {"content_hash": _record_hash(record), "raw": record.raw, "reason": None}
    if not conn.execute(update(m.source_record).where(begun).values(**said)).rowcount:
        return Counter(same=1)
    _add_lints(conn, record_id, record)
    return Counter(records=1, lints=len(record.lints))


def add_quarantine(conn: Connection, file_id: int, q: Quarantined) -> None:
    """Keep a record that could not be read, with its reason; the same place of the same file is written once."""
    if _place_of(conn, file_id, q.ordinal) is None:
        row = {
            "file_id": file_id,
            "ordinal": q.ordinal,
            "external_id": q.external_id,
            "raw": q.raw,
            "reason": q.reason,
        }
        conn.execute(insert(m.source_record), row)


# ---------------------------------------------------------------- records


def _record_hash(record: SourceRecord) -> str:
    """The bytes and what they were understood to be: equal bytes of two raters' files are two records."""
    parts: list[str] = [record.external_id]
    for part in record.content:
        if isinstance(part, Dialogue):
            parts += ["dialogue", part.source, part.external_id]
        else:
            parts += ["annotation", part.source, part.session_id, part.task, part.rater, part.side]
    return digest(record.raw, *parts)


def _place_of(conn: Connection, file_id: int, ordinal: int) -> Row | None:
    row = conn.execute(ask.PLACE, {"file_id": file_id, "ordinal": ordinal}).mappings().first()
    return None if row is None else dict(row)


def _is_known(conn: Connection, content_hash: str) -> bool:
    return conn.execute(ask.RECORD, {"content_hash": content_hash}).first() is not None


def _add_lints(conn: Connection, record_id: int, record: SourceRecord) -> None:
    rows = [
        {"record_id": record_id, "code": lint.code, "location": lint.where, "message": lint.message}
        for lint in record.lints
    ]
    insert_rows(conn, m.lint, rows)


def _write_record(conn: Connection, file_id: int, record: SourceRecord, content_hash: str | None) -> int:
    """A row of its own, or the quarantined one of the same place: it can be read now and stays where it was.

    content_hash   None for a record that is only begun
    """
    place = _place_of(conn, file_id, record.ordinal)
    row: Row = {
        "external_id": record.external_id,
        "raw": b"" if content_hash is None else record.raw,
        "content_hash": content_hash,
        "reason": UNFINISHED if content_hash is None else None,
    }
    if place is not None and place["reason"] is not None:
        conn.execute(update(m.source_record).where(m.source_record.c.id == place["id"]).values(**row))
        return int(place["id"])
    ordinal = record.ordinal if place is None else _free_ordinal(conn, file_id)
    return _insert(conn, m.source_record, row | {"file_id": file_id, "ordinal": ordinal})


def _free_ordinal(conn: Connection, file_id: int) -> int:
    """A place after the last one: a newer reader of the same file understands a record differently."""
    last = select(func.max(m.source_record.c.ordinal)).where(m.source_record.c.file_id == file_id)
    return int(conn.execute(last).scalar_one()) + 1


# ---------------------------------------------------------------- dialogues


def _add_dialogue(conn: Connection, record_id: int, dialogue: Dialogue) -> Counter[str]:
    counts: Counter[str] = Counter()
    dialogue_id, fresh = _dialogue_row(conn, record_id, dialogue, counts)
    _add_memories(conn, record_id, dialogue_id, dialogue.memories, fresh, counts)
    _add_queries(conn, record_id, dialogue_id, dialogue.queries, fresh, counts)
    _add_responses(conn, record_id, dialogue_id, dialogue.responses, counts)
    _add_updates(conn, record_id, dialogue_id, dialogue.updates, fresh, counts)
    return counts


def _dialogue_row(
    conn: Connection, record_id: int, dialogue: Dialogue, counts: Counter[str]
) -> tuple[int, bool]:
    """The row of this text of the dialogue and whether it is new.

    A record without turns speaks of the newest version; turns that arrive for a dialogue known without any
    are added to it; other turns than the known ones make a new version.
    """
    t = m.dialogue.c
    content_hash = digest(turns_to_json(dialogue.turns)) if dialogue.turns else ""
    named = {"source": dialogue.source, "external_id": dialogue.external_id}
    known = conn.execute(ask.DIALOGUE, named).all()
    for one in known:
        if one.content_hash == content_hash or not dialogue.turns:
            return int(one.id), False
    if known and not known[0].content_hash:
        conn.execute(update(m.dialogue).where(t.id == known[0].id).values(content_hash=content_hash))
        _add_turns(conn, int(known[0].id), dialogue, counts)
        return int(known[0].id), False
    row: Row = {
        "source": dialogue.source,
        "external_id": dialogue.external_id,
        "version": known[0].version + 1 if known else 1,
        "language": dialogue.language,
        "meta": as_it_came(dialogue.meta),
        "content_hash": content_hash,
        "record_id": record_id,
    }
    dialogue_id = _insert(conn, m.dialogue, row)
    counts["changed" if known else "dialogues"] += 1
    _add_turns(conn, dialogue_id, dialogue, counts)
    return dialogue_id, True


def _add_turns(conn: Connection, dialogue_id: int, dialogue: Dialogue, counts: Counter[str]) -> None:
    rows = [
        {
            "dialogue_id": dialogue_id,
            "position": position,
            "role": turn.role,
            "speaker": turn.speaker,
            "timestamp": turn.timestamp,
            "text": turn.text,
            "translation": turn.translation,
        }
        for position, turn in enumerate(dialogue.turns)
    ]
    insert_rows(conn, m.turn, rows)
    counts["turns"] += len(rows)


def _add_memories(
    conn: Connection,
    record_id: int,
    dialogue_id: int,
    memories: Sequence[Memory],
    fresh: bool,
    counts: Counter[str],
) -> None:
    """Each (origin, name) is a list of its own: known as a whole, or written as a whole as its next version."""
    t = m.memory.c
    known: dict[tuple[str, str], dict[str, int]] = {}
    if not fresh and memories:
        seen = (
            select(t.origin, t.origin_name, t.version, t.list_hash)
            .where(t.dialogue_id == dialogue_id)
            .distinct()
        )
        for row in conn.execute(seen):
            known.setdefault((row.origin, row.origin_name), {})[row.list_hash] = row.version
    rows: list[Row] = []
    ordered = sorted(memories, key=lambda one: (one.origin.value, one.origin_name))
    for (origin, name), group in groupby(ordered, key=lambda one: (one.origin, one.origin_name)):
        entries = [_memory_row(one) for one in sorted(group, key=lambda one: one.position)]
        finite = all(one["confidence"] is None or isfinite(one["confidence"]) for one in entries)
        list_hash = digest(canonical(entries, finite=finite))
        versions = known.get((origin.value, name), {})
        if list_hash in versions:
            continue
        head = {
            "dialogue_id": dialogue_id,
            "version": max(versions.values(), default=0) + 1,
            "list_hash": list_hash,
            "record_id": record_id,
        }
        rows += [entry | head | {"ordinal": ordinal} for ordinal, entry in enumerate(entries)]
        counts[_COUNTED_AS[origin]] += len(entries)
        counts["changed"] += bool(versions)
    insert_rows(conn, m.memory, rows)


def _memory_row(memory: Memory) -> Row:
    return {
        "origin": memory.origin.value,
        "origin_name": memory.origin_name,
        "external_id": memory.external_id,
        "position": memory.position,
        "value": memory.value,
        "label": memory.label,
        "type": memory.type,
        "label_suggestion": memory.label_suggestion,
        "reasoning": memory.reasoning,
        "confidence": memory.confidence,
        "time_scope": memory.time_scope,
        "emotion": memory.emotion,
        "preference_attitude": memory.preference_attitude,
        "evidence": evidence_to_json(memory.evidence),
        "raw": as_it_came(memory.raw),
    }


# ---------------------------------------------------------------- queries, responses, updates


def _versions(
    conn: Connection, table: Table, dialogue_id: int, *keys: str
) -> dict[tuple[Any, ...], dict[str, int]]:
    """Of each key of a dialogue's rows in `table`: the version of each content hash."""
    columns = [table.c[key] for key in keys]
    rows = conn.execute(
        select(*columns, table.c.version, table.c.content_hash).where(table.c.dialogue_id == dialogue_id)
    )
    known: dict[tuple[Any, ...], dict[str, int]] = {}
    for row in rows:
        known.setdefault(tuple(row[: len(keys)]), {})[row.content_hash] = row.version
    return known


def _add_queries(
    conn: Connection,
    record_id: int,
    dialogue_id: int,
    queries: Sequence[Query],
    fresh: bool,
    counts: Counter[str],
) -> None:
    if not queries:
        return
    known = {} if fresh else _versions(conn, m.query, dialogue_id, "kind", "external_id")
    rows: list[Row] = []
    for query in queries:
        row = _query_row(query)
        versions = known.setdefault((query.kind, query.external_id), {})
        if row["content_hash"] in versions:
            continue
        row |= {
            "dialogue_id": dialogue_id,
            "record_id": record_id,
            "version": max(versions.values(), default=0) + 1,
            "shown_pool": canonical(shown_pool(query.pool), finite=True),
            "shown_target": opaque(query.target),
        }
        counts["changed"] += bool(versions)
        versions[row["content_hash"]] = row["version"]
        rows.append(row)
        counts["queries"] += query.kind == "utilization"
        counts["pools"] += bool(query.pool)
        counts["pool_entries"] += len(query.pool)
    insert_rows(conn, m.query, rows)
    if rows and not fresh:
        _link_waiting_responses(conn, dialogue_id)


def _query_row(query: Query) -> Row:
    row: Row = {
        "kind": query.kind,
        "external_id": query.external_id,
        "text": query.text,
        "ability": query.ability,
        "category": query.category,
        "target": query.target,
        "given": canonical(query.given),
        "pool": as_it_came(query.pool),
    }
    return row | {"content_hash": digest(canonical(list(row.values()), finite=True))}  # texts only


def _link_waiting_responses(conn: Connection, dialogue_id: int) -> None:
    """Give responses that arrived before their query the query's row."""
    t = m.response.c
    waiting = conn.execute(
        select(t.id, t.query_external_id).where(t.dialogue_id == dialogue_id, t.query_id.is_(None))
    ).all()
    if not waiting:
        return
    ids = _newest_queries(conn, dialogue_id)
    links = [
        {"row": row.id, "target": ids[row.query_external_id]}
        for row in waiting
        if row.query_external_id in ids
    ]
    if links:
        statement = update(m.response).where(t.id == bindparam("row")).values(query_id=bindparam("target"))
        conn.execute(statement, links)


def _newest_queries(conn: Connection, dialogue_id: int) -> dict[str, int]:
    """External id → row id of the newest version; a utilization query goes before others of the same id."""
    rows = conn.execute(ask.QUERIES, {"dialogue_id": dialogue_id}).all()
    rows = sorted(rows, key=lambda row: (row.kind == "utilization", row.version))
    return {row.external_id: int(row.id) for row in rows}


def _add_responses(
    conn: Connection, record_id: int, dialogue_id: int, responses: Sequence[Response], counts: Counter[str]
) -> None:
    if not responses:
        return
    known = {tuple(row) for row in conn.execute(ask.RESPONSES, {"dialogue_id": dialogue_id})}
    queries = _newest_queries(conn, dialogue_id)
    rows: list[Row] = []
    for response in responses:
        content_hash = digest(response.text)
        identity = (response.query_id, response.model, content_hash)
        if identity in known:
            continue
        known.add(identity)
        rows.append(
            {
                "dialogue_id": dialogue_id,
                "query_id": queries.get(response.query_id),
                "query_external_id": response.query_id,
                "model": response.model,
                "position": response.position,
                "text": response.text,
                "reason": response.reason,
                "content_hash": content_hash,
                "record_id": record_id,
            }
        )
    insert_rows(conn, m.response, rows)
    counts["responses"] += len(rows)


def _add_updates(
    conn: Connection,
    record_id: int,
    dialogue_id: int,
    tasks: Sequence[UpdateTask],
    fresh: bool,
    counts: Counter[str],
) -> None:
    if not tasks:
        return
    known = {} if fresh else _versions(conn, m.update_task, dialogue_id, "external_id")
    rows: list[Row] = []
    for task in tasks:
        row: Row = {
            "external_id": task.external_id,
            "selected": task.selected,
            "new_dialogue": turns_to_json(task.new_dialogue),
            "pool": as_it_came(task.pool),
            "answer": as_it_came(task.answer),
        }
        row["content_hash"] = digest(canonical(row))
        versions = known.setdefault((task.external_id,), {})
        if row["content_hash"] in versions:
            continue
        row |= {
            "dialogue_id": dialogue_id,
            "record_id": record_id,
            "version": max(versions.values(), default=0) + 1,
            "shown_before": canonical(shown_records(task.pool), finite=True),
            "shown_after": canonical(shown_records(task.answer), finite=True),
        }
        counts["changed"] += bool(versions)
        versions[row["content_hash"]] = row["version"]
        rows.append(row)
    insert_rows(conn, m.update_task, rows)
    counts["updates"] += len(rows)


# ---------------------------------------------------------------- rows


def _insert(conn: Connection, table: Table, row: Mapping[str, Any]) -> int:
    key = conn.execute(ask.insert_into(table), dict(row)).inserted_primary_key
    assert key is not None
    return int(key[0])
