"""Models of annotators against their publications, planted competences, and what they must refuse."""

import json
from dataclasses import replace

import numpy as np
import pytest
from panels import cebab, panel, planted
from paths import STATISTICS

from alps_tui.agreement import annotator_models as models
from alps_tui.agreement.annotator_models import Model, Smoothing
from alps_tui.agreement.coefficient import CoefficientStatus
from alps_tui.agreement.competence import competence
from alps_tui.agreement.leave_one_out import leave_one_out
from store.kinds import Level

needs_statistics = pytest.mark.skipif(
    not STATISTICS.is_dir(), reason="the shared statistics are not beside this checkout"
)


@pytest.fixture(scope="module")
def anaesthetists() -> tuple[models.Votes, dict]:
    case = json.loads((STATISTICS / "dawid_skene.json").read_text())["cases"][0]
    counts = np.zeros((45, 5, 4))
    for patient, observers in enumerate(case["input"]["responses"]):
        for observer, answers in enumerate(observers):
            for answer in answers:
                counts[patient, observer, answer - 1] += 1
    return models.repeated_votes(counts), case["expected"]


@needs_statistics
def test_dawid_and_skenes_45_patients_come_out_as_published(anaesthetists) -> None:
    votes, expected = anaesthetists
    fit = models.dawid_skene(votes)
    assert fit.prior == pytest.approx(expected["class_marginals"], abs=1e-4)
    assert fit.prior.round(2).tolist() == expected["published_marginals"]
    assert fit.log_likelihood == pytest.approx(expected["loglik"], abs=1e-5)
    assert np.allclose(fit.confusion[0], expected["observer1_error_rates"], atol=2e-4)
    assert (fit.of_items(votes).argmax(axis=1) + 1).tolist() == expected["map_labels"]
    for patient, posterior in expected["min_posteriors"].items():
        assert fit.of_items(votes)[int(patient) - 1].max() == pytest.approx(posterior, abs=2e-3)


@needs_statistics
def test_mace_is_within_two_hundredths_of_another_programs_competence(anaesthetists) -> None:
    votes, expected = anaesthetists
    fit = models.mace(votes, seed=1)
    assert fit.competence == pytest.approx(expected["mace_competence_1_minus_spam"], abs=0.02)


@needs_statistics
@pytest.mark.parametrize("model", list(Model))
def test_the_rater_who_answers_at_random_is_the_least_able_by_every_model(model: Model) -> None:
    found = competence(cebab(), model, replicates=20)
    worst = min(found.raters, key=lambda one: one.value)
    others = [one for one in found.raters if one is not worst]
    assert worst.rater == "h1" and worst.value < 0.25
    assert worst.high is not None and worst.high < min(one.low or 0 for one in others)


@needs_statistics
def test_without_h1_alpha_goes_from_679_to_846_and_nobody_else_is_named() -> None:
    found = leave_one_out(cebab(Level.ORDINAL))
    without = {one.rater: one.alpha_without.value for one in found.raters}
    assert found.alpha.value == pytest.approx(0.679, abs=5e-4)
    assert without.pop("h1") == pytest.approx(0.846, abs=5e-4)
    others = [round(value, 3) for value in without.values() if value is not None]
    assert (min(others), max(others)) == (0.642, 0.673)
    assert found.flagged == ("h1",)
    rest = {one.rater: one.with_rest.value for one in found.raters}
    assert rest.pop("h1") == pytest.approx(-0.10, abs=5e-3)
    assert all(value is not None and 0.775 < value < 0.905 for value in rest.values())


def test_planted_competences_are_found_and_their_intervals_hold_them() -> None:
    true = (0.9, 0.8, 0.7, 0.6)
    answers, truth = planted(true, 1_500, (0.6, 0.4))
    for model in (Model.DAWID_SKENE, Model.ONE_COIN):
        found = competence(answers, model, replicates=60)
        assert [one.value for one in found.raters] == pytest.approx(true, abs=0.06), model
        assert found.fit is not None and found.votes is not None
        guess = found.fit.of_items(found.votes).argmax(axis=1)
        majority = (answers.codes.mean(axis=1) > 0.5).astype(int)
        assert (guess == truth).mean() > (majority == truth).mean()


def test_mace_finds_a_spammer_who_always_says_the_same() -> None:
    answers, _ = planted((0.95, 0.9, 0.9), 400, (0.5, 0.5))
    spam = np.zeros((400, 1), dtype=np.intp)
    found = competence(panel(np.hstack([answers.codes, spam]), ("a", "b")), Model.MACE, replicates=10)
    assert found.raters[3].value < 0.1 < 0.6 < min(one.value for one in found.raters[:3])
    assert "best of 10 restarts, seed" in found.assumes[0]


@pytest.mark.parametrize("model", list(Model))
def test_two_raters_an_item_are_refused_with_a_sentence(model: Model) -> None:
    answers, _ = planted((0.9, 0.7), 100)
    found = competence(answers, model)
    assert (found.status, found.fit) == (CoefficientStatus.NOT_IDENTIFIED, None)
    assert "0 of 100 items have three raters or a known gold" in found.reason
    assert found.to_json()["raters"] is None


def test_two_raters_an_item_are_fitted_under_fixed_priors_and_it_is_said() -> None:
    answers, _ = planted((0.9, 0.7), 100)
    found = competence(answers, Model.ONE_COIN, fixed=Smoothing(8, 2), replicates=5)
    assert found.status is CoefficientStatus.OK
    assert found.assumes[-1] == (
        "two raters an item: it rests on fixed priors, +8 on the true class, +2 on each other one"
    )


def test_known_golds_stay_what_they_are_and_identify_two_raters() -> None:
    answers, truth = planted((0.9, 0.6), 300)
    known = np.where(np.arange(300) < 200, truth, -1)
    found = competence(answers, Model.DAWID_SKENE, known=known, replicates=5)
    assert found.status is CoefficientStatus.OK and found.n_known == 200
    assert found.fit is not None and found.votes is not None
    assert (found.fit.of_items(found.votes).argmax(axis=1)[:200] == truth[:200]).all()
    assert [one.value for one in found.raters] == pytest.approx((0.9, 0.6), abs=0.06)


def test_smoothing_is_used_and_said_where_a_rater_has_few_labels() -> None:
    few, _ = planted((0.9, 0.9, 0.9), 30)
    many, _ = planted((0.9, 0.9, 0.9), 60)
    assert competence(few, Model.DAWID_SKENE, replicates=2).assumes == (
        "smoothing +1 on the true class, +0.1 on each other one",
    )
    assert competence(many, Model.DAWID_SKENE, replicates=2).assumes == ("no smoothing",)


def test_the_same_seed_gives_the_same_report() -> None:
    answers, _ = planted((0.9, 0.8, 0.7), 80)
    reports = [competence(answers, Model.MACE, replicates=5, seed=3).to_json() for _ in range(2)]
    assert reports[0] == reports[1]


def test_one_rater_or_one_dialogue_has_no_interval_and_no_crash() -> None:
    assert competence(panel([[0], [1]], ("a", "b")), Model.ONE_COIN).status is CoefficientStatus.NEED_2_RATERS
    found = competence(panel([[0, 0, 1]] * 19, ("a", "b")), Model.ONE_COIN)
    assert found.status is CoefficientStatus.TOO_FEW_ITEMS
    answers, _ = planted((0.9, 0.8, 0.7), 40)
    one = replace(answers, clusters=np.zeros(40, dtype=np.intp))
    assert competence(one, Model.ONE_COIN).raters[0].low is None


def test_a_rater_who_shares_few_units_is_left_without_a_verdict() -> None:
    answers, _ = planted((0.9, 0.9, 0.5), 100)
    answers.codes[19:, 2] = -1
    found = leave_one_out(answers)
    assert not found.raters[2].enough and not found.raters[2].flagged
    assert found.raters[2].with_rest.value is None and found.raters[2].odd_one_out is None


def test_mace_finds_the_share_of_truth_under_answers_that_are_right_by_luck_too() -> None:
    """Right with probability a among k classes evenly: copied with c = (a - 1/k) / (1 - 1/k), else by luck."""
    right = (0.9, 0.8, 0.8, 0.7, 0.6)
    answers, _ = planted(right, 4_000, (0.2,) * 5)
    found = competence(answers, Model.MACE, replicates=2)
    copied = [(a - 0.2) / 0.8 for a in right]
    assert [one.value for one in found.raters] == pytest.approx(copied, abs=0.025)
