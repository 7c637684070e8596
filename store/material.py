"""What an item is about beside its dialogue, as a blind rater may see it: questions with their pools.

Raw records are read by a list of keys that may be shown; whatever else stands in them stays in the store.
"""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select

from store import models as m
from store.encoding import digest, read_json, storable
from store.kinds import UnitKind
from store.records import ItemView, MemoryView, PoolView, QueryView, UnitView

Json = Any

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
    row = conn.execute(select(t.pool, t.target).where(t.id == asked[0].query_id)).one()
    records: list[Json] = read_json(row.pool)
    if not records:
        return None
    entries = tuple(_entry(place, record) for place, record in enumerate(records, 1))
    said = known.get(asked[0].memory_id or 0)
    return PoolView(entries, _place_of_target(records, row.target, said.value if said else None))


def _place_of_target(records: Sequence[Json], target: str | None, value: str | None) -> int | None:
    """Where the target stands: by its id and its words, since ids repeat; by its id alone where only one bears it."""
    bearing = [place for place, one in enumerate(records) if target and str(one.get("memory_id")) == target]
    alike = [place for place in bearing if value is not None and _text(records[place].get("value")) == value]
    if len(alike) == 1:
        return alike[0]
    return bearing[0] if len(bearing) == 1 else None


def _entry(place: int, record: Mapping[str, Json]) -> MemoryView:
    """An entry by its place. Its id is below 0, that of no memory of the store; the id in the record is not shown."""
    value = _text(record.get("value")) or ""
    return MemoryView(
        id=-place,
        shown_id=f"#{place}",
        value=value,
        label=_text(record.get("label")),
        type=_text(record.get("type")),
        label_suggestion=_text(record.get("label_suggestion")),
        reasoning=_text(record.get("reasoning")),
        confidence=_number(record.get("confidence")),
        time_scope=_text(record.get("time_scope")),
        emotion=_text(record.get("emotion")),
        preference_attitude=_text(record.get("preference_attitude")),
        evidence=(),
        key=digest(value)[:16],
    )


def _text(value: Json) -> str | None:
    """A text of a raw record with the line ends and signs that stored text has; of anything else what it says."""
    if value is None:
        return None
    text = value if isinstance(value, str) else str(value)
    return storable(text.replace("\r\n", "\n").replace("\r", "\n"))


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
