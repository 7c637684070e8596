"""From the command to what it shows, and what it imports on the way; the program is compiled, as when installed."""

import os
import subprocess
import sys
import tempfile
import time
from pathlib import Path

from budgets import Kind, Line, Row
from real_frames import Shared, median
from terminal import Terminal

TIMES = 7
FORBIDDEN = ("numpy", "sqlalchemy", "textual", "openai")


def compiled(folder: Path) -> dict[str, str]:
    """An environment in which modules are compiled once, as they are where the program was installed."""
    return {"PYTHONDONTWRITEBYTECODE": "", "PYTHONPYCACHEPREFIX": str(folder / "compiled")}


def seconds(arguments: list[str], environment: dict[str, str]) -> float:
    start = time.perf_counter()
    subprocess.run(
        [sys.executable, *arguments], stdout=subprocess.DEVNULL, check=True, env=os.environ | environment
    )
    return time.perf_counter() - start


def imported_for_help() -> list[str]:
    """Which of the slow packages `alps --help` loads."""
    code = (
        "import sys\nsys.argv = ['alps', '--help']\n"
        "from alps_tui.cli import main\n"
        "try:\n    main()\nexcept SystemExit:\n    pass\n"
        f"print('loaded', *[name for name in {FORBIDDEN!r} if name in sys.modules])"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    return ended.stdout.splitlines()[-1].split()[1:]


def annotate_once(db: Path, shared: Shared, environment: dict[str, str]) -> float:
    """Seconds from the start of `alps annotate` to the first item on a terminal of its own."""
    start = time.perf_counter()
    terminal = Terminal.start(
        ["annotate", "--db", str(db), "--as", "ada", "--protocol", "memory-verification"], **environment
    )
    while "memory-verification" not in "".join(terminal.screen.display) and time.perf_counter() - start < 60:
        if not terminal.read(0.05):
            break
    took = time.perf_counter() - start
    assert "memory-verification" in "".join(terminal.screen.display), terminal.screen.display
    terminal.kill()
    for _ in range(20):
        shared.look()
    return took


def measure() -> list[Line]:
    shared = Shared()
    with tempfile.TemporaryDirectory() as name:
        db, installed = Path(name, "demo.db"), compiled(Path(name))
        for command in (["demo"], ["rater", "add", "ada"]):
            quiet = {"stdin": subprocess.DEVNULL, "stdout": subprocess.DEVNULL, "stderr": subprocess.DEVNULL}
            whole = [sys.executable, "-m", "alps_tui", *command, "--db", str(db)]
            subprocess.run(whole, check=True, env=os.environ | installed, **quiet)
        bare = median(seconds(["-c", "pass"], installed) for _ in range(TIMES))
        shown = median(seconds(["-m", "alps_tui", "--help"], installed) for _ in range(TIMES))
        annotate_once(db, shared, installed)
        annotate = median(annotate_once(db, shared, installed) for _ in range(TIMES))
    loaded = imported_for_help()
    return [
        Row("alps --help", Kind.AT_MOST, 0.3, shown, "s", f"an empty Python {bare:.2f} s"),
        Row(
            f"alps --help imports of {', '.join(FORBIDDEN)}",
            Kind.EXACT,
            0,
            len(loaded),
            "",
            " ".join(loaded) or "none",
        ),
        Row(
            "alps annotate to its first item",
            Kind.AT_MOST,
            1.3,
            annotate / shared.fold,
            "s",
            shared.said(annotate, "s"),
        ),
    ]
