"""Coefficients against examples whose answers are in print."""

import json
from typing import Any

import numpy as np
import pytest
from paths import STATISTICS

from alps_tui.agreement import many_raters, two_raters
from alps_tui.agreement.intervals import Floats, Statistic
from store.kinds import Level

needs_statistics = pytest.mark.skipif(
    not STATISTICS.is_dir(), reason="the shared statistics are not beside this checkout"
)

KRIPPENDORFF_2011 = [
    [1, 2, 3, 3, 2, 1, 4, 1, 2, None, None, None],
    [1, 2, 3, 3, 2, 2, 4, 1, 2, 5, None, 3],
    [None, 3, 3, 3, 2, 3, 4, 2, 2, 5, 1, None],
    [1, 2, 3, 3, 2, 4, 4, 1, 2, 5, 1, None],
]


def counts_of_ratings(ratings: list[list[Any]], scale: list[float]) -> Floats:
    columns = np.array(ratings, dtype=float)
    return np.stack([(columns == value).sum(axis=0) for value in scale], axis=1).astype(float)


def one(statistic: Statistic, parts: Floats) -> float:
    return float(statistic(parts.sum(axis=0)[None]).value()[0])


def alpha_of(ratings: list[list[Any]], scale: list[float], level: Level) -> float:
    counts = counts_of_ratings(ratings, scale)
    counts = counts[many_raters.pairable(counts)]
    return one(
        many_raters.alpha(level, scale),
        many_raters.alpha_parts(counts, level, scale),
    )


def gwet_family(counts: Floats, weights: Floats) -> tuple[float, float]:
    parts = many_raters.gwet_parts(counts, weights)
    return one(many_raters.gwet(weights), parts), one(many_raters.fleiss(weights), parts)


def kappa_of(table: Any, weights: Any = None) -> float:
    t = np.array(table, dtype=float)
    v = two_raters.identity_weights(len(t)) if weights is None else np.array(weights, dtype=float)
    return one(two_raters.kappa(v), t[None])


@pytest.mark.parametrize(
    ("level", "published"),
    [(Level.NOMINAL, 0.743), (Level.ORDINAL, 0.815), (Level.INTERVAL, 0.849), (Level.RATIO, 0.797)],
)
def test_alpha_is_krippendorffs_published_value_at_every_level(level: Level, published: float) -> None:
    assert round(alpha_of(KRIPPENDORFF_2011, [1, 2, 3, 4, 5], level), 3) == published


def test_kappa_and_weighted_kappa_are_cohens_of_1968() -> None:
    table = [[0.44, 0.07, 0.09], [0.05, 0.20, 0.05], [0.01, 0.03, 0.06]]
    assert round(kappa_of(table), 3) == 0.492
    assert round(kappa_of(table, [[0, 1, 3], [1, 0, 6], [3, 6, 0]]), 3) == 0.348


@pytest.mark.parametrize(
    ("table", "kappa", "ac1"), [([[40, 9], [6, 45]], 0.70, 0.70), ([[80, 10], [5, 5]], 0.32, 0.81)]
)
def test_the_prevalence_paradox_of_feinstein_and_cicchetti_shows(
    table: list[list[int]], kappa: float, ac1: float
) -> None:
    t = np.array(table, dtype=float)
    assert one(two_raters.percent(2), t[None]) == pytest.approx(0.85)
    assert round(kappa_of(table), 2) == kappa
    assert round(gwet_family(unit_counts(t), two_raters.identity_weights(2))[0], 2) == ac1


def unit_counts(table: Floats) -> Floats:
    """One row of counts for each pair of a contingency table."""
    k = len(table)
    rows = [np.eye(k)[i] + np.eye(k)[j] for i in range(k) for j in range(k) for _ in range(int(table[i, j]))]
    return np.array(rows)


def test_ac1_and_fleiss_kappa_are_gwets_for_four_raters_with_missing_cells() -> None:
    counts = counts_of_ratings(KRIPPENDORFF_2011, [1, 2, 3, 4, 5])
    ac1, fleiss = gwet_family(counts, two_raters.identity_weights(5))
    assert ac1 == pytest.approx(0.77544, abs=5e-6)
    assert fleiss == pytest.approx(0.76117, abs=5e-6)
    assert gwet_family(counts, two_raters.quadratic_weights([1, 2, 3, 4, 5]))[0] == pytest.approx(
        0.91400, abs=5e-6
    )


def test_a_scale_keeps_the_distance_of_classes_that_nobody_used() -> None:
    first, second = np.array([0, 1, 4, 4, 0]), np.array([0, 4, 4, 1, 0])
    table = two_raters.tables(first, second, np.zeros(5, dtype=np.intp), 5, 1)
    value = one(two_raters.kappa(two_raters.linear_weights([1, 2, 3, 4, 5])), table)
    assert value == pytest.approx(0.375)


def test_specific_agreement_is_twice_the_joint_uses_over_all_uses() -> None:
    table = np.array([[[80.0, 10.0], [5.0, 5.0]]])
    value = [one(two_raters.specific, two_raters.specific_parts(table, index)) for index in (0, 1)]
    assert value == pytest.approx([160 / 175, 10 / 25])


@needs_statistics
def test_every_alpha_of_the_published_examples_is_reproduced() -> None:
    cases = json.loads((STATISTICS / "krippendorff.json").read_text())["cases"]
    for case in cases:
        ratings, level = case["input"]["ratings"], Level(case["input"]["level"])
        scale = sorted({value for row in ratings for value in row if value is not None})
        found = alpha_of(ratings, scale, level)
        assert found == pytest.approx(case["expected"]["alpha"], abs=case["tolerance"]), case["id"]
        assert round(found, 3) == case["expected"]["published"], case["id"]
    assert len(cases) == 8


@needs_statistics
def test_every_categorical_coefficient_of_the_published_examples_is_reproduced() -> None:
    cases = {c["id"]: c for c in json.loads((STATISTICS / "categorical_agreement.json").read_text())["cases"]}
    cohen = cases["cohen1968"]
    assert kappa_of(cohen["input"]["table"]) == pytest.approx(cohen["expected"]["kappa"], abs=1e-9)
    assert kappa_of(cohen["input"]["table"], cohen["input"]["disagreement_weights"]) == pytest.approx(
        cohen["expected"]["weighted_kappa"], abs=1e-9
    )
    for name in ("feinstein_cicchetti_balanced", "feinstein_cicchetti_skewed"):
        table = np.array(cases[name]["input"]["table"], dtype=float)
        assert kappa_of(table) == pytest.approx(cases[name]["expected"]["kappa"], abs=1e-9)
        ac1, _ = gwet_family(unit_counts(table), two_raters.identity_weights(2))
        assert ac1 == pytest.approx(cases[name]["expected"]["ac1"], abs=1e-9)
    for name in ("fleiss1971", "fleiss_wikipedia"):
        counts = np.array(cases[name]["input"]["counts"], dtype=float)
        _, fleiss = gwet_family(counts, two_raters.identity_weights(counts.shape[1]))
        assert fleiss == pytest.approx(cases[name]["expected"]["kappa"], abs=1e-9)


@needs_statistics
def test_the_published_keep_drop_tables_give_the_published_kappa_alpha_and_ac1() -> None:
    cases = {c["id"]: c for c in json.loads((STATISTICS / "set_agreement.json").read_text())["cases"]}
    case = cases["memory_keep_drop_alpsbench_1000"]
    for name, table in case["input"]["tables"].items():
        t, expected = np.array(table, dtype=float), case["expected"][name]
        counts = unit_counts(t)
        parts = many_raters.alpha_parts(counts, Level.NOMINAL, [0, 1])
        found = {
            "percent": one(two_raters.percent(2), t[None]),
            "kappa": kappa_of(table),
            "alpha": one(many_raters.alpha(Level.NOMINAL, [0, 1]), parts),
            "ac1": gwet_family(counts, two_raters.identity_weights(2))[0],
        }
        assert found == pytest.approx(expected, abs=case["tolerance"]), name
