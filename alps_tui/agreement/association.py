"""Association and bias of two series of numbers: Pearson, Spearman, Kendall's tau-b, signed and absolute difference.

Association says nothing of bias: a rater who is always one higher correlates perfectly. Ranks and tau are computed
here and held against scipy.stats by the tests: to load that takes longer than any report of a study.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus, NoInterval
from alps_tui.agreement.intervals import (
    SEED,
    Floats,
    Quotient,
    Statistic,
    coefficient,
    mean_coefficient,
    sum_by,
)
from alps_tui.agreement.two_raters import tables

LONG_SCALE = 11
MOST_CELLS = 200_000
"""Cells of the tables of all dialogues that are held at once for the interval of a correlation."""

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


# ---------------------------------------------------------------- from contingency tables, with intervals


def pearson_of_tables(scores: Sequence[float]) -> Statistic:
    """Product-moment correlation of two raters from sums of tables (r, k, k), as 1 - it over 1 (Pearson 1895)."""
    s = np.asarray(scores, dtype=np.float64)

    def of(sums: Floats) -> Quotient:
        wide = np.broadcast_to(s, (len(sums), len(s)))
        return _correlation(sums, wide, wide)

    return of


def spearman_of_tables(sums: Floats) -> Quotient:
    """Rank correlation (Spearman 1904): ties share the mean of their places, read off the tables' margins."""
    return _correlation(sums, _mid_ranks(sums.sum(axis=2)), _mid_ranks(sums.sum(axis=1)))


def tau_b_of_tables(sums: Floats) -> Quotient:
    """Kendall's tau-b (Kendall 1945) of tables (r, k, k): of each cell, the cells right and below less left and below."""
    behind = np.cumsum(np.cumsum(sums[:, ::-1, ::-1], axis=1), axis=2)[:, ::-1, ::-1]
    beside = np.cumsum(np.cumsum(sums[:, ::-1, :], axis=1), axis=2)[:, ::-1, :]
    balance = (sums[:, :-1, :-1] * behind[:, 1:, 1:]).sum(axis=(1, 2))
    balance -= (sums[:, :-1, 1:] * beside[:, 1:, :-1]).sum(axis=(1, 2))
    n = sums.sum(axis=(1, 2))
    untied = [(n**2 - (sums.sum(axis=axis) ** 2).sum(axis=1)) / 2 for axis in (2, 1)]
    return _one_minus(balance, np.sqrt(untied[0] * untied[1]))


def _mid_ranks(margins: Floats) -> Floats:
    ranks: Floats = np.cumsum(margins, axis=1) - margins / 2
    return ranks


def _correlation(sums: Floats, x: Floats, y: Floats) -> Quotient:
    """Correlation of row values x (r, k) with column values y (r, k)."""
    rows, columns = sums.sum(axis=2), sums.sum(axis=1)
    n = np.maximum(rows.sum(axis=1), 1)
    a = x - ((rows * x).sum(axis=1) / n)[:, None]
    b = y - ((columns * y).sum(axis=1) / n)[:, None]
    both = np.einsum("rij,ri,rj->r", sums, a, b, optimize=True)
    return _one_minus(both, np.sqrt((rows * a**2).sum(axis=1) * (columns * b**2).sum(axis=1)))


def _one_minus(upper: Floats, lower: Floats) -> Quotient:
    defined = lower > 1e-12
    ratio = np.divide(upper, lower, out=np.zeros(len(upper)), where=defined)
    return Quotient(1 - np.clip(ratio, -1, 1), defined.astype(np.float64))


def associations(
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    clusters: NDArray[np.intp],
    n_clusters: int,
    scores: Sequence[float],
    *,
    numbers: bool,
    seed: int = SEED,
) -> tuple[Coefficient, ...]:
    """Pearson (if the scale has distances), Spearman and tau-b of two raters' class codes (n,), interval by dialogue.

    Above `LONG_SCALE` points only the values are computed: a table of each dialogue would be larger than its answers.
    """
    k = len(scores)
    wanted: list[tuple[str, Statistic]] = [("pearson", pearson_of_tables(scores))] if numbers else []
    wanted += [("spearman", spearman_of_tables), ("kendall_tau_b", tau_b_of_tables)]
    long = k > LONG_SCALE or n_clusters * k * k > MOST_CELLS
    parts = tables(first, second, np.zeros_like(clusters) if long else clusters, k, 1 if long else n_clusters)
    found = [
        coefficient(name, parts, of, n=len(first), counted="pairs", edge=False, seed=seed)
        for name, of in wanted
    ]
    if not long:
        return tuple(found)
    said = f"scales of up to {LONG_SCALE} points" if k > LONG_SCALE else "some thousand dialogues"
    reason = NoInterval(f"Made for {said} only.")
    return tuple(
        replace(one, n_clusters=n_clusters, interval=reason) if one.defined else one for one in found
    )


@dataclass(frozen=True, slots=True)
class BlandAltman:
    """Bias and limits of agreement of two raters (Bland & Altman 1986): mean of second - first, and 1.96 sd around it.

    low, high   95 % of single differences are expected between them, if differences are normal; None with one pair
    """

    n: int
    bias: float
    sd: float | None
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "bias": self.bias,
            "sd_of_differences": self.sd,
            "limits_of_agreement": None if self.low is None else [self.low, self.high],
        }


def bland_altman(x: Floats, y: Floats) -> BlandAltman | None:
    """Of n pairs of numbers; None if there is none."""
    if not len(x):
        return None
    difference = y - x
    bias = float(difference.mean())
    if len(x) < 2:
        return BlandAltman(len(x), bias, None, None, None)
    sd = float(difference.std(ddof=1))
    return BlandAltman(len(x), bias, sd, bias - 1.96 * sd, bias + 1.96 * sd)
