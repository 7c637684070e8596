"""Annotations made elsewhere on their way in: each kept as it came, a changed one as its next version."""

from collections import Counter
from collections.abc import Sequence
from typing import Any

from sqlalchemy import Connection, select

from store import ingest_statements as ask
from store import models as m
from store.assignments import add_rater
from store.content_records import Annotation
from store.encoding import as_it_came, digest

Row = dict[str, Any]

_SESSIONS = 500
"""How many sessions are looked up in one statement."""

_Identity = tuple[str, str, str, int, str]


def add_annotations(conn: Connection, record_id: int, made: Sequence[Annotation]) -> Counter[str]:
    """Write what is new of these annotations: those of a bundle come in slices, as it holds thousands."""
    ids: dict[str, int] = {}
    for one in made:
        if one.rater not in ids:
            params = one.rater_params or {"imported": True, "side": one.side}
            ids[one.rater] = add_rater(conn, one.rater, one.rater_kind, params).id
    known = _known_annotations(conn, made, set(ids.values()))
    rows: list[Row] = []
    counts: Counter[str] = Counter()
    for one in made:
        identity = (one.source, one.session_id, one.task, ids[one.rater], one.side)
        payload = as_it_came(one.payload)
        content_hash = digest(payload, one.updated_at or "")
        versions = known.setdefault(identity, {})
        if content_hash in versions:
            continue
        counts += Counter(annotations=1, changed=int(bool(versions)))
        versions[content_hash] = max(versions.values(), default=0) + 1
        rows.append(
            dict(zip(_IDENTITY, identity, strict=True))
            | {
                "version": versions[content_hash],
                "payload": payload,
                "updated_at": one.updated_at,
                "content_hash": content_hash,
                "record_id": record_id,
            }
        )
    if rows:
        conn.execute(ask.insert_into(m.annotation), rows)
    return counts


_IDENTITY = ("source", "session_id", "task", "rater_id", "side")


def _known_annotations(
    conn: Connection, made: Sequence[Annotation], rater_ids: set[int]
) -> dict[_Identity, dict[str, int]]:
    """Of each annotation of these sessions and raters: the version of each content hash."""
    t = m.annotation.c
    columns = [t[name] for name in (*_IDENTITY, "content_hash", "version")]
    sessions = sorted({one.session_id for one in made})
    sources = sorted({one.source for one in made})
    known: dict[_Identity, dict[str, int]] = {}
    for start in range(0, len(sessions), _SESSIONS):
        some = sessions[start : start + _SESSIONS]
        query = select(*columns).where(
            t.source.in_(sources), t.session_id.in_(some), t.rater_id.in_(sorted(rater_ids))
        )
        for source, session_id, task, rater_id, side, content_hash, version in conn.execute(query):
            known.setdefault((source, session_id, task, rater_id, side), {})[content_hash] = version
    return known
