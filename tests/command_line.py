"""`alps` as people call it: its two outputs and its exit code, in this process or in one of its own."""

import contextlib
import io
import os
import subprocess
import sys
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from unittest.mock import patch

import orjson


@dataclass(frozen=True)
class Ended:
    code: int
    out: str
    err: str

    @property
    def json(self) -> dict:
        return orjson.loads(self.out)


def run(*arguments: object, cwd: Path | None = None, **environment: str) -> Ended:
    """`alps` with these arguments, without a terminal, in this process: its imports are paid once."""
    from alps_tui.cli import run_command

    out, err = io.StringIO(), io.StringIO()
    with (
        contextlib.chdir(cwd or Path.cwd()),
        patch.dict(os.environ, _clean(environment), clear=True),
        patch.object(sys, "stdin", io.StringIO()),
        contextlib.redirect_stdout(out),
        contextlib.redirect_stderr(err),
    ):
        code = run_command([str(argument) for argument in arguments])
    return Ended(code, out.getvalue(), err.getvalue())


def run_process(*arguments: object, cwd: Path | None = None, **environment: str) -> Ended:
    """The same in a process of its own."""
    ended = subprocess.run(
        [sys.executable, "-m", "alps_tui", *map(str, arguments)],
        capture_output=True,
        text=True,
        stdin=subprocess.DEVNULL,
        cwd=cwd,
        env=_clean(environment),
        timeout=120,
        check=False,
    )
    return Ended(ended.returncode, ended.stdout, ended.stderr)


def _clean(environment: Mapping[str, str]) -> dict[str, str]:
    return {k: v for k, v in os.environ.items() if not k.startswith("ALPS_")} | dict(environment)
