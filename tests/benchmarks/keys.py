"""A key to the changed screen at 120 x 40: a page, a jump to evidence, a decision, at 10 and at 1,000 turns."""

import asyncio
import json
import tempfile
from pathlib import Path

from budgets import Kind, Line, Row
from first_paint import dialogue
from real_frames import Shared, TimedDriver, hit, median, p95, running
from real_study import FORM, study_of

from alps_tui.ui.app import AlpsApp
from alps_tui.ui.screens.annotate import AnnotateScreen
from store.database import Database
from store.records import Rater

SIZES = (10, 1000)
MEMORIES, ROUNDS = 30, 3


def write_study(path: Path, turns: int) -> None:
    """One dialogue with memories whose evidence lies all over it, in the plain format."""
    texts = dialogue(turns, 570)
    quoted = [number * (turns - 1) // MEMORIES for number in range(MEMORIES)]
    line = {
        "dialogue_id": f"of {turns} turns",
        "dialogue": [{"role": ("user", "assistant")[n % 2], "content": text} for n, text in enumerate(texts)],
        "memories": [
            {
                "memory_id": f"g{number}",
                "type": "direct",
                "label": "Thoughts/Curiosity",
                "value": f"The person said this of matter {number}.",
                "evidence": {"utterance_index": turn, "text": texts[turn][:40]},
                "confidence": 0.8,
            }
            for number, turn in enumerate(quoted)
        ],
    }
    path.write_text(json.dumps(line) + "\n", encoding="utf-8")


class Hand:
    """Presses keys and notes when the screen changed."""

    def __init__(self, app: AlpsApp, driver: TimedDriver) -> None:
        self.app, self.driver, self.shared = app, driver, Shared()

    async def press(self, key: str, mark: str = "") -> float:
        """Ms from the key to the first frame (with `mark`, if one is named)."""
        await self.driver.quiet(0.05)
        self.driver.forget()
        painted = self.driver.expect(mark)
        pressed = hit(self.app, key)
        moment = await asyncio.wait_for(painted, 30)
        self.shared.look()
        return (moment - pressed) * 1000

    async def rest(self) -> None:
        """Wait until all is saved and shown: an undo moves the cursor when the store has answered."""
        while self.screen.sitting.pending:
            await asyncio.sleep(0.01)
        await self.driver.quiet(0.2)

    @property
    def screen(self) -> AnnotateScreen:
        assert isinstance(self.app.screen, AnnotateScreen)
        return self.app.screen


async def typed(study: Database, rater: Rater) -> tuple[dict[str, list[float]], Shared]:
    """Times of each kind of key, in ms."""
    times: dict[str, list[float]] = {"page": [], "jump": [], "decision": []}
    app = AlpsApp(study, rater, protocol=FORM)
    async with running(app) as (pilot, driver):
        await pilot.pause()
        await driver.quiet(0.5)
        hand = Hand(app, driver)
        for _ in range(ROUNDS):
            for _ in range(MEMORIES - 1):
                times["jump"].append(await hand.press("j"))
            for _ in range(MEMORIES - 1):
                await hand.press("k")
            for key in ["pagedown", "pagedown", "pageup"] * 10:
                times["page"].append(await hand.press(key))
            for _ in range(MEMORIES - 1):
                times["decision"].append(await hand.press("a", "keep"))
            for _ in range(MEMORIES - 1):
                await hand.press("u")
            await hand.rest()
            while hand.screen.unit != hand.screen.sitting.units[0]:
                await hand.press("k")
    app.close_session()
    return times, hand.shared


def measure() -> list[Line]:
    every: dict[int, dict[str, list[float]]] = {}
    shared = Shared()
    for turns in SIZES:
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder, "dialogue.jsonl")
            write_study(path, turns)
            with study_of(path) as (study, rater):
                every[turns], shared = asyncio.run(typed(study, rater))
    short, long = (every[turns] for turns in SIZES)
    lines: list[Line] = []
    for kind, name in (("page", "a page"), ("jump", "a jump to evidence"), ("decision", "a decision")):
        beside = f"{shared.said(median(long[kind]))}; {len(long[kind])} keys; at 10 turns median {median(short[kind]):.0f}, p95 {p95(short[kind]):.0f} ms"
        lines.append(
            Row(
                f"{name}, 1,000 turns: median",
                Kind.AT_MOST,
                30,
                median(long[kind]) / shared.fold,
                "ms",
                beside,
            )
        )
        lines.append(
            Row(
                f"{name}, 1,000 turns: p95",
                Kind.AT_MOST,
                60,
                p95(long[kind]) / shared.fold,
                "ms",
                shared.said(p95(long[kind])),
            )
        )
    together = {turns: p95([ms for kind in times.values() for ms in kind]) for turns, times in every.items()}
    lines.append(
        Row(
            "a key: p95 at 1,000 turns against 10",
            Kind.RATIO_AT_MOST,
            2,
            together[1000] / together[10],
            "",
            f"{together[10]:.0f} ms",
        )
    )
    return lines
