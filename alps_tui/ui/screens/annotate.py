"""The annotate screen: one item after the other, each key a decision on the item that was on the screen."""

from collections.abc import Callable
from dataclasses import replace
from datetime import datetime
from time import monotonic
from typing import Any, ClassVar

from textual import events, work
from textual.app import ComposeResult
from textual.binding import BindingType
from textual.message import Message
from textual.screen import Screen
from textual.worker import get_current_worker

from alps_tui.protocols.schema import Field
from alps_tui.ui.active_time import ActiveClock
from alps_tui.ui.asking import bar_fields, first_open_field
from alps_tui.ui.pause import Pause
from alps_tui.ui.place import ItemPlace
from alps_tui.ui.review_board import ReviewSitting, reviews_in
from alps_tui.ui.screens.acting import Acting
from alps_tui.ui.screens.advancing import Advancing
from alps_tui.ui.screens.base import HEIGHTS, WIDTHS, go_on
from alps_tui.ui.screens.deciding import Deciding
from alps_tui.ui.screens.memory_acts import MemoryActs
from alps_tui.ui.screens.on_item import OnItem
from alps_tui.ui.screens.outcomes import Outcomes
from alps_tui.ui.screens.panes import DIALOGUE, SESSION, UNITS, ItemPanes
from alps_tui.ui.screens.standing import not_saved_words, saving_words, standing
from alps_tui.ui.session import Loaded, Queue, Session
from alps_tui.ui.sitting import Sitting
from alps_tui.ui.widgets.banner import Banner
from alps_tui.ui.widgets.blocks import Blocks
from alps_tui.ui.widgets.key_bar import KeyBar
from alps_tui.ui.widgets.status_line import StatusLine
from alps_tui.ui.widgets.transcript_messages import SpanCancelled, SpanChosen, TurnChanged
from store.errors import StoreError
from store.kinds import ItemState, UnitKind, Verb
from store.records import Act, Assignment, UnitView


class AnnotateScreen(OnItem, Screen[str | None]):
    """Shows the items of one queue. Result: a sentence for the screen below, or None."""

    BINDINGS: ClassVar[list[BindingType]] = []
    AUTO_FOCUS = ""
    HORIZONTAL_BREAKPOINTS = WIDTHS

    VERTICAL_BREAKPOINTS = HEIGHTS

    class ItemRead(Message):
        """An item was read; `token` says for which opening."""

        def __init__(self, token: int, loaded: Loaded) -> None:
            super().__init__()
            self.token, self.loaded = token, loaded

    class ReadFailed(Message):
        def __init__(self, token: int, sentence: str) -> None:
            super().__init__()
            self.token, self.sentence = token, sentence

    def __init__(
        self,
        session: Session,
        queue: Queue,
        clock: ActiveClock,
        when: Callable[[], datetime],
        start: Assignment | None = None,
    ) -> None:
        """`when` says when the key was pressed that is being dealt with."""
        super().__init__()
        self._when = when
        self.session = session
        self.protocol = queue.protocol
        self.clock = clock
        self._queue = queue
        self._start = start or queue.left_off or queue.next_open or queue.assignments[0]
        self._place = ItemPlace()
        self._question: str | None = None
        self.pane = UNITS
        self._token = 0
        self._target = self._start.id
        self._painted_token = -1
        self._painted_at = 0.0
        self._leaving = self._has_left = False
        self._asking = False
        self._is_composed = self._is_stale = self._follow = False
        self.outcomes = Outcomes(self)
        self.deciding = Deciding(self)
        self.memories = MemoryActs(self, self.deciding)
        self.acting = Acting(self)
        self.advancing = Advancing(self)

    # ------------------------------------------------------------ parts

    def compose(self) -> ComposeResult:
        yield StatusLine(id="status")
        yield Banner(id="banner")
        yield ItemPanes(id="panes", compares=UnitKind.RESPONSE_PAIR in self.protocol.kinds)
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self._place_pause = Pause(self, self.flush_place)
        self._is_composed = True
        self.call_after_refresh(self.open, self._start)
        go_on(self)

    @property
    def panes(self) -> ItemPanes:
        return self.query_one("#panes", ItemPanes)

    @property
    def key_bar(self) -> KeyBar:
        return self.query_one("#keys", KeyBar)

    @property
    def is_asking(self) -> bool:
        """A modal of this screen is open, or its answer is on the way."""
        return self._asking

    @property
    def place(self) -> ItemPlace:
        return self._place

    @property
    def queue(self) -> Queue:
        return self._queue

    @property
    def question(self) -> tuple[UnitView, Field] | None:
        """The question that digits answer now, with the part it is about."""
        if self._sitting is None:
            return None
        session = self._sitting.session
        parts = [session] if self.pane == SESSION else [self.unit, session]
        for part in parts:
            fields = bar_fields(self._sitting, part)
            if part is not None and fields:
                found = next((f for f in fields if f.key == self._question), None)
                return part, found or first_open_field(self._sitting, part) or fields[0]
        return None

    # ------------------------------------------------------------ opening an item

    def open(self, assignment: Assignment) -> None:
        """Read an item and show it; the newest call wins. Keys decide nothing until it is on the screen."""
        self.flush_place()
        self._token += 1
        self._target = assignment.id
        self._leaving = True
        self._read(assignment, self._token)
        self.show_status()

    @work(thread=True, exclusive=True, group="read", exit_on_error=False)
    def _read(self, assignment: Assignment, token: int) -> None:
        try:
            loaded = self.session.load(assignment)
        except StoreError as error:
            self.post_message(self.ReadFailed(token, str(error)))
            return
        if not get_current_worker().is_cancelled:
            self.post_message(self.ItemRead(token, loaded))

    def on_annotate_screen_item_read(self, event: ItemRead) -> None:
        if event.token != self._token:
            return
        view = event.loaded.view
        self._place = ItemPlace.from_json(event.loaded.place)
        self.clock.restart()
        form, window = event.loaded.protocol, self.session.window
        kind = ReviewSitting if reviews_in(form) else Sitting
        self._sitting = kind(view, form, now=self._when, take_active_ms=self.clock.take, window=window)
        self.acting.use(form)
        if isinstance(self._sitting, ReviewSitting):
            self._sitting.keys = (self.acting.key("no_partner"), self.acting.key("pair"))
        self._sitting.translation_seen = self._place.translation_seen
        self._leaving = False
        self.outcomes.saved_at = self.outcomes.overtaken = ""
        self.note_state(view.assignment.id, view.answers.state)
        sitting = self._sitting
        first = sitting.next_open(None) or next(iter(sitting.units), None)
        known = self._place.unit if self._place.unit and sitting.unit(self._place.unit) else None
        self._unit = known or (first.key if first else None)
        self._question = self._place.question
        self.panes.show_item(sitting, self._place)
        pane = self._place.pane or (UNITS if sitting.units else DIALOGUE)
        self.set_pane(pane if pane in (DIALOGUE, UNITS, SESSION) else UNITS)
        self.session.keep(view.assignment.id, self._place.to_json())  # killed now, this item comes again
        self.session.opened(view.assignment.id)
        self.keep_place()
        self.refresh_item()
        if self.panes.reads_responses or (self._place.reading is None and view.update is None):
            self.panes.go_to_evidence(sitting, self.unit)
        self._greet()
        self.refresh(
            layout=True
        )  # one frame with all of the new item, never the new name above the old cards

    def _greet(self) -> None:
        """What a rater should know of an item on coming to it."""
        state, drafts, key = self.sitting.state, self._place.drafts, self.acting.key
        if state == ItemState.SUBMITTED:
            self.say(f"Submitted. {key('reopen')} reopens it; {key('next_item')} goes on.")
        elif state == ItemState.SKIPPED:
            self.say(f"Skipped: {self.sitting.shown.skip_reason or ''}. {key('reopen')} reopens it.")
        elif self.sitting.is_revealed and not self.sitting.n_decided():
            self.say("Locked. Beside it stands what the judge said: is it supported?")
        elif drafts:
            self.say("A text you had begun here is kept: the same key goes on with it.")

    def on_annotate_screen_read_failed(self, event: ReadFailed) -> None:
        if event.token == self._token:
            self._leaving = False
            self.say(event.sentence)
            self.show_status()

    def on_status_line_drawn(self, event: StatusLine.Drawn) -> None:
        """The frame with this item is on its way to the terminal: keys pressed from now on are about it."""
        if event.token != self._painted_token:
            self._painted_token = event.token
            self._painted_at = monotonic()

    def was_shown(self, pressed_at: float) -> bool:
        """Whether the item was before the rater's eyes when a key was pressed, and is not being left."""
        return (
            self.has_item
            and not self._leaving
            and self._painted_token == self._token
            and pressed_at > self._painted_at
        )

    # ------------------------------------------------------------ keys

    @property
    def holds_keys(self) -> bool:
        """Keys wait until there is a screen, and while the answer of a modal is on its way: they may be about it."""
        return self._asking or not self._is_composed

    def take_key(self, event: events.Key) -> bool:
        """Every key comes here first, in order; see `Acting` for what it does."""
        if self._sitting is not None:
            self._sitting.gave_way = ""
        if self.has_item and self.acting.marking.is_on:
            self.say("")
            return self.acting.marking.take(event.character or "")
        self.say("")
        return self.acting.take(event)

    def ask(self, screen: Screen[Any], then: Callable[[Any], None]) -> None:
        """Open a modal; `then` gets its result."""
        self._asking = True

        def answered(result: Any) -> None:
            self._asking = False
            self.advancing.was_asked(screen, result)
            then(result)
            if self._sitting is not None and not self._asking:
                self._sitting.looked()
            go_on(self)

        self.app.push_screen(screen, answered)

    def guideline_at(self, question: str) -> Screen[Any]:
        """The guideline of the form, opened at the question of this title."""
        return self.acting.looking.guideline_at(question)

    # ------------------------------------------------------------ acts

    def put(self, act: Act) -> None:
        """Hand an act to the writer and show it at once."""
        if act.verb in (Verb.SUBMIT, Verb.SKIP, Verb.REVEAL):
            self._leaving = True
        self.session.put(act)
        if self.sitting.gave_way:
            self.say("")
        self.stay_on_a_part()
        self.refresh_item()

    def stay(self) -> None:
        """The item is not left after all: its submit or skip could not be written."""
        self._leaving = False

    @property
    def is_before_the_rater(self) -> bool:
        """The item in hand is the one on the screen, and no other is being opened."""
        return self._painted_token == self._token

    def show_anew(self) -> None:
        """The item is not what it was: keys decide nothing until it has been drawn again."""
        if self.is_before_the_rater:
            self._token += 1
            self.stay_on_a_part()

    def stay_on_a_part(self) -> None:
        """Where the part under the cursor is gone (an added memory taken out), the last one takes it."""
        if self._sitting is not None and self._unit is not None and self.unit is None:
            self.go_to(self.sitting.units[-1] if self.sitting.units else None)

    def ask_here(self, question: str | None) -> None:
        """The question that digits answer next, without moving anything else."""
        self._question = question

    def note_state(self, assignment_id: int, state: ItemState) -> None:
        every = tuple(
            replace(a, state=state) if a.id == assignment_id else a for a in self._queue.assignments
        )
        self._queue = replace(self._queue, assignments=every)

    # ------------------------------------------------------------ where the cursor is

    def go_to(self, unit: UnitView | None, question: str | None = None, *, follow: bool = True) -> None:
        """Put the cursor on a part; the dialogue follows to its evidence."""
        moved = (unit.key if unit else None) != self._unit
        self._unit = unit.key if unit else None
        self._question = question
        self._follow = self._follow or (moved and follow)
        self.refresh_item()
        self.keep_place()

    def show_unit(self, key: str) -> None:
        """Put the cursor on a part by its key, one still being saved too."""
        self.go_to(self.sitting.unit(key))

    def go_to_question(self, question: str | None) -> None:
        self._question = question
        self.refresh_item()
        self.keep_place()

    def set_pane(self, pane: str) -> None:
        self.pane = pane
        self.panes.focus_pane(pane)
        if self.has_item:
            self.refresh_item()
            self.keep_place()

    def advance(self, unit: UnitView, answered: str | None) -> None:
        """Go on after an answer."""
        self.advancing.advance(unit, answered)

    def say_what_is_left(self) -> None:
        if self.sitting.next_open(None) is not None:
            return
        gap = next(self.sitting.gaps(), None)
        self.say(
            f"Still to answer: {gap.field.title}"
            if gap
            else f"Everything required is answered: {self.acting.key('submit')} {self.acting.submits}."
        )

    # ------------------------------------------------------------ leaving

    @property
    def target_id(self) -> int:
        """The assignment on the screen, or the one being opened."""
        return self._target

    @property
    def has_left(self) -> bool:
        return self._has_left

    @property
    def failure(self) -> str:
        return self.outcomes.failure

    def finish(self) -> None:
        """Nothing is open any more in this queue."""
        self.leave(sentence=f"Everything in {self.protocol.name} is answered. Thank you.")

    def leave(self, *, with_unsaved: bool = False, sentence: str | None = None) -> None:
        """Back to the screen below; with something unsaved only after it was written to a file."""
        if self._has_left or (self.session.failed and not with_unsaved):
            return
        self._has_left = True
        self.flush_place()
        self.dismiss(sentence)

    def rest(self) -> None:
        """No zoom, the parts in focus."""
        self.panes.unzoom()
        self.refresh_item()
        self.set_pane(UNITS if self.has_item and self.sitting.units else DIALOGUE)

    def zoom(self) -> None:
        """The pane in focus takes the whole screen, or gives it back."""
        self.panes.zoom(self.pane)
        self.refresh_item()

    # ------------------------------------------------------------ drawing

    def say(self, sentence: str) -> None:
        """A sentence in the last line, until the next key; before it, what the act of this key took back."""
        gone = f"Taken back: {self._sitting.gave_way}. " if self._sitting and self._sitting.gave_way else ""
        self.key_bar.say(f"{gone}{sentence}")

    def refresh_item(self) -> None:
        """Show everything as it is once what is being done is done; many calls are one drawing."""
        if not self._is_stale:
            self._is_stale = True
            self.call_next(self._draw)

    def _draw(self) -> None:
        self._is_stale = False
        follow, self._follow = self._follow, False
        if self._sitting is None:
            return
        self.show_status()  # before all else: no frame shows an act beside a "saved" of the one before
        asked = self.question
        self.panes.show(self._sitting, self.unit, asked[1] if asked else None, self.pane)
        if follow:  # after the marks were set: setting marks settles where the top row is
            self.panes.go_to_evidence(self._sitting, self.unit)
        self.key_bar.show(self.acting.hints())

    def show_status(self) -> None:
        failed = len(self.session.failed)
        self.query_one(Banner).say(not_saved_words(self.outcomes.failure, failed) or self.outcomes.overtaken)
        if self._sitting is None:
            return
        is_painted = self._painted_token == self._token
        token = self._token if not self._leaving or is_painted else self._painted_token
        saving = saving_words(self._sitting, failed, self.outcomes.place_failed, self.outcomes.saved_at)
        line = standing(self._sitting.view.assignment, self._queue, self.session.rater, token, saving)
        self.query_one(StatusLine).show(line)

    # ------------------------------------------------------------ place

    def keep_place(self) -> None:
        """Remember where the rater is, once they pause."""
        self._place_pause.poke()

    def flush_place(self) -> None:
        """Remember it now."""
        if self._sitting is None:
            return
        self._place_pause.drop()
        place = self._place
        place.unit, place.question, place.pane = self._unit, self._question, self.pane
        place.reading = self.panes.reading_place()
        place.translation_seen = self._sitting.translation_seen
        self.session.keep(self._sitting.assignment_id, place.to_json())

    # ------------------------------------------------------------ what widgets say

    def on_transcript_turn_changed(self, event: TurnChanged) -> None:
        if event.transcript.id == "dialogue" and self.has_item:
            self.panes.say_turn()
            self.keep_place()

    def on_transcript_span_chosen(self, event: SpanChosen) -> None:
        if event.transcript.id == "dialogue":
            self.acting.marking.span_chosen(event.turn, event.start, event.end)
        else:
            self.acting.rating.chosen(event.turn, event.start, event.end)

    def on_transcript_searched(self) -> None:
        self.acting.looking.searched()

    def on_transcript_span_cancelled(self, event: SpanCancelled) -> None:
        (self.acting.marking.span_left if event.transcript.id == "dialogue" else self.acting.rating.left)()

    def on_blocks_picked(self, event: Blocks.Picked) -> None:
        """A click: on a card, or on a memory of a pool."""
        if not self.has_item or self._leaving:
            return
        if event.blocks.id in ("cards", "ledger") and event.index < len(self.sitting.units):
            self.set_pane(UNITS)
            self.go_to(self.sitting.units[event.index])
        elif event.blocks.id == "pool":
            self.set_pane(UNITS)
            self.acting.pool.put(event.index)

    def on_resize(self) -> None:
        if self.has_item:
            self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        if self.panes.reads_responses and self.unit is not None:
            self.panes.show_response(self.sitting, self.unit)
        self.refresh_item()
