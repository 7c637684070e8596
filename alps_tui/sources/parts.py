"""The parts that every format has, read tolerantly: ids, texts, turns, memories, evidence, queries, responses."""

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import orjson

from alps_tui.sources.evidence import QuoteFinder
from alps_tui.sources.lints import Code, Notes, Unreadable
from alps_tui.sources.normalise import clean_text
from store.kinds import EvidenceMatch, Origin
from store.records import Evidence, Memory, Query, Response, Turn

ROLES = frozenset({"user", "assistant", "system", "tool"})

GOLD_KEYS = (
    "memory_id",
    "type",
    "label",
    "label_suggestion",
    "value",
    "reasoning",
    "evidence",
    "confidence",
    "time_scope",
    "emotion",
    "preference_attitude",
)
MODEL_KEYS = ("memory_id", "type", "label", "value", "confidence", "evidence_text")

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
            notes.add(Code.SAME_ROLE_TWICE, here, f"{turn.role} speaks again after turn {i - 1}")
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


# ---------------------------------------------------------------- memories


def read_memories(
    entries: Sequence[Any],
    origin: Origin,
    name: str,
    where: str,
    finder: QuoteFinder,
    notes: Notes,
    expected: Sequence[str] = (),
) -> tuple[Memory, ...]:
    """Memories of one origin, in order. Repeated ids are noted and kept.

    expected   the keys a memory of this kind has; those that lack are noted

    raises   Unreadable if an entry is no object
    """
    memories = tuple(
        read_memory(as_object(entry, f"{where}/{i}"), origin, name, i, where, finder, notes, expected)
        for i, entry in enumerate(entries)
    )
    seen: set[str] = set()
    for memory in memories:
        if memory.external_id in seen:
            notes.add(Code.DUPLICATE_ID, f"{where}/{memory.external_id}", "the id occurs more than once")
        seen.add(memory.external_id)
    return memories


def read_memory(
    record: dict[str, Any],
    origin: Origin,
    name: str,
    position: int,
    where: str,
    finder: QuoteFinder,
    notes: Notes,
    expected: Sequence[str] = (),
) -> Memory:
    """One memory record in AlpsBench's keys, or `id` for its id."""
    external_id = id_of(record.get("memory_id", record.get("id")))
    if external_id is None:
        external_id = f"#{position + 1}"
        if expected:
            notes.add(Code.MISSING_ID, f"{where}/{external_id}", "no memory_id, its place is used")
    here = f"{where}/{external_id}"
    if lacking := [key for key in expected if key not in record and key != "memory_id"]:
        notes.add(Code.MISSING_KEYS, here, f"no {', '.join(lacking)}")
    value = text_of(record.get("value"), f"{here}/value", notes)
    if value is None or not value.strip():
        notes.add(Code.VALUE_MISSING, f"{here}/value")
    return Memory(
        external_id=external_id,
        origin=origin,
        origin_name=name,
        position=position,
        value=value or "",
        label=read_label(record, here, notes),
        type=word_of(record, "type", here, notes),
        label_suggestion=word_of(record, "label_suggestion", here, notes),
        reasoning=text_of(record.get("reasoning"), f"{here}/reasoning", notes),
        confidence=read_confidence(record, here, notes),
        time_scope=word_of(record, "time_scope", here, notes),
        emotion=word_of(record, "emotion", here, notes),
        preference_attitude=word_of(record, "preference_attitude", here, notes),
        evidence=read_evidence(record, here, finder, notes) if notes.locate else (),
        raw=record,
    )


def read_label(record: Mapping[str, Any], here: str, notes: Notes) -> str | None:
    """The label as it is given, noted if a taxonomy is known and it is not in it."""
    label = word_of(record, "label", here, notes)
    if label is not None and notes.labels is not None and label not in notes.labels:
        notes.add(Code.LABEL_OUTSIDE, f"{here}/label", f'"{label}" is not in the taxonomy')
    return label


def read_confidence(record: Mapping[str, Any], here: str, notes: Notes) -> float | None:
    """The confidence as a number, also outside 0 to 1 (noted); None if it is none."""
    value = record.get("confidence")
    if value is None:
        return None
    where = f"{here}/confidence"
    number = _number(value)
    if number is None:
        notes.add(Code.CONFIDENCE_NO_NUMBER, where, f"{_shown(value)} is no number")
        return None
    if isinstance(value, str):
        notes.add(Code.CONFIDENCE_TEXT, where, f"{_shown(value)} is a number in quotes")
    if not 0 <= number <= 1:
        notes.add(Code.CONFIDENCE_OUTSIDE, where, f"{_shown(value)} is not between 0 and 1")
    return number


def _number(value: Any) -> float | None:
    """A finite number, also one written as text."""
    if isinstance(value, bool) or not isinstance(value, int | float | str):
        return None
    try:
        number = float(value)
    except (ValueError, OverflowError):
        return None
    return number if math.isfinite(number) else None


def _shown(value: Any) -> str:
    text = orjson.dumps(value).decode()
    return text if len(text) <= 60 else f"{text[:59]}…"


def lint_records(entries: Any, where: str, notes: Notes) -> None:
    """Note labels and confidences that are odd in a list of memory records that is kept as it came."""
    if not isinstance(entries, list):
        return
    for i, record in enumerate(entries):
        if isinstance(record, dict):
            here = f"{where}/{id_of(record.get('memory_id')) or f'#{i + 1}'}"
            read_label(record, here, notes)
            read_confidence(record, here, notes)


# ---------------------------------------------------------------- evidence


def read_evidence(
    record: Mapping[str, Any], here: str, finder: QuoteFinder, notes: Notes
) -> tuple[Evidence, ...]:
    """All evidence of a memory, located: `evidence` in any of its shapes, else `evidence_text`."""
    given = record.get("evidence")
    quotes = list(_quotes(given, f"{here}/evidence", notes))
    if not quotes and (text := record.get("evidence_text")) is not None:
        quotes = [(text_of(text, f"{here}/evidence_text", notes) or "", ())]
    found: list[Evidence] = []
    for quote, named in quotes:
        located = finder.locate(quote, named)
        _note_evidence(located, named, f"{here}/evidence", finder, notes)
        found.extend(located)
    return tuple(found)


def _quotes(given: Any, where: str, notes: Notes) -> Iterator[tuple[str, tuple[int, ...]]]:
    """(quote, named turns) of each shape: text, {utterance_index, text}, {turn_indices, turns}, a list of them."""
    if given is None:
        return
    if isinstance(given, str):
        yield text_of(given, where, notes) or "", ()
    elif isinstance(given, list):
        for entry in given:
            yield from _quotes(entry, where, notes)
    elif isinstance(given, dict) and isinstance(given.get("turns"), list):
        for turn in given["turns"]:
            if isinstance(turn, dict):
                yield text_of(turn.get("text"), where, notes) or "", _indices(turn.get("index"), where, notes)
            else:
                notes.add(Code.EVIDENCE_SHAPE, where, f"a picked turn is {kind_of(turn)}")
    elif isinstance(given, dict):
        index = next(
            (given[key] for key in ("utterance_index", "turn_indices", "turn") if key in given), None
        )
        quote = given["text"] if "text" in given else given.get("quote")
        yield text_of(quote, where, notes) or "", _indices(index, where, notes)
    else:
        notes.add(Code.EVIDENCE_SHAPE, where, f"evidence is {kind_of(given)}")


def _indices(value: Any, where: str, notes: Notes) -> tuple[int, ...]:
    """Turn numbers from 0: one or a list, also written as text. What is no number is noted."""
    entries = value if isinstance(value, list) else [] if value is None else [value]
    indices: list[int] = []
    for entry in entries:
        number = _number(entry)
        if number is None or number != int(number):
            notes.add(Code.EVIDENCE_INDEX, where, f"{_shown(entry)} is no turn number")
        else:
            indices.append(int(number))
    return tuple(indices)


def _note_evidence(
    located: Sequence[Evidence], named: Sequence[int], where: str, finder: QuoteFinder, notes: Notes
) -> None:
    for i in named:
        if not 0 <= i < len(finder.turns):
            notes.add(
                Code.EVIDENCE_INDEX, where, f"there is no turn {i}: the dialogue has {len(finder.turns)}"
            )
    if len(located) > 1:
        notes.add(Code.EVIDENCE_JOINED, where, f"{len(located)} quotes in one, each sought by itself")
    for one in located:
        _note_match(one, named, where, notes)
        if one.turn is not None and finder.turns[one.turn].role != "user":
            notes.add(
                Code.EVIDENCE_ASSISTANT, where, f"turn {one.turn} is the {finder.turns[one.turn].role}'s"
            )


def _note_match(one: Evidence, named: Sequence[int], where: str, notes: Notes) -> None:
    if one.match is EvidenceMatch.NO_QUOTE:
        notes.add(Code.EVIDENCE_NO_QUOTE, where)
    elif one.match is EvidenceMatch.NOT_FOUND:
        notes.add(Code.EVIDENCE_NOT_FOUND, where, f"no turn holds {_shown(one.quote)}")
    elif one.match is EvidenceMatch.FUZZY:
        notes.add(Code.EVIDENCE_FUZZY, where, f"similar to turn {one.turn}, score {one.score:.2f}")
    elif one.match is EvidenceMatch.NORMALISED:
        notes.add(Code.EVIDENCE_NORMALISED, where, f"in turn {one.turn} but for case, punctuation or spaces")
    if one.start is not None and named and one.turn not in named:
        notes.add(Code.EVIDENCE_OTHER_TURN, where, f"in turn {one.turn}, not in turn {named[0]}")


# ---------------------------------------------------------------- queries and responses


def query_text(value: Any, where: str, notes: Notes) -> str:
    """The text of a query; an empty one is noted."""
    text = text_of(value, where, notes)
    if text is None or not text.strip():
        notes.add(Code.QUERY_EMPTY, where)
    return text or ""


def read_queries(
    entries: Sequence[Any],
    where: str,
    notes: Notes,
    *,
    prefix: str,
    ability: str | None = None,
    target: str | None = None,
    given: tuple[str, ...] = (),
) -> list[Query]:
    """Utilization queries in order: `query_id` or `id`, `query` or `text`, and their own ability, if they have one.

    prefix            of the id made for a query that has none
    ability, target   those of the whole list
    given             the memories handed over with each of them, unless it has its own `memory_ids`

    raises   Unreadable if an entry is no object or its `memory_ids` no list
    """
    queries: list[Query] = []
    for i, entry in enumerate(entries):
        here = f"{where}/{i}"
        record = as_object(entry, here)
        external_id = id_of(record.get("query_id", record.get("id")))
        if external_id is None:
            notes.add(Code.MISSING_ID, here, "no query_id, its place is used")
        own = record.get("memory_ids")
        queries.append(
            Query(
                external_id=external_id or f"{prefix}:{i}",
                kind="utilization",
                text=query_text(record.get("query", record.get("text")), here, notes),
                ability=text_of(record.get("ability"), f"{here}/ability", notes) or ability,
                category=text_of(record.get("category"), f"{here}/category", notes),
                target=id_of(record.get("target")) or target,
                given=given if own is None else _memory_ids(own, f"{here}/memory_ids"),
            )
        )
    return queries


def _memory_ids(value: Any, where: str) -> tuple[str, ...]:
    ids = [id_of(entry) for entry in as_list(value, where)]
    if None in ids:
        raise Unreadable(f"{where} holds {kind_of(value[ids.index(None)])}, not an id")
    return tuple(found for found in ids if found is not None)


def note_unknown_memories(
    queries: Iterable[Query], memories: Iterable[Memory], where: str, notes: Notes
) -> None:
    """Note the ids given with a query that no memory of the dialogue has."""
    known = {memory.external_id for memory in memories}
    for query in queries:
        for name in dict.fromkeys((*query.given, *filter(None, (query.target,)))):
            if name not in known:
                notes.add(Code.MEMORY_UNKNOWN, f"{where}/{query.external_id}", f'there is no memory "{name}"')


def unique_ids(queries: Sequence[Query], where: str, notes: Notes) -> list[Query]:
    """The queries with distinct ids: a repeated one gets its number appended, with a lint."""
    seen: set[str] = set()
    unique: list[Query] = []
    for query in queries:
        name, n = query.external_id, 1
        while name in seen:
            n += 1
            name = f"{query.external_id}#{n}"
        if n > 1:
            notes.add(
                Code.DUPLICATE_ID, f"{where}/{query.external_id}", f"the id occurs again, here as {name}"
            )
        seen.add(name)
        unique.append(replace(query, external_id=name))
    return unique


def read_responses(
    entries: Sequence[Any], queries: Sequence[Query], where: str, notes: Notes, *, model: str | None = None
) -> tuple[Response, ...]:
    """Responses in order, each joined to its query by `query_id`; an empty one is kept and noted.

    model    who answered, where the responses do not say it themselves

    raises   Unreadable if a response names no query of the record, or an id that several queries bear
    """
    known = {query.external_id for query in queries}
    responses: list[Response] = []
    for i, entry in enumerate(entries):
        here = f"{where}/{i}"
        record = as_object(entry, here)
        query_id = id_of(record.get("query_id"))
        if query_id is None or query_id not in known:
            named = (
                "no query" if query_id is None else f'the query "{query_id}", which the record does not have'
            )
            raise Unreadable(f"{here} names {named}")
        if f"{query_id}#2" in known:
            raise Unreadable(f'{here} names the query "{query_id}", which the record has more than once')
        text = text_of(record.get("response", record.get("text")), here, notes) or ""
        if not text.strip():
            notes.add(Code.RESPONSE_EMPTY, here)
        responses.append(Response(query_id, _model_of(record, model, here, notes), text, i))
    return tuple(responses)


def _model_of(record: Mapping[str, Any], model: str | None, here: str, notes: Notes) -> str:
    name = model or id_of(record.get("model"))
    if name is None:
        notes.add(Code.MISSING_ID, here, "no model is named")
    return name or "unnamed"
