"""A keymap file: any key of the annotate screen can be another one, and every mistake in it is named."""

from pathlib import Path

import pytest
from at_the_desk import VERIFY, tiny_desk

from alps_tui.protocols.loading import builtin_names, load_builtin
from alps_tui.ui.commands import COMMANDS, REVIEW_COMMANDS
from alps_tui.ui.keymap import Keymap, KeymapError, load_keymap, template
from store.kinds import UnitKind

FORMS = {name: load_builtin(name) for name in builtin_names()}


def keymap(folder: Path, text: str) -> Keymap:
    file = folder / "keymap.toml"
    file.write_text(text, encoding="utf-8")
    return load_keymap(file, FORMS)


def test_the_template_changes_nothing(tmp_path: Path) -> None:
    same = keymap(tmp_path, template(FORMS))
    assert same.commands == {c.id: c.keys for c in (*COMMANDS, *REVIEW_COMMANDS) if c.id != "palette"}
    assert all(
        same.form(form).fields == form.fields and same.form(form).keys == form.keys for form in FORMS.values()
    )


def test_a_form_with_other_keys_is_the_same_form(tmp_path: Path) -> None:
    known = FORMS[VERIFY].fields_of(UnitKind.MEMORY)
    form = keymap(tmp_path, '[memory-verification]\n"verdict.keep" = "p"\n').form(FORMS[VERIFY])
    asked = form.fields_of(UnitKind.MEMORY)
    assert [field.key for field in asked] == [field.key for field in known]
    assert next(field for field in asked if field.key == "verdict").options[0].key == "p"
    assert FORMS[VERIFY].fields_of(UnitKind.MEMORY) == known
    assert form.to_version() == FORMS[VERIFY].to_version()


def test_a_point_of_a_scale_that_only_has_its_digit_can_have_another_key(tmp_path: Path) -> None:
    known = FORMS["response-rating"].field("alignment")
    form = keymap(tmp_path, '[response-rating]\n"alignment.0.3" = "t"\n').form(FORMS["response-rating"])
    points = {point.value: point.key for point in form.field("alignment").choices}
    assert points == {point.value: point.key for point in known.choices} | {0.3: "t"}


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ('[keys]\nundoo = "w"\n', (":2:", "no command 'undoo'", "undo")),
        ("[keys]\nundo = 3\n", (":2:", "a key is a text")),
        ("[keys]\nundo = []\n", (":2:", "undo needs a key")),
        ('[keys]\nundo = "ctrl+ü"\n', (":2:", "is no key")),
        ('[keys]\npalette = "p"\n', (":2:", "stays on ctrl+p")),
        ('[keys]\n\nundo = "s"\n', (":3:", "s stands for both")),
        ('[keys]\n\npair = "s"\n', (":3:", "s stands for both")),
        ('[keys]\nundo = "w"\nwhy = "w"\n', ("w stands for both",)),
        ('[keys]\nundo = "a"\n', (":1:", "memory-verification", "'a'")),
        ('[keys]\nundo = "4"\n', (":2:", "is no key")),
        ('[other-form]\nx = "y"\n', (":1:", "no form 'other-form'")),
        ('[memory-verification]\n"verdict.kept" = "p"\n', (":2:", "verdict.kept", "verdict.keep")),
        ('[memory-verification]\nverdict.keep = "p"\n', (":2:", "in quotes")),
        ('[memory-verification]\n"verdict.keep" = "x"\n', (":1:", "already stands for")),
        ('[memory-verification]\n"verdict.keep" = "ctrl+k"\n', (":2:", "one printable sign")),
        ("keys = 3\n", ("is a table",)),
        ("[keys\n", (":1: this is not TOML",)),
    ],
)
def test_every_mistake_is_named_with_its_line(tmp_path: Path, text: str, words: tuple[str, ...]) -> None:
    with pytest.raises(KeymapError) as caught:
        keymap(tmp_path, text)
    assert all(word in str(caught.value) for word in words), str(caught.value)


async def test_decisions_are_made_with_the_keys_of_the_file_and_the_screen_names_them(tmp_path: Path) -> None:
    own = '[keys]\nundo = "f5"\nsubmit = ["S", "insert"]\n\n[memory-verification]\n"verdict.keep" = "p"\n'
    async with tiny_desk(tmp_path, keymap=keymap(tmp_path, own)) as desk:
        await desk.press("p")
        assert desk.answer("m1", "verdict").value == "keep"
        assert "p keep" in desk.screen()
        assert "S submit" in desk.screen()
        await desk.press("a", "u")
        assert desk.answer("m1", "verdict").value == "keep"
        assert desk.answer("m2", "verdict") is None
        await desk.press("f5")
        assert desk.answer("m1", "verdict") is None
        await desk.press("enter")
        assert "Not yet" not in desk.screen()
        await desk.press("insert")
        assert "Not yet" in desk.screen()
