"""Somebody at the keyboard of a real workbench, until the moment at which the program is killed."""

import random
import re
import signal
import time
from collections.abc import Callable
from dataclasses import dataclass, field

from terminal import Terminal, rows_of

HEAD = re.compile(r"^ *(?:(memory-verification|response-rating) · )?(\S+) · (\d+) of \d+")
CARD = re.compile(r"(▌| ) ([mn]\d+)\s+[✓✗✎?·∅+] (keep|delete|edit|in doubt|open|cannot judge|added)\b")
TAB = re.compile(r"([▌ ]) ([A-H]) (✓|\d+/\d+)")
PATIENCE_SECONDS = 30.0


class Killed(Exception):
    """The moment has come: the program is killed, whatever it is doing."""


class TooSoon(Exception):
    """A key came before the item was on the screen, or in the rhythm of another part: it did nothing, and that is said."""


@dataclass(frozen=True)
class Screen:
    """What a person reads on the terminal."""

    rows: tuple[str, ...]

    @property
    def text(self) -> str:
        return "\n".join(self.rows)

    @property
    def item(self) -> str | None:
        found = HEAD.search(self.rows[0])
        return found[2] if found else None

    @property
    def is_saved(self) -> bool:
        return re.search(r"● saved \d\d:\d\d:\d\d", self.rows[0]) is not None

    @property
    def cards(self) -> dict[str, str]:
        """Each memory's state by its name, in the order of the screen."""
        return {found[2]: found[3] for row in self.rows if (found := CARD.search(row))}

    @property
    def tabs(self) -> dict[str, str]:
        """How many questions about each response are answered."""
        return {name: state for row in self.rows for _, name, state in TAB.findall(row)}

    @property
    def selected(self) -> str | None:
        """The memory or response under the cursor."""
        cards = [found[2] for row in self.rows if (found := CARD.search(row)) and found[1] == "▌"]
        tabs = [name for row in self.rows for mark, name, _ in TAB.findall(row) if mark == "▌"]
        return next(iter(cards or tabs), None)

    def says(self, pattern: str) -> bool:
        return re.search(pattern, self.text) is not None


@dataclass
class Death:
    """When the program is killed: after so many seconds, or at most 50 ms after so many keys."""

    seconds: float | None = None
    keys: int | None = None
    at: float | None = None

    @classmethod
    def chosen_by(cls, luck: random.Random) -> "Death":
        """Two of five right after a key."""
        if luck.random() < 0.4:
            return cls(keys=luck.randint(1, 60))
        return cls(seconds=luck.uniform(0.0, 2.0))

    def start(self) -> None:
        """The item is on the screen: time runs."""
        if self.seconds is not None:
            self.at = time.monotonic() + self.seconds

    def key(self, luck: random.Random) -> None:
        """A key was pressed."""
        if self.keys is not None:
            self.keys -= 1
            if self.keys == 0:
                self.at = time.monotonic() + luck.uniform(0.0, 0.05)

    @property
    def has_come(self) -> bool:
        return self.at is not None and time.monotonic() >= self.at

    def left(self, most: float) -> float:
        """Seconds until then, at most so many."""
        return most if self.at is None else min(max(self.at - time.monotonic(), 0.0), most)


@dataclass
class Person:
    """Presses keys and reads the screen; every glance may be the last one.

    watch   gets every screen that was read, the last one after the kill too
    """

    terminal: Terminal
    death: Death
    luck: random.Random
    watch: Callable[[Screen], None] = lambda screen: None
    pressed: int = 0
    screen: Screen = field(default_factory=lambda: Screen(("",)))

    @classmethod
    def sits_down(cls, terminal: Terminal, death: Death, luck: random.Random) -> "Person":
        """Wait until the workbench shows an item; only then the time to its death runs."""
        person = cls(terminal, Death(), luck)
        person.until(lambda screen: screen.item is not None and (screen.cards or screen.tabs), "an item")
        person.death = death
        death.start()
        return person

    def press(self, *keys: str) -> None:
        """Press keys one after the other as fast as they can be typed."""
        for key in keys:
            if self.death.has_come:
                raise Killed
            self.terminal.press(key)
            self.pressed += 1
            self.death.key(self.luck)

    def type(self, words: str) -> None:
        """Type a text in a few goes."""
        half = self.luck.randint(0, len(words))
        self.press(*words[:half])
        self.look(self.luck.uniform(0.0, 0.05))
        self.press(*words[half:])

    def look(self, seconds: float = 0.0) -> Screen:
        """Read what comes within the time, and then all that is there."""
        running = self.terminal.read(self.death.left(seconds))
        while running and self.terminal.has_more():
            running = self.terminal.read(0.0)
        self._read()
        if not running:
            raise AssertionError(f"the workbench ended by itself\n{self.screen.text}")
        if self.death.has_come:
            raise Killed
        return self.screen

    def until(self, happened: Callable[[Screen], object], what: str) -> Screen:
        """Look until the screen shows something."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not happened(self.look(0.1)):
            if self.screen.says("That key came before") or self.screen.says("came too soon to be meant"):
                raise TooSoon
            if time.monotonic() > deadline:
                raise AssertionError(f"{what} never came\n{self.screen.text}")
        return self.screen

    def until_says(self, pattern: str) -> None:
        self.until(lambda screen: screen.says(pattern), pattern)

    def escape(self) -> None:
        """Press escape, and nothing else until it is taken for one: with a letter right behind it, it is that letter
        with alt."""
        self.press("\x1b")
        until = time.monotonic() + 0.3
        while time.monotonic() < until:
            self.look(0.05)

    def dies(self) -> bool:
        """Kill the program and read what it had still written; True if it was running."""
        was_running = self.terminal.process.poll() is None
        self.terminal.kill(signal.SIGKILL)
        self._read()
        return was_running

    def _read(self) -> None:
        self.screen = Screen(tuple(rows_of(self.terminal.screen)))
        self.watch(self.screen)
