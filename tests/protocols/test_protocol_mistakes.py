"""Every mistake in a form is named with its file, its line, its key and a sentence."""

import pytest
from protocol_forms import HEAD, HEAD_LINES, at, choice, field, load, problems

from alps_tui.protocols.loading import RESERVED_KEYS, ProtocolError, load_builtin, load_file, load_text

SCALE = "min = 1\nmax = 5"
A_FIELD = choice("which")

MISTAKES = {
    "unknown key in a field": (
        field("f", "scale", SCALE + "\nminimum = 2"),
        "fields.f.minimum",
        "did you mean min",
    ),
    "unknown key in an option": (
        choice("f", extra='[fields.not_applicable]\nvalue = "na"\nlabel = "no"\nkye = "0"\n'),
        "fields.f.not_applicable.kye",
        "did you mean key",
    ),
    "unknown kind": (field("f", "slider"), "fields.f.kind", "'scale'"),
    "unknown unit": (field("f", "scale", SCALE, per="answer"), "fields.f.per", "'response'"),
    "unit the items do not have": (
        field("f", "scale", SCALE, per="memory"),
        "fields.f.per",
        "no memory units",
    ),
    "no level": (field("f", "scale", SCALE, level=""), "fields.f", "needs a level"),
    "wrong level": (field("f", "scale", SCALE, level="nominal"), "fields.f.level", "ordinal or interval"),
    "level of a text": (field("f", "text"), "fields.f.level", "a text has no level"),
    "title empty": (A_FIELD.replace("Which?", " "), "fields.which.title", "cannot be empty"),
    "key with a blank": (choice("a key"), "fields.a key.key", "letters, digits"),
    "key twice": (choice("f") + choice("f"), "fields.f.key", "already a field f"),
    "no min": (field("f", "scale", "max = 5"), "fields.f", "needs min and max"),
    "max below min": (field("f", "scale", "min = 5\nmax = 1"), "fields.f.max", "above min"),
    "step that misses max": (
        field("f", "scale", "min = 1\nmax = 5\nstep = 3"),
        "fields.f.step",
        "do not lead",
    ),
    "step of nothing": (field("f", "number", "step = 0", level="interval"), "fields.f.step", "above 0"),
    "endless scale": (field("f", "scale", "min = 0\nmax = 1000000"), "fields.f.max", "ask for a number"),
    "min of a choice": (choice("f", extra="min = 1\n"), "fields.f.min", "a choice has no min"),
    "min in quotes": (field("f", "scale", 'min = "1"\nmax = 5'), "fields.f.min", "number"),
    "choice without options": (field("f", "choice"), "fields.f", "needs options"),
    "options of a text": (
        choice("f").replace('"choice"', '"text"'),
        "fields.f.options",
        "a text has no options",
    ),
    "value twice": (choice("f").replace('"b"', '"a"'), "fields.f.options.a.value", "stands here twice"),
    "value that is a list": (
        choice("f").replace('"b"', '["b"]'),
        "fields.f.options.['b'].value",
        "a value is",
    ),
    "anchor beside the scale": (
        field("f", "scale", SCALE + '\noptions = [{ value = 6, label = "six" }]'),
        "fields.f.options.6.value",
        "no point of the scale",
    ),
    "does not apply as a number": (
        field("f", "scale", SCALE + '\nnot_applicable = { value = 9, label = "no" }'),
        "fields.f.not_applicable.value",
        "never a number",
    ),
    "does not apply to a text": (
        field("f", "text", 'not_applicable = { value = "na", label = "no" }', level=""),
        "fields.f.not_applicable",
        "cannot have",
    ),
    "condition on nothing": (
        choice("f", extra='visible_if = { g = "a" }\n'),
        "fields.f.visible_if.g",
        "no field g",
    ),
    "condition on a value that is none": (
        choice("g") + choice("f", extra='visible_if = { g = "c" }\n'),
        "fields.f.visible_if.g",
        "c is no answer of g",
    ),
    "condition on itself": (
        choice("f", extra='visible_if = { f = "a" }\n'),
        "fields.f.visible_if.f",
        "cannot depend on itself",
    ),
    "condition in a circle": (
        choice("f", extra='visible_if = { g = "a" }\n') + choice("g", extra='visible_if = { f = "a" }\n'),
        "fields.f.visible_if",
        "leads back to itself",
    ),
    "condition on another unit": (
        choice("g").replace('"response"', '"query"') + choice("f", extra='visible_if = { g = "a" }\n'),
        "fields.f.visible_if.g",
        "a condition stays in one unit",
    ),
    "condition on a text": (
        field("g", "text", level="") + choice("f", extra='visible_if = { g = "a" }\n'),
        "fields.f.visible_if.g",
        "names a choice",
    ),
    "reason for no value": (
        choice("f", extra='reason_if = { f = "c" }\n'),
        "fields.f.reason_if.f",
        "c is no answer",
    ),
    "reason's name taken": (
        choice("f", extra='reason_if = { f = "a" }\n') + field("f_reason", "text", level=""),
        "fields.f_reason.key",
        "name of the reason",
    ),
    "derived without a function": (
        field("g", "scale", SCALE) + field("f", "derived", 'of = ["g"]', level="interval"),
        "fields.f",
        "needs derived, one of mean",
    ),
    "derived by an unknown function": (
        field("g", "scale", SCALE) + field("f", "derived", 'derived = "magic"\nof = ["g"]', level="interval"),
        "fields.f.derived",
        "no function magic",
    ),
    "derived from nothing": (
        field("f", "derived", 'derived = "mean"', level="interval"),
        "fields.f",
        "needs of",
    ),
    "derived from an unknown field": (
        field("f", "derived", 'derived = "mean"\nof = ["g"]', level="interval"),
        "fields.f.of.0",
        "no field g",
    ),
    "derived from words": (
        choice("g") + field("f", "derived", 'derived = "mean"\nof = ["g"]', level="interval"),
        "fields.f.of.0",
        "computed from scale or number",
    ),
    "derived and required": (
        field("g", "scale", SCALE)
        + field("f", "derived", 'derived = "mean"\nof = ["g"]\nrequired = true', level="interval"),
        "fields.f.required",
        "computed",
    ),
    "derived on a scale": (
        field("f", "scale", SCALE + '\nderived = "mean"'),
        "fields.f.derived",
        "only a field of kind",
    ),
    "unknown rule": (
        field("f", "scale", SCALE + '\nconstraint = "nice"'),
        "fields.f.constraint",
        "no rule nice",
    ),
    "rule on the wrong kind": (
        field("f", "text", 'constraint = "sums_to"', level=""),
        "fields.f.constraint",
        "goes with number or scale",
    ),
    "rule without its argument": (
        field("f", "scale", SCALE + '\nconstraint = "cap_when"\nconstraint_args = { at = 0, equals = 1 }'),
        "fields.f.constraint",
        "needs field",
    ),
    "rule with a strange argument": (
        field("f", "scale", SCALE + '\nconstraint = "sums_to"\nconstraint_args = { sum = 1 }'),
        "fields.f.constraint_args.sum",
        "has no sum",
    ),
    "rule about no field": (
        field(
            "f",
            "scale",
            SCALE + '\nconstraint = "cap_when"\nconstraint_args = { field = "g", at = 0, below = 1 }',
        ),
        "fields.f.constraint_args.field",
        "no field g",
    ),
    "rule over units nobody asks about": (
        choice(
            "f",
            extra='constraint = "none_stands"\nconstraint_args = { per = "memory", field = "g", values = ["a"] }',
        ),
        "fields.f.constraint_args.per",
        "kind of other units",
    ),
    "need of what is there": (
        field("f", "scale", SCALE + '\nneeds = "response"'),
        "fields.f.needs",
        "leave this out",
    ),
    "arguments without a rule": (
        field("f", "scale", SCALE + "\nconstraint_args = { total = 1 }"),
        "fields.f.constraint_args",
        "no constraint",
    ),
    "key of two signs": (choice("f", "1", "12"), "fields.f.options.b.key", "one printable sign"),
    "key of the screen": (choice("f", "1", "j"), "fields.f.options.b.key", "same on every screen"),
    "key twice in a field": (choice("f", "1", "1"), "fields.f.options.b.key", "another option of f"),
    "letter of a field beside it": (
        choice("g", "a", "b") + choice("f", "a", "d"),
        "fields.f.options.a.key",
        "an option of g, shown beside it",
    ),
    "letter of the field it hangs on": (
        choice("g", "a", "b") + choice("f", "a", "d", 'visible_if = { g = "b" }\n'),
        "fields.f.options.a.key",
        "an option of g",
    ),
    "letter of an action": (
        choice("f", "a", "+") + '[keys]\nmerge = "+"\n',
        "fields.f.options.b.key",
        "action merge",
    ),
    "digit for an action": (A_FIELD + '[keys]\nmerge = "3"\n', "keys.merge", "digits are for options"),
    "unknown action": (A_FIELD + '[keys]\nmix = "m"\n', "keys.mix", "no action mix"),
    "key of two actions": (
        A_FIELD + '[keys]\nmerge = "m"\nsplit = "m"\n',
        "keys.split",
        "already stands for merge",
    ),
    "key of the screen for an action": (
        A_FIELD + '[keys]\nmerge = "q"\n',
        "keys.merge",
        "same on every screen",
    ),
    "units nobody asks about": (A_FIELD + "[rows.response]\nmax = 2\n", "rows.response", "nothing is asked"),
    "units of no kind": (A_FIELD + "[rows.thing]\nmax = 2\n", "rows.thing", "no units of kind thing"),
    "rows below themselves": (
        choice("f", extra='asked = "made"\n') + "[rows.response]\nmin = 3\nmax = 2\n",
        "rows.response.max",
        "not below min",
    ),
    "units that cannot be made": (
        choice("f", extra='asked = "made"\n'),
        "fields.f.asked",
        "add [rows.response]",
    ),
    "unknown table": (A_FIELD + "[colours]\nkeep = 1\n", "colours", "unknown key"),
}


@pytest.mark.parametrize("name", MISTAKES)
def test_a_mistake_is_named_with_its_key_and_what_is_wrong(name):
    body, key, words = MISTAKES[name]
    found = problems(body)
    assert found, "the form was accepted"
    problem = at(found, key)
    assert words in problem.sentence
    assert problem.file == "form.toml"
    last = key.rsplit(".", 1)[-1]
    text = (HEAD + body).split("\n")[problem.line - 1]
    assert last in text or "[[" in text or last.isdigit(), f"line {problem.line} is {text!r}"


@pytest.mark.parametrize("place", ["field", "option", "not_applicable"])
def test_a_default_is_refused_wherever_it_stands_with_the_reason(place):
    body = {
        "field": choice("f", extra='default = "a"\n'),
        "option": choice("f").replace('label = "one"', 'label = "one", default = true'),
        "not_applicable": choice(
            "f", extra='[fields.not_applicable]\nvalue = "na"\nlabel = "x"\ndefault = 1\n'
        ),
    }[place]
    found = [p for p in problems(body) if p.key.endswith("default")]
    assert len(found) == 1
    assert "a form has no defaults" in found[0].sentence
    assert "default" in (HEAD + body).split("\n")[found[0].line - 1]


def test_all_mistakes_of_a_form_are_named_at_once_in_the_order_of_its_lines():
    body = (
        field("f", "slider")
        + field("g", "scale", "max = 5\ncolour = 1")
        + choice("h", "j", "2", "visible_if = {x = 1}")
    )
    found = problems(body, HEAD.replace('version = "1"\n', "") + "shiny = true\n")
    keys = [problem.key for problem in found]
    assert {
        "shiny",
        "fields.f.kind",
        "fields.g.colour",
        "fields.h.options.a.key",
        "fields.h.visible_if.x",
    } <= set(keys)
    assert any("version must be given" in problem.sentence for problem in found)
    assert [problem.line for problem in found] == sorted(problem.line for problem in found)


def test_a_field_that_cannot_be_read_is_not_reported_missing_where_others_name_it():
    found = problems(field("g", "slider") + choice("f", extra='visible_if = { g = "a" }\n'))
    assert [problem.key for problem in found] == ["fields.g.kind"]


def test_a_text_that_is_not_toml_is_one_problem_with_its_line():
    found = problems("\n[[fields]\n")
    assert [(problem.line, problem.key) for problem in found] == [(HEAD_LINES + 2, "")]
    assert "not TOML" in found[0].sentence


def test_the_error_prints_one_line_per_mistake_with_file_line_and_key():
    with pytest.raises(ProtocolError) as caught:
        load(choice("f", "j", "2"))
    line = str(caught.value)
    assert line.startswith(f"form.toml:{HEAD_LINES + 9}: fields.f.options.a.key: the key 'j'")


@pytest.mark.parametrize("key", sorted(RESERVED_KEYS - {" "}))
def test_no_global_key_can_be_given_to_an_option(key):
    assert any("options.b.key" in problem.key for problem in problems(choice("f", "1", key)))


def test_digits_may_come_again_in_fields_that_stand_side_by_side():
    form = load(choice("f", "1", "2") + choice("g", "1", "2"))
    assert [[o.key for o in form.field(name).options] for name in "fg"] == [["1", "2"], ["1", "2"]]


def test_letters_may_come_again_in_fields_that_never_stand_side_by_side():
    gate = choice("g", "a", "b")
    form = load(
        gate
        + choice("e", "x", "w", 'visible_if = { g = "a" }\n')
        + choice("d", "x", "w", 'visible_if = { g = "b" }\n')
    )
    assert [[o.key for o in form.field(name).options] for name in "ed"] == [["x", "w"], ["x", "w"]]


def test_letters_of_fields_kept_apart_only_by_a_list_of_choices_clash():
    gate = choice("g", "a", "b").replace('"choice"', '"multi"')
    body = (
        gate
        + choice("e", "x", "w", 'visible_if = { g = "a" }\n')
        + choice("d", "x", "w", 'visible_if = { g = "b" }\n')
    )
    assert at(problems(body), "fields.d.options.a.key")


def test_what_hangs_on_a_hidden_field_is_hidden_with_it():
    form = load(
        choice("g", "a", "b")
        + choice("f", "1", "2", 'visible_if = { g = "a" }\n')
        + choice("e", "1", "2", 'visible_if = { f = "a" }\n')
    )
    assert form.field("e").visible_if == {"f": ("a",), "g": ("a",)}


def test_a_reason_is_a_required_text_field_right_after_its_question():
    form = load(choice("g", "a", "b", 'reason_if = { g = "b" }\n') + choice("f"))
    assert [f.key for f in form.fields] == ["g", "g_reason", "f"]
    reason = form.field("g_reason")
    assert (reason.kind, reason.required, reason.visible_if) == ("text", True, {"g": ("b",)})


def test_the_hash_changes_with_what_the_form_says_and_with_nothing_else():
    text = HEAD + A_FIELD
    one = load_text(text, guideline="so", file="a.toml")
    assert one.content_hash == load_text(text, guideline="so", file="b.toml").content_hash
    assert one.content_hash == load_text(text + "# more\n", guideline="thus", file="a.toml").content_hash
    changed = text.replace("Which?", "Which one?")
    assert one.content_hash != load_text(changed, guideline="so", file="a.toml").content_hash


def test_a_file_is_loaded_with_the_guideline_beside_it(tmp_path):
    form = tmp_path / "team.toml"
    form.write_text(HEAD + A_FIELD, encoding="utf-8")
    assert load_file(form).guideline == ""
    (tmp_path / "team.md").write_text("# How\r\nto\n", encoding="utf-8")
    assert load_file(form).guideline == "# How\nto\n"
    (tmp_path / "other.md").write_text("other", encoding="utf-8")
    form.write_text(HEAD + 'guideline = "other.md"\n' + A_FIELD, encoding="utf-8")
    assert load_file(form).guideline == "other"


def test_a_file_that_is_not_there_or_not_text_is_a_problem_and_no_traceback(tmp_path):
    with pytest.raises(ProtocolError, match="there is no file"):
        load_file(tmp_path / "none.toml")
    bad = tmp_path / "bad.toml"
    bad.write_bytes(b"\xff\xfe")
    with pytest.raises(ProtocolError, match=r"bad\.toml is not UTF-8"):
        load_file(bad)
    form = tmp_path / "team.toml"
    form.write_text(HEAD + 'guideline = "gone.md"\n' + A_FIELD, encoding="utf-8")
    with pytest.raises(ProtocolError) as caught:
        load_file(form)
    assert [(p.line, p.key) for p in caught.value.problems] == [(HEAD_LINES + 1, "guideline")]


def test_an_unknown_built_in_form_is_refused_with_the_names_there_are():
    with pytest.raises(KeyError, match="memory-verification, response-preference"):
        load_builtin("none")
