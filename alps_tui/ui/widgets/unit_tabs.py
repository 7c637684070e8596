"""The responses of an item in one row: a letter each, how far it is rated, and which one is open."""

from collections.abc import Sequence
from dataclasses import dataclass

from textual.content import Content
from textual.widget import Widget

from alps_tui.ui.plain import plain_line


@dataclass(frozen=True)
class Tab:
    """A part. `required` is None where nothing is asked of whoever looks at it.

    broken   its answers ask for one more
    """

    shown_id: str
    answered: int
    required: int | None
    current: bool
    marks: str = ""
    broken: bool = False


class UnitTabs(Widget):
    """Shows one tab per response."""

    DEFAULT_CSS = """
    UnitTabs { height: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._tabs: tuple[Tab, ...] = ()

    def show(self, tabs: Sequence[Tab]) -> None:
        if tuple(tabs) != self._tabs:
            self._tabs = tuple(tabs)
            self.refresh()

    def render(self) -> Content:
        """The tabs, those around the current one first where not all fit."""
        width = self.size.width
        parts = [_tab(tab) for tab in self._tabs]
        start = next((i for i, tab in enumerate(self._tabs) if tab.current), 0)
        while start > 0 and sum(p.cell_length + 1 for p in parts[: start + 1]) > width:
            parts, start = parts[1:], start - 1
        return Content(" ").join(parts)


def _tab(tab: Tab) -> Content:
    state = ""
    if tab.required is not None:
        done = " …" if tab.broken else " ✓"
        state = done if tab.answered >= tab.required else f" {tab.answered}/{tab.required}"
    text = plain_line(f" {tab.shown_id}{state}{tab.marks} ", "bold reverse" if tab.current else "")
    return (Content("▌") + text) if tab.current else (Content(" ") + text)
