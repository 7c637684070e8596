"""The memories of an item as cards: one line each, the current one opened with all there is to know about it."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content

from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.shown_update import Beside
from alps_tui.ui.text_layout import direction
from alps_tui.ui.widgets.blocks import EMPTY, Block, Blocks, Line, Parts, joined
from alps_tui.ui.word_diff import Piece

WIDE = 64
"""From this width on the keys of the opened card stand beside its state, else below the card."""

SHORT_WIDTH = 7
"""Cells of the word that says what an update did with a memory."""

STATE_STYLES = {
    "✓": "$text-success",
    "✎": "$text-warning",
    "✗": "$text-error",
    "?": "$text-warning",
    "+": "$text-accent",
    "·": "$foreground-muted",
    "∅": "$foreground-muted",
}


@dataclass(frozen=True)
class MemoryText:
    """A memory in words. `where` says in which turn its quote stands and how it was found."""

    value: str
    label: str = ""
    attributes: tuple[str, ...] = ()
    quote: str = ""
    where: str = ""
    reasoning: str = ""


@dataclass(frozen=True)
class Card:
    """A memory and what the rater did with it. `glyph` and `word` say its state, `keys` what can be done.

    marked   how its evidence came to be the rater's, empty if it came with the proposal
    beside   of an updated list, what it was in the list before
    """

    shown_id: str
    glyph: str
    word: str
    text: MemoryText
    reason: str = ""
    changes: tuple[str, ...] = ()
    was: str = ""
    marked: str = ""
    source: str = ""
    note: str = ""
    flag: str = ""
    keys: tuple[tuple[str, str], ...] = ()
    saving: bool = False
    beside: Beside | None = None


class MemoryCards(Blocks):
    """Shows cards; the last block says how to add one."""

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._laid_out: tuple[object, ...] = ()
        self._known: dict[tuple[object, ...], Block] = {}
        """The blocks shown, by all that decides what they say: a card that stays as it is stays the same block."""

    def redraw(self) -> None:
        self._laid_out, self._known = (), {}
        super().redraw()

    def lay_out(
        self,
        cards: Sequence[Card],
        current: int | None,
        *,
        tail: str,
        roomy: bool,
        gone: Sequence[tuple[str, str]] = (),
    ) -> None:
        """Show these cards.

        tail    the line after the last card, empty for none
        gone    of an updated list, name and words of what was in the list before and is no more: rows, no cards
        roomy   closed cards may take two rows, the opened one all it needs
        """
        laid_out = (tuple(cards), current, tail, roomy, self.size.width, tuple(gone))
        if laid_out == self._laid_out:
            return
        self._laid_out = laid_out
        width, wide = max((len(c.shown_id) for c in cards), default=2), self.size.width >= WIDE
        known, self._known = self._known, {}
        blocks = []
        for i, c in enumerate(cards):
            said = (c, i == current, width, roomy, wide)
            block = known.get(said)
            if block is None:
                is_open = i == current
                block = opened(c, width, roomy=roomy, wide=wide) if is_open else closed(c, width, roomy=roomy)
            self._known[said] = block
            blocks.append(block)
        blocks += [dropped(name, words) for name, words in gone]
        if tail:
            blocks.append((Line(plain_line(tail, "$foreground-muted"), prefix=Content("  ")),))
        self.show(blocks, current)


def dropped(name: str, words: str) -> Block:
    """A memory that the updated list has no more; nothing is asked of it but whether that is right."""
    head = (
        Content("  ")
        + plain_line(name, "$foreground-muted")
        + Content.styled(" ✗ dropped ", "bold $text-error")
    )
    return (Line(plain_line(words, "$foreground-muted strike"), prefix=head, rows=2),)


def closed(card: Card, width: int, *, roomy: bool) -> Block:
    """A card in one line: state and the beginning of the memory; with room its label in a line of its own."""
    head = Content("  ") + _state(card, width)
    if card.beside is not None:
        head += plain_line(card.beside.short.ljust(SHORT_WIDTH) + " ", "$text-accent")
    if not roomy:
        return (Line(plain_line(card.text.value, "$foreground-muted"), prefix=head + Content(" "), rows=1),)
    aside = joined([plain_line(card.text.label, "$foreground-muted"), _reason(card)])
    return (
        Line(aside, prefix=head + Content(" "), rows=1),
        Line(plain_line(card.text.value), prefix=Content("     "), rows=2),
    )


def opened(card: Card, width: int, *, roomy: bool, wide: bool) -> Block:
    """The current card: the memory whole, what was changed, where it was said, and the keys."""
    head = Content.styled("▌ ", "bold") + _state(card, width, bold=True)
    indent = Content("    ")
    lines = [Line(_keys(card.keys) if wide else EMPTY, prefix=head + Content("  "), rows=1)]
    if card.beside is not None:
        lines.append(_action(card.beside, indent))
    if card.beside is not None and card.beside.diff:
        lines += _before_and_after(card.beside, indent, rows=16 if roomy else 6)
    else:
        lines.append(Line(plain(card.text.value, "bold"), prefix=indent, rows=16 if roomy else 6))
    if card.beside is not None and card.beside.also:
        also = plain_line(" · ".join(card.beside.also), "$text-warning")
        lines.append(Line(also, prefix=indent + Content("also "), rows=3 if roomy else 2))
    if card.was:
        lines.append(Line(plain(card.was, "$foreground-muted"), prefix=indent + Content("was: "), rows=4))
    lines += [Line(plain_line(change), prefix=indent, rows=2) for change in card.changes]
    aside = [plain_line(card.text.label, "$text-accent")] if card.text.label else []
    aside += [plain_line(part, "$foreground-muted") for part in (*card.text.attributes, card.source) if part]
    if aside:
        lines.append(Line(joined(aside), prefix=indent))
    lines += _evidence(card, indent, roomy=roomy)
    if card.text.reasoning and roomy:
        lines.append(
            Line(plain(card.text.reasoning, "$foreground-muted"), prefix=indent + Content("why: "), rows=3)
        )
    lines += _remarks(card, indent)
    if card.keys and not wide:
        lines.append(Parts(EMPTY, prefix=indent, parts=_key_parts(card.keys)))
    return tuple(lines)


def _action(beside: Beside, indent: Content) -> Line:
    """What the update does with the memory, and the keys that say otherwise."""
    parts = [plain_line(beside.action, "bold $text-accent"), *_key_parts(beside.choices)]
    return Parts(EMPTY, prefix=indent, parts=tuple(parts))


def _before_and_after(beside: Beside, indent: Content, *, rows: int) -> list[Line]:
    """The words before with what was taken out, the words after with what was put in: by signs, not colour alone."""
    was = indent + Content.styled("before: ", "$foreground-muted")
    now = indent + Content.styled(" after: ", "$foreground-muted")
    return [
        Line(diff_words([p for p in beside.diff if p.kind != "added"], ""), prefix=was, rows=rows),
        Line(diff_words([p for p in beside.diff if p.kind != "removed"], "bold"), prefix=now, rows=rows),
    ]


def diff_words(pieces: Sequence[Piece], style: str) -> Content:
    """Pieces in one text: [-taken out-], {+put in+}."""
    said = EMPTY
    for piece in pieces:
        if piece.kind == "same":
            said += plain(piece.text, style)
        elif piece.kind == "removed":
            said += Content("[-") + plain(piece.text, "$text-error strike") + Content("-]")
        else:
            said += Content("{+") + plain(piece.text, "bold $text-success") + Content("+}")
    return said


def _state(card: Card, width: int, *, bold: bool = False) -> Content:
    style = STATE_STYLES.get(card.glyph, "")
    name = plain_line(card.shown_id, "bold" if bold else "").pad_right(max(width - len(card.shown_id), 0))
    flag = Content(" ⚑") if card.flag else EMPTY
    saving = Content.styled(" saving", "$foreground-muted") if card.saving else EMPTY
    return (
        name
        + Content(" ")
        + plain_line(f"{card.glyph} {card.word}", f"bold {style}")
        + flag
        + saving
        + Content(" ")
    )


def _reason(card: Card) -> Content:
    return plain_line(card.reason, "italic") if card.reason else EMPTY


def _evidence(card: Card, indent: Content, *, roomy: bool) -> list[Line]:
    """The quote and where it stands; in a line of its own where the quote is read from the right."""
    where = plain_line(card.text.where + (f" · {card.marked}" if card.marked else ""), "$foreground-muted")
    if not card.text.quote:
        return [Line(where, prefix=indent)]
    limit = 400 if roomy else 120
    quote = card.text.quote if len(card.text.quote) <= limit else card.text.quote[:limit] + "…"
    rows = 5 if roomy else 2
    if direction(quote) == "rtl":
        return [
            Line(plain_line(f"“{quote}”"), prefix=indent, rows=rows - 1),
            Line(where, prefix=indent, rows=1),
        ]
    return [Line(plain_line(f"“{quote}” ") + where, prefix=indent, rows=rows)]


def _remarks(card: Card, indent: Content) -> list[Line]:
    lines = []
    if card.reason:
        lines.append(Line(plain_line(f"{card.glyph} {card.reason}", "italic"), prefix=indent))
    if card.flag:
        lines.append(Line(plain(f"⚑ flagged: {card.flag}"), prefix=indent))
    if card.note:
        lines.append(Line(plain(f"note: {card.note}"), prefix=indent, rows=4))
    return lines


def _keys(keys: Sequence[tuple[str, str]]) -> Content:
    return Content("  ").join(_key_parts(keys))


def _key_parts(keys: Sequence[tuple[str, str]]) -> tuple[Content, ...]:
    return tuple(
        plain_line(key, "bold $text-accent") + Content(" ") + plain_line(label) for key, label in keys
    )
