"""Agreement of any number of raters with missing cells: Krippendorff's alpha and Gwet's AC1 and AC2, from counts.

Counts are units x classes of the protocol's full scale, shape (u, k): how many raters gave each unit each class.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Literal, cast

import krippendorff
import numpy as np
from numpy.typing import NDArray

from alps_tui.agreement.alike import dialogues_by_kind
from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.intervals import (
    SEED,
    Floats,
    Quotient,
    Statistic,
    class_shares,
    coefficient,
)
from store.kinds import Level

PACKAGE_CELLS = 1_000_000
"""The package holds four arrays of units x classes x classes at once: up to here they take 32 MB."""

PackageLevel = Literal["nominal", "ordinal", "interval", "ratio"]

NOTHING = 1e-13
"""Rates under this are rounding, not disagreement."""


@dataclass(frozen=True, slots=True)
class Over:
    """What a coefficient is taken over: the full scale in order, how many dialogues and raters there are.

    scores   the classes as numbers: the scale's own where it has numbers, else their places
    labels   the classes in words
    """

    scores: tuple[float, ...]
    labels: tuple[str, ...]
    n_clusters: int
    n_raters: int
    seed: int = SEED


def counts_of(units: NDArray[np.intp], classes: NDArray[np.intp], n_units: int, k: int) -> Floats:
    """Ratings as unit and class codes, shape (n,) each, to counts (n_units, k)."""
    # Weights of 1 make the sums floating point at once: as whole numbers first they would be held twice.
    counted = np.asarray(
        np.bincount(units * k + classes, weights=np.ones(len(units)), minlength=n_units * k), dtype=np.float64
    )
    return counted.reshape(n_units, k)


def pairable(counts: Floats) -> NDArray[np.bool_]:
    """Units with at least two ratings.

    raises   ValueError if counts are not a matrix, or one is negative
    """
    if counts.ndim != 2:
        raise ValueError("counts must be units x classes")
    if counts.size and counts.min() < 0:
        raise ValueError("a count is negative")
    return np.asarray(counts.sum(axis=1) >= 2, dtype=np.bool_)


def coincidences(counts: Floats) -> Floats:
    """Coincidence matrix of each unit, shape (u, k, k): n_c (n_k - [c = k]) / (m - 1) (Krippendorff 2011, step 2)."""
    m = counts.sum(axis=1)
    outer = counts[:, :, None] * counts[:, None, :]
    diagonal = np.arange(counts.shape[1])
    outer[:, diagonal, diagonal] -= counts
    return np.asarray(outer / (m - 1)[:, None, None], dtype=np.float64)


def squared_distance(level: Level, scores: Sequence[float]) -> Floats:
    """Squared distances of the classes, shape (k, k), of the levels where a table of them is needed (step 4).

    raises   ValueError for ordinal, whose distances depend on the margins, and interval, which needs moments only
    """
    s = np.asarray(scores, dtype=np.float64)
    if level is Level.NOMINAL:
        return 1.0 - np.eye(len(s))
    if level is Level.RATIO:
        total = s[:, None] + s[None]
        ratio = np.divide(s[:, None] - s[None], total, out=np.zeros(total.shape), where=total != 0)
        return np.asarray(ratio**2, dtype=np.float64)
    raise ValueError(f"no table of distances belongs to the level {level}")


def alpha_parts(counts: Floats, level: Level, scores: Sequence[float]) -> Floats:
    """What alpha needs of each unit, shape (u, p), to be summed; counts hold pairable units only.

    Ordinal: the coincidence matrix (k * k). Interval: observed disagreement and three moments. Nominal and ratio:
    observed disagreement and the k margins.
    """
    if level is Level.ORDINAL:
        return coincidences(counts)
    m = counts.sum(axis=1)
    if level is Level.INTERVAL:
        s = _unit_scores(scores)
        first, second = counts @ s, counts @ s**2
        observed = 2 * (m * second - first**2) / (m - 1)
        return np.column_stack([observed, m, first, second])
    distance = squared_distance(level, scores)
    observed = np.einsum("uc,ck,uk->u", counts, distance, counts, optimize=True) / (m - 1)
    return np.column_stack([observed, counts])


def alpha(level: Level, scores: Sequence[float]) -> Statistic:
    """Krippendorff's alpha (Krippendorff 2011; 2018 ch. 12): 1 - D_o / D_e, of sums of `alpha_parts`.

    Undefined where all pairable ratings are the same.
    """
    k = len(scores)
    if level is Level.ORDINAL:
        return lambda sums: _ordinal(sums.reshape(-1, k, k))
    if level is Level.INTERVAL:
        return _interval
    distance = squared_distance(level, scores)

    def of(sums: Floats) -> Quotient:
        margins = sums[:, 1:]
        expected = np.einsum("rc,ck,rk->r", margins, distance, margins, optimize=True)
        return _scaled(
            sums[:, 0], expected, margins.sum(axis=1), np.full(len(sums), distance.max(initial=0.0))
        )

    return of


def _unit_scores(scores: Sequence[float]) -> Floats:
    """The scale moved and stretched to 0..1: alpha interval does not change, and sums of squares keep their digits."""
    s = np.asarray(scores, dtype=np.float64)
    span = float(np.ptp(s)) if len(s) else 0.0
    return (s - s.min(initial=np.inf)) / span if span > 0 else np.zeros(len(s))


def _interval(sums: Floats) -> Quotient:
    """Sum over pairs of (x - y)^2 from the moments n, sum x, sum x^2: 2 (n sum x^2 - (sum x)^2)."""
    observed, n, first, second = sums.T
    return _scaled(observed, 2 * (n * second - first**2), n, np.ones(len(sums)))


def _ordinal(sums: Floats) -> Quotient:
    """Ordinal distance (sum of n_g from c to k - (n_c + n_k) / 2)^2 is the squared difference of mid-ranks."""
    margins = sums.sum(axis=2)
    ranks = np.cumsum(margins, axis=1) - margins / 2
    n = margins.sum(axis=1)
    centre = (margins * ranks).sum(axis=1) / np.where(n > 0, n, 1)
    centred = ranks - centre[:, None]
    squares = (margins * centred**2).sum(axis=1)
    observed = 2 * (squares - np.einsum("rc,rck,rk->r", centred, sums, centred, optimize=True))
    return _scaled(observed, 2 * n * squares, n, (ranks[:, -1] - ranks[:, 0]) ** 2)


def _scaled(observed: Floats, expected: Floats, n: Floats, largest: Floats) -> Quotient:
    """Totals over n ratings to rates in which the largest distance of the scale counts 1."""
    unit = np.where(largest > 0, largest, 1.0) * np.where(n > 0, n, 1.0)
    d_o = observed / unit
    d_e = np.where(n > 1, expected / unit / np.where(n > 1, n - 1, 1.0), 0.0)
    return Quotient(np.where(d_o > NOTHING, d_o, 0.0), np.where(d_e > NOTHING, d_e, 0.0))


def package_alpha(counts: Floats, level: Level, scores: Sequence[float]) -> float | None:
    """Alpha as the krippendorff package computes it, for the printed value; None where its arrays would be too large.

    counts   pairable units only, with at least two classes in use
    """
    k = counts.shape[1]
    if len(counts) * k * k > PACKAGE_CELLS:
        return None
    used = counts.sum(axis=0) > 0
    value = krippendorff.alpha(
        value_counts=counts[:, used].astype(np.int64),
        value_domain=np.asarray(scores, dtype=np.float64)[used],
        level_of_measurement=cast(PackageLevel, str(level)),
    )
    return float(value)


def gwet_parts(counts: Floats, disagreement: Floats) -> Floats:
    """What AC1, AC2 and Fleiss' kappa need of each unit, shape (u, 2 + k + 1), to be summed.

    Observed disagreement of a unit with two ratings or more, and whether it has them; its class proportions if it has
    any rating, and whether it has one (Gwet 2014, ch. 2 and 5: missing cells allowed).
    """
    m = counts.sum(axis=1)
    twice = m >= 2
    pairs = np.where(twice, m * (m - 1), 1.0)
    observed = np.einsum("uc,ck,uk->u", counts, disagreement, counts, optimize=True) / pairs
    rated = m >= 1
    proportions = counts / np.where(rated, m, 1.0)[:, None]
    columns = [
        np.where(twice, observed, 0.0),
        twice.astype(np.float64),
        proportions,
        rated.astype(np.float64),
    ]
    return np.column_stack(columns)


Expected = Callable[[Floats], Floats]


def gwet(disagreement: Floats) -> Statistic:
    """Gwet's AC1 (identity weights) and AC2 (any weights) (Gwet 2008; 2014, eqs. 5.1-5.4), of `gwet_parts`.

    Chance agreement T_w / (q (q - 1)) * sum pi (1 - pi), with q classes on the full scale. Undefined for q < 2.
    """
    weights = 1.0 - disagreement
    q = len(weights)

    def expected(pi: Floats) -> Floats:
        if q < 2:
            return np.zeros(len(pi))
        slope = float(weights.sum()) / (q * (q - 1))
        spread: Floats = (pi * (1 - pi)).sum(axis=1)
        return 1 - slope * spread

    return _chance_corrected(expected)


def fleiss(disagreement: Floats) -> Statistic:
    """Fleiss' kappa (Fleiss 1971), weighted and with missing cells (Gwet 2014): chance from the pooled margins."""

    def expected(pi: Floats) -> Floats:
        chance: Floats = np.einsum("rc,ck,rk->r", pi, disagreement, pi, optimize=True)
        return chance

    return _chance_corrected(expected)


def _chance_corrected(expected: Expected) -> Statistic:
    def of(sums: Floats) -> Quotient:
        pairs, rated = sums[:, 1], sums[:, -1]
        pi = sums[:, 2:-1] / np.where(rated > 0, rated, 1.0)[:, None]
        chance = np.where((pairs > 0) & (rated > 0), expected(pi), 0.0)
        observed = sums[:, 0] / np.where(pairs > 0, pairs, 1.0)
        return Quotient(observed, np.where(chance > NOTHING, chance, 0.0))

    return of


def krippendorff_alpha(counts: Floats, clusters: NDArray[np.intp], over: Over, level: Level) -> Coefficient:
    """Alpha with its interval by dialogue; the value is the krippendorff package's, the interval from our own.

    Past `PACKAGE_CELLS` the value is our own too, which equals the package's to 1e-12.

    counts     units x classes; units with fewer than two ratings are left out and counted
    clusters   (u,) dialogue code of each unit
    """
    name = f"alpha_{level}"
    twice = pairable(counts)
    kept = counts if twice.all() else counts[twice]
    left_out = int(np.count_nonzero(counts.sum(axis=1) == 1))
    if over.n_raters < 2:
        return Coefficient.undefined(name, CoefficientStatus.NEED_2_RATERS, left_out=left_out)
    varied = np.count_nonzero(kept.sum(axis=0)) > 1
    parts, sizes = dialogues_by_kind(
        kept, clusters[twice], lambda units: alpha_parts(units, level, over.scores)
    )
    return coefficient(
        name,
        parts,
        alpha(level, over.scores),
        sizes=sizes,
        n=len(kept),
        left_out=left_out,
        shares=class_shares(kept, over.labels),
        seed=over.seed,
        value=package_alpha(kept, level, over.scores) if varied else None,
    )


def corrected(
    name: str,
    counts: Floats,
    clusters: NDArray[np.intp],
    over: Over,
    disagreement: Floats,
    kind: Callable[[Floats], Statistic],
) -> Coefficient:
    """A coefficient of counted classes with its interval by dialogue; `kind` says what chance would agree on."""
    single = int(np.count_nonzero(counts.sum(axis=1) == 1))
    if over.n_raters < 2:
        return Coefficient.undefined(name, CoefficientStatus.NEED_2_RATERS, left_out=single)
    parts, sizes = dialogues_by_kind(counts, clusters, lambda units: gwet_parts(units, disagreement))
    return coefficient(
        name,
        parts,
        kind(disagreement),
        sizes=sizes,
        n=int(np.count_nonzero(pairable(counts))),
        left_out=single,
        shares=class_shares(counts, over.labels),
        seed=over.seed,
    )


def gwet_ac(counts: Floats, clusters: NDArray[np.intp], over: Over, disagreement: Floats) -> Coefficient:
    """AC1 (every disagreement counts 1) or AC2 with its interval by dialogue; single ratings count for the margins."""
    name = "ac1" if np.all(disagreement == 1.0 - np.eye(len(disagreement))) else "ac2"
    return corrected(name, counts, clusters, over, disagreement, gwet)
