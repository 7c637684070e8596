"""Large files: an import that is stopped or killed goes on, ends as one run does, and lets others write meanwhile."""

import json
import os
import signal
import sqlite3
import subprocess
import sys
import time
from collections.abc import Callable
from pathlib import Path

import pytest
from big_files import bundle_of, plain_dialogue, session_packet, write_big
from command_line import run
from source_samples import plain_line, write_lines
from sqlalchemy import func, select
from studies import act
from terminal import Terminal

from alps_tui.sources.importer import import_paths
from store import content
from store import models as m
from store.assignments import assignments, rater_by_name
from store.content_records import Annotation, SourceRecord
from store.database import open_database
from store.decisions import append, verify
from store.ingest import UNFINISHED, add_file, add_parts, add_record, begin_record, end_record
from store.kinds import Verb
from store.records import Change
from store.views import item_view

CONTENT = (
    m.source_file,
    m.source_record,
    m.lint,
    m.dialogue,
    m.turn,
    m.memory,
    m.query,
    m.response,
    m.annotation,
    m.rater,
    m.item,
    m.unit,
)
WHEN = frozenset({"imported_at", "created_at"})


def assert_same_content(one: Path, other: Path) -> None:
    """Every row of content and of items, row ids included; only when it was written may differ."""
    with (
        open_database(one, read_only=True) as first,
        open_database(other, read_only=True) as second,
        first.read() as here,
        second.read() as there,
    ):
        for table in CONTENT:
            query = select(*(column for column in table.c if column.name not in WHEN)).order_by(
                *table.primary_key
            )
            for left, right in zip(here.execute(query), there.execute(query), strict=True):
                assert left == right, table.name


def rows(path: Path, table: str) -> int:
    """Of a study that may not be there yet."""
    try:
        with sqlite3.connect(f"file:{path}?mode=ro", uri=True) as connection:
            return int(connection.execute(f"SELECT COUNT(*) FROM {table}").fetchone()[0])
    except sqlite3.OperationalError:
        return 0


def importing(file: Path, study: Path) -> subprocess.Popen[str]:
    """`alps import` in a process of its own."""
    return subprocess.Popen(
        [sys.executable, "-m", "alps_tui", "import", str(file), "--db", str(study)],
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        text=True,
        env={k: v for k, v in os.environ.items() if not k.startswith("ALPS_")},
    )


def stop_half_way(
    process: subprocess.Popen[str], study: Path, table: str, at_least: int, how: int
) -> tuple[int, str]:
    """Send the signal once the study has so many rows; exit code and what was said."""
    until = time.monotonic() + 60
    while rows(study, table) < at_least and process.poll() is None and time.monotonic() < until:
        time.sleep(0.005)
    process.send_signal(how)
    _, said = process.communicate(timeout=60)
    return process.returncode, said


def bundle_file(tmp_path: Path, annotations: int) -> Path:
    path = tmp_path / "annotation_data_1.json"
    path.write_text(json.dumps(bundle_of(annotations)))
    return path


# ---------------------------------------------------------------- records that take several transactions


def test_a_long_record_in_steps_is_the_record_at_once(tmp_path: Path) -> None:
    made = tuple(Annotation("s", f"d{i % 7}", "task1", "ada", "a", {"said": i % 9}) for i in range(40))
    record = SourceRecord(1, "r", b"raw", made)
    with open_database(tmp_path / "once.db", create=True) as db, db.write() as conn:
        at_once = add_record(conn, add_file(conn, "f", "0", "x"), record)
    with open_database(tmp_path / "steps.db", create=True) as db:
        with db.write() as conn:
            file_id = add_file(conn, "f", "0", "x")
            number = begin_record(conn, file_id, record)
            assert number is not None
            counts = add_parts(conn, number, made[:25])
        with db.write() as conn:
            assert [one.reason for one in content.quarantined(conn)] == [UNFINISHED]
            assert begin_record(conn, file_id, record) == number
            for start in range(0, 40, 25):
                counts += add_parts(conn, number, made[start : start + 25])
            counts += end_record(conn, number, record)
            assert end_record(conn, number, record) == {"same": 1}
            assert begin_record(conn, file_id, record) is None
            assert content.quarantined(conn) == ()
    assert counts == at_once
    assert_same_content(tmp_path / "once.db", tmp_path / "steps.db")


def test_a_bundle_killed_half_way_and_imported_again_is_the_bundle_at_once(tmp_path: Path) -> None:
    file = bundle_file(tmp_path, 2_500)
    with open_database(tmp_path / "once.db", create=True) as db:
        import_paths(db, [file])
    again = tmp_path / "again.db"
    stop_half_way(importing(file, again), again, "annotation", 1, signal.SIGKILL)
    assert 0 < rows(again, "annotation") < 2_500
    with open_database(again) as db:
        with db.read() as conn:
            assert [one.reason for one in content.quarantined(conn)] == [UNFINISHED]
        report = import_paths(db, [file])
    assert report.complete
    assert_same_content(tmp_path / "once.db", again)


def test_who_decides_while_a_bundle_comes_in_is_never_refused(tmp_path: Path) -> None:
    study, file = tmp_path / "alps.db", bundle_file(tmp_path, 2_500)
    own = write_lines(tmp_path / "own.jsonl", plain_line())
    assert run("import", own, "--db", study).code == run("rater", "add", "ada", "--db", study).code == 0
    with open_database(study) as db:
        with db.read() as conn:
            ada = rater_by_name(conn, "ada")
            assert ada is not None
            mine = assignments(conn, ada.id, "memory-verification")[0]
            unit = item_view(conn, mine.id).units[1].id
        process = importing(file, study)
        decided, while_it_came = 0, set()
        while process.poll() is None:
            with db.write() as conn:
                append(conn, act(Verb.SET, mine, Change("verdict", ("keep", "delete")[decided % 2], unit)))
            decided += 1
            while_it_came.add(rows(study, "annotation"))
            time.sleep(0.002)
        process.communicate()
        assert process.returncode == 0
        with db.read() as conn:
            assert conn.execute(select(func.count()).select_from(m.decision)).scalar_one() >= decided
            assert verify(conn) == ()
    assert len(while_it_came - {0, 2_500}) > 5


# ---------------------------------------------------------------- many lines


@pytest.mark.parametrize("make", [plain_dialogue, pytest.param(session_packet, marks=pytest.mark.slow)])
def test_ctrl_c_says_how_far_it_came_and_the_same_command_goes_on(
    tmp_path: Path, make: Callable[..., object]
) -> None:
    _stopped_and_gone_on(tmp_path, 2_500_000, make)


@pytest.mark.slow
@pytest.mark.parametrize("make", [plain_dialogue, session_packet])
def test_300_megabytes_of_lines_stop_go_on_and_stay_within_the_memory(
    tmp_path: Path, make: Callable[..., object]
) -> None:
    _stopped_and_gone_on(tmp_path, 300_000_000, make)
    bare, peak = (_peak_of(tmp_path, imports) for imports in (False, True))
    assert peak - bare < 300


def _stopped_and_gone_on(tmp_path: Path, size: int, make: Callable[..., object]) -> None:
    file, study, once = tmp_path / "big.jsonl", tmp_path / "alps.db", tmp_path / "once.db"
    lines = write_big(file, size, make)

    code, said = stop_half_way(importing(file, study), study, "dialogue", lines // 4, signal.SIGINT)

    assert code == 130
    assert said.count("\n") == 1
    assert said.startswith("Stopped at ") and "the same command goes on" in said
    assert lines // 4 <= rows(study, "dialogue") < lines
    for one in (study, once):
        process = importing(file, one)
        _, said = process.communicate(timeout=900)
        assert process.returncode == 0, said
    assert_same_content(study, once)


def _peak_of(tmp_path: Path, imports: bool) -> float:
    """Peak memory in MB of an import of the large file, or of a process that only has its imports."""
    code = (
        "import sys, resource; import alps_tui.sources.importer, alps_tui.items.build, alps_tui.items.derive, store.database\n"
        "from alps_tui.cli import run_command\n"
        "if len(sys.argv) > 2: run_command(['import', *sys.argv[1:]])\n"
        "print(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1000)"
    )
    arguments = [tmp_path / "big.jsonl", "--db", tmp_path / "peak.db"] if imports else []
    ended = subprocess.run(
        [sys.executable, "-c", code, *map(str, arguments)], capture_output=True, text=True, check=True
    )
    return float(ended.stdout.splitlines()[-1])


def test_the_bar_is_drawn_on_a_terminal_and_ctrl_c_there_leaves_it_clean(tmp_path: Path) -> None:
    file, study = tmp_path / "big.jsonl", tmp_path / "alps.db"
    lines = write_big(file, 5_000_000, plain_dialogue)
    terminal = Terminal.start(["import", str(file), "--db", str(study)])
    until = time.monotonic() + 60
    while rows(study, "dialogue") < lines // 4 and time.monotonic() < until:
        terminal.read(0.02)
    terminal.process.send_signal(signal.SIGINT)
    while terminal.read(0.5):
        pass
    assert terminal.process.wait(timeout=30) == 130
    os.close(terminal.descriptor)
    text = terminal.bytes_read.decode()
    assert "Importing" in text and "Stopped at" in text
    assert text.rindex("\x1b[?25h") > text.rindex("\x1b[?25l")
