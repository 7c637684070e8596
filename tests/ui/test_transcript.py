"""A reader finds every place again, and the transcript posts what the reader does."""

import re

import pytest
from capture import run_captured
from hypothesis import given
from hypothesis import strategies as st
from rich.color_triplet import ColorTriplet
from rich.style import Style
from shown_transcript import LONG, Shown, drawn_rows, reports, showing, turns_of
from test_safe_text import ANY_TEXT
from textual.geometry import Offset
from textual.selection import Selection

from alps_tui.safe_text import visible
from alps_tui.ui.text_layout import wrap
from alps_tui.ui.widgets.transcript import Mark, Place, Transcript
from alps_tui.ui.widgets.transcript_paint import GUTTER, STYLES
from alps_tui.ui.widgets.transcript_span import SpanChoice

# ---------------------------------------------------------------- places


@pytest.mark.parametrize("size", [(80, 24), (120, 40), (200, 60)])
@pytest.mark.parametrize("folded", [True, False])
async def test_a_jump_puts_the_evidence_on_the_screen(size, folded):
    start = LONG.index("row 217 of")
    marks = [Mark(1, start, start + len("row 217 of"))]
    async with showing(["first", LONG, "last"], size, marks) as (transcript, pilot, driver):
        if not folded:
            transcript.toggle_fold(1)
        transcript.jump(1, start)
        await pilot.pause()
        assert "row 217 of a long answer" in reports(driver)
        assert transcript.current_turn == 1
        assert any(row.startswith("▌› row 217") for row in driver.screen())


async def test_a_jump_into_a_fold_opens_the_rows_around_it_only():
    async with showing([LONG]) as (transcript, pilot, driver):
        transcript.jump(0, LONG.index("row 217 of"))
        await pilot.pause()
        assert "row 216 of" in reports(driver)
        assert "row 218 of" in reports(driver)
        assert "row 100 of" not in reports(driver)


async def test_a_long_turn_is_folded_to_its_beginning_and_its_evidence_and_says_its_size():
    start = LONG.index("row 217 of")
    async with showing([LONG, "next"], marks=[Mark(0, start, start + 5)]) as (_, pilot, driver):
        screen = reports(driver)
        assert "1 user" in screen
        assert "▸ 300 rows" in screen
        assert "row 11 of" in screen
        assert "⋯ 205 rows" in screen
        assert "row 217 of" in screen
        assert "… 82 more rows · space unfolds" in screen
        assert "2 assistant" in screen
        await pilot.press("space")
        await pilot.pause()
        assert "▾ 300 rows" in reports(driver)
        assert "more rows" not in reports(driver)
        await pilot.press("space")
        await pilot.pause()
        assert reports(driver) == screen


async def test_a_turn_of_forty_rows_is_not_folded():
    async with showing(["x\n" * 40, "y\n" * 41]) as (transcript, _, _):
        assert not transcript.toggle_fold(0)
        assert transcript._pages.is_folded(1)


async def test_a_resize_keeps_the_readers_top_row():
    texts = [f"turn {number} " + "some words " * 60 for number in range(30)]
    async with showing(texts, size=(100, 30)) as (transcript, pilot, _):
        transcript.jump(17, texts[17].index("some") + 300)
        await pilot.press("down", "down", "down")
        before = transcript.top()
        for size in ((60, 20), (140, 50), (100, 30)):
            await pilot.resize_terminal(*size)
            await pilot.pause()
            top = transcript.top()
            line = transcript._pages.line(transcript.scroll_offset.y)
            assert top.turn == before.turn
            assert line.start <= before.offset <= line.end + 1
        assert transcript.top() == before


async def test_a_place_is_found_again_in_a_new_widget_of_another_width():
    texts = [LONG, "two " * 300, LONG]
    async with showing(texts) as (transcript, pilot, _):
        transcript.toggle_fold(2)
        transcript.jump(2, LONG.index("row 150"))
        await pilot.pause()
        place = transcript.top()
    assert place.unfolded == (2,)
    app = Shown()
    async with run_captured(app, (120, 30)) as (pilot, driver):
        app.transcript.show(turns_of(texts))
        app.transcript.restore(place)
        await pilot.pause()
        assert app.transcript.top() == place
        assert "row 150 of" in reports(driver)


async def test_a_jump_before_the_first_paint_is_made_when_there_is_a_size():
    class Early(Shown):
        def on_mount(self) -> None:
            self.transcript.show(turns_of(["a", LONG, "b"]))
            self.transcript.jump(1, LONG.index("row 99"))

    app = Early()
    async with run_captured(app) as (pilot, driver):
        await pilot.pause()
        assert "row 99 of" in reports(driver)


async def test_new_marks_leave_the_top_row_where_it_is():
    texts = [LONG, *(f"turn {number}" for number in range(60))]
    async with showing(texts) as (transcript, pilot, _):
        transcript.jump(30)
        await pilot.pause()
        before = transcript.top()
        transcript.set_marks([Mark(0, LONG.index("row 200"), LONG.index("row 210"))])
        await pilot.pause()
        assert transcript.top() == before


async def test_the_top_row_stands_still_while_the_turns_out_of_view_are_laid_out():
    texts = [f"turn {number} " + "漢字 and words\n" * (number % 60) for number in range(1500)]
    async with showing(["tiny"], (120, 40)) as (transcript, pilot, driver):
        transcript.show(turns_of(texts))
        transcript.jump(1200)
        guessed = transcript._pages.total
        seen = set()
        while transcript._preparing:
            await pilot.pause()
            seen.add((transcript.top(), driver.screen()[0]))
        await pilot.pause()
        assert transcript._pages.total != guessed
        assert seen == {(transcript.top(), driver.screen()[0])}
        assert driver.screen()[0].startswith("▌  1201 user")
        rows = transcript._pages.total
        transcript._pages.commit()
        assert transcript._pages.total == rows == transcript.virtual_size.height


async def test_the_end_is_the_true_end_before_everything_is_laid_out():
    texts = ["漢字" * (number % 90) + "\n" * (number % 7) for number in range(1500)]
    async with showing(["tiny"]) as (transcript, pilot, driver):
        transcript.show(turns_of([*texts, "the very end"]))
        transcript.action_edge(1)
        assert transcript._preparing
        await pilot.pause()
        assert "the very end" in driver.screen()[-1]


async def test_the_last_row_is_reached_and_nothing_scrolls_beyond():
    async with showing([LONG, "漢字" * 500, "the very end"]) as (transcript, pilot, driver):
        await pilot.press("end")
        await pilot.pause()
        assert "the very end" in driver.screen()[-1]
        assert transcript.current_turn == 2
        await pilot.press("home")
        await pilot.pause()
        assert "1 user" in driver.screen()[0]


async def test_a_mark_outside_the_text_harms_nothing():
    async with showing(["short"], marks=[Mark(0, 3, 900), Mark(7, 0, 2), Mark(0, -4, 2), Mark(0, 5, 5)]) as (
        _,
        _,
        driver,
    ):
        assert "short" in reports(driver)


async def test_an_empty_dialogue_shows_nothing_and_every_key_is_harmless():
    async with showing([]) as (transcript, pilot, _):
        await pilot.press("end", "down", "space", "pagedown", "left_curly_bracket")
        assert transcript.find("x") == 0
        assert not transcript.begin_span()
        assert transcript.top() == Place()


# ---------------------------------------------------------------- turns


async def test_braces_go_to_user_turns_and_each_change_is_posted_once():
    async with showing([f"turn {number} " * 100 for number in range(9)]) as (transcript, pilot, driver):
        app = transcript.app
        await pilot.press("right_curly_bracket", "right_curly_bracket")
        await pilot.pause()
        assert transcript.current_turn == 4
        assert driver.screen()[0].startswith("▌  5 user")
        assert app.heard == [("turn", 2), ("turn", 4)]
        await pilot.press("left_curly_bracket")
        assert transcript.current_turn == 2


async def test_the_current_turn_follows_the_reader():
    async with showing([f"turn {number} " * 100 for number in range(9)]) as (transcript, pilot, driver):
        await pilot.press("pagedown", "pagedown")
        await pilot.pause()
        shown = [row for row in driver.screen() if row.startswith("▌")]
        assert shown
        assert transcript.current_turn > 0


async def test_a_click_makes_a_turn_current_and_opens_a_gap():
    async with showing(["a", LONG, "b"]) as (transcript, pilot, driver):
        await pilot.click(Transcript, offset=(10, 3))
        assert transcript.current_turn == 1
        gap = next(number for number, row in enumerate(driver.screen()) if "space unfolds" in row)
        await pilot.click(Transcript, offset=(10, gap))
        await pilot.pause()
        assert not transcript._pages.is_folded(1)


# ---------------------------------------------------------------- find


async def test_find_counts_goes_on_and_comes_around():
    async with showing(["Cat and dog", "a CAT", LONG.replace("row 250 ", "cat 250 ")]) as (
        transcript,
        pilot,
        driver,
    ):
        assert transcript.find("cat") == 3
        assert transcript.found == (1, 3)
        assert transcript.current_turn == 0
        transcript.find_next()
        transcript.find_next()
        await pilot.pause()
        assert transcript.found == (3, 3)
        assert any(row.startswith("▌▸ cat 250 of") for row in driver.screen())
        transcript.find_next()
        assert transcript.found == (1, 3)
        transcript.find_previous()
        assert transcript.found == (3, 3)
        assert transcript.find("") == 0
        assert transcript.found == (0, 0)


async def test_find_takes_its_needle_literally():
    async with showing(["a.b [x] (y", "axb"]) as (transcript, _, _):
        assert transcript.find("a.b") == 1
        assert transcript.find("[x] (") == 1


# ---------------------------------------------------------------- spans


async def test_a_span_is_chosen_by_words_and_signs_as_offsets_into_the_original():
    text = "I\x1b like  عربي and 漢字 very much"
    async with showing(["x", text]) as (transcript, pilot, driver):
        transcript.jump(1)
        assert transcript.begin_span(1, text.index("like"))
        await pilot.press("right", "space", "right", "shift+right")
        await pilot.pause()
        assert any(row.startswith("▌* ") for row in driver.screen())
        await pilot.press("enter")
        await pilot.pause()
        chosen = next(entry for entry in transcript.app.heard if entry[0] == "chosen")
        assert text[chosen[2] : chosen[3]] == "عربي and 漢"
        assert transcript.span() is None


async def test_a_span_grows_by_rows_and_never_beyond_its_turn():
    async with showing(["one two three\nfour five\nsix", "next"]) as (transcript, pilot, _):
        transcript.begin_span(0)
        await pilot.press("v", "down")
        assert transcript.span() == (0, 0, 13)
        await pilot.press("down")
        assert transcript.span() == (0, 0, 23)
        await pilot.press("up")
        assert transcript.span() == (0, 0, 13)
        await pilot.press("end", "right", "down", "down")
        assert transcript.span() == (0, 0, 27)
        await pilot.press("home")
        assert transcript.span() == (0, 0, 3)
        await pilot.press("left", "left")
        assert transcript.span() == (0, 0, 3)


async def test_no_key_decides_anything_while_a_span_is_chosen():
    class Deciding(Shown):
        BINDINGS = [("a", "decide", "Keep"), ("enter", "decide", "Submit"), ("escape", "decide", "Back")]  # noqa: RUF012

        def action_decide(self) -> None:
            self.heard.append("decided")

    app = Deciding()
    async with run_captured(app) as (pilot, _):
        app.transcript.show(turns_of(["some words"]))
        app.transcript.focus()
        app.transcript.begin_span(0)
        await pilot.press("a", "x", "enter")
        app.transcript.begin_span(0)
        await pilot.press("escape")
        await pilot.pause()
        assert app.heard == [("chosen", 0, 0, 4), "cancelled"]
        await pilot.press("a")
        await pilot.pause()
        assert app.heard[-1] == "decided"


@given(
    ANY_TEXT,
    st.lists(
        st.sampled_from(["left", "right", "up", "down", "home", "end", "space", "comma", "full_stop"]),
        max_size=30,
    ),
)
def test_whatever_the_keys_a_span_is_never_empty_and_never_outside(text, keys):
    try:
        choice = SpanChoice(0, wrap(visible(text), 20))
    except ValueError:
        assert not re.search(r"\w", visible(text))
        return
    for key in keys:
        choice.press(key)
        assert 0 <= choice.span.start < choice.span.end <= len(text)


# ---------------------------------------------------------------- mouse selection


async def test_a_mouse_selection_copies_the_original_text():
    text = "see\tthe \x1b sign and\n\nmore 漢字 words"
    async with showing([text, "second"]) as (transcript, _, _):
        everything, _ = transcript.get_selection(Selection(None, None))
        assert everything == f"{text}\nsecond"
        from_sign = Offset(GUTTER + len("see␉   the "), 1)
        part, _ = transcript.get_selection(Selection(from_sign, Offset(GUTTER + len("more 漢"), 3)))
        assert part == "\x1b sign and\n\nmore 漢"


async def test_dragging_selects_what_is_under_the_pointer():
    async with showing(["some words to be copied"]) as (transcript, pilot, _):
        await pilot.mouse_down(Transcript, offset=(GUTTER + 5, 1))
        await pilot.hover(Transcript, offset=(GUTTER + 9, 1))
        await pilot.mouse_up(Transcript, offset=(GUTTER + 9, 1))
        await pilot.pause()
        assert transcript.screen.get_selected_text() == "words"


# ---------------------------------------------------------------- look


async def test_a_new_theme_is_drawn_at_once():
    async with showing(["words"], marks=[Mark(0, 0, 5)]) as (transcript, pilot, _):
        before = [segment.style for segment in next(drawn_rows(transcript))[3]]
        transcript.app.theme = "textual-light"
        await pilot.pause()
        after = [segment.style for segment in next(drawn_rows(transcript))[3]]
        assert [style.color for style in before] != [style.color for style in after]


def luminance(color: ColorTriplet) -> float:
    """Relative luminance (WCAG 2.2)."""
    parts = [
        part / 12.92 if part <= 0.04045 else ((part + 0.055) / 1.055) ** 2.4 for part in color.normalized
    ]
    return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]


def contrast(style: Style) -> float:
    """Contrast ratio of a style's text and ground (WCAG 2.2), 1 to 21."""
    assert style.color is not None
    assert style.bgcolor is not None
    levels = sorted(luminance(color.get_truecolor()) for color in (style.color, style.bgcolor))
    return (levels[1] + 0.05) / (levels[0] + 0.05)


async def test_every_style_is_read_about_as_well_as_the_themes_own_text():
    async with showing(["words"]) as (transcript, pilot, _):
        for theme in sorted(name for name in transcript.app.available_themes if "ansi" not in name):
            transcript.app.theme = theme
            await pilot.pause()
            styles = transcript._row_styles()
            for name in set(STYLES) - {"bar"}:
                assert contrast(styles["user"] + styles[name]) >= min(4.5, 0.6 * contrast(styles["blank"])), (
                    theme,
                    name,
                )
            assert contrast(styles["user"] + styles["bar"]) > 2, theme


async def test_marks_differ_without_colour():
    texts = ["evidence here", "find here", "span here", "current here"]
    marks = [Mark(0, 0, 8), Mark(3, 0, 7, "current")]
    async with showing(texts, marks=marks) as (transcript, pilot, driver):
        transcript.find("find")
        transcript.begin_span(2)
        await pilot.pause()
        signs = {row[1] for row in driver.screen() if row.endswith("here")}
        assert signs == {"›", "▸", "*", "»"}
