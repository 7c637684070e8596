"""The log of decisions: append an act, read what a rater says now, and prove that log and projection agree."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, bindparam, delete, func, insert, or_, select, update

from store import models as m
from store.encoding import canonical, now, read_json, storable_or_none
from store.errors import Conflict, NotPossible
from store.fold import Folded, LogRow, fold, refusal
from store.kinds import Attested, Phase, Status, UnitKind
from store.log import chained, ratings_of, read_log, state_of
from store.records import Act, Answer, Change, ItemAnswers, NewUnit, Saved, Seen, UnitView
from store.verification import Mismatch, verify

__all__ = ["Conflict", "Mismatch", "NotPossible", "append", "fold", "item_answers", "verify"]


@dataclass(frozen=True, slots=True)
class _Target:
    """The assignment an act is about."""

    id: int
    item_id: int
    given_phase: Phase
    protocol_id: int
    guideline_id: int | None


# ---------------------------------------------------------------- writing


def append(conn: Connection, act: Act) -> Saved:
    """Write one act: its rows of the log, what they change in the ratings, and the assignment's state.

    Call it inside `Database.write`: all of it is one immediate transaction. An act whose id is in the log
    already is not written again. A submit does not look at required fields: the caller knows the form.

    FLAG and NOTE: `reason` None takes the flag or the note away.

    raises   NotPossible if the act is not about the assignment's item or the rules forbid it now,
             Conflict if its id belongs to another act
    """
    if _is_known(conn, act):
        answers = item_answers(conn, act.assignment_id)
        return Saved(act.act_id, act.assignment_id, answers.revision, answers)
    target = _target(conn, act)
    rows = read_log(conn, target.id)
    before = fold(rows, target.given_phase)
    why_not = refusal(before, act)
    if why_not is not None:
        raise NotPossible(why_not)
    units = _units(conn, target, act)
    new = _write_rows(conn, target, act, before, units)
    after = fold((*rows, *new), target.given_phase)
    _project(conn, target, act, before, after)
    return Saved(act.act_id, target.id, after.revision, _answers(conn, target.id, after))


def _is_known(conn: Connection, act: Act) -> bool:
    d = m.decision.c
    row = conn.execute(select(d.assignment_id, d.verb).where(d.act_id == act.act_id, d.act_part == 0)).first()
    if row is None:
        return False
    if (row.assignment_id, row.verb) != (act.assignment_id, act.verb.value):
        raise Conflict(f"The act {act.act_id} is in the log as another one. It was not written.")
    return True


def _target(conn: Connection, act: Act) -> _Target:
    """The assignment, its row locked where the database locks rows."""
    a, g = m.assignment.c, m.guideline.c
    wanted = select(a.id, a.item_id, a.given_phase, a.protocol_id).where(a.id == act.assignment_id)
    row = conn.execute(wanted.with_for_update()).first()
    if row is None:
        raise NotPossible(f"There is no assignment with the number {act.assignment_id}.")
    if row.item_id != act.item_id:
        raise NotPossible(
            "This act was made on another item than that of its assignment. It was not written."
        )
    guideline = conn.execute(select(func.max(g.id)).where(g.protocol_id == row.protocol_id)).scalar()
    return _Target(row.id, row.item_id, Phase(row.given_phase), row.protocol_id, guideline)


# ---------------------------------------------------------------- units an act names or makes


def _units(conn: Connection, target: _Target, act: Act) -> dict[str, int]:
    """Check every unit the act names and make those it makes. Returns the rater's own units, key → id."""
    u = m.unit.c
    named = {change.unit_id for change in act.changes if change.unit_id is not None}
    if act.unit_id is not None:
        named.add(act.unit_id)
    rows = conn.execute(
        select(u.id, u.item_id, u.assignment_id, u.key, u.kind).where(
            or_(u.id.in_(sorted(named)), u.assignment_id == target.id)
        )
    ).all()
    allowed = {
        row.id for row in rows if row.item_id == target.item_id and row.assignment_id in (None, target.id)
    }
    if not named <= allowed:
        raise NotPossible("This act names a part that is not of its item. It was not written.")
    made = {row.key: (int(row.id), str(row.kind)) for row in rows if row.assignment_id == target.id}
    for change in act.changes:
        if change.new_unit is not None:
            made[change.new_unit.key] = _make_unit(conn, target, change.new_unit, made)
    return {key: number for key, (number, _) in made.items()}


def _make_unit(
    conn: Connection, target: _Target, unit: NewUnit, made: Mapping[str, tuple[int, str]]
) -> tuple[int, str]:
    """The row of a rater's own unit; the same key again is the same unit, so that a resent act makes no second."""
    known = made.get(unit.key)
    if known is not None:
        if known[1] != unit.kind.value:
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
    return int(key[0]), unit.kind.value


# ---------------------------------------------------------------- rows of the log


def _write_rows(
    conn: Connection, target: _Target, act: Act, before: Folded, units: Mapping[str, int]
) -> list[LogRow]:
    """The rows of an act: one for each change, or a single one for an act without changes."""
    held = {cell: row.value for cell, row in before.cells.items()}
    chain = _last_chain(conn, target.id)
    recorded_at = now()
    rows: list[LogRow] = []
    records: list[dict[str, Any]] = []
    for part, change in enumerate(act.changes or (None,)):
        values = _act_values(act, before, target) | _change_values(act, change, units)
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
    conn.execute(insert(m.decision), records)
    return rows


def _last_chain(conn: Connection, assignment_id: int) -> str:
    d = m.decision.c
    last = select(d.chain).where(d.assignment_id == assignment_id).order_by(d.revision.desc()).limit(1)
    return str(conn.execute(last).scalar() or "")


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


def _change_values(act: Act, change: Change | None, units: Mapping[str, int]) -> dict[str, Any]:
    """What a row says of its field; an act without changes has a reason and perhaps a unit."""
    if change is None:
        nothing = dict.fromkeys(("field", "status", "value", "raw_value", "attested"))
        return nothing | {"unit_id": act.unit_id, "reason": storable_or_none(act.reason)}
    unit_id = change.unit_id if change.new_unit is None else units[change.new_unit.key]
    common = {"unit_id": unit_id, "field": change.field, "attested": change.attested.value}
    if act.verb == "clear":
        return common | {"status": None, "value": None, "raw_value": None, "reason": None}
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
    old, new = ratings_of(before), ratings_of(after)
    r = m.rating.c
    gone = [key for key, row in old.items() if new.get(key) != row]
    if gone:
        statement = delete(m.rating).where(
            r.assignment_id == target.id,
            r.unit_id == bindparam("of_unit"),
            r.field == bindparam("of_field"),
            r.phase == bindparam("of_phase"),
        )
        conn.execute(statement, [{"of_unit": u, "of_field": f, "of_phase": p} for u, f, p in gone])
    fresh = [row | {"assignment_id": target.id} for key, row in new.items() if old.get(key) != row]
    if fresh:
        conn.execute(insert(m.rating), fresh)
    a = m.assignment.c
    opened = func.coalesce(a.opened_at, act.decided_at)
    values = state_of(after) | {"opened_at": opened, "withdrawn_at": None}
    conn.execute(update(m.assignment).where(a.id == target.id).values(**values))


# ---------------------------------------------------------------- reading


def item_answers(conn: Connection, assignment_id: int) -> ItemAnswers:
    """What the rater of an assignment says now, folded from the log.

    raises   NotPossible if there is no such assignment
    """
    a = m.assignment.c
    phase = conn.execute(select(a.given_phase).where(a.id == assignment_id)).scalar()
    if phase is None:
        raise NotPossible(f"There is no assignment with the number {assignment_id}.")
    return _answers(conn, assignment_id, fold(read_log(conn, assignment_id), Phase(phase)))


def _answers(conn: Connection, assignment_id: int, folded: Folded) -> ItemAnswers:
    answered = {unit_id for unit_id, _ in folded.cells}
    return ItemAnswers(
        state=folded.state,
        answers={cell: _answer(row) for cell, row in folded.cells.items()},
        notes=folded.notes,
        flags=folded.flags,
        made=tuple(unit for unit in _made(conn, assignment_id) if unit.id in answered),
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


def _made(conn: Connection, assignment_id: int) -> list[UnitView]:
    """All units the rater ever made here, in the order in which they were made."""
    u = m.unit.c
    rows = conn.execute(
        select(u.id, u.kind, u.key, u.shown_id).where(u.assignment_id == assignment_id).order_by(u.id)
    )
    return [UnitView(row.id, UnitKind(row.kind), row.key, row.shown_id, made=True) for row in rows]
