"""The registry of constraints: hard rules that bind what a rater types, each a named pure function.

A form names a rule (`constraint = "cap_when"`) and gives its arguments (`constraint_args`). Four shapes:
a rule on one value refuses it with a sentence; a cap lowers it and the raw entry is kept beside; a rule over
the answers of one unit, or over all units of a kind, is checked before an item is submitted.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Json = Any
Answers = Mapping[str, Json]


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
    kinds     the kinds of fields it goes with
    args      names of its arguments that must be given; `optional` those that may
    """

    name: str
    scope: Literal["value", "cap", "unit", "units"]
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
    if answers.get(args["field"]) not in values or any(answers.get(key) for key in args["any_of"]):
        return None
    return str(args["sentence"])


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
            "while another field has one of `values`, one of the fields in `any_of` is answered",
            args=("field", "values", "any_of", "sentence"),
            names_fields=("field",),
            lists_fields=("any_of",),
            open_args=("values", "sentence"),
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
