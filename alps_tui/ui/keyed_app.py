"""What every app of ours does: keys in the order of pressing, text drawn for this terminal, an orderly end."""

import asyncio
import gc
import signal
from collections.abc import Mapping
from functools import partial
from typing import Any, ClassVar

from textual import events
from textual.app import App
from textual.binding import Binding, BindingType
from textual.driver import Driver
from textual.widgets import Input

from alps_tui.safe_text import one_line, visible
from alps_tui.ui import look as looks
from alps_tui.ui.cells import Count
from alps_tui.ui.keys_in_order import KeysInOrder
from alps_tui.ui.look import Look, look_for
from alps_tui.ui.sturdy_driver import sturdy
from alps_tui.ui.themes import CONTRAST
from alps_tui.ui.widgets.key_bar import KeyBar

INTERRUPTED = 130
LOOK_SECONDS = 1.0
"""How often it is looked whether the terminal is still there: a signal says so only to who leads its session."""
SIGNALS: Mapping[str, int] = {"SIGTERM": 0, "SIGHUP": 0, "SIGINT": INTERRUPTED}


class KeyedApp(App[None]):
    """An app whose screens get keys one at a time.

    look   how text is drawn; what the environment says if None
    """

    TITLE = "Alps"
    BINDINGS: ClassVar[list[BindingType]] = [Binding("ctrl+q", "quit", "Quit", show=False, priority=True)]

    def __init__(self, look: Look | None = None) -> None:
        super().__init__()
        self.look = look or look_for()
        self.joined_count: Count = "clusters"
        self._is_asked = False
        self.animation_level = "none"
        self.keys = KeysInOrder(self, super().on_event)

    def on_mount(self) -> None:
        looks.begin(self)
        self._is_asked = looks.ask_for_marks(self)
        self.register_theme(CONTRAST)
        self._on_signals()
        self.set_interval(LOOK_SECONDS, self._look_for_terminal)
        self.begin()

    def begin(self) -> None:
        """The terminal is ready: open the first screen."""
        raise NotImplementedError

    def on_unmount(self) -> None:
        looks.end(self)

    def on_cursor_position(self, event: events.CursorPosition) -> None:
        """The terminal's answer to what it was asked at the start; shift+F3 looks like another one."""
        if self._is_asked:
            self._is_asked = False
            looks.marks_take(self, event.x)

    def on_ready(self) -> None:
        """What the program needs to run at all is not searched for garbage again: that held the keys for 150 ms."""
        gc.freeze()
        gc.enable()

    # ------------------------------------------------------------ keys

    async def on_event(self, event: events.Event) -> None:
        """Keys go their way one at a time, in the order of pressing."""
        if isinstance(event, events.MouseDown):
            self.keys.touched()
        if isinstance(event, events.Paste):
            event.text = self._showable(event.text)
        if isinstance(event, events.Key) and not event.is_forwarded:
            await self.keys.take(event)
        else:
            await super().on_event(event)

    @property
    def clipboard(self) -> str:
        """What ctrl+v gives: a turn that was copied is the turn's own text, and must be made safe to stand in a field."""
        return self._showable(super().clipboard)

    def copy_to_clipboard(self, text: str) -> None:
        """Send a text to the clipboard of the terminal, and say so: whether it arrived there no terminal tells."""
        super().copy_to_clipboard(text)
        for bar in self.screen.query(KeyBar):
            bar.say(
                f"Sent to the clipboard: {len(text):,} {'character' if len(text) == 1 else 'characters'}."
            )

    def _showable(self, text: str) -> str:
        """A text that comes from outside for the field in focus; where that has one line, on one line."""
        lines = text.replace("\r\n", "\n").replace("\r", "\n")
        return one_line(lines.strip("\n")) if isinstance(self.focused, Input) else visible(lines)

    # ------------------------------------------------------------ the end

    def _look_for_terminal(self) -> None:
        if getattr(self._driver, "has_vanished", False):
            self.exit()

    def get_driver_class(self) -> type[Driver]:
        """The usual driver, but one that lets the program end when its terminal has vanished."""
        return sturdy(super().get_driver_class())

    def _fatal_error(self) -> None:
        """An exception nobody caught: the app ends, and whoever ran it raises it again.

        Textual would print a page of code with what its variables hold, texts of the data among them.
        """
        self._close_messages_no_wait()

    def _on_signals(self) -> None:
        """A closed terminal or a polite kill ends the app as `q` does."""
        loop = asyncio.get_running_loop()
        for name, code in SIGNALS.items():
            number = getattr(signal, name, None)
            if number is not None:
                try:
                    loop.add_signal_handler(number, partial(self.exit, return_code=code))
                except (NotImplementedError, RuntimeError, ValueError):
                    return  # not the main thread, or a platform without: tests and Windows


def ran(app: App[Any]) -> int:
    """Run an app that writes nothing until it is left; its exit code. What went wrong inside it is raised here."""
    app.run()
    if app._exception is not None:
        raise app._exception
    return app.return_code or 0
