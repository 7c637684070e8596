"""The log of one assignment, folded: what its acts amount to, and which act is allowed next. Pure."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from itertools import groupby

from store.kinds import ItemState, Phase, Status, Verb
from store.records import Act, Cell

UNDOABLE = frozenset({Verb.SET, Verb.CLEAR, Verb.SUBMIT, Verb.SKIP, Verb.FLAG, Verb.NOTE, Verb.REOPEN})


@dataclass(frozen=True, slots=True)
class LogRow:
    """One row of the log as it is stored: closed vocabularies and JSON still as text."""

    revision: int
    act_id: str
    verb: str
    phase: str
    unit_id: int | None
    field: str | None
    status: str | None
    value: str | None
    raw_value: str | None
    reason: str | None
    attested: str | None
    decided_at: str
    active_ms: int
    presentation: str
    saw_prefill: bool
    saw_judge: bool
    saw_peer: bool
    saw_translation: bool
    guideline_id: int | None


Rows = tuple[LogRow, ...]
Layered = tuple[int, str, str]
"""Unit, field, phase: the key of a rating within its assignment."""


@dataclass(frozen=True, slots=True)
class Folded:
    """What a log says now.

    cells      the row that holds for each answered, skipped or not judgeable cell
    ratings    the same kept apart by phase; a cell that was answered before a reveal and cleared after it
               holds the row that cleared it
    notes, flags   by unit id, None for the whole item
    """

    state: ItemState
    phase: Phase
    skip_reason: str | None = None
    submitted_at: str | None = None
    revision: int = 0
    active_ms: int = 0
    cells: Mapping[Cell, LogRow] = field(default_factory=dict)
    ratings: Mapping[Layered, LogRow] = field(default_factory=dict)
    notes: Mapping[int | None, str] = field(default_factory=dict)
    flags: Mapping[int | None, str] = field(default_factory=dict)
    can_undo: bool = False
    can_redo: bool = False


def fold(rows: Iterable[LogRow], phase: Phase = Phase.BLIND) -> Folded:
    """The state after a log, whose rows are in the order of their revisions.

    phase    the phase in which the assignment was given
    returns  the same for the same rows, whoever asks and whenever; an empty log is an open item
    """
    acts = [tuple(group) for _, group in groupby(rows, key=lambda row: row.act_id)]
    settled, done, undone = _effective(acts)
    state = _Replay(phase)
    for act in (*settled, *done):
        state.apply(act)
    return Folded(
        state=state.state,
        phase=state.phase,
        skip_reason=state.skip_reason,
        submitted_at=state.submitted_at,
        revision=acts[-1][-1].revision if acts else 0,
        active_ms=sum(act[0].active_ms for act in acts),
        cells=state.cells,
        ratings=state.ratings,
        notes=state.notes,
        flags=state.flags,
        can_undo=bool(done),
        can_redo=bool(undone),
    )


def _effective(acts: Sequence[Rows]) -> tuple[list[Rows], list[Rows], list[Rows]]:
    """Acts that can no longer be undone, acts that hold and can be, acts that were undone (the next redo last).

    A reveal settles everything before it: what was seen cannot be unseen.
    """
    settled: list[Rows] = []
    done: list[Rows] = []
    undone: list[Rows] = []
    for act in acts:
        verb = act[0].verb
        if verb == Verb.UNDO:
            if done:
                undone.append(done.pop())
        elif verb == Verb.REDO:
            if undone:
                done.append(undone.pop())
        elif verb == Verb.REVEAL:
            settled += [*done, act]
            done, undone = [], []
        else:
            done.append(act)
            undone = []
    return settled, done, undone


class _Replay:
    """The state while effective acts are applied one after the other."""

    def __init__(self, phase: Phase) -> None:
        self.state = ItemState.OPEN
        self.phase = phase
        self.skip_reason: str | None = None
        self.submitted_at: str | None = None
        self.cells: dict[Cell, LogRow] = {}
        self.ratings: dict[Layered, LogRow] = {}
        self.notes: dict[int | None, str] = {}
        self.flags: dict[int | None, str] = {}
        self._before_reveal: frozenset[Cell] = frozenset()

    def apply(self, act: Rows) -> None:
        first = act[0]
        if first.verb in (Verb.SET, Verb.CLEAR):
            for row in act:
                self._change(row)
        elif first.verb == Verb.NOTE:
            _remark(self.notes, first)
        elif first.verb == Verb.FLAG:
            _remark(self.flags, first)
        elif first.verb == Verb.REVEAL:
            self.phase = Phase.REVEALED
            self._before_reveal = frozenset(self.cells)
        else:
            self._move(first)

    def _change(self, row: LogRow) -> None:
        assert row.unit_id is not None and row.field is not None
        cell = (row.unit_id, row.field)
        layered = (*cell, self.phase.value)
        if row.verb == Verb.SET:
            self.cells[cell] = row
            self.ratings[layered] = row
            return
        self.cells.pop(cell, None)
        if cell in self._before_reveal:
            self.ratings[layered] = row
        else:
            self.ratings.pop(layered, None)

    def _move(self, row: LogRow) -> None:
        self.skip_reason = row.reason if row.verb == Verb.SKIP else None
        self.submitted_at = row.decided_at if row.verb == Verb.SUBMIT else None
        self.state = {
            Verb.SUBMIT: ItemState.SUBMITTED,
            Verb.SKIP: ItemState.SKIPPED,
            Verb.REOPEN: ItemState.OPEN,
        }[Verb(row.verb)]


def _remark(remarks: dict[int | None, str], row: LogRow) -> None:
    if row.reason is None:
        remarks.pop(row.unit_id, None)
    else:
        remarks[row.unit_id] = row.reason


# ---------------------------------------------------------------- which act is allowed


def refusal(now: Folded, act: Act) -> str | None:
    """Why an act is not possible in this state, as a sentence; None if it is."""
    if act.verb in (Verb.NOTE, Verb.FLAG):
        return "A note or a flag changes no field." if act.changes else None
    if act.verb is Verb.REVEAL:
        return _reveal_refusal(now)
    if now.phase is Phase.LOCKED:
        return "This item is locked: its answers stand until they are revealed."
    if act.verb is Verb.UNDO:
        return None if now.can_undo else "There is nothing to undo on this item."
    if act.verb is Verb.REDO:
        return None if now.can_redo else "There is nothing to redo on this item."
    if act.verb is Verb.REOPEN:
        return "This item is open already." if now.state is ItemState.OPEN else None
    if now.state is not ItemState.OPEN:
        return f"This item is {now.state.value}. Reopen it first."
    if act.verb is Verb.SKIP:
        return None if act.reason and act.reason.strip() else "Skipping an item needs a reason."
    if act.verb is Verb.SUBMIT:
        return None
    return _change_refusal(act)


def _reveal_refusal(now: Folded) -> str | None:
    if now.phase is Phase.REVEALED:
        return "This item is revealed already."
    if now.state is not ItemState.SUBMITTED:
        return "An item is revealed only after it was submitted."
    return None


def _change_refusal(act: Act) -> str | None:
    if not act.changes:
        return "An answer needs at least one field."
    for change in act.changes:
        if (change.unit_id is None) == (change.new_unit is None):
            return f"The answer to {change.field} names no unit, or two."
        if act.verb is Verb.CLEAR:
            continue
        if change.status is Status.UNSEEN:
            return f"The answer to {change.field} cannot be unseen: clear it instead."
        if (change.status is Status.ANSWERED) != (change.value is not None):
            return f"The answer to {change.field} has no value, or a value it must not have."
    return None
