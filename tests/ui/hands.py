"""Hands at a keyboard, for tests: they press keys as a terminal sends them and wait for what must happen."""

import asyncio
from collections.abc import Callable
from time import monotonic
from typing import Any

from textual import events
from textual.app import App
from textual.keys import _character_to_key
from textual.message_pump import MessagePump

PATIENCE_SECONDS = 20.0
"""How long a test waits for what must happen; nothing is timed, a slow machine only waits longer."""


class Hands:
    """What every desk does with its app."""

    app: App[Any]

    def hit(self, *keys: str) -> None:
        """Press keys as fast as a terminal can send them."""
        for key in keys:
            name = _character_to_key(key) if len(key) == 1 else key
            event = events.Key(name, key if len(key) == 1 else " " if key == "space" else None)
            event.set_sender(self.app)
            self.app.post_message(event)

    async def until(self, happened: Callable[[], bool]) -> None:
        """Wait for something. Fails with the screen as it is if it never comes."""
        deadline = monotonic() + PATIENCE_SECONDS
        while not happened():
            if self.app._exception is not None:
                raise self.app._exception
            if monotonic() > deadline:
                raise AssertionError(f"it never happened; {self.state()}\n{self.screen()}")
            await asyncio.sleep(0.002)

    async def has_its_turn(self, pump: MessagePump) -> None:
        """What was sent to this pump before is dealt with."""
        done = asyncio.Event()
        if pump.call_later(done.set):
            await asyncio.wait_for(done.wait(), PATIENCE_SECONDS)

    def state(self) -> str:
        """What the screen waits for, for a test that waited in vain."""
        return f"on {type(self.app.screen).__name__}"

    def screen(self) -> str:
        """The screen as a terminal shows it."""
        raise NotImplementedError
