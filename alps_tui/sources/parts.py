"""What every format is made of, read tolerantly: objects, lists, texts, ids and turns."""

from collections.abc import Mapping
from typing import Any

import orjson

from alps_tui.sources.lints import Code, Notes, Unreadable
from alps_tui.sources.normalise import clean_text
from store.content_records import Turn

ROLES = frozenset({"user", "assistant", "system", "tool"})

_CHANGES = {"line_ends": Code.LINE_ENDS, "nul": Code.NUL, "surrogate": Code.SURROGATE}
_KINDS = {
    dict: "an object",
    list: "a list",
    str: "text",
    bool: "true or false",
    int: "a number",
    float: "a number",
}


def kind_of(value: Any) -> str:
    """What a JSON value is, in words: "an object", "a list", "null"."""
    return "null" if value is None else _KINDS.get(type(value), type(value).__name__)


def as_object(value: Any, where: str) -> dict[str, Any]:
    """The value, if it is an object.

    raises   Unreadable, naming what it is instead
    """
    if not isinstance(value, dict):
        raise Unreadable(f"{where} is {kind_of(value)}, not an object")
    return value


def as_list(value: Any, where: str) -> list[Any]:
    """The value, if it is a list.

    raises   Unreadable, naming what it is instead
    """
    if not isinstance(value, list):
        raise Unreadable(f"{where} is {kind_of(value)}, not a list")
    return value


def list_in(record: Mapping[str, Any], key: str, where: str, notes: Notes) -> list[Any]:
    """The list under a key; empty with a lint if it is absent or null.

    raises   Unreadable if something else stands there
    """
    value = record.get(key)
    if value is None:
        notes.add(
            Code.PART_MISSING, f"{where}/{key}", f'no "{key}"' if key not in record else f'"{key}" is null'
        )
        return []
    return as_list(value, f"{where}/{key}")


def text_of(value: Any, where: str, notes: Notes) -> str | None:
    """A text with what was changed in it noted; None for null; numbers and lists as JSON with a lint."""
    if value is None:
        return None
    if not isinstance(value, str):
        notes.add(Code.NOT_TEXT, where, f"{kind_of(value)} where text should stand")
        value = orjson.dumps(value).decode()
    text, changes = clean_text(value)
    for change in changes:
        notes.add(_CHANGES[change], where)
    return text


def word_of(record: Mapping[str, Any], key: str, where: str, notes: Notes) -> str | None:
    """A short value such as a label or an emotion; the quoted word "null" is none, with a lint."""
    text = text_of(record.get(key), f"{where}/{key}", notes)
    if text is not None and text.strip().casefold() == "null":
        notes.add(Code.NULL_TEXT, f"{where}/{key}", f'the text "{text}", read as none')
        return None
    return text


def id_of(value: Any) -> str | None:
    """An id as text: text as it is, a whole number as its digits; None for anything else and for blanks."""
    if isinstance(value, int) and not isinstance(value, bool):
        return str(value)
    if isinstance(value, str) and value.strip():
        return clean_text(value)[0]
    return None


def required_id(record: Mapping[str, Any], key: str) -> str:
    """The id under a key.

    raises   Unreadable if there is none
    """
    found = id_of(record.get(key))
    if found is None:
        what = f'no "{key}"' if key not in record else f'"{key}" is {_empty_or_kind(record[key])}'
        raise Unreadable(what)
    return found


def _empty_or_kind(value: Any) -> str:
    return "empty" if isinstance(value, str) else f"{kind_of(value)}, not an id"


# ---------------------------------------------------------------- turns


def read_dialogue(record: Mapping[str, Any], key: str, notes: Notes) -> tuple[Turn, ...]:
    """The turns under a key.

    raises   Unreadable if the key is missing, and as `read_turns` does
    """
    if key not in record:
        raise Unreadable(f'no "{key}"')
    return read_turns(record[key], key, notes)


def read_turns(value: Any, where: str, notes: Notes) -> tuple[Turn, ...]:
    """The turns of a dialogue. A turn without text stays as an empty one, so that turn numbers hold.

    raises   Unreadable if it is no list, or a turn is no object, or its text is neither text nor a number
    """
    turns: list[Turn] = []
    for i, entry in enumerate(as_list(value, f'"{where}"')):
        here = f"{where}/{i}"
        turn = _read_turn(as_object(entry, here), here, notes)
        if turns and turns[-1].role == turn.role:
            notes.add(Code.SAME_ROLE_TWICE, here, f"{turn.role} speaks again after turn {i}")
        turns.append(turn)
    if not turns:
        notes.add(Code.DIALOGUE_EMPTY, where)
    return tuple(turns)


def _read_turn(entry: dict[str, Any], here: str, notes: Notes) -> Turn:
    body = entry["text"] if entry.get("text") is not None else entry.get("content")
    if isinstance(body, dict | list | bool):
        raise Unreadable(f"{here}: its text is {kind_of(body)}")
    text = text_of(body, here, notes)
    if text is None:
        notes.add(Code.TURN_WITHOUT_TEXT, here)
    return Turn(
        role=_read_role(entry.get("role"), here, notes),
        text=text or "",
        speaker=text_of(entry.get("speaker"), f"{here}/speaker", notes),
        timestamp=text_of(entry.get("timestamp"), f"{here}/timestamp", notes),
        translation=text_of(entry.get("translation"), f"{here}/translation", notes),
    )


def _read_role(value: Any, here: str, notes: Notes) -> str:
    """The role as it is given; blanks around it and capitals are no other role."""
    if isinstance(value, str) and value in ROLES:
        return value
    role = text_of(value, f"{here}/role", notes)
    if role is not None and role.strip().casefold() in ROLES:
        return role.strip().casefold()
    notes.add(Code.ROLE_UNKNOWN, here, "no role" if role is None else f'the role "{role}"')
    return role or "unknown"
