"""A pool is ranked by the words it shares with the question, in any script, and always in the same way."""

from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alps_tui.ui.pool import Pool
from alps_tui.ui.ranking import ranked, similarities
from store.records import MemoryView, PoolView


def entry(place: int, value: str, label: str = "Preferences/Food") -> MemoryView:
    nothing = dict.fromkeys(
        (
            "type",
            "label_suggestion",
            "reasoning",
            "confidence",
            "time_scope",
            "emotion",
            "preference_attitude",
        )
    )
    return MemoryView(
        id=-place, shown_id=f"#{place}", value=value, label=label, evidence=(), key=str(place), **nothing
    )


@pytest.mark.parametrize(
    ("question", "memory"),
    [
        ("Which tea should I buy?", "Drinks green tea"),
        ("我应该喝什么茶", "每天早上喝绿茶"),
        ("どのお茶を買えばいい", "毎朝お茶を飲む"),
        ("ควรดื่มชาอะไร", "ชอบดื่มชาเขียว"),
        ("ما الشاي الذي أشتريه", "يشرب الشاي الأخضر"),
        ("कौन सी चाय खरीदूँ", "हरी चाय पीता है"),
        ("Какой чай купить?", "Пьёт зелёный чай"),
    ],
)
def test_the_memory_that_shares_words_is_first_in_any_script(question: str, memory: str) -> None:
    others = ["Owns a bicycle", "住在柏林", "Работает врачом", "自転車を持っている", "يعمل طبيبا", "डॉक्टर है"]
    assert ranked(question, [*others, memory])[0] == len(others)


def test_a_rare_word_counts_more_than_one_that_every_memory_has() -> None:
    pool = ["the user likes the sea", "the user has a falcon", "the user is the user of the user"]
    assert ranked("the falcon of the user", pool)[0] == 1


@given(st.text(max_size=40), st.lists(st.text(max_size=40), max_size=12))
def test_every_memory_has_one_rank_and_equals_keep_the_order_of_the_pool(query: str, pool: list[str]) -> None:
    order, scores = ranked(query, pool), similarities(query, pool)
    assert sorted(order) == list(range(len(pool)))
    assert all((scores[a], -a) >= (scores[b], -b) for a, b in pairwise(order))
    assert order == ranked(query, pool)


def test_the_target_is_nowhere_until_it_is_asked_for_and_a_filter_never_hides_it_then() -> None:
    pool = Pool(PoolView((entry(1, "Eats fish"), entry(2, "Swims")), 1), "fish?", is_target_shown=False)
    assert pool.target is None
    pool.narrow("fi")
    assert [pool.pool.entries[i].value for i in pool.shown] == ["Eats fish"]
    pool.is_target_shown = True
    assert pool.go_to_target()
    assert pool.target == pool.current == entry(2, "Swims")
    assert pool.filter == ""


def test_a_filter_that_lets_nothing_through_leaves_no_cursor() -> None:
    pool = Pool(PoolView((entry(1, "Eats fish"),), None), "fish?", is_target_shown=True)
    pool.narrow("whale")
    pool.move(1)
    assert (pool.shown, pool.cursor, pool.current, pool.target) == ((), None, None, None)
    assert not pool.go_to_target()
