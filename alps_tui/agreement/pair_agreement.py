"""Two raters on their common units: kappa, raw agreement, association, bias; and the mean of kappa over all pairs."""

from collections.abc import Sequence

import numpy as np

from alps_tui.agreement.association import BlandAltman, associations, bland_altman, mean_signed_difference
from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.field_meta import FieldMeta
from alps_tui.agreement.field_reports import PairAgreement
from alps_tui.agreement.intervals import Range, class_shares, coefficient
from alps_tui.agreement.many_raters import Over
from alps_tui.agreement.ratings import Pairs, Ratings, rater_pairs
from alps_tui.agreement.two_raters import (
    margins,
    pooled_kappa_of_margins,
    same_parts,
    share_of_same,
)
from store.kinds import Level

WEIGHTS = "mean over pairs of raters, weighted by the pairs' numbers of units"
MOST_PAIRS = 300
"""25 raters. Beyond, pairs of raters are not told one by one."""

MOST_CELLS = 60_000_000
"""Numbers held at once for the mean of kappa over all pairs."""


def too_many(ratings: Ratings) -> str:
    """Why pairs are not told one by one; "" where they are."""
    n = ratings.n_active
    if n * (n - 1) // 2 <= MOST_PAIRS:
        return ""
    return f"{n} raters are {n * (n - 1) // 2:,} pairs: pairs are told one by one up to {MOST_PAIRS}."


def each_pair(ratings: Ratings) -> tuple[Pairs, ...]:
    """Every two raters who met on a unit; none where there are too many pairs."""
    if too_many(ratings):
        return ()
    pairs = rater_pairs(ratings)
    return tuple(pairs.only(index) for index in range(len(pairs.names)))


def mean_kappa(each: Sequence[Pairs], field: FieldMeta, over: Over, no_pairs: str = "") -> Coefficient:
    """Kappa of the pairs together; `no_pairs` is why there are none."""
    name = "kappa_quadratic" if field.ordered else "cohen_kappa"
    if no_pairs:
        return Coefficient.undefined(name, CoefficientStatus.TOO_MANY, counted="pairs", reason=no_pairs)
    if over.n_raters < 2:
        return Coefficient.undefined(name, CoefficientStatus.NEED_2_RATERS, counted="pairs")
    if not each:
        return Coefficient.undefined(name, CoefficientStatus.NO_PAIRABLE_UNITS, counted="pairs")
    cells = over.n_clusters * len(each) * (1 + 2 * len(field.scale))
    n = sum(len(pair) for pair in each)
    if cells > MOST_CELLS:
        reason = (
            "Kappa of each pair of raters on so many dialogues at once would not fit the memory; alpha does."
        )
        return Coefficient.undefined(name, CoefficientStatus.TOO_MANY, n=n, counted="pairs", reason=reason)
    parts = np.stack(
        [margins(p.first, p.second, p.clusters, field.weights, over.n_clusters) for p in each], axis=1
    )
    uses = parts[:, :, 1:].sum(axis=(0, 1)).reshape(2, len(field.scale))
    return coefficient(
        name,
        parts,
        pooled_kappa_of_margins(field.weights),
        n=n,
        counted="pairs",
        shares=class_shares(uses, field.labels),
        seed=over.seed,
        note=WEIGHTS if len(each) > 1 else "",
    )


def pair_agreement(pair: Pairs, field: FieldMeta, over: Over) -> PairAgreement:
    """Two raters on their common units: the first of the names is the one that sorts first."""
    (names,) = pair.names
    related, limits = _association(pair, field, over)
    return PairAgreement(
        *names,
        len(pair),
        mean_kappa([pair], field, over),
        raw_of_pair(pair, field, over),
        _difference(pair, field, over),
        related,
        limits,
    )


def raw_of_pair(pair: Pairs, field: FieldMeta, over: Over) -> Coefficient:
    """Share of the common units with the same answer."""
    uses = np.bincount(np.concatenate([pair.first, pair.second]), minlength=len(field.scale))
    return coefficient(
        "raw_agreement",
        same_parts(pair.first, pair.second, pair.clusters, over.n_clusters),
        share_of_same,
        n=len(pair),
        counted="pairs",
        within=Range.SHARE,
        shares=class_shares(uses.astype(np.float64), field.labels),
        seed=over.seed,
    )


def _difference(pair: Pairs, field: FieldMeta, over: Over) -> Coefficient:
    if not field.ordered:
        return Coefficient.undefined("mean_signed_difference", CoefficientStatus.NOT_NUMERIC, n=len(pair))
    scores = np.asarray(field.scores)
    return mean_signed_difference(
        scores[pair.first], scores[pair.second], pair.clusters, over.n_clusters, seed=over.seed
    )


def _association(
    pair: Pairs, field: FieldMeta, over: Over
) -> tuple[tuple[Coefficient, ...], BlandAltman | None]:
    if not field.ordered:
        return (), None
    distances = field.numeric and field.level in (Level.ORDINAL, Level.INTERVAL, Level.RATIO)
    found = associations(
        pair.first,
        pair.second,
        pair.clusters,
        over.n_clusters,
        field.scores,
        numbers=distances,
        seed=over.seed,
    )
    scores = np.asarray(field.scores)
    return found, bland_altman(scores[pair.first], scores[pair.second]) if field.measured else None
