"""Association and bias of two series of numbers: Pearson, Spearman, Kendall's tau-b, signed and absolute difference.

Association says nothing of bias: a rater who is always one higher correlates perfectly. Ranks and tau are computed
here and held against scipy.stats by the tests: to load that takes longer than any report of a study.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.intervals import SEED, Floats, mean_coefficient, sum_by

PairStatistic = Callable[[Floats, Floats], float]


def pearson(x: Floats, y: Floats) -> Coefficient:
    """Product-moment correlation of n pairs (Pearson 1895); undefined under 2 pairs or with a constant side."""
    return _of_pairs("pearson", x, y, _pearson)


def spearman(x: Floats, y: Floats) -> Coefficient:
    """Rank correlation with average ranks for ties (Spearman 1904): Pearson of the ranks."""
    return _of_pairs("spearman", x, y, lambda a, b: _pearson(average_ranks(a), average_ranks(b)))


def kendall_tau_b(x: Floats, y: Floats) -> Coefficient:
    """Kendall's tau-b, corrected for ties (Kendall 1945)."""
    return _of_pairs("kendall_tau_b", x, y, _tau_b)


def average_ranks(values: Floats) -> Floats:
    """Ranks from 1 of n values, ties sharing the mean of their places."""
    _, places, counts = np.unique(values, return_inverse=True, return_counts=True)
    ranks: Floats = (np.cumsum(counts) - (counts - 1) / 2)[places]
    return ranks


def mean_signed_difference(
    x: Floats, y: Floats, clusters: NDArray[np.intp], n_clusters: int, *, seed: int = SEED
) -> Coefficient:
    """Mean of y - x with an interval by dialogue: above 0 the second rater is the higher one."""
    return _mean("mean_signed_difference", y - x, clusters, n_clusters, seed)


def mean_absolute_difference(
    x: Floats, y: Floats, clusters: NDArray[np.intp], n_clusters: int, *, seed: int = SEED
) -> Coefficient:
    """Mean of |y - x| with an interval by dialogue."""
    return _mean("mean_absolute_difference", np.abs(y - x), clusters, n_clusters, seed)


def _mean(name: str, values: Floats, clusters: NDArray[np.intp], n_clusters: int, seed: int) -> Coefficient:
    if not np.all(np.isfinite(values)):
        return Coefficient.undefined(name, CoefficientStatus.NOT_A_NUMBER, n=len(values), counted="pairs")
    return mean_coefficient(
        name,
        sum_by(clusters, values, n_clusters),
        sum_by(clusters, np.ones(len(values)), n_clusters),
        seed=seed,
    )


def _pearson(x: Floats, y: Floats) -> float:
    a, b = x - x.mean(), y - y.mean()
    return float(np.clip((a @ b) / np.sqrt((a @ a) * (b @ b)), -1, 1))


def _tau_b(x: Floats, y: Floats) -> float:
    """(concordant - discordant) / sqrt(pairs not tied in x * pairs not tied in y), each value against those before."""
    balance = untied_x = untied_y = 0.0
    for i in range(1, len(x)):
        a, b = np.sign(x[i] - x[:i]), np.sign(y[i] - y[:i])
        balance += a @ b
        untied_x += a @ a
        untied_y += b @ b
    return float(np.clip(balance / np.sqrt(untied_x * untied_y), -1, 1))


def _of_pairs(name: str, x: Floats, y: Floats, of: PairStatistic) -> Coefficient:
    """Guards common to all: two pairs at least, finite, and both sides vary."""
    if len(x) != len(y):
        raise ValueError("the two series are not equally long")
    if len(x) < 2:
        return Coefficient.undefined(name, CoefficientStatus.TOO_FEW_PAIRS, n=len(x), counted="pairs")
    if not (np.all(np.isfinite(x)) and np.all(np.isfinite(y))):
        return Coefficient.undefined(name, CoefficientStatus.NOT_A_NUMBER, n=len(x), counted="pairs")
    if np.all(x == x[0]) or np.all(y == y[0]):
        reason = "One of the two gave the same value throughout, so nothing can vary with it."
        return Coefficient.undefined(
            name, CoefficientStatus.NO_VARIATION, n=len(x), counted="pairs", reason=reason
        )
    return Coefficient(name, of(x, y), CoefficientStatus.OK, n=len(x), counted="pairs")
