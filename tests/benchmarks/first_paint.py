"""The transcript's first paint beside one `Static` per turn: real frames at 120 x 40, turn and turn about."""

import asyncio
import random
import time

from budgets import Kind, Line, Row
from real_frames import Shared, TimedDriver, median, running
from textual.app import App, ComposeResult
from textual.containers import Horizontal, VerticalScroll
from textual.content import Content
from textual.pilot import Pilot
from textual.widgets import Footer, Static

from alps_tui.ui.look import Look
from alps_tui.ui.widgets.transcript import Transcript, TurnText, turn_header

LOADS = {
    "250 turns": (250, 550, 12, 25),
    "1,000 turns": (1000, 570, 30, 40),
    "250 turns of 2 MB": (250, 5_000, 30, 50),
}
"""Turns, mean characters of a turn, the least ratio, the most milliseconds."""
TIMES, REFERENCE_TIMES = 9, 3
SENTENCES = (
    "The wolf comes back at night and the village keeps its lamps lit. ",
    "Ich hätte gern eine vegetarische Variante, bitte ohne Nüsse.\n",
    "هل يمكنك تلخيص القصة بالعربية؟ ",
    "你能用中文总结一下这个故事吗？谢谢。",
    "def keep(lamp: Lamp) -> bool:\n    return lamp.lit and not lamp.broken\n\n",
    "👩🏽‍🚀 ❤️ 🇩🇪 good morning\n",
    "- **bold** words in a list, with `code` and [a link](https://example.org)\n",
    "이야기를 한국어로 요약해 주세요. ",
)


def dialogue(turns: int, mean: int, seed: int = 1) -> list[str]:
    """Texts of mixed scripts, the same every time; one in fifty is as long as thirty others."""
    draw = random.Random(seed)
    texts = []
    for number in range(turns):
        wanted = draw.expovariate(1 / mean) if number % 50 != 25 else mean * 30
        text = ""
        while len(text) < wanted:
            text += draw.choice(SENTENCES)
        texts.append(text)
    return texts


class Pane(App[None]):
    """The place of a dialogue beside five cards and a footer."""

    CSS = "Horizontal > VerticalScroll, Transcript { width: 3fr; border: solid; } #cards { width: 2fr; }"

    def __init__(self) -> None:
        super().__init__()
        self.animation_level = "none"

    def compose(self) -> ComposeResult:
        with Horizontal():
            yield from self.pane()
            with VerticalScroll(id="cards"):
                for number in range(5):
                    yield Static(Content(f"card {number}\n" + "a memory of the person, " * 8))
        yield Footer()

    def pane(self) -> ComposeResult:
        raise NotImplementedError

    async def load(self, texts: list[str], mark: str) -> None:
        raise NotImplementedError


class Ours(Pane):
    def pane(self) -> ComposeResult:
        yield Transcript(look=Look())

    async def load(self, texts: list[str], mark: str) -> None:
        turns = [TurnText(turn_header(number, "user", text), text) for number, text in enumerate(texts, 1)]
        turns[0] = TurnText(mark, texts[0])
        self.query_one(Transcript).show(turns)


class OneStaticPerTurn(Pane):
    """The reference: what a screen does without a widget of its own for it."""

    def pane(self) -> ComposeResult:
        yield VerticalScroll(id="turns")

    async def load(self, texts: list[str], mark: str) -> None:
        view = self.query_one("#turns", VerticalScroll)
        await view.remove_children()
        await view.mount_all(
            Static(Content(f"{mark if n == 1 else n}\n{text}")) for n, text in enumerate(texts, 1)
        )


async def paint(app: Pane, pilot: Pilot[None], driver: TimedDriver, texts: list[str], mark: str) -> float:
    """Ms from the call that shows a dialogue to the frame that holds its first header."""
    await pilot.pause()
    await driver.quiet(0.1)
    driver.forget()
    painted = driver.expect(mark)
    start = time.perf_counter()
    await app.load(texts, mark)
    moment = await asyncio.wait_for(painted, 120)
    await driver.quiet(0.1)
    return (moment - start) * 1000


async def compare(texts: list[str]) -> tuple[list[float], list[float], Shared]:
    """Times of ours and of the reference, in alternating rounds; a tiny dialogue stands between two loads."""
    tiny = dialogue(10, 200)
    ours: list[float] = []
    others: list[float] = []
    shared = Shared()
    async with running(Ours()) as (pilot, driver):
        app = pilot.app
        assert isinstance(app, Ours)
        for turn in range(TIMES):
            await paint(app, pilot, driver, tiny, f"LOAD-TINY-{turn}")
            ours.append(await paint(app, pilot, driver, texts, f"LOAD-{turn}"))
            for _ in range(5):
                shared.look()
    async with running(OneStaticPerTurn()) as (pilot, driver):
        other = pilot.app
        assert isinstance(other, OneStaticPerTurn)
        for turn in range(REFERENCE_TIMES):
            await paint(other, pilot, driver, tiny, f"LOAD-TINY-{turn}")
            others.append(await paint(other, pilot, driver, texts, f"LOAD-{turn}"))
    return ours, others, shared


def measure() -> list[Line]:
    lines: list[Line] = []
    for name, (turns, mean, ratio, most) in LOADS.items():
        texts = dialogue(turns, mean)
        ours, others, shared = asyncio.run(compare(texts))
        own, other = median(ours), median(others)
        size = f"{sum(map(len, texts)):,} characters"
        what = f"first paint, {name}"
        lines.append(
            Row(
                f"{what}, against one Static per turn",
                Kind.RATIO_AT_LEAST,
                ratio,
                other / own,
                "",
                f"{other:,.0f} ms",
            )
        )
        lines.append(
            Row(
                what,
                Kind.AT_MOST,
                most,
                own,
                "ms",
                f"{shared.said(own)}; {size}; best {min(ours):.1f}, worst {max(ours):.1f} ms",
            )
        )
    return lines
