"""Adding an intent and putting one right: each is one act, whatever was typed."""

from collections.abc import Callable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from alps_tui.protocols import rules
from alps_tui.protocols.schema import Field
from alps_tui.ui.screens.intent_editor import IntentEditor, IntentTask, Typed
from alps_tui.ui.screens.panes import UNITS
from alps_tui.ui.shown_intent import EVIDENCE, PROBABILITY, said_probability, together
from alps_tui.ui.turn_numbers import read_turns, said_turns, spans_of
from store.content_records import Json
from store.kinds import Status, UnitKind, Verb
from store.records import UnitView

if TYPE_CHECKING:
    from alps_tui.ui.screens.annotate import AnnotateScreen

ADD = "add intent"

Done = Callable[[Mapping[str, Json]], None]


class IntentActs:
    """The intents of the item on the screen."""

    def __init__(self, screen: "AnnotateScreen") -> None:
        self._screen = screen

    def do_add_intent(self) -> None:
        screen = self._screen
        if not screen.acting.is_open():
            return
        sitting = screen.sitting
        if not sitting.may_make(UnitKind.INTENT):
            rows = sitting.protocol.rows.get(UnitKind.INTENT)
            most = rows.max if rows is not None else 0
            screen.say(f"At most {most} intents: x takes one out, e opens one again.")
            return
        new = sitting.new_unit(UnitKind.INTENT)

        def then(answers: Mapping[str, Json]) -> None:
            given = {key: value for key, value in answers.items() if value is not None}
            screen.put(sitting.act(Verb.SET, sitting.changes(new, given)))
            screen.set_pane(UNITS)
            screen.show_unit(new.key)
            screen.say(f"{new.shown_id} added. v marks a passage of its turns.")

        self._ask(ADD, f"{new.shown_id}: what does the person want?", None, then)

    def edit(self, unit: UnitView) -> None:
        """Open an intent again."""
        screen, sitting = self._screen, self._screen.sitting

        def then(answers: Mapping[str, Json]) -> None:
            now = {key: sitting.value(unit, key) for key in answers}
            changed = {key: value for key, value in answers.items() if value != now[key]}
            given = {key: value for key, value in changed.items() if value is not None}
            gone = [sitting.change(unit, key) for key, value in changed.items() if value is None]
            changes = (
                *sitting.changes(unit, given),
                *(replace(change, status=Status.UNSEEN) for change in gone),
            )
            if changes:
                screen.put(
                    sitting.act(Verb.SET if given else Verb.CLEAR, changes if given else gone, unit=unit)
                )

        self._ask(f"edit {unit.key}", f"{unit.shown_id}: your intent", unit, then)

    # ------------------------------------------------------------ asking

    def _ask(self, draft: str, title: str, unit: UnitView | None, then: Done) -> None:
        """Open the editor, with the draft of last time if there is one; `then` gets an answer or None per field."""
        screen = self._screen
        kept = screen.place.drafts.get(draft)
        typed = dict(kept) if isinstance(kept, dict) else self._typed(unit)
        task = IntentTask(
            title,
            self._fields,
            typed,
            lambda now: self._wrong(now, unit),
            aside=self._aside(unit),
            restored=isinstance(kept, dict),
        )

        def on_draft(now: Typed) -> None:
            screen.place.drafts[draft] = now
            screen.keep_place()

        def done(now: Typed | None) -> None:
            if now is None:
                if draft in screen.place.drafts:
                    screen.say("Nothing decided yet. What you typed is kept: the same key goes on with it.")
                return
            then({field.key: self._answer(field, now.get(field.key), unit) for field in self._fields})
            screen.deciding.forget_drafts(draft)

        screen.ask(IntentEditor(task, on_draft), done)

    @property
    def _fields(self) -> tuple[Field, ...]:
        return self._screen.sitting.protocol.fields_of(UnitKind.INTENT, made=True)

    def _aside(self, unit: UnitView | None) -> str:
        """What the other intent has already."""
        others = [
            f"{one.shown_id} has {said_probability(self._screen.sitting.value(one, PROBABILITY)) or 'none yet'}"
            for one in self._screen.sitting.units
            if one.kind is UnitKind.INTENT and one != unit
        ]
        if not others:
            return ""
        left = max(0.0, 1 - together(self._screen.sitting, unit))
        return f"{', '.join(others)}: {round(left, 4):g} is left."

    def _typed(self, unit: UnitView | None) -> Typed:
        """An intent as it stands, the way it would be typed."""
        if unit is None:
            return {}
        values = self._screen.sitting.values(unit)
        return {field.key: _said(field, values.get(field.key)) for field in self._fields}

    def _wrong(self, typed: Typed, unit: UnitView | None) -> list[tuple[str, str]]:
        """Of each field what is wrong with it, in the order of the form."""
        sitting = self._screen.sitting
        found: list[tuple[str, str]] = []
        answers: dict[str, Json] = {}
        for field in self._fields:
            said = typed.get(field.key)
            if said is None:
                found += [(field.key, f"{field.title} Not said yet.")] if field.required else []
                continue
            value = self._answer(field, said, unit)
            wrong = value if field.kind == "span" and isinstance(value, str) else None
            wrong = wrong or rules.check_value(field, value)
            found += [(field.key, wrong)] if wrong else []
            answers[field.key] = value
        unit_rules = rules.check_unit(sitting.protocol, UnitKind.INTENT, answers, made=True)
        return found + [(field.key, sentence) for field, sentence in unit_rules]

    def _answer(self, field: Field, said: Json, unit: UnitView | None) -> Json:
        """What was typed as a value of the field; as it was typed, or a sentence for turns, where it is none."""
        if said is None:
            return None
        if field.kind == "number":
            try:
                return float(str(said).replace(",", "."))
            except ValueError:
                return said
        return self._passages(str(said), unit) if field.kind == "span" else said

    def _passages(self, said: str, unit: UnitView | None) -> Json:
        """Turns of the person as passages, or a sentence that says what is wrong."""
        turns = self._screen.sitting.view.turns
        numbers = read_turns(said, len(turns))
        if isinstance(numbers, str):
            return numbers
        others = [number + 1 for number in numbers if turns[number].role != "user"]
        if others:
            return f"turn {others[0]} is not the person's: an intent shows in what they say"
        empty = [number + 1 for number in numbers if not turns[number].text]
        if empty:
            return f"turn {empty[0]} is empty"
        before = self._screen.sitting.value(unit, EVIDENCE) if unit is not None else None
        return spans_of(numbers, turns, before or ())


def _said(field: Field, value: Json) -> Json:
    if value is None:
        return None
    if field.kind == "span":
        return said_turns(value)
    return said_probability(value) if field.kind == "number" else value
