"""Where a quote stands in a dialogue: exact, equal but for case and punctuation, similar, or nowhere."""

import re
import unicodedata
from bisect import bisect_left, bisect_right
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import accumulate

import regex
from rapidfuzz import fuzz

from store.content_records import Evidence, Turn
from store.kinds import EvidenceMatch

FUZZY_THRESHOLD = 0.75
"""The least similarity (rapidfuzz partial ratio of the normalised texts, 0 to 1) that counts as found.

Chosen on 57 real packets: of 1,200 quotes held against a dialogue in the same script that they do not come
from, none of SHORT_QUOTE or more reaches 0.70, and of shorter ones none reaches SHORT_THRESHOLD.
"""

SHORT_THRESHOLD = 0.9
"""The same for quotes under SHORT_QUOTE."""

SHORT_QUOTE = 16
"""Normalised characters, those of scripts without spaces counted twice, below which a likeness says little."""

FUZZY_MIN = 8
"""Below this no likeness counts."""

LONG_QUOTE = 600
"""Normalised characters above which a quote is sought by its two ends, since its whole would take seconds."""

MAX_PARTS = 40
"""Parts a joined quote is split into at most."""

_ELLIPSIS_OR_JOIN = re.compile(r"\s*(?:\[\s*(?:\.{3,}|…)\s*\]|\.{3,}|…|\n+|\s[|/]\s|[;；]\s?)\s*")
_CLUSTER = regex.compile(r"\X")


class _Folded(dict[str, str]):
    """A character in NFKC, case folded, with only letters, digits and their marks left; made when first met."""

    def __missing__(self, char: str) -> str:
        folded = self[char] = fold(char)
        return folded


_FOLDED = _Folded()


def fold(piece: str) -> str:
    """A character, or one with its marks, in NFKC and case folded, without what is no letter, digit or mark."""
    folded = unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", piece).casefold())
    return "".join(char for char in folded if char.isalnum() or _is_mark(char))


def _is_mark(char: str) -> bool:
    """True for combining marks, but not for the selectors between forms of one sign (emoji or text)."""
    return unicodedata.category(char).startswith("M") and not 0xFE00 <= ord(char) <= 0xFE0F


def normal_text(text: str) -> str:
    """Unicode NFKC, case folded, without white space, punctuation and symbols."""
    if unicodedata.is_normalized("NFC", text):
        return "".join(map(_FOLDED.__getitem__, text))
    return "".join(map(fold, _CLUSTER.findall(text)))


@dataclass(frozen=True, slots=True)
class WayBack:
    """From a normal text to the text it came from.

    behind   for each character (or cluster) of the text, how long the normal text is after it
    ends     where each of them ends in the text, in code points
    """

    behind: Sequence[int]
    ends: Sequence[int]

    def original(self, start: int, end: int) -> tuple[int, int]:
        """The code points [start, end) that a slice of the normal text came from.

        raises   IndexError if the slice is empty or reaches past the normal text
        """
        if not 0 <= start < end:
            raise IndexError("an empty slice comes from nowhere")
        first, last = bisect_right(self.behind, start), bisect_left(self.behind, end)
        return (self.ends[first - 1] if first else 0), self.ends[last]


def way_back(text: str) -> WayBack:
    """How to get from the normal text of `text` back to it."""
    if unicodedata.is_normalized("NFC", text):
        lengths = map(len, map(_FOLDED.__getitem__, text))
        return WayBack(list(accumulate(lengths)), range(1, len(text) + 1))
    clusters = _CLUSTER.findall(text)
    behind = accumulate(len(fold(cluster)) for cluster in clusters)
    return WayBack(list(behind), list(accumulate(map(len, clusters))))


class QuoteFinder:
    """Finds quotes in the turns of one dialogue. Turns are normalised once, when the first quote needs it."""

    def __init__(self, turns: Sequence[Turn]) -> None:
        self.turns = turns
        self._users = [i for i, turn in enumerate(turns) if turn.role == "user"]
        self._others = [i for i, turn in enumerate(turns) if turn.role != "user"]
        self._normal: dict[int, str] = {}
        self._ways: dict[int, WayBack] = {}
        self._found: dict[tuple[str, tuple[int, ...]], tuple[Evidence, ...]] = {}

    def locate(self, quote: str, named: Sequence[int] = ()) -> tuple[Evidence, ...]:
        """Where the quote stands: one entry, or one for each part of a quote that joins several.

        named    indices of the turns the record points at, sought first; those out of range are ignored.

        Tried in this order, user's turns before others': exact in a named turn, exact in another, normalised
        in a named turn, normalised in another; then, if the quote joins several with "...", ";", "|", "/" or
        line ends, its parts in the same way if all of them are found; then similar (FUZZY_THRESHOLD) as a
        whole; then those parts that are found. A quote that is nowhere keeps the first turn it was said to be
        in, without offsets.
        """
        named = tuple(i for i in named if 0 <= i < len(self.turns))
        key = (quote, named)
        if key not in self._found:
            self._found[key] = self._locate(quote, named)
        return self._found[key]

    def _locate(self, quote: str, named: tuple[int, ...]) -> tuple[Evidence, ...]:
        if not quote.strip():
            return (Evidence(quote, EvidenceMatch.NO_QUOTE, named[0] if named else None),)
        if whole := self._verbatim(quote, named):
            return (whole,)
        parts = split_joined(quote)
        sure = [self._verbatim(part, named) for part in parts]
        if parts and all(sure):
            return tuple(found for found in sure if found)
        if similar := self._similar(quote, named):
            return (similar,)
        found = [hit or self._similar(part, named) for hit, part in zip(sure, parts, strict=True)]
        if any(found):
            missing = EvidenceMatch.NOT_FOUND
            return tuple(one or Evidence(part, missing) for one, part in zip(found, parts, strict=True))
        return (Evidence(quote, EvidenceMatch.NOT_FOUND, named[0] if named else None),)

    def _verbatim(self, quote: str, named: tuple[int, ...]) -> Evidence | None:
        order = [*named, *self._users, *self._others]
        return self._exact(quote, order) or self._but_for_form(quote, order)

    def _exact(self, quote: str, order: Sequence[int]) -> Evidence | None:
        """The first place that cuts no word in any turn, else the first place."""
        cut: Evidence | None = None
        for i in order:
            text = self.turns[i].text
            for at in _occurrences(text, quote):
                here = Evidence(quote, EvidenceMatch.EXACT, i, at, at + len(quote))
                if _is_whole(text, at, at + len(quote)):
                    return here
                cut = cut or here
        return cut

    def _but_for_form(self, quote: str, order: Sequence[int]) -> Evidence | None:
        """The same among the normal texts; a place that cuts a word counts only for quotes that are not tiny."""
        needle = normal_text(quote)
        if not needle:
            return None
        cut: Evidence | None = None
        for i in order:
            for at in _occurrences(self._normal_turn(i), needle):
                start, end = self._original(i, at, at + len(needle))
                here = Evidence(quote, EvidenceMatch.NORMALISED, i, start, end)
                if _is_whole(self.turns[i].text, start, end):
                    return here
                cut = cut or here
        return cut if _weight(needle) >= FUZZY_MIN else None

    def _similar(self, quote: str, named: tuple[int, ...]) -> Evidence | None:
        needle = normal_text(quote)
        weight = _weight(needle)
        if weight < FUZZY_MIN:
            return None
        least = FUZZY_THRESHOLD if weight >= SHORT_QUOTE else SHORT_THRESHOLD
        for group in (named, self._users, self._others):
            best: tuple[float, int, int, int] | None = None
            for i in group:
                hit = _best_window(needle, self._normal_turn(i), best[0] if best else least)
                if hit and (best is None or hit[0] > best[0]):
                    best = (hit[0], i, hit[1], hit[2])
            if best:
                score, i, start, end = best
                start, end = self._original(i, start, end)
                return Evidence(quote, EvidenceMatch.FUZZY, i, start, end, round(score, 4))
        return None

    def _normal_turn(self, turn: int) -> str:
        if turn not in self._normal:
            self._normal[turn] = normal_text(self.turns[turn].text)
        return self._normal[turn]

    def _original(self, turn: int, start: int, end: int) -> tuple[int, int]:
        if turn not in self._ways:
            self._ways[turn] = way_back(self.turns[turn].text)
        return self._ways[turn].original(start, end)


def split_joined(quote: str) -> list[str]:
    """The parts of a quote that joins several; empty if it does not. Parts without a letter are left out."""
    parts = [part for part in _ELLIPSIS_OR_JOIN.split(quote, MAX_PARTS - 1) if any(map(str.isalnum, part))]
    return parts if len(parts) > 1 or (parts and parts[0] != quote.strip()) else []


def _occurrences(text: str, needle: str) -> Iterator[int]:
    """Where the needle stands, 50 places at most."""
    at = text.find(needle)
    for _ in range(50):
        if at < 0:
            return
        yield at
        at = text.find(needle, at + 1)


def _is_whole(text: str, start: int, end: int) -> bool:
    """True if [start, end) cuts no word, in scripts that put spaces between words."""
    before = start > 0 and _joins(text[start - 1]) and _joins(text[start])
    after = end < len(text) and _joins(text[end]) and _joins(text[end - 1])
    return not (before or after)


def _joins(char: str) -> bool:
    """True for letters and digits of the scripts before Thai in Unicode: those that separate words by spaces."""
    return char < "\u0e00" and char.isalnum()


def _weight(normalised: str) -> int:
    """How much a normalised text says: a character of a script without spaces says more than a letter."""
    return sum(2 if char >= "\u2e80" else 1 for char in normalised)


def _best_window(needle: str, text: str, least: float) -> tuple[float, int, int] | None:
    """The most similar stretch (score 0 to 1, start, end) of a normalised text, if it reaches `least`."""
    if len(text) < len(needle):
        score = fuzz.ratio(needle, text, score_cutoff=least * 100) / 100
        return (score, 0, len(text)) if score >= least else None
    if len(needle) > LONG_QUOTE:
        return _best_long_window(needle, text, least)
    hit = fuzz.partial_ratio_alignment(needle, text, score_cutoff=least * 100)
    return (hit.score / 100, hit.dest_start, hit.dest_end) if hit and hit.dest_end > hit.dest_start else None


def _best_long_window(needle: str, text: str, least: float) -> tuple[float, int, int] | None:
    """The stretch between where a long quote's first and last LONG_QUOTE / 2 characters are found."""
    half = LONG_QUOTE // 2
    head = fuzz.partial_ratio_alignment(needle[:half], text, score_cutoff=least * 100)
    tail = fuzz.partial_ratio_alignment(needle[-half:], text, score_cutoff=least * 100)
    if not head or not tail or tail.dest_end <= head.dest_start:
        return None
    start, end = head.dest_start, tail.dest_end
    score = fuzz.ratio(needle, text[start:end], score_cutoff=least * 100) / 100
    return (score, start, end) if score >= least else None
