"""Task 1 as the authors published it."""

import json
from typing import Any

import pytest
import second_opinion
from paths import ALPSBENCH, needs_shared

from alps_tui.agreement.as_published import (
    PublishedMemories,
    SessionPair,
    as_published_task1,
    published_matches,
    published_rouge_l,
)


def report(lists: second_opinion.Lists) -> dict[str, Any]:
    return as_published_task1([SessionPair(name, a, b) for name, (a, b) in lists.items()]).to_json()


def without_note(found: dict[str, Any]) -> dict[str, Any]:
    del found["matched_memory_rougeL"]["note"]
    return found


@needs_shared
def test_task_1_equals_the_reference_to_6_decimals_with_its_bootstrap_bounds() -> None:
    reference = json.loads((ALPSBENCH / "reference_agreement.json").read_text())["task1"]
    assert report(second_opinion.final_lists(ALPSBENCH / "double_annotations")) == reference


@needs_shared
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_permuted_copy_equals_the_second_implementation(seed: int) -> None:
    lists = second_opinion.final_lists(ALPSBENCH / "double_annotations")
    copy, _ = second_opinion.permuted(lists, {}, seed)
    found = without_note(report(copy))
    assert found == second_opinion.published_task1(copy)
    assert found != without_note(report(lists))


@needs_shared
def test_the_second_implementation_gives_the_reference_too() -> None:
    reference = json.loads((ALPSBENCH / "reference_agreement.json").read_text())["task1"]
    lists = second_opinion.final_lists(ALPSBENCH / "double_annotations")
    assert second_opinion.published_task1(lists) == without_note(reference)


def test_the_order_in_which_sessions_arrive_changes_nothing() -> None:
    pairs = [
        SessionPair(f"s{i}", [{"value": "likes tea"}] * (i % 3), [{"value": "likes tea"}] * (i % 4))
        for i in range(12)
    ]
    assert as_published_task1(pairs).to_json() == as_published_task1(pairs[::-1]).to_json()


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
    found = as_published_task1([SessionPair("1", [], []), SessionPair("2", [], [{"value": "a"}])])
    assert found.memory_set_f1.mean == 0.5


def undefined(found: Any) -> bool:
    return isinstance(found, dict) and found["value"] is None and bool(found["reason"])


def test_what_the_authors_call_nan_is_undefined_with_a_reason() -> None:
    empty = as_published_task1([]).to_json()
    assert undefined(empty["memory_set_f1"]["mean"]) and undefined(empty["confidence"]["pearson"])
    one = as_published_task1(
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
    shown = as_published_task1([SessionPair("1", both, both)]).to_json()
    assert shown["confidence"]["pearson"]["status"] == "not_a_number"
    assert shown["confidence"]["MAE"]["value"] is None
    json.dumps(shown, allow_nan=False)
