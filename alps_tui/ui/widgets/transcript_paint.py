"""One row of a transcript as styled segments: gutter, text with its marks, header, gap."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby, pairwise

from rich.cells import cell_len, set_cell_size
from rich.segment import Segment
from rich.style import Style
from textual.strip import Strip

from alps_tui.safe_text import one_line
from alps_tui.ui.bidi import is_rtl, mirrored, row_levels, turns_around, visual_order
from alps_tui.ui.in_order import line_in_order
from alps_tui.ui.look import Look
from alps_tui.ui.text_layout import cluster_edges, plain_emoji, widened
from alps_tui.ui.widgets.transcript_layout import Line, TranscriptLayout

GUTTER = 3
BAR = "▌"
SIGN_OF = {"span": "*", "find-current": "▸", "find": "/", "current": "»", "evidence": "›"}
"""Gutter signs of rows that hold a mark: the first in this order that applies. Colour is never alone."""
STYLES = (
    "gutter",
    "bar",
    "header",
    "header-user",
    "header-current",
    "quoted",
    "user",
    "assistant",
    "other",
    "evidence",
    "current",
    "find",
    "find-current",
    "span",
    "sign",
    "tab",
    "gap",
    "selection",
)
WHOLE_ROWS = ("header", "header-user", "user", "assistant", "other")
"""The styles that a row begins with; all others are laid over one of them."""
CSS = """
Transcript {
    overflow-x: hidden;
    overflow-y: auto;
    scrollbar-gutter: stable;
    scrollbar-size-vertical: 1;
    background: $surface;
    color: $foreground;
    & > .transcript--bar { color: $primary; text-style: bold; }
    & > .transcript--header { background: $panel; }
    & > .transcript--header-user { background: $primary-muted; }
    & > .transcript--header-current { text-style: bold; }
    & > .transcript--quoted { text-style: bold; }
    & > .transcript--other { text-style: italic; }
    & > .transcript--evidence { text-style: underline; }
    & > .transcript--current { text-style: bold underline; background: $warning-muted; }
    & > .transcript--find { text-style: reverse; }
    & > .transcript--find-current { text-style: bold underline reverse; }
    & > .transcript--span { text-style: bold reverse; }
    & > .transcript--sign { text-style: reverse; }
    & > .transcript--tab { text-style: dim; }
    & > .transcript--gap { text-style: italic; }
    & > .transcript--selection { background: $primary-muted; }
}
"""
"""The look of each style: laid over the widget's own colours, so no automatic ones; never told by colour alone."""
Highlight = tuple[int, int, str]
"""Code points [start, end) of a turn and the name of their style."""


@dataclass(frozen=True, slots=True)
class _Cluster:
    """What is drawn as one sign of a row that is reordered: its slice, and whether it is read from the right."""

    start: int
    end: int
    from_right: bool


def _clusters(text: str, line: Line) -> list[_Cluster]:
    """The clusters of a row from left to right."""
    levels = row_levels(text, line.start, line.end)
    slices = list(pairwise(cluster_edges(text, line.start, line.end)))
    of_slices = [levels[start - line.start] for start, _ in slices]
    return [_Cluster(*slices[place], of_slices[place] % 2 == 1) for place in visual_order(of_slices)]


def _parted(segment: Segment) -> list[Segment]:
    """The segment cut after each cluster that a joiner or selector holds together: Textual looks for the sign under
    the pointer by adding up single signs, which are more than the cluster takes."""
    text = segment.text
    if "\u200d" not in text and "\ufe0f" not in text:
        return [segment]
    slices = pairwise(cluster_edges(text, 0, len(text)))
    cuts = [end for start, end in slices if "\u200d" in text[start:end] or "\ufe0f" in text[start:end]]
    return [Segment(text[a:b], segment.style) for a, b in pairwise([0, *cuts, len(text)]) if a < b]


def _indent(text: str, line: Line, look: Look, width: int) -> int:
    """Cells before a row of a paragraph that goes from right to left: it stands at the right edge."""
    if not is_rtl(text, line.start, line.end):
        return 0
    return max(0, width - GUTTER - cell_len(look.drawn(text[line.start : line.end])))


def offset_at(text: str, line: Line, column: int, look: Look, width: int) -> int:
    """The code point of `text` before which the `column`-th sign of a drawn row begins to be read.

    Columns count signs as drawn, not cells; one within a cluster is its far edge, so that no letter loses its marks.
    A header counts as the turn's start, a row's gutter as its start.
    """
    if line.kind != "text":
        return max(line.start, 0)
    left = column - GUTTER
    if left < 0:
        return line.start
    if look.visual and turns_around(text, line.start, line.end):
        return _offset_in_reordered(text, line, left - _indent(text, line, look, width), look)
    for start, end in pairwise(cluster_edges(text, line.start, line.end)):
        signs = len(look.drawn(text[start:end]))
        if left < signs:
            return start if left == 0 or text[start] == "\t" else end
        left -= signs
    return line.end


def _offset_in_reordered(text: str, line: Line, left: int, look: Look) -> int:
    """The same for a row that is reordered: the left edge of a sign read from the right is where it ends."""
    rtl = is_rtl(text, line.start, line.end)
    if left < 0:
        return line.end if rtl else line.start
    for cluster in _clusters(text, line):
        signs = len(look.drawn(text[cluster.start : cluster.end]))
        if left < signs:
            at_left = left == 0 or text[cluster.start] == "\t"
            return cluster.start if at_left != cluster.from_right else cluster.end
        left -= signs
    return line.start if rtl else line.end


class RowPainter:
    """Draws rows of a layout with given styles."""

    def __init__(self, layout: TranscriptLayout, styles: Mapping[str, Style], width: int, look: Look) -> None:
        self._layout = layout
        self._styles = styles
        self._width = width
        self._look = look

    def header(self, line: Line, current: bool) -> Strip:
        """The turn's header, with the memories that quote it at the right and the size of a long turn."""
        turn = self._layout.turns[line.turn]
        room = self._width - GUTTER
        quoted = self._quoted(turn.quoted_by, room // 2)
        text = one_line(turn.header)
        if self._layout.is_long(line.turn):
            sign = "▸" if self._layout.is_folded(line.turn) else "▾"
            rows = self._layout.rows(line.turn)
            text += f" · {sign} {'' if rows.complete else '~'}{rows.about:,} rows"
        text = plain_emoji(text) if self._look.plain else text
        text = line_in_order(text) if self._look.visual else text
        left = set_cell_size(text, room - cell_len(quoted))
        style = self._styles["header-user" if turn.role == "user" else "header"]
        style = style + self._styles["header-current"] if current else style
        return Strip(
            [
                Segment(BAR if current else " ", style + self._styles["bar"] if current else style),
                Segment("  ", style),
                Segment(left, style),
                Segment(quoted, style + self._styles["quoted"]),
            ],
            self._width,
        )

    @staticmethod
    def _quoted(names: Sequence[str], room: int) -> str:
        """ " ◀ m1 m2", as many as `room` cells hold, the rest counted."""
        if not names:
            return ""
        safe = [one_line(name) for name in names]
        for shown in range(len(safe), 0, -1):
            rest = f" +{len(safe) - shown}" if shown < len(safe) else ""
            text = f" ◀ {' '.join(safe[:shown])}{rest} "
            if cell_len(text) <= room:
                return text
        return f" ◀ {len(safe)} "

    def gap(self, line: Line, current: bool) -> Strip:
        """The rows that are folded away, and how to see them."""
        base = self._base(line.turn)
        text = f"… {line.hidden:,} more rows · space unfolds" if line.last else f"⋯ {line.hidden:,} rows"
        style = base + self._styles["gap"]
        return Strip(
            [
                *self._gutter(base, " ", current),
                Segment(set_cell_size(text, self._width - GUTTER), style),
            ],
            self._width,
        )

    def text(self, line: Line, current: bool, highlights: Sequence[Highlight]) -> Strip:
        """A row of the turn's text; `highlights` are laid over it in order."""
        base = self._base(line.turn)
        names = {name for start, end, name in highlights if start < line.end and end > line.start}
        sign = next((SIGN_OF[name] for name in SIGN_OF if name in names), " ")
        segments = self._gutter(base, sign, current)
        used = GUTTER
        text = self._layout.text_of(line.turn)
        reordered = self._look.visual and line.end > line.start and turns_around(text, line.start, line.end)
        if reordered and (indent := _indent(text, line, self._look, self._width)):
            segments.append(Segment(" " * indent, base))
            used += indent
        for segment in (self._reordered if reordered else self._pieces)(line, base, highlights):
            used += cell_len(segment.text)
            segments += _parted(segment)
        segments.append(Segment(" " * max(0, self._width - used), base))
        return Strip(segments, max(self._width, used))

    def _gutter(self, base: Style, sign: str, current: bool) -> list[Segment]:
        bar = Segment(BAR, base + self._styles["bar"]) if current else Segment(" ", base)
        return [bar, Segment(sign + " ", base + self._styles["gutter"])]

    def _base(self, turn: int) -> Style:
        role = self._layout.turns[turn].role
        return self._styles[role if role in ("user", "assistant") else "other"]

    def _pieces(self, line: Line, base: Style, highlights: Sequence[Highlight]) -> list[Segment]:
        text = self._layout.text_of(line.turn)
        layers = [*self._signs(line), *highlights]
        if not layers:
            return (
                [Segment(self._look.drawn(text[line.start : line.end]), base)]
                if line.end > line.start
                else []
            )
        edges = cluster_edges(text, line.start, line.end)
        layers = [
            (*widened(edges, max(a, line.start), min(b, line.end)), name) for a, b, name in layers if a < b
        ]
        cuts = sorted({line.start, line.end, *(at for a, b, _ in layers if a < b for at in (a, b))})
        pieces = []
        for start, end in pairwise(cuts):
            style = base
            for left, right, name in layers:
                if left <= start and end <= right:
                    style += self._styles[name]
            pieces.append(Segment(self._look.drawn(text[start:end]), style))
        return pieces

    def _reordered(self, line: Line, base: Style, highlights: Sequence[Highlight]) -> list[Segment]:
        """The row's clusters from left to right, each with the styles laid over it."""
        text = self._layout.text_of(line.turn)
        layers = [*self._signs(line), *highlights]
        drawn: list[tuple[Style, str]] = []
        for cluster in _clusters(text, line):
            style = base
            for left, right, name in layers:
                if left < cluster.end and cluster.start < right:
                    style += self._styles[name]
            sign = text[cluster.start : cluster.end]
            drawn.append((style, self._look.drawn(mirrored(sign) if cluster.from_right else sign)))
        return [
            Segment("".join(sign for _, sign in pieces), style)
            for style, pieces in groupby(drawn, key=lambda piece: piece[0])
        ]

    def _signs(self, line: Line) -> list[Highlight]:
        """The signs of this row that stand for something else, so that they differ from signs that were written."""
        text, source = self._layout.text_of(line.turn), self._layout.source_of(line.turn)
        if text is source and "\t" not in text:
            return []
        return [
            (at, at + 1, "tab" if text[at] == "\t" else "sign")
            for at in range(line.start, line.end)
            if text[at] != source[at] or text[at] == "\t"
        ]
