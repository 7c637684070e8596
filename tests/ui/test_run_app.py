"""The app as a process in a terminal: it ends in order when it is asked to, when it is killed politely, when the
terminal is closed; nothing that was typed is lost, and the exit code says how it went."""

import os
import pty
import re
import select
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from at_the_desk import VERIFY, queue_of
from studies import tiny_study

from store.database import Database, open_database
from store.decisions import item_answers, verify
from store.place import load_place

PATIENCE_SECONDS = 40.0
ROOT = Path(__file__).resolve().parents[2]
PROGRAM = """
import fcntl, sys, termios
fcntl.ioctl(0, termios.TIOCSCTTY, 0)
from alps_tui.ui.app import AlpsApp, run_app
from store.assignments import rater_by_name
from store.database import open_database
db = open_database(sys.argv[1])
with db.read() as conn:
    rater = rater_by_name(conn, "ada")
code = run_app(AlpsApp(db, rater, protocol="memory-verification"))
db.close()
sys.exit(code)
"""


class Terminal:
    """A program in a pseudo terminal: what it wrote, and keys for it."""

    def __init__(self, study: Path) -> None:
        self._master, slave = pty.openpty()
        self.output = ""
        self.process = subprocess.Popen(
            [sys.executable, "-c", PROGRAM, str(study)],
            stdin=slave,
            stdout=slave,
            stderr=slave,
            cwd=ROOT,
            env={**os.environ, "TERM": "xterm-256color", "COLUMNS": "120", "LINES": "40"},
            start_new_session=True,
        )
        os.close(slave)

    def press(self, keys: str) -> None:
        os.write(self._master, keys.encode())

    def decide(self, key: str) -> None:
        """Press a key until it was taken: one that comes before the item was painted is dropped, and said so."""
        for _ in range(20):
            self.press(key)
            if self.until("● saved|did nothing") == "● saved":
                return
        raise AssertionError("the key was never taken")

    def until(self, pattern: str) -> str:
        """Read until this was written since the last reading, and give it; fails if it never comes."""
        deadline, seen = time.monotonic() + PATIENCE_SECONDS, ""
        while not (found := re.search(pattern, seen)):
            if time.monotonic() > deadline:
                raise AssertionError(f"{pattern} never came; the end: {self.output[-2000:]!r}")
            seen += self._read()
        return found[0]

    def _read(self) -> str:
        if not select.select([self._master], [], [], 0.2)[0]:
            return ""
        try:
            text = os.read(self._master, 65536).decode(errors="replace")
        except OSError:
            return ""
        self.output += text
        return text

    def end(self) -> int:
        """Wait for the end, reading what is still written; gives the exit code."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.process.poll() is None and time.monotonic() < deadline:
            self._read()
        return self.process.wait(1)

    def hang_up(self) -> None:
        """Close the terminal under the program."""
        os.close(self._master)


@contextmanager
def terminal(folder: Path) -> Iterator[Terminal]:
    tiny_study(folder / "study.db").close()
    terminal = Terminal(folder / "study.db")
    try:
        terminal.until("nothing yet")
        yield terminal
    finally:
        if terminal.process.poll() is None:
            terminal.process.kill()
        terminal.process.wait()


def stored(db: Database) -> list[object]:
    first = queue_of(db, VERIFY)[0]
    with db.read() as conn:
        assert verify(conn) == ()
        return [a.value for a in item_answers(conn, first.id).answers.values()]


def test_leaving_ends_with_zero_and_everything_is_there(tmp_path: Path) -> None:
    with terminal(tmp_path) as screen:
        screen.decide("a")
        screen.press("\x11")
        assert screen.end() == 0
        assert "\x1b[?1049l" in screen.output
    with open_database(tmp_path / "study.db") as db:
        assert stored(db) == ["keep"]


@pytest.mark.parametrize(
    "how",
    [
        pytest.param("SIGTERM", marks=pytest.mark.slow),
        "SIGHUP",
        pytest.param("the terminal is closed", marks=pytest.mark.slow),
    ],
)
def test_a_polite_end_keeps_decisions_and_what_was_being_typed(tmp_path: Path, how: str) -> None:
    with terminal(tmp_path) as screen:
        screen.decide("a")
        screen.press("e")
        screen.until("The memory as it should read")
        screen.press("zz")
        screen.until("zz|z.*z")
        if how == "the terminal is closed":
            screen.hang_up()
            screen.process.wait(PATIENCE_SECONDS)
        else:
            screen.process.send_signal(getattr(signal, how))
            assert screen.end() == 0
            assert "\x1b[?1049l" in screen.output
    with open_database(tmp_path / "study.db") as db:
        assert stored(db) == ["keep"]
        with db.read() as conn:
            place = load_place(conn, queue_of(db, VERIFY)[0].id)
        assert "zz" in str(place["drafts"])


def test_a_kill_right_after_saved_loses_nothing_that_was_called_saved(tmp_path: Path) -> None:
    with terminal(tmp_path) as screen:
        screen.decide("a")
        screen.process.kill()
        screen.process.wait()
    with open_database(tmp_path / "study.db") as db:
        assert stored(db) == ["keep"]
