"""A keymap file: other keys for the commands of the annotate screen, and for the answers and actions of a form."""

import json
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from textual.keys import Keys

from alps_tui.protocols.key_checks import check_keys
from alps_tui.protocols.mistakes import Mistake
from alps_tui.protocols.schema import Field, Option, Protocol
from alps_tui.protocols.toml_lines import line_of, locate, not_toml
from alps_tui.ui.commands import COMMANDS, REVIEW_COMMANDS, by_key, remapped

GLOBAL = "keys"
"""The table of the file that holds the commands; every other table is a form's name."""
EVERY = COMMANDS + REVIEW_COMMANDS
FIXED = {"palette": "ctrl+p"}
"""What no keymap can move, so that there is always a way to every action."""

Json = Any
Forms = Mapping[str, Protocol]


class KeymapError(Exception):
    """A keymap that cannot be used, with every mistake found in it, a line each."""


@dataclass(frozen=True, slots=True)
class Keymap:
    """Keys in place of ours.

    commands   command → its keys
    forms      form → its actions (`add_memory`) and answers (`verdict.keep`) → the key
    """

    commands: Mapping[str, tuple[str, ...]] = field(default_factory=dict)
    forms: Mapping[str, Mapping[str, str]] = field(default_factory=dict)

    def form(self, protocol: Protocol) -> Protocol:
        """The same form with these keys. What it asks, and so its hash, stays."""
        own = self.forms.get(protocol.name, {})
        if not own:
            return protocol
        return protocol.with_keys(
            tuple(_with_keys(one, own) for one in protocol.fields),
            {action: own.get(action, key) for action, key in protocol.keys.items()},
        )


def load_keymap(path: Path, forms: Forms) -> Keymap:
    """The keymap in a TOML file.

    forms    those the program knows, by name

    raises   KeymapError with every mistake: its line, what is wrong and what there is
    """
    try:
        text = path.read_text(encoding="utf-8")
        raw = tomllib.loads(text)
    except OSError as error:
        raise KeymapError(f"The keymap {path} cannot be read: {error.strerror or error}.") from error
    except UnicodeDecodeError as error:
        raise KeymapError(f"The keymap {path} cannot be read: it is not UTF-8.") from error
    except tomllib.TOMLDecodeError as error:
        line, what = not_toml(error, text)
        raise KeymapError(f"{path}:{line}: {what}.") from error
    mistakes = [*_commands_wrong(raw.get(GLOBAL, {})), *_forms_wrong(raw, forms)]
    if not mistakes:
        keymap = _keymap(raw)
        mistakes = [*_clashes(keymap, forms)]
    if mistakes:
        lines = locate(text)
        said = sorted({(line_of(lines, one.path), one.sentence) for one in mistakes})
        raise KeymapError("\n".join(f"{path}:{line}: {sentence}." for line, sentence in said))
    return keymap


def template(forms: Forms) -> str:
    """A keymap file that changes nothing: every key there is, to be put in other words."""
    parts = ["# Keys of Alps: change what you like and leave out the rest.", f"\n[{GLOBAL}]"]
    for command in EVERY:
        if command.id not in FIXED:
            parts.append(f"{command.id} = {json.dumps(list(command.keys))}  # {command.title}")
    for form in forms.values():
        keys = {**form.keys, **{name: o.key for name, o in _answers(form) if o.key and not o.key.isdigit()}}
        if keys and form.screen:
            parts.append(f"\n[{form.name}]")
            parts += [f"{json.dumps(name)} = {json.dumps(key)}" for name, key in keys.items()]
    return "\n".join(parts) + "\n"


# ---------------------------------------------------------------- reading


def _keymap(raw: Mapping[str, Json]) -> Keymap:
    commands = {name: _listed(keys) for name, keys in raw.get(GLOBAL, {}).items()}
    return Keymap(commands, {name: keys for name, keys in raw.items() if name != GLOBAL})


def _listed(keys: Json) -> tuple[str, ...]:
    return (keys,) if isinstance(keys, str) else tuple(keys)


def _answers(form: Protocol) -> Iterator[tuple[str, Option]]:
    """The name of each answer that can have a key, `field.value`, and its option."""
    for one in form.fields:
        for option in one.choices:
            yield _name(one, option), option


def _name(one: Field, option: Option) -> str:
    value = option.value if isinstance(option.value, str) else json.dumps(option.value)
    return f"{one.key}.{value}"


def _with_keys(one: Field, own: Mapping[str, str]) -> Field:
    """The field with other keys; a point of a scale that only had its digit becomes an option for its new one."""
    named = {_name(one, choice): choice for choice in one.choices}
    moved = {
        name: choice.model_copy(update={"key": own[name]})
        for name, choice in named.items()
        if own.get(name, choice.key) != choice.key
    }
    aside = one.not_applicable and moved.pop(_name(one, one.not_applicable), one.not_applicable)
    options = {_name(one, option): option for option in one.options} | moved
    ordered = tuple(options[name] for name in named if name in options)
    return one.model_copy(update={"options": ordered, "not_applicable": aside})


# ---------------------------------------------------------------- mistakes


def _commands_wrong(commands: Json) -> Iterator[Mistake]:
    if not isinstance(commands, dict):
        yield Mistake((GLOBAL,), f"[{GLOBAL}] is a table: a command, and its key or keys")
        return
    known = {command.id for command in EVERY}
    for name, keys in commands.items():
        at = (GLOBAL, name)
        if name in FIXED:
            yield Mistake(at, f"{name} stays on {FIXED[name]}, so that every action can always be reached")
        elif name not in known:
            yield Mistake(
                at, f"there is no command {name!r}; there are {', '.join(sorted(known - set(FIXED)))}"
            )
        elif not (
            isinstance(keys, str) or (isinstance(keys, list) and all(isinstance(k, str) for k in keys))
        ):
            yield Mistake(at, "a key is a text, several keys are a list of texts")
        elif not _listed(keys):
            yield Mistake(at, f"{name} needs a key; leave the line out to keep ours")
        else:
            for key in _listed(keys):
                if not _is_a_key(key):
                    yield Mistake(at, f"{key!r} is no key: one sign, or a name such as f5, insert or ctrl+y")


def _is_a_key(key: str) -> bool:
    if len(key) == 1:
        return key.isprintable() and key != " " and not key.isdigit()
    return key in {known.value for known in Keys}


def _forms_wrong(raw: Mapping[str, Json], forms: Forms) -> Iterator[Mistake]:
    for name, keys in raw.items():
        if name == GLOBAL:
            continue
        if name not in forms:
            yield Mistake((name,), f"there is no form {name!r}; there are {', '.join(sorted(forms))}")
        elif not isinstance(keys, dict):
            yield Mistake((name,), f"[{name}] is a table: an action or an answer, and its key")
        else:
            yield from _form_wrong(forms[name], keys)


def _form_wrong(form: Protocol, keys: Mapping[str, Json]) -> Iterator[Mistake]:
    known = {*form.keys, *(name for name, _ in _answers(form))}
    for what, key in keys.items():
        at = (form.name, what)
        if isinstance(key, dict):
            yield Mistake(at, f'write an answer in quotes, "{what}.…" = "key"')
        elif what not in known:
            yield Mistake(
                at, f"{form.name} has no action or answer {what!r}; it has {', '.join(sorted(known))}"
            )
        elif not isinstance(key, str) or len(key) != 1 or not key.isprintable() or key == " ":
            yield Mistake(at, "the key of an action or answer is one printable sign")


def _clashes(keymap: Keymap, forms: Forms) -> Iterator[Mistake]:
    """Two meanings of one key, where both could be pressed."""
    taken = by_key(remapped(COMMANDS, keymap.commands))
    on_boards = by_key(remapped(EVERY, keymap.commands))
    for command in remapped(EVERY, keymap.commands):
        for key in command.keys:
            if (other := on_boards[key]) != command:
                named = command.id if command.id in keymap.commands else other.id
                yield Mistake((GLOBAL, named), f"{key} stands for both {command.id} and {other.id}")
    for form in map(keymap.form, forms.values()):
        placed: list[tuple[Field, tuple[str | int, ...]]] = [
            (one, (form.name, one.key)) for one in form.fields
        ]
        for mistake in check_keys(placed, form.keys, reserved=frozenset(taken)):
            yield Mistake(_place(mistake, form, keymap), f"{form.name}: {mistake.sentence}")


def _place(mistake: Mistake, form: Protocol, keymap: Keymap) -> tuple[str | int, ...]:
    """Where in the file a clash of a form's keys comes from: the form's own table, else that of the commands."""
    return (form.name,) if form.name in keymap.forms else (GLOBAL,)
