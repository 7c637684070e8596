"""What files are is told by their content; plain lines, check items and annotators' files come in as they say."""

import json
import sys
from pathlib import Path

import pytest
from source_samples import annotated, bring_in, check_item, packet, plain_line, write_json, write_lines

from alps_tui.sources.alpsbench_double import without_names
from alps_tui.sources.detect import Format, Sample, detect
from alps_tui.sources.importer import CannotImport
from store import content
from store.assignments import raters
from store.database import Database
from store.kinds import Origin


@pytest.mark.parametrize(
    ("document", "format"),
    [
        (packet(), Format.PACKET),
        ({key: value for key, value in packet().items() if key != "available_tasks"}, Format.PACKET),
        (annotated(), Format.DOUBLE),
        (check_item(), Format.ITEM),
        (plain_line(), Format.PLAIN),
        ({"dialogue": [], "memories": []}, Format.PLAIN),
        ({"canonical_id": "1", "session_id": "s", "dialogue": [], "golden_answer": []}, Format.MEMORIES),
        ({"bundleType": "q1-q2-annotations", "version": 1}, Format.BUNDLE),
        ({"chunk_name": "chunk_001", "sessions": []}, Format.MANIFEST),
        ([{"canonical_id": "1", "session_id": "s", "stratum": "x", "assigned_model": "m"}], Format.MANIFEST),
        ({"task1": {"n_sessions": 3}, "task2": {}}, Format.REFERENCE),
        ({"name": "left-pad", "version": "1.0"}, None),
        ([], None),
        ("dialogue_id", None),
    ],
)
@pytest.mark.parametrize("spread", [None, 2])
def test_a_file_is_known_by_its_keys_whatever_its_spacing_and_order(
    document: object, format: Format | None, spread: int | None
) -> None:
    for sort in (False, True):
        data = json.dumps(document, indent=spread, sort_keys=sort).encode()
        assert detect(Sample(data, True)) is format


def test_a_git_lfs_pointer_is_named_as_what_it_is(db: Database, tmp_path: Path) -> None:
    (tmp_path / "x.jsonl").write_text("version https://git-lfs.github.com/spec/v1\noid sha256:00\nsize 1\n")
    report = bring_in(db, tmp_path / "x.jsonl")
    assert "git lfs pull" in report.left_out[0].reason
    assert not report.complete


def test_a_plain_line_comes_in_with_all_it_has(db: Database, tmp_path: Path) -> None:
    report = bring_in(db, write_lines(tmp_path / "own.jsonl", plain_line("d1"), plain_line("d2")))

    assert report.complete
    assert {name: n for name, n in report.counts.items() if n} == {
        "records": 2,
        "dialogues": 2,
        "turns": 8,
        "gold_memories": 4,
        "model_memories": 2,
        "queries": 2,
        "responses": 4,
    }
    assert report.lints == {"response_empty": 2}
    with db.read() as connection:
        first = content.dialogues(connection)[0]
        gold = content.memories(connection, first.id, Origin.GOLD)
        (query,) = content.queries(connection, first.id)
        answers = content.responses(connection, query.id)
    assert (first.source, first.external_id, first.language) == ("plain", "d1", "en")
    assert [(m.external_id, m.evidence[0].turn, m.evidence[0].match) for m in gold] == [
        ("m1", 0, "exact"),
        ("m2", 2, "exact"),
    ]
    assert (query.given, query.ability) == (("m1",), "ability2")
    assert [(one.model, one.text) for one in answers] == [("model-one", "A lentil salad."), ("model-two", "")]


def test_a_broken_line_is_kept_aside_by_its_number_and_the_others_come_in(
    db: Database, tmp_path: Path
) -> None:
    path = tmp_path / "own.jsonl"
    wrong = plain_line("d3") | {"responses": [{"query_id": "q9", "model": "m", "text": "hi"}]}
    lines = [
        json.dumps(plain_line("d1")),
        "",
        '{"dialogue_id": "d2", "dialogue": [',
        json.dumps(wrong),
        "[1]",
    ]
    path.write_text("\n".join([*lines, json.dumps(plain_line("d5"))]), encoding="utf-8")

    report = bring_in(db, path)

    assert [(one.ordinal, one.record) for one in report.quarantined] == [(3, "d2"), (4, "d3"), (5, "")]
    assert "cut off" in report.quarantined[0].reason
    assert 'the query "q9", which the record does not have' in report.quarantined[1].reason
    assert report.quarantined[2].reason == "the line is a list, not an object"
    assert report.counts["dialogues"] == 2


def test_the_same_line_in_another_file_is_the_same_record(db: Database, tmp_path: Path) -> None:
    bring_in(db, write_lines(tmp_path / "one.jsonl", plain_line("d1")))
    report = bring_in(db, write_lines(tmp_path / "two.jsonl", plain_line("d1"), plain_line("d2")))
    assert (report.same, report.counts["dialogues"]) == (1, 1)


@pytest.mark.parametrize("shape", ["list", "spread"])
def test_json_that_is_not_in_lines_is_kept_aside_with_the_way_out(
    db: Database, tmp_path: Path, shape: str
) -> None:
    path = tmp_path / "own.json"
    text = json.dumps([plain_line()]) if shape == "list" else json.dumps(plain_line(), indent=2)
    path.write_text(text, encoding="utf-8")
    report = bring_in(db, path)
    assert "jq -c" in report.quarantined[0].reason
    with db.read() as connection:
        assert content.quarantined(connection)[0].raw == text.encode()


def test_a_check_item_joins_responses_by_query_id_and_gives_its_memories(
    db: Database, tmp_path: Path
) -> None:
    bring_in(db, write_json(tmp_path / "item.json", check_item()))
    with db.read() as connection:
        (dialogue,) = content.dialogues(connection)
        queries = content.queries(connection, dialogue.id)
        answers = {query.external_id: content.responses(connection, query.id)[0].text for query in queries}
        memories = content.memories(connection, dialogue.id)
    assert answers == {"ability5_1:0": "That sounds hard.", "ability5_1:1": "Rest first."}
    assert {query.ability for query in queries} == {"ability5"}
    assert [query.category for query in queries] == ["Emotional Support", "Social Strategy"]
    assert [(one.origin, one.external_id) for one in memories] == [(Origin.GIVEN, "#1")]
    assert all(query.given == ("#1",) for query in queries)
    assert dialogue.language == "en"


def test_a_check_item_of_no_task_is_kept_aside_with_what_its_task_is(db: Database, tmp_path: Path) -> None:
    write_json(tmp_path / "f" / "a.json", check_item() | {"task": "task9"})

    report = bring_in(db, tmp_path / "f")

    assert [one.reason for one in report.quarantined] == ['the task is "task9"']


NAMES = "Ada Berg & Lin Wei"


@pytest.mark.parametrize("damage", [None, 300])
@pytest.mark.parametrize("ascii_only", [True, False])
def test_no_name_of_an_annotator_reaches_the_study(
    db: Database, tmp_path: Path, damage: int | None, ascii_only: bool
) -> None:
    group = "Zoë Ångström & 王伟"
    folder = tmp_path / "annotator_1"
    folder.mkdir()
    data = json.dumps(annotated(group=group), ensure_ascii=ascii_only, indent=1).encode()
    (folder / f"{group}__sess_a.json").write_bytes(data[:damage])
    (folder / f"{group}__broken.json").write_bytes(b"{")

    report = bring_in(db, tmp_path)

    assert len(report.quarantined) == (2 if damage else 1)
    everything = [json.dumps(report.to_json(), ensure_ascii=False)]
    with db.read() as connection:
        raw = connection.connection.driver_connection
        everything += list(raw.iterdump())
        blobs = [bytes(row[0]) for row in raw.execute("SELECT raw FROM source_record")]
    texts = "\n".join(everything + [blob.decode("utf-8", "replace") for blob in blobs])
    escaped = json.dumps(group)[1:-1]
    for name in ("Zoë", "Ångström", "王伟", escaped, escaped.split(" ")[0]):
        assert name not in texts


def test_a_pair_has_the_same_pseudonym_on_both_sides(db: Database, tmp_path: Path) -> None:
    for side in (1, 2):
        for session in ("sess_a", "sess_b"):
            path = tmp_path / f"annotator_{side}" / f"ada_lin__{session}.json"
            write_json(path, annotated(session, NAMES, side))

    report = bring_in(db, tmp_path)

    assert report.counts["raters"] == 2
    assert report.counts["annotations"] == 16
    with db.read() as connection:
        first, second = raters(connection)
        files = {one.file for one in report.lint_rows}
    assert first.name.split("-")[1] == second.name.split("-")[1] == first.params["group"]
    assert [first.params["side"], second.params["side"]] == ["annotator_1", "annotator_2"]
    assert len(files) == 4
    assert not any("ada" in file or "lin" in file for file in files)


def test_no_piece_of_a_name_is_left_in_a_file_cut_anywhere() -> None:
    data = json.dumps(annotated(group="Zyx Wvu")).encode()
    for size in range(len(data)):
        kept = without_names(data[:size])
        assert b"Zyx" not in kept and b"Wvu" not in kept and b'"Zy' not in kept


def test_equal_records_of_both_annotators_are_two(db: Database, tmp_path: Path) -> None:
    for side in (1, 2):
        write_json(tmp_path / f"annotator_{side}" / "p__sess_a.json", annotated(side=side))
    bring_in(db, tmp_path)
    with db.read() as connection:
        found = content.annotations(connection, "task1")
    assert len(found) == 2
    assert found[0].payload == found[1].payload


def test_a_confidence_of_8_in_an_annotation_is_noted(db: Database, tmp_path: Path) -> None:
    document = annotated()
    memory = document["tasks"]["task1"]["annotation"]["editableGoldMemories"][0] | {
        "confidence": 8,
        "label": "x",
    }
    document["tasks"]["task2"]["annotation"]["editableUpdatedMemories"] = [memory]
    report = bring_in(db, write_json(tmp_path / "x.json", document))
    assert [(one.code, one.where) for one in report.lint_rows if one.code != "name_replaced"] == [
        ("label_outside", "tasks/task2/m1/label"),
        ("confidence_outside", "tasks/task2/m1/confidence"),
    ]


def test_a_path_that_does_not_exist_is_a_sentence(db: Database, tmp_path: Path) -> None:
    with pytest.raises(CannotImport, match="does not exist"):
        bring_in(db, tmp_path / "nowhere")


@pytest.mark.parametrize("names", [[], ["README.md"], ["package.json"], ["image.png"]])
def test_a_folder_with_nothing_that_is_known_is_a_sentence(
    db: Database, tmp_path: Path, names: list[str]
) -> None:
    folder = tmp_path / "folder"
    folder.mkdir()
    for name in names:
        (folder / name).write_bytes(b'{"name": "x"}' if name.endswith("json") else b"\x89PNG\0\1")
    with pytest.raises(CannotImport, match="dialogue_id and dialogue") as error:
        bring_in(db, folder)
    assert str(folder) in str(error.value)


def test_a_plain_line_brings_updates_and_what_is_broken_in_one_keeps_it_aside(
    db: Database, tmp_path: Path
) -> None:
    memory = {"id": "m1", "value": "Drinks tea", "evidence": {"turn": 0, "quote": "tea"}}
    update = {
        "new_dialogue": [{"role": "user", "content": "Coffee now."}],
        "before": [memory],
        "after": [memory | {"id": "m1_updated", "value": "Drinks coffee"}],
        "selected": "m1",
    }
    line = plain_line() | {"updates": [update]}
    broken = plain_line() | {"dialogue_id": "broken", "updates": [update | {"after": "nothing"}]}
    report = bring_in(db, write_lines(tmp_path / "lines.jsonl", line, broken))
    assert report.counts["updates"] == 1
    assert len(report.quarantined) == 1
    with db.read() as conn:
        (dialogue,) = content.dialogues(conn)
        (stored,) = content.updates(conn, dialogue.id)
    assert (stored.external_id, stored.selected) == (f"{dialogue.external_id}:update:1", "m1")
    assert [one["memory_id"] for one in (*stored.pool, *stored.answer)] == ["m1", "m1_updated"]
    assert [turn.text for turn in stored.new_dialogue] == ["Coffee now."]


def test_a_list_of_packets_is_told_how_to_come_in(db: Database, tmp_path: Path) -> None:
    (aside,) = bring_in(db, write_json(tmp_path / "all.json", [packet(), packet()])).quarantined
    assert "a JSON list of packets" in aside.reason and "jq -c '.[]'" in aside.reason


def test_without_the_package_for_parquet_a_sentence_says_what_to_install(
    db: Database, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "rows.parquet").write_bytes(b"PAR1 and the rest PAR1")
    monkeypatch.setitem(sys.modules, "pyarrow", None)
    report = bring_in(db, tmp_path / "rows.parquet")
    assert "pip install 'alps-tui[parquet]'" in report.left_out[0].reason and not report.complete


JUDGED = [
    {
        "task": "extraction",
        "model": "model-one",
        "judge": "osprey",
        "output": {
            "pair_reviews": [],
            "missing_reviews": [
                {"id": "m1", "should_have_extracted": True, "severity": 1, "rationale": "It is said."},
                {"id": "m2", "should_have_extracted": False, "severity": 0, "rationale": ""},
            ],
            "extra_reviews": [],
        },
    },
    {
        "task": "use",
        "model": "model-one",
        "output": {"used_memory": True, "score": 0.5, "reason": "In part."},
    },
    {"task": "ability", "model": "model-one", "output": [{"query_id": "q1", "score": 1}]},
]


def test_a_pool_and_what_judges_said_come_in_with_a_plain_line(db: Database, tmp_path: Path) -> None:
    line = plain_line("d1")
    pool = [{"id": "m1", "value": "Is vegan."}, {"memory_id": "m1", "value": "Has a cat."}, {"id": "x"}]
    line["queries"].append({"id": "p1", "text": "What do I order?", "target": "x", "pool": pool})
    line["responses"].append({"query_id": "p1", "model": "model-one", "text": "The soup."})
    line["judged"] = JUDGED
    report = bring_in(db, write_lines(tmp_path / "own.jsonl", line))
    assert report.complete and report.counts["pools"] == 1 and report.counts["pool_entries"] == 3
    assert "memory_unknown" not in report.lints
    with db.read() as connection:
        (first,) = content.dialogues(connection)
        asked, put = content.queries(connection, first.id)
        said = [
            one
            for task in ("extraction", "use", "ability")
            for one in content.annotations(connection, f"judge:{task}")
        ]
    assert (asked.kind, put.kind, put.target) == ("utilization", "retrieval", "x")
    assert [one["memory_id"] for one in put.pool] == ["m1", "m1", "x"]
    assert [(one.rater, one.side) for one in said] == [
        ("judge-of-osprey", "model-one"),
        ("judge-of-plain", "model-one"),
        ("judge-of-plain", "model-one"),
    ]


@pytest.mark.parametrize(
    ("changes", "said"),
    [
        ({"judged": {}}, '"judged"'),
        (
            {"judged": [{"task": "mood", "model": "m", "output": {}}]},
            "its task is none of extraction, use, ability",
        ),
        ({"judged": [{"task": "use", "output": {}}]}, "model"),
        ({"judged": [{"task": "use", "model": "m", "output": None}]}, "judged/0/output"),
        ({"judged": [{"task": "extraction", "model": "m", "output": {"pair_reviews": 3}}]}, "pair_reviews"),
        ({"queries": [{"id": "q1", "text": "?", "pool": "all"}]}, "queries/0/pool"),
        ({"queries": [{"id": "q1", "text": "?", "pool": ["m1"]}]}, "queries/0/pool/0"),
    ],
)
def test_a_plain_line_with_a_broken_pool_or_judge_is_kept_aside(
    db: Database, tmp_path: Path, changes: dict[str, object], said: str
) -> None:
    line = plain_line("d1") | {"responses": []} | changes
    report = bring_in(db, write_lines(tmp_path / "own.jsonl", line))
    (aside,) = report.quarantined
    assert said in aside.reason and not report.counts["dialogues"]
