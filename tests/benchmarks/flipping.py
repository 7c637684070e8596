"""Resident memory while 500 real items go by."""

import asyncio

from budgets import Kind, Line, Row, Skipped
from process_memory import resident
from real_frames import hit, running
from real_study import FORM, NO_DATA, PACKETS, study_of

from alps_tui.ui.app import AlpsApp
from store.assignments import assignments
from store.database import Database
from store.records import Rater

FLIPS = 500


async def flip(study: Database, rater: Rater) -> list[float]:
    """Resident memory after the first item, after every item was seen once, and after all flips."""
    with study.read() as connection:
        queue = assignments(connection, rater.id, FORM)
    app = AlpsApp(study, rater, protocol=FORM)
    seen = []
    async with running(app) as (pilot, driver):
        await pilot.pause()
        await driver.quiet(0.5)
        seen.append(resident())
        at, step = 0, 1
        for flipped in range(FLIPS):
            if not 0 <= at + step < len(queue):
                step = -step
            at += step
            driver.forget()
            painted = driver.expect(queue[at].shown_id)
            hit(app, "]" if step > 0 else "[")
            await asyncio.wait_for(painted, 30)
            if flipped % 10 == 0:
                await driver.quiet(0.05)
            if flipped == len(queue) - 2:
                seen.append(resident())
        await driver.quiet(0.3)
        driver.forget()
        seen.append(resident())
    app.close_session()
    return seen


def measure() -> list[Line]:
    what = f"flipping through {FLIPS} real items: resident memory"
    if not PACKETS.is_dir():
        return [Skipped(what, NO_DATA)]
    with study_of(PACKETS) as (study, rater):
        first, once, end = asyncio.run(flip(study, rater))
    beside = f"{first:.0f} MB at the first item; + {end - once:.1f} MB since each was seen once"
    return [Row(what, Kind.AT_MOST, 20, end - first, "MB", beside)]
