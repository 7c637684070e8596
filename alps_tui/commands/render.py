"""Plain text for people: tables in 80 columns, numbers with their uncertainty. Data to stdout, talk to stderr."""

import json
import sys
import textwrap
from collections.abc import Sequence

import orjson

from alps_tui.safe_text import one_line, visible

GAP = "  "
WIDTH = 80


def say(text: str) -> None:
    """Talk: what happened and what to do next, on stderr."""
    print(one_line_each(text), file=sys.stderr)


def out(text: str = "") -> None:
    """Data, on stdout."""
    print(one_line_each(text))


def out_prose(text: str) -> None:
    """A sentence on stdout, wrapped to 80 columns; what follows the first line keeps its indent."""
    indent = " " * (len(text) - len(text.lstrip()))
    for line in textwrap.wrap(
        one_line(text), WIDTH, subsequent_indent=indent + GAP, break_long_words=False, break_on_hyphens=False
    ):
        print(line)


def out_json(value: object) -> None:
    """One JSON document on stdout, keys in the order given; signs that could act on a terminal are escaped."""
    text = orjson.dumps(value, option=orjson.OPT_INDENT_2 | orjson.OPT_NON_STR_KEYS).decode()
    safe = visible(text)
    if text != safe:
        text = "".join(
            sign if sign == shown else json.dumps(sign)[1:-1] for sign, shown in zip(text, safe, strict=True)
        )
    sys.stdout.write(text + "\n")


def out_file(text: str) -> None:
    """What would be a file, on stdout; signs that could act on a terminal are shown, its lines are its own."""
    sys.stdout.write(visible(text))


def one_line_each(text: str) -> str:
    """Each line made safe for a terminal; the line ends are ours."""
    return "\n".join(one_line(line) for line in text.split("\n"))


def table(headers: Sequence[str], rows: Sequence[Sequence[str]], *, indent: str = "  ") -> str:
    """A table with the first column left and the others right aligned, as wide as its cells."""
    from rich.cells import cell_len

    cells = [[one_line(cell) for cell in row] for row in (headers, *rows)]
    widths = [max(cell_len(row[column]) for row in cells) for column in range(len(headers))]

    def pad(cell: str, column: int) -> str:
        space = " " * (widths[column] - cell_len(cell))
        return cell + space if column == 0 else space + cell

    return "\n".join(
        (indent + GAP.join(pad(cell, column) for column, cell in enumerate(row))).rstrip() for row in cells
    )


def number(value: float | None, digits: int = 3) -> str:
    """A coefficient without its leading zero: .815, -.020, 1.000."""
    if value is None:
        return "undefined"
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 else text


def count(amount: int, noun: str, plural: str | None = None) -> str:
    """`1 turn`, `1,362 turns`."""
    return f"{amount:,} {noun if amount == 1 else plural or noun + 's'}"
