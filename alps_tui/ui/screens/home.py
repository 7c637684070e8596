"""Where a rater begins: a queue per form, how far each is, and which one to open."""

from collections.abc import Callable, Iterator
from datetime import datetime
from functools import partial
from typing import ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.content import Content
from textual.message import Message
from textual.screen import Screen
from textual.widgets import Static

from alps_tui.ui.active_time import ActiveClock
from alps_tui.ui.commands import key_name
from alps_tui.ui.guideline_words import for_people
from alps_tui.ui.plain import plain_line
from alps_tui.ui.screens.annotate import AnnotateScreen
from alps_tui.ui.screens.base import go_on
from alps_tui.ui.screens.change import ChangeScreen
from alps_tui.ui.screens.reading import GuidelineScreen, KeysScreen
from alps_tui.ui.session import Queue, Session
from alps_tui.ui.widgets.blocks import Block, Blocks, Line
from alps_tui.ui.widgets.key_bar import KeyBar
from store.errors import StoreError
from store.records import Assignment

BAR_CELLS = 16
OPENERS = "1234567890abcdefhilmnoprstuvwxyz"
"""The key of each queue, in order: digits, then the letters that do nothing else here."""

KEYS = (
    ("enter", "Open the queue where you left off"),
    ("1 … 0 a …", "Open the queue that bears this key"),
    ("j k", "Choose a queue"),
    ("g", "Guideline of the queue"),
    ("ctrl+p", "All actions"),
    ("q", "Quit"),
)


class HomeScreen(Screen[None]):
    """My queues. With one queue, or one asked for, it opens that at once."""

    BINDINGS: ClassVar[list[BindingType]] = []
    AUTO_FOCUS = ""

    class QueuesRead(Message):
        def __init__(self, queues: tuple[Queue, ...], sentence: str = "") -> None:
            super().__init__()
            self.queues, self.sentence = queues, sentence

    def __init__(
        self,
        session: Session,
        clock: ActiveClock,
        when: Callable[[], datetime],
        protocol: str | None,
        start_item: str | None,
    ) -> None:
        super().__init__()
        self._session, self._clock, self._when = session, clock, when
        self._wanted, self._start_item = protocol, start_item
        self._queues: tuple[Queue, ...] = ()
        self._cursor = 0
        self._straight = True
        self._has_read = False

    def compose(self) -> ComposeResult:
        yield Static(plain_line(f"Alps · {self._session.rater.name}", "bold"), id="home-title")
        yield Blocks(id="queues")
        yield KeyBar()

    def on_mount(self) -> None:
        self.read()

    def on_screen_resume(self) -> None:
        if not self._straight:
            self.read()

    @work(thread=True, exclusive=True, group="queues", exit_on_error=False)
    def read(self) -> None:
        try:
            self.post_message(self.QueuesRead(self._session.queues()))
        except StoreError as error:
            self.post_message(self.QueuesRead((), str(error)))

    def on_home_screen_queues_read(self, event: QueuesRead) -> None:
        self._queues = event.queues
        self._has_read = True
        self._show(event.sentence)
        if event.sentence:
            return
        if self._straight:
            self._straight = False
            self._go_straight()
        go_on(self)

    @property
    def holds_keys(self) -> bool:
        """Keys wait until the queues are on the screen: none is lost, none is about what was there before."""
        return not self._has_read

    def _go_straight(self) -> None:
        """Open what was asked for, or the only queue there is."""
        queues = (
            [q for q in self._queues if q.protocol.name == self._wanted]
            if self._wanted
            else list(self._queues)
        )
        if self._start_item is not None:
            found = [(q, a) for q in queues for a in q.assignments if a.shown_id == self._start_item]
            if found:
                self._open(*found[0])
                return
            self.query_one(KeyBar).say(f"There is no item {self._start_item} in your queues.")
        elif len(queues) == 1:
            self._open(queues[0])
        elif self._wanted and not queues:
            self.query_one(KeyBar).say(f"You have no items of {self._wanted}.")

    @property
    def has_read(self) -> bool:
        """The queues on the screen are those of the study now."""
        return self._has_read

    def open_queue(self, protocol: str) -> None:
        """Open the queue of a form, if there is one."""
        for queue in self._queues:
            if queue.protocol.name == protocol:
                self._open(queue)

    def _open(self, queue: Queue, start: Assignment | None = None) -> None:
        """Open a queue, after what is new in its form was read by one who knew the version before."""
        if not queue.assignments:
            return
        self._cursor = self._queues.index(queue)
        if queue.news is None:
            self._open_items(queue, start)
            return
        news = queue.news

        def read(is_read: bool | None) -> None:
            if is_read:
                self._session.acknowledge(news, self._when())
                self._open_items(queue, start)

        self.app.push_screen(ChangeScreen(queue.protocol.title, news), read)

    def _open_items(self, queue: Queue, start: Assignment | None) -> None:
        self.app.push_screen(AnnotateScreen(self._session, queue, self._clock, self._when, start), self._back)

    def _back(self, sentence: str | None) -> None:
        self._has_read = False
        self.read()
        if sentence:
            self.query_one(KeyBar).say(sentence)

    def take_key(self, event: events.Key) -> bool:
        key = key_name(event.key, event.character)
        if event.key.startswith("ctrl+"):
            return False
        self.query_one(KeyBar).say("")
        if key in ("j", "down", "k", "up") and self._queues:
            step = 1 if key in ("j", "down") else -1
            self._cursor = min(max(self._cursor + step, 0), len(self._queues) - 1)
            self._show()
        elif key == "enter" and self._queues:
            self._open(self._queues[self._cursor])
        elif key in OPENERS[: len(self._queues)]:
            self._open(self._queues[OPENERS.index(key)])
        elif key == "q":
            self.app.exit()
        elif key == "escape":  # pressed once too often on the way out of something: that ends no day's work
            self.query_one(KeyBar).say("q quits.")
        elif key == "?":
            self._keys()
        elif key == "g":
            self._guideline()
        else:
            self.query_one(KeyBar).say(f"{key} does nothing here: enter opens, j k choose, ? all keys.")
        return True

    def _keys(self) -> None:
        self.app.push_screen(KeysScreen([("My queues", KEYS)]))

    def _guideline(self) -> None:
        """The guideline of the queue under the cursor."""
        if self._queues:
            protocol = self._queues[self._cursor].protocol
            self.app.push_screen(GuidelineScreen(f"Guideline · {protocol.title}", for_people(protocol)))

    def actions(self) -> Iterator[tuple[str, Callable[[], None]]]:
        """What the palette offers here."""
        for queue in self._queues:
            yield f"Open: {queue.protocol.title}", partial(self._open, queue)
        yield "Guideline  (g)", self._guideline
        yield "All keys  (?)", self._keys
        yield "Quit  (q)", self.app.exit

    def on_blocks_picked(self, event: Blocks.Picked) -> None:
        if event.index < len(self._queues):
            self._open(self._queues[event.index])

    def _show(self, failure: str = "") -> None:
        blocks = [_queue_block(i, q, i == self._cursor) for i, q in enumerate(self._queues)]
        if not blocks:
            empty = "You have no items yet. A lead gives them: alps items, then alps annotate again."
            blocks = [(Line(plain_line(failure or empty), prefix=Content("  ")),)]
        self.query_one("#queues", Blocks).show(blocks, self._cursor)
        self.query_one(KeyBar).show(
            [
                ("enter", "open"),
                ("j k", "choose"),
                ("g", "guideline"),
                ("ctrl+p", "all actions"),
                ("q", "quit"),
                ("?", "keys"),
            ]
        )


def _queue_block(index: int, queue: Queue, here: bool) -> Block:
    progress = queue.progress
    left = progress.total - progress.submitted - progress.skipped
    filled = (
        round(BAR_CELLS * (progress.submitted + progress.skipped) / progress.total) if progress.total else 0
    )
    bar = "━" * filled + "─" * (BAR_CELLS - filled)
    counts = f"{left} left of {progress.total} · {progress.submitted} submitted · {progress.skipped} skipped · {progress.started} begun"
    mark = Content("▌ " if here else "  ") + plain_line(
        f"{OPENERS[index : index + 1] or ' '} ", "bold $text-accent"
    )
    return (
        Line(plain_line(queue.protocol.title, "bold" if here else ""), prefix=mark),
        Line(plain_line(f"{bar}  {counts}", "$foreground-muted"), prefix=Content("    ")),
        Line(Content("")),
    )
