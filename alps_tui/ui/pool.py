"""A pool as one rater looks at it: ranked, filtered, with a cursor, and the target shown once it was asked for. Pure."""

from alps_tui.ui.ranking import ranked
from alps_tui.ui.screens.filter_list import Entrant, matches
from store.records import MemoryView, PoolView


class Pool:
    """What of a pool stands on the screen, and in which order. It keeps no answer."""

    def __init__(self, pool: PoolView, query: str, *, is_target_shown: bool) -> None:
        """The memories that share most with the question come first, as it came, however it is reworded."""
        self.pool = pool
        self.is_target_shown = is_target_shown
        self.filter = ""
        self._order = ranked(query, [entry.value for entry in pool.entries])
        self._rank = {index: rank for rank, index in enumerate(self._order, 1)}
        self._entrants = [_entrant(index, pool.entries[index]) for index in self._order]
        self._shown = self._order
        self._cursor = 0

    @property
    def shown(self) -> tuple[int, ...]:
        """Indices of the entries that the filter lets through, by rank."""
        return self._shown

    @property
    def cursor(self) -> int | None:
        """Where among those shown the cursor is."""
        return self._cursor if self._shown else None

    @property
    def current(self) -> MemoryView | None:
        return self.pool.entries[self._shown[self._cursor]] if self._shown else None

    @property
    def target(self) -> MemoryView | None:
        """The entry the question was written for, once it was asked for."""
        known = self.pool.target is not None and self.is_target_shown
        return self.pool.entries[self.pool.target] if known and self.pool.target is not None else None

    def rank(self, index: int) -> int:
        """From 1; entries that share as much stand in the pool's order."""
        return self._rank[index]

    def move(self, step: int) -> None:
        self._cursor = min(max(self._cursor + step, 0), max(len(self._shown) - 1, 0))

    def put(self, place: int) -> None:
        """Put the cursor on one of those shown."""
        self._cursor = 0
        self.move(place)

    def narrow(self, typed: str) -> None:
        """Show those with words that begin with each word typed; the cursor stays on its entry if that is shown."""
        here = self._shown[self._cursor] if self._shown else None
        found = {entrant.value for entrant in matches(self._entrants, typed)}
        self.filter = typed.strip()
        self._shown = tuple(index for index in self._order if index in found)
        self._cursor = self._shown.index(here) if here in self._shown else 0

    def go_to_target(self) -> bool:
        """Put the cursor on the target, the filter taken away if it hides it. False if it is not in the pool."""
        if self.pool.target is None:
            return False
        if self.pool.target not in self._shown:
            self.narrow("")
        self._cursor = self._shown.index(self.pool.target)
        return True


def _entrant(index: int, entry: MemoryView) -> Entrant[int]:
    return Entrant(index, entry.value, words=f"{entry.label or ''} {entry.shown_id}")
