"""CSV as RFC 4180 has it, with one thing added that readers ignore: nothing and an empty text stay apart. Pure.

Lines end with CR LF, text is UTF-8 without a byte order mark. A text is always in quotes, "" is the empty text; a
number or a truth value is bare; nothing between two commas is None. Bytes are true: a text that begins with =, +, -
or @ is written as it is, so open a file from data you do not trust in a tool that computes no formulas, or import
it as text.
"""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass

_END = re.compile(r"[,\r\n]")
Cell = str | int | float | bool | None


@dataclass(frozen=True, slots=True)
class Bare:
    """A cell that stood without quotes: a number or a truth value, as it was written."""

    text: str


def line(cells: Iterable[Cell]) -> bytes:
    """One record with its line end."""
    return (",".join(map(_cell, cells)) + "\r\n").encode("utf-8")


def _cell(cell: Cell) -> str:
    if cell is None:
        return ""
    if isinstance(cell, bool):
        return "true" if cell else "false"
    if isinstance(cell, int | float):
        return repr(cell)
    return '"' + cell.replace('"', '""') + '"'


def records(text: str) -> Iterator[list[str | Bare | None]]:
    """The records of a CSV text: quoted cells as str, bare ones as Bare, empty ones as None.

    raises   ValueError if a quote is not closed or a quoted cell is followed by other signs
    """
    at, row = 0, []
    while at < len(text):
        cell, at = _next(text, at)
        row.append(cell)
        if text.startswith(",", at):
            at += 1
            if at == len(text):
                row.append(None)
        else:
            at += 2 if text.startswith("\r\n", at) else 1
            yield row
            row = []
    if row:
        yield row


def _next(text: str, at: int) -> tuple[str | Bare | None, int]:
    if not text.startswith('"', at):
        found = _END.search(text, at)
        end = found.start() if found else len(text)
        return (Bare(text[at:end]) if end > at else None), end
    start = at + 1
    while True:
        quote = text.find('"', start)
        if quote < 0:
            raise ValueError(f"a quote opened at character {at} is not closed")
        if not text.startswith('"', quote + 1):
            break
        start = quote + 2
    end = quote + 1
    if end < len(text) and text[end] not in ",\r\n":
        raise ValueError(
            f"after the quoted cell that ends at character {end} a comma or a line end is missing"
        )
    return text[at + 1 : quote].replace('""', '"'), end


def header(columns: Sequence[str]) -> bytes:
    """The first record: the names of the columns, bare."""
    return (",".join(columns) + "\r\n").encode("utf-8")
