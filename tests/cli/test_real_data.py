"""The numbers that AlpsBench's own files must come to, from the files to the printed JSON."""

import orjson
import pytest
from command_line import run
from paths import ALPSBENCH, needs_shared

pytestmark = needs_shared
PACKETS = ALPSBENCH / "session_packets"
DOUBLE = ALPSBENCH / "double_annotations"


def test_the_packets_come_in_whole_and_once(tmp_path):
    study = tmp_path / "alps.db"
    first = run("import", PACKETS, "--db", study, "--json")
    assert first.code == 0
    counts = first.json["counts"]
    assert {name: counts[name] for name in ("dialogues", "turns", "gold_memories", "model_memories")} == {
        "dialogues": 57,
        "turns": 1362,
        "gold_memories": 126,
        "model_memories": 1040,
    }
    assert (counts["updates"], counts["pools"], counts["pool_entries"]) == (57, 57, 57 * 101)
    assert counts["queries"] == 60
    assert first.json["quarantined"] == [] and first.json["left_out"] == []
    again = run("import", PACKETS, "--db", study, "--json").json
    assert again["same"] == 57 and again["changed"] == 0
    assert not any(again["counts"].values()) and not any(again["items"].values())


def test_the_task_4_items_come_in_with_their_responses(tmp_path):
    ended = run("import", ALPSBENCH / "manual_check_data", "--db", tmp_path / "alps.db", "--json")
    counts = ended.json["counts"]
    assert (counts["dialogues"], counts["responses"]) == (40, 72)
    assert ended.json["quarantined"] == []
    assert ended.code == 1, "the items of other tasks are named as not read yet"
    assert {row["reason"].split(":")[0] for row in ended.json["left_out"]} >= {"a check item of task1"}


@pytest.fixture(scope="module", params=["packets first", "annotations first"])
def both(request, tmp_path_factory):
    """A study with packets and double annotations, imported in either order."""
    study = tmp_path_factory.mktemp("both") / "alps.db"
    order = [PACKETS, DOUBLE] if request.param == "packets first" else [DOUBLE, PACKETS]
    for path in order:
        assert run("import", path, "--db", study).code == 0
    return study


def test_agreement_as_published_is_the_reference_in_every_number_of_all_four_tasks(both):
    found = run("agreement", "--as-published", "--json", "--db", both).json
    reference = orjson.loads((ALPSBENCH / "reference_agreement.json").read_bytes())
    assert {task: found[task] for task in reference} == reference
    assert [task for task in found if task.startswith("task")] == list(reference)


def test_what_the_authors_rouge_l_does_not_see_stands_beside_it(both):
    found = run("agreement", "--as-published", "--json", "--db", both).json
    blind = {
        task: one["identical_scored_0"] for task, stood in found["beside"].items() for one in stood.values()
    }
    assert blind == {"task1": 0, "task2": 13, "task3": 0, "task4": 36}
    for task, stood in found["beside"].items():
        for measure, one in stood.items():
            assert one["pairs"] > one["identical"] > 0
            if blind[task]:
                assert one["mean"] > found[task][measure]["mean"]


def test_agreement_holds_both_tables_of_the_reference(both):
    reference = orjson.loads((ALPSBENCH / "reference_decisions.json").read_bytes())
    report = run("agreement", "--json", "--db", both).json["memory-verification"]
    found, wanted = report["sides"]["with_seeded"], reference["with_seeded"]
    assert found["sessions"] == wanted["sessions"]
    assert found["cells"] == wanted["cells"]
    assert found["raw_agreement"]["value"] == pytest.approx(wanted["raw_agreement"], abs=1e-12)
    assert found["cohen_kappa"]["value"] == pytest.approx(wanted["cohen_kappa"], abs=1e-12)
    found, wanted = report["sides"]["without_seeded"], reference["without_seeded"]
    assert found["cells"] == wanted["cells"]
    assert found["n"] == wanted["n"] == 53
    assert found["untouched_lists"] == wanted["untouched_lists"]
    assert found["seeded_keeps"] == wanted["seeded_keeps"]
    assert found["cohen_kappa"]["value"] == pytest.approx(wanted["cohen_kappa"], abs=1e-12)


def test_sessions_without_a_packet_are_counted_and_named(both):
    report = run("agreement", "--json", "--db", both).json["memory-verification"]["sessions_without_packet"]
    annotated = {path.stem.split("__")[1] for path in (DOUBLE / "annotator_1").glob("*.json")}
    packets = {path.stem for path in PACKETS.glob("*.json")}
    assert report["n"] == 46
    assert set(report["sessions"]) == annotated - packets


def test_the_log_of_imported_annotations_folds(both):
    assert run("verify", "--db", both).code == 0
