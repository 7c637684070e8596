"""Which row of a transcript shows what: turns, folds, marks and places as rows and offsets. Pure: draws nothing."""

from bisect import bisect_left
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from time import monotonic
from typing import Literal

from alps_tui.safe_text import visible
from alps_tui.ui.text_layout import WINDOW, RowIndex, Wrapped, direction, folded

MarkKind = Literal["evidence", "find", "span", "current"]
HEADER = "header"
FOLD_HEAD = 12
"""Rows of a folded turn's beginning that stay."""


@dataclass(frozen=True, slots=True)
class TurnText:
    """A turn to be shown, as it came: made safe here, so that offsets are those of `text`.

    header      one line, such as "3 user · 1,204 chars · ar"
    role        picks the style; its name should stand in the header, colour is never alone
    quoted_by   shown ids of the memories that quote this turn: "◀ m1 m2" at the end of the header
    """

    header: str
    text: str
    role: str = "user"
    quoted_by: tuple[str, ...] = ()


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


@dataclass(frozen=True, slots=True)
class Mark:
    """Code points [start, end) of a turn that stand out. "current" is the evidence that is being looked at."""

    turn: int
    start: int
    end: int
    kind: MarkKind = "evidence"


@dataclass(frozen=True, slots=True)
class Place:
    """Where a reader is: what the top row shows, the current turn, the turns unfolded. Outlives a resize.

    `offset` is the first code point of the top row, -1 for a turn's header.
    """

    turn: int = 0
    offset: int = -1
    current: int = 0
    unfolded: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Line:
    """What one row of the view shows: a header, a row of the text, or a gap of `hidden` rows.

    `start` and `end` are the slice that is drawn, or that the gap hides; -1 for a header.
    """

    turn: int
    kind: Literal["header", "text", "gap"]
    start: int = -1
    end: int = -1
    hidden: int = 0
    last: bool = False


class _Block:
    """A turn as it is laid out: made safe and wrapped when it is first needed, its height estimated until then."""

    __slots__ = ("_text", "entries", "exact", "exposed", "rows", "source", "whole")

    def __init__(self, source: str) -> None:
        self.source = source
        self._text: str | None = None
        self.rows: Wrapped | None = None
        self.entries: list[int] | None = None
        """What `folded` left of the rows; None while every row is shown."""
        self.exposed: set[int] = set()
        """Offsets that a fold must not hide."""
        self.exact = False
        """True if the height known to the row index is that of the rows wrapped so far and what they leave."""
        self.whole = False
        """True if it was so with every row wrapped."""

    @property
    def text(self) -> str:
        if self._text is None:
            self._text = visible(self.source)
        return self._text


class TranscriptLayout:
    """The rows of a dialogue at one width: header, text rows and gaps of each turn, one after the other.

    Only what is asked for is wrapped; the rest counts with an estimate, the end of a long turn too. So a row number
    holds until more is wrapped: `settle` gives one that holds for all that is in view, `prepare` and `commit` wrap
    the rest.
    """

    def __init__(self, turns: Sequence[TurnText] = (), width: int = 0, fold_rows: int = 40) -> None:
        """`width` 0 means not known yet: every turn is one row until `set_width`."""
        self.turns = tuple(turns)
        self.width = width
        self.fold_rows = fold_rows
        self._marks: dict[int, list[Mark]] = {}
        self._unfolded: set[int] = set()
        self._blocks = [_Block(turn.text) for turn in self.turns]
        self._index = RowIndex()
        self._unprepared = 0
        self._estimate_all()

    # ------------------------------------------------------------ from estimates to rows

    def _estimate_all(self) -> None:
        self._unprepared = 0
        for block in self._blocks:
            block.rows, block.entries, block.exact, block.whole = None, None, False, False
        self._index = RowIndex(map(self._estimate, range(len(self._blocks))))

    def _estimate(self, turn: int) -> int:
        """About how many rows `turn` takes, from its length alone."""
        text = self._blocks[turn].source
        rows = 1 + text.count("\n") + len(text) // self.width if self.width else 1
        if rows > self.fold_rows and turn not in self._unfolded:
            rows = FOLD_HEAD + 1 + 2 * len(self._marks.get(turn, ()))
        return 1 + rows

    def rows(self, turn: int) -> Wrapped:
        """The turn's text in rows, as far as it is wrapped: far enough to know whether it is a long one."""
        block = self._blocks[turn]
        if block.rows is None:
            block.rows = Wrapped(block.text, self.width)
        rows = block.rows
        while len(rows) <= self.fold_rows and not rows.complete:
            rows.go_on(rows.reached)
        return rows

    def wrapped(self, turn: int) -> Wrapped:
        """The turn's text in rows, all of them."""
        rows = self.rows(turn)
        rows.go_on(len(rows.text))
        return rows

    def _measure(self, turn: int) -> bool:
        """Lay `turn` out exactly; True if its height is another than was thought."""
        block = self._blocks[turn]
        if not block.exact:
            block.exact = True
            return self._fold(turn)
        return False

    def measure_rows(self, first: int, stop: int) -> bool:
        """Lay out exactly all that rows [first, stop) show; True if rows after `first` have moved."""
        if not self.total:
            return False
        moved = False
        turn = self._index.locate(first)[0]
        while turn < len(self._blocks) and self._index.first_row(turn) < stop:
            moved |= self._measure(turn) | self._wrap_to(turn, stop - self._index.first_row(turn) - 1)
            turn += 1
        return moved

    def _wrap_to(self, turn: int, wanted: int) -> bool:
        """Wrap an unfolded turn on until so many of its rows are known; True if it has another height then.

        Slices may have wrapped more rows by now than it was thought to have: those would be out of reach.
        """
        block, rows = self._blocks[turn], self.rows(turn)
        if block.entries is not None or wanted <= len(rows) < len(self.rows_of(turn)):
            return False
        while len(rows) < wanted and not rows.complete:
            rows.go_on(rows.reached)
        return self._fold(turn)

    def settle(self, wanted: Callable[[], int], height: int) -> int:
        """The row for the top of a view of `height` rows, when all in that view is laid out exactly.

        `wanted` says which row that should be by what is known; it is asked again until nothing moves.
        """
        while True:
            top = max(0, min(wanted(), self.total - height))
            if not self.measure_rows(top, top + height):
                return top

    def prepare(self, seconds: float) -> bool:
        """Wrap on for about so long, moving nothing yet; True as long as something is left.

        A slice may end within a turn: what it takes longer than `seconds` is WINDOW signs, or making a turn safe.
        """
        end = monotonic() + seconds
        while self._unprepared < len(self._blocks):
            rows = self.rows(self._unprepared)
            rows.go_on(rows.reached + WINDOW)
            self._unprepared += rows.complete
            if monotonic() > end:
                break
        return self._unprepared < len(self._blocks)

    def commit(self) -> None:
        """Give every turn its exact height: rows move, offsets do not."""
        for turn, block in enumerate(self._blocks):
            if not block.whole:
                self.wrapped(turn)
                block.exact = True
                self._fold(turn)

    # ------------------------------------------------------------ rows

    @property
    def total(self) -> int:
        """Rows of the whole transcript."""
        return self._index.total

    def line(self, row: int) -> Line:
        """What `row` shows. Raises IndexError for a row outside."""
        if not 0 <= row < self.total:
            raise IndexError(f"row {row} of {self.total}")
        turn, within = self._index.locate(row)
        while self._measure(turn) or self._wrap_to(turn, within):
            turn, within = self._index.locate(row)
        if within == 0:
            return Line(turn, "header")
        rows, entries = self.rows(turn), self._blocks[turn].entries
        if entries is None:
            return Line(turn, "text", *rows.shown(within - 1))
        entry = entries[within - 1]
        if entry < 0:
            before = entries[within - 2]
            last = within == len(entries)
            start = rows.row(before)[1]  # not where the next row begins: that one may not be wrapped yet
            end = len(rows.text) if last else rows.row(before - entry)[1]
            return Line(turn, "gap", start, end, hidden=-entry, last=last)
        return Line(turn, "text", *rows.shown(entry))

    def header_row(self, turn: int) -> int:
        return self._index.first_row(turn)

    def rows_of(self, turn: int) -> range:
        """The rows that show `turn`, header first."""
        return range(self._index.first_row(turn), self._index.first_row(turn + 1))

    def row_of(self, turn: int, offset: int) -> int:
        """The row that shows code point `offset` of `turn`; the gap that hides it; the header for a negative one."""
        first = self._index.first_row(turn)
        if offset < 0:
            return first
        self._measure(turn)
        rows, entries = self.rows(turn), self._blocks[turn].entries
        if entries is None:
            row = rows.row_of(offset)
            if first + 1 + row >= self._index.first_row(turn + 1):
                self._fold(turn)
            return first + 1 + row
        if offset >= rows.reached:
            return first + len(entries)
        row, reached = rows.row_of(offset), 0
        for place, entry in enumerate(entries):
            reached = entry + 1 if entry >= 0 else reached - entry
            if row < reached:
                return first + 1 + place
        return first + len(entries)

    def text_of(self, turn: int) -> str:
        """The turn's text as it is shown, sign for sign as long as the turn's own."""
        return self._blocks[turn].text

    def source_of(self, turn: int) -> str:
        return self._blocks[turn].source

    # ------------------------------------------------------------ width and folds

    def set_width(self, width: int) -> None:
        """Lay everything out anew for `width` cells; folds, marks and what was exposed stay."""
        self.width = width
        self._estimate_all()

    def is_long(self, turn: int) -> bool:
        """True if the turn has more rows than are shown unasked."""
        return len(self.rows(turn)) > self.fold_rows

    def is_folded(self, turn: int) -> bool:
        return self.is_long(turn) and turn not in self._unfolded

    @property
    def unfolded(self) -> tuple[int, ...]:
        return tuple(sorted(self._unfolded))

    def set_unfolded(self, turns: Iterable[int]) -> None:
        wanted = {turn for turn in turns if 0 <= turn < len(self.turns)}
        changed, self._unfolded = self._unfolded ^ wanted, wanted
        for turn in changed:
            self._fold(turn)

    def toggle_fold(self, turn: int) -> bool:
        """Unfold `turn`, or fold it again; gives False for a turn short enough never to fold."""
        if not self.is_long(turn):
            return False
        self._unfolded ^= {turn}
        block = self._blocks[turn]
        block.exposed.clear()
        block.exact = True
        self._fold(turn)
        return True

    def expose(self, turn: int, offset: int) -> None:
        """Make sure that code point `offset` of `turn` is in a row that is shown, with a row around it."""
        self._measure(turn)
        block = self._blocks[turn]
        if block.entries is not None and self.rows(turn).row_of(offset) not in block.entries:
            block.exposed.add(offset)
            self._fold(turn)

    def _fold(self, turn: int) -> bool:
        """Fold `turn` by the marks and what was exposed, or not; True if its height has changed."""
        block = self._blocks[turn]
        if not block.exact:
            return self._index.set_height(turn, self._estimate(turn))
        rows = self.rows(turn)
        block.entries = None
        if len(rows) > self.fold_rows and turn not in self._unfolded:
            keep: set[int] = set()
            for mark in self._marks.get(turn, ()):
                keep.update(range(rows.row_of(mark.start), rows.row_of(max(mark.start, mark.end - 1)) + 1))
            for row in map(rows.row_of, block.exposed):
                keep.update((row - 1, row, row + 1))
            if keep and max(keep) >= len(rows):
                rows.go_on(rows.reached)
            block.entries = folded(rows.about, min(FOLD_HEAD, self.fold_rows), keep)
        block.whole = rows.complete
        return self._index.set_height(turn, 1 + (rows.about if block.entries is None else len(block.entries)))

    # ------------------------------------------------------------ marks

    def set_marks(self, marks: Iterable[Mark]) -> None:
        """Replace all marks; evidence decides what a folded turn still shows. Marks outside the text are cut to it."""
        touched = set(self._marks)
        self._marks = {}
        for mark in marks:
            if 0 <= mark.turn < len(self.turns):
                self._marks.setdefault(mark.turn, []).append(mark)
        for turn in touched | set(self._marks):
            self._marks.get(turn, []).sort(key=lambda mark: (mark.start, mark.end))
            self._fold(turn)

    def marks_in(self, turn: int, start: int, end: int) -> list[Mark]:
        """The marks that touch [start, end) of `turn`, by their start."""
        marks = self._marks.get(turn)
        if not marks:
            return []
        before = bisect_left(marks, end, key=lambda mark: mark.start)
        return [mark for mark in marks[:before] if mark.end > start]

    # ------------------------------------------------------------ turns

    def set_quoted(self, quoted: Mapping[int, Sequence[str]]) -> bool:
        """Replace what the headers say of the memories that quote each turn; False if they said so before."""
        new = {turn: tuple(names) for turn, names in quoted.items() if names and 0 <= turn < len(self.turns)}
        old = {number: turn.quoted_by for number, turn in enumerate(self.turns) if turn.quoted_by}
        turns = list(self.turns)
        for number in new.keys() | old.keys():
            turns[number] = replace(turns[number], quoted_by=new.get(number, ()))
        self.turns = tuple(turns)
        return new != old

    def next_turn(self, turn: int, delta: int, role: str | None = None) -> int:
        """The turn `delta` steps from `turn`, counting only those of `role` if given; `turn` if there is none."""
        step = 1 if delta > 0 else -1
        found, left = turn, abs(delta)
        at = turn + step
        while left and 0 <= at < len(self.turns):
            if role is None or self.turns[at].role == role:
                found, left = at, left - 1
            at += step
        return found
