"""Quotes are found where they stand, in every script, and offsets are code points of the turn as it is stored."""

import unicodedata

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alps_tui.sources.evidence import QuoteFinder, normal_text, split_joined, way_back
from store.content_records import Evidence, Turn
from store.kinds import EvidenceMatch

USER = (
    "I moved to Lyon in 2021, and I really don't like early meetings.",
    "Mi hermana vive en Bogotá; yo prefiero el té verde.",
    "我住在杭州，喜欢喝龙井茶。不要太甜！",
    "أنا أفضّل القهوة بدون سكر كل صباح",
    "ฉันไม่กินเนื้อสัตว์และชอบปั่นจักรยาน",
)
ASSISTANT = "You really do not like early meetings, I will remember that."


def _finder(*texts: str) -> QuoteFinder:
    turns = [Turn("user", text) for text in texts or USER]
    return QuoteFinder([*turns, Turn("assistant", ASSISTANT)])


def _slice(finder: QuoteFinder, one: Evidence) -> str:
    assert one.turn is not None and one.start is not None and one.end is not None
    return finder.turns[one.turn].text[one.start : one.end]


@pytest.mark.parametrize(
    ("quote", "turn", "match", "found"),
    [
        ("I really don't like early meetings", 0, "exact", "I really don't like early meetings"),
        ("i REALLY dont like, early meetings", 0, "normalised", "I really don't like early meetings"),
        ("喜欢喝龙井茶", 2, "exact", "喜欢喝龙井茶"),
        ("我住在杭州,喜欢喝龙井茶", 2, "normalised", "我住在杭州，喜欢喝龙井茶"),
        ("我住在杭州 喜欢喝 龙井茶 不要太甜", 2, "normalised", "我住在杭州，喜欢喝龙井茶。不要太甜"),
        ("القهوة بدون سكر", 3, "exact", "القهوة بدون سكر"),
        ("prefiero el TÉ verde", 1, "normalised", "prefiero el té verde"),
        ("ชอบปั่นจักรยาน", 4, "exact", "ชอบปั่นจักรยาน"),
        ("I moved to Lyons in 2021 and I realy dont like early meeting", 0, "fuzzy", None),
        ("You really do not like early meetings", 5, "exact", "You really do not like early meetings"),
    ],
)
def test_a_quote_is_found_by_the_strictest_way_that_finds_it(
    quote: str, turn: int, match: str, found: str | None
) -> None:
    finder = _finder()
    (one,) = finder.locate(quote)
    assert (one.turn, one.match.value, one.quote) == (turn, match, quote)
    assert found is None or _slice(finder, one) == found
    assert (one.score is not None) == (match == "fuzzy")


def test_a_paraphrase_is_not_found() -> None:
    (one,) = _finder().locate("The user relocated to a French city and avoids morning calls")
    assert one.match is EvidenceMatch.NOT_FOUND
    assert (one.turn, one.start, one.end, one.score) == (None, None, None, None)


def test_a_paraphrase_keeps_the_turn_it_was_said_to_be_in() -> None:
    (one,) = _finder().locate("The user relocated to a French city", [0])
    assert (one.match, one.turn, one.start) == (EvidenceMatch.NOT_FOUND, 0, None)


def test_no_quote_is_no_match_but_keeps_its_turn() -> None:
    assert _finder().locate("  ", [2]) == (Evidence("  ", EvidenceMatch.NO_QUOTE, 2),)


def test_the_named_turn_comes_first_and_numbers_out_of_range_are_passed_over() -> None:
    finder = _finder("tea please", "tea please", "tea please")
    assert [one.turn for one in finder.locate("tea please", [-1, 99, 2])] == [2]
    assert [one.turn for one in finder.locate("tea please")] == [0]


def test_the_users_turns_come_before_the_assistants() -> None:
    finder = QuoteFinder([Turn("assistant", "green tea"), Turn("user", "green tea")])
    assert [one.turn for one in finder.locate("green tea")] == [1]


def test_a_short_quote_does_not_match_within_a_word_where_it_stands_alone_too() -> None:
    finder = _finder("I know nothing of it.", "no, thanks")
    (one,) = finder.locate("no")
    assert (one.turn, one.start) == (1, 0)
    assert _finder("sometimes", "I'm tired").locate("Im")[0].turn == 1
    assert _finder("sometimes").locate("Im")[0].match is EvidenceMatch.NOT_FOUND


def test_a_quote_that_joins_several_is_found_in_parts() -> None:
    finder = _finder()
    found = finder.locate("I moved to Lyon ... 喜欢喝龙井茶 | no such thing was ever said by anybody")
    assert [(one.turn, one.match.value) for one in found] == [(0, "exact"), (2, "exact"), (None, "not_found")]
    assert [one.quote for one in found[:2]] == ["I moved to Lyon", "喜欢喝龙井茶"]


@pytest.mark.parametrize("join", ["...", " … ", "[...]", "; ", " | ", " / ", "\n", "\n\n", "；"])
def test_every_way_of_joining_quotes_is_known(join: str) -> None:
    assert split_joined(f"moved to Lyon{join}early meetings") == ["moved to Lyon", "early meetings"]


def test_a_quote_cut_short_with_dots_is_found_whole() -> None:
    (one,) = _finder().locate("I moved to Lyon in 2021...")
    assert (one.turn, one.match) == (0, EvidenceMatch.NORMALISED)


def test_decomposed_and_composed_text_are_one() -> None:
    text = unicodedata.normalize("NFD", "Me encanta el café con leche de avena")
    finder = _finder(text)
    (one,) = finder.locate("CAFÉ con leche")
    assert one.match is EvidenceMatch.NORMALISED
    assert unicodedata.normalize("NFC", _slice(finder, one)) == "café con leche"


def test_letters_that_grow_when_folded_keep_their_offsets() -> None:
    finder = _finder("Die Straße ist laut, ﬁne by me")
    assert _slice(finder, finder.locate("STRASSE IST LAUT")[0]) == "Straße ist laut"
    assert _slice(finder, finder.locate("fine by ME")[0]) == "ﬁne by me"


def test_a_quote_is_found_in_a_turn_of_189000_characters() -> None:
    words = [f"word{i % 977} other{i % 1009}" for i in range(12_000)]
    text = " ".join(words)[:189_000]
    finder = _finder("short", text)
    start = 120_000
    exact, fuzzy = text[start : start + 300], text[start : start + 300].replace("word", "wrod", 3)
    assert finder.locate(exact)[0].start == text.find(exact)
    (one,) = finder.locate(fuzzy)
    assert one.match is EvidenceMatch.FUZZY and one.turn == 1
    whole = text[1000:100_000].replace("word5", "w5")
    (one,) = finder.locate(whole)
    assert one.match is EvidenceMatch.FUZZY and one.end is not None and one.end - (one.start or 0) > 90_000


TEXTS = st.text(
    st.one_of(
        st.characters(exclude_categories=["Cs"]),
        st.sampled_from("aAéßﬁ ½Ω가각áǆ‍️🏽👩‍你好，。…;|\n؟"),
    ),
    max_size=60,
)


@given(TEXTS, st.data())
def test_the_way_back_from_a_normal_text_covers_what_it_came_from(text: str, data: st.DataObject) -> None:
    normal = normal_text(text)
    if not normal:
        return
    start = data.draw(st.integers(0, len(normal) - 1))
    end = data.draw(st.integers(start + 1, len(normal)))
    first, last = way_back(text).original(start, end)
    assert 0 <= first < last <= len(text)
    assert normal[start:end] in normal_text(text[first:last])


@given(st.lists(TEXTS, max_size=5), TEXTS, st.lists(st.integers(-2, 6), max_size=3))
def test_whatever_the_texts_are_every_quote_gets_an_answer_within_its_turn(
    texts: list[str], quote: str, named: list[int]
) -> None:
    finder = QuoteFinder([Turn("user", text) for text in texts])
    found = finder.locate(quote, named)
    assert found
    for one in found:
        if one.start is not None:
            assert one.turn is not None and one.end is not None
            assert 0 <= one.start < one.end <= len(texts[one.turn])
            if one.match is EvidenceMatch.EXACT:
                assert texts[one.turn][one.start : one.end] == one.quote
        if one.match is EvidenceMatch.FUZZY:
            assert one.score is not None and 0.75 <= one.score <= 1


@given(TEXTS.filter(lambda text: any(map(str.isalnum, text))), TEXTS, TEXTS)
def test_a_quote_that_stands_in_a_turn_verbatim_is_always_found_there(
    quote: str, before: str, after: str
) -> None:
    (one,) = QuoteFinder([Turn("user", before + quote + after)]).locate(quote)
    assert one.match is EvidenceMatch.EXACT
