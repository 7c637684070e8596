"""What comes from data is shown as text: one visible sign for one sign, and the way back."""

import subprocess
import sys
import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rich.cells import cell_len

from alps_tui.safe_text import LINE_TABLE, REPLACEMENT, SIGNS, TABLE, is_safe, one_line, original, visible

HOSTILE = st.sampled_from(
    [
        "\x1b[2J",
        "\x1b]52;c;aGk=\x07",
        "\x9b31m",
        "\x00",
        "\x7f",
        "\r\n",
        "\u202e",
        "\u2066",
        "\u200b",
        "\ufeff",
        "\t",
        "\n",
    ]
)
EMOJI = st.sampled_from(
    ["👩🏽‍🚀", "🏳️‍🌈", "❤️‍🔥", "👍🏿", "🇩🇪", "1️⃣", "🏴\U000e0067\U000e0062\U000e007f", "a\u200db", "\U000e0041"]
)
WORDS = st.sampled_from(
    [
        "[bold]x[/]",
        "[/",
        "\\",
        "مَرْحَبًا",
        "שָׁלוֹם",
        "漢字かな",
        "한국어",
        "क्षत्रिय",
        "سلام\u200cها",
        "e\u0301\u0327",
    ]
)
ANY_TEXT = st.one_of(
    st.text(), st.lists(st.one_of(HOSTILE, EMOJI, WORDS, st.text(max_size=4)), max_size=12).map("".join)
)
ACTS_ON_A_TERMINAL = {"Cc", "Cs", "Zl", "Zp"}


@given(ANY_TEXT)
def test_one_sign_stands_for_one_sign(text):
    assert len(visible(text)) == len(one_line(text)) == len(text)


@given(ANY_TEXT)
def test_nothing_that_acts_on_a_terminal_is_left(text):
    left = {c for c in visible(text) if unicodedata.category(c) in ACTS_ON_A_TERMINAL}
    assert left <= {"\t", "\n"}
    assert not {c for c in one_line(text) if unicodedata.category(c) in ACTS_ON_A_TERMINAL}
    assert not {
        c
        for c in visible(text)
        if unicodedata.bidirectional(c) in {"LRE", "RLO", "LRO", "RLE", "PDF", "LRI", "RLI", "FSI", "PDI"}
    }


@given(ANY_TEXT.filter(lambda text: not SIGNS & set(text)))
def test_the_table_undoes_what_was_shown(text):
    lost = {c for c in text if LINE_TABLE.get(ord(c)) == REPLACEMENT}
    expected = "".join("\ufffd" if c in lost else c for c in text)
    assert original(visible(text)) == expected
    assert original(one_line(text)) == expected


@given(ANY_TEXT)
def test_what_is_safe_comes_back_as_the_same_object(text):
    shown = visible(text)
    assert visible(shown) == shown
    if is_safe(text):
        assert shown is text


def test_every_sign_but_the_replacement_stands_for_one_source_only():
    signs = [sign for sign in LINE_TABLE.values() if sign != REPLACEMENT]
    assert len(signs) == len(set(signs))


def test_every_sign_is_one_narrow_cell_that_needs_no_sign_itself():
    for sign in SIGNS:
        assert cell_len(sign) == 1
        assert ord(sign) not in LINE_TABLE
        assert unicodedata.east_asian_width(sign) == "N" or ord(sign) == REPLACEMENT


@pytest.mark.parametrize(
    ("text", "shown"),
    [
        ("\x1b[2J", "␛[2J"),
        ("\x00\x07\x7f\r", "␀␇␡␍"),
        ("\x9b31m", "\u289b31m"),
        ("a\u202eb\u2066c", "a⇚b⇥c"),
        ("a\u2028b\u2029c", "a␤b⁋c"),
        ("\ufeffa\xadb\u200bc", "⌧a⁃b␣c"),
        ("\ud800", "\ufffd"),
    ],
)
def test_controls_are_shown_by_the_documented_signs(text, shown):
    assert visible(text) == shown


@pytest.mark.parametrize(
    "text",
    ["👩🏽‍🚀", "🏳️‍🌈", "❤️‍🔥", "👨‍👩‍👧‍👦", "🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f"],
)
def test_an_emoji_held_together_by_joiners_or_tags_stays_whole(text):
    assert visible(f"so {text} then") == f"so {text} then"


def test_a_joiner_between_letters_and_tags_that_hide_a_message_are_shown():
    assert visible("a\u200db") == "a⁀b"
    hidden = "".join(chr(0xE0000 + ord(c)) for c in "obey")
    assert visible(f"hi{hidden}") == "hi" + "".join(chr(0x2800 + ord(c)) for c in "obey")


def test_persian_and_indic_spelling_is_left_alone():
    assert visible("می‌خواهم क्षत्रिय") == "می‌خواهم क्षत्रिय"


def test_a_title_has_no_line_break_and_no_tab():
    assert one_line("a\nb\tc") == "a␊b␉c"


def test_the_tables_differ_in_tab_and_line_feed_only():
    assert set(LINE_TABLE) - set(TABLE) == {ord("\t"), ord("\n")}


def test_safe_text_loads_neither_textual_nor_rich():
    code = "import sys, alps_tui.safe_text; sys.exit(any(m in sys.modules for m in ('textual', 'rich', 'store')))"
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
