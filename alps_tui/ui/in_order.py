"""Rows of styled text as they are drawn where the terminal orders nothing: signs from left to right, styles on them. Pure."""

from collections.abc import Sequence
from itertools import pairwise

from textual.content import Content

from alps_tui.ui.bidi import is_rtl, mirrored, row_levels, turns_around, visual_order
from alps_tui.ui.text_layout import cluster_edges

CUT = "…"


def in_order(rows: Sequence[Content], paragraphs: str, room: int) -> list[Content]:
    """`rows`, into which `paragraphs` was wrapped, each reordered; read from the right, it stands at the right edge.

    Blanks at the ends of rows may be gone, and the last row may end in `CUT` where more of the text was left out:
    what a row is part of decides how it is ordered.
    """
    out, at = [], 0
    for row in rows:
        words = row.plain.rstrip()
        found = paragraphs.find(words, at)
        if found < 0 and words.endswith(CUT):
            words = words.removesuffix(CUT).rstrip()
            found = paragraphs.find(words, at)
        at = max(found, at)
        out.append(_drawn(row, paragraphs, at, at + len(words), room))
        at += len(words)
    return out


def line_in_order(line: str) -> str:
    """A line of ours with words of theirs in it: it goes from left to right, whatever it begins with."""
    if line.isascii() or not turns_around(line, 0, len(line)):
        return line
    return _reordered(Content(line), (*row_levels(f"a{line}", 1, len(line) + 1),)).plain


def _drawn(row: Content, text: str, start: int, end: int, room: int) -> Content:
    """The row that shows [start, end) of `text`; what it has beyond that goes as its paragraph does."""
    if not turns_around(text, start, end):
        return row
    rtl = is_rtl(text, start, end)
    levels = row_levels(text, start, end)
    drawn = _reordered(row, (*levels, *[int(rtl)] * (len(row) - len(levels)))[: len(row)])
    return drawn.pad_left(max(0, room - drawn.cell_length)) if rtl else drawn


def _reordered(row: Content, levels: Sequence[int]) -> Content:
    """The row's clusters from left to right, each with the styles it had."""
    text = row.plain
    slices = list(pairwise(cluster_edges(text, 0, len(text))))
    of_slices = [levels[start] for start, _ in slices]
    pieces: list[Content] = []
    stretch: tuple[int, int] | None = None  # read from the left, and so cut out in one go
    for place in visual_order(of_slices):
        start, end = slices[place]
        if stretch is not None and (of_slices[place] % 2 or start != stretch[1]):
            pieces.append(row[slice(*stretch)])
            stretch = None
        if of_slices[place] % 2:
            piece, sign = row[start:end], mirrored(text[start:end])
            pieces.append(piece if sign == piece.plain else Content(sign, list(piece.spans)))
        else:
            stretch = (stretch[0] if stretch else start, end)
    if stretch is not None:
        pieces.append(row[slice(*stretch)])
    return Content("").join(pieces)
