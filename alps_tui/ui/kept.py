"""What follows from the answers about one part, worked out once and kept until something else is said about it."""

from collections import defaultdict
from collections.abc import Callable, Mapping
from typing import Any, TypeVar

from store.records import Answer, ItemAnswers, UnitView

T = TypeVar("T")
Said = tuple[dict[str, Answer], str | None, str | None]
"""What was said about a part: its answers by field, its note and its flag."""


class Kept:
    """For each part of an item, what was worked out about it. A decision about one of thirty changes one."""

    def __init__(self, owners: Mapping[int, int] | None = None) -> None:
        """`owners` says of units that are judged within another one which it is: what is said of them is said of it."""
        self._owners = owners or {}
        self._said: dict[int, Said] = {}
        self._made: tuple[UnitView, ...] = ()
        self._known: dict[int, dict[str, Any]] = {}

    def now(self, answers: ItemAnswers) -> None:
        """These are the answers from now on; all that rested on others is forgotten.

        One part may name another one: so when a part comes or goes everything is worked out again.
        """
        by_unit: defaultdict[int, dict[str, Answer]] = defaultdict(dict)
        for (unit_id, field), answer in answers.answers.items():
            owner = self._owners.get(unit_id)
            by_unit[unit_id if owner is None else owner][field if owner is None else f"{unit_id}:{field}"] = (
                answer
            )
        said = {
            unit_id: (by_unit[unit_id], answers.notes.get(unit_id), answers.flags.get(unit_id))
            for unit_id in (*by_unit, *answers.notes, *answers.flags)
            if unit_id is not None
        }
        if answers.made != self._made:
            self._known.clear()
        for unit_id in self._known.keys() & (said.keys() | self._said.keys()):
            if said.get(unit_id) != self._said.get(unit_id):
                del self._known[unit_id]
        self._said, self._made = said, answers.made

    def of(self, unit: UnitView, what: str, work_out: Callable[[], T]) -> T:
        """What `work_out` gives, by name; it may rest on the item and on what was said about this part alone."""
        known = self._known.setdefault(unit.id, {})
        if what not in known:
            known[what] = work_out()
        found: T = known[what]
        return found
