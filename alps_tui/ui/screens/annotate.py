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
from alps_tui.ui.screens.acting import Acting
from alps_tui.ui.screens.base import HEIGHTS, WIDTHS, go_on
from alps_tui.ui.screens.deciding import Deciding
from alps_tui.ui.screens.memory_acts import MemoryActs
from alps_tui.ui.screens.not_saved import SAVED, NotSavedScreen
from alps_tui.ui.screens.panes import DIALOGUE, SESSION, UNITS, ItemPanes
from alps_tui.ui.screens.standing import not_saved_words, saving_words, standing
from alps_tui.ui.session import Loaded, PlaceFailed, PlaceSaved, Queue, Session
from alps_tui.ui.sitting import Sitting, changed_cells, same_answers
from alps_tui.ui.widgets.banner import Banner
from alps_tui.ui.widgets.blocks import Blocks
from alps_tui.ui.widgets.key_bar import KeyBar
from alps_tui.ui.widgets.status_line import StatusLine
from alps_tui.ui.widgets.transcript_messages import SpanCancelled, SpanChosen, TurnChanged
from store.errors import StoreError
from store.kinds import ItemState, Verb
from store.records import Act, Assignment, ItemAnswers, Saved, UnitView
from store.writer import WriteFailed


class AnnotateScreen(Screen[str | None]):
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
        self._sitting: Sitting | None = None
        self._place = ItemPlace()
        self._unit: str | None = None
        self._question: str | None = None
        self.pane = UNITS
        self._token = 0
        self._target = self._start.id
        self._painted_token = -1
        self._painted_at = 0.0
        self._leaving = self._has_left = False
        self._asking = False
        self._saved_at = ""
        self._failure = ""
        self._is_stale = self._follow = False
        self._place_failed = False
        self.deciding = Deciding(self)
        self.memories = MemoryActs(self, self.deciding)
        self.acting = Acting(self)

    # ------------------------------------------------------------ parts

    def compose(self) -> ComposeResult:
        yield StatusLine(id="status")
        yield Banner(id="banner")
        yield ItemPanes(id="panes")
        yield KeyBar(id="keys")

    def on_mount(self) -> None:
        self._place_pause = Pause(self, self.flush_place)
        self.call_after_refresh(self.open, self._start)

    @property
    def panes(self) -> ItemPanes:
        return self.query_one("#panes", ItemPanes)

    @property
    def key_bar(self) -> KeyBar:
        return self.query_one("#keys", KeyBar)

    @property
    def sitting(self) -> Sitting:
        """The item on the screen. Raises RuntimeError while there is none: no act is made then."""
        if self._sitting is None:
            raise RuntimeError("no item is on the screen")
        return self._sitting

    @property
    def has_item(self) -> bool:
        return self._sitting is not None

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
    def unit(self) -> UnitView | None:
        """The part the cursor is on."""
        return self.sitting.unit(self._unit) if self._unit and self._sitting else None

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
        self._show_status()

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
        self._sitting = Sitting(view, event.loaded.protocol, now=self._when, take_active_ms=self.clock.take)
        self._sitting.translation_seen = self._place.translation_seen
        self._leaving = False
        self._saved_at = ""
        self._note_state(view.assignment.id, view.answers.state)
        sitting = self._sitting
        first = sitting.next_open(None) or next(iter(sitting.units), None)
        known = self._place.unit if self._place.unit and sitting.unit(self._place.unit) else None
        self._unit = known or (first.key if first else None)
        self._question = self._place.question
        self.panes.show_item(sitting, self._place)
        pane = self._place.pane or (UNITS if sitting.units else DIALOGUE)
        self.set_pane(pane if pane in (DIALOGUE, UNITS, SESSION) else UNITS)
        self.session.opened(view.assignment.id)
        self.keep_place()
        self.refresh_item()
        if self.panes.has_responses or self._place.reading is None:
            self.panes.go_to_evidence(sitting, self.unit)
        self._greet()
        self.refresh(
            layout=True
        )  # one frame with all of the new item, never the new name above the old cards

    def _greet(self) -> None:
        """What a rater should know of an item on coming to it."""
        state, drafts = self.sitting.state, self._place.drafts
        if state == ItemState.SUBMITTED:
            self.say("Submitted. r reopens it; ] goes on.")
        elif state == ItemState.SKIPPED:
            self.say(f"Skipped: {self.sitting.shown.skip_reason or ''}. r reopens it.")
        elif drafts:
            self.say("A text you had begun here is kept: the same key goes on with it.")

    def on_annotate_screen_read_failed(self, event: ReadFailed) -> None:
        if event.token == self._token:
            self._leaving = False
            self.say(event.sentence)
            self._show_status()

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
        """While the answer of a modal is on its way no key is taken: it may be about what the answer brings."""
        return self._asking

    def take_key(self, event: events.Key) -> bool:
        """Every key comes here first, in order; see `Acting` for what it does."""
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
            then(result)
            go_on(self)

        self.app.push_screen(screen, answered)

    # ------------------------------------------------------------ acts

    def put(self, act: Act) -> None:
        """Hand an act to the writer and show it at once."""
        if act.verb in (Verb.SUBMIT, Verb.SKIP):
            self._leaving = True
        self.session.put(act)
        self._stay_on_a_part()
        self.refresh_item()

    def on_result(self, result: Saved | WriteFailed) -> None:
        """The writer said what became of an act; acts of other items change their state in the list only."""
        if isinstance(result, Saved):
            self._saved(result)
        else:
            self._failed(result)

    def _saved(self, saved: Saved) -> None:
        if not self.session.failed:
            self._failure = ""
            if isinstance(self.app.screen, NotSavedScreen):
                self.app.screen.close(SAVED)
        self._saved_at = datetime.now().strftime("%H:%M:%S")
        self._note_state(saved.assignment_id, saved.answers.state)
        sitting = self._sitting
        if sitting is None or saved.assignment_id != sitting.assignment_id:
            self._show_status()
            return
        act = next((a for a in sitting.pending if a.act_id == saved.act_id), None)
        before = sitting.shown
        sitting.on_saved(saved.act_id, saved.answers)
        if act is not None and act.verb in (Verb.UNDO, Verb.REDO):
            self._go_to_change(before, sitting.shown, act.verb)
        elif act is not None and not same_answers(before, sitting.shown):
            self.say("This item was changed in another window too; it stands here as it is saved now.")
        self._stay_on_a_part()
        self.refresh_item()
        if (
            act is not None
            and act.verb in (Verb.SUBMIT, Verb.SKIP)
            and sitting.view.assignment.id == self._on_screen()
        ):
            self.acting.go_on(self._next_after(sitting.view.assignment))
        elif act is not None and act.verb == Verb.REOPEN:
            self.say("Open again.")

    def _on_screen(self) -> int:
        return self.sitting.assignment_id if self._painted_token == self._token else -1

    def _failed(self, failed: WriteFailed) -> None:
        sitting = self._sitting
        mine = sitting is not None and failed.act.assignment_id == sitting.assignment_id
        if failed.retryable:
            self._failure = failed.sentence
        elif sitting is not None and mine:
            sitting.on_refused(failed.act.act_id)
            self._stay_on_a_part()
            self.say(failed.sentence)
        if mine and failed.act.verb in (Verb.SUBMIT, Verb.SKIP):
            self._leaving = False
        self.refresh_item()

    def on_place(self, result: PlaceFailed | PlaceSaved) -> None:
        """What became of a remembered place: it holds texts that are not decided yet."""
        failed = isinstance(result, PlaceFailed)
        if failed != self._place_failed:
            self._place_failed = failed
            self._show_status()

    def _go_to_change(self, before: ItemAnswers, after: ItemAnswers, verb: Verb) -> None:
        """After undo and redo the cursor stands where something changed."""
        sitting, cells = self.sitting, changed_cells(before, after)
        parts = (*sitting.units, *((sitting.session,) if sitting.session else ()))
        unit = next((u for u in parts if any(c[0] == u.id for c in cells)), None)
        self.say(f"{'Undone' if verb == Verb.UNDO else 'Done again'}{': ' + unit.shown_id if unit else ''}.")
        if unit is not None and unit in sitting.units:
            self.go_to(unit)
        if unit is not None:
            self._question = next((key for u, key in cells if u == unit.id), self._question)

    def _stay_on_a_part(self) -> None:
        """Where the part under the cursor is gone (an added memory taken out), the last one takes it."""
        if self._sitting is not None and self._unit is not None and self.unit is None:
            self.go_to(self.sitting.units[-1] if self.sitting.units else None)

    def _note_state(self, assignment_id: int, state: ItemState) -> None:
        every = tuple(
            replace(a, state=state) if a.id == assignment_id else a for a in self._queue.assignments
        )
        self._queue = replace(self._queue, assignments=every)

    def _next_after(self, assignment: Assignment) -> Assignment | None:
        return self._queue.next_open_after(assignment.position)

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
        """After an answer: the next open question of the part, then the next open part, then what is left to do."""
        sitting = self.sitting
        unit = sitting.unit(unit.key) or unit
        if unit == sitting.session:
            following = first_open_field(sitting, unit, answered)
            self.go_to_question(following.key if following else answered)
            self._say_what_is_left()
            return
        asked = [f.key for f in bar_fields(sitting, unit)]
        still = [f.key for f in sitting.missing(unit) if f.key in asked]
        if still:
            following = first_open_field(sitting, unit, answered)
            self.go_to(unit, following.key if following else None)
            return
        target = sitting.next_open(unit)
        self.go_to(target if target is not None else unit)
        self._say_what_is_left()

    def _say_what_is_left(self) -> None:
        if self.sitting.next_open(None) is not None:
            return
        gap = next(self.sitting.gaps(), None)
        self.say(
            f"Still to answer: {gap.field.title}"
            if gap
            else "Everything required is answered: enter submits."
        )

    # ------------------------------------------------------------ leaving

    @property
    def target_id(self) -> int:
        """The assignment on the screen, or the one being opened."""
        return self._target

    @property
    def failure(self) -> str:
        return self._failure

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
        """A sentence in the last line, until the next key."""
        self.key_bar.say(sentence)

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
        asked = self.question
        self.panes.show(self._sitting, self.unit, asked[1] if asked else None, self.pane)
        if follow:  # after the marks were set: setting marks settles where the top row is
            self.panes.go_to_evidence(self._sitting, self.unit)
        self.key_bar.show(self.acting.hints())
        self._show_status()

    def _show_status(self) -> None:
        failed = len(self.session.failed)
        self.query_one(Banner).say(not_saved_words(self._failure, failed))
        if self._sitting is None:
            return
        is_painted = self._painted_token == self._token
        token = self._token if not self._leaving or is_painted else self._painted_token
        saving = saving_words(self._sitting, failed, self._place_failed, self._saved_at)
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
        self.acting.marking.span_chosen(event.turn, event.start, event.end)

    def on_transcript_searched(self) -> None:
        self.acting.looking.searched()

    def on_transcript_span_cancelled(self, _event: SpanCancelled) -> None:
        self.acting.marking.span_left()

    def on_blocks_picked(self, event: Blocks.Picked) -> None:
        """A click: on a card, or on a question."""
        if not self.has_item or self._leaving:
            return
        if event.blocks.id == "cards" and event.index < len(self.sitting.units):
            self.set_pane(UNITS)
            self.go_to(self.sitting.units[event.index])

    def on_resize(self) -> None:
        if self.has_item:
            self.call_after_refresh(self._resized)

    def _resized(self) -> None:
        if self.panes.has_responses and self.unit is not None:
            self.panes.show_response(self.sitting, self.unit)
        self.refresh_item()
