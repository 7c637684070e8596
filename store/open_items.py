"""Items that a lead opens by name, and what every rater said of one. Nothing in here is for a rater's eyes."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Select, select

from store import models as m
from store.assignments import find_item
from store.decisions import item_answers
from store.kinds import Phase, Purpose, RaterKind
from store.records import ItemAnswers


@dataclass(frozen=True, slots=True)
class ItemRef:
    """An item without its content. `name` is its id in the long table: form/key, with #version from the second on."""

    id: int
    key: str
    name: str
    shown_id: str
    form: str
    protocol_id: int
    language: str | None
    ability: str | None


@dataclass(frozen=True, slots=True)
class RaterSaid:
    """What one rater says of an item now, at one occasion."""

    rater: str
    kind: RaterKind
    phase: Phase
    occasion: int
    purpose: Purpose
    answers: ItemAnswers


def items_named(conn: Connection, name: str, form: str | None = None) -> tuple[ItemRef, ...]:
    """The items a person may mean: by the name in the long table, else by shown id or key with or without its form;
    of each the newest version.

    form   only of this form
    """
    by_name = find_item(conn, name)
    i = m.item.c
    if by_name is not None:
        found = _read(conn, _items().where(i.id == by_name))
        if form in (None, found[0].form):
            return found
    named = _items().where((i.shown_id == name) | (i.key == name)).order_by(i.protocol_id, i.version, i.id)
    newest = {(one.form, one.key): one for one in _read(conn, named) if form in (None, one.form)}
    of_form, slash, rest = name.partition("/")
    if newest or not slash or form is not None:
        return tuple(newest.values())
    return items_named(conn, rest, of_form)


def items_by_name(conn: Connection, names: Iterable[str]) -> dict[str, ItemRef]:
    """Items by their names in the long table; a name that no item bears is left out."""
    ids = {name: number for name in dict.fromkeys(names) if (number := find_item(conn, name)) is not None}
    i = m.item.c
    known: dict[int, ItemRef] = {}
    numbers = sorted(set(ids.values()))
    for start in range(0, len(numbers), 500):
        for one in _read(conn, _items().where(i.id.in_(numbers[start : start + 500]))):
            known[one.id] = one
    return {name: known[number] for name, number in ids.items()}


def items_beside(conn: Connection, item: ItemRef) -> tuple[ItemRef, ...]:
    """Every item made for the same version of the same form, in the order in which they were made."""
    return _read(conn, _items().where(m.item.c.protocol_id == item.protocol_id).order_by(m.item.c.id))


def said_of(conn: Connection, item_id: int) -> tuple[RaterSaid, ...]:
    """What every rater with at least one act on an item says of it now, by rater's name and occasion."""
    a, r = m.assignment.c, m.rater.c
    rows = conn.execute(
        select(a.id, r.name, r.kind, a.phase, a.occasion, a.purpose)
        .join(m.rater, r.id == a.rater_id)
        .where(a.item_id == item_id, a.revision > 0)
        .order_by(r.name, a.occasion, a.id)
    ).all()
    return tuple(
        RaterSaid(
            row.name,
            RaterKind(row.kind),
            Phase(row.phase),
            row.occasion,
            Purpose(row.purpose),
            item_answers(conn, row.id),
        )
        for row in rows
    )


def unit_names(conn: Connection, item_id: int) -> dict[int, str]:
    """Row id → key of an item's own units: the last part of a unit's id in the long table. Keys may tell models."""
    u = m.unit.c
    own = select(u.id, u.key).where(u.item_id == item_id, u.assignment_id.is_(None))
    return {int(row.id): str(row.key) for row in conn.execute(own)}


def _items() -> Select[Any]:
    i, p = m.item.c, m.protocol.c
    return select(
        i.id, i.key, i.version, i.shown_id, p.name.label("form"), i.protocol_id, i.language, i.ability
    ).join(m.protocol, p.id == i.protocol_id)


def _read(conn: Connection, query: Select[Any]) -> tuple[ItemRef, ...]:
    return tuple(
        ItemRef(
            row.id,
            row.key,
            f"{row.form}/{row.key}" + ("" if row.version == 1 else f"#{row.version}"),
            row.shown_id,
            row.form,
            row.protocol_id,
            row.language,
            row.ability,
        )
        for row in conn.execute(query)
    )
