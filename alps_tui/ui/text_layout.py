"""Text laid out in rows of cells: wrapping, row index, folding, clusters and direction. Pure: no widget, no screen.

A row is a slice of its text, so a place in the text is a place on the screen and the other way round. All functions
take text that `safe_text.visible` has passed: no control sign but TAB and LF, no joiner outside an emoji. Widths are
those Rich uses when it draws (Unicode 17), so that the layout and the drawn frame cannot disagree.
"""

import os
import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import regex
from rich._unicode_data import load as load_cell_table
from rich.cells import cell_len

TAB_CELLS = 4
TAB_SHOWN = "␉   "
"""A tab is four cells wherever it stands; its sign makes it one for one to undo."""
MIN_WIDTH = 4

_ZERO_WIDTH_TAIL = r"[\p{M}\u1160-\u11ff\ud7b0-\ud7ff]"
_CLUSTER = regex.compile(rf"\X{_ZERO_WIDTH_TAIL}*")
_PIECE = regex.compile(rf"(?s).{_ZERO_WIDTH_TAIL}*")
_NOT_AT_ROW_START = frozenset(
    "、。，．：；？！）］｝」』】〉》〕ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ"
)


class _Patterns(NamedTuple):
    """What decides how a paragraph may be wrapped."""

    odd: re.Pattern[str]
    token: re.Pattern[str]
    awkward: re.Pattern[str]


# Beyond the first plane whole blocks are taken for what some of their signs are: a class of many such ranges is
# searched range by range, and a paragraph that is looked at too closely is only slower, never wrong.
_HIGH = "\U00010000-\U0010ffff"
_HIGH_WIDE = "\U00020000-\U0003fffd"
_HIGH_EXTENDS = "\U00010000-\U0001cfff\U0001d100-\U0001e95f\U0001f3fb-\U0001f3ff\U000e0100-\U000e01ef"
_HIGH_PULLS = "\U00011000-\U00011fff\U0001f1e6-\U0001f1ff"


@cache
def _patterns() -> _Patterns:
    """Patterns made of Rich's width table and Unicode's cluster rules (UAX #29), once per process.

    odd       a sign that is not one cell wide, or that may belong to the same cluster as its neighbour
    token     spaces, a tab, a run of wide signs (a row may end between any two), or a word
    awkward   a place where a token's end is not a cluster's end, so that clusters have to be looked at
    """
    plane = "".join(map(chr, range(0xD800))) + "\0" * 0x800 + "".join(map(chr, range(0xE000, 0x10000)))

    def class_of(properties: str) -> str:
        found = regex.finditer(f"[{properties}]+", plane)
        return _as_class((run.start(), run.end() - 1) for run in found)

    table = [(start, min(end, 0xFFFF), cells) for start, end, cells in load_cell_table("auto").widths]
    table = [entry for entry in table if 0xA0 <= entry[0] <= entry[1]]
    extends = class_of(r"\p{GCB=EX}\p{GCB=SM}\p{GCB=ZWJ}\p{GCB=V}\p{GCB=T}")
    pulls = class_of(r"\p{GCB=PP}\p{GCB=L}\p{GCB=ZWJ}")
    not_one = _as_class((start, end) for start, end, cells in table if cells != 1)
    wide = _as_class((start, end) for start, end, cells in table if cells == 2) + _HIGH_WIDE
    return _Patterns(
        odd=re.compile(f"[\t{not_one}{extends}{pulls}{_HIGH}]"),
        token=re.compile(f"( +)|(\t)|([{wide}]+)|([^ \t\n{wide}]+)"),
        awkward=re.compile(f"[{pulls}{_HIGH_PULLS}]|[ \t{wide}][{extends}{_HIGH_EXTENDS}]"),
    )


def _as_class(ranges: Iterable[tuple[int, int]]) -> str:
    return "".join(f"\\U{start:08x}-\\U{end:08x}" for start, end in ranges)


@dataclass(frozen=True, slots=True)
class Wrapped:
    """A text in rows no wider than `width` cells. `starts` holds the offset at which each row begins, ascending from 0.

    Row i covers [starts[i], starts[i + 1]), the last one to the end: together the rows are the text.
    """

    text: str
    width: int
    starts: Sequence[int]

    def __len__(self) -> int:
        return len(self.starts)

    def row(self, index: int) -> tuple[int, int]:
        """The slice that row `index` covers, with the line break and the spaces at its end."""
        following = index + 1
        return self.starts[index], self.starts[following] if following < len(self.starts) else len(self.text)

    def shown(self, index: int) -> tuple[int, int]:
        """The slice that is drawn for row `index`: without the line break and the spaces at its end."""
        start, end = self.row(index)
        text = self.text
        while end > start and text[end - 1] in " \n":
            end -= 1
        return start, end

    def row_of(self, offset: int) -> int:
        """The row that covers `offset`; the nearest one for an offset outside the text."""
        return max(0, bisect_right(self.starts, offset) - 1)


def wrap(text: str, width: int) -> Wrapped:
    """`text` in rows of at most `width` cells, broken after spaces and beside wide signs, else between clusters.

    A cluster (UAX #29) is split only if it is wider than a row. Spaces that end a row hang beyond it and are not
    drawn. Raises ValueError for a width under MIN_WIDTH.
    """
    if width < MIN_WIDTH:
        raise ValueError(f"rows need at least {MIN_WIDTH} cells, not {width}")
    starts: list[int] = []
    odd, _, awkward = _patterns()
    all_plain = odd.search(text) is None
    start, length = 0, len(text)
    while start < length:
        end = text.find("\n", start)
        if end < 0:
            end = length
        if all_plain or odd.search(text, start, end) is None:
            _wrap_plain(text, start, end, width, starts)
        elif awkward.search(text, start, end) is None:
            _wrap_words(text, start, end, width, starts)
        else:
            _wrap_clusters(text, start, end, width, starts)
        start = end + 1
    return Wrapped(text, width, array("I", starts or [0]))


def _wrap_plain(text: str, start: int, end: int, width: int, starts: list[int]) -> None:
    """Rows of a paragraph in which every sign is one cell wide: no sign is looked at one by one."""
    while True:
        starts.append(start)
        if end - start <= width:
            return
        cut = text.rfind(" ", start, start + width + 1) + 1
        while 0 < cut < end and text[cut] == " ":
            cut += 1
        if cut == end:
            return
        if not cut or (cut - start < width and text[start:cut].isspace()):
            cut = start + width
        start = cut


def _wrap_words(text: str, start: int, end: int, width: int, starts: list[int]) -> None:
    """Rows of a paragraph in which tokens end where clusters end: words are measured, not looked into."""
    starts.append(start)
    room, blank = width, True
    odd, token, _ = _patterns()
    for found in token.finditer(text, start, end):
        kind = found.lastindex
        left, right = found.span()
        if kind == 1:
            room -= right - left
            continue
        if kind == 2:
            if room < TAB_CELLS:
                starts.append(left)
                room = width
            room -= TAB_CELLS
        elif kind == 3:
            room = _place_wide(text, left, right, room, width, starts)
        else:
            cells = right - left if odd.search(text, left, right) is None else cell_len(text[left:right])
            if cells > room and not (blank and room > 0 and cells > width):
                starts.append(left)
                room = width
            if cells > room:
                room = _place_clusters(text, left, right, room, width, starts)
            else:
                room -= cells
        blank = False


def _place_wide(text: str, left: int, right: int, room: int, width: int, starts: list[int]) -> int:
    """Put a run of wide signs into rows; gives the cells left in the last one."""
    while True:
        fits = max(room, 0) // 2
        if right - left <= fits:
            return room - 2 * (right - left)
        cut = left + fits
        if fits > 1 and text[cut] in _NOT_AT_ROW_START:
            cut -= 1
        starts.append(cut)
        left, room = cut, width


def _place_clusters(text: str, left: int, right: int, room: int, width: int, starts: list[int]) -> int:
    """Put a word that is wider than a row into rows, cluster by cluster; gives the cells left in the last one."""
    for at, cells in _clusters(text, left, right, width):
        if cells > room:
            starts.append(at)
            room = width
        room -= cells
    return room


def _wrap_clusters(text: str, start: int, end: int, width: int, starts: list[int]) -> None:
    """Rows of a paragraph, cluster by cluster: the exact way, for emoji sequences, flags, jamo and stray marks."""
    starts.append(start)
    used, soft, used_at_soft, blank = 0, start, 0, True
    for at, cells in _clusters(text, start, end, width):
        space = text[at] == " "
        if cells > 1 and not space and not blank:
            soft, used_at_soft = at, used
        while used + cells > width and not space:
            if soft > starts[-1]:
                starts.append(soft)
                used -= used_at_soft
            else:
                starts.append(at)
                used = 0
            soft, used_at_soft = starts[-1], 0
        used += cells
        blank = blank and space
        if (space and (not blank or used >= width)) or (cells > 1 and not space):
            soft, used_at_soft = _CLUSTER.match(text, at, end).end(), used


def _clusters(text: str, start: int, end: int, width: int) -> Iterator[tuple[int, int]]:
    """Offset and cells of each cluster of a slice; one that is wider than `width` comes in pieces."""
    for found in _CLUSTER.finditer(text, start, end):
        cluster = found[0]
        cells = TAB_CELLS if cluster[0] == "\t" else cell_len(cluster)
        if cells <= width:
            yield found.start(), cells
        else:
            for piece in _PIECE.finditer(text, found.start(), found.end()):
                yield piece.start(), cell_len(piece[0])


def shown_text(text: str) -> str:
    """A slice as it is drawn: tabs take their cells, all else is itself."""
    return text.replace("\t", TAB_SHOWN) if "\t" in text else text


def undo_shown(row: str) -> str:
    """What `shown_text` made `row` from (a ␉ that was written counts as a tab if three spaces follow it)."""
    return row.replace(TAB_SHOWN, "\t")


def shown_cells(text: str) -> int:
    """Cells that a slice takes when it is drawn."""
    return cell_len(text) + text.count("\t") * TAB_CELLS


def cluster_edges(text: str, start: int, end: int) -> Sequence[int]:
    """Offsets in [start, end] between clusters, both ends among them: where a slice may change its style."""
    if _patterns().odd.search(text, start, end) is None:
        return range(start, end + 1)
    return [*(found.start() for found in _CLUSTER.finditer(text, start, end)), end]


def widened(edges: Sequence[int], start: int, end: int) -> tuple[int, int]:
    """The smallest slice between `edges` that holds [start, end)."""
    left = bisect_right(edges, start) - 1
    right = bisect_left(edges, end)
    return edges[max(left, 0)], edges[min(right, len(edges) - 1)]


def direction(text: str, start: int = 0, end: int | None = None) -> str:
    """ "rtl" or "ltr": the direction of a paragraph by its first strong sign (UAX #9, rules P2 and P3)."""
    for place in range(start, len(text) if end is None else end):
        kind = unicodedata.bidirectional(text[place])
        if kind == "L":
            return "ltr"
        if kind in ("R", "AL"):
            return "rtl"
    return "ltr"


def folded(rows: int, head: int, keep: Iterable[int]) -> list[int]:
    """What is left of `rows` rows: the first `head`, those in `keep`, and for each gap minus the number of its rows.

    A gap of a single row is shown instead of being named.
    """
    wanted = sorted({*range(min(head, rows)), *(row for row in keep if 0 <= row < rows)})
    out: list[int] = []
    following = 0
    for row in (*wanted, rows):
        gap = row - following
        if gap == 1:
            out.append(following)
        elif gap:
            out.append(-gap)
        if row < rows:
            out.append(row)
        following = row + 1
    return out


class RowIndex:
    """Which turn a row of the whole view belongs to, from the heights of the turns in rows."""

    def __init__(self, heights: Iterable[int] = ()) -> None:
        self._heights = list(heights)
        self._ends: list[int] | None = None

    @property
    def _sums(self) -> list[int]:
        if self._ends is None:
            self._ends = list(accumulate(self._heights))
        return self._ends

    def __len__(self) -> int:
        return len(self._heights)

    @property
    def total(self) -> int:
        """Rows of all turns."""
        return self._sums[-1] if self._heights else 0

    def set_height(self, turn: int, height: int) -> None:
        self._heights[turn] = height
        self._ends = None

    def first_row(self, turn: int) -> int:
        """The row at which `turn` begins."""
        return self._sums[turn - 1] if turn else 0

    def locate(self, row: int) -> tuple[int, int]:
        """The turn that shows `row`, and the row within it; the nearest one for a row outside."""
        row = max(0, min(row, self.total - 1))
        turn = bisect_right(self._sums, row)
        return turn, row - self.first_row(turn)


# ---------------------------------------------------------------- emoji

_DROPPED = re.compile(
    "\u200d.\ufe0f?[\U0001f3fb-\U0001f3ff]?|[\ufe0f\u20e3\U0001f3fb-\U0001f3ff]|[\U000e0020-\U000e007f]", re.S
)


def plain_emoji(text: str) -> str:
    """`text` without variation selectors, keycap marks, skin tones, tags and all but the first of joined emoji.

    One glyph where Unicode joins several, for terminals that do not. Never wider than `text`.
    """
    return text if text.isascii() else _DROPPED.sub("", text)


def wants_plain_emoji(environment: Mapping[str, str] = os.environ) -> bool:
    """True inside tmux and screen, which draw joined emoji in another width than programs expect."""
    return bool(environment.get("TMUX") or environment.get("STY"))
