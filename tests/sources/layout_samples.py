"""Small hand-made files in AlpsBench's other layouts: check items, judged memories, bundles, editor exports, rows."""

from typing import Any

TURNS = [
    {"role": "user", "text": "I am vegan, please plan a dinner."},
    {"role": "assistant", "text": "Here is a plan."},
]


def gold_memory(memory_id: str, value: str = "Is vegan", **changes: Any) -> dict[str, Any]:
    return {
        "memory_id": memory_id,
        "type": "direct",
        "label": "Preferences/Food",
        "label_suggestion": None,
        "value": value,
        "reasoning": "Says so.",
        "evidence": {"session_id": "sess_x", "utterance_index": 0, "text": "I am vegan"},
        "confidence": 0.95,
        "time_scope": "long_term",
        "emotion": None,
        "preference_attitude": "like",
    } | changes


REVIEWS = {
    "pair_reviews": [
        {
            "gold_id": "m1",
            "pred_id": "p1",
            "ok": False,
            "error_type": "VALUE_DRIFT",
            "severity": 2,
            "rationale": "Too strong.",
        }
    ],
    "missing_reviews": [
        {"id": "m2", "should_have_extracted": True, "severity": 1, "rationale": "Stated in words."}
    ],
    "extra_reviews": [{"id": "p2", "hallucinated": True, "severity": 1, "rationale": "Made up."}],
}
"""Costs 12 × 1.5 + 10 + 15 = 43; m2 is not in the samples' gold."""


def predicted(memory_id: str, value: str) -> dict[str, Any]:
    return {
        "memory_id": memory_id,
        "type": "direct",
        "label": "Preferences/Food",
        "value": value,
        "confidence": 0.8,
        "evidence_text": "I am vegan",
    }


PREDICTED = [predicted("p1", "Has always been vegan"), predicted("p2", "Owns a restaurant")]


def extraction_item(session: str = "sess_e", **changes: Any) -> dict[str, Any]:
    """A task-1 item of the judge track."""
    return {
        "task": "task1",
        "canonical_id": "703",
        "session_id": session,
        "stratum": "Preferences/Food",
        "stratum_source": "probe.ground_truth_memories[0].label",
        "assigned_model": "some-model",
        "original": {
            "record_id": "703",
            "probe": {"dialogue": TURNS, "ground_truth_memories": [gold_memory("m1")], "query": "Extract."},
        },
        "model_output": {"raw_output": "...", "memory_items": PREDICTED},
        "judge_output_raw": REVIEWS,
        "judge_score": 57.0,
        "final_score": 40.0,
        "sampling": {"selected_for_judge_track": True},
    } | changes


def update_item(session: str = "sess_u", **changes: Any) -> dict[str, Any]:
    """A task-2 item of the judge track: m1 is kept, m2 was changed, one memory is new."""
    pool = [gold_memory("m1"), gold_memory("m2", value="Lives in Lyon")]
    answer = [pool[0], gold_memory("m2_updated", value="Lives in Oslo"), gold_memory("m_new_1", value="Runs")]
    return (
        extraction_item(session)
        | {
            "task": "task2",
            "canonical_id": session,
            "original": {
                "record_id": 1,
                "record": {
                    "old_dialogue": TURNS,
                    "new_dialogue": [{"role": "user", "text": "I moved to Oslo."}],
                },
                "memory": pool,
                "query": "Update.",
                "answer": answer,
                "metadata": {"selected_memory_id": "m2"},
            },
            "model_output": {"raw_output": "[]", "memory_items": [gold_memory("m1")]},
            "judge_output_raw": {"pair_reviews": [], "missing_reviews": [], "extra_reviews": []},
            "judge_score": 100.0,
        }
        | changes
    )


def retrieval_item(session: str = "sess_t", **changes: Any) -> dict[str, Any]:
    """A task-3 item of the judge track, whose pool holds one id and one value twice."""
    pool = [
        {"memory_id": "m1", "value": "Is vegan", "label": "Preferences/Food"},
        {"memory_id": "m1", "value": "Has a dog", "label": "Possessions/Pet"},
        {"memory_id": "m3", "value": "Has a dog", "label": "Possessions/Pet"},
    ]
    return {
        "task": "task3",
        "canonical_id": session,
        "session_id": session,
        "assigned_model": "some-model",
        "original": {
            "dialogue": [],
            "selected_memory_id": "m1",
            "selected_memory": pool[0],
            "candidate_memories": pool,
            "query": "What shall I cook?",
            "metadata": {"language": "English"},
        },
        "model_output": {
            "raw_output": '```json\n{"answer": "Lentils.", "reason": "Vegan."}\n```',
            "parsed_response": {"answer": "Lentils.", "reason": "Vegan.", "selected_memory_id": "m1"},
            "used_memory": True,
        },
        "judge_output_raw": {"used_memory": True, "score": 0.9, "reason": "It fits."},
        "judge_score": 0.9,
        "final_score": 0.9,
    } | changes


def judged_memories(session: str = "sess_j", **changes: Any) -> dict[str, Any]:
    """A session with two models' memories, of which one was judged."""
    outputs = {"model-a": {"raw_output": "...", "memory_items": PREDICTED}, "model-b": {"memory_items": []}}
    return {
        "task": "task1",
        "canonical_id": "703",
        "session_id": session,
        "stratum": "Preferences/Food",
        "dialogue": TURNS,
        "memory_extraction_query": "Extract.",
        "golden_answer": [gold_memory("m1")],
        "llm_outputs": outputs,
        "llm_as_judge_results": {
            "model-a": {"judge_output_raw": REVIEWS, "judge_score": 57.0, "final_score": 50.0},
            "model-b": {"judge_output_raw": None, "judge_score": None, "final_score": 66.9},
        },
        "metadata": {},
    } | changes


def entry(session: str, task: str = "task1", track: str = "Q1", **payload: Any) -> dict[str, Any]:
    """One annotation of a bundle, as it stands in the list."""
    record = {
        "formType": f"{track}:{task}",
        "status": "saved",
        "updatedAt": "2026-04-15T03:23:52.286Z",
        "overallVerdict": "reasonable",
        "editableGoldMemories": [gold_memory("m1")],
    } | payload
    return {
        "draftKey": f"{track}:{task}:none:{session}:{session}",
        "relativeItemPath": f"task123_session_packets/chunk_001/{session}.json",
        "canonicalId": session,
        "sessionId": session,
        "track": track,
        "task": task,
        "annotation": record,
    }


def bundle(session: str = "sess_b", *entries: dict[str, Any], **changes: Any) -> dict[str, Any]:
    return {
        "bundleType": "q1-q2-annotations",
        "version": 1,
        "sourceType": "saved_annotation_bundle",
        "rootName": "task123_session_packets",
        "datasetFingerprint": "0a1b2c3d",
        "generatedAt": "2026-04-19T10:00:00.000Z",
        "annotationStatus": "saved",
        "annotations": list(entries) or [entry(session)],
    } | changes


def editor_export(session: str = "sess_0e", *, backup: bool = True) -> dict[str, Any]:
    """What the gold editor writes: a backup, or the results."""
    key = f"{session}__703"
    if backup:
        said = {"sessionKey": key, "status": "done", "updatedAt": "2026-04-20T10:00:00.000Z"}
    else:
        said = {"session_id": session, "canonical_id": "703"}
    return {key: said | {"golden_answer": [gold_memory("m1")]}}


def dataset_row(session: str = "sess_r") -> dict[str, Any]:
    """A row of the task-2 dataset."""
    return update_item(session)["original"] | {
        "metadata": {"session_id": session, "selected_memory_id": "m2"}
    }
