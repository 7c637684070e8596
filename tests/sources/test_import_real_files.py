"""The real files: what must come in from each, and that a second time changes nothing."""

import hashlib
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

import pytest
from paths import ALPSBENCH, needs_shared
from source_samples import bring_in

from alps_tui.sources.importer import ImportReport
from store import content
from store.assignments import raters
from store.database import Database, open_database
from store.kinds import RaterKind

pytestmark = needs_shared

PACKETS = ALPSBENCH / "session_packets"
DOUBLE = ALPSBENCH / "double_annotations"
CHECKS = ALPSBENCH / "manual_check_data"
MEMORIES = ALPSBENCH / "llm_memories"


SOME = [
    *sorted(PACKETS.glob("*.json"))[:8],
    *sorted(DOUBLE.rglob("*.json"))[::20],
    CHECKS / "LLM_as_judge_Human_Alignment_data" / "task4",
]


@dataclass(frozen=True)
class Study:
    """A study into which the real folders were brought one after the other, with what was reported of each."""

    db: Database
    packets: ImportReport
    double: ImportReport
    checks: ImportReport
    memories: ImportReport


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Study]:
    with open_database(tmp_path_factory.mktemp("real") / "study.db", create=True) as db:
        parts = [bring_in(db, one) for one in (PACKETS, DOUBLE, CHECKS, MEMORIES)]
        yield Study(db, *parts)


def _dump(db: Database) -> str:
    """A hash of every row of every table."""
    with db.read() as connection:
        raw = connection.connection.driver_connection
        return hashlib.sha256("\n".join(raw.iterdump()).encode("utf-8", "surrogatepass")).hexdigest()


def test_the_57_packets_come_in_whole(study: Study) -> None:
    first = study.packets
    assert first.complete
    assert {name: first.counts[name] for name in first.counts if first.counts[name]} == {
        "records": 57,
        "dialogues": 57,
        "turns": 1362,
        "gold_memories": 126,
        "model_memories": 1040,
        "updates": 57,
        "pools": 57,
        "pool_entries": 57 * 101,
        "queries": 60,
    }
    assert first.same == 0


def test_the_whole_folder_brought_in_again_is_the_same_and_changes_nothing(study: Study) -> None:
    before = _dump(study.db)

    again = bring_in(study.db, ALPSBENCH, locate=False)

    assert again.same == 57 + 206 + 141 + 12
    assert not again.is_new
    assert _dump(study.db) == before
    assert again.formats == {
        "alpsbench-packet": 57,
        "alpsbench-double-annotation": 206,
        "alpsbench-check-item": 141,
        "alpsbench-llm-memories": 12,
    }
    assert again.complete
    assert Counter(one.reason for one in again.no_data) == {"a manifest": 16, "reference numbers": 2}


def test_every_pool_of_the_packets_has_101_entries_in_the_order_of_the_file(study: Study) -> None:
    with study.db.read() as connection:
        pools = [
            query.pool
            for dialogue in content.dialogues(connection)
            for query in content.queries(connection, dialogue.id, "retrieval")
        ]
    assert [len(pool) for pool in pools] == [101] * (57 + 28)


def test_evidence_offsets_of_real_packets_hold_the_quote(study: Study) -> None:
    exact = 0
    with study.db.read() as connection:
        for dialogue in content.dialogues(connection):
            turns = content.turns(connection, dialogue.id)
            for memory in content.memories(connection, dialogue.id):
                for one in memory.evidence:
                    if one.start is None:
                        continue
                    assert one.turn is not None and one.end is not None
                    found = turns[one.turn].text[one.start : one.end]
                    assert found
                    if one.match == "exact":
                        exact += 1
                        assert found == one.quote
    assert exact > 800


def test_206_double_annotations_are_824_records_of_eight_pseudonyms(study: Study) -> None:
    report = study.double

    assert report.complete
    assert report.files == 206
    assert report.counts["annotations"] == 824
    assert report.counts["raters"] == 8
    with study.db.read() as connection:
        everyone = [rater for rater in raters(connection) if rater.kind is RaterKind.HUMAN]
        tasks = {task: content.annotations(connection, task) for task in ("task1", "task2", "task3", "task4")}
    assert {len(found) for found in tasks.values()} == {206}
    assert Counter(rater.params["side"] for rater in everyone) == {"annotator_1": 4, "annotator_2": 4}
    assert all(rater.params["imported"] and rater.name.endswith(rater.params["group"]) for rater in everyone)


def test_check_items_of_both_tracks_and_all_tasks_come_in(study: Study) -> None:
    report = study.checks

    assert report.complete
    assert report.formats == {"alpsbench-check-item": 141}
    assert {name: report.counts[name] for name in report.counts if report.counts[name]} == {
        "records": 141,
        "dialogues": 131,
        "turns": 2360,
        "gold_memories": 95,
        "model_memories": 148,
        "given_memories": 132,
        "updates": 24,
        "pools": 28,
        "pool_entries": 28 * 101,
        "queries": 93,
        "responses": 72 + 24,
        "annotations": 20 + 20 + 24 + 40,
        "raters": 4,
    }
    assert report.changed == 0, "a session in both tracks is one dialogue"
    assert {one.reason for one in report.no_data} == {"a manifest"}


def test_the_memories_of_seven_models_come_in_with_what_their_judge_said(study: Study) -> None:
    report = study.memories

    assert report.complete
    assert {name: report.counts[name] for name in report.counts if report.counts[name]} == {
        "records": 12,
        "dialogues": 12,
        "turns": 304,
        "gold_memories": 28,
        "model_memories": 239,
        "annotations": 72,
        "raters": 1,
    }
    assert report.lints["judge_missing"] == 12
    assert report.lints["judge_dangling"] == 36
    assert report.lints["final_score_mixed"] == 84


def test_imported_judges_are_raters_named_after_the_data_they_came_with(study: Study) -> None:
    with study.db.read() as connection:
        found = {one.name: one for one in raters(connection) if one.kind is RaterKind.IMPORTED_JUDGE}
        outputs = {
            task: Counter(one.rater for one in content.annotations(connection, task))
            for task in ("judge:extraction", "judge:update", "judge:use", "judge:ability")
        }
    assert outputs == {
        "judge:extraction": {"judge-of-llm-memories": 72, "judge-of-manual-check-task1": 20},
        "judge:update": {"judge-of-manual-check-task2": 20},
        "judge:use": {"judge-of-manual-check-task3": 24},
        "judge:ability": {"judge-of-manual-check-task4": 40},
    }
    assert found.keys() == {name for some in outputs.values() for name in some}
    assert all(rater.params["imported"] for rater in found.values())


def test_nothing_a_judge_said_leaves_the_raw_record_of_a_check_item(study: Study) -> None:
    with study.db.read() as connection:
        raw = connection.connection.driver_connection
        for table, columns in {
            "dialogue": "meta",
            "memory": "raw || value",
            "query": "text || pool || given",
            "response": "model || text",
        }.items():
            for (text,) in raw.execute(f"SELECT {columns} FROM {table}"):
                assert not any(
                    key in text for key in ("judge_output", "judge_score", "final_score", '"resonation"')
                )


def test_every_response_of_the_judge_track_stands_at_its_own_query(study: Study) -> None:
    answered = 0
    with study.db.read() as connection:
        items = [one for one in content.dialogues(connection) if one.source == "alpsbench-task4"]
        for dialogue in items:
            for query in content.queries(connection, dialogue.id):
                assert query.ability is not None and query.ability.startswith("ability")
                for response in content.responses(connection, query.id):
                    answered += 1
                    assert response.query_id == query.external_id
    assert (len(items), answered) == (40 + 9, 72), "nine items are of the construction track alone"


def test_reference_numbers_are_named_and_no_data(db: Database) -> None:
    report = bring_in(db, *sorted(ALPSBENCH.glob("reference_*.json")))

    assert report.files == 0 and report.complete
    assert [(one.file, one.reason) for one in report.no_data] == [
        ("reference_agreement.json", "reference numbers"),
        ("reference_decisions.json", "reference numbers"),
    ]


@pytest.mark.parametrize("known", [True, False])
def test_a_dry_run_counts_what_the_import_then_does(db: Database, known: bool) -> None:
    if known:
        bring_in(db, *SOME[:4])
    before = _dump(db)
    promised = bring_in(db if known else None, *SOME, dry_run=True)
    assert _dump(db) == before

    done = bring_in(db, *SOME)

    assert promised.dry_run and not done.dry_run
    assert promised.counts == done.counts
    assert (promised.same, promised.lints) == (done.same, done.lints)
    assert (promised.left_out, promised.no_data) == (done.left_out, done.no_data)


def test_the_order_of_two_imports_makes_no_difference_to_what_is_known(tmp_path: Path) -> None:
    seen = []
    for name, order in (("forth", SOME), ("back", SOME[::-1])):
        with open_database(tmp_path / f"{name}.db", create=True) as db:
            reports = [bring_in(db, path, locate=False) for path in order]
            with db.read() as connection:
                seen.append(
                    (
                        sum((report.counts for report in reports), Counter()),
                        {one.external_id for one in content.dialogues(connection)},
                        {(one.session_id, one.rater) for one in content.annotations(connection, "task1")},
                    )
                )
    assert seen[0] == seen[1]
