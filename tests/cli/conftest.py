"""Studies for the command line's tests."""

from collections.abc import Callable
from pathlib import Path

import pytest
from command_line import Ended, run

Alps = Callable[..., Ended]


@pytest.fixture
def alps(tmp_path: Path) -> Alps:
    """`alps` in an empty folder of its own, where the study is alps.db."""

    def call(*arguments: object, **environment: str) -> Ended:
        return run(*arguments, cwd=tmp_path, **environment)

    return call


@pytest.fixture(scope="session")
def sample(made_once: Callable[..., tuple[Path, Ended]]) -> tuple[Path, Ended]:
    """The sample study as `alps demo` leaves it without a terminal, and what it printed."""
    folder, ended = made_once("demo", lambda folder: run("demo", "--db", folder / "demo.db"))
    return folder / "demo.db", ended
