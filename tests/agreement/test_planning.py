"""A plan for alpha: what it promises holds in studies of its model, and what makes no sense is a sentence."""

from dataclasses import replace

import numpy as np
import pytest
from panels import planted

from alps_tui.agreement.planning import Studies, plan_for_alpha, studies_from
from store.kinds import Level

ORDINAL = Studies(Level.ORDINAL, (0.2,) * 5, (1.0, 2.0, 3.0, 4.0, 5.0), 0.68)


def test_the_plan_reaches_its_half_width_and_more_raters_need_fewer_dialogues() -> None:
    plan = plan_for_alpha(ORDINAL, 0.09, simulated=300)
    dialogues = [one.dialogues for one in plan.choices]
    assert None not in dialogues and dialogues == sorted(dialogues, reverse=True)
    assert all(one.half_width is not None and one.half_width <= 0.09 * 1.05 for one in plan.choices)
    assert plan.cheapest is not None and plan.cheapest.ratings == min(one.ratings for one in plan.choices)


def test_three_raters_on_about_a_hundred_items_give_the_half_width_that_simulated_intervals_have() -> None:
    """The coverage simulation of this design finds intervals .182 wide with 100 dialogues: .091 on each side."""
    (choice,) = plan_for_alpha(ORDINAL, 0.091, (3,), simulated=600).choices
    assert choice.dialogues is not None and 80 <= choice.dialogues <= 120


def test_a_narrower_interval_needs_more_by_the_square() -> None:
    (wide,) = plan_for_alpha(ORDINAL, 0.10, (3,), simulated=300).choices
    (narrow,) = plan_for_alpha(ORDINAL, 0.05, (3,), simulated=300).choices
    assert wide.dialogues is not None and narrow.dialogues is not None
    assert 3.3 < narrow.dialogues / wide.dialogues < 4.8


def test_units_that_share_a_dialogue_count_for_less() -> None:
    alone = plan_for_alpha(ORDINAL, 0.1, (3,), simulated=300).choices[0]
    shared = plan_for_alpha(replace(ORDINAL, per_dialogue=5, icc=0.8), 0.1, (3,), simulated=300).choices[0]
    assert alone.units is not None and shared.units is not None
    assert shared.units > alone.units


def test_a_pilot_gives_its_own_half_width_back_at_its_own_size() -> None:
    panel, _ = planted((0.9, 0.9, 0.9), 120)
    studies, said = studies_from(panel, simulated=300)
    plan = plan_for_alpha(studies, 0.1, (3,), said=said, simulated=300)
    (choice,) = plan.choices
    half = float(said[0].rpartition("half-width ")[2].split()[0])
    assert choice.dialogues is not None
    assert choice.dialogues == pytest.approx(120 * (half / 0.1) ** 2, rel=0.2)
    assert plan.assumes[-2:] == said


@pytest.mark.parametrize(
    ("studies", "target", "raters", "said"),
    [
        (ORDINAL, 0.0, (2,), "half-width"),
        (ORDINAL, 0.1, (1,), "two raters"),
        (replace(ORDINAL, alpha=1.0), 0.1, (2,), "between 0 and 1"),
        (replace(ORDINAL, shares=(1.0, 0.0)), 0.1, (2,), "one class"),
        (replace(ORDINAL, shares=(0.5, 0.6)), 0.1, (2,), "100 %"),
        (replace(ORDINAL, icc=1.0), 0.1, (2,), "intraclass"),
    ],
)
def test_a_plan_that_makes_no_sense_is_refused_with_a_sentence(studies, target, raters, said) -> None:
    with pytest.raises(ValueError, match=said):
        plan_for_alpha(studies, target, raters)


def test_a_pilot_without_an_alpha_or_without_spread_is_refused_with_a_sentence() -> None:
    panel, _ = planted((1.0, 1.0), 30)
    with pytest.raises(ValueError, match=r"alpha is 1\.000"):
        studies_from(panel)
    one = replace(panel, codes=np.where(np.arange(2) == 1, -1, panel.codes))
    with pytest.raises(ValueError, match="no alpha"):
        studies_from(one)


def test_out_of_reach_is_none_and_not_a_number() -> None:
    rare = Studies(Level.NOMINAL, (0.001, 0.999), (0.0, 1.0), 0.5)
    (choice,) = plan_for_alpha(rare, 0.01, (2,), simulated=50).choices
    assert (choice.dialogues, choice.half_width) == (None, None)
