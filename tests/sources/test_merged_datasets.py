"""Merged datasets come in with their items and annotations; of a file with many parts a broken one stays alone."""

import json
from pathlib import Path
from typing import Any

import pytest
from layout_samples import bundle, editor_export, entry, extraction_item, judged_memories, update_item
from source_samples import bring_in, packet, write_json

from alps_tui.sources.importer import ImportReport
from store import content
from store.assignments import raters
from store.database import Database


def merged(*entries: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "bundleType": "q1-q2-merged-dataset",
        "version": 1,
        "rootName": "manual_check_data",
        "generatedAt": "2026-04-19T10:00:00.000Z",
        "entries": list(entries),
        "annotations": [],
        "warnings": [],
    } | changes


def listed(task: str, *items: dict[str, Any], track: str = "Q1") -> dict[str, Any]:
    """One entry of a merged dataset: a manifest of a task and its items."""
    folder = f"manual_check_data/benchmark_construction_check_data/{task}"
    return {
        "id": f"{track}:{task}",
        "track": track,
        "task": task,
        "manifestPath": f"{folder}/manifest.json",
        "baseDir": folder,
        "title": f"{track} {task}",
        "itemCount": len(items),
        "items": list(items),
    }


def item(data: dict[str, Any], annotation: dict[str, Any] | None = None) -> dict[str, Any]:
    session = data["session_id"]
    found = {
        "relativeItemPath": f"sessions/{session}__{session}/item.json",
        "manifestRow": {"session_id": session},
        "itemData": data,
    }
    return found if annotation is None else found | {"annotation": annotation}


def known(db: Database) -> tuple[set[tuple[str, str]], set[tuple[str, str, str]]]:
    with db.read() as conn:
        dialogues = {(one.source, one.external_id) for one in content.dialogues(conn)}
        tasks = content.annotation_tasks(conn)
        said = {
            (one.source, one.session_id, task) for task in tasks for one in content.annotations(conn, task)
        }
    return dialogues, said


def test_a_merged_dataset_gives_its_items_and_what_was_annotated_of_them(
    db: Database, tmp_path: Path
) -> None:
    first = entry("sess_1")
    document = merged(
        listed("task1", item(extraction_item("sess_1"), first)),
        listed("task2", item(update_item("sess_2"), entry("x", "task2")["annotation"])),
    )
    report = bring_in(db, write_json(tmp_path / "merged_1.json", document))

    assert report.complete
    dialogues, said = known(db)
    assert dialogues == {("alpsbench-check-task1", "sess_1"), ("alpsbench-check-task2", "sess_2")}
    assert {one for one in said if not one[2].startswith("judge")} == {
        ("alpsbench-check-task1", "sess_1", "task1"),
        ("alpsbench-check-task2", "sess_2", "task2"),
    }


def test_an_annotation_that_stands_with_its_item_and_in_the_list_is_one(db: Database, tmp_path: Path) -> None:
    path = "manual_check_data/benchmark_construction_check_data/task1/sessions/sess_1__703/item.json"
    said = entry("sess_1") | {"relativeItemPath": path}
    document = merged(listed("task1", item(extraction_item("sess_1"), said)), annotations=[said])
    report = bring_in(db, write_json(tmp_path / "merged_1.json", document))

    assert report.complete and not report.lints["duplicate_id"]
    assert report.counts["annotations"] == 1 + 1, "an annotator's and a judge's"


def test_packets_in_a_merged_dataset_are_packets(db: Database, tmp_path: Path) -> None:
    document = merged(listed("task1", item(packet("sess_1"), entry("sess_1"))))
    bring_in(db, write_json(tmp_path / "merged_1.json", document))

    assert known(db) == ({("alpsbench", "sess_1")}, {("alpsbench", "sess_1", "task1")})


def test_a_merged_dataset_again_changes_nothing_and_names_nobody(db: Database, tmp_path: Path) -> None:
    named = listed("task1", item(extraction_item("sess_1"), entry("sess_1")))
    named |= {"baseDir": "Ada Berg/task1", "manifestPath": "Ada Berg/task1/manifest.json"}
    path = write_json(tmp_path / "Ada Berg" / "Ada_1.json", merged(named, rootName="Ada Berg"))
    bring_in(db, path)

    again = bring_in(db, path)

    assert again.same == 1 and not again.is_new
    with db.read() as conn:
        assert "Ada" not in "\n".join(conn.connection.driver_connection.iterdump())
        assert {one.params.get("side") for one in raters(conn)} == {"annotator_1", None}


# ---------------------------------------------------------------- one part of many is broken


def aside(report: ImportReport) -> list[tuple[int, str, str]]:
    return [(one.ordinal, one.record, one.reason) for one in report.quarantined]


def test_a_broken_annotation_of_a_bundle_is_kept_aside_alone(db: Database, tmp_path: Path) -> None:
    broken = entry("s2") | {"annotation": None}
    report = bring_in(db, write_json(tmp_path / "a_1.json", bundle("s", entry("s1"), broken, entry("s3"))))

    assert aside(report) == [(3, "s2", "annotations/1/annotation is null, not an object")]
    assert report.counts["annotations"] == 2
    with db.read() as conn:
        (kept,) = content.quarantined(conn)
    assert json.loads(kept.raw)["sessionId"] == "s2"


def test_a_broken_session_of_the_gold_editor_is_kept_aside_alone(db: Database, tmp_path: Path) -> None:
    document = editor_export("sess_0a") | {"sess_0b__9": {"golden_answer": 7}}
    report = bring_in(db, write_json(tmp_path / "e.json", document))

    assert [reason for _, _, reason in aside(report)] == ["sess_0b__9/golden_answer is a number, not a list"]
    assert report.counts["annotations"] == 1


@pytest.mark.parametrize("data", [{}, {"original": {}}, 7, judged_memories()])
def test_a_broken_item_of_a_merged_dataset_is_kept_aside_alone(
    db: Database, tmp_path: Path, data: Any
) -> None:
    bad = {"relativeItemPath": "x/item.json", "itemData": data}
    document = merged(listed("task1", bad, item(extraction_item("sess_1"))))
    report = bring_in(db, write_json(tmp_path / "m_1.json", document))

    assert [one.ordinal for one in report.quarantined] == [2]
    assert report.counts["gold_memories"] == 1


def test_what_is_kept_aside_of_a_bundle_names_nobody(db: Database, tmp_path: Path) -> None:
    broken = entry("sess_0b") | {"relativeItemPath": "Ada Berg/sess_0b.json", "annotation": 7}
    bring_in(db, write_json(tmp_path / "a_1.json", bundle("s", entry("sess_0a"), broken)))

    with db.read() as conn:
        (kept,) = content.quarantined(conn)
        assert "Ada" not in "\n".join(conn.connection.driver_connection.iterdump())
    assert b"sess_0b.json" in kept.raw


def test_a_bundle_of_which_every_part_is_broken_leaves_its_record_and_each_part(
    db: Database, tmp_path: Path
) -> None:
    path = write_json(tmp_path / "a_1.json", bundle("s", *({"task": "task1"} for _ in range(3))))
    report = bring_in(db, path)

    assert [ordinal for ordinal, _, _ in aside(report)] == [2, 3, 4]
    assert report.counts["records"] == 1 and report.counts["annotations"] == 0
    again = bring_in(db, path)
    assert again.same == 1 and len(again.quarantined) == 3
