"""A guideline as blocks of text: headings, lists, quotes, tables and emphasis, shown in one go however long it is.

The stock Markdown widget mounts a widget per paragraph: a guideline of 460 lines takes seconds.
"""

import re
from collections.abc import Iterable, Iterator

from textual.content import Content

from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.widgets.blocks import EMPTY, Block, Line

_HEADING = re.compile(r"(#{1,6})\s+(.*?)\s*#*\s*$")
_BULLET = re.compile(r"(\s*)(?:[-*+]|(\d+)[.)])\s+(.*)$")
_QUOTE = re.compile(r"\s*>\s?(.*)$")
_FENCE = re.compile(r"\s*(```|~~~)")
_ROW = re.compile(r"\s*\|(.*)\|\s*$")
_RULE = re.compile(r"\s*\|?[\s:|-]*-{3,}[\s:|-]*\|?\s*$")
_INLINE = re.compile(
    r"(\*\*|__)(?P<strong>.+?)\1|`(?P<code>[^`]+)`|(?<!\w)[*_](?P<em>[^*_\s][^*_]*?)[*_](?!\w)"
)
LONGEST = 4_000
"""Signs of a paragraph that are laid out in one go: a longer one goes on in another."""
_HEADING_STYLES = ("bold reverse", "bold underline", "bold", "bold")


def blocks(text: str) -> list[Block]:
    """The text, a block for every heading with what stands under it, so that one can go from heading to heading."""
    found: list[Block] = []
    section: list[Line] = []
    for line, is_heading in _lines(text.expandtabs(4).split("\n")):
        if is_heading and section:
            found.append(tuple(section))
            section = []
        section.append(line)
    return [*found, tuple(section)] if section else found


def lines_of(text: str) -> Iterator[Line]:
    """The text paragraph by paragraph, each made when it is asked for; a row of text of any length in pieces."""
    rows = (piece for row in text.expandtabs(4).split("\n") for piece in _pieces(row))
    return (line for line, _ in _lines(rows))


def _pieces(row: str) -> Iterator[str]:
    """A row cut after a space wherever it gets too long to be laid out in no time; an empty one parts paragraphs."""
    while len(row) > LONGEST:
        cut = row.rfind(" ", LONGEST // 2, LONGEST) + 1 or LONGEST
        yield row[:cut]
        yield ""
        row = row[cut:]
    yield row


def section_of(text: str, word: str) -> int:
    """Which block's heading names this word; 0 if none does."""
    headings = [m[2] for line in text.split("\n") if (m := _HEADING.match(line))]
    first = 0 if _HEADING.match(text.lstrip("\n")) else 1
    return next((i + first for i, heading in enumerate(headings) if word and word in heading), 0)


def inline(text: str) -> Content:
    """Emphasis and code as styles; the signs that mark them are not shown."""
    parts: list[Content] = []
    at = 0
    for match in _INLINE.finditer(text):
        parts.append(plain_line(text[at : match.start()]))
        if match["strong"] is not None:
            parts.append(plain_line(match["strong"], "bold"))
        elif match["code"] is not None:
            parts.append(plain_line(match["code"], "bold $text-accent"))
        else:
            parts.append(plain_line(match["em"], "italic"))
        at = match.end()
    parts.append(plain_line(text[at:]))
    return Content("").join(parts)


def _lines(rows: Iterable[str]) -> Iterator[tuple[Line, bool]]:
    """Paragraphs, joined over their rows; True for a heading."""
    prefix, words, fenced = EMPTY, "", False

    def flush() -> Iterator[tuple[Line, bool]]:
        nonlocal words, prefix
        if words:
            yield Line(inline(words), prefix=prefix), False
        words, prefix = "", EMPTY

    for row in rows:
        if _FENCE.match(row):
            yield from flush()
            fenced = not fenced
        elif fenced:
            yield Line(plain(row, "$foreground-muted"), prefix=Content("    ")), False
        elif not row.strip():
            yield from flush()
            yield Line(EMPTY), False
        elif heading := _HEADING.match(row):
            yield from flush()
            style = _HEADING_STYLES[min(len(heading[1]), len(_HEADING_STYLES)) - 1]
            yield Line(inline(heading[2]).stylize(style)), True
        elif _RULE.match(row):
            yield from flush()
        elif cells := _ROW.match(row):
            yield from flush()
            yield (
                Line(
                    Content("  │  ").join(inline(c.strip()) for c in cells[1].split("|")),
                    prefix=Content("  "),
                ),
                False,
            )
        elif bullet := _BULLET.match(row):
            yield from flush()
            mark = f"{bullet[2]}." if bullet[2] else "•"
            prefix, words = plain_line(f"{bullet[1]}  {mark} "), bullet[3].strip()
        else:
            quote = _QUOTE.match(row)
            if quote and not words:
                prefix = Content.styled("  ▎ ", "$foreground-muted")
            words = f"{words} {(quote[1] if quote else row).strip()}".strip()
            if len(words) > LONGEST:
                yield from flush()
    yield from flush()
