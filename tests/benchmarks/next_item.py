"""From the key to the next real item on the screen, and how long the loop was held meanwhile: every session packet."""

import asyncio
from collections import defaultdict

from budgets import Kind, Line, Row, Skipped
from first_paint import OneStaticPerTurn, paint
from real_frames import Heartbeat, Shared, hit, median, running
from real_study import FORM, NO_DATA, PACKETS, study_of

from alps_tui.ui.app import AlpsApp
from store.assignments import assignments
from store.content import dialogues as all_dialogues
from store.content import turns
from store.database import Database
from store.records import Rater

ROUNDS = 3


async def flip(
    study: Database, rater: Rater
) -> tuple[dict[str, list[float]], dict[str, list[float]], Shared]:
    """Every item by its shown id: ms to its first paint, and the longest piece of work of the loop, each round."""
    with study.read() as connection:
        queue = assignments(connection, rater.id, FORM)
    app = AlpsApp(study, rater, protocol=FORM)
    paints: dict[str, list[float]] = defaultdict(list)
    held: dict[str, list[float]] = defaultdict(list)
    async with running(app) as (pilot, driver):
        await pilot.pause()
        await driver.quiet(0.5)
        shared = Shared()
        beat = Heartbeat()
        for turn in range(ROUNDS):
            for item in queue[1:] if turn % 2 == 0 else queue[-2::-1]:
                driver.forget()
                beat.clear()
                painted = driver.expect(item.shown_id)
                pressed = hit(app, "]" if turn % 2 == 0 else "[")
                moment = await asyncio.wait_for(painted, 30)
                await driver.quiet(0.15)
                paints[item.shown_id].append((moment - pressed) * 1000)
                held[item.shown_id].append(max(beat.work, default=0.0))
                shared.look()
        beat.stop()
    app.close_session()
    return paints, held, shared


async def reference(texts: list[str]) -> float:
    async with running(OneStaticPerTurn()) as (pilot, driver):
        app = pilot.app
        assert isinstance(app, OneStaticPerTurn)
        return await paint(app, pilot, driver, texts, "LOAD-REFERENCE")


def measure() -> list[Line]:
    what = "the next real item"
    if not PACKETS.is_dir():
        return [Skipped(what, NO_DATA)]
    with study_of(PACKETS) as (study, rater):
        paints, held, shared = asyncio.run(flip(study, rater))
        with study.read() as connection:
            texts = [[turn.text for turn in turns(connection, d.id)] for d in all_dialogues(connection)]
    longest = max(texts, key=len)
    static = asyncio.run(reference(longest))
    each = {item: median(times) for item, times in paints.items()}
    stalls = {item: median(times) for item, times in held.items()}
    slowest, stalled = max(each, key=lambda one: each[one]), max(stalls, key=lambda one: stalls[one])
    beside = f"median item {median(each.values()):.0f} ms; the {len(longest)} turns as one Static each {static:,.0f} ms"
    return [
        Row(
            f"{what}: slowest of {len(each)}, median of {ROUNDS}",
            Kind.AT_MOST,
            90,
            each[slowest] / shared.fold,
            "ms",
            f"{shared.said(each[slowest])}; {beside}",
        ),
        Row(
            f"{what}: longest work of the loop in one go",
            Kind.AT_MOST,
            70,
            stalls[stalled],
            "ms",
            f"{stalled}; CPU time of the loop's thread",
        ),
    ]
