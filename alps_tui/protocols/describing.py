"""A form in words and as data: what an item of it is, what is asked of which part, on which scale, with which keys."""

from typing import Any

from alps_tui.protocols.schema import Field, Protocol

Json = Any

ITEM_WORDS: dict[str, str] = {
    "dialogue": "a dialogue as a whole",
    "memory-verification": "a dialogue with the memories proposed for it, and those that models extracted",
    "response-rating": "a question with the responses to it, beside its dialogue and what the person prefers",
    "response-preference": "a question with pairs of the responses to it",
    "memory-update": "an update of memories: the list before, the new dialogue, the list after",
    "memory-retrieval": "a question that is put to a pool of memories",
    "utilization-check": "the questions of a dialogue that test an ability, with what is on record",
    "memory-use": "a question that was put to a pool of memories, with the responses to it",
    "extraction-review": "the memories a model extracted from a dialogue, held against those proposed for it",
}
"""What a form's `item` names → what one item is, in the words of a person."""


def item_words(form: Protocol) -> str:
    """What a person judges in one sitting."""
    if form.reveals:
        return f"what a judge said, shown once one's own answers to the questions of {form.blind} are locked"
    return ITEM_WORDS.get(form.item, form.item)


def scale_words(field: Field) -> str:
    """What can be answered: the points of a scale, the values of options, or what is typed."""
    values = field.values
    if field.kind == "scale" and values:
        step = "" if field.step in (None, 1) else f" in steps of {field.step:g}"
        words = f"{values[0]} to {values[-1]}{step}"
    elif values is not None:
        words = ", ".join(map(str, values))
    elif field.kind == "number":
        words = _range(field)
    else:
        words = field.derived.replace("_", " ") if field.derived else ""
    beside = f"; or {field.not_applicable.value}" if field.not_applicable else ""
    return words + beside


def _range(field: Field) -> str:
    ends = [
        f"from {field.min:g}" if field.min is not None else "",
        f"to {field.max:g}" if field.max is not None else "",
    ]
    return " ".join(end for end in ends if end) or "any number"


def condition_words(field: Field) -> str:
    """When a field is shown: "verdict is edit or delete"; empty if always."""
    parts = [f"{key} is {' or '.join(map(str, values))}" for key, values in (field.visible_if or {}).items()]
    return " and ".join(parts)


def described(form: Protocol) -> dict[str, Json]:
    """All of it as data."""
    return {
        "name": form.name,
        "version": form.version,
        "title": form.title,
        "note": form.note or None,
        "item": form.item,
        "item_is": item_words(form),
        "screen": form.screen,
        "content_hash": form.content_hash,
        "keys": dict(form.keys),
        "rater_makes": {str(kind): rows.model_dump() for kind, rows in form.rows.items()},
        "fields": [_field(field) for field in form.fields],
    }


def _field(field: Field) -> dict[str, Json]:
    return {
        "key": field.key,
        "per": str(field.per),
        "kind": field.kind,
        "title": field.title,
        "level": str(field.level) if field.level else None,
        "scale": list(field.values) if field.values is not None else None,
        "min": field.min,
        "max": field.max,
        "step": field.step,
        "required": field.required,
        "asked_of": field.asked,
        "visible_if": {k: list(v) for k, v in field.visible_if.items()} if field.visible_if else None,
        "options": [option.model_dump() for option in field.choices],
    }
