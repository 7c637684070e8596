"""Agreement on the fields of a form: for each its scale, what is missing, whether it applies, and the coefficients."""

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alps_tui.agreement.asked_fields import form_of
from alps_tui.agreement.behind import differing
from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.detail import FieldDetail, MatrixCell, RaterMatrix, distribution_of
from alps_tui.agreement.field_meta import AnswerKind, FieldMeta, label_of
from alps_tui.agreement.field_reports import (
    Applicability,
    FieldAgreement,
    FieldReport,
    ScaleAgreement,
    WorstCase,
)
from alps_tui.agreement.intervals import SEED, Range, class_shares, coefficient
from alps_tui.agreement.many_raters import Over, krippendorff_alpha
from alps_tui.agreement.next_steps import next_steps
from alps_tui.agreement.number_fields import number_agreement
from alps_tui.agreement.panel import Panel, panel_from
from alps_tui.agreement.ratings import (
    MISSING,
    Codes,
    Ratings,
    answered,
    missing_by_status,
    on_scale,
    places_of,
    population,
    rater_pairs,
)
from alps_tui.agreement.scales import MOST_VALUES, scale_agreement, worst_of
from alps_tui.agreement.set_fields import label_of_set, set_agreement_of, sets_given, worst_of_sets
from alps_tui.agreement.two_raters import percent, specific, specific_parts, tables
from store.kinds import Attested, Level, Origin
from store.table import Table

__all__ = ["FieldMeta", "applicability", "field_agreement", "field_report", "scale_agreement"]

Json = Any
APPLIES, DOES_NOT_APPLY = "applies", "does not apply"
MANY_FIELDS = "Several fields stand side by side: one low coefficient in twenty is to be expected by chance."
NO_ORDER = "Its values are words whose order nobody said. Say it: --scale {key}=lowest,...,highest"
MOST_BEHIND = 2_000_000
"""Answers up to which the units behind each number are kept beside it."""


def field_report(
    table: Table,
    fields: Sequence[FieldMeta],
    *,
    form: str | None = None,
    seed: int = SEED,
    refused: Mapping[str, str] | None = None,
    detail: bool = False,
) -> FieldReport:
    """Agreement on each field of a form, from the long table's default population.

    form     the protocol's name (without version) whose rows count; None: all rows of a field's key
    refused  fields of which no number can be computed, with the reason: handed on
    detail   whether to find the units behind the numbers and what to do next
    raises   ValueError if one rater answered a unit twice in the population
    """
    if form is not None:
        table = of_form(table, form)
    table, kept = population(table)
    left = dict(refused or {})
    found, unanswered = [], []
    for field in fields:
        rows = table.field(field.key)
        if not field.closed and not len(answered(rows)):
            unanswered.append(field.key)
            continue
        made = field_agreement(rows, field, seed, detail=detail)
        if isinstance(made, str):
            left[field.key] = made
        else:
            found.append(made)
    notes = (MANY_FIELDS,) if len(found) > 1 else ()
    return FieldReport(kept, tuple(found), notes, seed, form or "", left, tuple(unanswered))


def of_form(table: Table, form: str) -> Table:
    """The rows of a protocol's name, whatever their version."""
    names = table.column("protocol").tolist()
    known = {name: form_of(name) == form for name in set(names)}
    return table.where(np.fromiter((known[name] for name in names), dtype=np.bool_, count=len(table)))


@dataclass(frozen=True, slots=True)
class _Read:
    """One field's answers as class codes: of each answered row, and the matrix of those on the scale."""

    field: FieldMeta
    given: Table
    codes: Codes
    ratings: Ratings
    sets: tuple[frozenset[Json], ...] | None = None


def field_agreement(
    rows: Table, field: FieldMeta, seed: int = SEED, *, detail: bool = False
) -> FieldAgreement | str:
    """One field from its rows, one answer of each rater for each unit; a sentence if nothing can be computed."""
    made = rows.column("origin") == Origin.RATER
    own = answered(rows.where(made)) if made.any() else rows.where(made)
    rows = rows.where(~made) if made.any() else rows
    read = _read(answered(rows), field)
    if isinstance(read, str):
        return read
    given, codes, ratings = read.given, read.codes, read.ratings
    kept = ratings.without_seeded()
    with_seeded = _agreement(read, ratings, seed)
    without = with_seeded if kept is ratings else _agreement(read, kept, seed)
    beside = places_of(given, () if field.not_applicable is None else (field.not_applicable,))
    applies = np.where(beside == 0, 1, np.where(codes >= 0, 0, MISSING)).astype(np.intp)
    answers = (codes >= 0) | (beside == 0)
    does_apply = None
    if field.not_applicable is not None:
        does_apply = applicability(on_scale(given, applies, (APPLIES, DOES_NOT_APPLY)), seed)
    told = detail and len(given) <= MOST_BEHIND
    return FieldAgreement(
        key=field.key,
        title=field.title,
        level=str(field.level),
        scale=read.field.labels,
        raters=tuple(sorted(set(given.column("rater").tolist()))),
        n_units=len(set(given.column("unit_id")[answers].tolist())),
        n_ratings=int(np.count_nonzero(answers)),
        missing=missing_by_status(rows),
        off_scale=int(np.count_nonzero(~answers)),
        without_seeded=without,
        with_seeded=with_seeded,
        applicability=does_apply,
        worst_case=_worst(read, seed),
        rater_made=len(own),
        kind=str(field.kind),
        closed=field.closed,
        form=field.form,
        detail=_detail(read, without, {} if does_apply is None else does_apply.by_rater, seed)
        if told
        else None,
    )


def _read(given: Table, field: FieldMeta) -> _Read | str:
    if field.kind is AnswerKind.SET:
        if not field.closed:
            return f"Its answers are sets and nobody said which options there are: --scale {field.key}=a,b,c"
        codes, sets = sets_given(given, field)
        labels = tuple(label_of_set(one, field) for one in sets)
        return _Read(field, given, codes, on_scale(given, codes, labels), sets)
    closed = closed_field(given, field)
    if isinstance(closed, str):
        return closed
    field = closed
    codes = places_of(given, field.scale)
    return _Read(field, given, codes, on_scale(given, codes, field.labels))


def closed_field(rows: Table, field: FieldMeta) -> FieldMeta | str:
    """A field of single answers on a closed scale: its own, else the values it was given; or why there is none."""
    if field.kind is AnswerKind.SET:
        return "Its answers are sets: alps agreement compares them."
    if field.closed:
        return field
    seen = _values_seen(answered(rows.field(field.key)), field)
    return seen if isinstance(seen, str) else field.over(seen)


def _values_seen(given: Table, field: FieldMeta) -> tuple[Json, ...] | str:
    """The different values of a field whose scale is open: numbers in their order, words in the alphabet's."""
    texts = set(given.column("value").tolist()) - {None}
    values = [value for value in map(json.loads, texts) if isinstance(value, str | int | float)]
    values = [value for value in values if value != field.not_applicable or isinstance(value, bool)]
    if not values:
        return "None of its values is a number or a word."
    numbers = {float(v) for v in values if isinstance(v, int | float) and not isinstance(v, bool)}
    words = {v for v in values if isinstance(v, str | bool)}
    if field.level is Level.NOMINAL:
        if len(numbers) + len(words) > MOST_VALUES:
            return f"It has {len(numbers) + len(words):,} different values: that is text, not a scale."
        return (*sorted(numbers), *sorted(words, key=str))
    if words and numbers:
        few = ", ".join(sorted(map(label_of, words))[:3])
        return f"Some of its values are numbers and some are words ({few}). Say the scale: --scale {field.key}=1..5"
    if words:
        return NO_ORDER.format(key=field.key)
    return tuple(sorted(numbers))


def _agreement(read: _Read, ratings: Ratings, seed: int) -> ScaleAgreement:
    if read.sets is not None:
        return set_agreement_of(ratings, read.sets, read.field, seed)
    if len(read.field.scale) > MOST_VALUES:
        return number_agreement(ratings, read.field, seed)
    return scale_agreement(ratings, read.field, seed)


def _worst(read: _Read, seed: int) -> WorstCase | None:
    if read.sets is not None:
        return worst_of_sets(read.ratings, read.sets, read.field, seed)
    return worst_of(read.ratings, read.field, seed)


# ---------------------------------------------------------------- whether the field applies


def applicability(ratings: Ratings, seed: int = SEED) -> Applicability:
    """Agreement on whether the field applies: nominal, over classes (applies, does not apply).

    ratings   codes 0 and 1 for these two
    """
    pairs = rater_pairs(ratings)
    n_dialogues = len(ratings.dialogues)
    by_dialogue = tables(pairs.first, pairs.second, pairs.clusters, 2, n_dialogues)
    counts = ratings.counts
    over = Over((0.0, 1.0), ratings.labels, n_dialogues, ratings.n_active, seed)
    shares = class_shares(counts, ratings.labels)
    said = (ratings.codes == 1).sum(axis=0)
    return Applicability(
        n_does_not_apply=int(said.sum()),
        by_rater={name: int(n) for name, n in zip(ratings.raters, said, strict=True)},
        specific=coefficient(
            "specific_does_not_apply",
            specific_parts(by_dialogue, 1),
            specific,
            n=len(pairs),
            counted="pairs",
            within=Range.SHARE,
            shares=shares,
            if_undefined=CoefficientStatus.CLASS_NEVER_USED,
            seed=seed,
        ),
        raw_agreement=coefficient(
            "raw_agreement",
            by_dialogue,
            percent(2),
            n=len(pairs),
            counted="pairs",
            within=Range.SHARE,
            shares=shares,
            seed=seed,
        ),
        alpha_nominal=krippendorff_alpha(counts, ratings.clusters, over, Level.NOMINAL),
    )


# ---------------------------------------------------------------- what stands behind the numbers


def _detail(read: _Read, agreement: ScaleAgreement, beside: Mapping[str, int], seed: int) -> FieldDetail:
    """Matrix, distribution and next steps of the answers that are not seeded."""
    panel = _panel(read)
    matrix = rater_matrix(panel, agreement)
    prefilled = bool(np.any(read.ratings.seeded))
    steps = next_steps(panel, agreement.alpha, form=read.field.form, prefilled=prefilled, seed=seed)
    return FieldDetail(matrix, distribution_of(panel, beside), steps, panel)


def rater_matrix(panel: Panel, agreement: ScaleAgreement) -> RaterMatrix:
    """The pairs of raters of one field's agreement with the units they differ on; who never met is undefined."""
    measure = agreement.pairs[0].kappa.name if agreement.pairs else agreement.mean_kappa.name
    if agreement.no_pairs:
        return RaterMatrix(measure, panel.raters, (), agreement.no_pairs)
    met = {(pair.first, pair.second): pair for pair in agreement.pairs}
    cells = []
    for place, first in enumerate(panel.raters):
        for second in panel.raters[place + 1 :]:
            pair = met.get((first, second))
            cells.append(
                _never_met(first, second, measure)
                if pair is None
                else MatrixCell(
                    first,
                    second,
                    pair.n,
                    pair.few,
                    pair.kappa,
                    pair.raw_agreement,
                    pair.difference,
                    differing(panel, first, second),
                )
            )
    return RaterMatrix(measure, panel.raters, tuple(cells))


def _never_met(first: str, second: str, measure: str) -> MatrixCell:
    names = (measure, "raw_agreement", "mean_signed_difference")
    kappa, raw, difference = (
        Coefficient.undefined(name, CoefficientStatus.NO_PAIRABLE_UNITS, counted="pairs") for name in names
    )
    return MatrixCell(first, second, 0, True, kappa, raw, difference, ())


def _panel(read: _Read) -> Panel:
    """The answers that are on the scale and not seeded, with the names of their units."""
    given, codes = read.given, read.codes
    here = (codes >= 0) & (given.column("attested") != Attested.SEEDED)
    labels = read.ratings.labels
    scores = read.field.scores if read.sets is None else tuple(float(place) for place in range(len(labels)))
    level = read.field.level if read.sets is None else Level.NOMINAL
    return panel_from(given.where(here), codes[here], read.field.key, level, labels, scores)
