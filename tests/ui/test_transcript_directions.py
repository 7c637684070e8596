"""Right-to-left text on terminals that do not order it: drawn in order here, found, marked and copied as it is written."""

import pytest
from capture import run_captured
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.style import Style
from shown_transcript import Shown, showing, turns_of
from test_bidi import MIXED
from textual.geometry import Offset
from textual.selection import Selection

from alps_tui.safe_text import visible
from alps_tui.ui.look import Look, look_for
from alps_tui.ui.text_layout import shown_cells
from alps_tui.ui.widgets.transcript import Mark
from alps_tui.ui.widgets.transcript_layout import TranscriptLayout
from alps_tui.ui.widgets.transcript_paint import GUTTER, STYLES, RowPainter
from alps_tui.ui.widgets.transcript_selection import selected_slice, selected_text

VISUAL = Look(visual=True)
HELLO = "שלום עולם"


def painted(text: str, width: int = 40, highlights=()) -> str:
    layout = TranscriptLayout(turns_of([text]), width)
    styles = dict.fromkeys(STYLES, Style()) | {"evidence": Style(bold=True)}
    strip = RowPainter(layout, styles, width + GUTTER, VISUAL).text(layout.line(1), False, highlights)
    return "".join(
        f"<{segment.text}>" if segment.style and segment.style.bold else segment.text for segment in strip
    )[GUTTER:]


def test_a_paragraph_from_the_right_stands_at_the_right_edge_in_its_order():
    assert painted(HELLO) == " " * 31 + "םלוע םולש"
    assert painted(f"abc {HELLO} def").rstrip() == "abc םלוע םולש def"


def test_a_highlight_lies_on_the_signs_it_covers():
    assert painted(HELLO, highlights=[(0, 4, "evidence")]).strip() == "םלוע <םולש>"
    text = f"abc {HELLO}"
    assert painted(text, highlights=[(2, 8, "evidence")]).rstrip() == "ab<c >םלוע <םולש>"


def test_marks_of_a_letter_stay_behind_it():
    assert painted("שָׁלוֹם").strip() == "םוֹלשָׁ"


@given(st.lists(MIXED, min_size=1, max_size=4).map("\n".join).map(visible), st.integers(6, 60))
@settings(max_examples=200)
def test_every_reordered_row_fills_its_width_and_holds_its_signs(text, width):
    layout = TranscriptLayout(turns_of([text]), width, fold_rows=10**6)
    painter = RowPainter(layout, dict.fromkeys(STYLES, Style()), width + GUTTER, VISUAL)
    layout.commit()
    for row in range(1, layout.total):
        line = layout.line(row)
        strip = painter.text(line, False, [])
        assert strip.cell_length == sum(shown_cells(segment.text) for segment in strip) == width + GUTTER
        own = text[line.start : line.end].replace("\t", "␉")
        brackets = str.maketrans("", "", "()[] ")
        assert sorted(strip.text.translate(brackets)) == sorted(own.translate(brackets))


@given(st.lists(MIXED, min_size=1, max_size=4).map("\n".join).map(visible), st.integers(6, 60), st.data())
@settings(max_examples=200)
def test_what_is_copied_is_a_part_of_the_text_as_written_and_what_is_marked_is_the_same(text, width, data):
    layout = TranscriptLayout(turns_of([text]), width, fold_rows=10**6)
    layout.commit()
    row = data.draw(st.integers(1, layout.total - 1))
    left = data.draw(st.integers(0, width + GUTTER))
    right = data.draw(st.integers(left, width + GUTTER))
    selection = Selection(Offset(left, row), Offset(right, row))
    copied = selected_text(layout, selection, VISUAL, width + GUTTER)
    [(start, end, _)] = selected_slice(layout, selection, row, layout.line(row), VISUAL, width + GUTTER)
    assert copied == text[start:end]


def test_the_left_word_of_a_row_from_the_right_is_copied_as_written():
    layout = TranscriptLayout(turns_of([HELLO]), 40)
    selection = Selection(Offset(GUTTER + 31, 1), Offset(GUTTER + 35, 1))
    assert selected_text(layout, selection, VISUAL, 40 + GUTTER) == "עולם"


async def test_the_look_can_change_while_a_dialogue_is_shown():
    async with showing([HELLO], marks=[Mark(0, 0, 4)]) as (transcript, pilot, driver):
        assert driver.screen()[1].strip().endswith(HELLO)
        transcript.set_look(VISUAL)
        await pilot.pause()
        assert driver.screen()[1].rstrip().endswith("םלוע םולש")
        assert transcript.find("עולם") == 1


async def test_a_transcript_takes_the_look_of_its_app():
    class Own(Shown):
        look = Look(plain=True, visual=True)

        def __init__(self) -> None:
            super().__init__()
            self.transcript._drawn_as = None

    app = Own()
    async with run_captured(app):
        assert app.transcript.look == Look(plain=True, visual=True)


def test_the_look_is_what_was_asked_for_then_the_environment_then_tmux():
    assert look_for(environment={}) == Look()
    assert look_for(environment={"TMUX": "/x"}) == Look(plain=True)
    assert look_for(environment={"TMUX": "/x", "ALPS_EMOJI": "full"}) == Look()
    assert look_for(environment={"ALPS_EMOJI": "plain", "ALPS_BIDI": "visual"}) == Look(True, True)
    assert look_for("full", "terminal", {"ALPS_EMOJI": "plain", "ALPS_BIDI": "visual"}) == Look()


def test_an_unknown_look_is_refused_with_what_there_is():
    with pytest.raises(ValueError, match="bidi is one of terminal, visual, not 'sideways'"):
        look_for(bidi="sideways", environment={})
