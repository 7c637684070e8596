"""Agreement of two raters from their contingency table: percent, specific agreement, Cohen's kappa and its weights.

Tables have the first rater in rows and the second in columns, over the full scale of the protocol: a class that
nobody used keeps its row, so that distances between classes hold.
"""

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from alps_tui.agreement.intervals import Floats, Quotient, Statistic


def tables(
    first: NDArray[np.intp], second: NDArray[np.intp], clusters: NDArray[np.intp], k: int, n_clusters: int
) -> Floats:
    """Contingency tables per dialogue, shape (n_clusters, k, k), from class codes of n pairs (each shape (n,)).

    raises   ValueError if a code is outside 0..k-1
    """
    codes = np.concatenate([first, second])
    if len(codes) and (codes.min() < 0 or codes.max() >= k):
        raise ValueError(f"a class code lies outside 0 to {k - 1}")
    out = np.zeros((n_clusters, k, k))
    np.add.at(out, (clusters, first, second), 1.0)
    return out


def identity_weights(k: int) -> Floats:
    """Disagreement weights that count every disagreement 1: shape (k, k)."""
    return 1.0 - np.eye(k)


def linear_weights(scores: Sequence[float]) -> Floats:
    """|i - j| over the scale's range, 1 at its ends (Cohen 1968; scores in the order of the classes)."""
    s = np.asarray(scores, dtype=np.float64)
    return np.asarray(np.abs(s[:, None] - s[None]) / _range(s), dtype=np.float64)


def quadratic_weights(scores: Sequence[float]) -> Floats:
    """(i - j)^2 over the squared range of the scale, 1 at its ends (Fleiss & Cohen 1973)."""
    return np.asarray(linear_weights(scores) ** 2, dtype=np.float64)


def percent(k: int) -> Statistic:
    """Share of pairs with the same class. Defined wherever there is a pair."""

    def of(sums: Floats) -> Quotient:
        total, same = sums.sum(axis=(1, 2)), np.trace(sums, axis1=1, axis2=2)
        return Quotient(_rate(total - same, total), (total > 0).astype(np.float64))

    return of


def within_distance(scores: Sequence[float], distance: float) -> Statistic:
    """Share of pairs at most `distance` apart on the scale ("within one")."""
    s = np.asarray(scores, dtype=np.float64)
    far = (np.abs(s[:, None] - s[None]) > distance).astype(np.float64)

    def of(sums: Floats) -> Quotient:
        total = sums.sum(axis=(1, 2))
        return Quotient(_rate((sums * far).sum(axis=(1, 2)), total), (total > 0).astype(np.float64))

    return of


def specific_parts(table: Floats, index: int) -> Floats:
    """What specific agreement on one class needs of each dialogue: joint uses and all uses, shape (c, 2)."""
    both = table[:, index, index]
    return np.stack([both, table[:, index, :].sum(axis=1) + table[:, :, index].sum(axis=1)], axis=1)


def specific(sums: Floats) -> Quotient:
    """Specific agreement on a class, 2a / (2a + b + c) (Dice 1945; Spitzer & Fleiss 1974), from `specific_parts`.

    The chance that a second rater says it too, given that one said it. Undefined if nobody used the class.
    """
    both, uses = sums[:, 0], sums[:, 1]
    return Quotient(_rate(uses - 2 * both, uses), (uses > 0).astype(np.float64))


def kappa(weights: Floats) -> Statistic:
    """Cohen's kappa (Cohen 1960), weighted by disagreement weights (Cohen 1968): 1 - sum v p / sum v r c.

    weights   shape (k, k), 0 on the diagonal; scaled here so that the largest is 1
    Undefined where both raters used one and the same class only.
    """
    of_margins = kappa_of_margins(weights)
    v = _largest_is_1(weights)

    def of(sums: Floats) -> Quotient:
        observed = np.einsum("rij,ij->r", sums, v)
        return of_margins(np.concatenate([observed[:, None], sums.sum(axis=2), sums.sum(axis=1)], axis=1))

    return of


def margins(
    first: NDArray[np.intp],
    second: NDArray[np.intp],
    clusters: NDArray[np.intp],
    weights: Floats,
    n_clusters: int,
) -> Floats:
    """All that kappa needs of each dialogue, shape (n_clusters, 1 + 2 k): its observed disagreement and how often each
    rater used each class. On a scale of 101 points that is a fiftieth of the contingency tables.

    first, second, clusters   class codes and dialogue of n pairs, shape (n,) each; weights (k, k)
    """
    k = len(weights)
    observed = np.bincount(clusters, _largest_is_1(weights)[first, second], minlength=n_clusters)
    used = [
        np.bincount(clusters * k + codes, minlength=n_clusters * k).reshape(n_clusters, k)
        for codes in (first, second)
    ]
    return np.concatenate([observed[:, None], *used], axis=1)


def kappa_of_margins(weights: Floats) -> Statistic:
    """`kappa` of sums of `margins`, shape (r, 1 + 2 k)."""
    v, k = _largest_is_1(weights), len(weights)

    def of(sums: Floats) -> Quotient:
        rows, columns = sums[:, 1 : 1 + k], sums[:, 1 + k :]
        total = rows.sum(axis=1)
        observed = _rate(sums[:, 0], total)
        expected = np.einsum("ri,ij,rj->r", _rate(rows, total[:, None]), v, _rate(columns, total[:, None]))
        return Quotient(observed, np.where(expected > 1e-14, expected, 0.0))

    return of


def same_parts(
    first: NDArray[np.intp], second: NDArray[np.intp], clusters: NDArray[np.intp], n_clusters: int
) -> Floats:
    """What the share of equal answers needs of each dialogue: pairs with the same class and pairs, (n_clusters, 2)."""
    same = np.bincount(clusters, (first == second).astype(np.float64), minlength=n_clusters)
    return np.stack([same, np.bincount(clusters, minlength=n_clusters)], axis=1)


def share_of_same(sums: Floats) -> Quotient:
    """`percent` of sums of `same_parts`."""
    same, total = sums[:, 0], sums[:, 1]
    return Quotient(_rate(total - same, total), (total > 0).astype(np.float64))


def _largest_is_1(weights: Floats) -> Floats:
    return weights / weights.max() if weights.max() > 0 else weights


def pooled_kappa(weights: Floats) -> Statistic:
    """Mean of the pairs' kappas weighted by their number of units; sums of shape (r, pairs, k, k).

    A pair whose kappa is undefined has no weight.
    """
    single = kappa(weights)

    def of(sums: Floats) -> Quotient:
        r, pairs, k, _ = sums.shape
        return _pooled(single(sums.reshape(r * pairs, k, k)), sums.sum(axis=(2, 3)))

    return of


def pooled_kappa_of_margins(weights: Floats) -> Statistic:
    """`pooled_kappa` of sums of `margins`, shape (r, pairs, 1 + 2 k)."""
    single, k = kappa_of_margins(weights), len(weights)

    def of(sums: Floats) -> Quotient:
        return _pooled(single(sums.reshape(-1, sums.shape[2])), sums[:, :, 1 : 1 + k].sum(axis=2))

    return of


def _pooled(each: Quotient, n: Floats) -> Quotient:
    """The pairs' quotients, shape (r * pairs,), as one; n (r, pairs) counts the units of each."""
    observed, expected = each.observed.reshape(n.shape), each.expected.reshape(n.shape)
    n = n * (expected > 0)
    weight = _rate(n, n.sum(axis=1)[:, None])
    ratio = _rate(observed, expected)
    chance = (weight * expected).sum(axis=1)
    return Quotient((weight * ratio).sum(axis=1) * chance, chance)


def _rate(part: Floats, whole: Floats) -> Floats:
    """part / whole, 0 where there is nothing to divide by."""
    whole = np.broadcast_to(whole, part.shape)
    return np.divide(part, whole, out=np.zeros(part.shape), where=whole > 0)


def _range(scores: Floats) -> float:
    span = float(np.ptp(scores)) if len(scores) else 0.0
    return span if span > 0 else 1.0
