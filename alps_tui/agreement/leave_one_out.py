"""The panel without each of its raters: whose leaving would change the agreement, and how each stands to the rest."""

from dataclasses import dataclass
from typing import Any

import numpy as np

from alps_tui.agreement import many_raters, two_raters
from alps_tui.agreement.association import spearman
from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.intervals import SEED, Floats
from alps_tui.agreement.panel import Panel
from store.kinds import Level

FEW_SHARED = 20
RISE = 0.05
"""A rater without whom alpha rises by more than this is named."""


@dataclass(frozen=True, slots=True)
class LeftOut:
    """One rater against the rest.

    n_shared        units that this rater and somebody else answered; under 20 nothing is said of the rater
    alpha_without   alpha of the others; `rise` it minus the alpha of all
    with_rest       ordinal and up: Spearman with the mean of the rest; nominal: kappa with their majority
    severity        mean of (this rater - mean of the rest), on the scale's own numbers; None if nominal
    odd_one_out     share of units on which the others all say one thing and this rater another
    """

    rater: str
    n: int
    n_shared: int
    enough: bool
    alpha_without: Coefficient
    rise: float | None
    with_rest: Coefficient
    severity: float | None
    odd_one_out: float | None
    n_odd: int
    flagged: bool

    def to_json(self) -> dict[str, Any]:
        return {
            "rater": self.rater,
            "n": self.n,
            "n_shared": self.n_shared,
            "enough": self.enough,
            "alpha_without": self.alpha_without.to_json(),
            "rise": self.rise,
            "with_rest": {"name": self.with_rest.name} | self.with_rest.to_json(),
            "severity": self.severity,
            "odd_one_out": self.odd_one_out,
            "n_odd_possible": self.n_odd,
            "flagged": self.flagged,
        }


@dataclass(frozen=True, slots=True)
class LeaveOneOut:
    """Alpha of the whole panel and of the panel without each rater."""

    field: str
    level: Level
    alpha: Coefficient
    raters: tuple[LeftOut, ...]

    @property
    def flagged(self) -> tuple[str, ...]:
        return tuple(one.rater for one in self.raters if one.flagged)

    def to_json(self) -> dict[str, Any]:
        return {
            "field": self.field,
            "level": str(self.level),
            "alpha": self.alpha.to_json(),
            "raters": [one.to_json() for one in self.raters],
            "flagged": list(self.flagged),
            "flag": f"alpha rises by more than {RISE} without the rater, on {FEW_SHARED} shared units or more",
        }


def leave_one_out(panel: Panel, *, seed: int = SEED) -> LeaveOneOut:
    """Alpha without each rater, and each rater against the rest, on the units they share."""
    whole = _alpha(panel, seed)
    return LeaveOneOut(
        panel.field,
        panel.level,
        whole,
        tuple(_left_out(panel, index, whole, seed) for index in range(len(panel.raters))),
    )


def _alpha(panel: Panel, seed: int) -> Coefficient:
    active = int((panel.codes >= 0).any(axis=0).sum())
    over = many_raters.Over(panel.scores, panel.labels, panel.n_clusters, active, seed)
    return many_raters.krippendorff_alpha(panel.counts, panel.clusters, over, panel.level)


def _left_out(panel: Panel, index: int, whole: Coefficient, seed: int) -> LeftOut:
    mine = panel.codes[:, index]
    rest = panel.without(index)
    counts = rest.counts
    shared = (mine >= 0) & (counts.sum(axis=1) > 0)
    n_shared = int(shared.sum())
    without = _alpha(rest, seed)
    rise = None if without.value is None or whole.value is None else without.value - whole.value
    enough = n_shared >= FEW_SHARED
    odd, n_odd = _odd_one_out(mine[shared], counts[shared])
    return LeftOut(
        rater=panel.raters[index],
        n=int((mine >= 0).sum()),
        n_shared=n_shared,
        enough=enough,
        alpha_without=without,
        rise=rise,
        with_rest=_with_rest(panel, mine[shared], counts[shared], enough),
        severity=_severity(panel, mine[shared], counts[shared]) if enough else None,
        odd_one_out=odd if enough else None,
        n_odd=n_odd,
        flagged=enough and rise is not None and rise > RISE,
    )


def _means(panel: Panel, counts: Floats) -> Floats:
    return np.asarray(counts @ np.array(panel.scores) / counts.sum(axis=1), dtype=np.float64)


def _with_rest(panel: Panel, mine: np.ndarray[Any, Any], counts: Floats, enough: bool) -> Coefficient:
    nominal = panel.level is Level.NOMINAL
    name = "kappa_with_majority_of_rest" if nominal else "spearman"
    if not enough:
        reason = f"Fewer than {FEW_SHARED} units shared with the others."
        return Coefficient.undefined(name, CoefficientStatus.TOO_FEW_PAIRS, n=len(mine), reason=reason)
    if not nominal:
        return spearman(np.array(panel.scores)[mine], _means(panel, counts))
    clear = (counts == counts.max(axis=1, keepdims=True)).sum(axis=1) == 1
    k, n = len(panel.labels), int(clear.sum())
    table = np.zeros((1, k, k))
    np.add.at(table[0], (mine[clear], counts[clear].argmax(axis=1)), 1.0)
    value = float(two_raters.kappa(two_raters.identity_weights(k))(table).value()[0]) if n else np.nan
    if not np.isfinite(value):
        return Coefficient.undefined(name, CoefficientStatus.NO_VARIATION, n=n)
    return Coefficient(name, value, CoefficientStatus.OK, n=n, left_out=len(mine) - n)


def _severity(panel: Panel, mine: np.ndarray[Any, Any], counts: Floats) -> float | None:
    if panel.level is Level.NOMINAL or not len(mine):
        return None
    return float((np.array(panel.scores)[mine] - _means(panel, counts)).mean())


def _odd_one_out(mine: np.ndarray[Any, Any], counts: Floats) -> tuple[float | None, int]:
    """Among units on which at least two others agree completely: the share on which this rater differs."""
    total = counts.sum(axis=1)
    agreed = (total >= 2) & (counts.max(axis=1, initial=0.0) == total)
    n = int(agreed.sum())
    if not n:
        return None, 0
    return float((counts[agreed].argmax(axis=1) != mine[agreed]).mean()), n
