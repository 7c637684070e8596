"""What the raters of the sample study decided, as it stands in the file that ships: one line per rater and item."""

import hashlib
import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from importlib.resources import files
from typing import Any

from store.kinds import UnitKind, Verb
from store.records import Act, Change, ItemView, NewUnit, Seen

DECISIONS = "decisions.jsonl"
NEW = "new:"
"""Before the name of a memory that a rater adds, where an act names its unit."""

BESIDE = "|"
"""Between the models of two responses that are compared, in the order of the data."""

Place = tuple[str, str, str | None]
"""Protocol, dialogue and query: which item a sitting is about."""


@dataclass(frozen=True, slots=True)
class Sitting:
    """One rater's work on one item: acts with their times, units by the names of the data.

    A unit is named by its memory's id, its response's model, the models of a pair, "session", or NEW and a name for an added memory.
    An act has `at`, `ms` (active) and a `verb` ("set" if none), with it `unit`, `set` (field → value) and `text`;
    of a response `preferences` (p1, p2, … → what it does with that one).
    """

    rater: str
    place: Place
    opened: str
    saw_translation: bool
    acts: tuple[Mapping[str, Any], ...]

    def act(self, number: int, view: ItemView, units: Mapping[str, int], stood: Sequence[int]) -> Act:
        """The act with this number as the screen would have made it on this item; its id is always the same.

        units   unit ids by the names used here; a missing NEW one is made by the act
        stood   the unit ids in the order in which they stood
        """
        entry = self.acts[number]
        act_id = hashlib.sha256(json.dumps([self.rater, *self.place, number]).encode()).hexdigest()[:32]
        verb = Verb(entry.get("verb", Verb.SET))
        unit = entry.get("unit")
        return Act(
            verb=verb,
            assignment_id=view.assignment.id,
            item_id=view.assignment.item_id,
            act_id=act_id,
            decided_at=entry["at"],
            changes=tuple(_changes(entry, units, act_id)),
            reason=entry.get("text"),
            unit_id=units[unit] if verb in (Verb.NOTE, Verb.FLAG) and unit is not None else None,
            active_ms=entry["ms"],
            presentation=tuple(stood),
            seen=Seen(prefill=bool(view.memories), translation=self.saw_translation),
        )


def _changes(entry: Mapping[str, Any], units: Mapping[str, int], act_id: str) -> Iterator[Change]:
    for field, value in entry.get("set", {}).items():
        name: str = entry["unit"]
        if name.startswith(NEW) and name not in units:
            made = NewUnit(UnitKind.MEMORY, f"own:{act_id[:12]}", name.removeprefix(NEW))
            yield Change(field, value, new_unit=made)
        else:
            yield Change(field, value, unit_id=units[name])
    for preference, value in entry.get("preferences", {}).items():
        yield Change("preference_status", value, unit_id=units[f"{entry['unit']}·{preference}"])


def read_sittings() -> tuple[Sitting, ...]:
    """The decisions that ship with the package, in the order of the file."""
    text = (files("alps_tui.demo") / DECISIONS).read_text(encoding="utf-8")
    return tuple(_sitting(json.loads(line)) for line in text.split("\n") if line)


def _sitting(line: Mapping[str, Any]) -> Sitting:
    return Sitting(
        rater=line["rater"],
        place=(line["protocol"], line["dialogue"], line.get("query")),
        opened=line["opened"],
        saw_translation=line.get("translation", False),
        acts=tuple(line["acts"]),
    )
