"""Every action in the command palette: those of the annotate screen, and those of the app."""

from collections.abc import Callable, Iterator
from functools import partial
from time import monotonic
from typing import Any

from textual.command import DiscoveryHit, Hit, Hits, Provider

from alps_tui.ui.look import Look, change
from alps_tui.ui.plain import plain_line
from alps_tui.ui.screens.annotate import AnnotateScreen
from alps_tui.ui.screens.home import HomeScreen


class ActionProvider(Provider):
    """The commands and answers of the screen below the palette."""

    def _actions(self) -> Iterator[tuple[str, Callable[[], None]]]:
        screen = self.screen
        if isinstance(screen, HomeScreen):
            yield from screen.actions()
        if not isinstance(screen, AnnotateScreen):
            return
        yield from self._looks()
        for command in screen.acting.commands:
            keys = " ".join(command.keys)
            if command.id != "palette":
                yield f"{command.title}  ({keys})", partial(self._run, screen, command.id)
        if screen.session.failed:
            yield "Not saved: try again, or write it to a file", screen.acting.do_not_saved

    def _looks(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """The other way of drawing emoji, and rows of mixed directions."""
        app: Any = self.app
        if not isinstance((look := getattr(app, "look", None)), Look):
            return
        emoji = "in full, joined" if look.plain else "plain, one sign each"
        order = "by the terminal" if look.visual else "here"
        yield f"Emoji: draw them {emoji}", partial(change, app, plain=not look.plain)
        yield f"Right-to-left text: put in order {order}", partial(change, app, visual=not look.visual)

    @staticmethod
    def _run(screen: AnnotateScreen, command_id: str) -> None:
        command = next(c for c in screen.acting.commands if c.id == command_id)
        screen.acting.run(command, monotonic())

    async def discover(self) -> Hits:
        for title, act in self._actions():
            yield DiscoveryHit(plain_line(title), act, text=title)

    async def search(self, query: str) -> Hits:
        matcher = self.matcher(query)
        for title, act in self._actions():
            score = matcher.match(title)
            if score > 0:
                yield Hit(score, plain_line(title), act, text=title)
