"""What stands behind a field's numbers: who agrees with whom, the units to open, and what to do next."""

import numpy as np
import pytest
from panels import cebab, panel
from test_field_report import FIVE, RATINGS, row, scores

from alps_tui.agreement.behind import confused, differing, disagreed, given, rated_once
from alps_tui.agreement.coefficient import CoefficientStatus
from alps_tui.agreement.detail import Advice, FieldDetail
from alps_tui.agreement.field_meta import FieldMeta
from alps_tui.agreement.fields import field_report, scale_agreement
from alps_tui.agreement.next_steps import next_steps
from alps_tui.agreement.ratings import Ratings
from alps_tui.agreement.worst_case import worst_case
from store.kinds import Attested, Level
from store.table import from_rows


def detail_of(rows: list[dict[str, object]], field: FieldMeta = FIVE) -> FieldDetail:
    (found,) = field_report(from_rows(rows), [field], detail=True).fields
    assert found.detail is not None
    return found.detail


def test_every_two_raters_have_a_cell_with_the_units_they_differ_on_furthest_apart_first() -> None:
    made = detail_of(scores(RATINGS))
    assert [(c.first, c.second, c.n) for c in made.matrix.cells] == [
        ("p1", "p2", 8),
        ("p1", "p3", 8),
        ("p2", "p3", 7),
    ]
    cell = made.matrix.cell("p2", "p1")
    assert cell is not None and cell.coefficient.name == "kappa_quadratic"
    assert [unit.unit.rpartition("/")[2] for unit in cell.units] == ["r1", "r4", "r9"]
    assert cell.units[0].item == "response-rating/d0" and cell.units[0].dialogue == "d0"


def test_raters_who_never_met_have_a_cell_that_says_so() -> None:
    made = detail_of(scores({"p1": [1, 2, None, None], "p2": [1, 3, 3, 4], "p3": [None, None, 3, 3]}))
    cell = made.matrix.cell("p1", "p3")
    assert cell is not None and cell.coefficient.status is CoefficientStatus.NO_PAIRABLE_UNITS
    assert made.to_json()["rater_matrix"]["cells"][1]["coefficient"]["reason"]


def test_the_distribution_is_over_the_full_scale_and_names_each_rater() -> None:
    made = detail_of(scores(RATINGS)).distribution
    assert made.labels == ("1", "2", "3", "4", "5") and sum(made.total) == 26
    assert {one.rater: (one.n, one.beside) for one in made.by_rater} == {
        "p1": (9, 1),
        "p2": (8, 1),
        "p3": (9, 0),
    }


def test_seeded_answers_stand_behind_no_cell() -> None:
    rows = scores({"p1": [1, 2, 3, 4], "p2": [1, 2, 3, 5]})
    rows += [row("d8", "r8", name, value, attested=Attested.SEEDED) for name, value in (("p1", 1), ("p2", 5))]
    assert [unit.unit.rpartition("/")[2] for unit in disagreed(detail_of(rows).panel)] == ["r3"]


def test_the_units_behind_a_class_a_confusion_and_a_single_answer_are_found() -> None:
    made = panel([[0, 1, -1], [0, 0, 0], [2, -1, 0], [1, -1, -1]], ("keep", "edit", "delete"))
    assert [u.unit for u in confused(made, "keep", "edit")] == ["u00000"]
    assert [u.unit for u in confused(made, "keep", "keep")] == ["u00001"]
    assert [u.unit for u in confused(made, "delete", "keep", ("h0", "h2"))] == ["u00002"]
    assert [u.unit for u in given(made, "keep", "h0")] == ["u00000", "u00001"]
    assert [u.unit for u in differing(made, "h0", "h1")] == ["u00000"]
    assert [u.unit for u in rated_once(made)] == ["u00003"]


def steps_of(made: object) -> list[Advice]:
    found = made if isinstance(made, tuple) else ()
    return [step.advice for step in found]


def test_the_rater_who_answers_at_random_is_named_and_never_one_of_two() -> None:
    stars = cebab()
    scale = FieldMeta("stars", Level.ORDINAL, (1, 2, 3, 4, 5))
    whole = scale_agreement(_ratings(stars), scale).alpha
    first = next_steps(stars, whole)[0]
    assert (first.advice, first.rater) == (Advice.DROP_RATER, "h1")
    assert ".679 to .846" in first.said and first.units
    two = panel([[0, 0], [1, 0], [0, 1], [1, 1]] * 30, ("a", "b"))
    pair = scale_agreement(_ratings(two), FieldMeta("x", Level.NOMINAL, ("a", "b"))).alpha
    assert Advice.DROP_RATER not in steps_of(next_steps(two, pair))


def _ratings(made: object) -> Ratings:
    codes = made.codes  # type: ignore[attr-defined]
    names = tuple(f"d{i}" for i in range(len(codes)))
    return Ratings(
        codes,
        np.zeros(codes.shape, dtype=np.bool_),
        made.clusters,  # type: ignore[attr-defined]
        made.raters,  # type: ignore[attr-defined]
        names,
        made.labels,  # type: ignore[attr-defined]
    )


@pytest.mark.parametrize(
    ("answers", "advice", "said"),
    [
        ({"p1": [1, 2, 3]}, Advice.COLLECT, "second rater"),
        ({"p1": [3] * 6, "p2": [3] * 6}, Advice.COLLECT, "another answer is likely"),
        ({"p1": [1, 2, 3, 4, 5] * 40, "p2": [1, 2, 3, 4, 5] * 40}, Advice.NOTHING, "over its whole interval"),
        ({"p1": [1, 2, 3, 5] * 5, "p2": [2, 2, 3, 4] * 5}, Advice.RELABEL, "different answers"),
        ({"p1": [1, 2, 5, 5] * 5, "p2": [1, 5, 2, 5] * 5}, Advice.CLARIFY, '"2" ends and "5" begins'),
        ({"p1": [1, 2, 4, 5, 3, 3, 1, 2], "p2": [1, 5, 2, 5, 3, 2, 1, 1]}, Advice.COLLECT, "more dialogue"),
    ],
)
def test_what_to_do_next_follows_from_the_answers(
    answers: dict[str, list[int]], advice: Advice, said: str
) -> None:
    steps = {step.advice: step for step in detail_of(scores(answers)).steps}
    assert advice in steps and said in steps[advice].said


def test_a_seeded_answer_is_moved_as_far_as_the_scale_allows_and_no_further_than_needed() -> None:
    codes = np.array([[0, 0], [1, 0], [0, 0], [4, 4]])
    seeded = np.array([[False, True], [False, True], [True, True], [False, False]])
    clusters = np.arange(4)
    ratings = Ratings(codes, seeded, clusters, ("a", "b"), tuple("wxyz"), tuple("12345"))
    worst, moved = worst_case(ratings, FIVE.weights)
    assert worst.codes.tolist() == [[0, 4], [1, 4], [0, 4], [4, 4]]
    assert moved == 3
