"""One turn with its Markdown rendered, as an overlay to read. Only here: the transcript shows text as it is."""

from markdown_it import MarkdownIt
from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical, VerticalScroll
from textual.widgets import Markdown, Static

from alps_tui.safe_text import visible
from alps_tui.ui.light_markdown import lines_of
from alps_tui.ui.plain import plain_line
from alps_tui.ui.screens.base import KeyModal
from alps_tui.ui.widgets.blocks import Blocks, SlicedBlocks
from alps_tui.ui.widgets.key_bar import KeyBar

MOST_LINES, MOST_SIGNS = 120, 5_000
"""Above this the stock widget, a widget for each paragraph, would hold the keys: a lighter rendering is shown."""
CLOSING = ("q", "M", "enter", "space")


def is_light(text: str) -> bool:
    """True for a text that is too long for the full rendering."""
    return len(text) > MOST_SIGNS or text.count("\n") > MOST_LINES


def parser() -> MarkdownIt:
    """Markdown as GitHub reads it, but HTML stays text, and so do entities: one could name a sign made safe before."""
    return MarkdownIt("gfm-like", {"html": False, "linkify": False}).disable("entity")


class RenderedScreen(KeyModal[None]):
    """A text as Markdown: made safe first, its links are only shown."""

    DEFAULT_CSS = """
    RenderedScreen VerticalScroll { height: 1fr; }
    RenderedScreen Markdown { background: transparent; padding: 0 1; }
    """

    def __init__(self, title: str, text: str) -> None:
        super().__init__()
        self._title, self._text = title, text

    def compose(self) -> ComposeResult:
        light = is_light(self._text)
        title = f"{self._title} · Markdown" + (" · long, so rendered lightly" if light else "")
        with Vertical(classes="sheet"):
            yield Static(plain_line(title, "bold"), classes="title")
            if light:
                yield SlicedBlocks(classes="options")
            else:
                with VerticalScroll(can_focus=False):
                    yield Markdown(visible(self._text), parser_factory=parser, open_links=False)
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([("↑ ↓", "read"), ("esc", "back")])
        if is_light(self._text):
            self.query_one(SlicedBlocks).show_lines(lines_of(self._text))

    def on_markdown_link_clicked(self, event: Markdown.LinkClicked) -> None:
        """A link of the data leads nowhere."""
        event.stop()

    def on_pressed(self, event: events.Key) -> bool:
        view = self.query_one(Blocks) if is_light(self._text) else self.query_one(VerticalScroll)
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
        key = event.character if event.character in ("j", "k", "q", "M") else event.key
        if key in moves:
            moves[key](animate=False)
        elif key in CLOSING:
            self.close(None)
        return True
