"""One field: its coefficients, who agrees with whom, who says what how often, and what to do next."""

from collections.abc import Mapping
from typing import ClassVar

from textual.app import ComposeResult
from textual.containers import Container, Vertical
from textual.content import Content
from textual.widgets import Static

from alps_tui.agreement.detail import FieldDetail, MatrixCell
from alps_tui.ui.lead.behind_screen import BehindScreen
from alps_tui.ui.lead.cell_grid import CellGrid
from alps_tui.ui.lead.lead_screen import LeadScreen
from alps_tui.ui.lead.listed import Behind, behind_class, behind_field, behind_pair, behind_step
from alps_tui.ui.lead.names import Names
from alps_tui.ui.lead.shelf import Shelf
from alps_tui.ui.lead.shown_report import (
    ADVICE,
    LEGEND,
    ShownField,
    answer_rows,
    coefficient_rows,
    heat_map,
    pair_words,
    words_of,
)
from alps_tui.ui.plain import plain_line
from alps_tui.ui.widgets.blocks import Block, Blocks, Line
from alps_tui.ui.widgets.key_bar import KeyBar

PARTS = ("coefficients", "raters", "answers", "next")
TITLES = {
    "coefficients": "Coefficients",
    "raters": "Rater × rater",
    "answers": "Answers given",
    "next": "What to do next",
}


class FieldScreen(LeadScreen):
    """Shows a field. One part is in focus; where there is room all four are there."""

    KEYS: ClassVar[Mapping[str, tuple[str, str, str]]] = {
        "enter": ("open", "items behind", "The items behind the cell, disagreements first"),
        "tab": ("next_part", "part", "Next part of the page"),
        "shift+tab": ("previous_part", "", "Previous part of the page"),
        **{str(at): (f"part_{at}", "", TITLES[name]) for at, name in enumerate(PARTS, 1)},
        "w": ("turn_names", "who", "Name the raters, or not"),
    }

    def __init__(self, field: ShownField, shelf: Shelf, names: Names, part: str = PARTS[0]) -> None:
        super().__init__()
        self._field, self._shelf, self._names = field, shelf, names
        self._part = part
        self._step = 0

    def compose(self) -> ComposeResult:
        yield Static(id="lead-title")
        with Container(id="parts"):
            for name in PARTS[:3]:
                with Vertical(id=f"part-{name}", classes="part"):
                    yield CellGrid(id=name)
            with Vertical(id="part-next", classes="part"):
                yield Blocks(id="next")
        yield Blocks(id="says")
        yield KeyBar()

    def on_mount(self) -> None:
        for at, name in enumerate(PARTS, 1):
            self.query_one(f"#part-{name}").border_title = plain_line(f"{at} {TITLES[name]}")
        self.query_one(KeyBar).show(self.hints())
        self.query_one(
            "#raters", CellGrid
        ).column = 1  # the first cell of the first row is of one rater alone
        self._show()
        self._go_to(self._part)

    def on_screen_resume(self) -> None:
        self._show()

    @property
    def grid(self) -> CellGrid | None:
        return None if self._part == "next" else self.query_one(f"#{self._part}", CellGrid)

    @property
    def _detail(self) -> FieldDetail | None:
        return self._field.detail

    # ------------------------------------------------------------ drawing

    def _show(self) -> None:
        field, detail = self._field, self._field.detail
        self.query_one("#coefficients", CellGrid).show(*coefficient_rows(field))
        if detail is not None:
            headers, rows = heat_map(detail, self._names)
            self.query_one("#raters", CellGrid).show(headers, rows)
            self.query_one("#answers", CellGrid).show(*answer_rows(detail.distribution, self._names))
        self._show_steps()
        self.moved()

    def _show_steps(self) -> None:
        steps = self._detail.steps if self._detail is not None else ()
        here = self._part == "next"
        blocks: list[Block] = []
        for at, step in enumerate(steps):
            mark = "▌ " if here and at == self._step else "  "
            rater = f" ({self._names.of(step.rater)})" if step.rater else ""
            said = self._anonymous(step.said, step.rater)
            head = plain_line(f"{ADVICE[step.advice]}{rater}: ", "bold")
            blocks.append((Line(head + plain_line(said), prefix=Content(mark)),))
        nothing = [(Line(plain_line("Nothing is known to do next.", "$foreground-muted")),)]
        self.query_one("#next", Blocks).show(blocks or nothing, self._step if here else None)

    def _anonymous(self, said: str, rater: str | None) -> str:
        """A step's sentence with the letter of the rater it is about."""
        return said if rater is None or self._names.named else said.replace(rater, self._names.of(rater))

    def moved(self) -> None:
        found = self._words()
        self.query_one("#says", Blocks).show([(Line(plain_line(one)),) for one in found])
        tabs = " ".join(
            f"[{at} {TITLES[name]}]" if name == self._part else str(at) for at, name in enumerate(PARTS, 1)
        )
        form = f"{self._field.form} · " if self._field.form else ""
        title = f"{form}{self._field.name}"
        self.query_one("#lead-title", Static).update(plain_line(title, "bold") + plain_line(f"   {tabs}"))

    def _words(self) -> list[str]:
        detail, notes = self._detail, [note.words(self._names) for note in self._field.notes]
        if self._part == "raters":
            cell = self._pair()
            if detail is None or detail.matrix.reason:
                return [
                    detail.matrix.reason if detail is not None else "Nothing is kept behind these numbers.",
                    LEGEND,
                ]
            return [*(pair_words(cell, self._names) if cell is not None else ["The same rater."]), LEGEND]
        if self._part == "coefficients" and self._field.lines:
            line = self._field.lines[self.query_one("#coefficients", CellGrid).row]
            return [f"{line.name}: {' '.join(words_of(line.without))}", *notes]
        return [self._field.title, *notes]

    def _pair(self) -> MatrixCell | None:
        detail, grid = self._detail, self.query_one("#raters", CellGrid)
        if detail is None or not detail.matrix.raters:
            return None
        raters = detail.matrix.raters
        return detail.matrix.cell(raters[grid.row], raters[grid.column]) if grid.row != grid.column else None

    # ------------------------------------------------------------ keys

    def _go_to(self, part: str) -> None:
        self._part = part
        for name in PARTS:
            self.query_one(f"#part-{name}").set_class(name == part, "-here")
        self.set_focus(self.query_one(f"#{part}"))
        self._show_steps()
        self.moved()

    def next_part(self) -> None:
        self._go_to(PARTS[(PARTS.index(self._part) + 1) % len(PARTS)])

    def previous_part(self) -> None:
        self._go_to(PARTS[PARTS.index(self._part) - 1])

    def part_1(self) -> None:
        self._go_to(PARTS[0])

    def part_2(self) -> None:
        self._go_to(PARTS[1])

    def part_3(self) -> None:
        self._go_to(PARTS[2])

    def part_4(self) -> None:
        self._go_to(PARTS[3])

    def _move(self, key: str) -> bool:
        if self._part != "next":
            return super()._move(key)
        step = {"j": 1, "down": 1, "k": -1, "up": -1}.get(key)
        steps = self._detail.steps if self._detail is not None else ()
        if step is None:
            return False
        self._step = min(max(self._step + step, 0), max(len(steps) - 1, 0))
        self._show_steps()
        return True

    def turn_names(self) -> None:
        self.say(self._names.turn())
        self._show()

    def open(self) -> None:
        """The items behind what the cursor is on."""
        behind = self._behind()
        if isinstance(behind, str):
            self.say(behind)
        elif not behind.units:
            self.say("No item stands behind this.")
        else:
            self.app.push_screen(BehindScreen(behind, self._shelf, self._names))

    def on_cell_grid_picked(self) -> None:
        self.open()

    def _behind(self) -> Behind | str:
        detail, name = self._detail, self._field.name
        if detail is None:
            return "The items behind these numbers are not kept: there are too many answers."
        panel = detail.panel
        if self._part == "coefficients":
            line = self._field.lines[self.query_one("#coefficients", CellGrid).row]
            title = f"{name} · {line.name}"
            return (
                behind_field(title, panel) if line.label is None else behind_class(title, panel, line.label)
            )
        if self._part == "raters":
            cell = self._pair()
            if cell is None:
                return "One rater alone: choose two."
            between = f"{self._names.of(cell.first)} and {self._names.of(cell.second)}"
            return behind_pair(f"{name} · {between}", panel, cell.units, cell.first, cell.second)
        if self._part == "answers":
            return self._behind_answer(detail, name)
        steps = detail.steps
        if not steps or not steps[self._step].units:
            return "This step is about no items in particular."
        step = steps[self._step]
        return behind_step(f"{name} · {ADVICE[step.advice]}", panel, step.units)

    def _behind_answer(self, detail: FieldDetail, name: str) -> Behind | str:
        grid, spread = self.query_one("#answers", CellGrid), detail.distribution
        if grid.row >= len(spread.labels):
            return "What does not apply stands beside the scale; see both coefficients of it."
        label = spread.labels[grid.row]
        rater = spread.by_rater[grid.column - 2].rater if grid.column >= 2 else None
        if rater is not None and rater not in detail.panel.raters:
            return "This rater gave no answer on the scale."
        whose = f" by {self._names.of(rater)}" if rater is not None else ""
        return behind_class(f"{name} · “{label}”{whose}", detail.panel, label, rater)
