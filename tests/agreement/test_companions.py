"""Coefficients beside alpha: published values, and the same numbers from other implementations."""

import json
from typing import Any

import numpy as np
import pytest
from paths import STATISTICS

from alps_tui.agreement import association, companions, intraclass, many_raters, set_valued, two_raters
from alps_tui.agreement.coefficient import CoefficientStatus, Interval, Method
from alps_tui.agreement.intervals import Floats, Statistic
from alps_tui.agreement.many_raters import Over
from store.kinds import Level

needs_statistics = pytest.mark.skipif(
    not STATISTICS.is_dir(), reason="the shared statistics are not beside this checkout"
)


def cases(name: str) -> dict[str, Any]:
    return {c["id"]: c for c in json.loads((STATISTICS / f"{name}.json").read_text())["cases"]}


def one(statistic: Statistic, parts: Floats) -> float:
    return float(statistic(parts.sum(axis=0)[None]).value()[0])


def over(k: int, n: int, raters: int = 2) -> Over:
    return Over(tuple(map(float, range(k))), tuple(map(str, range(k))), n, raters)


def pair_counts(table: Any) -> Floats:
    t, k = np.array(table), len(table)
    return np.array(
        [np.eye(k)[i] + np.eye(k)[j] for i in range(k) for j in range(k) for _ in range(int(t[i, j]))]
    )


@needs_statistics
def test_brennan_prediger_is_the_published_value_of_two_and_of_many_raters() -> None:
    found = cases("categorical_agreement")
    for name in ("feinstein_cicchetti_balanced", "feinstein_cicchetti_skewed"):
        counts = pair_counts(found[name]["input"]["table"])
        weights = two_raters.identity_weights(2)
        value = one(companions.brennan_prediger(weights), many_raters.gwet_parts(counts, weights))
        assert value == pytest.approx(found[name]["expected"]["bp"], abs=1e-9)
    randolph = np.array(found["fleiss1971"]["input"]["counts"], dtype=float)
    weights = two_raters.identity_weights(5)
    value = one(companions.brennan_prediger(weights), many_raters.gwet_parts(randolph, weights))
    assert value == pytest.approx(found["fleiss1971"]["expected"]["randolph_free_marginal"], abs=1e-9)
    gwet = found["gwet_raw4raters"]
    ratings = np.array(gwet["input"]["ratings"], dtype=float)
    counts = np.stack([(ratings == c).sum(axis=0) for c in gwet["input"]["categories"]], axis=1).astype(float)
    value = one(companions.brennan_prediger(weights), many_raters.gwet_parts(counts, weights))
    assert value == pytest.approx(gwet["expected"]["BP"], abs=1e-9)
    quadratic = two_raters.quadratic_weights(gwet["input"]["categories"])
    value = one(companions.brennan_prediger(quadratic), many_raters.gwet_parts(counts, quadratic))
    assert value == pytest.approx(0.90152, abs=5e-6)


@needs_statistics
def test_fleiss_says_how_large_the_balanced_part_is() -> None:
    counts = np.array(cases("categorical_agreement")["fleiss1971"]["input"]["counts"], dtype=float)
    odd = np.zeros((3, 5))
    odd[:, 0] = [1, 2, 2]
    together = np.concatenate([counts, odd])
    found = companions.fleiss_balanced(
        together, np.arange(33), over(5, 33, 6), two_raters.identity_weights(5)
    )
    assert round(found.value or 0, 3) == 0.430
    assert (found.n, found.left_out, found.note) == (30, 3, "the 30 units with 6 ratings each")


def test_scotts_pi_is_fleiss_of_two_raters_and_takes_no_third() -> None:
    counts = pair_counts([[1, 2], [3, 4]])
    found = companions.scott_pi(counts, np.arange(10), over(2, 10), two_raters.identity_weights(2))
    p = (1 * 2 + 2 + 3) / 20
    chance = p**2 + (1 - p) ** 2
    assert found.value == pytest.approx((0.5 - chance) / (1 - chance))
    with pytest.raises(ValueError, match="two raters"):
        companions.scott_pi(counts + 1, np.arange(10), over(2, 10), two_raters.identity_weights(2))


def test_raw_and_specific_agreement_of_two_raters_are_those_of_their_table() -> None:
    counts = pair_counts([[80, 10], [5, 5]])
    clusters = np.arange(100)
    assert companions.raw_agreement(counts, clusters, over(2, 100)).value == pytest.approx(0.85)
    values = [companions.specific_agreement(counts, clusters, over(2, 100), i).value for i in (0, 1)]
    assert values == pytest.approx([160 / 175, 10 / 25])
    never = companions.specific_agreement(np.array([[2.0, 0, 0]] * 4), np.arange(4), over(3, 4), 2)
    assert never.status is CoefficientStatus.CLASS_NEVER_USED


@needs_statistics
def test_every_icc_is_shrout_and_fleiss_of_1979() -> None:
    case = cases("icc")["shrout_fleiss_1979"]
    ratings = np.array(case["input"]["ratings"], dtype=float)
    found = intraclass.intraclass(ratings, np.arange(6), 6)
    expected = case["expected"]
    keys = ("ICC1", "ICC2", "ICC3", "ICC1k", "ICC2k", "ICC3k")
    assert [c.value for c in found.each] == pytest.approx([expected[k] for k in keys], abs=1e-9)
    assert [c.name for c in found.each] == ["icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k"]
    interval = found.each[1].interval
    assert isinstance(interval, Interval) and interval.low < 0.29 < interval.high


def test_an_icc_is_of_complete_cases_and_says_how_many() -> None:
    values = np.array([[1, 2.0], [3, 3], [5, 4], [np.nan, 2], [4, np.nan]])
    found = intraclass.intraclass(values, np.arange(5), 5)
    assert (found.n, found.left_out, found.k) == (3, 2, 2)
    few = intraclass.intraclass(values[2:4], np.arange(2), 2).each[0]
    assert few.status is CoefficientStatus.TOO_FEW_PAIRS and "1 units" in few.reason
    flat = intraclass.intraclass(np.full((4, 3), 0.1), np.arange(4), 4).each
    assert {c.status for c in flat} == {CoefficientStatus.NO_VARIATION}
    alone = intraclass.intraclass(values[:, :1], np.arange(5), 5).each[0]
    assert alone.status is CoefficientStatus.NEED_2_RATERS


def test_icc_two_one_is_that_of_the_variance_components_of_statsmodels() -> None:
    anova = pytest.importorskip("statsmodels.stats.anova", reason="development oracle")
    ols = pytest.importorskip("statsmodels.formula.api", reason="development oracle").ols
    frame_of = pytest.importorskip("pandas", reason="development oracle").DataFrame
    generator = np.random.default_rng(5)
    data = generator.normal(size=(12, 1)) + generator.normal(size=(1, 4)) + generator.normal(size=(12, 4))
    n, k = data.shape
    rows = [(u, r, data[u, r]) for u in range(n) for r in range(k)]
    table = anova.anova_lm(ols("y ~ C(u) + C(r)", frame_of(rows, columns=["u", "r", "y"])).fit())
    b, j, e = (table["sum_sq"] / table["df"]).tolist()
    w = (table["sum_sq"].iloc[1] + table["sum_sq"].iloc[2]) / (table["df"].iloc[1] + table["df"].iloc[2])
    found = [c.value for c in intraclass.intraclass(data, np.arange(n), n).each]
    expected = [
        (b - w) / (b + (k - 1) * w),
        (b - e) / (b + (k - 1) * e + k * (j - e) / n),
        (b - e) / (b + (k - 1) * e),
        (b - w) / b,
        (b - e) / (b + (j - e) / n),
        (b - e) / b,
    ]
    assert found == pytest.approx(expected, abs=1e-9)


@needs_statistics
def test_masi_and_alpha_over_sets_are_the_published_values() -> None:
    found = cases("set_agreement")
    for pair, wanted in zip(found["masi"]["input"], found["masi"]["expected"], strict=True):
        assert set_valued.masi_distance(frozenset(pair[0]), frozenset(pair[1])) == pytest.approx(wanted)
    units = [[frozenset(s) for s in unit] for unit in found["set_alpha_masi"]["input"]["units"]]
    sets = sorted({s for unit in units for s in unit}, key=sorted)
    counts = np.array([[unit.count(s) for s in sets] for unit in units], dtype=float)
    alpha = set_valued.alpha_masi(counts, np.arange(4), over(len(sets), 4), sets)
    assert alpha.value == pytest.approx(found["set_alpha_masi"]["expected"], abs=1e-9)
    option = set_valued.option_agreement(counts, np.arange(4), over(len(sets), 4), sets, "x", "x")
    assert option.value == pytest.approx(2 / 4)
    same = set_valued.alpha_masi(np.array([[2.0]] * 3), np.arange(3), over(1, 3), [frozenset("a")])
    assert same.status is CoefficientStatus.NO_VARIATION


def test_correlations_of_tables_are_scipys() -> None:
    stats = pytest.importorskip("scipy.stats")
    generator = np.random.default_rng(8)
    x = generator.integers(0, 5, size=80)
    y = np.clip(x + generator.integers(-1, 2, size=80), 0, 4)
    found = association.associations(x, y, np.arange(80), 80, (1, 2, 3, 4, 5), numbers=True)
    expected = [stats.pearsonr(x, y)[0], stats.spearmanr(x, y)[0], stats.kendalltau(x, y)[0]]
    assert [c.value for c in found] == pytest.approx(expected, abs=1e-12)
    assert all(isinstance(c.interval, Interval) for c in found)
    flat = association.associations(x, x * 0, np.arange(80), 80, (1, 2, 3, 4, 5), numbers=False)
    assert {c.status for c in flat} == {CoefficientStatus.NO_VARIATION}


def test_limits_of_agreement_are_bland_and_altmans() -> None:
    found = association.bland_altman(np.array([1.0, 2, 3, 4]), np.array([2.0, 2, 5, 5]))
    assert found is not None and found.bias == 1.0
    sd = np.std([1, 0, 2, 1], ddof=1)
    assert (found.low, found.high) == pytest.approx((1 - 1.96 * sd, 1 + 1.96 * sd))
    assert association.bland_altman(np.zeros(0), np.zeros(0)) is None


def test_kappa_and_its_weights_are_scikit_learns() -> None:
    metrics = pytest.importorskip("sklearn.metrics", reason="development oracle")
    generator = np.random.default_rng(11)
    for _ in range(50):
        k = int(generator.integers(2, 7))
        a = generator.integers(0, k, size=40)
        b = np.where(generator.random(40) < 0.5, a, generator.integers(0, k, size=40))
        table = two_raters.tables(a, b, np.zeros(40, dtype=np.intp), k, 1)
        ranks = list(range(k))
        for weights, made in (
            (None, two_raters.identity_weights(k)),
            ("linear", two_raters.linear_weights(ranks)),
            ("quadratic", two_raters.quadratic_weights(ranks)),
        ):
            expected = metrics.cohen_kappa_score(a, b, labels=ranks, weights=weights)
            assert one(two_raters.kappa(made), table) == pytest.approx(expected, abs=1e-9)


def test_where_every_unit_is_its_own_dialogue_the_bootstrap_is_by_item_and_says_where_replicates_lie() -> (
    None
):
    generator = np.random.default_rng(3)
    truth = generator.integers(0, 3, size=120)
    noisy = np.where(generator.random(120) < 0.7, truth, generator.integers(0, 3, size=120))
    counts = np.eye(3)[truth] + np.eye(3)[noisy]
    labels = Over((1.0, 2.0, 3.0), ("a", "b", "c"), 120, 2)
    by_item = many_raters.krippendorff_alpha(counts, np.arange(120), labels, Level.NOMINAL)
    by_dialogue = many_raters.krippendorff_alpha(counts, np.arange(120) // 2, labels, Level.NOMINAL)
    few = many_raters.krippendorff_alpha(counts[:20], np.arange(20), labels, Level.NOMINAL)
    assert isinstance(by_item.interval, Interval) and isinstance(by_dialogue.interval, Interval)
    assert by_item.interval.method is Method.ITEM_BOOTSTRAP
    assert by_dialogue.interval.method is Method.BOOTSTRAP
    shares = by_item.interval.below
    assert (
        shares is not None and list(shares) == ["0.667", "0.8"] and 0 < shares["0.667"] <= shares["0.8"] <= 1
    )
    assert isinstance(few.interval, Interval) and few.interval.below is None
    assert "no replicates" in few.to_json()["interval"]["no_share_of_replicates"]
