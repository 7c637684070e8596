"""Overlays to read: the guideline of the form, and every key of the screen."""

from collections.abc import Sequence

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.content import Content
from textual.widgets import Markdown, Static

from alps_tui.safe_text import visible
from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.screens.base import KeyModal
from alps_tui.ui.widgets.blocks import Block, Blocks, Line
from alps_tui.ui.widgets.key_bar import KeyBar

CLOSING = ("q", "g", "?", "enter", "space")
HINTS = (("↑ ↓", "read"), ("esc", "back"))


class GuidelineScreen(KeyModal[None]):
    """The guideline of a form, rendered. It is a team's own text, shown safely all the same."""

    def __init__(self, title: str, guideline: str) -> None:
        super().__init__()
        self._title, self._guideline = title, guideline

    def compose(self) -> ComposeResult:
        with Vertical(classes="sheet"):
            yield Static(plain_line(self._title, "bold"), classes="title")
            with VerticalScroll():
                yield Markdown(visible(self._guideline), open_links=False)
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show(HINTS)

    def on_pressed(self, event: events.Key) -> bool:
        _read(self, self.query_one(VerticalScroll), event)
        return True


Group = tuple[str, Sequence[tuple[str, str]]]
"""A heading, and key with meaning below it."""


class TextScreen(KeyModal[None]):
    """A text to read: a stored translation."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with Vertical(classes="foot"):
            yield Static(plain_line(self._title, "bold"), classes="title")
            yield Blocks(classes="options")
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show(HINTS)
        self.query_one(Blocks).show([(Line(plain(self._text)),)])

    def on_pressed(self, event: events.Key) -> bool:
        _read(self, self.query_one(Blocks), event)
        return True


class KeysScreen(KeyModal[None]):
    """Every key that does something here, by group."""

    def __init__(self, groups: Sequence[Group]) -> None:
        super().__init__()
        self._groups = groups

    def compose(self) -> ComposeResult:
        with Vertical(classes="sheet"):
            yield Static(plain_line("All keys", "bold"), classes="title")
            yield Blocks(classes="options")
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show(HINTS)
        width = max((len(key) for _, keys in self._groups for key, _ in keys), default=0)
        blocks: list[Block] = []
        for title, keys in self._groups:
            blocks.append((Line(plain_line(title, "bold underline")),))
            blocks += [
                (Line(plain_line(meaning), prefix=plain_line(f"  {key:<{width}}  ", "bold $text-accent")),)
                for key, meaning in keys
            ]
            blocks.append((Line(Content("")),))
        self.query_one(Blocks).show(blocks)

    def on_pressed(self, event: events.Key) -> bool:
        _read(self, self.query_one(Blocks), event)
        return True


def _read(screen: KeyModal[None], view: Blocks | VerticalScroll, event: events.Key) -> None:
    """The keys of a page to read: scrolling, and any of the keys that open or close such a page."""
    moves = {
        "down": view.scroll_down,
        "j": view.scroll_down,
        "up": view.scroll_up,
        "k": view.scroll_up,
        "pagedown": view.scroll_page_down,
        "pageup": view.scroll_page_up,
        "home": view.scroll_home,
        "end": view.scroll_end,
    }
    key = event.character if event.character and event.character in "jkqg?" else event.key
    if key == "space":
        view.scroll_page_down(animate=False)
    elif key in moves:
        moves[key](animate=False)
    elif key in CLOSING:
        screen.dismiss(None)
