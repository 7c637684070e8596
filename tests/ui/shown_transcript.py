"""A transcript alone on a captured screen, and what a test wants to know of it."""

import json
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from typing import Any

from capture import CaptureDriver, run_captured
from paths import ALPSBENCH
from textual.app import App, ComposeResult
from textual.pilot import Pilot
from textual.strip import Strip

from alps_tui.ui.look import Look
from alps_tui.ui.widgets.transcript import Mark, Transcript, TurnText, turn_header

LONG = "".join(f"row {number} of a long answer\n" for number in range(300))


class Shown(App[None]):
    """A transcript alone on the screen; what it posts is kept."""

    def __init__(self) -> None:
        super().__init__()
        self.transcript = Transcript(look=Look())
        self.heard: list[object] = []

    def compose(self) -> ComposeResult:
        yield self.transcript

    def on_transcript_turn_changed(self, message: Transcript.TurnChanged) -> None:
        self.heard.append(("turn", message.turn))

    def on_transcript_span_chosen(self, message: Transcript.SpanChosen) -> None:
        self.heard.append(("chosen", message.turn, message.start, message.end))

    def on_transcript_searched(self) -> None:
        self.heard.append("searched")

    def on_transcript_span_cancelled(self) -> None:
        self.heard.append("cancelled")


@asynccontextmanager
async def showing(
    texts: Sequence[str],
    size: tuple[int, int] = (80, 24),
    marks: Sequence[Mark] = (),
    look: Look | None = None,
    **options: Any,
) -> AsyncIterator[tuple[Transcript, Pilot[Any], CaptureDriver]]:
    """The app, its pilot and its driver, with `texts` as turns of user and assistant by turns."""
    app = Shown()
    async with run_captured(app, size) as (pilot, driver):
        if look is not None:
            app.transcript.set_look(look)
        app.transcript.focus()
        app.transcript.show(turns_of(texts), marks=marks, **options)
        await pilot.pause()
        yield app.transcript, pilot, driver


def turns_of(texts: Sequence[str]) -> list[TurnText]:
    roles = ["user", "assistant"]
    return [
        TurnText(turn_header(number + 1, roles[number % 2], text), text, roles[number % 2])
        for number, text in enumerate(texts)
    ]


def drawn_rows(transcript: Transcript) -> Iterator[tuple[int, int, int, Strip]]:
    """Every text row of the transcript: turn, start, end and the strip that is drawn for it."""
    transcript._pages.commit()
    for row in range(transcript._pages.total):
        line = transcript._pages.line(row)
        if line.kind == "text":
            yield line.turn, line.start, line.end, transcript._paint(row)


def packet(session: str) -> list[str]:
    path = ALPSBENCH / "session_packets" / f"{session}.json"
    return [turn["text"] for turn in json.loads(path.read_text(encoding="utf-8"))["dialogue"]]


def reports(driver: CaptureDriver) -> str:
    """The screen as one text."""
    return "\n".join(driver.screen())
