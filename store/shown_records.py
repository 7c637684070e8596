"""A raw memory record as a blind rater may see it: what it says of the user, by a list of keys, and no id as it came.

Made once, on the way in: whatever else stands in a record, a judge's score or a model's name, is not even read when
an item is opened.
"""

from collections.abc import Iterable, Iterator, Mapping
from functools import lru_cache
from typing import Any

from store.encoding import digest, storable

Json = Any
Record = Mapping[str, Json]

TEXTS = (
    "value",
    "label",
    "type",
    "label_suggestion",
    "reasoning",
    "time_scope",
    "emotion",
    "preference_attitude",
)

SUFFIXES = ("_updated", "_update")
"""What AlpsBench's ids end in where a memory was changed."""

NEW = "m_new"
"""What they begin with where a memory came new."""


def shown_records(records: Iterable[Json]) -> list[dict[str, Json]]:
    """Each record with `key` for its id, texts as text, `confidence` a number or None, and `evidence` as a list.

    Evidence is {"quote", "turn"}, the turn as the record numbers it, or None.
    """
    return [_shown(one if isinstance(one, dict) else {}) for one in records]


def shown_pool(records: Iterable[Json]) -> list[dict[str, Json]]:
    """The same of a pool: a hundred records, so that what is null or empty is left out."""
    return [_said(one if isinstance(one, dict) else {}) for one in records]


def _shown(record: Record) -> dict[str, Json]:
    empty: dict[str, Json] = {**dict.fromkeys(TEXTS), "confidence": None, "evidence": []}
    return empty | _said(record)


def _said(record: Record) -> dict[str, Json]:
    """What a record says: only that, for a pool holds a hundred."""
    said: dict[str, Json] = {"key": opaque(record.get("memory_id")), "value": ""}
    for name in TEXTS:
        text = record.get(name)
        if text is not None:
            said[name] = _text(text)
    confidence = _number(record.get("confidence"))
    if confidence is not None:
        said["confidence"] = confidence
    evidence = [{"quote": quote, "turn": turn} for quote, turn in _quotes(record)]
    if evidence:
        said["evidence"] = evidence
    return said


def opaque(memory_id: Json) -> str:
    """A name for an id of the data that tells nothing but what ids of AlpsBench's scheme tell; "" for none.

    Equal for equal ids; of `<id>_updated` it is the name of `<id>` with that ending.
    """
    return "" if memory_id is None else _opaque(str(memory_id))


@lru_cache(maxsize=8192)  # the distractors of one pool are those of many others
def _opaque(name: str) -> str:
    if not name:
        return ""
    suffix = next((one for one in SUFFIXES if name.endswith(one)), "")
    new = f"{NEW}_" if name.startswith(NEW) else ""
    return new + digest(name.removesuffix(suffix))[:16] + suffix


def _text(value: Json) -> str:
    """A text with the line ends and signs that stored text has; of anything else what it says."""
    text = value if isinstance(value, str) else str(value)
    if "\r" in text:
        text = text.replace("\r\n", "\n").replace("\r", "\n")
    return storable(text)


def _number(value: Json) -> float | None:
    """A number that can be shown; a text, a truth value, NaN or an infinity is none."""
    usable = isinstance(value, int | float) and not isinstance(value, bool) and abs(value) < 1e9
    return float(value) if usable else None


def _quotes(record: Record) -> Iterator[tuple[str, int | None]]:
    evidence = record.get("evidence")
    for one in evidence if isinstance(evidence, list) else [evidence]:
        part = one if isinstance(one, dict) else {"text": one}
        quote = part.get("text", part.get("quote"))
        if quote is None:
            continue
        named = part.get("utterance_index", part.get("turn"))
        small = isinstance(named, int) and not isinstance(named, bool) and abs(named) < 1e9
        yield _text(quote), named if small else None
