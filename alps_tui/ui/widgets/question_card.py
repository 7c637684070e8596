"""A question with what it tests and the memory it was written for, as blocks of text."""

from collections.abc import Iterator
from dataclasses import dataclass

from textual.content import Content

from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.text_layout import direction
from alps_tui.ui.widgets.blocks import Blocks, Line, joined
from alps_tui.ui.widgets.memory_cards import Card

INDENT = Content("    ")


@dataclass(frozen=True)
class Asked:
    """A question as it stands for this rater.

    text, was   its words now, and as they came where they were changed
    ability     what it should test; `means` what an answer that shows it does
    card        the memory it was written for, None while it is not shown; then `hidden` says so
    judged      what the rater decided about that memory
    others      what else is on record, a line each
    """

    text: str
    was: str = ""
    ability: str = ""
    means: str = ""
    card: Card | None = None
    title: str = ""
    hidden: str = ""
    judged: str = ""
    others: tuple[str, ...] = ()
    note: str = ""
    flag: str = ""


class QuestionCard(Blocks):
    """Shows one question."""

    _asked: tuple[object, ...] = ()

    def redraw(self) -> None:
        self._asked = ()
        super().redraw()

    def ask(self, asked: Asked, *, terse: bool) -> None:
        """`terse`: little room, so that only what decides is shown, each part cut to a few rows."""
        if self._asked != (asked, terse):
            self._asked = (asked, terse)
            self.show(
                [tuple(_question(asked, terse)), tuple(_target(asked, terse)), tuple(_rest(asked, terse))]
            )


def _question(asked: Asked, terse: bool) -> Iterator[Line]:
    yield Line(plain(asked.text, "bold"), prefix=Content.styled("Q ", "bold $text-accent"))
    if asked.was:
        yield Line(
            plain(asked.was, "$foreground-muted"), prefix=INDENT + Content("was: "), rows=2 if terse else 8
        )
    if asked.ability:
        name = (
            plain_line("Tests ", "$foreground-muted")
            + plain_line(asked.ability, "bold")
            + (Content(": ") if asked.means else Content(""))
        )
        yield Line(name + plain_line(asked.means, "$foreground-muted"), prefix=Content("  "))


def _target(asked: Asked, terse: bool) -> Iterator[Line]:
    card = asked.card
    if card is None:
        if asked.hidden:
            yield Line(plain_line(asked.hidden, "$foreground-muted"), prefix=Content("◆ "))
        return
    value = plain_line(f"{asked.title}: ", "$foreground-muted") + plain(card.text.value, "bold")
    yield Line(value, prefix=Content.styled("◆ ", "bold $text-accent"), rows=4 if terse else 16)
    if card.was:
        yield Line(
            plain(card.was, "$foreground-muted"), prefix=INDENT + Content("was: "), rows=2 if terse else 6
        )
    for change in card.changes:
        yield Line(plain_line(change), prefix=INDENT, rows=2)
    yield Line(
        joined(
            [
                plain_line(part, "$foreground-muted")
                for part in (card.text.label, *card.text.attributes)
                if part
            ]
        ),
        prefix=INDENT,
        rows=1 if terse else None,
    )
    yield from _evidence(card, terse)
    if asked.judged:
        yield Line(plain_line(asked.judged, "italic"), prefix=INDENT)


def _evidence(card: Card, terse: bool) -> Iterator[Line]:
    where = plain_line(card.text.where, "$foreground-muted")
    if not card.text.quote or terse:
        yield Line(where, prefix=INDENT, rows=1)
        return
    quote = plain_line(f"“{card.text.quote[:400]}”")
    if direction(card.text.quote) == "rtl":
        yield Line(quote, prefix=INDENT, rows=4)
        yield Line(where, prefix=INDENT, rows=1)
    else:
        yield Line(quote + Content(" ") + where, prefix=INDENT, rows=5)


def _rest(asked: Asked, terse: bool) -> Iterator[Line]:
    if asked.flag:
        yield Line(plain(f"⚑ flagged: {asked.flag}"), prefix=INDENT)
    if asked.note:
        yield Line(plain(f"note: {asked.note}"), prefix=INDENT, rows=4)
    if asked.others:
        yield Line(plain_line("Also on record about this person", "$foreground-muted"))
    for line in asked.others:
        yield Line(plain_line(line, "$foreground-muted"), prefix=Content("• "), rows=1 if terse else 3)
