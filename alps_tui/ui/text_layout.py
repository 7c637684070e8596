"""Text laid out in rows of cells: wrapping, row index, folding, clusters and direction. Pure: no widget, no screen.

A row is a slice of its text, so a place in the text is a place on the screen and the other way round. All functions
take text that `safe_text.visible` has passed: no control sign but TAB and LF, no joiner outside an emoji. Widths are
those Rich uses when it draws (see `cells`), so that the layout and the drawn frame cannot disagree.
"""

import os
import re
import unicodedata
from array import array
from bisect import bisect_left, bisect_right
from collections.abc import Iterable, Mapping, MutableSequence, Sequence
from functools import cache
from itertools import accumulate
from typing import NamedTuple

import regex
from rich.cells import cell_len, get_character_cell_size

from alps_tui.ui import cells as widths

TAB_CELLS = 4
TAB_SHOWN = "␉   "
"""A tab is four cells wherever it stands; its sign makes it one for one to undo."""
MIN_WIDTH = 4
WINDOW = 4096
"""Signs of a paragraph that are wrapped at a time: well under a millisecond, also where each is looked at."""

_CLUSTER = regex.compile(r"\X[\p{M}\u1160-\u11ff\ud7b0-\ud7ff]*")
"""A cluster with the marks that Rich counts to it, also where UAX #29 sets them apart."""
_NOT_FIRST = frozenset("、。，．：；？！）］｝」』】〉》〕ー々ぁぃぅぇぉっゃゅょゎァィゥェォッャュョヮ")
_NOT_LAST = frozenset("（［｛「『【〈《〔")
_HIGH = "\U00010000-\U0010ffff"
"""Beyond the first plane a class is searched range by range: there every sign is looked at closely instead."""


class _Cells(dict[str, int]):
    """Cells of a sign on its own, asked once."""

    def __missing__(self, sign: str) -> int:
        cells = self[sign] = TAB_CELLS if sign == "\t" else get_character_cell_size(sign)
        return cells


class _Signs(NamedTuple):
    """What decides how a paragraph may be wrapped, by one table of widths.

    odd       a sign that is not one cell wide, or that may belong to the same cluster as its neighbour
    wide      a sign beside which a row may end: two cells wide, words are not spaced in its script
    joining   a sign that may belong to the same cluster as the one before or after it
    cells     how many cells each sign takes by itself
    widens    signs that a variation selector makes wide
    """

    odd: re.Pattern[str]
    wide: re.Pattern[str]
    joining: re.Pattern[str]
    cells: _Cells
    widens: frozenset[str]


def _signs() -> _Signs:
    """Those of the widths in use."""
    return _signs_of(widths.table().unicode_version)


@cache
def _signs_of(version: str) -> _Signs:
    """Made of the table of widths in use, called `version`, and of Unicode's cluster rules (UAX #29)."""
    table = widths.table()
    plane = "".join(map(chr, range(0xD800))) + "\0" * 0x800 + "".join(map(chr, range(0xE000, 0x10000)))
    joining = r"[\p{GCB=EX}\p{GCB=SM}\p{GCB=ZWJ}\p{GCB=V}\p{GCB=T}\p{GCB=PP}\p{GCB=L}\p{M}]+"
    joins = _as_class((run.start(), run.end() - 1) for run in regex.finditer(joining, plane))
    known = [(start, min(end, 0xFFFF), cells) for start, end, cells in table.widths]
    known = [entry for entry in known if 0xA0 <= entry[0] <= entry[1]]
    not_one = _as_class((start, end) for start, end, cells in known if cells != 1)
    wide = _as_class((start, end) for start, end, cells in known if cells == 2)
    return _Signs(
        odd=re.compile(f"[\t{not_one}{joins}{_HIGH}]"),
        wide=re.compile(f"[\t{wide}\U0001f300-\U0001faff\U00020000-\U0003fffd]"),
        joining=re.compile(f"[{joins}{_HIGH}]"),
        cells=_Cells(),
        widens=table.narrow_to_wide,
    )


def _as_class(ranges: Iterable[tuple[int, int]]) -> str:
    return "".join(f"\\U{start:08x}-\\U{end:08x}" for start, end in ranges)


class Wrapped:
    """A text in rows no wider than `width` cells, as far as it is wrapped; `wrap` gives one that is complete.

    Row i covers [starts[i], starts[i + 1]): together the rows are the text up to `reached`. How far it was wrapped
    in one go never changes where a row begins.
    """

    __slots__ = ("_all_plain", "reached", "starts", "text", "width")

    def __init__(self, text: str, width: int) -> None:
        """Nothing is wrapped yet; `width` 0 takes the whole text for one row.

        Raises ValueError for another width under MIN_WIDTH.
        """
        if 0 != width < MIN_WIDTH:
            raise ValueError(f"rows need at least {MIN_WIDTH} cells, not {width}")
        self.text = text
        self.width = width
        self.starts = array("I") if width and text else array("I", (0,))
        self.reached = 0 if width else len(text)
        """Offset up to which the rows are known: the end of the last one."""
        self._all_plain: bool | None = None

    def __len__(self) -> int:
        return len(self.starts)

    @property
    def complete(self) -> bool:
        return self.reached >= len(self.text)

    @property
    def about(self) -> int:
        """Rows of the whole text: exact once it is complete, until then judged by what is known (at least two more)."""
        if self.complete:
            return len(self.starts)
        left = len(self.text) - self.reached
        return len(self.starts) + 2 + (left * len(self.starts) // self.reached if self.reached else 0)

    def go_on(self, offset: int) -> None:
        """Wrap on until the row that covers `offset` is known, and with it at most WINDOW signs more."""
        text, width, starts = self.text, self.width, self.starts
        odd = _signs().odd
        if self._all_plain is None:
            self._all_plain = odd.search(text) is None
        start, length = self.reached, len(text)
        while start < length and start <= offset:
            end = text.find("\n", start)
            if end < 0:
                end = length
            size = end - start
            if size <= width and 2 * (size + text.count("\t", start, end)) <= width:
                starts.append(start)
                start = end + 1
                continue
            stop = min(end, start + WINDOW)
            if self._all_plain or odd.search(text, start, min(end, stop + width + 1)) is None:
                start = _wrap_plain(text, start, stop, end, width, starts)
            else:
                start = _wrap_odd(text, start, stop, end, width, starts)
        self.reached = min(start, length)

    def row(self, index: int) -> tuple[int, int]:
        """The slice that row `index` covers, with the line break and the spaces at its end."""
        following = index + 1
        return self.starts[index], self.starts[following] if following < len(self.starts) else self.reached

    def shown(self, index: int) -> tuple[int, int]:
        """The slice that is drawn for row `index`: without the line break and the spaces at its end."""
        start, end = self.row(index)
        text = self.text
        while end > start and text[end - 1] in " \n":
            end -= 1
        return start, end

    def row_of(self, offset: int) -> int:
        """The row that covers `offset`, wrapping on to it if need be; the nearest one for an offset outside."""
        if offset >= self.reached:
            self.go_on(offset)
        return max(0, bisect_right(self.starts, offset) - 1)


def wrap(text: str, width: int) -> Wrapped:
    """`text` in rows of at most `width` cells, broken after spaces and beside wide signs, else between clusters.

    A cluster (UAX #29) is split only if it is wider than a row. Spaces that end a row hang beyond it and are not
    drawn. Raises ValueError for a width under MIN_WIDTH.
    """
    if width < MIN_WIDTH:
        raise ValueError(f"rows need at least {MIN_WIDTH} cells, not {width}")
    rows = Wrapped(text, width)
    rows.go_on(len(text))
    return rows


def _wrap_plain(text: str, start: int, stop: int, end: int, width: int, starts: MutableSequence[int]) -> int:
    """Rows of the paragraph that ends at `end`, from `start` to at least `stop`, where every sign is one cell wide:
    no sign is looked at one by one. Gives the offset after them."""
    while start < stop:
        starts.append(start)
        if end - start <= width:
            return end + 1
        cut = _after_spaces(text, text.rfind(" ", start, start + width + 1) + 1, end)
        if cut == end:
            return end + 1
        if not cut or (cut - start < width and text[start:cut].isspace()):
            cut = start + width
        start = cut
    return start


def _wrap_odd(text: str, start: int, stop: int, end: int, width: int, starts: MutableSequence[int]) -> int:
    """Rows of any paragraph that ends at `end`, as far as [start, stop) tells them; gives the offset after them.

    Running sums of the cells say where a row is full. A row that reaches `stop` is left to the next window, which
    begins with it.
    """
    sums = _running_cells(text[start:stop])
    row = start
    while True:
        full = start + bisect_right(sums, sums[row - start] + width, row - start) - 1
        if full >= stop and stop < end:
            if row > start:
                return row
            return _wrap_odd(text, start, min(end, 2 * stop - start), end, width, starts)
        starts.append(row)
        if full >= end:
            return end + 1
        cut = _break_before(text, row, full, end)
        if cut == end:
            return end + 1
        if cut <= row or (
            text[row:cut].isspace() and _cells_to(sums, cut - start) - sums[row - start] < width
        ):
            cut = full
        row = _cluster_edge(text, row, cut) or _cluster_edge(text, row, full) or full
        if row >= stop:
            return row


def _cells_to(sums: Sequence[int], at: int) -> int:
    """The running sum at `at`; spaces that hang beyond the window have a cell each."""
    return sums[at] if at < len(sums) else sums[-1] + at - len(sums) + 1


def _running_cells(paragraph: str) -> list[int]:
    """Cells of the first 0, 1, ... signs of a paragraph, as Rich counts them when it draws.

    The sign after a joiner takes none, a variation selector one if it makes a narrow sign wide.
    """
    cells: Iterable[int] = map(_signs().cells.__getitem__, paragraph)
    if "\u200d" in paragraph or "\ufe0f" in paragraph:
        cells = list(cells)
        widens = _signs().widens
        for found in re.finditer("\u200d|\ufe0f", paragraph):
            at = found.start()
            if found[0] == "\u200d":
                cells[at + 1 : at + 2] = [0] * len(cells[at + 1 : at + 2])
                continue
            before = at - 1
            while before >= 0 and not cells[before]:
                before -= 1
            cells[at] = int(before >= 0 and paragraph[before] in widens)
    return list(accumulate(cells, initial=0))


def _break_before(text: str, row: int, full: int, end: int) -> int:
    """Where the row from `row` should end if no more than [row, full) fits: after a space, beside a wide sign."""
    if text[full] == " ":
        return _after_spaces(text, full, end)
    wide = _signs().wide
    cut = text.rfind(" ", row, full) + 1 or row
    if wide.match(text, full) or wide.match(text, full - 1):
        cut = full
    elif found := wide.search(text[cut:full][::-1]):
        cut = full - found.start()
    if cut - 1 > row and (
        text[cut - 1] in _NOT_LAST or (text[cut] in _NOT_FIRST and wide.match(text, cut - 1))
    ):
        cut -= 1
    return cut


def _after_spaces(text: str, at: int, end: int) -> int:
    """The offset after the spaces that follow `at` (0 stays 0: no space was found)."""
    while 0 < at < end and text[at] == " ":
        at += 1
    return at


def _cluster_edge(text: str, row: int, cut: int) -> int:
    """The last cluster edge in (row, cut]; 0 if the first cluster is longer than that."""
    joining = _signs().joining
    if joining.match(text, cut) is None and joining.match(text, cut - 1) is None:
        return cut
    # A slice of its own: asked about a part of a long text, the pattern counts all the flags before it.
    length, edge = cut - row, 0
    for found in _CLUSTER.finditer(text[row : cut + 1]):
        if found.end() > length:
            break
        edge = found.end()
    return row + edge if edge else 0


def shown_text(text: str) -> str:
    """A slice as it is drawn: tabs take their cells, all else is itself."""
    return text.replace("\t", TAB_SHOWN) if "\t" in text else text


def undo_shown(row: str) -> str:
    """What `shown_text` made `row` from (a ␉ that was written counts as a tab if three spaces follow it)."""
    return row.replace(TAB_SHOWN, "\t")


def shown_cells(text: str) -> int:
    """Cells that a slice takes when it is drawn."""
    return cell_len(shown_text(text))


def cluster_edges(text: str, start: int, end: int) -> Sequence[int]:
    """Offsets in [start, end] between clusters, both ends among them: where a slice may change its style."""
    if _signs().odd.search(text, start, end) is None:
        return range(start, end + 1)
    return [*(start + found.start() for found in _CLUSTER.finditer(text[start:end])), end]


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

    def set_height(self, turn: int, height: int) -> bool:
        """True if `turn` had another height before."""
        if self._heights[turn] == height:
            return False
        self._heights[turn] = height
        self._ends = None
        return True

    def first_row(self, turn: int) -> int:
        """The row at which `turn` begins; for the number of turns, the one after the last row."""
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
