"""Hand-made files in AlpsBench's layouts for the pictures of the forms that the sample study has no item of."""

import json
from pathlib import Path
from typing import Any

TURNS = [
    (
        "user",
        "I row with the ladies' eight on Tuesdays and Fridays, so please no meetings on those evenings.",
    ),
    ("assistant", "Noted: Tuesday and Friday evenings stay free. Shall I move the review to Wednesday?"),
    ("user", "Wednesday is fine. Keep it short, I lose the thread in long mails. And no emoji, please."),
    ("assistant", "Short and plain, then. Here is a draft of three lines."),
    (
        "user",
        "Good. My knee [the left one] still hurts on the erg, so I only cycle to the boathouse for now.",
    ),
]
DIALOGUE = [{"role": role, "text": text} for role, text in TURNS]


def _memory(memory_id: str, turn: int, quote: str, value: str, label: str, **changes: Any) -> dict[str, Any]:
    return {
        "memory_id": memory_id,
        "type": "direct",
        "label": label,
        "label_suggestion": None,
        "value": value,
        "reasoning": "It is said in so many words.",
        "evidence": {"session_id": "sess_rowing", "utterance_index": turn, "text": quote},
        "confidence": 0.9,
        "time_scope": "long_term",
        "emotion": None,
        "preference_attitude": None,
    } | changes


ROWS = _memory("m1", 0, "I row with the ladies' eight", "Rows in an eight twice a week.", "Preferences/Sport")
SHORT = _memory("m2", 2, "Keep it short", "Wants short mails.", "Preferences/Communication_Style")
KNEE = _memory(
    "m3", 4, "My knee [the left one] still hurts", "Has a sore left knee.", "States_Experiences/Health"
)
PREDICTED = [
    ("p1", "Rows in a ladies' eight on Tuesdays and Fridays.", "Preferences/Sport"),
    ("p2", "Prefers mails without emoji, long ones welcome.", "Preferences/Communication_Style"),
    ("p3", "Owns a racing bicycle.", "Possessions/Vehicle"),
]
REVIEWS = {
    "pair_reviews": [
        {"gold_id": "m1", "pred_id": "p1", "ok": True, "error_type": "EQUIVALENT", "severity": 0, "rationale": ""},
        {"gold_id": "m2", "pred_id": "p2", "ok": False, "error_type": "VALUE_DRIFT", "severity": 2,
         "rationale": "Short mails were asked for, not long ones."},
    ],
    "missing_reviews": [{"id": "m3", "should_have_extracted": True, "severity": 1, "rationale": "The knee is missing."}],
    "extra_reviews": [{"id": "p3", "hallucinated": True, "severity": 1, "rationale": "No racing bicycle is named."}],
}  # fmt: skip


def _item(task: str, name: str, original: Any, output: Any, judge: Any, score: Any) -> dict[str, Any]:
    return {
        "task": task,
        "canonical_id": name,
        "session_id": name,
        "assigned_model": "heron-2",
        "original": original,
        "model_output": output,
        "judge_output_raw": judge,
        "judge_score": score,
        "final_score": score,
        "sampling": {"selected_for_judge_track": True},
    }


def extraction() -> dict[str, Any]:
    """A gold list and a model's list, reviewed by a judge."""
    listed = [
        {"memory_id": name, "type": "direct", "label": label, "value": value, "confidence": 0.8, "evidence_text": ""}
        for name, value, label in PREDICTED
    ]  # fmt: skip
    probe = {"dialogue": DIALOGUE, "ground_truth_memories": [ROWS, SHORT, KNEE], "query": "Extract."}
    return _item(
        "task1", "sess_rowing", {"record_id": "1", "probe": probe}, {"memory_items": listed}, REVIEWS, 57.0
    )


def update() -> dict[str, Any]:
    """An updated list, reviewed by a judge."""
    later = [{"role": "user", "text": "The knee is fine again, I am back on the erg."}]
    well = _memory(
        "m3_updated",
        0,
        "The knee is fine again",
        "Rows again, the knee has healed.",
        "States_Experiences/Health",
    )
    wrong = KNEE | {"value": "Has a sore right knee."}
    original = {
        "record_id": 1,
        "record": {"old_dialogue": DIALOGUE, "new_dialogue": later},
        "memory": [ROWS, SHORT, KNEE],
        "query": "Update.",
        "answer": [ROWS, SHORT, well],
        "metadata": {"selected_memory_id": "m3"},
    }  # fmt: skip
    judged = {
        "gold_id": "m3_updated", "pred_id": "m3", "ok": False, "error_type": "VALUE_DRIFT", "severity": 2,
        "rationale": "The knee has healed, and it was the left one.",
    }  # fmt: skip
    reviews = {"pair_reviews": [judged], "missing_reviews": [], "extra_reviews": []}
    return _item(
        "task2", "sess_rowing_later", original, {"memory_items": [ROWS, SHORT, wrong]}, reviews, 82.0
    )


POOL = [
    ("m1", "Rows in an eight twice a week.", "Preferences/Sport"),
    ("m4", "Has a sister in Graz.", "Social_Relationships/Family"),
    ("m5", "Reads crime novels before sleeping.", "Preferences/Literature"),
    ("m6", "Drinks coffee only before noon.", "Preferences/Food"),
    ("m2", "Wants short mails.", "Preferences/Communication_Style"),
    ("m2", "Writes long letters to an aunt.", "Social_Relationships/Family"),
    ("m7", "Cycles to the boathouse.", "Preferences/Travel_Mode"),
    ("m8", "Works as a surveyor.", "Personal_Background/Occupation"),
]
ASKED = "Can you put my training and the review into one week, and tell me about it in a mail?"


def used_memory() -> dict[str, Any]:
    """An answer from a memory of a pool, scored by a judge."""
    pool = [{"memory_id": name, "value": value, "label": label} for name, value, label in POOL]
    answer = {
        "answer": "Training Tuesday and Friday, review Wednesday.",
        "reason": "Rows twice a week.",
        "selected_memory_id": "m1",
    }
    original = {"dialogue": [], "selected_memory_id": "m1", "selected_memory": pool[0], "candidate_memories": pool,
                "query": ASKED, "metadata": {"language": "English"}}  # fmt: skip
    output = {"raw_output": json.dumps(answer), "parsed_response": answer, "used_memory": True}
    judge = {"used_memory": True, "score": 0.8, "reason": "The week is built around the rowing."}
    return _item("task3", "sess_rowing_week", original, output, judge, 0.8)


def ability(number: int) -> dict[str, Any]:
    """An answer that an ability is tested with, scored by a judge on that ability's scale."""
    name, asked, answer = (
        f"ability{number}_901",
        "I am worn out, what now?",
        "Sleep first. The review can wait until Wednesday.",
    )
    query = {"query_id": f"{name}:0", "query": asked, "category": "Emotional Support"}
    scores: Any = {"session_id": name, "response": answer, "score": 1}
    if number == 5:
        scores = [{"session_id": name, "response": answer, "resonation": 4, "expression": 3, "reception": 2}]
    original = {"session_id": name, "queries": [query], "conversation": DIALOGUE, "memory_key": "m2",
                "extracted_memory": [{"memory_id": "m2", "value": SHORT["value"], "label": SHORT["label"]}]}  # fmt: skip
    output = {"responses": [{"query_id": query["query_id"], "response": answer}], "response_text": answer}
    return _item(f"task4/ability{number}", name, original, output, scores, 1)


def retrieval() -> dict[str, Any]:
    """A packet whose question is put to a pool."""
    pool = [{"memory_id": name, "value": value, "label": label} for name, value, label in POOL]
    return {
        "session_id": "sess_rowing_pool",
        "available_tasks": {"task1": False, "task2": False, "task3": True, "task4": False},
        "dialogue": DIALOGUE,
        "task3": {"task3_selected_memory_id": "m1", "candidate_memories": pool, "query": ASKED,
                  "metadata": {"language": "English"}},
    }  # fmt: skip


def write_material(folder: Path) -> list[Path]:
    """The files, each in a folder of its own."""
    found = []
    items = {"item": [extraction(), update(), used_memory(), ability(1), ability(5)], "packet": [retrieval()]}
    for kind, documents in items.items():
        for place, document in enumerate(documents):
            path = folder / f"{kind}-{place}" / f"{kind}.json"
            path.parent.mkdir(parents=True)
            path.write_text(json.dumps(document), encoding="utf-8")
            found.append(path)
    return found
