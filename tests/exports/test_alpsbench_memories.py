"""Verified memories in AlpsBench's shape: what was kept is untouched, nobody's list is merged, nothing is guessed."""

import json
from collections import Counter

import pytest
from hypothesis import given
from hypothesis import strategies as st
from paths import ALPSBENCH, needs_shared
from studies import act, tiny_study

from alps_tui.items.build import build_items
from alps_tui.items.derive import derive_decisions
from alps_tui.sources.importer import import_paths
from exports.alpsbench_memories import export_memories, file_names, fingerprint
from store.assignments import add_rater, assign, assign_all, assignment_by_id, assignments, rater_by_name
from store.content import item_view
from store.database import open_database
from store.decisions import append
from store.kinds import Status, UnitKind, Verb
from store.records import Change, NewUnit

FORM = "memory-verification"
RAW = {"memory_id": "m1", "value": "Likes green tea", "label": "Preferences/Food"}
AS_SHOWN = {
    "memory_id": "m1",
    "type": "direct",
    "label": "Preferences/Food",
    "label_suggestion": None,
    "value": "Likes green tea",
    "reasoning": "said so",
    "evidence": {"utterance_index": 0, "text": "green tea"},
    "confidence": 0.8,
    "time_scope": "long_term",
    "emotion": None,
    "preference_attitude": "like",
}


@pytest.fixture
def study(tmp_path):
    with tiny_study(tmp_path / "alps.db") as db:
        yield db


def answer(db, name, *answers, session="d1", verb=Verb.SUBMIT, **more):
    """Let a rater answer: each answer is (shown id of a unit, field, value); then submit, or another last act."""
    with db.write() as conn:
        rater = add_rater(conn, name)
        assign_all(conn, rater.id)
        (one,) = [each for each in assignments(conn, rater.id, FORM) if each.shown_id == session]
        units = {unit.shown_id: unit.id for unit in item_view(conn, one.id).units}
        for shown, field, value in answers:
            append(conn, act(Verb.SET, one, Change(field, value, units[shown])))
        if verb is not None:
            append(conn, act(verb, one, **more))
        return one


def bundle(folder, name):
    return json.loads((folder / f"{name}.json").read_bytes())


def annotation(folder, name, session="d1"):
    (found,) = [one for one in bundle(folder, name)["annotations"] if one["sessionId"] == session]
    return found["annotation"] | {"alps": found["alps"]}


def test_a_kept_memory_is_the_sources_record_with_its_keys_in_their_order(study, tmp_path):
    answer(study, "ada", ("m1", "verdict", "keep"), ("m2", "verdict", "keep"))
    export_memories(study, tmp_path / "out")
    kept = annotation(tmp_path / "out", "ada")["editableGoldMemories"]
    assert json.dumps(kept[0]) == json.dumps(RAW)
    assert [one["memory_id"] for one in kept] == ["m1", "m2"]


def test_an_edit_changes_the_keys_that_were_changed_and_no_other(study, tmp_path):
    edited = {
        **AS_SHOWN,
        "memory_id": "another",
        "value": "Likes green tea in the morning",
        "confidence": 0.95,
    }
    answer(study, "ada", ("m1", "verdict", "edit"), ("m1", "memory", edited), ("m2", "verdict", "keep"))
    export_memories(study, tmp_path / "out")
    first = annotation(tmp_path / "out", "ada")["editableGoldMemories"][0]
    assert first == {**RAW, "value": "Likes green tea in the morning", "confidence": 0.95}


def test_marked_passages_become_evidence_with_session_turn_and_words(study, tmp_path):
    edited = {**AS_SHOWN, "value": "Eats no meat at all"}
    span = [{"turn": 2, "start": 4, "end": 11}]
    answer(
        study,
        "ada",
        ("m1", "verdict", "edit"),
        ("m1", "memory", edited),
        ("m1", "evidence", span),
        ("m2", "verdict", "keep"),
    )
    export_memories(study, tmp_path / "out")
    first = annotation(tmp_path / "out", "ada")["editableGoldMemories"][0]
    assert first["evidence"] == {"session_id": "d1", "utterance_index": 2, "text": "no meat"}


def test_deleted_and_doubted_memories_are_in_no_list_and_are_named_with_their_reason(study, tmp_path):
    answer(
        study,
        "ada",
        ("m1", "verdict", "delete"),
        ("m1", "delete_reason", "over_inference"),
        ("m2", "verdict", "in_doubt"),
    )
    manifest = export_memories(study, tmp_path / "out")
    told = annotation(tmp_path / "out", "ada")
    assert told["editableGoldMemories"] == []
    assert told["alps"]["decisions"] == [
        {"memory_id": "m1", "verdict": "delete", "attested": "explicit", "delete_reason": "over_inference"},
        {"memory_id": "m2", "verdict": "in_doubt", "attested": "explicit"},
    ]
    assert manifest.counts["delete"] == manifest.counts["in_doubt"] == 1


def test_an_added_memory_follows_the_proposals(study, tmp_path):
    one = answer(study, "ada", ("m1", "verdict", "keep"), ("m2", "verdict", "keep"), verb=None)
    record = {**AS_SHOWN, "memory_id": "n1", "value": "Cooks"}
    made = Change("memory", record, new_unit=NewUnit(UnitKind.MEMORY, "own:1", "n1"))
    with study.write() as conn:
        append(conn, act(Verb.SET, one, made))
        append(conn, act(Verb.SUBMIT, one))
    export_memories(study, tmp_path / "out")
    told = annotation(tmp_path / "out", "ada")
    assert told["editableGoldMemories"][-1] == {
        **record,
        "evidence": {"session_id": "d1", "utterance_index": 0, "text": "green tea"},
    }
    assert told["alps"]["decisions"][-1]["verdict"] == "added"


KEYS = [*AS_SHOWN]


def test_records_of_ones_own_lines_are_said_in_the_shape_that_edited_ones_have(tmp_path):
    own = {"id": "a", "value": "Eats no meat", "evidence": {"turn": 0, "quote": "no meat"}, "source": "crm"}
    line = {
        "dialogue_id": "d7",
        "dialogue": [{"role": "user", "content": "I eat no meat and cycle."}],
        "memories": [
            own,
            {"id": "b", "value": "Cycles", "evidence": "cycle"},
            {"id": "c", "value": "Is ill"},
        ],
    }
    (tmp_path / "own.jsonl").write_text(json.dumps(line) + "\n")
    with open_database(tmp_path / "alps.db", create=True) as db:
        import_paths(db, [tmp_path / "own.jsonl"])
        build_items(db)
        edited = dict.fromkeys(KEYS) | {"memory_id": "b", "value": "Cycles to work"}
        edited |= {"evidence": {"utterance_index": 0, "text": "cycle"}}
        decided = ("m1", "verdict", "keep"), ("m2", "verdict", "edit"), ("m2", "memory", edited)
        answer(db, "ada", *decided, ("m3", "verdict", "keep"), session="d7")
        export_memories(db, tmp_path / "out")
    told = annotation(tmp_path / "out", "ada", "d7")
    first, second, third = told["editableGoldMemories"]
    assert first["evidence"] == {"session_id": "d7", "utterance_index": 0, "text": "no meat"}
    assert second["evidence"] == {"session_id": "d7", "utterance_index": 0, "text": "cycle"}
    assert [one["value"] for one in (first, second, third)] == ["Eats no meat", "Cycles to work", "Is ill"]
    assert [[*one][:11] for one in (first, second, third)] == [KEYS, KEYS, KEYS]
    assert (first["source"], "id" in first, third["evidence"]) == ("crm", False, None)
    assert told["alps"]["decisions"][0]["imported"] == own


def test_each_rater_has_a_file_and_no_list_is_merged(study, tmp_path):
    answer(study, "ada", ("m1", "verdict", "keep"), ("m2", "verdict", "delete"))
    answer(study, "ben", ("m1", "verdict", "delete"), ("m2", "verdict", "keep"))
    manifest = export_memories(study, tmp_path / "out")
    lists = {name: annotation(tmp_path / "out", name)["editableGoldMemories"] for name in ("ada", "ben")}
    assert [[one["memory_id"] for one in lists[name]] for name in ("ada", "ben")] == [["m1"], ["m2"]]
    assert [entry.name for entry in manifest.files] == ["ada.json", "ben.json"]


def test_an_answer_that_was_not_given_is_null_and_not_the_forms_default(study, tmp_path):
    answer(study, "ada", ("m1", "verdict", "keep"), ("session", "faithfulToOriginalMeaning", "partial"))
    export_memories(study, tmp_path / "out")
    told = annotation(tmp_path / "out", "ada")
    assert told["faithfulToOriginalMeaning"] == "partial"
    assert told["overallVerdict"] is told["hasDialogueEvidence"] is told["overInference"] is None


def test_what_is_not_finished_is_left_out_and_counted_and_a_draft_if_it_is_asked_for(study, tmp_path):
    answer(study, "ada", ("m1", "verdict", "keep"), verb=None)
    answer(study, "ada", session="d2", verb=Verb.SKIP, reason="cannot read it")
    manifest = export_memories(study, tmp_path / "out")
    assert manifest.files == () and not manifest.complete
    assert manifest.left_out == {"not_submitted": 1, "skipped": 1}
    manifest = export_memories(study, tmp_path / "drafts", unfinished=True)
    assert manifest.left_out == {"skipped": 1}
    told = annotation(tmp_path / "drafts", "ada")
    assert told["status"] == "draft"
    assert [one["verdict"] for one in told["alps"]["decisions"]] == ["keep", "open"]


def test_a_verdict_that_nobody_could_give_is_no_verdict(study, tmp_path):
    one = answer(study, "ada", ("m1", "verdict", "keep"), verb=None)
    with study.write() as conn:
        second = next(unit.id for unit in item_view(conn, one.id).units if unit.shown_id == "m2")
        change = Change("verdict", unit_id=second, status=Status.CANNOT_JUDGE, reason="another language")
        append(conn, act(Verb.SET, one, change))
        append(conn, act(Verb.SUBMIT, one))
    export_memories(study, tmp_path / "out")
    told = annotation(tmp_path / "out", "ada")
    assert len(told["editableGoldMemories"]) == 1
    assert told["alps"]["decisions"][1] == {
        "memory_id": "m2",
        "verdict": "cannot_judge",
        "attested": "explicit",
        "reason": "another language",
    }


def test_a_repeat_is_not_exported_beside_the_first_answer(study, tmp_path):
    first = answer(study, "ada", ("m1", "verdict", "keep"), ("m2", "verdict", "keep"))
    with study.write() as conn:
        again = assign(conn, first.item_id, rater_by_name(conn, "ada").id, occasion=1)
        append(conn, act(Verb.SUBMIT, assignment_by_id(conn, again)))
    manifest = export_memories(study, tmp_path / "out")
    assert manifest.counts["sessions"] == 1
    assert manifest.left_out == {"later_occasion": 1}


@given(st.lists(st.text(min_size=1, max_size=80), unique=True, max_size=8))
def test_any_names_make_files_that_are_safe_and_distinct_everywhere(names):
    files = file_names(names)
    assert len({name.lower() for name in files.values()}) == len(names)
    for name in files.values():
        assert name.isascii() and "/" not in name and "\\" not in name and not name.startswith(".")
        assert name.lower() != "manifest.json"


def test_names_that_a_system_reserves_get_a_hash():
    files = file_names(["ada", "Ada", "con", "../../etc/passwd", "manifest"])
    assert files["ada"] == "ada.json"
    assert all(files[name] not in ("Ada.json", "con.json", "manifest.json") for name in files)


def test_the_fingerprint_is_djb2_over_the_sorted_ids():
    assert fingerprint(["b", "a"]) == fingerprint(["a", "b"]) == "0b885132"


@pytest.fixture(scope="module")
def real(tmp_path_factory):
    """Real packets and real double annotations, derived and exported: the folder and the manifest."""
    folder = tmp_path_factory.mktemp("real")
    with open_database(folder / "alps.db", create=True) as db:
        import_paths(db, [ALPSBENCH / "session_packets", ALPSBENCH / "double_annotations"], locate=False)
        build_items(db)
        derive_decisions(db)
        yield folder / "out", export_memories(db, folder / "out")


def packet_records():
    records = {}
    for file in (ALPSBENCH / "session_packets").rglob("sess_*.json"):
        packet = json.loads(file.read_bytes())
        records[packet["session_id"]] = packet["task1"]["ground_truth_memories"]
    return records


def annotated_lists():
    """(side, session) -> the list that the annotator left, in AlpsBench's own file."""
    lists = {}
    for file in (ALPSBENCH / "double_annotations").rglob("*.json"):
        one = json.loads(file.read_bytes())
        lists[one["annotatorFolder"], one["sessionId"]] = one["tasks"]["task1"]["annotation"][
            "editableGoldMemories"
        ]
    return lists


def counted(records):
    return Counter(json.dumps(record, sort_keys=True) for record in records)


@needs_shared
def test_real_annotators_get_the_lists_they_left_and_kept_records_byte_for_byte(real):
    folder, manifest = real
    packets, left = packet_records(), annotated_lists()
    seen = kept = 0
    for entry in manifest.files:
        for one in json.loads((folder / entry.name).read_bytes())["annotations"]:
            exported = one["annotation"]["editableGoldMemories"]
            side = entry.name.rpartition("-")[0]
            assert counted(exported) == counted(left[side, one["sessionId"]])
            source = {json.dumps(record) for record in packets[one["sessionId"]]}
            verdicts = {d["memory_id"]: d["verdict"] for d in one["alps"]["decisions"]}
            keeps = [record for record in exported if verdicts.get(record["memory_id"]) == "keep"]
            assert all(json.dumps(record) in source for record in keeps)
            seen, kept = seen + 1, kept + len(keeps)
    assert seen == sum(session in packets for _, session in left) == 114
    assert kept == manifest.counts["keep"]


@needs_shared
def test_real_annotations_without_a_packet_are_left_out_and_counted(real):
    _, manifest = real
    packets = packet_records()
    assert manifest.left_out == {"no_packet": sum(session not in packets for _, session in annotated_lists())}
