"""What all our screens share: keys that reach the screen in the order of pressing, and screens that hold text."""

from typing import Any, ClassVar, Protocol, TypeVar, runtime_checkable

from textual import events
from textual.binding import BindingType
from textual.screen import ModalScreen, Screen
from textual.widget import Widget

Result = TypeVar("Result")


WIDTHS = [(0, "-narrow"), (100, "-normal"), (160, "-wide")]
"""From how many columns on a screen bears which class."""
HEIGHTS = [(0, "-short"), (34, "-tall")]


@runtime_checkable
class TakesKeys(Protocol):
    """A screen without text fields: the app hands it every key before any widget sees it."""

    def take_key(self, event: events.Key) -> bool:
        """True if the key was taken."""
        ...


@runtime_checkable
class Holds(Protocol):
    """A screen that can ask for a moment: keys wait while it opens, or while the answer of a modal is on its way.

    It calls `app.keys.go_on` when the moment is over.
    """

    @property
    def holds_keys(self) -> bool: ...


class Modal(ModalScreen[Result]):
    """A modal that is closed once: a second Enter on its way cannot close the screen below."""

    BINDINGS: ClassVar[list[BindingType]] = []
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = WIDTHS
    VERTICAL_BREAKPOINTS = HEIGHTS
    _is_closed = False

    def close(self, result: Result | None) -> None:
        """Leave with this result."""
        if not self._is_closed:
            self._is_closed = True
            self.dismiss(result)


class KeyModal(Modal[Result]):
    """A modal without text fields."""

    def take_key(self, event: events.Key) -> bool:
        """Escape leaves without a result; ctrl keys belong to the app."""
        if event.key == "escape":
            self.close(None)
            return True
        return not event.key.startswith("ctrl+") and self.on_pressed(event)

    def on_pressed(self, event: events.Key) -> bool:
        """What the modal does with a key; every key is taken, so that none falls through to what lies below."""
        raise NotImplementedError


class TextModal(Modal[Result]):
    """A modal with text fields. Keys pressed before its field has the focus wait and are typed into it then.

    Its fields call `entered` and `left` at once, in the order of the keys.
    """

    _is_ready = False

    @property
    def holds_keys(self) -> bool:
        return not self._is_ready

    def start_in(self, widget: Widget) -> None:
        """Give this field the focus and the keys that were pressed meanwhile."""
        self.set_focus(widget)
        self._is_ready = True
        go_on(self)

    def entered(self) -> None:
        """Enter was pressed in a field: what stands there is meant."""
        raise NotImplementedError

    def left(self) -> None:
        """Escape was pressed in a field."""
        self.close(None)

    def flush(self) -> None:
        """The program ends: keep what was typed. Modals that hold more than a search word override this."""


def go_on(screen: Screen[Any]) -> None:
    """The moment a screen asked for is over: the keys that waited go their way."""
    keys = getattr(screen.app, "keys", None)
    if keys is not None:
        screen.app.call_next(keys.go_on)
