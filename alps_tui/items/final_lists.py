"""The lists of memories that raters leave: as decided here, and verbatim as annotators left them elsewhere.

Two sources, because they answer different questions. What was published about AlpsBench was computed on the
lists as they came: every annotated session, whether or not its packet is in the study, tool-internal keys and
all. What is decided here, or derived, exists only where the proposals are known, and leaves out proposals in
doubt. For an imported annotation with its packet both hold the same memories, in another order where the
annotator reordered the list.
"""

import json
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass, field
from operator import itemgetter
from typing import Any, Generic, TypeVar

from alps_tui.items.derive import FORM, TASK
from alps_tui.items.derived_acts import LIST, final_list
from alps_tui.items.list_decisions import Record
from store.assignments import raters
from store.content import StoredAnnotation, annotations
from store.database import Database
from store.kinds import Phase, Purpose, Status, UnitKind
from store.ratings import long_rows

Json = Any

LISTS = {TASK: LIST, "task2": "editableUpdatedMemories"}
"""Under which key an annotation of a task holds the list its annotator left."""


@dataclass(frozen=True, slots=True)
class FinalList:
    """The memories one rater leaves for one session, in the order of the proposals and then of the additions.

    verbatim   True for a list as it was imported, False for one folded from decisions
    """

    session_id: str
    rater: str
    records: tuple[Record, ...]
    verbatim: bool


@dataclass(frozen=True, slots=True)
class FinalQuery:
    """A query as an annotator left it: id ("" has none), text, and the value of the memory it is to use."""

    id: str
    text: Json
    memory: Json


Side = TypeVar("Side")


@dataclass(frozen=True, slots=True)
class SessionPairInput(Generic[Side]):
    """What two annotators left for one session: first is annotator_1 of a pair, second annotator_2."""

    session_id: str
    first: Side
    second: Side


@dataclass(frozen=True, slots=True)
class PublishedPairs(Generic[Side]):
    """All pairs in the order of their session ids, and the sessions of which one side only is there."""

    pairs: tuple[SessionPairInput[Side], ...]
    one_sided: tuple[str, ...]


def final_lists(db: Database) -> tuple[FinalList, ...]:
    """The final list of every rater and session, by session and rater.

    A person's: each proposal that is kept as it was proposed, each that is edited as edited, none that is
    deleted or in doubt, and what they added. An imported annotator's: the list of the annotation, verbatim.
    Blind, core, first occasion; a session without a verdict or an addition gives no list.
    """
    with db.read() as conn:
        imported = {rater.name for rater in raters(conn) if rater.params.get("imported")}
        verbatim = [
            FinalList(one.session_id, one.rater, final_list(one), True) for one in annotations(conn, TASK)
        ]
        decided = list(_folded(long_rows(conn, protocol=FORM), imported))
    return tuple(sorted((*verbatim, *decided), key=lambda one: (one.session_id, one.rater)))


def published_pairs(db: Database, task: str = TASK) -> PublishedPairs[tuple[Record, ...]]:
    """The imported lists of task 1 or 2 as the published measures take them: verbatim, two by two.

    The sides are annotator_1 and annotator_2 of one pair of annotators (the published F1 is not symmetric);
    a session that two pairs annotated is there twice. Sessions without a packet are in it.
    """
    return _two_by_two(db, task, lambda one: _records(one.payload.get(LISTS[task])))


def published_selections(db: Database) -> PublishedPairs[FinalQuery]:
    """The imported query of each session of task 3 and the memory selected for it, two by two as the lists are."""
    return _two_by_two(db, "task3", lambda one: _query(one.payload))


def published_queries(db: Database) -> PublishedPairs[tuple[FinalQuery, ...]]:
    """The imported queries of each session of task 4, two by two as the lists are."""
    return _two_by_two(
        db, "task4", lambda one: tuple(map(_query, _records(one.payload.get("subAnnotations"))))
    )


def _two_by_two(db: Database, task: str, side: Callable[[StoredAnnotation], Side]) -> PublishedPairs[Side]:
    with db.read() as conn:
        groups = {rater.name: rater.params.get("group") for rater in raters(conn)}
        found = annotations(conn, task)
    sides: dict[tuple[str, str], dict[str, Side]] = {}
    for one in found:
        key = (one.session_id, str(groups.get(one.rater)))
        sides.setdefault(key, {})[one.side] = side(one)
    pairs: list[SessionPairInput[Side]] = []
    one_sided: set[str] = set()
    for (session_id, _), left in sorted(sides.items(), key=itemgetter(0)):
        if "annotator_1" in left and "annotator_2" in left:
            pairs.append(SessionPairInput(session_id, left["annotator_1"], left["annotator_2"]))
        else:
            one_sided.add(session_id)
    return PublishedPairs(tuple(pairs), tuple(sorted(one_sided - {pair.session_id for pair in pairs})))


def _records(entries: Json) -> tuple[Record, ...]:
    """The records of a list; none where there is no list."""
    return tuple(one for one in entries if isinstance(one, dict)) if isinstance(entries, list) else ()


def _query(record: Record) -> FinalQuery:
    """A query of task 3 or 4; without a selected memory its value is None."""
    name, memory = record.get("queryId"), record.get("editableSelectedMemory")
    return FinalQuery(
        id="" if name is None else str(name),
        text=record.get("queryText"),
        memory=memory.get("value") if isinstance(memory, dict) else None,
    )


# ---------------------------------------------------------------- from decisions


@dataclass(slots=True)
class _Sheet:
    """What a rater says of one version of an item: verdicts and memories by unit, in the order of the rows."""

    verdicts: dict[str, Json] = field(default_factory=dict)
    memories: dict[str, Record] = field(default_factory=dict)

    def records(self) -> tuple[Record, ...]:
        """A memory stands if it is kept or edited, or if it was added and so has no verdict."""
        standing = ("keep", "edit", None)
        return tuple(record for unit, record in self.memories.items() if self.verdicts.get(unit) in standing)


def _folded(rows: Iterator[Mapping[str, Json]], imported: set[str]) -> Iterator[FinalList]:
    sheets: dict[tuple[str, str], dict[str, _Sheet]] = {}
    for row in rows:
        if row["rater"] in imported or not _counts(row):
            continue
        versions = sheets.setdefault((row["dialogue_id"], row["rater"]), {})
        sheet = versions.setdefault(row["item_id"], _Sheet())
        if row["field"] == "verdict":
            sheet.verdicts[row["unit_id"]] = json.loads(row["value"])
        elif row["field"] == "memory":
            sheet.memories[row["unit_id"]] = json.loads(row["value"])
    for (session_id, rater), versions in sheets.items():
        newest = list(versions.values())[
            -1
        ]  # rows come in the order of assignments: the last version is newest
        yield FinalList(session_id, rater, newest.records(), False)


def _counts(row: Mapping[str, Json]) -> bool:
    return (
        row["unit_kind"] == UnitKind.MEMORY
        and row["field"] in ("verdict", "memory")
        and row["status"] == Status.ANSWERED
        and row["phase"] == Phase.BLIND
        and row["purpose"] == Purpose.CORE
        and row["occasion"] == 0
    )
