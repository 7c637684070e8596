"""Where a person types: stock inputs that show data safely and settle Enter and Escape in the order of the keys."""

from typing import ClassVar, Protocol, runtime_checkable

from textual import events
from textual.binding import BindingType
from textual.widget import Widget
from textual.widgets import Input, TextArea

from alps_tui.safe_text import one_line, original, visible


@runtime_checkable
class TakesText(Protocol):
    """A screen with text fields: they tell it at once, before the next key, that Enter or Escape was pressed."""

    def entered(self) -> None: ...

    def left(self) -> None: ...


def settle(widget: Widget, event: events.Key) -> bool:
    """Enter and Escape in a field, given to its screen at once; True if it was one of them."""
    screen = widget.screen
    if event.key not in ("enter", "escape") or not isinstance(screen, TakesText):
        return False
    event.stop()
    event.prevent_default()
    screen.entered() if event.key == "enter" else screen.left()
    return True


class Entry(Input):
    """One line. Enter and Escape go to the screen; what is pasted is shown safely."""

    BINDINGS: ClassVar[list[BindingType]] = []
    DEFAULT_CSS = """
    Entry { height: 1; border: none; padding: 0 1; background: $boost; }
    Entry:focus { border: none; background: $surface-lighten-2; }
    """

    def __init__(self, text: str = "", *, placeholder: str = "", id: str | None = None) -> None:
        super().__init__(one_line(text), placeholder=placeholder, select_on_focus=False, compact=True, id=id)
        self._given = text

    @property
    def text(self) -> str:
        """What is meant: the text given if nothing was changed, else what was typed, signs undone."""
        return self._given if self.value == one_line(self._given) else original(self.value)

    def load(self, text: str) -> None:
        """Put a text there; says nothing."""
        self._given = text
        with self.prevent(Input.Changed):
            self.value = one_line(text)
            self.cursor_position = len(self.value)

    async def _on_key(self, event: events.Key) -> None:
        settle(self, event)

    def _on_paste(self, event: events.Paste) -> None:
        event.text = one_line(event.text.replace("\r\n", "\n").strip("\n")) or " "


class TextBox(TextArea):
    """Several lines. Enter and Escape go to the screen, ctrl+j breaks the line, Tab goes on."""

    DEFAULT_CSS = """
    TextBox { border: none; padding: 0 1; background: $boost; height: 4; }
    TextBox:focus { border: none; background: $surface-lighten-2; }
    """

    def __init__(self, text: str = "", *, id: str | None = None) -> None:
        super().__init__(
            visible(text), soft_wrap=True, tab_behavior="focus", show_line_numbers=False, compact=True, id=id
        )
        self._given = text

    @property
    def meant(self) -> str:
        """What is meant: the text given if nothing was changed, else what was typed, signs undone."""
        return self._given if self.text == visible(self._given) else original(self.text)

    def fill(self, text: str) -> None:
        """Put a text there; says nothing."""
        self._given = text
        with self.prevent(TextArea.Changed):
            self.load_text(visible(text))
        self.move_cursor(self.document.end)

    async def _on_key(self, event: events.Key) -> None:
        if not settle(self, event) and event.key == "ctrl+j":
            event.stop()
            event.prevent_default()
            self.insert("\n")

    async def _on_paste(self, event: events.Paste) -> None:
        event.text = visible(event.text.replace("\r\n", "\n").replace("\r", "\n"))
