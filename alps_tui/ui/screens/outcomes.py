"""What became of the acts of an annotate screen: saved, failed, refused, and where the rater goes from there."""

from collections.abc import Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from alps_tui.protocols.schema import Field
from alps_tui.ui.screens import overtaken
from alps_tui.ui.screens.not_saved import SAVED, NotSavedScreen
from alps_tui.ui.session import PlaceFailed, PlaceSaved
from alps_tui.ui.sitting import changed_cells, same_answers
from store.kinds import Verb
from store.records import Act, ItemAnswers, Saved
from store.writer import WriteFailed

if TYPE_CHECKING:
    from alps_tui.ui.screens.annotate import AnnotateScreen

LEAVING = (Verb.SUBMIT, Verb.SKIP, Verb.REVEAL)


class Outcomes:
    """Takes what the writer and the keeper of places report, on behalf of one screen.

    saved_at      when the last act on this item was saved, as the clock says it; empty before the first
    failure       the sentence about what could not be written; empty while everything can
    place_failed  the place, with texts that are not decided yet, is not on disk
    overtaken     what is said while the item stands as another window left it; empty once a decision was made on it
    """

    def __init__(self, screen: "AnnotateScreen") -> None:
        self._screen = screen
        self.saved_at = ""
        self.failure = self.overtaken = ""
        self.place_failed = False

    def on_result(self, result: Saved | WriteFailed) -> None:
        """The writer said what became of an act; acts of other items change their state in the list only."""
        if isinstance(result, Saved):
            self._saved(result)
        else:
            self._failed(result)

    def on_place(self, result: PlaceFailed | PlaceSaved) -> None:
        """What became of a remembered place."""
        failed = isinstance(result, PlaceFailed)
        if failed != self.place_failed:
            self.place_failed = failed
            self._screen.show_status()

    def _saved(self, saved: Saved) -> None:
        screen = self._screen
        if not screen.session.failed:
            self.failure = ""
            if isinstance(screen.app.screen, NotSavedScreen):
                screen.app.screen.close(SAVED)
        self.saved_at = datetime.now().strftime("%H:%M:%S")
        screen.note_state(saved.assignment_id, saved.answers.state)
        if not screen.has_item or saved.assignment_id != screen.sitting.assignment_id:
            screen.show_status()
            return
        sitting = screen.sitting
        act = next((a for a in sitting.pending if a.act_id == saved.act_id), None)
        before = sitting.shown
        self.overtaken = ""
        sitting.on_saved(saved.act_id, saved.answers)
        if act is not None and act.verb in (Verb.UNDO, Verb.REDO):
            self._go_to_change(before, sitting.shown, act.verb)
        elif act is not None and not same_answers(before, sitting.shown):
            screen.say("This item was changed in another window too; it stands here as it is saved now.")
        screen.stay_on_a_part()
        screen.refresh_item()
        if act is not None:
            self._go_on_after(act)

    def _go_on_after(self, act: Act) -> None:
        """A submitted or skipped item makes room for the next open one."""
        screen = self._screen
        if act.verb == Verb.REVEAL and screen.is_before_the_rater:
            screen.open(screen.sitting.view.assignment)  # the same item, with what the judge said
        elif act.verb in LEAVING and screen.is_before_the_rater:
            position = screen.sitting.view.assignment.position
            screen.acting.go_on(screen.queue.next_open_after(position))
        elif act.verb == Verb.REOPEN:
            screen.say("Open again.")

    def _failed(self, failed: WriteFailed) -> None:
        screen = self._screen
        mine = screen.has_item and failed.act.assignment_id == screen.sitting.assignment_id
        if failed.retryable:
            self.failure = _in_short(failed.sentence, screen.session.db.path)
        elif failed.answers is not None:
            self._overtaken(failed.act, failed.answers, mine)
        elif mine:
            screen.sitting.on_refused(failed.act.act_id)
            screen.stay_on_a_part()
            screen.say(failed.sentence)
        if mine and failed.act.verb in LEAVING:
            screen.stay()
        screen.refresh_item()

    def _overtaken(self, act: Act, now: ItemAnswers, mine: bool) -> None:
        """Another window has changed the item: it is shown as it is now, and what was typed is kept."""
        screen = self._screen
        screen.note_state(act.assignment_id, now.state)
        if not mine:
            left = next((a for a in screen.queue.assignments if a.id == act.assignment_id), None)
            screen.say(overtaken.said_of(left.shown_id if left else "An item"))
            return
        sitting = screen.sitting
        sitting.on_overtaken(act.act_id, now)
        if not screen.is_asking:
            sitting.looked()
        typed = overtaken.typed_with(act, sitting)
        if typed:
            screen.place.drafts.update(typed)
            screen.keep_place()
        self.overtaken = overtaken.HERE + (overtaken.KEPT if typed else "")
        screen.show_anew()

    def _go_to_change(self, before: ItemAnswers, after: ItemAnswers, verb: Verb) -> None:
        """After undo and redo the cursor stands where something changed."""
        screen, sitting = self._screen, self._screen.sitting
        cells = [sitting.asked(cell) for cell in changed_cells(before, after)]
        parts = (*sitting.units, *((sitting.session,) if sitting.session else ()))
        unit = next((u for u in parts if any(c[0] == u.id for c in cells)), None)
        reviewed = screen.acting.reviews.reviewed_in(before, after, cells)
        if reviewed is not None:
            screen.say(f"{'Undone' if verb == Verb.UNDO else 'Done again'}: {reviewed.shown_id}.")
            screen.go_to(reviewed)
            return
        done = "Undone" if verb == Verb.UNDO else "Done again"
        if unit is None:
            screen.say(f"{done}.")
            return
        screen.say(
            f"{done}: {unit.shown_id}{_named(sitting.fields(unit), [key for u, key in cells if u == unit.id])}."
        )
        if unit in sitting.units:
            screen.go_to(unit)
        screen.ask_here(next(key for u, key in cells if u == unit.id))


def _named(fields: Sequence[Field], changed: Sequence[str]) -> str:
    """Which of a part's questions changed: the first by name, the others by number."""
    names = [field.short or field.title for field in fields if field.key in changed]
    if not names:
        return ""
    more = f" and {len(names) - 1} more" if len(names) > 1 else ""
    return f", “{names[0]}”{more}"


def _in_short(sentence: str, path: Path | None) -> str:
    """The sentence with the name of the study in place of its whole path: it stands where there is little room."""
    return sentence if path is None else sentence.replace(str(path), path.name)
