"""A table of every AlpsBench layout and of every oddity its files have: each comes in, and is said."""

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from layout_samples import (
    PREDICTED,
    REVIEWS,
    TURNS,
    bundle,
    editor_export,
    entry,
    extraction_item,
    gold_memory,
    judged_memories,
    retrieval_item,
    update_item,
)
from source_samples import annotated, bring_in, check_item, packet, write_json, write_lines

from alps_tui.sources.detect import NO_DATA, Format
from store import content
from store.database import Database

MODEL_PARTS = ("assigned_model", "model_output", "judge_output_raw", "judge_score", "final_score")


def construction(item: dict[str, Any]) -> dict[str, Any]:
    """The same item in the construction track: nothing of a model or a judge in it."""
    kept = {key: value for key, value in item.items() if key not in MODEL_PARTS}
    return kept | {"assigned_model_for_judge_track": "some-model"}


def ability_item(ability: str, output: Any) -> dict[str, Any]:
    """A task-4 item of the first four abilities: one question, one response, one score."""
    name = f"{ability}_7"
    return {
        "task": f"task4/{ability}",
        "canonical_id": name,
        "session_id": name,
        "assigned_model": "some-model",
        "original": {
            "queries": [{"query_id": f"{name}:0", "query": "?"}],
            "conversation": TURNS,
            "extracted_memory": [{"memory_id": "m1", "value": "Is vegan"}],
            "memory_key": "m1",
        },
        "model_output": {"responses": [{"query_id": f"{name}:0", "response": "Lentils."}]},
        "judge_output_raw": output,
        "judge_score": 1,
        "final_score": 1,
    }


@dataclass(frozen=True)
class Layout:
    """Files as the authors' tools lay them out, and what must come of them."""

    files: dict[str, Any]
    formats: dict[str, int]
    counts: dict[str, int]
    no_data: int = 0
    left_out: int = 0


CHECKS = "manual_check_data"
Q1, Q2 = f"{CHECKS}/benchmark_construction_check_data", f"{CHECKS}/LLM_as_judge_Human_Alignment_data"
ROW = {"canonical_id": "703", "session_id": "s", "stratum": "x", "assigned_model": "some-model"}
SCORE = {"response": "Lentils.", "score": 1}
POINTER = "version https://git-lfs.github.com/spec/v1\noid sha256:0123\nsize 1234\n"
SETTINGS = {"seed": "v2", "tasks": ["task1"], "models": {"some-model": {"path": "x"}}}

LAYOUTS: dict[str, Layout] = {
    "session packets in chunks": Layout(
        {
            "manifest.json": {"dataset_name": "x", "total_session_count": 2, "chunk_count": 2, "chunks": []},
            "chunks/chunk_001/manifest.json": {"chunk_name": "chunk_001", "sessions": []},
            "chunks/chunk_001/sess_0a.json": packet("sess_0a"),
            "chunks/chunk_002/sess_0b.json": packet("sess_0b"),
        },
        {"alpsbench-packet": 2},
        {"dialogues": 2, "gold_memories": 4, "model_memories": 6, "updates": 2, "pools": 2, "queries": 2},
        no_data=2,
    ),
    "a folder to compare two annotators": Layout(
        {
            "manifest.json": {"seed": 42, "sampleSize": 1, "requiredTasks": ["task1"], "entries": []},
            "annotator_1/g1__sess_0a.json": annotated("sess_0a", side=1),
            "annotator_2/g1__sess_0a.json": annotated("sess_0a", side=2),
        },
        {"alpsbench-double-annotation": 2},
        {"annotations": 8, "raters": 2},
        no_data=1,
    ),
    "check items of the construction track": Layout(
        {
            f"{CHECKS}/run_summary.json": {"seed": "v2", "output_root": "x", "tasks": []},
            f"{CHECKS}/config.snapshot.json": SETTINGS,
            f"{Q1}/task1/manifest.json": [ROW],
            f"{Q1}/task1/sessions/a__703/item.json": construction(extraction_item("sess_1")),
            f"{Q1}/task2/sessions/b__b/item.json": construction(update_item("sess_2")),
            f"{Q1}/task3/sessions/c__c/item.json": construction(retrieval_item("sess_3")),
            f"{Q1}/task4/ability1/sessions/d__d/item.json": construction(ability_item("ability1", None)),
            f"{Q1}/task4/ability5/sessions/e__e/item.json": construction(check_item("english_1")),
        },
        {"alpsbench-check-item": 5},
        {"dialogues": 5, "gold_memories": 1, "given_memories": 2, "updates": 1, "pools": 1, "queries": 3},
        no_data=3,
    ),
    "check items of the judge track": Layout(
        {
            f"{Q2}/task4/ability1/manifest.json": [ROW],
            f"{Q2}/task1/sessions/a__703/item.json": extraction_item("sess_1"),
            f"{Q2}/task2/sessions/b__b/item.json": update_item("sess_2"),
            f"{Q2}/task3/sessions/c__c/item.json": retrieval_item("sess_3"),
            **{
                f"{Q2}/task4/ability{n}/sessions/d__d/item.json": ability_item(f"ability{n}", SCORE)
                for n in range(1, 5)
            },
            f"{Q2}/task4/ability5/sessions/e__e/item.json": check_item("english_1"),
        },
        {"alpsbench-check-item": 8},
        {
            "dialogues": 8,
            "model_memories": 3,
            "given_memories": 5,
            "responses": 7,
            "annotations": 8,
            "raters": 4,
        },
        no_data=1,
    ),
    "all_llm_memories": Layout(
        {
            "all_llm_memories_1.json": judged_memories("sess_1"),
            "all_llm_memories_2.json": judged_memories("sess_2"),
        },
        {"alpsbench-llm-memories": 2},
        {"dialogues": 2, "gold_memories": 2, "model_memories": 4, "annotations": 2, "raters": 1},
    ),
    "bundles, saved and drafts": Layout(
        {
            "chunk_001-annotations-2026.json": bundle(
                "s", entry("s1"), entry("s1", "task2"), entry("s1", "task3")
            ),
            "chunk_001-drafts-2026.json": bundle("s", entry("s2", status="draft"), annotationStatus="draft"),
        },
        {"alpsbench-annotation-bundle": 2},
        {"annotations": 4, "raters": 1},
    ),
    "what people said of judges, in a bundle": Layout(
        {
            "a_1.json": bundle(
                "s", *(entry("s1", f"task{n}", "Q2", annotationsByMode={}) for n in (1, 2, 3, 4))
            )
        },
        {"alpsbench-annotation-bundle": 1},
        {"annotations": 4, "raters": 1},
    ),
    "a merged dataset": Layout(
        {
            "merged.json": {
                "bundleType": "q1-q2-merged-dataset",
                "version": 1,
                "entries": [
                    {
                        "track": "Q1",
                        "task": "task1",
                        "items": [{"itemData": construction(extraction_item("s1"))}],
                    }
                ],
                "annotations": [entry("s1")],
            }
        },
        {"alpsbench-annotation-bundle": 1},
        {"dialogues": 1, "gold_memories": 1, "annotations": 1, "raters": 1},
    ),
    "the gold editor's backup and results": Layout(
        {"backup.json": editor_export("sess_0a"), "results.json": editor_export("sess_0b", backup=False)},
        {"alpsbench-gold-editor": 2},
        {"annotations": 2, "raters": 2},
    ),
    "rows of the datasets": Layout(
        {
            "task1.jsonl": [extraction_item()["original"]],
            "task2.jsonl": [update_item()["original"]],
            "task3.jsonl": [retrieval_item()["original"] | {"metadata": {"session_id": "sess_3"}}],
            "task4.jsonl": [ability_item("ability1", None)["original"] | {"session_id": "ability1_7"}],
        },
        {"alpsbench-dataset-rows": 4},
        {"dialogues": 4, "gold_memories": 1, "given_memories": 1, "updates": 1, "pools": 1, "queries": 1},
    ),
    "benchmark data that was not fetched": Layout(
        {
            "dev/task1.jsonl": POINTER,
            "test/task1.jsonl": POINTER,
            "all_llm_memories_1.json": judged_memories(),
        },
        {"alpsbench-llm-memories": 1},
        {"dialogues": 1},
        left_out=2,
    ),
    "reference numbers": Layout(
        {
            "reference_agreement.json": {"task1": {}, "task2": {}},
            "reference_decisions.json": {"with_seeded": {}, "without_seeded": {}},
            "all_llm_memories_1.json": judged_memories(),
        },
        {"alpsbench-llm-memories": 1},
        {"dialogues": 1},
        no_data=2,
    ),
}


def lay_out(folder: Path, files: dict[str, Any]) -> Path:
    for name, document in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        if isinstance(document, str):
            path.write_text(document)
        elif path.suffix == ".jsonl":
            write_lines(path, *document)
        else:
            write_json(path, document)
    return folder


@pytest.mark.parametrize("name", LAYOUTS)
def test_every_layout_comes_in_from_its_folder_and_a_second_time_as_the_same(
    db: Database, tmp_path: Path, name: str
) -> None:
    layout = LAYOUTS[name]
    folder = lay_out(tmp_path / "data", layout.files)
    report = bring_in(db, folder)

    assert dict(report.formats) == layout.formats
    assert {key: report.counts[key] for key in layout.counts} == layout.counts
    assert (len(report.no_data), len(report.left_out)) == (layout.no_data, layout.left_out)
    assert report.quarantined == () and report.complete == (layout.left_out == 0)
    again = bring_in(db, folder)
    assert again.same == report.counts["records"] and not again.is_new


# ---------------------------------------------------------------- oddities


@dataclass(frozen=True)
class Oddity:
    """A file with something odd in it: which notes it gives (code, how often), and what must hold of the study."""

    document: Any
    notes: dict[str, int]
    holds: Callable[[Any], bool] = lambda stored: True


@dataclass(frozen=True)
class Stored:
    """What of a file's one dialogue is in the study."""

    memories: tuple[content.StoredMemory, ...]
    queries: tuple[content.StoredQuery, ...]
    responses: tuple[content.StoredResponse, ...]
    turns: tuple[Any, ...]

    @property
    def gold(self) -> content.StoredMemory:
        return next(one for one in self.memories if one.origin == "gold")


def with_gold(**changes: Any) -> dict[str, Any]:
    return judged_memories(golden_answer=[gold_memory("m1", **changes)])


def without(*keys: str) -> dict[str, Any]:
    memory = gold_memory("m1")
    return judged_memories(golden_answer=[{k: v for k, v in memory.items() if k not in keys}])


def reviewed(**changes: Any) -> dict[str, Any]:
    return extraction_item(judge_output_raw=REVIEWS | changes)


MISSPELT = [{"id": "m1", "should_have extracted": True, "severity": 1, "rationale": "x"}]
PICKED = {"turn_indices": [0], "turns": [{"index": 0, "role": "user", "text": "I am vegan"}]}
LEGACY = {"utterance_index": 0, "text": "I am vegan"}
EMPTY = {"responses": [{"query_id": "ability4_7:0", "response": ""}]}
UNPARSED = {
    "raw_output": '```json\n{"answer": "Lentils."}\n```',
    "parsed_response": None,
    "used_memory": None,
}


def exact(stored: Stored) -> bool:
    (found,) = stored.gold.evidence
    return (found.turn, found.start, found.match) == (0, 0, "exact")


ODDITIES: dict[str, Oddity] = {
    "no judge output": Oddity(extraction_item(judge_output_raw=None), {"judge_missing": 1}),
    "no label_suggestion and no reasoning": Oddity(
        without("label_suggestion", "reasoning"),
        {"missing_keys": 1},
        lambda s: s.gold.label_suggestion is None and s.gold.reasoning is None,
    ),
    "no evidence": Oddity(without("evidence"), {"missing_keys": 1}, lambda s: s.gold.evidence == ()),
    "evidence is null": Oddity(with_gold(evidence=None), {}, lambda s: s.gold.evidence == ()),
    "evidence is a list": Oddity(with_gold(evidence=[LEGACY]), {}, exact),
    "evidence by turn number and text": Oddity(with_gold(evidence=LEGACY), {}, exact),
    "evidence as picked turns": Oddity(with_gold(evidence=PICKED), {}, exact),
    "a list of turn numbers": Oddity(with_gold(evidence=LEGACY | {"utterance_index": [0, 1]}), {}, exact),
    "a turn number out of range": Oddity(
        with_gold(evidence=LEGACY | {"utterance_index": 99}),
        {"evidence_index": 1, "evidence_other_turn": 1},
        exact,
    ),
    "a quote without text": Oddity(with_gold(evidence=LEGACY | {"text": None}), {"evidence_no_quote": 1}),
    "a confidence in quotes": Oddity(
        with_gold(confidence="0.80"), {"confidence_text": 1}, lambda s: s.gold.confidence == 0.8
    ),
    "a confidence of 8": Oddity(
        with_gold(confidence=8), {"confidence_outside": 1}, lambda s: s.gold.confidence == 8
    ),
    "the word null for a label": Oddity(
        with_gold(label="null"), {"null_text": 1}, lambda s: s.gold.label is None
    ),
    "a label outside the taxonomy": Oddity(
        with_gold(label="Preferences/Sailing"),
        {"label_outside": 1},
        lambda s: s.gold.label == "Preferences/Sailing",
    ),
    "a misspelt key of a review": Oddity(reviewed(missing_reviews=MISSPELT), {"key_misspelt": 1}),
    "a review of a memory that is gone": Oddity(reviewed(), {"judge_dangling": 1}),
    "a memory reviewed in a pair and as missing": Oddity(
        reviewed(missing_reviews=[REVIEWS["missing_reviews"][0] | {"id": "m1"}]), {"reviewed_twice": 1}
    ),
    "an answer left unparsed in its fence": Oddity(
        retrieval_item(model_output=UNPARSED),
        {"answer_unparsed": 1},
        lambda s: s.responses[0].text == "Lentils.",
    ),
    "an empty response": Oddity(
        ability_item("ability4", SCORE | {"response": ""}) | {"model_output": EMPTY},
        {"response_empty": 1},
        lambda s: s.responses[0].text == "",
    ),
    "dimensions of a score that are missing": Oddity(
        check_item("english_1"), {"score_missing": 2}, lambda s: len(s.responses) == 2
    ),
    "ids and values that come again in a pool": Oddity(
        retrieval_item(), {}, lambda s: len(s.queries[0].pool) == 3
    ),
    "a dialogue that the assistant opens": Oddity(
        judged_memories(dialogue=TURNS[::-1]), {}, lambda s: s.turns[0].role == "assistant"
    ),
    "a role that speaks twice": Oddity(
        judged_memories(dialogue=[TURNS[0], *TURNS]), {"same_role_twice": 1}, lambda s: len(s.turns) == 3
    ),
    "an empty gold": Oddity(
        judged_memories(golden_answer=[]), {}, lambda s: [one.raw for one in s.memories] == PREDICTED
    ),
    "a final score of mixed scales": Oddity(judged_memories(), {"final_score_mixed": 2}),
}


@pytest.mark.parametrize("name", ODDITIES)
def test_every_oddity_comes_in_and_is_noted_and_the_bytes_stay(
    db: Database, tmp_path: Path, name: str
) -> None:
    oddity = ODDITIES[name]
    path = write_json(tmp_path / "one.json", oddity.document)
    report = bring_in(db, path)

    assert report.complete and report.counts["dialogues"] == 1
    assert {code: report.lints[code] for code in oddity.notes} == oddity.notes
    with db.read() as conn:
        (dialogue,) = content.dialogues(conn)
        stored = Stored(
            content.memories(conn, dialogue.id),
            content.queries(conn, dialogue.id),
            content.responses_of_dialogue(conn, dialogue.id),
            content.turns(conn, dialogue.id),
        )
        raw = content.raw_record(conn, 1)
    assert oddity.holds(stored)
    assert raw == path.read_bytes()


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ('{"a": NaN}', "NaN is not JSON"),
        ('{"a": Infinity}', "Infinity is not JSON"),
        ('{ // scores\n"a": 1}', "not JSON"),
        ('{"a": 1', "cut off"),
        ("[1, 2", "cut off"),
        ('{"a": 1} {"b": 2}', "more than one JSON document"),
    ],
)
def test_what_is_no_json_is_kept_aside_with_a_reason_and_the_bytes(
    db: Database, tmp_path: Path, text: str, reason: str
) -> None:
    (tmp_path / "scores.json").write_text(text)
    report = bring_in(db, tmp_path)

    (aside,) = report.quarantined
    assert aside.reason.startswith(reason) and aside.file.endswith("scores.json")
    with db.read() as conn:
        (kept,) = content.quarantined(conn)
    assert kept.raw == text.encode()


def test_the_tables_hold_every_format_that_is_read() -> None:
    told = {name for layout in LAYOUTS.values() for name in layout.formats}
    assert told == {one.value for one in Format} - {one.value for one in NO_DATA} - {
        Format.LFS_POINTER.value,
        Format.PARQUET.value,
        Format.PLAIN.value,
    }
