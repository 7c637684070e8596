"""However the workbench ends, in a real terminal: nothing called saved is lost, what was typed is kept, the terminal
is sane again, and the exit code says how it went."""

import os
import re
import signal
import termios
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest
from studies import tiny_study
from terminal import Terminal, modes, rows_of

from store.assignments import assignments, rater_by_name
from store.database import open_database
from store.decisions import item_answers, verify
from store.place import load_place

BROKEN = """
import sys
from alps_tui import cli
from alps_tui.ui.keys_in_order import KeysInOrder
take = KeysInOrder.take
async def breaks(self, event):
    if event.key == "f9":
        secret = "what a variable held"
        raise ValueError("the screw is loose")
    await take(self, event)
KeysInOrder.take = breaks
cli.main()
"""
F9 = "\x1b[20~"


def until(terminal: Terminal, pattern: str, keys: str = "") -> None:
    """Read until the screen shows this; press the keys anew where they came before the item did."""
    terminal.press(keys)
    for _ in range(300):
        terminal.read(0.1)
        shown = "\n".join(rows_of(terminal.screen))
        if re.search(pattern, shown):
            return
        if keys and "it did nothing" in shown:
            terminal.press(keys)
    raise AssertionError(f"{pattern} never came\n{shown}")


@contextmanager
def in_the_middle_of_an_edit(folder: Path, *program: str, leads: bool = True) -> Iterator[Terminal]:
    """m1 kept and called saved, and a text for m2 typed a moment ago, not decided yet."""
    tiny_study(folder / "study.db").close()
    arguments = ["annotate", "--db", str(folder / "study.db"), "--as", "ada"]
    terminal = Terminal.start(
        [*arguments, "--protocol", "memory-verification"],
        program=program or ("-m", "alps_tui"),
        leads=leads,
        XDG_STATE_HOME=str(folder),
    )
    try:
        until(terminal, "nothing yet")
        until(terminal, r"● saved \d\d:", "a")
        until(terminal, "The memory as it should read", "e")
        until(terminal, "zz", "zz")
        yield terminal
    finally:
        terminal.process.kill()
        terminal.process.wait(10)


def assert_kept(folder: Path) -> None:
    """The decision is in the log, what was typed is in the place, the log folds."""
    with open_database(folder / "study.db", read_only=True) as db, db.read() as conn:
        assert verify(conn) == ()
        ada = rater_by_name(conn, "ada")
        assert ada is not None
        first = assignments(conn, ada.id, "memory-verification")[0]
        assert [a.value for a in item_answers(conn, first.id).answers.values()] == ["keep"]
        assert "zz" in str(load_place(conn, first.id)["drafts"])


def assert_sane(terminal: Terminal) -> None:
    """Every mode was left, the cursor is back, what is typed is echoed line by line."""
    left = modes(bytes(terminal.bytes_read))
    on = {mode for mode, state in left.items() if state == b"h"}
    assert left[b"1049"] == b"l", "the test saw the workbench enter and leave its screen"
    assert on <= {b"25", b"7"}
    lines = termios.tcgetattr(terminal.descriptor)[3]
    assert lines & termios.ECHO
    assert lines & termios.ICANON


@pytest.mark.parametrize(
    ("how", "code"),
    [
        ("SIGTERM", 0),
        pytest.param("SIGHUP", 0, marks=pytest.mark.slow),
        pytest.param("SIGINT", 130, marks=pytest.mark.slow),
    ],
)
def test_a_polite_signal_ends_in_order(tmp_path: Path, how: str, code: int) -> None:
    with in_the_middle_of_an_edit(tmp_path) as terminal:
        terminal.process.send_signal(getattr(signal, how))
        assert terminal.end() == code
        assert_sane(terminal)
    assert_kept(tmp_path)


def test_a_terminal_that_is_closed_ends_in_order(tmp_path: Path) -> None:
    with in_the_middle_of_an_edit(tmp_path) as terminal:
        os.close(terminal.descriptor)
        assert terminal.process.wait(30) == 0
    assert_kept(tmp_path)


def test_a_terminal_that_vanishes_without_a_signal_ends_in_order(tmp_path: Path) -> None:
    with in_the_middle_of_an_edit(tmp_path, leads=False) as terminal:
        os.close(terminal.descriptor)
        assert terminal.process.wait(30) == 0
    assert_kept(tmp_path)


def test_an_error_nobody_foresaw_is_one_sentence_with_the_place_of_its_details(tmp_path: Path) -> None:
    with in_the_middle_of_an_edit(tmp_path, "-c", BROKEN) as terminal:
        terminal.press(F9)
        assert terminal.end() == 70
        assert_sane(terminal)
        said = re.sub(r"\s+", "", bytes(terminal.bytes_read).decode().rpartition("\x1b[?1049l")[2])
        log = next(tmp_path.rglob("crashes.log"))
        assert "thescrewisloose" in said
        assert f"Thedetailsarein{log}" in said
        assert "Traceback" not in said
        assert "whatavariableheld" not in said
        assert "the screw is loose" in log.read_text()
        assert "Traceback" in log.read_text()
    assert_kept(tmp_path)
