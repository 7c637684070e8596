"""What a rater left of a session's memories: the final list as records, and what became of each proposal."""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from store.content import StoredMemory, item_view, memories_by_id
from store.kinds import RECORD_KEYS, Attested, Status, UnitKind
from store.records import Answer, ItemView, UnitView
from store.study import Sitting

Json = Any
FORM = "memory-verification"
OPEN, CANNOT_JUDGE = "open", "cannot_judge"


@dataclass(frozen=True, slots=True)
class Decision:
    """What became of one proposal, or of one memory that the rater added.

    verdict   keep, edit, delete, in_doubt, added, cannot_judge, or open where there is none
    details   the reasons and the like, as answered
    """

    memory_id: Json
    verdict: str
    attested: str | None
    details: Mapping[str, Json] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        told = {"memory_id": self.memory_id, "verdict": self.verdict, "attested": self.attested}
        return told | dict(self.details)


@dataclass(frozen=True, slots=True)
class Session:
    """One rater's verification of one session.

    memories   the records that stand: kept and edited proposals in their order, then what was added
    seeded     every verdict is seeded: nobody can know that the rater looked
    """

    sitting: Sitting
    memories: tuple[Mapping[str, Json], ...]
    decisions: tuple[Decision, ...]
    verdicts: Mapping[str, Json]
    note: str
    seeded: bool
    last_decided_at: str

    @property
    def counts(self) -> dict[str, int]:
        found = Counter(decision.verdict for decision in self.decisions)
        return {"memories": len(self.memories), **found}


def sessions_of(conn: Any, chosen: Sequence[Sitting]) -> Iterator[Session]:
    """The sessions of some sittings, one after the other. `conn` is a connection of the store."""
    for sitting in chosen:
        view = item_view(conn, sitting.assignment_id)
        proposed = memories_by_id(conn, [unit.memory_id for unit in view.units if unit.memory_id is not None])
        yield session(sitting, view, proposed)


def session(sitting: Sitting, view: ItemView, proposed: Mapping[int, StoredMemory]) -> Session:
    """Read a session off what its rater answered."""
    memories: list[Mapping[str, Json]] = []
    decisions: list[Decision] = []
    for unit in view.units:
        if unit.kind is not UnitKind.MEMORY:
            continue
        answers = _answers(view, unit)
        memory = None if unit.memory_id is None else proposed[unit.memory_id]
        record = (
            _added(sitting, view, answers) if memory is None else _standing(sitting, view, memory, answers)
        )
        if record is not None:
            memories.append(record)
        decisions.append(_decision(unit, memory, record, answers))
    verdicts = [d for d in decisions if d.verdict not in (OPEN, CANNOT_JUDGE)]
    stated = [answer.decided_at for answer in view.answers.answers.values()]
    return Session(
        sitting=sitting,
        memories=tuple(memories),
        decisions=tuple(decisions),
        verdicts=_session_verdicts(view),
        note="\n".join(view.answers.notes.values()),
        seeded=bool(verdicts) and all(d.attested == Attested.SEEDED for d in verdicts),
        last_decided_at=max(stated, default=""),
    )


def _answers(view: ItemView, unit: UnitView) -> dict[str, Answer]:
    return {field: answer for (number, field), answer in view.answers.answers.items() if number == unit.id}


def _session_verdicts(view: ItemView) -> dict[str, Json]:
    session_units = {unit.id for unit in view.units if unit.kind is UnitKind.SESSION}
    return {
        field: answer.value
        for (number, field), answer in view.answers.answers.items()
        if number in session_units and answer.status is Status.ANSWERED
    }


def _decision(
    unit: UnitView,
    memory: StoredMemory | None,
    record: Mapping[str, Json] | None,
    answers: Mapping[str, Answer],
) -> Decision:
    details = {
        field: answer.value
        for field, answer in answers.items()
        if field not in ("verdict", "memory") and answer.status is Status.ANSWERED
    }
    if memory is None:
        own = answers.get("memory")
        attested = None if own is None else str(own.attested)
        return Decision((record or {}).get("memory_id"), "added", attested, details)
    known = memory.raw.get("memory_id", memory.external_id)
    if memory.raw and not in_shape(memory.raw):
        details["imported"] = memory.raw
    verdict = answers.get("verdict")
    if verdict is None:
        return Decision(known, OPEN, None, details)
    if verdict.status is not Status.ANSWERED:
        return Decision(known, CANNOT_JUDGE, str(verdict.attested), {**details, "reason": verdict.reason})
    return Decision(known, str(verdict.value), str(verdict.attested), details)


# ---------------------------------------------------------------- records


def in_shape(record: Mapping[str, Json]) -> bool:
    """True for a record in AlpsBench's shape: its keys for id and value, and evidence as one of its tools writes it."""
    return "memory_id" in record and "value" in record and _is_evidence(record.get("evidence"))


def _is_evidence(given: Json) -> bool:
    if isinstance(given, list):
        return all(_is_evidence(one) for one in given)
    known = isinstance(given, Mapping) and ("utterance_index" in given or "turn_indices" in given)
    return given is None or known


def proposal_record(memory: StoredMemory, dialogue: str) -> dict[str, Json]:
    """A proposal as it came, untouched, if it came in AlpsBench's shape; else what it says in that shape.

    Of the latter all of AlpsBench's keys are there, null where nothing was said, and then what other keys it has.
    """
    if in_shape(memory.raw):
        return dict(memory.raw)
    said = {"memory_id": memory.external_id, **_fields(memory)}
    said["evidence"] = _placed(dialogue, said["evidence"])
    return said | {key: value for key, value in memory.raw.items() if key not in said and key != "id"}


def _fields(memory: StoredMemory) -> dict[str, Json]:
    """The fields of a proposal as a rater's screen put them into the record that was edited."""
    places = [{"utterance_index": e.turn, "text": e.quote} for e in memory.evidence]
    return {
        "type": memory.type,
        "label": memory.label,
        "label_suggestion": memory.label_suggestion,
        "value": memory.value,
        "reasoning": memory.reasoning,
        "evidence": places[0] if len(places) == 1 else (places or None),
        "confidence": memory.confidence,
        "time_scope": memory.time_scope,
        "emotion": memory.emotion,
        "preference_attitude": memory.preference_attitude,
    }


def _standing(
    sitting: Sitting, view: ItemView, memory: StoredMemory, answers: Mapping[str, Answer]
) -> dict[str, Json] | None:
    """The record of a proposal that stands; None if it was deleted, is in doubt or not decided."""
    verdict, edited = answers.get("verdict"), answers.get("memory")
    value = None if verdict is None else verdict.value
    if value == "keep":
        return proposal_record(memory, sitting.dialogue)
    if value != "edit" or edited is None or not isinstance(edited.value, Mapping):
        return None
    if edited.attested is not Attested.EXPLICIT:
        return _in_order(edited.value)
    return _with_spans(sitting, view, _merged(sitting, memory, edited.value), answers)


def _merged(sitting: Sitting, memory: StoredMemory, edited: Mapping[str, Json]) -> dict[str, Json]:
    """The source's record with what the rater changed; what they saw and left stays as it came, its id always."""
    shown, record = _fields(memory), proposal_record(memory, sitting.dialogue)
    for key, value in edited.items():
        if key != "memory_id" and (key not in shown or value != shown[key]):
            record[key] = _placed(sitting.dialogue, value) if key == "evidence" else value
    return record


def _added(sitting: Sitting, view: ItemView, answers: Mapping[str, Answer]) -> dict[str, Json] | None:
    own = answers.get("memory")
    if own is None or not isinstance(own.value, Mapping):
        return None
    if own.attested is not Attested.EXPLICIT:
        return _in_order(own.value)
    record = _in_order(own.value) | {"evidence": _placed(sitting.dialogue, own.value.get("evidence"))}
    return _with_spans(sitting, view, record, answers)


def _in_order(record: Mapping[str, Json]) -> dict[str, Json]:
    """A record that a rater wrote, its keys in AlpsBench's order and then any others."""
    known = {key: record[key] for key in RECORD_KEYS if key in record}
    return known | dict(record)


def _with_spans(
    sitting: Sitting, view: ItemView, record: dict[str, Json], answers: Mapping[str, Answer]
) -> dict[str, Json]:
    """The record with the passages that the rater marked as its evidence, if any."""
    marked = answers.get("evidence")
    if marked is None or not marked.value:
        return record
    places = [
        {
            "session_id": sitting.dialogue,
            "utterance_index": span["turn"],
            "text": view.turns[span["turn"]].text[span["start"] : span["end"]],
        }
        for span in marked.value
    ]
    return record | {"evidence": places[0] if len(places) == 1 else places}


def _placed(dialogue: str, evidence: Json) -> Json:
    """Evidence with the session it is of, as AlpsBench names it; any other shape stays as it is."""
    if isinstance(evidence, list):
        return [_placed(dialogue, each) for each in evidence]
    if isinstance(evidence, Mapping) and "utterance_index" in evidence and "session_id" not in evidence:
        return {"session_id": dialogue, **evidence}
    return evidence
