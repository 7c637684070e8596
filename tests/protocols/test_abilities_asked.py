"""What a form asks only of items that test an ability: asked nowhere else, whoever reads the form."""

from protocol_forms import at, choice, field, load, problems

from alps_tui.protocols import rules
from alps_tui.protocols.json_schema import answer_schema
from store.kinds import UnitKind

R = UnitKind.RESPONSE
TENTHS = "min = 0\nmax = 1\nstep = 0.1\n"
BODY = (
    choice("variant", extra='abilities = ["ability2"]\nrequired = true\n')
    + field(
        "natural",
        "scale",
        TENTHS + 'abilities = ["ability1", "ability2"]\nvisible_if = { variant = "a" }\nrequired = true\n',
    )
    + field("fit", "scale", "min = 1\nmax = 5\nrequired = true\n")
)


def keys(ability):
    return [f.key for f in load(BODY).for_ability(ability).fields_of(R)]


def test_a_field_of_an_ability_is_asked_of_items_of_that_ability_only():
    assert keys("ability1") == ["natural", "fit"]
    assert keys("ability2") == ["variant", "natural", "fit"]
    assert keys("ability4") == keys(None) == ["fit"]


def test_a_condition_on_a_field_that_is_not_asked_does_not_count():
    form = load(BODY)
    assert [f.key for f in rules.missing(form.for_ability("ability1"), R, {})] == ["natural", "fit"]
    assert [f.key for f in rules.missing(form.for_ability("ability2"), R, {})] == ["variant", "fit"]
    two = form.for_ability("ability2")
    assert [f.key for f in rules.missing(two, R, {"variant": "a"})] == ["natural", "fit"]


def test_the_schema_of_a_judge_and_the_long_table_ask_the_same():
    form = load(BODY)
    schema = answer_schema(form.for_ability("ability1"))["properties"]["response"]["items"]["properties"]
    assert list(schema) == ["unit", "natural", "fit"]
    scales = {scale.key: scale.abilities for scale in form.to_version().fields}
    assert scales == {"variant": ("ability2",), "natural": ("ability1", "ability2"), "fit": None}


def test_mistakes_in_abilities_are_named():
    none = problems(field("fit", "scale", "min = 1\nmax = 5\nabilities = []\n"))
    assert "leave the line out" in at(none, "fields.fit.abilities").sentence
    slip = problems(field("fit", "scale", 'min = 1\nmax = 5\nabilities = ["abilty3"]\n'))
    assert any("did you mean ability3?" in problem.sentence for problem in slip)
    apart = choice("one", extra='abilities = ["ability1"]\n')
    apart += field("two", "scale", 'min = 1\nmax = 5\nabilities = ["ability2"]\nvisible_if = { one = "a" }\n')
    assert "never meet" in at(problems(apart), "fields.two.visible_if.one").sentence


def test_two_scales_of_tenths_share_their_keys_and_a_letter_that_answers_at_once_does_not():
    both = field("a1", "scale", TENTHS) + field("a2", "scale", TENTHS)
    assert not problems(both)
    points = load(both).field("a1").choices
    assert [point.key for point in points] == [*"0123456789", "x"]
    assert "already stands for an option" in str(problems(both + choice("c1", "x", "w")))


def test_the_lowest_of_several_caps_bites_says_why_and_keeps_what_was_typed():
    caps = '{ field = "low", below = 0.5, at = 0.2 }, { field = "broken", equals = "a", at = 0.0, because = "a line is crossed" }'
    form = load(
        field("low", "scale", TENTHS)
        + choice("broken")
        + field(
            "whole",
            "scale",
            TENTHS + f'constraint = "cap_when_any"\nconstraint_args = {{ caps = [{caps}] }}\n',
        )
    )
    whole = form.field("whole")
    assert rules.cap(whole, 0.8, {"low": 0.7, "broken": "b"}) == rules.Capped(0.8)
    low = rules.cap(whole, 0.8, {"low": 0.4, "broken": "b"})
    assert (low.value, low.raw) == (0.2, 0.8)
    crossed = rules.cap(whole, 0.8, {"low": 0.4, "broken": "a"})
    assert (crossed.value, crossed.raw) == (0.0, 0.8)
    assert "a line is crossed" in (crossed.sentence or "")


def test_a_cap_in_a_list_is_checked_as_one_alone():
    found = problems(
        field(
            "whole",
            "scale",
            TENTHS
            + 'constraint = "cap_when_any"\nconstraint_args = { caps = [{ field = "x1", at = 0.2 }] }\n',
        )
    )
    assert "there is no field x1" in str(found)


def test_passages_of_a_response_and_none_of_them():
    form = load(
        field(
            "wrong",
            "span",
            'on = "unit"\nnot_applicable = { value = "none", label = "none", key = "0" }\n'
            'options = [{ value = "false", label = "false", key = "1" }]\n',
            level="",
        )
    )
    wrong = form.field("wrong")
    fits = {"start": 0, "end": 4, "quote": "Soup", "type": "false"}
    assert rules.check_value(wrong, [fits]) is None
    assert rules.check_value(wrong, "none") is None
    for broken in ({**fits, "type": "odd"}, {**fits, "end": 0}, {"start": 0, "end": 4}):
        assert rules.check_value(wrong, [broken]) is not None
    schema = answer_schema(form)["properties"]["response"]["items"]["properties"]["wrong"]
    assert "quote" in str(schema) and "turn" not in str(schema)
