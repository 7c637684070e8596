"""A real tmux of a test's own, with a server that nobody else has: a program runs in it, keys are sent, its screen is read."""

import os
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from uuid import uuid4

import pytest

ROOT = Path(__file__).parents[2]
PATIENCE = 30.0
"""Seconds until something that never comes is given up: machines are busy now and then."""

needs_tmux = pytest.mark.skipif(shutil.which("tmux") is None, reason="there is no tmux on this machine")


class Tmux:
    """One session with one window."""

    def __init__(self, socket: str) -> None:
        self._socket = socket

    def call(self, *words: str) -> str:
        done = subprocess.run(
            ["tmux", "-L", self._socket, "-f", os.devnull, "-u", *words],
            capture_output=True,
            check=True,
            encoding="utf-8",
            timeout=PATIENCE,
        )
        return done.stdout

    def press(self, *keys: str) -> None:
        self.call("send-keys", *keys)

    def screen(self) -> list[str]:
        """The rows as tmux has them, right ends trimmed."""
        return self.call("capture-pane", "-p").split("\n")[:-1]

    def wait(self, until: Callable[[list[str]], bool]) -> list[str]:
        """The screen, once it is as wished and stands still. Fails with the last one if it never is."""
        end, before = time.monotonic() + PATIENCE, [""]
        while time.monotonic() < end:
            now = self.screen()
            if now == before and until(now):
                return now
            before = now
            time.sleep(0.05)
        pytest.fail("\n".join(["never shown in tmux, but this:", *before]))


@contextmanager
def inside_tmux(size: tuple[int, int], arguments: Sequence[str | Path], **more: str) -> Iterator[Tmux]:
    """Run Python with `arguments` in a tmux of `size` (columns, rows), `more` in its environment."""
    tmux = Tmux(f"alps-{uuid4().hex[:8]}")
    columns, rows = map(str, size)
    not_set = dict.fromkeys(("ALPS_EMOJI", "ALPS_BIDI", "COLUMNS", "LINES"), "")
    environment = {"LC_ALL": "C.UTF-8", "PYTHONPATH": str(ROOT), **not_set, **more}
    settings = [word for name, value in environment.items() for word in ("-e", f"{name}={value}")]
    tmux.call(
        "new-session", "-d", "-x", columns, "-y", rows, *settings, "--", sys.executable, *map(str, arguments)
    )
    try:
        yield tmux
    finally:
        subprocess.run(["tmux", "-L", tmux._socket, "kill-server"], check=False, capture_output=True)
