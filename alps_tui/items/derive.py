"""Imported final lists become decisions against the proposals they started from, in whichever order both arrive."""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from alps_tui.items.build import verification_items, write_items
from alps_tui.items.content import Content, contents
from alps_tui.items.derive_others import DERIVATIONS, FormDerived, derive_form
from alps_tui.items.derived_acts import Wanted, acts, wanted
from alps_tui.items.hidden_names import Names, model_names
from alps_tui.protocols.loading import load_builtin
from alps_tui.protocols.schema import Protocol
from store.assignments import add_protocol, assign, assignments
from store.batches import in_batches
from store.content import (
    StoredAnnotation,
    StoredMemory,
    annotation_tasks,
    annotations,
    memories_by_id,
    preview_item,
)
from store.database import Database
from store.decisions import append, item_answers
from store.records import Act, UnitView

Json = Any

FORM = "memory-verification"
TASK = "task1"


@dataclass(frozen=True, slots=True)
class DeriveReport:
    """What became of the imported annotations.

    derived          annotations whose decisions were written now
    same             annotations whose decisions stood already
    decisions        keep, edit, delete and added, over what was written now; `seeded` of the keeps
    without_packet   sessions that are annotated and whose proposals are not in the study
    left_out         "session, annotator: what" for each value that is none of the form's
    forms            the same of every other form: tasks 2 to 4, and what imported judges said
    kept             task → annotations that no form stands for: kept as they came

    What stands before `forms` is of task 1 alone.
    """

    derived: int
    same: int
    decisions: Mapping[str, int]
    without_packet: tuple[str, ...]
    left_out: tuple[str, ...]
    forms: Mapping[str, FormDerived] = field(default_factory=dict)
    kept: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Json]:
        return {
            "derived": self.derived,
            "same": self.same,
            "decisions": dict(self.decisions),
            "without_packet": list(self.without_packet),
            "left_out": list(self.left_out),
            "forms": {name: one.to_json() for name, one in self.forms.items()},
            "kept": dict(self.kept),
        }


@dataclass(frozen=True, slots=True)
class _Packet:
    """The item of a dialogue that has proposals: its units and the proposals in the same order."""

    source: str
    item_id: int
    shown_id: str
    units: Sequence[UnitView]
    gold: Sequence[StoredMemory]


Plan = tuple[StoredAnnotation, _Packet]


def derive_decisions(db: Database) -> DeriveReport:
    """Give every imported annotation, and every output of an imported judge, the decisions it stands for.

    Each becomes one act of that rater on the session's item (blind, occasion 0, proposals seen) and a submit,
    both at the annotation's own time (now, where it has none). Run again it writes nothing; an annotation that was imported anew with
    another list is reopened and decided anew. Decisions stay on the version of the item they were derived for.
    """
    with db.read() as conn:
        found = {task: annotations(conn, task) for task in annotation_tasks(conn)}
    known: list[Content] = []
    sessions = {one.session_id for some in found.values() for one in some}
    names = model_names(_keeping(known, contents(db), sessions)) if sessions else model_names(())
    by_session: dict[str, list[Content]] = {}
    for content in known:
        by_session.setdefault(content.dialogue.external_id, []).append(content)
    forms: dict[str, FormDerived] = {}
    for one in DERIVATIONS:
        if one.task in found:
            done = derive_form(db, one, found[one.task], by_session, names)
            forms[one.form] = forms[one.form] + done if one.form in forms else done
    kept = found.keys() - {TASK, *(one.task for one in DERIVATIONS)}
    report = _derive_lists(db, found.get(TASK, ()), known, names)
    return replace(report, forms=forms, kept={task: len(found[task]) for task in sorted(kept)})


def _derive_lists(
    db: Database, found: Sequence[StoredAnnotation], known: Sequence[Content], names: Names
) -> DeriveReport:
    """The decisions behind the final lists of task 1."""
    form = load_builtin(FORM)
    sessions = {annotation.session_id for annotation in found}
    packets = _packets(db, form, [one for one in known if one.dialogue.external_id in sessions], names)
    paired = [(annotation, _packet_of(annotation, packets)) for annotation in found]
    plans = [(annotation, packet) for annotation, packet in paired if packet is not None]
    missing = {annotation.session_id for annotation, packet in paired if packet is None}
    counts, left_out = _write(db, form, _on_begun_items(db, plans))
    decisions = {key: counts[key] for key in ("keep", "edit", "delete", "added", "seeded")}
    return DeriveReport(counts["derived"], counts["same"], decisions, tuple(sorted(missing)), tuple(left_out))


def _packets(
    db: Database, form: Protocol, known: Sequence[Content], names: Names
) -> dict[str, list[_Packet]]:
    """Session → its packets, for the sessions that are annotated; a dialogue without proposals is none."""
    packets: dict[str, list[_Packet]] = {}
    if not known:
        return packets
    proposing = [content for content in known if content.gold or content.extracted]
    planned = [(content, spec) for content in proposing for spec in verification_items(content, names)]
    with db.write() as conn:
        protocol_id = add_protocol(conn, form.to_version())
    written = write_items(db, protocol_id, [spec for _, spec in planned], offers=True)
    with db.read() as conn:
        for (content, spec), (item_id, _) in zip(planned, written, strict=True):
            units = preview_item(conn, item_id).units
            packet = _Packet(content.dialogue.source, item_id, spec.shown_id, units, content.gold)
            packets.setdefault(content.dialogue.external_id, []).append(packet)
    return packets


def _keeping(kept: list[Content], found: Iterable[Content], sessions: set[str]) -> Iterator[Content]:
    """All that is found, passed on; that of the sessions asked for is kept."""
    for content in found:
        if content.dialogue.external_id in sessions:
            kept.append(content)
        yield content


def _packet_of(annotation: StoredAnnotation, packets: Mapping[str, Sequence[_Packet]]) -> _Packet | None:
    """The packet of the annotation's own source, else the only one another source has of this session."""
    known = packets.get(annotation.session_id, ())
    own = next((packet for packet in known if packet.source == annotation.source), None)
    return own or (known[0] if len(known) == 1 else None)


def _on_begun_items(db: Database, plans: Iterable[Plan]) -> list[Plan]:
    """The plans, each on the version of its item that the rater has decided already, if there is one.

    Content that changed since has made a new version; the list was not made from that, and one list must not
    count twice.
    """
    begun: dict[int, dict[str, int]] = {}
    moved: list[Plan] = []
    with db.read() as conn:
        for annotation, packet in plans:
            if annotation.rater_id not in begun:
                mine = assignments(conn, annotation.rater_id, FORM)
                begun[annotation.rater_id] = {one.shown_id: one.item_id for one in mine}
            item_id = begun[annotation.rater_id].get(packet.shown_id, packet.item_id)
            if item_id != packet.item_id:
                units = preview_item(conn, item_id).units
                older = [unit.memory_id for unit in units if unit.memory_id is not None]
                by_id = memories_by_id(conn, older)
                gold = [by_id[number] for number in older]
                packet = replace(packet, item_id=item_id, units=units, gold=gold)
            moved.append((annotation, packet))
    return moved


def _write(db: Database, form: Protocol, plans: Sequence[Plan]) -> tuple[Counter[str], list[str]]:
    """Append what is not in the log yet.

    returns  what was written, counted, and the values that were left out
    """
    counts: Counter[str] = Counter()
    left_out: list[str] = []
    for want, todo in in_batches(db, plans, lambda conn, plan: _write_one(conn, form, *plan)):
        counts.update(want.counts + Counter(derived=1) if todo else Counter(same=1))
        left_out += want.left_out
    return counts, left_out


def _write_one(
    conn: Any, form: Protocol, annotation: StoredAnnotation, packet: _Packet
) -> tuple[Wanted, list[Act]]:
    """What an annotation says, and the acts of it that were not in the log."""
    assignment_id = assign(conn, packet.item_id, annotation.rater_id)
    want = wanted(form, annotation, packet.gold, packet.units)
    todo = list(acts(want, assignment_id, packet.item_id, item_answers(conn, assignment_id)))
    for act in todo:
        append(conn, act)
    return want, todo
