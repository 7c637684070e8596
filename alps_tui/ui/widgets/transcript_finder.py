"""Finding in a transcript while it is read: the first slice at once, the others between two keys."""

from typing import TYPE_CHECKING

from alps_tui.ui.widgets import transcript_messages as messages
from alps_tui.ui.widgets.transcript_find import Matches, Search

if TYPE_CHECKING:
    from alps_tui.ui.widgets.transcript import Transcript

SLICE, PAUSE = 0.004, 0.004
"""Seconds of work at a time that nobody waits for, searching or laying out, and between two times."""


class Finder:
    """The search of one transcript: a new one takes the place of one that goes on."""

    def __init__(self, view: "Transcript") -> None:
        self._view = view
        self._search: Search | None = None
        self.matches = Matches([])

    @property
    def is_searching(self) -> bool:
        return self._search is not None and not self._search.complete

    def forget(self) -> None:
        """Nothing is found or looked for any more."""
        self._search, self.matches = None, Matches([])

    def find(self, needle: str) -> int:
        """Look for `needle` from the reader's place on; gives the number found in the first slice."""
        here, texts = self._view.top(), [turn.text for turn in self._view.turns]
        self._search = search = Search(needle, texts, here.turn, here.offset)
        self.matches = search.matches
        self._slice(search)
        self.show_current()
        return len(self.matches.hits)

    def _slice(self, search: Search) -> bool:
        """Search a slice and ask for the next one; False if that was the last."""
        if not search.go_on(SLICE):
            return False
        self._view.set_timer(PAUSE, lambda: self._go_on(search))
        return True

    def _go_on(self, search: Search) -> None:
        if search is not self._search:
            return
        known, had_one = len(self.matches.hits), self.matches.current is not None
        if not self._slice(search):
            self._view.post_message(messages.Searched(self._view))
        if not had_one:
            self.show_current()
        if known != len(self.matches.hits):
            self._view.redraw()

    def step(self, by: int) -> None:
        """Go on by so many hits, around the end."""
        self.matches.step(by)
        self.show_current()

    def show_current(self) -> None:
        """Bring the current hit on the screen, and draw what is found."""
        if hit := self.matches.current:
            self._view.jump(*hit[:2])
        self._view.redraw()
