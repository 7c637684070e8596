"""Where the cursor goes after an answer, and that a digit of the same rhythm does not answer another question."""

from time import monotonic
from typing import TYPE_CHECKING, Any

from textual.screen import Screen

from alps_tui.protocols.schema import Field
from alps_tui.ui.asking import bar_fields, first_open_field
from alps_tui.ui.screens.panes import SESSION
from alps_tui.ui.screens.pick import PickScreen
from store.records import UnitView

if TYPE_CHECKING:
    from alps_tui.ui.screens.annotate import AnnotateScreen

RHYTHM_SECONDS = 0.3
"""A digit within this time after the one before was pressed in the same movement: it is not about something else."""


class Advancing:
    """Goes on from answer to answer on one screen."""

    def __init__(self, screen: "AnnotateScreen") -> None:
        self._screen = screen
        self._turned_at = float("-inf")
        self._turned_from = ""
        """The key of the part that was decided about when digits came to stand for something else."""

    def advance(self, unit: UnitView, answered: str | None) -> None:
        """After an answer: the next open question of the part, then the next open part, then what is left to do."""
        screen, sitting = self._screen, self._screen.sitting
        unit = sitting.unit(unit.key) or unit
        if unit == sitting.session:
            following = first_open_field(sitting, unit, answered)
            screen.go_to_question(following.key if following else answered)
            screen.say_what_is_left()
            return
        asked = [f.key for f in bar_fields(sitting, unit)]
        still = [f.key for f in sitting.missing(unit) if f.key in asked]
        if still:
            following = first_open_field(sitting, unit, answered)
            screen.go_to(unit, following.key if following else None)
            return
        if answered in asked and sitting.missing(unit):
            screen.go_to(unit)  # its verdict is still to come
            return
        target = sitting.next_open(unit)
        screen.go_to(target if target is not None else unit)
        if target is None and asked and sitting.session is not None and sitting.missing(sitting.session):
            screen.set_pane(SESSION)  # digits were about the part: from here on they are about the whole
            self._turn(unit)
        screen.say_what_is_left()

    def was_asked(self, screen: Screen[Any], result: Any) -> None:
        """A modal was answered: one more of the digit that chose in it is not meant for what stands behind it."""
        if isinstance(screen, PickScreen) and result is not None and self._screen.has_item:
            in_session = self._screen.pane == SESSION
            self._turn(self._screen.sitting.session if in_session else self._screen.unit)

    def goes_by_hand(self) -> None:
        """A command was pressed: whoever goes to a question knows what the next digit answers, however fast it comes."""
        self._turned_at = float("-inf")

    def _turn(self, unit: UnitView | None) -> None:
        self._turned_at, self._turned_from = monotonic(), unit.key if unit is not None else ""

    def too_soon(self, unit: UnitView, question: Field, key: str, pressed_at: float) -> str:
        """A sentence if a digit was pressed in the rhythm of what was decided about another part; empty if not."""
        if unit.key == self._turned_from or pressed_at > self._turned_at + RHYTHM_SECONDS:
            return ""
        return f"{key} came too soon to be meant: digits now answer “{question.short or question.title}”. Press it again."
