"""Which fields are shown and missing, which values are allowed, and what a memory must be."""

import pytest
from hypothesis import given
from hypothesis import strategies as st
from protocol_forms import choice, field, load

from alps_tui.protocols import rules, taxonomy
from alps_tui.protocols.loading import load_builtin
from store.kinds import RECORD_KEYS, UnitKind

MEMORY = {
    "memory_id": "m1",
    "type": "direct",
    "label": "Preferences/Food",
    "label_suggestion": None,
    "value": "Vegan for six years",
    "reasoning": "Says so.",
    "evidence": {"session_id": "s", "utterance_index": 0, "text": "I've been vegan for six years"},
    "confidence": 0.95,
    "time_scope": "long_term",
    "emotion": None,
    "preference_attitude": "like",
}


@pytest.fixture(scope="module")
def verification():
    return load_builtin("memory-verification")


def keys(fields):
    return [f.key for f in fields]


def test_nothing_is_answered_before_it_is_answered(verification):
    assert keys(rules.missing(verification, UnitKind.MEMORY, {})) == ["verdict"]
    assert keys(rules.missing(verification, UnitKind.SESSION, {})) == ["faithfulToOriginalMeaning"]
    rating = load_builtin("response-rating")
    wanted = ["preference_alignment", "resonation", "expression", "reception"]
    wanted += ["claimed_memories", "error_spans"]
    assert keys(rules.missing(rating.for_ability(None), UnitKind.RESPONSE, {})) == wanted
    assert keys(rules.missing(rating, UnitKind.RESPONSE_PREFERENCE, {})) == ["preference_status"]


@pytest.mark.parametrize(
    ("answers", "wanted"),
    [
        ({"verdict": "keep"}, []),
        ({"verdict": "in_doubt"}, []),
        ({"verdict": "edit"}, ["edit_reason", "memory"]),
        ({"verdict": "edit", "edit_reason": ["label"], "memory": MEMORY}, []),
        ({"verdict": "delete"}, ["delete_reason"]),
        ({"verdict": "delete", "delete_reason": "duplicate"}, []),
    ],
)
def test_a_verdict_asks_for_what_follows_from_it_and_nothing_else(verification, answers, wanted):
    assert keys(rules.missing(verification, UnitKind.MEMORY, answers)) == wanted


def test_a_memory_the_rater_makes_needs_its_record_and_no_verdict(verification):
    assert keys(rules.missing(verification, UnitKind.MEMORY, {}, made=True)) == ["memory"]
    assert rules.missing(verification, UnitKind.MEMORY, {"memory": MEMORY}, made=True) == ()


def test_a_field_marked_cannot_judge_is_not_missing(verification):
    settled = {"faithfulToOriginalMeaning"}
    assert rules.missing(verification, UnitKind.SESSION, {}, settled=settled) == ()


def test_changing_a_verdict_names_the_answers_that_are_hidden_by_it(verification):
    answers = {"verdict": "delete", "edit_reason": ["label"], "memory": MEMORY, "delete_reason": "private"}
    assert rules.hidden_answers(verification, UnitKind.MEMORY, answers) == ("edit_reason", "memory")


def test_an_answer_behind_a_closed_door_opens_no_other(verification):
    answers = {"verdict": "keep", "delete_reason": "duplicate"}
    assert not rules.visible(verification.field("duplicate_of"), answers)


def test_a_list_of_choices_shows_what_hangs_on_any_of_them():
    form = load(
        choice("g").replace('"choice"', '"multi"') + choice("f", extra='visible_if = { g = "b" }\n'),
    )
    assert rules.visible(form.field("f"), {"g": ["a", "b"]})
    assert not rules.visible(form.field("f"), {"g": ["a"]})


def test_does_not_apply_is_an_answer_and_no_point_of_the_scale():
    scale = load_builtin("response-rating").field("reception")
    assert rules.check_value(scale, "na") is None
    assert "na" not in scale.values
    assert scale.option_for("0").value == "na"
    assert load_builtin("response-rating").to_version().fields[0].scale == (1, 2, 3, 4, 5)


@pytest.mark.parametrize("value", [0, 6, "3", True, 2.5, None, [3]])
def test_a_value_off_the_scale_is_refused_with_a_sentence(value):
    scale = load_builtin("response-rating").field("reception")
    assert "choose one of" in rules.check_value(scale, value)


def test_each_point_of_a_scale_of_single_digits_has_its_own_digit():
    scale = load_builtin("response-rating").field("expression")
    assert [scale.option_for(str(n)).value for n in range(1, 6)] == [1, 2, 3, 4, 5]


def test_a_scale_in_tenths_holds_exactly_its_points():
    form = load(field("f", "scale", "min = 0\nmax = 1\nstep = 0.1"))
    points = form.field("f").values
    assert points == (0.0, 0.1, 0.2, 0.3, 0.4, 0.5, 0.6, 0.7, 0.8, 0.9, 1.0)
    assert all(rules.check_value(form.field("f"), point) is None for point in points)


def test_a_list_of_choices_is_checked_for_strangers_twins_and_number():
    form = load(
        choice("f").replace('"choice"', '"multi"') + choice("g").replace('"choice"', '"multi"\nmax = 1')
    )
    one = form.field("f")
    assert rules.check_value(one, ["a", "b"]) is None
    assert "choose among" in rules.check_value(one, ["z"])
    assert "twice" in rules.check_value(one, ["a", "a"])
    assert "at least 1" in rules.check_value(one, [])
    assert "a list" in rules.check_value(one, "a")
    assert "at most 1" in rules.check_value(form.field("g"), ["a", "b"])


def test_a_number_keeps_to_its_bounds_and_steps():
    number = load(field("f", "number", "min = 0\nmax = 100\nstep = 5", level="interval")).field("f")
    assert rules.check_value(number, 95) is None
    assert "from 0 to 100" in rules.check_value(number, 101)
    assert "steps of 5" in rules.check_value(number, 7)
    assert "a number" in rules.check_value(number, "95")
    assert "a number" in rules.check_value(number, True)


def test_a_passage_is_a_turn_and_a_stretch_of_it(verification):
    evidence = verification.field("evidence")
    assert rules.check_value(evidence, [{"turn": 3, "start": 0, "end": 9}]) is None
    for wrong in (
        [],
        [{"turn": 3}],
        [{"turn": 3, "start": 5, "end": 5}],
        [{"turn": -1, "start": 0, "end": 1}],
        "t",
    ):
        assert rules.check_value(evidence, wrong)


def test_a_text_of_blanks_is_no_answer(verification):
    assert rules.check_value(verification.field("duplicate_of"), "  ")
    assert "one line" in rules.check_value(verification.field("duplicate_of"), "gold:m1\ngold:m2")


def test_a_derived_value_is_computed_and_never_answered():
    scales = field("a", "scale", "min = 1\nmax = 5") + field("b", "scale", "min = 1\nmax = 5")
    form = load(scales + field("f", "derived", 'derived = "mean"\nof = ["a", "b"]', level="interval"))
    mean = form.field("f")
    assert rules.derive(mean, {"a": 2, "b": 5}) == 3.5
    assert rules.derive(mean, {"a": 2}) is None
    assert rules.derive(mean, {"a": 2, "b": "na"}) is None
    assert "computed" in rules.check_value(mean, 3.5)
    assert rules.missing(form, UnitKind.RESPONSE, {"a": 1, "b": 1}) == ()


def test_a_capped_value_keeps_what_was_typed_beside_it():
    body = field("alignment", "number", "min = 0\nmax = 1", level="interval") + field(
        "overall",
        "number",
        'min = 0\nmax = 1\nconstraint = "cap_when"\nconstraint_args = { field = "alignment", below = 0.5, at = 0.2 }',
        level="interval",
    )
    overall = load(body).field("overall")
    capped = rules.cap(overall, 0.9, {"alignment": 0.4})
    assert (capped.value, capped.raw) == (0.2, 0.9)
    assert "0.9 is kept beside" in capped.sentence
    assert rules.cap(overall, 0.9, {"alignment": 0.5}) == rules.Capped(0.9)
    assert rules.cap(overall, 0.1, {"alignment": 0.4}) == rules.Capped(0.1)


def test_probabilities_of_all_units_must_sum_to_one():
    body = field("p", "number", 'min = 0\nmax = 1\nconstraint = "sums_to"', level="ratio")
    form = load(body)
    found = rules.check_units(form, UnitKind.RESPONSE, [{"p": 0.5}, {"p": 0.3}])
    assert [(f.key, "now they come to 0.8" in sentence) for f, sentence in found] == [("p", True)]
    assert rules.check_units(form, UnitKind.RESPONSE, [{"p": 0.7}, {"p": 0.31}, {}]) == ()
    assert rules.check_units(form, UnitKind.RESPONSE, [{}]) == ()


def test_a_form_says_how_many_units_its_rater_may_make(verification):
    made = choice("f", extra='asked = "made"\n') + "[rows.response]\nmin = 1\nmax = 2\n"
    form = load(made)
    assert "at least 1" in rules.check_rows(form, UnitKind.RESPONSE, 0)
    assert rules.check_rows(form, UnitKind.RESPONSE, 2) is None
    assert "at most 2" in rules.check_rows(form, UnitKind.RESPONSE, 3)
    assert rules.check_rows(verification, UnitKind.MEMORY, 40) is None
    assert rules.check_rows(verification, UnitKind.SESSION, 1)


# ---------------------------------------------------------------- the memory record

BROKEN = {
    "type": ({"type": "implied"}, "type"),
    "label": ({"label": "Thoughts/Opinions/Curiosity", "preference_attitude": None}, "label"),
    "no label": ({"label": None, "preference_attitude": None}, "label"),
    "unmapped without suggestion": ({"label": "UNMAPPED", "preference_attitude": None}, "suggestion"),
    "suggestion beside a label": ({"label_suggestion": "Food/Diet/Vegan"}, "suggestion"),
    "empty value": ({"value": " \n"}, "value"),
    "confidence of 8": ({"confidence": 8}, "confidence"),
    "confidence in quotes": ({"confidence": "0.8"}, "confidence"),
    "confidence true": ({"confidence": True}, "confidence"),
    "scope": ({"time_scope": "past"}, "time_scope"),
    "emotion": ({"emotion": "frustration"}, "emotion"),
    "no attitude": ({"preference_attitude": None}, "attitude"),
    "misspelt attitude": ({"preference_attitude": "liike"}, "attitude"),
    "attitude of a thought": ({"label": "Thoughts/Curiosity"}, "attitude"),
    "evidence a word": ({"evidence": "turn 3"}, "evidence"),
    "evidence before the dialogue": ({"evidence": {"utterance_index": -1, "text": ""}}, "evidence"),
}


def test_a_sound_record_breaks_nothing():
    assert rules.check_memory(MEMORY) == ()


@pytest.mark.parametrize("name", BROKEN)
def test_each_invariant_is_named_when_it_breaks_and_nothing_else_is(name):
    change, code = BROKEN[name]
    problems = rules.check_memory(MEMORY | change)
    assert [p.code for p in problems] == [code]
    assert all(p.binding for p in problems)


@pytest.mark.parametrize("name", BROKEN)
def test_what_the_proposal_broke_already_does_not_bind_who_edits_its_words(verification, name):
    change, code = BROKEN[name]
    before = MEMORY | change
    words = (
        {"label_suggestion": before["label_suggestion"]} if code == "value" else {"value": "Vegan since 2019"}
    )
    after = before | words
    assert [(p.code, p.binding) for p in rules.check_memory(after, before)] == [(code, False)]
    assert rules.check_value(verification.field("memory"), after, before) is None
    assert rules.check_value(verification.field("memory"), after)


def test_changing_the_label_makes_the_attitude_binding_again(verification):
    before = MEMORY | {"label": "Plans/Schedule"}
    after = before | {"label": "Thoughts/Curiosity"}
    assert [(p.code, p.binding) for p in rules.check_memory(after, before)] == [("attitude", True)]
    assert rules.check_value(verification.field("memory"), after, before)


@pytest.mark.parametrize(
    "evidence",
    [
        None,
        [],
        {"session_id": "s", "utterance_index": [1, 2], "text": "x"},
        {"turn_indices": [4], "turns": [{"index": 4, "role": "user", "text": "x"}]},
        [{"turn": 1, "start": 0, "end": 4, "quote": "x"}],
        {"text": "x"},
    ],
)
def test_every_shape_of_evidence_the_data_comes_in_is_accepted(evidence):
    assert rules.check_memory(MEMORY | {"evidence": evidence}) == ()


json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False) | st.text(max_size=8),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(max_size=6), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(RECORD_KEYS), json_values))
def test_any_record_gets_sentences_and_never_an_exception(record):
    for problem in rules.check_memory(record):
        assert problem.sentence
        assert problem.key in RECORD_KEYS


@given(json_values)
def test_any_value_for_any_field_of_the_built_in_forms_is_judged_without_an_exception(value):
    for name in ("memory-verification", "response-rating"):
        for f in load_builtin(name).fields:
            assert rules.check_value(f, value) is None or isinstance(rules.check_value(f, value), str)


# ---------------------------------------------------------------- vocabularies


def test_there_are_34_labels_and_unmapped_each_with_a_meaning_grouped_as_in_the_prompt():
    assert len(taxonomy.LABELS) == len(set(taxonomy.LABELS)) == 35
    assert taxonomy.LABELS[-1] == taxonomy.UNMAPPED
    assert all(label.means.endswith(".") for label in taxonomy.PICKER)
    assert [len(labels) for labels in taxonomy.GROUPS.values()] == [4, 3, 4, 8, 5, 2, 5, 3, 1]


def test_the_labels_are_those_of_the_real_prompt():
    import json

    from paths import ALPSBENCH

    if not ALPSBENCH.is_dir():
        pytest.skip("the shared data is not beside this checkout")
    packet = json.loads(next((ALPSBENCH / "session_packets").glob("*.json")).read_text(encoding="utf-8"))
    prompt = packet["task1"]["memory_extraction_query"]
    listed = prompt.split("[Label taxonomy]")[1].split("[Confidence]")[0]
    labels = [line[2:] for line in listed.splitlines() if line.startswith("- ")]
    assert tuple(labels) == taxonomy.LABELS[:-1]


@pytest.mark.parametrize("judge", ["ability", "emotion", "extraction", "update", "use"])
def test_an_issue_that_the_list_does_not_know_is_put_in_words(judge: str) -> None:
    form = load_builtin(f"judge-alignment-{judge}")
    said = {"humanVerdict": "not_supported", "issueTypes": ["other"]}
    (found,) = rules.check_unit(form, UnitKind.JUDGE_FIELD, said)
    assert found[0].key == "suggestedCorrection" and "say here what is wrong" in found[1]
    assert not rules.check_unit(
        form, UnitKind.JUDGE_FIELD, said | {"suggestedCorrection": "It is off topic."}
    )
    listed = next(o.value for f in form.fields if f.key == "issueTypes" for o in f.options)
    assert not rules.check_unit(form, UnitKind.JUDGE_FIELD, said | {"issueTypes": [listed]})
