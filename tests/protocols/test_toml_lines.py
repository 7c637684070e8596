"""The line of every key of a TOML text."""

import tomllib
from importlib import resources

import pytest
from hypothesis import given
from hypothesis import strategies as st

from alps_tui.protocols.toml_lines import line_of, locate

TEXT = '''# a form
name = "x"  # its name
"quoted key" = 1
a.b = 2

[table]
long = """
one
two \\""" three
"""
raw = \'\'\'
[not.a.table]
\'\'\'
after = [
  1, # one
  [2, 3],
  { deep = "}", other = ["]", "#"] },
]

[[things]]
key = "first"
[[things.parts]]
value = 1
[[things.parts]]
value = 2
[things.more]
x = 1
[[things]]
key = "second"
[[things.parts]]
value = 3
'''


def test_every_key_of_a_text_has_the_line_it_stands_on():
    lines = locate(TEXT)
    rows = TEXT.split("\n")
    expected = {
        ("name",): 'name = "x"  # its name',
        ("quoted key",): '"quoted key" = 1',
        ("a", "b"): "a.b = 2",
        ("table", "long"): 'long = """',
        ("table", "after"): "after = [",
        ("table", "after", 1): "  [2, 3],",
        ("table", "after", 2, "other"): '  { deep = "}", other = ["]", "#"] },',
        ("things", 0, "key"): 'key = "first"',
        ("things", 0, "parts", 1, "value"): "value = 2",
        ("things", 0, "more", "x"): "x = 1",
        ("things", 1, "key"): 'key = "second"',
        ("things", 1, "parts", 0, "value"): "value = 3",
    }
    assert {path: rows[lines[path] - 1] for path in expected} == expected


def test_a_path_that_is_not_there_has_the_line_of_what_is_around_it():
    lines = locate(TEXT)
    assert line_of(lines, ("things", 1, "missing")) == lines[("things", 1)]
    assert line_of(lines, ("nowhere", "at", "all")) == 1


@pytest.mark.parametrize("name", ["memory-verification", "response-rating"])
def test_every_leaf_of_a_built_in_form_is_located_on_a_line_that_names_it(name):
    text = (resources.files("alps_tui.protocols") / f"{name}.toml").read_text(encoding="utf-8")
    lines, rows = locate(text), text.split("\n")
    for path in leaves(tomllib.loads(text)):
        names = [step for step in path if isinstance(step, str)]
        assert names[-1] in rows[lines[path] - 1], path


def leaves(value, path=()):
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    found = False
    for step, inner in pairs:
        found = True
        yield from leaves(inner, (*path, step))
    if not found and path:
        yield path


@given(st.lists(st.text(alphabet='ab"\\\n#[]{}=,é猫', max_size=12), min_size=1, max_size=5))
def test_no_text_inside_a_string_moves_the_keys_after_it(texts):
    rows = []
    for i, text in enumerate(texts):
        quoted = "".join(f"\\u{ord(c):04x}" if c in '"\\' or c < " " else c for c in text)
        multi = text.replace("\\", "\\\\").replace('"', '\\"')
        rows += [f'one{i} = "{quoted}"', f'many{i} = """', *f'{multi}"""'.split("\n"), f"[t{i}]"]
    source = "\n".join(rows)
    tomllib.loads(source)
    lines = locate(source)
    for i in range(len(texts)):
        assert rows[lines[(f"t{i}",)] - 1] == f"[t{i}]"
