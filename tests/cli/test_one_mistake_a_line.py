"""What is wrong with a file of one's own stands on a line each, in words, and a disk that refuses is no crash."""

import errno
from pathlib import Path

import pytest

from alps_tui.commands.annotate import own_keymap
from alps_tui.commands.exit_codes import Ending, guard


def test_each_mistake_of_a_keymap_has_a_line_and_no_sign_stands_for_a_line_end(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    path = tmp_path / "keys.toml"
    path.write_text('[keys]\nfly = "x"\nundo = []\n', encoding="utf-8")
    assert guard(lambda: own_keymap(path)) == 2
    said = capsys.readouterr().err.splitlines()
    assert [line.partition(": ")[0] for line in said] == [f"{path}:2", f"{path}:3"]
    assert "no command 'fly'" in said[0] and "␊" not in "".join(said)


@pytest.mark.parametrize(
    ("data", "said"),
    [
        (b"[keys\n", ":1: this is not TOML: expected ']' at the end of a table declaration."),
        (b"\xff\xfe", " cannot be read: it is not UTF-8."),
        (None, " cannot be read: Is a directory."),
    ],
)
def test_a_keymap_that_is_none_is_one_sentence(
    tmp_path: Path, capsys: pytest.CaptureFixture[str], data: bytes | None, said: str
) -> None:
    path = tmp_path / "keys.toml"
    if data is None:
        path.mkdir()
    else:
        path.write_bytes(data)
    assert guard(lambda: own_keymap(path)) == 2
    assert capsys.readouterr().err.removeprefix("The keymap ") == f"{path}{said}\n"


def test_lines_that_came_from_data_stay_within_theirs(capsys: pytest.CaptureFixture[str]) -> None:
    def command() -> None:
        raise Ending.of_lines(["one\nof data\x1b[31m", "two"])

    assert guard(command) == 2
    assert capsys.readouterr().err == "one␊of data␛[31m\ntwo\n"


def test_a_full_disk_is_a_sentence_and_no_crash(capsys: pytest.CaptureFixture[str]) -> None:
    def command() -> None:
        raise OSError(errno.ENOSPC, "No space left on device", "out/long.jsonl")

    assert guard(command) == 2
    assert capsys.readouterr().err.startswith("out/long.jsonl: No space left on device. ")
