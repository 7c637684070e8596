"""Whatever a dialogue holds is shown as text: row by row, sign by sign, and no byte of it acts on the terminal."""

import re
import unicodedata

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from paths import needs_shared
from rich.cells import cell_len
from rich.style import Style
from shown_transcript import drawn_rows, packet, reports, showing, turns_of
from test_safe_text import ANY_TEXT

from alps_tui.safe_text import LINE_TABLE, REPLACEMENT, SIGNS, one_line, original, visible
from alps_tui.ui.look import Look
from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.text_layout import undo_shown
from alps_tui.ui.widgets.transcript import Mark, Transcript, TurnText
from alps_tui.ui.widgets.transcript_layout import TranscriptLayout
from alps_tui.ui.widgets.transcript_paint import GUTTER, STYLES, RowPainter

LOST = {chr(source) for source, sign in LINE_TABLE.items() if sign == REPLACEMENT}

# ---------------------------------------------------------------- text is text


@given(st.lists(ANY_TEXT, min_size=1, max_size=4), st.integers(4, 120), st.data())
def test_every_drawn_row_undone_is_its_slice_and_fills_its_width(texts, width, data):
    texts = [text.replace("␉", "") for text in texts]
    layout = TranscriptLayout(turns_of(texts), width, fold_rows=10**6)
    painter = RowPainter(layout, dict.fromkeys(STYLES, Style()), width + GUTTER, Look())
    layout.commit()
    covered = ["" for _ in texts]
    for line in map(layout.line, range(layout.total)):
        if line.kind == "header":
            assert cell_len(painter.header(line, False).text) == width + GUTTER
            continue
        start, end = sorted((data.draw(st.integers(0, 40)), data.draw(st.integers(0, 40))))
        strip = painter.text(line, True, [(start, end, "evidence"), (start + 1, end + 2, "find")])
        shown, source = strip.text[GUTTER:], texts[line.turn][line.start : line.end]
        assert strip.cell_length == cell_len(strip.text) == width + GUTTER
        assert undo_shown(shown).rstrip(" ") == visible(texts[line.turn])[line.start : line.end]
        if not SIGNS & set(source) and not LOST & set(source):
            assert original(undo_shown(shown)).rstrip(" ") == source
        covered[line.turn] += source
    for text, seen in zip(texts, covered, strict=True):
        assert re.sub(r"[ \n]", "", seen) == re.sub(r"[ \n]", "", text)


@given(ANY_TEXT, st.integers(8, 120))
@settings(max_examples=10, deadline=None)
async def test_no_control_sign_of_any_text_is_in_the_frames(text, width):
    async with showing(["x"], size=(width, 12)) as (transcript, pilot, driver):
        own = set(driver.output)
        transcript.show(turns_of([text, text]))
        await pilot.pause()
        acting = {c for c in driver.output if unicodedata.category(c) in {"Cc", "Cs", "Zl", "Zp"}}
        assert acting <= own


PAYLOADS = [
    "\x1b[2J\x1b[H",
    "\x1b]52;c;aGFja2Vk\x1b\\",
    "\x1b]0;PWNED\x07",
    "\x9b31mred",
    "\x00\x08\x0e\x7f\x85",
    "a\u202egnp.exe\u2066x",
    "line\u2028and\u2029paragraph",
    "\ufeff\u200b\u2060hidden\U000e0041",
    "[bold]not bold[/]",
    "[/",
    "[@click=app.quit]press[/]",
    "\\[x] \\\\",
]


@pytest.mark.parametrize("payload", PAYLOADS)
async def test_nothing_of_a_payload_reaches_the_terminal_raw(payload):
    marks = [Mark(0, 0, len(payload))]
    async with showing([payload, f"x {payload} y"], marks=marks) as (transcript, pilot, driver):
        transcript.set_quoted({0: (payload,)})
        transcript.find(payload)
        await pilot.pause()
        # A frame has escape sequences of its own; of the payload's none may be among them.
        raw = {c for c in payload if visible(c) != c}
        assert not (raw - {"\x1b", "\x07"}) & set(driver.output)
        if raw:
            assert payload not in driver.output
        assert one_line(payload)[:40] in reports(driver)


async def test_markup_is_shown_literally_and_runs_nothing():
    async with showing(["[bold]x[/] [@click=app.quit]press[/] [/"]) as (transcript, pilot, driver):
        assert "[bold]x[/] [@click=app.quit]press[/] [/" in reports(driver)
        await pilot.click(Transcript, offset=(GUTTER + 20, 1))
        assert transcript.app.is_running


async def test_a_header_and_its_memories_are_made_safe_too():
    async with showing(["text"]) as (transcript, pilot, driver):
        transcript.show([TurnText("1 user\x1b[2J\n[/", "text", "user", ("m1\x1b]0;x\x07",))])
        await pilot.pause()
        assert one_line("1 user\x1b[2J\n[/") in reports(driver)
        assert one_line("◀ m1\x1b]0;x\x07") in reports(driver)


async def test_signs_that_stand_for_something_else_differ_from_signs_that_were_written():
    async with showing(["\x1b and ␛"]) as (transcript, _, _):
        (_, _, _, strip) = next(drawn_rows(transcript))
        styles = {segment.text: segment.style for segment in strip if "␛" in segment.text}
        assert len(styles) == 2
        assert len({(style.reverse, style.dim) for style in styles.values()}) == 2


def test_plain_content_is_literal_and_safe():
    assert plain("[bold]a\x1b\tb\n").plain == "[bold]a␛    b\n"
    assert plain_line("[/\n\t\x9b").plain == "[/␊␉\u289b"
    assert plain("a", "bold").spans
    assert original(plain_line("[/\n").plain) == "[/\n"


async def test_joined_emoji_are_one_glyph_where_the_terminal_joins_none():
    async with showing(["so 👩🏽‍🚀 and ❤️ here"]) as (transcript, pilot, driver):
        assert "👩🏽‍🚀" in driver.output
        assert "❤️" in driver.output
        transcript.set_look(Look(plain=True))
        await pilot.pause()
        assert "so 👩 and ❤ here" in reports(driver).replace("👩  ", "👩 ")


# ---------------------------------------------------------------- real packets


@needs_shared
@pytest.mark.parametrize(
    "session", ["sess_986253ed0be8", "sess_89fbb5d9fab4", "sess_53ba0414b259", "sess_8a46a8361114"]
)
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_a_real_session_is_shown_whole_row_by_row(session, size):
    texts = packet(session)
    async with showing(texts, size, fold_rows=10**6) as (transcript, _, _):
        covered, safe = ["" for _ in texts], [visible(text) for text in texts]
        for turn, start, end, strip in drawn_rows(transcript):
            assert undo_shown(strip.text[GUTTER:]).rstrip(" ") == safe[turn][start:end]
            covered[turn] += texts[turn][start:end]
        for text, seen in zip(texts, covered, strict=True):
            assert re.sub(r"[ \n]", "", seen) == re.sub(r"[ \n]", "", text)


@needs_shared
async def test_evidence_at_the_end_of_the_longest_real_turn_is_one_jump_away():
    texts = packet("sess_986253ed0be8")
    turn = max(range(len(texts)), key=lambda number: len(texts[number]))
    assert len(texts[turn]) == 189_106
    start = len(texts[turn]) - 200
    async with showing(texts, (80, 24), [Mark(turn, start, start + 60)]) as (transcript, pilot, driver):
        transcript.jump(turn, start)
        await pilot.pause()
        assert any(row.startswith("▌›") for row in driver.screen())


@needs_shared
async def test_an_arabic_session_shows_its_first_words_in_logical_order():
    texts = packet("sess_8a46a8361114")
    number = next(number for number, text in enumerate(texts) if re.match(r"[\u0600-\u06ff]", text))
    async with showing(texts) as (transcript, pilot, driver):
        transcript.jump(number)
        await pilot.pause()
        assert texts[number][:30].split("\n")[0] in driver.output
        assert "rtl" in driver.screen()[0]
