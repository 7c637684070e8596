"""Inside a real tmux no sign is lost and no border displaced, whatever the script."""

import json
import re
import unicodedata
from pathlib import Path

import pytest
from multiplexer import Tmux, inside_tmux, needs_tmux
from rich.cells import cell_len
from scripts import SCRIPTS

from alps_tui.ui.cells import counted_by, known
from alps_tui.ui.text_layout import plain_emoji

READER = Path(__file__).with_name("read_in_terminal.py")
PROBE = Path(__file__).with_name("ask_for_cells.py")


def without_blanks(text: str) -> str:
    return re.sub(r"[\s▌]", "", text)


def panes(screen: list[str]) -> list[list[str]]:
    """What stands between the borders, row by row; every border stands where the others do."""
    rows = [re.fullmatch(r"│(.*?)││(.*)│", row) for row in screen[1:-1]]
    assert all(rows), "\n".join(screen)
    parts = [[row[pane] for row in rows if row] for pane in (1, 2)]
    assert all(len({cell_len(part) for part in pane}) == 1 for pane in parts), "\n".join(screen)
    return parts


@needs_tmux
@pytest.mark.parametrize("size", [(80, 24), pytest.param((200, 60), marks=pytest.mark.slow)])
def test_every_sign_of_every_script_is_on_the_screen_and_the_borders_are_straight(size):
    with counted_by("signs"), inside_tmux(size, [READER]) as tmux:
        for number, written in enumerate(SCRIPTS.values(), 1):
            assert_it_is_shown(tmux, number, known(plain_emoji(written)))


@needs_tmux
def test_a_terminal_that_is_asked_for_its_marks_shows_every_sign_too():
    with counted_by("marks"), inside_tmux((80, 24), [READER], ALPS_EMOJI="full") as tmux:
        for number, written in enumerate(SCRIPTS.values(), 1):
            if written != SCRIPTS["emoji"]:  # not joined in tmux, but asked for in full
                assert_it_is_shown(tmux, number, written)


def assert_it_is_shown(tmux: Tmux, number: int, text: str) -> None:
    """The text of this number stands in the transcript whole, and its beginning in the card; on to the next one."""
    screen = tmux.wait(lambda rows: any(f"text {number} shown" in row for row in rows))
    transcript, cards = panes(screen)
    assert without_blanks(text) in without_blanks("".join(transcript))
    assert without_blanks(text[:40]) in without_blanks("".join(cards))
    tmux.press("n")


@needs_tmux
def test_tmux_gives_every_sign_and_every_mark_the_cells_we_count_for_it(tmp_path):
    marks = [chr(code) for code in range(0x10FFFF) if unicodedata.category(chr(code)) == "Mc"]
    texts = [f"a{mark}" for mark in marks] + sorted({sign for text in SCRIPTS.values() for sign in text})
    asked, told = tmp_path / "asked.json", tmp_path / "told.json"
    asked.write_text(json.dumps(texts), encoding="utf-8")
    with inside_tmux((80, 24), [PROBE, asked, told]) as tmux:
        tmux.wait(lambda rows: any("all told" in row for row in rows))
    with counted_by("signs"):
        drawn = {text: known(text) for text in texts}
        ours = {text: cell_len(drawn[text]) for text in texts}
    theirs = json.loads(told.read_text(encoding="utf-8"))
    assert {text: theirs[text] for text in texts if drawn[text] == text} == {
        text: ours[text] for text in texts if drawn[text] == text
    }
