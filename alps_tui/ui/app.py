"""The app: one rater at one study. It owns the writer's results, the keys' order and an orderly end."""

import logging
import sys
from collections.abc import Callable, Mapping
from functools import partial
from pathlib import Path
from typing import Any, ClassVar

from rich.console import RenderableType
from textual import events
from textual.message import Message
from textual.screen import Screen

from alps_tui.protocols.schema import Protocol
from alps_tui.ui.active_time import ActiveClock
from alps_tui.ui.keyed_app import KeyedApp
from alps_tui.ui.keymap import Keymap
from alps_tui.ui.look import Look
from alps_tui.ui.palette import ActionProvider
from alps_tui.ui.screens.annotate import AnnotateScreen
from alps_tui.ui.screens.base import TextModal
from alps_tui.ui.screens.home import HomeScreen
from alps_tui.ui.session import PlaceFailed, PlaceSaved, Session
from alps_tui.ui.widgets.key_bar import KeyBar
from store.database import Database
from store.records import Rater, Saved
from store.writer import WriteFailed

log = logging.getLogger(__name__)

STYLES = Path(__file__).parent / "styles"
RETRY_SECONDS = 3.0
"""How often what could not be written is tried again without anybody asking."""


class AlpsApp(KeyedApp):
    """Queues, items and everything over them.

    protocol     the form whose queue is opened at once
    start_item   the shown id of the item to begin with
    protocols    forms by name in place of those of the study; its own, in all their versions, if None
    look         how text is drawn; what the environment says if None
    keymap       other keys than ours
    """

    CSS_PATH: ClassVar[list[str | Path]] = [
        STYLES / "base.tcss",
        STYLES / "annotate.tcss",
        STYLES / "modals.tcss",
    ]  # type: ignore[assignment]
    COMMANDS = KeyedApp.COMMANDS | {ActionProvider}

    class FromStore(Message):
        """The writer or the keeper of places says something; posted from their threads."""

        def __init__(self, result: object) -> None:
            super().__init__()
            self.result = result

    def __init__(
        self,
        db: Database,
        rater: Rater,
        *,
        protocol: str | None = None,
        start_item: str | None = None,
        protocols: Mapping[str, Protocol] | None = None,
        before_write: Callable[[], None] | None = None,
        look: Look | None = None,
        keymap: Keymap | None = None,
    ) -> None:
        super().__init__(look)
        self.clock = ActiveClock()
        self.session = Session(db, rater, protocols, self._report, keymap=keymap, before_write=before_write)
        self._wanted, self._start_item = protocol, start_item
        self._drained: bool | None = None
        self._unheard: dict[str, WriteFailed] = {}
        """By the act's id, what was refused and has not been said on a screen."""

    def _report(self, result: object) -> None:
        """Called in other threads; refused once the app is closing, when nobody is left to be told."""
        if isinstance(result, WriteFailed) and not result.retryable:
            self._unheard[result.act.act_id] = result
        self.post_message(self.FromStore(result))

    def begin(self) -> None:
        self.set_interval(RETRY_SECONDS, self._retry)
        self.push_screen(HomeScreen(self.session, self.clock, self.keys.when, self._wanted, self._start_item))

    # ------------------------------------------------------------ keys

    async def on_event(self, event: events.Event) -> None:
        if isinstance(event, events.Key | events.MouseDown | events.MouseScrollDown | events.MouseScrollUp):
            self.clock.touch()
        await super().on_event(event)

    def on_app_blur(self) -> None:
        self.clock.blur()

    def on_app_focus(self) -> None:
        self.clock.focus()

    # ------------------------------------------------------------ what the store says

    def on_alps_app_from_store(self, event: FromStore) -> None:
        annotate = self._annotate()
        if annotate is None or annotate.has_left:
            if isinstance(event.result, WriteFailed) and not event.result.retryable:
                self._say_late(event.result)
            return
        if isinstance(event.result, Saved | WriteFailed):
            annotate.outcomes.on_result(event.result)
            if isinstance(event.result, WriteFailed):
                self._unheard.pop(event.result.act.act_id, None)
        elif isinstance(event.result, PlaceFailed | PlaceSaved):
            annotate.outcomes.on_place(event.result)

    def _say_late(self, refused: WriteFailed) -> None:
        """What was decided last was not taken, and its screen is gone: it is said on the one below."""
        bars = self.screen.query(KeyBar)
        if self._annotate() is not None or not bars:
            self.set_timer(0.05, partial(self._say_late, refused))
            return
        bars.last().say(refused.sentence)
        self._unheard.pop(refused.act.act_id, None)

    @property
    def unheard(self) -> tuple[str, ...]:
        """The sentences about acts that were refused when no screen was there any more to say so."""
        return tuple(dict.fromkeys(refused.sentence for refused in self._unheard.values()))

    def _annotate(self) -> AnnotateScreen | None:
        return next((s for s in self.screen_stack if isinstance(s, AnnotateScreen)), None)

    def _retry(self) -> None:
        if self.session.failed:
            self.session.retry()

    # ------------------------------------------------------------ the end

    async def action_quit(self) -> None:
        """Leave; what is not saved is first shown with the ways to keep it."""
        annotate = self._annotate()
        if annotate is not None and self.session.failed and self.screen is annotate:
            annotate.acting.leave_or_stay(lambda: None)
            return
        if self.session.failed and annotate is not None:
            return
        self.exit()

    def flush(self) -> None:
        """Everything typed so far goes to the writer and the keeper."""
        for screen in reversed(self.screen_stack):
            self._keep_typed(screen)

    def _keep_typed(self, screen: Screen[Any]) -> None:
        if isinstance(screen, TextModal):
            screen.flush()
        elif isinstance(screen, AnnotateScreen):
            screen.flush_place()

    def exit(self, *args: Any, **kwargs: Any) -> None:
        """Leave the app; whatever way it is left, what was typed is written first."""
        self.flush()
        super().exit(*args, **kwargs)

    def panic(self, *renderables: RenderableType) -> None:
        """The terminal broke down: what was typed is written before the program ends."""
        self.flush()
        super().panic(*renderables)

    def _fatal_error(self) -> None:
        """An exception nobody caught: what was typed is written, the app ends, and `run_app` raises it again.

        Textual would print a page of code with what its variables hold, texts of the data among them.
        """
        for screen in reversed(self.screen_stack):
            try:
                self._keep_typed(screen)
            except Exception:
                log.exception("what was typed on a screen could not be read when the app broke down")
        super()._fatal_error()

    def close_session(self) -> bool:
        """Drain the writer and the keeper. Safe to call twice; False if something could not be written."""
        if self._drained is None:
            self._drained = self.session.close()
        return self._drained


def run_app(app: AlpsApp) -> int:
    """Run the app until it is left. Returns the exit code: 0, or 1 if something was not saved.

    raises   what went wrong inside the app, after everything was written and the terminal given back
    """
    try:
        app.run()
    finally:
        saved = app.close_session()
    if not saved:
        kept_in = app.session.kept_in
        ways = (
            f"are kept in {kept_in} and come in when it is opened again" if kept_in else "no disk took them"
        )
        print(f"Some decisions could not be saved in the study; {ways}. See: alps doctor", file=sys.stderr)
    for sentence in app.unheard:
        print(f"{sentence} It is kept aside; see: alps doctor", file=sys.stderr)
    if app._exception is not None:
        raise app._exception
    if not saved or app.unheard:
        return 1
    return app.return_code or 0
