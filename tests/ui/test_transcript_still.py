"""The reader's top row stands still: while the rest is laid out in slices, and through every resize in the midst of it."""

import pytest
from capture import CaptureDriver
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from shown_transcript import showing, turns_of
from textual.pilot import Pilot

from alps_tui.ui.widgets.transcript import Place, Transcript

PIECES = (
    "some words of it ",
    "漢字かな交じり文。",
    "नमस्ते हिन्दी में ",
    "שלום עולם ",
    "a\n\n",
    "x" * 90,
    "👩🏽‍🚀 ",
)
TEXTS = [f"turn {n} " + PIECES[n % 7] * (n * 37 % 60) + PIECES[n % 5] * (n * 11 % 90) for n in range(1_000)]
SIZES = st.tuples(st.integers(24, 200), st.integers(6, 60))
DEEDS = st.lists(
    st.one_of(
        st.tuples(st.just("resize"), SIZES),
        st.tuples(st.just("wait"), st.integers(1, 8)),
        st.tuples(st.just("rows"), st.integers(-30, 30)),
        st.tuples(st.just("jump"), st.integers(0, len(TEXTS) - 1)),
    ),
    min_size=2,
    max_size=7,
)


def assert_it_stands(transcript: Transcript, driver: CaptureDriver, anchor: Place) -> None:
    """The row that was at the top still is; in view, where there are too few rows after it for that."""
    pages, top = transcript._pages, transcript.scroll_offset.y
    row = pages.row_of(anchor.turn, anchor.offset)
    if row < transcript.max_scroll_y:
        assert top == row
    else:
        assert top == transcript.max_scroll_y
        assert row < top + driver.size[1]


async def do(
    transcript: Transcript, pilot: Pilot[None], driver: CaptureDriver, name: str, what: object
) -> bool:
    """One deed of a reader or of the terminal; True if it scrolled."""
    match name, what:
        case "resize", (int(columns), int(rows)):
            await pilot.resize_terminal(columns, rows)
        case "rows", int(by):
            transcript.action_rows(by)
            return True
        case "jump", int(turn):
            transcript.jump(turn)
            return True
        case "wait", int(times):
            anchor = transcript.top()
            for _ in range(times):
                await pilot.pause()
                assert transcript.top() == anchor
    return False


async def stays_still(deeds: list[tuple[str, object]], fold_rows: int) -> None:
    """A thousand turns are opened, and before they are laid out the deeds begin."""
    async with showing(["tiny"], (80, 24)) as (transcript, pilot, driver):
        transcript.show(turns_of(TEXTS), fold_rows=fold_rows)
        anchor = transcript.top()
        for name, what in deeds:
            if await do(transcript, pilot, driver, name, what):
                await pilot.pause()
                anchor = transcript.top()
            await pilot.pause()
            assert_it_stands(transcript, driver, anchor)
        while transcript._preparing:
            await pilot.pause()
            assert_it_stands(transcript, driver, anchor)
        await pilot.pause()
        assert_it_stands(transcript, driver, anchor)
        assert transcript.virtual_size.height == transcript._pages.total


@given(DEEDS, st.sampled_from([12, 40, 10**6]))
@example([("resize", (76, 6)), ("jump", 301), ("resize", (24, 6))], 12)  # back to before the jump
@example([("rows", 6), ("resize", (24, 6))], 12)  # what was at the top is folded away now
@settings(max_examples=2)
async def test_the_top_row_stands_still_whatever_the_terminal_does(deeds, fold_rows):
    await stays_still(deeds, fold_rows)


@pytest.mark.slow
@given(DEEDS, st.sampled_from([12, 40, 10**6]))
@settings(max_examples=40, suppress_health_check=[HealthCheck.too_slow])
async def test_the_top_row_stands_still_through_many_resizes(deeds, fold_rows):
    await stays_still(deeds, fold_rows)
