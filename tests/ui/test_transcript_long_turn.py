"""One turn of any length opens as fast as a short one: only its beginning is laid out, and nothing moves for the rest."""

import pytest
from paths import needs_shared
from shown_transcript import packet, reports, showing

from alps_tui.ui.text_layout import WINDOW, wrap
from alps_tui.ui.widgets.transcript import Mark, Place
from alps_tui.ui.widgets.transcript_layout import TranscriptLayout, TurnText

WORDS = "".join(f"word {number} 漢字 and more of it, " for number in range(9_000))
LINES = "".join(f"line {number} of a log with é\n" for number in range(9_000))
HUGE = pytest.mark.parametrize("text", [WORDS, LINES], ids=["one paragraph", "many lines"])


def layout_of(*texts: str, width: int = 72) -> TranscriptLayout:
    return TranscriptLayout([TurnText("header", text) for text in texts], width)


@HUGE
def test_what_is_in_view_of_a_huge_turn_is_all_that_is_wrapped(text):
    pages = layout_of(text, "next")
    assert pages.settle(lambda: 0, 40) == 0
    assert pages.rows(0).reached < 2 * WINDOW
    assert pages.line(13).kind == "gap"
    pages.toggle_fold(0)
    pages.settle(lambda: 100, 40)
    assert pages.rows(0).reached < 4 * WINDOW


@HUGE
def test_no_slice_of_a_huge_turn_takes_more_than_a_window(text):
    pages = layout_of("short", text, "short")
    before, going = 0, True
    while going:
        going = pages.prepare(0.0)
        assert pages.rows(1).reached - before <= 2 * WINDOW + 72
        before = pages.rows(1).reached
    assert pages.rows(1).complete


@HUGE
def test_rows_before_a_place_do_not_move_while_the_rest_of_its_turn_is_laid_out(text):
    pages = layout_of("before", text, "after")
    pages.toggle_fold(1)
    offset = len(text) // 3
    top = pages.settle(lambda: pages.row_of(1, offset), 40)
    shown = [pages.line(row) for row in range(top, top + 40)]
    while pages.prepare(0.0):
        assert [pages.line(row) for row in range(top, top + 40)] == shown
    assert [pages.line(row) for row in range(top, top + 40)] == shown
    pages.commit()
    assert [pages.line(row) for row in range(top, top + 40)] == shown
    assert pages.total == 2 + 1 + len(wrap(text, 72)) + 2


@HUGE
def test_every_row_can_be_reached_before_a_huge_turn_is_laid_out(text):
    pages = layout_of(text, "after")
    pages.toggle_fold(0)
    end = pages.settle(lambda: pages.total, 40)
    assert pages.line(end + 39).turn == 1
    assert pages.line(end + 37).end == len(text.rstrip())


def test_the_true_end_is_in_reach_while_slices_find_more_rows_than_were_expected():
    text = "few rows, " * 2_000 + "\n" * 9_000
    pages = layout_of(text)
    pages.toggle_fold(0)
    pages.settle(lambda: 0, 40)
    expected = pages.total
    while len(pages.rows(0)) <= expected:
        assert pages.prepare(0.0)
    end = pages.settle(lambda: pages.total, 40)
    assert pages.line(end + 39).end == len(text) - 1
    assert pages.total == 1 + len(wrap(text, 72))


@HUGE
def test_the_gap_of_a_huge_turn_says_about_how_much_until_it_is_known(text):
    pages = layout_of(text)
    about = pages.line(13).hidden
    while pages.prepare(1.0):
        pass
    pages.commit()
    exact = pages.line(13).hidden
    assert exact == len(wrap(text, 72)) - 12
    assert abs(about - exact) < exact / 2
    assert pages.total == 1 + 12 + 1


@HUGE
def test_evidence_deep_in_a_huge_turn_is_shown_in_its_fold(text):
    start = text.index("8000")
    pages = layout_of(text)
    pages.set_marks([Mark(0, start, start + 4)])
    pages.settle(lambda: 0, 40)
    row = pages.row_of(0, start)
    assert pages.line(row).start <= start < pages.line(row).end
    while pages.prepare(1.0):
        pass
    pages.commit()
    assert pages.row_of(0, start) == row


@HUGE
async def test_the_readers_top_row_stands_still_in_a_huge_turn_through_measuring_and_resizing(text):
    async with showing(["first", text, "last"], size=(90, 30), fold_rows=100_000) as (
        transcript,
        pilot,
        driver,
    ):
        place = Place(1, text.index("5000"), 1)
        transcript.restore(place)
        await pilot.pause()
        before = transcript.top()
        assert before.offset <= place.offset < before.offset + 90
        for size in ((60, 20), (140, 50), (90, 30)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            seen = set()
            while transcript._preparing:
                seen.add((transcript.top().offset, driver.screen()[0]))
                await pilot.pause()
            seen.add((transcript.top().offset, driver.screen()[0]))
            assert len(seen) == 1
            line = transcript._pages.line(transcript.scroll_offset.y)
            assert line.start <= before.offset <= line.end + 1
        assert transcript.top() == before


@needs_shared
async def test_the_longest_real_turn_opens_folded_with_its_size():
    texts = packet("sess_986253ed0be8")
    longest = max(range(len(texts)), key=lambda turn: len(texts[turn]))
    async with showing(texts, size=(120, 40)) as (transcript, pilot, driver):
        transcript.jump(longest)
        await pilot.pause()
        assert transcript._pages.rows(longest).reached < len(texts[longest]) or not transcript._preparing
        assert "more rows · space unfolds" in reports(driver)
        while transcript._preparing:
            await pilot.pause()
        assert f"{len(wrap(transcript._pages.text_of(longest), transcript._pages.width)):,} rows" in reports(
            driver
        )
