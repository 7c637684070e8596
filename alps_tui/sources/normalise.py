"""Text from files made storable: LF line ends, NUL and lone surrogates replaced one for one, and said so."""

import math
from typing import Any

import orjson

NUL_SIGN = "\N{SYMBOL FOR NULL}"
"""Stands for each NUL, so that offsets into the text hold."""

REPLACEMENT = "\N{REPLACEMENT CHARACTER}"
"""Stands for each lone surrogate."""

MAX_DEPTH = 240
"""How deep a document may nest and still be written as JSON by orjson (254), with room for wrappers."""

_SURROGATES = {code: REPLACEMENT for code in range(0xD800, 0xE000)}


def clean_text(text: str) -> tuple[str, tuple[str, ...]]:
    """The text as it may be stored, and what was changed: "line_ends", "nul", "surrogate".

    Line ends become LF first, so every offset is taken in the text as it is stored; NUL and lone surrogates
    keep their place. Text without any of them is returned as it is.
    """
    changes: list[str] = []
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
        changes.append("line_ends")
    if "\0" in text:
        text = text.replace("\0", NUL_SIGN)
        changes.append("nul")
    if not is_unicode(text):
        text = text.translate(_SURROGATES)
        changes.append("surrogate")
    return text, tuple(changes)


def is_unicode(text: str) -> bool:
    """True if the text holds no lone surrogate and so can be written as UTF-8."""
    if text.isascii():
        return True
    try:
        text.encode()
    except UnicodeEncodeError:
        return False
    return True


def storable(value: Any) -> Any:
    """A copy of parsed JSON that orjson can write: lone surrogates replaced, numbers it has no room for as text."""
    if isinstance(value, str):
        return value if is_unicode(value) else value.translate(_SURROGATES)
    if isinstance(value, dict):
        return {storable(key): storable(item) for key, item in value.items()}
    if isinstance(value, list):
        return [storable(item) for item in value]
    if isinstance(value, int) and not -(2**63) <= value < 2**64:
        return str(value)
    if isinstance(value, float) and not math.isfinite(value):
        return str(value)
    return value


def nests_too_deep(value: Any) -> bool:
    """True if parsed JSON nests deeper than MAX_DEPTH and so could not be written again."""
    for _ in range(254 - MAX_DEPTH):
        value = [value]
    try:
        orjson.dumps(value)
    except TypeError:
        return True
    return False
