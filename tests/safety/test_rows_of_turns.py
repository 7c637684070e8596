"""Rows of a turn are its slices: undone by the table each row is its slice, and the slices are the turn, folded or not,
in the widget that people read as in the layout under it."""

import re
from collections.abc import Iterator

import pytest
from capture import run_captured
from hostile_text import HOSTILE
from hypothesis import example, given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from textual.app import App, ComposeResult

from alps_tui.safe_text import LINE_TABLE, REPLACEMENT, SIGNS, original, visible
from alps_tui.ui.text_layout import undo_shown
from alps_tui.ui.widgets.transcript import Mark, Transcript, TurnText
from alps_tui.ui.widgets.transcript_layout import TranscriptLayout
from alps_tui.ui.widgets.transcript_paint import GUTTER

AMBIGUOUS = SIGNS | {chr(source) for source, sign in LINE_TABLE.items() if sign == REPLACEMENT}
"""Signs that stand for themselves as well as for something else, and what has no sign of its own: not to be undone."""

HEIGHT = 24
SHORT = st.lists(st.one_of(HOSTILE, st.just("\n")), max_size=8).map("".join)
LONG = st.lists(st.one_of(HOSTILE, st.just("\n")), min_size=1, max_size=6).flatmap(
    lambda parts: st.integers(1, 40).map(lambda times: "".join(parts) * times)
)
PLACES = st.lists(st.integers(0, 3_000), max_size=4)


@pytest.fixture(scope="module", autouse=True)
def in_no_multiplexer() -> Iterator[None]:
    """Inside tmux and screen emoji are drawn otherwise than they are written."""
    with pytest.MonkeyPatch.context() as environment:
        environment.delenv("TMUX", raising=False)
        environment.delenv("STY", raising=False)
        yield


class Reader(App[None]):
    """A transcript alone on the screen."""

    def compose(self) -> ComposeResult:
        yield Transcript()


def unambiguous(text: str) -> bool:
    return not AMBIGUOUS & set(text) and "␉" not in text


@given(st.lists(SHORT.filter(unambiguous), min_size=1, max_size=4), st.integers(10, 100))
@settings(max_examples=8, deadline=None)
async def test_every_row_of_the_widget_undone_is_its_slice_of_the_turn(texts: list[str], width: int) -> None:
    app = Reader()
    async with run_captured(app, (width, HEIGHT)) as (pilot, _):
        transcript = app.query_one(Transcript)
        transcript.show([TurnText(f"{n} user", text) for n, text in enumerate(texts)], fold_rows=10**6)
        transcript._pages.commit()
        covered = [""] * len(texts)
        await pilot.pause()
        for row in range(transcript._pages.total):
            top = min(row // HEIGHT * HEIGHT, transcript.max_scroll_y)
            if round(transcript.scroll_offset.y) != top:
                transcript.scroll_to(y=top, animate=False, force=True, immediate=True)
            line, strip = transcript._pages.line(row), transcript.render_line(row - top)
            assert cell_len(strip.text) == strip.cell_length <= width
            if line.kind == "text":
                drawn = undo_shown(strip.text[GUTTER:]).rstrip(" ")
                piece = texts[line.turn][line.start : line.end]
                assert drawn == visible(texts[line.turn])[line.start : line.end]
                assert original(drawn) == piece
                covered[line.turn] += piece
        for text, seen in zip(texts, covered, strict=True):
            assert re.sub(r"[ \n]", "", seen) == re.sub(r"[ \n]", "", text)


def assert_the_rows_are_the_turn(layout: TranscriptLayout, turn: int = 0) -> None:
    """Every row and every gap begins where the one before it ends, and a row leaves out its blanks at most."""
    text, rows, at = layout.text_of(turn), layout.rows(turn), 0
    for row in list(layout.rows_of(turn))[1:]:
        line = layout.line(row)
        assert (line.turn, line.start) == (turn, at)
        at = line.end
        if line.kind == "text":
            assert line.start == rows.row(rows.row_of(line.start))[0]
            at = rows.row(rows.row_of(line.start))[1]
            assert not text[line.end : at].strip(" \n"), "a sign was left out"
    assert at == len(text)


def seen_whole(layout: TranscriptLayout) -> TranscriptLayout:
    """The layout, once somebody has scrolled through it: looking at rows wraps more of them."""
    while True:
        total, row = layout.total, 0
        while row < layout.total:
            layout.line(row)
            row += 1
        if layout.total == total:
            return layout


@given(LONG, st.integers(4, 100), PLACES, st.booleans())
@example("a\n" * 60, 20, [94], False)
def test_every_row_of_a_folded_turn_is_a_slice_and_the_gaps_are_the_rest(
    text: str, width: int, places: list[int], settled: bool
) -> None:
    layout = TranscriptLayout([TurnText("1 user", text)], width)
    layout.set_marks([Mark(0, place, place + 2) for place in places if place < len(text)])
    if settled:
        layout.commit()
    assert_the_rows_are_the_turn(seen_whole(layout))


ACTS = ("commit", "prepare", "fold", "look", "mark", "settle", "expose", "widen")


def act(layout: TranscriptLayout, name: str, at: int) -> None:
    """One thing that a reader or a slice of work does to a layout."""
    turn = at % len(layout.turns)
    match name:
        case "commit":
            layout.commit()
        case "prepare":
            layout.prepare(0.0)
        case "fold":
            layout.toggle_fold(turn)
        case "look":
            layout.line(at % layout.total)
        case "mark":
            layout.set_marks([Mark(turn, at % 97, at % 97 + 3)])
        case "settle":
            layout.settle(lambda: at, 20)
        case "expose":
            layout.expose(turn, min(at, len(layout.text_of(turn))))
        case "widen":
            layout.set_width(4 + at % 50)


@given(
    st.lists(LONG, min_size=1, max_size=2),
    st.integers(4, 60),
    st.integers(1, 60),
    st.lists(st.tuples(st.sampled_from(ACTS), st.integers(0, 3_000)), max_size=5),
)
@example(["a\n" * 3], 4, 1, [])  # fewer rows stay than the usual beginning of a fold
@example(
    ["", "[/" * 2_000 + "\n" * 9_000], 60, 40, [("prepare", 0), ("fold", 1), ("prepare", 1)]
)  # out of reach
def test_the_rows_are_the_turn_whatever_was_done_to_them(
    texts: list[str], width: int, fold_rows: int, acts: list[tuple[str, int]]
) -> None:
    layout = TranscriptLayout([TurnText("a turn", text) for text in texts], width, fold_rows)
    for name, at in acts:
        act(layout, name, at)
    seen_whole(layout)
    for turn in range(len(texts)):
        assert_the_rows_are_the_turn(layout, turn)
