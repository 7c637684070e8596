"""Choose by one key: reasons, other memories, or several at once where the form allows several."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Protocol, runtime_checkable

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.content import Content
from textual.screen import Screen
from textual.widgets import Static

from alps_tui.ui.commands import key_name
from alps_tui.ui.plain import plain_line
from alps_tui.ui.screens.base import KeyModal
from alps_tui.ui.widgets.blocks import Block, Blocks, Line
from alps_tui.ui.widgets.key_bar import Hint, KeyBar
from store.content_records import Json

DIGITS = "123456789"
READS = ("g", "?")
"""What opens the guideline, unless it is the key of an answer."""


@runtime_checkable
class Guides(Protocol):
    """A screen whose form has a guideline."""

    def guideline_at(self, question: str) -> Screen[Any]:
        """The guideline, opened at the question of this title."""
        ...


@dataclass(frozen=True)
class Pickable:
    """Something to choose. Without a key of its own it gets the next free digit."""

    value: Json
    label: str
    anchor: str = ""
    key: str = ""


@dataclass(frozen=True)
class Picked:
    """What was chosen; `offered` is true if it was the offer that was taken as it stood."""

    values: tuple[Json, ...]
    offered: bool = False

    @property
    def value(self) -> Json:
        return self.values[0]


class PickScreen(KeyModal[Picked | None]):
    """A question with its answers at the foot of the screen. Nothing is chosen before a key is pressed.

    several   keys put a mark or take it away, enter takes the marked ones
    offer     values that are marked from the start: what the rater's own change amounts to
    about     the title of the form's question that is asked: what the guideline is opened at
    """

    def __init__(
        self,
        title: str,
        options: Sequence[Pickable],
        *,
        several: bool = False,
        offer: Sequence[Json] = (),
        about: str = "",
    ) -> None:
        super().__init__()
        self._title = title
        self._options = _with_keys(options)
        self._about = about
        self._several = several
        self._offered = frozenset(i for i, o in enumerate(self._options) if o.value in offer)
        self._marked: set[int] = set(self._offered)
        self._cursor: int | None = None

    def compose(self) -> ComposeResult:
        with Vertical(classes="foot"):
            yield Static(plain_line(self._title, "bold"), classes="title")
            yield Blocks(classes="options")
            yield KeyBar()

    def on_mount(self) -> None:
        self._show()

    def on_pressed(self, event: events.Key) -> bool:
        key = key_name(event.key, event.character)
        at = next((i for i, o in enumerate(self._options) if o.key == key), None)
        if at is not None:
            self._choose(at)
        elif key in ("down", "up"):
            self._move(1 if key == "down" else -1)
        elif key == "space" and self._cursor is not None:
            self._choose(self._cursor)
        elif key == "enter":
            self._confirm()
        elif key in READS and (below := self._guide) is not None:
            self.app.push_screen(below.guideline_at(self._about))
        return True

    def on_blocks_picked(self, event: Blocks.Picked) -> None:
        self._choose(event.index)

    @property
    def _guide(self) -> "Guides | None":
        """The screen below, where that has a guideline."""
        below = self.app.screen_stack[-2] if len(self.app.screen_stack) > 1 else None
        return below if isinstance(below, Guides) else None

    def _move(self, step: int) -> None:
        last = len(self._options) - 1
        start = -1 if step > 0 else last + 1
        self._cursor = min(max((self._cursor if self._cursor is not None else start) + step, 0), last)
        self._show()

    def _choose(self, index: int) -> None:
        if not self._several:
            self.close(Picked((self._options[index].value,)))
            return
        self._marked ^= {index}
        self._cursor = index
        self._show()

    def _confirm(self) -> None:
        if self._marked:
            values = tuple(o.value for i, o in enumerate(self._options) if i in self._marked)
            self.close(Picked(values, offered=self._marked == self._offered))
        elif self._several:
            self.query_one(KeyBar).say("Mark at least one; esc leaves.")
        elif self._cursor is not None:
            self.close(Picked((self._options[self._cursor].value,)))

    def _show(self) -> None:
        if not self.query(KeyBar):
            return
        self.query_one(KeyBar).say("")
        width = max((len(o.label) for o in self._options), default=0)
        blocks = [self._block(i, option, min(width, 30)) for i, option in enumerate(self._options)]
        self.query_one(Blocks).show(blocks, self._cursor)
        self.query_one(KeyBar).show(self._hints())

    def _block(self, index: int, option: Pickable, width: int) -> Block:
        here, marked = index == self._cursor, index in self._marked
        box = ("[x] " if marked else "[ ] ") if self._several else ""
        label = plain_line(option.label, "bold" if here or marked else "")
        label = label.pad_right(max(width - label.cell_length, 0)) if option.anchor else label
        prefix = (
            Content("▌" if here else " ") + plain_line(f"{option.key} ", "bold $text-accent") + Content(box)
        )
        if option.anchor:
            return (
                Line(
                    plain_line(option.anchor, "$foreground-muted"),
                    prefix=prefix + label + Content("  "),
                    rows=2,
                ),
            )
        return (Line(label, prefix=prefix, rows=2),)

    def _hints(self) -> list[Hint]:
        leave = [("esc", "leave it")]
        if self._guide is not None and not any(option.key == READS[0] for option in self._options):
            leave.append((READS[0], "guideline"))
        if not self._several:
            return [("key", "takes it"), *leave]
        if self._marked:
            ticked = "takes those ticked" if self._marked != self._offered else "takes what you changed"
            return [("key", "ticks or unticks"), ("enter", ticked), *leave]
        return [("key", "ticks one; then enter"), *leave]


def _with_keys(options: Sequence[Pickable]) -> tuple[Pickable, ...]:
    taken = {o.key for o in options if o.key}
    free = iter([d for d in DIGITS if d not in taken])
    return tuple(o if o.key else Pickable(o.value, o.label, o.anchor, next(free, "")) for o in options)
