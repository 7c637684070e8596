"""What the keys of an item do that is only read: moving, finding, folding, and whose an answer is."""

from collections.abc import Callable, Mapping
from typing import TYPE_CHECKING, Any, cast

from textual import events

from alps_tui.protocols.schema import Protocol
from alps_tui.ui.commands import Command, by_key, key_name, remapped, with_form_keys
from alps_tui.ui.screens.filter_list import Entrant, FilterScreen
from alps_tui.ui.screens.looking import Looking, grouped
from alps_tui.ui.screens.panes import DIALOGUE, SESSION, UNITS
from alps_tui.ui.screens.pool_acts import PoolActs
from alps_tui.ui.screens.reading import Group
from alps_tui.ui.widgets.key_bar import Hint

if TYPE_CHECKING:
    from alps_tui.ui.lead.preview import PreviewScreen

READS = frozenset(
    {
        *("next_unit", "previous_unit", "next_item", "previous_item", "next_pane", "previous_pane"),
        *(
            "next_user_turn",
            "previous_user_turn",
            "items",
            "page_down",
            "page_up",
            "unfold",
            "find",
            "find_next",
        ),
        *(
            "find_previous",
            "quoting",
            "translation",
            "rendered",
            "zoom",
            "evidence",
            "guideline",
            "keys",
            "palette",
        ),
        *("rest", "back", "other_side"),
    }
)
"""The commands of the annotate screen that change nothing."""

OWN_TITLES: Mapping[str, str] = {
    "evidence": "Go to the evidence",
    "items": "Go to an item or a turn; list of the items",
    "back": "Back",
}
"""What some of them mean where there is nothing to decide."""


class ReadLooking(Looking):
    """The commands that read, where there is no queue and nobody's state of an item."""

    def __init__(self, screen: "PreviewScreen") -> None:
        # the screen has every part that these commands use of an annotate screen
        super().__init__(cast(Any, screen), lambda _: None)
        self._reader = screen

    def _move_item(self, step: int) -> None:
        at = self._reader.at + step
        if 0 <= at < len(self._reader.places):
            self._reader.go_to_item(at)
        else:
            self._reader.say("This is the last item." if step > 0 else "This is the first item.")

    def _move_unit(self, step: int) -> None:
        said = self._reader.panes.said
        if self._reader.pane == SESSION and said is not None:
            said.scroll_relative(y=step, animate=False)
        else:
            super()._move_unit(step)

    def _move_page(self, step: int) -> None:
        said = self._reader.panes.said
        if self._reader.pane == SESSION and said is not None:
            rows = max(said.scrollable_content_region.height - 1, 1)
            said.scroll_relative(y=step * rows, animate=False)
        else:
            super()._move_page(step)

    def _move_pane(self, step: int) -> None:
        reader = self._reader
        there = {
            DIALOGUE: bool(reader.sitting.view.turns),
            UNITS: bool(reader.sitting.units),
            SESSION: reader.panes.said is not None,
        }
        panes = [pane for pane, is_there in there.items() if is_there] or [DIALOGUE]
        at = panes.index(reader.pane) if reader.pane in panes else 0
        reader.set_pane(panes[(at + step) % len(panes)])

    def do_items(self) -> None:
        reader = self._reader
        entrants = [Entrant(("item", i), f"{i + 1:>4}  {one.words}") for i, one in enumerate(reader.places)]

        def direct(text: str) -> tuple[str, int] | None:
            word, number = ("turn", text[1:]) if text[:1] in ("t", "T") else ("item", text)
            return (word, int(number) - 1) if number.isascii() and number.isdigit() else None

        title = "Go to: 12 is an item, t7 a turn; words filter by name"
        reader.ask(
            FilterScreen(title, entrants, direct=direct, placeholder="12 · t7", start=reader.at), self._go_to
        )

    def _go_to(self, target: tuple[str, int] | None) -> None:
        if target is None:
            return
        kind, number = target
        dialogue, places = self._reader.panes.dialogue, self._reader.places
        if kind == "turn" and 0 <= number < len(dialogue.turns):
            dialogue.jump(number)
        elif kind == "turn":
            self._reader.say(f"There are {len(dialogue.turns)} turns.")
        elif 0 <= number < len(places):
            self._reader.go_to_item(number)
        else:
            self._reader.say(f"There are {len(places)} items.")

    def do_evidence(self) -> None:
        """Bring what the part rests on into view."""
        self._reader.panes.go_to_evidence(self._reader.sitting, self._reader.unit)

    def do_names(self) -> None:
        self._reader.say(self._reader.names.turn())
        self._reader.refresh_item()

    def do_back(self) -> None:
        self._reader.dismiss(None)

    def key_groups(self) -> list[Group]:
        """The keys of this screen alone: no answer of the form has one here."""
        return grouped(self._reader.acting.commands)


class ReadActs:
    """What each key does. Nothing in here makes an act."""

    def __init__(self, screen: "PreviewScreen") -> None:
        self._screen = screen
        self.pool = PoolActs(cast(Any, screen))
        self.commands: tuple[Command, ...] = ()
        self._by_key: dict[str, Command] = {}
        self._form = ""

    def use(self, form: Protocol) -> None:
        """Take the keys of a form: of its own only those that read."""
        if form.content_hash == self._form:
            return
        self._form = form.content_hash
        every = remapped(with_form_keys(form.keys), self._screen.shelf.keymap.commands)
        own = (
            (Command("names", ("w",), "Name the raters, or not", "Read", "who"),)
            if self._screen.with_said
            else ()
        )
        kept = (_meaning(command) for command in every if command.id in READS)
        self.commands = (*own, *kept)
        self._by_key = by_key(self.commands)
        self.looking = ReadLooking(self._screen)

    def key(self, command_id: str) -> str:
        """The key of a command; "" for one that is not here."""
        found = next((command for command in self.commands if command.id == command_id), None)
        return next(iter(found.keys), "") if found else ""

    def take(self, event: events.Key) -> bool:
        """Do what a key stands for. False leaves it to the focused text, or to the app."""
        key = key_name(event.key, event.character)
        if not self._screen.has_item:
            if key in ("q", "escape"):
                self._screen.dismiss(None)
            return not event.key.startswith("ctrl+")
        if self._scrolls(key):
            return False
        command = self._by_key.get(key)
        if command is None:
            if event.key.startswith("ctrl+"):
                return False
            self._screen.say(
                f"{key} does nothing here: this item is open for reading. {self.key('keys')} all keys."
            )
        elif command.id == "palette":
            return False
        else:
            act: Callable[[], None] = getattr(self.looking, f"do_{command.id}")
            act()
        return True

    def _scrolls(self, key: str) -> bool:
        screen = self._screen
        in_text = screen.pane == DIALOGUE or (screen.pane == UNITS and screen.panes.reads_responses)
        return in_text and key in ("up", "down", "pageup", "pagedown", "home", "end")

    def hints(self) -> tuple[Hint, ...]:
        """The keys that matter now, the most needed first."""
        wanted = (
            *(("names", "who"),) * self._screen.with_said,
            ("next_unit", "next"),
            ("evidence", "evidence"),
            ("other_side", "other"),
            ("next_item", "next item"),
            ("find", "find"),
            ("next_pane", "pane"),
            ("unfold", "unfold"),
            ("zoom", "zoom"),
            ("items", "go to"),
            ("guideline", "guideline"),
            ("back", "back"),
            ("keys", "keys"),
        )
        return tuple((self.key(name), word) for name, word in wanted if self.key(name))


def _meaning(command: Command) -> Command:
    title = OWN_TITLES.get(command.id, command.title)
    return Command(command.id, command.keys, title, command.group, command.short)
