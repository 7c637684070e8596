"""Which pairs of responses are compared, and what an item of pairs is."""

from collections import Counter
from itertools import combinations

import pytest

from alps_tui.items.pairs import MOST, chosen_pairs


@pytest.mark.parametrize("n", range(2, 8))
def test_up_to_seven_responses_meet_in_every_pair(n: int) -> None:
    assert chosen_pairs(n, "any") == list(combinations(range(n), 2))


@pytest.mark.parametrize("n", [8, 10, 15, 21, 30])
def test_of_more_each_meets_about_as_many_and_all_are_connected(n: int) -> None:
    pairs = chosen_pairs(n, "q1")
    assert len(pairs) == len(set(pairs)) == max(MOST, n)
    assert all(first < second for first, second in pairs)
    met = Counter(one for pair in pairs for one in pair)
    assert len(met) == n
    assert max(met.values()) - min(met.values()) <= 3
    reached, waiting = {0}, [0]
    while waiting:
        here = waiting.pop()
        new = {other for pair in pairs if here in pair for other in pair} - reached
        reached |= new
        waiting += new
    assert len(reached) == n


def test_the_choice_is_the_same_each_time_and_another_for_another_question() -> None:
    assert chosen_pairs(12, "q1") == chosen_pairs(12, "q1")
    assert chosen_pairs(12, "q1") != chosen_pairs(12, "q2")
