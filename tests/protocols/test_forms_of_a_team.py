"""What a form of a team's own starts from, and what is worth a word about one without being a mistake."""

from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from alps_tui.items.build import BUILDERS
from alps_tui.protocols.advice import advice
from alps_tui.protocols.beginning import PER, copy_of, name_refused, small_form
from alps_tui.protocols.checks import ITEM_KINDS
from alps_tui.protocols.describing import ITEM_WORDS, described, scale_words
from alps_tui.protocols.loading import ProtocolError, builtin_names, load_builtin, load_file, load_text

HOLDING = [name for name in builtin_names() if load_builtin(name).item in BUILDERS]


def of_text(form: str, guideline: str) -> list[str]:
    """What is said of a form, each as key and sentence."""
    loaded = load_text(form, guideline=guideline, file="own.toml")
    return [f"{one.key}: {one.sentence}" for one in advice(loaded, Path("own.toml"))]


@pytest.mark.parametrize("per", PER)
def test_what_a_form_starts_from_has_no_mistake_and_leaves_nothing_to_say(per):
    form, guideline = small_form("safety", per)
    assert of_text(form, guideline) == []
    assert "my-form" not in form + guideline


@pytest.mark.parametrize("name", HOLDING)
def test_a_copy_of_a_form_that_ships_asks_the_same_under_its_own_name(name):
    form, guideline = copy_of(name, "ours")
    copied, built_in = load_text(form, guideline=guideline, file="ours.toml"), load_builtin(name)
    assert (copied.name, copied.version, copied.note) == ("ours", "1", "")
    assert copied.fields == built_in.fields
    assert (copied.keys, copied.rows, copied.guideline) == (built_in.keys, built_in.rows, built_in.guideline)


def test_every_item_that_a_form_can_name_is_explained_and_can_be_made():
    """But for those of judges' answers, which only the forms that ship can show."""
    own = {item for item in ITEM_KINDS if not item.startswith("judge-alignment")}
    assert own <= set(BUILDERS)
    assert own <= set(ITEM_WORDS)


def test_an_option_the_guideline_does_not_define_is_named_with_its_line():
    form, guideline = small_form("safety", "session")
    without = guideline.replace("### `private`", "### something else")
    loaded = load_text(form, guideline=without, file="own.toml")
    (one,) = advice(loaded, Path("own.toml"))
    assert one.key == "fields.safety.options.private"
    assert form.splitlines()[one.line - 1].lstrip().startswith('{ value = "private"')


def test_what_is_missing_around_a_form_is_said():
    form, guideline = small_form("safety", "session")
    assert any("there is no guideline" in one for one in of_text(form, ""))
    assert any("no section for it" in one for one in of_text(form, "# Nothing of this"))
    asks_nothing = form.replace("required = true", "required = false")
    assert any("without a single answer" in one for one in of_text(asks_nothing, guideline))
    memories = form.replace('item = "dialogue"', 'item = "memory-verification"')
    assert any("so none is shown" in one for one in of_text(memories, guideline))
    taken = form.replace('name = "safety"', 'name = "memory-update"')
    assert any("ships with the product" in one for one in of_text(taken, guideline))


def test_a_note_does_not_change_what_is_asked_and_must_say_something():
    form, guideline = small_form("safety", "session")
    plain = load_text(form, guideline=guideline, file="own.toml")
    noted = load_text(form.replace("# note", "note"), guideline=guideline, file="own.toml")
    assert noted.content_hash == plain.content_hash
    assert noted.to_version().note.startswith("Addresses count")
    with pytest.raises(ProtocolError, match="what is different from the version before"):
        load_text(form.replace("# note = ", 'note = " " # '), guideline="", file="own.toml")


@pytest.mark.parametrize("name", ["", "Safety", "1st", "a b", "../x", "memory-update", "x" * 61, "a\x1b"])
def test_a_name_that_cannot_be_one_is_refused_with_a_sentence(name):
    assert name_refused(name)
    assert name_refused("safety-2") is None


def test_a_form_is_described_as_data_that_json_can_hold():
    import orjson

    for name in builtin_names():
        form = load_builtin(name)
        assert orjson.loads(orjson.dumps(described(form)))["name"] == name
        assert all(isinstance(scale_words(field), str) for field in form.fields)


@settings(max_examples=120, deadline=None)
@given(data=st.data())
def test_whatever_stands_in_the_files_of_a_form_they_are_read_or_their_mistakes_are_named(
    data, tmp_path_factory
):
    """Anything cut out of a form, put into it, or written instead of it."""
    form, guideline = small_form("own", data.draw(st.sampled_from(PER)))
    text = data.draw(st.one_of(st.text(), st.binary(), st.just(form), _broken(form)))
    path = tmp_path_factory.mktemp("form") / "own.toml"
    path.write_bytes(text if isinstance(text, bytes) else text.encode("utf-8", "surrogatepass"))
    about = data.draw(st.one_of(st.text(), st.just(guideline)))
    path.with_suffix(".md").write_bytes(about.encode("utf-8", "surrogatepass"))
    try:
        loaded = load_file(path)
    except ProtocolError as error:
        assert error.problems
        assert all(one.sentence and str(one).isprintable() for one in error.problems)
    else:
        assert all(str(one).isprintable() for one in advice(loaded, path))
        assert described(loaded)


@st.composite
def _broken(draw, form):
    start, end = sorted(draw(st.tuples(st.integers(0, len(form)), st.integers(0, len(form)))))
    return form[:start] + draw(st.one_of(st.text(max_size=8), st.just(""))) + form[end:]
