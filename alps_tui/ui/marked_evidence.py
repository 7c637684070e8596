"""What marking a passage as evidence amounts to: on a proposal another passage is an edit, on others part of the record."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from alps_tui.protocols.schema import Field, same
from alps_tui.ui.asking import verdict_field
from alps_tui.ui.memory_record import Record, changed_keys, evidence_json, reasons_of, record_of
from alps_tui.ui.shown import marked
from alps_tui.ui.sitting import Sitting
from store.content_records import Json
from store.kinds import Attested
from store.records import Change, UnitView

EDITABLE = (None, "keep", "edit")
"""Verdicts under which other evidence makes an edit: a memory that goes, or is in doubt, stays so."""

REASON = "evidence"


@dataclass(frozen=True)
class EvidenceMarked:
    """The changes of one act, and whether they make the memory an edit that it was not before."""

    changes: tuple[Change, ...]
    makes_edit: bool = False


def marking(
    sitting: Sitting, unit: UnitView, field: Field, spans: Sequence[Mapping[str, Json]]
) -> EvidenceMarked:
    """The passages as an answer, with all that follows from them for the memory."""
    changes = sitting.changes(unit, {field.key: list(spans)})
    keys = {f.key for f in sitting.fields(unit)}
    if "memory" not in keys:
        return EvidenceMarked(changes)
    passages = evidence_json(marked(sitting, spans))
    own = sitting.value(unit, "memory")
    proposed = proposal(sitting, unit)
    if proposed is None:
        record = {"memory": {**own, "evidence": passages}} if isinstance(own, dict) else {}
        return EvidenceMarked((*changes, *sitting.changes(unit, record)))
    verdict = verdict_field(sitting, unit)
    if verdict is None or "edit_reason" not in keys or not _may_be_edit(sitting, unit, verdict):
        return EvidenceMarked(changes)
    before = own if isinstance(own, dict) else proposed
    after = {**before, "evidence": passages}
    if not isinstance(own, dict) and not changed_keys(proposed, after):
        return EvidenceMarked(changes)
    return EvidenceMarked((*changes, *_edit(sitting, unit, verdict, proposed, after)), own is None)


def only_evidence(sitting: Sitting, unit: UnitView) -> tuple[Change, ...]:
    """The proposal with the passages the rater marked, and nothing else changed: an edit for its evidence."""
    verdict, proposed = verdict_field(sitting, unit), proposal(sitting, unit)
    if verdict is None or proposed is None:
        return ()
    after = {**proposed, "evidence": evidence_json(marked(sitting, sitting.value(unit, "evidence") or ()))}
    if same(sitting.value(unit, verdict.key), "edit") and same(sitting.value(unit, "memory"), after):
        return ()
    return _edit(sitting, unit, verdict, proposed, after, reasons=[])


def differs(sitting: Sitting, unit: UnitView) -> bool:
    """Whether the rater marked other passages than those the proposal rests on."""
    spans, proposed = sitting.value(unit, "evidence"), proposal(sitting, unit)
    return (
        bool(spans) and proposed is not None and evidence_json(marked(sitting, spans)) != proposed["evidence"]
    )


def proposal(sitting: Sitting, unit: UnitView) -> Record | None:
    """The proposal of a part as a record, None for a part the rater made."""
    memory = sitting.view.memories.get(unit.memory_id) if unit.memory_id is not None else None
    return record_of(memory) if memory is not None else None


def with_marked(sitting: Sitting, unit: UnitView, record: Mapping[str, Json]) -> Record:
    """A record of a part with the passages the rater marked for it, if any."""
    spans = sitting.value(unit, "evidence")
    return {**record, "evidence": evidence_json(marked(sitting, spans))} if spans else dict(record)


def _may_be_edit(sitting: Sitting, unit: UnitView, verdict: Field) -> bool:
    answer = sitting.answer(unit, verdict.key)
    return answer is None or sitting.value(unit, verdict.key) in EDITABLE[1:]


def _edit(
    sitting: Sitting,
    unit: UnitView,
    verdict: Field,
    proposed: Record,
    after: Record,
    reasons: Sequence[Json] | None = None,
) -> tuple[Change, ...]:
    """An edit to this record; its reasons, if asked for, are those so far, and evidence if that was changed."""
    given = list(sitting.value(unit, "edit_reason") or ()) if reasons is None else list(reasons)
    changed = REASON in reasons_of(changed_keys(proposed, after))
    why = [*given, REASON] if (changed and REASON not in given) or not given else given
    said = sitting.value(unit, verdict.key)
    follows: dict[str, Json] = {} if said == "edit" else {verdict.key: "edit"}
    if any(field.key == "edit_reason" for field in sitting.fields(unit)):
        follows["edit_reason"] = why
    return (
        *sitting.changes(unit, {"memory": after}),
        *sitting.changes(unit, follows, attested=Attested.DERIVED),
    )
