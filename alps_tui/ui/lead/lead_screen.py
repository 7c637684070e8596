"""What the screens of a lead share: keys by name, a sentence in the last line, and a table that is walked."""

from collections.abc import Mapping
from typing import Any, ClassVar

from textual import events
from textual.binding import BindingType
from textual.screen import Screen

from alps_tui.ui.commands import key_name
from alps_tui.ui.lead.cell_grid import CellGrid
from alps_tui.ui.screens.base import HEIGHTS, WIDTHS
from alps_tui.ui.screens.reading import KeysScreen
from alps_tui.ui.widgets.key_bar import Hint, KeyBar

MOVES: Mapping[str, tuple[int, int]] = {
    "j": (1, 0),
    "down": (1, 0),
    "k": (-1, 0),
    "up": (-1, 0),
    "l": (0, 1),
    "right": (0, 1),
    "h": (0, -1),
    "left": (0, -1),
}
EVERYWHERE: tuple[tuple[str, str], ...] = (
    ("↑ ↓ ← → h j k l", "Move"),
    ("pageup pagedown home end", "Move far"),
    ("? ", "All keys"),
    ("ctrl+p", "Theme and other actions"),
    ("q escape", "Back"),
)


class LeadScreen(Screen[None]):
    """A screen whose keys are methods named `key_…`; `grid` is the table the cursor is in."""

    BINDINGS: ClassVar[list[BindingType]] = []
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    KEYS: ClassVar[Mapping[str, tuple[str, str, str]]] = {}
    """Key → method, its word in the key bar (empty: none), and what it does."""

    @property
    def grid(self) -> CellGrid | None:
        return None

    def moved(self) -> None:
        """The cursor stands elsewhere."""

    def say(self, sentence: str) -> None:
        self.query_one(KeyBar).say(sentence)

    def take_key(self, event: events.Key) -> bool:
        """Every key comes here first; ctrl keys belong to the app."""
        if event.key.startswith("ctrl+"):
            return False
        key = key_name(event.key, event.character)
        self.say("")
        if key in self.KEYS:
            getattr(self, self.KEYS[key][0])()
        elif key in ("q", "escape"):
            self.back()
        elif key == "?":
            self.app.push_screen(
                KeysScreen([("Here", [(k, v[2]) for k, v in self.KEYS.items()]), ("Everywhere", EVERYWHERE)])
            )
        elif not self._move(key):
            self.say(f"{key} does nothing here: ? shows all keys.")
        return True

    def _move(self, key: str) -> bool:
        grid = self.grid
        if grid is None:
            return False
        far = {"pagedown": grid.page, "pageup": -grid.page, "home": -(10**6), "end": 10**6}
        if key in MOVES:
            grid.move(*MOVES[key])
        elif key in far:
            grid.move(far[key])
        else:
            return False
        self.moved()
        return True

    def back(self) -> None:
        self.dismiss(None)

    def hints(self) -> list[Hint]:
        """The keys that matter, the most needed first."""
        own = [(key, word) for key, (_, word, _) in self.KEYS.items() if word]
        return [*own, ("q", "back"), ("?", "keys")]

    def on_cell_grid_moved(self, _event: Any) -> None:
        self.moved()
