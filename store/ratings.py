"""The long table, read out of the store: one row per unit × field × rater × phase × occasion.

It tells origins and models: it is for analysis and exports, and no blind screen may read it.
"""

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any, NamedTuple

from sqlalchemy import Connection, Row, select

from store import models as m
from store.assignments import field_scale
from store.content import memories_by_id, memory_record
from store.content_records import Json
from store.encoding import canonical, read_json
from store.kinds import Attested, ItemState, Origin, Status, UnitKind, asks_of
from store.log import notes_from_json
from store.pairs import models_of
from store.records import FieldScale

if TYPE_CHECKING:
    from store.table import Table

_BATCH = 500

LongRow = dict[str, Any]
AnyRow = Row[*tuple[Any, ...]]


class _Rating(NamedTuple):
    """A rating as it is stored. A tuple: its fields are read twenty times faster than those of SQLAlchemy's rows."""

    assignment_id: int
    unit_id: int
    field: str
    phase: str
    status: str
    value: str | None
    reason: str | None
    attested: str
    revision: int
    decided_at: str
    active_ms: int
    presentation: str
    saw_prefill: bool
    saw_judge: bool
    saw_peer: bool
    saw_translation: bool
    guideline_id: int | None


class _Unit(NamedTuple):
    """A unit with the origin of its memory and the model of its response."""

    id: int
    item_id: int
    assignment_id: int | None
    key: str
    kind: str
    memory_id: int | None
    origin: str | None
    origin_name: str | None
    model: str | None


@dataclass(frozen=True, slots=True)
class _Form:
    """A protocol version as the long table names it, with its fields by key and by unit kind."""

    name: str
    title: str
    fields: Mapping[str, FieldScale]
    scales: Mapping[str, str | None]
    required: Mapping[str, tuple[FieldScale, ...]]
    needs: frozenset[str]
    proposes_memories: bool


def long_rows(conn: Connection, *, protocol: str | None = None) -> Iterator[LongRow]:
    """Every rating as a row with the names of `store.table.COLUMNS`, in the order of assignments, units and fields.

    dialogue_id      the dialogue's own id; item_id: form/item; unit_id: form/item/unit, with @rater for a unit
                     that a rater made; a review is named by what it reviews (`review_name`), so that all who
                     review the same pair of memories answer for one unit
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
                     order in which they stood; after each pair its two responses, the left one first
    origin           of the unit's memory (gold, rater, or the model's name), or the response's model; of a pair of
                     responses the JSON list of both models, in the order of the pair, and not of the sides
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
        units = _units(conn, (assignment.item_id for assignment in some))
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
        needs=frozenset(field.needs for field in fields if field.needs is not None),
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


def _ratings(conn: Connection, first: int, last: int) -> dict[int, list[_Rating]]:
    t = m.rating.c
    query = select(*(t[name] for name in _Rating._fields)).where(t.assignment_id.between(first, last))
    found: dict[int, list[_Rating]] = {}
    for rating in map(_Rating._make, conn.execute(query).all()):
        found.setdefault(rating.assignment_id, []).append(rating)
    return found


def _units(conn: Connection, items: Iterable[int]) -> dict[int, list[_Unit]]:
    """The units of the items, those that raters made among them, in their order."""
    u, mem, res = m.unit.c, m.memory.c, m.response.c
    query = (
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
        .where(u.item_id.in_(sorted(set(items))))
        .order_by(u.item_id, u.assignment_id.is_not(None), u.position, u.id)
    )
    found: dict[int, list[_Unit]] = {}
    for unit in map(_Unit._make, conn.execute(query).all()):
        found.setdefault(unit.item_id, []).append(unit)
    return found


def _kept_records(
    conn: Connection, ratings: Mapping[int, list[_Rating]], units: Mapping[int, list[_Unit]]
) -> dict[int, str]:
    """The records, as JSON, of the memories that some verdict keeps."""
    memory_of = {unit.id: unit.memory_id for some in units.values() for unit in some}
    kept = {memory_of.get(rating.unit_id) for some in ratings.values() for rating in some if _keeps(rating)}
    found = memories_by_id(conn, [number for number in kept if number is not None])
    return {number: canonical(memory_record(memory)) for number, memory in found.items()}


def _keeps(rating: _Rating) -> bool:
    return rating.field == "verdict" and rating.value == '"keep"'


# ---------------------------------------------------------------- rows of one assignment


class _Rows:
    """Makes the rows of one assignment."""

    def __init__(
        self,
        assignment: AnyRow,
        form: _Form,
        units: Sequence[_Unit],
        guidelines: Mapping[int, str],
        records: Mapping[int, str],
    ) -> None:
        self._records = records
        self._assignment = assignment
        self._form = _of_item(form, units)
        self._units = [unit for unit in units if unit.assignment_id in (None, assignment.id)]
        self._keys = {unit.id: unit.key for unit in self._units}
        self._models = {unit.key: unit.model for unit in self._units if unit.model is not None}
        self._guidelines = guidelines
        self._notes = notes_from_json(assignment.remarks)
        self._names: dict[int, str] = {}
        self._presentations: dict[str, str] = {"[]": "[]"}
        self._unit_head: LongRow = {}
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

    def of(self, ratings: Sequence[_Rating]) -> Iterator[LongRow]:
        by_unit: dict[int, list[_Rating]] = {}
        for rating in ratings:
            by_unit.setdefault(rating.unit_id, []).append(rating)
        self._name_reviews(by_unit)
        for unit in self._units:
            mine = by_unit.get(unit.id, [])
            if unit.assignment_id is not None and not mine:
                continue  # a unit the rater made and took back
            if len(mine) > 1:
                mine.sort(key=lambda row: (row.field, row.phase))
            yield from self._unit_rows(unit, mine)

    def _name_reviews(self, by_unit: Mapping[int, Sequence[_Rating]]) -> None:
        """Reviews that the rater made, by what each reviews; a second one of the same has its number appended."""
        seen: dict[str, int] = {}
        for unit in self._units:
            if unit.kind != UnitKind.REVIEW or unit.assignment_id is None:
                continue
            name = review_name({row.field: row.value for row in by_unit.get(unit.id, ())})
            if name is not None:
                seen[name] = seen.get(name, 0) + 1
                self._names[unit.id] = name if seen[name] == 1 else f"{name}#{seen[name]}"

    def _unit_rows(self, unit: _Unit, ratings: list[_Rating]) -> Iterator[LongRow]:
        self._unit_head = self._head_of(unit)
        kept = self._kept(unit, ratings)
        for rating in ratings:
            if not (rating.field == "memory" and rating.phase in kept):
                yield self._answered(unit, rating)
        for verdict in kept.values():
            yield self._kept_memory(unit, verdict)
        present = {rating.field for rating in ratings if rating.phase == self._assignment.given_phase}
        if self._assignment.state != ItemState.OPEN and unit.assignment_id is None:
            for field in self._form.required.get(unit.kind, ()):
                if field.key not in present and asks_of(field.abilities, self._assignment.ability):
                    yield self._missing(field)

    def _kept(self, unit: _Unit, ratings: list[_Rating]) -> dict[str, _Rating]:
        """By phase the verdict that keeps a proposed memory."""
        if unit.memory_id is None or not self._form.proposes_memories:
            return {}
        return {row.phase: row for row in ratings if _keeps(row)}

    def _head_of(self, unit: _Unit) -> LongRow:
        """What all rows of a unit share. Raters share the text of its name too: there may be millions of rows."""
        made = "" if unit.assignment_id is None else f"@{self._assignment.rater}"
        name = self._names.get(unit.id, f"{unit.key}{made}")
        return self._common | {
            "unit_id": sys.intern(f"{self._item_id}/{name}"),
            "unit_kind": unit.kind,
            "origin": self._pair_origin(unit) if unit.kind == UnitKind.RESPONSE_PAIR else _origin(unit),
            "note": self._notes.get(unit.id, self._notes.get(None)),
        }

    def _pair_origin(self, unit: _Unit) -> str | None:
        both = models_of(unit.key, self._models)
        return None if both is None else canonical(both)

    def _row(self, field: str, phase: str) -> LongRow:
        known = self._form.fields.get(field)
        row = self._unit_head.copy()
        row["field"] = field
        row["phase"] = phase
        row["level"] = None if known is None else known.level
        row["scale"] = self._form.scales.get(field)
        return row

    def _answered(self, unit: _Unit, rating: _Rating) -> LongRow:
        row = self._row(rating.field, rating.phase)
        proposed = unit.memory_id is not None and rating.field == "verdict"
        row["value"] = value = rating.value
        row["number"] = _number(value)
        row["status"] = rating.status
        row["skip_reason"] = None if value is not None else rating.reason
        row["attested"] = rating.attested
        row["accepted_unchanged"] = value == '"keep"' if proposed else None
        self._circumstances(row, rating)
        return row

    def _kept_memory(self, unit: _Unit, verdict: _Rating) -> LongRow:
        row = self._row("memory", verdict.phase)
        assert unit.memory_id is not None
        row["value"] = self._records[unit.memory_id]
        row["number"] = row["skip_reason"] = row["accepted_unchanged"] = None
        row["status"] = Status.ANSWERED.value
        explicit = verdict.attested == Attested.EXPLICIT
        row["attested"] = Attested.DERIVED.value if explicit else verdict.attested
        self._circumstances(row, verdict)
        return row

    def _circumstances(self, row: LongRow, rating: _Rating) -> None:
        row["revision"] = rating.revision
        row["decided_at"] = rating.decided_at
        row["active_ms"] = rating.active_ms
        number = rating.guideline_id
        row["guideline"] = None if number is None else self._guidelines.get(number)
        row["presentation"] = self._presentation(rating.presentation)
        row["saw_prefill"] = rating.saw_prefill
        row["saw_judge"] = rating.saw_judge
        row["saw_peer"] = rating.saw_peer
        row["saw_translation"] = rating.saw_translation

    def _missing(self, field: FieldScale) -> LongRow:
        skipped = self._assignment.state == ItemState.SKIPPED
        row = self._row(field.key, self._assignment.given_phase)
        row["status"] = (Status.SKIPPED if skipped else Status.UNSEEN).value
        row["skip_reason"] = self._assignment.skip_reason if skipped else None
        row["value"] = row["number"] = row["attested"] = row["accepted_unchanged"] = None
        row["decided_at"] = row["guideline"] = None
        row["revision"] = row["active_ms"] = 0
        row["presentation"] = "[]"
        row["saw_prefill"] = row["saw_judge"] = row["saw_peer"] = row["saw_translation"] = False
        return row

    def _presentation(self, stored: str) -> str:
        if stored not in self._presentations:
            keys = [self._keys.get(unit, str(unit)) for unit in read_json(stored)]
            self._presentations[stored] = canonical(keys)
        return self._presentations[stored]


def _of_item(form: _Form, units: Iterable[_Unit]) -> _Form:
    """The form as it is asked of an item with these units: a question about proposals needs some."""
    there = {unit.kind for unit in units if unit.assignment_id is None} if form.needs else set()
    if form.needs <= there:
        return form
    asked = {
        kind: tuple(field for field in fields if field.needs is None or field.needs in there)
        for kind, fields in form.required.items()
    }
    return replace(form, required=asked)


_REVIEWED = {"pair": ("gold_id", "pred_id"), "missing": ("gold_id",), "extra": ("pred_id",)}


def review_name(answers: Mapping[str, str | None]) -> str | None:
    """What a review is of: "pair:m1:p1", "missing:m1" or "extra:p1"; None while it does not say.

    answers   canonical JSON by field
    """
    kind = _word(answers.get("review"))
    ids = [_word(answers.get(key)) for key in _REVIEWED.get(kind, ())]
    return ":".join([kind, *ids]) if ids and all(ids) else None


def _word(value: str | None) -> str:
    """The text that a canonical JSON text is; empty if it is none."""
    found = None if value is None else read_json(value)
    return found if isinstance(found, str) else ""


def _origin(unit: _Unit) -> str | None:
    if unit.assignment_id is not None:
        return Origin.RATER.value
    if unit.model is not None:
        return unit.model
    if unit.origin in (Origin.MODEL, Origin.SYSTEM):
        return unit.origin_name
    return unit.origin


def _number(value: str | None) -> float | None:
    """The number that a canonical JSON text is, if it is one."""
    return float(value) if value is not None and value[0] in "-0123456789" else None
