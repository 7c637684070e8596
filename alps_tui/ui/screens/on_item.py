"""What every screen with an item on it knows: the sitting, and the part the cursor is on."""

from alps_tui.ui.sitting import Sitting
from store.records import UnitView


class OnItem:
    """An item on the screen, or none yet."""

    _sitting: Sitting | None = None
    _unit: str | None = None

    @property
    def sitting(self) -> Sitting:
        """The item on the screen. Raises RuntimeError while there is none: no act is made then."""
        if self._sitting is None:
            raise RuntimeError("no item is on the screen")
        return self._sitting

    @property
    def has_item(self) -> bool:
        return self._sitting is not None

    @property
    def unit(self) -> UnitView | None:
        """The part the cursor is on."""
        return self.sitting.unit(self._unit) if self._unit and self._sitting else None
