"""Overlays to read: the guideline of the form, and every key of the screen."""

from collections.abc import Sequence
from typing import Any

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from alps_tui.ui.light_markdown import blocks, section_of
from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.screens.base import KeyModal
from alps_tui.ui.widgets.blocks import Block, Blocks, Line
from alps_tui.ui.widgets.key_bar import KeyBar

SCROLLING = ("up", "down", "pageup", "pagedown", "home", "end", "space")
CLOSING = ("q", "g", "?", "enter", "space")
HINTS = (("↑ ↓", "read"), ("esc", "back"))


class GuidelineScreen(KeyModal[None]):
    """The guideline of a form, opened at the section that names a word, such as the question in focus."""

    def __init__(self, title: str, guideline: str, word: str = "") -> None:
        super().__init__()
        self._title, self._guideline, self._word = title, guideline, word

    def compose(self) -> ComposeResult:
        with Vertical(classes="sheet"):
            yield Static(plain_line(self._title, "bold"), classes="title")
            yield Blocks(classes="options")
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([*HINTS[:1], ("n N", "section"), *HINTS[1:]])
        self._sections = blocks(self._guideline) or [(Line(plain_line("This form has no guideline.")),)]
        self._at = section_of(self._guideline, self._word)
        self.query_one(Blocks).show(self._sections, self._at)

    def on_pressed(self, event: events.Key) -> bool:
        if event.character in ("n", "N"):
            step = 1 if event.character == "n" else -1
            self._at = min(max(self._at + step, 0), len(self._sections) - 1)
            self.query_one(Blocks).show(self._sections, self._at)
        else:
            _read(self, self.query_one(Blocks), event)
        return True


Group = tuple[str, Sequence[tuple[str, str]]]
"""A heading, and key with meaning below it."""


class TextScreen(KeyModal[events.Key | None]):
    """A text to read: a stored translation. Any key but those that scroll closes it; the result is that key,
    for the screen below, unless it was one that only closes."""

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        with Vertical(classes="foot"):
            yield Static(plain_line(self._title, "bold"), classes="title")
            yield Blocks(classes="options")
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([("↑ ↓", "read"), ("y", "back"), ("esc", "back")])
        self.query_one(Blocks).show([(Line(plain(self._text)),)])

    def on_pressed(self, event: events.Key) -> bool:
        if event.key in ("y", "q", "enter"):
            self.close(None)
        elif event.key in SCROLLING:
            _read(self, self.query_one(Blocks), event)
        else:
            self.close(event)
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
        shown: list[Block] = []
        for title, keys in self._groups:
            shown.append((Line(plain_line(title, "bold underline")),))
            shown += [
                (Line(plain_line(meaning), prefix=plain_line(f"  {key:<{width}}  ", "bold $text-accent")),)
                for key, meaning in keys
            ]
            shown.append((Line(Content("")),))
        self.query_one(Blocks).show(shown)

    def on_pressed(self, event: events.Key) -> bool:
        _read(self, self.query_one(Blocks), event)
        return True


def _read(screen: KeyModal[Any], view: Blocks, event: events.Key) -> None:
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
        screen.close(None)
