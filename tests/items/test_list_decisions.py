"""What was done to a list of proposals, read off the final list."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from item_studies import PROPOSALS, memory

from alps_tui.items.list_decisions import decide, decide_by_content


def verdicts(decisions):
    return [one.verdict for one in decisions.decided]


def test_a_list_left_as_it_was_is_untouched():
    decisions = decide(PROPOSALS, PROPOSALS)
    assert verdicts(decisions) == ["keep", "keep", "keep"]
    assert decisions.untouched


def test_another_order_of_the_same_records_is_untouched():
    assert decide(PROPOSALS, PROPOSALS[::-1]).untouched


def test_a_record_that_is_gone_was_deleted_one_that_differs_was_edited_one_too_many_was_added():
    final = [PROPOSALS[0] | {"value": "Is vegetarian"}, PROPOSALS[2], memory("new-memory-1", "Has a cat")]
    decisions = decide(PROPOSALS, final)
    assert verdicts(decisions) == ["edit", "delete", "keep"]
    assert [record["value"] for record in decisions.added] == ["Has a cat"]
    assert not decisions.untouched


def test_a_list_from_which_only_something_was_added_is_not_untouched():
    assert not decide(PROPOSALS, [*PROPOSALS, memory("n", "Has a cat")]).untouched


def test_the_tools_own_keys_are_no_edit_and_are_not_kept_in_one():
    assert decide(PROPOSALS, [PROPOSALS[0] | {"_task1GoldValue": "x"}, *PROPOSALS[1:]]).untouched
    edited = decide(PROPOSALS[:1], [PROPOSALS[0] | {"_x": 1, "value": "Is vegetarian"}]).decided[0]
    assert edited.record == PROPOSALS[0] | {"value": "Is vegetarian"}


def test_a_key_that_is_gone_is_an_edit():
    final = {key: value for key, value in PROPOSALS[0].items() if key != "emotion"}
    assert verdicts(decide(PROPOSALS[:1], [final])) == ["edit"]


@pytest.mark.parametrize(
    ("change", "reasons"),
    [
        ({"value": "Is vegetarian"}, ("wording",)),
        ({"label": "UNMAPPED", "label_suggestion": "Food/Diet/Vegan"}, ("label",)),
        ({"type": "indirect"}, ("type",)),
        ({"time_scope": "recent"}, ("scope",)),
        ({"confidence": 0.8, "preference_attitude": "dislike"}, ("attribute",)),
        ({"evidence": None}, ("evidence",)),
        ({"reasoning": "other"}, ()),
        ({"value": "x", "emotion": "Positive"}, ("wording", "attribute")),
    ],
)
def test_the_reason_of_an_edit_is_what_was_changed(change, reasons):
    assert decide(PROPOSALS[:1], [PROPOSALS[0] | change]).decided[0].reasons == reasons


def test_of_two_records_with_one_id_each_answers_its_own_proposal():
    twins = [memory("m1", "Is vegan"), memory("m1", "Lives in Lyon")]
    assert decide(twins, twins[::-1]).untouched
    decisions = decide(twins, [memory("m1", "Lives in Lyon")])
    assert verdicts(decisions) == ["delete", "keep"]
    decisions = decide(twins[:1], [memory("m1", "Is vegetarian"), memory("m1", "Is vegan")])
    assert verdicts(decisions) == ["keep"]
    assert [record["value"] for record in decisions.added] == ["Is vegetarian"]


records = st.builds(memory, st.sampled_from(["m1", "m2", "m3"]), st.sampled_from(["a", "b", "c"]))


@given(st.lists(records, max_size=5), st.lists(records, max_size=5))
def test_every_record_of_the_final_list_is_accounted_for_once(proposals, final):
    decisions = decide(proposals, final)
    assert len(decisions.decided) == len(proposals)
    standing = sum(one.verdict != "delete" for one in decisions.decided)
    assert standing + len(decisions.added) == len(final)
    assert decide(proposals, proposals).untouched
    anew = decide_by_content(proposals, final)
    standing = sum(one.verdict != "delete" for one in anew.decided)
    assert standing + len(anew.added) == len(final)
    assert decide_by_content(proposals, proposals[::-1]).untouched


# ---------------------------------------------------------------- ids given anew


SAYS = "The user says in the first turn that they are"


def renumbered(*records):
    return [
        one | {"memory_id": f"m{place}", "updated_at": "2026-04-20T10:00:00Z"}
        for place, one in enumerate(records, 1)
    ]


def test_ids_and_times_given_anew_are_no_edit():
    assert decide_by_content(PROPOSALS, renumbered(*PROPOSALS[::-1])).untouched


def test_with_ids_given_anew_what_is_gone_was_deleted_and_its_number_is_not_taken_for_it():
    decisions = decide_by_content(PROPOSALS, renumbered(*PROPOSALS[1:]))
    assert verdicts(decisions) == ["delete", "keep", "keep"]
    assert decisions.added == ()


@pytest.mark.parametrize(
    ("before", "after", "verdict"),
    [
        ({"value": "Is vegan"}, {"value": "is  VEGAN", "label": "UNMAPPED"}, "edit"),
        ({"value": "Is vegan"}, {"value": "Has been vegan since 2019"}, "delete"),
        ({"value": "Prefers short answers"}, {"value": "Prefers very short answers"}, "edit"),
        (
            {"value": "Is vegan", "reasoning": f"{SAYS} vegan"},
            {"value": "Eats plants", "reasoning": f"{SAYS} vegan"},
            "edit",
        ),
        (
            {"value": "Is vegan", "reasoning": "Says so."},
            {"value": "A dog", "reasoning": "Says so."},
            "delete",
        ),
        ({"value": "Is vegan", "reasoning": ""}, {"value": "Owns a dog", "reasoning": ""}, "delete"),
    ],
)
def test_with_ids_given_anew_a_memory_is_found_by_value_reasoning_or_likeness(before, after, verdict):
    before = {"memory_id": "m4", **before}
    decisions = decide_by_content([before], [{"memory_id": "m1", **after}])
    assert verdicts(decisions) == [verdict]
    assert len(decisions.added) == (verdict == "delete")


def test_the_most_similar_are_paired_first():
    before = [memory("m1", "Likes tea"), memory("m2", "Likes green tea")]
    decisions = decide_by_content(before, [memory("m1", "Likes green tea a lot"), memory("m2", "Likes teas")])
    assert [one.record["value"] for one in decisions.decided] == ["Likes teas", "Likes green tea a lot"]
