"""The log of one assignment, folded: what its acts amount to, and which act is allowed next. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from itertools import groupby
from typing import NamedTuple

from store.kinds import ItemState, Phase, Status, Verb
from store.records import Act, Cell


class LogRow(NamedTuple):
    """One row of the log as it is stored: closed vocabularies and JSON still as text. A tuple, as logs are long."""

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
    return Folding.of(rows, phase).folded()


class Folding:
    """A log on its way through the fold. `settled` acts can no longer be undone, `done` ones hold and can be,
    `undone` ones wait for a redo (the next one last)."""

    def __init__(self, phase: Phase) -> None:
        self._given = phase
        self._settled: list[Rows] = []
        self._done: list[Rows] = []
        self._undone: list[Rows] = []
        self._state = _Replay(phase)
        self._revision = 0
        self._active_ms = 0

    @classmethod
    def of(cls, rows: Iterable[LogRow], phase: Phase) -> "Folding":
        """The log as a whole: what was undone is never applied."""
        folding = cls(phase)
        for _, group in groupby(rows, key=_act_id):
            folding._take(tuple(group))
        folding._replay()
        return folding

    def then(self, act: Rows) -> "Folding":
        """One act more. Only an undo goes through the log again."""
        following = Folding(self._given)
        following._settled = list(self._settled)
        following._done = list(self._done)
        following._undone = list(self._undone)
        following._revision = self._revision
        following._active_ms = self._active_ms
        following._take(act)
        if act[0].verb == Verb.UNDO:
            following._replay()
            return following
        following._state = self._state.copy()
        if act[0].verb != Verb.ACKNOWLEDGE:
            following._state.apply(following._done[-1] if act[0].verb == Verb.REDO else act)
        return following

    def _take(self, act: Rows) -> None:
        """A reveal settles everything before it: what was seen cannot be unseen, and what was said stands."""
        verb = act[0].verb
        if verb == Verb.ACKNOWLEDGE:
            pass  # it was read: nothing of the item changes, nothing takes it back, and what was undone still waits
        elif verb == Verb.UNDO:
            if self._done:
                self._undone.append(self._done.pop())
        elif verb == Verb.REDO:
            if self._undone:
                self._done.append(self._undone.pop())
        elif verb == Verb.REVEAL:
            self._settled += [*self._done, act]
            self._done, self._undone = [], []
        else:
            self._done.append(act)
            self._undone = []
        self._revision = act[-1].revision
        self._active_ms += act[0].active_ms

    def _replay(self) -> None:
        self._state = _Replay(self._given)
        for act in (*self._settled, *self._done):
            self._state.apply(act)

    def folded(self) -> Folded:
        state = self._state
        return Folded(
            state=state.state,
            phase=state.phase,
            skip_reason=state.skip_reason,
            submitted_at=state.submitted_at,
            revision=self._revision,
            active_ms=self._active_ms,
            cells=state.cells,
            ratings=state.ratings,
            notes=state.notes,
            flags=state.flags,
            can_undo=bool(self._done),
            can_redo=bool(self._undone),
        )


def _act_id(row: LogRow) -> str:
    return row.act_id


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

    def copy(self) -> "_Replay":
        other = _Replay(self.phase)
        other.state = self.state
        other.skip_reason = self.skip_reason
        other.submitted_at = self.submitted_at
        other.cells = dict(self.cells)
        other.ratings = dict(self.ratings)
        other.notes = dict(self.notes)
        other.flags = dict(self.flags)
        other._before_reveal = self._before_reveal
        return other

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
    if act.verb is Verb.ACKNOWLEDGE:
        return "To acknowledge a version changes no field." if act.changes else None
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
    said_something = now.state is ItemState.OPEN and bool(now.cells)
    if now.state is not ItemState.SUBMITTED and not said_something:
        return "An item is revealed only after it was submitted, or something was said of it: that is locked then."
    return None


def _change_refusal(act: Act) -> str | None:
    if not act.changes:
        return "An answer needs at least one field."
    if act.verb is Verb.SET and act.changes[0].status is Status.UNSEEN:
        return f"The answer to {act.changes[0].field} is only taken back: clear it instead."
    for change in act.changes:
        if (change.unit_id is None) == (change.new_unit is None):
            return f"The answer to {change.field} names no unit, or two."
        if act.verb is Verb.CLEAR:
            continue
        if (change.status is Status.ANSWERED) != (change.value is not None):
            return f"The answer to {change.field} has no value, or a value it must not have."
    return None
