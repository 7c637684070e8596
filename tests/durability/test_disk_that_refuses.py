"""A disk that takes no more, in a real terminal: the kernel refuses to let the study's log grow."""

import resource
import signal
import sys
from pathlib import Path

import pytest
from command_line import run
from studies import tiny_study
from terminal import Terminal
from test_orderly_ends import until

from store.assignments import assignments, rater_by_name
from store.database import open_database
from store.decisions import item_answers, verify


@pytest.mark.skipif(sys.platform != "linux", reason="only Linux limits the files of another program")
def test_what_a_full_disk_refuses_is_shown_kept_blocks_leaving_and_comes_in_later(tmp_path: Path) -> None:
    study = tmp_path / "study.db"
    tiny_study(study).close()
    terminal = Terminal.start(
        ["annotate", "--db", str(study), "--as", "ada", "--protocol", "memory-verification"]
    )
    try:
        until(terminal, "nothing yet")
        until(terminal, r"● saved \d\d:", "a")
        full = Path(f"{study}-wal").stat().st_size
        _, hard = resource.prlimit(terminal.process.pid, resource.RLIMIT_FSIZE)
        resource.prlimit(terminal.process.pid, resource.RLIMIT_FSIZE, (full, hard))
        until(terminal, "✗ NOT SAVED", "a")
        until(terminal, "Note on m2", "o")
        until(terminal, "typedhere", "typedhere")
        until(terminal, "note: typedhere", "\r")
        until(terminal, "Leaving waits", "q")
        terminal.press("l")
        for _ in range(5):
            terminal.read(0.1)
        until(terminal, "Leaving waits")
        assert terminal.process.poll() is None
        terminal.process.send_signal(signal.SIGTERM)
        assert terminal.end() == 1
        assert b"could not be saved" in bytes(terminal.bytes_read)
    finally:
        terminal.process.kill()
        terminal.process.wait(10)
    assert "typedhere" in Path(f"{study}.recovery.jsonl").read_text()
    again = run("rater", "add", "cleo", "--db", study)
    assert again.code == 0
    assert "2 decisions that could not be saved before came in now" in again.err
    assert not Path(f"{study}.recovery.jsonl").exists()
    with open_database(study, read_only=True) as db, db.read() as conn:
        assert verify(conn) == ()
        ada = rater_by_name(conn, "ada")
        assert ada is not None
        stored = item_answers(conn, assignments(conn, ada.id, "memory-verification")[0].id)
        assert [a.value for a in stored.answers.values()] == ["keep", "keep"]
        assert list(stored.notes.values()) == ["typedhere"]
