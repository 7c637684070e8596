"""The sample study, loaded once for all tests of this room; none of them writes to it."""

from collections.abc import Iterator

import pytest

from alps_tui.demo.load import SampleReport, load_sample
from store.database import Database, open_database


@pytest.fixture(scope="session")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, SampleReport]]:
    db = open_database(tmp_path_factory.mktemp("sample") / "sample.db", create=True)
    yield db, load_sample(db)
    db.close()
