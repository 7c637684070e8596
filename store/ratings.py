"""The long table, read out of the store: one row per unit × field × rater × phase × occasion.

It tells origins and models: it is for analysis and exports, and no blind screen may read it.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from sqlalchemy import Connection, Row, select

from store import models as m
from store.assignments import field_scale
from store.content import memories_by_id, memory_record
from store.encoding import canonical, read_json
from store.kinds import Attested, ItemState, Origin, Status, UnitKind
from store.log import notes_from_json
from store.records import FieldScale, Json

if TYPE_CHECKING:
    from store.table import Table

_BATCH = 500

LongRow = dict[str, Any]
AnyRow = Row[*tuple[Any, ...]]


@dataclass(frozen=True, slots=True)
class _Form:
    """A protocol version as the long table names it, with its fields by key and by unit kind."""

    name: str
    title: str
    fields: Mapping[str, FieldScale]
    scales: Mapping[str, str | None]
    required: Mapping[str, tuple[FieldScale, ...]]
    proposes_memories: bool


def long_rows(conn: Connection, *, protocol: str | None = None) -> Iterator[LongRow]:
    """Every rating as a row with the names of `store.table.COLUMNS`, in the order of assignments, units and fields.

    dialogue_id      the dialogue's own id; item_id: form/item; unit_id: form/item/unit, with @rater for a unit
                     that a rater made
    value            canonical JSON text, None unless answered; number: the same where it is a number
    status           A required field without an answer on a submitted item is a row with status unseen, on a
                     skipped one with status skipped and the item's reason; of units that raters made nothing is
                     missing. Items that are open give rows for
                     their answers only: what is not done yet is not missing. Fields that are visible only under
                     a condition (`FieldScale.conditional`) are never missing.
    memory           where a proposed memory is kept, its `memory` field is the record as it was proposed, derived
                     from the verdict: the final list of a rater can be read from the table alone
    accepted_unchanged   True and False on the verdict of a proposed memory, None elsewhere
    protocol         name@version; guideline: the first 12 signs of its hash
    position         the item's place in the rater's order; presentation: JSON list of the unit names in the
                     order in which they stood
    origin           of the unit's memory (gold, rater, or the model's name), or the response's model
    note             the rater's note on the unit, else on the whole item
    """
    forms = _forms(conn, protocol)
    guidelines = {row.id: row.content_hash[:12] for row in conn.execute(_guidelines())}
    last = 0
    while True:
        some = conn.execute(_assignments(protocol, last)).all()
        if not some:
            return
        last = some[-1].id
        ratings = _ratings(conn, some[0].id, last)
        units = _units(conn, some)
        records = _kept_records(conn, ratings, units)
        for assignment in some:
            form = forms[assignment.protocol_id]
            mine = ratings.get(assignment.id, [])
            own = units.get(assignment.item_id, [])
            yield from _Rows(assignment, form, own, guidelines, records).of(mine)


def ratings_table(conn: Connection, **filters: Json) -> "Table":
    """The long table as arrays. A filter is a column's name and the value, or a list of values, it must have;
    `protocol` also takes a form's name without version.

    raises   KeyError if a filter is no column
    """
    import numpy as np

    from store.table import COLUMNS, from_rows

    unknown = filters.keys() - set(COLUMNS)
    if unknown:
        raise KeyError(f"the long table has no column {sorted(unknown)[0]!r}")
    protocol = filters.get("protocol")
    by_name = protocol if isinstance(protocol, str) and "@" not in protocol else None
    table = from_rows(long_rows(conn, protocol=by_name))
    for name, wanted in filters.items():
        if name == "protocol" and by_name is not None:
            continue
        allowed = wanted if isinstance(wanted, list | tuple | set | frozenset) else (wanted,)
        table = table.where(np.array([value in allowed for value in table.column(name)], dtype=np.bool_))
    return table


# ---------------------------------------------------------------- what is read


def _forms(conn: Connection, protocol: str | None) -> dict[int, _Form]:
    p = m.protocol.c
    query = select(p.id, p.name, p.version, p.fields)
    if protocol is not None:
        query = query.where(p.name == protocol)
    return {row.id: _form(row) for row in conn.execute(query)}


def _form(row: AnyRow) -> _Form:
    fields = [field_scale(one) for one in read_json(row.fields)]
    required: dict[str, tuple[FieldScale, ...]] = {}
    for field in fields:
        if field.required and not field.conditional:
            required[field.per] = (*required.get(field.per, ()), field)
    return _Form(
        name=row.name,
        title=f"{row.name}@{row.version}",
        fields={field.key: field for field in fields},
        scales={field.key: None if field.scale is None else canonical(field.scale) for field in fields},
        required=required,
        proposes_memories=any(field.per is UnitKind.MEMORY and field.kind == "memory" for field in fields),
    )


def _guidelines() -> Any:
    return select(m.guideline.c.id, m.guideline.c.content_hash)


def _assignments(protocol: str | None, after: int) -> Any:
    a, i, d, r = m.assignment.c, m.item.c, m.dialogue.c, m.rater.c
    query = (
        select(
            a.id,
            a.item_id,
            a.protocol_id,
            a.protocol_name,
            a.given_phase,
            a.occasion,
            a.purpose,
            a.probability,
            a.position,
            a.state,
            a.skip_reason,
            a.remarks,
            i.key,
            i.version,
            i.language,
            i.ability,
            d.external_id.label("dialogue"),
            r.name.label("rater"),
            r.kind.label("rater_kind"),
        )
        .join(m.item, i.id == a.item_id)
        .join(m.dialogue, d.id == i.dialogue_id)
        .join(m.rater, r.id == a.rater_id)
        .where(a.id > after, a.revision > 0)
        .order_by(a.id)
        .limit(_BATCH)
    )
    return query if protocol is None else query.where(a.protocol_name == protocol)


def _ratings(conn: Connection, first: int, last: int) -> dict[int, list[AnyRow]]:
    t = m.rating.c
    rows = conn.execute(select(m.rating).where(t.assignment_id.between(first, last)))
    found: dict[int, list[AnyRow]] = {}
    for row in rows:
        found.setdefault(row.assignment_id, []).append(row)
    return found


def _units(conn: Connection, assignments: Sequence[AnyRow]) -> dict[int, list[AnyRow]]:
    """The units of the items, those that raters made among them, with the origin of their memory or response."""
    u, mem, res = m.unit.c, m.memory.c, m.response.c
    items = sorted({row.item_id for row in assignments})
    rows = conn.execute(
        select(
            u.id,
            u.item_id,
            u.assignment_id,
            u.key,
            u.kind,
            u.memory_id,
            mem.origin,
            mem.origin_name,
            res.model,
        )
        .outerjoin(m.memory, mem.id == u.memory_id)
        .outerjoin(m.response, res.id == u.response_id)
        .where(u.item_id.in_(items))
        .order_by(u.item_id, u.assignment_id.is_not(None), u.position, u.id)
    )
    found: dict[int, list[AnyRow]] = {}
    for row in rows:
        found.setdefault(row.item_id, []).append(row)
    return found


def _kept_records(
    conn: Connection, ratings: Mapping[int, list[AnyRow]], units: Mapping[int, list[AnyRow]]
) -> dict[int, str]:
    """The records, as JSON, of the memories that some verdict keeps."""
    memory_of = {unit.id: unit.memory_id for some in units.values() for unit in some}
    kept = {memory_of.get(rating.unit_id) for some in ratings.values() for rating in some if _keeps(rating)}
    found = memories_by_id(conn, [number for number in kept if number is not None])
    return {number: canonical(memory_record(memory)) for number, memory in found.items()}


def _keeps(rating: AnyRow) -> bool:
    return bool(rating.field == "verdict" and rating.value == '"keep"')


# ---------------------------------------------------------------- rows of one assignment


class _Rows:
    """Makes the rows of one assignment."""

    def __init__(
        self,
        assignment: AnyRow,
        form: _Form,
        units: Sequence[AnyRow],
        guidelines: Mapping[int, str],
        records: Mapping[int, str],
    ) -> None:
        self._records = records
        self._assignment = assignment
        self._form = form
        self._units = [unit for unit in units if unit.assignment_id in (None, assignment.id)]
        self._keys = {unit.id: unit.key for unit in self._units}
        self._guidelines = guidelines
        self._notes = notes_from_json(assignment.remarks)
        self._presentations: dict[str, str] = {}
        version = "" if assignment.version == 1 else f"#{assignment.version}"
        self._item_id = f"{form.name}/{assignment.key}{version}"
        self._common = {
            "dialogue_id": assignment.dialogue,
            "item_id": self._item_id,
            "rater": assignment.rater,
            "rater_kind": assignment.rater_kind,
            "occasion": assignment.occasion,
            "purpose": assignment.purpose,
            "protocol": form.title,
            "position": assignment.position,
            "probability": assignment.probability,
            "language": assignment.language,
            "ability": assignment.ability,
        }

    def of(self, ratings: Sequence[AnyRow]) -> Iterator[LongRow]:
        by_unit: dict[int, list[AnyRow]] = {}
        for rating in ratings:
            by_unit.setdefault(rating.unit_id, []).append(rating)
        for unit in self._units:
            mine = sorted(by_unit.get(unit.id, ()), key=lambda row: (row.field, row.phase))
            if unit.assignment_id is not None and not mine:
                continue  # a unit the rater made and took back
            yield from self._unit_rows(unit, mine)

    def _unit_rows(self, unit: AnyRow, ratings: list[AnyRow]) -> Iterator[LongRow]:
        kept = self._kept(unit, ratings)
        for rating in ratings:
            if not (rating.field == "memory" and rating.phase in kept):
                yield self._answered(unit, rating)
        for verdict in kept.values():
            yield self._kept_memory(unit, verdict)
        present = {rating.field for rating in ratings if rating.phase == self._assignment.given_phase}
        if self._assignment.state != ItemState.OPEN and unit.assignment_id is None:
            for field in self._form.required.get(unit.kind, ()):
                if field.key not in present:
                    yield self._missing(unit, field)

    def _kept(self, unit: AnyRow, ratings: list[AnyRow]) -> dict[str, AnyRow]:
        """By phase the verdict that keeps a proposed memory."""
        if unit.memory_id is None or not self._form.proposes_memories:
            return {}
        return {row.phase: row for row in ratings if _keeps(row)}

    def _head(self, unit: AnyRow, field: str, phase: str) -> LongRow:
        known = self._form.fields.get(field)
        made = "" if unit.assignment_id is None else f"@{self._assignment.rater}"
        return self._common | {
            "unit_id": f"{self._item_id}/{unit.key}{made}",
            "unit_kind": unit.kind,
            "field": field,
            "phase": phase,
            "level": None if known is None else known.level,
            "scale": self._form.scales.get(field),
            "origin": _origin(unit),
            "note": self._notes.get(unit.id, self._notes.get(None)),
        }

    def _answered(self, unit: AnyRow, rating: AnyRow) -> LongRow:
        proposed = unit.memory_id is not None and rating.field == "verdict"
        return self._head(unit, rating.field, rating.phase) | {
            "value": rating.value,
            "number": _number(rating.value),
            "status": rating.status,
            "skip_reason": None if rating.status == Status.ANSWERED else rating.reason,
            "attested": rating.attested,
            "accepted_unchanged": rating.value == '"keep"' if proposed else None,
            **self._circumstances(rating),
        }

    def _kept_memory(self, unit: AnyRow, verdict: AnyRow) -> LongRow:
        attested = Attested.DERIVED if verdict.attested == Attested.EXPLICIT else verdict.attested
        return self._head(unit, "memory", verdict.phase) | {
            "value": self._records[unit.memory_id],
            "number": None,
            "status": Status.ANSWERED.value,
            "skip_reason": None,
            "attested": str(attested),
            "accepted_unchanged": None,
            **self._circumstances(verdict),
        }

    def _circumstances(self, rating: AnyRow) -> LongRow:
        return {
            "revision": rating.revision,
            "decided_at": rating.decided_at,
            "active_ms": rating.active_ms,
            "guideline": self._guidelines.get(rating.guideline_id),
            "presentation": self._presentation(rating.presentation),
            "saw_prefill": rating.saw_prefill,
            "saw_judge": rating.saw_judge,
            "saw_peer": rating.saw_peer,
            "saw_translation": rating.saw_translation,
        }

    def _missing(self, unit: AnyRow, field: FieldScale) -> LongRow:
        skipped = self._assignment.state == ItemState.SKIPPED
        nothing: LongRow = dict.fromkeys(
            ("value", "number", "attested", "decided_at", "guideline", "accepted_unchanged")
        )
        return (
            self._head(unit, field.key, self._assignment.given_phase)
            | nothing
            | {
                "status": (Status.SKIPPED if skipped else Status.UNSEEN).value,
                "skip_reason": self._assignment.skip_reason if skipped else None,
                "revision": 0,
                "active_ms": 0,
                "presentation": "[]",
                "saw_prefill": False,
                "saw_judge": False,
                "saw_peer": False,
                "saw_translation": False,
            }
        )

    def _presentation(self, stored: str) -> str:
        if stored not in self._presentations:
            keys = [self._keys.get(unit, str(unit)) for unit in read_json(stored)]
            self._presentations[stored] = canonical(keys)
        return self._presentations[stored]


def _origin(unit: AnyRow) -> str | None:
    if unit.assignment_id is not None:
        return Origin.RATER.value
    if unit.model is not None:
        return str(unit.model)
    if unit.origin in (Origin.MODEL, Origin.SYSTEM):
        return str(unit.origin_name)
    return None if unit.origin is None else str(unit.origin)


def _number(value: str | None) -> float | None:
    """The number that a canonical JSON text is, if it is one."""
    return float(value) if value is not None and value[0] in "-0123456789" else None
