"""Two texts word by word: what was taken out of the first and what was put in to make the second. Pure.

Where a script puts no spaces between words (Chinese, Japanese, Thai, Khmer, ...), each sign counts as a word.
"""

from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Literal

import regex

Kind = Literal["same", "removed", "added"]

MOST_WORDS = 2_000
"""Words in both texts together up to which they are compared; longer ones are shown as replaced whole."""

_WORD = regex.compile(
    r"\s+"
    r"|(?:(?=[\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}])\X)"
    r"|(?:(?=[\p{L}\p{N}\p{M}])"
    r"(?![\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}\p{Tibetan}])\X)+"
    r"|\X"
)
"""Spaces; a sign of a script without spaces; a run of letters and digits with their marks; any other sign alone."""


@dataclass(frozen=True, slots=True)
class Piece:
    """A stretch of text that both have, that only the first has, or only the second."""

    kind: Kind
    text: str


def words(text: str) -> list[str]:
    """The text in words, spaces and signs; joined again they are the text."""
    return [found[0] for found in _WORD.finditer(text)]


def word_diff(before: str, after: str) -> tuple[Piece, ...]:
    """The way from one text to the other. Removed and same pieces joined are `before`, added and same `after`.

    A single space between two changed words changes with them: "green tea" → "black coffee" is one change.
    """
    first, second = words(before), words(after)
    if len(first) + len(second) > MOST_WORDS:
        parts = [("removed", before), ("added", after)] if before != after else [("same", after)]
        return tuple(Piece(kind, text) for kind, text in parts if text)  # type: ignore[arg-type]
    pieces: list[Piece] = []
    for name, a, b, c, d in _merged(first, second):
        if name == "equal":
            pieces.append(Piece("same", "".join(second[c:d])))
            continue
        if a < b:
            pieces.append(Piece("removed", "".join(first[a:b])))
        if c < d:
            pieces.append(Piece("added", "".join(second[c:d])))
    return tuple(pieces)


Step = tuple[str, int, int, int, int]


def _merged(first: list[str], second: list[str]) -> list[Step]:
    """The steps of the comparison, with equal stretches of nothing but space taken into the changes around them."""
    steps: list[Step] = list(SequenceMatcher(None, first, second, autojunk=False).get_opcodes())
    merged: list[Step] = []
    for at, step in enumerate(steps):
        name, a, b, c, d = step
        inside = 0 < at < len(steps) - 1
        if name == "equal" and inside and not "".join(first[a:b]).strip():
            name = "replace"
        if merged and name != "equal" and merged[-1][0] != "equal":
            _, a0, _, c0, _ = merged[-1]
            merged[-1] = ("replace", a0, b, c0, d)
        else:
            merged.append((name, a, b, c, d))
    return merged
