"""The label of a memory: shows it with what it means; a letter opens the list with that letter typed."""

from collections.abc import Callable

from textual import events
from textual.content import Content
from textual.widget import Widget

from alps_tui.protocols.taxonomy import PICKER
from alps_tui.ui.plain import plain_line
from alps_tui.ui.widgets.entry import settle

MEANS = {label.path: label.means for label in PICKER}


class LabelRow(Widget, can_focus=True):
    """One row: the label, and what belongs under it."""

    DEFAULT_CSS = """
    LabelRow { height: auto; padding: 0 1; }
    LabelRow:focus { background: $boost; }
    """

    def __init__(self, value: str | None, choose: Callable[[str], None], *, id: str) -> None:
        """`choose` opens the list of labels with these letters typed, before the next key comes."""
        super().__init__(id=id)
        self.value = value
        self._choose = choose

    def load(self, value: str | None) -> None:
        self.value = value
        self.refresh(layout=True)

    def render(self) -> Content:
        mark = Content.styled("▌", "bold") if self.has_focus else Content(" ")
        title = plain_line(f"{'label':<11} ", "bold" if self.has_focus else "$foreground-muted")
        value = plain_line(self.value, "bold") if self.value else plain_line("none yet", "italic")
        means = plain_line(f"  {MEANS.get(self.value or '', '')}", "$foreground-muted")
        hint = plain_line("  type to search", "$foreground-muted") if self.has_focus else Content("")
        return mark + title + value + (hint if self.has_focus else means)

    async def _on_key(self, event: events.Key) -> None:
        if settle(self, event):
            return
        if event.key in ("up", "down"):
            self.screen.focus_previous() if event.key == "up" else self.screen.focus_next()
        elif event.is_printable and event.character:
            self._choose(event.character.strip())
        elif event.key in ("right", "backspace"):
            self._choose("")
        else:
            return
        event.stop()
        event.prevent_default()

    def on_focus(self) -> None:
        self.refresh(layout=True)

    def on_blur(self) -> None:
        self.refresh(layout=True)
