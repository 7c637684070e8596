"""Ranks and correlations against scipy.stats, which the product does not load."""

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from scipy import stats

from alps_tui.agreement.association import average_ranks, kendall_tau_b, pearson, spearman

TIED = st.integers(-2, 2).map(float)
ANY = st.floats(-1e6, 1e6)


@given(st.lists(TIED | ANY, min_size=1))
@settings(deadline=None)
def test_ranks_are_scipys_with_ties_in_the_middle(values: list[float]) -> None:
    assert average_ranks(np.array(values)).tolist() == stats.rankdata(values).tolist()


@given(st.lists(st.tuples(TIED, TIED), min_size=2) | st.lists(st.tuples(ANY, TIED), min_size=2))
@settings(deadline=None)
def test_tau_and_rho_are_scipys_wherever_both_sides_vary(pairs: list[tuple[float, float]]) -> None:
    x, y = np.array(pairs).T
    tau, rho = kendall_tau_b(x, y).value, spearman(x, y).value
    assert (tau is None) == (rho is None) == (len(set(x)) == 1 or len(set(y)) == 1)
    if tau is not None:
        assert tau == pytest.approx(stats.kendalltau(x, y, variant="b").statistic, abs=1e-12)
        assert rho == pytest.approx(stats.spearmanr(x, y).statistic, abs=1e-12)


def test_a_rater_who_is_always_one_higher_correlates_perfectly() -> None:
    x = np.array([1.0, 2.0, 2.0, 4.0])
    assert [f(x, x + 1).value for f in (pearson, spearman, kendall_tau_b)] == pytest.approx([1.0, 1.0, 1.0])
