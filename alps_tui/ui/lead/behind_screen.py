"""The items behind a number: those on which raters differ first; each opens for reading beside what they said."""

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.widgets import Static

from alps_tui.ui.lead.cell_grid import Cell, CellGrid, Row
from alps_tui.ui.lead.lead_screen import LeadScreen
from alps_tui.ui.lead.listed import Behind, answers_of
from alps_tui.ui.lead.names import Names
from alps_tui.ui.lead.preview import Place, PreviewScreen
from alps_tui.ui.lead.shelf import Shelf
from alps_tui.ui.plain import plain_line
from alps_tui.ui.widgets.key_bar import KeyBar

MOST = 2_000
"""Units that are listed."""


class BehindScreen(LeadScreen):
    """Lists units with what each rater answered."""

    KEYS: ClassVar[Mapping[str, tuple[str, str, str]]] = {
        "enter": ("open", "read it", "Open the item for reading, with what raters said"),
        "w": ("turn_names", "who", "Name the raters, or not"),
    }

    def __init__(self, behind: Behind, shelf: Shelf, names: Names) -> None:
        super().__init__()
        self._behind, self._shelf, self._names = behind, shelf, names
        self._units = behind.units[:MOST]

    def compose(self) -> ComposeResult:
        n, differ = len(self._behind.units), self._behind.differ
        cut = f", the first {MOST:,} listed" if n > MOST else ""
        unsure = (
            " · (in parentheses: as proposed, nobody knows whether it was looked at)"
            if self._behind.known
            else ""
        )
        yield Static(
            plain_line(
                f"{self._behind.title} · {n:,} {'unit' if n == 1 else 'units'}, {differ:,} with different answers first{cut}{unsure}",
                "bold",
            ),
            id="lead-title",
        )
        yield CellGrid(id="units")
        yield KeyBar()

    def on_mount(self) -> None:
        self._show()
        self.query_one(KeyBar).show(self.hints())
        self.set_focus(self.grid)

    def on_screen_resume(self) -> None:
        self._show()

    @property
    def grid(self) -> CellGrid:
        return self.query_one("#units", CellGrid)

    def _show(self) -> None:
        answers = answers_of(self._behind, self._names)
        rows = []
        for at, one in enumerate(self._units):
            sign = "≠" if at < self._behind.differ else "="
            item = one.item.partition("/")[2] or one.item
            part = one.unit.removeprefix(f"{one.item}/")
            rows.append(
                Row(f"{sign} {item}", (Cell(part, left=True), Cell(answers.get(one.unit, ""), left=True)))
            )
        self.grid.show(("part", "what was answered"), rows, corner=" item")

    def open(self) -> None:
        if not self._units:
            self.say("Nothing stands behind this number.")
            return
        places = [Place(one.item, one.unit) for one in self._units]
        self.app.push_screen(
            PreviewScreen(self._shelf, places, self.grid.row, with_said=True, names=self._names)
        )

    def on_cell_grid_picked(self) -> None:
        self.open()

    def turn_names(self) -> None:
        self.say(self._names.turn())
        self._show()
