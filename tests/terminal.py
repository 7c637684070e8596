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

CARD = re.compile(r"^.*?(?:▌| )\s*(m\d+) (?:✓ |✗ |✎ |\? |· )(keep|delete|edit|in doubt|open)\b")
HEAD = re.compile(r"memory-verification · (\S+) · ")


@dataclass(frozen=True)
class Shown:
    """What the screen says: the item, each memory's state, and whether it calls them saved."""

    item: str | None
    cards: dict[str, str]
    selected: str | None
    saved: bool


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
        cls, arguments: Sequence[str], *, columns: int = 120, rows: int = 40, **environment: str
    ) -> "Terminal":
        main, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("ALPS_", "TEXTUAL"))}
        process = subprocess.Popen(
            [sys.executable, "-m", "alps_tui", *arguments],
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

    def press(self, keys: str) -> None:
        os.write(self.descriptor, keys.encode())

    def kill(self, how: int = signal.SIGKILL) -> None:
        """End the program and take every byte it had still written."""
        self.process.send_signal(how)
        while self.read(0.2) and self.process.poll() is None:
            pass
        while self.read(0.05) and select([self.descriptor], [], [], 0)[0]:
            pass
        self.process.wait(timeout=10)
        os.close(self.descriptor)

    def shown(self) -> Shown:
        lines = self.screen.display
        head = HEAD.search(lines[0])
        cards, selected = {}, None
        for line in lines:
            found = CARD.search(line)
            if found:
                cards[found[1]] = found[2]
                if "▌" in line[: found.start(1)][-4:]:
                    selected = found[1]
        return Shown(head[1] if head else None, cards, selected, "● saved" in lines[0])
