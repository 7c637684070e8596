"""The JSON schema an LLM judge must answer, made from the same form a person fills.

It keeps to what strict structured output allows: every object is closed and names all its properties as required;
what may stay unanswered is null. Null is "not answered", never a value.
"""

from collections.abc import Iterable
from typing import Any

from alps_tui.protocols.schema import Field, Protocol
from alps_tui.protocols.taxonomy import ATTITUDES, EMOTIONS, LABELS, TIME_SCOPES, TYPES
from store.kinds import UnitKind

Schema = dict[str, Any]


def answer_schema(protocol: Protocol, kinds: Iterable[UnitKind] | None = None) -> Schema:
    """One list of units per kind (`response`: [{unit, …}]), and `added_<kind>` where the rater may make units.

    protocol  as it is asked of the item: `Protocol.for_ability` leaves out what is asked for other abilities
    kinds     the kinds of units the item has; all of the form where None
    returns   a schema whose answers hold field keys and values exactly as a person's; `unit` is the id shown.
              A passage is {turn, quote}: models count words badly, so the quote is located afterwards.
    """
    properties: Schema = {}
    kinds = protocol.kinds if kinds is None else tuple(kinds)
    protocol = protocol.for_units(kinds)
    for kind in kinds:
        given = [f for f in protocol.fields_of(kind) if f.kind != "derived" and f.phase == "blind"]
        if given:
            unit = {"type": "string", "description": f"The id of the {kind} as shown."}
            properties[kind.value] = _list_of({"unit": unit} | {f.key: _field(f) for f in given})
        made = [f for f in protocol.fields_of(kind, made=True) if f.kind != "derived"]
        if made and kind in protocol.rows:
            properties[f"added_{kind.value}"] = _list_of({f.key: _field(f) for f in made}) | _limits(
                protocol, kind
            )
    return _object(properties) | {"title": protocol.title}


def _limits(protocol: Protocol, kind: UnitKind) -> Schema:
    rows = protocol.rows[kind]
    return {"minItems": rows.min} if rows.max is None else {"minItems": rows.min, "maxItems": rows.max}


def _field(field: Field) -> Schema:
    """The schema of one answer; null is allowed unless it is required whatever else is answered."""
    schema = _answer(field)
    if not field.required or field.visible_if:
        schema = {"anyOf": [schema, {"type": "null"}]}
    return schema | {"description": _described(field)}


def _answer(field: Field) -> Schema:
    beside = [field.not_applicable.value] if field.not_applicable else []
    match field.kind:
        case "choice" | "scale":
            return {"enum": [*(field.values or ()), *beside]}
        case "multi":
            return {"type": "array", "items": {"enum": list(field.values or ())}}
        case "number":
            number: Schema = {"type": "number"}
            number |= {"minimum": field.min} if field.min is not None else {}
            number |= {"maximum": field.max} if field.max is not None else {}
            return _or_beside(number, beside)
        case "span":
            return _or_beside(_list_of(_passage(field)), beside)
        case "entries":
            return _or_beside({"type": "array", "items": {"type": "string"}}, beside)
        case "memory":
            return _memory()
        case _:
            return {"type": "string"}


def _or_beside(schema: Schema, beside: list[Any]) -> Schema:
    return {"anyOf": [schema, {"enum": beside}]} if beside else schema


def _passage(field: Field) -> Schema:
    """A passage of the dialogue, or of the unit's own text with what is wrong there."""
    quote: Schema = {"quote": {"type": "string"}}
    if field.on == "dialogue":
        return {"turn": {"type": "integer", "minimum": 0}} | quote
    return quote | ({"type": {"enum": [option.value for option in field.options]}} if field.options else {})


def _memory() -> Schema:
    """A memory record in AlpsBench's keys; its id is given by whoever stores it."""
    place = {"utterance_index": {"type": "integer", "minimum": 0}, "text": {"type": "string"}}
    return _object(
        {
            "type": {"enum": list(TYPES)},
            "label": {"enum": list(LABELS)},
            "label_suggestion": _or_null({"type": "string"}),
            "value": {"type": "string"},
            "reasoning": {"type": "string"},
            "evidence": _or_null(_object(place)),
            "confidence": {"type": "number", "minimum": 0, "maximum": 1},
            "time_scope": {"enum": list(TIME_SCOPES)},
            "emotion": {"enum": [*EMOTIONS, None]},
            "preference_attitude": {"enum": [*ATTITUDES, None]},
        }
    )


def _described(field: Field) -> str:
    """The words an annotator reads, so that a judge is asked the same question."""
    lines = [field.title, field.help]
    lines += [
        f"{o.value} ({o.label}): {o.anchor}" if o.anchor else f"{o.value}: {o.label}"
        for o in field.choices
        if o.anchor or not field.in_tenths
    ]
    if field.visible_if:
        conditions = " and ".join(f"{k} is {' or '.join(map(str, v))}" for k, v in field.visible_if.items())
        lines.append(f"Only if {conditions}; null otherwise.")
    return "\n".join(line for line in lines if line)


def _object(properties: Schema) -> Schema:
    return {
        "type": "object",
        "properties": properties,
        "required": list(properties),
        "additionalProperties": False,
    }


def _list_of(properties: Schema) -> Schema:
    return {"type": "array", "items": _object(properties)}


def _or_null(schema: Schema) -> Schema:
    return {"anyOf": [schema, {"type": "null"}]}
