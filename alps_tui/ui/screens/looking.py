"""Commands that change nothing: moving between parts, items, panes and turns, finding, and the pages of help."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from textual import events

from alps_tui.ui.asking import bar_fields, verdict_field
from alps_tui.ui.commands import Command
from alps_tui.ui.guideline_words import for_people
from alps_tui.ui.screens.filter_list import Entrant, FilterScreen
from alps_tui.ui.screens.panes import DIALOGUE, SESSION, UNITS
from alps_tui.ui.screens.pool_acts import PAGE
from alps_tui.ui.screens.prompt import PromptScreen
from alps_tui.ui.screens.reading import Group, GuidelineScreen, KeysScreen, TextScreen
from alps_tui.ui.shown import evidence_of
from store.kinds import ItemState
from store.records import Assignment

if TYPE_CHECKING:
    from alps_tui.ui.screens.annotate import AnnotateScreen

STATES = {ItemState.OPEN: "· open", ItemState.SUBMITTED: "✓ submitted", ItemState.SKIPPED: "∅ skipped"}


class Looking:
    """The commands of one annotate screen that decide nothing."""

    def __init__(
        self,
        screen: "AnnotateScreen",
        go_on: Callable[[Assignment | None], None],
    ) -> None:
        self._screen = screen
        self._go_on = go_on
        self._needle = ""

    # ------------------------------------------------------------ moving

    def do_next_unit(self) -> None:
        self._move_unit(1)

    def do_previous_unit(self) -> None:
        self._move_unit(-1)

    def _move_unit(self, step: int) -> None:
        screen = self._screen
        if screen.pane == SESSION:
            self._move_question(step)
            return
        if screen.acting.pool.has_cursor:
            screen.acting.pool.move(step)
            return
        units = screen.sitting.units
        if not units:
            return
        at = next((i for i, u in enumerate(units) if screen.unit == u), -1 if step > 0 else 0)
        screen.go_to(units[min(max(at + step, 0), len(units) - 1)])

    def do_next_field(self) -> None:
        self._move_question(1)

    def do_previous_field(self) -> None:
        self._move_question(-1)

    def _move_question(self, step: int) -> None:
        asked = self._screen.question
        if asked is None:
            return
        unit, question = asked
        keys = [f.key for f in bar_fields(self._screen.sitting, unit)]
        at = keys.index(question.key) if question.key in keys else 0
        self._screen.go_to_question(keys[min(max(at + step, 0), len(keys) - 1)])

    def do_next_item(self) -> None:
        self._move_item(1)

    def do_previous_item(self) -> None:
        self._move_item(-1)

    def _move_item(self, step: int) -> None:
        every = self._screen.queue.assignments
        here = self._screen.target_id
        at = next((i for i, a in enumerate(every) if a.id == here), 0)
        if 0 <= at + step < len(every):
            self._go_on(every[at + step])
        else:
            self._screen.say("This is the last item." if step > 0 else "This is the first item.")

    def do_next_pane(self) -> None:
        self._move_pane(1)

    def do_previous_pane(self) -> None:
        self._move_pane(-1)

    def _move_pane(self, step: int) -> None:
        sitting = self._screen.sitting
        there = {
            DIALOGUE: bool(sitting.view.turns),
            UNITS: bool(sitting.units),
            SESSION: bool(sitting.session),
        }
        panes = [pane for pane, is_there in there.items() if is_there] or [DIALOGUE]
        at = panes.index(self._screen.pane) if self._screen.pane in panes else 0
        self._screen.set_pane(panes[(at + step) % len(panes)])

    def do_next_user_turn(self) -> None:
        self._screen.panes.dialogue.move_turn(1, "user")

    def do_previous_user_turn(self) -> None:
        self._screen.panes.dialogue.move_turn(-1, "user")

    def do_page_down(self) -> None:
        self._move_page(1)

    def do_page_up(self) -> None:
        self._move_page(-1)

    def _move_page(self, step: int) -> None:
        if self._screen.acting.pool.has_cursor:
            self._screen.acting.pool.move(step * PAGE)
        elif self._screen.pane == UNITS and self._screen.panes.has_questions:
            self._screen.panes.page_question(step)
        else:
            self._screen.panes.reading.action_pages(step)

    def do_unfold(self) -> None:
        if not self._screen.panes.reading.toggle_fold():
            self._screen.say("This turn is not folded.")
        self._screen.keep_place()

    def do_other_side(self) -> None:
        """The other response of a pair has the keys, and is shown where only one is; from the dialogue back to them."""
        screen = self._screen
        if not screen.panes.has_pairs:
            return
        if screen.pane == UNITS:
            screen.panes.pair.turn()
        screen.set_pane(UNITS)

    def do_find(self) -> None:
        screen, text = self._screen, self._screen.panes.reading
        if screen.acting.pool.has_cursor:
            screen.acting.pool.filter()
            return

        def then(needle: str | None) -> None:
            if needle is not None:
                self._needle = needle
                number = text.find(needle)
                screen.say(self._found() if number or text.is_searching or not needle else self._nowhere())

        screen.ask(PromptScreen("Find", self._needle, placeholder="words, whatever their case"), then)

    def do_find_next(self) -> None:
        self._screen.panes.reading.find_next()
        self._screen.say(self._found())

    def do_find_previous(self) -> None:
        self._screen.panes.reading.find_previous()
        self._screen.say(self._found())

    def _found(self) -> str:
        at, number = self._screen.panes.reading.found
        more = " so far, searching…" if self._screen.panes.reading.is_searching else ""
        if not self._needle:
            return "Nothing to find yet: / finds."
        return f"“{self._needle}”: {at} of {number}{more}. n next, N before." if number else self._nowhere()

    def _nowhere(self) -> str:
        return (
            f"“{self._needle}”: searching…"
            if self._screen.panes.reading.is_searching
            else f"“{self._needle}” is nowhere here."
        )

    def searched(self) -> None:
        """A long search is over: say what it found."""
        self._screen.say(self._found())

    def do_quoting(self) -> None:
        """From the turn to the memories that rest on it, one after the other."""
        screen = self._screen
        turn = screen.panes.dialogue.current_turn
        found = [
            u for u in screen.sitting.units if any(e.turn == turn for e in evidence_of(screen.sitting, u))
        ]
        if not found:
            screen.say(f"No memory quotes turn {turn + 1}.")
            return
        after = found.index(screen.unit) + 1 if screen.unit in found else 0
        screen.go_to(found[after % len(found)], follow=False)

    def do_translation(self) -> None:
        screen = self._screen
        turn = screen.panes.dialogue.current_turn
        text = screen.sitting.view.turns[turn].translation if screen.sitting.view.turns else None
        if not text:
            screen.say(f"Turn {turn + 1} has no stored translation.")
            return
        screen.sitting.translation_seen = True
        screen.keep_place()

        def then(key: events.Key | None) -> None:
            if key is not None:
                screen.take_key(key)

        screen.ask(TextScreen(f"Turn {turn + 1}, translated", text), then)

    def do_rendered(self) -> None:
        """The current turn, or response, as Markdown. What renders it is slow to import, and few ask for it."""
        from alps_tui.ui.screens.rendered import RenderedScreen

        text = self._screen.panes.reading
        if text.turns:
            turn = text.turns[text.current_turn]
            self._screen.ask(RenderedScreen(turn.header, turn.text), lambda _: None)

    def do_rest(self) -> None:
        """Back to where decisions are made: no zoom, the memories or responses in focus."""
        if not self._screen.acting.pool.clear_filter():
            self._screen.rest()

    def do_zoom(self) -> None:
        self._screen.zoom()

    def do_items(self) -> None:
        screen = self._screen
        every = screen.queue.assignments
        entrants = [_entrant(i, a) for i, a in enumerate(every)]

        def direct(text: str) -> tuple[str, int] | None:
            word, number = ("turn", text[1:]) if text[:1] in ("t", "T") else ("item", text)
            return (word, int(number) - 1) if number.isascii() and number.isdigit() else None

        here = next((i for i, a in enumerate(every) if a.id == screen.target_id), 0)
        title = "Go to: 12 is an item, t7 a turn; words filter by id, state, language, ability"
        screen.ask(
            FilterScreen(title, entrants, direct=direct, placeholder="12 · t7 · open", start=here),
            self._go_to,
        )

    def _go_to(self, target: tuple[str, int] | None) -> None:
        if target is None:
            return
        kind, number = target
        screen = self._screen
        if kind == "turn":
            turns = len(screen.panes.dialogue.turns)
            if 0 <= number < turns:
                screen.panes.dialogue.jump(number)
            else:
                screen.say(f"There are {turns} turns.")
        elif 0 <= number < len(screen.queue.assignments):
            self._go_on(screen.queue.assignments[number])
        else:
            screen.say(f"There are {len(screen.queue.assignments)} items.")

    def do_guideline(self) -> None:
        self._screen.ask(self.guideline_at(self._word_in_focus()), lambda _: None)

    def guideline_at(self, question: str) -> GuidelineScreen:
        """The guideline, opened at the question of this title."""
        protocol = self._screen.protocol
        return GuidelineScreen(f"Guideline · {protocol.title}", for_people(protocol), question)

    def _word_in_focus(self) -> str:
        """What the guideline should be opened at: the question that is answered next here."""
        screen = self._screen
        if not screen.has_item:
            return ""
        verdict = verdict_field(screen.sitting, screen.unit) if screen.unit else None
        if verdict is not None and screen.pane != SESSION:
            return verdict.title
        asked = screen.question
        return asked[1].title if asked else ""

    def do_keys(self) -> None:
        self._screen.ask(KeysScreen(self.key_groups()), lambda _: None)

    def key_groups(self) -> list[Group]:
        """Every key of this screen: the commands by group, then the form's answers."""
        protocol = self._screen.protocol
        groups: list[Group] = []
        groups += grouped(self._screen.acting.commands)
        for field in protocol.fields:
            keys = [
                (o.key or "", f"{o.label}: {o.anchor}" if o.anchor else o.label)
                for o in field.choices
                if o.key
            ]
            if keys:
                groups.append((field.title, keys))
        return groups

    def do_palette(self) -> None:
        self._screen.app.action_command_palette()


def grouped(commands: Sequence[Command]) -> list[Group]:
    """The commands that have a key, by their groups."""
    return [
        (group, [(" ".join(c.keys), c.title) for c in commands if c.group == group and c.keys])
        for group in dict.fromkeys(command.group for command in commands)
    ]


def _entrant(place: int, assignment: Assignment) -> Entrant[tuple[str, int]]:
    """An item as it stands in the list: its number, id, language, ability and state."""
    aside = " · ".join(p for p in (assignment.language, assignment.ability, STATES[assignment.state]) if p)
    return Entrant(("item", place), f"{place + 1:>4}  {assignment.shown_id}  {aside}")
