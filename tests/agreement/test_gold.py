"""Gold says where it comes from, leaves open what nothing decided, and never changes what was answered."""

import pytest
from panels import panel, planted

from alps_tui.agreement.annotator_models import Model
from alps_tui.agreement.competence import competence
from alps_tui.agreement.gold import (
    Decided,
    Rule,
    adjudicated_gold,
    distributions,
    majority_gold,
    summary,
    weighted_gold,
)
from store.kinds import Level

THREE = [[0, 0, 0], [0, 0, 1], [0, 1, -1], [1, -1, -1], [-1, -1, -1]]


def test_majority_decides_and_a_tie_a_single_answer_and_silence_do_not() -> None:
    found = majority_gold(panel(THREE, ("keep", "drop")))
    assert [(one.label, one.decided) for one in found] == [
        ("keep", Decided.UNANIMOUS),
        ("keep", Decided.MAJORITY),
        (None, Decided.TIE),
        (None, Decided.SINGLE),
        (None, Decided.NOBODY),
    ]
    assert summary(found) == {
        "unanimous": 1,
        "majority": 1,
        "single answer": 1,
        "tie": 1,
        "nobody answered": 1,
    }


def test_gold_names_who_said_what_and_with_which_support() -> None:
    one = majority_gold(panel(THREE, ("keep", "drop")))[1].to_json()
    assert one["said"] == {"h0": "keep", "h1": "keep", "h2": "drop"}
    assert one["distribution"] == pytest.approx({"keep": 2 / 3, "drop": 1 / 3})
    assert (one["gold"], one["rule"], one["decided_by"]) == ("keep", "majority", "majority")
    assert one["support"] == pytest.approx(2 / 3)


def test_weighted_gold_follows_one_able_rater_against_two_who_guess() -> None:
    answers, truth = planted((0.97, 0.55, 0.55, 0.9), 400)
    found = weighted_gold(answers, competence(answers, Model.ONE_COIN, replicates=2))
    right = [one.label == "ab"[t] for one, t in zip(found, truth, strict=True)]
    votes = [one.label == "ab"[t] for one, t in zip(majority_gold(answers), truth, strict=True)]
    assert sum(right) > sum(votes)
    assert {one.decided for one in found} == {Decided.MODEL}
    assert all(one.support is not None and one.support >= 0.5 for one in found)


def test_weighted_gold_of_a_refused_model_is_refused_with_its_reason() -> None:
    answers, _ = planted((0.9, 0.9), 50)
    with pytest.raises(ValueError, match="three raters"):
        weighted_gold(answers, competence(answers, Model.DAWID_SKENE))


def test_an_adjudicator_stands_over_a_tie_and_the_blind_answers_stay() -> None:
    blind = panel([[0, 1], [0, 0], [0, 1]], ("keep", "drop"))
    judge = panel([[1, -1], [1, -1], [0, 1]], ("keep", "drop"))
    found = adjudicated_gold(blind, judge)
    assert [(one.label, one.decided) for one in found] == [
        ("drop", Decided.ADJUDICATOR),
        ("drop", Decided.ADJUDICATOR),
        (None, Decided.UNDECIDED),
    ]
    assert found[1].said == {"h0": "keep", "h1": "keep"} and found[1].support == 0
    assert found[0].adjudicated == {"h0": "drop"}


def test_answers_two_steps_apart_on_an_ordered_scale_wait_for_the_adjudicator() -> None:
    nobody = panel([[-1, -1]] * 2, tuple("12345"), Level.ORDINAL)
    blind = panel([[0, 2, 2], [1, 2, 2]], tuple("12345"), Level.ORDINAL)
    assert [one.decided for one in adjudicated_gold(blind, nobody)] == [
        Decided.TOO_FAR_APART,
        Decided.MAJORITY,
    ]
    assert adjudicated_gold(panel([[0, 2, 2]], tuple("123")), nobody)[0].decided is Decided.MAJORITY


def test_a_subjective_field_keeps_its_distribution_and_gets_no_label() -> None:
    found = distributions(panel([[0, 0, 0, 1]], ("like", "dislike")))
    assert (found[0].label, found[0].rule) == (None, Rule.DISTRIBUTION)
    assert found[0].distribution == {"like": 0.75, "dislike": 0.25}
