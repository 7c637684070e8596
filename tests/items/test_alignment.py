"""Two lists of memories side by side: AlpsBench's scheme of ids, lists without it, and whatever else may come."""

import json

from hypothesis import given
from hypothesis import strategies as st
from paths import ALPSBENCH, needs_shared

from alps_tui.items.alignment import action_of, actions, align


def memory(name, value, **more):
    return {"memory_id": name, "value": value, "evidence": {"utterance_index": 1, "text": value}, **more}


def fates(before, after):
    return [(row.fate.value, row.before, row.after) for row in align(before, after).rows]


def test_alpsbench_ids_tell_what_stayed_changed_and_came():
    before = [memory("m1", "Eats no meat"), memory("m2", "Lives in Graz")]
    after = [before[0], memory("m2_updated", "Moved to Oslo in May"), memory("m_new_1", "Has a cat")]
    assert fates(before, after) == [("retained", 0, 0), ("modified", 1, 1), ("added", None, 2)]
    assert actions(before, after) == ("retention", "modification", "addition")


def test_a_dropped_memory_stands_after_the_list():
    before = [memory("m1", "Eats no meat"), memory("m2", "Lives in Graz")]
    assert fates(before, [before[1]]) == [("retained", 1, 0), ("dropped", 0, None)]


def test_times_ids_and_turn_numbers_change_nothing_but_any_part_of_the_record_does():
    one = memory("m1", "Eats no meat", updated_at="2023", confidence=0.9)
    again = one | {"updated_at": "2026", "evidence": {"utterance_index": 7, "text": "Eats no meat"}}
    assert actions([one], [again]) == ("retention",)
    assert actions([one], [one | {"confidence": 0.8}]) == ("modification",)


def test_lists_without_the_scheme_are_paired_by_value_then_by_likeness():
    before = [memory("a", "Lives in Graz"), memory("b", "Drinks green tea in the morning")]
    after = [
        memory("7", "Drinks black tea in the morning"),
        memory("8", "lives  in graz"),
        memory("9", "Plays chess"),
    ]
    assert fates(before, after) == [("modified", 1, 0), ("modified", 0, 1), ("added", None, 2)]


def test_a_memory_that_calls_itself_new_is_new_however_like_another_it_is():
    before = [memory("m1", "Has one cat")]
    assert fates(before, [memory("m_new_1", "Has two cats")]) == [("added", None, 0), ("dropped", 0, None)]


def test_ids_that_repeat_are_paired_once_each():
    before = [memory("m1", "Eats no meat"), memory("m1", "Lives in Graz")]
    assert fates(before, before[::-1]) == [("retained", 1, 0), ("retained", 0, 1)]


def test_a_memory_alone_is_held_against_the_list_before():
    before = [memory("m1", "Eats no meat")]
    assert [action_of(one, before) for one in (before[0], memory("m1_updated", "Eats fish"), {})] == [
        "retention",
        "modification",
        "addition",
    ]


odd = st.recursive(
    st.none() | st.booleans() | st.integers() | st.text(max_size=6),
    lambda inner: (
        st.lists(inner, max_size=2) | st.dictionaries(st.sampled_from(["text", "x"]), inner, max_size=2)
    ),
    max_leaves=3,
)
records = st.lists(
    st.dictionaries(st.sampled_from(["memory_id", "value", "evidence", "label"]), odd, max_size=4), max_size=4
)


@given(records, records)
def test_every_memory_of_both_lists_stands_in_one_row(before, after):
    rows = align(before, after).rows
    assert [row.after for row in rows[: len(after)]] == list(range(len(after)))
    paired = [row.before for row in rows if row.before is not None]
    assert sorted(paired) == list(range(len(before)))


@needs_shared
def test_every_real_update_is_one_change_one_addition_and_the_rest_untouched():
    for path in sorted((ALPSBENCH / "session_packets").glob("*.json")):
        task = json.loads(path.read_text(encoding="utf-8"))["task2"]
        found = actions(task["memory_pool_before_update"], task["golden_answer"])
        assert sorted(set(found)) in (["addition", "modification"], ["addition", "modification", "retention"])
        assert (found.count("modification"), found.count("addition")) == (1, 1), path.name
        assert not align(task["memory_pool_before_update"], task["golden_answer"]).dropped
