"""Agreement on the fields of a form."""

import json
from typing import Any

import krippendorff
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alps_tui.agreement.coefficient import CoefficientStatus, Interval, Method
from alps_tui.agreement.field_reports import FieldAgreement
from alps_tui.agreement.fields import FieldMeta, field_report
from store.kinds import Attested, Level
from store.table import from_rows

FIVE = FieldMeta("preference_alignment", Level.ORDINAL, (1, 2, 3, 4, 5), "Fits?", "na")


def row(dialogue: str, unit: str, rater: str, value: Any, **more: Any) -> dict[str, Any]:
    return {
        "dialogue_id": dialogue,
        "item_id": f"response-rating/{dialogue}",
        "unit_id": f"response-rating/{dialogue}/{unit}",
        "unit_kind": "response",
        "field": "preference_alignment",
        "rater": rater,
        "value": value,
        "status": None if value is not None else "unseen",
        "protocol": "response-rating@1",
    } | more


def scores(data: dict[str, list[Any]], units_per_dialogue: int = 2, **more: Any) -> list[dict[str, Any]]:
    """Rater → one answer per unit, None for none."""
    return [
        row(f"d{i // units_per_dialogue}", f"r{i}", rater, value, **more)
        for rater, values in data.items()
        for i, value in enumerate(values)
        if value is not None
    ]


def one(rows: list[dict[str, Any]], field: FieldMeta = FIVE) -> FieldAgreement:
    (found,) = field_report(from_rows(rows), [field]).fields
    return found


RATINGS: dict[str, list[Any]] = {
    "p1": [1, 2, 3, 4, 5, 5, "na", 2, 4, 1],
    "p2": [1, 3, 3, 4, 4, 5, "na", 2, None, 2],
    "p3": [2, 2, 3, 5, 5, 4, 3, None, 4, 1],
}


def test_alpha_is_taken_over_the_numbers_and_does_not_apply_is_counted_beside_it() -> None:
    found = one(scores(RATINGS))
    numbers = [[np.nan if v in ("na", None) else v for v in values] for values in RATINGS.values()]
    expected = krippendorff.alpha(reliability_data=np.array(numbers), level_of_measurement="ordinal")
    assert found.with_seeded.alpha.value == pytest.approx(expected, abs=1e-12)
    assert isinstance(found.with_seeded.alpha.interval, Interval)
    assert (found.n_units, found.n_ratings) == (10, 28)
    assert (found.with_seeded.n_units, found.with_seeded.n_ratings, found.with_seeded.n_pairable) == (
        10,
        26,
        9,
    )
    assert found.applicability is not None
    assert found.applicability.n_does_not_apply == 2
    assert found.applicability.by_rater == {"p1": 1, "p2": 1, "p3": 0}
    assert found.applicability.specific.value == pytest.approx(2 * 1 / (2 + 2))


def test_each_pair_has_its_quadratic_kappa_and_their_mean_says_its_weights() -> None:
    scale = one(scores(RATINGS)).with_seeded
    assert [(p.first, p.second, p.n, p.few) for p in scale.pairs] == [
        ("p1", "p2", 8, True),
        ("p1", "p3", 8, True),
        ("p2", "p3", 7, True),
    ]
    a, b = np.array([1, 2, 3, 4, 5, 5, 2, 1]), np.array([1, 3, 3, 4, 4, 5, 2, 2])
    expected = 1 - np.mean((a - b) ** 2) / np.mean((a[:, None] - b[None]) ** 2)
    assert scale.pairs[0].kappa.value == pytest.approx(expected)
    assert scale.pairs[0].difference.value == pytest.approx(np.mean(b - a))
    values = [(p.n, p.kappa.value) for p in scale.pairs]
    mean = sum(n * v for n, v in values if v is not None) / 23
    assert scale.mean_kappa.value == pytest.approx(mean)
    assert "weighted by the pairs' numbers of units" in scale.mean_kappa.note


def test_the_scale_is_the_forms_and_never_the_values_that_were_given() -> None:
    found = one(scores({"p1": [1, 2, 2, 1], "p2": [1, 2, 1, 1]}))
    assert found.with_seeded.distribution == {"1": 5, "2": 3, "3": 0, "4": 0, "5": 0}
    assert found.scale == ("1", "2", "3", "4", "5")
    outside = one(
        [*scores({"p1": [1, 2], "p2": [1, 2]}), row("d9", "r9", "p1", 7), row("d9", "r8", "p1", True)]
    )
    assert outside.off_scale == 2 and outside.n_ratings == 4


def test_missing_is_counted_by_status() -> None:
    rows = scores({"p1": [1, 2, 3], "p2": [1, 2, 4]})
    rows += [row("d5", "r5", "p1", None, status="skipped"), row("d5", "r5", "p2", None)]
    rows += [row("d6", "r6", "p2", None, status="cannot_judge")]
    assert one(rows).missing == {"cannot_judge": 1, "skipped": 1, "unseen": 1}


def test_words_in_an_order_are_ordinal_by_their_places_in_the_form() -> None:
    field = FieldMeta("preference_alignment", Level.ORDINAL, ("yes", "partial", "no"))
    words = {"p1": ["yes", "partial", "no", "no"], "p2": ["yes", "no", "no", "partial"]}
    found = one(scores(words), field)
    places = {"yes": 1, "partial": 2, "no": 3}
    data = np.array([[float(places[w]) for w in values] for values in words.values()])
    expected = krippendorff.alpha(reliability_data=data, level_of_measurement="ordinal")
    assert found.with_seeded.alpha.value == pytest.approx(expected)
    assert found.applicability is None


def test_a_nominal_field_has_plain_kappa_and_no_difference() -> None:
    field = FieldMeta("preference_alignment", Level.NOMINAL, ("a", "b", "c"))
    found = one(scores({"p1": ["a", "b", "c", "a"], "p2": ["a", "b", "b", "a"]}), field).with_seeded
    assert found.alpha.name == "alpha_nominal" and found.ac.name == "ac1"
    assert found.pairs[0].kappa.name == "cohen_kappa"
    assert found.pairs[0].difference.status is CoefficientStatus.NOT_NUMERIC


def test_words_without_numbers_have_no_interval_alpha() -> None:
    field = FieldMeta("preference_alignment", Level.INTERVAL, ("low", "high"))
    found = one(scores({"p1": ["low", "high"], "p2": ["low", "low"]}), field).with_seeded
    assert found.alpha.status is CoefficientStatus.NOT_NUMERIC


def test_one_rater_no_common_unit_and_one_value_throughout_are_undefined_each_with_its_reason() -> None:
    alone = one(scores({"p1": [1, 2, 3]})).with_seeded
    apart = one(scores({"p1": [1, 2, None, None], "p2": [None, None, 3, 4]})).with_seeded
    same = one(scores({"p1": [3, 3, 3], "p2": [3, 3, 3]})).with_seeded
    nothing = one([]).with_seeded
    assert [s.alpha.status for s in (alone, apart, same, nothing)] == [
        CoefficientStatus.NEED_2_RATERS,
        CoefficientStatus.NO_PAIRABLE_UNITS,
        CoefficientStatus.NO_VARIATION,
        CoefficientStatus.NEED_2_RATERS,
    ]
    assert [s.mean_kappa.status for s in (alone, apart, same)] == [
        CoefficientStatus.NEED_2_RATERS,
        CoefficientStatus.NO_PAIRABLE_UNITS,
        CoefficientStatus.NO_VARIATION,
    ]
    assert same.pairs[0].raw_agreement.value == 1.0


def test_seeded_ratings_are_left_out_first_and_shown_beside() -> None:
    rows = scores({"p1": [1, 2, 3, 4], "p2": [1, 2, 3, 5]})
    rows += [row("d8", "r8", name, 5, attested=Attested.SEEDED) for name in ("p1", "p2")]
    found = one(rows)
    assert (found.without_seeded.n_ratings, found.with_seeded.n_ratings) == (8, 10)


def test_only_the_rows_of_the_form_that_is_asked_for_count() -> None:
    rows = scores({"p1": [1, 2], "p2": [1, 2]})
    rows += [row("d9", "x9", name, 5, protocol="another@1") for name in ("p1", "p2")]
    report = field_report(from_rows(rows), [FIVE], form="response-rating")
    assert report.fields[0].n_ratings == 4
    assert report.population.protocols == ("response-rating@1",)


@given(st.integers(0, 10**6))
@settings(max_examples=10, deadline=None)
def test_neither_names_of_raters_nor_the_order_of_rows_change_a_number(seed: int) -> None:
    generator = np.random.default_rng(seed)
    rows = [
        row(f"d{u // 3}", f"r{u}", f"rater{r}", int(generator.integers(1, 6)))
        for u in range(24)
        for r in range(3)
        if generator.random() < 0.8
    ]
    names = dict(zip(("rater0", "rater1", "rater2"), generator.permutation(["x", "y", "z"]), strict=True))
    other = [r | {"rater": str(names[r["rater"]])} for r in rows]
    a, b = one(rows).with_seeded, one([other[i] for i in generator.permutation(len(other))]).with_seeded
    for name in ("alpha", "ac", "mean_kappa"):
        mine, theirs = getattr(a, name), getattr(b, name)
        assert mine.value == pytest.approx(theirs.value)
        assert (mine.n, mine.n_clusters) == (theirs.n, theirs.n_clusters)


def test_sixty_dialogues_and_no_rare_class_get_the_bootstrap_with_its_seed_in_json() -> None:
    generator = np.random.default_rng(4)
    truth = generator.integers(1, 6, size=180)
    noisy = [np.clip(truth + generator.integers(-1, 2, size=180), 1, 5).tolist() for _ in range(3)]
    report = field_report(from_rows(scores(dict(zip("abc", noisy, strict=True)))), [FIVE], seed=99)
    alpha = report.fields[0].with_seeded.alpha
    assert isinstance(alpha.interval, Interval) and alpha.interval.method is Method.BOOTSTRAP
    shown = report.to_json()
    assert shown["fields"][0]["with_seeded"]["alpha"]["interval"]["seed"] == 99
    assert (
        shown
        == field_report(from_rows(scores(dict(zip("abc", noisy, strict=True)))), [FIVE], seed=99).to_json()
    )
    json.dumps(shown, allow_nan=False)


def test_what_a_very_large_field_cannot_have_is_named_and_the_rest_is_computed() -> None:
    generator = np.random.default_rng(2)
    truth = generator.integers(1, 6, size=9_000)
    answers = {name: np.clip(truth + generator.integers(-1, 2, 9_000), 1, 5).tolist() for name in "ab"}
    found = one(scores(answers, units_per_dialogue=1)).with_seeded
    (pair,) = found.pairs
    assert isinstance(found.alpha.interval, Interval) and isinstance(pair.kappa.interval, Interval)
    for related in pair.associations:
        assert (
            related.value is not None and "some thousand dialogues only" in related.to_json()["no_interval"]
        )
    crowd = {f"r{n:02}": [1 + (n + unit) % 5 if unit % 3 else None for unit in range(6)] for n in range(30)}
    many = one(scores(crowd)).with_seeded
    assert many.alpha.value is not None and many.pairs == ()
    assert "30 raters are 435 pairs" in many.no_pairs and many.mean_kappa.status is CoefficientStatus.TOO_MANY
