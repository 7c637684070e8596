"""What all our screens share: keys that reach the screen in the order of pressing, and screens that hold text."""

from typing import ClassVar, Protocol, TypeVar, runtime_checkable

from textual import events
from textual.binding import BindingType
from textual.screen import ModalScreen
from textual.widget import Widget

Result = TypeVar("Result")


@runtime_checkable
class TakesKeys(Protocol):
    """A screen without text fields: the app hands it every key before any widget sees it.

    Keys that travel from widget to widget overtake each other when the focus moves; these cannot.
    """

    def take_key(self, event: events.Key) -> bool:
        """True if the key was taken."""
        ...


class KeyModal(ModalScreen[Result]):
    """A modal without text fields."""

    BINDINGS: ClassVar[list[BindingType]] = []
    AUTO_FOCUS = ""

    def take_key(self, event: events.Key) -> bool:
        """Escape leaves without a result; ctrl keys belong to the app."""
        if event.key == "escape":
            self.dismiss(None)
            return True
        return not event.key.startswith("ctrl+") and self.on_pressed(event)

    def on_pressed(self, event: events.Key) -> bool:
        """What the modal does with a key; every key is taken, so that none falls through to what lies below."""
        raise NotImplementedError


class TextModal(ModalScreen[Result]):
    """A modal with text fields. Keys pressed before its field has the focus are held and typed into it then."""

    BINDINGS: ClassVar[list[BindingType]] = []
    AUTO_FOCUS = ""

    def __init__(self) -> None:
        super().__init__()
        self.ready = False
        self._held: list[events.Key] = []

    def hold(self, event: events.Key) -> None:
        """Keep a key that came too early."""
        self._held.append(event)

    def start_in(self, widget: Widget) -> None:
        """Give this field the focus and the keys that were pressed meanwhile."""
        self.set_focus(widget)
        self.ready = True
        held, self._held = self._held, []
        for event in held:
            widget.post_message(event)

    def flush(self) -> None:
        """The program ends: keep what was typed. Modals that hold more than a search word override this."""
