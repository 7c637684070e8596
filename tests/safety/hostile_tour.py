"""Somebody at the desk who brings screens up and notes what a terminal gets of them."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field

from at_the_desk import Desk
from capture import screen_text
from hostile_studies import Words
from hostile_text import foreign, said
from rich.cells import cell_len
from screen_classes import ScreenClass
from textual import events
from wcwidth import wcwidth

from alps_tui.ui.screens.annotate import AnnotateScreen
from alps_tui.ui.screens.home import HomeScreen


@dataclass
class Seen:
    """What a terminal got while a screen was up.

    screens   the screen classes that were on top when a look was taken
    text      what stood on the screen at each look, blanks and frames taken out
    alien     the signs among the frames that a terminal would act upon
    links     the actions that signs on the screen would run at a click
    otherwise rows as they were composed, and as a terminal shows them, where the two differ
    """

    screens: set[ScreenClass] = field(default_factory=set)
    text: list[str] = field(default_factory=list)
    alien: str = ""
    links: set[str] = field(default_factory=set)
    otherwise: list[tuple[str, str]] = field(default_factory=list)


class Tour:
    """Somebody at the desk who brings screens up and notes what a terminal gets."""

    def __init__(self, desk: Desk, words: Words) -> None:
        self.desk, self.words = desk, words
        self.seen = Seen()
        self.disk_is_busy = False
        self._at = 0

    async def press(self, *keys: str) -> None:
        await self.desk.press(*keys)

    async def paste(self, text: str) -> None:
        """What a terminal sends when a text is pasted."""
        event = events.Paste(text)
        event.set_sender(self.desk.app)
        self.desk.app.post_message(event)
        await self.desk.settle()

    async def until_on(self, kind: ScreenClass) -> None:
        await self.desk.until(lambda: isinstance(self.desk.app.screen, kind))
        await self.desk.pilot.pause()

    async def look(self, *, copying: bool = False) -> None:
        """Note the screen as it is composed and all that was sent since the last look."""
        await self.desk.pilot.pause()
        self.seen.screens.add(type(self.desk.app.screen))
        self.seen.alien += foreign(self._new_frames(), copying=copying)
        strips = self.desk.app.screen._compositor.render_strips()
        self.seen.text.append(said(strip.text for strip in strips))
        for segment in (segment for strip in strips for segment in strip):
            if segment.style and "@click" in segment.style.meta:
                self.seen.links.add(str(segment.style.meta["@click"]))

    async def draw_anew(self) -> None:
        """Have the whole screen sent once more, and note where a terminal differs from what was composed.

        Rows with signs of other widths than one cell are left out: terminals differ on them, and the one at hand
        knows no joiner.
        """
        await self.look()
        screen = self.desk.app.screen
        screen.refresh()
        await self.desk.pilot.pause()
        frames = self._new_frames()
        self.seen.alien += foreign(frames)
        composed = [strip.text.rstrip() for strip in screen._compositor.render_strips()]
        for row, wanted in zip(screen_text(frames, self.desk.driver.size), composed, strict=True):
            if row != wanted and all(wcwidth(sign) == 1 for sign in wanted):
                self.seen.otherwise.append((wanted, row))

    def _new_frames(self) -> list[str]:
        frames = self.desk.driver.frames[self._at :]
        self._at += len(frames)
        return frames

    async def open_queue(self, form: str) -> None:
        """From the first screen to the first item of a form."""
        home = self.desk.app.screen
        assert isinstance(home, HomeScreen)
        await self.desk.until(lambda: home.has_read)
        home.open_queue(form)
        await self.until_on(AnnotateScreen)
        await self.desk.settle()

    def stand_on(self, place: int) -> None:
        """Put the cursor on a memory."""
        desk = self.desk.annotate
        desk.go_to(desk.sitting.units[place])

    async def click_on_a_link(self) -> None:
        """Click where a link stands that must not be one."""
        for y, strip in enumerate(self.desk.app.screen._compositor.render_strips()):
            if "@click" in strip.text:
                x = cell_len(strip.text.partition("@click")[0])
                await self.desk.pilot.click(offset=(x, y))
                await self.desk.settle_anywhere()
                await self.desk.pilot.pause()
                return

    async def back_to(self, kind: ScreenClass) -> None:
        """Leave whatever is open over a screen."""
        for _ in range(8):
            if isinstance(self.desk.app.screen, kind):
                return
            await self.desk.settle_anywhere()
            self.desk.hit("q" if isinstance(self.desk.app.screen, AnnotateScreen) else "escape")
            await self.desk.settle_anywhere()
            await self.desk.pilot.pause(0.02)
        raise AssertionError(f"there is no way back to {kind.__name__}")


Bring = Callable[[Tour], Awaitable[None]]


@dataclass(frozen=True)
class Case:
    """A screen that data comes to.

    form     where it is brought up: on the first item of this form, or on the first screen of all (empty)
    places   whose texts must stand on the screen while it is up
    """

    name: str
    screen: ScreenClass
    form: str
    places: tuple[str, ...]
    bring: Bring


CASES: list[Case] = []


def case(screen: ScreenClass, form: str, *places: str) -> Callable[[Bring], Bring]:
    """Enter a case under the name of its function."""

    def enter(bring: Bring) -> Bring:
        CASES.append(Case(bring.__name__, screen, form, places, bring))
        return bring

    return enter
