"""The real judges and annotations: every stored score comes out of the table, every answer out of the raw files."""

import json
from collections import Counter
from collections.abc import Iterator
from pathlib import Path

import pytest
from paths import ALPSBENCH, needs_shared

from alps_tui.items.build import build_items
from alps_tui.items.derive import derive_decisions
from alps_tui.items.derived_judges import reviews_of, score_of
from alps_tui.sources.importer import import_paths
from store.database import Database, open_database
from store.ratings import long_rows

pytestmark = needs_shared

CHECKS = ALPSBENCH / "manual_check_data"
JUDGED = CHECKS / "LLM_as_judge_Human_Alignment_data"
MEMORIES = ALPSBENCH / "llm_memories"
DOUBLE = ALPSBENCH / "double_annotations"
PACKETS = ALPSBENCH / "session_packets"


def read(path: Path) -> dict:
    return json.loads(path.read_bytes())


def stored_scores() -> Iterator[tuple[str, dict, dict, float]]:
    """(session, gold by id, output, score) of every structured review that has a score."""
    for path in sorted(MEMORIES.glob("*.json")):
        document = read(path)
        gold = {one["memory_id"] for one in document["golden_answer"]}
        for result in document["llm_as_judge_results"].values():
            if result["judge_score"] is not None:
                yield document["session_id"], gold, result["judge_output_raw"], result["judge_score"]
    for task, key in (("task1", "probe"), ("task2", "answer")):
        for path in sorted((JUDGED / task).glob("sessions/*/item.json")):
            item = read(path)
            if item["judge_score"] is not None:
                listed = item["original"][key]
                listed = listed["ground_truth_memories"] if task == "task1" else listed
                gold = {one["memory_id"] for one in listed}
                yield item["session_id"], gold, item["judge_output_raw"], item["judge_score"]


def test_all_112_stored_scores_come_out_of_their_reviews_exactly() -> None:
    found = list(stored_scores())

    assert len(found) == 112
    assert [score_of(reviews_of(output)) for _, _, output, _ in found] == [score for *_, score in found]


def test_reviews_of_memories_that_are_gone_are_among_them() -> None:
    gone = Counter(
        session
        for session, gold, output, _ in stored_scores()
        for review in reviews_of(output)
        if review.gold_id is not None and review.gold_id not in gold
    )
    assert sum(gone.values()) == 36
    assert len(gone) == 4


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    """Judges' outputs, and three packets with their annotations."""
    with open_database(tmp_path_factory.mktemp("judges") / "study.db", create=True) as db:
        some = [path for path in sorted(PACKETS.glob("*.json")) if list(annotated(path.stem))][:3]
        double = [path for packet in some for path in annotated(packet.stem)]
        import_paths(db, [MEMORIES, JUDGED, *double, *some], locate=False)
        build_items(db)
        derive_decisions(db)
        yield db


def annotated(session: str) -> Iterator[Path]:
    yield from sorted(DOUBLE.glob(f"*/*__{session}.json"))


def test_the_long_table_holds_the_112_scores_and_what_they_come_from(study: Database) -> None:
    with study.read() as conn:
        rows = list(long_rows(conn, protocol="extraction-review"))
    scores = [row["number"] for row in rows if row["field"] == "penalty_score"]
    assert Counter(scores) == Counter(score for *_, score in stored_scores())
    assert {row["rater_kind"] for row in rows} == {"imported_judge"}
    kinds = Counter(row["value"] for row in rows if row["field"] == "review")
    wanted = Counter(f'"{one.kind}"' for _, _, output, _ in stored_scores() for one in reviews_of(output))
    assert kinds == wanted


def test_emotional_scores_stand_beside_those_of_people_and_one_is_missing(study: Database) -> None:
    wanted: Counter[tuple[str, float]] = Counter()
    for path in (JUDGED / "task4" / "ability5").glob("sessions/*/item.json"):
        for row in read(path)["judge_output_raw"]:
            wanted.update(
                (key, row[key]) for key in ("resonation", "expression", "reception") if row.get(key)
            )
    with study.read() as conn:
        rows = [row for row in long_rows(conn, protocol="response-rating") if row["status"] == "answered"]
    said = Counter((row["field"], row["number"]) for row in rows)
    assert {key: n for key, n in said.items() if key[0] != "score"} == wanted
    assert sum(wanted.values()) == 40 * 3 - 1
    assert sum(n for key, n in said.items() if key[0] == "score") == 4 * 8


def test_scores_of_the_other_abilities_are_those_of_the_files(study: Database) -> None:
    items = [read(path) for path in JUDGED.glob("task4/ability[1-4]/sessions/*/item.json")]
    with study.read() as conn:
        rows = list(long_rows(conn, protocol="ability-score"))
    assert Counter((row["ability"], row["number"]) for row in rows) == Counter(
        (item["task"].partition("/")[2], item["judge_score"]) for item in items
    )


def test_answers_on_real_questions_and_updates_are_those_of_the_raw_files(study: Database) -> None:
    """Counted anew from the files: changed questions, swapped memories, deleted and kept memories of updates."""
    with study.read() as conn:
        sessions = {row["dialogue_id"] for row in long_rows(conn, protocol="memory-update")}
        found = Counter(
            (form, row["field"], row["value"])
            for form in ("memory-update", "memory-retrieval", "utilization-check")
            for row in long_rows(conn, protocol=form)
            if row["field"] in ("query_verdict", "target_verdict", "verdict", "memoryDependency")
        )
    assert len(sessions) == 3
    wanted: Counter[tuple[str, str, str]] = Counter()
    for session in sessions:
        packet = read(PACKETS / f"{session}.json")
        for path in annotated(session):
            tasks = {name: entry["annotation"] for name, entry in read(path)["tasks"].items()}
            wanted += of_update(packet, tasks["task2"])
            wanted += of_question("memory-retrieval", packet, packet["task3"], tasks["task3"])
            for said in tasks["task4"]["subAnnotations"]:
                asked = next(
                    one for one in packet["task4"] if one["queries"][0]["query_id"] == said["queryId"]
                )
                wanted += of_question("utilization-check", packet, asked, said)
                wanted["utilization-check", "memoryDependency", f'"{said["memoryDependency"]}"'] += 1
    assert found == wanted


def of_update(packet: dict, said: dict) -> Counter[tuple[str, str, str]]:
    final = {one["memory_id"]: one for one in said["editableUpdatedMemories"]}
    verdicts: Counter[tuple[str, str, str]] = Counter()
    for one in packet["task2"]["golden_answer"]:
        left = final.get(one["memory_id"])
        bare = left and {key: value for key, value in left.items() if not key.startswith("_")}
        verdict = "delete" if left is None else "keep" if bare == one else "edit"
        verdicts["memory-update", "verdict", f'"{verdict}"'] += 1
    return verdicts


def of_question(form: str, packet: dict, asked: dict, said: dict) -> Counter[tuple[str, str, str]]:
    query = asked["query"] if "query" in asked else asked["queries"][0]["query"]
    target = asked.get("task3_selected_memory_id") or asked.get("task4_selected_memory_id")
    gold = next(one for one in packet["task1"]["ground_truth_memories"] if one["memory_id"] == target)
    left = said["editableSelectedMemory"]
    same = all(left[key] == gold[key] for key in left.keys() & gold.keys())
    verdict = "swap" if left["memory_id"] != target else "keep" if same else "edit"
    worded = "keep" if said["queryText"] == query else "edit"
    return Counter({(form, "query_verdict", f'"{worded}"'): 1, (form, "target_verdict", f'"{verdict}"'): 1})
