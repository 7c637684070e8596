"""A headless terminal that keeps what an app sends: the exact bytes, and the screen they draw.

The stock headless driver makes Textual skip the encoding of frames; this one does not, so a test can look at the
control bytes that would reach a terminal and read the screen as a terminal shows it.
"""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from typing import Any

import pyte
from terminal import rows_of
from textual.app import App
from textual.drivers.headless_driver import HeadlessDriver
from textual.pilot import Pilot


class CaptureDriver(HeadlessDriver):
    """Headless, but fed with encoded frames. `frames` holds every write in order."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self.frames: list[str] = []

    @property
    def is_headless(self) -> bool:
        return False

    def write(self, data: str) -> None:
        self.frames.append(data)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the terminal."""
        return self._get_terminal_size()

    @property
    def output(self) -> str:
        """All that was sent so far."""
        return "".join(self.frames)

    def screen(self) -> list[str]:
        """The screen as it stands, one string a row."""
        return screen_text(self.frames, self.size)


def screen_text(frames: Iterable[str], size: tuple[int, int] = (80, 24)) -> list[str]:
    """What a terminal of `size` (columns, rows) shows after `frames`, one string a row, right ends trimmed."""
    screen = pyte.Screen(*size)
    stream = pyte.Stream(screen)
    for frame in frames:
        stream.feed(frame)
    return [row.rstrip() for row in rows_of(screen)]


@asynccontextmanager
async def run_captured(
    app: App[Any], size: tuple[int, int] = (80, 24), *, notifications: bool = True, tooltips: bool = False
) -> AsyncIterator[tuple[Pilot[Any], CaptureDriver]]:
    """Run `app` at `size` (columns, rows); gives the pilot and the driver whose frames a terminal would have got.

    Textual captures `print` while this is open: report after it.
    """
    app.driver_class = CaptureDriver
    async with app.run_test(
        headless=False, size=size, notifications=notifications, tooltips=tooltips
    ) as pilot:
        driver = app._driver
        assert isinstance(driver, CaptureDriver)
        yield pilot, driver
