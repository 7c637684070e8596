"""Bradley-Terry against its publications and, where they are installed, against evalica and statsmodels."""

import json

import numpy as np
import pytest
from paths import STATISTICS

from alps_tui.agreement import bradley_terry as bt
from alps_tui.agreement.bradley_terry import Cells, Outcome

needs_statistics = pytest.mark.skipif(
    not STATISTICS.is_dir(), reason="the shared statistics are not beside this checkout"
)


def comparisons(
    n: int, utility: list[float], tie: float = 0.6, order: float = 0.0, seed: int = 1
) -> tuple[np.ndarray, np.ndarray, np.ndarray]:
    """First, second and outcome of n comparisons drawn from the model."""
    generator = np.random.default_rng(seed)
    u = np.array(utility)
    first = generator.integers(0, len(u), size=n)
    second = (first + generator.integers(1, len(u), size=n)) % len(u)
    likely = np.exp([u[first] + order, u[second], np.log(max(tie, 1e-300)) + (u[first] + u[second]) / 2])
    edges = np.cumsum(likely / likely.sum(axis=0), axis=0)
    return first, second, (generator.random(n) > edges[:2]).sum(axis=0)


def cells(n: int, utility: list[float], **parameters: float) -> Cells:
    return bt.cells_of(*comparisons(n, utility, **parameters), len(utility))[0]


def baseball() -> tuple[Cells, dict, list[str]]:
    case = json.loads((STATISTICS / "bradley_terry.json").read_text())["cases"][0]
    wins = np.array(case["input"]["wins"], dtype=float)
    winner, loser = np.nonzero(wins)
    counted = Cells(winner, loser, np.zeros(len(winner), dtype=int), wins[winner, loser], len(wins))
    return counted, case["expected"], case["input"]["items"]


@needs_statistics
def test_the_american_league_of_1987_comes_out_as_agresti_prints_it() -> None:
    counted, expected, teams = baseball()
    found = bt.fit(counted, order=False)
    assert found is not None and found.tie is None
    against_last = dict(zip(teams, found.utility - found.utility[-1], strict=True))
    assert against_last == pytest.approx(expected["log_ability_ref_last"], abs=1e-4)
    assert {team: round(value, 3) + 0.0 for team, value in against_last.items()} == expected["published"]
    spread = found.covariance
    errors = np.sqrt(np.diag(spread) + spread[-1, -1] - 2 * spread[:, -1])[:-1]
    assert errors == pytest.approx(list(expected["se"].values()), abs=1e-4)


@needs_statistics
def test_without_ties_it_equals_evalica_where_that_is_installed() -> None:
    evalica = pytest.importorskip("evalica", reason="evalica is a development-only oracle")
    counted, _, _ = baseball()
    times = counted.counts.astype(int)
    xs, ys = np.repeat(counted.first, times), np.repeat(counted.second, times)
    theirs = evalica.bradley_terry(
        xs.tolist(), ys.tolist(), [evalica.Winner.X] * len(xs), tolerance=1e-12, limit=100_000
    ).scores
    logs = np.log(theirs.reindex(range(7)).to_numpy())
    found = bt.fit(counted, order=False)
    assert found is not None
    assert found.utility == pytest.approx(logs - logs.mean(), abs=1e-6)


def test_without_ties_it_equals_a_logistic_regression_of_statsmodels() -> None:
    api = pytest.importorskip("statsmodels.api", reason="statsmodels is a development-only oracle")
    first, second, outcome = comparisons(800, [0.5, 0.0, -0.5, 0.2], tie=0, order=0.4)
    eye = np.eye(4)
    design = np.column_stack([(eye[first] - eye[second])[:, :-1], np.ones(len(first))])
    theirs = api.Logit((outcome == Outcome.FIRST).astype(float), design).fit(disp=0, tol=1e-12)
    found = bt.fit(bt.cells_of(first, second, outcome, 4)[0])
    assert found is not None and found.order is not None
    assert (found.utility - found.utility[-1])[:-1] == pytest.approx(theirs.params[:3], abs=1e-6)
    assert (found.order, found.order_error) == pytest.approx((theirs.params[3], theirs.bse[3]), abs=1e-6)
    assert found.log_likelihood == pytest.approx(theirs.llf, abs=1e-6)


def test_davidsons_ties_equal_the_log_linear_model_of_statsmodels() -> None:
    """Fienberg 1979: the model is a log-linear one of the counts, with a constant for each ordered pair."""
    api = pytest.importorskip("statsmodels.api", reason="statsmodels is a development-only oracle")
    counted = cells(1_500, [0.6, 0.0, -0.6], tie=0.8, order=0.3)
    pairs = sorted({(int(i), int(j)) for i, j in zip(counted.first, counted.second, strict=True)})
    held = {
        (int(i), int(j), int(o)): c
        for i, j, o, c in zip(counted.first, counted.second, counted.outcome, counted.counts, strict=True)
    }
    eye, rows, counts = np.eye(3)[:, :-1], [], []
    for place, (i, j) in enumerate(pairs):
        for outcome, features in enumerate((eye[i], eye[j], (eye[i] + eye[j]) / 2)):
            rows.append(
                [*features, outcome == Outcome.TIE, outcome == Outcome.FIRST, *np.eye(len(pairs))[place]]
            )
            counts.append(held.get((i, j, outcome), 0.0))
    theirs = api.GLM(counts, np.array(rows, dtype=float), family=api.families.Poisson()).fit(tol=1e-12)
    found = bt.fit(counted)
    assert found is not None
    assert found.parameters == pytest.approx(theirs.params[:4], abs=1e-6)
    assert found.order_error == pytest.approx(theirs.bse[3], abs=1e-6)


def test_planted_abilities_ties_and_order_are_found() -> None:
    found = bt.fit(cells(20_000, [0.8, 0.0, -0.8], tie=0.7, order=0.5))
    assert found is not None
    assert found.utility == pytest.approx([0.8, 0.0, -0.8], abs=0.06)
    assert (found.tie, found.order) == pytest.approx((0.7, 0.5), abs=0.06)


def test_a_system_that_never_lost_has_no_finite_ability() -> None:
    first, second, outcome = np.array([0, 0, 1, 2]), np.array([1, 2, 2, 1]), np.array([0, 0, 0, 0])
    counted, _ = bt.cells_of(first, second, outcome, 3)
    assert bt.not_connected(counted, counted.counts) == (0,)
    assert bt.fit(counted) is None


def test_an_order_that_decides_everything_has_no_finite_effect() -> None:
    counted, _ = bt.cells_of(np.array([0, 1]), np.array([1, 0]), np.array([0, 0]), 2)
    assert bt.fit(counted) is None
    without = bt.fit(counted, order=False)
    assert without is not None and without.utility == pytest.approx([0, 0])


def test_the_chance_to_win_is_one_half_between_equals_whatever_the_ties() -> None:
    for tie in (None, 0.3, 2.0):
        chances = bt.win_probability(np.array([0.4, 0.4, -0.8]), tie)
        assert chances[0, 1] == pytest.approx(0.5)
        assert chances + chances.T == pytest.approx(np.ones((3, 3)))
