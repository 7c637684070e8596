"""What is done with a pool: moving and narrowing it, asking for the target, marking what would serve as well."""

from typing import TYPE_CHECKING

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static

from alps_tui.protocols.schema import Field
from alps_tui.ui.plain import plain_line
from alps_tui.ui.pool import Pool
from alps_tui.ui.screens.base import TextModal
from alps_tui.ui.screens.panes import UNITS
from alps_tui.ui.shown_question import ENTRIES, hides_target
from alps_tui.ui.widgets.entry import Entry
from alps_tui.ui.widgets.key_bar import KeyBar
from store.kinds import Attested, Verb
from store.records import UnitView

if TYPE_CHECKING:
    from alps_tui.ui.screens.annotate import AnnotateScreen

PAGE = 8


class FilterLine(TextModal[str | None]):
    """The line a pool is narrowed with, as one types. Enter keeps it, Escape takes it away."""

    def __init__(self, typed: str, narrow: "PoolActs") -> None:
        super().__init__()
        self._typed, self._acts = typed, narrow

    def compose(self) -> ComposeResult:
        with Vertical(classes="foot line"):
            yield Static(plain_line("Only memories with these words", "bold"), classes="title")
            yield Entry(self._typed, placeholder="the beginning of each word is enough")
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([("enter", "keep"), ("esc", "all memories")])
        self.start_in(self.query_one(Entry))

    def on_input_changed(self, _event: Input.Changed) -> None:
        self._acts.narrow(self.query_one(Entry).text)

    def entered(self) -> None:
        self.close(self.query_one(Entry).text)

    def left(self) -> None:
        self.close("")


class PoolActs:
    """The commands of one annotate screen about the pool of its item."""

    def __init__(self, screen: "AnnotateScreen") -> None:
        self._screen = screen

    @property
    def _pool(self) -> Pool | None:
        return self._screen.panes.pool

    @property
    def has_cursor(self) -> bool:
        """Whether keys that move go through the pool now."""
        return self._screen.has_item and self._pool is not None and self._screen.pane == UNITS

    def move(self, step: int) -> None:
        if self._pool is not None:
            self._pool.move(step)
            self._screen.refresh_item()

    def put(self, place: int) -> None:
        """Put the cursor on one of those shown."""
        if self._pool is not None:
            self._pool.put(place)
            self._screen.refresh_item()

    def narrow(self, typed: str) -> None:
        if self._pool is not None and typed.strip() != self._pool.filter:
            self._pool.narrow(typed)
            self._screen.refresh_item()

    def filter(self) -> None:
        """Open the filter line."""
        pool = self._pool
        if pool is None:
            return

        def then(typed: str | None) -> None:
            self.narrow(typed or "")
            if pool.filter and not pool.shown:
                self._screen.say("No memory of the pool has these words.")

        self._screen.ask(FilterLine(pool.filter, self), then)

    def clear_filter(self) -> bool:
        """Show the whole pool again; False if it is shown."""
        if self._pool is None or not self._pool.filter:
            return False
        self.narrow("")
        return True

    # ------------------------------------------------------------ the target

    def waits(self, unit: UnitView, field: Field) -> str:
        """A sentence if the field is about a target nobody has looked at yet."""
        if not field.required or not hides_target(unit, self._pool):
            return ""
        return f"First {self._screen.acting.key('show_target')}: it shows the memory this question was written for."

    def do_show_target(self) -> None:
        """Show the memory the question was written for. That it was asked for stays with the item."""
        screen, pool = self._screen, self._pool
        unit = screen.unit
        if pool is None or unit is None:
            return
        if unit.memory_id is None:
            screen.say("The data does not say which memory it was written for.")
            return
        pool.is_target_shown = screen.place.target_shown = True
        if not pool.go_to_target():
            screen.say("The pool holds no such memory; it stands with the question.")
        screen.keep_place()
        screen.refresh_item()
        screen.panes.go_to_evidence(screen.sitting, unit)

    # ------------------------------------------------------------ what would serve as well

    def do_mark_entry(self) -> None:
        """Mark the memory under the cursor as one that would serve as well, or take the mark away."""
        screen, pool, unit = self._screen, self._pool, self._screen.unit
        if pool is None or unit is None or pool.current is None or not screen.acting.is_open():
            return
        field = next((f for f in screen.sitting.fields(unit) if f.kind == ENTRIES), None)
        if field is None:
            return
        if hides_target(unit, pool):
            screen.say(f"First {screen.acting.key('show_target')}: as well as which memory?")
        elif pool.target is not None and pool.current.key == pool.target.key:
            screen.say("That is the memory the question was written for.")
        else:
            self._toggle(unit, field, pool.current.key)

    def _toggle(self, unit: UnitView, field: Field, key: str) -> None:
        """One act: the mark, and the answer it stands for; without a mark that answer goes too if it came with one."""
        sitting = self._screen.sitting
        now = list(sitting.value(unit, field.key) or ())
        chosen = [one for one in now if one != key] if key in now else [*now, key]
        follows = {name: values[0] for name, values in (field.visible_if or {}).items()}
        if chosen:
            said = {name: value for name, value in follows.items() if sitting.value(unit, name) != value}
            changes = sitting.changes(unit, said, attested=Attested.DERIVED)
            changes += sitting.changes(unit, {field.key: chosen})
            self._screen.put(sitting.act(Verb.SET, changes, unit=unit))
            return
        answers = {name: sitting.answer(unit, name) for name in follows}
        derived = [name for name, one in answers.items() if one and one.attested == Attested.DERIVED]
        self._screen.deciding.clear_fields(unit, [field.key, *derived])
