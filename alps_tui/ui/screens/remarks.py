"""What is said beside the answers: reasons out of a list or in one's own words, skips, flags and notes."""

from collections.abc import Callable, Sequence
from typing import TYPE_CHECKING

from alps_tui.ui import reasons
from alps_tui.ui.screens.pick import Pickable, Picked, PickScreen
from alps_tui.ui.screens.prompt import NoteScreen, PromptScreen
from store.kinds import Verb
from store.records import UnitView

if TYPE_CHECKING:
    from alps_tui.ui.screens.deciding import Desk


class Remarks:
    """Skips, flags and notes of the item on the desk. Each is one act."""

    def __init__(self, desk: "Desk") -> None:
        self._desk = desk

    def skip(self) -> None:
        """Leave the whole item aside, with the reason."""

        def then(reason: str) -> None:
            self._desk.put(self._desk.sitting.act(Verb.SKIP, reason=reason))

        self.ask_reason("Skip this item. Why?", reasons.SKIP, then)

    def ask_reason(self, title: str, options: Sequence[Pickable], then: Callable[[str], None]) -> None:
        """A reason of a list; another one is asked for in words at once, so that it is one act with what it is for."""

        def check(words: str) -> str | None:
            return None if words.strip() else "A few words, please; esc leaves it."

        def said(words: str | None) -> None:
            if words is not None:
                then(f"{reasons.OTHER}: {words.strip()}")

        def picked(one: Picked | None) -> None:
            if one is not None and one.value == reasons.OTHER:
                self._desk.ask(PromptScreen(f"{title} In your own words", check=check), said)
            elif one is not None:
                then(str(one.value))

        self._desk.ask(PickScreen(title, options), picked)

    def flag(self, unit: UnitView | None) -> None:
        """Point a part or the whole item out to the lead."""
        flagged = self._desk.sitting.shown.flags.get(unit.id if unit else None)
        options = reasons.FLAG + (
            (Pickable("", "take the flag away", f"It says: {flagged}"),) if flagged else ()
        )

        def then(reason: str) -> None:
            self._desk.put(self._desk.sitting.act(Verb.FLAG, unit=unit, reason=reason or None))

        name = unit.shown_id if unit else "the item"
        self.ask_reason(f"Flag {name} for the lead. Why?", options, then)

    def note(self, unit: UnitView | None, title: str = "", after: Callable[[], None] = lambda: None) -> None:
        """Write a note; what is typed is on the disk at every pause, and the note is made on leaving. Then `after`."""
        unit_id = unit.id if unit else None
        draft = f"note {unit.key}" if unit else "note"
        before = self._desk.sitting.shown.notes.get(unit_id, "")
        drafts = self._desk.place.drafts

        def on_pause(text: str) -> None:
            drafts[draft] = text
            self._desk.keep_place()

        def then(text: str | None) -> None:
            drafts.pop(draft, None)
            self._desk.keep_place()
            if text is not None and text.strip() != before.strip():
                self._desk.put(self._desk.sitting.act(Verb.NOTE, unit=unit, reason=text.strip() or None))
            after()

        name = unit.shown_id if unit else "the item"
        self._desk.ask(
            NoteScreen(title or f"Note on {name}", str(drafts.get(draft) or before), on_pause), then
        )
