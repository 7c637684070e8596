"""Every budget of the product measured, in one table: `python tests/benchmarks/run.py [PART ...]`.

Each part runs in a process of its own, so that memory and imports are its own. Exits 1 if a ratio or a count is
missed, or an absolute value by more than a factor of two; 2 if a part failed. Ratios are taken within one run, turn and
turn about. Times of screens are wall-clock medians, divided by how much others had of the cores meanwhile (the last
column but one has both); alpha and the import are CPU time, since nothing in them waits for anybody but the disk.
"""

import argparse
import importlib
import json
import os
import platform
import sqlite3
import subprocess
import sys
import tempfile
from pathlib import Path

from budgets import Line, Skipped, line_from_json, readme_table, table

HERE = Path(__file__).resolve().parent
TESTS = HERE.parent
sys.path[:0] = [str(HERE), str(TESTS), str(TESTS / "ui")]

PARTS = {
    "first_paint": "the transcript's first paint",
    "next_item": "the next real item",
    "keys": "a key to the changed screen",
    "flipping": "memory while flipping through items",
    "importing": "import of real packets",
    "alphas": "alpha and its intervals",
    "writers": "eight processes deciding during an import",
    "million": "a study of a million ratings",
    "start_up": "start-up",
}
"""Module with a function `measure() -> list[Line]`, and what it is about."""


def run_part(name: str) -> list[Line] | None:
    """The rows of a part, measured in a process of its own; None, with its complaint shown, if it failed."""
    ended = subprocess.run(
        [sys.executable, __file__, "--measure", name],
        stdout=subprocess.PIPE,
        text=True,
        cwd=TESTS.parent,
        check=False,
    )
    if ended.returncode:
        print(ended.stdout, file=sys.stderr)
        return None
    return [line_from_json(said) for said in json.loads(ended.stdout.splitlines()[-1])]


def measure(name: str) -> int:
    """In the process of a part: measure, and print the rows as the last line."""
    lines: list[Line] = importlib.import_module(name).measure()
    print(json.dumps([line.to_json() for line in lines]))
    return 0


def load() -> str:
    """How busy the machine is, over 1, 5 and 15 minutes."""
    return "load " + ", ".join(f"{one:.1f}" for one in os.getloadavg())


def machine() -> str:
    """What the numbers were measured on."""
    cpu = _first_word_of("/proc/cpuinfo", "model name", platform.machine())
    memory = int(_first_word_of("/proc/meminfo", "MemTotal", "0 kB").split()[0]) / 1024**2
    return ", ".join(
        (
            f"{len(os.sched_getaffinity(0))} cores of {cpu}",
            f"{memory:.0f} GB of memory",
            f"{platform.system()} {platform.release().split('-')[0]}",
            f"Python {platform.python_version()}",
            f"SQLite {sqlite3.sqlite_version}",
            f"studies on {filesystem(Path(tempfile.gettempdir()))}",
        )
    )


def _first_word_of(path: str, name: str, otherwise: str) -> str:
    """What a file of `name: value` lines says first of `name`."""
    lines = Path(path).read_text().splitlines() if Path(path).exists() else []
    return next((line.split(":", 1)[1].strip() for line in lines if line.startswith(name)), otherwise)


def filesystem(folder: Path) -> str:
    """The kind of filesystem that holds a folder: that of the longest mount point above it."""
    from store.filesystem import read_mounts

    above = [(len(point), kind) for point, kind, _ in read_mounts() if folder.resolve().is_relative_to(point)]
    return max(above, default=(0, "an unknown filesystem"))[1]


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument(
        "parts", nargs="*", metavar="PART", help=f"of: {', '.join(PARTS)}; all if none is named"
    )
    parser.add_argument(
        "--markdown", action="store_true", help="the table as it stands in the README, below the machine"
    )
    parser.add_argument("--measure", help=argparse.SUPPRESS)
    asked = parser.parse_args()
    if asked.measure:
        return measure(asked.measure)
    if unknown := set(asked.parts) - set(PARTS):
        parser.error(f"there is no part {', '.join(sorted(unknown))}")
    lines: list[Line] = []
    failed = []
    before = load()
    for name in asked.parts or PARTS:
        print(f"{PARTS[name]} …", file=sys.stderr, flush=True)
        found = run_part(name)
        if found is None:
            failed.append(name)
        lines += found or []
    if not asked.parts:
        lines.append(
            Skipped(
                "judge runner: throughput, overhead",
                "this version has no judge that is called over a network",
            )
        )
    if asked.markdown:
        print(f"Measured on {machine()}.\n\n{readme_table(lines)}")
    else:
        print(f"{machine()}\n{before}; after: {load()}\n\n{table(lines)}")
    if failed:
        print(f"\nfailed: {', '.join(failed)}")
        return 2
    missed = [line.what for line in lines if line.missed]
    if missed:
        print(f"\nmissed: {'; '.join(missed)}")
    return int(bool(missed))


if __name__ == "__main__":
    sys.exit(main())
