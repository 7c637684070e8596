"""Marking evidence: the rater chooses a passage of the dialogue by keys, it becomes the answer of a span field."""

from typing import TYPE_CHECKING

from alps_tui.protocols import rules
from alps_tui.protocols.schema import Field
from alps_tui.ui.marked_evidence import marking
from alps_tui.ui.screens.panes import DIALOGUE, UNITS
from alps_tui.ui.screens.pick import Pickable, Picked, PickScreen
from alps_tui.ui.shown import evidence_of
from alps_tui.ui.sitting import Sitting
from alps_tui.ui.widgets.key_bar import Hint
from store.content_records import Json
from store.kinds import Verb
from store.records import UnitView

if TYPE_CHECKING:
    from alps_tui.ui.screens.annotate import AnnotateScreen
    from alps_tui.ui.screens.rating_acts import RatingActs


LETTERS = 2
"""A passage of fewer letters carries nothing."""

KEYS: tuple[Hint, ...] = (
    ("→ ↓", "grow"),
    ("⇧→", "by letter"),
    ("enter", "takes it"),
    ("space", "move the start"),
    ("{ }", "other turn"),
    ("esc", "leaves"),
)


class Marking:
    """Evidence of the part the cursor is on."""

    def __init__(self, screen: "AnnotateScreen", rating: "RatingActs") -> None:
        self._screen, self._rating = screen, rating
        self._pane_before = UNITS
        self._about = (0, "")

    def do_evidence(self) -> None:
        screen, unit = self._screen, self._screen.unit
        field = span_field(screen.sitting, unit)
        if unit is None or field is None:
            screen.say("Nothing here asks for evidence.")
        elif field.on == "unit" and screen.acting.is_open():
            self._rating.mark(unit, field)
        elif field.on == "dialogue" and screen.acting.is_open():
            turn = screen.panes.dialogue.current_turn
            known = (e for e in evidence_of(screen.sitting, unit) if e.turn == turn)
            at = next((e.start for e in known), None)
            self._about = (screen.sitting.assignment_id, unit.key)
            self._pane_before = screen.pane
            screen.set_pane(DIALOGUE)
            self._begin(turn, at)

    def _begin(self, turn: int, at: int | None) -> None:
        """Start with one word whose start is fixed: every arrow grows it at once."""
        dialogue = self._screen.panes.dialogue
        if dialogue.begin_span(turn, at):
            dialogue.fix_span()
            self._screen.refresh_item()
        else:
            self._screen.set_pane(self._pane_before)
            self._screen.say("This turn has no word to mark.")

    @property
    def is_on(self) -> bool:
        """A passage is being chosen: all keys are about it."""
        return self._screen.panes.dialogue.span() is not None or self._rating.is_marking

    def take(self, key: str) -> bool:
        """The keys that go to another turn while a passage is being chosen; all others are the dialogue's."""
        if self._rating.is_marking:
            return self._rating.take(key)
        if key not in ("{", "}"):
            return False
        dialogue = self._screen.panes.dialogue
        before = dialogue.current_turn
        dialogue.move_turn(1 if key == "}" else -1, "user")
        if dialogue.current_turn != before:
            self._begin(dialogue.current_turn, 0)
        return True

    def span_chosen(self, turn: int, start: int, end: int) -> None:
        """A passage was marked as evidence: it replaces or joins what was marked before."""
        screen = self._screen
        words = screen.sitting.view.turns[turn].text[start:end]
        if sum(sign.isalnum() for sign in words) < LETTERS:
            self._begin(turn, start)
            screen.say("A passage has at least two letters: → and ↓ grow it, enter takes it.")
            return
        assignment_id, key = self._about
        screen.set_pane(self._pane_before)
        screen.say("")
        unit = screen.sitting.unit(key) if screen.sitting.assignment_id == assignment_id else None
        field = span_field(screen.sitting, unit)
        if unit is None or field is None:
            return
        span: dict[str, Json] = {"turn": turn, "start": start, "end": end}
        before = list(screen.sitting.value(unit, field.key) or ())
        if not before:
            self._set_span(unit, field, [span])
            return
        options = [Pickable("replace", "instead of it"), Pickable("add", "beside it")]

        def then(picked: Picked | None) -> None:
            if picked is not None:
                self._set_span(unit, field, [*before, span] if picked.value == "add" else [span])

        screen.ask(
            PickScreen(f"{unit.shown_id} has evidence marked already. The new passage stands", options), then
        )

    def _set_span(self, unit: UnitView, field: Field, spans: list[dict[str, Json]]) -> None:
        sitting = self._screen.sitting
        wrong = rules.check_value(field, spans)
        if wrong:
            self._screen.say(wrong)
            return
        made = marking(sitting, unit, field, spans)
        self._screen.put(sitting.act(Verb.SET, made.changes, unit=unit))
        more = " That makes it an edit, for its evidence; u undoes both." if made.makes_edit else ""
        self._screen.say(f"Evidence of {unit.shown_id} marked.{more}")

    def span_left(self) -> None:
        self._screen.set_pane(self._pane_before)
        self._screen.say("")


def span_field(sitting: Sitting, unit: UnitView | None) -> Field | None:
    """The field of a part that takes passages of the dialogue, if it has one."""
    fields = sitting.fields(unit) if unit is not None else ()
    return next((f for f in fields if f.kind == "span"), None)
