"""A list that shrinks while one types, and the one that is chosen: labels, items, candidates."""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Generic, TypeVar

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.widgets import Input, Static

from alps_tui.ui.plain import plain_line
from alps_tui.ui.screens.base import TextModal
from alps_tui.ui.widgets.blocks import Block, Blocks, Line
from alps_tui.ui.widgets.entry import Entry
from alps_tui.ui.widgets.key_bar import Hint, KeyBar

Value = TypeVar("Value")


@dataclass(frozen=True)
class Entrant(Generic[Value]):
    """Something that can be chosen. `words` are what typing is matched with, beside the lines shown."""

    value: Value
    head: str
    lines: tuple[str, ...] = ()
    words: str = ""

    @property
    def haystack(self) -> str:
        return " ".join((self.head, *self.lines, self.words)).casefold()


def matches(entrants: Sequence[Entrant[Value]], typed: str) -> tuple[Entrant[Value], ...]:
    """Those with words that begin with each word typed; a head that begins with what was typed comes first."""
    wanted = typed.casefold().split()
    found = [e for e in entrants if all(has_word(e.haystack, word) for word in wanted)]
    first = typed.casefold().strip()
    return (
        tuple(sorted(found, key=lambda e: not e.head.casefold().startswith(first))) if first else tuple(found)
    )


def has_word(text: str, beginning: str) -> bool:
    """Whether a word of the text begins so: "en" is in "en · open" once. In scripts without case it may stand anywhere."""
    sign = beginning[0]
    anywhere = sign.isalpha() and sign.lower() == sign.upper()
    at = text.find(beginning)
    while at > 0 and text[at - 1].isalnum() and not anywhere:
        at = text.find(beginning, at + 1)
    return at >= 0


class FilterScreen(TextModal[Value | None], Generic[Value]):
    """Type to filter, arrows to move, Enter takes. Escape leaves without a result.

    direct   text → a value taken at once by Enter, before the list is looked at ("12": item 12); None if none
    """

    def __init__(
        self,
        title: str,
        entrants: Sequence[Entrant[Value]],
        *,
        typed: str = "",
        placeholder: str = "type to filter",
        hints: Sequence[Hint] = (("enter", "takes it"), ("↑ ↓", "move"), ("esc", "leave it")),
        direct: Callable[[str], Value | None] | None = None,
        empty: str = "Nothing matches.",
        start: int = 0,
    ) -> None:
        super().__init__()
        self._title, self._entrants = title, tuple(entrants)
        self._typed, self._placeholder, self._hints = typed, placeholder, tuple(hints)
        self._direct, self._empty = direct, empty
        self._shown = self._entrants
        self._cursor = start

    def compose(self) -> ComposeResult:
        with Vertical(classes="foot tall"):
            yield Static(plain_line(self._title, "bold"), classes="title")
            yield Entry(self._typed, placeholder=self._placeholder)
            yield Blocks(classes="options")
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show(self._hints)
        self.query_one(Blocks).can_focus = False
        entry = self.query_one(Entry)
        entry.cursor_position = len(entry.value)
        self._filter(keep_cursor=True)
        self.start_in(entry)

    def on_input_changed(self, _event: Input.Changed) -> None:
        self._filter()

    def _filter(self, *, keep_cursor: bool = False) -> None:
        typed = self.query_one(Entry).value
        self._shown = matches(self._entrants, typed)
        self._cursor = min(self._cursor, max(len(self._shown) - 1, 0)) if keep_cursor else 0
        self._show()

    def _show(self) -> None:
        blocks: list[Block] = [self._block(i, e) for i, e in enumerate(self._shown)]
        if not blocks:
            blocks = [(Line(plain_line(self._empty, "$foreground-muted"), prefix=Content("  ")),)]
        self.query_one(Blocks).show(blocks, self._cursor)

    def _block(self, index: int, entrant: Entrant[Value]) -> Block:
        here = index == self._cursor
        head = Line(
            plain_line(entrant.head, "bold" if here else ""),
            prefix=Content("▌ " if here else "  "),
            rows=3 if here else 1,
        )
        rest = (
            Line(plain_line(t, "$foreground-muted"), prefix=Content("    "), rows=2) for t in entrant.lines
        )
        return (head, *rest)

    def on_key(self, event: events.Key) -> None:
        """Arrows bubble up from the entry, which has no use for them."""
        steps = {"down": 1, "up": -1, "pagedown": 8, "pageup": -8}
        if event.key in steps:
            event.stop()
            self._cursor = min(max(self._cursor + steps[event.key], 0), max(len(self._shown) - 1, 0))
            self._show()

    def on_blocks_picked(self, event: Blocks.Picked) -> None:
        if event.index < len(self._shown):
            self.close(self._shown[event.index].value)

    def entered(self) -> None:
        value = self._direct(self.query_one(Entry).text.strip()) if self._direct else None
        if value is None and self._shown:
            value = self._shown[self._cursor].value
        if value is not None:
            self.close(value)
