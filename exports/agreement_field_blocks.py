"""Blocks about the fields of a form: one table of all fields, then each with its classes first."""

from collections.abc import Callable, Sequence

from alps_tui.agreement.coefficient import Coefficient
from alps_tui.agreement.detail import FieldDetail
from alps_tui.agreement.field_reports import (
    WORST_CASE,
    FieldAgreement,
    FieldReport,
    PairAgreement,
    ScaleAgreement,
)
from alps_tui.agreement.figures import NONE, counted, interval_of, number
from alps_tui.agreement.reading import field_in_words
from exports.agreement_blocks import (
    ALL,
    INTERVAL,
    SEEDED_OUT,
    Block,
    Grid,
    Marks,
    Row,
    closing_notes,
    left_out_facts,
    name_of,
    numbered,
    one_sided,
    said_of_sides,
    two_sided,
)

RATERS_ACROSS = 6
PAIRS_DOWN = 15
ICC_ROWS = (
    ("one way", "icc_1_1", "icc_1_k"),
    ("two way, agreement", "icc_2_1", "icc_2_k"),
    ("two way, consistency", "icc_3_1", "icc_3_k"),
)


def form_blocks(name: str, report: FieldReport) -> tuple[Block, ...]:
    """A form's overview and its fields; fields that nobody answered are named and have no block."""
    answered = [field for field in report.fields if field.n_ratings]
    silent = [*(field.key for field in report.fields if not field.n_ratings), *report.unanswered]
    facts = left_out_facts(report.population.left_out.items())
    facts += tuple(f"{key}: no number. {why}" for key, why in report.refused.items())
    if silent:
        facts += (f"nobody answered: {', '.join(silent)}",)
    title = name[:1].upper() + name[1:] if " " in name else name
    forms = ", ".join(report.population.protocols)
    grids = (_overview(answered),) if len(answered) > 1 else ()
    notes = report.notes if any(field.without_seeded.alpha.defined for field in answered) else ()
    if any(NONE in row for grid in grids for row in grid.rows):
        notes = ("-  undefined, or not of this kind of answers: the reason stands with the field", *notes)
    head = Block(
        f"{title} · {forms}" if forms and forms != title else title, "", facts, grids, notes, level=1
    )
    prefilled = [field for field in answered if not field.without_seeded.n_ratings]
    known = [field for field in answered if field.without_seeded.n_ratings]
    return (head, *(field_block(field) for field in known), *_prefilled_block(prefilled))


def _prefilled_block(fields: Sequence[FieldAgreement]) -> tuple[Block, ...]:
    """Fields that hold nothing but what the form began with: named with what that was, and no number made of it."""
    if not fields:
        return ()
    what = "1 field was" if len(fields) == 1 else f"{len(fields)} fields were"
    words = (
        f"Nothing is known of agreement here: {what} left as the form was prefilled, and nobody can know whether "
        "anybody looked. Every coefficient is undefined: fewer than two raters are known to have answered."
    )
    facts = []
    for field in fields:
        spread = ", ".join(f"{label} {n:,}" for label, n in field.with_seeded.distribution.items() if n)
        facts.append(f"{field.key}: {'; '.join(_facts(field))}; {spread}")
    steps = dict.fromkeys(step for field in fields if field.detail for step in steps_of(field.detail))
    names = ", ".join(field.key for field in fields)
    return (Block(f"Prefilled only: {names}", words, tuple(facts), steps=tuple(steps)),)


def _overview(fields: Sequence[FieldAgreement]) -> Grid:
    """All fields of a form, of the answers that are not seeded."""
    rows = []
    for field in fields:
        scale = field.without_seeded
        rows.append(
            (
                field.key,
                f"{scale.n_pairable:,}",
                _or_dash(scale.raw_agreement, 2),
                _or_dash(scale.alpha),
                interval_of(scale.alpha),
                _or_dash(scale.ac),
            )
        )
    return Grid(("seeded out", "units", "raw", "alpha", INTERVAL, "AC"), tuple(rows))


def _or_dash(coefficient: Coefficient, digits: int = 3) -> str:
    """The value; a dash where it is undefined, for the reason that stands with the field."""
    return NONE if coefficient.value is None else number(coefficient.value, digits)


def field_block(field: FieldAgreement) -> Block:
    """Classes first, then raw agreement, alpha, AC and kappa together, then who with whom.

    Where fewer than two units are left without the seeded answers, only the figures and their reasons.
    """
    bare, full = field.without_seeded, field.with_seeded
    marks = Marks()
    thin = field.any_seeded and bare.n_pairable < 2
    grids = [*_class_grid(field, marks), _coefficient_grid(field, marks)]
    told = [*_told(field, bare), *(_told(field, full) if field.any_seeded else ())]
    worst = None if thin else field.worst_case
    if worst is not None:
        some = [
            one
            for one in (worst.raw_agreement, worst.alpha, worst.ac)
            if field.kind != "set" or one is not worst.ac
        ]
        rows = [(name_of(one), one) for one in some]
        grids.append(one_sided(rows, marks, worst.raw_agreement, "worst case of the seeded"))
        told += [one for one in some]
    grids += _intraclass_grid(bare, marks)
    told += bare.intraclass
    extra: tuple[str, ...] = ()
    if field.detail is not None and not thin:
        more, extra = detail_grids(field.detail, marks)
        grids += more
    grids += [] if thin else _association_grid(field, bare.pairs)
    alphas = [("", bare.alpha)]
    if field.any_seeded:
        alphas = [(f"{SEEDED_OUT}: ", bare.alpha), (f"{ALL}: ", full.alpha)]
    notes = [*closing_notes(marks, told, alphas), *extra]
    if worst is not None:
        notes.append(f"worst case: {WORST_CASE}; {worst.n_moved:,} moved")
    notes += said_of_sides(bare.warnings, full.warnings)
    steps = () if field.detail is None else steps_of(field.detail)
    return Block(_title(field), field_in_words(field), _facts(field), tuple(grids), tuple(notes), steps)


def _title(field: FieldAgreement) -> str:
    scale = ""
    if field.closed and field.kind == "one" and field.level != "nominal" and len(field.scale) > 1:
        scale = f" {field.scale[0]} to {field.scale[-1]}"
    kind = "sets of options" if field.kind == "set" else f"{field.level}{scale}"
    open_scale = "" if field.closed else ", scale not known"
    return f"{field.key} · {kind}{open_scale}"


def _facts(field: FieldAgreement) -> tuple[str, ...]:
    missing = sum(field.missing.values())
    why = ", ".join(f"{n:,} {status.replace('_', ' ')}" for status, n in field.missing.items() if n)
    said = [
        f"{counted(field.n_units, 'unit')}, {counted(field.n_ratings, 'rating')} by {counted(len(field.raters), 'rater')}",
        f"{missing:,} missing ({why})" if missing else "none missing",
    ]
    seeded = field.with_seeded.n_ratings - field.without_seeded.n_ratings
    if seeded:
        said.append(f"{seeded:,} seeded")
    if field.applicability is not None and field.applicability.n_does_not_apply:
        said.append(f"{field.applicability.n_does_not_apply:,} does not apply")
    if field.off_scale:
        said.append(f"{field.off_scale:,} off the scale, not used")
    if field.rater_made:
        said.append(f"{field.rater_made:,} on units that raters made, not used")
    return ("; ".join(said),)


# ---------------------------------------------------------------- the tables of a field


def _class_grid(field: FieldAgreement, marks: Marks) -> list[Grid]:
    """Specific agreement of each class beside how often it was given."""
    bare, full = field.without_seeded, field.with_seeded
    if not bare.specific:
        spread = (
            tuple((label, f"{n:,}") for label, n in full.distribution.items() if n)
            if len(full.distribution) <= RATERS_ACROSS
            else ()
        )
        return [Grid(("given", "answers"), spread)] if spread else []
    verb = "both name" if field.kind == "set" else "both say"
    whole = max(1, full.n_ratings)
    rows: list[tuple[str, ...]] = []
    for label, one in bare.specific.items():
        given = full.distribution[label]
        shown = (f"{given:,}", f"{100 * given / whole:.0f} %")
        if field.any_seeded:
            other = full.specific[label]
            rows.append(
                (
                    label,
                    marks.value(one),
                    marks.interval(one),
                    marks.value(other),
                    marks.interval(other),
                    shown[0],
                )
            )
        else:
            rows.append((label, marks.value(one), marks.interval(one), *shown))
    if field.any_seeded:
        return [Grid((verb, SEEDED_OUT, INTERVAL, ALL, INTERVAL, "given"), tuple(rows))]
    return [Grid((verb, "value", INTERVAL, "given", "share"), tuple(rows))]


def _coefficient_rows(field: FieldAgreement, scale: ScaleAgreement) -> list[Row]:
    """Raw, alpha and AC together, then the others; what is not of sets is not shown of them."""
    found = [scale.raw_agreement, scale.alpha]
    if field.kind != "set":
        found += [scale.ac, scale.mean_kappa, *scale.companions]
    rows = [(name_of(one), one) for one in found]
    if field.applicability is not None:
        rows.append(("both say: not applicable", field.applicability.specific))
        rows.append(("does it apply: alpha", field.applicability.alpha_nominal))
    return rows


def _told(field: FieldAgreement, scale: ScaleAgreement) -> list[Coefficient]:
    return [*scale.specific.values(), *(one for _, one in _coefficient_rows(field, scale))]


def _coefficient_grid(field: FieldAgreement, marks: Marks) -> Grid:
    bare, full = field.without_seeded, field.with_seeded
    rows = _coefficient_rows(field, bare)
    if not field.any_seeded:
        return one_sided(rows, marks, bare.raw_agreement)
    others = _coefficient_rows(field, full)
    # Scott's pi is of two raters: with the seeded answers there may be more of them, and then no such row.
    both = {name for name, _ in rows} & {name for name, _ in others}
    first = ("ratings", f"{bare.n_ratings:,}", "", f"{full.n_ratings:,}", "")
    return two_sided(
        [row for row in rows if row[0] in both],
        others,
        marks,
        (bare.raw_agreement, full.raw_agreement),
        first=first,
    )


def _intraclass_grid(scale: ScaleAgreement, marks: Marks) -> list[Grid]:
    known = {one.name: one for one in scale.intraclass}
    if not known or not any(one.defined for one in known.values()):
        return []
    rows = []
    for label, single, mean in ICC_ROWS:
        one, of_all = known[single], known[mean]
        rows.append(
            (label, marks.value(one), marks.interval(one), marks.value(of_all), marks.interval(of_all))
        )
    n = known["icc_1_1"].n
    return [Grid((f"ICC, {n:,} complete units", "one rater", INTERVAL, "mean of all", INTERVAL), tuple(rows))]


def _association_grid(field: FieldAgreement, pairs: Sequence[PairAgreement]) -> list[Grid]:
    """Bias and association of each pair: a rater who is always one higher correlates perfectly."""
    if not pairs or not pairs[0].associations or len(pairs) > PAIRS_DOWN:
        return []
    name = _numbers_of(field)
    names = [one.name for one in pairs[0].associations]
    rows = []
    for pair in pairs:
        limits = pair.bland_altman
        wide = NONE
        if limits is not None and limits.low is not None and limits.high is not None:
            wide = f"{number(limits.low, 2)} to {number(limits.high, 2)}"
        rows.append(
            (
                f"{name(pair.second)} less {name(pair.first)}",
                number(pair.difference.value, 2),
                _short(pair.difference),
                wide,
                *(number(one.value, 2) if one.defined else NONE for one in pair.associations),
            )
        )
    short = {"pearson": "r", "spearman": "rho", "kendall_tau_b": "tau-b"}
    head = ("difference", "mean", INTERVAL, "95 % of them", *(short[name] for name in names))
    return [Grid(head, tuple(rows))]


def _numbers_of(field: FieldAgreement) -> Callable[[str], str]:
    """A rater as the table of who agrees with whom numbers them; by name where there is no such table."""
    raters = () if field.detail is None or field.detail.matrix.reason else field.detail.matrix.raters
    places = (
        {name: str(place) for place, name in enumerate(raters, 1)} if len(raters) <= RATERS_ACROSS else {}
    )
    return lambda name: places.get(name, name)


def _short(coefficient: Coefficient) -> str:
    """An interval on the scale's own numbers."""
    low, high = (getattr(coefficient.interval, end, None) for end in ("low", "high"))
    return NONE if low is None or high is None else f"{number(low, 2)} to {number(high, 2)}"


def detail_grids(detail: FieldDetail, marks: Marks) -> tuple[tuple[Grid, ...], tuple[str, ...]]:
    """Rater x rater, then who gave what how often; with what is to be said of them."""
    raters = detail.matrix.raters
    if len(raters) < 2:
        return (), ()
    if detail.matrix.reason:
        return (), (detail.matrix.reason,)
    met = [cell for cell in detail.matrix.cells if cell.n]
    small = [f"{cell.first} and {cell.second}" for cell in met if cell.few]
    which = (
        "every pair"
        if len(small) == len(met)
        else "; ".join(small)
        if len(small) <= 3
        else f"{len(small)} pairs"
    )
    few = (f"under 20 common units, too few to say anything: {which}",) if small else ()
    if len(raters) > RATERS_ACROSS:
        return (_lowest(detail, marks),), few
    grids = [_matrix(detail, marks)]
    spread = detail.distribution
    if len(spread.labels) <= 20:
        rows = []
        for place, label in enumerate(spread.labels):
            rows.append(
                (label, *(f"{one.counts[place]:,}" for one in spread.by_rater), f"{spread.total[place]:,}")
            )
        rows.append(("together", *(f"{one.n:,}" for one in spread.by_rater), f"{sum(spread.total):,}"))
        numbers = tuple(str(number) for number in range(1, len(spread.by_rater) + 1))
        grids.append(Grid(("given by", *numbers, ALL), tuple(rows)))
    return tuple(grids), few


def _matrix(detail: FieldDetail, marks: Marks) -> Grid:
    """The upper half, each cell with its n."""
    raters = detail.matrix.raters
    rows = []
    for first, label in zip(raters, numbered(raters), strict=True):
        cells = []
        for second in raters:
            cell = detail.matrix.cell(first, second) if raters.index(second) > raters.index(first) else None
            cells.append(
                "" if cell is None else f"{marks.short(cell.coefficient, cell.raw_agreement)} ({cell.n:,})"
            )
        rows.append((label, *cells))
    measure = name_of(detail.matrix.cells[0].coefficient) if detail.matrix.cells else detail.matrix.measure
    return Grid((f"{measure} (n)", *(str(place) for place in range(1, len(raters) + 1))), tuple(rows))


def _lowest(detail: FieldDetail, marks: Marks) -> Grid:
    """Of many raters the pairs that agree least; all of them are in --json and --csv."""
    known = [cell for cell in detail.matrix.cells if cell.coefficient.defined and not cell.few]
    known.sort(key=lambda cell: cell.coefficient.value or 0.0)
    rows = tuple(
        (
            f"{cell.first} and {cell.second}",
            marks.value(cell.coefficient),
            marks.interval(cell.coefficient),
            f"{cell.n:,}",
        )
        for cell in known[:PAIRS_DOWN]
    )
    return Grid((f"lowest of {len(detail.matrix.cells):,} pairs", "kappa", INTERVAL, "n"), rows)


def steps_of(detail: FieldDetail) -> tuple[str, ...]:
    return tuple(step.said for step in detail.steps)
