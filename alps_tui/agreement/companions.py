"""What stands beside alpha for any number of raters: raw and specific agreement, Fleiss, Scott, Brennan and Prediger.

Counts are units x classes of the full scale, shape (u, k), as in `many_raters`.
"""

from collections.abc import Callable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from alps_tui.agreement.alike import dialogues_by_kind
from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.figures import counted
from alps_tui.agreement.intervals import Floats, Quotient, Range, Statistic, class_shares, coefficient
from alps_tui.agreement.many_raters import Over, corrected, fleiss, pairable

Codes = NDArray[np.intp]
PartsOf = Callable[[Floats], Floats]


def brennan_prediger(disagreement: Floats) -> Statistic:
    """Brennan and Prediger's coefficient (1981), weighted and with missing cells (Gwet 2014, ch. 4), of `gwet_parts`.

    Agreement by chance is T_w / q^2, whatever the margins; with two classes it is PABAK. Undefined for q < 2.
    """
    q = len(disagreement)
    chance = float(disagreement.sum()) / q**2 if q > 1 else 0.0

    def of(sums: Floats) -> Quotient:
        pairs = sums[:, 1]
        observed = sums[:, 0] / np.where(pairs > 0, pairs, 1.0)
        return Quotient(observed, np.where(pairs > 0, chance, 0.0))

    return of


def raw_parts(counts: Floats) -> Floats:
    """Of each unit the ordered pairs of its ratings that differ, and all of them: shape (u, 2)."""
    m = counts.sum(axis=1)
    return np.column_stack([m**2 - (counts**2).sum(axis=1), m * (m - 1)])


def specific_class_parts(counts: Floats, index: int) -> Floats:
    """Of each unit, what specific agreement on a class needs: n (m - n) and n (m - 1), shape (u, 2)."""
    n, m = counts[:, index], counts.sum(axis=1)
    return np.column_stack([n * (m - n), n * (m - 1)])


def share(sums: Floats) -> Quotient:
    """1 - lost / whole of sums of (lost, whole); undefined where there is no whole."""
    lost, whole = sums.T
    rate = np.divide(lost, whole, out=np.zeros(len(sums)), where=whole > 0)
    return Quotient(rate, (whole > 0).astype(np.float64))


def raw_agreement(counts: Floats, clusters: Codes, over: Over) -> Coefficient:
    """Share of the pairs of ratings of one unit that are equal, over all pairs of raters."""
    return _share("raw_agreement", counts, clusters, over, raw_parts, CoefficientStatus.NO_PAIRABLE_UNITS)


def specific_agreement(counts: Floats, clusters: Codes, over: Over, index: int) -> Coefficient:
    """Given that one rater said this class, does another: sum n (n - 1) / sum n (m - 1) (Uebersax 1982).

    With two raters it is 2a / (2a + b + c) (Dice 1945). Undefined if nobody used the class on a pairable unit.
    """

    def parts(units: Floats) -> Floats:
        return specific_class_parts(units, index)

    return _share(
        f"specific_{over.labels[index]}", counts, clusters, over, parts, CoefficientStatus.CLASS_NEVER_USED
    )


def _share(
    name: str,
    counts: Floats,
    clusters: Codes,
    over: Over,
    parts_of: PartsOf,
    if_undefined: CoefficientStatus,
) -> Coefficient:
    twice = pairable(counts)
    single = int(np.count_nonzero(counts.sum(axis=1) == 1))
    if over.n_raters < 2:
        return Coefficient.undefined(name, CoefficientStatus.NEED_2_RATERS, left_out=single)
    kept = counts[twice]
    parts, sizes = dialogues_by_kind(kept, clusters[twice], parts_of)
    return coefficient(
        name,
        parts,
        share,
        sizes=sizes,
        n=len(kept),
        left_out=single,
        within=Range.SHARE,
        shares=class_shares(kept, over.labels),
        if_undefined=if_undefined,
        seed=over.seed,
    )


def brennan_prediger_coefficient(
    counts: Floats, clusters: Codes, over: Over, disagreement: Floats
) -> Coefficient:
    """Brennan-Prediger with its interval by dialogue."""
    return corrected("brennan_prediger", counts, clusters, over, disagreement, brennan_prediger)


def scott_pi(counts: Floats, clusters: Codes, over: Over, disagreement: Floats) -> Coefficient:
    """Scott's pi of two raters (Scott 1955): chance from their pooled margins; counts of the units both rated.

    raises   ValueError if a unit has not exactly two ratings
    """
    if not np.all(counts.sum(axis=1) == 2):
        raise ValueError("Scott's pi is of two raters on the units both rated")
    return corrected("scott_pi", counts, clusters, over, disagreement, fleiss)


def fleiss_balanced(counts: Floats, clusters: Codes, over: Over, disagreement: Floats) -> Coefficient:
    """Fleiss' kappa (Fleiss 1971) on the balanced part: the units with the most frequent number of ratings above one.

    `note` says how many ratings each of these units has; `left_out` counts the other rated units.
    """
    m = counts.sum(axis=1)
    sizes = np.bincount(m.astype(np.int64), minlength=3)
    sizes[:2] = 0
    most = int(len(sizes) - 1 - np.argmax(sizes[::-1]))
    chosen = m == most
    found = corrected("fleiss_kappa", counts[chosen], clusters[chosen], over, disagreement, fleiss)
    others = int(np.count_nonzero((m > 0) & ~chosen))
    note = f"the {counted(int(chosen.sum()), 'unit')} with {most} ratings each" if found.n else ""
    return replace(found, left_out=others, note=note)
