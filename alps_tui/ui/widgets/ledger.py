"""Rows of what was said of an item, one opened: a judge's words beside the rater's, or the two lists of a review."""

from collections.abc import Sequence

from textual.content import Content

from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.shown_judged import JudgedRow
from alps_tui.ui.shown_review import BoardRow
from alps_tui.ui.widgets.blocks import EMPTY, Block, Blocks, Line, Parts
from alps_tui.ui.widgets.board_rows import board_blocks
from alps_tui.ui.widgets.memory_cards import STATE_STYLES

WIDE = 56
"""From this width on the keys of the opened row stand beside its state."""


class Ledger(Blocks):
    """Shows rows; it takes no key."""

    _laid_out: tuple[object, ...] = ()

    def redraw(self) -> None:
        self._laid_out = ()
        super().redraw()

    def lay_out(self, rows: Sequence[JudgedRow], current: int | None, *, roomy: bool) -> None:
        """Show these rows. `roomy`: the opened one may take all it needs, the closed ones two lines."""
        laid_out = (tuple(rows), current, roomy, self.size.width)
        if laid_out != self._laid_out:
            self._laid_out = laid_out
            wide = self.size.width >= WIDE
            blocks = (
                judged_open(row, roomy=roomy, wide=wide) if i == current else judged_closed(row)
                for i, row in enumerate(rows)
            )
            self.show(blocks, current)

    def lay_out_review(self, rows: Sequence[BoardRow], current: int | None, *, roomy: bool) -> None:
        """Show the two lists of a review."""
        laid_out = (tuple(rows), current, roomy)
        if laid_out != self._laid_out:
            self._laid_out = laid_out
            self.show(board_blocks(tuple(rows), current, roomy=roomy), current)


def judged_closed(row: JudgedRow) -> Block:
    """A row in one line: how far it is, and both answers."""
    parts = [plain_line("judge ", "$foreground-muted") + plain_line(_short(row.judge), "bold")]
    parts.append(plain_line("you ", "$foreground-muted") + plain_line(_short(row.you)))
    return (Line(Content(" · ").join(parts), prefix=Content("  ") + _state(row) + Content(" "), rows=1),)


def judged_open(row: JudgedRow, *, roomy: bool, wide: bool) -> Block:
    """The row in focus: what it is about, what the judge said, what the rater said, and the keys."""
    keys = tuple(
        plain_line(key, "bold $text-accent") + Content(" ") + plain_line(label) for key, label in row.keys
    )
    head = Content.styled("▌ ", "bold") + _state(row, bold=True) + Content("  ")
    indent = Content("    ")
    lines = [Line(Content("  ").join(keys) if wide else EMPTY, prefix=head, rows=1)]
    lines.append(Line(plain_line(row.title, "$text-accent"), prefix=indent, rows=2 if roomy else 1))
    for whose, words in row.about:
        name = indent + plain_line(f"{whose}: ", "$foreground-muted")
        lines.append(Line(plain(words, "bold"), prefix=name, rows=8 if roomy else 3))
    lines += _said("judge", row.judge, "bold", rows=12 if roomy else 4)
    lines += _said("  you", row.you, "", rows=8 if roomy else 3)
    lines += [Line(plain(f"{row.glyph} {words}", "italic"), prefix=indent, rows=3) for words in row.reason]
    if row.flag:
        lines.append(Line(plain(f"⚑ flagged: {row.flag}"), prefix=indent))
    if row.note:
        lines.append(Line(plain(f"note: {row.note}"), prefix=indent, rows=4))
    if keys and not wide:
        lines.append(Parts(EMPTY, prefix=indent, parts=keys))
    return tuple(lines)


def _said(who: str, said: Sequence[tuple[str, str]], style: str, *, rows: int) -> list[Line]:
    """The short answers of one side in a line, each long one in a line of its own below it."""
    prefix = Content("    ") + plain_line(f"{who}: ", "$foreground-muted")
    short = [(name, words) for name, words in said if len(words) <= SHORT]
    long = [(name, words) for name, words in said if len(words) > SHORT]
    lines = [Line(_pairs(short, style), prefix=prefix)] if short else []
    for name, words in long:
        named = plain_line(f"{name}: ", "$foreground-muted") + plain_line(words, style)
        lines.append(
            Line(named, prefix=prefix if not lines else Content(" " * prefix.cell_length), rows=rows)
        )
    return lines


SHORT = 40
"""Signs up to which an answer stands in a line with others."""


def _pairs(said: Sequence[tuple[str, str]], style: str) -> Content:
    parts = [
        plain_line(name if not words else f"{name} ", "$foreground-muted" if words else style)
        + plain_line(words, style)
        for name, words in said
    ]
    return Content(" · ").join(parts)


def _short(said: Sequence[tuple[str, str]]) -> str:
    """An answer in a word or two; where there is none so short, the beginning of a long one."""
    short = [words or name for name, words in said if len(words) <= SHORT]
    return " ".join(short) or next((words for _, words in said), "")


def _state(row: JudgedRow, *, bold: bool = False) -> Content:
    style = STATE_STYLES.get(row.glyph, "")
    flag = Content(" ⚑") if row.flag else EMPTY
    name = plain_line(row.shown_id, "bold" if bold else "")
    return name + Content(" ") + plain_line(f"{row.glyph} {row.word}", f"bold {style}") + flag
