"""Intraclass correlations of numbers: one way, two ways random, two ways mixed; of one rater and of the mean of all.

On complete cases only: units that every rater answered. From sums over units, so that dialogues can be left out and
drawn again like everywhere else.
"""

from dataclasses import dataclass, replace
from enum import StrEnum

import numpy as np
from numpy.typing import NDArray

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus, Interval, NoInterval
from alps_tui.agreement.intervals import SEED, Floats, Quotient, Statistic, coefficient, sum_by

TINY = 1e-12
"""Variances under this part of the total are rounding."""

NO_AVERAGE = "The interval of one rater reaches so low that the mean of all has no lower end."


class Form(StrEnum):
    """Shrout and Fleiss' three designs (1979)."""

    ONE_WAY = "icc_1_1"
    RANDOM = "icc_2_1"
    MIXED = "icc_3_1"

    @property
    def of_the_mean(self) -> str:
        return f"{self.value[:-1]}k"


@dataclass(frozen=True, slots=True)
class Intraclass:
    """The six coefficients by name: icc_1_1, icc_2_1, icc_3_1 and of the mean of k raters icc_1_k, icc_2_k, icc_3_k.

    n          complete cases; left_out: rated units that some rater did not answer; k: raters
    """

    n: int
    left_out: int
    k: int
    each: tuple[Coefficient, ...]


def icc_parts(values: Floats) -> Floats:
    """Of each complete unit (n, k): 1, squared sum of its row, sum of squares, and its k values; shape (n, 3 + k)."""
    return np.column_stack([np.ones(len(values)), values.sum(axis=1) ** 2, (values**2).sum(axis=1), values])


def icc(form: Form) -> Statistic:
    """ICC of one rater from sums of `icc_parts` (Shrout & Fleiss 1979; McGraw & Wong 1996, table 4).

    (1,1) = (B - W) / (B + (k-1) W); (2,1) = (B - E) / (B + (k-1) E + k (J - E) / n), absolute agreement;
    (3,1) = (B - E) / (B + (k-1) E), consistency. As a quotient: 1 - it over 1. Undefined without variance.
    """

    def of(sums: Floats) -> Quotient:
        n, k = sums[:, 0], sums.shape[1] - 3
        columns = sums[:, 3:]
        centre = columns.sum(axis=1) ** 2 / np.maximum(n * k, 1)
        total = sums[:, 2] - centre
        between = sums[:, 1] / k - centre
        raters = (columns**2).sum(axis=1) / np.maximum(n, 1) - centre
        freedom = np.maximum(n - 1, 1)
        b, j = between / freedom, raters / (k - 1)
        w = (total - between) / (np.maximum(n, 1) * (k - 1))
        e = (total - between - raters) / (freedom * (k - 1))
        if form is Form.ONE_WAY:
            upper, lower = b - w, b + (k - 1) * w
        elif form is Form.RANDOM:
            upper, lower = b - e, b + (k - 1) * e + k * (j - e) / np.maximum(n, 1)
        else:
            upper, lower = b - e, b + (k - 1) * e
        defined = (n > 1) & (lower > TINY * np.maximum(total, 1e-300)) & (total > TINY * sums[:, 2])
        ratio = np.divide(upper, lower, out=np.zeros(len(sums)), where=defined)
        return Quotient(1 - np.minimum(ratio, 1.0), defined.astype(np.float64))

    return of


def intraclass(
    values: Floats, clusters: NDArray[np.intp], n_clusters: int, *, seed: int = SEED
) -> Intraclass:
    """All six from numbers, units x raters (u, k) with NaN where a rater gave none; interval by dialogue."""
    k = values.shape[1] if values.ndim == 2 else 0
    complete = ~np.isnan(values).any(axis=1)
    rated = int(np.count_nonzero(~np.isnan(values).all(axis=1))) if k else 0
    n = int(complete.sum())
    left_out = rated - n
    status = _refused(n, k)
    if status is not None:
        names = [form.value for form in Form] + [form.of_the_mean for form in Form]
        reason = f"{n} units were answered by all {k} raters: an ICC needs two." if k > 1 else ""
        return Intraclass(
            n,
            left_out,
            k,
            tuple(
                Coefficient.undefined(name, status, n=n, left_out=left_out, reason=reason) for name in names
            ),
        )
    kept = values[complete]
    # Moved to zero: an ICC does not change, and sums of squares keep their digits.
    parts = sum_by(clusters[complete], icc_parts(kept - kept.mean()), n_clusters)
    single = [
        coefficient(form.value, parts, icc(form), n=n, left_out=left_out, edge=False, seed=seed)
        for form in Form
    ]
    means = [of_the_mean(one, k, form) for one, form in zip(single, Form, strict=True)]
    return Intraclass(n, left_out, k, (*single, *means))


def of_the_mean(one: Coefficient, k: int, form: Form) -> Coefficient:
    """ICC(., k) from ICC(., 1) by Spearman and Brown: k r / (1 + (k - 1) r), value and interval alike."""
    if one.value is None:
        return replace(one, name=form.of_the_mean)
    stepped = _stepped(one.value, k)
    if stepped is None:
        return Coefficient.undefined(
            form.of_the_mean,
            CoefficientStatus.NO_VARIATION,
            n=one.n,
            left_out=one.left_out,
            reason="The units do not differ in their means, so the reliability of a mean has no value.",
        )
    interval = one.interval
    if isinstance(interval, Interval):
        low, high = _stepped(interval.low, k), _stepped(interval.high, k)
        interval = (
            NoInterval(NO_AVERAGE) if low is None or high is None else replace(interval, low=low, high=high)
        )
    return replace(one, name=form.of_the_mean, value=stepped, interval=interval)


def _stepped(r: float, k: int) -> float | None:
    lower = 1 + (k - 1) * r
    return k * r / lower if lower > 1e-9 else None


def _refused(n: int, k: int) -> CoefficientStatus | None:
    if k < 2:
        return CoefficientStatus.NEED_2_RATERS
    return CoefficientStatus.TOO_FEW_PAIRS if n < 2 else None
