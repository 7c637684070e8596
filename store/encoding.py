"""JSON, hashes, times and text as the store writes them: one form for one meaning. Pure."""

import hashlib
import json
import unicodedata
from collections.abc import Iterable
from dataclasses import fields, is_dataclass
from datetime import UTC, datetime
from math import isfinite
from typing import Any

import orjson

from store.content_records import Evidence, Json, Turn
from store.kinds import EvidenceMatch


def canonical(value: Json, *, finite: bool = False) -> str:
    """The one JSON text of a value: sorted keys, no spaces; equal values give equal texts. A frozen row is
    written as an object of its fields, in their order.

    What orjson refuses (integers over 64 bits, lone surrogates) is written by the standard library, all
    beyond ASCII escaped, so that any string comes back as it went in.

    finite   the caller knows that there is no NaN and no infinity in it, so that nobody has to look

    raises   ValueError if the value holds NaN or an infinity, TypeError if JSON cannot say it
    """
    text = _quick(value, orjson.OPT_SORT_KEYS, check=not finite)
    return _standard(value, sort_keys=True) if text is None else text


def as_it_came(value: Json) -> str:
    """JSON with the keys in the order in which they came, for records kept beside their normalised form."""
    text = _quick(value, 0)
    return _standard(value, allow_nan=True) if text is None else text


def read_json(text: str) -> Json:
    """What `canonical` or `as_it_came` wrote."""
    return json.loads(text)


def _quick(value: Json, options: int, *, check: bool = True) -> str | None:
    """orjson's text, or None where it cannot be trusted: it writes NaN and the infinities as null."""
    try:
        text = orjson.dumps(value, option=options).decode()
    except TypeError:
        return None
    if check and "null" in text:
        try:
            _standard(value)
        except ValueError:
            return None
    return text


def _standard(value: Json, *, sort_keys: bool = False, allow_nan: bool = False) -> str:
    return json.dumps(
        value,
        ensure_ascii=True,
        sort_keys=sort_keys,
        separators=(",", ":"),
        allow_nan=allow_nan,
        default=_fields,
    )


def _fields(value: Any) -> dict[str, Any]:
    """A frozen row as an object."""
    if is_dataclass(value) and not isinstance(value, type):
        return {one.name: getattr(value, one.name) for one in fields(value)}
    raise TypeError(f"{type(value).__name__} is not a value of JSON")


def digest(*parts: str | bytes) -> str:
    """SHA-256 over the parts, each with its length before it, so that no two lists of parts are confused."""
    total = hashlib.sha256()
    for part in parts:
        data = part.encode("utf-8", "surrogatepass") if isinstance(part, str) else part
        total.update(b"%d:" % len(data))
        total.update(data)
    return total.hexdigest()


def now() -> str:
    """This moment, ISO 8601 UTC with microseconds."""
    return datetime.now(UTC).isoformat(timespec="microseconds")


_UNSTORABLE = {0: "\u2400"} | {code: "\ufffd" for code in range(0xD800, 0xE000)}


def storable(text: str) -> str:
    """The text with NUL and lone surrogates mapped one sign for one, as no database takes them."""
    if "\0" not in text:
        try:
            text.encode()
        except UnicodeEncodeError:
            return text.translate(_UNSTORABLE)
        return text
    return text.translate(_UNSTORABLE)


def storable_or_none(text: str | None) -> str | None:
    return None if text is None else storable(text)


def same_words(value: str) -> str:
    """What two models mean by the same sentence: compatibility forms, case, blanks and the last stop left aside."""
    folded = unicodedata.normalize("NFKC", value).casefold()
    return " ".join(folded.split()).rstrip(".。!！؟?？ ")


def evidence_to_json(evidence: Iterable[Evidence]) -> str:
    """A list of objects with all six keys, in the order given."""
    listed = list(evidence)
    # The score is the only number with a fraction.
    return canonical(listed, finite=all(one.score is None or isfinite(one.score) for one in listed))


def evidence_from_json(text: str) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(e["quote"], EvidenceMatch(e["match"]), e["turn"], e["start"], e["end"], e["score"])
        for e in read_json(text)
    )


def turns_to_json(turns: Iterable[Turn]) -> str:
    listed = list(turns)
    text = _quick(listed, 0, check=False)  # there is no number in a turn
    return _standard(listed) if text is None else text


def turns_from_json(text: str) -> tuple[Turn, ...]:
    return tuple(Turn(**turn) for turn in read_json(text))
