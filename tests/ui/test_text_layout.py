"""Rows are slices: they cover the text, are no wider than asked, and never cut what is drawn as one sign."""

import pytest
import regex
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from test_safe_text import ANY_TEXT

from alps_tui.safe_text import visible
from alps_tui.ui.text_layout import (
    RowIndex,
    Wrapped,
    cluster_edges,
    direction,
    folded,
    plain_emoji,
    shown_cells,
    shown_text,
    undo_shown,
    wants_plain_emoji,
    widened,
    wrap,
)

SCRIPTS = st.sampled_from(
    [
        "the quick brown fox ", "    indented ", "https://example.org/a/very/long/path ", "مَرْحَبًا بِالعَالَمِ ", "שָׁלוֹם עוֹלָם ",
        "漢字かな交じり文。", "（全角）", "한국어 문장 ", "क्षत्रिय नमस्ते ", "สวัสดีครับผมชื่อ", "👩🏽‍🚀", "❤️", "🇩🇪🇫🇷", "1️⃣", "👍🏿 ",
        "e\u0301\u0327", "Z͑ͫ̓ͪ̂ͫ̽͏̴̙̤̞͉͚̯̞̠͍A̴̵̜̰͔ͫ͗͢", "\t", "\n", "   ", "ᄀᄀᄀ각ᆨᆨ", "\u0600漢", "か\u3099", "x\u102b\ufe0f", "❤\u102b\ufe0f", "ー。、",
    ]
)  # fmt: skip
LONG_TEXT = st.one_of(ANY_TEXT, st.lists(st.one_of(SCRIPTS, ANY_TEXT), max_size=25).map("".join)).map(visible)
WIDTHS = st.one_of(st.integers(4, 12), st.integers(4, 120))


def rows_of(wrapped: Wrapped) -> list[tuple[int, int]]:
    return [wrapped.row(index) for index in range(len(wrapped))]


@given(LONG_TEXT, WIDTHS)
def test_the_rows_cover_the_text_exactly_and_trim_only_spaces_and_the_break(text, width):
    wrapped = wrap(text, width)
    assert "".join(text[start:end] for start, end in rows_of(wrapped)) == text
    for index, (start, end) in enumerate(rows_of(wrapped)):
        left, right = wrapped.shown(index)
        assert left == start
        assert not text[right:end].strip(" \n")


@given(LONG_TEXT, WIDTHS)
@settings(max_examples=300)
def test_no_row_is_wider_than_its_width(text, width):
    wrapped = wrap(text, width)
    for index in range(len(wrapped)):
        start, end = wrapped.shown(index)
        row = shown_text(text[start:end])
        assert cell_len(row) == shown_cells(text[start:end]) <= width
        assert "\n" not in row


@given(LONG_TEXT, WIDTHS)
def test_a_cluster_is_split_only_if_it_is_wider_than_a_row(text, width):
    wrapped = wrap(text, width)
    edges = {found.start() for found in regex.finditer(r"\X", text)}
    for start, _ in rows_of(wrapped)[1:]:
        if start not in edges:
            left, right = (
                max(e for e in edges if e < start),
                min((e for e in edges if e > start), default=len(text)),
            )
            assert shown_cells(text[left:right]) > width


@given(LONG_TEXT, WIDTHS)
def test_a_drawn_row_undone_is_its_slice(text, width):
    wrapped = wrap(text, width)
    for index in range(len(wrapped)):
        start, end = wrapped.shown(index)
        if "␉   " not in text[start:end]:
            assert undo_shown(shown_text(text[start:end])) == text[start:end]


@given(LONG_TEXT, WIDTHS, st.data())
def test_every_offset_is_in_the_row_that_covers_it(text, width, data):
    wrapped = wrap(text, width)
    offset = data.draw(st.integers(0, len(text)))
    start, end = wrapped.row(wrapped.row_of(offset))
    assert start <= offset < end or (offset == len(text) and end == len(text))


@given(st.text(alphabet="ab ", max_size=200), WIDTHS)
def test_the_fast_way_for_plain_text_breaks_like_the_exact_one(text, width):
    exact = wrap(text + "\n漢", width)
    plain = wrap(text + "\nx", width)
    assert list(exact.starts) == list(plain.starts)


@given(st.text(alphabet="ab cde", max_size=200), WIDTHS)
def test_odd_paragraphs_break_where_plain_ones_do(text, width):
    odd = text.replace("c", "é").replace("é", "e\u0301")
    plain_rows = [text[a:b].replace("c", "é") for a, b in rows_of(wrap(text, width))]
    odd_rows = [odd[a:b].replace("e\u0301", "é") for a, b in rows_of(wrap(odd, width))]
    assert [row.replace("é", "e\u0301") for row in plain_rows] == [
        row.replace("é", "e\u0301") for row in odd_rows
    ]


def test_a_row_ends_after_a_word_and_its_spaces_hang():
    text = "one two    three"
    assert [text[a:b] for a, b in rows_of(wrap(text, 7))] == ["one two    ", "three"]


def test_a_word_longer_than_a_row_is_cut_and_an_indent_stays_with_it():
    text = "    abcdefghij"
    assert [text[a:b] for a, b in rows_of(wrap(text, 8))] == ["    abcd", "efghij"]


def test_a_row_of_chinese_does_not_begin_with_its_full_stop():
    text = "一二三四五。六七"
    assert [text[a:b] for a, b in rows_of(wrap(text, 10))] == ["一二三四", "五。六七"]


def test_an_empty_text_is_one_empty_row_and_empty_lines_are_rows():
    assert rows_of(wrap("", 10)) == [(0, 0)]
    assert rows_of(wrap("a\n\nb\n", 10)) == [(0, 2), (2, 3), (3, 5)]


@pytest.mark.parametrize("sign", ["x", "漢", "👩🏽‍🚀", "e\u0301", "🇩🇪", "क्ष"])
def test_a_line_without_any_space_is_wrapped_whole(sign):
    text = sign * (100_000 // len(sign))
    wrapped = wrap(text, 80)
    assert wrapped.row(len(wrapped) - 1)[1] == len(text)
    assert max(shown_cells(text[slice(*wrapped.shown(index))]) for index in range(len(wrapped))) <= 80


def test_a_width_that_no_sign_fits_is_refused():
    with pytest.raises(ValueError, match="at least 4"):
        wrap("x", 3)


@given(st.lists(st.integers(1, 50), min_size=1, max_size=40), st.data())
def test_the_row_index_finds_the_turn_of_every_row(heights, data):
    index = RowIndex(heights)
    changed = data.draw(st.integers(0, len(heights) - 1))
    heights[changed] = 7
    index.set_height(changed, 7)
    owners = [(turn, within) for turn, height in enumerate(heights) for within in range(height)]
    assert index.total == len(owners)
    assert [index.locate(row) for row in range(index.total)] == owners
    assert [index.first_row(turn) for turn in range(len(heights))] == [
        owners.index((turn, 0)) for turn in range(len(heights))
    ]


@given(st.integers(0, 300), st.integers(0, 20), st.sets(st.integers(-5, 400), max_size=10))
def test_a_fold_accounts_for_every_row(rows, head, keep):
    entries = folded(rows, head, keep)
    at = 0
    for entry in entries:
        assert entry == at or (entry < -1)
        at += 1 if entry >= 0 else -entry
    assert at == rows
    assert {row for row in keep if 0 <= row < rows} <= set(entries)


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("hello", "ltr"),
        ("مرحبا", "rtl"),
        ("«123» שלום abc", "rtl"),
        ("12 … ?", "ltr"),
        ("", "ltr"),
        ("漢字", "ltr"),
        ("- ok مرحبا", "ltr"),
    ],
)
def test_a_paragraph_runs_as_its_first_strong_sign_does(text, expected):
    assert direction(text) == expected


def test_a_direction_can_be_asked_of_one_paragraph():
    assert direction("abc\nمرحبا", 4) == "rtl"


@given(LONG_TEXT.filter(lambda text: "\n" not in text), st.data())
def test_a_style_changes_only_between_clusters(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text)))
    edges = cluster_edges(text, 0, len(text))
    left, right = widened(edges, start, end)
    assert left <= start <= end <= right
    assert left in edges
    assert right in edges
    assert cell_len(text[:left]) + cell_len(text[left:right]) + cell_len(text[right:]) == cell_len(text)


@pytest.mark.parametrize(
    ("full", "plain"),
    [("👩🏽‍🚀!", "👩!"), ("❤️", "❤"), ("1️⃣", "1"), ("👍🏿", "👍"), ("👨‍👩‍👧", "👨"), ("é", "é"), ("🇩🇪", "🇩🇪")],
)
def test_plain_emoji_keep_their_first_glyph(full, plain):
    assert plain_emoji(full) == plain


@given(LONG_TEXT)
def test_plain_emoji_are_never_wider(text):
    assert cell_len(plain_emoji(text)) <= cell_len(text)


def test_plain_emoji_are_wanted_inside_tmux_and_screen():
    assert wants_plain_emoji({"TMUX": "/x"})
    assert wants_plain_emoji({"STY": "x"})
    assert not wants_plain_emoji({"TMUX": ""})


@given(LONG_TEXT, WIDTHS, st.integers(0, 40), st.integers(1, 60))
@settings(max_examples=300)
def test_a_text_wrapped_in_pieces_has_the_rows_it_has_in_one_go(text, width, step, window):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("alps_tui.ui.text_layout.WINDOW", window)
        whole = wrap(text, width)
        rows = Wrapped(text, width)
        while not rows.complete:
            before = rows.reached
            rows.go_on(rows.reached + step)
            assert rows.reached > before
        assert list(rows.starts) == list(whole.starts)


@given(LONG_TEXT, WIDTHS, st.integers(1, 60))
@settings(max_examples=300)
def test_no_row_is_wider_than_its_width_however_small_the_pieces(text, width, window):
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("alps_tui.ui.text_layout.WINDOW", window)
        rows = wrap(text, width)
    assert "".join(text[start:end] for start, end in rows_of(rows)) == text
    assert all(shown_cells(text[slice(*rows.shown(row))]) <= width for row in range(len(rows)))
