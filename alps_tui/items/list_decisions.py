"""What an annotator did to a list of proposals, read off the list they left. Pure.

AlpsBench's own tools store a final list and no decisions. Per proposal: its `memory_id` is gone from the final
list → deleted; a record of that id is equal on every key that does not begin with an underscore → kept; else →
edited. What is left over was added. The gold editor gives ids and times anew whenever it saves: there records are
paired by what they say.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from typing import Any, Literal

Json = Any
Record = Mapping[str, Json]

REASONS: dict[str, tuple[str, ...]] = {
    "wording": ("value",),
    "label": ("label", "label_suggestion"),
    "type": ("type",),
    "scope": ("time_scope",),
    "attribute": ("confidence", "emotion", "preference_attitude"),
    "evidence": ("evidence", "evidence_text"),
}
"""Which keys of a record each edit reason is about."""


SIMILAR = 0.6
"""How alike two values must be (Ratcliff and Obershelp's measure, 0 to 1) to be one memory reworded."""

TELLING = 20
"""How many signs of reasoning tell a memory from others."""

_RENUMBERED = ("memory_id", "updated_at")


@dataclass(frozen=True, slots=True)
class Decided:
    """What became of one proposal; `record` is the edited one, `reasons` the parts in which it differs."""

    verdict: Literal["keep", "edit", "delete"]
    record: Record | None = None
    reasons: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ListDecisions:
    """What became of all proposals, in their order, and what was added, in the order of the final list."""

    decided: tuple[Decided, ...]
    added: tuple[Record, ...]

    @property
    def untouched(self) -> bool:
        """True if nothing was edited, deleted or added: then nobody can know whether it was looked at."""
        return not self.added and all(one.verdict == "keep" for one in self.decided)


def decide(proposals: Sequence[Record], final: Sequence[Record]) -> ListDecisions:
    """The decisions behind a final list, its records paired with the proposals by their ids.

    Ids that repeat are paired equal records first, then in order, so that one record answers one proposal.
    """
    return _decided(proposals, final, (_equal, _same_id), _equal)


def decide_by_content(proposals: Sequence[Record], final: Sequence[Record]) -> ListDecisions:
    """The decisions behind a final list whose ids and times say nothing.

    A record is the proposal that it equals; else the one of the same value, then the most similar in value, then
    the one of the same reasoning (which seldom is edited), where no other has that; one record answers one proposal.
    """
    telling = _once(proposals) & _once(final)

    def same_reasoning(one: Record, other: Record) -> bool:
        return _folded(one, "reasoning") == _folded(other, "reasoning") in telling

    return _decided(proposals, final, (_says_the_same, _same_value, None, same_reasoning), _says_the_same)


Alike = Callable[[Record, Record], bool]


def _decided(
    proposals: Sequence[Record], final: Sequence[Record], rules: Iterable[Alike | None], kept: Alike
) -> ListDecisions:
    """Pair by one rule after the other; None pairs what is similar, the most similar first."""
    left = dict(enumerate(final))
    found: dict[int, Record] = {}
    for rule in rules:
        for place, number in _pairs(proposals, found, left, rule):
            if place not in found and number in left:
                found[place] = left.pop(number)
    decided = tuple(_became(one, found.get(place), kept) for place, one in enumerate(proposals))
    return ListDecisions(decided, tuple(left.values()))


def _pairs(
    proposals: Sequence[Record], found: Mapping[int, Record], left: Mapping[int, Record], rule: Alike | None
) -> list[tuple[int, int]]:
    """(place of a proposal, number of a record) of those still alone that are alike, in the order of pairing."""
    alone = [
        (i, one, j, record) for i, one in enumerate(proposals) if i not in found for j, record in left.items()
    ]
    if rule is not None:
        return [(i, j) for i, one, j, record in alone if rule(one, record)]
    scored = [(-_similarity(one, record), i, j) for i, one, j, record in alone]
    return [(i, j) for score, i, j in sorted(scored) if -score >= SIMILAR]


def _became(proposal: Record, record: Record | None, kept: Alike) -> Decided:
    if record is None:
        return Decided("delete")
    if kept(proposal, record):
        return Decided("keep")
    return Decided("edit", without_private(record), _reasons(proposal, record))


def _reasons(before: Record, after: Record) -> tuple[str, ...]:
    """The parts in which two records differ; none where only keys differ that no reason is about."""
    return tuple(
        reason for reason, keys in REASONS.items() if any(before.get(key) != after.get(key) for key in keys)
    )


def without_private(record: Record) -> dict[str, Json]:
    """The record without the tool's own keys, which begin with an underscore."""
    return {key: value for key, value in record.items() if not key.startswith("_")}


def _equal(one: Record, other: Record) -> bool:
    return _same_id(one, other) and without_private(one) == without_private(other)


def _same_id(one: Record, other: Record) -> bool:
    return one.get("memory_id") == other.get("memory_id")


def _says_the_same(one: Record, other: Record) -> bool:
    return _content(one) == _content(other)


def _content(record: Record) -> dict[str, Json]:
    return {key: value for key, value in without_private(record).items() if key not in _RENUMBERED}


def _same_value(one: Record, other: Record) -> bool:
    return _folded(one, "value") == _folded(other, "value") != ""


def _once(records: Sequence[Record]) -> set[str]:
    """The reasonings that one record alone has, short phrases left aside."""
    counted = Counter(_folded(record, "reasoning") for record in records)
    return {text for text, times in counted.items() if times == 1 and len(text) >= TELLING}


def _similarity(one: Record, other: Record) -> float:
    return SequenceMatcher(None, _folded(one, "value"), _folded(other, "value"), autojunk=False).ratio()


def _folded(record: Record, key: str) -> str:
    return " ".join(str(record.get(key) or "").casefold().split())
