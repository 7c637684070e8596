"""What each key of the annotate screen does: from the pressed key to the command, the answer or nothing."""

from collections.abc import Callable
from typing import TYPE_CHECKING

from textual import events

from alps_tui.protocols import rules
from alps_tui.protocols.schema import Field, Option, Protocol
from alps_tui.ui import contradictions
from alps_tui.ui.asking import answer_keys, letter_options, verdict_field
from alps_tui.ui.commands import REVIEW_COMMANDS, Command, by_key, key_name, remapped, with_form_keys
from alps_tui.ui.screens.intent_acts import IntentActs
from alps_tui.ui.screens.looking import Looking
from alps_tui.ui.screens.marking import KEYS as MARKING_KEYS
from alps_tui.ui.screens.marking import Marking, span_field
from alps_tui.ui.screens.not_saved import SAVED, NotSavedScreen
from alps_tui.ui.screens.panes import DIALOGUE, SESSION, UNITS
from alps_tui.ui.screens.pool_acts import PoolActs
from alps_tui.ui.screens.rating_acts import RatingActs
from alps_tui.ui.screens.review_acts import ReviewActs
from alps_tui.ui.shown_intent import asks_intents
from alps_tui.ui.widgets.key_bar import Hint
from store.kinds import ItemState, UnitKind, Verb
from store.records import Assignment, UnitView

if TYPE_CHECKING:
    from alps_tui.ui.screens.annotate import AnnotateScreen

SUBMIT_ONCE_SECONDS = 0.3
"""Enter again within this time is the same Enter."""

WITHOUT_ITEM = frozenset(
    {"next_item", "previous_item", "items", "guideline", "keys", "palette", "back", "zoom", "rest"}
)
"""Commands that decide nothing about the item and may come while the next one is being read."""


class Acting:
    """The commands of one annotate screen."""

    def __init__(self, screen: "AnnotateScreen") -> None:
        self._screen = screen
        self._last_enter = 0.0
        self.pool = PoolActs(screen)
        self.intents = IntentActs(screen)
        self.rating = RatingActs(screen)
        self.reviews = ReviewActs(screen)
        self.marking = Marking(screen, self.rating)
        self._take_keys_of(screen.protocol)

    def use(self, form: Protocol) -> None:
        """The item in hand is asked on this version of the form, which may have other keys and another guideline."""
        if form.content_hash != self._screen.protocol.content_hash:
            self._screen.protocol = form
            self._take_keys_of(form)

    def _take_keys_of(self, form: Protocol) -> None:
        keymap = self._screen.session.keymap.commands
        self._everywhere = remapped(with_form_keys(form.keys), keymap)
        self._reviewing = remapped(REVIEW_COMMANDS, keymap)
        self._by_key, self._of_reviews = by_key(self._everywhere), by_key(self._reviewing)
        self.looking = Looking(self._screen, self.go_on)

    @property
    def commands(self) -> tuple[Command, ...]:
        """Every command of the screen as it is now."""
        return self._everywhere + (self._reviewing if self.reviews.is_on else ())

    # ------------------------------------------------------------ keys

    def take(self, event: events.Key) -> bool:
        """Do what a key stands for. False leaves it to the focused widget (scrolling)."""
        key = key_name(event.key, event.character)
        if self._scrolls(key):
            return False
        command = self._by_key.get(key)
        if command is None and self.reviews.is_on:
            command = self._of_reviews.get(key)
        if command is not None:
            if command.id == "palette":
                return False
            self._screen.advancing.goes_by_hand()
            self.run(command, event.time)
            return True
        if key.isdigit():
            self._on_item(event.time, lambda: self._digit(key, event.time))
            return True
        return self._letter(key, event.time)

    def _scrolls(self, key: str) -> bool:
        """Keys that scroll the text which has the focus."""
        screen = self._screen
        in_text = screen.pane == DIALOGUE or (screen.pane == UNITS and screen.panes.reads_responses)
        return in_text and key in ("up", "down", "pageup", "pagedown", "home", "end")

    def _letter(self, key: str, pressed_at: float) -> bool:
        screen = self._screen
        if len(key) != 1:
            return False
        if not screen.has_item:
            self._on_item(pressed_at, lambda: None)
            return True
        found = letter_options(screen.sitting, screen.unit).get(key)
        if found is not None:
            unit, question, option = found
            self._on_open_item(pressed_at, lambda: screen.deciding.choose(unit, question, option))
            return True
        if self.rating.takes_sign(key):
            self._on_item(pressed_at, lambda: self._digit(key, pressed_at))
            return True
        return self._letter_of_made(key, pressed_at)

    def _letter_of_made(self, key: str, pressed_at: float) -> bool:
        """`e` and `x` on a memory of the rater's own: it has no verdict, but it can be put right or taken out."""
        unit = self._screen.unit
        if unit is None or not unit.made or key not in "ex":
            return False
        edit = self.intents.edit if unit.kind is UnitKind.INTENT else self._screen.memories.edit_made
        deciding = self._screen.deciding
        act = (lambda: edit(unit)) if key == "e" else (lambda: deciding.clear(unit, None))
        self._on_open_item(pressed_at, act)
        return True

    def run(self, command: Command, pressed_at: float) -> None:
        """Do a command, by key or from the palette."""
        part = next(
            p
            for p in (self, self.looking, self.marking, self.pool, self.intents, self.reviews)
            if hasattr(p, f"do_{command.id}")
        )
        act: Callable[[], None] = getattr(part, f"do_{command.id}")
        if command.id in WITHOUT_ITEM:
            act()
        elif command.id == "submit":
            self._on_item(pressed_at, lambda: self._submit_once(pressed_at))
        else:
            self._on_item(pressed_at, act)

    def _on_item(self, pressed_at: float, act: Callable[[], None]) -> None:
        """Only for the item that was on the screen at the key press; any other key is dropped, and said so."""
        if self._screen.was_shown(pressed_at):
            act()
        else:
            self._screen.say("That key came before the item was on the screen; it did nothing.")

    def _on_open_item(self, pressed_at: float, act: Callable[[], None]) -> None:
        """Decisions: only while the item is open."""

        def if_open() -> None:
            if self.is_open():
                act()

        self._on_item(pressed_at, if_open)

    def is_open(self) -> bool:
        state = self._screen.sitting.state
        if state != ItemState.OPEN:
            self._screen.say(f"This item is {state}; {self.key('reopen')} reopens it.")
        return state == ItemState.OPEN

    def key(self, command_id: str) -> str:
        """The key of a command as it is now; the first of several, "" for one that has none."""
        found = next(command for command in self.commands if command.id == command_id)
        return next(iter(found.keys), "")

    @property
    def submits(self) -> str:
        """What submitting does to the item as it stands."""
        sitting = self._screen.sitting
        waits = sitting.protocol.reveals and not sitting.is_revealed
        return "locks it and shows what the judge said" if waits else "submits"

    def _hint(self, command_id: str, word: str) -> Hint:
        return (self.key(command_id), word)

    def _answers(self, word: str) -> Hint:
        """The keys that answer the question in focus, and what they do."""
        asked = self._screen.question
        if asked is None:
            return ("0-9", word)
        return (answer_keys(asked[1]) or "0-9", "write" if asked[1].kind == "text" else word)

    def hints(self) -> tuple[Hint, ...]:
        """The keys that matter now, the most needed first."""
        screen = self._screen
        sitting, unit = screen.sitting, screen.unit
        if self.marking.is_on:
            return MARKING_KEYS
        if sitting.state != ItemState.OPEN:
            return (
                self._hint("reopen", "reopen"),
                self._hint("next_item", "next item"),
                self._hint("previous_item", "previous"),
                self._hint("items", "go to"),
                self._hint("back", "back"),
                self._hint("keys", "keys"),
            )
        verdict = verdict_field(sitting, unit) if unit else None
        first: list[Hint] = [(o.key or "", o.label) for o in verdict.options] if verdict else []
        if not first and unit is not None and unit.made:
            first = [("e", "edit"), ("x", "take it out"), *self._own_hint("add_intent")]
        elif not first and asks_intents(sitting.protocol):
            first = self._own_hint("add_intent")
        elif not first and self.reviews.is_on:
            first = [
                ("1-9", "pair with"),
                self._hint("no_partner", "no partner"),
                self._hint("pair", "find"),
                self._hint("why", "why"),
                ("bksp", "take out"),
            ]
        elif not first and screen.panes.has_responses:
            whole = [self._hint("zoom", "whole scale")] if screen.panes.is_short else []
            first = [self._answers("rate"), ("j k", "response"), ("← →", "question"), *whole]
        elif not first and screen.panes.has_pairs:
            first = [
                self._answers("choose"),
                *self._own_hint("other_side"),
                ("← →", "question"),
                ("j k", "pair"),
            ]
        elif not first:
            first = [self._answers("answer"), ("← →", "question"), *self._hints_of_pool()]
        passages = span_field(sitting, unit)
        marks = "passage" if passages is not None and passages.on == "unit" else "evidence"
        evidence = [self._hint("evidence", marks)] if passages is not None else []
        return (
            *first,
            *evidence,
            self._hint("submit", "submit"),
            self._hint("undo", "undo"),
            self._hint("next_item", "next item"),
            *([] if self.pool.has_cursor else [self._hint("find", "find")]),
            self._hint("next_pane", "pane"),
            self._hint("zoom", "zoom"),
            self._hint("guideline", "guideline"),
            self._hint("skip", "skip"),
            self._hint("keys", "keys"),
        )

    def _own_hint(self, command_id: str) -> list[Hint]:
        """Of a command that the form may have given a key to."""
        return [self._hint(c.id, c.short) for c in self.commands if c.id == command_id]

    def _hints_of_pool(self) -> list[Hint]:
        if self._screen.panes.pool is None:
            return []
        own = [self._hint(c.id, c.short) for c in self.commands if c.id in ("show_target", "mark_entry")]
        return [*own, self._hint("find", "filter")] if self.pool.has_cursor else own

    # ------------------------------------------------------------ answers by digit

    def _digit(self, key: str, pressed_at: float) -> None:
        if self.reviews.is_on and self.is_open() and self.reviews.digit(key):
            return
        asked = self._screen.question
        if asked is None or not self.is_open():
            return
        unit, question = asked
        waits = self.pool.waits(unit, question)
        waits = waits or self._screen.advancing.too_soon(unit, question, key, pressed_at)
        if waits:
            self._screen.say(waits)
            return
        if question.kind in ("text", "number"):
            self._screen.deciding.ask_value(unit, question, key if question.kind == "number" else "")
            return
        if self.rating.digit(unit, question, key):
            return
        option = option_by_digit(question, key)
        if option is None:
            self._screen.say(f"{key} is no answer to “{question.title}”.")
        else:
            self._screen.deciding.choose(unit, question, option)

    # ------------------------------------------------------------ from item to item

    def go_on(self, assignment: Assignment | None) -> None:
        """Leave this item for another one, unless something of it is not saved; None: there is none left."""
        if self._screen.session.failed:
            self.leave_or_stay(lambda: self.go_on(assignment))
        elif assignment is None:
            self._screen.finish()
        else:
            self._screen.open(assignment)

    # ------------------------------------------------------------ deciding

    def do_cannot(self) -> None:
        screen = self._screen
        asked = screen.question
        if not self.is_open():
            return
        unit = screen.unit if screen.pane != SESSION else screen.sitting.session
        if unit is None:
            unit = asked[0] if asked else None
        if unit is not None:
            screen.deciding.cannot(unit, asked[1] if asked and asked[0] == unit else None)

    def do_clear(self) -> None:
        """The answer in focus: the verdict with all beside it, or one question."""
        screen = self._screen
        if not self.is_open() or self.reviews.clear():
            return
        asked, unit = screen.question, screen.unit
        if unit is not None and screen.pane != SESSION and (unit.made or verdict_field(screen.sitting, unit)):
            screen.deciding.clear(unit, None)
        elif asked is not None:
            screen.deciding.clear(*asked)

    def do_note(self) -> None:
        unit = self._remark_on()
        if unit is None or unit.id > 0:
            self._screen.deciding.remarks.note(unit)

    def do_flag(self) -> None:
        unit = self._remark_on()
        if unit is None or unit.id > 0:
            self._screen.deciding.remarks.flag(unit)

    def _remark_on(self) -> UnitView | None:
        """What a note or flag is about: the part in focus, the whole item from the session pane."""
        screen = self._screen
        if screen.unit is not None and screen.unit.id < 0:
            screen.say(f"{screen.unit.shown_id} is still being saved; press the key again.")
        return None if screen.pane == SESSION else screen.unit

    def do_undo(self) -> None:
        self._step(Verb.UNDO)

    def do_redo(self) -> None:
        self._step(Verb.REDO)

    def _step(self, verb: Verb) -> None:
        sitting = self._screen.sitting
        if self._screen.session.failed:
            self._screen.say(
                f"{verb.capitalize()} waits: what you did last is not saved yet, and is tried again."
            )
            return
        possible = sitting.shown.can_undo if verb == Verb.UNDO else sitting.shown.can_redo
        if possible or sitting.pending:
            self._screen.put(sitting.act(verb))
        else:
            self._screen.say(f"There is nothing to {verb} on this item.")

    # ------------------------------------------------------------ the memories' own

    def do_add_memory(self) -> None:
        self._if_open(self._screen.memories.add)

    def do_take_over(self) -> None:
        self._if_open(self._screen.memories.take_over)

    def do_merge(self) -> None:
        self._if_open(self._screen.memories.merge)

    def do_split(self) -> None:
        self._if_open(self._screen.memories.split)

    def _if_open(self, act: Callable[[], None]) -> None:
        if self.is_open():
            act()

    # ------------------------------------------------------------ the item

    def _submit_once(self, pressed_at: float) -> None:
        again = pressed_at - self._last_enter < SUBMIT_ONCE_SECONDS
        self._last_enter = pressed_at
        if not again:
            self.do_submit()

    def do_submit(self) -> None:
        """Submit if nothing required is missing; else go to the first that is, and name it."""
        screen, sitting = self._screen, self._screen.sitting
        if sitting.state != ItemState.OPEN:
            self.is_open()
            return
        gap = next(sitting.gaps(), None)
        if gap is not None:
            self._go_to_gap(gap.unit, gap.field)
            return
        for unit in sitting.units:
            for field, sentence in sitting.broken(unit):
                self._go_to_gap(unit, field, sentence)
                return
        for field, sentence in contradictions.broken(sitting, {}):
            assert sitting.session is not None
            answer = sitting.value(sitting.session, field.key)
            self._go_to_gap(sitting.session, field, contradictions.said(field, answer, sentence))
            return
        wrong = self._broken_rule()
        if wrong:
            screen.say(wrong)
            return
        waits = sitting.protocol.reveals and not sitting.is_revealed
        screen.put(sitting.act(Verb.REVEAL if waits else Verb.SUBMIT))

    def _go_to_gap(self, unit: UnitView, field: Field, sentence: str = "") -> None:
        screen = self._screen
        is_session = unit == screen.sitting.session
        screen.set_pane(SESSION if is_session else UNITS)
        if is_session:
            screen.go_to_question(field.key)
        else:
            screen.go_to(unit, field.key)
        name = "" if is_session else f"{unit.shown_id}: "
        screen.say(f"Not yet: {name}{sentence or field.title}")

    def _broken_rule(self) -> str | None:
        """A rule over several parts that does not hold yet."""
        sitting = self._screen.sitting
        for kind in sitting.protocol.kinds:
            values = [sitting.values(u) for u in sitting.units if u.kind == kind]
            for field, sentence in rules.check_units(sitting.protocol, kind, values):
                return f"{field.title}: {sentence}"
            if kind in sitting.protocol.rows:
                made = sum(u.kind == kind for u in sitting.shown.made)
                sentence_or_none = rules.check_rows(sitting.protocol, UnitKind(kind), made)
                if sentence_or_none and made:
                    return sentence_or_none
        return None

    def do_skip(self) -> None:
        self._if_open(self._screen.deciding.remarks.skip)

    def do_reopen(self) -> None:
        sitting = self._screen.sitting
        if sitting.state == ItemState.OPEN:
            self._screen.say("This item is open.")
        else:
            self._screen.put(sitting.act(Verb.REOPEN))

    # ------------------------------------------------------------ help and leaving

    def do_back(self) -> None:
        if self._screen.session.failed:
            self.leave_or_stay(self._screen.leave)
        else:
            self._screen.leave()

    def leave_or_stay(self, leave: Callable[[], None], exported: str = "") -> None:
        """Something is not saved: try again, write it to a file, or stay. Only after that file one may leave."""
        screen = self._screen

        def then(way: str | None) -> None:
            if way == "retry":
                screen.session.retry()
                screen.say("Trying again.")
            elif way == "export":
                try:
                    path = str(screen.session.export_unsaved())
                except OSError as error:
                    screen.say(f"The file could not be written: {error}.")
                    return
                self.leave_or_stay(leave, path)
            elif way == "leave":
                screen.leave(with_unsaved=True)
            elif way == SAVED:
                screen.say("Everything is saved now.")

        kept_in = screen.session.kept_in
        screen.ask(NotSavedScreen(screen.failure, len(screen.session.failed), exported, kept_in), then)

    def do_not_saved(self) -> None:
        """What is not saved, and the ways to keep it."""
        if self._screen.session.failed:
            self.leave_or_stay(self._screen.leave)


def option_by_digit(question: Field, key: str) -> Option | None:
    """The option a digit stands for: the one with that key, else the one at that place if it has no key."""
    found = question.option_for(key)
    if found is not None:
        return found
    at = int(key) - 1 if key.isdigit() else -1
    choices = question.choices
    return choices[at] if 0 <= at < len(choices) and choices[at].key is None else None
