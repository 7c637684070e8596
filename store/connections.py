"""Connections to a study's file: engines, pragmas, the write lock, and SQLite's errors as sentences."""

import random
import shutil
import sqlite3
import time
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from functools import cache
from pathlib import Path
from typing import Any
from urllib.parse import quote

from sqlalchemy import Connection, Dialect, Engine, Table, bindparam, create_engine, event, insert
from sqlalchemy.exc import DatabaseError
from sqlalchemy.pool import ConnectionPoolEntry, QueuePool

from store.errors import StoreError, StudyBusy, StudyDamaged, StudyReadOnly, StudyUnreadable, StudyUnsafe

BUSY_TIMEOUT_MS = 10_000

SHARED_MEMORY = 32_768
"""Bytes that SQLite takes beside a study for what its readers and its writer tell each other."""


@contextmanager
def begin_writing(connection: Connection, path: Path | None) -> Iterator[None]:
    """One immediate transaction on a connection of the writing engine."""
    with translated(path), connection.begin():
        yield


def writes_of_others(connection: Connection) -> int:
    """A number that changes when another connection has committed something, and not with one's own commits."""
    return int(connection.exec_driver_sql("PRAGMA data_version").scalar_one())


@contextmanager
def translated(path: Path | None) -> Iterator[None]:
    """SQLite's errors that a person can do something about, as sentences; all others pass as they are."""
    try:
        yield
    except (DatabaseError, sqlite3.Error) as error:
        sentence = _sentence(getattr(error, "orig", error), path)
        if sentence is None:
            raise
        raise sentence from error


def _sentence(error: BaseException | None, path: Path | None) -> StoreError | None:
    code = getattr(error, "sqlite_errorcode", None)
    primary = code & 0xFF if isinstance(code, int) else None
    if primary in (sqlite3.SQLITE_BUSY, sqlite3.SQLITE_LOCKED):
        waited = BUSY_TIMEOUT_MS // 1000
        return StudyBusy(
            f"{path} is being written by another program and did not get free within {waited} s. Try again."
        )
    if primary in (sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_CORRUPT):
        kind = StudyDamaged if primary == sqlite3.SQLITE_CORRUPT else StudyUnreadable
        return kind(
            f"{path} is damaged or no study: {error}. Restore a backup, or name another file with --db."
        )
    if primary == sqlite3.SQLITE_READONLY:
        return StudyReadOnly(
            f"{path} was opened for reading here, or may not be written by this user ({error})."
        )
    if primary == sqlite3.SQLITE_FULL or (primary == sqlite3.SQLITE_IOERR and _is_full(path)):
        return StudyUnreadable(
            f"The disk that holds {path} is full. Free some space; nothing of the study was changed."
        )
    if primary == sqlite3.SQLITE_CANTOPEN:
        return StudyUnreadable(
            f"{path} cannot be opened ({error}). Check that its folder may be read and written."
        )
    if primary == sqlite3.SQLITE_IOERR:
        return StudyUnreadable(
            f"The disk that holds {path} reported an error ({error}). Check the disk, then try again."
        )
    return None


def _is_full(path: Path | None) -> bool:
    """True if not even the memory that readers share fits on the disk: SQLite calls that an error of the disk."""
    try:
        return path is not None and shutil.disk_usage(path.parent).free < SHARED_MEMORY
    except OSError:
        return False


def engine_of(path: Path, mode: str, *, immutable: bool = False, any_journal: bool = False) -> Engine:
    """An engine whose every connection keeps the promise of durability, or is refused.

    any_journal   a study opened for reading only may be a copy that is not in WAL mode: nothing can be lost
    """
    uri = f"file:{quote(str(path))}?mode={mode}" + ("&immutable=1" if immutable else "")
    engine = create_engine(
        "sqlite://",
        creator=lambda: sqlite3.connect(uri, uri=True, check_same_thread=False),
        poolclass=QueuePool,
        pool_size=4,
        max_overflow=64,
    )

    @event.listens_for(engine, "connect")
    def prepare(raw: sqlite3.Connection, _: ConnectionPoolEntry) -> None:
        raw.isolation_level = None  # transactions are begun by us, below, and by nobody else
        _set_pragmas(raw, read_only=mode == "ro")
        _assert_pragmas(raw, read_only=mode == "ro", any_journal=any_journal)

    @event.listens_for(engine, "begin")
    def begin(connection: Connection) -> None:
        raw = connection.connection.dbapi_connection
        assert isinstance(raw, sqlite3.Connection)
        if mode == "ro":
            raw.execute("BEGIN")
        else:
            _begin_immediate(raw)

    return engine


def _begin_immediate(raw: sqlite3.Connection) -> None:
    """Take the write lock, asking for it again and again: every millisecond or two, the longer it waits the sooner.

    SQLite's own waiting sleeps up to 100 ms between two tries: with eight programs writing, the one that sleeps
    longest is overtaken again and again. Here the one that has waited longest is the likeliest to be next.
    """
    began = time.monotonic()
    raw.execute("PRAGMA busy_timeout = 0")
    try:
        while True:
            try:
                raw.execute("BEGIN IMMEDIATE")
                return
            except sqlite3.OperationalError as error:
                waited = time.monotonic() - began
                if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or waited > BUSY_TIMEOUT_MS / 1000:
                    raise
            time.sleep(random.uniform(0.5, 1.0) * _next_try(waited))
    finally:
        raw.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")


def _next_try(waited: float) -> float:
    """Seconds until the lock is asked for again: two milliseconds at first, a quarter of one after ten."""
    return max(0.00025, 0.002 - 0.175 * waited)


def _set_pragmas(raw: sqlite3.Connection, *, read_only: bool) -> None:
    raw.execute(f"PRAGMA busy_timeout = {BUSY_TIMEOUT_MS}")
    raw.execute("PRAGMA foreign_keys = ON")
    raw.execute("PRAGMA synchronous = FULL")
    if read_only:
        raw.execute("PRAGMA query_only = ON")
    else:
        raw.execute("PRAGMA journal_mode = WAL")


def _assert_pragmas(raw: sqlite3.Connection, *, read_only: bool, any_journal: bool) -> None:
    """Read every setting back: a build of SQLite that ignores one would break a promise in silence."""
    wanted: dict[str, object] = {"synchronous": 2, "foreign_keys": 1, "busy_timeout": BUSY_TIMEOUT_MS}
    if not any_journal:
        wanted["journal_mode"] = "wal"
    if read_only:
        wanted["query_only"] = 1
    for name, value in wanted.items():
        found = raw.execute(f"PRAGMA {name}").fetchone()[0]
        if found != value:
            raise StudyUnsafe(
                f"SQLite here keeps {name} at {found!r} where {value!r} is needed, so a saved decision could be lost. "
                "Move the study to a local disk, or use another build of Python."
            )


def insert_rows(connection: Connection, table: Table, rows: Iterable[Mapping[str, Any]]) -> None:
    """Rows of the same columns; by the driver alone, for of many small rows the statement's own layers cost most."""
    listed = list(rows)
    if not listed:
        return
    text, places = driver_insert(table, tuple(listed[0]), connection.dialect)
    values: Any = [tuple(row[name] for name in places) for row in listed] if places else listed
    connection.exec_driver_sql(text, values)


@cache
def driver_insert(table: Table, columns: tuple[str, ...], dialect: Dialect) -> tuple[str, tuple[str, ...]]:
    """An insert as the driver takes it, and the columns in the order of its places: none where they have names."""
    made = insert(table).values({name: bindparam(name) for name in columns}).compile(dialect=dialect)
    return made.string, tuple(made.positiontup or ())
