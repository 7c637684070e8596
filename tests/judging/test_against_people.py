"""The numbers of a judge card against a second, plain implementation, and the cases in which there is no number."""

from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from alps_tui.agreement.coefficient import CoefficientStatus, Interval, Method
from alps_tui.judging.against_people import (
    Scores,
    against_each,
    against_mean,
    exact,
    leave_one_out,
    pooled,
    within_one_of_each,
)

SCALE = (1.0, 2.0, 3.0, 4.0, 5.0)


def scores(judge, people, clusters=None, scale=SCALE):
    """From lists of scores with None where there is none; clusters default to one dialogue for each unit."""
    code = {value: index for index, value in enumerate(SCALE)} | {None: -1}
    dialogues = list(range(len(judge))) if clusters is None else clusters
    return Scores(
        judge=np.array([code[x] for x in judge], dtype=np.intp),
        people=np.array([[code[x] for x in row] for row in people], dtype=np.intp),
        clusters=np.array(dialogues, dtype=np.intp),
        n_clusters=max(dialogues) + 1,
        scale=scale,
        labels=tuple("12345"),
    )


def plain_kappa(pairs):
    """Quadratic weighted kappa from its definition, by loops."""
    n = len(pairs)
    observed = sum((a - b) ** 2 for a, b in pairs) / n
    expected = sum((a - b) ** 2 for a, _ in pairs for _, b in pairs) / n**2
    return None if expected == 0 else 1 - observed / expected


def plain_leave_one_out(judge, people, person):
    """(person's score, judge's score, mean of the others) of every unit where all three exist."""
    rows = []
    for mine, row in zip(judge, people, strict=True):
        rest = [x for index, x in enumerate(row) if index != person and x is not None]
        if mine is not None and row[person] is not None and rest:
            rows.append((row[person], mine, sum(rest) / len(rest)))
    return rows


SCORE = st.sampled_from([None, 1, 2, 3, 4, 5])
PANELS = st.integers(1, 12).flatmap(
    lambda units: st.tuples(
        st.lists(SCORE, min_size=units, max_size=units),
        st.integers(1, 4).flatmap(
            lambda m: st.lists(st.lists(SCORE, min_size=m, max_size=m), min_size=units, max_size=units)
        ),
    )
)


@given(PANELS)
def test_bias_error_and_agreement_are_those_of_a_plain_implementation(panel):
    judge, people = panel
    found = scores(judge, people)
    means = [
        (mine, np.mean([x for x in row if x is not None]))
        for mine, row in zip(judge, people, strict=True)
        if mine is not None and any(x is not None for x in row)
    ]
    distance = against_mean(found)
    assert distance.bias.n == len(means)
    if means:
        away = np.array([mine - mean for mine, mean in means])
        assert distance.bias.value == pytest.approx(away.mean())
        assert distance.mae.value == pytest.approx(np.abs(away).mean())
        assert distance.within_one.value == pytest.approx((np.abs(away) <= 1 + 1e-9).mean())
        expected = plain_kappa(means)
        if expected is not None:
            assert distance.concordance.value == pytest.approx(expected)
    for person, kappa in enumerate(against_each(found)):
        pairs = [
            (a, row[person]) for a, row in zip(judge, people, strict=True) if None not in (a, row[person])
        ]
        expected = plain_kappa(pairs) if pairs else None
        assert kappa.n == len(pairs)
        assert kappa.value == (None if expected is None else pytest.approx(expected, abs=1e-9))


@given(PANELS)
def test_judge_and_person_left_out_are_held_against_the_same_references_item_by_item(panel):
    judge, people = panel
    found = leave_one_out(scores(judge, people))
    assert len(found) == (0 if len(people[0]) < 2 else len(people[0]) + 1)
    everyone = []
    for left in found:
        if left.person is None:
            rows = everyone
        else:
            rows = plain_leave_one_out(judge, people, left.person)
            everyone += rows
        assert left.human.mae.n == left.judge.mae.n == left.difference.n == len(rows)
        if rows:
            assert left.human.mae.value == pytest.approx(np.mean([abs(own - rest) for own, _, rest in rows]))
            assert left.judge.mae.value == pytest.approx(
                np.mean([abs(mine - rest) for _, mine, rest in rows])
            )
            assert left.difference.value == pytest.approx(left.judge.mae.value - left.human.mae.value)
            assert left.judge.bias.value == pytest.approx(np.mean([mine - rest for _, mine, rest in rows]))


def test_concordance_with_one_person_is_the_quadratic_kappa_with_that_person():
    generator = np.random.default_rng(7)
    people = generator.integers(1, 6, size=(40, 1))
    judge = np.clip(people[:, 0] + generator.integers(-1, 2, size=40), 1, 5)
    found = scores(judge.tolist(), people.tolist())
    assert against_mean(found).concordance.value == pytest.approx(against_each(found)[0].value)
    assert pooled(found).value == pytest.approx(against_each(found)[0].value)


def test_a_judge_that_is_always_one_too_high_has_bias_one_and_still_every_pair_within_one():
    people = [[1, 1], [2, 2], [3, 3], [4, 4]]
    found = scores([2, 3, 4, 5], people)
    assert against_mean(found).bias.value == 1
    assert within_one_of_each(found).value == 1
    assert exact(found).value == 0


def test_the_interval_is_by_dialogue_and_many_units_of_few_dialogues_do_not_narrow_it():
    generator = np.random.default_rng(3)
    of_dialogue = np.repeat(generator.integers(-1, 2, size=8), 10)
    people = generator.integers(2, 5, size=80)
    judge = (people + of_dialogue).tolist()
    together = against_mean(scores(judge, people[:, None].tolist(), np.repeat(range(8), 10).tolist())).bias
    apart = against_mean(scores(judge, people[:, None].tolist())).bias
    assert isinstance(together.interval, Interval) and isinstance(apart.interval, Interval)
    assert together.interval.n_clusters == 8
    assert together.interval.high - together.interval.low > 2 * (apart.interval.high - apart.interval.low)


def test_perfect_agreement_gets_a_bound_from_its_n_and_not_a_width_of_zero():
    found = exact(scores([1, 2, 3, 4, 5, 1], [[1], [2], [3], [4], [5], [1]]))
    assert isinstance(found.interval, Interval)
    assert found.interval.method is Method.RULE_OF_THREE
    assert found.interval.low < 1


def test_without_variation_kappa_is_undefined_and_the_error_is_still_there():
    found = scores([3, 3, 3], [[3], [3], [3]])
    assert against_each(found)[0].status is CoefficientStatus.NO_VARIATION
    assert against_mean(found).concordance.status is CoefficientStatus.NO_VARIATION
    assert against_mean(found).mae.value == 0


def test_without_a_shared_unit_everything_is_undefined_with_its_reason():
    found = scores([None, 3], [[2, 3], [None, None]])
    for one in (against_mean(found).bias, against_mean(found).mae, pooled(found), exact(found)):
        assert one.value is None and one.reason


def test_a_nominal_field_has_kappa_and_exact_agreement_and_no_distance():
    found = replace(scores([1, 2, 2, 1, 3], [[1], [2], [1], [1], [3]]), scale=None)
    assert against_each(found)[0].name == "cohen_kappa"
    assert exact(found).value == 0.8
    assert against_mean(found).mae.status is CoefficientStatus.NOT_NUMERIC
    assert leave_one_out(found) == ()


def test_a_pair_with_few_shared_units_says_so():
    assert "fewer than 20" in against_each(scores([1, 2], [[1], [3]]))[0].note
