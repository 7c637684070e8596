"""Which row of a transcript shows what: turns, folds, marks and places as rows and offsets. Pure: draws nothing."""

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Literal

from alps_tui.safe_text import visible
from alps_tui.ui.text_layout import RowIndex, Wrapped, direction, folded, wrap

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


@dataclass(slots=True)
class _Block:
    """A turn as it is laid out. `entries` is None while every row is shown, else `folded`'s list."""

    source: str
    text: str
    rows: Wrapped
    entries: list[int] | None = None
    exposed: set[int] = field(default_factory=set)

    @property
    def height(self) -> int:
        return 1 + (len(self.rows) if self.entries is None else len(self.entries))


class TranscriptLayout:
    """The rows of a dialogue at one width: header, text rows and gaps of each turn, one after the other."""

    def __init__(self, turns: Sequence[TurnText] = (), width: int = 0, fold_rows: int = 40) -> None:
        """`width` 0 means not known yet: every turn is one row until `set_width`."""
        self.turns = tuple(turns)
        self.width = width
        self.fold_rows = fold_rows
        self._marks: dict[int, list[Mark]] = {}
        self._unfolded: set[int] = set()
        self._blocks = [
            _Block(turn.text, text := visible(turn.text), self._wrap(text)) for turn in self.turns
        ]
        self._index = RowIndex()
        self._refold_all()

    def _wrap(self, text: str) -> Wrapped:
        return wrap(text, self.width) if self.width else Wrapped(text, 0, (0,))

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
        if within == 0:
            return Line(turn, "header")
        block = self._blocks[turn]
        if block.entries is None:
            return Line(turn, "text", *block.rows.shown(within - 1))
        entry = block.entries[within - 1]
        if entry < 0:
            before = block.entries[within - 2]
            start, end = block.rows.row(before + 1)[0], block.rows.row(before - entry)[1]
            return Line(turn, "gap", start, end, hidden=-entry, last=within == len(block.entries))
        return Line(turn, "text", *block.rows.shown(entry))

    def header_row(self, turn: int) -> int:
        return self._index.first_row(turn)

    def rows_of(self, turn: int) -> range:
        """The rows that show `turn`, header first."""
        first = self._index.first_row(turn)
        return range(first, first + self._blocks[turn].height)

    def row_of(self, turn: int, offset: int) -> int:
        """The row that shows code point `offset` of `turn`; the gap that hides it; the header for a negative one."""
        first = self._index.first_row(turn)
        if offset < 0:
            return first
        block = self._blocks[turn]
        row = block.rows.row_of(offset)
        if block.entries is None:
            return first + 1 + row
        reached = 0
        for place, entry in enumerate(block.entries):
            reached = entry + 1 if entry >= 0 else reached - entry
            if row < reached:
                return first + 1 + place
        return first + block.height - 1

    def text_of(self, turn: int) -> str:
        """The turn's text as it is shown, sign for sign as long as the turn's own."""
        return self._blocks[turn].text

    def source_of(self, turn: int) -> str:
        return self._blocks[turn].source

    def wrapped(self, turn: int) -> Wrapped:
        return self._blocks[turn].rows

    # ------------------------------------------------------------ width and folds

    def set_width(self, width: int) -> None:
        """Wrap everything anew for `width` cells; folds, marks and what was exposed stay."""
        self.width = width
        for block in self._blocks:
            block.rows = self._wrap(block.text)
        self._refold_all()

    def is_long(self, turn: int) -> bool:
        """True if the turn has more rows than are shown unasked."""
        return len(self._blocks[turn].rows) > self.fold_rows

    def is_folded(self, turn: int) -> bool:
        return self._blocks[turn].entries is not None

    @property
    def unfolded(self) -> tuple[int, ...]:
        return tuple(sorted(self._unfolded))

    def set_unfolded(self, turns: Iterable[int]) -> None:
        self._unfolded = {turn for turn in turns if 0 <= turn < len(self.turns)}
        self._refold_all()

    def toggle_fold(self, turn: int) -> bool:
        """Unfold `turn`, or fold it again; gives False for a turn short enough never to fold."""
        if not self.is_long(turn):
            return False
        self._unfolded ^= {turn}
        self._blocks[turn].exposed.clear()
        self._refold(turn)
        return True

    def expose(self, turn: int, offset: int) -> None:
        """Make sure that code point `offset` of `turn` is in a row that is shown, with a row around it."""
        block = self._blocks[turn]
        if block.entries is not None and block.rows.row_of(offset) not in block.entries:
            block.exposed.add(offset)
            self._refold(turn)

    def _refold_all(self) -> None:
        for turn in range(len(self._blocks)):
            self._fold_entries(turn)
        self._index = RowIndex(block.height for block in self._blocks)

    def _refold(self, turn: int) -> None:
        self._fold_entries(turn)
        self._index.set_height(turn, self._blocks[turn].height)

    def _fold_entries(self, turn: int) -> None:
        block = self._blocks[turn]
        if turn in self._unfolded or not self.is_long(turn):
            block.entries = None
            return
        keep: set[int] = set()
        for mark in self._marks.get(turn, ()):
            keep.update(
                range(block.rows.row_of(mark.start), block.rows.row_of(max(mark.start, mark.end - 1)) + 1)
            )
        for offset in block.exposed:
            row = block.rows.row_of(offset)
            keep.update((row - 1, row, row + 1))
        block.entries = folded(len(block.rows), FOLD_HEAD, keep)

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
            self._refold(turn)

    def marks_in(self, turn: int, start: int, end: int) -> list[Mark]:
        """The marks that touch [start, end) of `turn`, by their start."""
        marks = self._marks.get(turn)
        if not marks:
            return []
        before = bisect_left(marks, end, key=lambda mark: mark.start)
        return [mark for mark in marks[:before] if mark.end > start]

    # ------------------------------------------------------------ turns

    def set_quoted(self, quoted: Mapping[int, Sequence[str]]) -> None:
        """Replace what the headers say of the memories that quote each turn."""
        self.turns = tuple(
            TurnText(turn.header, turn.text, turn.role, tuple(quoted.get(number, ())))
            for number, turn in enumerate(self.turns)
        )

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
