"""Watches a study while somebody works on it: every row that SQLite hands out, every statement that is sent."""

import sqlite3
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any
from unittest.mock import patch

from store.database import Database, open_database


@dataclass
class Watch:
    """What went over all connections of a study, of whatever thread."""

    rows: list[tuple[Any, ...]] = field(default_factory=list)
    statements: list[str] = field(default_factory=list)


@contextmanager
def watched_study(path: Path) -> Iterator[tuple[Database, Watch]]:
    """The study opened anew, with each of its connections under watch from its first statement on."""
    watch = Watch()

    class Watched(sqlite3.Connection):
        def __init__(self, *args: Any, **kwargs: Any) -> None:
            super().__init__(*args, **kwargs)
            self.row_factory = self.note
            self.set_trace_callback(watch.statements.append)

        @staticmethod
        def note(_: sqlite3.Cursor, row: tuple[Any, ...]) -> tuple[Any, ...]:
            watch.rows.append(row)
            return row

    connect = sqlite3.connect

    def watched(*args: Any, **kwargs: Any) -> sqlite3.Connection:
        return connect(*args, factory=Watched, **kwargs)

    with patch.object(sqlite3, "connect", watched), open_database(path) as db:
        yield db, watch
