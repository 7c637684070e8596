"""An agreement report as CSV: a row for each coefficient, with its n, its interval and how that was made."""

from collections.abc import Iterator
from dataclasses import replace
from typing import NamedTuple

from alps_tui.agreement.coefficient import Coefficient, Interval, NoInterval
from alps_tui.agreement.field_reports import FieldAgreement, ScaleAgreement
from alps_tui.agreement.report import Comparison, DecisionTable
from alps_tui.agreement.whole import DECISIONS, AgreementReport
from exports import csv_text

COLUMNS = (
    "form",
    "field",
    "level",
    "answers",
    "raters",
    "coefficient",
    "value",
    "status",
    "reason",
    "low",
    "high",
    "confidence",
    "n",
    "counted",
    "n_dialogues",
    "left_out",
    "method",
    "why",
    "replicates",
    "undefined_replicates",
    "seed",
    "disagreement_upper",
    "share_below_.667",
    "share_below_.8",
    "no_interval",
    "note",
)
SEEDED_OUT, ALL, WORST = "seeded_out", "all", "worst_case"
EVERYBODY = "all together"


class _Where(NamedTuple):
    form: str
    field: str
    level: str
    answers: str
    raters: str


def written(report: AgreementReport) -> str:
    """UTF-8 text with its header; lines end with CR LF."""
    lines = [csv_text.header(COLUMNS)]
    for where, coefficient in _coefficients(report):
        lines.append(csv_text.line((*where, *_cells(coefficient))))
    return b"".join(lines).decode("utf-8")


def _cells(one: Coefficient) -> tuple[csv_text.Cell, ...]:
    made = one.interval if isinstance(one.interval, Interval) else None
    below = {} if made is None or made.below is None else dict(made.below)
    return (
        one.name,
        one.value,
        str(one.status),
        one.reason or None,
        *((None, None, None) if made is None else (made.low, made.high, made.level)),
        one.n,
        one.counted,
        one.n_clusters,
        one.left_out,
        *((None, None) if made is None else (str(made.method), made.why)),
        *(
            (None, None, None)
            if made is None or made.seed is None
            else (made.replicates, made.undefined, made.seed)
        ),
        None if made is None else made.disagreement_upper,
        below.get("0.667"),
        below.get("0.8"),
        one.interval.reason if isinstance(one.interval, NoInterval) else None,
        one.note or None,
    )


Row = tuple[_Where, Coefficient]


def _coefficients(report: AgreementReport) -> Iterator[Row]:
    if report.decisions is not None:
        for comparison in (report.decisions.sides, report.decisions.raters):
            if comparison is not None:
                yield from _of_comparison(comparison, EVERYBODY)
                for pair in comparison.pairs:
                    yield from _of_comparison(pair, " and ".join(pair.between))
    for name, form in report.forms.items():
        for field in form.fields:
            yield from _of_field(name, field)


def _of_comparison(comparison: Comparison, raters: str) -> Iterator[Row]:
    if not comparison.pairs:
        raters = " and ".join(comparison.between)
    tables = [(SEEDED_OUT, comparison.without_seeded), (ALL, comparison.with_seeded)]
    if comparison.worst_case is not None:
        tables.append((WORST, comparison.worst_case))
    for answers, table in tables:
        where = _Where(DECISIONS, "verdict", "nominal", answers, raters)
        for one in _of_decisions(table):
            yield where, one
        if table.sets is not None:
            yield where, _renamed(table.sets.macro, "set_f1_macro")
            yield where, _renamed(table.sets.micro, "set_f1_micro")
            for name, against in table.against_seed.items():
                yield (
                    where._replace(raters=f"{name} and the proposal"),
                    _renamed(against.macro, "set_f1_macro"),
                )


def _of_decisions(table: DecisionTable) -> tuple[Coefficient, ...]:
    together = (table.raw_agreement, table.cohen_kappa, table.alpha_nominal, table.ac1)
    return (*table.specific.values(), *together)


def _renamed(one: Coefficient, name: str) -> Coefficient:
    return replace(one, name=name)


def _of_field(form: str, field: FieldAgreement) -> Iterator[Row]:
    for answers, scale in ((SEEDED_OUT, field.without_seeded), (ALL, field.with_seeded)):
        where = _Where(form, field.key, field.level, answers, EVERYBODY)
        for one in scale.coefficients():
            yield where, one
        yield from _of_pairs(where, scale)
    if field.worst_case is not None:
        where = _Where(form, field.key, field.level, WORST, EVERYBODY)
        for one in (field.worst_case.raw_agreement, field.worst_case.alpha, field.worst_case.ac):
            yield where, one
    if field.applicability is not None:
        where = _Where(form, field.key, "nominal", ALL, EVERYBODY)
        applies = field.applicability
        for one in (applies.specific, applies.raw_agreement, applies.alpha_nominal):
            yield where, _renamed(one, f"applies_{one.name}")


def _of_pairs(where: _Where, scale: ScaleAgreement) -> Iterator[Row]:
    for pair in scale.pairs:
        mine = where._replace(raters=f"{pair.first} and {pair.second}")
        for one in (pair.raw_agreement, pair.kappa, pair.difference, *pair.associations):
            yield mine, one
