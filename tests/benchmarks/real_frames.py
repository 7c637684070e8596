"""An app on a terminal that encodes every frame and notes when it was written, and clocks for what keeps its loop busy."""

import asyncio
import statistics
import time
from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

from budgets import number
from capture import CaptureDriver
from textual import events
from textual.app import App
from textual.keys import _character_to_key
from textual.pilot import Pilot

SIZE = (120, 40)
PATIENCE = 60.0


class TimedDriver(CaptureDriver):
    """Keeps the moment of every write."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.moments: list[float] = []
        self._wanted = ""
        self._painted: asyncio.Future[float] | None = None

    def write(self, data: str) -> None:
        now = time.perf_counter()
        self.frames.append(data)
        self.moments.append(now)
        if self._painted is not None and not self._painted.done() and self._wanted in data:
            self._painted.set_result(now)

    def forget(self) -> None:
        """Drop the frames so far, so that memory is the app's own."""
        self.frames.clear()
        self.moments.clear()

    def expect(self, mark: str) -> "asyncio.Future[float]":
        """The moment at which a frame with `mark` will have been written; ask before what causes it."""
        self._wanted = mark
        self._painted = asyncio.get_running_loop().create_future()
        return self._painted

    async def quiet(self, seconds: float = 0.06) -> None:
        """Wait until nothing has been written for so long."""
        seen = -1
        while seen != len(self.frames):
            seen = len(self.frames)
            await asyncio.sleep(seconds)


@asynccontextmanager
async def running(
    app: App[Any], size: tuple[int, int] = SIZE
) -> AsyncIterator[tuple[Pilot[Any], TimedDriver]]:
    """The app at `size`; report after it, since Textual captures what is printed meanwhile."""
    app.driver_class = TimedDriver
    async with app.run_test(headless=False, size=size) as pilot:
        driver = app._driver
        assert isinstance(driver, TimedDriver)
        yield pilot, driver


def hit(app: App[Any], key: str) -> float:
    """Press a key as a terminal would send it; gives the moment."""
    event = events.Key(_character_to_key(key) if len(key) == 1 else key, key if len(key) == 1 else None)
    event.set_sender(app)
    now = time.perf_counter()
    app.post_message(event)
    return now


class Heartbeat:
    """How long the loop was held at a time: in wall-clock ms, and in ms of this thread's own work."""

    def __init__(self) -> None:
        self.wall: list[float] = []
        self.work: list[float] = []
        self._task = asyncio.create_task(self._beat())

    async def _beat(self) -> None:
        wall, work = time.perf_counter(), time.thread_time()
        while True:
            await asyncio.sleep(0.001)
            now, done = time.perf_counter(), time.thread_time()
            self.wall.append((now - wall) * 1000)
            self.work.append((done - work) * 1000)
            wall, work = now, done

    def clear(self) -> None:
        self.wall.clear()
        self.work.clear()

    def stop(self) -> None:
        self._task.cancel()


class Shared:
    """How much of a core this process got: the wall-clock time of short pieces of work over their own CPU time.

    Pieces are done between two measurements, so that an absolute time can be held against what it would have been on
    cores that nobody else uses.
    """

    def __init__(self) -> None:
        self._wall = self._work = 0.0

    def look(self) -> None:
        """Work for about three milliseconds."""
        wall, work = time.perf_counter(), time.thread_time()
        while time.thread_time() - work < 0.003:
            sum(range(200))
        self._wall += time.perf_counter() - wall
        self._work += time.thread_time() - work

    @property
    def fold(self) -> float:
        """1 on an idle machine, 2 if others took every second turn."""
        return max(1.0, self._wall / self._work) if self._work else 1.0

    def said(self, wall: float, unit: str = "ms") -> str:
        return f"{number(wall)} {unit} on cores shared {self.fold:.1f}-fold"


def median(values: Iterable[float]) -> float:
    return statistics.median(values)


def p95(values: Iterable[float]) -> float:
    ordered = sorted(values)
    return ordered[min(len(ordered) - 1, int(0.95 * len(ordered)))]
