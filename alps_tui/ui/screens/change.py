"""What is new in a form, before going on with it: the note, and how the guideline differs, word by word."""

from collections.abc import Iterator

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Static

from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.screens.base import KeyModal
from alps_tui.ui.shown_change import changed_parts
from alps_tui.ui.widgets.blocks import Block, Blocks, Line
from alps_tui.ui.widgets.key_bar import KeyBar
from alps_tui.ui.word_diff import Piece
from store.versions import News

STYLES = {"same": "", "removed": "strike $text-error", "added": "bold $text-success"}
SIGNS = {"same": ("", ""), "removed": ("[-", "-]"), "added": ("{+", "+}")}
"""State is never shown by colour alone."""


class ChangeScreen(KeyModal[bool]):
    """Shown once to whoever knew the version before. Enter says that it was read; escape leaves it for later."""

    def __init__(self, title: str, news: News) -> None:
        super().__init__()
        self._title, self._news = title, news

    def compose(self) -> ComposeResult:
        with Vertical(classes="sheet"):
            yield Static(plain_line(f"New in “{self._title}”", "bold"), classes="title")
            yield Blocks(classes="options")
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([("enter", "I have read this"), ("↑ ↓", "read"), ("esc", "not now")])
        self.query_one(Blocks).show(list(_blocks(self._news)))

    def on_pressed(self, event: events.Key) -> bool:
        view = self.query_one(Blocks)
        moves = {
            "down": view.scroll_down,
            "j": view.scroll_down,
            "up": view.scroll_up,
            "k": view.scroll_up,
            "pagedown": view.scroll_page_down,
            "space": view.scroll_page_down,
            "pageup": view.scroll_page_up,
            "home": view.scroll_home,
            "end": view.scroll_end,
        }
        if event.key == "enter":
            self.close(True)
        elif event.key == "q":
            self.close(None)
        elif event.key in moves:
            moves[event.key](animate=False)
        else:
            self.query_one(KeyBar).say("enter: I have read this; esc: not now.")
        return True


def _blocks(news: News) -> Iterator[Block]:
    same_version = news.version == news.before
    what = (
        "The guideline has changed."
        if same_version
        else f"Version {news.before} is now version {news.version}."
    )
    yield (Line(plain_line(what)), Line(Content("")))
    if news.note:
        yield (Line(plain(news.note, "bold")), Line(Content("")))
    if not same_version:
        stays = "What you have answered stays as it is, and what you have begun stays on the version before."
        yield (Line(plain_line(stays, "$foreground-muted")), Line(Content("")))
    parts = changed_parts(news.guideline_before, news.guideline)
    if not parts:
        yield (Line(plain_line("The guideline (g) is the same.", "$foreground-muted")),)
        return
    yield (Line(plain_line("In the guideline (g shows it whole):", "bold underline")), Line(Content("")))
    for part in parts:
        heading = (Line(plain_line(part.heading, "bold")),) if part.heading else ()
        yield (*heading, *(Line(_diff(pieces)) for pieces in part.paragraphs), Line(Content("")))


def _diff(pieces: tuple[Piece, ...]) -> Content:
    shown = Content("")
    for piece in pieces:
        before, after = SIGNS[piece.kind]
        shown += plain(f"{before}{piece.text}{after}", STYLES[piece.kind])
    return shown
