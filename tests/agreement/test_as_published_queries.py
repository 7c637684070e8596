"""Queries as the authors published them: tasks 3 and 4, and the report of all four."""

import json
from typing import Any

import pytest
import second_opinion_queries as second
from paths import ALPSBENCH, needs_shared

from alps_tui.agreement.as_published import (
    PublishedQueries,
    PublishedReport,
    PublishedSelections,
    Query,
    SessionPair,
    as_published_memories,
    as_published_queries,
    as_published_selections,
)

FOLDER = ALPSBENCH / "double_annotations"


def reference(task: str) -> dict[str, Any]:
    found: dict[str, Any] = json.loads((ALPSBENCH / "reference_agreement.json").read_text())[task]
    return found


def side(asked: list[second.Asked]) -> list[Query]:
    return [Query(one["id"], one["text"], one["memory"]) for one in asked]


def selections(sessions: second.Queries) -> PublishedSelections:
    return as_published_selections(
        [SessionPair(name, side(a)[0], side(b)[0]) for name, (a, b) in sessions.items()]
    )


def queries(sessions: second.Queries) -> PublishedQueries:
    return as_published_queries([SessionPair(name, side(a), side(b)) for name, (a, b) in sessions.items()])


@needs_shared
def test_task_3_equals_the_reference_by_both_implementations() -> None:
    sessions = second.selections(FOLDER)
    assert selections(sessions).to_json() == reference("task3")
    assert second.published_task3(sessions) == reference("task3")


@needs_shared
def test_task_4_equals_the_reference_by_both_implementations() -> None:
    sessions = second.queries(FOLDER)
    assert queries(sessions).to_json() == reference("task4")
    assert second.published_task4(sessions) == reference("task4")


@needs_shared
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_permuted_copy_of_task_3_equals_the_second_implementation(seed: int) -> None:
    copy = second.permuted(second.selections(FOLDER), seed)
    assert selections(copy).to_json() == second.published_task3(copy)
    assert selections(copy).to_json() != reference("task3")


@needs_shared
@pytest.mark.parametrize("seed", [1, 2, 3])
def test_a_permuted_copy_of_task_4_equals_the_second_implementation(seed: int) -> None:
    copy = second.permuted_lists(second.queries(FOLDER), seed)
    assert queries(copy).to_json() == second.published_task4(copy)
    assert queries(copy).to_json() != reference("task4")


@needs_shared
def test_identical_queries_and_memories_that_score_0_are_counted() -> None:
    asked, chosen = second.queries(FOLDER), second.selections(FOLDER)
    texts = [(a["text"], b["text"]) for x, y in asked.values() for a in x for b in y if a["id"] == b["id"]]
    memories = [(a["memory"], b["memory"]) for [a], [b] in chosen.values()]
    for found, pairs in ((queries(asked), texts), (selections(chosen), memories)):
        counted = found.every_script
        assert (counted.n_identical, counted.n_scored_0) == second.identical(pairs)
    assert queries(asked).every_script.n_scored_0 == 36


def test_a_query_whose_id_repeats_counts_once_with_its_last_text() -> None:
    mine = [Query("q1", "Tea?", "likes tea"), Query("q1", "Soup?", "likes soup"), Query("", "Rice?", None)]
    other = [Query("", "Rice?", None), Query("q1", "Soup?", "LIKES  soup")]
    found = as_published_queries([SessionPair("s", mine, other)])
    assert found.matched_query_pairs == 1
    assert (found.query_rouge_l.mean, found.supporting_memory_f1.mean) == (1.0, 1.0)
    assert found.query_f1.mean == pytest.approx(0.8)


def test_sessions_without_a_shared_query_have_no_likeness_and_two_without_any_query_agree() -> None:
    found = as_published_queries([SessionPair("1", [], []), SessionPair("2", [Query("a", "Tea?", "x")], [])])
    assert found.query_f1.mean == 0.5
    shown = found.to_json()
    assert shown["query_rougeL"]["mean"]["value"] is None and shown["query_rougeL"]["mean"]["reason"]
    json.dumps(shown, allow_nan=False)


def test_two_sessions_without_a_selected_memory_agree_on_it_and_not_on_the_query() -> None:
    found = as_published_selections([SessionPair("1", Query("", "Tea?", None), Query("", "Soup?", " "))])
    assert (found.selected_memory_agreement.mean, found.selected_memory_rouge_l.mean) == (1.0, 1.0)
    assert found.query_memory_pair_f1.mean == 0.0
    assert found.every_script.n_identical == 0, "two blank texts are no identical text"


def test_the_report_names_what_is_absent_and_keeps_ours_apart() -> None:
    tea = [{"value": "茶"}]
    task = as_published_memories([SessionPair("1", tea, tea)])
    shown = PublishedReport({"task1": task}, {"task1": (), "task3": ("s9",)}).to_json()
    assert shown["task1"] == task.to_json()
    assert shown["absent"] == ["task2", "task3", "task4"]
    assert shown["one_annotator_only"] == {"task1": [], "task3": ["s9"]}
    assert shown["beside"]["task1"]["matched_memory_rougeL"]["identical_scored_0"] == 1
