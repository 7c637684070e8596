"""How able each rater is by a model of annotators, with intervals; refused where the answers cannot say."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import numpy as np

from alps_tui.agreement.annotator_models import (
    FEW_LABELS,
    NO_SMOOTHING,
    RESTARTS,
    USUAL_SMOOTHING,
    Fit,
    Model,
    Smoothing,
    Votes,
    dawid_skene,
    mace,
    one_coin,
    votes_of,
)
from alps_tui.agreement.coefficient import SENTENCES, CoefficientStatus
from alps_tui.agreement.intervals import LEVEL, SEED, Floats
from alps_tui.agreement.panel import Panel
from alps_tui.agreement.ratings import Codes
from store.kinds import Level

REPLICATES = 200
FEW_ITEMS = 20
IDENTIFIED_BY = 3
IDENTIFIED_SHARE = 0.5


@dataclass(frozen=True, slots=True)
class Competence:
    """One rater's competence on a scale of 0 to 1, and the percentile interval of the item bootstrap."""

    rater: str
    n: int
    value: float
    low: float | None
    high: float | None

    def to_json(self) -> dict[str, Any]:
        return {"rater": self.rater, "n": self.n, "value": self.value, "low": self.low, "high": self.high}


@dataclass(frozen=True, slots=True)
class CompetenceReport:
    """What a model says of every rater, or why it says nothing.

    assumes    the sentences without which the numbers mean nothing: smoothing, priors, restarts
    votes, fit the model itself, for gold; None where it is refused
    """

    field: str
    model: Model
    status: CoefficientStatus
    reason: str
    raters: tuple[Competence, ...]
    n_items: int
    n_known: int
    assumes: tuple[str, ...]
    replicates: int
    seed: int
    votes: Votes | None = None
    fit: Fit | None = None

    def to_json(self) -> dict[str, Any]:
        fields: dict[str, Any] = {
            "field": self.field,
            "model": str(self.model),
            "status": str(self.status),
            "n_items": self.n_items,
            "n_known": self.n_known,
            "assumes": list(self.assumes),
        }
        if self.fit is None:
            return fields | {"reason": self.reason, "raters": None}
        return fields | {
            "raters": [one.to_json() for one in self.raters],
            "shares_of_classes": self.fit.prior.tolist(),
            "log_likelihood": self.fit.log_likelihood,
            "rounds": self.fit.rounds,
            "converged": self.fit.converged,
            "interval": "item bootstrap by dialogue, percentile, 95 %",
            "replicates": self.replicates,
            "seed": self.seed,
        }


def not_identified(codes: Codes, known: Codes) -> str:
    """Why a model of annotators cannot be fitted to answers (u, r) without priors, or nothing.

    With two raters an item, errors of one and of the other explain a disagreement equally well (as many free
    numbers as the table of answers has): three, or a known gold, are needed on at least half of the items.
    """
    raters = (codes >= 0).sum(axis=1)
    answered = raters > 0
    sure = answered & ((raters >= IDENTIFIED_BY) | (known >= 0))
    n, enough = int(answered.sum()), int(sure.sum())
    if n and enough >= IDENTIFIED_SHARE * n:
        return ""
    return (
        f"{SENTENCES[CoefficientStatus.NOT_IDENTIFIED]} {enough} of {n} items have three raters or a known gold. "
        "Have a third rater answer, fix some golds, or fix priors and say so."
    )


def competence(
    panel: Panel,
    model: Model,
    *,
    fixed: Smoothing | None = None,
    known: Codes | None = None,
    replicates: int = REPLICATES,
    seed: int = SEED,
) -> CompetenceReport:
    """Fit one model of annotators to a field.

    fixed    priors as answers already seen of each rater on each class: fits two raters an item too, and is said
    known    (u,) class of items whose gold is known, MISSING elsewhere; kept as it is, whatever the raters said
    """
    gold = np.full(len(panel.units), -1, dtype=np.intp) if known is None else known
    n_items = int(((panel.codes >= 0).any(axis=1)).sum())
    n_known = int((gold >= 0).sum())

    def refused(status: CoefficientStatus, reason: str) -> CompetenceReport:
        return CompetenceReport(
            panel.field, model, status, reason, (), n_items, n_known, (), replicates, seed
        )

    if int((panel.codes >= 0).any(axis=0).sum()) < 2:
        return refused(CoefficientStatus.NEED_2_RATERS, SENTENCES[CoefficientStatus.NEED_2_RATERS])
    if n_items < FEW_ITEMS:
        return refused(CoefficientStatus.TOO_FEW_ITEMS, SENTENCES[CoefficientStatus.TOO_FEW_ITEMS])
    reason = not_identified(panel.codes, gold)
    if reason and (fixed is None or model is Model.MACE):
        return refused(CoefficientStatus.NOT_IDENTIFIED, reason)
    votes = votes_of(panel.codes, len(panel.labels), gold)
    smoothing = fixed or (USUAL_SMOOTHING if votes.of_each_rater.min() < FEW_LABELS else NO_SMOOTHING)
    again, said = _fitter(model, votes, smoothing, seed)
    fit = again(None, None)
    spread = _replicated(panel, fit, again, replicates, seed)
    raters = tuple(
        Competence(name, int(n), float(value), low, high)
        for name, n, value, (low, high) in zip(
            panel.raters, votes.of_each_rater, fit.competence, spread, strict=True
        )
    )
    unordered = () if panel.level is Level.NOMINAL else ("the classes are taken as unordered",)
    known_said = (f"{n_known} known golds are fixed",) if n_known else ()
    priors_said = (f"two raters an item: it rests on fixed priors, {smoothing}",) if reason else ()
    return CompetenceReport(
        panel.field,
        model,
        CoefficientStatus.OK,
        "",
        raters,
        n_items,
        n_known,
        (*said, *unordered, *known_said, *priors_said),
        replicates,
        seed,
        votes,
        fit,
    )


Again = Callable[[Floats | None, Fit | None], Fit]


def _fitter(model: Model, votes: Votes, smoothing: Smoothing, seed: int) -> tuple[Again, tuple[str, ...]]:
    if model is Model.MACE:
        return (
            lambda weights, start: mace(votes, seed=seed, weights=weights, start=start),
            (
                f"variational, Beta(.5, .5) on spamming and 10 on each class of a spammer, best of {RESTARTS} "
                f"restarts, seed {seed}",
            ),
        )
    said = "no smoothing" if smoothing == NO_SMOOTHING else f"smoothing {smoothing}"
    one = dawid_skene if model is Model.DAWID_SKENE else one_coin
    return lambda weights, start: one(votes, smoothing, weights=weights, start=start), (said,)


def _replicated(
    panel: Panel, fit: Fit, again: Again, replicates: int, seed: int
) -> list[tuple[float | None, float | None]]:
    """Interval of each rater: dialogues drawn again, the model fitted again from the fit of all of them."""
    generator = np.random.default_rng(seed)
    n = int(panel.clusters.max(initial=-1)) + 1
    if n < 2 or replicates < 2:
        return [(None, None)] * len(panel.raters)
    values = np.empty((replicates, len(panel.raters)))
    for row in range(replicates):
        drawn = np.bincount(generator.integers(0, n, size=n), minlength=n).astype(np.float64)
        values[row] = again(drawn[panel.clusters], fit).competence
    low, high = np.percentile(values, [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2], axis=0)
    return [(float(a), float(b)) for a, b in zip(low, high, strict=True)]
