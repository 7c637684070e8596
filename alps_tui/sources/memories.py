"""Memory records and their evidence, in every shape that real files have."""

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import orjson

from alps_tui.sources.evidence import QuoteFinder
from alps_tui.sources.lints import Code, Notes
from alps_tui.sources.parts import as_object, id_of, kind_of, text_of, word_of
from store.content_records import Evidence, Memory
from store.kinds import EvidenceMatch, Origin

MODEL_KEYS = ("memory_id", "type", "label", "value", "confidence", "evidence_text")


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
            has = {0: "no turns", 1: "1 turn"}.get(len(finder.turns), f"{len(finder.turns)} turns")
            notes.add(Code.EVIDENCE_INDEX, where, f"index {i}, but the dialogue has {has}")
    if len(located) > 1:
        notes.add(Code.EVIDENCE_JOINED, where, f"{len(located)} quotes in one, each sought by itself")
    for one in located:
        _note_match(one, named, where, notes)
        if one.turn is not None and finder.turns[one.turn].role != "user":
            notes.add(
                Code.EVIDENCE_ASSISTANT, where, f"turn {one.turn + 1} is the {finder.turns[one.turn].role}'s"
            )


def _note_match(one: Evidence, named: Sequence[int], where: str, notes: Notes) -> None:
    """How a quote was found; turns are numbered from 1 in what people read, as on the screen."""
    if one.match is EvidenceMatch.NO_QUOTE:
        notes.add(Code.EVIDENCE_NO_QUOTE, where)
        return
    if one.turn is None or one.start is None:
        notes.add(Code.EVIDENCE_NOT_FOUND, where, f"no turn holds {_shown(one.quote)}")
        return
    turn = f"turn {one.turn + 1}"
    if one.match is EvidenceMatch.FUZZY:
        notes.add(Code.EVIDENCE_FUZZY, where, f"similar to {turn}, score {one.score:.2f}")
    elif one.match is EvidenceMatch.NORMALISED:
        notes.add(Code.EVIDENCE_NORMALISED, where, f"in {turn} but for case, punctuation or spaces")
    if named and one.turn not in named:
        notes.add(Code.EVIDENCE_OTHER_TURN, where, f"in {turn}, not in turn {named[0] + 1}")
