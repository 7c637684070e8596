"""Hand-written files in the formats that come in, small enough to read, and a study to bring them into."""

import copy
import json
from pathlib import Path
from typing import Any

from alps_tui.sources.importer import ImportReport, import_paths
from store.database import Database

LABELS = frozenset({"Preferences/Food", "Preferences/Travel_Mode", "Thoughts/Curiosity", "UNMAPPED"})

_TURNS = [
    ("user", "Hi, I want to plan dinner. I don't eat meat."),
    ("assistant", "Gladly. Do you like lentils?"),
    ("user", "Yes! And I always cycle to work, so nothing heavy, please."),
    ("assistant", "Then a lentil salad it is."),
]


def _memory(memory_id: str, turn: int, quote: str, value: str, **more: Any) -> dict[str, Any]:
    return {
        "memory_id": memory_id,
        "type": "direct",
        "label": "Preferences/Food",
        "label_suggestion": None,
        "value": value,
        "reasoning": "It is said.",
        "evidence": {"session_id": "sess_x", "utterance_index": turn, "text": quote},
        "confidence": 0.8,
        "time_scope": "long_term",
        "emotion": None,
        "preference_attitude": "dislike",
        "updated_at": "2024-01-01T00:00:00Z",
    } | more


def packet(session_id: str = "sess_a") -> dict[str, Any]:
    """A session packet with 4 turns, 2 gold and 3 model memories of two models, an update, a pool and a query."""
    gold = [
        _memory("m1", 0, "I don't eat meat.", "Does not eat meat"),
        _memory("m2", 2, "I always cycle to work", "Cycles to work", label="Preferences/Travel_Mode"),
    ]
    item = {"type": "direct", "label": "Preferences/Food", "value": "Likes lentils", "confidence": 0.8}
    stub = {"memory_id": "m1", "value": "Does not eat meat", "label": "Preferences/Food"}
    return {
        "session_id": session_id,
        "available_tasks": {"task1": True, "task2": True, "task3": True, "task4": True},
        "dialogue": [{"role": role, "text": text} for role, text in _TURNS],
        "dialogue_source": "task1.dialogue",
        "task1": {
            "canonical_id": "1",
            "stratum": "Preferences/Food",
            "ground_truth_memories": gold,
            "llm_outputs": {
                "model-one": {
                    "raw_output": "",
                    "memory_items": [
                        {"memory_id": "p1", "evidence_text": "I don't eat meat.", **item},
                        {"memory_id": "p2", "evidence_text": "nothing heavy, please", **item},
                    ],
                },
                "model-two": {"memory_items": [{"memory_id": "p1", "evidence_text": "Yes!", **item}]},
            },
        },
        "task2": {
            "canonical_id": session_id,
            "new_dialogue": [{"role": "user", "text": "I eat fish now."}],
            "memory_pool_before_update": copy.deepcopy(gold),
            "task2_selected_memory_id": "m1",
            "golden_answer": [_memory("m1_updated", 0, "I eat fish now.", "Eats fish")],
        },
        "task3": {
            "task3_selected_memory_id": "m1",
            "candidate_memories": [
                stub,
                {**stub, "memory_id": "m9", "value": "Likes tea"},
                {**stub, "value": "x"},
            ],
            "query": "What shall I cook?",
            "metadata": {"language": "English"},
        },
        "task4": [
            {
                "ability": "ability2",
                "queries": [{"query_id": f"{session_id}:q1", "query": "A quick lunch?"}],
                "task4_selected_memory_id": "m1",
                "task4_selected_memory": stub,
            }
        ],
    }


def annotated(session_id: str = "sess_a", group: str = "Ada Berg & Lin Wei", side: int = 1) -> dict[str, Any]:
    """One annotator's file of a double annotation, with a pair's name where real files have one."""

    def entry(task: str, annotation: dict[str, Any]) -> dict[str, Any]:
        return {
            "draftKey": f"Q1:{task}:none:{session_id}:{session_id}",
            "relativeItemPath": f"{group}/{session_id}.json",
            "canonicalId": session_id,
            "sessionId": session_id,
            "track": "Q1",
            "task": task,
            "annotation": {
                "formType": f"Q1:{task}",
                "status": "saved",
                "updatedAt": "2026-04-14T15:48:27.791Z",
                **annotation,
            },
        }

    memories = packet(session_id)["task1"]["ground_truth_memories"]
    return {
        "group": group,
        "sessionId": session_id,
        "annotatorFolder": f"annotator_{side}",
        "tasks": {
            "task1": entry("task1", {"overallVerdict": "reasonable", "editableGoldMemories": memories}),
            "task2": entry("task2", {"editableUpdatedMemories": memories}),
            "task3": entry("task3", {"queryText": "What shall I cook?"}),
            "task4": entry("task4", {"subAnnotations": []}),
        },
    }


def check_item(canonical_id: str = "ability5_1") -> dict[str, Any]:
    """A task-4 item of the judge track: two queries, two responses, and what a judge said of them."""
    return {
        "task": "task4/ability5",
        "canonical_id": canonical_id,
        "session_id": canonical_id,
        "stratum": "en",
        "stratum_source": "dataset group",
        "assigned_model": "some-model",
        "original": {
            "session_id": canonical_id,
            "queries": [
                {"query_id": f"{canonical_id}:0", "query": "I am tired.", "category": "Emotional Support"},
                {"query_id": f"{canonical_id}:1", "query": "What now?", "category": "Social Strategy"},
            ],
            "conversation": [{"role": role, "text": text} for role, text in _TURNS],
            "extracted_memory": [{"label": "Preferences/Food", "value": "Does not eat meat"}],
        },
        "model_output": {
            "responses": [
                {"query_id": f"{canonical_id}:1", "response": "Rest first."},
                {"query_id": f"{canonical_id}:0", "response": "That sounds hard."},
            ],
            "score_rows": [{"resonation": 4, "expression": 3, "reception": 5}],
        },
        "judge_output_raw": [{"response": "That sounds hard.", "resonation": 4}],
        "judge_score": {"avg_resonation": 4.0},
        "final_score": {"avg_resonation": 4.0},
        "sampling": {"selected_for_judge_track": True},
    }


def plain_line(dialogue_id: str = "d1") -> dict[str, Any]:
    """One line of plain JSON with everything a line may have."""
    return {
        "dialogue_id": dialogue_id,
        "language": "English",
        "dialogue": [{"role": role, "content": text} for role, text in _TURNS],
        "memories": [
            {
                "id": "m1",
                "type": "direct",
                "label": "Preferences/Food",
                "value": "Does not eat meat",
                "evidence": "I don't eat meat.",
            },
            {"id": "m2", "value": "Cycles to work", "evidence": {"turn": 2, "quote": "cycle to work"}},
        ],
        "candidates": {"model-one": [{"id": "p1", "value": "Likes lentils"}]},
        "queries": [{"id": "q1", "text": "A quick lunch?", "ability": "ability2", "memory_ids": ["m1"]}],
        "responses": [
            {"query_id": "q1", "model": "model-one", "text": "A lentil salad."},
            {"query_id": "q1", "model": "model-two", "text": ""},
        ],
    }


def write_json(path: Path, document: Any) -> Path:
    """A file with the document, its folder made."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document, ensure_ascii=False), encoding="utf-8")
    return path


def write_lines(path: Path, *documents: Any) -> Path:
    """A file with one document on each line."""
    path.write_text(
        "".join(json.dumps(one, ensure_ascii=False) + "\n" for one in documents), encoding="utf-8"
    )
    return path


def bring_in(db: Database | None, *paths: Path, **more: Any) -> ImportReport:
    """The import as the command line does it, with a small taxonomy."""
    return import_paths(db, paths, **({"labels": LABELS} | more))
