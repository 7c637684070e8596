"""Preferences of people: ranks as ranges, intervals by prompt, position, and what absolute scores say to it."""

import json

import numpy as np
import pytest
from paths import STATISTICS

from alps_tui.agreement.bradley_terry import Outcome
from alps_tui.agreement.preference import Comparison, preference_report, rank_ranges, sign_test

needs_statistics = pytest.mark.skipif(
    not STATISTICS.is_dir(), reason="the shared statistics are not beside this checkout"
)


def drawn(
    utility: dict[str, float], n_prompts: int, *, order: float = 0.0, scored: bool = False, seed: int = 1
) -> list[Comparison]:
    """Three comparisons a prompt, one in five a tie."""
    generator = np.random.default_rng(seed)
    names, found = sorted(utility), []
    for prompt in range(n_prompts):
        for rater in range(3):
            a, b = generator.permutation(len(names))[:2]
            gap = utility[names[a]] - utility[names[b]] + order
            outcome = Outcome.FIRST if generator.random() < 1 / (1 + np.exp(-gap)) else Outcome.SECOND
            outcome = Outcome.TIE if generator.random() < 0.2 else outcome
            scores = (utility[names[a]], utility[names[b]]) if scored else None
            found.append(Comparison(f"p{prompt}", f"r{rater}", names[a], names[b], outcome, scores))
    return found


def test_the_best_system_stands_first_and_equals_share_their_ranks() -> None:
    found = preference_report(drawn({"a": 1.2, "b": 0.0, "c": 0.0}, 200), replicates=200)
    best, *others = found.systems
    assert (best.name, best.rank_low, best.rank_high) == ("a", 1, 1)
    assert {(one.rank_low, one.rank_high) for one in others} == {(2, 3)}
    assert best.low is not None and best.low > 0 and best.win_rate_low is not None and best.win_rate_low > 0.5
    assert best.expected == pytest.approx(best.win_rate, abs=0.05)


def test_intervals_are_by_prompt_so_copies_of_a_prompt_do_not_narrow_them() -> None:
    once = drawn({"a": 0.5, "b": 0.0}, 80)
    twice = once + [
        Comparison(one.prompt, f"{one.rater}'", one.first, one.second, one.outcome) for one in once
    ]
    one, two = (preference_report(rows, replicates=300).systems[0] for rows in (once, twice))
    assert (one.low, one.high) == pytest.approx((two.low, two.high), abs=1e-6)


def test_the_effect_of_being_shown_first_is_found_and_its_absence_not() -> None:
    helped = preference_report(drawn({"a": 0.3, "b": 0.0}, 150, order=1.0), replicates=200).position
    assert helped.low is not None and helped.low > 0 and helped.said.startswith("Being shown first helps")
    none = preference_report(drawn({"a": 0.3, "b": 0.0}, 150), replicates=200).position
    assert none.said.startswith("No effect of position is shown")


@needs_statistics
def test_the_position_tests_of_llmbar_come_out_as_published() -> None:
    expected = json.loads((STATISTICS / "position_bias_llmbar.json").read_text())["expected"]
    rows = json.loads((STATISTICS / "data" / "llmbar_decisions.json").read_text())["rows"]
    assert set(expected) <= set(rows)
    for name, published in expected.items():
        comparisons = []
        for i, (kept, swapped) in enumerate(
            zip(rows[name]["winner"], rows[name]["winner_swapped"], strict=True)
        ):
            first = Outcome.FIRST if kept == "1" else Outcome.SECOND
            second = Outcome.SECOND if swapped == "1" else Outcome.FIRST
            comparisons += [Comparison(f"p{i}", "judge", "1", "2", first)]
            comparisons += [Comparison(f"p{i}", "judge", "2", "1", second)]
        position = preference_report(comparisons, replicates=2).position
        assert position.both_orders == published["n"], name
        assert (position.always_first, position.always_second) == (
            published["always_first"],
            published["always_second"],
        )
        assert position.p == pytest.approx(published["p_position"], abs=1e-9), name


def test_the_sign_test_is_that_of_scipy() -> None:
    from scipy.stats import binomtest

    for first, second in ((0, 1), (3, 3), (12, 4), (0, 30)):
        assert sign_test(first, second) == pytest.approx(binomtest(first, first + second).pvalue)
    assert sign_test(0, 0) is None


def test_preferences_are_held_against_absolute_scores() -> None:
    found = preference_report(drawn({"a": 3.0, "b": 0.0, "c": -3.0}, 100, scored=True), replicates=20)
    check = found.cross_check
    assert check is not None and check.agree is not None and check.agree > 0.9
    assert check.n == 300 and check.tau_b is not None and check.tau_b.value == 1
    assert preference_report(drawn({"a": 1.0, "b": 0.0}, 30), replicates=2).cross_check is None


def test_a_system_without_a_loss_has_a_win_rate_and_a_reason_instead_of_an_ability() -> None:
    always = [Comparison(f"p{i}", "r", "a", "b", Outcome.FIRST) for i in range(10)]
    found = preference_report(always, replicates=20)
    assert found.systems[0].win_rate == 1 and found.systems[0].ability is None
    assert "no finite ability fits" in found.reason and "b" in found.reason
    json.dumps(found.to_json(), allow_nan=False)


def test_nothing_to_compare_is_a_sentence() -> None:
    assert preference_report([], replicates=2).reason == "Fewer than two systems were compared."
    with pytest.raises(ValueError, match="itself"):
        preference_report([Comparison("p", "r", "a", "a", Outcome.TIE)])


def test_few_prompts_are_warned_of_and_a_seed_gives_the_same_report() -> None:
    rows = drawn({"a": 0.4, "b": 0.0}, 20)
    one, two = (preference_report(rows, replicates=50, seed=5) for _ in range(2))
    assert one == two and one.warnings[0].startswith("20 prompts, fewer than 60")


def test_ranks_overlap_where_differences_hold_zero() -> None:
    ability = np.array([[2.0, 0.1, -0.1], [2.0, -0.1, 0.1], [2.1, 0.2, -0.2], [1.9, -0.2, 0.2]])
    assert rank_ranges(ability) == ((1, 1), (2, 3), (2, 3))
