"""What the mouse has selected of a transcript, as offsets and as the turns' own text. Pure."""

from textual.selection import Selection

from alps_tui.ui.look import Look
from alps_tui.ui.widgets.transcript_layout import Line, TranscriptLayout
from alps_tui.ui.widgets.transcript_paint import Highlight, offset_at


def selected_slice(
    layout: TranscriptLayout, selection: Selection | None, row: int, line: Line, look: Look, width: int
) -> list[Highlight]:
    """The part of a row that a selection covers, as a highlight; none if it covers nothing of it."""
    if selection is None or (columns := selection.get_span(row)) is None:
        return []
    text = layout.text_of(line.turn)
    start = offset_at(text, line, columns[0], look, width)
    end = line.end if columns[1] < 0 else offset_at(text, line, columns[1], look, width)
    return [(min(start, end), max(start, end), "selection")]


def selected_text(layout: TranscriptLayout, selection: Selection, look: Look, width: int) -> str:
    """The turns' own text under a selection, in the order in which it is read: what is folded away within it too, and
    nothing of ours among it.

    Turns are parted by a line break. A header counts as the beginning of its turn.
    """
    if not layout.total:
        return ""
    last_row = layout.total - 1
    first = layout.line(0 if selection.start is None else max(0, min(selection.start.y, last_row)))
    last = layout.line(last_row if selection.end is None else max(0, min(selection.end.y, last_row)))
    start, end = 0, last.end
    if selection.start is not None:
        start = offset_at(layout.text_of(first.turn), first, selection.start.x, look, width)
    if selection.end is not None:
        end = offset_at(layout.text_of(last.turn), last, selection.end.x, look, width)
    if first == last:
        start, end = min(start, end), max(start, end)
    texts = [turn.text for turn in layout.turns[first.turn : last.turn + 1]]
    texts[-1] = texts[-1][: max(0, end)]
    texts[0] = texts[0][start:]
    return "\n".join(texts)
