"""A table that is walked cell by cell: names stay in sight at the left and above, the cell in focus stands in brackets."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.widget import Widget

from alps_tui.ui.plain import plain_line

WIDEST = 60
"""Cells a column may take."""


@dataclass(frozen=True, slots=True)
class Cell:
    """What stands in a cell. `left`: words, that begin at the left; numbers end at the right."""

    text: str
    style: str = ""
    left: bool = False


@dataclass(frozen=True, slots=True)
class Row:
    """A row with its name. A heading has no cells, and the cursor steps over it."""

    name: str
    cells: tuple[Cell, ...] = ()
    style: str = ""

    @property
    def is_heading(self) -> bool:
        return not self.cells


class CellGrid(Widget, can_focus=True):
    """Draws the part of a table around its cursor. Keys are the screen's business; a click moves the cursor."""

    BINDINGS: ClassVar[list[BindingType]] = []
    DEFAULT_CSS = """
    CellGrid { height: 1fr; width: 1fr; }
    """

    class Picked(Message):
        """A cell was clicked that the cursor was on already."""

        def __init__(self, grid: "CellGrid") -> None:
            super().__init__()
            self.grid = grid

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._headers: tuple[str, ...] = ()
        self._rows: tuple[Row, ...] = ()
        self._corner = ""
        self._widths: tuple[int, ...] = ()
        self._of_words: frozenset[int] = frozenset()
        """The columns that begin at the left."""
        self._names_width = 0
        self._top = self._left = 0
        self.row = self.column = 0

    def show(self, headers: Sequence[str], rows: Sequence[Row], *, corner: str = "") -> None:
        """Show a table; the cursor stays where it was, as far as there is such a cell."""
        self._headers, self._rows, self._corner = tuple(headers), tuple(rows), corner
        drawn = [[plain_line(cell.text).cell_length for cell in row.cells] for row in self._rows]
        heads = [plain_line(header).cell_length for header in self._headers]
        self._widths = tuple(
            min(max([head, *(row[at] for row in drawn if at < len(row))]), WIDEST) + 2
            for at, head in enumerate(heads)
        )
        self._of_words = frozenset(at for row in self._rows for at, cell in enumerate(row.cells) if cell.left)
        names = [plain_line(name).cell_length for name in (corner, *(row.name for row in self._rows))]
        self._names_width = max(names) + 1
        self.put(self.row, self.column)

    def put(self, row: int, column: int) -> None:
        """Put the cursor on a cell, or on the nearest below that is no heading, else above."""
        self.column = min(max(column, 0), max(len(self._headers) - 1, 0))
        self.row = min(max(row, 0), max(len(self._rows) - 1, 0))
        below = range(self.row, len(self._rows))
        above = range(self.row - 1, -1, -1)
        self.row = next((at for at in (*below, *above) if not self._rows[at].is_heading), 0)
        self.refresh()

    def move(self, rows: int, columns: int = 0) -> None:
        """Move the cursor, over headings too."""
        wanted = min(max(self.row + rows, 0), max(len(self._rows) - 1, 0))
        if rows < 0:
            while wanted > 0 and self._rows[wanted].is_heading:
                wanted -= 1
        self.put(wanted, self.column + columns)

    @property
    def page(self) -> int:
        return max(self.size.height - 2, 1)

    def render(self) -> Content:
        """The rows and columns around the cursor that there is room for."""
        width, height = self.size.width, max(self.size.height - 1, 1)
        names = min(self._names_width, max(width * 2 // 5, 8))
        self._scroll(width - names, height)
        shown = self._columns(width - names)
        lines = [self._head(names, shown)]
        for at in range(self._top, min(self._top + height, len(self._rows))):
            lines.append(self._line(at, names, shown, width))
        return Content("\n").join(lines)

    def _scroll(self, room: int, height: int) -> None:
        last_top = max(len(self._rows) - height, 0)
        self._top = min(max(min(self._top, self.row), self.row - height + 1), max(last_top, 0))
        above = self._top > 0 and self.row == self._top and self._rows[self._top - 1].is_heading
        self._top -= 1 if above and height > 1 else 0
        self._left = min(self._left, self.column)
        while self._left < self.column and sum(self._widths[self._left : self.column + 1]) > room - 1:
            self._left += 1

    def _columns(self, room: int) -> list[tuple[int, int]]:
        """Number and width of the columns there is room for: words at the end may be cut, a number never is."""
        found: list[tuple[int, int]] = []
        left = room - 1
        for at in range(self._left, len(self._widths)):
            is_whole = self._widths[at] <= left
            if not is_whole and found and not (at in self._of_words and left >= 8):
                break
            found.append((at, min(self._widths[at], left)))
            left -= self._widths[at]
            if not is_whole:
                break
        return found

    def _head(self, names: int, shown: Sequence[tuple[int, int]]) -> Content:
        corner = plain_line(self._corner, "$foreground-muted").truncate(names, ellipsis=True, pad=True)
        parts = [corner]
        for at, width in shown:
            parts.append(
                _fitted(
                    plain_line(self._headers[at], "bold"), width - 2, left=at in self._of_words, edges="  "
                )
            )
        more = "›" if shown and shown[-1][0] < len(self._headers) - 1 else ""
        return Content("").join(parts) + Content("‹" if self._left and not more else more)

    def _line(self, at: int, names: int, shown: Sequence[tuple[int, int]], width: int) -> Content:
        row, here = self._rows[at], at == self.row
        if row.is_heading:
            return plain_line(row.name, "bold").truncate(width, ellipsis=True)
        mark = "▌" if here else " "
        name = Content(mark) + plain_line(row.name, "bold" if here else row.style)
        parts = [name.truncate(names, ellipsis=True, pad=True)]
        for column, room in shown:
            cell = row.cells[column] if column < len(row.cells) else Cell("")
            focus = here and column == self.column
            edges = "[]" if focus else "  "
            style = f"bold reverse {cell.style}".strip() if focus else cell.style
            parts.append(_fitted(plain_line(cell.text, style), room - 2, left=cell.left, edges=edges))
        return Content("").join(parts)

    def on_click(self, event: events.Click) -> None:
        """A click on a row takes the cursor there; a second one on it is enter."""
        row = self._top + event.y - 1
        if not 0 <= row < len(self._rows) or event.y < 1 or self._rows[row].is_heading:
            return
        names, before = min(self._names_width, max(self.size.width * 2 // 5, 8)), (self.row, self.column)
        x, column = event.x - names, self.column
        for at, width in self._columns(self.size.width - names):
            if 0 <= x < width:
                column = at
            x -= width
        self.put(row, column)
        self.post_message(self.Picked(self) if before == (self.row, self.column) else self.Moved(self))

    class Moved(Message):
        """A click has moved the cursor."""

        def __init__(self, grid: "CellGrid") -> None:
            super().__init__()
            self.grid = grid


def _fitted(text: Content, width: int, *, left: bool, edges: str) -> Content:
    cut = text.truncate(width, ellipsis=True) if text.cell_length > width else text
    gap = Content(" " * max(width - cut.cell_length, 0))
    return Content(edges[0]) + (cut + gap if left else gap + cut) + Content(edges[1])
