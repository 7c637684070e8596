"""A fresh study for each test of the sources."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from store.database import Database, open_database


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with open_database(tmp_path / "study.db", create=True) as study:
        yield study
