"""What the mouse selects is copied as it was written: no sign of ours, no row breaks, nothing reordered."""

from base64 import b64encode
from itertools import pairwise

import pytest
from at_the_desk import tiny_desk
from rich.cells import cell_len
from shown_transcript import showing
from textual.pilot import Pilot

from alps_tui.ui.look import Look
from alps_tui.ui.text_layout import cluster_edges, shown_text
from alps_tui.ui.widgets.transcript_paint import GUTTER

WIDE = "漢字かな 和文 and latin, 한국어 문장 mixed with 全角ＡＢ and more to fill a second and a third row of 漢字"
ODD = "see\tthe \x1b[2J sign \x00 here\u202e and \u200b there\n\n  indented   and spaced"
MARKS = "Ze\u0301\u0327 naïve e\u0301tude ❤️ heart 👩🏽‍🚀 flew 👨‍👩‍👧‍👦 home 🇩🇪 and 1️⃣ one, नमस्ते हिन्दी"
HEBREW = "שלום עולם abc 123 (טוב) ועוד מילים רבות כדי שהשורה תישבר לשתיים או לשלוש שורות"
POINTED = "שָׁלוֹם עוֹלָם וּבְרָכָה"


async def drag(
    pilot: Pilot[None], start: tuple[int, int], end: tuple[int, int], where: str = "Transcript"
) -> str | None:
    """Press at one cell (column of the text, row of the turn), let go at another; what would be copied: both signs too."""
    (left, top), (right, bottom) = start, end
    await pilot.mouse_down(where, offset=(GUTTER + left, 1 + top))
    await pilot.hover(where, offset=(GUTTER + right, 1 + bottom))
    await pilot.mouse_up(where, offset=(GUTTER + right, 1 + bottom))
    await pilot.pause()
    return pilot.app.screen.get_selected_text()


@pytest.mark.parametrize(
    "text", [WIDE, ODD, pytest.param(MARKS, marks=pytest.mark.slow)], ids=["wide", "controls", "marks"]
)
async def test_a_drag_from_any_sign_to_any_other_copies_what_was_written_between_them(text):
    async with showing([text], size=(30, 24)) as (transcript, pilot, _):
        pages = transcript._pages
        shown, places = pages.text_of(0), []
        for row in range(1, pages.total):
            line = pages.line(row)
            for start, end in list(pairwise(cluster_edges(shown, line.start, line.end)))[::5]:
                places.append((start, end, (cell_len(shown_text(shown[line.start : start])), row - 1)))
        assert pages.total > 3
        for (start, _, first), (_, end, last) in zip(places, places[4:], strict=False):
            assert await drag(pilot, first, last) == text[start:end]


async def test_a_drag_in_rows_drawn_from_the_right_copies_them_as_they_are_read():
    async with showing([HEBREW], size=(40, 24), look=Look(visual=True)) as (transcript, pilot, driver):
        rows = [row[GUTTER:] for row in driver.screen()]
        line = transcript._pages.line(1)
        first = HEBREW[line.start : line.end]
        word = rows[1].rindex("םולש")
        assert await drag(pilot, (word, 0), (word + 3, 0)) == "שלום"
        assert await drag(pilot, (word + 4, 0), (word, 1)) is not None
        everything = await drag(pilot, (len(rows[1]), 0), (0, 1))
        assert everything is not None
        assert everything.startswith(first)


async def test_a_pointed_letter_is_copied_with_its_points():
    async with showing([POINTED], size=(40, 24), look=Look(visual=True)) as (_, pilot, driver):
        row = driver.screen()[1][GUTTER:]
        cells = cell_len(row)
        assert await drag(pilot, (cells - 4, 0), (cells - 1, 0)) == "שָׁלוֹם"


async def test_rows_folded_away_between_both_ends_are_copied_too():
    text = "".join(f"row {number} of it\n" for number in range(100))
    async with showing([text, "next turn"], size=(60, 24)) as (_, pilot, _driver):
        assert await drag(pilot, (4, 11), (3, 14)) == text[text.index("11 of") :] + "\nnext"


async def test_a_copy_is_sent_to_the_terminal_as_it_was_written_and_said_so(tmp_path):
    async with tiny_desk(tmp_path) as desk:
        turn = desk.annotate.panes.dialogue.turns[0].text
        assert len(turn) > 8
        desk.annotate.panes.dialogue.jump(0)
        await desk.settle()
        assert await drag(desk.pilot, (0, 1), (7, 1), "#dialogue") == turn[:8]
        await desk.press("ctrl+c")
        assert desk.sentence == "Sent to the clipboard: 8 characters."
        assert f"\x1b]52;c;{b64encode(turn[:8].encode()).decode()}\x07" in desk.driver.frames
        assert desk.acts() == []
