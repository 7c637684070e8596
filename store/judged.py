"""What judges said of items: read when alignment items are made of it, and for a rater to whom it was revealed."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace

from sqlalchemy import Connection, or_, select

from store import models as m
from store.content_records import Json
from store.encoding import digest, read_json
from store.kinds import Attested, ItemState, Phase, RaterKind, Status, UnitKind
from store.records import ItemSpec, ItemView, JudgeSaid, UnitSpec, UnitView

JUDGES = (RaterKind.JUDGE.value, RaterKind.IMPORTED_JUDGE.value)
"""Whose answers are held against people's; the offline baseline is no judge that anybody relies on."""


@dataclass(frozen=True, slots=True)
class Said:
    """One answer of a judge. `unit` is the key of the unit in its item, `made` where the judge made that unit."""

    unit: str
    shown_id: str
    kind: UnitKind
    made: bool
    field: str
    value: Json
    attested: Attested


@dataclass(frozen=True, slots=True)
class JudgedItem:
    """An item as a judge answered it. Keys may tell models: this is for making items, not for a rater's eyes."""

    item: ItemSpec
    version: int
    rater_id: int
    rater: str
    decided_at: str
    said: tuple[Said, ...]


def field_key(unit: str, field: str = "") -> str:
    """The key of the unit that stands for what a judge said of a unit: of one field, or of all of it.

    A digest, since the key of a judged unit may tell a model.
    """
    return f"judge:{digest(unit, field)[:16]}"


def judged_items(conn: Connection, protocol: str) -> Iterator[JudgedItem]:
    """Every item of a form that a judge has answered and submitted, of all versions, in the order of assignments."""
    a, i, r = m.assignment.c, m.item.c, m.rater.c
    rows = conn.execute(
        select(a.id, a.rater_id, a.submitted_at, r.name, m.item)
        .join(m.item, i.id == a.item_id)
        .join(m.rater, r.id == a.rater_id)
        .where(
            a.protocol_name == protocol,
            a.state == ItemState.SUBMITTED.value,
            a.occasion == 0,
            r.kind.in_(JUDGES),
        )
        .order_by(a.id)
    ).all()
    for row in rows:
        spec = ItemSpec(
            key=row.key,
            shown_id=row.shown_id,
            dialogue_id=row.dialogue_id,
            units=_units(conn, row.id_1),
            query_id=row.query_id,
            preferences=tuple(read_json(row.preferences)),
            candidates=tuple(read_json(row.candidates)),
            language=row.language,
            ability=row.ability,
            update_id=row.update_id,
        )
        said = tuple(_said(conn, row.id))
        yield JudgedItem(spec, row.version, row.rater_id, row.name, row.submitted_at or "", said)


def _units(conn: Connection, item_id: int) -> tuple[UnitSpec, ...]:
    u = m.unit.c
    rows = conn.execute(
        select(u.key, u.kind, u.shown_id, u.memory_id, u.response_id, u.query_id)
        .where(u.item_id == item_id, u.assignment_id.is_(None))
        .order_by(u.position)
    )
    return tuple(
        UnitSpec(row.key, UnitKind(row.kind), row.shown_id, row.memory_id, row.response_id, row.query_id)
        for row in rows
    )


def _said(conn: Connection, assignment_id: int) -> Iterator[Said]:
    """The answers of one assignment, by unit as the units stand."""
    t, u = m.rating.c, m.unit.c
    rows = conn.execute(
        select(u.key, u.shown_id, u.kind, u.assignment_id, t.field, t.value, t.attested)
        .join(m.unit, u.id == t.unit_id)
        .where(t.assignment_id == assignment_id, t.status == Status.ANSWERED.value)
        .order_by(u.assignment_id.is_not(None), u.position, u.id, t.field)
    )
    for row in rows:
        made = row.assignment_id is not None
        value = read_json(row.value)
        yield Said(row.key, row.shown_id, UnitKind(row.kind), made, row.field, value, Attested(row.attested))


# ---------------------------------------------------------------- for a rater to whom it was revealed


def with_judge(conn: Connection, view: ItemView) -> ItemView:
    """The item with what its judge said, where that was revealed to this rater; else as it is, nothing read."""
    if view.assignment.phase is not Phase.REVEALED:
        return view
    fields = {unit.key: unit.id for unit in view.units if unit.kind is UnitKind.JUDGE_FIELD}
    if not fields:
        return view
    found: dict[int, JudgeSaid] = {}
    for one, about in _of_the_judge(conn, view.assignment.item_id):
        if one.kind is UnitKind.SESSION and about is not None:
            known = found.get(about, JudgeSaid(about, "", {}))
            found[about] = replace(known, values={**known.values, one.field: one.value})
        for key, field in ((field_key(one.unit, one.field), one.field), (field_key(one.unit), "")):
            unit_id = fields.get(key)
            if unit_id is not None:
                known = found.get(unit_id, JudgeSaid(about, field, {}))
                found[unit_id] = replace(known, values={**known.values, one.field: one.value})
    responses = {unit.id: unit.shown_id for unit in view.units if unit.kind is UnitKind.RESPONSE}
    units = tuple(_named(unit, found.get(unit.id), responses) for unit in view.units)
    return replace(view, judged=found, units=units)


def _named(unit: UnitView, said: JudgeSaid | None, responses: Mapping[int, str]) -> UnitView:
    """Of several responses each has its letter before what was said of it."""
    letter = responses.get(said.about or 0) if said is not None else None
    return (
        unit if letter is None or len(responses) < 2 else replace(unit, shown_id=f"{letter} {unit.shown_id}")
    )


def _of_the_judge(conn: Connection, item_id: int) -> Iterator[tuple[Said, int | None]]:
    """What judges said on this very item, each with the id of the item's unit it is about; None for one they made."""
    a, r, t, u = m.assignment.c, m.rater.c, m.rating.c, m.unit.c
    rows = conn.execute(
        select(u.id, u.key, u.shown_id, u.kind, u.assignment_id, t.field, t.value, t.attested)
        .select_from(m.rating)
        .join(m.assignment, a.id == t.assignment_id)
        .join(m.rater, r.id == a.rater_id)
        .join(m.unit, u.id == t.unit_id)
        .where(
            a.item_id == item_id,
            a.state == ItemState.SUBMITTED.value,
            r.kind.in_(JUDGES),
            t.status == Status.ANSWERED.value,
            or_(u.assignment_id.is_(None), u.assignment_id == a.id),
        )
        .order_by(u.position, u.id, t.field)
    )
    for row in rows:
        made = row.assignment_id is not None
        value = read_json(row.value)
        kind, attested = UnitKind(row.kind), Attested(row.attested)
        yield Said(row.key, row.shown_id, kind, made, row.field, value, attested), None if made else row.id
