"""Random canaries, and documents in which everything a blind rater must not know is one."""

import random
import re
import secrets
import string
from collections import defaultdict
from typing import Any

JsonObject = dict[str, Any]

ODD_SIGNS = ("-", "_", " ", ":", "\u200b", "\u2028", "\u202e", "\x1b", "\u0085", "[")
"""What stands in the middle of a canary: shown as it is, or as another sign, it is found all the same."""


class Canaries:
    """Makes canaries and finds them again, whatever their case and however their middle is shown."""

    def __init__(self, seed: int | None = None) -> None:
        self.seed = secrets.randbits(32) if seed is None else seed
        self._random = random.Random(self.seed)
        self._letters = "q" + "".join(self._random.choices("jkvwxz", k=2))
        self._digits = "".join(self._random.choices("123456789", k=4))
        self._parts: dict[str, str] = {}
        self._pattern = re.compile(rf"{self._letters}[a-z]{{6}}|{self._digits}\d{{5}}|[0-9a-f]{{32,40}}")
        self.made: dict[str, list[str]] = defaultdict(list)
        """What it stands for → the canaries made for it."""

    def word(self, what: str) -> str:
        """A fresh canary of letters around one odd sign."""
        head, tail = self._part(), self._part()
        return self._made(what, f"{head}{self._random.choice(ODD_SIGNS)}{tail}", head, tail)

    def name(self, what: str) -> str:
        """A fresh canary of letters in both cases and a hyphen, as a model's name is."""
        head, tail = self._part(), self._part()
        return self._made(what, f"{head.capitalize()}-{tail.upper()}", head, tail)

    def number(self, what: str) -> float:
        """A fresh canary below five, such as a score."""
        digits = self._digits + "".join(self._random.choices("123456789", k=5))
        return float(self._made(what, f"{self._random.randint(1, 4)}.{digits}", digits))

    def known(self, what: str, act_id: str) -> None:
        """The id of an act that was made elsewhere: it ends in 32 or 40 hexadecimal digits."""
        digits = act_id.rpartition("-")[2]
        if self._pattern.fullmatch(digits) is None:
            raise ValueError(f"{act_id} would never be found again")
        self._made(what, act_id, digits)

    def _part(self) -> str:
        """All parts begin with the same rare letters, so that a text without them is read quickly."""
        return self._letters + "".join(self._random.choices(string.ascii_lowercase, k=6))

    def _made(self, what: str, canary: str, *parts: str) -> str:
        self.made[what].append(canary)
        self._parts |= {part: what for part in parts}
        return canary

    def found_in(self, text: str) -> set[str]:
        """What the canaries in a text stand for."""
        found = (self._parts.get(match[0]) for match in self._pattern.finditer(text.casefold()))
        return {what for what in found if what is not None}


# ---------------------------------------------------------------- hand-written documents

_TURNS = [
    ("user", "I eat no meat, and I cycle to work whatever the weather."),
    ("assistant", "Noted. Shall I plan dinners around lentils?"),
    ("user", "Please, and nothing heavy. My sister visits on Friday, I am a little nervous about it."),
    ("assistant", "Then something light, and a dessert that can be made the day before."),
]


def _memory(name: str, value: str, turn: int, quote: str, **more: Any) -> JsonObject:
    return {
        "memory_id": name,
        "type": "direct",
        "label": "Preferences/Food",
        "label_suggestion": None,
        "value": value,
        "reasoning": "The user says so.",
        "evidence": {"utterance_index": turn, "text": quote},
        "confidence": 0.8,
        "time_scope": "long_term",
        "emotion": None,
        "preference_attitude": "dislike",
    } | more


def packet(canaries: Canaries, session_id: str, model: str, other_model: str) -> JsonObject:
    """A session packet of three gold memories, one of them with an id that tells a model, and two models' lists."""
    no_meat = _memory("m1", "Eats no meat", 0, "I eat no meat")
    cycles = _memory("m2", "Cycles to work", 0, "I cycle to work", label="Preferences/Travel_Mode")
    nervous = _memory(
        f"{model}_p1", "Is nervous about a visit", 2, "I am a little nervous", emotion="nervous"
    )
    nervous |= {
        "judge_score": canaries.number("score of a proposal"),
        "judge": canaries.word("judge of a proposal"),
    }
    return {
        "session_id": session_id,
        "dialogue": [{"role": role, "text": text} for role, text in _TURNS],
        "judge_output_raw": canaries.word("raw judge output of a packet"),
        "task1": {
            "canonical_id": canaries.word("canonical id of task 1"),
            "ground_truth_memories": [no_meat, cycles, nervous],
            "llm_outputs": {
                model: _extracted(canaries, model, ["Likes lentils", "Has a sister", "Eats no meat"]),
                other_model: _extracted(canaries, other_model, ["Likes lentils.", "Prefers light food"]),
            },
        },
        "task2": _update(canaries, model, [no_meat, cycles, nervous]),
        "task3": _retrieval(canaries, model, nervous),
        "task4": [_utilization(canaries, model, nervous)],
    }


def _retrieval(canaries: Canaries, model: str, target: JsonObject) -> JsonObject:
    """A question and its pool: ids that tell a model, and beside what may be shown what a judge said."""
    told = {
        "judge_review": canaries.word("judge of a pool"),
        "score": canaries.number("score of a pool"),
        model: canaries.word("comment on a pool"),
        "source": canaries.word("source of a memory of a pool"),
    }
    others = [f"Likes cake number {number}" for number in range(9)]
    pool = [
        {"memory_id": f"{model}_p{n % 3}", "value": text, "label": "UNMAPPED"}
        for n, text in enumerate(others)
    ]
    entry = {key: target[key] for key in ("memory_id", "value", "label")}
    return {
        "canonical_id": canaries.word("canonical id of task 3"),
        "query": "Who should I ask to sit beside me on Friday?",
        "task3_selected_memory_id": target["memory_id"],
        "task3_selected_memory": entry,
        "candidate_memories": [one | told for one in (*pool[:4], entry, *pool[4:])],
        "judge_output_raw": canaries.word("raw judge output of task 3"),
        "metadata": {"language": "en", "model": canaries.word("model of a query")},
    }


def _utilization(canaries: Canaries, model: str, target: JsonObject) -> JsonObject:
    return {
        "ability": "ability5",
        "queries": [
            {
                "query_id": f"{model}_q1",
                "query": "What do I say at the door?",
                "judge": canaries.word("judge of a query"),
            }
        ],
        "task4_selected_memory_id": target["memory_id"],
        "task4_selected_memory": target,
        "score": canaries.number("score of a query"),
    }


def _update(canaries: Canaries, model: str, pool: list[JsonObject]) -> JsonObject:
    """An update whose records bear what a judge said of them, and ids and files that tell a model."""
    told = [
        memory
        | {
            "judge_review": canaries.word("judge of an update"),
            "score": canaries.number("score of an update"),
        }
        for memory in pool
    ]
    fish = told[0] | {"memory_id": "m1_updated", "value": "Eats fish now", "evidence": None}
    chess = _memory(f"{model}_new", "Plays chess", 0, "a game of chess") | {model: canaries.word("comment")}
    return {
        "new_dialogue": [
            {"role": "user", "text": "I eat fish again. After a game of chess, that is."},
            {"role": "assistant", "text": "Fish it is."},
        ],
        "memory_pool_before_update": told,
        "task2_selected_memory_id": "m1",
        "task2_selected_memory": told[0],
        "memory_update_query": canaries.word("query of an update"),
        "golden_answer": [told[2], fish, chess],
        "metadata": {"controls": canaries.word("controls of an update")},
    }


def _extracted(canaries: Canaries, model: str, values: list[str]) -> JsonObject:
    """What a model extracted: its name is in every id, and in the file it was read from."""
    return {
        "source_result_file": f"results\\{model}\\{canaries.word('result file')}.json",
        "raw_output": canaries.word("raw output of a model"),
        "memory_items": [
            {
                "memory_id": f"{model}_p{number}",
                "type": "direct",
                "label": "Preferences/Food",
                "value": value,
                "confidence": 0.7,
                "evidence_text": "nothing heavy",
                "judge_review": canaries.word("judge's review of an extraction"),
                "judge_score": canaries.number("judge's score of an extraction"),
            }
            for number, value in enumerate(values, 1)
        ],
    }


def annotated(canaries: Canaries, session_id: str, side: int, group: str) -> JsonObject:
    """An annotator's file for that session: one proposal reworded, one dropped, one added, notes on all."""
    edited = _memory("m1", canaries.word("edited value of an annotator"), 0, "I eat no meat")
    edited["reasoning"] = canaries.word("edited reasoning of an annotator")
    added = _memory("m9", canaries.word("memory added by an annotator"), 2, "My sister visits on Friday")
    said = {
        "formType": "Q1:task1",
        "status": "saved",
        "updatedAt": "2026-04-14T15:48:27.791Z",
        "overallVerdict": "partially_reasonable",
        "faithfulToOriginalMeaning": "no",
        "overInference": canaries.word("verdict of an annotator"),
        "evidenceNote": canaries.word("note on evidence"),
        "revisionSuggestion": canaries.word("suggestion of an annotator"),
        "annotatorNote": canaries.word("note of an annotator"),
        "editableGoldMemories": [edited, added],
    }
    return {
        "group": group,
        "sessionId": session_id,
        "annotatorFolder": f"annotator_{side}",
        "tasks": {"task1": {"sessionId": session_id, "task": "task1", "annotation": said}},
    }


def check_item(canaries: Canaries, name: str, model: str) -> JsonObject:
    """A task-4 item of the judge track with two answered queries and all that its judge said."""
    answers = {
        f"{name}:0": "Breathe first; then a soup that cooks itself.",
        f"{name}:1": "Ask her what she likes.",
    }
    return {
        "task": "task4/ability5",
        "canonical_id": name,
        "stratum": "en",
        "stratum_source": "dataset group",
        "assigned_model": model,
        "source_dataset_file": f"data\\{canaries.word('dataset file')}.json",
        "source_result_file": f"results\\{model}\\{canaries.word('result file')}.json",
        "original": {
            "queries": [
                {
                    "query_id": f"{name}:0",
                    "query": "I am nervous about Friday.",
                    "category": "Emotional Support",
                },
                {
                    "query_id": f"{name}:1",
                    "query": "What shall I cook for her?",
                    "category": "Social Strategy",
                },
            ],
            "conversation": [{"role": role, "content": text} for role, text in _TURNS],
            "extracted_memory": [_memory("m1", "Eats no meat", 0, "I eat no meat")],
            "memory_key": "m1",
        },
        "model_output": {
            "responses": [{"query_id": key, "response": text} for key, text in answers.items()],
            "score_rows": [
                {
                    "resonation": canaries.number("score row"),
                    "comment": canaries.word("comment of a score row"),
                }
            ],
        },
        **judge_parts(canaries),
    }


def judge_parts(canaries: Canaries) -> JsonObject:
    """What a judge leaves in a task-4 item."""
    return {
        "judge_output_raw": [
            {"reason": canaries.word("raw judge output"), "resonation": canaries.number("raw judge score")}
        ],
        "judge_score": {canaries.word("name of a judge score"): canaries.number("judge score")},
        "final_score": {
            "average": canaries.number("final score"),
            "penalty": canaries.word("words on a final score"),
        },
        "sampling": {"seed": canaries.word("sampling seed")},
    }


def plain_line(canaries: Canaries, name: str, model: str, other_model: str) -> JsonObject:
    """A line of plain JSON: two models extracted memories, both and a third one answered the query."""
    third = canaries.name("name of a model")
    return {
        "dialogue_id": name,
        "language": "en",
        "dialogue": [
            {"role": role, "content": text, "translation": f"translated: {text}"} for role, text in _TURNS
        ],
        "memories": [
            {"id": "m1", "value": "Eats no meat", "label": "Preferences/Food", "evidence": "I eat no meat"},
            {
                "id": f"{model}_p1",
                "value": "Cycles to work",
                "label": "Preferences/Travel_Mode",
                "evidence": "I cycle to work",
            },
        ],
        "candidates": {
            model: [{"id": f"{model}_p1", "value": "Likes lentils", "comment": canaries.word("comment")}],
            other_model: [{"id": f"{other_model}_p1", "value": "Has a sister"}],
        },
        "queries": [{"id": f"{model}:q1", "text": "A quick lunch?", "ability": "ability2"}],
        "responses": [
            {
                "query_id": f"{model}:q1",
                "model": one,
                "text": text,
                "judge": canaries.word("judge of a response"),
            }
            for one, text in (
                (model, "A lentil salad."),
                (other_model, "Soup."),
                (third, "Toast, if you must."),
            )
        ],
        "meta": {"scores": canaries.word("scores in the meta data"), "best": model},
        "peer_notes": canaries.word("notes of peers in a line"),
    }
