"""The workbench in a terminal of its own, forked from a program that has imported it: a life costs half a second less.

It is the same command line on the same kind of terminal; only the imports are shared.
"""

import contextlib
import fcntl
import json
import os
import pty
import signal
import struct
import subprocess
import sys
import termios
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import pyte
from terminal import Terminal

PRELOADED = (
    "alps_tui.commands.annotate",
    "alps_tui.ui.app",
    "textual.drivers.linux_driver",
    "store.writer",
    "store.recovery",
)


@dataclass
class Forked:
    """A program that is no child of ours, with the few methods of `Popen` that a `Terminal` needs."""

    pid: int

    def poll(self) -> int | None:
        """None while it runs, then 0: how it ended only its parent knows."""
        try:
            os.kill(self.pid, 0)
        except ProcessLookupError:
            return 0
        return None

    def send_signal(self, number: int) -> None:
        with contextlib.suppress(ProcessLookupError):
            os.kill(self.pid, number)

    def wait(self, timeout: float) -> int:
        deadline = time.monotonic() + timeout
        while self.poll() is None:
            assert time.monotonic() < deadline, "the workbench did not end"
            time.sleep(0.005)
        return 0


class Workbenches:
    """Starts workbenches; close it when the last one is killed."""

    def __init__(self) -> None:
        here = Path(__file__).resolve()
        path = os.pathsep.join(map(str, (here.parents[2], here.parents[1], here.parent)))
        clean = {k: v for k, v in os.environ.items() if not k.startswith(("ALPS_", "TEXTUAL"))}
        self._parent = subprocess.Popen(
            [sys.executable, "-c", "import forked_workbench; forked_workbench.serve()"],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            env=clean | {"TERM": "xterm-256color", "PYTHONPATH": path},
        )

    def start(self, arguments: Sequence[str], *, columns: int = 120, rows: int = 40) -> Terminal:
        """`alps` with these arguments in a new terminal."""
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        main, child = pty.openpty()
        fcntl.ioctl(child, termios.TIOCSWINSZ, struct.pack("HHHH", rows, columns, 0, 0))
        self._parent.stdin.write(json.dumps([os.ttyname(child), *arguments]).encode() + b"\n")
        self._parent.stdin.flush()
        screen = pyte.Screen(columns, rows)
        process = Forked(int(self._parent.stdout.readline()))
        terminal = Terminal(process, main, screen, pyte.ByteStream(screen))  # type: ignore[arg-type]
        terminal.until_written(30.0)
        os.close(child)  # only now: a terminal that nobody has open yet would read as closed
        return terminal

    def close(self) -> None:
        assert self._parent.stdin is not None
        assert self._parent.stdout is not None
        self._parent.stdin.close()
        self._parent.wait(30)
        self._parent.stdout.close()


def serve() -> None:
    """In the parent of all workbenches: for every line a child, its number on the output."""
    import importlib

    for name in PRELOADED:
        importlib.import_module(name)
    signal.signal(signal.SIGCHLD, signal.SIG_IGN)  # nobody asks how they ended
    for line in sys.stdin:
        terminal, *arguments = json.loads(line)
        child = os.fork()
        if child == 0:
            _be_alps(terminal, arguments)
        sys.stdout.write(f"{child}\n")
        sys.stdout.flush()


def _be_alps(terminal: str, arguments: list[str]) -> None:
    """In the new process: take the terminal as one's own, and be `alps`."""
    signal.signal(signal.SIGCHLD, signal.SIG_DFL)
    os.setsid()
    device = os.open(terminal, os.O_RDWR)
    fcntl.ioctl(device, termios.TIOCSCTTY, 0)
    for number in (0, 1, 2):
        os.dup2(device, number)
    os.close(device)
    from alps_tui.cli import run_command

    os._exit(run_command(arguments))
