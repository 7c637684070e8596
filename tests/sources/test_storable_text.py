"""Text is made storable sign for sign, and said so; languages are told by script and small words."""

from unicodedata import normalize

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alps_tui.sources.function_words import WORDS
from alps_tui.sources.language import guess_language, language_tag
from alps_tui.sources.lints import Notes, Unreadable
from alps_tui.sources.normalise import clean_text
from alps_tui.sources.parsing import parse_json
from alps_tui.sources.plain_jsonl import read
from store.content_records import Turn


@given(st.text(st.characters()))
def test_text_keeps_every_sign_in_its_place_but_for_line_ends(text: str) -> None:
    cleaned, changes = clean_text(text)
    lines = text.replace("\r\n", "\n").replace("\r", "\n")
    assert len(cleaned) == len(lines)
    assert "\0" not in cleaned and "\r" not in cleaned
    cleaned.encode()
    differs = [(a, b) for a, b in zip(lines, cleaned, strict=True) if a != b]
    assert all(b == ("␀" if a == "\0" else "�") for a, b in differs)
    assert bool(changes) == (text != cleaned)


@pytest.mark.parametrize(
    ("text", "changes"),
    [("plain", ()), ("a\r\nb", ("line_ends",)), ("\0", ("nul",)), ("\ud800x\r", ("line_ends", "surrogate"))],
)
def test_what_was_changed_in_a_text_is_named(text: str, changes: tuple[str, ...]) -> None:
    assert clean_text(text)[1] == changes


@pytest.mark.parametrize(
    ("data", "reason"),
    [
        (b"", "empty"),
        (b" \n", "empty"),
        (b"{", "cut off: the JSON ends before it is complete"),
        (b'{"a": "b', "cut off: the JSON ends before it is complete"),
        (b'{"a": 1} {', "more than one JSON document"),
        (b"{'a': 1}", "not JSON: expecting property name"),
        (b'{"a": -Infinity}', "-Infinity is not JSON"),
        (b'{"a": "\xff"}', "not UTF-8: byte 7 is 0xff"),
        (b'{"a": "\t"}', "not JSON: invalid control character"),
        (b"[" * 100_000, "nested deeper than"),
        (b'{"a": ' + b"9" * 5000 + b"}", "a number that cannot be read"),
        (b'{"a": // no\n1}', "not JSON: expecting value"),
    ],
)
def test_json_that_cannot_be_read_says_where_and_why(data: bytes, reason: str) -> None:
    with pytest.raises(Unreadable, match=r".") as error:
        parse_json(data, Notes())
    assert reason in str(error.value)


def test_numbers_too_large_to_keep_and_lone_surrogates_are_kept_as_text() -> None:
    notes = Notes()
    value = parse_json(b'{"a": "\\udc00", "n": 123456789012345678901234567890, "f": 1e999}', notes)
    assert value == {"a": "�", "n": "123456789012345678901234567890", "f": "inf"}
    assert [lint.code for lint in notes.lints] == ["surrogate"]


@pytest.mark.parametrize(
    ("text", "tag"),
    [
        ("How do I get to the station?", "en"),
        ("Comment est-ce que je vais à la gare, et quel est le prix pour nous ?", "fr"),
        ("Hur kommer jag till stationen, och vad är det för tåg som går?", "sv"),
        ("Hvordan kommer jeg til stationen, og hvad er det for et tog, der går nu?", "da"),
        ("Jak dojdę na dworzec i czy to jest daleko?", "pl"),
        ("İstasyona nasıl giderim, bu çok uzak mı ve bir tren var mı?", "tr"),
        ("Bahnhof?", "und-Latn"),
        ("12 km, GPS, tram 4", "und-Latn"),
        ("What is this in my language, and how do I say it: je ne sais pas ce que vous voulez", "und-Latn"),
        ("你好，我想去车站 by bus", "zh"),
        ("駅への行き方を教えてください", "ja"),
        ("역에 어떻게 가나요?", "ko"),
        ("كيف أصل إلى المحطة؟", "ar"),
        ("איך מגיעים לתחנה?", "he"),
        ("چگونه می توانم به ایستگاه بروم و این قطار از کجا می آید؟", "fa"),
        ("Как пройти к вокзалу?", "ru"),
        ("Як мені пройти до вокзалу, і що це за потяг?", "uk"),
        ("स्टेशन कैसे जाऊँ?", "hi"),
        ("Πώς πάω στον σταθμό;", "el"),
        ("ไปสถานีอย่างไร", "th"),
        ("12345 !? 🚲", None),
    ],
)
def test_script_and_small_words_of_the_users_turns_give_the_language(text: str, tag: str | None) -> None:
    turns = [
        Turn("assistant", "These are the words of somebody that you do not ask. " * 20),
        Turn("user", text),
    ]
    assert guess_language(turns) == tag
    assert guess_language([Turn("user", normalize("NFD", text))]) == tag


def test_what_is_pasted_below_a_question_does_not_change_its_language() -> None:
    asked = "Pouvez-vous me faire un résumé de ce texte pour mes élèves ?\n"
    assert guess_language([Turn("user", asked * 5 + "The end of the story and of it all. " * 400)]) == "fr"


def test_every_language_of_a_shared_script_has_words_enough_to_be_told() -> None:
    for script, languages in WORDS.items():
        assert all(listed == listed.casefold() for listed in languages.values()), script
        assert all(len(set(listed.split())) >= 20 for listed in languages.values()), script


def test_a_language_that_a_record_states_wins_over_its_words() -> None:
    line = {"dialogue_id": "d", "dialogue": [{"role": "user", "content": "How do I get to the station?"}]}
    assert [read({**line, **said}, Notes())[0].language for said in ({}, {"language": "German"})] == [
        "en",
        "de",
    ]


def test_a_named_language_is_a_tag_and_anything_else_is_none() -> None:
    names = ["English", "ch", "pt-BR", "ar", "Chinese|English", "UNKNOWN language", "", None, 7]
    assert [language_tag(name) for name in names] == ["en", "zh", "pt-BR", "ar", None, None, None, None, None]
