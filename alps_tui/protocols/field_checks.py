"""Checks what each field of a form says: its kind against its parts, and the other fields it names."""

import difflib
import math
import re
from collections.abc import Iterator, Mapping
from typing import Any

from alps_tui.protocols.abilities import ABILITIES
from alps_tui.protocols.derived import DERIVED
from alps_tui.protocols.hard_rules import HARD_RULES, HardRule
from alps_tui.protocols.mistakes import Mistake, Path
from alps_tui.protocols.schema import Field, same
from store.kinds import UnitKind

Json = Any
_KEY = re.compile(r"[A-Za-z][A-Za-z0-9_]*")
_LEVELS: dict[str, tuple[str, ...]] = {
    "choice": ("nominal", "ordinal", "interval"),
    "multi": ("nominal",),
    "scale": ("ordinal", "interval"),
    "number": ("ordinal", "interval", "ratio"),
    "derived": ("nominal", "ordinal", "interval", "ratio"),
    "text": (),
    "span": (),
    "entries": (),
    "memory": (),
}
_MAX_POINTS = 1001
_CLOSED = ("choice", "multi", "scale")


def check_field(field: Field, path: Path) -> Iterator[Mistake]:
    """Mistakes of a field in itself."""
    if not _KEY.fullmatch(field.key):
        yield Mistake((*path, "key"), "a key is letters, digits and _, and begins with a letter")
    if not field.title.strip():
        yield Mistake((*path, "title"), "the title is what the rater reads; it cannot be empty")
    yield from _level(field, path)
    yield from _range(field, path)
    yield from _options(field, path)
    yield from _not_applicable(field, path)
    yield from _derived_alone(field, path)
    if field.needs == field.per:
        yield Mistake((*path, "needs"), f"a {field.per} is there where it is asked about; leave this out")
    yield from _places(field, path)
    yield from _abilities(field, path)


def _level(field: Field, path: Path) -> Iterator[Mistake]:
    allowed = _LEVELS[field.kind]
    if field.level is None and allowed:
        yield Mistake(path, f"a {field.kind} needs a level, which picks its coefficient: {_either(allowed)}")
    elif field.level is not None and field.level.value not in allowed:
        what = f"a {field.kind} is {_either(allowed)}" if allowed else f"a {field.kind} has no level"
        yield Mistake((*path, "level"), what)


def _range(field: Field, path: Path) -> Iterator[Mistake]:
    given = [name for name in ("min", "max", "step") if getattr(field, name) is not None]
    allowed = {"scale": 3, "number": 3, "multi": 2}.get(field.kind, 0)
    for name in given:
        if name not in ("min", "max", "step")[:allowed]:
            yield Mistake((*path, name), f"a {field.kind} has no {name}")
    endless = [name for name in given if not math.isfinite(getattr(field, name))]
    if endless:
        yield from (Mistake((*path, name), f"{name} is a finite number") for name in endless)
        return
    if field.kind == "scale" and (field.min is None or field.max is None):
        yield Mistake(path, "a scale needs min and max")
    if field.min is not None and field.max is not None and field.min >= field.max and allowed:
        yield Mistake((*path, "max"), "max must be above min")
    if field.step is not None and field.step <= 0:
        yield Mistake((*path, "step"), "step must be above 0")
    elif field.kind == "scale" and field.min is not None and field.max is not None:
        yield from _points(field.min, field.max, field.step or 1, path)


def _points(low: float, high: float, step: float, path: Path) -> Iterator[Mistake]:
    count = (high - low) / step
    if abs(count - round(count)) > 1e-9:
        yield Mistake((*path, "step"), f"steps of {step:g} do not lead from {low:g} to {high:g}")
    elif count + 1 > _MAX_POINTS:
        yield Mistake((*path, "max"), f"a scale has at most {_MAX_POINTS} points; ask for a number instead")


def _options(field: Field, path: Path) -> Iterator[Mistake]:
    if field.kind not in _CLOSED and not (field.kind == "span" and field.on == "unit"):
        if field.options:
            yield Mistake((*path, "options"), f"a {field.kind} has no options")
        return
    if field.kind not in ("scale", "span") and not field.options:
        yield Mistake(path, f"a {field.kind} needs options")
    for i, option in enumerate(field.options):
        at = (*path, "options", i)
        if not isinstance(option.value, str | int | float | bool):
            yield Mistake((*at, "value"), "a value is a text, a number or a truth value")
        elif any(same(option.value, other.value) for other in field.options[:i]):
            yield Mistake((*at, "value"), f"{option.value} stands here twice")
        elif field.kind == "scale" and not any(same(option.value, v) for v in _safe_values(field)):
            yield Mistake((*at, "value"), f"{option.value} is no point of the scale")
        if not option.label.strip():
            yield Mistake((*at, "label"), "the label is what the rater reads; it cannot be empty")


def _not_applicable(field: Field, path: Path) -> Iterator[Mistake]:
    if field.not_applicable is None:
        return
    at = (*path, "not_applicable")
    if field.kind not in ("choice", "scale", "number", "span", "entries"):
        yield Mistake(at, f'a {field.kind} cannot have "does not apply"')
    elif not isinstance(field.not_applicable.value, str):
        yield Mistake((*at, "value"), '"does not apply" is never a number: its value is a word')
    elif any(same(field.not_applicable.value, option.value) for option in field.options):
        yield Mistake((*at, "value"), f"{field.not_applicable.value} is already an option")


def _derived_alone(field: Field, path: Path) -> Iterator[Mistake]:
    if field.kind != "derived":
        for name in ("derived", "of"):
            if getattr(field, name):
                yield Mistake((*path, name), f"only a field of kind derived has {name}")
        return
    if field.required:
        yield Mistake((*path, "required"), "a derived field is computed, nobody can be asked for it")
    if field.reason_if:
        yield Mistake((*path, "reason_if"), "a derived field is computed, nobody can give a reason for it")
    if field.derived is None:
        yield Mistake(path, f"a derived field needs derived, one of {_either(tuple(DERIVED))}")
    elif field.derived not in DERIVED:
        yield Mistake((*path, "derived"), f"there is no function {field.derived}; {_either(tuple(DERIVED))}")
    if not field.of:
        yield Mistake(path, "a derived field needs of, the keys of the fields it is computed from")


def _places(field: Field, path: Path) -> Iterator[Mistake]:
    """Where passages and memories are taken from is said of those kinds only."""
    if field.on != "dialogue" and field.kind != "span":
        yield Mistake((*path, "on"), f"only a span is on a text; this is a {field.kind}")
    elif field.on == "unit" and field.per != UnitKind.RESPONSE:
        yield Mistake((*path, "on"), f"a {field.per} has no text of its own; a response has")
    if field.among != "pool" and field.kind != "entries":
        yield Mistake((*path, "among"), f"only entries are among memories; this is a {field.kind}")


def _abilities(field: Field, path: Path) -> Iterator[Mistake]:
    """A study may name abilities of its own; a name that is nearly a known one is a slip."""
    if field.abilities is None:
        return
    at = (*path, "abilities")
    if not field.abilities:
        yield Mistake(at, "name at least one ability, or leave the line out: then every item is asked")
    for i, ability in enumerate(field.abilities):
        near = difflib.get_close_matches(ability, ABILITIES, n=1, cutoff=0.8)
        if not ability.strip():
            yield Mistake((*at, i), "an ability has a name")
        elif ability in field.abilities[:i]:
            yield Mistake((*at, i), f"{ability} stands here twice")
        elif near and ability not in ABILITIES and not ability.removeprefix("ability").isdigit():
            yield Mistake((*at, i), f"there is no ability {ability}; did you mean {near[0]}?")


def check_references(
    field: Field, path: Path, fields: Mapping[str, Field], broken: set[str]
) -> Iterator[Mistake]:
    """Mistakes in what a field says of others. `broken` holds keys of fields that could not be read."""
    yield from _conditions(field, path, "visible_if", fields, broken)
    yield from _conditions(field, path, "reason_if", fields, broken)
    yield from _sources(field, path, fields, broken)
    yield from _constraint(field, path, fields, broken)


def _conditions(
    field: Field, path: Path, name: str, fields: Mapping[str, Field], broken: set[str]
) -> Iterator[Mistake]:
    for key, values in (getattr(field, name) or {}).items():
        at = (*path, name, key)
        other = fields.get(key)
        if key in broken:
            continue
        if other is None:
            yield Mistake(at, f"there is no field {key}")
        elif other.per != field.per:
            yield Mistake(
                at, f"{key} is asked per {other.per}, this per {field.per}; a condition stays in one unit"
            )
        elif key == field.key and name == "visible_if":
            yield Mistake(at, "a field cannot depend on itself")
        elif {other.asked, field.asked} == {"given", "made"}:
            yield Mistake(at, f"{key} is asked of {other.asked} units only, this of {field.asked} ones")
        elif other.abilities is not None and not set(other.abilities) & set(
            field.abilities or other.abilities
        ):
            yield Mistake(at, f"{key} is asked for other abilities than this one; they never meet")
        elif other.kind not in _CLOSED:
            yield Mistake(at, f"{key} is a {other.kind}; a condition names a choice, a multi or a scale")
        else:
            yield from _condition_values(at, other, values)


def _condition_values(at: Path, other: Field, values: tuple[Json, ...]) -> Iterator[Mistake]:
    if not values:
        yield Mistake(at, "name at least one value")
    for value in values:
        if not any(same(value, option.value) for option in other.options) and other.option(value) is None:
            yield Mistake(at, f"{value} is no answer of {other.key}")


def _sources(field: Field, path: Path, fields: Mapping[str, Field], broken: set[str]) -> Iterator[Mistake]:
    rule = DERIVED.get(field.derived or "")
    for i, key in enumerate(field.of):
        other, at = fields.get(key), (*path, "of", i)
        if key in broken:
            continue
        if other is None:
            yield Mistake(at, f"there is no field {key}")
        elif rule is not None and rule.scope == "units":
            yield from _over_units(rule.name, field, other, at)
        elif other.per != field.per:
            yield Mistake(at, f"{key} is asked per {other.per}, this per {field.per}")
        elif rule and other.kind not in rule.kinds:
            yield Mistake(at, f"{rule.name} is computed from {_either(rule.kinds)}, {key} is a {other.kind}")


def _over_units(name: str, field: Field, other: Field, at: Path) -> Iterator[Mistake]:
    """Mistakes in a field that is computed over all units of another kind."""
    if len(field.of) != 1:
        yield Mistake(at[:-1], f"{name} is computed over one field of all units; name one")
    elif other.per == field.per:
        yield Mistake(
            at, f"{name} is computed over the units of another kind, {other.key} is asked per {other.per}"
        )
    elif other.kind not in DERIVED[name].kinds:
        yield Mistake(
            at, f"{name} is computed from {_either(DERIVED[name].kinds)}, {other.key} is a {other.kind}"
        )


def _constraint(field: Field, path: Path, fields: Mapping[str, Field], broken: set[str]) -> Iterator[Mistake]:
    args = (*path, "constraint_args")
    if field.constraint is None:
        if field.constraint_args:
            yield Mistake(args, "there is no constraint these could belong to")
        return
    rule = HARD_RULES.get(field.constraint)
    if rule is None:
        yield Mistake(
            (*path, "constraint"), f"there is no rule {field.constraint}; {_either(tuple(HARD_RULES))}"
        )
        return
    if field.kind not in rule.kinds:
        yield Mistake(
            (*path, "constraint"), f"{rule.name} goes with {_either(rule.kinds)}, not a {field.kind}"
        )
    if rule.nests:
        yield from _nested(rule, field, args, fields, broken)
        return
    yield from _arguments(rule, field, field.constraint_args, (*path, "constraint"), args, fields, broken)


def _nested(
    rule: HardRule, field: Field, args: Path, fields: Mapping[str, Field], broken: set[str]
) -> Iterator[Mistake]:
    """A rule whose one argument is a list of another's arguments: each entry is checked as that one's."""
    (name,) = rule.args
    entries = field.constraint_args.get(name)
    if not isinstance(entries, list | tuple) or not entries or set(field.constraint_args) != {name}:
        yield Mistake(args, f"{rule.name} needs {name}, a list, and nothing else")
        return
    for i, entry in enumerate(entries):
        at = (*args, name, i)
        if isinstance(entry, Mapping):
            yield from _arguments(HARD_RULES[rule.nests], field, entry, at, at, fields, broken)
        else:
            yield Mistake(at, f"each of {name} is a table with the arguments of {rule.nests}")


def _arguments(
    rule: HardRule,
    field: Field,
    given: Mapping[str, Json],
    named: Path,
    args: Path,
    fields: Mapping[str, Field],
    broken: set[str],
) -> Iterator[Mistake]:
    """Mistakes in the arguments of a rule. `named` is where one that lacks is reported, `args` where they stand."""
    per = given.get(rule.across) if rule.across else field.per
    if rule.across and per not in {other.per for other in fields.values()} - {field.per}:
        yield Mistake(
            (*args, rule.across), f"{rule.across} names the kind of other units that are asked about"
        )
        return
    for name in rule.args:
        if name not in given:
            yield Mistake(named, f"{rule.name} needs {name} in constraint_args")
    for name, value in given.items():
        if name not in rule.args + rule.optional:
            yield Mistake((*args, name), f"{rule.name} has no {name}")
        elif name in rule.names_fields + rule.lists_fields:
            several = name in rule.lists_fields and isinstance(value, list | tuple)
            for key in value if several else [value]:
                other = fields.get(key) if isinstance(key, str) else None
                if (other is None or other.per != per) and key not in (*broken,):
                    yield Mistake((*args, name), f"there is no field {key} per {per}")
        elif name not in rule.open_args and not _is_number(value):
            yield Mistake((*args, name), f"{name} is a number")


def check_cycles(fields: Mapping[str, Field], paths: Mapping[str, Path]) -> Iterator[Mistake]:
    """Conditions that lead back to where they began: such fields could never be shown."""
    for key, field in fields.items():
        seen: set[str] = set()
        waiting = [k for k in field.visible_if or {} if k != key]
        while waiting:
            step = waiting.pop()
            if step == key:
                yield Mistake((*paths[key], "visible_if"), "its condition leads back to itself")
                break
            if step not in seen and step in fields:
                seen.add(step)
                waiting.extend(fields[step].visible_if or {})


def _safe_values(field: Field) -> tuple[Json, ...]:
    """The points of a scale, none where its range is itself a mistake."""
    written = tuple(option.value for option in field.options)
    if field.min is None or field.max is None:
        return written
    step = field.step if field.step is not None else 1
    if not all(map(math.isfinite, (field.min, field.max, step))) or field.min >= field.max or step <= 0:
        return written
    return written if (field.max - field.min) / step >= _MAX_POINTS else field.values or ()


def _is_number(value: Json) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _either(words: tuple[str, ...]) -> str:
    return " or ".join((", ".join(words[:-1]), words[-1])) if len(words) > 1 else "".join(words)
