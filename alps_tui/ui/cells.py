"""How many cells a terminal gives to a sign: as Rich counts, or as terminals do that look at one sign at a time.

Rich knows one table for all terminals, Unicode's newest: a spacing mark of Hindi or Tamil takes no cell, a heart with
a selector two. Many terminals give those marks a cell of their own. tmux and screen ask the C library for each sign by
itself: 447 signs come out otherwise, and those that are younger than the library take no cell at all. A row then ends
elsewhere than the layout thinks, its last signs are lost and everything to its right is displaced. So Rich, and with it
Textual and our own layout, count as the terminal does.

One count for the process, as there is one terminal.
"""

import ctypes
import re
import sys
import unicodedata
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import cache
from itertools import groupby
from typing import Literal

import rich.cells
from rich._unicode_data import load
from rich.cells import CellTable

ASKED = (
    range(0xA0, 0x3400),
    range(0xA000, 0xAC00),
    range(0xD7B0, 0xD800),
    range(0xF900, 0x17000),
    range(0x18D00, 0x20000),
    range(0xE0000, 0xE0200),
)
"""All but ideographs, syllables of Hangul and signs of private use, which everybody counts alike."""
SKIN_TONES = range(0x1F3FB, 0x1F400)
"""Modifiers (UTS #51): signs of their own, two cells wide, where emoji are not joined."""
UNKNOWN = "\ufffd"
UNASSIGNED = -1

Count = Literal["clusters", "marks", "signs"]
"""As Rich does; with a cell for each spacing mark; each sign by itself, as the C library says."""

MARK = "\u0915\u093e"
"""A letter of Hindi with a spacing mark: one cell wide or two, which tells terminals apart."""

_count: Count = "clusters"


def is_by_sign() -> bool:
    return _count == "signs"


def table() -> CellTable:
    """The widths in use: (first, last, cells) of every range that is not one cell wide, and the signs that a variation
    selector makes wide."""
    return {"clusters": load, "marks": _with_marks, "signs": _of_single_signs}[_count]()


def count_by(wanted: Count) -> bool:
    """Count so from now on; True if that is another count."""
    global _count
    if wanted == _count:
        return False
    _count = wanted
    rich.cells.load_cell_table = _load  # type: ignore[attr-defined, assignment]
    rich.cells.get_character_cell_size.cache_clear()
    rich.cells.cached_cell_len.cache_clear()
    return True


@contextmanager
def counted_by(wanted: Count) -> Iterator[None]:
    """Count so for a while."""
    before = _count
    count_by(wanted)
    try:
        yield
    finally:
        count_by(before)


def known(text: str) -> str:
    """`text` with U+FFFD for each sign the terminal's library is too old for: it would stand in the cell before it.

    As it is, where cells are not counted by sign.
    """
    return text if not is_by_sign() or text.isascii() else _unknown().sub(UNKNOWN, text)


def _load(unicode_version: str = "auto") -> CellTable:
    return table() if unicode_version == "auto" else load(unicode_version)


@cache
def _with_marks() -> CellTable:
    """Rich's table without the spacing marks among what takes no cell."""
    usual = load("auto")
    ranges: list[tuple[int, int, int]] = []
    for first, last, width in usual.widths:
        if width:
            ranges.append((first, last, width))
            continue
        kept = (code for code in range(first, last + 1) if unicodedata.category(chr(code)) != "Mc")
        ranges += [(code, code, 0) for code in kept]
    return CellTable(f"{usual.unicode_version} with marks", ranges, usual.narrow_to_wide)


@cache
def _of_single_signs() -> CellTable:
    """Rich's table with what such terminals count otherwise."""
    usual = load("auto")
    asked = [(first, last, 1 if width == UNASSIGNED else width) for first, last, width in _asked()]
    rest = [
        (max(first, codes.start), min(last, codes.stop - 1), width)
        for first, last, width in usual.widths
        for codes in _between()
        if first < codes.stop and last >= codes.start
    ]
    ranges = sorted((first, last, width) for first, last, width in (*asked, *rest) if width != 1)
    return CellTable(f"{usual.unicode_version} by sign", ranges, frozenset())


@cache
def _asked() -> tuple[tuple[int, int, int], ...]:
    """(first, last, cells) of every range that was asked for, UNASSIGNED where the C library knows nothing."""
    library = _library() or _by_rule
    ranges = []
    for codes in ASKED:
        first = codes.start
        for width, alike in groupby(map(library, codes)):
            after = first + sum(1 for _ in alike)
            ranges.append((first, after - 1, width))
            first = after
    return tuple(ranges)


def _between() -> list[range]:
    """What is left between the ranges asked for."""
    edges = [0, *(edge for codes in ASKED for edge in (codes.start, codes.stop)), 0x110000]
    return [range(first, after) for first, after in zip(edges[::2], edges[1::2], strict=True)]


def _by_rule(code: int) -> int:
    """Cells of one sign by what most libraries say, where there is none to ask."""
    if code in SKIN_TONES:
        return 2
    cells = next((w for first, last, w in load("auto").widths if first <= code <= last), 1)
    return 1 if not cells and unicodedata.category(chr(code)) == "Mc" else cells


@cache
def _library() -> Callable[[int], int] | None:
    """`wcwidth` of the C library, which knows as much as the terminals on this machine; None where there is none."""
    if sys.platform == "win32":
        return None
    try:
        library: Callable[[int], int] = ctypes.CDLL(None).wcwidth
    except (OSError, AttributeError):
        return None
    return library if library(ord("漢")) == 2 else None  # in a locale without Unicode it knows nothing


@cache
def _unknown() -> re.Pattern[str]:
    """Signs the C library does not know."""
    strange = [(first, last) for first, last, width in _asked() if width == UNASSIGNED]
    inside = "".join(f"\\U{first:08x}-\\U{last:08x}" for first, last in strange)
    return re.compile(f"[{inside}]" if inside else "(?!)")
