"""Rows of mixed directions are drawn in the order of UAX #9, whole, and only the order changes."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from test_safe_text import ANY_TEXT

from alps_tui.safe_text import visible
from alps_tui.ui.bidi import LONG, is_rtl, levels, mirrored, row_levels, turns_around, visual_order

MIXED = st.lists(
    st.sampled_from(
        ["abc ", "שלום ", "مرحبا ", "123 ", "٣٤", "(", ")", "[", "]", ",", "-", "%", "$", "\t", "é", "漢"]
    ),
    max_size=12,
).map("".join)


def drawn(text: str) -> str:
    """A row that is a whole paragraph, from left to right."""
    found = row_levels(text, 0, len(text))
    return "".join(
        mirrored(text[place]) if found[place] % 2 else text[place] for place in visual_order(found)
    )


@pytest.mark.parametrize(
    ("written", "shown"),
    [
        ("abc שלום def", "abc םולש def"),
        ("שלום abc 123 עולם", "םלוע abc 123 םולש"),
        ("מחיר: $5.20, תודה", "הדות ,$5.20 :ריחמ"),
        ("مرحبا 123 بالعالم", "ملاعلاب 123 ابحرم"),
        ("(שלום) world", "world (םולש)"),
        ("a [ב] c", "a [ב] c"),
        ("12-34 שלום", "םולש 12-34"),
        ("שלום 12:30 -5%", "5%- 12:30 םולש"),
        ("x\tשלום\ty", "x\tםולש\ty"),
        ("שלום (abc) 5", "5 (abc) םולש"),
        ("plain (words) 5%", "plain (words) 5%"),
    ],
)
def test_a_row_is_drawn_as_the_reference_implementation_orders_it(written, shown):
    assert drawn(written) == shown


@given(st.one_of(MIXED, ANY_TEXT).map(visible))
def test_every_sign_of_a_row_is_drawn_once(text):
    text = text.replace("\n", " ")
    order = visual_order(row_levels(text, 0, len(text)))
    assert sorted(order) == list(range(len(text)))


@given(st.one_of(MIXED, ANY_TEXT).map(visible), st.data())
def test_a_row_takes_its_levels_from_its_paragraph(text, data):
    start = data.draw(st.integers(0, len(text)))
    end = data.draw(st.integers(start, len(text.partition("\n")[0]) if "\n" not in text[:start] else start))
    found = row_levels(text, start, end)
    assert len(found) == end - start
    assert all(level in (0, 1, 2) for level in found)


@given(st.text(alphabet="abc 123 (),é漢", max_size=30))
def test_a_text_without_a_sign_from_the_right_is_never_looked_at(text):
    assert not turns_around(text, 0, len(text))
    assert drawn(text) == text


def test_the_direction_is_that_of_the_paragraph_not_of_the_row():
    text = "שלום לכולם and then words\nleft שלום"
    row = text.index("and")
    assert is_rtl(text, row, row + 8)
    assert turns_around(text, row, row + 8)
    assert not is_rtl(text, text.index("left"), len(text))


def test_a_huge_paragraph_is_looked_at_near_its_row_only():
    text = "שלום abc 12 " * LONG
    levels.cache_clear()
    assert len(row_levels(text, 30_000, 30_072)) == 72
    assert levels.cache_info().currsize == 1
    middle = text.index("abc", 30_000)
    assert row_levels(text, middle, middle + 3) == (2, 2, 2)
