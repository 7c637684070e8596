"""What imported annotations of AlpsBench's tasks 2 to 4 say in the terms of our forms. Pure.

A value that equals what the tool's form showed at first is seeded, and so is a question or a memory left as it was:
nobody can know whether it was looked at. What was changed is derived from the change.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from alps_tui.items.alignment import actions
from alps_tui.items.derived_acts import Wanted, form_answers, note_of, of_added, of_proposal, utc
from alps_tui.items.list_decisions import Decided, Record, decide, decide_by_content, without_private
from alps_tui.protocols.schema import Protocol
from store.content import StoredAnnotation, StoredQuery, StoredUpdate
from store.kinds import Attested, UnitKind
from store.records import Change, NewUnit

Json = Any
Units = Mapping[str, int]
"""Key of a unit → its row id."""

UPDATE_DEFAULTS: dict[str, Json] = {
    "overallVerdict": "reasonable",
    "expectedAction": "modification",
    "newDialogueContainsUpdateSignal": "yes",
    "goldUpdateReasonable": "yes",
    "changedOnlyRelevantMemory": "yes",
    "issueTypes": None,
}
RETRIEVAL_DEFAULTS: dict[str, Json] = {
    "relevanceLevel": "strong",
    "hardWithoutTargetMemory": "yes",
    "answerableByCommonSense": "no",
    "multipleMemoriesCouldSupport": "no",
}
UTILIZATION_DEFAULTS: dict[str, Json] = {
    "overallVerdict": "reasonable",
    "testsTargetAbility": "yes",
    "memoryDependency": "strong",
    "abilityPurity": "high",
    "issueTypes": None,
    "evidenceNote": None,
    "revisionSuggestion": None,
}
"""What AlpsBench's forms of tasks 2, 3 and 4 showed before anybody answered; None where they showed nothing."""


def _wanted(
    annotation: StoredAnnotation,
    units: Units,
    changes: Iterable[Change],
    left_out: Sequence[str],
    **counts: int,
) -> Wanted:
    changes = tuple(changes)
    counted = Counter(change.attested.value for change in changes) + Counter(counts)
    return Wanted(
        changes=changes,
        note=note_of(annotation.payload),
        submitted=annotation.payload.get("status") != "draft",
        decided_at=utc(annotation.updated_at),
        presentation=tuple(units.values()),
        counts=counted,
        left_out=tuple(left_out),
    )


# ---------------------------------------------------------------- the gold editor's lists


def edited_gold_answers(
    form: Protocol, annotation: StoredAnnotation, proposals: Sequence[Record], units: Units
) -> Wanted:
    """Per memory of the gold what became of it in the list that its editor left; that tool asks nothing else.

    proposals   the gold, in the order of the item's memory units
    """
    decisions = decide_by_content(proposals, _records(annotation.payload.get("golden_answer")))
    keeping = Attested.SEEDED if decisions.untouched else Attested.DERIVED
    keys = [key for key in units if key.startswith("gold:")]
    changes: list[Change] = []
    for key, decided in zip(keys, decisions.decided, strict=True):
        changes += of_proposal(units[key], decided, keeping)
    changes += [of_added(place, record) for place, record in enumerate(decisions.added, 1)]
    return _wanted(annotation, units, changes, ())


# ---------------------------------------------------------------- task 2


def update_answers(
    form: Protocol, annotation: StoredAnnotation, update: StoredUpdate, units: Units
) -> Wanted:
    """Per memory of the updated list what became of it, and which action it is of the list before."""
    final = _records(annotation.payload.get("editableUpdatedMemories"))
    decisions = decide(update.answer, final)
    keeping = Attested.SEEDED if decisions.untouched else Attested.DERIVED
    keys = [key for key in units if key.startswith("answer:")]
    changes: list[Change] = []
    listed = [
        record if one.record is None else one.record
        for record, one in zip(update.answer, decisions.decided, strict=True)
    ]
    acted = actions(update.pool, [*listed, *decisions.added])
    for key, decided, action in zip(keys, decisions.decided, acted[: len(listed)], strict=True):
        changes += _of_updated(units[key], decided, action, keeping)
    for place, (record, action) in enumerate(zip(decisions.added, acted[len(listed) :], strict=True), 1):
        changes += _of_added(place, record, action)
    verdicts, left_out = form_answers(form, annotation, annotation.payload, units["session"], UPDATE_DEFAULTS)
    return _wanted(annotation, units, [*changes, *verdicts], left_out)


def _of_updated(unit_id: int, decided: Decided, action: str, keeping: Attested) -> Iterator[Change]:
    attested = keeping if decided.verdict == "keep" else Attested.DERIVED
    yield Change("verdict", decided.verdict, unit_id, attested=attested)
    if decided.record is not None:
        yield Change("memory", decided.record, unit_id, attested=Attested.DERIVED)
    if decided.verdict != "delete":
        yield Change("action", action, unit_id, attested=attested)


def _of_added(place: int, record: Record, action: str) -> Iterator[Change]:
    unit = NewUnit(UnitKind.UPDATE, key=f"added:{place}", shown_id=f"+{place}")
    yield Change("memory", without_private(record), new_unit=unit, attested=Attested.DERIVED)
    yield Change("action", action, new_unit=unit, attested=Attested.DERIVED)


# ---------------------------------------------------------------- tasks 3 and 4


def retrieval_answers(
    form: Protocol,
    annotation: StoredAnnotation,
    query: StoredQuery,
    target: Record | None,
    units: Units,
) -> Wanted:
    """What was said of the question and its memory, and what was changed in them.

    target   the memory the form started from, None where it is not known
    """
    payload, unit_id = annotation.payload, units["query"]
    changes, left_out = form_answers(form, annotation, payload, unit_id, RETRIEVAL_DEFAULTS)
    changes += _of_question(payload, query, target, unit_id)
    return _wanted(annotation, units, changes, left_out)


def utilization_answers(
    form: Protocol,
    annotation: StoredAnnotation,
    asked: Sequence[tuple[StoredQuery, Record | None]],
    units: Units,
) -> Wanted:
    """What was said of each question; one that the dialogue does not have is left out with a sentence.

    asked   each question with the memory the form started from
    """
    known = {query.external_id: (place, query, target) for place, (query, target) in enumerate(asked, 1)}
    changes: list[Change] = []
    left_out: list[str] = []
    for record in _records(annotation.payload.get("subAnnotations")):
        query_id = str(record.get("queryId"))
        place, query, target = known.get(query_id, (0, None, None))
        unit_id = units.get(f"query:{query_id}", units.get(f"query:#{place}"))
        if query is None or unit_id is None:
            left_out.append(f'{annotation.session_id}, {annotation.rater}: no question "{query_id}"')
            continue
        said, lacking = form_answers(form, annotation, record, unit_id, UTILIZATION_DEFAULTS)
        changes += [*said, *_of_question(record, query, target, unit_id)]
        left_out += lacking
    return _wanted(annotation, units, changes, left_out)


def _of_question(
    said: Mapping[str, Json], query: StoredQuery, target: Record | None, unit_id: int
) -> Iterator[Change]:
    text = said.get("queryText")
    if isinstance(text, str) and text.strip():
        if text.replace("\r\n", "\n") == query.text:
            yield Change("query_verdict", "keep", unit_id, attested=Attested.SEEDED)
        else:
            yield Change("query_verdict", "edit", unit_id, attested=Attested.DERIVED)
            yield Change("queryText", text, unit_id, attested=Attested.DERIVED)
    if target is not None and "editableSelectedMemory" in said:
        yield from _of_target(said["editableSelectedMemory"], target, unit_id)


def _of_target(record: Json, target: Record, unit_id: int) -> Iterator[Change]:
    """What became of the memory: compared on the keys that both records have, since some came as a stub."""
    if not isinstance(record, dict):
        yield Change("target_verdict", "none", unit_id, attested=Attested.DERIVED)
        return
    if record.get("memory_id") != target.get("memory_id"):
        verdict = "swap"
    else:
        shared = record.keys() & target.keys()
        verdict = "keep" if all(record[key] == target[key] for key in shared) else "edit"
    attested = Attested.SEEDED if verdict == "keep" else Attested.DERIVED
    yield Change("target_verdict", verdict, unit_id, attested=attested)
    if verdict != "keep":
        yield Change("memory", without_private(record), unit_id, attested=attested)


def _records(entries: Json) -> tuple[Record, ...]:
    return tuple(one for one in entries if isinstance(one, dict)) if isinstance(entries, list) else ()
