"""A program in a terminal of its own: keys go in, bytes come out, the screen is read as a person would read it."""

import fcntl
import os
import pty
import re
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from select import select

import pyte
from wcwidth import wcwidth

LEADER = (
    "import fcntl, os, sys, termios; fcntl.ioctl(0, termios.TIOCSCTTY, 0);"
    "os.execv(sys.executable, [sys.executable, *sys.argv[1:]])"
)
"""Makes the terminal the program's own before the program is started, so that closing it hangs it up."""


def rows_of(screen: pyte.Screen) -> list[str]:
    """The screen row by row. `Screen.display` fails where a sign was written over the first half of a wide one."""
    rows = []
    for number in range(screen.lines):
        cells = [screen.buffer[number][column].data for column in range(screen.columns)]
        half = ["", *(cell if wcwidth(cell[:1] or " ") == 2 else "" for cell in cells)]
        rows.append("".join(cell or ("" if wide else " ") for cell, wide in zip(cells, half, strict=False)))
    return rows


MODE = re.compile(rb"\x1b\[\?([\d;]+)([hl])")


def modes(sent: bytes) -> dict[bytes, bytes]:
    """The private modes of a terminal after these bytes: number to h (on) or l (off)."""
    found: dict[bytes, bytes] = {}
    for numbers, state in MODE.findall(sent):
        for number in numbers.split(b";"):
            found[number] = state
    return found


@dataclass
class Terminal:
    """A program under a pty. `bytes_read` is all that a terminal would have got."""

    process: subprocess.Popen
    descriptor: int
    screen: pyte.Screen
    stream: pyte.ByteStream
    bytes_read: bytearray = field(default_factory=bytearray)

    @classmethod
    def start(
        cls,
        arguments: Sequence[str],
        *,
        columns: int = 120,
        rows: int = 40,
        program: Sequence[str] = ("-m", "alps_tui"),
        leads: bool = False,
        **environment: str,
    ) -> "Terminal":
        """Python with this program and these arguments.

        leads   as under a shell: when the terminal is closed, the program is hung up
        """
        main, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("ALPS_", "TEXTUAL"))}
        process = subprocess.Popen(
            [sys.executable, *(("-c", LEADER) if leads else ()), *program, *arguments],
            stdin=child,
            stdout=child,
            stderr=child,
            env=clean | {"TERM": "xterm-256color"} | environment,
            start_new_session=True,
        )
        os.close(child)
        screen = pyte.Screen(columns, rows)
        return cls(process, main, screen, pyte.ByteStream(screen))

    def read(self, seconds: float) -> bool:
        """Take what has come within the time; False once the program's end is closed."""
        until = time.monotonic() + seconds
        while True:
            ready, _, _ = select([self.descriptor], [], [], max(0.0, until - time.monotonic()))
            if not ready:
                return True
            try:
                chunk = os.read(self.descriptor, 1 << 16)
            except OSError:
                return False
            if not chunk:
                return False
            self.bytes_read += chunk
            self.stream.feed(chunk)
            return True

    def until_written(self, seconds: float) -> None:
        """Wait until the program has written something."""
        assert select([self.descriptor], [], [], seconds)[0], "the program wrote nothing"

    def has_more(self) -> bool:
        """Whether something that was written is not read yet."""
        return bool(select([self.descriptor], [], [], 0.0)[0])

    def press(self, keys: str) -> None:
        os.write(self.descriptor, keys.encode())

    def end(self, seconds: float = 30.0) -> int:
        """Read until the program has ended; gives its exit code."""
        deadline = time.monotonic() + seconds
        while self.process.poll() is None and time.monotonic() < deadline:
            self.read(0.1)
        while self.has_more() and self.read(0.0):
            pass
        return self.process.wait(1)

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End the program and take every byte it had still written."""
        self.process.send_signal(how)
        while self.read(0.2) and self.process.poll() is None:
            pass
        while self.read(0.05) and select([self.descriptor], [], [], 0)[0]:
            pass
        self.process.wait(timeout=10)
        os.close(self.descriptor)
