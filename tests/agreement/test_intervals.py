"""Intervals by dialogue: which method when, what is counted, and how often they hold the truth."""

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy.stats import t as student

from alps_tui.agreement import intervals, many_raters, two_raters
from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus, Interval, Method, NoInterval
from alps_tui.agreement.intervals import Floats, Range, class_shares, coefficient, mean_coefficient
from store.kinds import Level


def kappa_of(by_dialogue: Floats, seed: int = 1) -> Coefficient:
    k = by_dialogue.shape[-1]
    both = by_dialogue.sum(axis=(0, 1)) + by_dialogue.sum(axis=(0, 2))
    return coefficient(
        "cohen_kappa",
        by_dialogue,
        two_raters.kappa(two_raters.identity_weights(k)),
        n=int(by_dialogue.sum()),
        shares=class_shares(both, tuple("abcdefg"[:k])),
        seed=seed,
    )


def random_tables(n: int, k: int = 2, seed: int = 3) -> Floats:
    generator = np.random.default_rng(seed)
    return generator.multinomial(4, np.full(k * k, 1 / (k * k)), size=n).reshape(n, k, k).astype(float)


def test_under_60_dialogues_the_jackknife_makes_the_interval_and_above_the_bootstrap() -> None:
    few, many = kappa_of(random_tables(59)).interval, kappa_of(random_tables(60)).interval
    assert isinstance(few, Interval) and isinstance(many, Interval)
    assert (few.method, few.why) == (Method.JACKKNIFE_Z, "59 dialogues, fewer than 60")
    assert (many.method, many.replicates, many.seed) == (Method.BOOTSTRAP, 2_000, 1)


def test_a_class_under_15_percent_keeps_the_jackknife_for_any_number_of_dialogues() -> None:
    rare = random_tables(200) * np.array([[20, 1], [1, 1]])
    found = kappa_of(rare).interval
    assert isinstance(found, Interval)
    assert found.method is Method.JACKKNIFE_Z
    assert found.why.startswith('"b" is ') and "under 15 %" in found.why


def test_the_jackknife_is_the_one_of_the_textbook() -> None:
    parts = random_tables(20)
    left_out = [kappa_of(np.delete(parts, i, axis=0)).value for i in range(20)]
    z = np.arctanh(np.array(left_out, dtype=float))
    error = np.sqrt(19 / 20 * np.sum((z - z.mean()) ** 2))
    whole = kappa_of(parts)
    assert whole.value is not None and isinstance(whole.interval, Interval)
    reach = student.ppf(0.975, 19) * error
    expected = np.tanh([np.arctanh(whole.value) - reach, np.arctanh(whole.value) + reach])
    assert [whole.interval.low, whole.interval.high] == pytest.approx(expected)


def test_the_bootstrap_is_that_of_drawing_dialogues_and_asking_the_package_again() -> None:
    generator = np.random.default_rng(8)
    truth = generator.integers(1, 6, size=160)
    data = np.where(generator.random((3, 160)) < 0.6, truth, generator.integers(1, 6, size=(3, 160))).astype(
        float
    )
    data[generator.random((3, 160)) < 0.2] = np.nan
    dialogue = np.repeat(np.arange(80), 2).astype(np.intp)
    scale = [1, 2, 3, 4, 5]
    counts = np.stack([(data == value).sum(axis=0) for value in scale], axis=1).astype(float)
    over = many_raters.Over(tuple(map(float, scale)), tuple("12345"), 80, 3, seed=5)
    ours = many_raters.krippendorff_alpha(counts, dialogue, over, Level.ORDINAL)
    slow = []
    for _ in range(500):
        drawn = generator.integers(0, 80, size=80)
        columns = np.concatenate([[2 * d, 2 * d + 1] for d in drawn])
        slow.append(krippendorff.alpha(reliability_data=data[:, columns], level_of_measurement="ordinal"))
    assert isinstance(ours.interval, Interval) and ours.interval.method is Method.BOOTSTRAP
    assert [ours.interval.low, ours.interval.high] == pytest.approx(
        np.percentile(slow, [2.5, 97.5]), abs=0.02
    )


def test_a_few_kinds_of_dialogues_are_drawn_as_often_as_all_of_them_one_by_one() -> None:
    kinds = random_tables(5, seed=9)
    parts = kinds[np.repeat(np.arange(5), [30, 10, 50, 20, 10])]
    generator = np.random.default_rng(2)
    drawn = parts[generator.integers(0, 120, size=(4_000, 120))].sum(axis=1)
    slow = two_raters.kappa(two_raters.identity_weights(2))(drawn).value()
    found = kappa_of(parts).interval
    assert isinstance(found, Interval) and found.method is Method.BOOTSTRAP
    assert [found.low, found.high] == pytest.approx(np.percentile(slow, [2.5, 97.5]), abs=0.01)


def test_a_pair_without_a_kappa_has_no_weight_in_the_mean_of_pairs() -> None:
    defined, constant = np.array([[4.0, 1.0], [2.0, 5.0]]), np.array([[9.0, 0.0], [0.0, 0.0]])
    pooled = two_raters.pooled_kappa(two_raters.identity_weights(2))(np.stack([defined, constant])[None])
    assert pooled.value()[0] == pytest.approx(kappa_of(defined[None]).value)


def test_replicates_without_a_value_are_counted_and_said() -> None:
    parts = np.zeros((60, 2, 2))
    parts[:, 0, 0] = 3
    parts[0, 1, 1], parts[0, 0, 1] = 2, 1
    found = coefficient("kappa", parts, two_raters.kappa(two_raters.identity_weights(2)), n=int(parts.sum()))
    assert isinstance(found.interval, Interval)
    assert found.interval.replicates == 2_000
    assert 0 < found.interval.undefined < 2_000
    assert f"{found.interval.undefined} of 2000 replicates have no value" in found.interval.why


def test_perfect_agreement_has_an_upper_limit_of_disagreement_and_not_the_interval_1_to_1() -> None:
    parts = np.zeros((30, 2, 2))
    parts[:, 0, 0], parts[:, 1, 1] = 1, 1
    found = kappa_of(parts)
    assert found.value == 1.0 and isinstance(found.interval, Interval)
    assert found.interval.method is Method.RULE_OF_THREE
    assert found.interval.disagreement_upper == pytest.approx(3 / 30)
    assert (found.interval.low, found.interval.high) == (pytest.approx(1 - 0.1 / 0.5), 1.0)


def test_0_of_n_has_an_upper_limit_too() -> None:
    parts = np.zeros((12, 2, 2))
    parts[:, 0, 1], parts[:, 0, 0] = 1, 2
    shared = two_raters.specific_parts(parts, 1)
    found = coefficient("delete", shared, two_raters.specific, n=36, within=Range.SHARE)
    assert found.value == 0.0 and isinstance(found.interval, Interval)
    assert found.interval.agreement_upper == pytest.approx(0.25)
    assert (found.interval.low, found.interval.high) == (0.0, pytest.approx(0.4))


def test_what_cannot_be_known_about_an_interval_is_said() -> None:
    one = kappa_of(np.array([[[5.0, 2.0], [1.0, 4.0]]]))
    same = kappa_of(np.array([[[5.0, 2.0], [1.0, 4.0]]] * 7))
    fragile = kappa_of(np.array([[[5.0, 0.0], [0.0, 0.0]], [[5.0, 2.0], [1.0, 4.0]]]))
    for found, sentence in ((one, "one dialogue"), (same, "whichever dialogue"), (fragile, "Without one")):
        assert found.value is not None
        assert isinstance(found.interval, NoInterval) and sentence in found.interval.reason


def test_undefined_is_a_value_with_a_reason_and_never_a_number() -> None:
    constant = np.zeros((4, 2, 2))
    constant[:, 0, 0] = 5
    found = {
        CoefficientStatus.NO_VARIATION: kappa_of(constant),
        CoefficientStatus.NO_PAIRABLE_UNITS: kappa_of(np.zeros((4, 2, 2))),
    }
    for status, coefficient_ in found.items():
        shown = coefficient_.to_json()
        assert (coefficient_.value, coefficient_.status) == (None, status)
        assert shown["value"] is None and shown["status"] == str(status) and shown["reason"].endswith(".")


@pytest.mark.parametrize("level", list(Level))
def test_alpha_of_one_rater_of_no_overlap_and_of_no_variation_is_undefined(level: Level) -> None:
    over = many_raters.Over((1.0, 2.0, 3.0), ("1", "2", "3"), 3, 2)
    clusters = np.arange(3, dtype=np.intp)
    constant = np.array([[0, 2, 0], [0, 2, 0], [1, 0, 0]], dtype=float)
    apart = np.array([[1, 0, 0], [0, 1, 0], [0, 0, 1]], dtype=float)
    alone = many_raters.Over(over.scores, over.labels, 3, 1)
    statuses = [
        many_raters.krippendorff_alpha(constant, clusters, over, level).status,
        many_raters.krippendorff_alpha(apart, clusters, over, level).status,
        many_raters.krippendorff_alpha(apart, clusters, alone, level).status,
    ]
    assert statuses == [
        CoefficientStatus.NO_VARIATION,
        CoefficientStatus.NO_PAIRABLE_UNITS,
        CoefficientStatus.NEED_2_RATERS,
    ]


def test_ac1_stays_defined_where_everybody_says_the_same() -> None:
    over = many_raters.Over((1.0, 2.0), ("keep", "delete"), 3, 2)
    counts = np.array([[2, 0], [2, 0], [2, 0]], dtype=float)
    found = many_raters.gwet_ac(counts, np.arange(3, dtype=np.intp), over, two_raters.identity_weights(2))
    assert found.value == 1.0
    assert isinstance(found.interval, Interval) and found.interval.method is Method.RULE_OF_THREE


def test_counts_that_are_no_counts_are_refused() -> None:
    with pytest.raises(ValueError, match="negative"):
        many_raters.pairable(np.array([[1.0, -1.0]]))
    with pytest.raises(ValueError, match="units x classes"):
        many_raters.pairable(np.array([1.0, 2.0]))
    with pytest.raises(ValueError, match="outside"):
        two_raters.tables(np.array([2]), np.array([0]), np.array([0]), 2, 1)


@given(st.integers(2, 90), st.integers(0, 10**6))
@settings(max_examples=25, deadline=None)
def test_neither_order_nor_names_of_dialogues_change_a_coefficient_or_its_interval(n: int, seed: int) -> None:
    generator = np.random.default_rng(seed)
    parts = generator.integers(0, 4, size=(n, 3, 3)).astype(float)
    shuffled = parts[generator.permutation(n)]
    assert kappa_of(parts) == kappa_of(shuffled)


def test_a_mean_difference_has_a_t_interval_by_dialogue() -> None:
    sums, counts = np.array([2.0, 0.0, 4.0, 1.0]), np.array([2.0, 2.0, 2.0, 2.0])
    found = mean_coefficient("bias", sums, counts)
    means = sums / counts
    reach = student.ppf(0.975, 3) * means.std(ddof=1) / 2
    assert found.value == pytest.approx(means.mean())
    assert isinstance(found.interval, Interval) and found.interval.method is Method.JACKKNIFE_T
    assert [found.interval.low, found.interval.high] == pytest.approx(
        [means.mean() - reach, means.mean() + reach]
    )


def dialogue_study(
    generator: np.random.Generator, dialogues: int, shares: list[float], raters: int
) -> tuple[np.ndarray, np.ndarray]:
    """Ratings (units, raters) of dialogues that differ in their classes and in how hard they are, and clusters."""
    k = len(shares)
    cluster = np.repeat(np.arange(dialogues), generator.integers(1, 5, size=dialogues)).astype(np.intp)
    tilt = np.exp(np.log(shares) + generator.normal(0, 0.7, size=(dialogues, k)))
    edges = (tilt / tilt.sum(axis=1, keepdims=True)).cumsum(axis=1)[cluster]
    truth = (edges < generator.random((len(cluster), 1))).sum(axis=1)
    hard = generator.beta(1.2, 2.8, size=dialogues)[cluster][:, None]
    wrong = generator.random((len(cluster), raters)) < hard
    return np.where(wrong, generator.integers(0, k, size=wrong.shape), truth[:, None]), cluster


def alpha_and_kappa(ratings: np.ndarray, cluster: np.ndarray, k: int, level: Level) -> list[Coefficient]:
    units, raters = np.nonzero(ratings >= 0)
    counts = many_raters.counts_of(units, ratings[units, raters], len(ratings), k)
    n = int(cluster.max()) + 1
    over = many_raters.Over(tuple(map(float, range(k))), tuple("abcde"[:k]), n, ratings.shape[1])
    table = two_raters.tables(ratings[:, 0], ratings[:, 1], cluster, k, n)
    return [many_raters.krippendorff_alpha(counts, cluster, over, level), kappa_of(table)]


@pytest.mark.slow
@pytest.mark.parametrize(
    ("dialogues", "shares", "raters", "level"),
    [
        (25, [0.6, 0.25, 0.15], 2, Level.NOMINAL),
        (57, [0.75, 0.18, 0.07], 2, Level.NOMINAL),
        (50, [0.2] * 5, 3, Level.ORDINAL),
        (150, [0.5, 0.3, 0.2], 2, Level.NOMINAL),
        (200, [0.2] * 5, 3, Level.ORDINAL),
    ],
)
def test_95_percent_intervals_hold_the_truth_about_95_times_in_100(
    dialogues: int, shares: list[float], raters: int, level: Level
) -> None:
    generator = np.random.default_rng(17)
    k, replications = len(shares), 400
    truth = [c.value for c in alpha_and_kappa(*dialogue_study(generator, 60_000, shares, raters), k, level)]
    hits = np.zeros(2)
    for _ in range(replications):
        found = alpha_and_kappa(*dialogue_study(generator, dialogues, shares, raters), k, level)
        for index, (value, own) in enumerate(zip(truth, found, strict=True)):
            assert value is not None and isinstance(own.interval, Interval)
            hits[index] += own.interval.low <= value <= own.interval.high
    coverage = hits / replications
    print(f"coverage of alpha and kappa, {dialogues} dialogues, {level}: {coverage}")
    assert np.all(coverage >= 0.92) and np.all(coverage <= 0.985)


def test_an_interval_around_a_value_below_the_range_is_not_cut_off_it() -> None:
    groups = intervals.grouped(np.arange(12.0).reshape(6, 2))
    left_out = np.array([-1.03, -1.01, -1.02, -1.04, -0.99, -1.03])
    why, way = "few dialogues", intervals.Method.JACKKNIFE_Z
    made = intervals._spread(-1.02, left_out, groups, way, why, intervals.Range.SIGNED)
    assert isinstance(made, intervals.Interval) and made.low < -1.02 < made.high
    assert made.method is intervals.Method.JACKKNIFE_T
