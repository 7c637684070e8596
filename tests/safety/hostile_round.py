"""The hostile tour from end to end: an app with something to lure into, on a study that bites, case by case."""

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import hostile_cases  # noqa: F401 - the cases put themselves into the list
from at_the_desk import CHECK, RATE, RETRIEVE, VERIFY, Desk
from capture import run_captured
from hostile_studies import ALIGN, FOLDER, INTENT, PAIRS, REVIEW, Words, hostile_forms, hostile_study
from hostile_tour import CASES, Seen, Tour
from screen_classes import ScreenClass

from alps_tui.ui.app import AlpsApp
from alps_tui.ui.screens.annotate import AnnotateScreen
from alps_tui.ui.screens.home import HomeScreen
from store.database import open_database
from store.errors import StudyBusy


class Lured(AlpsApp):
    """The app with an action that only a link in a text could run."""

    hacked = 0

    def action_hacked(self) -> None:
        self.hacked += 1


@asynccontextmanager
async def hostile_desk(folder: Path, words: Words, size: tuple[int, int]) -> AsyncIterator[Tour]:
    """The app on the hostile study, with hostile forms and a disk that can be busy, at its first screen."""
    path, rater = hostile_study(folder / words(FOLDER), words)
    with open_database(path) as db:
        tours: list[Tour] = []

        def before_write() -> None:
            if tours and tours[0].disk_is_busy:
                raise StudyBusy(words("ERROR"))

        app = Lured(db, rater, protocols=hostile_forms(words), before_write=before_write)
        try:
            async with run_captured(app, size, tooltips=True) as (pilot, driver):
                tours.append(Tour(Desk(app, pilot, driver, db), words))
                await tours[0].desk.settle()
                yield tours[0]
        finally:
            app.close_session()
        assert app.return_code in (0, None)
        assert app.hacked == 0


async def toured(folder: Path, words: Words, size: tuple[int, int]) -> dict[str, Seen]:
    """What a terminal got in each case, by the case's name; each kind of screen is drawn anew and clicked on once."""
    found: dict[str, Seen] = {}
    drawn: set[ScreenClass] = set()
    async with hostile_desk(folder, words, size) as tour:
        for form in ("", VERIFY, RATE, RETRIEVE, CHECK, PAIRS, INTENT, REVIEW, ALIGN):
            if form:
                await tour.open_queue(form)
            for one in (one for one in CASES if one.form == form):
                found[one.name] = tour.seen = Seen()
                await one.bring(tour)
                if one.screen not in drawn:
                    await tour.draw_anew()
                    await tour.click_on_a_link()
                drawn.add(one.screen)
                await tour.look()
                await tour.back_to(AnnotateScreen if form else HomeScreen)
            if form:
                await tour.press("q")
    return found
