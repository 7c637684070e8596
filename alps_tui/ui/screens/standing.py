"""The words of the status line and the banner: where the rater is, and whether all is on disk."""

from alps_tui.ui.session import Queue
from alps_tui.ui.sitting import Sitting
from alps_tui.ui.widgets.status_line import Standing
from store.kinds import ItemState
from store.records import Assignment, Rater


def standing(assignment: Assignment, queue: Queue, rater: Rater, token: int, saving: str) -> Standing:
    """What the status line says of an item. `token` is given back when it has been drawn."""
    place = next((i for i, a in enumerate(queue.assignments, 1) if a.id == assignment.id), 0)
    return Standing(
        token=token,
        form=queue.protocol.name,
        item=assignment.shown_id,
        place=f"{place} of {len(queue.assignments)}",
        phase=str(assignment.phase),
        rater=rater.name,
        saving=saving,
        alarm=saving.startswith("✗"),
    )


def saving_words(sitting: Sitting, failed: int, place_failed: bool, saved_at: str) -> str:
    """Saved only once the writer said so; what failed comes before everything else."""
    if failed:
        return "✗ NOT SAVED"
    if sitting.pending:
        return "○ saving"
    if place_failed:
        return "✗ draft not saved yet"
    done = "" if sitting.state == ItemState.OPEN else f"{sitting.state} · "
    if saved_at:
        return f"{done}● saved {saved_at}"
    return f"{done}● all saved" if sitting.shown.revision else f"{done}nothing yet"


def not_saved_words(sentence: str, failed: int) -> str:
    """The banner over everything while something is not on disk; empty if all is."""
    if not failed:
        return ""
    ways = "Nothing is lost: it is kept here and tried again. ctrl+p, “not saved”: more."
    return f"✗ NOT SAVED ({failed}): {sentence} {ways}"
