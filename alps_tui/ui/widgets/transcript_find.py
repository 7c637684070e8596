"""Every place of a needle in the turns of a transcript, and which of them is current; found in slices. Pure."""

import re
from bisect import bisect_left
from collections.abc import Sequence
from dataclasses import dataclass
from time import monotonic

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


STRETCH = 32_768
"""Signs that are searched between two looks at the clock: about half a millisecond."""


class Search:
    """Every place that holds a needle literally, whatever its case, from a reader's place to the end and around.

    `matches` holds what is known so far, in the order of the text.
    """

    def __init__(self, needle: str, texts: Sequence[str], turn: int = 0, offset: int = 0) -> None:
        """Nothing is searched yet; an empty needle is nowhere."""
        self.matches = Matches([])
        self._place = (turn, offset)
        self._pattern = re.compile(re.escape(needle), re.IGNORECASE)
        self._overlap = len(needle) - 1
        self._texts = texts
        start = turn if 0 <= turn < len(texts) else 0
        self._turns = [*range(start, len(texts)), *range(start)] if needle else []
        self._done = self._at = self._before = 0

    @property
    def complete(self) -> bool:
        return self._done == len(self._turns)

    def go_on(self, seconds: float) -> bool:
        """Search for about so long; True as long as something is left. The current match is set once it is known."""
        until = monotonic() + seconds
        while not self.complete:
            self._stretch()
            if monotonic() > until:
                break
        if self.matches.at < 0 and (self.complete or self.matches.hits[-1:] >= [(*self._place, -1)]):
            self.matches.start_from(*self._place)
        return not self.complete

    def _stretch(self) -> None:
        """Search on within the turn that is reached."""
        turn = self._turns[self._done]
        text, stop = self._texts[turn], self._at + STRETCH
        found = []
        for match in self._pattern.finditer(text, self._at, min(len(text), stop + self._overlap)):
            found.append((turn, *match.span()))
            self._at = match.end()
        self._keep(found, around=turn < self._turns[0])
        self._at = max(self._at, stop)
        if self._at >= len(text):
            self._done, self._at = self._done + 1, 0

    def _keep(self, found: list[Hit], *, around: bool) -> None:
        """Put hits in their place: those from around the end come before the first ones."""
        if not around:
            self.matches.hits += found
            return
        self.matches.hits[self._before : self._before] = found
        self._before += len(found)
        if self.matches.at >= 0:
            self.matches.at += len(found)
