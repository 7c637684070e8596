"""Units that are judged within another one: each preference of a response becomes a question about the response.

A rater goes through responses, and answers of each what it does with each preference. What is stored stays with the
unit of that response and that preference: only what stands on the screen, and what a key means, goes by the response.
"""

from collections.abc import Mapping

from alps_tui.protocols.schema import Field, Protocol
from store.kinds import UnitKind
from store.records import Cell, ItemView, UnitView

INNER = UnitKind.RESPONSE_PREFERENCE


class Within:
    """Of one item, which units are judged within which, and the questions that stand for them."""

    def __init__(self, view: ItemView, protocol: Protocol) -> None:
        self._protocol = protocol
        self._said = {memory.id: memory.value for memory in view.preferences}
        self._inner: dict[int, tuple[UnitView, ...]] = {}
        self._owning: list[UnitView] = []
        for unit in view.units:
            if unit.kind is UnitKind.RESPONSE and INNER in protocol.kinds:
                mine = (u for u in view.units if u.kind is INNER and u.response_id == unit.response_id)
                self._inner[unit.id] = tuple(mine)
                self._owning.append(unit)
        self._fields: dict[int, tuple[Field, ...]] = {}
        self._cells: dict[tuple[int, str], Cell] = {}

    @property
    def owners(self) -> Mapping[int, int]:
        """Unit → the unit that it is judged within."""
        return {one.id: owner for owner, inner in self._inner.items() for one in inner}

    def fields(self, unit: UnitView) -> tuple[Field, ...] | None:
        """What is asked of a unit and within it, in the order of the form; None if nothing is judged within it."""
        if not self._inner.get(unit.id):
            return None
        if unit.id not in self._fields:
            own = {field.key: field for field in self._protocol.fields_of(unit.kind)}
            asked: list[Field] = []
            for field in self._protocol.fields:
                if field.per is INNER:
                    asked += (self._within(unit, one, field) for one in self._inner[unit.id])
                elif field.key in own:
                    asked.append(own[field.key])
            self._fields[unit.id] = tuple(asked)
        return self._fields[unit.id]

    def cell(self, unit: UnitView, field: str) -> Cell:
        """Where the answer to a question about a unit is kept."""
        if unit.id in self._inner:
            self.fields(unit)
        return self._cells.get((unit.id, field), (unit.id, field))

    def question(self, cell: Cell) -> Cell:
        """The unit and question on the screen that an answer is kept for: the other way round than `cell`."""
        for owner in self._owning:
            self.fields(owner)
        return next((asked for asked, kept in self._cells.items() if kept == cell), cell)

    def _within(self, owner: UnitView, inner: UnitView, field: Field) -> Field:
        """The question as it is asked of the owner: named by the preference, with what it says."""
        name = inner.shown_id.rpartition("·")[2]

        def called(key: str) -> str:
            return f"{key}:{name}"

        self._cells[owner.id, called(field.key)] = (inner.id, field.key)
        conditions = {called(key): values for key, values in (field.visible_if or {}).items()}
        changed = {
            "key": called(field.key),
            "title": f"{name} · {self._said.get(inner.memory_id or 0, '')}",
            "short": name,
            "help": field.title,
            "visible_if": conditions or None,
        }
        return field.model_copy(update=changed)
