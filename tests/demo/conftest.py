"""The sample study, loaded once for all tests of this room; none of them writes to it."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from alps_tui.demo.load import SampleReport
from store.database import Database, open_database


@pytest.fixture(scope="session")
def sample(sample_template: tuple[Path, SampleReport]) -> Iterator[tuple[Database, SampleReport]]:
    file, report = sample_template
    with open_database(file, read_only=True) as db:
        yield db, report
