"""JSON, hashes, times and text as the store writes them: one form for one meaning. Pure."""

import hashlib
import json
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from datetime import UTC, datetime

import orjson

from store.kinds import EvidenceMatch
from store.records import Evidence, Json, Turn

_SORTED = orjson.OPT_SORT_KEYS


def canonical(value: Json) -> str:
    """The one JSON text of a value: sorted keys, no spaces; equal values give equal texts.

    What orjson refuses (integers over 64 bits, lone surrogates) is written by the standard library, all
    beyond ASCII escaped, so that any string comes back as it went in.

    raises   ValueError if the value holds NaN or an infinity, TypeError if JSON cannot say it
    """
    text = _dumps(value, _SORTED)
    if text is None:
        return json.dumps(value, ensure_ascii=True, sort_keys=True, separators=(",", ":"), allow_nan=False)
    if "null" in text and _has_non_finite(value):
        raise ValueError("NaN and infinities are no values of JSON")
    return text


def as_it_came(value: Json) -> str:
    """JSON with the keys in the order in which they came, for records kept beside their normalised form."""
    text = _dumps(value, 0)
    if text is not None and not ("null" in text and _has_non_finite(value)):
        return text
    return json.dumps(value, ensure_ascii=True, separators=(",", ":"))


def read_json(text: str) -> Json:
    """What `canonical` or `as_it_came` wrote."""
    return json.loads(text)


def _dumps(value: Json, options: int) -> str | None:
    try:
        return orjson.dumps(value, option=options).decode()
    except (TypeError, orjson.JSONEncodeError):
        return None


def _has_non_finite(value: Json) -> bool:
    """True if a float in `value` is NaN or infinite, which orjson would write as null."""
    if isinstance(value, float):
        return value != value or value in (float("inf"), float("-inf"))
    if isinstance(value, Mapping):
        return any(_has_non_finite(part) for part in value.values())
    if isinstance(value, (list, tuple)):
        return any(_has_non_finite(part) for part in value)
    return False


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


def evidence_to_json(evidence: Iterable[Evidence]) -> str:
    """A list of objects with all six keys, in the order given."""
    return canonical(
        [
            {
                "quote": e.quote,
                "match": e.match.value,
                "turn": e.turn,
                "start": e.start,
                "end": e.end,
                "score": e.score,
            }
            for e in evidence
        ]
    )


def evidence_from_json(text: str) -> tuple[Evidence, ...]:
    return tuple(
        Evidence(e["quote"], EvidenceMatch(e["match"]), e["turn"], e["start"], e["end"], e["score"])
        for e in read_json(text)
    )


def turns_to_json(turns: Iterable[Turn]) -> str:
    return canonical([asdict(turn) for turn in turns])


def turns_from_json(text: str) -> tuple[Turn, ...]:
    return tuple(Turn(**turn) for turn in read_json(text))
