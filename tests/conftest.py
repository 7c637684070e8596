"""What holds for every test: no example of a property is timed, since machines are busy now and then; what is kept
beside a study that cannot be written never lands in the folders of whoever runs the tests; and what is dear to make
is made once, however many processes share the tests."""

import fcntl
import os
import pickle
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import settings

from alps_tui.demo.load import load_sample
from store.database import open_database

settings.register_profile("untimed", deadline=None, max_examples=50)
settings.load_profile("untimed")

MadeOnce = Callable[[str, Callable[[Path], Any]], tuple[Path, Any]]


@pytest.fixture(autouse=True, scope="session")
def state_of_the_tests(tmp_path_factory: pytest.TempPathFactory) -> Iterator[None]:
    """The user's own folder for what outlives a program is one of the tests'."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("XDG_STATE_HOME", str(tmp_path_factory.mktemp("state")))
        yield


@pytest.fixture(scope="session")
def made_once(tmp_path_factory: pytest.TempPathFactory) -> MadeOnce:
    """Calls `make(folder)` in the first process that asks for the name; every process gets folder and result.

    Nobody writes into such a folder afterwards: who wants to, copies.
    """
    base = tmp_path_factory.getbasetemp()
    base = base.parent if "PYTEST_XDIST_WORKER" in os.environ else base

    def made(name: str, make: Callable[[Path], Any]) -> tuple[Path, Any]:
        folder, result = base / f"once-{name}", base / f"once-{name}.pickle"
        with (base / f"once-{name}.lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            if not result.exists():
                folder.mkdir()
                result.write_bytes(pickle.dumps(make(folder)))
        return folder, pickle.loads(result.read_bytes())

    return made


@pytest.fixture(scope="session")
def sample_template(made_once: MadeOnce) -> tuple[Path, Any]:
    """The file of the sample study, to be copied or only read, and the report of its loading."""

    def make(folder: Path) -> Any:
        with open_database(folder / "sample.db", create=True) as db:
            return load_sample(db)

    folder, report = made_once("sample", make)
    return folder / "sample.db", report
