"""Opening a study: what is asserted of every connection, and what is refused with a sentence."""

import os
import shutil
import sqlite3
import tempfile
from collections.abc import Callable
from pathlib import Path

import pytest
from sqlalchemy import insert, select
from studies import tiny_study

from store import models as m
from store.connections import BUSY_TIMEOUT_MS
from store.database import (
    Database,
    StudyBusy,
    StudyMissing,
    StudyNewer,
    StudyReadOnly,
    StudyUnreadable,
    StudyUnsafe,
    backup,
    open_database,
)
from store.errors import StoreError, StudyDamaged
from store.filesystem import network_filesystem, parse_mount_command, parse_proc_mounts


def a_rater(name: str) -> dict[str, str]:
    return {"name": name, "kind": "human", "params": "{}", "created_at": "2026"}


def pragma(conn: object, name: str) -> object:
    return conn.exec_driver_sql(f"PRAGMA {name}").scalar()  # type: ignore[attr-defined]


def test_every_connection_is_in_wal_full_with_foreign_keys_and_a_busy_timeout(study: Database) -> None:
    for opened in (study.read, study.write, study.read, study.write):
        with opened() as conn:
            assert pragma(conn, "journal_mode") == "wal"
            assert pragma(conn, "synchronous") == 2
            assert pragma(conn, "foreign_keys") == 1
            assert pragma(conn, "busy_timeout") == BUSY_TIMEOUT_MS


def test_a_write_holds_the_lock_from_its_first_moment(study: Database) -> None:
    with study.write():
        other = sqlite3.connect(str(study.path), timeout=0)
        with pytest.raises(sqlite3.OperationalError, match="locked"):
            other.execute("BEGIN IMMEDIATE")
        other.close()


def test_a_failed_write_leaves_nothing_behind(study: Database) -> None:
    with pytest.raises(ZeroDivisionError), study.write() as conn:
        conn.execute(insert(m.rater), a_rater("ghost"))
        raise ZeroDivisionError
    with study.read() as conn:
        assert "ghost" not in conn.execute(select(m.rater.c.name)).scalars().all()


def test_a_read_sees_one_moment_of_the_study(study: Database) -> None:
    with study.read() as conn:
        before = len(conn.execute(select(m.rater.c.id)).all())
        with study.write() as writing:
            writing.execute(insert(m.rater), a_rater("late"))
        assert len(conn.execute(select(m.rater.c.id)).all()) == before


def test_a_reading_connection_cannot_write(study: Database) -> None:
    with pytest.raises(StudyReadOnly), study.read() as conn:
        conn.execute(insert(m.rater), a_rater("ghost"))


def test_a_study_opened_for_reading_refuses_to_write_and_changes_no_byte(study: Database) -> None:
    study.close()
    assert study.path is not None
    before = study.path.read_bytes()
    with open_database(study.path, read_only=True) as opened:
        with pytest.raises(StudyReadOnly), opened.write():
            pass
        with opened.read() as conn:
            assert conn.execute(select(m.dialogue.c.id)).all()
    assert study.path.read_bytes() == before


def test_a_reader_sees_what_a_writer_commits_meanwhile(study: Database) -> None:
    assert study.path is not None
    with open_database(study.path, read_only=True) as reader:
        with study.write() as conn:
            conn.execute(insert(m.rater), a_rater("cleo"))
        with reader.read() as conn:
            assert "cleo" in conn.execute(select(m.rater.c.name)).scalars().all()


def test_opening_twice_changes_nothing_and_keeps_the_studys_identity(tmp_path: Path) -> None:
    path = tmp_path / "alps.db"
    with open_database(path, create=True) as db, db.read() as conn:
        first = conn.execute(select(m.study.c.id)).scalars().all()
    with open_database(f"sqlite:///{path}", create=True) as db, db.read() as conn:
        assert conn.execute(select(m.study.c.id)).scalars().all() == first
    assert [file.name for file in tmp_path.iterdir()] == ["alps.db"]


def test_a_path_may_hold_blanks_and_signs_that_mean_something_in_a_url(tmp_path: Path) -> None:
    folder = tmp_path / "a b?c=d#e%20f ü"
    folder.mkdir()
    with open_database(folder / "my study.db", create=True) as db, db.read() as conn:
        assert conn.execute(select(m.study.c.id)).all()
    assert (folder / "my study.db").exists()


# ---------------------------------------------------------------- refusals


def refused(path: Path | str, error: type[StoreError], *words: str, **how: bool) -> None:
    with pytest.raises(error) as caught:
        open_database(path, **how)
    sentence = str(caught.value)
    assert sentence.endswith((".", "verify", "backup", "alps-tui")) or "alps" in sentence
    assert "\n" not in sentence
    for word in words:
        assert word in sentence


def test_a_study_that_is_not_there_is_missing_unless_it_may_be_made(tmp_path: Path) -> None:
    refused(tmp_path / "alps.db", StudyMissing, "alps.db", "alps init")
    refused(tmp_path / "alps.db", StudyMissing, "alps.db", create=True, read_only=True)
    assert not (tmp_path / "alps.db").exists()


def test_a_folder_that_is_not_there_is_named(tmp_path: Path) -> None:
    refused(tmp_path / "nowhere" / "alps.db", StudyMissing, "nowhere", create=True)


def test_a_folder_is_no_study(tmp_path: Path) -> None:
    refused(tmp_path, StudyUnreadable, "is a folder", create=True)


def test_a_file_that_is_no_database_is_refused_and_left_alone(tmp_path: Path) -> None:
    path = tmp_path / "notes.txt"
    path.write_text("not a database, but somebody's notes\n" * 50)
    before = path.read_bytes()
    refused(path, StudyUnreadable, "not a SQLite database", create=True)
    refused(path, StudyUnreadable, "not a SQLite database", read_only=True)
    assert path.read_bytes() == before


def test_another_programs_database_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "other.db"
    other = sqlite3.connect(path)
    other.execute("CREATE TABLE bookmarks (url TEXT)")
    other.commit()
    other.close()
    refused(path, StudyUnreadable, "no study", create=True)
    marked = sqlite3.connect(path)
    marked.execute("PRAGMA application_id = 1234")
    marked.close()
    refused(path, StudyUnreadable, "another program", create=True)


def test_a_newer_study_is_refused_for_writing_and_for_reading(study: Database) -> None:
    with study.write() as conn:
        conn.execute(insert(m.schema_migration), {"number": 999, "name": "later", "applied_at": "2030"})
    study.close()
    assert study.path is not None
    refused(study.path, StudyNewer, "newer version", "pip install")
    refused(study.path, StudyNewer, "newer version", read_only=True)


def test_a_damaged_study_is_refused_with_a_sentence(study: Database) -> None:
    study.close()
    assert study.path is not None
    data = bytearray(study.path.read_bytes())
    data[100:3000] = b"\xff" * 2900
    study.path.write_bytes(data)
    refused(study.path, StudyDamaged, "damaged")


def test_an_empty_file_is_no_study_until_somebody_makes_one_there(tmp_path: Path) -> None:
    path = tmp_path / "alps.db"
    path.touch()
    for read_only in (False, True):
        refused(path, StudyMissing, "is empty", read_only=read_only)
        assert path.stat().st_size == 0
    open_database(path, create=True).close()
    assert path.stat().st_size > 0


def test_other_databases_and_memory_are_refused_with_a_sentence(tmp_path: Path) -> None:
    refused("postgresql://lead:secret@host/alps", StudyUnreadable, "SQLite")
    refused("sqlite://", StudyUnreadable, "memory")
    refused("nonsense://", StudyUnreadable)
    with pytest.raises(StudyUnreadable) as caught:
        open_database("postgresql://lead:secret@host/alps")
    assert "secret" not in str(caught.value)


def test_a_locked_study_says_that_it_is_busy(study: Database, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("store.connections.BUSY_TIMEOUT_MS", 50)
    assert study.path is not None
    with study.write():
        impatient = Database(study.path, read_only=False)
        with pytest.raises(StudyBusy, match="another program"), impatient.write():
            pass
        impatient.close()


def as_nobody(work: Callable[[], str]) -> str:
    """What `work` returns in a child process of a user without rights (a new Python could not even be started)."""
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            os.setuid(65534)
            os.write(writing, work().encode())
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading) as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return told


@pytest.mark.skipif(
    os.name != "posix" or os.geteuid() != 0, reason="only root can become a user without rights"
)
def test_without_permission_to_write_a_study_is_refused_for_writing_and_read_all_the_same() -> None:
    folder = Path(tempfile.mkdtemp())
    try:
        folder.chmod(0o755)
        tiny_study(folder / "alps.db").close()
        (folder / "alps.db").chmod(0o644)

        def opened(read_only: bool) -> str:
            try:
                with open_database(folder / "alps.db", read_only=read_only) as db, db.read() as conn:
                    return f"{len(conn.execute(select(m.dialogue.c.id)).all())} dialogues"
            except StoreError as error:
                return f"{type(error).__name__}: {error}"

        assert as_nobody(lambda: opened(read_only=False)).startswith("StudyUnreadable: ")
        assert as_nobody(lambda: opened(read_only=True)) == "2 dialogues"
    finally:
        shutil.rmtree(folder)


# ---------------------------------------------------------------- filesystems


MOUNTS = """\
/dev/sda1 / ext4 rw,relatime 0 0
server:/export /home nfs4 rw,vers=4.2 0 0
tmpfs /home/ada/scratch tmpfs rw 0 0
//nas/share /mnt/my\\040share cifs rw 0 0
C:\\134 /mnt/c 9p rw,aname=drvfs;path=C:\\ 0 0
"""


@pytest.mark.parametrize(
    ("path", "kind"),
    [
        ("/data/alps.db", None),
        ("/home/ada/alps.db", "nfs4"),
        ("/home/ada/scratch/alps.db", None),
        ("/homes/alps.db", None),
        ("/mnt/my share/alps.db", "cifs"),
        ("/mnt/c/Users/alps.db", "9p"),
    ],
)
def test_the_longest_mount_point_tells_the_filesystem(path: str, kind: str | None) -> None:
    assert network_filesystem(Path(path), parse_proc_mounts(MOUNTS)) == kind


def test_the_mounts_of_a_mac_are_read_too() -> None:
    listed = (
        "/dev/disk1s1 on / (apfs, local, journaled)\n//ada@nas/share on /Volumes/a b (smbfs, nodev, nosuid)\n"
    )
    mounts = parse_mount_command(listed)
    assert mounts == (("/", "apfs", "local, journaled"), ("/Volumes/a b", "smbfs", "nodev, nosuid"))


def test_a_network_filesystem_is_refused_for_writing(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    tiny_study(tmp_path / "alps.db").close()
    mounts = ((str(tmp_path), "nfs4", "rw"),)
    monkeypatch.setattr("store.filesystem.read_mounts", lambda: mounts)
    refused(tmp_path / "alps.db", StudyUnsafe, "nfs4", "local disk", "alps backup")
    with open_database(tmp_path / "alps.db", read_only=True) as db, db.read() as conn:
        assert conn.execute(select(m.dialogue.c.id)).all()


def test_changes_waiting_in_the_log_on_a_network_filesystem_are_not_read_halfway(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    db = tiny_study(tmp_path / "alps.db")
    mounts = ((str(tmp_path), "nfs4", "rw"),)
    monkeypatch.setattr("store.filesystem.read_mounts", lambda: mounts)
    refused(tmp_path / "alps.db", StudyUnsafe, "alps.db-wal", read_only=True)
    db.close()


# ---------------------------------------------------------------- backup


def test_a_backup_is_whole_while_somebody_writes(study: Database, tmp_path: Path) -> None:
    with study.write() as conn:
        conn.execute(insert(m.rater), a_rater("cleo"))
    with study.write() as conn:
        conn.execute(insert(m.rater), a_rater("not yet"))
        backup(study, tmp_path / "copy.db")
    with open_database(tmp_path / "copy.db") as copy, copy.read() as conn:
        names = conn.execute(select(m.rater.c.name)).scalars().all()
    assert "cleo" in names
    assert "not yet" not in names


def test_a_backup_never_overwrites_and_leaves_nothing_half_done(study: Database, tmp_path: Path) -> None:
    (tmp_path / "copy.db").write_text("mine")
    with pytest.raises(StudyUnreadable, match="exists already"):
        backup(study, tmp_path / "copy.db")
    with pytest.raises(StudyMissing, match="does not exist"):
        backup(study, tmp_path / "nowhere" / "copy.db")
    assert (tmp_path / "copy.db").read_text() == "mine"
    assert not [file for file in tmp_path.iterdir() if "unfinished" in file.name]
