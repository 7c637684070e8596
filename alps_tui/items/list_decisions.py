"""What an annotator did to a list of proposals, read off the list they left. Pure.

AlpsBench's own tools store a final list and no decisions. Per proposal: its `memory_id` is gone from the final
list → deleted; a record of that id is equal on every key that does not begin with an underscore → kept; else →
edited. What is left over was added.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
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
    """The decisions behind a final list.

    Ids that repeat are paired equal records first, then in order, so that one record answers one proposal.
    """
    left = list(enumerate(final))
    found: dict[int, Record] = {}
    for same in (_equal, _same_id):
        for place, proposal in enumerate(proposals):
            match = None if place in found else next((e for e in left if same(proposal, e[1])), None)
            if match is not None:
                found[place] = match[1]
                left.remove(match)
    decided = tuple(_decided(proposal, found.get(place)) for place, proposal in enumerate(proposals))
    return ListDecisions(decided, tuple(record for _, record in left))


def _decided(proposal: Record, record: Record | None) -> Decided:
    if record is None:
        return Decided("delete")
    if _equal(proposal, record):
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
