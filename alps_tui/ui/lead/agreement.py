"""Agreement for leads: every field with its coefficients; each cell opens the items behind it."""

from collections.abc import Callable, Mapping
from time import monotonic
from typing import TYPE_CHECKING, ClassVar

from textual import work
from textual.app import ComposeResult
from textual.containers import Container
from textual.message import Message
from textual.timer import Timer
from textual.widgets import Static
from textual.worker import get_current_worker

from alps_tui.agreement.panel import Panel
from alps_tui.ui.lead.behind_screen import BehindScreen
from alps_tui.ui.lead.cell_grid import CellGrid
from alps_tui.ui.lead.field_screen import FieldScreen
from alps_tui.ui.lead.lead_screen import LeadScreen
from alps_tui.ui.lead.listed import Behind, behind_field, behind_step
from alps_tui.ui.lead.names import Names
from alps_tui.ui.lead.shelf import Shelf
from alps_tui.ui.lead.shown_report import (
    ADVICE,
    COLUMN_WORDS,
    COLUMNS,
    WORST,
    ShownField,
    Spot,
    overview,
    shown_fields,
    words_of,
)
from alps_tui.ui.plain import plain_line
from alps_tui.ui.widgets.blocks import Blocks, Line
from alps_tui.ui.widgets.key_bar import KeyBar
from store.errors import StoreError

if TYPE_CHECKING:
    from alps_tui.agreement.whole import AgreementReport

Said = Callable[[str], None]
"""Is called with what is being done now."""

Load = Callable[[Said], "AgreementReport"]
Seeded = Callable[[str, str], Panel | None]
"""Form and field → the answers with the seeded ones; None where the field's answers are no panel."""

NOTHING = "Nobody has answered yet. First: alps import PATH, or alps annotate"


class AgreementScreen(LeadScreen):
    """Fields by coefficients.

    load     reads and computes the report; it is called in a thread, and says what it does
    seeded   the answers of a field with the seeded ones, also called in a thread
    """

    KEYS: ClassVar[Mapping[str, tuple[str, str, str]]] = {
        "enter": ("open", "items behind", "The items behind the cell, disagreements first"),
        "f": ("field", "field", "The field: all coefficients, rater × rater, answers given, what to do next"),
        "r": ("raters", "raters", "Rater × rater"),
        "a": ("answers", "answers", "The answers given"),
        "n": ("steps", "next", "What to do next"),
        "w": ("turn_names", "who", "Name the raters, or not"),
    }

    class Doing(Message):
        def __init__(self, what: str) -> None:
            super().__init__()
            self.what = what

    class Loaded(Message):
        def __init__(self, report: "AgreementReport | None", sentence: str = "") -> None:
            super().__init__()
            self.report, self.sentence = report, sentence

    class Found(Message):
        """The items behind a cell that counts seeded answers, or why there are none."""

        def __init__(self, behind: Behind | None, sentence: str = "") -> None:
            super().__init__()
            self.behind, self.sentence = behind, sentence

    def __init__(self, load: Load, shelf: Shelf, seeded: Seeded, names: Names | None = None) -> None:
        super().__init__()
        self._load, self._shelf, self._seeded = load, shelf, seeded
        self._names = names or Names()
        self._fields: tuple[ShownField, ...] = ()
        self._spots: list[Spot | None] = []
        self._doing, self._since = "Reading the study", monotonic()
        self._clock: Timer | None = None
        self._is_finding = False

    def compose(self) -> ComposeResult:
        yield Static(plain_line("Agreement", "bold"), id="lead-title")
        with Container(id="overview"):
            yield CellGrid(id="fields")
            yield Blocks(id="says")
        yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([("q", "back")])
        self.set_focus(self.grid)
        self._clock = self.set_interval(1.0, self._show_progress)
        self._show_progress()
        self._compute()

    @property
    def grid(self) -> CellGrid:
        return self.query_one("#fields", CellGrid)

    # ------------------------------------------------------------ computing, in a thread

    @work(thread=True, exclusive=True, group="agreement", exit_on_error=False)
    def _compute(self) -> None:
        try:
            report = self._load(lambda what: self._tell(self.Doing(what)))
        except (StoreError, ValueError) as problem:
            self._tell(self.Loaded(None, str(problem)))
        else:
            self._tell(self.Loaded(report))

    def _tell(self, message: Message) -> None:
        """From the thread; a screen that was left is told nothing."""
        if not get_current_worker().is_cancelled:
            self.post_message(message)

    def on_agreement_screen_doing(self, event: Doing) -> None:
        self._doing = event.what
        self._show_progress()

    def _show_progress(self) -> None:
        seconds = round(monotonic() - self._since)
        moving = "▁▂▃▄▅▆▇█"[seconds % 8]
        words = f"{moving} {self._doing} … {seconds} s"
        self.query_one("#says", Blocks).show([(Line(plain_line(words)),)])

    def on_agreement_screen_loaded(self, event: Loaded) -> None:
        if self._clock is not None:
            self._clock.stop()
        report = event.report
        if report is None or report.empty:
            sentence = event.sentence or NOTHING
            self.query_one("#says", Blocks).show([(Line(plain_line(sentence)),)])
            return
        self._fields = shown_fields(report)
        for one in self._fields:
            if one.detail is not None:
                self._names.know(one.detail.panel.raters)
        raters = len({rater for one in self._fields if one.detail for rater in one.detail.panel.raters})
        left = sum(report.population.left_out.values())
        aside = f" · {left:,} left out" if left else ""
        title = f"Agreement · {report.n_fields} fields · {report.population.kept:,} answers of {raters} raters{aside} · seed {report.seed}"
        self.query_one("#lead-title", Static).update(plain_line(title, "bold"))
        rows, self._spots = overview(self._fields)
        self.grid.show(COLUMNS, rows, corner=" field · seeded answers out")
        self.grid.put(0, COLUMNS.index("α"))
        self.query_one(KeyBar).show(self.hints())
        self.moved()

    # ------------------------------------------------------------ what the cursor is on

    @property
    def _spot(self) -> Spot | None:
        return self._spots[self.grid.row] if self.grid.row < len(self._spots) else None

    @property
    def _column(self) -> str:
        return COLUMNS[self.grid.column]

    def moved(self) -> None:
        spot = self._spot
        if spot is None:
            return
        column, which = self._column, f" ({spot.which})" if spot.which else ""
        found = [Line(plain_line(f"{spot.field.title}{which}", "bold"), rows=2)]
        coefficient = spot.coefficients.get("α" if column in ("n", "95 % of α") else column)
        if column == "next":
            pass
        elif coefficient is None:
            found.append(Line(plain_line(f"{COLUMN_WORDS[column]}: not computed for this row.")))
        else:
            found.append(Line(plain_line(f"{COLUMN_WORDS[column]}: {' '.join(words_of(coefficient))}")))
        steps = spot.field.detail.steps if spot.field.detail is not None else ()
        for step in steps:
            rater = f" ({self._names.of(step.rater)})" if step.rater else ""
            said = (
                step.said
                if not step.rater or self._names.named
                else step.said.replace(step.rater, self._names.of(step.rater))
            )
            found.append(Line(plain_line(f"next, {ADVICE[step.advice]}{rater}: ", "bold") + plain_line(said)))
        found += [Line(plain_line(note.words(self._names))) for note in spot.field.notes]
        self.query_one("#says", Blocks).show([(line,) for line in found])

    # ------------------------------------------------------------ keys

    def open(self) -> None:
        """The items behind the cell."""
        spot = self._spot
        if spot is None or self._is_finding:
            return
        detail, which = spot.field.detail, f" · {spot.which}" if spot.which else ""
        title = f"{spot.field.name} · {self._column}{which}"
        if detail is None:
            self.say("The items behind these numbers are not kept: there are too many answers.")
        elif spot.which == WORST:
            self.say("The worst case is no answer of anybody: the row above it has the items.")
        elif spot.which:
            self._is_finding = True
            self.say("Reading the answers with the seeded ones …")
            self._find(spot, title)
        elif self._column == "next" and detail.steps and detail.steps[0].units:
            step = detail.steps[0]
            self._show_behind(
                behind_step(f"{spot.field.name} · {ADVICE[step.advice]}", detail.panel, step.units)
            )
        else:
            self._show_behind(behind_field(title, detail.panel))

    @work(thread=True, exclusive=True, group="behind", exit_on_error=False)
    def _find(self, spot: Spot, title: str) -> None:
        detail = spot.field.detail
        try:
            panel = self._seeded(spot.field.form, spot.field.key)
        except (StoreError, ValueError) as problem:
            self._tell(self.Found(None, str(problem)))
            return
        if panel is None or detail is None:
            self._tell(
                self.Found(None, "The items with seeded answers are not listed for answers of this kind.")
            )
        else:
            self._tell(self.Found(behind_field(title, panel, detail.panel)))

    def on_agreement_screen_found(self, event: Found) -> None:
        self._is_finding = False
        self.say(event.sentence)
        if event.behind is not None:
            self._show_behind(event.behind)

    def _show_behind(self, behind: Behind) -> None:
        if behind.units:
            self._names.know(behind.panel.raters)
            self.app.push_screen(BehindScreen(behind, self._shelf, self._names))
        else:
            self.say("No unit was answered by two raters here.")

    def on_cell_grid_picked(self) -> None:
        self.open()

    def field(self) -> None:
        self._open_field("coefficients")

    def raters(self) -> None:
        self._open_field("raters")

    def answers(self) -> None:
        self._open_field("answers")

    def steps(self) -> None:
        self._open_field("next")

    def _open_field(self, part: str) -> None:
        spot = self._spot
        if spot is not None:
            self.app.push_screen(FieldScreen(spot.field, self._shelf, self._names, part))

    def turn_names(self) -> None:
        self.say(self._names.turn())
        self.moved()
