"""What an item is about beside its dialogue, as a blind rater may see it: questions with their pools."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select

from store import models as m
from store.encoding import digest, read_json
from store.kinds import UnitKind
from store.records import ItemView, MemoryView, PoolView, QueryView, UnitView
from store.shown_records import TEXTS

Json = Any
Shown = Mapping[str, Json]
"""A record of a pool as `store.shown_records` makes it."""

# ---------------------------------------------------------------- questions and pools


def with_questions(conn: Connection, view: ItemView) -> ItemView:
    """The item with the questions it asks about: their words, the memories they were written for, and the pool.

    What the item has as preferences is all that is on record about the person: named m1, m2…, the targets by these
    names too. A target that is in the pool alone is the entry of the pool.
    """
    queries = _queries(conn, view.units)
    if not queries:
        return view
    on_record = tuple(replace(one, shown_id=f"m{place}") for place, one in enumerate(view.preferences, 1))
    names = {one.id: one.shown_id for one in on_record}
    memories = {n: replace(one, shown_id=names.get(n, one.shown_id)) for n, one in view.memories.items()}
    pool, units = _pool(conn, view.units, memories), view.units
    if pool is not None and pool.target is not None:
        target = pool.entries[pool.target]
        units = tuple(_about(unit, target) for unit in units)
        memories |= {target.id: target} if units != view.units else {}
    return replace(view, queries=queries, pool=pool, units=units, memories=memories, preferences=on_record)


def _about(unit: UnitView, target: MemoryView) -> UnitView:
    wants = unit.kind == UnitKind.QUERY and unit.memory_id is None
    return replace(unit, memory_id=target.id) if wants else unit


def _queries(conn: Connection, units: Sequence[UnitView]) -> dict[int, QueryView]:
    """The question of each query unit, by the unit's id."""
    asked = {u.id: u.query_id for u in units if u.kind == UnitKind.QUERY and u.query_id is not None}
    if not asked:
        return {}
    t = m.query.c
    rows = conn.execute(
        select(t.id, t.text, t.ability, t.category).where(t.id.in_(sorted(set(asked.values()))))
    )
    found = {row.id: QueryView(*row) for row in rows}
    return {unit_id: found[query_id] for unit_id, query_id in asked.items()}


def _pool(conn: Connection, units: Sequence[UnitView], known: Mapping[int, MemoryView]) -> PoolView | None:
    """The pool that the one question of an item is put to; None where there is no pool, or more than one question.

    known   the memories of the item by row id: what the target says
    """
    asked = [unit for unit in units if unit.kind == UnitKind.QUERY]
    if len(asked) != 1 or asked[0].query_id is None:
        return None
    t = m.query.c
    row = conn.execute(select(t.shown_pool, t.shown_target).where(t.id == asked[0].query_id)).one()
    records: list[Shown] = read_json(row.shown_pool)
    if not records:
        return None
    entries = tuple(_entry(place, record) for place, record in enumerate(records, 1))
    said = known.get(asked[0].memory_id or 0)
    return PoolView(entries, _place_of_target(records, row.shown_target, said.value if said else None))


def with_target(conn: Connection, view: ItemView, query_id: int | None) -> ItemView:
    """An item of responses with the memory that its question was written for, where its pool tells which."""
    if query_id is None:
        return view
    t = m.query.c
    row = conn.execute(
        select(t.shown_pool, t.shown_target).where(t.id == query_id, t.shown_target != "")
    ).first()
    records: list[Shown] = read_json(row.shown_pool) if row is not None else []
    place = _place_of_target(records, row.shown_target, None) if row is not None else None
    return view if place is None else replace(view, target=_entry(place + 1, records[place]))


def _place_of_target(records: Sequence[Shown], target: str, value: str | None) -> int | None:
    """Where the target stands: by its id and its words, since ids repeat; by its id alone where only one bears it."""
    bearing = [place for place, one in enumerate(records) if target and one["key"] == target]
    alike = [place for place in bearing if records[place]["value"] == value]
    if len(alike) == 1:
        return alike[0]
    return bearing[0] if len(bearing) == 1 else None


def _entry(place: int, record: Shown) -> MemoryView:
    """An entry by its place. Its id is below 0, that of no memory of the store; its key is of its words alone."""
    return MemoryView(
        id=-place,
        shown_id=f"#{place}",
        **{name: record.get(name) for name in TEXTS},  # type: ignore[arg-type]
        confidence=record.get("confidence"),
        evidence=(),
        key=digest(record["value"])[:16],
    )
