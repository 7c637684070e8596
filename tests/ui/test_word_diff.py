"""Two texts word by word, in scripts with and without spaces, and signs that must not be torn apart."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alps_tui.ui.word_diff import MOST_WORDS, word_diff, words


def said(before, after):
    marks = {"same": "", "removed": "-", "added": "+"}
    return [marks[piece.kind] + piece.text for piece in word_diff(before, after)]


@pytest.mark.parametrize(
    ("before", "after", "pieces"),
    [
        ("Lives in Graz", "Lives in Oslo", ["Lives in ", "-Graz", "+Oslo"]),
        ("Likes green tea", "Likes black coffee", ["Likes ", "-green tea", "+black coffee"]),
        ("我喜欢喝绿茶", "我喜欢喝红茶", ["我喜欢喝", "-绿", "+红", "茶"]),
        ("ชอบชาเขียว", "ชอบชาดำ", ["ชอบชา", "-เขียว", "+ดำ"]),
        ("Живёт в Риге", "Живёт в Осло", ["Живёт в ", "-Риге", "+Осло"]),
        ("Sad 👩‍👩‍👧 day", "Sad 👨‍👩‍👧 day", ["Sad ", "-👩‍👩‍👧", "+👨‍👩‍👧", " day"]),
        ("cafe\u0301 au lait", "café au lait", ["-cafe\u0301", "+café", " au lait"]),
        ("same", "same", ["same"]),
        ("", "all new", ["+all new"]),
        ("all gone", "", ["-all gone"]),
        ("", "", []),
    ],
)
def test_what_changed_is_said_in_whole_words(before, after, pieces):
    assert said(before, after) == pieces


@given(st.text(max_size=40), st.text(max_size=40))
def test_both_texts_can_be_read_off_the_pieces(before, after):
    pieces = word_diff(before, after)
    assert "".join(p.text for p in pieces if p.kind != "added") == before
    assert "".join(p.text for p in pieces if p.kind != "removed") == after
    assert all(p.text for p in pieces)


@given(st.text(max_size=60))
def test_words_joined_are_the_text(text):
    assert "".join(words(text)) == text


def test_a_text_of_any_length_is_shown_replaced_whole():
    long = "word " * MOST_WORDS
    assert [p.kind for p in word_diff(long, long + "x")] == ["removed", "added"]
