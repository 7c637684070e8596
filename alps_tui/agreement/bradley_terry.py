"""Bradley-Terry abilities with ties and an order effect, as one concave likelihood maximised by Newton steps.

With utilities u, a comparison of i (shown first) and j (second) ends in first: exp(u_i + order), second: exp(u_j),
tie: tie * exp((u_i + u_j) / 2), each over their sum. That is Bradley & Terry 1952 without ties, Davidson 1970 (eq. 2.3)
with them, and Davidson & Beaver 1977 with the effect of being shown first.
"""

from dataclasses import dataclass
from enum import IntEnum

import numpy as np

from alps_tui.agreement.intervals import Floats
from alps_tui.agreement.ratings import Codes

MOST_STEPS = 100
SMALL_STEP = 1e-10
RUNAWAY = 30.0
SINGULAR = 1e-9


class Outcome(IntEnum):
    """How a comparison ended, by the order in which the two were shown."""

    FIRST = 0
    SECOND = 1
    TIE = 2


@dataclass(frozen=True, slots=True)
class Cells:
    """Comparisons counted: shape (m,) each, one cell for each (first, second, outcome) that occurs."""

    first: Codes
    second: Codes
    outcome: Codes
    counts: Floats
    n_systems: int


@dataclass(frozen=True, slots=True)
class Abilities:
    """A fitted model.

    utility     (s,) with mean 0; `covariance` (s, s) of them from the information matrix
    tie         Davidson's nu: 1 where a tie of equals is as likely as a win of one of them; None without ties
    order       log odds that being shown first adds; `order_error` its standard error; None where not fitted
    """

    utility: Floats
    covariance: Floats
    tie: float | None
    order: float | None
    order_error: float | None
    log_likelihood: float
    parameters: Floats


def cells_of(first: Codes, second: Codes, outcome: Codes, n_systems: int) -> tuple[Cells, Codes]:
    """Comparisons (n,) counted, and the cell of each."""
    key = (first * n_systems + second) * len(Outcome) + outcome
    used, place = np.unique(key, return_inverse=True)
    pair, ended = used // len(Outcome), used % len(Outcome)
    counts = np.bincount(place, minlength=len(used)).astype(np.float64)
    return Cells(pair // n_systems, pair % n_systems, ended, counts, n_systems), place.reshape(-1)


def not_connected(cells: Cells, counts: Floats) -> tuple[int, ...]:
    """Systems whose abilities are infinite or unrelated to the first's: no chain of wins or ties leads both ways.

    The likelihood has a maximum only if every system is reached from every other (Ford 1957).
    """
    beats = np.eye(cells.n_systems, dtype=bool)
    seen = counts > 0
    for winner, loser, ended in (
        (cells.first, cells.second, Outcome.FIRST),
        (cells.second, cells.first, Outcome.SECOND),
        (cells.first, cells.second, Outcome.TIE),
        (cells.second, cells.first, Outcome.TIE),
    ):
        mine = seen & (cells.outcome == ended)
        beats[winner[mine], loser[mine]] = True
    for _ in range(max(1, int(np.ceil(np.log2(max(2, cells.n_systems)))))):
        beats = (beats.astype(np.float64) @ beats.astype(np.float64)) > 0
    both = beats & beats.T
    largest = int(both.sum(axis=1).argmax())
    return tuple(np.flatnonzero(~both[largest]).tolist())


def fit(
    cells: Cells, counts: Floats | None = None, *, order: bool = True, start: Floats | None = None
) -> Abilities | None:
    """The maximum of the likelihood, or None where it has none (a system without a loss, an order without an exception).

    counts   (m,) weights of the cells instead of their own (a bootstrap replicate)
    order    whether the effect of being shown first is a parameter
    start    parameters to begin from
    """
    weights = cells.counts if counts is None else counts
    if cells.n_systems < 2 or weights.sum() <= 0 or not_connected(cells, weights):
        return None
    ties = bool((weights[cells.outcome == Outcome.TIE] > 0).any())
    if ties and not (weights[cells.outcome != Outcome.TIE] > 0).any():
        return None
    design, totals, observed = _designs(cells, weights, ties, order)
    beta = np.zeros(design.shape[-1])
    if start is not None and len(start) == len(beta):
        beta = start.copy()
    value, gradient, information = _likelihood(design, totals, observed, beta)
    for _ in range(MOST_STEPS):
        if _singular(information):
            return None
        step = np.linalg.solve(information, gradient)
        scale = 1.0
        while True:
            new = beta + scale * step
            found = _likelihood(design, totals, observed, new)
            if found[0] >= value - 1e-9 * (1 + abs(value)) or scale < 1e-6:
                break
            scale /= 2
        beta, (value, gradient, information) = new, found
        if np.abs(beta).max(initial=0.0) > RUNAWAY:
            return None
        if np.abs(scale * step).max(initial=0.0) < SMALL_STEP:
            break
    if _singular(information):
        return None
    covariance = np.asarray(np.linalg.inv(information), dtype=np.float64)
    return _abilities(cells.n_systems, beta, covariance, value, ties, order)


def _singular(information: Floats) -> bool:
    values = np.linalg.eigvalsh(information)
    return bool(values[0] <= SINGULAR * max(values[-1], SINGULAR))


def _designs(cells: Cells, weights: Floats, ties: bool, order: bool) -> tuple[Floats, Floats, Floats]:
    """Features of each outcome of each ordered pair, shape (g, 3 or 2, p), the pairs' totals and observed features.

    p: utilities of all systems but the last, then log tie, then order.
    """
    pairs, place = np.unique(cells.first * cells.n_systems + cells.second, return_inverse=True)
    i, j = pairs // cells.n_systems, pairs % cells.n_systems
    unit = np.eye(cells.n_systems)[:, :-1]
    outcomes = [unit[i], unit[j], (unit[i] + unit[j]) / 2]
    design = np.stack(outcomes[: 3 if ties else 2], axis=1)
    if ties:
        design = np.concatenate([design, _column(design, Outcome.TIE)], axis=2)
    if order:
        design = np.concatenate([design, _column(design, Outcome.FIRST)], axis=2)
    used = weights > 0
    totals = np.bincount(place.reshape(-1), weights=weights, minlength=len(pairs))
    observed = np.einsum(
        "c,cp->p", weights[used], design[place.reshape(-1)[used], cells.outcome[used]], optimize=True
    )
    return design, totals.astype(np.float64), observed


def _column(design: Floats, outcome: Outcome) -> Floats:
    column = np.zeros((*design.shape[:2], 1))
    column[:, outcome] = 1.0
    return column


def _likelihood(
    design: Floats, totals: Floats, observed: Floats, beta: Floats
) -> tuple[float, Floats, Floats]:
    """Log-likelihood, its gradient and its information."""
    utility = design @ beta
    top = utility.max(axis=1, keepdims=True)
    likely = np.exp(utility - top)
    whole = likely.sum(axis=1, keepdims=True)
    share = likely / whole
    value = float(observed @ beta - totals @ (top + np.log(whole))[:, 0])
    mean = np.einsum("go,gop->gp", share, design)
    gradient = observed - totals @ mean
    weighted = (totals[:, None] * share)[:, :, None] * design
    information = np.einsum("gop,goq->pq", weighted, design, optimize=True)
    information -= (totals[:, None] * mean).T @ mean
    return value, gradient, information


def _abilities(n: int, beta: Floats, covariance: Floats, value: float, ties: bool, order: bool) -> Abilities:
    """Parameters with the last system at 0 to utilities with mean 0."""
    to_all = np.vstack([np.eye(n - 1), np.zeros((1, n - 1))])
    centred = to_all - to_all.mean(axis=0, keepdims=True)
    return Abilities(
        utility=centred @ beta[: n - 1],
        covariance=centred @ covariance[: n - 1, : n - 1] @ centred.T,
        tie=float(np.exp(beta[n - 1])) if ties else None,
        order=float(beta[-1]) if order else None,
        order_error=float(np.sqrt(covariance[-1, -1])) if order else None,
        log_likelihood=value,
        parameters=beta,
    )


def win_probability(utility: Floats, tie: float | None) -> Floats:
    """(s, s) chance that the row's system is preferred to the column's, a tie counted half, order left aside."""
    gap = utility[:, None] - utility[None]
    even = (tie or 0.0) * np.exp(-gap / 2)
    return np.asarray((1 + even / 2) / (1 + np.exp(-gap) + even), dtype=np.float64)
