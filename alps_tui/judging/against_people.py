"""How far one rater is from the others, on arrays: bias, error, agreement, and each person against the rest. Pure.

The rater in question is called the judge and may be anybody. Every interval is by dialogue and comes from
`alps_tui.agreement.intervals`; here are only the parts that are summed and the statistic of their sums.
"""

from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.intervals import (
    SEED,
    Floats,
    Quotient,
    Range,
    Statistic,
    class_shares,
    coefficient,
    mean_coefficient,
    sum_by,
)
from alps_tui.agreement.two_raters import (
    identity_weights,
    kappa,
    percent,
    pooled_kappa,
    quadratic_weights,
    tables,
    within_distance,
)

FEW_UNITS = 20
"""Under so many shared units a pair's coefficient is printed with a warning (fewer say nothing about a pair)."""


@dataclass(frozen=True, slots=True)
class Scores:
    """One field's scores of the judge and of m people on the same u units.

    judge      (u,) class codes 0..k-1 of the field's full scale, -1 where there is no score
    people     (u, m) the same
    clusters   (u,) code of each unit's dialogue, 0..n_clusters-1
    scale      (k,) the numbers of the scale in order; None for a nominal field
    labels     the k values in words
    """

    judge: NDArray[np.intp]
    people: NDArray[np.intp]
    clusters: NDArray[np.intp]
    n_clusters: int
    scale: tuple[float, ...] | None
    labels: tuple[str, ...]
    seed: int = SEED

    @property
    def k(self) -> int:
        return len(self.labels)

    def numbers(self, codes: NDArray[np.intp]) -> Floats:
        """Codes as the scale's numbers, NaN where there is no score."""
        known = np.append(np.asarray(self.scale, dtype=np.float64), np.nan)
        return np.asarray(known[codes], dtype=np.float64)


@dataclass(frozen=True, slots=True)
class Distance:
    """The judge against references on the same units.

    bias          mean of score - reference: above 0 is lenient
    mae           mean of |score - reference|
    within_one    share of units at most one step from the reference
    concordance   quadratic weighted kappa without rounding the reference: Lin's concordance (Lin 1989)
    """

    bias: Coefficient
    mae: Coefficient
    within_one: Coefficient
    concordance: Coefficient


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One person left out: they and the judge against the mean of the others, on the same units and references.

    person       index into people; None for all people together
    difference   the judge's MAE minus the person's: below 0 the judge is nearer to the rest than the person is
    """

    person: int | None
    human: Distance
    judge: Distance
    difference: Coefficient


def references(scores: Scores) -> tuple[Floats, NDArray[np.bool_]]:
    """The mean of the people's scores on each unit, shape (u,), and where judge and at least one person scored."""
    people = scores.numbers(scores.people)
    counts = np.isfinite(people).sum(axis=1)
    sums = np.nansum(people, axis=1)
    mean = np.divide(sums, counts, out=np.full(len(sums), np.nan), where=counts > 0)
    return mean, (counts > 0) & (scores.judge >= 0)


def distance(
    scores: Scores, mine: Floats, reference: Floats, clusters: NDArray[np.intp], counted: str = "units"
) -> Distance:
    """Scores (n,) against references (n,), both finite, of units in the given dialogues (n,)."""
    away = mine - reference
    ones = _summed(clusters, np.ones(len(mine)), scores.n_clusters)
    sums = [_summed(clusters, values, scores.n_clusters) for values in (away, np.abs(away))]
    return Distance(
        mean_coefficient("bias", sums[0], ones, counted=counted, seed=scores.seed),
        mean_coefficient("mae", sums[1], ones, counted=counted, seed=scores.seed),
        _within_one(scores, away, clusters, counted),
        _concordance(scores, mine, reference, clusters, counted),
    )


def _within_one(scores: Scores, away: Floats, clusters: NDArray[np.intp], counted: str) -> Coefficient:
    far = (np.abs(away) > 1 + 1e-9).astype(np.float64)
    parts = _summed(clusters, np.column_stack([far, np.ones(len(far))]), scores.n_clusters)

    def of(sums: Floats) -> Quotient:
        there = sums[:, 1] > 0
        shares = np.divide(sums[:, 0], sums[:, 1], out=np.zeros(len(sums)), where=there)
        return Quotient(shares, there.astype(np.float64))

    return coefficient(
        "within_one", parts, of, n=len(far), counted=counted, within=Range.SHARE, seed=scores.seed
    )


def _concordance(
    scores: Scores, mine: Floats, reference: Floats, clusters: NDArray[np.intp], counted: str
) -> Coefficient:
    """1 - E(x-y)^2 / E(x'-y')^2 with x', y' drawn apart (Lin 1989, eq. 1; for whole scores it is Cohen's quadratic
    weighted kappa: Krippendorff 1970). Undefined where neither varies and both are the same.
    """
    parts = np.column_stack([np.ones(len(mine)), mine, reference, mine**2, reference**2, mine * reference])
    return coefficient(
        "concordance",
        _summed(clusters, parts, scores.n_clusters),
        _concordance_of(float(np.ptp(scores.scale or (0.0, 1.0))) ** 2),
        n=len(mine),
        counted=counted,
        seed=scores.seed,
    )


def _concordance_of(largest: float) -> Statistic:
    def of(sums: Floats) -> Quotient:
        n = np.where(sums[:, 0] > 0, sums[:, 0], np.nan)
        mean = sums / n[:, None]
        squares = mean[:, 3] + mean[:, 4]
        observed = np.maximum(squares - 2 * mean[:, 5], 0.0)
        expected = squares - 2 * mean[:, 1] * mean[:, 2]
        tiny = 1e-12 * np.maximum(squares, 1.0)
        return Quotient(
            np.where(observed > tiny, observed, 0.0) / largest,
            np.where(expected > tiny, expected, 0.0) / largest,
        )

    return of


def against_each(scores: Scores) -> tuple[Coefficient, ...]:
    """The judge's kappa with each person over their shared units, in the order of the people.

    Quadratic weights on a numeric scale, none on a nominal one. A pair with few units says so in its note.
    """
    return tuple(
        _pair(scores, scores.judge, scores.people[:, person]) for person in range(scores.people.shape[1])
    )


def _pair(scores: Scores, first: NDArray[np.intp], second: NDArray[np.intp]) -> Coefficient:
    table, n = _table(scores, first, second)
    found = coefficient(
        _kappa_name(scores),
        table,
        kappa(_weights(scores)),
        n=n,
        shares=_shares(scores, table),
        seed=scores.seed,
    )
    return replace(found, note=f"fewer than {FEW_UNITS} shared units") if n < FEW_UNITS else found


def pooled(scores: Scores) -> Coefficient:
    """The mean of the judge's kappas with each person, weighted by their shared units."""
    each = [_table(scores, scores.judge, column) for column in scores.people.T]
    n = sum(count for _, count in each)
    if not each:
        return Coefficient.undefined(
            _kappa_name(scores), CoefficientStatus.NO_PAIRABLE_UNITS, counted="pairs"
        )
    parts = np.stack([table for table, _ in each], axis=1)
    note = "mean over the people, weighted by their shared units"
    shares = _shares(scores, parts.sum(axis=1))
    return coefficient(
        _kappa_name(scores),
        parts,
        pooled_kappa(_weights(scores)),
        n=n,
        counted="pairs",
        shares=shares,
        seed=scores.seed,
        note=note,
    )


def exact(scores: Scores) -> Coefficient:
    """Share of judge-person pairs with the same score."""
    table, n = _all_pairs(scores)
    return coefficient(
        "exact", table, percent(scores.k), n=n, counted="pairs", within=Range.SHARE, seed=scores.seed
    )


def within_one_of_each(scores: Scores) -> Coefficient:
    """Share of judge-person pairs at most one apart."""
    if scores.scale is None:
        return Coefficient.undefined("within_one", CoefficientStatus.NOT_NUMERIC, counted="pairs")
    table, n = _all_pairs(scores)
    near = within_distance(scores.scale, 1)
    return coefficient("within_one", table, near, n=n, counted="pairs", within=Range.SHARE, seed=scores.seed)


def against_mean(scores: Scores) -> Distance:
    """The judge against the mean of all people who scored the unit."""
    if scores.scale is None:
        return undefined_distance(CoefficientStatus.NOT_NUMERIC)
    mean, both = references(scores)
    return distance(scores, scores.numbers(scores.judge)[both], mean[both], scores.clusters[both])


def leave_one_out(scores: Scores) -> tuple[LeftOut, ...]:
    """Each person against the mean of the rest, and the judge on the same references; last, all people together.

    Only units that the judge, the person and at least one other person scored. Together, a unit counts once for
    each person left out. Empty on a nominal field or with fewer than two people.
    """
    m = scores.people.shape[1]
    if scores.scale is None or m < 2:
        return ()
    people, judge = scores.numbers(scores.people), scores.numbers(scores.judge)
    counts, sums = np.isfinite(people).sum(axis=1), np.nansum(people, axis=1)
    rows: list[tuple[Floats, Floats, Floats, NDArray[np.intp]]] = []
    for person in range(m):
        own = people[:, person]
        use = np.isfinite(own) & np.isfinite(judge) & (counts >= 2)
        rest = (sums[use] - own[use]) / (counts[use] - 1)
        rows.append((own[use], judge[use], rest, scores.clusters[use]))
    together = tuple(np.concatenate(part) for part in zip(*rows, strict=True))
    alone = [_left_out(scores, person, *row) for person, row in enumerate(rows)]
    return (*alone, _left_out(scores, None, *together))


def _left_out(
    scores: Scores, person: int | None, own: Floats, judge: Floats, rest: Floats, clusters: NDArray[np.intp]
) -> LeftOut:
    counted = "units" if person is not None else "references"
    ones = _summed(clusters, np.ones(len(own)), scores.n_clusters)
    further = _summed(clusters, np.abs(judge - rest) - np.abs(own - rest), scores.n_clusters)
    return LeftOut(
        person,
        distance(scores, own, rest, clusters, counted),
        distance(scores, judge, rest, clusters, counted),
        mean_coefficient("mae_difference", further, ones, counted=counted, seed=scores.seed),
    )


def _summed(clusters: NDArray[np.intp], values: Floats, n_clusters: int) -> Floats:
    """Sums of values (n, ...) over dialogues: shape (n_clusters, ...); zeros where there is no value at all."""
    return sum_by(clusters, values, n_clusters) if len(values) else np.zeros((n_clusters, *values.shape[1:]))


def undefined_distance(status: CoefficientStatus) -> Distance:
    """A distance that has no value, four times with the same reason."""
    names = ("bias", "mae", "within_one", "concordance")
    return Distance(*(Coefficient.undefined(name, status) for name in names))


def _kappa_name(scores: Scores) -> str:
    return "cohen_kappa" if scores.scale is None else "weighted_kappa_quadratic"


def _weights(scores: Scores) -> Floats:
    return identity_weights(scores.k) if scores.scale is None else quadratic_weights(scores.scale)


def _table(scores: Scores, first: NDArray[np.intp], second: NDArray[np.intp]) -> tuple[Floats, int]:
    both = (first >= 0) & (second >= 0)
    table = tables(first[both], second[both], scores.clusters[both], scores.k, scores.n_clusters)
    return table, int(both.sum())


def _all_pairs(scores: Scores) -> tuple[Floats, int]:
    m = scores.people.shape[1]
    first, clusters = np.repeat(scores.judge, m), np.repeat(scores.clusters, m)
    return _table(replace(scores, clusters=clusters), first, scores.people.reshape(-1))


def _shares(scores: Scores, table: Floats) -> dict[str, float]:
    return class_shares(table.sum(axis=1) + table.sum(axis=2), scores.labels)
