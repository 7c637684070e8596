"""The sample study: its dialogues imported, and what three raters decided appended as if they had done it here."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import as_file, files
from typing import Any

from alps_tui.demo.sittings import BESIDE, NEW, Place, Sitting, read_sittings
from alps_tui.items.build import build_items
from alps_tui.items.derive import derive_decisions
from alps_tui.items.judged_items import build_alignment_items
from alps_tui.sources.importer import import_paths
from store import content
from store.assignments import add_rater, assign_all, assignments, mark_opened
from store.content_records import Json
from store.database import Database
from store.decisions import append, item_answers
from store.kinds import Origin, RaterKind, UnitKind
from store.records import ItemView, Rater

DIALOGUES = "dialogues.jsonl"
SOURCE = "sample"
"""The source that the dialogues of the file name: a study may hold others of the same ids."""


Progress = Callable[[int, int], None]


@dataclass(frozen=True, slots=True)
class SampleReport:
    """What loading the sample added to a study; a second time nothing.

    items      what building the items reported, by protocol
    raters     the sample's raters, new or not
    sittings   items that one of them answered, skipped ones among them; `acts` are theirs
    """

    dialogues: int
    turns: int
    memories: int
    queries: int
    responses: int
    items: Mapping[str, int]
    raters: tuple[str, ...]
    sittings: int
    acts: int

    def to_json(self) -> dict[str, Json]:
        """The report, keys in reading order."""
        return asdict(self)


@dataclass(frozen=True, slots=True)
class _Seat:
    """An item in front of a rater, and its unit ids by the names that the file of decisions uses."""

    view: ItemView
    units: Mapping[str, int]


def load_sample(db: Database, progress: Progress | None = None) -> SampleReport:
    """Bring the sample study in: dialogues, items, three raters and their decisions. Doing it again adds nothing.

    Every sitting is written in one transaction. An item on which its rater has decided something is left as it is.

    progress   called with the sittings behind and the sittings in all
    raises     StoreError if the study cannot be written
    """
    with as_file(files("alps_tui.demo") / DIALOGUES) as path:
        counts = import_paths(db, [path]).counts
    items = build_items(db)
    derive_decisions(db)
    items |= build_alignment_items(db)
    sittings = read_sittings()
    names = tuple(dict.fromkeys(sitting.rater for sitting in sittings))
    acts: list[int] = []
    for name in names:
        for written in _write(db, name, [one for one in sittings if one.rater == name]):
            acts.append(written)
            if progress is not None:
                progress(len(acts), len(sittings))
    return SampleReport(
        dialogues=counts["dialogues"],
        turns=counts["turns"],
        memories=counts["gold_memories"] + counts["model_memories"],
        queries=counts["queries"],
        responses=counts["responses"],
        items=items,
        raters=names,
        sittings=sum(written > 0 for written in acts),
        acts=sum(acts),
    )


def _write(db: Database, name: str, sittings: Sequence[Sitting]) -> Iterator[int]:
    """Append a rater's sittings that are new to the study; the number of acts written in each, 0 for one that is not."""
    with db.write() as conn:
        rater = add_rater(conn, name, RaterKind.HUMAN, {"sample": True})
        assign_all(conn, rater.id)
    with db.read() as conn:
        seats = _seats(conn, rater)
    for sitting in sittings:
        seat = seats[sitting.place]
        if seat.view.answers.revision > 0:
            yield 0
            continue
        with db.write() as conn:
            decided_since = item_answers(conn, seat.view.assignment.id).revision > 0
            written = 0 if decided_since else _append(conn, sitting, seat)
        yield written


def _append(conn: Any, sitting: Sitting, seat: _Seat) -> int:
    mark_opened(conn, seat.view.assignment.id, sitting.opened)
    stood = list(seat.view.stood())
    units = dict(seat.units)
    for number in range(len(sitting.acts)):
        saved = append(conn, sitting.act(number, seat.view, units, stood))
        for made in saved.answers.made:
            if made.id not in stood:
                stood.append(made.id)
                units[NEW + made.shown_id] = made.id
    return len(sitting.acts)


# ---------------------------------------------------------------- which item, which unit


def _seats(conn: Any, rater: Rater) -> dict[Place, _Seat]:
    """The rater's items of the sample, by what they are about; of two versions of one the one that was begun."""
    names = _names(conn)
    seats: dict[Place, _Seat] = {}
    for assignment in assignments(conn, rater.id):
        view = content.item_view(conn, assignment.id)
        units: dict[str, int] = {}
        about: tuple[str, str | None] | None = None
        for unit in view.units:
            if unit.kind is UnitKind.SESSION:
                units["session"] = unit.id
            elif pair := view.pairs.get(unit.id):
                both = [names.get((None, one.id)) for one in (pair.left, pair.right)]
                first, second = reversed(both) if pair.is_swapped else both
                if first is not None and second is not None:
                    units[f"{first[2]}{BESIDE}{second[2]}"] = unit.id
                    about = first[:2]
            elif unit.kind is UnitKind.RESPONSE_PREFERENCE:
                if of_response := names.get((None, unit.response_id)):
                    units[f"{of_response[2]}·{unit.shown_id.rpartition('·')[2]}"] = unit.id
            elif known := names.get((unit.memory_id, unit.response_id)):
                dialogue, query, name = known
                units[name] = unit.id
                about = (dialogue, query)
        if about is None:
            continue
        place = (assignment.protocol, *about)
        if place not in seats or seats[place].view.answers.revision == 0:
            seats[place] = _Seat(view, units)
    return seats


def _names(conn: Any) -> dict[tuple[int | None, int | None], tuple[str, str | None, str]]:
    """(memory, None) or (None, response) as row ids → dialogue, query, and the name in the file of decisions."""
    names: dict[tuple[int | None, int | None], tuple[str, str | None, str]] = {}
    for dialogue in content.dialogues(conn):
        if dialogue.source == SOURCE:
            for memory in content.memories(conn, dialogue.id, Origin.GOLD):
                names[memory.id, None] = (dialogue.external_id, None, memory.external_id)
            for response in content.responses_of_dialogue(conn, dialogue.id):
                names[None, response.id] = (dialogue.external_id, response.query_id, response.model)
    return names
