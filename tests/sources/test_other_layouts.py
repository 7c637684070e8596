"""AlpsBench's other layouts: told by their content, read with every tolerance, and nothing of a judge in content."""

import json
from pathlib import Path
from typing import Any

import pytest
from layout_samples import (
    PREDICTED,
    REVIEWS,
    TURNS,
    bundle,
    dataset_row,
    editor_export,
    entry,
    extraction_item,
    gold_memory,
    judged_memories,
    retrieval_item,
    update_item,
)
from source_samples import bring_in, packet, write_json, write_lines

from alps_tui.items.content import OTHER_LAYOUTS
from alps_tui.sources import alpsbench_llm_memories, alpsbench_tasks
from alps_tui.sources.detect import Format, Sample, detect
from store import content
from store.assignments import rater_by_name, raters
from store.database import Database
from store.kinds import EvidenceMatch, Origin, RaterKind


def _only(db: Database, task: str) -> Any:
    with db.read() as connection:
        (found,) = content.annotations(connection, task)
    return found


def _lints(report: Any, code: str) -> list[str]:
    return [one.where for one in report.lint_rows if one.code == code]


@pytest.mark.parametrize(
    ("document", "format"),
    [
        (extraction_item(), Format.ITEM),
        (update_item(), Format.ITEM),
        (retrieval_item(), Format.ITEM),
        (judged_memories(), Format.MEMORIES),
        (bundle(), Format.BUNDLE),
        (editor_export(), Format.GOLD_EDITOR),
        (editor_export(backup=False), Format.GOLD_EDITOR),
        (dataset_row(), Format.ROWS),
        (extraction_item()["original"], Format.ROWS),
        (retrieval_item()["original"], Format.ROWS),
        ({"conversation": TURNS, "queries": [], "extracted_memory": []}, Format.ROWS),
        (packet(), Format.PACKET),
    ],
)
@pytest.mark.parametrize("indent", [None, 2])
def test_a_layout_is_told_by_what_a_file_holds(document: Any, format: Format, indent: int | None) -> None:
    assert detect(Sample(json.dumps(document, indent=indent).encode(), whole=True)) is format


# ---------------------------------------------------------------- check items


def test_a_task_1_item_gives_gold_model_memories_and_a_judge(db: Database, tmp_path: Path) -> None:
    report = bring_in(db, write_json(tmp_path / "item.json", extraction_item("sess_1")))

    assert report.complete
    with db.read() as connection:
        (dialogue,) = content.dialogues(connection)
        memories = content.memories(connection, dialogue.id)
        judge = rater_by_name(connection, "judge-of-manual-check-task1")
    assert (dialogue.source, dialogue.external_id) == ("alpsbench-check-task1", "sess_1")
    assert [(one.origin, one.origin_name, one.external_id) for one in memories] == [
        (Origin.GOLD, "gold", "m1"),
        (Origin.MODEL, "some-model", "p1"),
        (Origin.MODEL, "some-model", "p2"),
    ]
    assert memories[0].evidence[0].match is EvidenceMatch.EXACT
    assert judge is not None and judge.kind is RaterKind.IMPORTED_JUDGE
    said = _only(db, "judge:extraction")
    assert said.side == "some-model"
    assert said.payload == {"model": "some-model", "judge_output_raw": REVIEWS, "judge_score": 57.0}


def test_a_judge_citing_memories_that_are_gone_is_kept_and_each_is_named(
    db: Database, tmp_path: Path
) -> None:
    report = bring_in(db, write_json(tmp_path / "a.json", judged_memories()))

    where = "llm_as_judge_results/model-a/judge_output_raw/missing_reviews/0/id"
    assert _lints(report, "judge_dangling") == [where]
    assert _only(db, "judge:extraction").payload["judge_output_raw"] == REVIEWS


def test_no_judge_output_gives_no_judge_and_is_counted(db: Database, tmp_path: Path) -> None:
    item = extraction_item(judge_output_raw=None, judge_score=None)
    report = bring_in(db, write_json(tmp_path / "a.json", item))

    assert report.lints["judge_missing"] == 1
    assert report.counts["annotations"] == report.counts["raters"] == 0
    with db.read() as connection:
        assert raters(connection) == ()


def test_a_final_score_stays_in_the_raw_record(db: Database, tmp_path: Path) -> None:
    report = bring_in(db, write_json(tmp_path / "a.json", judged_memories()))

    assert report.lints["final_score_mixed"] == 2
    assert "final_score" not in _only(db, "judge:extraction").payload
    with db.read() as connection:
        raw = content.raw_record(connection, _only(db, "judge:extraction").record_id)
    assert raw is not None and b'"final_score": 66.9' in raw


def test_a_task_2_item_gives_an_update_and_the_judge_of_it(db: Database, tmp_path: Path) -> None:
    bring_in(db, write_json(tmp_path / "a.json", update_item("sess_2")))

    with db.read() as connection:
        (dialogue,) = content.dialogues(connection)
        (update,) = content.updates(connection, dialogue.id)
        memories = content.memories(connection, dialogue.id)
    assert update.selected == "m2" and [turn.text for turn in update.new_dialogue] == ["I moved to Oslo."]
    assert [one["memory_id"] for one in update.answer] == ["m1", "m2_updated", "m_new_1"]
    assert [(one.origin, one.evidence) for one in memories] == [(Origin.MODEL, ())]
    assert _only(db, "judge:update").session_id == "sess_2"


def test_a_pool_keeps_repeated_ids_and_values_in_order(db: Database, tmp_path: Path) -> None:
    report = bring_in(db, write_json(tmp_path / "a.json", retrieval_item()))

    with db.read() as connection:
        (dialogue,) = content.dialogues(connection)
        (query,) = content.queries(connection, dialogue.id, "retrieval")
        (response,) = content.responses(connection, query.id)
    assert query.pool == tuple(retrieval_item()["original"]["candidate_memories"])
    assert response.text == "Lentils."
    assert _only(db, "judge:use").payload["judge_score"] == 0.9
    assert not report.lints["dialogue_empty"], "these items come without a dialogue"


@pytest.mark.parametrize(
    ("raw", "text"),
    [
        ('```json\n{"answer": "Lentils."}\n```', "Lentils."),
        ('{"answer": "Lentils."}', "Lentils."),
        ("```json\n{broken\n```", "```json\n{broken\n```"),
        ("Just lentils.", "Just lentils."),
    ],
)
def test_an_answer_left_unparsed_is_read_or_kept_as_it_came(
    db: Database, tmp_path: Path, raw: str, text: str
) -> None:
    item = retrieval_item(model_output={"raw_output": raw, "parsed_response": None, "used_memory": None})
    report = bring_in(db, write_json(tmp_path / "a.json", item))

    assert report.lints["answer_unparsed"] == 1
    with db.read() as connection:
        (dialogue,) = content.dialogues(connection)
        (response,) = content.responses_of_dialogue(connection, dialogue.id)
    assert response.text == text


def test_a_construction_item_has_no_model_and_no_judge(db: Database, tmp_path: Path) -> None:
    item = extraction_item()
    for key in ("assigned_model", "model_output", "judge_output_raw", "judge_score", "final_score"):
        del item[key]
    report = bring_in(
        db, write_json(tmp_path / "a.json", item | {"assigned_model_for_judge_track": "some-model"})
    )

    assert (report.counts["gold_memories"], report.counts["model_memories"]) == (1, 0)
    assert report.counts["annotations"] == 0
    assert report.complete


def test_both_tracks_of_a_session_are_one_dialogue_in_either_order(db: Database, tmp_path: Path) -> None:
    judged = extraction_item()
    construction = {key: judged[key] for key in ("task", "canonical_id", "session_id", "stratum", "original")}
    first = write_json(tmp_path / "a.json", construction | {"assigned_model_for_judge_track": "some-model"})

    bring_in(db, first)
    report = bring_in(db, write_json(tmp_path / "b.json", judged))

    assert report.counts["dialogues"] == report.counts["gold_memories"] == report.changed == 0
    assert report.counts["model_memories"] == 2


# ---------------------------------------------------------------- tolerances


def test_every_oddity_of_a_review_is_tolerated_and_named(db: Database, tmp_path: Path) -> None:
    reviews = {
        "pair_reviews": [REVIEWS["pair_reviews"][0]],
        "missing_reviews": [{"id": "m1", "should_have extracted": True, "severity": 1, "rationale": "x"}],
    }
    report = bring_in(db, write_json(tmp_path / "a.json", extraction_item(judge_output_raw=reviews)))

    assert report.complete
    assert report.lints["key_misspelt"] == 1
    assert report.lints["reviewed_twice"] == 1
    assert _lints(report, "part_missing") == ["judge_output_raw/extra_reviews"]


@pytest.mark.parametrize(
    "evidence",
    [
        None,
        [],
        [{"utterance_index": 0, "text": "I am vegan"}],
        {"turn_indices": [0], "turns": [{"index": 0, "role": "user", "text": "I am vegan"}]},
        {"utterance_index": [0, 1], "text": "I am vegan"},
        {"utterance_index": 99, "text": "I am vegan"},
        {"utterance_index": 0, "text": None},
    ],
)
def test_evidence_of_any_shape_and_text_for_a_confidence_come_in(
    db: Database, tmp_path: Path, evidence: Any
) -> None:
    odd = gold_memory("m1", evidence=evidence, confidence="0.80")
    for key in ("label_suggestion", "reasoning"):
        del odd[key]
    report = bring_in(db, write_json(tmp_path / "a.json", judged_memories(golden_answer=[odd])))

    assert report.complete
    with db.read() as connection:
        (dialogue,) = content.dialogues(connection)
        (memory,) = content.memories(connection, dialogue.id, Origin.GOLD)
    assert memory.confidence == 0.8
    assert memory.raw == odd


def test_an_empty_gold_and_a_dialogue_the_assistant_opens_come_in(db: Database, tmp_path: Path) -> None:
    turns = [TURNS[1], TURNS[1], TURNS[0]]
    report = bring_in(db, write_json(tmp_path / "a.json", judged_memories(golden_answer=[], dialogue=turns)))

    assert report.complete
    assert report.counts["gold_memories"] == 0
    assert report.lints["same_role_twice"] == 1


def test_an_emotional_score_that_is_missing_is_named(db: Database, tmp_path: Path) -> None:
    rows = [{"response": "Warm.", "resonation": 4, "expression": None}, {"response": "Else.", "score": 1}]
    item = {
        "task": "task4/ability5",
        "canonical_id": "english_1",
        "session_id": "english_1",
        "assigned_model": "some-model",
        "original": {
            "queries": [{"query_id": "english_1:0", "query": "?"}],
            "conversation": TURNS,
            "extracted_memory": [],
        },
        "model_output": {"responses": [{"query_id": "english_1:0", "response": "Warm."}]},
        "judge_output_raw": rows,
        "judge_score": {"avg_resonation": 4},
    }
    report = bring_in(db, write_json(tmp_path / "a.json", item))

    assert _lints(report, "score_missing") == [
        "judge_output_raw/0/expression",
        "judge_output_raw/0/reception",
    ]
    assert _lints(report, "score_unjoined") == ["judge_output_raw/1"]


def test_json_with_nan_or_comments_is_kept_aside_with_the_reason(db: Database, tmp_path: Path) -> None:
    text = json.dumps(judged_memories())
    (tmp_path / "a.json").write_text(text.replace("66.9", "NaN"))
    (tmp_path / "b.json").write_text(text.replace("{", "{ // a note\n", 1))

    report = bring_in(db, tmp_path / "a.json", tmp_path / "b.json")

    first, second = (one.reason for one in report.quarantined)
    assert first == "NaN is not JSON"
    assert second.startswith("not JSON")


# ---------------------------------------------------------------- dataset rows and pointers


def test_dataset_rows_come_in_line_by_line(db: Database, tmp_path: Path) -> None:
    rows = [dataset_row("sess_1"), retrieval_item()["original"] | {"metadata": {"session_id": "sess_2"}}]
    report = bring_in(db, write_lines(tmp_path / "rows.jsonl", *rows, {"nothing": 1}))

    assert (report.counts["updates"], report.counts["pools"]) == (1, 1)
    assert [one.reason for one in report.quarantined] == ["a row of none of the four tasks' shapes"]


def test_a_pointer_is_no_data_and_says_how_to_get_it(db: Database, tmp_path: Path) -> None:
    (tmp_path / "task1.jsonl").write_text(
        "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 1234\n"
    )
    report = bring_in(db, tmp_path)

    assert [(one.file.rpartition("/")[2], "git lfs pull" in one.reason) for one in report.left_out] == [
        ("task1.jsonl", True)
    ]
    assert not report.complete


# ---------------------------------------------------------------- bundles and the gold editor


def test_a_bundle_is_one_raters_work_drafts_as_drafts(db: Database, tmp_path: Path) -> None:
    folder = tmp_path / "Ada Berg"
    entries = [entry("s1"), entry("s1", "task2", editableUpdatedMemories=[]), entry("s2", status="draft")]
    report = bring_in(db, write_json(folder / "annotation_data_1.json", bundle("s", *entries)))

    assert report.complete
    with db.read() as connection:
        first = content.annotations(connection, "task1")
        (rater,) = raters(connection)
    assert [(one.session_id, one.payload["status"]) for one in first] == [("s1", "saved"), ("s2", "draft")]
    assert [one.payload for one in first] == [entries[0]["annotation"], entries[2]["annotation"]]
    assert rater.params["side"] == "annotator_1" and rater.kind is RaterKind.HUMAN


def test_two_bundles_of_one_folder_are_two_raters_of_one_pair(db: Database, tmp_path: Path) -> None:
    for side in (1, 2):
        write_json(tmp_path / "Ada & Lin" / f"annotation_data_{side}.json", bundle("s1"))
    bring_in(db, tmp_path)

    with db.read() as connection:
        found = raters(connection)
    assert {rater.params["side"] for rater in found} == {"annotator_1", "annotator_2"}
    assert len({rater.params["group"] for rater in found}) == 1


def test_saved_work_and_drafts_of_one_export_are_one_raters_and_other_exports_others(
    db: Database, tmp_path: Path
) -> None:
    for name in ("chunk_001-annotations-1", "chunk_001-drafts-1", "chunk_001-annotations-2"):
        write_json(tmp_path / f"{name}.json", bundle("s1", entry(f"s-{name}")))
    bring_in(db, tmp_path)

    with db.read() as connection:
        assert len(raters(connection)) == 2


def test_no_name_in_a_bundle_its_file_or_its_folder_reaches_the_study(db: Database, tmp_path: Path) -> None:
    named = entry("sess_1") | {"relativeItemPath": "Ada Berg and Lin Wei/sess_1.json"}
    path = tmp_path / "Ada Berg and Lin Wei" / "Ada Berg_1.json"
    bring_in(db, write_json(path, bundle("s", named, rootName="Ada Berg and Lin Wei")))

    with db.read() as connection:
        raw = connection.connection.driver_connection
        dump = "\n".join(raw.iterdump())
        stored = content.raw_record(connection, _only(db, "task1").record_id)
    assert "Ada" not in dump and "Lin Wei" not in dump
    assert stored is not None and b"Ada" not in stored and b'"relativeItemPath": "' in stored


def test_a_check_items_annotation_belongs_to_the_check_item(db: Database, tmp_path: Path) -> None:
    path = "manual_check_data/benchmark_construction_check_data/task2/sessions/s1__s1/item.json"
    item = entry("s1", "task2", editableUpdatedMemories=[]) | {"relativeItemPath": path}
    bring_in(db, write_json(tmp_path / "a_1.json", bundle("s", item)))

    assert _only(db, "task2").source == "alpsbench-check-task2"


def test_what_people_said_of_a_judge_is_another_task(db: Database, tmp_path: Path) -> None:
    said = entry("s1", "task1", "Q2", annotationsByMode={"judge_visible": {"alignmentVerdict": "aligned"}})
    bring_in(db, write_json(tmp_path / "a_1.json", bundle("s", said)))

    assert _only(db, "Q2:task1").payload == said["annotation"]
    with db.read() as connection:
        assert content.annotations(connection, "task1") == ()


@pytest.mark.parametrize(
    ("changes", "reason"),
    [
        ({"version": 2}, "version 2"),
        ({"annotations": {}}, "annotations is an object, not a list"),
        ({"annotations": [{"task": "task1", "track": "Q1"}]}, "annotations/0/annotation is null"),
    ],
)
def test_a_bundle_that_cannot_be_read_is_kept_aside(
    db: Database, tmp_path: Path, changes: dict[str, Any], reason: str
) -> None:
    report = bring_in(db, write_json(tmp_path / "a_1.json", bundle("s") | changes))

    (aside,) = report.quarantined
    assert reason in aside.reason


@pytest.mark.parametrize("backup", [True, False])
def test_the_gold_editors_lists_are_kept_without_reading_decisions_off_them(
    db: Database, tmp_path: Path, backup: bool
) -> None:
    report = bring_in(db, write_json(tmp_path / "Ada.json", editor_export("sess_0a", backup=backup)))

    assert report.complete
    said = _only(db, "gold")
    assert (said.session_id, said.side) == ("sess_0a", "gold-editor")
    assert said.payload["golden_answer"] == [gold_memory("m1")]
    with db.read() as connection:
        assert "Ada" not in "\n".join(connection.connection.driver_connection.iterdump())


# ---------------------------------------------------------------- one session in several layouts


def test_a_session_in_three_layouts_is_three_dialogues_and_one_of_them_is_verified() -> None:
    sources = {alpsbench_llm_memories.SOURCE, *alpsbench_tasks.SOURCES.values()}
    assert sources - OTHER_LAYOUTS == {"alpsbench-task4"}, "whose items have given memories only"


def test_predictions_of_a_model_stand_in_their_order(db: Database, tmp_path: Path) -> None:
    bring_in(db, write_json(tmp_path / "a.json", judged_memories()))

    with db.read() as connection:
        (dialogue,) = content.dialogues(connection)
        found = content.memories(connection, dialogue.id, Origin.MODEL)
    assert [one.raw for one in found] == PREDICTED
