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
    assert ended.code == 0
    assert ended.json["quarantined"] == ended.json["left_out"] == []
    assert ended.json["items"] == {
        "memory-verification": 0,
        "memory-update": 24,
        "memory-retrieval": 28,
        "utilization-check": 49,
        "response-rating": 72,
        "response-preference": 0,
        "intent": 49,
        "extraction-review": 39,
        "judge-alignment-ability": 32,
        "judge-alignment-emotion": 40,
        "judge-alignment-extraction": 20,
        "judge-alignment-update": 20,
        "judge-alignment-use": 24,
    }
    rated = ended.json["decisions"]["forms"]
    assert rated["response-rating"]["derived"] == 72, "one each, by a judge"


WHOLE = {
    "records": 416,
    "dialogues": 200,
    "turns": 4026,
    "gold_memories": 249,
    "model_memories": 1427,
    "given_memories": 132,
    "system_memories": 0,
    "updates": 81,
    "pools": 85,
    "pool_entries": 8585,
    "queries": 153,
    "responses": 96,
    "annotations": 824 + 176,
    "raters": 8 + 5,
}
"""What the whole of the shared AlpsBench data holds: 57 packets, 206 double annotations of four tasks each, 141 check
items, 12 files of model memories. Judges said something of 72 + 20 extractions, 20 updates, 24 answers, 40 sets of
responses; 16 outputs are missing."""


@pytest.fixture(scope="module")
def whole(tmp_path_factory):
    """A study of the whole folder, and what its import printed."""
    study = tmp_path_factory.mktemp("whole") / "alps.db"
    return study, run("import", ALPSBENCH, "--db", study, "--json")


def test_the_whole_folder_comes_in_and_each_file_is_accounted_for(whole):
    _, ended = whole
    assert ended.code == 0
    assert ended.json["counts"] == WHOLE
    assert ended.json["formats"] == {
        "alpsbench-packet": 57,
        "alpsbench-double-annotation": 206,
        "alpsbench-check-item": 141,
        "alpsbench-llm-memories": 12,
    }
    assert ended.json["quarantined"] == ended.json["left_out"] == []
    no_data = [row["file"].split("/")[-1] for row in ended.json["no_data"] if row["reason"] != "a manifest"]
    assert no_data == ["reference_agreement.json", "reference_decisions.json"]
    lints = ended.json["lints"]
    assert (lints["judge_missing"], lints["judge_dangling"], lints["final_score_mixed"]) == (16, 36, 128)


def test_the_whole_folder_gives_people_what_the_packets_and_the_task_4_items_give(whole):
    study, ended = whole
    items = {
        "memory-verification": 57,
        "memory-update": 81,
        "memory-retrieval": 85,
        "utilization-check": 106,
        "response-rating": 72,
        "intent": 106,
        "judge-alignment-ability": 32,
        "judge-alignment-emotion": 40,
        "judge-alignment-extraction": 92,
        "judge-alignment-update": 20,
        "judge-alignment-use": 24,
    }
    assert ended.json["items"] == items | {"extraction-review": 117, "response-preference": 0}
    added = run("rater", "add", "somebody", "--db", study)
    assert added.code == 0
    rows = run("progress", "--db", study, "--json").json
    mine = {row["protocol"]: row["total"] for row in rows if row["rater"] == "somebody"}
    assert mine == items | {"extraction-review": 150}, "those of a gold that only a judge saw among them"


def test_the_annotations_and_judges_of_the_whole_folder_become_decisions(whole):
    study, ended = whole
    decisions = ended.json["decisions"]
    assert (decisions["derived"], len(decisions["without_packet"])) == (114, 46)
    assert decisions["decisions"] == {"keep": 168, "edit": 64, "delete": 20, "added": 35, "seeded": 100}
    forms = decisions["forms"]
    assert {name: (form["derived"], form["answers"]) for name, form in forms.items()} == {
        "memory-update": (114, {"derived": 826, "seeded": 746}),
        "memory-retrieval": (114, {"derived": 54, "seeded": 657}),
        "utilization-check": (114, {"explicit": 49, "derived": 58, "seeded": 673}),
        "extraction-review": (112, {"explicit": 2889, "derived": 611, "reviews": 499, "other_gold": 24}),
        "memory-use": (24, {"explicit": 72}),
        "ability-score": (32, {"explicit": 32}),
        "response-rating": (72, {"explicit": 151}),
    }
    assert all(form["left_out"] == [] for form in forms.values())
    assert run("verify", "--db", study).code == 0


def test_agreement_of_the_whole_folder_is_that_of_packets_and_double_annotations(whole):
    study, _ = whole
    reference = orjson.loads((ALPSBENCH / "reference_decisions.json").read_bytes())
    report = run("agreement", "--json", "--db", study).json["memory-verification"]
    for seeded in ("with_seeded", "without_seeded"):
        assert report["sides"][seeded]["cells"] == reference[seeded]["cells"]
    assert report["sessions_without_packet"]["n"] == 46


@pytest.fixture(
    scope="module",
    params=["packets first", pytest.param("annotations first", marks=pytest.mark.slow)],
)
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


def test_every_session_verdict_is_the_forms_default_and_no_coefficient_is_made_of_it(both):
    printed = run("agreement", "--db", both).out
    block = " ".join(
        printed[printed.index("Prefilled only: faithfulToOriginalMeaning") :].split("\n\n")[0].split()
    )
    assert "4 fields were left as the form was prefilled, and nobody can know whether anybody looked" in block
    assert "fewer than two raters are known to have answered" in block
    for key, given in (("faithfulToOriginalMeaning", "yes"), ("overInference", "no")):
        assert f"{key}: 57 units, 114 ratings by 8 raters; none missing; 114 seeded; {given} 114" in block
    assert "1.000" not in block, "no number stands where nothing is known"
    questions = run("agreement", "--json", "--db", both).json["memory-verification"]["session_questions"]
    for field in questions["fields"]:
        assert field["without_seeded"]["n_ratings"] == 0 and field["with_seeded"]["n_ratings"] == 114
        assert field["with_seeded"]["alpha"]["value"] is None and field["with_seeded"]["alpha"]["reason"]


def test_the_log_of_imported_annotations_folds(both):
    assert run("verify", "--db", both).code == 0


def test_what_was_only_prefilled_is_no_gold_and_in_no_panel(tmp_path):
    study = tmp_path / "alps.db"
    run("import", PACKETS, DOUBLE, "--db", study)
    mine = ("--field", "verdict", "--protocol", "memory-verification", "--db", study, "--json")
    made = run("agreement", "--gold", "majority", *mine)
    assert (
        len(made.json) == 126 and "100 prefilled answers that nobody is known to have looked at" in made.err
    )
    assert not any(set(row["said"]) & set(row["prefilled"]) for row in made.json)
    assert sum(len(row["prefilled"]) for row in made.json) == 100
    decided = [row for row in made.json if row["gold"] is not None]
    assert len(decided) == 17 and all(len(row["said"]) == 2 for row in decided)
    assert all(row["decided_by"] == "nobody answered" for row in made.json if not row["said"])
    (panel,) = run("agreement", "--panel", "--model", "one_coin", *mine).json
    assert panel["prefilled_left_out"] == 100
    report = run("agreement", "--db", study, "--json").json["memory-verification"]
    assert panel["leave_one_out"]["alpha"]["value"] == pytest.approx(
        report["sides"]["without_seeded"]["alpha_nominal"]["value"], abs=0.05
    )


def test_a_pilot_is_a_field_of_one_form_and_stands_on_no_prefills(tmp_path):
    study = tmp_path / "alps.db"
    run("import", PACKETS, DOUBLE, "--db", study)
    several = run("plan", "--pilot", "verdict", "--db", study)
    assert several.code == 2 and "Say which: --protocol memory-update" in several.err
    one = run("plan", "--pilot", "verdict", "--protocol", "memory-verification", "--db", study)
    assert one.code == 2 and "The pilot's alpha is -0." in one.err
    none = run("plan", "--pilot", "expectedAction", "--db", study)
    assert none.code == 2 and "all its answers are prefilled" in none.err
