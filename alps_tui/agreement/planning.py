"""How many dialogues and raters give which half-width of an interval for alpha, by simulating studies of a stated model."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import ceil, sqrt
from typing import Any

import numpy as np
from scipy.special import ndtri, stdtrit

from alps_tui.agreement import many_raters
from alps_tui.agreement.coefficient import Coefficient, Interval
from alps_tui.agreement.intervals import FEW_DIALOGUES, LEVEL, SEED, Floats
from alps_tui.agreement.panel import Panel
from store.kinds import Level

STUDIES = 1_000
REFERENCE = 200
TRUTH = 40_000
MOST_DIALOGUES = 20_000
UNITS_AT_ONCE = 50_000
NOISIEST, CLEAREST = 30.0, 1e-3


@dataclass(frozen=True, slots=True)
class Studies:
    """How studies are taken to come about: raters see a latent normal value with normal errors, cut into classes.

    shares         of the classes among the answers, in the order of the scale; `scores` the classes as numbers
    alpha          the agreement that is expected
    per_dialogue   units in each dialogue, which share the part `icc` of the variance of what is rated
    scale          the half-width of the model times this; not 1 only where a pilot corrects it
    """

    level: Level
    shares: tuple[float, ...]
    scores: tuple[float, ...]
    alpha: float
    per_dialogue: int = 1
    icc: float = 0.0
    scale: float = 1.0


@dataclass(frozen=True, slots=True)
class Choice:
    """With so many raters on every unit: how many dialogues reach the half-width; None where too many would be needed."""

    raters: int
    dialogues: int | None
    units: int | None
    ratings: int | None
    half_width: float | None

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Plan:
    """Choices of raters for one half-width, the cheapest in ratings, and what all of it assumes."""

    target: float
    studies: Studies
    choices: tuple[Choice, ...]
    assumes: tuple[str, ...]
    simulated: int
    seed: int

    @property
    def cheapest(self) -> Choice | None:
        possible = [one for one in self.choices if one.ratings is not None]
        return min(possible, key=lambda one: (one.ratings or 0, one.raters)) if possible else None

    def to_json(self) -> dict[str, Any]:
        cheapest = self.cheapest
        return {
            "half_width": self.target,
            "level": str(self.studies.level),
            "shares": list(self.studies.shares),
            "expected_alpha": self.studies.alpha,
            "units_per_dialogue": self.studies.per_dialogue,
            "icc": self.studies.icc,
            "scale": self.studies.scale,
            "choices": [one.to_json() for one in self.choices],
            "cheapest_in_ratings": None if cheapest is None else cheapest.to_json(),
            "assumes": list(self.assumes),
            "simulated_studies": self.simulated,
            "seed": self.seed,
        }


def plan_for_alpha(
    studies: Studies,
    target: float,
    raters: Sequence[int] = (2, 3, 4, 5),
    *,
    said: Sequence[str] = (),
    simulated: int = STUDIES,
    seed: int = SEED,
) -> Plan:
    """Dialogues for each number of raters at which 1.96 standard deviations of alpha over studies are the target.

    A reference study is simulated, then one of the size that follows from it by the root of the number of dialogues;
    the answer is the mean of the two, the second counting twice.

    raises   ValueError, with a sentence, if the wish or the model makes no sense
    """
    _check(studies, target, raters)
    error = _error_for(studies)
    choices = tuple(_choice(studies, error, target, r, simulated, seed) for r in raters)
    assumes = (
        "raters are exchangeable, see a latent normal value with equal normal errors, and answer every unit",
        f"shares of the classes {', '.join(f'{100 * share:.0f} %' for share in studies.shares)}, "
        f"expected alpha {studies.alpha:.3f} ({studies.level})",
        f"{studies.per_dialogue} {'unit' if studies.per_dialogue == 1 else 'units'} a dialogue, intraclass correlation {studies.icc:g} of what is rated",
        *said,
    )
    return Plan(target, studies, choices, assumes, simulated, seed)


def _check(studies: Studies, target: float, raters: Sequence[int]) -> None:
    if not 0.01 <= target < 1:
        raise ValueError("A half-width lies between .01 and 1.")
    if not 0 < studies.alpha < 1:
        raise ValueError("The alpha to expect lies between 0 and 1, without its ends.")
    if len(studies.shares) < 2 or min(studies.shares) < 0 or abs(sum(studies.shares) - 1) > 1e-6:
        raise ValueError("Shares are of two classes or more, none below 0, together 100 %.")
    if sum(share > 0 for share in studies.shares) < 2:
        raise ValueError("Where all answers are one class, alpha is undefined for any number of items.")
    if not raters or min(raters) < 2:
        raise ValueError("Agreement needs two raters.")
    if studies.per_dialogue < 1 or not 0 <= studies.icc < 1:
        raise ValueError(
            "A dialogue has one unit or more, and its intraclass correlation lies from 0 to under 1."
        )


def _choice(studies: Studies, error: float, target: float, raters: int, simulated: int, seed: int) -> Choice:
    first = sqrt(REFERENCE) * half_width(studies, error, REFERENCE, raters, simulated, seed)
    about = max(2, ceil((first / target) ** 2))
    if about > MOST_DIALOGUES:
        return Choice(raters, None, None, None, None)
    # Small studies vary more than the root says: a second simulation near the answer outweighs the reference.
    second = sqrt(about) * half_width(studies, error, about, raters, simulated, seed + 1)
    by_root = (first + 2 * second) / 3
    dialogues = max(2, ceil((by_root / target) ** 2))
    while by_root / sqrt(dialogues) * _few(dialogues) > target:
        dialogues += 1
    width = by_root / sqrt(dialogues) * _few(dialogues)
    units = dialogues * studies.per_dialogue
    return Choice(raters, dialogues, units, units * raters, float(width))


def _few(dialogues: int) -> float:
    """How much wider the interval of few dialogues is: the rule then takes t on one less than their number."""
    if dialogues >= FEW_DIALOGUES:
        return 1.0
    level = (1 + LEVEL) / 2
    return float(stdtrit(dialogues - 1, level) / ndtri(level))


def dialogues_by_root(interval: Interval, target: float) -> int | None:
    """How many dialogues like those of an interval bring it to a half-width, without simulating anything.

    Half-widths fall with the root of the number of dialogues, and with t of one less than it where they are few.
    None past 20,000. `plan_for_alpha` says it for other numbers of raters, and for a study not begun.
    """
    n = interval.n_clusters
    spread = (interval.high - interval.low) / 2 * sqrt(n) / _few(n)
    about = max(2, ceil((spread / target) ** 2))
    while about <= MOST_DIALOGUES and spread / sqrt(about) * _few(about) > target:
        about += 1
    return about if about <= MOST_DIALOGUES else None


def half_width(
    studies: Studies, error: float, dialogues: int, raters: int, simulated: int, seed: int
) -> float:
    """1.96 standard deviations of the alphas of simulated studies of this size, times `scale`; its own error is
    about 1 / sqrt(2 * simulated) of it.
    """
    generator = np.random.default_rng(seed)
    per_study = dialogues * studies.per_dialogue
    at_once = max(1, UNITS_AT_ONCE // per_study)
    found: list[Floats] = []
    for start in range(0, simulated, at_once):
        n = min(at_once, simulated - start)
        counts = _counts(studies, error, n * dialogues, raters, generator)
        parts = many_raters.alpha_parts(counts, studies.level, studies.scores)
        sums = parts.reshape(n, per_study, -1).sum(axis=1)
        found.append(many_raters.alpha(studies.level, studies.scores)(sums).value())
    alphas = np.concatenate(found)
    defined = alphas[np.isfinite(alphas)]
    if len(defined) < 2:
        return 1.0
    return float(ndtri((1 + LEVEL) / 2) * defined.std(ddof=1)) * studies.scale


def _counts(
    studies: Studies, error: float, dialogues: int, raters: int, generator: np.random.Generator
) -> Floats:
    """Answers to simulated units, units x classes."""
    shared = np.repeat(generator.normal(size=dialogues), studies.per_dialogue)
    own = generator.normal(size=len(shared))
    truth = sqrt(studies.icc) * shared + sqrt(1 - studies.icc) * own
    heard = truth[:, None] + error * generator.normal(size=(len(truth), raters))
    cuts = ndtri(np.minimum(np.cumsum(studies.shares)[:-1], 1.0)) * sqrt(1 + error**2)
    classes = np.searchsorted(cuts, heard)
    k = len(studies.shares)
    units = np.repeat(np.arange(len(truth)), raters)
    return many_raters.counts_of(units, classes.reshape(-1), len(truth), k)


def _error_for(studies: Studies) -> float:
    """The raters' error at which the model has the expected alpha, by halving; alpha falls as the error grows."""
    alone = replace(studies, icc=0.0, per_dialogue=1)

    def alpha(error: float) -> float:
        counts = _counts(alone, error, TRUTH, 2, np.random.default_rng(0))
        parts = many_raters.alpha_parts(counts, studies.level, studies.scores)
        return float(many_raters.alpha(studies.level, studies.scores)(parts.sum(axis=0)[None]).value()[0])

    low, high = CLEAREST, NOISIEST
    for _ in range(24):
        middle = sqrt(low * high)
        low, high = (middle, high) if alpha(middle) > studies.alpha else (low, middle)
    return sqrt(low * high)


# ---------------------------------------------------------------- from a pilot


def studies_from(
    panel: Panel, *, simulated: int = STUDIES, seed: int = SEED
) -> tuple[Studies, tuple[str, ...]]:
    """A model with the shares, alpha and units a dialogue of a pilot, corrected to the pilot's own interval.

    The correction is one factor: the half-width that the pilot's own interval has over the one that the model
    gives at the pilot's size. It takes in the clustering and whatever else the model has wrong.

    raises   ValueError, with a sentence, if the pilot has no alpha between 0 and 1 or no interval
    """
    counts = panel.counts
    active = int((panel.codes >= 0).any(axis=0).sum())
    over = many_raters.Over(panel.scores, panel.labels, panel.n_clusters, active, seed)
    found = many_raters.krippendorff_alpha(counts, panel.clusters, over, panel.level)
    own = _interval_of(found)
    twice = counts[many_raters.pairable(counts)]
    shares = twice.sum(axis=0) / twice.sum()
    raters = max(2, round(float(twice.sum(axis=1).mean())))
    dialogues = own.n_clusters
    per_dialogue = max(1, round(len(twice) / dialogues))
    value = min(max(float(found.value or 0.0), 0.01), 0.99)
    model = Studies(panel.level, tuple(shares.tolist()), panel.scores, value, per_dialogue)
    modelled = half_width(model, _error_for(model), dialogues, raters, simulated, seed) * _few(dialogues)
    mine = (own.high - own.low) / 2
    scale = mine / modelled if modelled > 0 else 1.0
    said = (
        f"pilot: {panel.field}, {len(twice)} units of {dialogues} dialogues, alpha {value:.3f}, "
        f"half-width {mine:.3f} ({own.method})",
        f"half-widths of the model times {scale:.2f}, so that it gives the pilot's own at the pilot's size",
    )
    return replace(model, scale=scale), said


def _interval_of(found: Coefficient) -> Interval:
    if found.value is None:
        raise ValueError(f"The pilot has no alpha: {found.reason}")
    if not 0 < found.value < 1:
        raise ValueError(f"The pilot's alpha is {found.value:.3f}: a plan needs one between 0 and 1.")
    if not isinstance(found.interval, Interval):
        reason = found.interval.reason if found.interval else ""
        raise ValueError(f"The pilot's alpha has no interval: {reason}")
    return found.interval
