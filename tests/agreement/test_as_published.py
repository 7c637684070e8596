"""Lists of memories as the authors published them: tasks 1 and 2."""

import json
from typing import Any

import pytest
import second_opinion
from paths import ALPSBENCH, needs_shared
from second_opinion_queries import identical

from alps_tui.agreement.as_published import PublishedMemories, SessionPair, as_published_memories
from alps_tui.agreement.as_published_texts import published_matches, published_rouge_l

LIST_TASKS = pytest.mark.parametrize("task", ["task1", "task2"])
FOLDER = ALPSBENCH / "double_annotations"


def report(lists: second_opinion.Lists) -> PublishedMemories:
    return as_published_memories([SessionPair(name, a, b) for name, (a, b) in lists.items()])


def without_note(found: dict[str, Any]) -> dict[str, Any]:
    del found["matched_memory_rougeL"]["note"]
    return found


@needs_shared
@LIST_TASKS
def test_lists_equal_the_reference_to_6_decimals_with_their_bootstrap_bounds(task: str) -> None:
    reference = json.loads((ALPSBENCH / "reference_agreement.json").read_text())[task]
    assert report(second_opinion.final_lists(FOLDER, task)).to_json() == reference


@needs_shared
@LIST_TASKS
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_permuted_copy_equals_the_second_implementation(task: str, seed: int) -> None:
    lists = second_opinion.final_lists(FOLDER, task)
    copy, _ = second_opinion.permuted(lists, {}, seed)
    found = without_note(report(copy).to_json())
    assert found == second_opinion.published_lists(copy)
    assert found != without_note(report(lists).to_json())


@needs_shared
@LIST_TASKS
def test_the_second_implementation_gives_the_reference_too(task: str) -> None:
    reference = json.loads((ALPSBENCH / "reference_agreement.json").read_text())[task]
    assert second_opinion.published_lists(second_opinion.final_lists(FOLDER, task)) == without_note(reference)


@needs_shared
@LIST_TASKS
def test_identical_memories_that_score_0_are_counted(task: str) -> None:
    lists = second_opinion.final_lists(FOLDER, task)
    matched = [
        (a[i].get("value"), b[j].get("value"))
        for a, b in lists.values()
        for i, j in second_opinion.matches(a, b)
    ]
    found = report(lists).every_script
    assert (found.n_pairs, (found.n_identical, found.n_scored_0)) == (len(matched), identical(matched))
    assert found.n_scored_0 == {"task1": 0, "task2": 13}[task]


def test_a_likeness_in_every_script_stands_beside_a_rouge_l_of_0() -> None:
    tea = [{"value": "用户喜欢茶"}]
    found = as_published_memories([SessionPair("1", tea, tea), SessionPair("2", tea, tea)])
    assert found.matched_memory_rouge_l.mean == 0.0
    assert found.every_script.likeness.mean == 1.0
    assert (found.every_script.n_identical, found.every_script.n_scored_0) == (2, 2)


def test_the_order_in_which_sessions_arrive_changes_nothing() -> None:
    pairs = [
        SessionPair(f"s{i}", [{"value": "likes tea"}] * (i % 3), [{"value": "likes tea"}] * (i % 4))
        for i in range(12)
    ]
    assert as_published_memories(pairs).to_json() == as_published_memories(pairs[::-1]).to_json()


def test_the_authors_likeness_is_0_for_the_same_text_in_another_script() -> None:
    assert published_rouge_l("用户喜欢茶", "用户喜欢茶") == 0.0
    assert published_rouge_l("", None) == 1.0
    assert published_rouge_l("tea", "") == 0.0
    assert published_rouge_l("The User likes TEA!", "the user likes tea") == 1.0


def test_ties_of_the_greedy_matching_go_to_the_larger_indices() -> None:
    found = published_matches(["a b x", "a b y"], ["a b z", "a b w"])
    assert [(i, j) for i, j, _ in found] == [(1, 1), (0, 0)]


def test_a_likeness_of_exactly_one_half_is_a_match() -> None:
    assert published_matches(["a b"], ["a c"]) == [(0, 0, 0.5)]
    assert published_matches(["a b c"], ["a d e"]) == []


def test_blank_values_match_each_other_and_two_empty_lists_agree() -> None:
    assert published_matches([None], ["  "]) == [(0, 0, 1.0)]
    found = as_published_memories([SessionPair("1", [], []), SessionPair("2", [], [{"value": "a"}])])
    assert found.memory_set_f1.mean == 0.5


def undefined(found: Any) -> bool:
    return isinstance(found, dict) and found["value"] is None and bool(found["reason"])


def test_what_the_authors_call_nan_is_undefined_with_a_reason() -> None:
    empty = as_published_memories([]).to_json()
    assert undefined(empty["memory_set_f1"]["mean"]) and undefined(empty["confidence"]["pearson"])
    one = as_published_memories(
        [SessionPair("1", [{"value": "a", "type": "direct"}], [{"value": "a", "type": "direct"}])]
    )
    shown = one.to_json()
    assert isinstance(one, PublishedMemories)
    assert shown["memory_set_f1"]["mean"] == 1.0
    assert undefined(shown["memory_set_f1"]["std"]) and undefined(shown["memory_set_f1"]["ci95_lo"])
    assert undefined(shown["attribute_kappa"]["type"]) and undefined(shown["confidence"]["MAE"])
    json.dumps(shown, allow_nan=False)


def test_a_confidence_that_is_no_finite_number_makes_no_nan() -> None:
    both = [{"value": str(i), "confidence": "nan" if i else 0.5, "type": "x"} for i in range(4)]
    shown = as_published_memories([SessionPair("1", both, both)]).to_json()
    assert shown["confidence"]["pearson"]["status"] == "not_a_number"
    assert shown["confidence"]["MAE"]["value"] is None
    json.dumps(shown, allow_nan=False)
