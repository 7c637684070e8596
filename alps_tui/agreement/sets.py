"""Agreement of two lists of memories: which of them are the same, and the set F1 that follows."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from scipy.optimize import linear_sum_assignment

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.intervals import SEED, Floats, Quotient, Range, coefficient, sum_by
from alps_tui.agreement.words import normalised, rouge_l, words

THRESHOLD = 0.5
"""Least similarity of two memories that are not the same text: the authors' own, here in every script."""

COUNT_TIE = 1e-9
"""Among assignments of equal total similarity the one with more pairs wins, whatever the order of the lists."""


@dataclass(frozen=True, slots=True)
class FinalList:
    """What one rater left standing for one session.

    memories   the values of the final list: kept, edited and added
    seed       the values of the untouched proposal; None where it is not known (no packet)
    """

    session_id: str
    rater: str
    memories: tuple[str, ...]
    seed: tuple[str, ...] | None = None


@dataclass(frozen=True, slots=True)
class Matched:
    """Pairs of one list pair as indices (first, second): exact ones, then similar ones."""

    exact: tuple[tuple[int, int], ...]
    similar: tuple[tuple[int, int], ...]

    def __len__(self) -> int:
        return len(self.exact) + len(self.similar)


@dataclass(frozen=True, slots=True)
class SetAgreement:
    """Set F1 of pairs of lists, micro (pooled) and macro (mean over the pairs; both empty counts 1).

    n_lists              pairs of lists; more than the sessions where several raters are pooled
    n_exact, n_similar   matched memories by how
    difference           mean of len(first) - len(second)
    """

    n_lists: int
    n_sessions: int
    n_first: int
    n_second: int
    n_exact: int
    n_similar: int
    threshold: float
    micro: Coefficient
    macro: Coefficient
    difference: float | None

    def to_json(self) -> dict[str, Any]:
        return {
            "n_lists": self.n_lists,
            "n_sessions": self.n_sessions,
            "n_memories": [self.n_first, self.n_second],
            "matched_exact": self.n_exact,
            "matched_similar": self.n_similar,
            "similarity": f"ROUGE-L over words of any script, at least {self.threshold:g}",
            "f1_micro": self.micro.to_json(),
            "f1_macro": self.macro.to_json(),
            "mean_difference_of_length": self.difference,
        }


def match(first: Sequence[str], second: Sequence[str], threshold: float = THRESHOLD) -> Matched:
    """One-to-one matching of memory values: equal normalised text first, then the best assignment of the rest.

    The rest is assigned so that the summed similarity (ROUGE-L over words of any script) is largest, pairs under
    `threshold` not allowed (Kuhn 1955 by scipy). Blank values match blank values only.
    """
    exact = _exact([normalised(value) for value in first], [normalised(value) for value in second])
    taken_first, taken_second = {i for i, _ in exact}, {j for _, j in exact}
    rows = [i for i in range(len(first)) if i not in taken_first]
    columns = [j for j in range(len(second)) if j not in taken_second]
    if not rows or not columns:
        return Matched(exact, ())
    left, right = [words(first[i]) for i in rows], [words(second[j]) for j in columns]
    similarity = np.array([[rouge_l(a, b) for b in right] for a in left])
    allowed = similarity >= threshold
    gain = np.where(allowed, similarity + COUNT_TIE, 0.0)
    chosen = zip(*linear_sum_assignment(gain, maximize=True), strict=True)
    return Matched(exact, tuple((rows[i], columns[j]) for i, j in chosen if allowed[i, j]))


def _exact(first: Sequence[str], second: Sequence[str]) -> tuple[tuple[int, int], ...]:
    """Each value of the first list with the first free equal one of the second."""
    free: dict[str, list[int]] = {}
    for j, value in enumerate(second):
        free.setdefault(value, []).append(j)
    return tuple((i, free[value].pop(0)) for i, value in enumerate(first) if free.get(value))


def set_agreement(
    pairs: Sequence[tuple[Sequence[str], Sequence[str]]],
    sessions: Sequence[str],
    *,
    threshold: float = THRESHOLD,
    seed: int = SEED,
) -> SetAgreement:
    """Set F1 = 2 |matched| / (|A| + |B|) of n pairs of lists; `sessions` (n,) names the dialogue of each.

    With an unbounded universe of memories nobody wrote, F1 is positive specific agreement (Hripcsak & Rothschild
    2005). It has no chance correction: beside a shared proposal, agreement on the decisions must stand with it.
    """
    matches = [match(first, second, threshold) for first, second in pairs]
    sizes = np.array([[len(first), len(second)] for first, second in pairs], dtype=np.float64).reshape(-1, 2)
    matched = np.array([len(m) for m in matches], dtype=np.float64)
    total = sizes.sum(axis=1)
    lost = total - 2 * matched
    share = np.divide(lost, total, out=np.zeros(len(pairs)), where=total > 0)
    names, codes = np.unique(np.array(sessions, dtype=object), return_inverse=True)
    micro = sum_by(codes, np.column_stack([lost, total]), len(names))
    macro = sum_by(codes, np.column_stack([share, np.ones(len(pairs))]), len(names))
    return SetAgreement(
        n_lists=len(pairs),
        n_sessions=len(names),
        n_first=int(sizes[:, 0].sum()),
        n_second=int(sizes[:, 1].sum()),
        n_exact=sum(len(m.exact) for m in matches),
        n_similar=sum(len(m.similar) for m in matches),
        threshold=threshold,
        micro=f1_coefficient("f1_micro", micro, len(pairs), int(np.count_nonzero(total == 0)), seed),
        macro=f1_coefficient("f1_macro", macro, len(pairs), 0, seed),
        difference=float((sizes[:, 0] - sizes[:, 1]).mean()) if pairs else None,
    )


def f1_coefficient(name: str, parts: Floats, n: int, empty: int, seed: int) -> Coefficient:
    """A share whose parts are (lost, whole) of each session; `empty` pairs of lists have nothing to lose."""
    if n == 0:
        return Coefficient.undefined(name, CoefficientStatus.NOTHING_TO_COMPARE, counted="lists")

    def of(sums: Floats) -> Quotient:
        lost, whole = sums.T
        rate = np.divide(lost, whole, out=np.zeros(len(sums)), where=whole > 0)
        return Quotient(rate, (whole > 0).astype(np.float64))

    return coefficient(
        name,
        parts,
        of,
        n=n,
        counted="lists",
        left_out=empty,
        within=Range.SHARE,
        if_undefined=CoefficientStatus.NOTHING_TO_COMPARE,
        seed=seed,
    )
