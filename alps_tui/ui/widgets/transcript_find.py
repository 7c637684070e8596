"""Every place of a needle in the turns of a transcript, and which of them is current. Pure."""

import re
from bisect import bisect_left
from collections.abc import Iterable
from dataclasses import dataclass

Hit = tuple[int, int, int]
"""A turn and the code points [start, end) that hold the needle."""


@dataclass(slots=True)
class Matches:
    """The hits of one search in the order of the text; `at` is the current one, -1 if there is none."""

    hits: list[Hit]
    at: int = -1

    @property
    def current(self) -> Hit | None:
        return self.hits[self.at] if 0 <= self.at < len(self.hits) else None

    def start_from(self, turn: int, offset: int) -> None:
        """Make the first hit at or after a place current, the very first one if none follows."""
        if self.hits:
            self.at = bisect_left(self.hits, (turn, offset, -1)) % len(self.hits)

    def step(self, by: int) -> None:
        """Go on by so many hits, around the end."""
        if self.hits:
            self.at = (self.at + by) % len(self.hits)

    def between(self, turn: int, start: int, end: int) -> list[tuple[int, int, bool]]:
        """The hits that touch [start, end) of a turn, and whether each is the current one."""
        out = []
        # Hits of one search do not overlap, so only the one before the first that starts here can reach in.
        place = max(0, bisect_left(self.hits, (turn, start, -1)) - 1)
        while place < len(self.hits) and self.hits[place][:2] < (turn, end):
            of_turn, left, right = self.hits[place]
            if of_turn == turn and right > start:
                out.append((left, right, place == self.at))
            place += 1
        return out


def find_all(needle: str, texts: Iterable[str]) -> Matches:
    """Every place that holds `needle` literally, whatever its case; none for an empty needle."""
    if not needle:
        return Matches([])
    pattern = re.compile(re.escape(needle), re.IGNORECASE)
    return Matches(
        [(turn, *found.span()) for turn, text in enumerate(texts) for found in pattern.finditer(text)]
    )
