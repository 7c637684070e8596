"""Matching of memory lists and set F1."""

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alps_tui.agreement.coefficient import CoefficientStatus
from alps_tui.agreement.sets import THRESHOLD, match, set_agreement
from alps_tui.agreement.words import rouge_l, words

WORDS = st.sampled_from(["likes", "tea", "no", "sugar", "茶", "喜", "欢", "يحب", "الشاي"])
VALUES = st.lists(WORDS, min_size=1, max_size=4).map(" ".join)
LISTS = st.lists(VALUES, max_size=5)


@pytest.mark.parametrize(
    ("first", "second"),
    [
        ("用户喜欢喝绿茶", "用户喜欢喝红茶"),
        ("المستخدم يحب الشاي الأخضر", "المستخدم يحب الشاي الأسود"),
        ("משתמש אוהב תה ירוק", "משתמש אוהב תה שחור"),
        ("ผู้ใช้ชอบชาเขียว", "ผู้ใช้ชอบชาแดง"),
        ("Пользователь любит зелёный чай", "Пользователь любит чёрный чай"),
        ("उपयोगकर्ता को हरी चाय पसंद", "उपयोगकर्ता को काली चाय पसंद"),
    ],
)
def test_a_reworded_memory_is_matched_in_every_script(first: str, second: str) -> None:
    assert match([first], [second]).similar == ((0, 0),)
    assert match([first], [first]).exact == ((0, 0),)


def test_width_case_and_white_space_do_not_part_the_same_text() -> None:
    assert match(["Likes  TEA\n"], ["ｌikes tea"]).exact == ((0, 0),)


def test_texts_under_the_threshold_are_not_matched() -> None:
    assert len(match(["likes green tea"], ["hates black coffee"])) == 0


def test_the_assignment_is_the_best_one_not_the_greedy_one() -> None:
    first = ["a b c d e f", "a b c d x y"]
    second = ["a b c d e y", "a b c d e f g h"]
    assert set(match(first, second).similar) == {(0, 1), (1, 0)}


def test_of_two_assignments_with_the_same_similarity_the_one_with_more_pairs_is_taken() -> None:
    first, second = ["a b", "b d"], ["a b!", "a q"]
    for order in (1, -1):
        assert len(match(first[::order], second[::order])) == 2


@given(LISTS, LISTS)
@settings(max_examples=60, deadline=None)
def test_no_other_assignment_has_a_larger_similarity(first: list[str], second: list[str]) -> None:
    found = match(first, second)
    rows = [i for i in range(len(first)) if i not in {i for i, _ in found.exact}]
    columns = [j for j in range(len(second)) if j not in {j for _, j in found.exact}]

    def likeness(i: int, j: int) -> float:
        value = rouge_l(words(first[i]), words(second[j]))
        return value if value >= THRESHOLD else 0.0

    short, long, flip = (rows, columns, False) if len(rows) <= len(columns) else (columns, rows, True)
    best = max(
        sum(likeness(j, i) if flip else likeness(i, j) for i, j in zip(short, order, strict=True))
        for order in itertools.permutations(long, len(short))
    )
    assert sum(likeness(i, j) for i, j in found.similar) == pytest.approx(best)


@given(st.lists(st.tuples(LISTS, LISTS), min_size=1, max_size=6), st.randoms(use_true_random=False))
@settings(max_examples=60, deadline=None)
def test_set_f1_does_not_depend_on_the_order_of_lists_sessions_or_raters(
    pairs: list[tuple[list[str], list[str]]], shuffler: random.Random
) -> None:
    names = [f"s{i}" for i in range(len(pairs))]
    order = shuffler.sample(range(len(pairs)), len(pairs))
    other = [
        (shuffler.sample(pairs[i][1], len(pairs[i][1])), shuffler.sample(pairs[i][0], len(pairs[i][0])))
        for i in order
    ]
    one = set_agreement(pairs, names)
    two = set_agreement(other, [f"renamed {names[i]}" for i in order])
    assert (one.n_exact, one.n_similar) == (two.n_exact, two.n_similar)
    for name in ("micro", "macro"):
        a, b = getattr(one, name), getattr(two, name)
        assert (a.value is None) == (b.value is None)
        assert a.value == pytest.approx(b.value)
        assert type(a.interval) is type(b.interval)


def test_micro_pools_memories_and_macro_averages_sessions() -> None:
    found = set_agreement([(["a b", "c d", "e f"], ["a b"]), ([], []), (["x y"], ["x y"])], ["1", "2", "3"])
    assert found.micro.value == pytest.approx(2 * 2 / 6)
    assert found.macro.value == pytest.approx((0.5 + 1 + 1) / 3)
    assert found.micro.left_out == 1
    assert found.difference == pytest.approx(2 / 3)


def test_no_lists_at_all_is_undefined_and_empty_lists_on_both_sides_agree() -> None:
    nothing = set_agreement([], [])
    assert nothing.micro.value is None
    assert nothing.macro.status is CoefficientStatus.NOTHING_TO_COMPARE
    empty = set_agreement([([], [])], ["1"])
    assert empty.micro.value is None
    assert empty.macro.value == 1.0
