"""A program for a real terminal: one text after the other in a transcript and beside it as a memory, in bordered panes."""

import sys
from pathlib import Path
from typing import ClassVar

sys.path.insert(0, str(Path(__file__).parent))

from scripts import SCRIPTS
from textual import events
from textual.app import App, ComposeResult
from textual.binding import BindingType
from textual.containers import Horizontal
from textual.driver import Driver

from alps_tui.ui import look as looks
from alps_tui.ui.look import look_for
from alps_tui.ui.sturdy_driver import sturdy
from alps_tui.ui.widgets.memory_cards import Card, MemoryCards, MemoryText
from alps_tui.ui.widgets.transcript import Transcript, TurnText


class Reader(App[None]):
    """`n` shows the next text; its number stands in the header."""

    CSS = """
    Transcript { width: 3fr; border: solid white; }
    MemoryCards { width: 2fr; border: solid white; }
    """
    BINDINGS: ClassVar[list[BindingType]] = [("n", "following", "Next text"), ("q", "quit", "Quit")]

    def __init__(self) -> None:
        super().__init__()
        self.look = look_for()
        self.joined_count = "clusters"
        self.at = 0

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield Transcript()
            yield MemoryCards()

    def get_driver_class(self) -> type[Driver]:
        return sturdy(super().get_driver_class())

    def on_cursor_position(self, event: events.CursorPosition) -> None:
        looks.marks_take(self, event.x)

    def on_mount(self) -> None:
        looks.begin(self)
        looks.ask_for_marks(self)
        self.set_timer(0.05, self._show)

    def on_unmount(self) -> None:
        looks.end(self)

    def _show(self) -> None:
        text = list(SCRIPTS.values())[self.at]
        self.query_one(Transcript).show([TurnText(f"text {self.at + 1} shown", text)])
        card = Card("m1", "·", "open", MemoryText(text, quote=text[:60], where="turn 1"))
        self.query_one(MemoryCards).lay_out([card], 0, tail="", roomy=True)

    def action_following(self) -> None:
        self.at += 1
        self._show()


if __name__ == "__main__":
    Reader().run()
