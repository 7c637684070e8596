"""Models of annotators: Dawid-Skene, one coin for each rater, and MACE, fitted by EM over kinds of items.

All three say how a rater answers an item of a true class, pi[r, j, l], and differ in how few numbers they allow
themselves for it. With the expected counts C[r, j, l] (rater r said l on items that are j) as the only thing a
model sees, one loop serves them all: posterior of each item, counts, new pi.
"""

from collections.abc import Callable
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

import numpy as np
from scipy.sparse import csr_matrix
from scipy.special import digamma

from alps_tui.agreement.intervals import Floats
from alps_tui.agreement.ratings import MISSING, Codes

MOST_ROUNDS = 1_000
TOLERANCE = 1e-9
REPLICATE_ROUNDS, REPLICATE_TOLERANCE = 50, 1e-6
"""A bootstrap replicate begins from the fit of all items and need not be as exact as it."""

RESTARTS = 10
FEW_LABELS = 50
SPAM_PRIOR = 0.5
STRATEGY_PRIOR = 10.0
PLAIN_CELLS = 200_000
SMALLEST = 1e-300


class Model(StrEnum):
    """Which model of annotators."""

    DAWID_SKENE = "dawid_skene"
    ONE_COIN = "one_coin"
    MACE = "mace"


@dataclass(frozen=True, slots=True)
class Smoothing:
    """Answers added to every rater's before counting: `right` on the true class, `wrong` on each other one."""

    right: float
    wrong: float

    def __str__(self) -> str:
        return f"+{self.right:g} on the true class, +{self.wrong:g} on each other one"


NO_SMOOTHING = Smoothing(0.0, 0.0)
USUAL_SMOOTHING = Smoothing(1.0, 0.1)


@dataclass(frozen=True, slots=True)
class Votes:
    """Who said what, items that were answered alike held once.

    matrix     (p, r * k) how often rater r gave class l to an item of each kind; sparse where it is large
    turned     the same transposed
    known      (p,) class of items whose gold is known, MISSING elsewhere
    kind       (u,) the kind of each item
    """

    matrix: Any
    turned: Any
    known: Codes
    kind: Codes
    n_raters: int
    k: int

    @property
    def of_each_rater(self) -> Floats:
        """(r,) how many answers each rater gave."""
        by_kind = np.asarray(self.turned @ self.sizes(None)).reshape(self.n_raters, self.k)
        return np.asarray(by_kind.sum(axis=1), dtype=np.float64)

    def sizes(self, weights: Floats | None) -> Floats:
        """(p,) how many items there are of each kind; with weights (u,) of items, their sums."""
        counted = np.bincount(self.kind, weights=weights, minlength=len(self.known))
        return np.asarray(counted, dtype=np.float64)


def votes_of(codes: Codes, k: int, known: Codes | None = None) -> Votes:
    """Answers (u, r) as class codes, MISSING where there is none; `known` (u,) the class of gold items or MISSING."""
    n = len(codes)
    gold = np.full(n, MISSING, dtype=np.intp) if known is None else known
    rows, kind = np.unique(np.column_stack([codes, gold]), axis=0, return_inverse=True)
    item, rater = np.nonzero(rows[:, :-1] >= 0)
    cells = rater * k + rows[item, rater]
    r = codes.shape[1]
    matrix = csr_matrix((np.ones(len(item)), (item, cells)), shape=(len(rows), r * k))
    return Votes(*_both_ways(matrix), rows[:, -1], kind.reshape(-1).astype(np.intp), r, k)


def _both_ways(matrix: csr_matrix) -> tuple[Any, Any]:
    """A matrix and its transpose; small ones as plain arrays, whose products cost less to begin."""
    if matrix.shape[0] * matrix.shape[1] > PLAIN_CELLS:
        return matrix, matrix.T.tocsr()
    plain = matrix.toarray()
    return plain, np.ascontiguousarray(plain.T)


def repeated_votes(counts: Floats) -> Votes:
    """Votes of raters who may answer an item several times: counts (u, r, k)."""
    u, r, k = counts.shape
    matrix = csr_matrix(counts.reshape(u, r * k))
    return Votes(*_both_ways(matrix), np.full(u, MISSING, dtype=np.intp), np.arange(u), r, k)


@dataclass(frozen=True, slots=True)
class Fit:
    """A fitted model.

    posterior     (p, k) of each kind of item; `of_items` gives each item its own
    prior         (k,) share of each class
    confusion     (r, k, k) how rater r answers (last axis) items of a true class (middle axis)
    competence    (r,) Dawid-Skene: expected share of right answers; one coin: the coin; MACE: 1 - spam
    spam          MACE only: (r, 2 + k) weights of spam and of copying, and what a spammer says
    """

    model: Model
    posterior: Floats
    prior: Floats
    confusion: Floats
    competence: Floats
    log_likelihood: float
    rounds: int
    converged: bool
    spam: Floats | None = None

    def of_items(self, votes: Votes) -> Floats:
        """(u, k) the posterior of each item."""
        return np.asarray(self.posterior[votes.kind], dtype=np.float64)


Update = Callable[[Floats, Floats | None], tuple[Floats, Floats | None]]
"""Expected counts (r, k, k) and the last state to the new pi (r, k, k) and state."""


def dawid_skene(
    votes: Votes,
    smoothing: Smoothing = NO_SMOOTHING,
    *,
    weights: Floats | None = None,
    start: Fit | None = None,
) -> Fit:
    """A confusion matrix for each rater (Dawid & Skene 1979, eqs. 2.3-2.5), EM from the shares of votes.

    smoothing   Dirichlet counts added to each row of each rater's matrix; stated with the result
    weights     (u,) how often each item counts (a bootstrap replicate); `start` the fit to begin from
    """

    def update(counts: Floats, _: Floats | None) -> tuple[Floats, Floats | None]:
        added = np.full((votes.k, votes.k), smoothing.wrong)
        np.fill_diagonal(added, smoothing.right)
        return _rows(counts + added), None

    return _em(
        Model.DAWID_SKENE, votes, update, weights, _shares(votes) if start is None else start.posterior
    )


def one_coin(
    votes: Votes,
    smoothing: Smoothing = NO_SMOOTHING,
    *,
    weights: Floats | None = None,
    start: Fit | None = None,
) -> Fit:
    """One accuracy for each rater, errors spread evenly over the other classes (Dawid-Skene with one coin)."""

    def update(counts: Floats, _: Floats | None) -> tuple[Floats, Floats | None]:
        right = np.einsum("rjj->r", counts) + smoothing.right
        whole = counts.sum(axis=(1, 2)) + smoothing.right + smoothing.wrong * (votes.k - 1)
        coin = np.divide(right, whole, out=np.full(len(right), 1 / votes.k), where=whole > 0)
        off = (1 - coin) / max(1, votes.k - 1)
        same = np.eye(votes.k, dtype=bool)[None]
        return np.where(same, coin[:, None, None], off[:, None, None]), None

    return _em(Model.ONE_COIN, votes, update, weights, _shares(votes) if start is None else start.posterior)


def mace(
    votes: Votes,
    *,
    restarts: int = RESTARTS,
    seed: int,
    weights: Floats | None = None,
    start: Fit | None = None,
) -> Fit:
    """A rater copies the truth or spams from a distribution of their own (Hovy et al. 2013, section 2).

    Variational EM with their priors: Beta(.5, .5) on spamming, and 10 on each of a spammer's classes as their
    program has it; the best of `restarts` random beginnings by likelihood.
    """
    if start is not None:
        return _em(Model.MACE, votes, _mace_update, weights, start.posterior, start.spam)
    generator = np.random.default_rng(seed)
    best: Fit | None = None
    for _ in range(restarts):
        spam = np.column_stack(
            [
                share := generator.uniform(0.3, 0.7, size=votes.n_raters),
                1 - share,
                generator.dirichlet(np.ones(votes.k), size=votes.n_raters),
            ]
        )
        first = _posterior(votes, np.full(votes.k, 1 / votes.k), _mace_pi(spam))[0]
        fit = _em(Model.MACE, votes, _mace_update, weights, first, spam)
        if best is None or fit.log_likelihood > best.log_likelihood:
            best = fit
    if best is None:
        raise ValueError("MACE needs at least one restart")
    return best


def _mace_pi(state: Floats) -> Floats:
    """State (r, 2 + k): weight of spam, weight of copying, and what a spammer says."""
    copies = np.eye(state.shape[1] - 2)[None] * state[:, 1, None, None]
    return np.asarray(copies + (state[:, :1] * state[:, 2:])[:, None, :], dtype=np.float64)


def _mace_update(counts: Floats, state: Floats | None) -> tuple[Floats, Floats | None]:
    """Expected spam: every answer that is not the truth, and of the true ones the part a spammer says by chance."""
    if state is None:
        raise ValueError("MACE needs a state to start from")
    chance = state[:, :1] * state[:, 2:]
    right = np.einsum("rjj->rj", counts)
    lucky = right * chance / np.maximum(chance + state[:, 1:2], SMALLEST)
    spammed = counts.sum(axis=1) - right + lucky
    both = np.column_stack([spammed.sum(axis=1), (right - lucky).sum(axis=1)])
    new = np.column_stack([_expected_logs(both + SPAM_PRIOR), _expected_logs(spammed + STRATEGY_PRIOR)])
    return _mace_pi(new), new


def _expected_logs(dirichlet: Floats) -> Floats:
    """exp E[log p] under each row's Dirichlet distribution: the weights of a variational step, which sum to under 1."""
    whole = digamma(dirichlet.sum(axis=1, keepdims=True))
    return np.asarray(np.exp(digamma(dirichlet) - whole), dtype=np.float64)


# ---------------------------------------------------------------- one loop for all


def _em(
    model: Model,
    votes: Votes,
    update: Update,
    weights: Floats | None,
    posterior: Floats,
    state: Floats | None = None,
) -> Fit:
    sizes = votes.sizes(weights)
    most, tolerance = (MOST_ROUNDS, TOLERANCE) if weights is None else (REPLICATE_ROUNDS, REPLICATE_TOLERANCE)
    posterior = _fixed(posterior, votes.known)
    last, value, rounds, converged = -np.inf, -np.inf, 0, False
    prior = np.full(votes.k, 1 / votes.k)
    pi = np.zeros((votes.n_raters, votes.k, votes.k))
    while rounds < most and not converged:
        weighted = posterior * sizes[:, None]
        counts = np.asarray(votes.turned @ weighted).reshape(votes.n_raters, votes.k, votes.k)
        pi, state = update(counts.transpose(0, 2, 1), state)
        if model is not Model.MACE:
            prior = weighted.sum(axis=0) / max(sizes.sum(), SMALLEST)
        posterior, each = _posterior(votes, prior, pi)
        last, value, rounds = value, float(sizes @ each), rounds + 1
        converged = abs(value - last) <= tolerance * max(1.0, abs(value))
    if state is not None:
        competence = state[:, 1] / (state[:, 0] + state[:, 1])
    elif model is Model.ONE_COIN:
        competence = pi[:, 0, 0]
    else:
        competence = np.einsum("j,rjj->r", prior, pi)
    return Fit(model, posterior, prior, pi, competence, value, rounds, converged, state)


def _posterior(votes: Votes, prior: Floats, pi: Floats) -> tuple[Floats, Floats]:
    """Posterior of each kind of item (p, k) and its log-likelihood (p,), in logarithms (eq. 2.5)."""
    logs = np.log(np.maximum(pi, SMALLEST)).transpose(0, 2, 1).reshape(-1, votes.k)
    joint = np.asarray(votes.matrix @ logs) + np.log(np.maximum(prior, SMALLEST))
    top = joint.max(axis=1, keepdims=True)
    likely = np.exp(joint - top)
    whole = likely.sum(axis=1, keepdims=True)
    each = np.asarray(top + np.log(whole), dtype=np.float64)[:, 0]
    known = votes.known >= 0
    each[known] = joint[known, votes.known[known]]
    return _fixed(likely / whole, votes.known), each


def _fixed(posterior: Floats, known: Codes) -> Floats:
    """Items whose gold is known are that class, whatever anybody said."""
    sure = known >= 0
    if not sure.any():
        return posterior
    out = posterior.copy()
    out[sure] = np.eye(posterior.shape[1])[known[sure]]
    return out


def _shares(votes: Votes) -> Floats:
    """(p, k) the share of each class among the votes on each kind of item; even where nobody voted."""
    each_class = np.tile(np.eye(votes.k), (votes.n_raters, 1))
    return _rows(np.asarray(votes.matrix @ each_class, dtype=np.float64))


def _rows(counts: Floats) -> Floats:
    """Rows made to sum to one; a row of nothing is even."""
    whole = counts.sum(axis=-1, keepdims=True)
    even = np.full(counts.shape, 1 / counts.shape[-1])
    return np.asarray(np.divide(counts, whole, out=even, where=whole > 0), dtype=np.float64)
