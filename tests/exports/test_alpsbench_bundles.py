"""Bundles out and in again: the same annotations, drafts still drafts, and the same decisions."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from paths import ALPSBENCH, needs_shared

from alps_tui.items.build import build_items
from alps_tui.items.derive import derive_decisions
from alps_tui.sources.importer import import_paths
from exports.alpsbench_bundles import export_bundles
from exports.folder import ExportRefused
from store.content import annotation_tasks, annotations
from store.database import Database, open_database

DOUBLE = ALPSBENCH / "double_annotations"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with open_database(tmp_path / "study.db", create=True) as study:
        yield study


def _entry(
    session: str, task: str, status: str = "saved", track: str = "Q1", **payload: Any
) -> dict[str, Any]:
    record = {
        "formType": f"{track}:{task}",
        "status": status,
        "updatedAt": "2026-04-15T03:23:52.286Z",
    } | payload
    return {
        "draftKey": f"{track}:{task}:none:{session}:703",
        "relativeItemPath": f"task123_session_packets/chunk_001/{session}.json",
        "canonicalId": "703",
        "sessionId": session,
        "track": track,
        "task": task,
        "a_key_of_a_later_version": {"kept": True},
        "annotation": record,
    }


ENTRIES = [
    _entry("sess_1", "task1", editableGoldMemories=[{"memory_id": "m1", "value": "Is vegan 🌱"}]),
    _entry("sess_1", "task2", editableUpdatedMemories=[{"memory_id": "m1", "_task1GoldValue": "Is vegan"}]),
    _entry("sess_1", "task1", track="Q2", annotationsByMode={}),
    _entry("sess_2", "task1", "draft", editableGoldMemories=[]),
]


def _bundle(*entries: dict[str, Any]) -> dict[str, Any]:
    return {
        "bundleType": "q1-q2-annotations",
        "version": 1,
        "rootName": "chunk_001",
        "annotations": list(entries),
    }


def _write(path: Path, document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def known(db: Database) -> set[str]:
    """Every imported annotation with its rater, as text to compare."""
    with db.read() as conn:
        found = [one for task in annotation_tasks(conn) for one in annotations(conn, task)]
    return {
        json.dumps([one.source, one.session_id, one.task, one.rater, one.side, one.updated_at, one.payload])
        for one in found
    }


def again(db: Database, tmp_path: Path) -> Database:
    """A fresh study of what the study exports."""
    export_bundles(db, tmp_path / "out")
    fresh = open_database(tmp_path / "fresh.db", create=True)
    (tmp_path / "out" / "manifest.json").unlink()
    assert import_paths(fresh, [tmp_path / "out"]).complete
    return fresh


def test_a_bundle_goes_out_entry_by_entry_as_it_came_in_and_drafts_stay_drafts(
    db: Database, tmp_path: Path
) -> None:
    import_paths(db, [_write(tmp_path / "in" / "annotation_data_1.json", _bundle(*ENTRIES))])

    made = export_bundles(db, tmp_path / "out")

    assert dict(made.counts) == {"annotators": 1, "annotations": 3, "drafts": 1}
    saved, drafts = (json.loads((tmp_path / "out" / one.name).read_bytes()) for one in made.files)
    assert (saved["annotationStatus"], drafts["annotationStatus"]) == ("saved", "draft")
    assert drafts["sourceType"] == "draft_annotation_bundle"
    assert drafts["annotations"] == [ENTRIES[3]]
    assert sorted(saved["annotations"], key=json.dumps) == sorted(ENTRIES[:3], key=json.dumps)


def test_what_goes_out_comes_in_as_the_same_annotations_of_the_same_rater(
    db: Database, tmp_path: Path
) -> None:
    import_paths(db, [_write(tmp_path / "in" / "annotation_data_1.json", _bundle(*ENTRIES))])

    with again(db, tmp_path) as fresh:
        assert known(fresh) == known(db)


def test_annotations_of_a_merged_dataset_go_out_as_a_bundle_and_stay_with_their_check_items(
    db: Database, tmp_path: Path
) -> None:
    turns = [{"role": "user", "text": "I am vegan."}]
    data = {
        "task": "task1",
        "session_id": "sess_1",
        "original": {"probe": {"dialogue": turns, "ground_truth_memories": []}},
    }
    within = ENTRIES[0] | {"relativeItemPath": "sessions/sess_1__703/item.json"}
    bare = _entry("sess_1", "task1", formType="Q1:task1")["annotation"]
    for name, items, listed in (
        ("both", [{"itemData": data, "annotation": within}], [within]),
        ("bare", [{"itemData": data, "annotation": bare}], []),
    ):
        folder = tmp_path / name
        document = {
            "bundleType": "q1-q2-merged-dataset",
            "entries": [{"track": "Q1", "task": "task1", "items": items}],
            "annotations": listed,
        }
        with open_database(tmp_path / f"{name}.db", create=True) as study:
            import_paths(study, [_write(folder / "merged_1.json", document)])
            with study.read() as conn:
                assert {one.source for one in annotations(conn, "task1")} == {"alpsbench-check-task1"}
            with again(study, folder) as fresh:
                assert known(fresh) == known(study)


def test_a_bundle_brought_back_into_its_own_study_changes_nothing(db: Database, tmp_path: Path) -> None:
    import_paths(db, [_write(tmp_path / "in" / "annotation_data_1.json", _bundle(*ENTRIES))])
    before = known(db)
    export_bundles(db, tmp_path / "out")

    report = import_paths(db, [tmp_path / "out"])

    assert (report.counts["annotations"], report.counts["raters"], report.changed) == (0, 0, 0)
    assert known(db) == before


def test_the_gold_editors_lists_go_out_under_their_own_keys(db: Database, tmp_path: Path) -> None:
    lists = {"sess_0a__703": {"sessionKey": "sess_0a__703", "golden_answer": [], "status": "done"}}
    import_paths(db, [_write(tmp_path / "editor.json", lists)])

    (file,) = export_bundles(db, tmp_path / "out").files

    assert json.loads((tmp_path / "out" / file.name).read_bytes()) == lists


def test_the_same_study_gives_the_same_bytes_and_nothing_is_written_over(
    db: Database, tmp_path: Path
) -> None:
    import_paths(db, [_write(tmp_path / "in" / "annotation_data_1.json", _bundle(*ENTRIES))])
    first = export_bundles(db, tmp_path / "out")

    assert export_bundles(db, tmp_path / "other") == first
    with pytest.raises(ExportRefused):
        export_bundles(db, tmp_path / "out")


# ---------------------------------------------------------------- the shipped records


@needs_shared
def test_the_shipped_records_as_bundles_are_the_same_annotations_and_decisions(tmp_path: Path) -> None:
    """Of one pair: read file by file, regrouped by hand into two bundles, and as we export them."""
    folder = tmp_path / "double"
    for side in ("annotator_1", "annotator_2"):
        (folder / side).mkdir(parents=True)
        for path in sorted((DOUBLE / side).glob("g1__*.json")):
            shutil.copy(path, folder / side)
    packets = [
        path
        for one in sorted((folder / "annotator_1").iterdir())
        if (path := ALPSBENCH / "session_packets" / f"{one.stem.split('__')[1]}.json").exists()
    ]
    regrouped = tmp_path / "g1"
    originals = []
    for side in (1, 2):
        records = [json.loads(one.read_bytes()) for one in sorted((folder / f"annotator_{side}").iterdir())]
        entries = [entry for record in records for entry in record["tasks"].values()]
        originals += entries
        _write(regrouped / f"annotation_data_{side}.json", _bundle(*entries))

    seen = []
    for number, order in enumerate(([*packets, folder], [regrouped, *packets])):
        with open_database(tmp_path / f"{number}.db", create=True) as db:
            for path in order:
                import_paths(db, [path], locate=False)
            build_items(db)
            report = derive_decisions(db)
            seen.append((known(db), dict(report.decisions), report.forms["memory-update"].answers))
            if number == 0:
                out = export_bundles(db, tmp_path / "out")
    assert seen[0] == seen[1]
    assert dict(out.counts) == {"annotators": 2, "annotations": len(originals)}
    exported = [
        entry
        for file in out.files
        for entry in json.loads((tmp_path / "out" / file.name).read_bytes())["annotations"]
    ]
    without_path = [{k: v for k, v in one.items() if k != "relativeItemPath"} for one in originals]
    found = [{k: v for k, v in one.items() if k != "relativeItemPath"} for one in exported]
    assert sorted(map(json.dumps, found)) == sorted(map(json.dumps, without_path))
