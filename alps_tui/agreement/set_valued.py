"""Answers that are sets of options: MASI distance, Krippendorff's alpha over it, agreement on each option.

A set is a frozenset of the form's option values; the empty set ("none of them", answered) is a set like others.
"""

from collections.abc import Sequence
from typing import Any

import numpy as np

from alps_tui.agreement.alike import dialogues_by_kind
from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.companions import Codes, share
from alps_tui.agreement.intervals import Floats, Quotient, Range, Statistic, coefficient
from alps_tui.agreement.many_raters import NOTHING, Over, pairable

MOST_SETS = 256
"""Different sets up to which alpha is taken: every pair of them has its distance, in every replicate."""

Chosen = frozenset[Any]


def masi_distance(first: Chosen, second: Chosen) -> float:
    """1 - Jaccard * M, M = 1 for equal sets, 2/3 for a subset, 1/3 for an overlap, 0 for none (Passonneau 2006)."""
    if first == second:
        return 0.0
    both, either = len(first & second), len(first | second)
    monotonic = 2 / 3 if first <= second or second <= first else 1 / 3 if both else 0.0
    return 1 - both / either * monotonic


def masi_distances(sets: Sequence[Chosen]) -> Floats:
    """Distances of k sets, shape (k, k)."""
    return np.array([[masi_distance(a, b) for b in sets] for a in sets], dtype=np.float64).reshape(
        len(sets), len(sets)
    )


def set_parts(counts: Floats, distances: Floats) -> Floats:
    """Observed disagreement and margins of each pairable unit, counts over k different sets: shape (u, 1 + k)."""
    m = counts.sum(axis=1)
    observed = np.einsum("uc,ck,uk->u", counts, distances, counts, optimize=True) / (m - 1)
    return np.column_stack([observed, counts])


def set_alpha(distances: Floats) -> Statistic:
    """Krippendorff's alpha with any distance (Krippendorff 2018, ch. 12), of sums of `set_parts`; MASI is not squared."""

    def of(sums: Floats) -> Quotient:
        margins = sums[:, 1:]
        n = margins.sum(axis=1)
        expected = np.einsum("rc,ck,rk->r", margins, distances, margins, optimize=True)
        d_o = sums[:, 0] / np.where(n > 0, n, 1.0)
        d_e = expected / np.where(n > 1, n * (n - 1), 1.0)
        return Quotient(np.where(d_o > NOTHING, d_o, 0.0), np.where(d_e > NOTHING, d_e, 0.0))

    return of


def alpha_masi(counts: Floats, clusters: Codes, over: Over, sets: Sequence[Chosen]) -> Coefficient:
    """Alpha with MASI distances and its interval by dialogue; counts (u, k) of the k different sets given."""
    twice = pairable(counts)
    single = int(np.count_nonzero(counts.sum(axis=1) == 1))
    if over.n_raters < 2:
        return Coefficient.undefined("alpha_masi", CoefficientStatus.NEED_2_RATERS, left_out=single)
    if len(sets) > MOST_SETS:
        reason = f"{len(sets):,} different sets were given; alpha over sets is taken up to {MOST_SETS}."
        return Coefficient.undefined(
            "alpha_masi", CoefficientStatus.TOO_MANY_SETS, n=int(twice.sum()), left_out=single, reason=reason
        )
    distances = masi_distances(sets)
    parts, sizes = dialogues_by_kind(counts[twice], clusters[twice], lambda u: set_parts(u, distances))
    return coefficient(
        "alpha_masi",
        parts,
        set_alpha(distances),
        sizes=sizes,
        n=int(twice.sum()),
        left_out=single,
        seed=over.seed,
    )


def option_agreement(
    counts: Floats, clusters: Codes, over: Over, sets: Sequence[Chosen], option: Any, label: str
) -> Coefficient:
    """Given that one rater named the option, does another: specific agreement over sets, as over classes."""
    holds = np.array([option in one for one in sets], dtype=np.float64)
    twice = pairable(counts)
    name = f"specific_{label}"
    if over.n_raters < 2:
        return Coefficient.undefined(name, CoefficientStatus.NEED_2_RATERS)

    def parts_of(units: Floats) -> Floats:
        n, m = units @ holds, units.sum(axis=1)
        return np.column_stack([n * (m - n), n * (m - 1)])

    parts, sizes = dialogues_by_kind(counts[twice], clusters[twice], parts_of)
    return coefficient(
        name,
        parts,
        share,
        sizes=sizes,
        n=int(twice.sum()),
        within=Range.SHARE,
        if_undefined=CoefficientStatus.CLASS_NEVER_USED,
        seed=over.seed,
    )
