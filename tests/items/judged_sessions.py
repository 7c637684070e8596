"""Sessions in AlpsBench's layouts for the tests of derived decisions: a packet, what was annotated, what was judged."""

import copy
import json
from pathlib import Path
from typing import Any

TURNS = [
    {"role": "user", "text": "I am vegan and live in Lyon."},
    {"role": "assistant", "text": "Noted."},
]


def memory(memory_id: str, value: str, **changes: Any) -> dict[str, Any]:
    return {
        "memory_id": memory_id,
        "type": "direct",
        "label": "Preferences/Food",
        "label_suggestion": None,
        "value": value,
        "reasoning": "Says so.",
        "evidence": {"session_id": "s", "utterance_index": 0, "text": "I am vegan"},
        "confidence": 0.95,
        "time_scope": "long_term",
        "emotion": None,
        "preference_attitude": "like",
    } | changes


GOLD = [memory("m1", "Is vegan"), memory("m2", "Lives in Lyon")]
ANSWER = [GOLD[0], memory("m2_updated", "Lives in Oslo"), memory("m_new_1", "Runs")]
PREDICTED = [memory("p1", "Has always been vegan"), memory("p2", "Owns a restaurant")]
REVIEWS = {
    "pair_reviews": [
        {
            "gold_id": "m1",
            "pred_id": "p1",
            "ok": False,
            "error_type": "VALUE_DRIFT",
            "severity": 2,
            "rationale": "x",
        }
    ],
    "missing_reviews": [{"id": "m2", "should_have_extracted": True, "severity": 1, "rationale": "x"}],
    "extra_reviews": [{"id": "p2", "hallucinated": True, "severity": 1, "rationale": "x"}],
}
"""Costs 18 + 10 + 15: the score is 57."""


def write(path: Path, document: Any) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(document), encoding="utf-8")
    return path


def session_packet(session: str = "sess_1") -> dict[str, Any]:
    """A packet with an update, a question to a pool, and two questions that test an ability."""
    stub = {"memory_id": "m1", "value": "Is vegan", "label": "Preferences/Food"}
    return copy.deepcopy(
        {
            "session_id": session,
            "available_tasks": {"task1": True, "task2": True, "task3": True, "task4": True},
            "dialogue": TURNS,
            "task1": {"ground_truth_memories": GOLD, "llm_outputs": {}},
            "task2": {
                "new_dialogue": [{"role": "user", "text": "I moved to Oslo and run now."}],
                "memory_pool_before_update": GOLD,
                "task2_selected_memory_id": "m2",
                "golden_answer": ANSWER,
            },
            "task3": {
                "task3_selected_memory_id": "m1",
                "candidate_memories": [stub, {"memory_id": "m1", "value": "Has a dog"}],
                "query": "What shall I cook?",
            },
            "task4": [
                {
                    "ability": name.partition("_")[0],
                    "queries": [{"query_id": f"{name}:1", "query": f"Question {name}?"}],
                    "task4_selected_memory_id": "m1",
                }
                for name in ("ability1_1", "ability2_9")
            ],
        }
    )


# ---------------------------------------------------------------- what was annotated

_RECORDS: dict[str, dict[str, Any]] = {
    "task2": {
        "overallVerdict": "reasonable",
        "expectedAction": "modification",
        "newDialogueContainsUpdateSignal": "yes",
        "goldUpdateReasonable": "yes",
        "changedOnlyRelevantMemory": "yes",
        "editableUpdatedMemories": ANSWER,
        "issueTypes": [],
    },
    "task3": {
        "queryText": "What shall I cook?",
        "editableSelectedMemory": GOLD[0],
        "relevanceLevel": "strong",
        "hardWithoutTargetMemory": "yes",
        "answerableByCommonSense": "no",
        "multipleMemoriesCouldSupport": "no",
    },
}


def sub(query_id: str, **changes: Any) -> dict[str, Any]:
    """What was annotated of one question, as the form showed it but for the changes."""
    return {
        "queryId": query_id,
        "queryText": f"Question {query_id.removesuffix(':1')}?",
        "editableSelectedMemory": GOLD[0],
        "overallVerdict": "reasonable",
        "testsTargetAbility": "yes",
        "memoryDependency": "strong",
        "abilityPurity": "high",
        "issueTypes": [],
        "evidenceNote": "",
        "revisionSuggestion": "",
    } | changes


def entries(session: str = "sess_1", **tasks: dict[str, Any]) -> dict[str, Any]:
    """A double annotation of the tasks named, each as the form showed it but for the changes."""
    whole = _RECORDS | {"task4": {"subAnnotations": [sub("ability1_1:1"), sub("ability2_9:1")]}}
    found = {}
    for task, changes in tasks.items():
        head = {"formType": f"Q1:{task}", "status": "saved", "updatedAt": "2026-04-15T03:23:52.286Z"}
        record = head | copy.deepcopy(whole[task]) | changes
        found[task] = {"sessionId": session, "track": "Q1", "task": task, "annotation": record}
    return {"group": "g1", "sessionId": session, "annotatorFolder": "annotator_1", "tasks": found}


def double(folder: Path, document: dict[str, Any]) -> Path:
    name = f"{document['group']}__{document['sessionId']}.json"
    return write(folder / document["annotatorFolder"] / name, document)


# ---------------------------------------------------------------- what was judged


def judged_memories(session: str = "sess_j") -> dict[str, Any]:
    return copy.deepcopy(
        {
            "task": "task1",
            "canonical_id": "703",
            "session_id": session,
            "dialogue": TURNS,
            "golden_answer": GOLD[:1],
            "llm_outputs": {"model-a": {"memory_items": PREDICTED}, "model-b": {"memory_items": []}},
            "llm_as_judge_results": {
                "model-a": {"judge_output_raw": REVIEWS, "judge_score": 57.0, "final_score": 50.0},
                "model-b": {"judge_output_raw": None, "judge_score": None, "final_score": 66.9},
            },
        }
    )


def extraction_item(session: str = "sess_e") -> dict[str, Any]:
    return {
        "task": "task1",
        "canonical_id": "703",
        "session_id": session,
        "assigned_model": "model-a",
        "original": {"record_id": "703", "probe": {"dialogue": TURNS, "ground_truth_memories": GOLD}},
        "model_output": {"memory_items": PREDICTED},
        "judge_output_raw": REVIEWS,
        "judge_score": 57.0,
        "final_score": 40.0,
    }


def update_item(session: str = "sess_u") -> dict[str, Any]:
    return extraction_item(session) | {
        "task": "task2",
        "canonical_id": session,
        "original": {
            "record": {"old_dialogue": TURNS, "new_dialogue": [{"role": "user", "text": "I moved."}]},
            "memory": GOLD,
            "answer": ANSWER,
        },
        "judge_output_raw": {"pair_reviews": [], "missing_reviews": [], "extra_reviews": []},
        "judge_score": 100.0,
    }


def retrieval_item(session: str = "sess_t") -> dict[str, Any]:
    return {
        "task": "task3",
        "canonical_id": session,
        "session_id": session,
        "assigned_model": "model-a",
        "original": {
            "dialogue": [],
            "selected_memory_id": "m1",
            "candidate_memories": [{"memory_id": "m1", "value": "Is vegan"}],
            "query": "What shall I cook?",
        },
        "model_output": {"raw_output": "{}", "parsed_response": {"answer": "Lentils."}},
        "judge_output_raw": {"used_memory": True, "score": 0.9, "reason": "It fits."},
        "judge_score": 0.9,
    }


def ability_item(ability: str, responses: list[str], output: Any) -> dict[str, Any]:
    """A task-4 item with one question per response."""
    name = f"{ability}_7"
    queries = [{"query_id": f"{name}:{i}", "query": "?"} for i in range(len(responses))]
    answers = [{"query_id": f"{name}:{i}", "response": text} for i, text in enumerate(responses)]
    return {
        "task": f"task4/{ability}",
        "canonical_id": name,
        "session_id": name,
        "assigned_model": "model-a",
        "original": {
            "queries": queries,
            "conversation": TURNS,
            "extracted_memory": [{"memory_id": "m1", "value": "Is vegan"}],
        },
        "model_output": {"responses": answers},
        "judge_output_raw": output,
        "judge_score": 1,
    }
