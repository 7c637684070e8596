"""The dialogues of the sample study hold what an annotator should meet on the first day."""

import json
import re
from collections import Counter
from importlib.resources import files

import pytest
import regex

from alps_tui.protocols.rules import check_memory
from store import content
from store.kinds import EvidenceMatch, Origin

MODELS = {"heron-2", "tarn-small", "quill-xl"}

ODD_EVIDENCE = {
    ("kitchen-tofu", "m5"): "evidence_normalised",
    ("ward-counts", "m4"): "evidence_other_turn",
    ("night-train", "m7"): "evidence_not_found",
    ("ar-oud", "m5"): "evidence_other_turn",
    ("ru-new-town", "m5"): "evidence_joined",
    ("hi-interview", "m3"): "evidence_fuzzy",
}
"""The proposals whose evidence is odd on purpose, and how."""


@pytest.fixture(scope="module")
def dialogues():
    text = (files("alps_tui.demo") / "dialogues.jsonl").read_text(encoding="utf-8")
    return [json.loads(line) for line in text.split("\n") if line]


def gold(dialogue):
    return [memory for memory in dialogue["memories"] if "model" not in memory]


def texts(dialogue):
    return [turn["content"] for turn in dialogue["dialogue"]]


def test_there_are_thirteen_dialogues_of_8_to_60_turns_one_of_60_one_of_40_most_short(dialogues):
    lengths = sorted(len(dialogue["dialogue"]) for dialogue in dialogues)
    assert len(lengths) == 13
    assert lengths[0] == 8 and lengths[-2:] == [40, 60]
    assert sum(8 <= length <= 20 for length in lengths) >= 8


def test_users_write_in_six_languages_and_five_scripts(dialogues):
    assert Counter(dialogue["language"] for dialogue in dialogues) >= Counter(
        {"en": 6, "zh": 2, "ar": 2, "ru": 1, "hi": 1, "ja": 1}
    )
    every = "".join(text for dialogue in dialogues for text in texts(dialogue))
    for name in ("Latin", "Han", "Arabic", "Cyrillic", "Devanagari", "Hiragana"):
        assert len(regex.findall(rf"\p{{{name}}}", every)) > 100, name


def test_every_turn_that_is_not_english_has_a_stored_translation(dialogues):
    for dialogue in dialogues:
        translated = [bool(turn.get("translation")) for turn in dialogue["dialogue"]]
        assert all(translated) if dialogue["language"] != "en" else not any(translated)


def test_the_hazards_of_real_text_are_met(dialogues):
    every = [text for dialogue in dialogues for text in texts(dialogue)]
    joined = "\n".join(every)
    assert max(map(len, every)) > 4_000, "a long pasted turn"
    assert "```python" in joined and "| part | € |" in joined, "a code fence and a table"
    assert "[icu]" in joined and "[/b2]" in joined and "[red]" in joined, "brackets that look like markup"
    assert "👩‍🍳" in joined and "👶🏽" in joined and "🇮🇹" in joined, "joined, toned and flag emoji"
    assert max(len(text) for text in every if text.startswith("How exciting")) > 1_500, "a long answer"


def test_users_and_assistants_take_turns_and_users_begin(dialogues):
    for dialogue in dialogues:
        roles = [turn["role"] for turn in dialogue["dialogue"]]
        assert roles == ["user", "assistant"] * (len(roles) // 2)


def test_there_are_more_than_thirty_proposals_and_each_is_a_valid_record(dialogues):
    proposals = [memory for dialogue in dialogues for memory in dialogue["memories"]]
    assert sum("model" not in memory for memory in proposals) == 83
    for memory in proposals:
        assert check_memory(memory) == (), memory


def test_three_invented_models_extract_overlapping_lists_of_every_dialogue(dialogues):
    for dialogue in dialogues:
        lists = {model: [] for model in MODELS}
        for memory in dialogue["memories"]:
            if "model" in memory:
                lists[memory["model"]].append(memory["value"].rstrip(".").casefold())
        assert all(lists.values())
        known = {memory["value"].rstrip(".").casefold() for memory in gold(dialogue)}
        assert known & {value for values in lists.values() for value in values}, dialogue["dialogue_id"]


def asked(dialogue):
    """The queries that test an ability: the others are put to a pool."""
    return [query for query in dialogue["queries"] if "pool" not in query]


def test_questions_are_put_to_pools_and_judges_have_said_something_of_every_kind(dialogues):
    pools = [query for dialogue in dialogues for query in dialogue["queries"] if "pool" in query]
    assert len(pools) == 3 and min(len(query["pool"]) for query in pools) >= 15
    assert all(query["target"] in {entry["id"] for entry in query["pool"]} for query in pools)
    ids = [[entry["id"] for entry in query["pool"]] for query in pools]
    assert any(len(set(one)) < len(one) for one in ids), "ids repeat in a pool, as in real ones"
    said = Counter(one["task"] for dialogue in dialogues for one in dialogue.get("judged", ()))
    assert said == {"extraction": 3, "use": 3, "ability": 6}


def test_every_ability_is_asked_for_and_three_models_answer_each_query(dialogues):
    queries = [query for dialogue in dialogues for query in asked(dialogue)]
    assert {query["ability"] for query in queries} == {f"ability{n}" for n in range(1, 6)}
    assert len(queries) == 27
    for dialogue in dialogues:
        ids = {memory["id"] for memory in gold(dialogue)}
        for query in asked(dialogue):
            assert query["memory_ids"] and set(query["memory_ids"]) <= ids
            assert query["target"] in query["memory_ids"]
            answers = [one for one in dialogue["responses"] if one["query_id"] == query["id"]]
            assert {one["model"] for one in answers} == MODELS
            assert len({one["text"] for one in answers}) == 3


def test_no_text_that_a_rater_sees_names_a_model(dialogues):
    for dialogue in dialogues:
        seen = [dialogue["dialogue_id"], *texts(dialogue)]
        seen += [one["text"] for one in dialogue["queries"] + dialogue["responses"]]
        seen += [one["value"] for one in dialogue["memories"]]
        assert not re.search("|".join(MODELS), "\n".join(seen), re.IGNORECASE)


def test_evidence_stands_where_it_is_said_but_for_the_six_that_are_odd_on_purpose(sample):
    db, _ = sample
    with db.read() as conn:
        lints = {(one.record, one.where.split("/")[1]): one.code for one in content.lints(conn)}
        located = [
            (dialogue.external_id, memory)
            for dialogue in content.dialogues(conn)
            for memory in content.memories(conn, dialogue.id)
        ]
    assert lints == ODD_EVIDENCE
    for name, memory in located:
        if memory.origin is Origin.GOLD and (name, memory.external_id) in ODD_EVIDENCE:
            continue
        (only,) = memory.evidence
        assert only.match is EvidenceMatch.EXACT, (name, memory.value)
        assert only.turn == memory.raw["evidence"]["turn"]
