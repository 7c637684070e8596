"""Work done once for each kind of unit and dialogue gives what doing it for every one gives, in any order of rows."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alps_tui.agreement import many_raters, two_raters
from alps_tui.agreement.alike import dialogues_by_kind, kinds_of_units
from alps_tui.agreement.fields import FieldMeta, field_report
from alps_tui.agreement.intervals import Floats, grouped, sum_by
from store.kinds import Level
from store.table import codes_by_appearance, codes_by_name, from_rows


def random_counts(generator: np.random.Generator, units: int, k: int, raters: int) -> Floats:
    share = np.full(k, 1 / k)
    return generator.multinomial(generator.integers(2, raters + 1, size=units), share).astype(float)


def sorted_rows(parts: Floats) -> Floats:
    flat = parts.reshape(len(parts), -1)
    return flat[np.lexsort(flat.round(9).T[::-1])]


@pytest.mark.parametrize("level", list(Level))
@pytest.mark.parametrize(("k", "raters"), [(2, 3), (5, 5), (101, 4), (5, 400)])
def test_the_sums_of_every_dialogue_are_those_of_adding_its_units_one_by_one(
    level: Level, k: int, raters: int
) -> None:
    generator = np.random.default_rng(k + raters)
    counts = random_counts(generator, 300, k, raters)
    clusters = generator.integers(0, 120, size=300).astype(np.intp)
    scores = tuple(map(float, range(k)))
    sums, sizes = dialogues_by_kind(counts, clusters, lambda c: many_raters.alpha_parts(c, level, scores))
    one_by_one = sum_by(clusters, many_raters.alpha_parts(counts, level, scores), 120)
    here = np.bincount(clusters, minlength=120) > 0
    assert np.allclose(
        sorted_rows(np.repeat(sums, sizes, axis=0)), sorted_rows(one_by_one[here]), rtol=1e-12, atol=1e-12
    )


def test_units_are_one_kind_if_and_only_if_their_counts_are_equal() -> None:
    counts = random_counts(np.random.default_rng(4), 400, 4, 30)
    kinds, place = kinds_of_units(counts)
    assert np.array_equal(kinds[place], counts)
    assert len(kinds) == len(np.unique(counts, axis=0))


def test_dialogues_of_one_kind_count_as_often_as_they_are_there() -> None:
    parts = np.array([[1.0, 0.0], [0.0, 0.0], [2.0, 1.0], [1.0, 0.0]])
    groups = grouped(parts, np.array([3, 9, 1, 2]))
    assert groups.parts.tolist() == [[1.0, 0.0], [2.0, 1.0]] and groups.sizes.tolist() == [5, 1]
    repeated = grouped(np.repeat(parts, [3, 9, 1, 2], axis=0))
    assert np.array_equal(groups.parts, repeated.parts) and np.array_equal(groups.sizes, repeated.sizes)


@given(st.lists(st.text(max_size=3), max_size=40))
def test_names_become_places_by_appearance_and_by_name(names: list[str]) -> None:
    found, places = codes_by_appearance(names)
    assert [found[place] for place in places] == names and list(found) == list(dict.fromkeys(names))
    found, places = codes_by_name(names)
    assert [found[place] for place in places] == names and list(found) == sorted(set(names))


@given(st.integers(0, 10**6))
@settings(max_examples=3, deadline=None)
def test_a_report_does_not_depend_on_the_order_of_rows_nor_on_the_names_of_units(seed: int) -> None:
    generator = np.random.default_rng(seed)
    truth = generator.integers(1, 6, size=240)
    rows = [
        {
            "unit_id": f"u{unit}",
            "item_id": f"i{unit}",
            "dialogue_id": f"d{unit // 3}",
            "rater": f"r{rater}",
            "field": "score",
            "value": str(int(truth[unit] if generator.random() < 0.6 else generator.integers(1, 6))),
            "attested": "seeded" if generator.random() < 0.1 else "explicit",
        }
        for unit in range(240)
        for rater in range(4)
        if generator.random() < 0.8
    ]
    names = generator.permutation(240)
    moved = [
        row | {"unit_id": f"v{names[int(row['unit_id'][1:])]}"}
        for row in (rows[i] for i in generator.permutation(len(rows)))
    ]
    field = FieldMeta("score", Level.ORDINAL, (1, 2, 3, 4, 5))
    assert (
        field_report(from_rows(rows), [field]).to_json() == field_report(from_rows(moved), [field]).to_json()
    )


def test_gwets_coefficients_take_single_ratings_for_the_margins_only() -> None:
    counts = np.array([[2, 0], [1, 1], [0, 1], [0, 1], [0, 1]], dtype=float)
    weights = two_raters.identity_weights(2)
    sums, sizes = dialogues_by_kind(
        counts, np.arange(5, dtype=np.intp), lambda units: many_raters.gwet_parts(units, weights)
    )
    assert sorted(sizes.tolist()) == [1, 1, 3]
    assert (sums * sizes[:, None]).sum(axis=0).tolist() == [1.0, 2.0, 1.5, 3.5, 5.0]


@pytest.mark.parametrize("k", [2, 5, 101])
def test_kappa_of_margins_is_kappa_of_tables_and_so_is_the_share_of_equal_answers(k: int) -> None:
    generator = np.random.default_rng(k)
    first, second = generator.integers(0, k, size=(2, 500))
    clusters = generator.integers(0, 70, size=500)
    tables = two_raters.tables(first, second, clusters, k, 70)
    same = two_raters.same_parts(first, second, clusters, 70)
    assert np.allclose(
        two_raters.share_of_same(same).value(),
        two_raters.percent(k)(tables).value(),
        atol=1e-12,
        equal_nan=True,
    )
    for weights in (
        two_raters.identity_weights(k),
        two_raters.quadratic_weights(tuple(map(float, range(k)))),
    ):
        lean = two_raters.margins(first, second, clusters, weights, 70)
        for ours, theirs in (
            (two_raters.kappa_of_margins(weights)(lean), two_raters.kappa(weights)(tables)),
            (
                two_raters.pooled_kappa_of_margins(weights)(lean.reshape(35, 2, -1)),
                two_raters.pooled_kappa(weights)(tables.reshape(35, 2, k, k)),
            ),
        ):
            assert np.allclose(ours.value(), theirs.value(), rtol=0, atol=1e-12, equal_nan=True)
