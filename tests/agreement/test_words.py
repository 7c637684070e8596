"""Words and their overlap in every script."""

from functools import cache

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alps_tui.agreement.words import common_length, likeness, normalised, rouge_l, words


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("The user, likes TEA!", ("the", "user", "likes", "tea")),
        ("Straße no. 12", ("strasse", "no", "12")),
        ("用户喜欢茶", ("用", "户", "喜", "欢", "茶")),
        ("用户 likes 茶", ("用", "户", "likes", "茶")),
        ("ユーザーは", ("ユ", "ー", "ザ", "ー", "は")),
        ("ผู้ใช้", ("ผู้", "ใ", "ช้")),
        ("हिन्दी में", ("हिन्दी", "में")),
        ("المُسْتَخْدِم يحب", ("المُسْتَخْدِم", "يحب")),
        ("사용자는 차를", ("사용자는", "차를")),
        ("אוהב תה", ("אוהב", "תה")),
        ("🍵🍵 !", ("🍵", "🍵", "!")),
        ("  ", ()),
    ],
)
def test_words_of_every_script_are_whole(text: str, expected: tuple[str, ...]) -> None:
    assert words(text) == tuple(normalised(word) for word in expected)


def brute_force(a: tuple[str, ...], b: tuple[str, ...]) -> int:
    @cache
    def longest(i: int, j: int) -> int:
        if i == len(a) or j == len(b):
            return 0
        if a[i] == b[j]:
            return 1 + longest(i + 1, j + 1)
        return max(longest(i + 1, j), longest(i, j + 1))

    return longest(0, 0)


FEW = st.lists(st.sampled_from("abcd"), max_size=9).map(tuple)


@given(FEW, FEW)
@settings(deadline=None)
def test_the_common_subsequence_is_the_longest_one(a: tuple[str, ...], b: tuple[str, ...]) -> None:
    assert common_length(a, b) == brute_force(a, b)


@given(st.text(min_size=1))
@settings(deadline=None)
def test_a_text_is_wholly_like_itself_in_any_script(text: str) -> None:
    own = words(text)
    assert rouge_l(own, own) == (1.0 if own else 0.0)
    assert bool(own) == any(not sign.isspace() for sign in normalised(text))


@given(st.text(), st.text())
@settings(deadline=None)
def test_likeness_does_not_depend_on_who_comes_first(a: str, b: str) -> None:
    assert rouge_l(words(a), words(b)) == rouge_l(words(b), words(a))
    assert 0 <= rouge_l(words(a), words(b)) <= 1


@given(st.text())
@settings(deadline=None)
def test_every_text_is_like_itself_and_a_blank_one_like_no_other(text: str) -> None:
    assert likeness(text, text) == 1.0
    assert likeness(text, "  ") == (0.0 if words(text) else 1.0)
