"""A pilot in a blind phase: opens every item, pane and modal, and looks everywhere for canaries after each step."""

import re
from collections.abc import Sequence
from dataclasses import asdict, dataclass, field
from typing import Any

from at_the_desk import RATE, VERIFY, Desk
from canaries import Canaries
from capture import CaptureDriver
from reachable import reachable_texts
from textual.command import CommandPalette
from textual.widgets import OptionList
from watching import Watch

from alps_tui.protocols.schema import Protocol
from alps_tui.ui.screens.annotate import AnnotateScreen
from alps_tui.ui.screens.not_saved import NotSavedScreen
from store.database import Database
from store.errors import StudyBusy
from store.records import Assignment, ItemView

CONTROL = re.compile(r"\x1b\[[0-?]*[ -/]*[@-~]")
"""A sequence that moves the cursor or sets a style: not part of what is said."""

EVERYWHERE = (
    "tab", "tab", "tab", "shift+tab", "z", "z", "escape", "}", "{", "space",
    "/", "type:nothing", "enter", "n", "N", "h", "y", "escape", "M", "escape", "?", "escape", "g", "n", "escape",
    ":", "type:open", "escape", "o", "type:mine", "escape", "f", "1", "c", "escape", "s", "escape",
    "palette:", "palette:mem", "palette:s",
)  # fmt: skip
OF_FORM = {
    VERIFY: (
        "j", "k", "h", "x", "1", "k", "x", "4", "1", "u", "U", "k", "e", "tab", "type:f", "escape", "escape",
        "m", "1", "escape", "b", "escape", "+", "type:mine", "escape", "v", "escape",
        "t", "type:e", "enter", "e", "escape", "t", "escape", "1", "w", "a", "a", "a", "enter", "backspace",
    ),
    RATE: (
        "j", "k", "left", "right", "5", "0", "4", "3", "2", "1", "x", "u", "U", "enter", "backspace",
        "v", "right", "enter", "2", "v", "escape", "left", "1", "u",
    ),
}  # fmt: skip
"""Keys as a person presses them; `type:` types a word, `palette:` opens the palette, types there and leaves."""


@dataclass
class Disk:
    """A disk that another program can keep busy."""

    busy: bool = False

    def __call__(self) -> None:
        if self.busy:
            raise StudyBusy("The study is being written by another program.")


@dataclass
class BlindPilot:
    """Somebody at the desk who looks for canaries wherever something could be seen."""

    desk: Desk
    canaries: Canaries
    watch: Watch
    disk: Disk
    met: set[type] = field(default_factory=set)
    items: list[str] = field(default_factory=list)
    _frames: int = 0
    _rows: int = 0
    _statements: int = 0
    _standing: list[object] = field(default_factory=list)
    _views: list[ItemView] = field(default_factory=list)

    async def do(self, steps: Sequence[str]) -> None:
        """Take steps, and look after each."""
        for step in steps:
            what, _, word = step.partition(":")
            if what == "type" and word:
                await self.desk.type(word)
            elif what == "palette":
                await self._palette(word)
            else:
                await self.desk.press(step)
            self.look(step)

    async def open_items(self, most: int = 10_000) -> None:
        """From the first item to the last, or the first `most` of them; where one begins does not matter."""
        assert self._annotate_screens()[-1:] == [self.desk.app.screen], "a modal is open"
        while not self.desk.sentence.startswith("This is the first item"):
            await self.do(["["])
        self.items.append(self.desk.assignment.shown_id)
        while len(self.items) < most:
            await self.do(["]"])
            if self.desk.sentence.startswith("This is the last item"):
                return
            self.items.append(self.desk.assignment.shown_id)

    def read(self, assignment: Assignment) -> None:
        """Read an item as the screen does, and look at what came."""
        loaded = self.desk.app.session.load(assignment)
        leaks = self._in_rows() | self._found(
            {"view": repr(asdict(loaded.view)), "place": repr(loaded.place)}
        )
        assert not leaks, f"seed {self.canaries.seed}, reading {assignment.shown_id}: {leaks}"

    async def visit_everything(self, form: str) -> None:
        """Every pane and every modal of the item on the screen, with what can be typed into them."""
        self.look("the item")
        await self.do([*EVERYWHERE, *OF_FORM[form]])

    async def fail_to_save(self) -> None:
        """The screen that comes when a write fails, then the write that succeeds."""
        desk = self.desk
        self.disk.busy = True
        desk.hit("o", "!", "escape")
        await desk.until(lambda: bool(desk.app.session.failed))
        desk.hit("q")
        await desk.until(lambda: isinstance(desk.app.screen, NotSavedScreen))
        await desk.pilot.pause()
        self.look("not saved")
        self.disk.busy = False
        desk.hit("r")
        await desk.until(lambda: not desk.app.session.failed)
        await desk.settle()
        self.look("saved after all")

    async def _palette(self, word: str) -> None:
        desk = self.desk
        desk.hit("ctrl+p")
        await desk.until(lambda: isinstance(desk.app.screen, CommandPalette))
        await desk.type(word)
        await desk.until(lambda: desk.app.screen.query_one(OptionList).option_count > 0)
        await desk.pilot.pause()
        self.look(f"palette with {word!r}")
        desk.hit("escape")
        await desk.until(lambda: not isinstance(desk.app.screen, CommandPalette))
        await desk.settle()

    # ------------------------------------------------------------ looking

    def look(self, where: str) -> None:
        """Fail if a canary is in the frames, the view, the widgets, or the rows fetched since the last look."""
        self.met |= {type(screen) for screen in self.desk.app.screen_stack}
        leaks = self.leaks()
        before, self._standing = self._standing, self._where()
        if self._standing != before:
            leaks |= self.in_widgets()
        assert not leaks, f"seed {self.canaries.seed}, after {where!r} on {self._item()}: {leaks}"

    def leaks(self) -> dict[str, set[str]]:
        """Where a canary came up since the last look, without the widgets: place → what it stands for."""
        return self._in_frames() | self._in_rows() | self._in_view()

    def _where(self) -> list[object]:
        """The screens that are open, the item, the pane, and what the rater has said there so far."""
        stack: list[object] = list(self.desk.app.screen_stack)
        for screen in self._annotate_screens():
            stack += [screen.pane, screen.sitting.view.assignment.id if screen.has_item else 0]
            stack.append(len(screen.sitting.shown.made) if screen.has_item else 0)
        return stack

    def _item(self) -> str:
        return next(
            (s.sitting.view.assignment.shown_id for s in self._annotate_screens() if s.has_item), "no item"
        )

    def _annotate_screens(self) -> list[AnnotateScreen]:
        return [screen for screen in self.desk.app.screen_stack if isinstance(screen, AnnotateScreen)]

    def _in_frames(self) -> dict[str, set[str]]:
        """What was sent to the terminal since the last look, and the rows as they stand."""
        frames = self.desk.driver.frames
        sent, self._frames = "".join(frames[self._frames :]), len(frames)
        rows = [strip.text for strip in self.desk.app.screen._compositor.render_strips()]
        return self._found({"frames": CONTROL.sub("", sent), "screen": "".join(rows)})

    def _in_rows(self) -> dict[str, set[str]]:
        """What was fetched from the study and sent to it since the last look, in whatever thread."""
        rows, statements = self.watch.rows, self.watch.statements
        fetched, self._rows = rows[self._rows :], len(rows)
        said, self._statements = statements[self._statements :], len(statements)
        texts = {f"row {row!r:.60}": "\n".join(map(_text, row)) for row in fetched}
        return self._found(texts | {f"statement {one:.60}": one for one in said})

    def _in_view(self) -> dict[str, set[str]]:
        """The view model of the item, once for each time it was read."""
        views = [screen.sitting.view for screen in self._annotate_screens() if screen.has_item]
        fresh, self._views = [view for view in views if not any(view is old for old in self._views)], views
        return self._found({f"view {view.assignment.id}": repr(asdict(view)) for view in fresh})

    def in_widgets(self) -> dict[str, set[str]]:
        """The app with its screens, widgets, and all they hold on to; the study is behind its door."""
        leave_out = (Database, CaptureDriver, Protocol)
        found: dict[str, set[str]] = {}
        for way, text in reachable_texts(self.desk.app, leave_out=leave_out):
            if what := self.canaries.found_in(text):
                found[way] = what
        return found

    def _found(self, texts: dict[str, str]) -> dict[str, set[str]]:
        return {place: what for place, text in texts.items() if (what := self.canaries.found_in(text))}


def _text(value: Any) -> str:
    return value.decode("utf-8", "replace") if isinstance(value, bytes) else str(value)
