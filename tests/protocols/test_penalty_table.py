"""The penalty table: what each review costs, and the score that reviews come to."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alps_tui.protocols.derived import PAIR_PENALTIES, compute, compute_over
from alps_tui.protocols.loading import ProtocolError, load_builtin, load_text
from alps_tui.protocols.rules import derive

OF = ("review", "ok", "error_type", "should_have_extracted", "hallucinated", "severity")


def penalty(**answers):
    return compute("review_penalty", OF, answers)


@pytest.mark.parametrize(
    ("error_type", "base"),
    [
        ("VALUE_DRIFT", 12),
        ("LABEL_WRONG", 6),
        ("TYPE_WRONG", 6),
        ("OVERGENERAL", 3),
        ("UNDERGENERAL", 3),
        ("OTHER", 4),
        ("HALLUCINATION", 15),
        ("EQUIVALENT", 0),
    ],
)
@pytest.mark.parametrize(("severity", "times"), [(0, 0), (1, 1), (2, 1.5), (3, 2)])
def test_a_pair_that_is_not_ok_costs_its_error_times_its_severity(error_type, base, severity, times):
    said = {"review": "pair", "error_type": error_type, "severity": severity}
    assert penalty(**said, ok=False) == base * times
    assert penalty(**said, ok=True) == 0


def test_what_is_missing_or_extra_costs_only_if_it_should_be_there_or_is_made_up():
    assert penalty(review="missing", should_have_extracted=True, severity=2) == 15
    assert penalty(review="missing", should_have_extracted=False, severity=2) == 0
    assert penalty(review="extra", hallucinated=True, severity=3) == 30
    assert penalty(review="extra", hallucinated=False, severity=3) == 0


@pytest.mark.parametrize(
    "answers",
    [
        {},
        {"review": "pair", "error_type": "VALUE_DRIFT", "severity": 1},
        {"review": "pair", "ok": False, "severity": 1},
        {"review": "pair", "ok": False, "error_type": "VALUE_DRIFT"},
        {"review": "pair", "ok": False, "error_type": "VALUE_DRIFT", "severity": 7},
        {"review": "pair", "ok": False, "error_type": ["VALUE_DRIFT"], "severity": [1]},
        {"review": "missing", "severity": 1},
        {"review": "missing", "should_have_extracted": "yes", "severity": 1},
        {"review": "extra", "hallucinated": True, "severity": True},
        {"review": "else", "hallucinated": True, "severity": 1},
    ],
)
def test_a_review_that_is_not_answered_costs_nothing_known(answers):
    assert penalty(**answers) is None


def test_the_score_is_100_less_all_penalties_and_never_below_0():
    assert compute_over("penalty_score", []) == 100
    assert compute_over("penalty_score", [18, 10, 15]) == 57
    assert compute_over("penalty_score", [30, 30, 30, 30]) == 0


@given(st.lists(st.sampled_from([None, 0, 4, 7.5, 30]), max_size=12))
def test_a_score_is_between_0_and_100_or_not_known(penalties):
    score = compute_over("penalty_score", penalties)
    assert (score is None) == (None in penalties)
    assert score is None or 0 <= score <= 100


def test_the_form_asks_for_what_the_table_knows():
    form = load_builtin("extraction-review")
    assert {option.value for option in form.field("error_type").options} == PAIR_PENALTIES.keys()
    assert form.field("penalty").of == OF
    assert form.field("penalty_score").of == ("penalty",)
    answers = {"review": "missing", "should_have_extracted": True, "severity": 1}
    assert derive(form.field("penalty"), answers) == 10


def test_the_guideline_shows_the_table():
    guideline = load_builtin("extraction-review").guideline
    for line in ("value drift | 12", "hallucination | 15", "should have been extracted | 10", "made up | 15"):
        assert line in guideline


FORM = """
name = "a-form"
version = "1"
title = "A form"
item = "extraction-review"
{screen}

[[fields]]
key = "cost"
per = "{per}"
kind = "{kind}"
level = "ratio"
title = "What does it cost?"

[[fields]]
key = "score"
per = "session"
kind = "derived"
level = "interval"
title = "The score"
derived = "penalty_score"
of = {of}
"""


def load(per="memory", kind="number", of='["cost"]', screen=""):
    return load_text(FORM.format(per=per, kind=kind, of=of, screen=screen), guideline="", file="a-form.toml")


def test_a_field_over_all_units_names_one_field_of_another_kind_of_unit():
    assert load().field("score").derived == "penalty_score"
    for wrong, sentence in (
        ({"per": "session"}, "computed over the units of another kind"),
        ({"kind": "text"}, "cost is a text"),
        ({"of": '["cost", "cost"]'}, "name one"),
    ):
        with pytest.raises(ProtocolError, match=sentence):
            load(**wrong)


def test_whether_a_form_has_a_screen_is_true_or_false_and_makes_no_other_form():
    assert load().screen and not load(screen="screen = false").screen
    assert load().content_hash == load(screen="screen = false").content_hash
    with pytest.raises(ProtocolError, match="must be true or false"):
        load(screen='screen = "no"')
