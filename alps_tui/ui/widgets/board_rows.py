"""The rows of a review as blocks: both lists one below the other, the memory in focus opened beside its partner."""

from textual.content import Content

from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.shown_review import BoardRow
from alps_tui.ui.widgets.blocks import EMPTY, Block, Line, Parts, joined
from alps_tui.ui.widgets.memory_cards import STATE_STYLES, diff_words

MOST_OTHERS = 9
"""Memories of the other list that stand below an opened row with their digits; the rest is found by typing."""


def board_blocks(rows: tuple[BoardRow, ...], current: int | None, *, roomy: bool) -> list[Block]:
    """A block for each row; a heading stands before the first of each list."""
    width = max((len(row.shown_id) for row in rows), default=2)
    blocks: list[Block] = []
    side = ""
    for i, row in enumerate(rows):
        heading = _heading(row.side) if row.side != side else ()
        side = row.side
        block = _opened(row, width, roomy=roomy) if i == current else _closed(row, width, roomy=roomy)
        blocks.append((*heading, *block))
    return blocks


def _heading(side: str) -> Block:
    words = "the gold" if side == "gold" else "what the model extracted"
    return (Line(plain_line(words, "italic $foreground-muted"), prefix=Content("  "), rows=1),)


def _state(row: BoardRow, width: int, *, bold: bool = False) -> Content:
    style = STATE_STYLES.get(row.glyph, "")
    name = plain_line(row.shown_id.ljust(width), "bold" if bold else "")
    pair = plain_line(f" ⇄ {row.partner}") if row.partner else EMPTY
    flag = Content(" ⚑") if row.flag else EMPTY
    word = row.said or "open"
    return name + pair + Content(" ") + plain_line(f"{row.glyph} {word}", f"bold {style}") + flag


def _closed(row: BoardRow, width: int, *, roomy: bool) -> Block:
    head = Content("  ") + _state(row, width)
    if roomy and not (row.side == "model" and row.partner):
        return (
            Line(EMPTY, prefix=head, rows=1),
            Line(plain_line(row.words, "$foreground-muted"), prefix=Content("     "), rows=2),
        )
    return (Line(plain_line(row.words, "$foreground-muted"), prefix=head + Content("  "), rows=1),)


def _opened(row: BoardRow, width: int, *, roomy: bool) -> Block:
    """The memory in focus: its words, those of its partner by what differs, and what it can be paired with."""
    indent = Content("    ")
    lines = [Line(EMPTY, prefix=Content.styled("▌ ", "bold") + _state(row, width, bold=True), rows=1)]
    if row.diff:
        gold = [piece for piece in row.diff if piece.kind != "added"]
        models = [piece for piece in row.diff if piece.kind != "removed"]
        sides = (row.aside, row.partner_aside) if row.side == "gold" else (row.partner_aside, row.aside)
        for name, pieces, aside in (("gold", gold, sides[0]), ("model", models, sides[1])):
            prefix = indent + plain_line(f"{name:>5}: ", "$foreground-muted")
            lines.append(Line(diff_words(pieces, "bold"), prefix=prefix, rows=8 if roomy else 3))
            lines.append(_small(aside, indent + Content("       ")))
    else:
        lines.append(Line(plain(row.words, "bold"), prefix=indent, rows=10 if roomy else 4))
        lines.append(_small(row.aside, indent))
    if row.quote and roomy:
        lines.append(Line(plain_line(row.quote, "$foreground-muted"), prefix=indent, rows=2))
    lines += _remarks(row, indent)
    lines += _others(row, indent, roomy=roomy)
    return tuple(lines)


def _small(aside: tuple[str, ...], indent: Content) -> Line:
    parts = [
        plain_line(part, "$text-accent" if i == 0 else "$foreground-muted") for i, part in enumerate(aside)
    ]
    return Line(joined(parts), prefix=indent, rows=1)


def _remarks(row: BoardRow, indent: Content) -> list[Line]:
    lines = []
    if row.rationale:
        lines.append(Line(plain_line(row.rationale, "italic"), prefix=indent + Content("why: "), rows=3))
    if row.flag:
        lines.append(Line(plain_line(f"⚑ flagged: {row.flag}"), prefix=indent))
    if row.note:
        lines.append(Line(plain_line(f"note: {row.note}"), prefix=indent, rows=4))
    return lines


def _others(row: BoardRow, indent: Content, *, roomy: bool) -> list[Line]:
    """What the row can be paired with, each with its digit, and the key for a memory that has no partner."""
    alone = (
        "missing: the model has nothing for it"
        if row.side == "gold"
        else "extra: the gold has nothing for it"
    )
    lines = []
    for other in row.others[: MOST_OTHERS if roomy else 4]:
        key = plain_line(f"{other.key} ", "bold $text-accent")
        taken = plain_line(f" ({other.taken})", "$foreground-muted") if other.taken else EMPTY
        prefix = indent + key + plain_line(other.shown_id) + taken + Content("  ")
        lines.append(
            Line(
                plain_line(other.words, "$foreground-muted" if other.taken else ""),
                prefix=prefix,
                rows=2 if roomy else 1,
            )
        )
    more = len(row.others) - len(lines)
    no_partner, pair = row.keys
    keys = [plain_line(no_partner, "bold $text-accent") + plain_line(f" {alone}")]
    if row.others:
        find = f" find one of {len(row.others)}" if more else " find one by its words"
        keys.append(plain_line(pair, "bold $text-accent") + plain_line(find))
    lines.append(Parts(EMPTY, prefix=indent, parts=tuple(keys)))
    return lines
