"""Files of any size from a seed, in lines: dialogues in the plain format, and session packets one after the other."""

import json
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

WORDS = [
    "tea",
    "walk",
    "wolf",
    "story",
    "green",
    "never",
    "always",
    "dinner",
    "lentil",
    "salad",
    "cycle",
    "work",
    "summer",
    "plan",
    "مرحبا",
    "日本",
    "because",
]


def lines_of(size: int, make: Any, seed: int = 7) -> Iterator[bytes]:
    """Lines made by `make(draw, number)` until there are `size` bytes of them."""
    draw = random.Random(seed)
    number = written = 0
    while written < size:
        line = json.dumps(make(draw, number), ensure_ascii=False).encode() + b"\n"
        yield line
        written += len(line)
        number += 1


def write_big(path: Path, size: int, make: Any, seed: int = 7) -> int:
    """A file of such lines; how many they are."""
    with path.open("wb") as file:
        return sum(bool(file.write(line)) for line in lines_of(size, make, seed))


def plain_dialogue(draw: random.Random, number: int) -> dict[str, Any]:
    turns = _turns(draw, "content")
    quoted = draw.sample(turns, 3)
    return {
        "dialogue_id": f"d{number}",
        "language": "en",
        "dialogue": turns,
        "memories": [
            {"memory_id": f"m{i}", "value": _text(draw, 8), "evidence": turn["content"][:60]}
            for i, turn in enumerate(quoted)
        ],
        "candidates": {"model-one": [{"id": "p1", "value": _text(draw, 8)}]},
    }


def session_packet(draw: random.Random, number: int) -> dict[str, Any]:
    turns = _turns(draw, "text")
    session = f"sess_{number:x}"
    gold = [
        {
            "memory_id": f"m{i}",
            "type": "direct",
            "label": "Thoughts/Curiosity",
            "value": _text(draw, 8),
            "evidence": {"session_id": session, "utterance_index": 0, "text": turns[i]["text"][:60]},
        }
        for i in range(3)
    ]
    return {
        "session_id": session,
        "available_tasks": {"task1": True},
        "dialogue": turns,
        "dialogue_source": "task1.dialogue",
        "task1": {
            "canonical_id": str(number),
            "stratum": "Thoughts/Curiosity",
            "ground_truth_memories": gold,
            "llm_outputs": {},
        },
    }


def bundle_of(annotations: int) -> dict[str, Any]:
    """An annotation bundle of one person's many sessions."""
    entries = [
        {
            "sessionId": f"sess_{number:x}",
            "track": "Q1",
            "task": "task1",
            "annotation": {
                "status": "saved",
                "updatedAt": "2026-04-15T03:23:52.286Z",
                "overallVerdict": "reasonable",
                "editableGoldMemories": [{"memory_id": "m1", "value": f"Likes tea {number} " + "x" * 400}],
            },
        }
        for number in range(annotations)
    ]
    return {
        "bundleType": "q1-q2-annotations",
        "version": 1,
        "rootName": "task123_session_packets",
        "annotations": entries,
    }


def _turns(draw: random.Random, key: str) -> list[dict[str, str]]:
    roles = ("user", "assistant")
    return [
        {"role": roles[i % 2], key: _text(draw, draw.randint(20, 200))} for i in range(draw.randint(6, 60))
    ]


def _text(draw: random.Random, words: int) -> str:
    return " ".join(draw.choices(WORDS, k=words))
