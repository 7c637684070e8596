"""The registry of constraints: hard rules that bind what a rater types, each a named pure function.

A form names a rule (`constraint = "cap_when"`) and gives its arguments (`constraint_args`). Five shapes:
a rule on one value refuses it with a sentence; a cap lowers it and the raw entry is kept beside; a rule over
the answers of one unit, or over all units of a kind, is checked before an item is submitted; one that holds an
answer against the units of another kind binds at the key, too.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Json = Any
Answers = Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class Part:
    """A unit of an item, as a rule sees it that looks at several: its name, its answers, and whether the rater made it."""

    name: str
    answers: Answers
    made: bool = False


@dataclass(frozen=True, slots=True)
class Ceiling:
    """The highest value that a cap allows now, and why."""

    at: float
    because: str


@dataclass(frozen=True, slots=True)
class HardRule:
    """A rule a form can name.

    scope     value: check(value, args) → sentence or None
              cap:   check((value, answers of the unit), args) → the `Ceiling`, or None
              unit:  check(answers of the unit, args) → sentence or None, before the item is submitted
              units: check(values of all units, args) → sentence or None
              item:  check((the field's answer or None, all parts of the kind `across` names), args) → sentence or None
    kinds     the kinds of fields it goes with
    args      names of its arguments that must be given; `optional` those that may
    """

    name: str
    scope: Literal["value", "cap", "unit", "units", "item"]
    kinds: tuple[str, ...]
    check: Callable[[Any, Mapping[str, Json]], Any]
    means: str
    args: tuple[str, ...] = ()
    optional: tuple[str, ...] = ()
    names_fields: tuple[str, ...] = ()
    """Arguments that hold the key of another field of the same unit."""
    lists_fields: tuple[str, ...] = ()
    """Arguments that hold the keys of several of them."""
    open_args: tuple[str, ...] = ("equals",)
    """Arguments that hold an answer, or words; what is in none of these is a number."""
    across: str = ""
    """The argument that holds the kind of unit whose fields are named; empty: those of the field's own unit."""
    nests: str = ""
    """The rule of which its one argument is a list: each entry holds that one's arguments."""


def _sums_to(values: Sequence[Json], args: Mapping[str, Json]) -> str | None:
    total, wanted = args.get("total", 1), args.get("tolerance", 0.01)
    given = [value for value in values if isinstance(value, int | float)]
    if not given or abs(sum(given) - total) <= wanted + 1e-12:
        return None
    return f"together they must come to {total:g}; now they come to {sum(given):g}"


def _cap_when(case: tuple[Json, Answers], args: Mapping[str, Json]) -> Ceiling | None:
    """The ceiling where another field is below its bound, or has the value named (the authors' "violation ⇒ 0")."""
    _value, answers = case
    other = answers.get(args["field"])
    below, equals = args.get("below"), args.get("equals")
    is_low = below is not None and isinstance(other, int | float) and other < below
    if not is_low and (equals is None or other != equals):
        return None
    stands = f"{args['field']} is below {below:g}" if is_low else f"{args['field']} is {equals}"
    return Ceiling(args["at"], args.get("because") or stands)


def _cap_when_any(case: tuple[Json, Answers], args: Mapping[str, Json]) -> Ceiling | None:
    """The lowest of several such ceilings; one about a field that is not asked never bites."""
    found = [_cap_when(case, one) for one in args["caps"]]
    return min((one for one in found if one is not None), key=lambda one: one.at, default=None)


def _one_line(value: str, _args: Mapping[str, Json]) -> str | None:
    return "write it on one line" if "\n" in value else None


def _attitude_iff_preference(record: Mapping[str, Json], _args: Mapping[str, Json]) -> str | None:
    label = record.get("label")
    is_preference = isinstance(label, str) and label.startswith("Preferences/")
    if is_preference == (record.get("preference_attitude") is not None):
        return None
    if is_preference:
        return "a preference needs its attitude: like or dislike"
    return f"{label} is no preference: leave the attitude empty"


def _one_of_when(answers: Answers, args: Mapping[str, Json]) -> str | None:
    """AlpsBench's task 4: a verdict that finds fault says which, by an issue or by a suggestion."""
    values = args["values"] if isinstance(args["values"], list | tuple) else [args["values"]]
    given = answers.get(args["field"])
    holds = any(one in values for one in (given if isinstance(given, list | tuple) else [given]))
    if not holds or any(answers.get(key) for key in args["any_of"]):
        return None
    return str(args["sentence"])


def _none_stands(case: tuple[Json, Sequence[Part]], args: Mapping[str, Json]) -> str | None:
    """ "Nothing here" and something that stands cannot both be; where nothing was ever proposed one of them is said."""
    answer, parts = case
    values = args["values"] if isinstance(args["values"], list | tuple) else [args["values"]]
    standing = [part.name for part in parts if part.made or part.answers.get(args["field"]) in values]
    if answer is not None and standing:
        return f"cannot be said while {', '.join(standing)} {'stands' if len(standing) == 1 else 'stand'}"
    if answer is None and not parts:
        return "nothing was proposed: add what was missed, or say that there is nothing"
    return None


def allowed_beside(args: Mapping[str, Json], other: Json) -> tuple[Json, ...] | None:
    """The values that `goes_with` allows beside this answer of the other field; None while that has none."""
    return None if other is None else tuple(args["of"].get(str(other), ()))


def _goes_with(answers: Answers, args: Mapping[str, Json]) -> str | None:
    value, other = answers.get(args["key"]), answers.get(args["field"])
    allowed = allowed_beside(args, other)
    if value is None or allowed is None or value in allowed:
        return None
    return f"{value} does not go with {other}: there are {', '.join(map(str, allowed)) or 'none'}"


HARD_RULES: dict[str, HardRule] = {
    rule.name: rule
    for rule in (
        HardRule(
            "sums_to",
            "units",
            ("number", "scale"),
            _sums_to,
            "the values of all units of the kind come to a total (1 unless said otherwise)",
            optional=("total", "tolerance"),
        ),
        HardRule(
            "cap_when",
            "cap",
            ("number", "scale"),
            _cap_when,
            "the value is at most `at` while another field is below a bound or equals a value",
            args=("field", "at"),
            optional=("below", "equals", "because"),
            names_fields=("field",),
            open_args=("equals", "because"),
        ),
        HardRule(
            "cap_when_any",
            "cap",
            ("number", "scale"),
            _cap_when_any,
            "the value is at most the lowest `at` of several caps that bite, each as for cap_when",
            args=("caps",),
            nests="cap_when",
        ),
        HardRule(
            "one_of_when",
            "unit",
            ("choice", "multi", "text", "entries"),
            _one_of_when,
            "while another field has, or lists, one of `values`, one of the fields in `any_of` is answered",
            args=("field", "values", "any_of", "sentence"),
            names_fields=("field",),
            lists_fields=("any_of",),
            open_args=("values", "sentence"),
        ),
        HardRule(
            "none_stands",
            "item",
            ("choice",),
            _none_stands,
            "not answered while a unit of another kind stands: one the rater made, or one whose `field` has one of "
            "`values`; answered where there is no such unit at all",
            args=("per", "field", "values"),
            names_fields=("field",),
            open_args=("per", "values"),
            across="per",
        ),
        HardRule(
            "goes_with",
            "unit",
            ("choice",),
            _goes_with,
            "the value of `key`, the field itself, is one of those that `of` lists under the value of another field",
            args=("key", "field", "of"),
            names_fields=("key", "field"),
            open_args=("of",),
        ),
        HardRule("one_line", "value", ("text",), _one_line, "the text has no line break"),
        HardRule(
            "attitude_iff_preference",
            "value",
            ("memory",),
            _attitude_iff_preference,
            "a memory has an attitude if and only if its label is a preference",
        ),
    )
}
