"""The offline baseline judge: what it counts, what it refuses, and that it answers like itself every time."""

from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alps_tui.judging.baseline import (
    ALIGNMENT,
    EMOTIONAL,
    FIELDS,
    HONEST,
    definition,
    is_aversion,
    judge_response,
    without_notes,
)
from alps_tui.judging.cues import content_units, lexicon, script
from alps_tui.protocols.loading import load_builtin
from alps_tui.protocols.rules import check_value
from store.kinds import UnitKind
from store.records import MemoryView

FORM = load_builtin("response-rating")
PLAIN = MemoryView(1, "m1", "", None, None, None, None, None, None, None, None, ())


def memory(value: str, **more: str) -> MemoryView:
    return replace(PLAIN, value=value, **more)


def alignment(response: str, *memories: MemoryView) -> object:
    verdict = judge_response(response, "What shall I cook tonight?", memories)
    return verdict.values.get(ALIGNMENT, "cannot judge")


def emotional(response: str, query: str, *user_turns: str) -> tuple[object, ...]:
    verdict = judge_response(response, query, (), user_turns)
    return tuple(verdict.values[key] for key in EMOTIONAL)


def test_it_answers_the_fields_of_response_rating_and_no_other():
    asked = load_builtin("response-rating").for_ability(None).fields_of(UnitKind.RESPONSE)
    assert [field.key for field in asked if field.required and field.kind == "scale"] == list(FIELDS)


def test_a_liking_that_the_response_takes_up_scores_above_one_it_passes_by():
    vegetables = memory("Loves grilled vegetables", preference_attitude="like")
    assert alignment("Grilled vegetables with rice.", vegetables) == 5
    assert alignment("A steak from the pan.", vegetables) == 3


def test_a_dislike_that_the_response_takes_up_scores_below_one_it_leaves_alone():
    pesto = memory("Pesto sauce", preference_attitude="dislike")
    assert alignment("Try a pesto sauce on it.", pesto) == 1
    assert alignment("Try tomatoes on it.", pesto) == 3


@pytest.mark.parametrize(
    ("value", "more"),
    [
        ("Dislikes pesto", {}),
        ("pesto", {"label": "Constraints_and_Boundaries/Disliked_Topics"}),
        ("讨厌香菜", {}),
        ("Не любит рыбу", {}),
        ("لا يحب السمك", {}),
        ("मछली पसंद नहीं", {}),
        ("パクチーが嫌い", {}),
    ],
)
def test_a_memory_without_an_attitude_is_an_aversion_by_its_label_or_its_own_words(value, more):
    assert is_aversion(memory(value, **more), lexicon())


def test_the_attitude_a_person_gave_counts_more_than_the_words():
    assert not is_aversion(memory("Avoids sugar", preference_attitude="like"), lexicon())


def test_no_preference_is_not_applicable_and_not_a_score():
    assert alignment("Anything at all.") == "na"


def test_words_of_two_scripts_cannot_be_compared_and_that_is_a_reason_not_a_score():
    verdict = judge_response("今晚做豆腐吧。", "吃什么好？", (memory("Loves tofu"),))
    assert ALIGNMENT not in verdict.values
    assert "East Asian" in verdict.unscored[ALIGNMENT] and "Latin" in verdict.unscored[ALIGNMENT]


def test_an_empty_response_is_unscored_on_every_field():
    verdict = judge_response("  \n", "I am so sad.", (memory("Loves tofu"),))
    assert not verdict.values
    assert set(verdict.unscored) == set(FIELDS)


def test_scripts_without_spaces_share_pairs_of_characters():
    assert alignment("今晚可以做麻婆豆腐。", memory("喜欢麻婆豆腐", preference_attitude="like")) == 5
    assert alignment("今晚可以烤鱼。", memory("喜欢麻婆豆腐", preference_attitude="like")) == 3


def test_hindi_and_vocalised_arabic_words_stay_whole():
    assert "हिन्दी" in content_units("मुझे हिन्दी फ़िल्में", lexicon())
    assert content_units("كِتَابٌ", lexicon()) == content_units("كتاب", lexicon())


def test_notes_in_brackets_are_about_the_memory_and_are_not_read():
    assert without_notes("Eats fish [ERROR: no [direct] evidence] daily]") == "Eats fish  daily]"
    assert without_notes("Eats [fish") == "Eats [fish"


@pytest.mark.parametrize(
    ("query", "caring", "cold"),
    [
        (
            "I failed my exam again and I feel so ashamed.",
            "I'm sorry to hear that. It sounds like you feel ashamed, and that's completely normal. I'm here for you. "
            "Would you like to talk about it?",
            "Make a timetable. Solve ten exercises a day.",
        ),
        (
            "今天被老板骂了，我很难过，压力也很大。",
            "听起来你今天很难过，这很正常，真的不容易。我在这里陪着你，慢慢来。你愿意说说发生了什么吗？",
            "请列出三个改进点，然后写一份报告。",
        ),
        (
            "انا قلق جدا من المقابلة غدا",
            "يبدو انك قلق، ومن الطبيعي ان تشعر بهذا. لست وحدك، انا هنا معك. هل تريد ان تحدثني عنها؟",
            "جهز سيرتك الذاتية واقرأ عن الشركة.",
        ),
        (
            "Мне очень грустно и одиноко.",
            "Мне очень жаль. Похоже, вам грустно, и это нормально. Я рядом. Хотите поговорить об этом?",
            "Запишитесь на курсы и составьте план.",
        ),
        (
            "मैं बहुत उदास और अकेला महसूस कर रहा हूँ",
            "लगता है कि आप उदास हैं, यह स्वाभाविक है। आप अकेले नहीं हैं, मैं आपके साथ हूँ। क्या आप चाहेंगे कि हम बात करें?",
            "रोज़ दस मिनट टहलें और सूची बनाएँ।",
        ),
        (
            "試験に落ちて、とても悲しいです。",
            "とてもつらかったですね。お気持ちが伝わります。悲しいのは当然です。無理をしないで、よければ話してみませんか？",
            "毎日問題を十問解いてください。",
        ),
    ],
)
def test_a_response_that_meets_a_feeling_scores_above_one_that_does_not_in_each_language(query, caring, cold):
    warm, cool = emotional(caring, query), emotional(cold, query)
    assert all(w > c for w, c in zip(warm, cool, strict=True)), (warm, cool)


def test_brushing_a_feeling_aside_costs_points():
    query = "I am so worried about tomorrow."
    with_care = "I understand that you feel worried. I'm here for you."
    assert emotional("Just relax. " + with_care, query) < emotional(with_care, query)


def test_without_a_feeling_in_query_or_dialogue_the_emotional_scales_do_not_apply():
    assert emotional("Use a list.", "How do I sort in Python?") == ("na", "na", "na")


def test_a_feeling_told_earlier_in_the_dialogue_counts_and_a_pasted_document_does_not():
    assert emotional("Use a list.", "How do I sort?", "I am so lonely lately.") == (1, 1, 1)
    assert emotional("Use a list.", "How do I sort?", "sad story " * 500) == ("na", "na", "na")


def test_the_definition_says_that_it_is_a_baseline_and_its_hash_covers_the_lexicon():
    mine = definition()
    assert mine.to_json()["baseline"] is True
    assert "baseline" in HONEST and "understands nothing" in HONEST
    assert mine.sha256 != replace(mine, lexicon_sha256="another").sha256
    assert mine.sha256 == definition().sha256


def test_script_is_that_of_most_letters():
    assert script("Дебют Sicilian Defence в шахматах очень хорош") == "Cyrillic"
    assert script("2 + 2 = 4") is None


TEXT = st.text(max_size=200) | st.sampled_from(
    ["[ERROR", "]]]", "\x1b[31mred", "على", "喜欢 tofu", "I'm sorry to hear", "\0", "ก็", "e\u0301", "👩‍👩‍👧"]
)
ATTITUDES = st.sampled_from([None, "like", "dislike", "liike", "null", ""])
MEMORIES = st.lists(
    st.builds(lambda value, attitude: memory(value, preference_attitude=attitude), TEXT, ATTITUDES),
    max_size=4,
)


@given(response=TEXT, query=TEXT, memories=MEMORIES, turns=st.lists(TEXT, max_size=3))
def test_any_text_gets_an_allowed_value_or_a_reason_for_every_field_and_the_same_again(
    response, query, memories, turns
):
    verdict = judge_response(response, query, memories, turns)
    assert set(verdict.values) | set(verdict.unscored) == set(FIELDS)
    assert not set(verdict.values) & set(verdict.unscored)
    assert all(check_value(FORM.field(key), value) is None for key, value in verdict.values.items())
    assert all(reason for reason in verdict.unscored.values())
    assert verdict == judge_response(response, query, memories, turns)
