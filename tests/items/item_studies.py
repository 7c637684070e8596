"""Small studies written for tests: dialogues as plain JSON lines, annotations as AlpsBench's tool writes them."""

import json
from pathlib import Path

from alps_tui.sources.importer import import_paths
from store.database import Database

MEMORY = {
    "memory_id": "m1",
    "type": "direct",
    "label": "Preferences/Food",
    "label_suggestion": None,
    "value": "Is vegan",
    "reasoning": "Says so.",
    "evidence": {"session_id": "s1", "utterance_index": 0, "text": "I'm vegan"},
    "confidence": 0.95,
    "time_scope": "long_term",
    "emotion": None,
    "preference_attitude": "like",
}


def memory(memory_id: str, value: str, **changes) -> dict:
    return MEMORY | {"memory_id": memory_id, "value": value} | changes


PROPOSALS = [
    memory("m1", "Is vegan"),
    memory("m2", "Lives in Lyon", label="Personal_Background/Location", preference_attitude=None),
    memory("m3", "Dislikes being called", label="Constraints_and_Boundaries/Disliked_Topics"),
]


def dialogue(session: str = "s1", memories=PROPOSALS, **more) -> dict:
    turns = [{"role": "user", "content": "I'm vegan"}, {"role": "assistant", "content": "Noted."}]
    return {
        "dialogue_id": session,
        "source": "alpsbench",
        "language": "en",
        "dialogue": turns,
        "memories": list(memories),
    } | more


def annotation(session: str, side: str, final: list, group: str = "g1", **payload) -> dict:
    record = {
        "formType": "Q1:task1",
        "status": "saved",
        "updatedAt": "2026-04-15T03:23:52.286Z",
        "overallVerdict": "reasonable",
        "hasDialogueEvidence": "yes",
        "overInference": "no",
        "faithfulToOriginalMeaning": "yes",
        "editableGoldMemories": final,
        "issueTypes": [],
        "evidenceNote": "",
        "revisionSuggestion": "",
        "annotatorNote": "",
    } | payload
    entry = {"sessionId": session, "track": "Q1", "task": "task1", "annotation": record}
    return {"group": group, "sessionId": session, "annotatorFolder": side, "tasks": {"task1": entry}}


def bring_in(db: Database, folder: Path, *records: dict) -> None:
    """Write dialogues and annotations to files as they would come, and import them."""
    folder.mkdir(parents=True, exist_ok=True)
    lines = [json.dumps(record) for record in records if "dialogue_id" in record]
    if lines:
        (folder / "dialogues.jsonl").write_text("\n".join(lines) + "\n", encoding="utf-8")
    for record in records:
        if "annotatorFolder" in record:
            side = folder / record["annotatorFolder"]
            side.mkdir(exist_ok=True)
            name = f"{record['group']}__{record['sessionId']}.json"
            (side / name).write_text(json.dumps(record), encoding="utf-8")
    report = import_paths(db, [folder])
    assert not report.quarantined
