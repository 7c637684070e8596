"""Coefficients of one field of open numbers with too many different values to count one by one: from moments and pairs."""

from dataclasses import replace

import numpy as np

from alps_tui.agreement.association import bland_altman, mean_signed_difference, pearson, spearman
from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus, NoInterval
from alps_tui.agreement.field_meta import FieldMeta
from alps_tui.agreement.field_reports import PairAgreement, ScaleAgreement
from alps_tui.agreement.intervals import SEED, Floats, coefficient, sum_by
from alps_tui.agreement.intraclass import intraclass
from alps_tui.agreement.many_raters import Over, alpha
from alps_tui.agreement.pair_agreement import each_pair, raw_of_pair, too_many
from alps_tui.agreement.ratings import Pairs, Ratings
from alps_tui.agreement.scales import values_of
from store.kinds import Level

NO_REPLICATES_OF_RANKS = "Made for scales of a few points only."


def number_agreement(ratings: Ratings, field: FieldMeta, seed: int = SEED) -> ScaleAgreement:
    """Alpha of the interval level, ICC, and the pairs; what counts classes is undefined, with the reason.

    ratings   codes are places on `field.scale`, the different numbers in order
    """
    values = values_of(ratings, field.scores)
    per_unit = (~np.isnan(values)).sum(axis=1)
    over = Over(field.scores, (), len(ratings.dialogues), ratings.n_active, seed)
    active = (ratings.codes >= 0).any(axis=0)
    many = f"{len(field.scale):,} different values: classes are counted one by one for fewer only."

    def undefined(name: str) -> Coefficient:
        return Coefficient.undefined(name, CoefficientStatus.TOO_MANY, reason=many)

    no_pairs = too_many(ratings)
    return ScaleAgreement(
        n_units=int(np.count_nonzero(per_unit)),
        n_ratings=int(per_unit.sum()),
        n_pairable=int(np.count_nonzero(per_unit >= 2)),
        distribution=_quarters(values),
        specific={},
        raw_agreement=undefined("raw_agreement"),
        alpha=_alpha(values, ratings, field, over)
        if field.level is Level.INTERVAL
        else undefined(f"alpha_{field.level}"),
        ac=undefined("ac2"),
        mean_kappa=undefined("kappa_quadratic"),
        pairs=tuple(_pair(pair, field, over) for pair in each_pair(ratings)),
        warnings=(),
        intraclass=intraclass(values[:, active], ratings.clusters, over.n_clusters, seed=seed).each,
        no_pairs=no_pairs,
    )


def _quarters(values: Floats) -> dict[str, int]:
    """How many numbers lie in each quarter of the range that was used."""
    found = values[~np.isnan(values)]
    if not len(found):
        return {}
    edges = np.linspace(found.min(), found.max(), 5)
    counts, _ = np.histogram(found, bins=edges)
    return {f"{edges[i]:g} to {edges[i + 1]:g}": int(n) for i, n in enumerate(counts)}


def _alpha(values: Floats, ratings: Ratings, field: FieldMeta, over: Over) -> Coefficient:
    """From the moments of each unit, moved and stretched to 0..1 (`many_raters.alpha_parts`)."""
    given = ~np.isnan(values)
    m = given.sum(axis=1)
    single = int(np.count_nonzero(m == 1))
    if over.n_raters < 2:
        return Coefficient.undefined("alpha_interval", CoefficientStatus.NEED_2_RATERS, left_out=single)
    twice = m >= 2
    low, high = field.scores[0], field.scores[-1]
    unit = np.where(given, (values - low) / (high - low), 0.0)[twice]
    n, first, second = m[twice].astype(np.float64), unit.sum(axis=1), (unit**2).sum(axis=1)
    parts = np.column_stack([2 * (n * second - first**2) / (n - 1), n, first, second])
    return coefficient(
        "alpha_interval",
        sum_by(ratings.clusters[twice], parts, over.n_clusters),
        alpha(Level.INTERVAL, field.scores),
        n=int(twice.sum()),
        left_out=single,
        seed=over.seed,
    )


def _pair(pair: Pairs, field: FieldMeta, over: Over) -> PairAgreement:
    (names,) = pair.names
    scores = np.asarray(field.scores)
    x, y = scores[pair.first], scores[pair.second]
    related = tuple(
        replace(one, interval=NoInterval(NO_REPLICATES_OF_RANKS)) if one.defined else one
        for one in (pearson(x, y), spearman(x, y))
    )
    kappa = Coefficient.undefined(
        "kappa_quadratic", CoefficientStatus.OPEN_SCALE, n=len(pair), counted="pairs"
    )
    return PairAgreement(
        *names,
        len(pair),
        kappa,
        raw_of_pair(pair, field, over),
        mean_signed_difference(x, y, pair.clusters, over.n_clusters, seed=over.seed),
        related,
        bland_altman(x, y),
    )
