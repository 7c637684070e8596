"""`alps agreement --as-published` on studies in which tasks, or one of two annotators, are missing."""

import json
from pathlib import Path

import pytest

TEA, SOUP = {"memory_id": "m1", "value": "喜欢茶"}, {"memory_id": "m2", "value": "likes soup"}
QUERY = {"queryId": "q1", "queryText": "Dinner?", "editableSelectedMemory": SOUP}
ANNOTATIONS = {
    "task1": {"editableGoldMemories": [TEA, SOUP]},
    "task2": {"editableUpdatedMemories": [TEA]},
    "task3": QUERY,
    "task4": {"subAnnotations": [QUERY, "no query"], "editableSelectedMemory": None},
}


@pytest.fixture
def imported(alps, tmp_path):
    """A study of double annotations: session → the tasks of the first annotator and those of the second."""

    def bring_in(**sessions: tuple[list[str], list[str]]) -> None:
        for session, sides in sessions.items():
            for side, tasks in enumerate(sides, 1):
                _write(tmp_path / "in" / f"annotator_{side}", session, tasks)
        assert alps("import", "in").code == 0

    return bring_in


def _write(folder: Path, session: str, tasks: list[str]) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    record = {
        "group": "g1",
        "sessionId": session,
        "annotatorFolder": folder.name,
        "tasks": {
            task: {
                "sessionId": session,
                "task": task,
                "annotation": {"formType": f"Q1:{task}", "status": "saved", **ANNOTATIONS[task]},
            }
            for task in tasks
        },
    }
    (folder / f"g1__{session}.json").write_text(json.dumps(record), encoding="utf-8")


def test_all_four_tasks_are_printed_in_80_columns_with_what_their_rouge_l_does_not_see(alps, imported):
    imported(s1=([*ANNOTATIONS], [*ANNOTATIONS]), s2=([*ANNOTATIONS], [*ANNOTATIONS]))
    ended = alps("agreement", "--as-published")
    assert ended.code == 0
    assert max(map(len, ended.out.splitlines())) <= 80
    blocks = ended.out.split("\n\n")
    assert [block.split(",")[0] for block in blocks[1:5]] == ["Task 1", "Task 2", "Task 3", "Task 4"]
    assert all("ROUGE-L" in block and "in every script *" in block for block in blocks[1:5])
    assert "4 of 4 pairs are the same text; the authors' ROUGE-L scores 2 of these 0." in blocks[1]
    assert "2 of 2 pairs are the same text; the authors' ROUGE-L scores none of these 0." in blocks[4]


def test_tasks_that_are_absent_are_named_and_the_others_computed(alps, imported):
    imported(s1=(["task2", "task4"], ["task2", "task4"]))
    ended = alps("agreement", "--as-published")
    assert ended.code == 0
    assert "Task 1, memories extracted: no session of this study has two annotators." in ended.out
    assert "Task 3, the memory selected for a query: no session" in ended.out
    found = alps("agreement", "--as-published", "--json").json
    assert found["absent"] == ["task1", "task3"]
    assert "task1" not in found and "task3" not in found
    assert found["task2"]["n_sessions"] == found["task4"]["matched_query_pairs"] == 1


def test_a_task_is_scored_where_both_annotators_have_it(alps, imported):
    imported(s1=(["task1", "task3"], ["task1"]), s2=(["task1", "task3"], ["task1", "task3"]))
    found = alps("agreement", "--as-published", "--json").json
    assert (found["task1"]["n_sessions"], found["task3"]["n_sessions"]) == (2, 1)
    assert found["one_annotator_only"]["task3"] == ["s1"]
    printed = alps("agreement", "--as-published").out
    assert "1 session with one annotator only, left out." in " ".join(printed.split())


def test_a_study_with_one_annotator_only_has_nothing_to_compare(alps, imported):
    imported(s1=([*ANNOTATIONS], []))
    ended = alps("agreement", "--as-published")
    assert ended.code == 3 and "two people" in ended.err
