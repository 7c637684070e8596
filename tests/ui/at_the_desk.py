"""A person at the annotate screen, for tests: presses keys, reads the screen, looks into the database."""

import asyncio
import re
from collections.abc import AsyncIterator, Callable, Mapping
from contextlib import asynccontextmanager
from pathlib import Path
from time import monotonic
from typing import Any

import pyte
from capture import CaptureDriver, run_captured
from hands import Hands
from sqlalchemy import text
from studies import tiny_study
from terminal import rows_of
from textual.pilot import Pilot
from textual.screen import Screen

from alps_tui.protocols.schema import Protocol
from alps_tui.ui.app import AlpsApp
from alps_tui.ui.keymap import Keymap
from alps_tui.ui.screens.advancing import RHYTHM_SECONDS
from alps_tui.ui.screens.annotate import AnnotateScreen
from alps_tui.ui.screens.base import TextModal
from alps_tui.ui.screens.home import HomeScreen
from alps_tui.ui.widgets.key_bar import KeyBar
from store.assignments import assignments, rater_by_name
from store.content_records import Json
from store.database import Database
from store.decisions import item_answers
from store.records import Answer, Assignment, ItemAnswers

VERIFY, RATE = "memory-verification", "response-rating"
RETRIEVE, CHECK = "memory-retrieval", "utilization-check"


class Desk(Hands):
    """The app with a person before it."""

    def __init__(self, app: AlpsApp, pilot: Pilot[Any], driver: CaptureDriver, db: Database) -> None:
        self.app, self.pilot, self.driver, self.db = app, pilot, driver, db
        self._terminal = pyte.Screen(*driver.size)
        self._stream = pyte.Stream(self._terminal)
        self._fed = 0

    # ------------------------------------------------------------ doing

    async def press(self, *keys: str) -> None:
        """Press keys one after the other, each once the one before has had its effect."""
        for key in keys:
            self.hit(key)
            await self.settle()

    async def breath(self) -> None:
        """Let so much time go by that the next key is a movement of its own."""
        await asyncio.sleep(RHYTHM_SECONDS)

    async def type(self, words: str) -> None:
        """Type into the field that has the focus."""
        self.hit(*("space" if sign == " " else sign for sign in words))
        await self.settle()

    async def settle(self) -> None:
        """Wait until every key has had its effect, everything is written and the screen shows it."""
        for _ in range(2):
            await self.has_its_turn(self.app)
            await self.until(lambda: self.app.keys.at_rest)
            await self.has_its_turn(self.app.screen)
            await self.until(self._is_settled)
        await self.until(lambda: not _is_dirty(self.app.screen))

    async def settle_anywhere(self) -> None:
        """Wait until no key is on its way, whatever screen is open."""
        await self.has_its_turn(self.app)
        await self.until(lambda: self.app.keys.at_rest)
        await self.has_its_turn(self.app.screen)

    async def come_back(self, form: str) -> None:
        """Open the queue again if random keys have left it or ended it."""
        await self.until(lambda: not isinstance(self.app.screen, HomeScreen) or self.app.screen.has_read)
        if isinstance(self.app.screen, HomeScreen):
            self.app.screen.open_queue(form)
            await self.until(lambda: isinstance(self.app.screen, AnnotateScreen))
        await self.settle()

    def state(self) -> str:
        """What the screen waits for, for a test that waited in vain."""
        screen = self.app.screen
        if not isinstance(screen, AnnotateScreen):
            return f"on {type(screen).__name__}, keys at rest: {self.app.keys.at_rest}"
        pending = len(screen.sitting.pending) if screen.has_item else None
        shown = screen.was_shown(monotonic())
        return f"asking: {screen.is_asking}, pending: {pending}, shown: {shown}, dirty: {_is_dirty(screen)}, acts: {self.acts()}, says: {self.sentence!r}, failed: {len(self.app.session.failed)}"

    def _is_settled(self) -> bool:
        screen = self.app.screen
        if isinstance(screen, AnnotateScreen):
            at_rest = not screen.is_asking and screen.has_item and not screen.sitting.pending
            return at_rest and screen.was_shown(monotonic())
        if isinstance(screen, TextModal):
            return not screen.holds_keys
        return bool(screen.query(KeyBar)) or type(screen).__module__.startswith("textual")

    # ------------------------------------------------------------ seeing

    @property
    def annotate(self) -> AnnotateScreen:
        return next(s for s in self.app.screen_stack if isinstance(s, AnnotateScreen))

    def rows(self) -> list[str]:
        """The screen as a terminal shows it after the last captured frame, one string a row."""
        if (self._terminal.columns, self._terminal.lines) != self.driver.size:
            self._terminal = pyte.Screen(*self.driver.size)
            self._stream, self._fed = pyte.Stream(self._terminal), 0
        for frame in self.driver.frames[self._fed :]:
            self._stream.feed(frame)
        self._fed = len(self.driver.frames)
        return [row.rstrip() for row in rows_of(self._terminal)]

    def screen(self) -> str:
        return "\n".join(self.rows())

    def status(self) -> str:
        return self.rows()[0]

    def shown_item(self) -> str:
        """The item that the last captured frame shows, read from its status line."""
        parts = [part.strip() for part in self.status().split(" · ")]
        place = next((i for i, part in enumerate(parts) if re.fullmatch(r"\d+ of \d+", part)), 0)
        return " · ".join(part for part in parts[:place] if part not in (VERIFY, RATE))

    @property
    def sentence(self) -> str:
        """What the last line says; empty if it shows keys."""
        return self.app.screen.query_one(KeyBar).sentence

    @property
    def cursor(self) -> str:
        """The shown id of the part the cursor is on."""
        unit = self.annotate.unit
        return unit.shown_id if unit else ""

    # ------------------------------------------------------------ looking into the database

    @property
    def assignment(self) -> Assignment:
        return self.annotate.sitting.view.assignment

    def stored(self, assignment: Assignment | None = None) -> ItemAnswers:
        """What the database says of the item on the screen, or of another one."""
        with self.db.read() as conn:
            return item_answers(conn, (assignment or self.assignment).id)

    def answer(self, shown_id: str, field: str) -> Answer | None:
        """The stored answer of a part, by its shown id ("session" for the item)."""
        stored = self.stored()
        units = (*self.annotate.sitting.view.units, *stored.made)
        unit = next(u for u in units if u.shown_id == shown_id)
        return stored.answers.get((unit.id, field))

    def value(self, shown_id: str, field: str) -> Json:
        found = self.answer(shown_id, field)
        return found.value if found else None

    def acts(self) -> list[str]:
        """The verb of every act, in order."""
        with self.db.read() as conn:
            rows = conn.execute(text("SELECT verb FROM decision WHERE act_part = 0 ORDER BY id"))
            return [row[0] for row in rows]

    def log(self) -> list[tuple[Any, ...]]:
        """(verb, assignment, unit, field) of every row of the log, in order."""
        with self.db.read() as conn:
            rows = conn.execute(text("SELECT verb, assignment_id, unit_id, field FROM decision ORDER BY id"))
            return [tuple(row) for row in rows]


def _is_dirty(screen: Screen[Any]) -> bool:
    """Something is still to be laid out or painted."""
    return bool(
        screen._layout_required or screen._repaint_required or screen._dirty_widgets or screen._callbacks
    )


@asynccontextmanager
async def at_the_desk(
    db: Database,
    protocol: str | None = VERIFY,
    *,
    rater: str = "ada",
    size: tuple[int, int] = (80, 24),
    start_item: str | None = None,
    before_write: Callable[[], None] | None = None,
    protocols: Mapping[str, Protocol] | None = None,
    keymap: Keymap | None = None,
) -> AsyncIterator[Desk]:
    """A rater's app on a study, settled on its first item."""
    with db.read() as conn:
        person = rater_by_name(conn, rater)
    assert person is not None
    app = AlpsApp(
        db,
        person,
        protocol=protocol,
        start_item=start_item,
        before_write=before_write,
        protocols=protocols,
        keymap=keymap,
    )
    try:
        async with run_captured(app, size) as (pilot, driver):
            desk = Desk(app, pilot, driver, db)
            if protocol is not None:
                await desk.until(lambda: isinstance(app.screen, AnnotateScreen))
            await desk.settle()
            yield desk
    finally:
        app.close_session()


@asynccontextmanager
async def tiny_desk(folder: Path, protocol: str | None = VERIFY, **more: Any) -> AsyncIterator[Desk]:
    """A desk on a fresh tiny study."""
    db = tiny_study(folder / "study.db")
    try:
        async with at_the_desk(db, protocol, **more) as desk:
            yield desk
    finally:
        db.close()


def queue_of(db: Database, protocol: str, rater: str = "ada") -> tuple[Assignment, ...]:
    with db.read() as conn:
        person = rater_by_name(conn, rater)
        assert person is not None
        return assignments(conn, person.id, protocol)
