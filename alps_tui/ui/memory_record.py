"""A memory as a record with AlpsBench's keys: from a proposal, from a candidate, compared, and completed."""

from collections.abc import Mapping, Sequence
from typing import Any

from store.content_records import Evidence
from store.kinds import RECORD_KEYS
from store.records import MemoryView

Json = Any
Record = dict[str, Json]

REASON_OF_KEY: Mapping[str, str] = {
    "value": "wording",
    "label": "label",
    "label_suggestion": "label",
    "type": "type",
    "time_scope": "scope",
    "evidence": "evidence",
    "confidence": "attribute",
    "emotion": "attribute",
    "preference_attitude": "attribute",
    "reasoning": "attribute",
}
"""Which reason for an edit a changed key stands for."""


def record_of(memory: MemoryView) -> Record:
    """The proposal as a record."""
    return {
        "memory_id": memory.shown_id,
        "type": memory.type,
        "label": memory.label,
        "label_suggestion": memory.label_suggestion,
        "value": memory.value,
        "reasoning": memory.reasoning,
        "evidence": evidence_json(memory.evidence),
        "confidence": memory.confidence,
        "time_scope": memory.time_scope,
        "emotion": memory.emotion,
        "preference_attitude": memory.preference_attitude,
    }


def empty_record(memory_id: str) -> Record:
    """A record with nothing in it: every key is there, and null."""
    return {**dict.fromkeys(RECORD_KEYS), "memory_id": memory_id}


def evidence_json(evidence: Sequence[Evidence]) -> Json:
    """Evidence in AlpsBench's shape: one object, a list where there are several, null where there is none."""
    parts = [{"utterance_index": e.turn, "text": e.quote} for e in evidence]
    return parts[0] if len(parts) == 1 else (parts or None)


def changed_keys(before: Mapping[str, Json], after: Mapping[str, Json]) -> tuple[str, ...]:
    """The keys whose values differ, in the order of the record; the id does not count."""
    return tuple(key for key in RECORD_KEYS if key != "memory_id" and before.get(key) != after.get(key))


def reasons_of(changed: Sequence[str]) -> tuple[str, ...]:
    """What was changed, in the words of the form's reasons."""
    return tuple(dict.fromkeys(REASON_OF_KEY[key] for key in changed if key in REASON_OF_KEY))


def view_of(record: Mapping[str, Json], evidence: Sequence[Evidence], memory_id: int = 0) -> MemoryView:
    """A record as a memory to show; what stands in it may be anything, it was once typed or imported."""
    return MemoryView(
        id=memory_id,
        shown_id=str(record.get("memory_id") or ""),
        value=str(record.get("value") or ""),
        label=_text(record.get("label")),
        type=_text(record.get("type")),
        label_suggestion=_text(record.get("label_suggestion")),
        reasoning=_text(record.get("reasoning")),
        confidence=_number(record.get("confidence")),
        time_scope=_text(record.get("time_scope")),
        emotion=_text(record.get("emotion")),
        preference_attitude=_text(record.get("preference_attitude")),
        evidence=tuple(evidence),
    )


def _text(value: Json) -> str | None:
    return None if value is None else str(value)


def _number(value: Json) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None
