"""A pool of memories as a ranked list: a line each, the current one opened, the target and what was marked with signs."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.widgets.blocks import EMPTY, Block, Blocks, Line, joined

TARGET, MARKED = "◆", "+"
TARGET_WORDS, MARKED_WORDS = "the question was written for it", "would serve as well"


@dataclass(frozen=True)
class PoolRow:
    """A memory of a pool. `rank` is a fact about its words; `place` is where it stands in the data."""

    rank: int
    place: str
    value: str
    label: str
    is_target: bool = False
    is_marked: bool = False


class PoolList(Blocks):
    """Shows rows. A row that stays as it is stays the same block, so that a hundred scroll as fast as ten."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._laid_out: tuple[object, ...] = ()
        self._known: dict[tuple[PoolRow, bool], Block] = {}

    def redraw(self) -> None:
        self._laid_out, self._known = (), {}
        super().redraw()

    def lay_out(self, rows: Sequence[PoolRow], current: int | None, empty: str = "") -> None:
        """Show these rows; `empty` is said where there are none."""
        laid_out = (tuple(rows), current, empty)
        if laid_out == self._laid_out:
            return
        self._laid_out = laid_out
        known, self._known = self._known, {}
        blocks = []
        for i, row in enumerate(rows):
            said = (row, i == current)
            self._known[said] = known.get(said) or (opened(row) if i == current else closed(row))
            blocks.append(self._known[said])
        self.show(blocks or [(Line(plain_line(empty), prefix=Content("  ")),)], current)


def closed(row: PoolRow) -> Block:
    return (Line(plain_line(row.value), prefix=Content("  ") + _standing(row), rows=1),)


def opened(row: PoolRow) -> Block:
    """The current row: what it is, and the memory whole."""
    words = [row.place, row.label]
    words += [TARGET_WORDS] if row.is_target else []
    words += [MARKED_WORDS] if row.is_marked else []
    aside = joined([plain_line(word, "$foreground-muted") for word in words if word])
    return (
        Line(plain(row.value, "bold"), prefix=Content.styled("▌ ", "bold") + _standing(row), rows=12),
        Line(aside, prefix=Content("      "), rows=2),
    )


def _standing(row: PoolRow) -> Content:
    """`  7 ◆ `: its rank and its signs."""
    sign = Content.styled(TARGET, "bold $text-accent") if row.is_target else EMPTY
    sign += Content.styled(MARKED, "bold $text-success") if row.is_marked else EMPTY
    rank = Content.styled(f"{row.rank:>3} ", "$foreground-muted")
    return rank + sign + Content(" ") if sign else rank
