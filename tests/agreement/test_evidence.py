"""Agreement on evidence: turns that are cited, and characters, of raters who mark passages."""

import json

import krippendorff
import numpy as np
import pytest

from alps_tui.agreement.coefficient import CoefficientStatus
from alps_tui.agreement.evidence import Marked, Span, evidence_agreement


def test_alpha_over_turns_is_the_packages_on_the_same_cells() -> None:
    generator = np.random.default_rng(4)
    marked, rows = [], [[], []]
    for unit in range(70):
        cited = generator.random((2, 6)) < 0.4
        cited[1] = np.where(generator.random(6) < 0.7, cited[0], cited[1])
        by_rater = {
            name: tuple(Span(int(turn), 0, 5) for turn in np.flatnonzero(row))
            for name, row in zip("ab", cited, strict=True)
        }
        marked.append(Marked(f"u{unit}", f"d{unit}", 6, by_rater))
        for rater in range(2):
            rows[rater] += cited[rater].astype(float).tolist()
    found = evidence_agreement(marked)
    assert found.alpha.value == pytest.approx(
        krippendorff.alpha(reliability_data=rows, level_of_measurement="nominal")
    )
    a, b = np.array(rows, dtype=bool)
    assert found.cited.value == pytest.approx(2 * (a & b).sum() / (a.sum() + b.sum()))
    assert (found.n_units, found.n_turns, found.alpha.n_clusters) == (70, 420, 70)


def test_character_f1_counts_what_both_marked_and_overlaps_once() -> None:
    one = Marked("u", "d", 3, {"a": (Span(0, 0, 10),), "b": (Span(0, 5, 15), Span(0, 8, 12), Span(2, 0, 5))})
    two = Marked("v", "e", 3, {"a": (Span(1, 0, 4),), "b": (Span(1, 0, 4),)})
    found = evidence_agreement([one, two])
    assert found.f1_micro.value == pytest.approx(2 * (5 + 4) / (10 + 15 + 4 + 4))
    assert found.f1_macro.value == pytest.approx((2 * 5 / 25 + 1) / 2)


def test_the_same_turn_in_other_words_agrees_on_turns_and_not_on_characters() -> None:
    marked = [
        Marked(f"u{i}", f"d{i}", 4, {"a": (Span(i % 4, 0, 9),), "b": (Span(i % 4, 10, 19),)})
        for i in range(8)
    ]
    found = evidence_agreement(marked)
    assert (found.alpha.value, found.cited.value, found.f1_micro.value) == (1, 1, 0)


def test_two_raters_who_say_that_nothing_carries_it_agree() -> None:
    found = evidence_agreement([Marked("u", "d", 3, {"a": (), "b": ()})])
    assert found.f1_macro.value == 1
    assert found.f1_micro.status is CoefficientStatus.NOTHING_TO_COMPARE
    assert found.alpha.status is CoefficientStatus.NO_VARIATION


def test_a_unit_of_one_rater_is_left_out_and_nothing_at_all_is_undefined() -> None:
    found = evidence_agreement([Marked("u", "d", 3, {"a": (Span(0, 0, 2),)})])
    assert (found.left_out, found.n_units, found.alpha.value) == (1, 0, None)
    json.dumps(evidence_agreement([]).to_json(), allow_nan=False)


def test_a_passage_outside_its_dialogue_is_refused() -> None:
    with pytest.raises(ValueError, match="outside the 3 turns"):
        evidence_agreement([Marked("u", "d", 3, {"a": (Span(3, 0, 2),), "b": ()})])
