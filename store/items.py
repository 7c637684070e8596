"""Items on their way in: a thing that changes is a new version; what is only offered beside it grows in place."""

from dataclasses import fields, make_dataclass, replace
from typing import Any

from sqlalchemy import Connection, and_, insert, select, update

from store import models as m
from store.encoding import canonical, digest, now, read_json, same_words
from store.records import ItemSpec, UnitSpec


def add_item(conn: Connection, protocol_id: int, spec: ItemSpec, *, offers: bool = False) -> tuple[int, bool]:
    """The row id of an item and whether it is new.

    An item of the same key that differs becomes a new version; what nobody has begun of the old version is
    withdrawn from the queues, what was begun stays.

    offers   its candidates are offered to take over, not judged: others than before make no new version, those
             that say something new are appended, and none is ever taken away
    """
    t = m.item.c
    content_hash = _content_hash(spec)
    newest = conn.execute(
        select(t.id, t.version, t.content_hash, t.candidates, t.update_id)
        .where(t.protocol_id == protocol_id, t.key == spec.key)
        .order_by(t.version.desc())
        .limit(1)
    ).first()
    same_update = newest is not None and newest.update_id == spec.update_id
    if newest is not None and same_update and newest.content_hash == content_hash:
        return int(newest.id), False
    if newest is not None and same_update and offers and _differs_in_candidates(newest, spec):
        _offer(conn, newest, spec)
        return int(newest.id), False
    row = {
        "protocol_id": protocol_id,
        "key": spec.key,
        "version": 1 if newest is None else newest.version + 1,
        "shown_id": spec.shown_id,
        "dialogue_id": spec.dialogue_id,
        "query_id": spec.query_id,
        "update_id": spec.update_id,
        "preferences": canonical(spec.preferences),
        "candidates": canonical(spec.candidates),
        "language": spec.language,
        "ability": spec.ability,
        "content_hash": content_hash,
        "created_at": now(),
    }
    key = conn.execute(insert(m.item), row).inserted_primary_key
    assert key is not None
    item_id = int(key[0])
    units = [_unit_row(item_id, position, unit) for position, unit in enumerate(spec.units)]
    if units:
        conn.execute(insert(m.unit), units)
    if newest is not None:
        withdraw(conn, m.assignment.c.item_id == newest.id)
    return item_id, True


_Hashed = make_dataclass("_Hashed", [f.name for f in fields(ItemSpec) if f.name != "update_id"], frozen=True)
"""A spec without its update, which is compared by itself: items made before it was kept are the same still."""


def _content_hash(spec: ItemSpec) -> str:
    hashed = _Hashed(**{f.name: getattr(spec, f.name) for f in fields(_Hashed)})
    return digest(canonical(hashed))


def _differs_in_candidates(newest: Any, spec: ItemSpec) -> bool:
    """Whether an item is as the spec says but for what it offers."""
    as_before = replace(spec, candidates=tuple(read_json(newest.candidates)))
    return bool(_content_hash(as_before) == newest.content_hash)


def _offer(conn: Connection, newest: Any, spec: ItemSpec) -> None:
    """Append to what an item offers the candidates that say what none of the others does."""
    offered: list[int] = list(read_json(newest.candidates))
    t = m.memory.c
    rows = conn.execute(select(t.id, t.value).where(t.id.in_([*offered, *spec.candidates])))
    words = {row.id: same_words(row.value) for row in rows}
    said = {words[one] for one in offered}
    for one in spec.candidates:
        if words[one] not in said:
            said.add(words[one])
            offered.append(one)
    now_so = replace(spec, candidates=tuple(offered))
    values = {"candidates": canonical(offered), "content_hash": _content_hash(now_so)}
    conn.execute(update(m.item).where(m.item.c.id == newest.id).values(**values))


def _unit_row(item_id: int, position: int, unit: UnitSpec) -> dict[str, Any]:
    return {
        "item_id": item_id,
        "position": position,
        "key": unit.key,
        "kind": unit.kind.value,
        "shown_id": unit.shown_id,
        "memory_id": unit.memory_id,
        "response_id": unit.response_id,
        "query_id": unit.query_id,
    }


def withdraw(conn: Connection, which: Any) -> None:
    """Take assignments that nobody has begun out of the queues; they stay in the table."""
    t = m.assignment.c
    untouched = and_(which, t.revision == 0, t.opened_at.is_(None), t.withdrawn_at.is_(None))
    conn.execute(update(m.assignment).where(untouched).values(withdrawn_at=now()))
