"""The transcript: one widget that shows a dialogue, or a response, of any length on Textual's line API.

It keeps strings and offsets, holds no widget per turn, and draws a row when it comes into view. It shows what it is
given and posts what happened; it knows no store. All text is made safe on its way in.
"""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import ClassVar

from rich.style import Style
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Size
from textual.message import Message
from textual.reactive import reactive
from textual.scroll_view import ScrollView
from textual.selection import Selection
from textual.strip import Strip

from alps_tui.ui.text_layout import MIN_WIDTH, direction, wants_plain_emoji
from alps_tui.ui.widgets.transcript_layout import Line, Mark, Place, TranscriptLayout, TurnText
from alps_tui.ui.widgets.transcript_paint import GUTTER, STYLES, Highlight, RowPainter
from alps_tui.ui.widgets.transcript_span import Span, SpanUnit, TurnUnits

__all__ = ["SPAN_KEYS", "Mark", "Place", "Transcript", "TurnText", "turn_header"]

SPAN_KEYS = "←→ word · ⇧←→ sign · ↑↓ row · space fix start · enter take · esc leave"
"""What a status line says while a span is being chosen."""


def turn_header(
    number: int, role: str, text: str, *, speaker: str | None = None, note: str | None = None
) -> str:
    """A header such as "3 user · 1,204 chars · rtl": number from 1, who, size, what else there is to say."""
    parts = [f"{number} {role}" if not speaker or speaker == role else f"{number} {role} ({speaker})"]
    parts.append(f"{len(text):,} chars")
    if note:
        parts.append(note)
    elif direction(text, 0, min(len(text), 400)) == "rtl":
        parts.append("rtl")
    return " · ".join(parts)


class Transcript(ScrollView, can_focus=True):
    """Turns in rows, with evidence, find and span marks, folded where they are long."""

    class TurnChanged(Message):
        """The current turn is now `turn`, by a key, the mouse, scrolling or `jump`."""

        def __init__(self, transcript: "Transcript", turn: int) -> None:
            super().__init__()
            self.transcript = transcript
            self.turn = turn

        @property
        def control(self) -> "Transcript":
            return self.transcript

    class SpanChosen(Message):
        """Code points [start, end) of `turn` were chosen: offsets into the turn's text as it was given."""

        def __init__(self, transcript: "Transcript", turn: int, start: int, end: int) -> None:
            super().__init__()
            self.transcript = transcript
            self.turn = turn
            self.start = start
            self.end = end

        @property
        def control(self) -> "Transcript":
            return self.transcript

    class SpanMoved(SpanChosen):
        """A span is being chosen and now covers [start, end) of `turn`."""

    class SpanCancelled(Message):
        """Choosing a span was left without a choice."""

        def __init__(self, transcript: "Transcript") -> None:
            super().__init__()
            self.transcript = transcript

        @property
        def control(self) -> "Transcript":
            return self.transcript

    COMPONENT_CLASSES: ClassVar[set[str]] = {f"transcript--{name}" for name in STYLES}
    DEFAULT_CSS = """
    Transcript {
        overflow-x: hidden;
        overflow-y: auto;
        scrollbar-gutter: stable;
        scrollbar-size-vertical: 1;
        background: $surface;
        color: $foreground;
        & > .transcript--gutter { color: $text-muted; }
        & > .transcript--bar { color: $primary; text-style: bold; }
        & > .transcript--header { background: $panel; color: $text-muted; }
        & > .transcript--header-current { background: $panel; color: $text; text-style: bold; }
        & > .transcript--quoted { color: $text-warning; text-style: bold; }
        & > .transcript--user { color: $text; }
        & > .transcript--assistant { color: $text-muted; }
        & > .transcript--other { color: $text-muted; text-style: italic; }
        & > .transcript--evidence { text-style: underline; color: $text-warning; }
        & > .transcript--current { text-style: underline bold; color: $text-warning; background: $warning-muted; }
        & > .transcript--find { text-style: reverse; }
        & > .transcript--find-current { text-style: reverse bold underline; }
        & > .transcript--span { text-style: reverse bold; color: $text-success; }
        & > .transcript--sign { text-style: dim reverse; }
        & > .transcript--gap { color: $text-muted; text-style: italic; }
        & > .transcript--selection { background: $primary-muted; color: $text; }
    }
    """
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("up", "rows(-1)", "Row up", show=False),
        Binding("down", "rows(1)", "Row down", show=False),
        Binding("pageup", "pages(-1)", "Page up", show=False),
        Binding("pagedown", "pages(1)", "Page down", show=False),
        Binding("home", "edge(-1)", "First turn", show=False),
        Binding("end", "edge(1)", "Last turn", show=False),
        Binding("left_curly_bracket", "user_turn(-1)", "User turn before", show=False),
        Binding("right_curly_bracket", "user_turn(1)", "User turn after", show=False),
        Binding("space", "toggle_fold", "Unfold", show=False),
    ]

    current_turn: reactive[int] = reactive(0, init=False)
    """The turn that keys and messages are about; its bar stands in the gutter."""

    def __init__(
        self,
        turns: Sequence[TurnText] = (),
        *,
        plain_emoji: bool | None = None,
        name: str | None = None,
        id: str | None = None,
        classes: str | None = None,
    ) -> None:
        """`plain_emoji` None asks the environment: plain inside tmux and screen."""
        super().__init__(name=name, id=id, classes=classes)
        self._plain = wants_plain_emoji() if plain_emoji is None else plain_emoji
        self._layout_width = 0
        self._pages = TranscriptLayout(turns)
        self._marks: tuple[Mark, ...] = ()
        self._hits: list[Mark] = []
        self._hit = -1
        self._span: Span | None = None
        self._units: TurnUnits | None = None
        self._wanted: Place | Mark | None = None
        self._strips: dict[int, Strip] = {}
        self._painter: RowPainter | None = None

    # ------------------------------------------------------------ what is shown

    def show(self, turns: Sequence[TurnText], *, marks: Sequence[Mark] = (), fold_rows: int = 40) -> None:
        """Show `turns` from the first one, with `marks`; what was shown, found or being chosen before is gone."""
        self._pages = TranscriptLayout(turns, self._layout_width or 80, fold_rows)
        self._marks = tuple(marks)
        self._hits, self._hit = [], -1
        self._span = self._units = self._wanted = None
        with self.prevent(self.TurnChanged):
            self.current_turn = 0
        self._pages.set_marks(self._marks)
        self._laid_out()
        self.scroll_to(y=0, animate=False)

    @property
    def turns(self) -> tuple[TurnText, ...]:
        return self._pages.turns

    def set_marks(self, marks: Sequence[Mark]) -> None:
        """Replace the evidence marks; the top row stays."""
        self._marks = tuple(marks)
        self._apply_marks()

    def set_quoted(self, quoted: Mapping[int, Sequence[str]]) -> None:
        """Replace the ids shown at the headers: which memories quote which turn (from 0)."""
        self._pages.set_quoted(quoted)
        self._repaint()

    def set_plain_emoji(self, plain: bool) -> None:
        self._plain = plain
        self._repaint()

    def _apply_marks(self) -> None:
        place = self.top()
        self._pages.set_marks(self._marks)
        for hit in self._hits[self._hit : self._hit + 1] if self._hit >= 0 else ():
            self._pages.expose(hit.turn, hit.start)
        self._laid_out()
        self._scroll_to_place(place)

    def _laid_out(self) -> None:
        """The rows have changed: tell the scrollbar and draw anew."""
        self.virtual_size = Size(self._layout_width, self._pages.total)
        self._repaint()

    def _repaint(self) -> None:
        self._strips.clear()
        self._painter = None
        self.refresh()

    # ------------------------------------------------------------ places

    def top(self) -> Place:
        """What the top row shows, the current turn and what is unfolded: give it to `restore` to come back."""
        if isinstance(self._wanted, Place):
            return self._wanted
        if not self._pages.total:
            return Place()
        row = min(self.scroll_offset.y, self._pages.total - 1)
        line = self._pages.line(row)
        while line.kind == "gap" and row:
            row -= 1
            line = self._pages.line(row)
        offset = line.start if line.kind == "text" else -1
        return Place(line.turn, offset, self.current_turn, self._pages.unfolded)

    def restore(self, place: Place) -> None:
        """Go back to a `place` of the same turns, at whatever width."""
        self._pages.set_unfolded(place.unfolded)
        if place.offset >= 0 and place.turn < len(self.turns):
            self._pages.expose(place.turn, place.offset)
        self._laid_out()
        self.current_turn = place.current
        if self._layout_width:
            self._scroll_to_place(place)
        else:
            self._wanted = place

    def _scroll_to_place(self, place: Place) -> None:
        if place.turn < len(self.turns):
            self._scroll_to_row(self._pages.row_of(place.turn, place.offset))

    def jump(self, turn: int, offset: int = 0) -> None:
        """Make `turn` current and bring its code point `offset` on the screen, out of a fold if it lies in one.

        The header comes to the top if the row fits below it, else the row to a third of the height.
        """
        if not 0 <= turn < len(self.turns):
            return
        self._pages.expose(turn, offset)
        self._laid_out()
        if self._layout_width:
            header, row = self._pages.header_row(turn), self._pages.row_of(turn, offset)
            height = self.scrollable_content_region.height
            self._scroll_to_row(header if row - header < max(1, height * 2 // 3) else row - height // 3)
        else:
            self._wanted = Mark(turn, offset, offset)
        self.current_turn = turn

    def _scroll_to_row(self, row: int) -> None:
        self.scroll_to(y=max(0, min(row, self.max_scroll_y)), animate=False)

    def _on_resize(self, event: events.Resize) -> None:
        width = max(self.scrollable_content_region.width, GUTTER + MIN_WIDTH)
        if width == self._layout_width:
            return
        place = self.top() if self._layout_width else None
        wanted, self._wanted = self._wanted, None
        self._layout_width = width
        self._pages.set_width(width - GUTTER)
        self._laid_out()
        if isinstance(wanted, Mark):
            self.jump(wanted.turn, wanted.start)
        elif wanted is not None or place is not None:
            self._scroll_to_place(wanted or place or Place())

    # ------------------------------------------------------------ turns

    def move_turn(self, delta: int, role: str | None = None) -> None:
        """Make the turn `delta` steps away current and show its beginning; only turns of `role` count if given."""
        turn = self._pages.next_turn(self.current_turn, delta, role)
        if turn != self.current_turn:
            self.jump(turn)

    def toggle_fold(self, turn: int | None = None) -> bool:
        """Unfold a long turn or fold it again, the current one if none is named; False for a short one."""
        turn = self.current_turn if turn is None else turn
        if not 0 <= turn < len(self.turns):
            return False
        place = self.top()
        if not self._pages.toggle_fold(turn):
            return False
        self._laid_out()
        self._scroll_to_place(place)
        return True

    def validate_current_turn(self, turn: int) -> int:
        return max(0, min(turn, len(self.turns) - 1))

    def watch_current_turn(self, turn: int) -> None:
        self._repaint()
        self.post_message(self.TurnChanged(self, turn))

    def watch_scroll_y(self, old_value: float, new_value: float) -> None:
        super().watch_scroll_y(old_value, new_value)
        self._follow()

    def _follow(self) -> None:
        """Keep the current turn on the screen: if none of its rows is in view, the first turn in view takes over."""
        height = self.scrollable_content_region.height
        if not self._pages.total or not height or self._span is not None:
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
        """Mark every place that holds `needle`, whatever its case, and go to the next one from here; gives the number.

        An empty needle takes the marks away.
        """
        self._hits, self._hit = [], -1
        if needle:
            pattern = re.compile(re.escape(needle), re.IGNORECASE)
            self._hits = [
                Mark(number, *found.span(), "find")
                for number, turn in enumerate(self.turns)
                for found in pattern.finditer(turn.text)
            ]
        if self._hits:
            here = self.top()
            from_here = (here.turn, here.offset)
            self._hit = next((n for n, hit in enumerate(self._hits) if (hit.turn, hit.start) >= from_here), 0)
            self._go_to_hit()
        self._repaint()
        return len(self._hits)

    @property
    def found(self) -> tuple[int, int]:
        """Which match is current, from 1, of how many; (0, 0) without any."""
        return self._hit + 1, len(self._hits)

    def find_next(self) -> None:
        self._step_hit(1)

    def find_previous(self) -> None:
        self._step_hit(-1)

    def _step_hit(self, step: int) -> None:
        if self._hits:
            self._hit = (self._hit + step) % len(self._hits)
            self._go_to_hit()

    def _go_to_hit(self) -> None:
        hit = self._hits[self._hit]
        self.jump(hit.turn, hit.start)

    # ------------------------------------------------------------ spans

    def begin_span(self, turn: int | None = None, at: int | None = None) -> bool:
        """Start choosing a span in `turn` (the current one if none is named) at the word at `at`.

        Keys go to the choice until it is taken or left, as long as the transcript has the focus. False if the turn
        has no word.
        """
        turn = self.current_turn if turn is None else turn
        if not 0 <= turn < len(self.turns):
            return False
        units = TurnUnits(self._pages.wrapped(turn))
        first = units.first(turn, self._first_offset_in_view(turn) if at is None else at)
        if first is None:
            return False
        self._units = units
        self._set_span(first)
        return True

    def _first_offset_in_view(self, turn: int) -> int:
        row = self._pages.rows_of(turn)
        line = self._pages.line(max(row.start, min(self.scroll_offset.y, row.stop - 1)))
        return max(0, line.start)

    def span(self) -> tuple[int, int, int] | None:
        """The span being chosen as (turn, start, end); None if none is."""
        return None if self._span is None else (self._span.turn, self._span.start, self._span.end)

    def extend_span(self, unit: SpanUnit, steps: int) -> None:
        """Move the span by `steps` words, signs or rows, or its end once the start is fixed."""
        if self._span is not None and self._units is not None:
            self._set_span(self._units.moved(self._span, unit, steps))

    def edge_span(self, steps: int) -> None:
        """To the first or the last word of the turn; with a fixed start back to one word, or to the turn's end."""
        if self._span is not None and self._units is not None:
            self._set_span(self._units.to_edge(self._span, steps))

    def fix_span(self) -> None:
        """Fix the start of the span, so that moving grows it; or let it move as a whole again."""
        if self._span is not None:
            self._set_span(replace(self._span, fixed=not self._span.fixed))

    def take_span(self) -> None:
        """The choice is made."""
        span, self._span, self._units = self._span, None, None
        if span is not None:
            self._repaint()
            self.post_message(self.SpanChosen(self, span.turn, span.start, span.end))

    def cancel_span(self) -> None:
        """Leave without a choice."""
        if self._span is not None:
            self._span = self._units = None
            self._repaint()
            self.post_message(self.SpanCancelled(self))

    def _set_span(self, span: Span) -> None:
        self._span = span
        if self.current_turn != span.turn:
            self.current_turn = span.turn
        moving = span.end - 1 if span.fixed else span.start
        self._pages.expose(span.turn, moving)
        self._laid_out()
        row = self._pages.row_of(span.turn, moving)
        top, height = self.scroll_offset.y, max(1, self.scrollable_content_region.height)
        if not top <= row < top + height:
            self._scroll_to_row(row - height // 3)
        self.post_message(self.SpanMoved(self, span.turn, span.start, span.end))

    def _span_turn(self, delta: int) -> None:
        if self._span is not None and not self._span.fixed:
            turn = self._pages.next_turn(self._span.turn, delta, "user")
            if turn != self._span.turn:
                self.begin_span(turn, 0)

    def on_key(self, event: events.Key) -> None:
        """While a span is being chosen every key is about it: none of them decides anything."""
        if self._span is None:
            return
        event.stop()
        event.prevent_default()
        match event.key:
            case "right" | "left":
                self.extend_span("word", 1 if event.key == "right" else -1)
            case "shift+right" | "full_stop" | "shift+left" | "comma":
                self.extend_span("char", 1 if event.key in ("shift+right", "full_stop") else -1)
            case "down" | "up":
                self.extend_span("line", 1 if event.key == "down" else -1)
            case "home" | "end":
                self.edge_span(1 if event.key == "end" else -1)
            case "right_curly_bracket" | "left_curly_bracket":
                self._span_turn(1 if event.key == "right_curly_bracket" else -1)
            case "space" | "v":
                self.fix_span()
            case "enter":
                self.take_span()
            case "escape":
                self.cancel_span()

    # ------------------------------------------------------------ drawing

    def notify_style_update(self) -> None:
        super().notify_style_update()
        self._strips.clear()
        self._painter = None

    def render_line(self, y: int) -> Strip:
        row = self.scroll_offset.y + y
        strip = self._strips.get(row)
        if strip is None:
            strip = self._strips[row] = self._paint(row)
        return strip

    def _paint(self, row: int) -> Strip:
        width = max(self._layout_width, self.size.width)
        if self._painter is None:
            self._painter = RowPainter(self._pages, self._row_styles(), self._layout_width, plain=self._plain)
        if row >= self._pages.total or not self._layout_width:
            return Strip.blank(width, self.rich_style)
        line = self._pages.line(row)
        current = line.turn == self.current_turn
        if line.kind == "header":
            strip = self._painter.header(line, current)
        elif line.kind == "gap":
            strip = self._painter.gap(line, current)
        else:
            strip = self._painter.text(line, current, self._highlights(line))
        return strip.extend_cell_length(width, self.rich_style).apply_offsets(0, row)

    def _row_styles(self) -> dict[str, Style]:
        base = self.rich_style
        styles = {name: self.get_component_rich_style(f"transcript--{name}", partial=True) for name in STYLES}
        for name in ("header", "header-current", "user", "assistant", "other"):
            styles[name] = base + styles[name]
        return styles

    def _highlights(self, line: Line) -> list[Highlight]:
        out: list[Highlight] = [
            (mark.start, mark.end, mark.kind)
            for mark in self._pages.marks_in(line.turn, line.start, line.end)
        ]
        for number, hit in enumerate(self._hits):
            if hit.turn == line.turn and hit.start < line.end and hit.end > line.start:
                out.append((hit.start, hit.end, "find-current" if number == self._hit else "find"))
        if self._span is not None and self._span.turn == line.turn:
            out.append((self._span.start, self._span.end, "span"))
        return out

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
        self._repaint()

    def action_rows(self, delta: int) -> None:
        self._scroll_to_row(self.scroll_offset.y + delta)

    def action_pages(self, delta: int) -> None:
        self._scroll_to_row(self.scroll_offset.y + delta * max(1, self.scrollable_content_region.height - 1))

    def action_edge(self, delta: int) -> None:
        self._scroll_to_row(self.max_scroll_y if delta > 0 else 0)
        self.current_turn = len(self.turns) - 1 if delta > 0 else 0

    def action_user_turn(self, delta: int) -> None:
        self.move_turn(delta, "user")

    def action_toggle_fold(self) -> None:
        self.toggle_fold()
