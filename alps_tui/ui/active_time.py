"""How long a person was really at it: gaps of more than a minute and time away from the window do not count."""

from collections.abc import Callable
from time import monotonic

IDLE_CAP_SECONDS = 60.0
"""A gap between two signs of life counts at most this much."""


class ActiveClock:
    """Sums the time between signs of life (keys, clicks), each gap capped, none of it while unfocused."""

    def __init__(self, now: Callable[[], float] = monotonic) -> None:
        self._now = now
        self._last = now()
        self._seconds = 0.0
        self._focused = True

    def touch(self) -> None:
        """A sign of life: the gap since the last one counts, up to the cap."""
        now = self._now()
        if self._focused:
            self._seconds += min(max(now - self._last, 0.0), IDLE_CAP_SECONDS)
        self._last = now

    def blur(self) -> None:
        """The window lost the focus: what comes now does not count."""
        self.touch()
        self._focused = False

    def focus(self) -> None:
        """The window has the focus again: counting starts here."""
        self._last = self._now()
        self._focused = True

    def restart(self) -> None:
        """Another item is on the screen: nothing counted so far belongs to it."""
        self._last = self._now()
        self._seconds = 0.0

    def take(self) -> int:
        """The active milliseconds since the last taking; they are counted once."""
        self.touch()
        taken, self._seconds = self._seconds, 0.0
        return round(taken * 1000)
