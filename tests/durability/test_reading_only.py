"""Reports and exports only read: from a file that may not be written, beside a program that holds the write lock, and
while somebody annotates. What writes is refused with a sentence."""

import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path

import orjson
import pytest
from command_line import Ended, run
from sqlalchemy import insert
from studies import tiny_study

import alps_tui
from store import models as m
from store.database import open_database

REPORTS = {
    "agreement": ["agreement", "--json"],
    "agreement as published": ["agreement", "--as-published", "--json"],
    "progress": ["progress", "--json"],
    "verify": ["verify", "--json"],
    "raters": ["rater", "list", "--json"],
    "judge card": ["judge", "card", "baseline-lexical", "--json"],
    "doctor": ["doctor", "--json"],
    "long table": ["export", "long", "{out}/long"],
    "memories": ["export", "memories", "{out}/memories"],
    "backup": ["backup", "{out}/copy.db"],
}
WRITING = {
    "items": ["items"],
    "rater add": ["rater", "add", "cleo"],
    "judge run": ["judge", "run", "--offline"],
}
HOLDER = """
import sqlite3, sys
held = sqlite3.connect(sys.argv[1], isolation_level=None)
held.execute("BEGIN IMMEDIATE")
print("held", flush=True)
sys.stdin.read()
"""
ANNOTATOR = """
import sys, uuid
from studies import act
from store.assignments import assignments, rater_by_name
from store.content import item_view
from store.database import open_database
from store.decisions import append
from store.kinds import Verb
from store.records import Change
db = open_database(sys.argv[1])
with db.read() as conn:
    mine = assignments(conn, rater_by_name(conn, "ada").id, "memory-verification")[0]
    units = [unit.id for unit in item_view(conn, mine.id).units if unit.shown_id.startswith("m")]
for count in range(10**9):
    with db.write() as conn:
        append(conn, act(Verb.SET, mine, Change("verdict", ("keep", "delete")[count % 2], units[count % len(units)])))
    print(count, flush=True)
"""


@pytest.fixture(scope="module")
def sample(sample_template: tuple[Path, object], tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The sample study with a judge that has answered it."""
    path = tmp_path_factory.mktemp("sample") / "alps.db"
    shutil.copyfile(sample_template[0], path)
    assert run("judge", "run", "--offline", "--db", path).code == 0
    return path


def reported(study: Path, arguments: list[str], out: Path) -> Ended:
    return run(*(part.format(out=out) for part in arguments), "--db", study)


@contextmanager
def program(source: str, study: Path) -> Iterator[subprocess.Popen[str]]:
    """A program beside this one, at work from its first line on."""
    tests = Path(__file__).parents[1]
    beside = subprocess.Popen(
        [sys.executable, "-c", source, str(study)],
        stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
        text=True,
        env=os.environ | {"PYTHONPATH": os.pathsep.join((str(tests), str(tests.parent)))},
    )
    assert beside.stdin is not None
    assert beside.stdout is not None
    try:
        assert beside.stdout.readline()
        yield beside
    finally:
        beside.kill()
        beside.wait()
        beside.stdin.close()
        beside.stdout.close()


def test_no_report_or_export_waits_for_the_write_lock(sample: Path, tmp_path: Path) -> None:
    free = {name: reported(sample, arguments, tmp_path / "free").code for name, arguments in REPORTS.items()}
    with program(HOLDER, sample):
        held = {
            name: reported(sample, arguments, tmp_path / "held").code for name, arguments in REPORTS.items()
        }
    assert held == free
    assert set(free.values()) <= {0, 1, 3}, free


def test_what_writes_says_that_the_study_is_busy(
    sample: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    from store import connections

    monkeypatch.setattr(connections, "BUSY_TIMEOUT_MS", 100)
    with program(HOLDER, sample):
        refused = run("rater", "add", "cleo", "--db", sample)
    assert refused.code == 4
    assert "another program" in refused.err
    assert refused.err.count("\n") == 1


# ---------------------------------------------------------------- a study that may not be written


def as_nobody(work: Callable[[], dict[str, list[object]]]) -> dict[str, list[object]]:
    """What `work` returns in a child that is a user without rights; the modules were imported before.

    Root may write everything whatever the file's mode says, so a mode alone would refuse nothing here.
    """
    reading, writing = os.pipe()
    child = os.fork()
    if child == 0:
        try:
            if os.geteuid() == 0:
                os.setgid(65534)
                os.setuid(65534)
            os.write(writing, orjson.dumps(work()))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return orjson.loads(told)


@pytest.mark.skipif(os.name != "posix", reason="file modes are POSIX's")
def test_a_study_that_may_not_be_written_is_reported_and_exported_and_refused_for_writing(
    sample: Path, tmp_path: Path
) -> None:
    place = Path(tempfile.mkdtemp())
    try:
        folder, out = place / "study", place / "out"
        for made in (folder, out):
            made.mkdir()
        shutil.copy(sample, folder / "alps.db")
        every = REPORTS | WRITING
        expected = {name: reported(sample, arguments, tmp_path).code for name, arguments in REPORTS.items()}
        for arguments in WRITING.values():  # their modules are imported now
            run(*arguments, "--db", folder / "alps.db")
        before = (folder / "alps.db").read_bytes()
        for path, mode in ((place, 0o755), (out, 0o777), (folder / "alps.db", 0o444), (folder, 0o555)):
            path.chmod(mode)

        def work() -> dict[str, list[object]]:
            if not os.access(Path(alps_tui.__file__).parent / "protocols", os.R_OK | os.X_OK):
                return {}
            ended = {name: reported(folder / "alps.db", arguments, out) for name, arguments in every.items()}
            return {name: [one.code, one.err] for name, one in ended.items()}

        told = as_nobody(work)
        if not told:
            pytest.skip("a user without rights cannot read this checkout")
        assert {name: told[name][0] for name in REPORTS} == expected
        for name in WRITING:
            code, sentence = told[name]
            assert code == 2, name
            assert "may not be written" in str(sentence)
            assert str(sentence).count("\n") == 1
        assert (folder / "alps.db").read_bytes() == before
        assert [file.name for file in folder.iterdir()] == ["alps.db"]
    finally:
        (place / "study").chmod(0o755)
        shutil.rmtree(place)


@pytest.mark.parametrize("arguments", WRITING.values(), ids=WRITING)
def test_a_newer_study_is_refused_for_writing_with_one_sentence(tmp_path: Path, arguments: list[str]) -> None:
    with tiny_study(tmp_path / "alps.db") as db, db.write() as conn:
        conn.execute(insert(m.schema_migration), {"number": 999, "name": "later", "applied_at": "2030"})
    refused = run(*arguments, "--db", tmp_path / "alps.db")
    assert refused.code == 2
    assert "newer version" in refused.err
    assert refused.err.count("\n") == 1


@pytest.mark.parametrize("arguments", WRITING.values(), ids=WRITING)
def test_a_study_on_a_network_filesystem_is_refused_for_writing_with_one_sentence(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, arguments: list[str]
) -> None:
    tiny_study(tmp_path / "alps.db").close()
    monkeypatch.setattr("store.filesystem.read_mounts", lambda: ((str(tmp_path), "nfs4", "rw"),))
    refused = run(*arguments, "--db", tmp_path / "alps.db")
    assert refused.code == 2
    assert "network filesystem (nfs4)" in refused.err
    assert refused.err.count("\n") == 1
    assert run("progress", "--db", tmp_path / "alps.db").code == 0


# ---------------------------------------------------------------- while somebody annotates


def test_the_doctor_finds_all_well_and_backups_are_whole_while_somebody_annotates(tmp_path: Path) -> None:
    study = tmp_path / "alps.db"
    tiny_study(study).close()
    decided: list[int] = []
    with program(ANNOTATOR, study) as annotator:
        assert annotator.stdout is not None
        for number in range(4):
            found = {check["check"]: check["well"] for check in run("doctor", "--json", "--db", study).json}
            assert set(found) >= {"integrity", "journal", "schema", "disk", "filesystem", "clock"}
            assert all(well for name, well in found.items() if name != "disk"), found
            copy = tmp_path / f"copy-{number}.db"
            assert run("backup", copy, "--db", study).code == 0
            assert run("verify", "--db", copy).code == 0
            with open_database(copy, read_only=True) as db, db.read() as conn:
                decided.append(len(conn.execute(m.decision.select()).all()))
            assert annotator.poll() is None
            last = int(annotator.stdout.readline())
    assert 0 < decided[0] < decided[-1]
    assert last > 0
    assert run("verify", "--db", study).code == 0
