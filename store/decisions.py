"""The log of decisions: append an act, read what a rater says now, and prove that log and projection agree."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from store import models as m
from store.encoding import canonical, now, read_json, storable_or_none
from store.errors import ChangedElsewhere, Conflict, NotPossible
from store.fold import Folded, Folding, LogRow, Rows, fold, refusal
from store.kinds import Attested, Phase, Status, UnitKind, Verb
from store.log import STATE_COLUMNS, chained, ratings_of, read_log, state_of
from store.records import Act, Answer, Change, ItemAnswers, NewUnit, Saved, Seen, UnitView
from store.verification import Mismatch, verify

__all__ = [
    "ChangedElsewhere",
    "Conflict",
    "Mismatch",
    "NotPossible",
    "append",
    "fold",
    "item_answers",
    "on_own_acts",
    "verify",
]


_a, _d, _g, _r, _u = m.assignment.c, m.decision.c, m.guideline.c, m.rating.c, m.unit.c

_KNOWN = select(_d.assignment_id, _d.verb).where(_d.act_id == bindparam("act"), _d.act_part == 0)
_REACHED = select(func.max(_d.revision)).where(_d.act_id == bindparam("act"))
_TARGET = (
    select(
        _a.id,
        _a.item_id,
        _a.given_phase,
        _a.protocol_id,
        select(func.max(_g.id))
        .where(_g.protocol_id == _a.protocol_id)
        .scalar_subquery()
        .label("guideline_id"),
        select(_d.chain)
        .where(_d.assignment_id == _a.id)
        .order_by(_d.revision.desc())
        .limit(1)
        .scalar_subquery()
        .label("chain"),
    )
    .where(_a.id == bindparam("assignment"))
    .with_for_update(of=m.assignment)
)
_UNITS = (
    select(_u.id, _u.item_id, _u.assignment_id, _u.key, _u.kind, _u.shown_id)
    .where(or_(_u.assignment_id == bindparam("assignment"), _u.id.in_(bindparam("named", expanding=True))))
    .order_by(_u.id)
)
_MADE = (
    select(_u.id, _u.key, _u.kind, _u.shown_id)
    .where(_u.assignment_id == bindparam("assignment"))
    .order_by(_u.id)
)
_UNRATE = delete(m.rating).where(
    _r.assignment_id == bindparam("assignment"),
    _r.unit_id == bindparam("of_unit"),
    _r.field == bindparam("of_field"),
    _r.phase == bindparam("of_phase"),
)
_LOG = insert(m.decision)
_RATE = insert(m.rating)
_STATE = (
    update(m.assignment)
    .where(_a.id == bindparam("assignment"))
    .values(
        {name: bindparam(f"new_{name}") for name in STATE_COLUMNS}
        | {"opened_at": func.coalesce(_a.opened_at, bindparam("seen_at")), "withdrawn_at": None}
    )
)


@dataclass(frozen=True, slots=True)
class _Target:
    """The assignment an act is about, and where its log stands."""

    id: int
    item_id: int
    given_phase: Phase
    protocol_id: int
    guideline_id: int | None
    chain: str


# ---------------------------------------------------------------- writing


def append(conn: Connection, act: Act) -> Saved:
    """Write one act: its rows of the log, what they change in the ratings, and the assignment's state.

    Call it inside `Database.write`: all of it is one immediate transaction. An act whose id is in the log
    already is not written again. A submit does not look at required fields: the caller knows the form.

    FLAG and NOTE: `reason` None takes the flag or the note away.

    raises   NotPossible if the act is not about the assignment's item or the rules forbid it now,
             ChangedElsewhere if the log has gone beyond the revision it was made on,
             Conflict if its id belongs to another act
    """
    if _is_known(conn, act):
        reached = int(conn.execute(_REACHED, {"act": act.act_id}).scalar_one())
        return Saved(act.act_id, act.assignment_id, reached, item_answers(conn, act.assignment_id))
    target = _target(conn, act)
    folding = Folding.of(read_log(conn, target.id), target.given_phase)
    before = folding.folded()
    if act.on_revision is not None and before.revision > act.on_revision:
        raise ChangedElsewhere(
            "This item was changed in another window before this decision could be saved. It was not taken.",
            item_answers(conn, act.assignment_id),
        )
    why_not = refusal(before, act)
    if why_not is not None:
        raise NotPossible(why_not)
    made = _units(conn, target, act)
    after = folding.then(_write_rows(conn, target, act, before, made)).folded()
    _project(conn, target, act, before, after)
    return Saved(act.act_id, target.id, after.revision, _answers(after, made.values()))


def on_own_acts(act: Act, reached: int | None) -> Act:
    """The act, to be written after acts of its own window that were still on their way when it was made.

    reached   the revision after the last act of the same window on the same assignment, None if there was none
    """
    if act.on_revision is None or reached is None or reached <= act.on_revision:
        return act
    return replace(act, on_revision=reached)


def _is_known(conn: Connection, act: Act) -> bool:
    row = conn.execute(_KNOWN, {"act": act.act_id}).first()
    if row is None:
        return False
    if (row.assignment_id, row.verb) != (act.assignment_id, act.verb.value):
        raise Conflict(f"The act {act.act_id} is in the log as another one. It was not written.")
    return True


def _target(conn: Connection, act: Act) -> _Target:
    """The assignment, its row locked where the database locks rows."""
    row = conn.execute(_TARGET, {"assignment": act.assignment_id}).first()
    if row is None:
        raise NotPossible(f"There is no assignment with the number {act.assignment_id}.")
    if row.item_id != act.item_id:
        raise NotPossible(
            "This act was made on another item than that of its assignment. It was not written."
        )
    given = Phase(row.given_phase)
    return _Target(row.id, row.item_id, given, row.protocol_id, row.guideline_id, row.chain or "")


# ---------------------------------------------------------------- units an act names or makes


def _units(conn: Connection, target: _Target, act: Act) -> dict[str, UnitView]:
    """Check every unit the act names and make those it makes. Returns all the rater's own units by key."""
    named = {change.unit_id for change in act.changes if change.unit_id is not None}
    if act.unit_id is not None:
        named.add(act.unit_id)
    rows = conn.execute(_UNITS, {"assignment": target.id, "named": sorted(named)}).all()
    allowed = {
        row.id for row in rows if row.item_id == target.item_id and row.assignment_id in (None, target.id)
    }
    if not named <= allowed:
        raise NotPossible("This act names a part that is not of its item. It was not written.")
    made = {row.key: _unit(row) for row in rows if row.assignment_id == target.id}
    for change in act.changes:
        if change.new_unit is not None:
            made[change.new_unit.key] = _make_unit(conn, target, change.new_unit, made)
    return made


def _unit(row: Any) -> UnitView:
    return UnitView(row.id, UnitKind(row.kind), row.key, row.shown_id, made=True)


def _make_unit(conn: Connection, target: _Target, unit: NewUnit, made: Mapping[str, UnitView]) -> UnitView:
    """The row of a rater's own unit; the same key again is the same unit, so that a resent act makes no second."""
    known = made.get(unit.key)
    if known is not None:
        if known.kind is not unit.kind:
            raise NotPossible(f"The part {unit.key} is of another kind already. It was not made again.")
        return known
    row = {
        "item_id": target.item_id,
        "assignment_id": target.id,
        "position": len(made),
        "key": unit.key,
        "kind": unit.kind.value,
        "shown_id": unit.shown_id,
    }
    key = conn.execute(insert(m.unit), row).inserted_primary_key
    assert key is not None
    return UnitView(int(key[0]), unit.kind, unit.key, unit.shown_id, made=True)


# ---------------------------------------------------------------- rows of the log


def _write_rows(
    conn: Connection, target: _Target, act: Act, before: Folded, made: Mapping[str, UnitView]
) -> Rows:
    """The rows of an act: one for each change, or a single one for an act without changes."""
    held = {cell: row.value for cell, row in before.cells.items()}
    chain = target.chain
    recorded_at = now()
    rows: list[LogRow] = []
    records: list[dict[str, Any]] = []
    for part, change in enumerate(act.changes or (None,)):
        values = _act_values(act, before, target) | _change_values(act, change, made)
        values["revision"] = before.revision + 1 + part
        rows.append(LogRow(**values))
        old_value = None
        if change is not None:
            cell = (values["unit_id"], change.field)
            old_value = held.get(cell)
            held[cell] = values["value"]
        record = values | {
            "assignment_id": target.id,
            "act_part": part,
            "old_value": old_value,
            "recorded_at": recorded_at,
            "protocol_id": target.protocol_id,
        }
        chain = chained(chain, record)
        records.append(record | {"chain": chain})
    conn.execute(_LOG, records)
    return tuple(rows)


def _act_values(act: Act, before: Folded, target: _Target) -> dict[str, Any]:
    return {
        "act_id": act.act_id,
        "verb": act.verb.value,
        "phase": before.phase.value,
        "decided_at": act.decided_at,
        "active_ms": act.active_ms,
        "presentation": canonical(act.presentation),
        "saw_prefill": act.seen.prefill,
        "saw_judge": act.seen.judge,
        "saw_peer": act.seen.peer,
        "saw_translation": act.seen.translation,
        "guideline_id": target.guideline_id,
    }


def _change_values(act: Act, change: Change | None, made: Mapping[str, UnitView]) -> dict[str, Any]:
    """What a row says of its field; an act without changes has a reason and perhaps a unit."""
    if change is None:
        nothing = dict.fromkeys(("field", "status", "value", "raw_value", "attested"))
        return nothing | {"unit_id": act.unit_id, "reason": storable_or_none(act.reason)}
    unit_id = change.unit_id if change.new_unit is None else made[change.new_unit.key].id
    common = {"unit_id": unit_id, "field": change.field, "attested": change.attested.value}
    if act.verb is Verb.CLEAR or change.status is Status.UNSEEN:
        nothing = dict.fromkeys(("status", "value", "raw_value", "reason"))
        return common | nothing | {"verb": Verb.CLEAR.value}
    try:
        value = None if change.value is None else canonical(change.value)
        raw_value = None if change.raw_value is None else canonical(change.raw_value)
    except (TypeError, ValueError) as error:
        raise NotPossible(f"The answer to {change.field} cannot be written as JSON: {error}.") from error
    return common | {
        "status": change.status.value,
        "value": value,
        "raw_value": raw_value,
        "reason": storable_or_none(change.reason),
    }


# ---------------------------------------------------------------- the projections


def _project(conn: Connection, target: _Target, act: Act, before: Folded, after: Folded) -> None:
    """Bring the ratings and the assignment to what the log says: only what changed is written."""
    gone = [key for key, row in before.ratings.items() if after.ratings.get(key) is not row]
    if gone:
        keys = [{"assignment": target.id, "of_unit": u, "of_field": f, "of_phase": p} for u, f, p in gone]
        conn.execute(_UNRATE, keys)
    new = {key: row for key, row in after.ratings.items() if before.ratings.get(key) is not row}
    if new:
        conn.execute(
            insert(m.rating), [row | {"assignment_id": target.id} for row in ratings_of(new).values()]
        )
    state = {f"new_{name}": value for name, value in state_of(after).items()}
    conn.execute(_STATE, state | {"assignment": target.id, "seen_at": act.decided_at})


# ---------------------------------------------------------------- reading


def item_answers(conn: Connection, assignment_id: int) -> ItemAnswers:
    """What the rater of an assignment says now, folded from the log.

    raises   NotPossible if there is no such assignment
    """
    phase = conn.execute(select(_a.given_phase).where(_a.id == assignment_id)).scalar()
    if phase is None:
        raise NotPossible(f"There is no assignment with the number {assignment_id}.")
    made = [_unit(row) for row in conn.execute(_MADE, {"assignment": assignment_id})]
    return _answers(fold(read_log(conn, assignment_id), Phase(phase)), made)


def _answers(folded: Folded, made: Iterable[UnitView]) -> ItemAnswers:
    answered = {unit_id for unit_id, _ in folded.cells}
    return ItemAnswers(
        state=folded.state,
        answers={cell: _answer(row) for cell, row in folded.cells.items()},
        notes=folded.notes,
        flags=folded.flags,
        made=tuple(unit for unit in made if unit.id in answered),
        revision=folded.revision,
        can_undo=folded.can_undo,
        can_redo=folded.can_redo,
        skip_reason=folded.skip_reason,
    )


def _answer(row: LogRow) -> Answer:
    return Answer(
        value=None if row.value is None else read_json(row.value),
        status=Status(row.status or Status.UNSEEN),
        reason=row.reason,
        attested=Attested(row.attested or Attested.EXPLICIT),
        revision=row.revision,
        decided_at=row.decided_at,
        raw_value=None if row.raw_value is None else read_json(row.raw_value),
        active_ms=row.active_ms,
        seen=Seen(row.saw_prefill, row.saw_judge, row.saw_peer, row.saw_translation),
        presentation=tuple(read_json(row.presentation)),
    )
