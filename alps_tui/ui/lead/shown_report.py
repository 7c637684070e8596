"""A finished agreement report in the words and cells its screens show. Nothing is computed here."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from alps_tui.agreement.coefficient import Coefficient, Interval, NoInterval
from alps_tui.agreement.detail import Advice, Distribution, FieldDetail, MatrixCell
from alps_tui.agreement.field_reports import FieldAgreement, ScaleAgreement, WorstCase
from alps_tui.agreement.figures import interval_of, number, value_of
from alps_tui.agreement.report import Comparison, DecisionReport, DecisionTable
from alps_tui.agreement.whole import AgreementReport
from alps_tui.ui.lead.cell_grid import Cell, Row
from alps_tui.ui.lead.names import Names

VERDICT, VERIFICATION = "verdict", "memory-verification"
BAR_CELLS = 16
BANDS = (
    (0.8, "█", "$text-success"),
    (0.667, "▓", "$text-success"),
    (0.4, "▒", "$text-warning"),
    (0.0, "░", "$text-error"),
)
"""Least value, sign and colour of a cell of the heat map: the sign says it where there is no colour."""
BELOW, UNKNOWN, FEW = "▽", "?", "~"
LEGEND = "█ .8 or more  ▓ .667  ▒ .4  ░ 0  ▽ below 0  ? undefined  ~ fewer than 20 units"

COLUMNS = ("n", "raw", "α", "95 % of α", "AC", "κ", "next")
COLUMN_WORDS = {
    "n": "What alpha rests on",
    "raw": "Raw agreement",
    "α": "Krippendorff's alpha",
    "95 % of α": "Krippendorff's alpha",
    "AC": "Gwet's AC1, or AC2 on a scale with an order",
    "κ": "Kappa, mean over the pairs of raters",
    "next": "What to do next",
}
ADVICE = {
    Advice.RELABEL: "relabel",
    Advice.CLARIFY: "clarify",
    Advice.DROP_RATER: "drop a rater",
    Advice.COLLECT: "collect more",
    Advice.NOTHING: "nothing",
}
SEEDED, WORST = "with seeded", "worst case"


@dataclass(frozen=True, slots=True)
class Note:
    """A sentence to read with the numbers. `about`: the rater or side it begins with, empty for none."""

    said: str
    about: str = ""

    def words(self, names: Names) -> str:
        return f"{names.known(self.about)}: {self.said}" if self.about else self.said


@dataclass(frozen=True, slots=True)
class Line:
    """A coefficient beside what it is when the seeded answers count. `label`: the class it is about, if one."""

    name: str
    without: Coefficient
    with_seeded: Coefficient | None
    label: str | None = None


@dataclass(frozen=True, slots=True)
class ShownField:
    """A field of a form, or the decisions on proposals of one pairing of raters.

    form, key   as the long table has them; `part` of a form: its unit kind or pairing, empty if there is one
    rows        (what counts, column → coefficient) of each row of the overview
    """

    form: str
    key: str
    title: str
    part: str
    rows: tuple[tuple[str, dict[str, Coefficient]], ...]
    lines: tuple[Line, ...]
    notes: tuple[Note, ...]
    detail: FieldDetail | None

    @property
    def name(self) -> str:
        return f"{self.key} · {self.part}" if self.part else self.key


def shown_fields(report: AgreementReport) -> tuple[ShownField, ...]:
    """Decisions first, then every field of every form, in the order of the report."""
    found = list(_decisions(report.decisions)) if report.decisions is not None else []
    for form in report.forms.values():
        found += [_field(one) for one in form.fields]
    return tuple(found)


# ---------------------------------------------------------------- fields


def _field(one: FieldAgreement) -> ShownField:
    bare, full = one.without_seeded, one.with_seeded
    rows = [("", _of_scale(bare))]
    if one.any_seeded:
        rows.append((SEEDED, _of_scale(full)))
    if one.worst_case is not None:
        rows.append((WORST, _of_worst(one.worst_case)))
    return ShownField(
        one.form,
        one.key,
        one.title,
        "",
        tuple(rows),
        tuple(_lines(one)),
        tuple(Note(said) for said in _notes(one)),
        one.detail,
    )


def _of_scale(scale: ScaleAgreement) -> dict[str, Coefficient]:
    return {"raw": scale.raw_agreement, "α": scale.alpha, "AC": scale.ac, "κ": scale.mean_kappa}


def _of_worst(worst: WorstCase) -> dict[str, Coefficient]:
    return {"raw": worst.raw_agreement, "α": worst.alpha, "AC": worst.ac}


def _lines(one: FieldAgreement) -> Iterator[Line]:
    full = {c.name: c for c in one.with_seeded.coefficients()} if one.any_seeded else {}
    of_class = {c.name: label for label, c in one.without_seeded.specific.items()}
    for c in one.without_seeded.coefficients():
        label = of_class.get(c.name)
        name = f"both say “{label}”" if label is not None else c.name.replace("_", " ")
        yield Line(name, c, full.get(c.name), label)
    if one.applicability is not None:
        yield Line("both say it does not apply", one.applicability.specific, None)
        yield Line("whether it applies: alpha", one.applicability.alpha_nominal, None)


def _notes(one: FieldAgreement) -> Iterator[str]:
    yield from one.without_seeded.warnings
    missing = [f"{n:,} {status.replace('_', ' ')}" for status, n in one.missing.items() if n]
    if missing:
        yield f"Without a value: {', '.join(missing)}."
    if one.off_scale:
        yield f"{one.off_scale:,} answers are off the scale and count nowhere."
    if one.rater_made:
        yield f"{one.rater_made:,} answers are on parts that a rater made: in no coefficient."
    if one.without_seeded.no_pairs:
        yield one.without_seeded.no_pairs
    if one.detail is None:
        yield "Too many answers: the items behind the numbers are not kept. See: alps export long FOLDER"


# ---------------------------------------------------------------- decisions


def _decisions(report: DecisionReport) -> Iterator[ShownField]:
    pairings = [one for one in (report.sides, report.raters) if one is not None]
    for one in pairings:
        part = " with ".join(one.between) if one is report.sides else "raters" if len(pairings) > 1 else ""
        rows = [("", _of_table(one.without_seeded))]
        if _any_seeded(one):
            rows.append((SEEDED, _of_table(one.with_seeded)))
        if one.worst_case is not None:
            rows.append((WORST, _of_table(one.worst_case)))
        lines = tuple(_decision_lines(one))
        notes = tuple(_decision_notes(one))
        title = "What should happen to a proposed memory"
        yield ShownField(VERIFICATION, VERDICT, title, part, tuple(rows), lines, notes, one.detail)


def _of_table(table: DecisionTable) -> dict[str, Coefficient]:
    return {"raw": table.raw_agreement, "α": table.alpha_nominal, "AC": table.ac1, "κ": table.cohen_kappa}


def _any_seeded(one: Comparison) -> bool:
    return one.without_seeded.n != one.with_seeded.n or any(each.seeded_keeps for each in one.lists)


def _decision_lines(one: Comparison) -> Iterator[Line]:
    bare, full = one.without_seeded, one.with_seeded if _any_seeded(one) else None
    for label, c in bare.specific.items():
        yield Line(f"both say “{label}”", c, full.specific.get(label) if full else None, label)
    beside = _of_table(full) if full else {}
    for key, c in _of_table(bare).items():
        yield Line(c.name.replace("_", " "), c, beside.get(key))


def _decision_notes(one: Comparison) -> Iterator[Note]:
    yield from map(Note, one.without_seeded.warnings)
    for each in one.lists:
        lists = f"{each.untouched:,} of {each.lists:,} lists untouched, "
        yield Note(f"{lists}{each.seeded_keeps:,} keeps that nobody can know to be meant.", each.name)
    if one.pooled:
        yield Note(f"Pooled: {one.pooled}.")


# ---------------------------------------------------------------- the overview


@dataclass(frozen=True, slots=True)
class Spot:
    """What a row of the overview is about. `which` says what counts: nothing, with seeded, worst case."""

    field: ShownField
    which: str
    coefficients: dict[str, Coefficient]


def overview(fields: Sequence[ShownField]) -> tuple[list[Row], list[Spot | None]]:
    """The rows of the table, and what each is about; None for the name of a form."""
    rows: list[Row] = []
    spots: list[Spot | None] = []
    form = None
    for one in fields:
        if one.form != form:
            form = one.form
            rows.append(Row(form or "ratings"))
            spots.append(None)
        for which, coefficients in one.rows:
            name = f"   {which}" if which else f" {one.name}"
            rows.append(
                Row(
                    name,
                    tuple(_overview_cells(one, which, coefficients)),
                    "" if not which else "$foreground-muted",
                )
            )
            spots.append(Spot(one, which, coefficients))
    return rows, spots


def _overview_cells(one: ShownField, which: str, coefficients: dict[str, Coefficient]) -> Iterator[Cell]:
    alpha = coefficients["α"]
    for column in COLUMNS:
        if column == "n":
            yield Cell(f"{alpha.n:,}")
        elif column == "95 % of α":
            yield Cell(interval_of(alpha))
        elif column == "next":
            steps = one.detail.steps if one.detail is not None and not which else ()
            yield Cell(ADVICE[steps[0].advice] if steps else "", left=True)
        else:
            yield figure(coefficients.get(column))


def figure(c: Coefficient | None) -> Cell:
    """A coefficient in a cell; what was not asked for is a dash, what has no value says so."""
    if c is None:
        return Cell("-", "$foreground-muted")
    return Cell(value_of(c), "" if c.value is not None else "$text-warning")


def words_of(c: Coefficient) -> list[str]:
    """All there is to say of a coefficient, in sentences: value, interval, what it rests on, why it has none."""
    on = f"{c.n:,} {c.counted}" + (f" of {c.n_clusters:,} dialogues" if c.n_clusters else "")
    left = f"; {c.left_out:,} left out" if c.left_out else ""
    if c.value is None:
        return [f"undefined ({on}{left}): {c.reason}"]
    made = c.interval
    found = [f"{number(c.value)}, from {on}{left}."]
    if isinstance(made, Interval):
        seed = f", seed {made.seed}" if made.seed is not None else ""
        found.append(f"95 % interval {interval_of(c)}: {made.method} ({made.why}{seed}).")
    elif isinstance(made, NoInterval):
        found.append(f"No interval: {made.reason}")
    if c.note:
        found.append(c.note)
    return found


# ---------------------------------------------------------------- one field


def coefficient_rows(one: ShownField) -> tuple[tuple[str, ...], list[Row]]:
    """Headers and rows: each coefficient of a field without the seeded answers, and beside it with them."""
    with_seeded = any(line.with_seeded is not None for line in one.lines)
    headers: tuple[str, ...] = ("n", "value", "95 % interval")
    if with_seeded:
        headers = ("n", "seeded out", "95 % interval", "n", "all", "95 % interval")
    rows = []
    for line in one.lines:
        cells = [Cell(f"{line.without.n:,}"), figure(line.without), Cell(interval_of(line.without))]
        if with_seeded:
            other = line.with_seeded
            cells += (
                [Cell(f"{other.n:,}"), figure(other), Cell(interval_of(other))]
                if other is not None
                else [Cell("-")] * 3
            )
        rows.append(Row(f" {line.name}", tuple(cells)))
    return headers, rows


def heat_map(detail: FieldDetail, names: Names) -> tuple[tuple[str, ...], list[Row]]:
    """Rater x rater: a sign and a number in each cell; nothing on the diagonal."""
    matrix = detail.matrix
    headers = tuple(names.of(rater) for rater in matrix.raters)
    rows = [
        Row(
            f" {names.of(one)}",
            tuple(
                heat(matrix.cell(one, other)) if one != other else Cell("·", "$foreground-muted")
                for other in matrix.raters
            ),
        )
        for one in matrix.raters
    ]
    return headers, rows


def heat(cell: MatrixCell | None) -> Cell:
    """`▓ .71`, with ~ before it where it rests on few units."""
    if cell is None or cell.coefficient.value is None:
        return Cell(UNKNOWN, "$foreground-muted")
    value = cell.coefficient.value
    sign, style = next(((s, style) for least, s, style in BANDS if value >= least), (BELOW, "$text-error"))
    return Cell(f"{FEW if cell.few else ''}{sign} {number(value, 2)}", style)


def pair_words(cell: MatrixCell, names: Names) -> list[str]:
    """What a cell of the heat map says, in sentences."""
    between = f"{names.of(cell.first)} and {names.of(cell.second)}"
    found = [f"{between}: {cell.coefficient.name.replace('_', ' ')} {' '.join(words_of(cell.coefficient))}"]
    if cell.few and cell.n:
        found.append("Fewer than 20 common units: too few to say anything about these two.")
    if cell.raw_agreement.value is not None:
        found.append(
            f"Raw agreement {number(cell.raw_agreement.value)}; {len(cell.units):,} of {cell.n:,} units differ."
        )
    if cell.difference.value is not None:
        found.append(
            f"{names.of(cell.second)} minus {names.of(cell.first)}: {number(cell.difference.value)} on the scale, on average."
        )
    return found


def answer_rows(spread: Distribution, names: Names) -> tuple[tuple[str, ...], list[Row]]:
    """How often each class was given, by all (with a bar) and by each rater."""
    headers = ("all", "", *(names.of(one.rater) for one in spread.by_rater))
    rows = []
    for at, (label, amount, share) in enumerate(
        zip(spread.labels, spread.total, spread.shares(), strict=True)
    ):
        bar = "█" * round(BAR_CELLS * share) or ("▏" if amount else "")
        each = (Cell(f"{one.counts[at]:,}") for one in spread.by_rater)
        rows.append(
            Row(f" {label}", (Cell(f"{amount:,}"), Cell(f"{bar} {100 * share:.0f} %", left=True), *each))
        )
    if spread.beside:
        each = (Cell(f"{one.beside:,}") for one in spread.by_rater)
        rows.append(Row(" does not apply", (Cell(f"{spread.beside:,}"), Cell(""), *each)))
    return headers, rows
