"""What can be done with memories beside a verdict: add, take over, merge, split. Each is one act."""

from collections.abc import Mapping

from alps_tui.protocols.schema import Field
from alps_tui.ui.asking import list_kind, verdict_field
from alps_tui.ui.memory_record import Record, changed_keys, empty_record, reasons_of, record_of
from alps_tui.ui.screens.deciding import Deciding, Desk
from alps_tui.ui.screens.filter_list import Entrant, FilterScreen
from alps_tui.ui.screens.memory_editor import EditorTask
from alps_tui.ui.screens.pick import Pickable, Picked, PickScreen
from alps_tui.ui.shown import attributes, evidence_of, memory_of
from alps_tui.ui.shown_update import ACTION, derived_action
from store.content_records import Evidence, Json
from store.kinds import Attested, UnitKind, Verb
from store.records import Change, MemoryView, NewUnit, UnitView


class MemoryActs:
    """Adding, taking over, merging and splitting on the item on the desk."""

    def __init__(self, desk: Desk, deciding: Deciding) -> None:
        self._desk = desk
        self._deciding = deciding

    @property
    def _kind(self) -> UnitKind:
        """What an added memory is a unit of."""
        return list_kind(self._desk.sitting.protocol)

    def add(self) -> None:
        """A memory the list missed."""
        if not self._may_add():
            return
        new = self._desk.sitting.new_unit(self._kind)
        task = EditorTask(
            f"{new.shown_id}: a memory the list missed", {**empty_record(new.shown_id), "type": None}
        )

        def then(record: Record) -> None:
            added = {**record, "memory_id": new.shown_id}
            self._make(new, {"memory": added}, self._action_of(new, added))
            self._deciding.forget_drafts("add")
            self._desk.say(f"{new.shown_id} added. v marks its evidence.")

        self._deciding.edit_record("add", task, then)

    def _may_add(self) -> bool:
        allowed = self._desk.sitting.may_make(self._kind)
        if not allowed:
            self._desk.say("This form takes no (more) memories of your own.")
        return allowed

    def _make(self, new: NewUnit, values: Mapping[str, Json], extra: tuple[Change, ...] = ()) -> None:
        """Make a unit with these answers, and go to it."""
        sitting = self._desk.sitting
        known = {f.key for f in sitting.protocol.fields_of(new.kind, made=True)}
        changes = sitting.changes(new, {k: v for k, v in values.items() if k in known and v})
        self._desk.put(sitting.act(Verb.SET, (*extra, *changes)))
        self._desk.show_unit(new.key)

    def _action_of(self, new: NewUnit, record: Record) -> tuple[Change, ...]:
        """In an item about an update, what it is that the added memory stands for."""
        sitting = self._desk.sitting
        action = derived_action(sitting, None, {"memory": record})
        if action is None or all(f.key != ACTION for f in sitting.protocol.fields_of(new.kind, made=True)):
            return ()
        return sitting.changes(new, {ACTION: action}, attested=Attested.DERIVED)

    def edit_made(self, unit: UnitView) -> None:
        """Put a memory of one's own right."""
        sitting = self._desk.sitting
        draft = f"edit {unit.key}"
        title = f"{unit.shown_id}: your own memory"

        def then(record: Record) -> None:
            self._deciding.forget_drafts(draft)
            if record != sitting.value(unit, "memory"):
                self._desk.put(sitting.act(Verb.SET, sitting.changes(unit, {"memory": record}), unit=unit))

        task = EditorTask(title, self._deciding.record(unit), quote=self._deciding.quote(unit))
        self._deciding.edit_record(draft, task, then)

    # ------------------------------------------------------------ taking over

    def take_over(self) -> None:
        """Choose among the memories models extracted; which model, the screen does not know."""
        sitting = self._desk.sitting
        if not sitting.view.candidates:
            self._desk.say("No memories were extracted for this dialogue.")
        elif self._may_add():
            entrants = [self._entrant(c) for c in sitting.view.candidates]
            title = f"Take over a memory · {len(entrants)} extracted, in no order"
            self._desk.ask(FilterScreen(title, entrants), self._take)

    def _entrant(self, candidate: MemoryView) -> Entrant[MemoryView]:
        same = self._already(candidate)
        mark = f"= {same}  " if same else ""
        where = next(
            (f"turn {e.turn + 1}" for e in candidate.evidence if e.turn is not None), "no evidence found"
        )
        aside = " · ".join((candidate.label or "no label", *attributes(candidate), where))
        return Entrant(
            candidate, f"{mark}{candidate.value}", (aside,), f"{candidate.shown_id} {'same' if same else ''}"
        )

    def _already(self, candidate: MemoryView) -> str:
        """The memory of the list that says the same and still stands, by its shown id; empty if none does."""
        sitting = self._desk.sitting
        wanted = normal(candidate.value)
        for unit in sitting.units:
            verdict = verdict_field(sitting, unit)
            gone = verdict is not None and sitting.value(unit, verdict.key) == "delete"
            memory = memory_of(sitting, unit)
            if memory is not None and not gone and normal(memory.value) == wanted:
                return unit.shown_id
            if sitting.value(unit, "from_candidate") == candidate.key:
                return unit.shown_id
        return ""

    def _take(self, candidate: MemoryView | None) -> None:
        if candidate is None:
            return
        new = self._desk.sitting.new_unit(self._kind)
        record = {**record_of(candidate), "memory_id": new.shown_id}
        values = {
            "memory": record,
            "evidence": spans(candidate.evidence),
            "from_candidate": candidate.key,
        }
        self._make(new, values)
        self._desk.say(f"Taken over as {new.shown_id}. e puts it right, x takes it out.")

    # ------------------------------------------------------------ merging and splitting

    def merge(self) -> None:
        """This memory with another one: the words of this one as they should be, the other a duplicate of it."""
        sitting, unit = self._desk.sitting, self._desk.unit
        others = [u for u in sitting.units if u != unit and not u.made and verdict_field(sitting, u)]
        if unit is None or not others:
            self._desk.say("There is no other memory of the list to merge with.")
            return
        options = [Pickable(u.key, u.shown_id, self._deciding.words_of(u)) for u in others]

        def then(picked: Picked | None) -> None:
            other = sitting.unit(str(picked.value)) if picked else None
            if other is not None:
                self._edit_merged(unit, other)

        self._desk.ask(PickScreen(f"Merge into {unit.shown_id}: which one says the same?", options), then)

    def _edit_merged(self, unit: UnitView, other: UnitView) -> None:
        draft = f"merge {unit.key} {other.key}"
        task = EditorTask(
            f"{unit.shown_id} with {other.shown_id}: the one memory that stays",
            self._deciding.record(unit),
            self._deciding.proposed(unit),
            self._deciding.quote(unit),
            aside=f"{other.shown_id} says: {self._deciding.words_of(other)}",
        )

        def then(record: Record) -> None:
            sitting = self._desk.sitting
            gone = {"verdict": "delete", "delete_reason": "duplicate", "duplicate_of": unit.key}
            changes = (*self._kept_as(unit, record), *sitting.changes(other, gone))
            self._desk.put(sitting.act(Verb.SET, changes, unit=unit))
            self._deciding.forget_drafts(draft)
            self._desk.advance(unit, None)
            self._desk.say(f"{other.shown_id} merged into {unit.shown_id}; u undoes both.")

        self._deciding.edit_record(draft, task, then)

    def split(self) -> None:
        """Two memories out of one: first this one as it should read, then the second."""
        unit = self._desk.unit
        if unit is None or memory_of(self._desk.sitting, unit) is None or not self._may_add():
            return
        first = EditorTask(
            f"{unit.shown_id}, first part: what stays here",
            self._deciding.record(unit),
            self._deciding.proposed(unit),
            self._deciding.quote(unit),
        )
        self._deciding.edit_record(f"split {unit.key}", first, lambda record: self._second_part(unit, record))

    def _second_part(self, unit: UnitView, kept: Record) -> None:
        new = self._desk.sitting.new_unit(self._kind)
        start = {**self._deciding.record(unit), "memory_id": new.shown_id}
        second = EditorTask(
            f"{new.shown_id}, second part of {unit.shown_id}",
            start,
            quote=self._deciding.quote(unit),
            aside=f"{unit.shown_id} keeps: {kept.get('value') or ''}",
        )

        def then(record: Record) -> None:
            values = {
                "memory": {**record, "memory_id": new.shown_id},
                "evidence": spans(evidence_of(self._desk.sitting, unit)),
                "split_from": unit.key,
            }
            self._make(new, values, self._kept_as(unit, kept))
            self._deciding.forget_drafts(f"split {unit.key}", f"split 2 {unit.key}")
            self._desk.say(f"{unit.shown_id} split: {new.shown_id} holds the second part; u undoes both.")

        self._deciding.edit_record(f"split 2 {unit.key}", second, then)

    def _kept_as(self, unit: UnitView, record: Record) -> tuple[Change, ...]:
        """A memory that stays with these words: kept if they are the proposal's, else edited."""
        sitting = self._desk.sitting
        if unit.made:
            return sitting.changes(unit, {"memory": record})
        changed = changed_keys(self._deciding.proposed(unit) or {}, record)
        if not changed:
            return sitting.changes(unit, {"verdict": "keep"})
        why = [r for r in reasons_of(changed) if r in (_field(sitting.fields(unit), "edit_reason") or ())]
        return (
            *sitting.changes(unit, {"verdict": "edit", "memory": record}),
            *sitting.changes(unit, {"edit_reason": why or ["wording"]}, attested=Attested.DERIVED),
        )


def _field(fields: tuple[Field, ...], key: str) -> tuple[Json, ...] | None:
    return next((f.values for f in fields if f.key == key), None)


def spans(evidence: tuple[Evidence, ...]) -> list[dict[str, Json]]:
    """The located passages as the value of a span field."""
    return [
        {"turn": e.turn, "start": e.start, "end": e.end}
        for e in evidence
        if e.turn is not None and e.start is not None and e.end is not None and e.start < e.end
    ]


def normal(text: str) -> str:
    """A memory's words without case, spacing and final stop: to tell whether two say the same."""
    return " ".join(text.casefold().split()).rstrip(".。!")
