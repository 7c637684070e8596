"""JSON as it comes: read strictly where possible, tolerantly where harmless, else with the reason it cannot be."""

import json
from typing import Any

import orjson

from alps_tui.sources.lints import Code, Notes, Unreadable
from alps_tui.sources.normalise import MAX_DEPTH, nests_too_deep, storable

BOM = b"\xef\xbb\xbf"


def parse_json(data: bytes, notes: Notes) -> Any:
    """The JSON document in `data`; every value in it can be written as JSON again.

    A UTF-8 byte order mark, lone surrogates and numbers too large to keep are tolerated with a lint.

    raises   Unreadable with the reason: empty, not UTF-8, cut off, NaN, nested too deeply, or where it breaks
    """
    if data.startswith(BOM):
        notes.add(Code.BOM, "")
        data = data.removeprefix(BOM)
    try:
        value = orjson.loads(data)
    except orjson.JSONDecodeError:
        value = _parse_tolerantly(data, notes)
    if nests_too_deep(value):
        raise Unreadable(f"nested deeper than {MAX_DEPTH} levels")
    return value


def _parse_tolerantly(data: bytes, notes: Notes) -> Any:
    """What the strict parser refuses but can be kept; else the reason, said better than a parser's."""
    text = _decode(data)
    try:
        value = json.loads(text, parse_constant=_refuse_constant)
        value = storable(value)
    except json.JSONDecodeError as error:
        raise Unreadable(_why(error)) from None
    except RecursionError:
        raise Unreadable(f"nested deeper than {MAX_DEPTH} levels") from None
    except ValueError as error:  # an integer of more digits than Python converts
        raise Unreadable(f"a number that cannot be read ({str(error).partition(':')[0]})") from None
    notes.add(Code.SURROGATE, "", "a text holds half a character, or a number is too large to keep")
    return value


def _decode(data: bytes) -> str:
    if not data.strip():
        raise Unreadable("empty")
    if data.startswith((b"\xff\xfe", b"\xfe\xff")):
        raise Unreadable("UTF-16, not UTF-8")
    try:
        return data.decode()
    except UnicodeDecodeError as error:
        if error.end >= len(data) and "unexpected end" in error.reason:
            raise Unreadable(f"cut off: it ends within a character at byte {error.start}") from None
        raise Unreadable(f"not UTF-8: byte {error.start} is 0x{data[error.start]:02x}") from None


def _refuse_constant(name: str) -> Any:
    raise Unreadable(f"{name} is not JSON")


def _why(error: json.JSONDecodeError) -> str:
    at = f"line {error.lineno}, column {error.colno}"
    rest = error.doc[error.pos :].strip()
    if not rest or error.msg.startswith("Unterminated string"):
        return f"cut off: the JSON ends before it is complete ({at})"
    if error.msg == "Extra data":
        return f"more than one JSON document ({at})"
    return f"not JSON: {error.msg[0].lower()}{error.msg[1:]} ({at})"
