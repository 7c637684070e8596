"""The schema a judge answers says the same as the form a person fills."""

import pytest

from alps_tui.protocols.json_schema import answer_schema
from alps_tui.protocols.loading import builtin_names, load_builtin
from store.kinds import UnitKind


def objects(schema):
    if isinstance(schema, dict):
        if schema.get("type") == "object":
            yield schema
        for inner in schema.values():
            yield from objects(inner)
    elif isinstance(schema, list):
        for inner in schema:
            yield from objects(inner)


@pytest.mark.parametrize("name", builtin_names())
def test_every_object_is_closed_and_requires_all_it_names(name):
    for schema in objects(answer_schema(load_builtin(name))):
        assert schema["additionalProperties"] is False
        assert schema["required"] == list(schema["properties"])


def test_a_judge_may_answer_exactly_what_a_person_may():
    form = load_builtin("response-rating").for_ability("ability4")
    schema = answer_schema(form)["properties"]
    unit = schema["response"]["items"]["properties"]
    everybody = ["preference_alignment", "resonation", "expression", "reception"]
    theirs = ["naturalness", "violates_constraint", "adherence_score", "helpfulness_score"]
    last = ["overall_weighted_score", "score", "claimed_memories", "error_spans", "reasoning"]
    assert list(unit) == ["unit", *everybody, *theirs, *last]
    assert unit["reception"]["enum"] == [1, 2, 3, 4, 5, "na"]
    assert unit["adherence_score"]["enum"] == [n / 10 for n in range(11)]
    assert list(schema["response_preference"]["items"]["properties"]) == ["unit", "preference_status"]


def test_a_judge_reads_the_words_an_annotator_reads():
    form = load_builtin("response-rating")
    described = answer_schema(form)["properties"]["response"]["items"]["properties"]["resonation"][
        "description"
    ]
    for option in form.field("resonation").choices:
        assert option.anchor in described


def test_what_hangs_on_another_answer_may_be_null_and_says_when():
    unit = answer_schema(load_builtin("memory-verification"))["properties"]["memory"]["items"]["properties"]
    assert {"type": "null"} in unit["delete_reason"]["anyOf"]
    assert "Only if verdict is delete" in unit["delete_reason"]["description"]
    assert "anyOf" not in unit["verdict"]


def test_units_a_rater_may_add_are_a_list_of_their_own():
    schema = answer_schema(load_builtin("memory-verification"))
    added = schema["properties"]["added_memory"]["items"]["properties"]
    assert "memory" in added
    assert "verdict" not in added
    assert next(iter(added["memory"]["properties"])) == "type"


def test_only_the_kinds_an_item_has_are_asked():
    schema = answer_schema(load_builtin("memory-verification"), [UnitKind.SESSION])
    assert list(schema["properties"]) == ["session"]
