"""How long from the key to the next real item on the screen, and the longest stall of the event loop meanwhile.

python tests/benchmarks/next_item.py

Real frames at 120 x 40 over the session packets of the shared data, with one `Static` per turn of the longest dialogue
in the same run for reference. Prints one table; exits 1 if the first paint's median misses its 300 ms, or any item
takes more than twice that (two noisy cores).
"""

import asyncio
import statistics
import sys
import tempfile
import time
from pathlib import Path

TESTS = Path(__file__).resolve().parent.parent
sys.path[:0] = [str(TESTS), str(TESTS / "ui")]

from capture import CaptureDriver, run_captured
from paths import ALPSBENCH
from textual.app import App, ComposeResult
from textual.containers import VerticalScroll
from textual.content import Content
from textual.widgets import Static

from alps_tui.items.build import build_items
from alps_tui.sources.importer import import_paths
from alps_tui.ui.app import AlpsApp
from store.assignments import add_rater, assign_all, assignments
from store.content import dialogues as all_dialogues
from store.content import turns
from store.database import Database, open_database

FORM = "memory-verification"
BUDGET_MS = 300.0
SIZE = (120, 40)


class OneStaticPerTurn(App[None]):
    """The reference: what a screen would do without a transcript of its own."""

    def __init__(self, texts: list[str]) -> None:
        super().__init__()
        self.texts = texts

    def compose(self) -> ComposeResult:
        yield VerticalScroll()

    def show(self) -> None:
        self.query_one(VerticalScroll).mount_all(Static(Content(text)) for text in self.texts)


async def heartbeat(stalls: list[float]) -> None:
    last = time.perf_counter()
    while True:
        await asyncio.sleep(0.001)
        now = time.perf_counter()
        stalls.append((now - last) * 1000)
        last = now


async def until(driver: CaptureDriver, mark: str, seen: int) -> float:
    """The moment a frame written after `seen` holds the mark."""
    while True:
        if any(mark in frame for frame in driver.frames[seen:]):
            return time.perf_counter()
        await asyncio.sleep(0.001)


async def flip(study: Database) -> list[tuple[str, float, float]]:
    """Every item once: its shown id, ms to its first paint, longest stall in ms."""
    with study.write() as connection:
        rater = add_rater(connection, "bench")
        assign_all(connection, rater.id)
    with study.read() as connection:
        queue = assignments(connection, rater.id, FORM)
    app = AlpsApp(study, rater, protocol=FORM)
    found: list[tuple[str, float, float]] = []
    stalls: list[float] = []
    async with run_captured(app, SIZE) as (pilot, driver):
        await until(driver, queue[0].shown_id, 0)
        beat = asyncio.create_task(heartbeat(stalls))
        for item in queue[1:]:
            await asyncio.sleep(0.25)
            seen = len(driver.frames)
            stalls.clear()
            pressed = time.perf_counter()
            press = asyncio.create_task(pilot.press("right_square_bracket"))
            painted = await asyncio.wait_for(until(driver, item.shown_id, seen), 10)
            await press
            found.append((item.shown_id, (painted - pressed) * 1000, max(stalls, default=0.0)))
        beat.cancel()
    app.close_session()
    return found


async def reference(texts: list[str]) -> float:
    """Ms until the last of the texts' first lines is mounted and painted with one Static per turn."""
    app = OneStaticPerTurn(texts)
    async with run_captured(app, SIZE) as (pilot, _):
        start = time.perf_counter()
        app.show()
        await pilot.pause()
        return (time.perf_counter() - start) * 1000


def main() -> int:
    with (
        tempfile.TemporaryDirectory() as folder,
        open_database(Path(folder, "bench.db"), create=True) as study,
    ):
        import_paths(study, [ALPSBENCH / "session_packets"])
        build_items(study)
        found = asyncio.run(flip(study))
        with study.read() as connection:
            texts = [[turn.text for turn in turns(connection, d.id)] for d in all_dialogues(connection)]
    longest = max(texts, key=len)
    static = asyncio.run(reference(longest))
    paints = sorted(ms for _, ms, _ in found)
    median, p95 = statistics.median(paints), paints[int(len(paints) * 0.95)]
    slowest = max(found, key=lambda one: one[1])
    stall = max(found, key=lambda one: one[2])
    print(f"{'next real item, 120 x 40':32} {'ms':>8}")
    print(f"{f'first paint, median of {len(found)}':32} {median:8.1f}   budget {BUDGET_MS:.0f}")
    print(f"{'first paint, p95':32} {p95:8.1f}")
    print(f"{'first paint, slowest':32} {slowest[1]:8.1f}   {slowest[0]}")
    print(f"{'longest stall of the loop':32} {stall[2]:8.1f}   {stall[0]}")
    print(f"{f'one Static per turn, {len(longest)} turns':32} {static:8.1f}   reference")
    return int(median > BUDGET_MS or slowest[1] > 2 * BUDGET_MS)


if __name__ == "__main__":
    sys.exit(main())
