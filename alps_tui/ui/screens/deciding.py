"""From a key to an act: answers with all that hangs on them, asked in turn and written as one act."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Protocol

from textual.screen import Screen

from alps_tui.protocols import rules
from alps_tui.protocols.schema import Field, Option, same
from alps_tui.ui import contradictions, reasons
from alps_tui.ui.asking import cannot_fields, left_behind, next_question, verdict_field
from alps_tui.ui.capping import recapped
from alps_tui.ui.marked_evidence import differs, only_evidence, proposal, with_marked
from alps_tui.ui.memory_record import Record, changed_keys, empty_record, reasons_of
from alps_tui.ui.place import ItemPlace
from alps_tui.ui.screens.memory_editor import EditorTask, MemoryEditor
from alps_tui.ui.screens.pick import Pickable, Picked, PickScreen
from alps_tui.ui.screens.prompt import PromptScreen
from alps_tui.ui.screens.question_acts import QuestionActs
from alps_tui.ui.screens.remarks import Remarks
from alps_tui.ui.shown import evidence_of, memory_of
from alps_tui.ui.shown_question import is_rewrite
from alps_tui.ui.shown_update import implied
from alps_tui.ui.sitting import Sitting
from store.content_records import Json
from store.kinds import Attested, Status, Verb
from store.records import Act, Change, UnitView


class Desk(Protocol):
    """What deciding needs of the screen it works for."""

    @property
    def sitting(self) -> Sitting: ...
    @property
    def place(self) -> ItemPlace: ...
    @property
    def unit(self) -> UnitView | None: ...
    def ask(self, screen: Screen[Any], then: Callable[[Any], None]) -> None: ...
    def put(self, act: Act) -> None: ...
    def say(self, sentence: str) -> None: ...
    def keep_place(self) -> None: ...
    def show_unit(self, key: str) -> None: ...
    def advance(self, unit: UnitView, answered: str | None) -> None: ...


@dataclass(frozen=True)
class Answering:
    """An answer under way: what was given so far, what was asked, and how each value is known.

    drops   answers that are taken back with it
    """

    unit: UnitView
    given: Mapping[str, Json]
    asked: frozenset[str] = frozenset()
    derived: frozenset[str] = frozenset()
    extra: tuple[Change, ...] = field(default=())
    drops: tuple[str, ...] = ()


class Deciding:
    """Answers with their reasons, of the item on the desk."""

    def __init__(self, desk: Desk) -> None:
        self._desk = desk
        self._questions = QuestionActs(desk, self)
        self.remarks = Remarks(desk)

    @property
    def _sitting(self) -> Sitting:
        return self._desk.sitting

    # ------------------------------------------------------------ answers

    def choose(self, unit: UnitView, question: Field, option: Option) -> None:
        """An option of a question was chosen by its key."""
        is_box = len(question.choices) == 1 and question.kind == "choice"
        if question.kind == "multi":
            self._toggle(unit, question, option)
        elif is_box and same(self._sitting.value(unit, question.key), option.value):
            self.clear(unit, question)
            self._desk.say(f"“{option.label}” is taken back.")
        else:
            self.answer(unit, question, option.value)

    def _toggle(self, unit: UnitView, question: Field, option: Option) -> None:
        now = list(self._sitting.value(unit, question.key) or ())
        kept = [value for value in now if not same(value, option.value)]
        self.set_list(unit, question, kept if len(kept) < len(now) else [*now, option.value])

    def set_list(self, unit: UnitView, question: Field, values: Sequence[Json]) -> None:
        """A list as the answer, the cursor staying where it is; an empty one is no answer."""
        if values:
            self._commit(Answering(unit, {question.key: list(values)}), stay=True)
        else:
            self.clear(unit, question)

    def answer(self, unit: UnitView, question: Field, value: Json) -> None:
        """A value for a question; what hangs on it is asked first, then all is one act."""
        if (
            question == verdict_field(self._sitting, unit)
            and value == "keep"
            and differs(self._sitting, unit)
        ):
            self._ask_which_evidence(unit, question)
            return
        self.go_on(Answering(unit, {question.key: value}, frozenset({question.key})))

    def _ask_which_evidence(self, unit: UnitView, verdict: Field) -> None:
        """A proposal is to be kept whose evidence the rater marked anew: which of the two stands is theirs to say."""
        options = [
            Pickable("mine", "my passage", "The rest as proposed: an edit, for its evidence."),
            Pickable("theirs", "the proposal's", "Kept whole; your passage is taken away."),
        ]

        def then(picked: Picked | None) -> None:
            if picked is None:
                return
            sitting = self._sitting
            if picked.value == "theirs":
                kept = {verdict.key: "keep"}
                self.go_on(Answering(unit, kept, frozenset(kept), drops=("evidence",)))
                return
            changes = only_evidence(sitting, unit)
            follows, _ = implied(sitting, unit, {change.field: change.value for change in changes})
            changes += sitting.changes(unit, follows, attested=Attested.DERIVED)
            if changes:
                self._desk.put(sitting.act(Verb.SET, changes, unit=unit))
            self.forget_drafts(f"edit {unit.key}")
            self._desk.advance(unit, verdict.key)

        self._desk.ask(
            PickScreen(f"{unit.shown_id}: you marked other evidence. Which stands?", options), then
        )

    def go_on(self, answering: Answering) -> None:
        """Ask the next thing that hangs on the answers so far, or write them."""
        question = next_question(self._sitting, answering.unit, answering.given, answering.asked)
        if question is None:
            self._commit(answering)
            return
        asked = replace(answering, asked=answering.asked | {question.key})
        if question.kind == "memory":
            self._ask_memory(asked, question)
        elif question.kind in ("choice", "multi", "scale"):
            self._ask_choice(asked, question)
        elif question.key == "duplicate_of":
            self._ask_duplicate(asked, question)
        else:
            self._ask_text(asked, question)

    def _given(self, answering: Answering, question: Field, value: Json, *, derived: bool = False) -> None:
        known = answering.derived | {question.key} if derived else answering.derived
        self.go_on(replace(answering, given={**answering.given, question.key: value}, derived=known))

    def _ask_choice(self, answering: Answering, question: Field) -> None:
        offer = self._offered_reasons(answering, question)
        options = [Pickable(o.value, o.label, o.anchor, o.key or "") for o in question.choices]
        title = f"{answering.unit.shown_id}: {question.title}"
        screen = PickScreen(
            title, options, several=question.kind == "multi", offer=offer, about=question.title
        )

        def then(picked: Picked | None) -> None:
            if picked is not None:
                value = list(picked.values) if question.kind == "multi" else picked.value
                self._given(answering, question, value, derived=picked.offered)

        self._desk.ask(screen, then)

    def _offered_reasons(self, answering: Answering, question: Field) -> tuple[Json, ...]:
        """For the reasons of an edit: what the edit changed, in the form's own words."""
        record = answering.given.get("memory")
        proposed = self.proposed(answering.unit)
        if question.kind != "multi" or not isinstance(record, dict) or proposed is None:
            return ()
        changed = reasons_of(changed_keys(proposed, record))
        return tuple(value for value in question.values or () if value in changed)

    def _ask_duplicate(self, answering: Answering, question: Field) -> None:
        others = [u for u in self._sitting.units if u.key != answering.unit.key]
        options = [Pickable(u.key, u.shown_id, self.words_of(u)) for u in others]
        if not options:
            self.go_on(answering)
            return
        screen = PickScreen(
            f"{answering.unit.shown_id}: {question.title} (esc leaves it open)", options, about=question.title
        )

        def then(picked: Picked | None) -> None:
            if picked is None:
                self.go_on(answering)
            else:
                self._given(answering, question, picked.value)

        self._desk.ask(screen, then)

    def _ask_text(self, answering: Answering, question: Field) -> None:
        if is_rewrite(question.key, self._sitting, answering.unit):
            self._questions.rewrite(
                answering.unit, question, lambda text: self._given(answering, question, text)
            )
            return

        def check(text: str) -> str | None:
            return rules.check_value(question, text) if text.strip() or question.required else None

        def then(text: str | None) -> None:
            if text is not None and text.strip():
                self._given(answering, question, text)
            elif text is not None:
                self.go_on(answering)

        before = self._sitting.value(answering.unit, question.key)
        self._desk.ask(PromptScreen(question.title, str(before or ""), check=check), then)

    def ask_value(self, unit: UnitView, question: Field, typed: str = "") -> None:
        """Ask for a text or a number by typing it."""
        if question.kind == "text":
            self._ask_text(Answering(unit, {}, frozenset({question.key})), question)
            return

        def check(text: str) -> str | None:
            number = _number(text)
            return "this is a number" if number is None else rules.check_value(question, number)

        def then(text: str | None) -> None:
            if text is not None:
                self.answer(unit, question, _number(text))

        self._desk.ask(PromptScreen(question.title, typed, check=check), then)

    # ------------------------------------------------------------ memories

    def _ask_memory(self, answering: Answering, question: Field) -> None:
        unit = answering.unit
        if unit.id in self._sitting.view.queries:
            verdict = str(answering.given.get("target_verdict", ""))
            self._questions.target(
                unit, question, verdict, lambda record: self._given(answering, question, record)
            )
            return
        title = f"{unit.shown_id}: {question.title}"
        self.edit_record(
            f"edit {unit.key}",
            EditorTask(title, self.record(unit), self.proposed(unit), self.quote(unit)),
            lambda record: self._given(answering, question, record),
            unchanged="Nothing was changed; keep it as it is, or escape and decide otherwise.",
        )

    def edit_record(
        self, draft: str, task: EditorTask, then: Callable[[Record], None], *, unchanged: str = ""
    ) -> None:
        """Open the editor, with the draft of last time if there is one; `then` gets the record that was kept.

        The draft stays until `forget_drafts`: whoever writes the act takes it away.

        unchanged   a sentence for a record that equals the proposal; then nothing is decided
        """
        kept = self._desk.place.drafts.get(draft)
        if isinstance(kept, dict):
            passages = {"evidence": task.record.get("evidence")}  # marked in the dialogue, never typed
            task = replace(task, record={**kept, **passages}, restored=True)

        def on_draft(record: Record) -> None:
            self._desk.place.drafts[draft] = record
            self._desk.keep_place()

        def done(record: Record | None) -> None:
            if record is None:
                if draft in self._desk.place.drafts:
                    self._desk.say(
                        "Nothing decided yet. What you typed is kept: the same key goes on with it."
                    )
            elif unchanged and task.before is not None and not changed_keys(task.before, record):
                self.forget_drafts(draft)
                self._desk.say(unchanged)
            else:
                then(record)

        self._desk.ask(MemoryEditor(task, on_draft), done)

    def forget_drafts(self, *drafts: str) -> None:
        """What was typed is decided now, or not wanted."""
        if any(self._desk.place.drafts.pop(draft, None) is not None for draft in drafts):
            self._desk.keep_place()

    def record(self, unit: UnitView) -> Record:
        """The memory of a part as it stands: edited, added or proposed."""
        record = self._sitting.value(unit, "memory")
        if not isinstance(record, dict):
            record = self.proposed(unit) or empty_record(unit.shown_id)
        return with_marked(self._sitting, unit, record)

    def proposed(self, unit: UnitView) -> Record | None:
        """The proposal of a part as a record, None for a part the rater made."""
        return proposal(self._sitting, unit)

    def quote(self, unit: UnitView) -> str:
        """The words a memory rests on, shortened to a few lines."""
        evidence = evidence_of(self._sitting, unit)
        return evidence[0].quote[:240] if evidence else ""

    def words_of(self, unit: UnitView) -> str:
        """A part in a line."""
        memory = memory_of(self._sitting, unit)
        return memory.value if memory else unit.shown_id

    # ------------------------------------------------------------ writing

    def _commit(self, answering: Answering, *, stay: bool = False) -> None:
        sitting, unit = self._sitting, answering.unit
        refused = contradictions.refusal(sitting, unit, answering.given)
        if refused:
            self._desk.say(refused)
            return
        follows, goes = implied(sitting, unit, answering.given)
        answering = replace(
            answering,
            given={**answering.given, **follows},
            derived=answering.derived | follows.keys(),
            drops=(*answering.drops, *goes),
        )
        values = sitting.values(unit)
        changes: list[Change] = []
        for key, value in answering.given.items():
            question = next(f for f in sitting.fields(unit) if f.key == key)
            capped = rules.cap(question, value, {**values, **answering.given})
            wrong = None if question.kind == "memory" else rules.check_value(question, capped.value)
            if wrong:
                self._desk.say(wrong)
                return
            if capped.sentence:
                self._desk.say(capped.sentence)
            attested = Attested.DERIVED if key in answering.derived else Attested.EXPLICIT
            changes += sitting.changes(unit, {key: capped.value}, raw_value=capped.raw, attested=attested)
        changes += self._derived(unit, {**values, **answering.given})
        lowered, reasons = recapped(sitting, unit, answering.given)
        hidden = (*left_behind(sitting, unit, answering.given), *answering.drops)
        if self._is_new(unit, answering) or answering.extra or hidden:
            changes += (*lowered, *answering.extra, *self._taken_back(unit, hidden))
            self._desk.put(sitting.act(Verb.SET, changes, unit=unit))
            for reason in reasons:
                self._desk.say(reason)
        self.forget_drafts(f"edit {unit.key}")
        self._go_on_from(answering, stay)

    def _go_on_from(self, answering: Answering, stay: bool) -> None:
        """To what is asked next; a note that is worth writing is asked for while its part is still in sight."""
        unit, wanted = answering.unit, self._note_wanted(answering)

        def advance() -> None:
            if not stay:
                self._desk.advance(unit, next(iter(answering.given)))

        if wanted:
            self.remarks.note(unit, f"{unit.shown_id} {wanted} Empty leaves no note", advance)
        else:
            advance()

    def _note_wanted(self, answering: Answering) -> str:
        """A doubt, and a reason of which the list knows nothing, are worth a word: asked for at once, to be left if need be."""
        unit, verdict = answering.unit, verdict_field(self._sitting, answering.unit)
        if verdict is None or verdict.key not in answering.given or unit.id <= 0:
            return ""
        if self._sitting.shown.notes.get(unit.id):
            return ""
        if answering.given[verdict.key] == "in_doubt":
            return "in doubt: between which verdicts, and why?"
        return "has another reason: which one?" if reasons.OTHER in answering.given.values() else ""

    def _is_new(self, unit: UnitView, answering: Answering) -> bool:
        """Whether anything differs from what is answered already: the same key again writes nothing."""
        sitting = self._sitting
        return any(
            (answer := sitting.answer(unit, key)) is None
            or answer.status != Status.ANSWERED
            or not same(answer.value, value)
            or (answer.attested is Attested.DERIVED and key not in answering.derived)
            for key, value in answering.given.items()
        )

    def _derived(self, unit: UnitView, values: Mapping[str, Json]) -> list[Change]:
        """Fields that follow from the others, where they say something new."""
        changes: list[Change] = []
        for question in self._sitting.fields(unit):
            if question.kind == "derived" and rules.visible(question, values):
                value = rules.derive(question, values)
                if value is not None and not same(value, self._sitting.value(unit, question.key)):
                    changes += self._sitting.changes(unit, {question.key: value}, attested=Attested.DERIVED)
        return changes

    def clear(self, unit: UnitView, question: Field | None) -> None:
        """Take an answer back, with what hung on it; without a question every answer of the part."""
        sitting = self._sitting
        answered = [f.key for f in sitting.fields(unit) if sitting.answer(unit, f.key)]
        keys = answered if question is None else [k for k in answered if k == question.key]
        if question is not None and keys:
            rest = {k: v for k, v in sitting.values(unit).items() if k != question.key}
            keys += rules.hidden_answers(sitting.protocol, unit.kind, rest, made=unit.made)
        if not keys:
            self._desk.say(f"{unit.shown_id} has no answer to take back.")
            return
        self.clear_fields(unit, keys)

    def _taken_back(self, unit: UnitView, keys: Sequence[str]) -> list[Change]:
        """Answers that no longer apply, going with the act that made it so: one undo brings all of it back."""
        empty = (self._sitting.change(unit, key) for key in dict.fromkeys(keys))
        return [replace(change, status=Status.UNSEEN) for change in empty]

    def clear_fields(self, unit: UnitView, keys: Sequence[str]) -> None:
        if keys:
            changes = [self._sitting.change(unit, key) for key in dict.fromkeys(keys)]
            self._desk.put(self._sitting.act(Verb.CLEAR, changes, unit=unit))

    # ------------------------------------------------------------ beside the answers

    def cannot(self, unit: UnitView, focused: Field | None) -> None:
        """Cannot judge: a state of its own, with a reason, never a value."""
        questions = cannot_fields(self._sitting, unit, focused)
        if not questions:
            self._desk.say("There is no question in focus that could be left unjudged.")
            return
        name = questions[0].title

        def then(reason: str) -> None:
            sitting = self._sitting
            changes = [
                replace(sitting.change(unit, q.key), status=Status.CANNOT_JUDGE, reason=reason)
                for q in questions
            ]
            left = {k: v for k, v in sitting.values(unit).items() if k not in {q.key for q in questions}}
            hidden = rules.hidden_answers(sitting.protocol, unit.kind, left, made=unit.made)
            changes += self._taken_back(unit, hidden)
            self._desk.put(sitting.act(Verb.SET, changes, unit=unit))
            self._desk.advance(unit, questions[0].key)

        self.remarks.ask_reason(f"{unit.shown_id}: cannot judge “{name}”. Why?", reasons.CANNOT, then)


def _number(text: str) -> int | float | None:
    try:
        number = float(text.strip().replace(",", "."))
    except ValueError:
        return None
    return int(number) if number == int(number) else number
