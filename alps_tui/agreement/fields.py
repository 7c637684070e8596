"""Agreement on the fields of a form: for each its scale, what is missing, whether it applies, and the coefficients."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alps_tui.agreement.association import mean_signed_difference
from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.intervals import SEED, Floats, Range, class_shares, coefficient
from alps_tui.agreement.many_raters import Over, gwet_ac, krippendorff_alpha
from alps_tui.agreement.ratings import (
    MISSING,
    Pairs,
    Ratings,
    answered,
    missing_by_status,
    on_scale,
    places_of,
    population,
    rater_pairs,
)
from alps_tui.agreement.report import (
    Applicability,
    FieldAgreement,
    FieldReport,
    PairAgreement,
    ScaleAgreement,
    skew_warnings,
)
from alps_tui.agreement.two_raters import (
    identity_weights,
    margins,
    percent,
    pooled_kappa_of_margins,
    quadratic_weights,
    same_parts,
    share_of_same,
    specific,
    specific_parts,
    tables,
)
from store.kinds import Level
from store.table import Table

Json = Any
APPLIES, DOES_NOT_APPLY = "applies", "does not apply"
MANY_FIELDS = "Several fields stand side by side: one low coefficient in twenty is to be expected by chance."
WEIGHTS = "mean over pairs of raters, weighted by the pairs' numbers of units"


@dataclass(frozen=True, slots=True)
class FieldMeta:
    """What agreement must know of a form's field; from the form, never from the values that were given.

    scale            the values in order, without "does not apply"
    not_applicable   the answer that stands beside the scale, None if the field has none
    """

    key: str
    level: Level
    scale: tuple[Json, ...]
    title: str = ""
    not_applicable: Json = None

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(str(value) for value in self.scale)

    @property
    def scores(self) -> tuple[float, ...]:
        """The scale's own numbers; for words their places from 1, in the order of the form."""
        if self.numeric:
            return tuple(float(value) for value in self.scale)
        return tuple(float(place) for place in range(1, len(self.scale) + 1))

    @property
    def numeric(self) -> bool:
        return all(isinstance(value, int | float) and not isinstance(value, bool) for value in self.scale)

    @property
    def weights(self) -> Floats:
        """Disagreement weights of kappa and AC: quadratic on a scale with an order, 0 and 1 on one without."""
        if self.level is Level.NOMINAL:
            return identity_weights(len(self.scale))
        return quadratic_weights(self.scores)


def field_report(
    table: Table, fields: Sequence[FieldMeta], *, form: str | None = None, seed: int = SEED
) -> FieldReport:
    """Agreement on each field of a form, from the long table's default population.

    form     the protocol's name (without version) whose rows count; None: all rows of a field's key
    raises   ValueError if one rater answered a unit twice in the population
    """
    if form is not None:
        names = table.column("protocol")
        table = table.where(np.array([str(n).rpartition("@")[0] == form or n == form for n in names], bool))
    table, kept = population(table)
    notes = (MANY_FIELDS,) if len(fields) > 1 else ()
    return FieldReport(kept, tuple(field_agreement(table.field(f.key), f, seed) for f in fields), notes, seed)


def field_agreement(rows: Table, field: FieldMeta, seed: int = SEED) -> FieldAgreement:
    """One field from its rows, one answer of each rater for each unit."""
    given = answered(rows)
    codes = places_of(given, field.scale)
    beside = places_of(given, () if field.not_applicable is None else (field.not_applicable,))
    ratings = on_scale(given, codes, field.labels)
    kept = ratings.without_seeded()
    with_seeded = scale_agreement(ratings, field, seed)
    applies = np.where(beside == 0, 1, np.where(codes >= 0, 0, MISSING)).astype(np.intp)
    answers = (codes >= 0) | (beside == 0)
    return FieldAgreement(
        key=field.key,
        title=field.title,
        level=str(field.level),
        scale=field.labels,
        raters=tuple(sorted(set(given.column("rater").tolist()))),
        n_units=len(set(given.column("unit_id")[answers].tolist())),
        n_ratings=int(np.count_nonzero(answers)),
        missing=missing_by_status(rows),
        off_scale=int(np.count_nonzero(~answers)),
        without_seeded=with_seeded if kept is ratings else scale_agreement(kept, field, seed),
        with_seeded=with_seeded,
        applicability=(
            None
            if field.not_applicable is None
            else applicability(on_scale(given, applies, (APPLIES, DOES_NOT_APPLY)), seed)
        ),
    )


def scale_agreement(ratings: Ratings, field: FieldMeta, seed: int = SEED) -> ScaleAgreement:
    """Alpha at the field's level, weighted kappa per pair and their mean, AC1 or AC2, the distribution, warnings.

    ratings   codes are places on `field.scale`; "does not apply" is no code
    """
    counts = ratings.counts
    over = Over(field.scores, field.labels, len(ratings.dialogues), ratings.n_active, seed)
    shares = class_shares(counts, field.labels)
    alpha = _alpha(ratings, counts, field, over)
    ac = gwet_ac(counts, ratings.clusters, over, field.weights)
    pairs = rater_pairs(ratings)
    each = [pairs.only(index) for index in range(len(pairs.names))]
    return ScaleAgreement(
        n_units=int(np.count_nonzero(counts.sum(axis=1) >= 1)),
        n_ratings=int(counts.sum()),
        n_pairable=int(np.count_nonzero(counts.sum(axis=1) >= 2)),
        distribution={label: int(n) for label, n in zip(field.labels, counts.sum(axis=0), strict=True)},
        alpha=alpha,
        ac=ac,
        mean_kappa=_mean_kappa(each, field, over),
        pairs=tuple(_pair(pair, field, over) for pair in each),
        warnings=skew_warnings(shares, alpha, ac),
    )


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


def _alpha(ratings: Ratings, counts: Floats, field: FieldMeta, over: Over) -> Coefficient:
    distances = field.level in (Level.INTERVAL, Level.RATIO)
    if distances and not field.numeric:
        return Coefficient.undefined(f"alpha_{field.level}", CoefficientStatus.NOT_NUMERIC)
    return krippendorff_alpha(counts, ratings.clusters, over, field.level)


def _mean_kappa(each: Sequence[Pairs], field: FieldMeta, over: Over) -> Coefficient:
    name = "cohen_kappa" if field.level is Level.NOMINAL else "kappa_quadratic"
    if over.n_raters < 2:
        return Coefficient.undefined(name, CoefficientStatus.NEED_2_RATERS, counted="pairs")
    if not each:
        return Coefficient.undefined(name, CoefficientStatus.NO_PAIRABLE_UNITS, counted="pairs")
    parts = np.stack(
        [margins(p.first, p.second, p.clusters, field.weights, over.n_clusters) for p in each], axis=1
    )
    uses = parts[:, :, 1:].sum(axis=(0, 1)).reshape(2, len(field.scale))
    return coefficient(
        name,
        parts,
        pooled_kappa_of_margins(field.weights),
        n=sum(len(pair) for pair in each),
        counted="pairs",
        shares=class_shares(uses, field.labels),
        seed=over.seed,
        note=WEIGHTS if len(each) > 1 else "",
    )


def _pair(pair: Pairs, field: FieldMeta, over: Over) -> PairAgreement:
    """Two raters on their common units: the first of the names is the one that sorts first."""
    answers = np.concatenate([pair.first, pair.second])
    uses = np.bincount(answers, minlength=len(field.scale)).astype(np.float64)
    scores = np.asarray(field.scores)
    (names,) = pair.names
    raw = coefficient(
        "raw_agreement",
        same_parts(pair.first, pair.second, pair.clusters, over.n_clusters),
        share_of_same,
        n=len(pair),
        counted="pairs",
        within=Range.SHARE,
        shares=class_shares(uses, field.labels),
        seed=over.seed,
    )
    ordered = field.level is not Level.NOMINAL
    difference = (
        mean_signed_difference(
            scores[pair.first], scores[pair.second], pair.clusters, over.n_clusters, seed=over.seed
        )
        if ordered
        else Coefficient.undefined("mean_signed_difference", CoefficientStatus.NOT_NUMERIC, n=len(pair))
    )
    return PairAgreement(*names, len(pair), _mean_kappa([pair], field, over), raw, difference)
