"""What an imported annotation says in the terms of our form, and the acts that write it. Pure."""

import hashlib
import json
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from alps_tui.items.list_decisions import Decided, Record, decide, without_private
from alps_tui.protocols.rules import check_value
from alps_tui.protocols.schema import Protocol, same
from store.content import StoredAnnotation, StoredMemory
from store.kinds import Attested, ItemState, UnitKind, Verb
from store.records import Act, Change, ItemAnswers, NewUnit, Seen, UnitView

Json = Any

LIST = "editableGoldMemories"

FORM_DEFAULTS: dict[str, str] = {
    "overallVerdict": "reasonable",
    "hasDialogueEvidence": "yes",
    "overInference": "no",
    "faithfulToOriginalMeaning": "yes",
}
"""What AlpsBench's form showed before anybody answered: a value equal to it says nothing about the annotator."""

_NOTES = ("evidenceNote", "revisionSuggestion", "annotatorNote")


@dataclass(frozen=True, slots=True)
class Wanted:
    """What the log of an imported annotation must say.

    changes    every answer; those of added memories name the unit to be made
    note       the annotator's notes, None where all are blank
    submitted  False for an annotation that was left as a draft
    counts     keep, edit, delete, added, and seeded of the keeps
    left_out   values that are none of the form's, as sentences
    """

    changes: tuple[Change, ...]
    note: str | None
    submitted: bool
    decided_at: str
    presentation: tuple[int, ...]
    counts: Counter[str]
    left_out: tuple[str, ...]
    prefilled: bool = True
    """Whether the proposals stood in the form: they did for annotators, and a judge had no form."""


def wanted(
    form: Protocol, annotation: StoredAnnotation, gold: Sequence[StoredMemory], units: Sequence[UnitView]
) -> Wanted:
    """The answers an annotation stands for.

    gold    the proposals, in the order of the item's memory units
    units   the units of the item
    """
    final = final_list(annotation)
    decisions = decide([proposal(memory) for memory in gold], final)
    of_memory = {unit.memory_id: unit.id for unit in units if unit.kind is UnitKind.MEMORY}
    keeping = Attested.SEEDED if decisions.untouched else Attested.DERIVED
    changes: list[Change] = []
    for memory, decided in zip(gold, decisions.decided, strict=True):
        changes += of_proposal(of_memory[memory.id], decided, keeping)
    changes += [of_added(place, record) for place, record in enumerate(decisions.added, 1)]
    session = next(unit for unit in units if unit.kind is UnitKind.SESSION)
    verdicts, left_out = form_answers(form, annotation, annotation.payload, session.id, FORM_DEFAULTS)
    counts = Counter(decided.verdict for decided in decisions.decided)
    kept = counts["keep"] if decisions.untouched else 0
    return Wanted(
        changes=(*changes, *verdicts),
        note=note_of(annotation.payload),
        submitted=annotation.payload.get("status") != "draft",
        decided_at=utc(annotation.updated_at),
        presentation=tuple(unit.id for unit in units),
        counts=counts + Counter(added=len(decisions.added), seeded=kept),
        left_out=tuple(left_out),
    )


def final_list(annotation: StoredAnnotation) -> tuple[Record, ...]:
    """The list an annotator left, records only; empty where there is none."""
    entries = annotation.payload.get(LIST)
    return tuple(entry for entry in entries if isinstance(entry, dict)) if isinstance(entries, list) else ()


def proposal(memory: StoredMemory) -> Record:
    """The record of a proposal as it came, with its id where the record has none."""
    return memory.raw if "memory_id" in memory.raw else {**memory.raw, "memory_id": memory.external_id}


def of_proposal(unit_id: int, decided: Decided, keeping: Attested) -> Iterator[Change]:
    """The answers of one proposal; `keeping` says how we know of one that is kept."""
    attested = keeping if decided.verdict == "keep" else Attested.DERIVED
    yield Change("verdict", decided.verdict, unit_id, attested=attested)
    if decided.record is not None:
        yield Change("memory", decided.record, unit_id, attested=Attested.DERIVED)
    if decided.reasons:
        yield Change("edit_reason", list(decided.reasons), unit_id, attested=Attested.DERIVED)


def of_added(place: int, record: Record) -> Change:
    """A memory that an annotator added, as the unit it makes."""
    unit = NewUnit(UnitKind.MEMORY, key=f"added:{place}", shown_id=f"+{place}")
    return Change("memory", without_private(record), new_unit=unit, attested=Attested.DERIVED)


def form_answers(
    form: Protocol,
    annotation: StoredAnnotation,
    said: Mapping[str, Json],
    unit_id: int,
    defaults: Mapping[str, Json],
) -> tuple[list[Change], list[str]]:
    """The answers to a form's own questions, by their keys; what is empty or blank is no answer.

    said       the record they stand in
    defaults   what the form showed before anybody answered, for each question to read; None where it showed
               nothing. A value equal to it is seeded, any other was chosen by somebody.
    returns    the answers, and a sentence for each value that is none of the form's
    """
    changes: list[Change] = []
    left_out: list[str] = []
    for key, default in defaults.items():
        value = said.get(key)
        if value is None or value == [] or (isinstance(value, str) and not value.strip()):
            continue
        if check_value(form.field(key), value) is not None:
            left_out.append(f"{annotation.session_id}, {annotation.rater}: {key} is {value!r}")
            continue
        attested = Attested.SEEDED if same(value, default) else Attested.EXPLICIT
        changes.append(Change(key, value, unit_id, attested=attested))
    return changes, left_out


def note_of(payload: Mapping[str, Json]) -> str | None:
    texts = [payload.get(key) for key in _NOTES]
    return "\n".join(text for text in texts if isinstance(text, str) and text.strip()) or None


def utc(updated_at: str | None) -> str:
    """The annotation's own time as ISO 8601 UTC with microseconds; now where it has none that can be read."""
    try:
        moment = datetime.fromisoformat(updated_at or "")
    except ValueError:
        return datetime.now(UTC).isoformat(timespec="microseconds")
    if moment.tzinfo is None:
        moment = moment.replace(tzinfo=UTC)
    return moment.astimezone(UTC).isoformat(timespec="microseconds")


# ---------------------------------------------------------------- the acts that lead there


def acts(want: Wanted, assignment_id: int, item_id: int, now: ItemAnswers) -> Iterator[Act]:
    """What must be appended so that the log says what is wanted; nothing if it does.

    An item that was decided before is reopened first, and what no longer holds is cleared.
    """
    if _stands(want, now):
        return
    head = _Head(assignment_id, item_id, now.revision, want)
    if now.state is not ItemState.OPEN:
        yield head.act(Verb.REOPEN)
    stale = _stale(want, now)
    if stale:
        yield head.act(Verb.CLEAR, changes=stale)
    if want.changes:
        yield head.act(Verb.SET, changes=want.changes)
    if want.note != now.notes.get(None):
        yield head.act(Verb.NOTE, reason=want.note)
    if want.submitted:
        yield head.act(Verb.SUBMIT)


@dataclass(frozen=True, slots=True)
class _Head:
    """What all acts of one derivation have in common."""

    assignment_id: int
    item_id: int
    revision: int
    want: Wanted

    def act(self, verb: Verb, changes: tuple[Change, ...] = (), reason: str | None = None) -> Act:
        """An act whose id follows from what it does, so that an interrupted run is taken up where it stopped."""
        said = [self.assignment_id, self.revision, verb.value, [_said(change) for change in changes], reason]
        text = json.dumps(said, sort_keys=True, default=str)
        return Act(
            verb=verb,
            assignment_id=self.assignment_id,
            item_id=self.item_id,
            act_id="derived-" + hashlib.sha256(text.encode("utf-8", "surrogatepass")).hexdigest()[:40],
            decided_at=self.want.decided_at,
            changes=changes,
            reason=reason,
            presentation=self.want.presentation,
            seen=Seen(prefill=self.want.prefilled),
        )


def _said(change: Change) -> list[Json]:
    where = change.new_unit.key if change.new_unit else change.unit_id
    return [where, change.field, change.value, change.attested.value]


def _stands(want: Wanted, now: ItemAnswers) -> bool:
    """True if the log says already what is wanted, as derived, and no more."""
    state = ItemState.SUBMITTED if want.submitted else ItemState.OPEN
    if now.state is not state or now.notes.get(None) != want.note:
        return False
    told = {_place(change, now): (change.value, change.attested) for change in want.changes}
    return told == {cell: (answer.value, answer.attested) for cell, answer in now.answers.items()}


def _stale(want: Wanted, now: ItemAnswers) -> tuple[Change, ...]:
    wanted_cells = {_place(change, now) for change in want.changes}
    return tuple(
        Change(field, unit_id=unit) for unit, field in now.answers if (unit, field) not in wanted_cells
    )


def _place(change: Change, now: ItemAnswers) -> tuple[int | None, str]:
    """The cell of a change; of a unit that is not made yet None, which no answer has."""
    if change.new_unit is None:
        return change.unit_id, change.field
    made = next((unit.id for unit in now.made if unit.key == change.new_unit.key), None)
    return made, change.field
