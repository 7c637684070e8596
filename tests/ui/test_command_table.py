"""Every action has an id, keys that no form may take, and a place in help and palette."""

import re
from collections import Counter
from pathlib import Path

from alps_tui.protocols.loading import RESERVED_KEYS, builtin_names, load_builtin
from alps_tui.ui.commands import COMMANDS, FORM_COMMANDS, by_key, key_name, remapped, with_form_keys
from alps_tui.ui.screens.acting import Acting
from alps_tui.ui.screens.intent_acts import IntentActs
from alps_tui.ui.screens.looking import Looking
from alps_tui.ui.screens.marking import Marking
from alps_tui.ui.screens.pool_acts import PoolActs


def test_no_two_commands_share_a_key_or_an_id() -> None:
    assert max(Counter(key for command in COMMANDS for key in command.keys).values()) == 1
    assert max(Counter(command.id for command in (*COMMANDS, *FORM_COMMANDS.values())).values()) == 1


def test_no_form_can_take_the_key_of_a_command() -> None:
    assert {key for command in COMMANDS for key in command.keys} <= RESERVED_KEYS


def test_every_command_can_be_done() -> None:
    doers = (Acting, Looking, Marking, PoolActs, IntentActs)
    for command in (*COMMANDS, *FORM_COMMANDS.values()):
        assert any(hasattr(doer, f"do_{command.id}") for doer in doers), command.id


def test_the_keys_of_every_form_that_ships_clash_with_nothing() -> None:
    for name in builtin_names():
        form = load_builtin(name)
        commands = with_form_keys(form.keys)
        taken = by_key(commands)
        assert len(taken) == sum(len(c.keys) for c in commands), name
        letters = [o.key for f in form.fields for o in f.choices if o.key and not o.key.isdigit()]
        assert not set(letters) & set(taken), name


def test_a_keymap_gives_any_command_other_keys() -> None:
    changed = by_key(remapped(COMMANDS, {"submit": ("S", "ctrl+y")}))
    assert changed["S"].id == changed["ctrl+y"].id == "submit"
    assert "enter" not in changed


def test_a_key_is_named_by_the_sign_it_prints() -> None:
    assert key_name("left_square_bracket", "[") == "["
    assert key_name("upper_n", "N") == "N"
    assert key_name("space", " ") == "space"
    assert key_name("enter", "\r") == "enter"
    assert key_name("ctrl+p", "\x10") == "ctrl+p"


def test_the_readme_names_every_key_that_is_one_sign() -> None:
    readme = (Path(__file__).parents[2] / "README.md").read_text(encoding="utf-8")
    named = set(re.findall(r"`([^`\s])`", readme))
    assert {key for command in COMMANDS for key in command.keys if len(key) == 1} <= named
