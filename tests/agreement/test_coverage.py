"""How often the interval that the rule picks holds the true alpha: four designs, 1,000 studies each (slow)."""

from collections.abc import Callable
from dataclasses import dataclass

import numpy as np
import pytest
from scipy.stats import norm

from alps_tui.agreement import many_raters
from alps_tui.agreement.coefficient import Interval, Method
from alps_tui.agreement.intervals import Floats
from store.kinds import Level

STUDIES = 1_000
PROMISED = 0.92
MANY = 400_000
"""Dialogues of the one large study whose alpha stands for the truth: its own error is under .002."""


@dataclass(frozen=True)
class Design:
    """A way studies come about: `shares` of the classes, raters who see a latent value with an error.

    dialogues   of a study, `per_dialogue` units in each, which share a part `icc` of their variance
    expects     the method that the rule picks for a study of this design, nearly always
    """

    name: str
    level: Level
    shares: tuple[float, ...]
    dialogues: int
    per_dialogue: int
    icc: float
    error: float
    expects: Method
    raters: int = 3


DESIGNS = (
    Design("ordinal balanced", Level.ORDINAL, (0.2,) * 5, 200, 1, 0.0, 0.6, Method.ITEM_BOOTSTRAP),
    Design(
        "ordinal skewed", Level.ORDINAL, (0.05, 0.05, 0.1, 0.3, 0.5), 100, 1, 0.0, 0.6, Method.JACKKNIFE_Z
    ),
    Design("binary 10/90", Level.NOMINAL, (0.1, 0.9), 100, 1, 0.0, 0.5, Method.JACKKNIFE_Z),
    Design("clustered 40 x 3", Level.ORDINAL, (0.2,) * 5, 40, 3, 0.3, 0.6, Method.JACKKNIFE_Z),
)


def study(design: Design, dialogues: int, generator: np.random.Generator) -> tuple[Floats, np.ndarray]:
    """Counts, units x classes, and the dialogue of each unit."""
    shared = np.repeat(generator.normal(size=dialogues), design.per_dialogue)
    own = generator.normal(size=dialogues * design.per_dialogue)
    truth = np.sqrt(design.icc) * shared + np.sqrt(1 - design.icc) * own
    heard = truth[:, None] + design.error * generator.normal(size=(len(truth), design.raters))
    cuts = norm.ppf(np.cumsum(design.shares)[:-1]) * np.sqrt(1 + design.error**2)
    classes = np.searchsorted(cuts, heard)
    counts = np.stack([(classes == k).sum(axis=1) for k in range(len(design.shares))], axis=1)
    return counts.astype(float), np.repeat(np.arange(dialogues), design.per_dialogue)


def true_alpha(design: Design) -> float:
    counts, _ = study(design, MANY // design.per_dialogue, np.random.default_rng(0))
    scores = tuple(range(len(design.shares)))
    total = sum(
        many_raters.alpha_parts(part, design.level, scores).sum(axis=0) for part in np.array_split(counts, 20)
    )
    return float(many_raters.alpha(design.level, scores)(np.asarray(total)[None]).value()[0])


def intervals(design: Design, studies: int, say: Callable[[str], None]) -> tuple[float, float, float]:
    """Coverage, its Monte-Carlo standard error and the share of studies with the expected method."""
    truth = true_alpha(design)
    generator = np.random.default_rng(20_261_201)
    scores = tuple(map(float, range(len(design.shares))))
    held, expected, widths = 0, 0, []
    for seed in range(studies):
        counts, clusters = study(design, design.dialogues, generator)
        over = many_raters.Over(scores, tuple(map(str, scores)), design.dialogues, design.raters, seed)
        made = many_raters.krippendorff_alpha(counts, clusters, over, design.level).interval
        if isinstance(made, Interval):
            held += made.low <= truth <= made.high
            expected += made.method is design.expects
            widths.append(made.high - made.low)
    coverage = held / studies
    error = float(np.sqrt(coverage * (1 - coverage) / studies))
    say(
        f"{design.name}: alpha {truth:.3f}, covered {coverage:.3f} (Monte-Carlo standard error {error:.4f}), "
        f"mean width {np.mean(widths):.3f}, {design.expects} in {expected / studies:.0%}, {studies} studies"
    )
    return coverage, error, expected / studies


@pytest.mark.slow
@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_the_interval_that_the_rule_picks_holds_the_truth_as_often_as_it_says(
    design: Design, capsys: pytest.CaptureFixture[str]
) -> None:
    with capsys.disabled():
        coverage, error, expected = intervals(design, STUDIES, lambda said: print(f"\n{said}", end=""))
    assert coverage >= PROMISED - 2 * error
    assert expected > 0.9


@pytest.mark.parametrize("design", DESIGNS, ids=lambda design: design.name)
def test_the_designs_of_the_simulation_meet_the_method_that_each_is_for(design: Design) -> None:
    counts, clusters = study(design, design.dialogues, np.random.default_rng(1))
    scores = tuple(map(float, range(len(design.shares))))
    over = many_raters.Over(scores, tuple(map(str, scores)), design.dialogues, design.raters)
    made = many_raters.krippendorff_alpha(counts, clusters, over, design.level).interval
    assert isinstance(made, Interval) and made.method is design.expects
    assert made.n_clusters == design.dialogues
