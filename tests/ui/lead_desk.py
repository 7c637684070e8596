"""A lead at a screen of their own, for tests: presses keys and reads what a terminal shows."""

from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager
from typing import Any

from at_the_desk import _is_dirty
from capture import CaptureDriver, run_captured, screen_text
from hands import Hands
from textual.pilot import Pilot
from textual.screen import Screen

from alps_tui.ui.keymap import Keymap
from alps_tui.ui.lead.app import LeadApp
from alps_tui.ui.lead.preview import Place, PreviewScreen
from alps_tui.ui.lead.shelf import Shelf
from alps_tui.ui.widgets.key_bar import KeyBar
from store.database import Database
from store.open_items import items_beside, items_named


class LeadDesk(Hands):
    """The app with a lead before it."""

    def __init__(self, app: LeadApp, pilot: Pilot[Any], driver: CaptureDriver) -> None:
        self.app, self.pilot, self.driver = app, pilot, driver

    async def press(self, *keys: str) -> None:
        """Press keys as fast as a terminal can send them, and wait until all have had their effect."""
        self.hit(*keys)
        await self.settle()

    async def settle(self) -> None:
        """Wait until no key waits, nothing is being read, and the screen shows it."""
        for _ in range(3):
            await self.has_its_turn(self.app)
            await self.app.workers.wait_for_complete()
            await self.until(lambda: self.app.keys.at_rest)
            await self.has_its_turn(self.app.screen)
            await self.until(lambda: not getattr(self.app.screen, "holds_keys", False))
        await self.until(lambda: not _is_dirty(self.app.screen))
        await self.has_its_turn(self.app.screen)

    def screen(self) -> str:
        """The screen as a terminal shows it."""
        return "\n".join(self.rows())

    def rows(self) -> list[str]:
        return screen_text(self.driver.frames, self.driver.size)

    @property
    def sentence(self) -> str:
        return self.app.screen.query_one(KeyBar).sentence

    @property
    def preview(self) -> PreviewScreen:
        screen = self.app.screen
        assert isinstance(screen, PreviewScreen)
        return screen


@asynccontextmanager
async def lead_desk(
    first: Callable[[], Screen[Any]], size: tuple[int, int] = (120, 40), *, settled: bool = True
) -> AsyncIterator[LeadDesk]:
    """A lead's app on its first screen; settled, unless a thread of it is still to work."""
    app = LeadApp(first)
    async with run_captured(app, size) as (pilot, driver):
        desk = LeadDesk(app, pilot, driver)
        if settled:
            await desk.settle()
        yield desk
    if app._exception is not None:
        raise app._exception


@asynccontextmanager
async def previewing(
    db: Database,
    item: str,
    *,
    with_said: bool = False,
    size: tuple[int, int] = (120, 40),
    keymap: Keymap | None = None,
) -> AsyncIterator[LeadDesk]:
    """An item open for reading, with those of its form before and behind it."""
    with db.read() as conn:
        (wanted,) = items_named(conn, item)
        beside = items_beside(conn, wanted)
    places, start = [Place(one.name) for one in beside], [one.id for one in beside].index(wanted.id)
    shelf = Shelf(db, keymap)
    async with lead_desk(lambda: PreviewScreen(shelf, places, start, with_said=with_said), size) as desk:
        yield desk
