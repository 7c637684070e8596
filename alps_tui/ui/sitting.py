"""One item in front of a rater: what was read, what is answered, what is still being saved. Knows no widget."""

import json
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from uuid import uuid4

from alps_tui.protocols import rules
from alps_tui.protocols.schema import Field, Protocol
from alps_tui.protocols.sides import by_side
from alps_tui.ui.contradictions import giving_way
from alps_tui.ui.kept import Kept
from alps_tui.ui.overlay import laid_over
from alps_tui.ui.within import INNER, Within
from store.content_records import Json
from store.kinds import Attested, ItemState, Phase, Status, UnitKind, Verb
from store.records import Act, Answer, Cell, Change, ItemAnswers, ItemView, NewUnit, Seen, UnitView


@dataclass(frozen=True, slots=True)
class Gap:
    """A required answer that is not there yet. `unit` is None for a missing session unit's field."""

    unit: UnitView
    field: Field


def changed_cells(before: ItemAnswers, after: ItemAnswers) -> frozenset[Cell]:
    """Where the two say something different."""
    cells = before.answers.keys() | after.answers.keys()
    return frozenset(c for c in cells if before.answers.get(c) != after.answers.get(c))


def same_answers(shown: ItemAnswers, saved: ItemAnswers) -> bool:
    """Whether both say the same of every part, whatever ids and times they bear."""
    return _told(shown) == _told(saved)


def _told(answers: ItemAnswers) -> dict[tuple[str, str], str]:
    keys = {unit.id: unit.key for unit in answers.made}
    return {
        (keys.get(unit_id, str(unit_id)), field): json.dumps([a.value, a.status, a.reason], sort_keys=True)
        for (unit_id, field), a in answers.answers.items()
    }


class Sitting:
    """The item on the screen with its answers, those under way laid over those saved.

    Everything a screen shows of answers comes from `shown`; everything it changes goes through `act`, which
    stamps the act with this item, whatever happens to the screen afterwards.
    """

    def __init__(
        self,
        view: ItemView,
        protocol: Protocol,
        *,
        now: Callable[[], datetime] = lambda: datetime.now(UTC),
        take_active_ms: Callable[[], int] = lambda: 0,
        window: str = "",
    ) -> None:
        """`window` names the window it is in: its acts are not written over what another one changed meanwhile."""
        self.view = view
        protocol = protocol.for_ability(view.assignment.ability)
        self.protocol = protocol.for_units({unit.kind for unit in view.units if not unit.made})
        self.saved: ItemAnswers = view.answers
        self.pending: list[Act] = []
        self.translation_seen = False
        self._now = now
        self._take_active_ms = take_active_ms
        self._window = window
        self._looked_at = view.answers.revision
        self.gave_way = ""
        """The words of what the last act took back, since it could not stand beside it."""
        self._shown: ItemAnswers | None = None
        self._within = Within(view, protocol)
        self._kept = Kept(self._within.owners)
        self._of_pairs: dict[int, tuple[Field, ...]] = {}

    # ------------------------------------------------------------ what is there

    @property
    def assignment_id(self) -> int:
        return self.view.assignment.id

    @property
    def shown(self) -> ItemAnswers:
        """The answers as the screen shows them."""
        if self._shown is None:
            self._shown = laid_over(self.saved, self.pending)
            self._kept.now(self._shown)
        return self._shown

    @property
    def kept(self) -> Kept:
        """What was worked out about single parts, as far as it still holds."""
        assert self.shown is self._shown
        return self._kept

    @property
    def state(self) -> ItemState:
        return self.shown.state

    @property
    def is_revealed(self) -> bool:
        """What a judge said stands before the rater: all they said before is locked, and is asked no more."""
        return self.protocol.reveals and self.view.assignment.phase is Phase.REVEALED

    @property
    def session(self) -> UnitView | None:
        """The unit of the whole item, None where the form asks nothing about it."""
        return next((u for u in self.view.units if u.kind == UnitKind.SESSION), None)

    @property
    def units(self) -> tuple[UnitView, ...]:
        """The parts the rater goes through, in their order: those of the item, then the rater's own."""
        asked = set(self.protocol.kinds) - {UnitKind.SESSION, INNER}
        given = tuple(u for u in self.view.units if u.kind in asked and not u.made)
        return given + tuple(u for u in self.shown.made if u.kind in asked)

    def unit(self, key: str) -> UnitView | None:
        """The part with this key, the session unit too."""
        every = (*self.units, self.session) if self.session else self.units
        return next((u for u in every if u.key == key), None)

    def fields(self, unit: UnitView) -> tuple[Field, ...]:
        """What the form asks of this part, visible or not; of a pair with words and keys by side."""
        pair = self.view.pairs.get(unit.id)
        if pair is None:
            asked = self._within.fields(unit)
            return self.protocol.fields_of(unit.kind, made=unit.made) if asked is None else asked
        if unit.id not in self._of_pairs:
            fields = self.protocol.fields_of(unit.kind)
            self._of_pairs[unit.id] = tuple(by_side(f, is_swapped=pair.is_swapped) for f in fields)
        return self._of_pairs[unit.id]

    def answer(self, unit: UnitView, field: str) -> Answer | None:
        return self.shown.answers.get(self._within.cell(unit, field))

    def asked(self, cell: Cell) -> Cell:
        """The unit and question on the screen that an answer is about."""
        return self._within.question(cell)

    def value(self, unit: UnitView, field: str) -> Json:
        """The value given, None where there is none (a value is never null)."""
        answer = self.answer(unit, field)
        return answer.value if answer and answer.status == Status.ANSWERED else None

    def values(self, unit: UnitView) -> dict[str, Json]:
        """The values given for a part, by field."""
        return {f.key: v for f in self.fields(unit) if (v := self.value(unit, f.key)) is not None}

    def visible_fields(self, unit: UnitView) -> tuple[Field, ...]:
        def work_out() -> tuple[Field, ...]:
            values = self.values(unit)
            return tuple(f for f in self.fields(unit) if rules.visible(f, values))

        return self.kept.of(unit, "visible fields", work_out)

    # ------------------------------------------------------------ what is missing

    def missing(self, unit: UnitView) -> tuple[Field, ...]:
        """Required answers this part lacks; one that cannot be judged is answered by that."""

        def work_out() -> tuple[Field, ...]:
            asked = (f for f in self.visible_fields(unit) if f.required and f.kind != "derived")
            return tuple(f for f in asked if not self.answer(unit, f.key))

        return self.kept.of(unit, "missing", work_out)

    def broken(self, unit: UnitView) -> tuple[tuple[Field, str], ...]:
        """Rules over the answers of this part that do not hold yet: what to answer, and why."""

        def work_out() -> tuple[tuple[Field, str], ...]:
            return rules.check_unit(self.protocol, unit.kind, self.values(unit), made=unit.made)

        return self.kept.of(unit, "broken", work_out)

    def decided(self, unit: UnitView) -> bool:
        """Nothing required is missing here and something was answered, or nothing was ever asked."""

        def work_out() -> bool:
            required = any(f.required for f in self.fields(unit))
            return (
                not self.missing(unit) and not self.broken(unit) and (bool(self.given(unit)) or not required)
            )

        return self.kept.of(unit, "decided", work_out)

    def given(self, unit: UnitView) -> tuple[Answer, ...]:
        return tuple(a for f in self.fields(unit) if (a := self.answer(unit, f.key)))

    def gaps(self) -> Iterator[Gap]:
        """Every required answer that is missing, in the order of the screen, the session's own last."""
        for unit in (*self.units, self.session) if self.session else self.units:
            yield from (Gap(unit, field) for field in self.missing(unit))

    def next_open(self, after: UnitView | None) -> UnitView | None:
        """The first part after this one that lacks something, from the top again if need be; never this one."""
        units = self.units
        start = units.index(after) + 1 if after in units else 0
        turn = units[start:] + units[:start]
        return next((u for u in turn if u != after and self.missing(u)), None)

    def n_decided(self) -> int:
        return sum(self.decided(u) for u in self.units)

    def may_make(self, kind: UnitKind) -> bool:
        """Whether the form lets the rater make (another) unit of this kind."""
        rows = self.protocol.rows.get(kind)
        asked = bool(self.protocol.fields_of(kind, made=True))
        made = sum(u.kind == kind for u in self.shown.made)
        return asked and (rows is None or rows.max is None or made < rows.max)

    def new_unit(self, kind: UnitKind) -> NewUnit:
        """A fresh unit of the rater's own: a random key, and the next free shown id (n1, n2, ...)."""
        taken = {u.shown_id for u in (*self.view.units, *self.shown.made)}
        number = next(i for i in range(1, len(taken) + 2) if f"n{i}" not in taken)
        return NewUnit(kind, f"own:{uuid4().hex[:12]}", f"n{number}")

    # ------------------------------------------------------------ acts

    def act(
        self,
        verb: Verb,
        changes: Sequence[Change] = (),
        *,
        unit: UnitView | None = None,
        reason: str | None = None,
    ) -> Act:
        """An act on this item, stamped now; it counts as under way at once.

        What was said of the whole item and cannot stand beside these changes is taken back with them.
        """
        gone = giving_way(self, changes) if verb == Verb.SET else ()
        changes = (*changes, *(change for _, change in gone))
        self.gave_way = ", ".join(f"“{word}”" for word, _ in gone)
        act = Act(
            verb=verb,
            assignment_id=self.assignment_id,
            item_id=self.view.assignment.item_id,
            act_id=uuid4().hex,
            decided_at=self._now().isoformat(timespec="microseconds"),
            changes=tuple(changes),
            reason=reason,
            unit_id=unit.id if unit and unit.kind != UnitKind.SESSION and unit.id > 0 else None,
            active_ms=self._take_active_ms(),
            presentation=self.view.stood(self.saved.made),
            seen=Seen(
                prefill=self._shows_proposals(), translation=self.translation_seen, judge=self.is_revealed
            ),
            on_revision=self._looked_at,
            window=self._window,
        )
        self.pending.append(act)
        self._shown = None
        return act

    def changes(
        self,
        unit: UnitView | NewUnit,
        values: Mapping[str, Json],
        *,
        attested: Attested = Attested.EXPLICIT,
        raw_value: Json = None,
    ) -> tuple[Change, ...]:
        """Answers of one part, a change per field."""
        return tuple(
            replace(self.change(unit, key), value=value, attested=attested, raw_value=raw_value)
            for key, value in values.items()
        )

    def change(self, unit: UnitView | NewUnit, field: str) -> Change:
        """An empty change of a field; of a part still being saved it names the part as it was made."""
        if isinstance(unit, NewUnit):
            return Change(field, new_unit=unit)
        if unit.id > 0:
            unit_id, key = self._within.cell(unit, field)
            return Change(key, unit_id=unit_id)
        return Change(field, new_unit=NewUnit(unit.kind, unit.key, unit.shown_id))

    def _shows_proposals(self) -> bool:
        return bool(self.view.memories) and any(u.memory_id for u in self.view.units)

    # ------------------------------------------------------------ what the writer says

    def on_saved(self, act_id: str, answers: ItemAnswers) -> None:
        """The store's own fold replaces ours; acts after this one stay laid over it."""
        ids = [act.act_id for act in self.pending]
        if act_id in ids:
            del self.pending[: ids.index(act_id) + 1]
        self.saved = answers
        self._shown = None
        self.looked()

    def on_refused(self, act_id: str) -> None:
        """The store said that this act is not possible: it never happened."""
        self.pending = [act for act in self.pending if act.act_id != act_id]
        self._shown = None

    def on_overtaken(self, act_id: str, answers: ItemAnswers) -> None:
        """Another window has changed the item: this act never happened, and the rater has still to look at what is there."""
        self.on_refused(act_id)
        self.saved = answers

    def looked(self) -> None:
        """The answers as they are saved now are before the rater: acts are made on them from here on."""
        self._looked_at = self.saved.revision
