"""What a form lets a rater say: which fields are shown, what is missing, which values are allowed. Pure."""

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeGuard

from alps_tui.protocols import derived
from alps_tui.protocols.hard_rules import HARD_RULES, Part
from alps_tui.protocols.schema import Field, Protocol, same
from alps_tui.protocols.taxonomy import (
    ATTITUDES,
    EMOTIONS,
    LABELS,
    TIME_SCOPES,
    TYPES,
    UNMAPPED,
    is_preference,
)
from store.kinds import UnitKind

Json = Any
Answers = Mapping[str, Json]
"""Field key → value of one unit; a field that is not answered is absent or None."""


@dataclass(frozen=True, slots=True)
class Problem:
    """One broken invariant of a memory record.

    key       the key of the record to put right
    binding   False if nothing the rule reads was changed: the proposal came so, which is allowed and linted
    """

    key: str
    code: str
    sentence: str
    binding: bool = True


@dataclass(frozen=True, slots=True)
class Capped:
    """A value under its constraint; `raw` is what was typed where that was more, else None."""

    value: Json
    raw: Json = None
    sentence: str | None = None


def visible(field: Field, answers: Answers) -> bool:
    """True if every field the condition names has one of the values it lists; of a multi, one of its values."""
    return all(_holds(answers.get(key), values) for key, values in (field.visible_if or {}).items())


def _holds(answer: Json, values: Sequence[Json]) -> bool:
    given = answer if isinstance(answer, list | tuple) else [answer]
    return any(same(a, v) for a in given for v in values)


def missing(
    protocol: Protocol,
    kind: UnitKind,
    answers: Answers,
    *,
    made: bool = False,
    settled: Collection[str] = (),
) -> tuple[Field, ...]:
    """The fields still to be answered before the unit is done: required, shown, without an answer; in order.

    made      the unit is one the rater made
    settled   keys of fields skipped or marked cannot judge: no value, and nothing more to do
    """
    return tuple(
        field
        for field in protocol.fields_of(kind, made=made)
        if field.required
        and field.key not in settled
        and answers.get(field.key) is None
        and visible(field, answers)
    )


def hidden_answers(
    protocol: Protocol, kind: UnitKind, answers: Answers, *, made: bool = False
) -> tuple[str, ...]:
    """Keys of answers whose field is not shown any more: to be cleared in the same act that hid them."""
    return tuple(
        field.key
        for field in protocol.fields_of(kind, made=made)
        if answers.get(field.key) is not None and not visible(field, answers)
    )


def check_value(field: Field, value: Json, before: Mapping[str, Json] | None = None) -> str | None:
    """A sentence saying why this value is not allowed as an answer of this field; None if it is.

    before   for a memory, the proposal it was edited from: what it broke already does not bind
    """
    if field.not_applicable is not None and same(field.not_applicable.value, value):
        return None
    if field.kind == "memory":
        return _check_record(value, before) or _check_rule(field, value, before)
    check = {
        "choice": _check_closed,
        "scale": _check_closed,
        "multi": _check_multi,
        "number": _check_number,
        "text": _check_text,
        "span": _check_span,
        "entries": _check_entries,
        "derived": _check_derived,
    }[field.kind]
    return check(field, value) or _check_rule(field, value)


def cap(field: Field, value: Json, answers: Answers) -> Capped:
    """The value under the field's cap, with what was typed kept beside it where the cap lowered it."""
    rule = HARD_RULES.get(field.constraint or "")
    if rule is None or rule.scope != "cap":
        return Capped(value)
    ceiling = rule.check((value, answers), field.constraint_args)
    if ceiling is None or not _is_number(value) or value <= ceiling.at:
        return Capped(value)
    name = field.short or field.title
    because = f"{name}: at most {ceiling.at:g}, since {ceiling.because}; your {value:g} is kept beside"
    return Capped(ceiling.at, value, because)


def check_units(
    protocol: Protocol, kind: UnitKind, units: Sequence[Answers]
) -> tuple[tuple[Field, str], ...]:
    """Rules over all units of a kind that do not hold yet, such as probabilities that sum to 1."""
    found: list[tuple[Field, str]] = []
    for field in protocol.fields_of(kind) + protocol.fields_of(kind, made=True):
        rule = HARD_RULES.get(field.constraint or "")
        if rule is None or rule.scope != "units" or any(field.key == known.key for known, _ in found):
            continue
        sentence = rule.check(
            [u[field.key] for u in units if u.get(field.key) is not None], field.constraint_args
        )
        if sentence:
            found.append((field, sentence))
    return tuple(found)


def check_unit(
    protocol: Protocol, kind: UnitKind, answers: Answers, *, made: bool = False
) -> tuple[tuple[Field, str], ...]:
    """Rules over the answers of one unit that do not hold yet: the field to answer, and a sentence."""
    found: list[tuple[Field, str]] = []
    for field in protocol.fields_of(kind, made=made):
        rule = HARD_RULES.get(field.constraint or "")
        if rule is not None and rule.scope == "unit" and visible(field, answers):
            sentence = rule.check(answers, field.constraint_args)
            if sentence:
                found.append((field, sentence))
    return tuple(found)


def check_item(
    protocol: Protocol, kind: UnitKind, answers: Answers, parts: Mapping[UnitKind, Sequence[Part]]
) -> tuple[tuple[Field, str], ...]:
    """Rules that hold an answer of one unit against the units of another kind and do not hold: the field, a sentence.

    parts    every unit of the item by kind, with what it would say
    """
    found: list[tuple[Field, str]] = []
    for field in protocol.fields_of(kind):
        rule = HARD_RULES.get(field.constraint or "")
        if rule is not None and rule.scope == "item" and visible(field, answers):
            others = parts.get(UnitKind(field.constraint_args[rule.across]), ())
            sentence = rule.check((answers.get(field.key), others), field.constraint_args)
            if sentence:
                found.append((field, sentence))
    return tuple(found)


def check_rows(protocol: Protocol, kind: UnitKind, made: int) -> str | None:
    """A sentence if the rater made too many or too few units of a kind; making none of it needs no rows."""
    rows = protocol.rows.get(kind)
    if rows is None:
        return f"this form has no {kind} units of the rater's own" if made else None
    if rows.max is not None and made > rows.max:
        return f"at most {rows.max} {kind} units may be added"
    return f"at least {rows.min} {kind} units must be added" if made < rows.min else None


def derive(field: Field, answers: Answers) -> Json:
    """The value of a derived field from the unit's answers; None while it cannot be said."""
    assert field.derived is not None, f"{field.key} is not derived"
    return derived.compute(field.derived, field.of, answers)


def _check_closed(field: Field, value: Json) -> str | None:
    if any(same(value, known) for known in field.values or ()):
        return None
    return f"{field.title}: choose one of {', '.join(option.label for option in field.choices)}"


def _check_multi(field: Field, value: Json) -> str | None:
    if not isinstance(value, list | tuple):
        return f"{field.title}: this is a list of choices"
    known = field.values or ()
    if any(not any(same(v, k) for k in known) for v in value):
        return f"{field.title}: choose among {', '.join(option.label for option in field.options)}"
    if len({str(v) for v in value}) < len(value):
        return f"{field.title}: a choice stands in the list twice"
    low = 1 if field.min is None else field.min
    if len(value) < low:
        return f"{field.title}: choose at least {low:g}"
    if field.max is not None and len(value) > field.max:
        return f"{field.title}: choose at most {field.max:g}"
    return None


def _check_number(field: Field, value: Json) -> str | None:
    if not _is_number(value):
        return f"{field.title}: this is a number"
    if (field.min is not None and value < field.min) or (field.max is not None and value > field.max):
        return f"{field.title}: {_bounds(field)}"
    if field.step is not None:
        steps = (value - (field.min or 0)) / field.step
        if abs(steps - round(steps)) > 1e-6:
            return f"{field.title}: in steps of {field.step:g}"
    return None


def _bounds(field: Field) -> str:
    if field.min is not None and field.max is not None:
        return f"from {field.min:g} to {field.max:g}"
    return f"at least {field.min:g}" if field.min is not None else f"at most {field.max:g}"


def _check_text(field: Field, value: Json) -> str | None:
    if not isinstance(value, str) or not value.strip():
        return f"{field.title}: write something, or clear it"
    return None


def _check_span(field: Field, value: Json) -> str | None:
    if not isinstance(value, list | tuple) or not value:
        return f"{field.title}: mark at least one passage, or clear it"
    if field.on == "unit":
        fits = all(_is_passage(field, part) for part in value)
        return (
            None if fits else f"{field.title}: each passage is a start, an end, its words and what is wrong"
        )
    return (
        None
        if all(_is_span(part) for part in value)
        else f"{field.title}: each passage is a turn, a start and an end"
    )


def _check_entries(field: Field, value: Json) -> str | None:
    if isinstance(value, list | tuple) and value and all(isinstance(key, str) and key for key in value):
        return None if len(set(value)) == len(value) else f"{field.title}: a memory stands in the list twice"
    where = "the pool" if field.among == "pool" else "those on record"
    return f"{field.title}: mark at least one memory of {where}, or clear it"


def _is_passage(field: Field, part: Json) -> bool:
    """A passage of the unit's own text: code points, the words there, and one of the field's options if it has any."""
    if not isinstance(part, Mapping) or not isinstance(part.get("quote"), str):
        return False
    start, end = part.get("start"), part.get("end")
    kinds = [option.value for option in field.options]
    return (
        _is_whole(start) and _is_whole(end) and 0 <= start < end and (part.get("type") in kinds or not kinds)
    )


def _is_span(part: Json) -> bool:
    if not isinstance(part, Mapping):
        return False
    turn, start, end = (part.get(name) for name in ("turn", "start", "end"))
    return _is_whole(turn) and _is_whole(start) and _is_whole(end) and turn >= 0 and 0 <= start < end


def _check_record(value: Json, before: Mapping[str, Json] | None) -> str | None:
    if not isinstance(value, Mapping):
        return "a memory is a record with a value and a label"
    return next((problem.sentence for problem in check_memory(value, before) if problem.binding), None)


def _check_derived(field: Field, _value: Json) -> str | None:
    return f"{field.title}: this is computed, it cannot be answered"


def _check_rule(field: Field, value: Json, before: Json = None) -> str | None:
    rule = HARD_RULES.get(field.constraint or "")
    if rule is None or rule.scope != "value":
        return None
    sentence: str | None = rule.check(value, field.constraint_args)
    came_so = before is not None and rule.check(before, field.constraint_args) == sentence
    return None if came_so else sentence


def check_memory(record: Mapping[str, Json], before: Mapping[str, Json] | None = None) -> tuple[Problem, ...]:
    """Every invariant a memory record breaks, in the order of its keys.

    before   the proposal it was edited from: what it broke already, in keys left as they were, does not bind
    """
    problems: list[Problem] = []
    for keys, code, rule in _INVARIANTS:
        sentence = rule(record)
        if sentence is not None:
            kept = before is not None and all(_unchanged(record, before, key) for key in keys)
            problems.append(Problem(keys[0], code, sentence, binding=not kept))
    return tuple(problems)


def _unchanged(record: Mapping[str, Json], before: Mapping[str, Json], key: str) -> bool:
    return same(record.get(key), before.get(key))


def _value(record: Mapping[str, Json]) -> str | None:
    value = record.get("value")
    return None if isinstance(value, str) and value.strip() else "say what is remembered: the value is empty"


def _type(record: Mapping[str, Json]) -> str | None:
    return None if record.get("type") in TYPES else f"the type is {' or '.join(TYPES)}"


def _label(record: Mapping[str, Json]) -> str | None:
    label = record.get("label")
    if label is None:
        return "no label is chosen yet"
    return (
        None
        if label in LABELS
        else f"{label!r} is none of the labels; choose one, or {UNMAPPED} and suggest one"
    )


def _suggestion(record: Mapping[str, Json]) -> str | None:
    given = record.get("label_suggestion")
    has = isinstance(given, str) and bool(given.strip())
    if (record.get("label") == UNMAPPED) == has:
        return None
    return (
        f"{UNMAPPED} needs a suggested label" if not has else f"a suggested label goes with {UNMAPPED} only"
    )


def _attitude(record: Mapping[str, Json]) -> str | None:
    given, label = record.get("preference_attitude"), record.get("label")
    if is_preference(label if isinstance(label, str) else None):
        return None if given in ATTITUDES else f"a preference needs its attitude: {' or '.join(ATTITUDES)}"
    return None if given is None else "only a preference has an attitude: leave it empty"


def _confidence(record: Mapping[str, Json]) -> str | None:
    given = record.get("confidence")
    return None if _is_number(given) and 0 <= given <= 1 else "the confidence is a number from 0 to 1"


def _time_scope(record: Mapping[str, Json]) -> str | None:
    return (
        None
        if record.get("time_scope") in TIME_SCOPES
        else f"the time scope is one of {', '.join(TIME_SCOPES)}"
    )


def _emotion(record: Mapping[str, Json]) -> str | None:
    given = record.get("emotion")
    return None if given is None or given in EMOTIONS else f"the emotion is {', '.join(EMOTIONS)} or empty"


def _evidence(record: Mapping[str, Json]) -> str | None:
    """Evidence is a place in the dialogue, a list of them, or nothing; the shapes are those the data comes in."""
    given = record.get("evidence")
    places = given if isinstance(given, list | tuple) else [] if given is None else [given]
    if all(isinstance(place, Mapping) and _points_at_turns(place) for place in places):
        return None
    return "evidence is a turn and its words: mark it in the dialogue"


def _points_at_turns(place: Mapping[str, Json]) -> bool:
    if "turn" in place:
        return _is_span(place) or (_is_whole(place["turn"]) and place.get("start") is None)
    if "turn_indices" in place:
        turns = place["turn_indices"]
        return isinstance(turns, list | tuple) and all(_is_whole(t) and t >= 0 for t in turns)
    index = place.get("utterance_index")
    indices = index if isinstance(index, list | tuple) else [] if index is None else [index]
    return all(_is_whole(i) and i >= 0 for i in indices)


_INVARIANTS = (
    (("type",), "type", _type),
    (("label",), "label", _label),
    (("label_suggestion", "label"), "suggestion", _suggestion),
    (("value",), "value", _value),
    (("evidence",), "evidence", _evidence),
    (("confidence",), "confidence", _confidence),
    (("time_scope",), "time_scope", _time_scope),
    (("emotion",), "emotion", _emotion),
    (("preference_attitude", "label"), "attitude", _attitude),
)
"""(keys the rule reads, the one to put right first; code; rule)."""


def _is_number(value: Json) -> TypeGuard[float]:
    return isinstance(value, int | float) and not isinstance(value, bool)


def _is_whole(value: Json) -> TypeGuard[int]:
    return isinstance(value, int) and not isinstance(value, bool)
