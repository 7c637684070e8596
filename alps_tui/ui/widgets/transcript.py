"""The transcript: one widget that shows a dialogue, or a response, of any length on Textual's line API.

It keeps strings and offsets, holds no widget per turn, and draws a row when it comes into view. It shows what it is
given and posts what happened; it knows no store. All text is made safe on its way in.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import ClassVar, TypeAlias

from rich.style import Style
from textual import events
from textual.binding import BindingType
from textual.geometry import Region, Size
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from alps_tui.ui.look import Look, look_for
from alps_tui.ui.text_layout import MIN_WIDTH
from alps_tui.ui.widgets import transcript_messages as messages
from alps_tui.ui.widgets.transcript_finder import PAUSE, SLICE, Finder
from alps_tui.ui.widgets.transcript_keys import READING_KEYS
from alps_tui.ui.widgets.transcript_layout import Line, Mark, Place, TranscriptLayout, TurnText, turn_header
from alps_tui.ui.widgets.transcript_paint import CSS, GUTTER, STYLES, WHOLE_ROWS, Highlight, RowPainter
from alps_tui.ui.widgets.transcript_selection import selected_slice, selected_text
from alps_tui.ui.widgets.transcript_span import SPAN_KEYS, SpanChoice, SpanUnit

__all__ = ["SPAN_KEYS", "Mark", "Place", "Transcript", "TurnText", "turn_header"]


class Transcript(ScrollView, can_focus=True):
    """Turns in rows, with evidence, find and span marks, folded where they are long."""

    TurnChanged: TypeAlias = messages.TurnChanged
    Searched: TypeAlias = messages.Searched
    SpanChosen: TypeAlias = messages.SpanChosen
    SpanMoved: TypeAlias = messages.SpanMoved
    SpanCancelled: TypeAlias = messages.SpanCancelled

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"transcript--{name}" for name in STYLES}
    DEFAULT_CSS = CSS
    BINDINGS: ClassVar[list[BindingType]] = READING_KEYS

    current_turn: reactive[int] = reactive(0, init=False)
    """The turn that keys and messages are about; its bar stands in the gutter."""

    def __init__(
        self,
        turns: Sequence[TurnText] = (),
        *,
        look: Look | None = None,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """`look` None asks the app for its `look`, and if it has none the environment."""
        super().__init__(name=name, id=id, classes=classes)
        self._drawn_as = look
        self._layout_width = 0
        self._pages = TranscriptLayout(turns)
        self._marks: tuple[Mark, ...] = ()
        self._finder = Finder(self)
        self._choice: SpanChoice | None = None
        self._wanted: Place | Mark | None = None
        self._strips: dict[int, Strip] = {}
        self._is_drawing = False
        self._painter: RowPainter | None = None
        self._look: dict[str, Style] = {}
        self._preparing = False
        self._follows = True
        self._anchor: Place | None = None
        """The top row before a resize, until the reader goes elsewhere: several resizes do not add up to a drift."""

    # ------------------------------------------------------------ what is shown

    def show(self, turns: Sequence[TurnText], *, marks: Sequence[Mark] = (), fold_rows: int = 40) -> None:
        """Show `turns` from the first one, with `marks`; what was shown, found or being chosen before is gone."""
        self._pages = TranscriptLayout(turns, self._text_width, fold_rows)
        self._marks = tuple(marks)
        self._finder.forget()
        self._choice = self._wanted = None
        with self.prevent(self.TurnChanged):
            self.current_turn = 0
        self._pages.set_marks(self._marks)
        self._anchor = None
        self._scroll_where(lambda: 0)
        self._prepare_soon()

    @property
    def turns(self) -> tuple[TurnText, ...]:
        return self._pages.turns

    def set_marks(self, marks: Sequence[Mark]) -> None:
        """Replace the evidence marks; the top row stays."""
        self._marks = tuple(marks)
        place = self.top()
        self._pages.set_marks(self._marks)
        if hit := self._finder.matches.current:
            self._pages.expose(*hit[:2])
        self._scroll_to_place(place)

    def set_quoted(self, quoted: Mapping[int, Sequence[str]]) -> None:
        """Replace the ids at the headers: which memories quote which turn (from 0)."""
        if self._pages.set_quoted(quoted):
            self.redraw()

    @property
    def look(self) -> Look:
        """How text is drawn here."""
        if self._drawn_as is None:
            self._drawn_as = getattr(self.app, "look", None) or look_for()
        return self._drawn_as

    def set_look(self, look: Look) -> None:
        """Draw emoji and directions otherwise from now on; what is shown, chosen and copied stays."""
        self._drawn_as = look
        if self._layout_width:  # signs may take other cells now
            self._lay_out_anew(self.top())

    def redraw(self) -> None:
        """Draw every row in view anew."""
        self._strips.clear()
        self._painter = None
        self.refresh()

    @property
    def _text_width(self) -> int:
        """Cells of a row of text; 0 while the widget has no size."""
        return max(self._layout_width - GUTTER, MIN_WIDTH) if self._layout_width else 0

    # ------------------------------------------------------------ places

    def top(self) -> Place:
        """What the top row shows, the current turn and what is unfolded: give it to `restore` to come back."""
        if isinstance(self._wanted, Place):
            return self._wanted
        if not self._pages.total:
            return Place()
        line = self._pages.line(min(self.scroll_offset.y, self._pages.total - 1))
        return Place(line.turn, line.start, self.current_turn, self._pages.unfolded)

    def restore(self, place: Place) -> None:
        """Go back to a `place` of the same turns, at whatever width."""
        self._pages.set_unfolded(place.unfolded)
        if place.offset >= 0 and place.turn < len(self.turns):
            self._pages.expose(place.turn, place.offset)
        self.current_turn, self._anchor = place.current, None
        if self._layout_width:
            self._scroll_to_place(place)
        else:
            self._wanted = place

    def _scroll_to_place(self, place: Place) -> None:
        turn = min(place.turn, len(self.turns) - 1)
        self._scroll_where(lambda: self._pages.row_of(turn, place.offset) if self.turns else 0)

    def jump(self, turn: int, offset: int = 0) -> None:
        """Make `turn` current and bring its code point `offset` on the screen, out of a fold if it lies in one.

        The header comes to the top if the row fits below it, else the row to a third of the height.
        """
        if not 0 <= turn < len(self.turns):
            return
        self._pages.expose(turn, offset)
        self.current_turn, self._anchor = turn, None
        if not self._layout_width:
            self._wanted = Mark(turn, offset, offset)
            return

        def wanted() -> int:
            header, row = self._pages.header_row(turn), self._pages.row_of(turn, offset)
            return (
                header if row - header < max(1, self._view_height * 2 // 3) else row - self._view_height // 3
            )

        self._scroll_where(wanted)

    @property
    def _view_height(self) -> int:
        return self.scrollable_content_region.height

    def _scroll_where(self, wanted: Callable[[], int], *, follow: bool = False) -> None:
        """Put the row that `wanted` names at the top, lay out what is in view, and draw anew.

        The current turn follows only where the reader scrolled (`follow`), not where we did.
        """
        if not self._layout_width:
            return
        top = self._pages.settle(wanted, self._view_height)
        self._follows = follow
        try:
            self.virtual_size = Size(self._layout_width, self._pages.total)
            # Forced: whether there is a scrollbar yet is only settled with the next layout.
            self.scroll_to(y=top, animate=False, force=True)
        finally:
            self._follows = True
        self.redraw()

    def _prepare_soon(self) -> None:
        """Lay out the turns out of view in slices, when the loop has nothing else to do."""
        if not self._preparing and self._layout_width:
            self._preparing = True
            self.set_timer(PAUSE, self._prepare)

    def _prepare(self) -> None:
        if self._pages.prepare(SLICE):
            self.set_timer(PAUSE, self._prepare)
            return
        self._preparing = False
        place = self.top()
        self._pages.commit()
        self._scroll_to_place(place)

    def _lay_out_anew(self, place: Place | None) -> None:
        """Wrap everything again, what is in view at once, with `place` at the top."""
        self._pages.set_width(self._text_width)
        self._prepare_soon()
        if place is not None:
            self._scroll_to_place(place)

    def _on_resize(self, event: events.Resize) -> None:
        width = self.scrollable_content_region.width
        if width in (0, self._layout_width):
            return
        place = (self._anchor or self.top()) if self._layout_width else None
        wanted, self._wanted = self._wanted, None
        self._layout_width = width
        self._lay_out_anew(None if isinstance(wanted, Mark) else wanted or place)
        if isinstance(wanted, Mark):
            self.jump(wanted.turn, wanted.start)
        self._anchor = place

    # ------------------------------------------------------------ turns

    def move_turn(self, delta: int, role: str | None = None) -> None:
        """Make the turn `delta` steps away current and show its beginning; only turns of `role` count if given."""
        if (turn := self._pages.next_turn(self.current_turn, delta, role)) != self.current_turn:
            self.jump(turn)

    def toggle_fold(self, turn: int | None = None) -> bool:
        """Unfold a long turn or fold it again, the current one if none is named; False for a short one."""
        turn = self.current_turn if turn is None else turn
        if not 0 <= turn < len(self.turns):
            return False
        place = self.top()
        if not self._pages.toggle_fold(turn):
            return False
        self._scroll_to_place(place)
        return True

    def validate_current_turn(self, turn: int) -> int:
        return max(0, min(turn, len(self.turns) - 1))

    def watch_current_turn(self, turn: int) -> None:
        self.redraw()
        self.post_message(messages.TurnChanged(self, turn))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        top = self.scroll_offset.y
        if self._pages.measure_rows(top, top + self._view_height):
            self.virtual_size = Size(self._layout_width, self._pages.total)
            self.redraw()
        if self._follows:
            self._anchor = None
            self._follow()

    def _follow(self) -> None:
        """Keep the current turn on the screen: if none of its rows is in view, the first turn in view takes over."""
        height = self._view_height
        if not self._pages.total or not height or self._choice is not None:
            return
        top = min(self.scroll_offset.y, self._pages.total - 1)
        rows = self._pages.rows_of(self.current_turn)
        if rows.stop > top and rows.start < top + height:
            return
        first = self._pages.line(top).turn
        after = first + 1
        starts_in_view = after < len(self.turns) and self._pages.header_row(after) < top + height
        begins_at_top = self._pages.header_row(first) == top
        self.current_turn = after if starts_in_view and not begins_at_top else first

    # ------------------------------------------------------------ find

    def find(self, needle: str) -> int:
        """Mark every place that holds `needle`, whatever its case, and go to the next one from here.

        Gives the number found at once. What is left of a long dialogue follows in slices (`is_searching`), and
        `Searched` when all is. An empty needle takes the marks away.
        """
        return self._finder.find(needle)

    @property
    def is_searching(self) -> bool:
        """True while a search goes on: more may be found."""
        return self._finder.is_searching

    @property
    def found(self) -> tuple[int, int]:
        """Which match is current, from 1, of how many; (0, 0) without any."""
        return self._finder.matches.at + 1, len(self._finder.matches.hits)

    def find_next(self) -> None:
        self._finder.step(1)

    def find_previous(self) -> None:
        self._finder.step(-1)

    # ------------------------------------------------------------ spans

    def begin_span(self, turn: int | None = None, at: int | None = None) -> bool:
        """Start choosing a span in `turn` (the current one if none is named) at the word at `at`.

        While the transcript has the focus all keys go to the choice until it is taken or left. False if the turn
        has no word.
        """
        turn = self.current_turn if turn is None else turn
        if not 0 <= turn < len(self.turns):
            return False
        if at is None:
            rows = self._pages.rows_of(turn)
            at = max(0, self._pages.line(max(rows.start, min(self.scroll_offset.y, rows.stop - 1))).start)
        try:
            self._choice = SpanChoice(turn, self._pages.wrapped(turn), at)
        except ValueError:
            return False
        self._show_span()
        return True

    def span(self) -> tuple[int, int, int] | None:
        """The span being chosen as (turn, start, end); None if none is."""
        if self._choice is None:
            return None
        span = self._choice.span
        return span.turn, span.start, span.end

    def extend_span(self, unit: SpanUnit, steps: int) -> None:
        """Move the span by `steps` words, signs or rows, or its end once the start is fixed."""
        if self._choice is not None:
            self._choice.extend(unit, steps)
            self._show_span()

    def fix_span(self) -> None:
        """Fix the start of the span, so that moving grows it; or let it move as a whole again."""
        if self._choice is not None:
            self._choice.fix()
            self._show_span()

    def take_span(self) -> None:
        """The choice is made."""
        if self._choice is not None:
            span, self._choice = self._choice.span, None
            self.redraw()
            self.post_message(messages.SpanChosen(self, span.turn, span.start, span.end))

    def cancel_span(self) -> None:
        """Leave without a choice."""
        if self._choice is not None:
            self._choice = None
            self.redraw()
            self.post_message(messages.SpanCancelled(self))

    def _show_span(self) -> None:
        """Bring the end that moves into view and say what is covered now."""
        if self._choice is None:
            return
        span, moving = self._choice.span, self._choice.moving
        self.current_turn, self._anchor = span.turn, None
        self._pages.expose(span.turn, moving)

        def wanted() -> int:
            row, top, height = self._pages.row_of(span.turn, moving), self.scroll_offset.y, self._view_height
            return top if top <= row < top + height else row - height // 3

        self._scroll_where(wanted)
        self.post_message(messages.SpanMoved(self, span.turn, span.start, span.end))

    def on_key(self, event: events.Key) -> None:
        """While a span is being chosen every key is about it: none of them decides anything."""
        if self._choice is None:
            return
        event.stop()
        event.prevent_default()
        match self._choice.press(event.key):
            case "moved":
                self._show_span()
            case "taken":
                self.take_span()
            case "left":
                self.cancel_span()
            case "before" | "after" as way:
                here = self._choice.span.turn
                turn = self._pages.next_turn(here, 1 if way == "after" else -1, "user")
                if turn != here:
                    self.begin_span(turn, 0)

    # ------------------------------------------------------------ drawing

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()
        self._painter = None
        self._look = {}

    def render_lines(self, crop: Region) -> list[Strip]:
        """For a frame, in which no row says where its text begins: only a pointer asks for that, row by row."""
        self._is_drawing = True
        try:
            return super().render_lines(crop)
        finally:
            self._is_drawing = False

    def render_line(self, y: int) -> Strip:
        row = self.scroll_offset.y + y
        if row not in self._strips:
            self._strips[row] = self._paint(row)
        strip = self._strips[row]
        return strip if self._is_drawing else strip.apply_offsets(0, row)

    def _paint(self, row: int) -> Strip:
        width = max(self._layout_width, self.size.width)
        styles = self._row_styles()
        if row >= self._pages.total or not self._layout_width:
            return Strip.blank(width, styles["blank"])
        if self._painter is None:
            self._painter = RowPainter(self._pages, styles, self._layout_width, self.look)
        line = self._pages.line(row)
        current = line.turn == self.current_turn
        if line.kind == "header":
            strip = self._painter.header(line, current)
        elif line.kind == "gap":
            strip = self._painter.gap(line, current)
        else:
            selected = selected_slice(
                self._pages, self.text_selection, row, line, self.look, self._layout_width
            )
            strip = self._painter.text(line, current, [*self._highlights(line), *selected])
        return strip.extend_cell_length(width, styles["blank"])

    def _row_styles(self) -> dict[str, Style]:
        """The styles of rows by name, asked of the stylesheet once for each look of the widget."""
        if not self._look:
            base = self.rich_style
            named = {n: self.get_component_rich_style(f"transcript--{n}", partial=True) for n in STYLES}
            self._look = {**named, **{name: base + named[name] for name in WHOLE_ROWS}, "blank": base}
        return self._look

    def _highlights(self, line: Line) -> list[Highlight]:
        out: list[Highlight] = [
            (mark.start, mark.end, mark.kind)
            for mark in self._pages.marks_in(line.turn, line.start, line.end)
        ]
        for start, end, is_current in self._finder.matches.between(line.turn, line.start, line.end):
            out.append((start, end, "find-current" if is_current else "find"))
        if self._choice is not None and self._choice.span.turn == line.turn:
            out.append((self._choice.span.start, self._choice.span.end, "span"))
        return out

    def get_selection(self, selection: Selection) -> tuple[str, str] | None:
        """The turns' own text under a mouse selection, and what ends it."""
        return selected_text(self._pages, selection, self.look, self._layout_width), "\n"

    # ------------------------------------------------------------ mouse and keys

    def on_click(self, event: events.Click) -> None:
        """The turn under the pointer becomes the current one; a gap opens."""
        at = event.get_content_offset(self)
        if at is None or not 0 <= (row := self.scroll_offset.y + at.y) < self._pages.total:
            return
        line = self._pages.line(row)
        self.current_turn = line.turn
        if line.kind == "gap":
            self.toggle_fold(line.turn)

    def selection_updated(self, selection: Selection | None) -> None:
        self.redraw()

    def action_rows(self, delta: int) -> None:
        row = self.scroll_offset.y + delta
        self._scroll_where(lambda: row, follow=True)

    def action_pages(self, delta: int) -> None:
        self.action_rows(delta * max(1, self._view_height - 1))

    def action_edge(self, delta: int) -> None:
        self._scroll_where(lambda: self._pages.total if delta > 0 else 0, follow=True)
        self.current_turn = len(self.turns) - 1 if delta > 0 else 0

    def action_user_turn(self, delta: int) -> None:
        self.move_turn(delta, "user")

    def action_toggle_fold(self) -> None:
        self.toggle_fold()
