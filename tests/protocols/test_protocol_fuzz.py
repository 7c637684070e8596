"""Whatever a form holds, it is loaded or its mistakes are named: nothing else happens."""

import copy
import tomllib
from datetime import date

from hypothesis import given, settings
from hypothesis import strategies as st
from protocol_forms import choice, problems

from alps_tui.protocols.checks import check
from alps_tui.protocols.loading import _build, builtin_names, load_builtin
from alps_tui.protocols.schema import Field, Option, Protocol
from store.kinds import UnitKind

FORMS = [tomllib.loads(load_builtin(name).source) for name in builtin_names()]
WORDS = sorted(
    {*Field.model_fields, *Option.model_fields, *Protocol.model_fields, "default", "memory", "verdict"}
)

values = st.recursive(
    st.booleans()
    | st.integers(-3, 12)
    | st.floats()
    | st.just(10**12)
    | st.just(date(2026, 1, 1))
    | st.sampled_from(
        ["", "keep", "edit", "1", "j", "scale", "number", "memory", "nominal", "\x1b[31m", "a b"]
    ),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.sampled_from(WORDS), inner, max_size=3),
    max_leaves=5,
)


def places(value, path=()):
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for step, inner in pairs:
        yield (*path, step)
        yield from places(inner, (*path, step))


@st.composite
def mutated(draw):
    """A built-in form with up to three places replaced, removed or added to."""
    form = copy.deepcopy(draw(st.sampled_from(FORMS)))
    for _ in range(draw(st.integers(1, 3))):
        path = draw(st.sampled_from(list(places(form))))
        holder = form
        for step in path[:-1]:
            holder = holder[step]
        action = draw(st.sampled_from(["replace", "remove", "add"]))
        if action == "remove":
            del holder[path[-1]]
        elif action == "add" and isinstance(holder, dict):
            holder[draw(st.sampled_from(WORDS))] = draw(values)
        else:
            holder[path[-1]] = draw(values)
    return form


@settings(max_examples=150, deadline=None)
@given(mutated())
def test_a_form_with_anything_in_it_is_checked_without_an_exception(raw):
    mistakes = check(raw)
    assert all(mistake.sentence for mistake in mistakes)
    if not mistakes:
        form = _build(raw, "", "")
        assert form.to_version().fields
        for kind in UnitKind:
            assert all(field.per == kind for field in form.fields_of(kind, made=True))


def test_a_mistake_is_one_printable_line_whatever_the_form_holds():
    found = problems(choice("f").replace('value = "b"', 'value = "a\\u001b[31m\\n"') + choice("f"))
    assert found
    assert all(str(problem).isprintable() for problem in found)
