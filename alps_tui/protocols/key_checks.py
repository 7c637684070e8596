"""Checks the keys of a form: one sign each, none of the global ones, none twice where both could be pressed."""

from collections.abc import Iterator, Mapping, Sequence
from itertools import combinations
from typing import Any

from alps_tui.protocols.mistakes import Mistake, Path
from alps_tui.protocols.schema import Field, same

RESERVED_KEYS: frozenset[str] = frozenset(
    (
        *"jk[]{}:hv/nNcsforuUgyzM?q ",
        *("up", "down", "left", "right", "pageup", "pagedown", "home", "end"),
        *("tab", "shift+tab", "enter", "escape", "space", "backspace"),
        *("ctrl+a", "ctrl+b", "ctrl+c", "ctrl+p", "ctrl+q", "ctrl+s"),
    )
)
"""The keys that mean the same on every screen; a form cannot have them."""

ACTIONS: tuple[str, ...] = (
    *("add_memory", "take_over", "merge", "split", "show_target", "mark_entry"),
    *("other_side", "add_intent"),
)
"""What a form can give a key to, beside its options."""

Placed = tuple[Field, Path]


def check_keys(
    placed: Sequence[Placed], keys: Mapping[str, Any], reserved: frozenset[str] = RESERVED_KEYS
) -> Iterator[Mistake]:
    """Every mistake in the keys of options and actions.

    placed     the fields with their paths
    reserved   keys that no option or action can have
    """
    for field, path in placed:
        yield from _within(field, path, reserved)
    yield from _actions(keys, reserved)
    for field, path in placed:
        yield from _against_actions(field, path, keys)
    single = {field.key for field, _ in placed if field.kind != "multi"}
    for (first, _), (second, path) in combinations(placed, 2):
        if together(first, second, single):
            yield from _between(first, second, path)


def together(first: Field, second: Field, single: set[str]) -> bool:
    """True if both fields can stand on one unit at once.

    single   keys of the fields with one value at a time: only conditions on these keep two fields apart
    """
    if first.per != second.per or {first.asked, second.asked} == {"given", "made"}:
        return False
    if first.abilities is not None and not set(first.abilities) & set(second.abilities or first.abilities):
        return False
    mine, yours = first.visible_if or {}, second.visible_if or {}
    return all(
        any(same(a, b) for a in mine[key] for b in yours[key]) for key in mine.keys() & yours.keys() & single
    )


def keyed(field: Field, path: Path) -> list[tuple[str, Path]]:
    """(key, path) of each choice that has one; a scale's own digits among them."""
    written = {id(o): (*path, "options", i, "key") for i, o in enumerate(field.options)}
    if field.not_applicable:
        written[id(field.not_applicable)] = (*path, "not_applicable", "key")
    return [(o.key, written.get(id(o), path)) for o in field.choices if o.key is not None]


def _within(field: Field, path: Path, reserved: frozenset[str]) -> Iterator[Mistake]:
    seen: set[str] = set()
    for key, at in keyed(field, path):
        wrong = _not_a_key(key, reserved)
        if wrong:
            yield Mistake(at, wrong)
        elif key in seen:
            yield Mistake(at, f"the key {key} already stands for another option of {field.key}")
        seen.add(key)


def _actions(keys: Mapping[str, Any], reserved: frozenset[str]) -> Iterator[Mistake]:
    seen: dict[str, str] = {}
    for action, key in keys.items():
        at = ("keys", action)
        if action not in ACTIONS:
            yield Mistake(at, f"there is no action {action}; there are {', '.join(ACTIONS)}")
        elif not isinstance(key, str):
            yield Mistake(at, "a key is one sign in quotes")
        elif wrong := _not_a_key(key, reserved):
            yield Mistake(at, wrong)
        elif key.isdigit():
            yield Mistake(at, "digits are for options and scales; give an action a letter or a sign")
        elif key in seen:
            yield Mistake(at, f"the key {key} already stands for {seen[key]}")
        else:
            seen[key] = action


def _against_actions(field: Field, path: Path, keys: Mapping[str, Any]) -> Iterator[Mistake]:
    actions = {key: action for action, key in keys.items() if isinstance(key, str)}
    for key, at in keyed(field, path):
        if key in actions:
            yield Mistake(at, f"the key {key} already stands for the action {actions[key]}")


def _between(first: Field, second: Field, path: Path) -> Iterator[Mistake]:
    """Digits, and all keys of a scale, answer the field in focus and may come again; any other sign answers at
    once and may not."""
    both_scales = first.kind == second.kind == "scale"
    taken = {key for key, _ in keyed(first, ()) if not key.isdigit() and not both_scales}
    for key, at in keyed(second, path):
        if key in taken:
            yield Mistake(at, f"the key {key} already stands for an option of {first.key}, shown beside it")


def _not_a_key(key: str, reserved: frozenset[str]) -> str | None:
    if key in reserved:
        return f"the key {key!r} means the same on every screen and cannot be given to an option or action"
    if len(key) != 1 or not key.isprintable():
        return "a key is one printable sign, pressed without ctrl or alt"
    return None
