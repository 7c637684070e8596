"""Open a study: its place, schema, migrations, backup. What is SQLite's own is here and in `store.connections`."""

import os
import re
import sqlite3
import uuid
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING
from urllib.parse import quote

from sqlalchemy import Connection, insert, inspect, select
from sqlalchemy.engine import make_url
from sqlalchemy.exc import ArgumentError

from store import models as m
from store.connections import begin_writing, engine_of, translated
from store.encoding import now
from store.errors import (
    StoreError,
    StudyBusy,
    StudyMissing,
    StudyNewer,
    StudyReadOnly,
    StudyUnreadable,
    StudyUnsafe,
)
from store.filesystem import network_filesystem
from store.migrations.steps import MIGRATIONS, Migration

if TYPE_CHECKING:
    from store.recovery import Recovered

__all__ = [
    "Database",
    "StoreError",
    "StudyBusy",
    "StudyMissing",
    "StudyNewer",
    "StudyReadOnly",
    "StudyUnreadable",
    "StudyUnsafe",
    "backup",
    "open_database",
]

APPLICATION_ID = 0x414C5053
"""Stands in the header of every study file: "ALPS"."""

_APPEND_ONLY = (
    """CREATE TRIGGER IF NOT EXISTS decision_is_never_changed BEFORE UPDATE ON decision
       BEGIN SELECT RAISE(ABORT, 'the log of decisions is append only'); END""",
    """CREATE TRIGGER IF NOT EXISTS decision_is_never_removed BEFORE DELETE ON decision
       BEGIN SELECT RAISE(ABORT, 'the log of decisions is append only'); END""",
)


class Database:
    """One study. `read` and `write` may be called from any thread; each call has its own connection."""

    def __init__(self, path: Path, *, read_only: bool, create: bool = False, immutable: bool = False) -> None:
        self.path: Path | None = path
        self.url = f"sqlite:///{path}"
        self.read_only = read_only
        self.recovered: Recovered | None = None
        """What came of acts that an earlier program could not write; None if there were none."""
        self._reader = engine_of(path, "ro", immutable=immutable, any_journal=read_only)
        self._writer = None if read_only else engine_of(path, "rwc" if create else "rw")

    @contextmanager
    def read(self) -> Iterator[Connection]:
        """A read-only connection that sees one moment of the study until it is closed."""
        with translated(self.path), self._reader.connect() as connection, connection.begin():
            yield connection

    @contextmanager
    def write(self) -> Iterator[Connection]:
        """A connection that holds the write lock from the start; commits at the end, rolls back on an error.

        raises   StudyBusy if the lock was not free within the busy timeout, StudyReadOnly
        """
        with self.writing_connection() as connection, begin_writing(connection, self.path):
            yield connection

    @contextmanager
    def writing_connection(self) -> Iterator[Connection]:
        """A connection to keep for many `begin_writing`: what the writer thread holds."""
        if self._writer is None:
            raise StudyReadOnly(f"{self.path} was opened for reading; nothing can be written to it.")
        with translated(self.path), self._writer.connect() as connection:
            yield connection

    def close(self) -> None:
        """Give every connection back. A study may be closed twice."""
        self._reader.dispose()
        if self._writer is not None:
            self._writer.dispose()

    def __enter__(self) -> "Database":
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def integrity(db: Database) -> tuple[str, ...]:
    """What SQLite finds wrong with the file and its references; empty if nothing."""
    with db.read() as connection:
        found = [str(row[0]) for row in connection.exec_driver_sql("PRAGMA integrity_check(20)")]
        loose = connection.exec_driver_sql("PRAGMA foreign_key_check").fetchmany(20)
    broken = [] if found == ["ok"] else found
    return (*broken, *(f"a row of {row[0]} refers to a row of {row[2]} that is not there" for row in loose))


def journal_mode(db: Database) -> str:
    """How the file is written ahead: "wal" in a study."""
    assert db.path is not None
    with db.path.open("rb") as file:
        if file.read(20)[18:20] == b"\x02\x02":  # says so itself; a file read as unchanging answers otherwise
            return "wal"
    with db.read() as connection:
        return str(connection.exec_driver_sql("PRAGMA journal_mode").scalar())


# ---------------------------------------------------------------- opening


def open_database(
    url_or_path: str | Path,
    *,
    create: bool = False,
    read_only: bool = False,
    migrations: Sequence[Migration] = MIGRATIONS,
) -> Database:
    """Open the study at a path or a `sqlite:///` URL, upgrading an older one after a backup.

    create      make the study if there is none
    read_only   nothing is ever written, not even an upgrade; works on a medium that cannot be written
    raises      StudyMissing, StudyBusy, StudyNewer, StudyUnsafe, StudyUnreadable
    """
    path = _path_of(url_or_path)
    _check_place(path, create=create, read_only=read_only)
    if read_only:
        return _open_for_reading(path, migrations)
    fresh = not path.exists() or path.stat().st_size == 0
    if not fresh:
        _check_header(path)
        _check_tables(path)
    db = Database(path, read_only=False, create=fresh)
    try:
        with db.writing_connection():
            pass  # the first connection turns the write-ahead log on, which readers then ask for
        if fresh:
            _create_schema(db, migrations)
        else:
            _upgrade(db, migrations)
        db.recovered = _recover(db)
    except BaseException:
        db.close()
        raise
    return db


def _recover(db: Database) -> "Recovered | None":
    """What a failed writer left beside the study goes into the log before anybody reads it."""
    from store.recovery import recover, recovery_paths

    return recover(db) if recovery_paths(db) else None


def _path_of(url_or_path: str | Path) -> Path:
    text = str(url_or_path)
    if "://" not in text:
        return Path(text).expanduser().absolute()
    try:
        url = make_url(text)
    except ArgumentError:
        raise StudyUnreadable(
            f"{text!r} is no database URL. Use a path, or sqlite:///path/to/alps.db."
        ) from None
    if url.get_backend_name() != "sqlite":
        raise StudyUnreadable(
            f"{url.render_as_string(hide_password=True)}: this version keeps a study in one SQLite file. "
            "Use a path, or sqlite:///path/to/alps.db."
        )
    if not url.database or url.database == ":memory:":
        raise StudyUnreadable("A study in memory would be lost. Name a file: sqlite:///path/to/alps.db.")
    return Path(url.database).expanduser().absolute()


def _check_place(path: Path, *, create: bool, read_only: bool) -> None:
    folder = path.parent
    if not folder.is_dir():
        raise StudyMissing(
            f"The folder {folder} does not exist, so there can be no study in it. Make it first."
        )
    if path.is_dir():
        raise StudyUnreadable(
            f"{path} is a folder, not a study. Name a file, for instance {path / 'alps.db'}."
        )
    if not path.exists() and (read_only or not create):
        raise StudyMissing(f"There is no study at {path}. Make one with: alps init --db {path}")
    if path.exists() and path.stat().st_size == 0 and not create:
        raise StudyMissing(f"{path} is empty, and no study yet. Make one there with: alps init --db {path}")
    if path.exists() and not os.access(path, os.R_OK):
        raise StudyUnreadable(f"{path} may not be read by this user. Change its permissions.")
    if read_only:
        return
    if not os.access(folder, os.W_OK) or (path.exists() and not os.access(path, os.W_OK)):
        raise StudyUnreadable(
            f"{path} or its folder may not be written by this user. Change the permissions, or copy the study elsewhere."
        )
    kind = network_filesystem(folder)
    if kind is not None:
        raise StudyUnsafe(
            f"{path} is on a network filesystem ({kind}), where SQLite's write-ahead log can lose decisions. "
            "Keep the study on a local disk and copy it with: alps backup"
        )


def _check_header(path: Path) -> None:
    """Refuse what is no SQLite file, or one that belongs to another program, before anything touches it."""
    with path.open("rb") as file:
        header = file.read(100)
    if header[:16] != b"SQLite format 3\0":
        raise StudyUnreadable(
            f"{path} is not a SQLite database, so it is no study. Name another file with --db."
        )
    if int.from_bytes(header[68:72], "big") not in (0, APPLICATION_ID):
        raise StudyUnreadable(f"{path} is a database of another program. Name another file with --db.")


def _check_tables(path: Path) -> None:
    """Refuse another program's database before anything of it is changed, its journal mode included."""
    raw = sqlite3.connect(f"file:{quote(str(path))}?mode=ro", uri=True)
    try:
        tables = {row[0] for row in raw.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}
    except sqlite3.Error:
        return  # damaged or locked: opening it for writing says which
    finally:
        raw.close()
    if tables and m.schema_migration.name not in tables:
        raise StudyUnreadable(f"{path} is a SQLite database but no study. Name another file with --db.")


def dialogue_sources(path: Path) -> frozenset[str]:
    """Where the dialogues of a study come from, whatever version of the program wrote it; nothing is upgraded.

    raises   StudyBusy, StudyUnsafe, StudyUnreadable
    """
    db, _ = _of_any_version(path)
    try:
        with db.read() as connection:
            return frozenset(connection.execute(select(m.dialogue.c.source).distinct()).scalars())
    finally:
        db.close()


def _of_any_version(path: Path) -> tuple[Database, int]:
    """The study for reading, and the number of its schema."""
    _check_header(path)
    remote = network_filesystem(path.parent) is not None
    log = Path(f"{path}-wal")
    log_waits = log.exists() and log.stat().st_size > 0
    if remote and log_waits:
        raise StudyUnsafe(
            f"{path} has changes in {path.name}-wal that cannot be read safely over a network. "
            "Copy the study, on the machine where it is used, with: alps backup"
        )
    at_rest = not log_waits and (remote or not os.access(path.parent, os.W_OK))
    db = Database(path, read_only=True, immutable=at_rest)
    try:
        with db.read() as connection:
            return db, _version(connection, path)
    except BaseException:
        db.close()
        raise


def _open_for_reading(path: Path, migrations: Sequence[Migration]) -> Database:
    db, version = _of_any_version(path)
    if version > migrations[-1].number:
        db.close()
        raise _newer(path)
    if version < migrations[-1].number:
        db.close()
        raise StudyUnreadable(
            f"{path} was made by an older version. Open it once for writing, so that it is upgraded: alps items"
        )
    return db


def _newer(path: Path) -> StudyNewer:
    return StudyNewer(
        f"{path} was written by a newer version of alps. Upgrade with: pip install --upgrade alps-tui"
    )


# ---------------------------------------------------------------- schema


def _version(connection: Connection, path: Path) -> int:
    """The highest migration applied; 0 for an empty database."""
    tables = inspect(connection).get_table_names()
    if m.schema_migration.name not in tables:
        if tables:
            raise StudyUnreadable(f"{path} is a SQLite database but no study. Name another file with --db.")
        return 0
    numbers = connection.execute(select(m.schema_migration.c.number)).scalars().all()
    return max(numbers, default=0)


def _create_schema(db: Database, migrations: Sequence[Migration]) -> None:
    """Make the newest schema in one transaction. Two programs that start at once make it once."""
    assert db.path is not None
    with db.write() as connection:
        if _version(connection, db.path) > 0:
            return
        m.metadata.create_all(connection)
        for trigger in _APPEND_ONLY:
            connection.exec_driver_sql(trigger)
        connection.exec_driver_sql(f"PRAGMA application_id = {APPLICATION_ID}")
        connection.execute(insert(m.study), {"id": uuid.uuid4().hex, "created_at": now()})
        applied = [{"number": step.number, "name": step.name, "applied_at": now()} for step in migrations]
        connection.execute(insert(m.schema_migration), applied)


def _upgrade(db: Database, migrations: Sequence[Migration]) -> None:
    """Apply what is missing, each migration in one transaction with its record, each after a backup."""
    assert db.path is not None
    with db.read() as connection:
        version = _version(connection, db.path)
    if version > migrations[-1].number:
        raise _newer(db.path)
    if version == 0:
        _create_schema(db, migrations)
        return
    for step in migrations:
        if step.number > version:
            backup(db, _backup_name(db.path, step))
            _apply(db, step)


def _apply(db: Database, step: Migration) -> None:
    assert db.path is not None
    with db.write() as connection:
        if _version(connection, db.path) >= step.number:
            return  # another program was faster
        step.apply(connection)
        record = {"number": step.number, "name": step.name, "applied_at": now()}
        connection.execute(insert(m.schema_migration), record)


def _backup_name(path: Path, step: Migration) -> Path:
    stamp = re.sub(r"[^0-9T]", "", now().partition("+")[0])
    return path.with_name(f"{path.name}.before-migration-{step.number}-{stamp}")


# ---------------------------------------------------------------- backup


def backup(db: Database, target: Path) -> None:
    """Copy the study as it is at one moment to a new file, while others may go on writing.

    raises   StudyUnreadable if the target exists or cannot be written
    """
    assert db.path is not None
    if target.exists():
        raise StudyUnreadable(
            f"{target} exists already and was left alone. Name another file for the backup."
        )
    if not target.parent.is_dir():
        raise StudyMissing(f"The folder {target.parent} does not exist. Make it first.")
    unfinished = target.with_name(f".{target.name}.{uuid.uuid4().hex}.unfinished")
    try:
        copy = sqlite3.connect(unfinished)
        try:
            # read as it was opened: a folder that may not be written is no hindrance
            with db.read() as connection:
                source = connection.connection.dbapi_connection
                assert isinstance(source, sqlite3.Connection)
                with translated(unfinished):  # what goes wrong here goes wrong at the copy
                    source.backup(copy)
        finally:
            copy.close()
        with unfinished.open("rb+") as file:
            os.fsync(file.fileno())
        os.link(unfinished, target)
    except (StoreError, sqlite3.Error, OSError) as error:
        why = str(error).replace(str(unfinished), str(target)).rstrip(".")
        raise StudyUnreadable(f"The backup of {db.path} to {target} failed: {why}.") from error
    finally:
        unfinished.unlink(missing_ok=True)
