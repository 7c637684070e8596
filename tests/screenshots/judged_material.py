"""A hand-made file in AlpsBench's layout for the pictures of the form that the sample study has no item of."""

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


def write_material(folder: Path) -> list[Path]:
    """The file, in a folder of its own."""
    path = folder / "update" / "item.json"
    path.parent.mkdir(parents=True)
    path.write_text(json.dumps(update()), encoding="utf-8")
    return [path]
