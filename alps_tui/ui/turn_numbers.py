"""Turns by their numbers as a person types them, "3, 5-7", and as passages of an answer. Pure."""

import re
from collections.abc import Iterable, Mapping, Sequence

from store.content_records import Json, Turn

_PART = re.compile(r"(\d+)(?:\s*[-–]\s*(\d+))?")

Span = Mapping[str, Json]


def read_turns(typed: str, n: int) -> list[int] | str:
    """The turns, from 0, in order and each once; a sentence if the text does not name turns of a dialogue of n."""
    found: set[int] = set()
    for part in re.split(r"[,;\s]+(?![-–])", re.sub(r"\s*[-–]\s*", "-", typed.strip())):
        match = _PART.fullmatch(part)
        if match is None:
            return "name turns by their numbers, such as 3, 5-7"
        first, last = int(match[1]), int(match[2] or match[1])
        if not 1 <= first <= last <= n:
            return f"the dialogue has the turns 1 to {n}; {part} is none of them"
        found |= set(range(first - 1, last))
    return sorted(found)


def said_turns(spans: Iterable[Span]) -> str:
    """Passages as numbers of their turns, neighbours joined."""
    turns = sorted({int(span["turn"]) + 1 for span in spans})
    runs: list[list[int]] = []
    for turn in turns:
        if runs and turn == runs[-1][1] + 1:
            runs[-1][1] = turn
        else:
            runs.append([turn, turn])
    return ", ".join(str(a) if a == b else f"{a}-{b}" for a, b in runs)


def spans_of(numbers: Sequence[int], turns: Sequence[Turn], before: Sequence[Span]) -> list[Span]:
    """Whole turns as passages; where something of a turn was marked before, that stays."""
    spans: list[Span] = []
    for turn in numbers:
        known = [span for span in before if span["turn"] == turn]
        spans += known or [{"turn": turn, "start": 0, "end": len(turns[turn].text)}]
    return spans
