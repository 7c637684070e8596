"""A list of memories before an update beside the list after it: what stayed, changed, came and went. Pure."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from difflib import SequenceMatcher
from enum import StrEnum
from typing import Any

from store.kinds import RECORD_KEYS
from store.shown_records import NEW, SUFFIXES

Json = Any
Record = Mapping[str, Json]

SIMILAR = 0.6
"""How alike two values must be (Ratcliff and Obershelp's measure of the case-folded texts, 0 to 1) to be one memory
that was changed, where the ids say nothing. The same threshold pairs the lists of AlpsBench's gold editor."""

MOST_COMPARED = 600
"""Characters of a value that its likeness is judged by: a memory is a sentence, and a pool of long texts must open."""


class Fate(StrEnum):
    """What an update did with a memory."""

    RETAINED = "retained"
    MODIFIED = "modified"
    ADDED = "added"
    DROPPED = "dropped"


ACTIONS: Mapping[Fate, str] = {
    Fate.RETAINED: "retention",
    Fate.MODIFIED: "modification",
    Fate.ADDED: "addition",
}
"""The fate of a memory of the updated list in the words of AlpsBench's task 2."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """A memory before, after, or both, by their places in the two lists; None where it is not in one."""

    fate: Fate
    before: int | None
    after: int | None


@dataclass(frozen=True, slots=True)
class Alignment:
    """Two lists side by side: first every memory of the list after, in its order, then what was dropped."""

    rows: tuple[Aligned, ...]

    def of(self, place: int) -> Aligned:
        """The row of a memory of the list after."""
        return self.rows[place]

    @property
    def dropped(self) -> tuple[Aligned, ...]:
        return tuple(row for row in self.rows if row.fate is Fate.DROPPED)


Alike = Callable[[Record, Record], bool]


def align(before: Sequence[Record], after: Sequence[Record]) -> Alignment:
    """Pair two lists, each memory with one other at most.

    In this order: the same id and the same record; the same id; AlpsBench's `<id>_updated`; the same value (but for
    case and spacing), whatever the ids; then the most similar values, from SIMILAR on. Ids that repeat are paired
    in order. A pair that says the same is retained, whatever its ids and times; any other pair is modified.
    """
    pairs: dict[int, int] = {}
    for rule in (_same_record, _same_id, _updated_id, _same_value):
        _pair(before, after, pairs, rule)
    _pair_similar(before, after, pairs)
    rows = [_row(before, after, pairs.get(place), place) for place in range(len(after))]
    kept = set(pairs.values())
    gone = [Aligned(Fate.DROPPED, place, None) for place in range(len(before)) if place not in kept]
    return Alignment((*rows, *gone))


def action_of(record: Record, before: Sequence[Record]) -> str:
    """retention, modification or addition of one memory that stands in no list yet."""
    return actions(before, [record])[0]


def actions(before: Sequence[Record], after: Sequence[Record]) -> tuple[str, ...]:
    """The action on each memory of the list after, in AlpsBench's words."""
    return tuple(ACTIONS[row.fate] for row in align(before, after).rows[: len(after)])


def says_the_same(one: Record, other: Record) -> bool:
    """Whether two records say the same of the user: ids, times and turn numbers left aside."""
    return _said(one) == _said(other)


# ---------------------------------------------------------------- pairing


def _row(before: Sequence[Record], after: Sequence[Record], place: int | None, at: int) -> Aligned:
    if place is None:
        return Aligned(Fate.ADDED, None, at)
    same = says_the_same(before[place], after[at])
    return Aligned(Fate.RETAINED if same else Fate.MODIFIED, place, at)


def _alone(size: int, taken: Sequence[int]) -> Iterator[int]:
    known = set(taken)
    return (place for place in range(size) if place not in known)


def _pair(before: Sequence[Record], after: Sequence[Record], pairs: dict[int, int], alike: Alike) -> None:
    """Add the pairs (place after → place before) of those still alone that a rule finds alike."""
    for at in list(_alone(len(after), tuple(pairs))):
        free = _alone(len(before), tuple(pairs.values()))
        found = next((place for place in free if alike(before[place], after[at])), None)
        if found is not None:
            pairs[at] = found


def _pair_similar(before: Sequence[Record], after: Sequence[Record], pairs: dict[int, int]) -> None:
    """Add the most similar pairs of those still alone, the best first; memories whose ids AlpsBench gave are left."""
    free = list(_alone(len(before), tuple(pairs.values())))
    scored = [
        (-score, place, at)
        for at in _alone(len(after), tuple(pairs))
        if not _is_new_id(after[at])
        for place in free
        if (score := _similarity(before[place], after[at])) >= SIMILAR
    ]
    for _, place, at in sorted(scored):
        if at not in pairs and place not in pairs.values():
            pairs[at] = place


def _same_record(one: Record, other: Record) -> bool:
    return _same_id(one, other) and says_the_same(one, other)


def _same_id(one: Record, other: Record) -> bool:
    return _id(one) == _id(other) != ""


def _updated_id(before: Record, after: Record) -> bool:
    name = _id(after)
    return _id(before) != "" and any(name == _id(before) + suffix for suffix in SUFFIXES)


def _same_value(one: Record, other: Record) -> bool:
    return _value(one) == _value(other) != ""


def _is_new_id(record: Record) -> bool:
    """AlpsBench calls what came new `m_new_1`: however like another memory it is, it says that it is none."""
    return _id(record).startswith(NEW)


def _similarity(one: Record, other: Record) -> float:
    a, b = _value(one)[:MOST_COMPARED], _value(other)[:MOST_COMPARED]
    matcher = SequenceMatcher(None, a, b, autojunk=False)
    return matcher.ratio() if matcher.real_quick_ratio() >= SIMILAR <= matcher.quick_ratio() else 0.0


# ---------------------------------------------------------------- what a record says


def _id(record: Record) -> str:
    name = record.get("memory_id")
    return "" if name is None else str(name)


def _value(record: Record) -> str:
    return " ".join(str(record.get("value") or "").casefold().split())


def _said(record: Record) -> dict[str, Json]:
    said = {key: record.get(key) for key in RECORD_KEYS if key not in ("memory_id", "evidence")}
    return said | {"evidence": _quotes(record.get("evidence"))}


def _quotes(evidence: Json) -> list[Json]:
    """The words a memory rests on; the numbers of turns count differently in the two dialogues."""
    parts = evidence if isinstance(evidence, list | tuple) else [evidence]
    return [part.get("text") if isinstance(part, dict) else part for part in parts if part is not None]
