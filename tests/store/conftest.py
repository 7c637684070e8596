"""A tiny study and what is asked of it again and again."""

import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from studies import tiny_study

from store.assignments import assignments, rater_by_name
from store.content import item_view
from store.database import Database, open_database
from store.records import Assignment, ItemView


@pytest.fixture(scope="session")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tiny study, made once and copied for each test."""
    path = tmp_path_factory.mktemp("template") / "alps.db"
    tiny_study(path).close()
    return path


@pytest.fixture
def study_path(template: Path, tmp_path: Path) -> Path:
    """A study of one's own that nobody has opened."""
    shutil.copyfile(template, tmp_path / "alps.db")
    return tmp_path / "alps.db"


@pytest.fixture
def study(study_path: Path) -> Iterator[Database]:
    """Two dialogues, both forms' items, raters ada and ben with their queues."""
    db = open_database(study_path)
    yield db
    db.close()


@pytest.fixture
def queue(study: Database) -> tuple[Assignment, ...]:
    """ada's memory-verification items in her order."""
    with study.read() as conn:
        ada = rater_by_name(conn, "ada")
        assert ada is not None
        return assignments(conn, ada.id, "memory-verification")


@pytest.fixture
def first(queue: tuple[Assignment, ...]) -> Assignment:
    return queue[0]


@pytest.fixture
def view(study: Database, first: Assignment) -> ItemView:
    with study.read() as conn:
        return item_view(conn, first.id)
