"""A scrolling list of wrapped blocks of text with one of them current: cards, questions, lists and pickers."""

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from itertools import chain
from time import monotonic
from typing import ClassVar

from textual import events
from textual.binding import BindingType
from textual.content import Content
from textual.geometry import Region, Size
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip
from textual.visual import Visual

from alps_tui.ui.in_order import CUT, in_order
from alps_tui.ui.look import Look

EMPTY = Content("")
NOTHING_SAID = Look()


@dataclass(frozen=True)
class Line:
    """A paragraph: `prefix` stands before its first row, later rows are indented by as much.

    `rows` cuts it there, with an ellipsis.
    """

    content: Content
    prefix: Content = EMPTY
    rows: int | None = None

    def wrapped(self, width: int, *, visual: bool = False) -> list[Content]:
        """Its rows, none wider than `width` cells. A prefix is cut where it would leave less than a third of them.

        visual   each row in the order in which it is drawn where the terminal orders nothing
        """
        most = width * 2 // 3 if self.content else width
        prefix = self.prefix if self.prefix.cell_length <= most else self.prefix.truncate(most, ellipsis=True)
        indent = min(prefix.cell_length, max(width - 2, 0))
        room = max(width - indent, 2)
        rows = self.content.wrap(room) or [EMPTY]
        if self.rows is not None and len(rows) > self.rows:
            rows = rows[: self.rows]
            rows[-1] = (rows[-1].truncate(room - 1) + Content(CUT)) if room > 2 else rows[-1]
        if visual:
            rows = in_order(rows, self.content.plain, room)
        first, *rest = rows
        return [prefix + first, *(row.pad_left(indent) for row in rest)]


def rows_of(parts: Sequence[Content], width: int, gap: str = "   ") -> list[Content]:
    """Parts side by side in as many rows as they need; a part is broken only where it is wider than a row."""
    rows: list[Content] = []
    for part in parts:
        if rows and rows[-1].cell_length + len(gap) + part.cell_length <= width:
            rows[-1] = rows[-1] + Content(gap) + part
        else:
            rows.extend(part.wrap(width) or [EMPTY])
    return rows


@dataclass(frozen=True)
class Parts(Line):
    """A paragraph of parts that stay whole: keys with their words."""

    parts: tuple[Content, ...] = ()

    def wrapped(self, width: int, *, visual: bool = False) -> list[Content]:
        indent = self.prefix.cell_length
        first, *rest = rows_of(self.parts, max(width - indent, 2)) or [EMPTY]
        return [self.prefix + first, *(row.pad_left(indent) for row in rest)]


Block = tuple[Line, ...]


@dataclass(frozen=True, slots=True)
class _LaidOut:
    """A paragraph in rows: as they are read, and as they are drawn (the same rows unless they are reordered)."""

    line: Line
    read: list[Content]
    drawn: list[Content]


class Blocks(ScrollView, can_focus=True):
    """Shows blocks; the current one is kept in view. Keys are the screen's business, a click picks a block."""

    BINDINGS: ClassVar[list[BindingType]] = []
    DEFAULT_CSS = """
    Blocks {
        overflow-x: hidden;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        scrollbar-size-horizontal: 0;
    }
    """

    class Picked(Message):
        """A block was clicked."""

        def __init__(self, blocks: "Blocks", index: int) -> None:
            super().__init__()
            self.blocks = blocks
            self.index = index

        @property
        def control(self) -> "Blocks":
            return self.blocks

    def __init__(self, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._blocks: tuple[Block, ...] = ()
        self._current: int | None = None
        self._rows: list[tuple[int, Content]] = []
        self._drawn: list[Content] = []
        """The same rows with their signs in the order in which they are drawn."""
        self._starts: list[int] = []
        self._rows_width = -1
        self._paragraphs: dict[int, _LaidOut] = {}
        self._before: dict[int, _LaidOut] = {}
        """The paragraphs shown now, and those shown before them, by identity: what stays is not wrapped again."""
        self._paragraphs_width = -1
        self._strips: dict[int, Strip] = {}
        """What is drawn for a row, by the identity of its content."""

    @property
    def current(self) -> int | None:
        return self._current

    def show(self, blocks: Iterable[Block], current: int | None = None) -> None:
        """Show these blocks, with the current one in view."""
        self._blocks = tuple(blocks)
        self._current = current
        self._rows_width = -1
        height_before = self.virtual_size.height
        self._wrap(self._text_width())
        if self.virtual_size.height != height_before:
            self.refresh(layout=True)
        else:
            self.refresh()
        self._into_view()

    def text(self) -> str:
        """What it says, row by row as it is read; for tests and screen readers."""
        return "\n".join(row.plain for _, row in self._rows)

    def redraw(self) -> None:
        """Lay everything out and draw it anew: the terminal is taken for another."""
        self._rows_width = -1
        self._paragraphs = {}
        self._wrap(self._text_width())
        self.refresh(layout=True)

    # ------------------------------------------------------------ layout

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        self._wrap(max(width - self.scrollbar_size_vertical, 2))
        return len(self._rows)

    def on_resize(self) -> None:
        self._rows_width = -1
        self._wrap(self._text_width())
        self._into_view()

    def _text_width(self) -> int:
        width = self.scrollable_content_region.width
        return width if width > 1 else 78

    def _wrap(self, width: int) -> None:
        if width != self._rows_width:
            self._before = self._paragraphs if width == self._paragraphs_width else {}
            self._paragraphs, self._paragraphs_width = {}, width
            self._rows_width = width
            rows_before, self._rows, self._drawn, self._starts = self._drawn, [], [], []
            for index, block in enumerate(self._blocks):
                self._starts.append(len(self._rows))
                self._lay_out(index, block)
            kept = set(map(id, rows_before)) & set(map(id, self._drawn))
            self._strips = {row: strip for row, strip in self._strips.items() if row in kept}
            self._before = {}
        self.virtual_size = Size(width, len(self._rows))

    def _lay_out(self, index: int, block: Block) -> None:
        """Add the rows of a block to those before it."""
        for line in block:
            laid_out = self._before.get(id(line)) or self._paragraph(line)
            self._paragraphs[id(line)] = laid_out
            self._rows.extend((index, row) for row in laid_out.read)
            self._drawn.extend(laid_out.drawn)

    def _paragraph(self, line: Line) -> _LaidOut:
        read = line.wrapped(self._rows_width)
        is_visual = getattr(self.app, "look", NOTHING_SAID).visual
        return _LaidOut(line, read, line.wrapped(self._rows_width, visual=True) if is_visual else read)

    def _into_view(self) -> None:
        if self._current is None or self._current >= len(self._starts):
            return
        start = self._starts[self._current]
        after = self._current + 1
        end = self._starts[after] if after < len(self._starts) else len(self._rows)
        height = max(self.scrollable_content_region.height, 1)
        top = round(self.scroll_offset.y)
        if start < top or end - start >= height:
            top = start
        elif end > top + height:
            top = end - height
        self.scroll_to(y=max(top, 0), animate=False, immediate=True, force=True)

    # ------------------------------------------------------------ drawing

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()

    def render_line(self, y: int) -> Strip:
        row = y + round(self.scroll_offset.y)
        if row >= len(self._drawn):
            return Strip.blank(self.size.width, self.visual_style.rich_style)
        content = self._drawn[row]
        strip = self._strips.get(id(content))
        if strip is None or strip.cell_length != self.size.width:
            strip = self._strips[id(content)] = self._paint(content)
        return strip

    def _paint(self, content: Content) -> Strip:
        width, style = self.size.width, self.visual_style
        strips = Visual.to_strips(self, content, width, 1, style, apply_selection=False)
        return strips[0].adjust_cell_length(width, style.rich_style)

    def block_at(self, row: int) -> int | None:
        """The block that stands on this row of the whole text."""
        return self._rows[row][0] if 0 <= row < len(self._rows) else None

    def on_click(self, event: events.Click) -> None:
        index = self.block_at(event.y + round(self.scroll_offset.y))
        if index is not None:
            self.post_message(self.Picked(self, index))

    def region_of_current(self) -> Region | None:
        """Where the current block stands in the whole text."""
        if self._current is None or self._current >= len(self._starts):
            return None
        return Region(0, self._starts[self._current], self._rows_width, 1)


class SlicedBlocks(Blocks):
    """Paragraphs of a text of any length: the first are shown at once, the others are laid out while nobody waits."""

    SLICE, PAUSE = 0.004, 0.004
    """Seconds of work at a time, and between two times."""

    _coming: Iterator[Line] = iter(())
    _is_waiting = False

    def show_lines(self, lines: Iterator[Line]) -> None:
        """Show these paragraphs, each asked for when it is laid out."""
        self._blocks, self._coming = (), lines
        self._begin(self._text_width())

    def on_resize(self) -> None:
        if self._text_width() != self._rows_width:
            self._begin(self._text_width())

    def _begin(self, width: int) -> None:
        """Lay out from the first paragraph on."""
        known = [line for block in self._blocks for line in block]
        self._coming, self._blocks = chain(known, self._coming), ()
        self._rows_width = -1
        self._wrap(width)
        if not self._is_waiting:
            self._slice()

    def _slice(self) -> None:
        """Lay out for as long as a slice may take; on with it after a pause."""
        self._is_waiting = False
        until, blocks = monotonic() + self.SLICE, list(self._blocks)
        for line in self._coming:
            self._starts.append(len(self._rows))
            self._lay_out(len(blocks), (line,))
            blocks.append((line,))
            if monotonic() > until:
                self._is_waiting = True
                self.set_timer(self.PAUSE, self._slice)
                break
        self._blocks = tuple(blocks)
        self.virtual_size = Size(self._rows_width, len(self._rows))
        self.refresh()


class Paragraph(Blocks, can_focus=False):
    """One text by itself, as high as it is."""

    DEFAULT_CSS = """
    Paragraph { height: auto; }
    """

    def __init__(self, content: Content, *, id: str | None = None, classes: str | None = None) -> None:
        super().__init__(id=id, classes=classes)
        self._blocks = ((Line(content),),)

    def on_click(self, event: events.Click) -> None:
        """There is nothing to pick."""


def joined(parts: Sequence[Content], separator: str = " · ") -> Content:
    """Contents with a separator between them, empty ones left out."""
    kept = [part for part in parts if part]
    return Content(separator).join(kept) if kept else EMPTY
