"""Marking evidence: the rater chooses a passage of the dialogue by keys, it becomes the answer of a span field."""

from typing import TYPE_CHECKING

from alps_tui.protocols import rules
from alps_tui.protocols.schema import Field
from alps_tui.ui.screens.panes import DIALOGUE, UNITS
from alps_tui.ui.screens.pick import Pickable, Picked, PickScreen
from alps_tui.ui.shown import evidence_of
from alps_tui.ui.sitting import Sitting
from alps_tui.ui.widgets.transcript import SPAN_KEYS
from store.kinds import Verb
from store.records import Json, UnitView

if TYPE_CHECKING:
    from alps_tui.ui.screens.annotate import AnnotateScreen


class Marking:
    """Evidence of the part the cursor is on."""

    def __init__(self, screen: "AnnotateScreen") -> None:
        self._screen = screen
        self._pane_before = UNITS
        self._about = (0, "")

    def do_evidence(self) -> None:
        screen, unit = self._screen, self._screen.unit
        if unit is None or span_field(screen.sitting, unit) is None:
            screen.say("Nothing here asks for evidence.")
        elif screen.acting.is_open():
            turn = screen.panes.dialogue.current_turn
            known = (e for e in evidence_of(screen.sitting, unit) if e.turn == turn)
            at = next((e.start for e in known), None)
            self._about = (screen.sitting.assignment_id, unit.key)
            self._pane_before = screen.pane
            screen.set_pane(DIALOGUE)
            if screen.panes.dialogue.begin_span(turn, at):
                screen.say(SPAN_KEYS)

    def span_chosen(self, turn: int, start: int, end: int) -> None:
        """A passage was marked as evidence: it replaces or joins what was marked before."""
        screen = self._screen
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
        self._screen.put(sitting.act(Verb.SET, sitting.changes(unit, {field.key: spans}), unit=unit))
        self._screen.say(f"Evidence of {unit.shown_id} marked.")

    def span_left(self) -> None:
        self._screen.set_pane(self._pane_before)
        self._screen.say("")


def span_field(sitting: Sitting, unit: UnitView | None) -> Field | None:
    """The field of a part that takes passages of the dialogue, if it has one."""
    fields = sitting.fields(unit) if unit is not None else ()
    return next((f for f in fields if f.kind == "span"), None)
