"""Keys in the order in which they were pressed, one at a time, whatever has the focus.

In Textual a key travels from widget to widget as a message, and printable keys are dealt with sooner than bound
ones: fast typing overtakes itself, and a key pressed while a screen opens or closes goes to the wrong one. Here a
key is sent on its way only after the one before has had its effect.
"""

from collections import deque
from collections.abc import Awaitable, Callable
from datetime import UTC, datetime, timedelta
from time import monotonic
from typing import Any

from textual import events
from textual.app import App
from textual.message_pump import MessagePump

from alps_tui.ui.screens.base import Holds, TakesKeys

Deliver = Callable[[events.Key], Awaitable[None]]


class KeysInOrder:
    """The queue of keys of an app.

    deliver   what the app does with a key of which no screen of ours took notice: the stock way
    """

    def __init__(self, app: App[Any], deliver: Deliver) -> None:
        self._app = app
        self._deliver = deliver
        self._waiting: deque[events.Key] = deque()
        self._travelling: events.Key | None = None
        self._pressed_at = monotonic()

    def when(self) -> datetime:
        """When the key was pressed that is being dealt with: an act bears that time, not that of its making."""
        return datetime.now(UTC) - timedelta(seconds=max(monotonic() - self._pressed_at, 0))

    def touched(self) -> None:
        """Something else than a key was done just now: a click."""
        self._pressed_at = monotonic()

    @property
    def at_rest(self) -> bool:
        """No key is waiting or on its way."""
        return not self._waiting and self._travelling is None

    async def take(self, event: events.Key) -> None:
        """A key was pressed."""
        self._waiting.append(event)
        await self.go_on()

    async def go_on(self) -> None:
        """Send the keys that wait on their way, as far as the screens take them."""
        while self._waiting and self._travelling is None:
            screen = self._app.screen
            if isinstance(screen, Holds) and screen.holds_keys:
                return
            event = self._waiting.popleft()
            self._pressed_at = event.time
            if not (isinstance(screen, TakesKeys) and screen.take_key(event)):
                await self._send(event)

    async def _send(self, event: events.Key) -> None:
        """Give a key to the widget with the focus, and wait until it has gone all the way up."""
        target = self._app.focused
        if target is not None:
            self._travelling = event
        await self._deliver(event)
        if target is not None:
            self._follow(event, target)

    def _follow(self, event: events.Key, at: MessagePump) -> None:
        """After whoever stands here has dealt with the key, look for it at the next one above."""
        if not at.call_later(self._dealt_with, event, at):
            self._arrived()

    def _dealt_with(self, event: events.Key, at: MessagePump) -> None:
        above = at._parent
        if event._stop_propagation or above is None or above is self._app:
            self._app.call_later(self._arrived)
        else:
            self._follow(event, above)

    def _arrived(self) -> None:
        self._travelling = None
        self._app.call_next(self.go_on)
