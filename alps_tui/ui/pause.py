"""Does something once a person has paused."""

from collections.abc import Callable

from textual.message_pump import MessagePump
from textual.timer import Timer

PAUSE_SECONDS = 0.4
"""How long a pause in typing is before what was typed goes to disk."""


class Pause:
    """Calls `then` when `poke` was not called for a while; `now` calls it at once if it is due."""

    def __init__(self, owner: MessagePump, then: Callable[[], None], seconds: float = PAUSE_SECONDS) -> None:
        self._owner, self._then, self._seconds = owner, then, seconds
        self._timer: Timer | None = None

    def poke(self) -> None:
        """Something changed: start waiting again."""
        if self._timer is not None:
            self._timer.stop()
        self._timer = self._owner.set_timer(self._seconds, self.now)

    def now(self) -> None:
        """Do it now if it is due."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
            self._then()

    def drop(self) -> None:
        """It is no longer due."""
        if self._timer is not None:
            self._timer.stop()
            self._timer = None
