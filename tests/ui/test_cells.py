"""Rows are laid out and drawn by the cells that the terminal at hand gives to signs, and by Rich's where it says nothing."""

import unicodedata

import pytest
from at_the_desk import tiny_desk
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.style import Style
from scripts import SCRIPTS
from shown_transcript import turns_of
from test_text_layout import LONG_TEXT, WIDTHS
from textual import events

from alps_tui.ui import cells
from alps_tui.ui.cells import counted_by, known
from alps_tui.ui.look import Look
from alps_tui.ui.text_layout import shown_cells, wrap
from alps_tui.ui.widgets.transcript_layout import TranscriptLayout
from alps_tui.ui.widgets.transcript_paint import GUTTER, STYLES, RowPainter

MARKS = [chr(code) for code in range(0x110000) if unicodedata.category(chr(code)) == "Mc"]
COUNTS = st.sampled_from(["clusters", "marks", "signs"])


@pytest.fixture
def no_library(monkeypatch):
    """A machine whose C library cannot be asked."""
    monkeypatch.setattr(cells, "_library", lambda: None)
    for made in (cells._asked, cells._of_single_signs, cells._unknown):
        made.cache_clear()
    yield
    for made in (cells._asked, cells._of_single_signs, cells._unknown):
        made.cache_clear()


def test_a_spacing_mark_takes_a_cell_where_the_terminal_gives_it_one():
    assert {cell_len(f"\u0915{mark}") for mark in MARKS} <= {1, 2}
    assert cell_len("\u0915\u093e") == 1
    with counted_by("marks"):
        assert {cell_len(mark) for mark in MARKS} == {1}
        assert (cell_len("e\u0301"), cell_len("漢"), cell_len("❤️"), cell_len("👩🏽‍🚀")) == (1, 2, 2, 2)
    with counted_by("signs"):
        assert cell_len("\u0915\u093e") == 2
        assert (cell_len("e\u0301"), cell_len("漢"), cell_len("❤️"), cell_len("👍🏿")) == (1, 2, 1, 4)
    assert cell_len("\u0915\u093e") == 1


def test_without_a_library_to_ask_the_usual_rule_counts(no_library):
    with counted_by("signs"):
        assert {cell_len(mark) for mark in MARKS} == {1}
        assert (cell_len("e\u0301"), cell_len("漢"), cell_len("👍🏿"), cell_len("ก")) == (1, 2, 4, 1)
        assert known("a\U0010ffff \U000107ff") == "a\U0010ffff \U000107ff"


def test_a_sign_too_young_for_the_library_is_drawn_as_one_that_is_known():
    with counted_by("signs"):
        strange = next((chr(first) for first, _, width in cells._asked() if width == cells.UNASSIGNED), None)
        if strange is None:
            pytest.skip("the C library here knows every sign or cannot be asked")
        assert known(f"a{strange}b") == "a\ufffdb"
        assert cell_len(known(strange)) == cell_len(strange) == 1
    assert known(f"a{strange}b") == f"a{strange}b"


@given(LONG_TEXT, WIDTHS, COUNTS)
@settings(max_examples=150)
def test_no_row_is_wider_than_its_width_however_cells_are_counted(text, width, count):
    with counted_by(count):
        rows = wrap(text, width)
        assert "".join(text[slice(*rows.row(row))] for row in range(len(rows))) == text
        assert all(shown_cells(text[slice(*rows.shown(row))]) <= width for row in range(len(rows)))


@pytest.mark.parametrize("script", SCRIPTS)
@pytest.mark.parametrize("count", ["clusters", "marks", "signs"])
def test_a_drawn_row_fills_its_width_by_every_count(script, count):
    with counted_by(count):
        look = Look(plain=count == "signs")
        for width in (9, 46, 120):
            layout = TranscriptLayout(turns_of([SCRIPTS[script]]), width)
            painter = RowPainter(layout, dict.fromkeys(STYLES, Style()), width + GUTTER, look)
            layout.commit()
            for row in range(1, layout.total):
                strip = painter.text(layout.line(row), False, [])
                assert strip.cell_length == cell_len(strip.text) == width + GUTTER


async def test_the_answer_of_a_terminal_counts_until_the_program_ends(tmp_path):
    async with tiny_desk(tmp_path) as desk:
        desk.app._is_asked = True
        desk.app.post_message(events.CursorPosition(2, 0))
        await desk.until(lambda: cell_len("\u0915\u093e") == 2)
        desk.app.post_message(events.CursorPosition(1, 0))  # shift+F3, which says the same
        await desk.settle()
        assert cell_len("\u0915\u093e") == 2
    assert cell_len("\u0915\u093e") == 1
