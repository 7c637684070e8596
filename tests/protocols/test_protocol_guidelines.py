"""A guideline teaches every option: what it means, a clear and a borderline case with its reason, and the tie rule."""

import re

import pytest

from alps_tui.protocols.loading import builtin_names, load_builtin
from store.kinds import UnitKind

PARTS = ("Means", "Clear", "Borderline", "Tie")


FORMS = [name for name in builtin_names() if load_builtin(name).screen]
"""The forms that people fill; of the others the guideline is short until they have a screen."""


def sections(text, mark):
    """Heading's code word → the text under it, up to the next heading of the same or a higher rank."""
    rank = len(mark)
    pieces = re.split(rf"(?m)^(?=#{{1,{rank}}} )", text)
    heads = [re.match(rf"{mark} `([^`]+)`", piece) for piece in pieces]
    return {head[1]: piece for head, piece in zip(heads, pieces, strict=True) if head}


def parts(section):
    found = re.findall(r"(?ms)^\*\*(\w+)\.\*\* (.+?)(?=^\*\*|\Z)", section)
    return {name: " ".join(text.split()) for name, text in found}


def explained(field):
    """The answers that are put in words: all there are, and of a scale of tenths the points where something changes."""
    return [option for option in field.choices if option.anchor or not field.in_tenths]


def every_option():
    for name in FORMS:
        form = load_builtin(name)
        yield from ((name, f.key, str(option.value)) for f in form.fields for option in explained(f))


@pytest.mark.parametrize("name", FORMS)
def test_every_question_with_options_has_its_section_and_no_section_is_left_over(name):
    form = load_builtin(name)
    wanted = {f.key: {str(o.value) for o in explained(f)} for f in form.fields if explained(f)}
    found = {key: set(sections(text, "###")) for key, text in sections(form.guideline, "##").items()}
    assert found == wanted


@pytest.mark.parametrize("name", FORMS)
def test_a_section_opens_with_the_question_as_the_screen_asks_it(name):
    form = load_builtin(name)
    for key in sections(form.guideline, "##"):
        assert f"## `{key}`: {form.field(key).title}\n" in form.guideline


@pytest.mark.parametrize(("name", "key", "value"), every_option())
def test_an_option_is_defined_shown_clear_and_borderline_and_kept_from_its_neighbour(name, key, value):
    form = load_builtin(name)
    section = sections(sections(form.guideline, "##")[key], "###")[value]
    said = parts(section)
    assert tuple(said) == PARTS
    assert all(len(text) >= 20 for text in said.values())
    assert re.search(r"\bbecause\b", said["Borderline"]), "a borderline case gives its reason"
    others = {str(option.value) for option in form.field(key).choices} - {value}
    named = set(re.findall(r"`([^`]+)`", said["Tie"]))
    assert value in named
    assert named & others or not others, "the tie rule names a neighbour"


def test_every_anchor_is_put_in_words():
    for name in builtin_names():
        for field in load_builtin(name).fields:
            for option in explained(field):
                assert len(option.anchor.split()) >= 4, (field.key, option.value)
            if field.per is not UnitKind.INTENT:  # these are chosen in their editor, by place
                assert all(option.key for option in field.choices), field.key


def test_a_scale_of_tenths_has_its_ends_in_words_and_every_point_at_which_a_rule_bites():
    form = load_builtin("response-rating")
    tenths = [field for field in form.fields if field.in_tenths]
    assert len(tenths) == 13
    for field in tenths:
        said = {option.value for option in explained(field)}
        caps = [cap for other in form.fields for cap in _caps(other)]
        assert {0.0, 1.0} <= said
        assert {cap["below"] for cap in caps if cap["field"] == field.key and "below" in cap} <= said
        assert {cap["at"] for cap in _caps(field)} <= said


def _caps(field):
    args = field.constraint_args
    return args.get("caps", [args]) if field.constraint in ("cap_when", "cap_when_any") else []
