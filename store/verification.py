"""Prove that the log is whole and that every projection says what the log says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, func, select

from store import models as m
from store.fold import Folded, Layered, fold
from store.kinds import Phase, Verb
from store.log import StoredRow, chain_of, ratings_of, state_of, stored_rows

_BATCH = 500


@dataclass(frozen=True, slots=True)
class Mismatch:
    """One place where the study contradicts itself. `assignment_id` is None where none is concerned."""

    assignment_id: int | None
    what: str

    def __str__(self) -> str:
        return self.what if self.assignment_id is None else f"assignment {self.assignment_id}: {self.what}"


def verify(conn: Connection) -> tuple[Mismatch, ...]:
    """Fold every log again and compare: revisions without gaps, an unbroken chain, units of the right item,
    ratings, and the state of each assignment. Empty if all agree.

    The logs of 500 assignments are in memory at a time.
    """
    return tuple(_mismatches(conn))


def _mismatches(conn: Connection) -> Iterator[Mismatch]:
    a = m.assignment.c
    last = 0
    while True:
        some = conn.execute(select(m.assignment).where(a.id > last).order_by(a.id).limit(_BATCH)).all()
        if not some:
            break
        first, last = some[0].id, some[-1].id
        logs = stored_rows(conn, first, last)
        ratings = _ratings(conn, first, last)
        owners = _owners(conn, some)
        for assignment in some:
            log = logs.get(assignment.id, [])
            yield from _log_faults(assignment, log, owners)
            folded = fold([stored.row for stored in log], Phase(assignment.given_phase))
            yield from _rating_faults(assignment, folded, ratings.get(assignment.id, {}))
            yield from _state_faults(assignment, folded)
    yield from _strays(conn)


def _ratings(conn: Connection, first: int, last: int) -> dict[int, dict[Layered, dict[str, Any]]]:
    """The ratings of a range of assignments, by assignment and then as `ratings_of` has them."""
    names = [column.name for column in m.rating.columns if column.name != "assignment_id"]
    t = m.rating.c
    query = select(t.assignment_id, *(t[name] for name in names)).where(t.assignment_id.between(first, last))
    found: dict[int, dict[Layered, dict[str, Any]]] = {}
    for number, *values in conn.execute(query).all():
        row = dict(zip(names, values, strict=True))
        found.setdefault(number, {})[row["unit_id"], row["field"], row["phase"]] = row
    return found


def _owners(conn: Connection, assignments: Sequence[Row[Any]]) -> dict[int, tuple[int, int | None]]:
    """Of the units of these assignments' items: the item, and the assignment whose rater made it."""
    u = m.unit.c
    items = sorted({row.item_id for row in assignments})
    rows = conn.execute(select(u.id, u.item_id, u.assignment_id).where(u.item_id.in_(items)))
    return {row.id: (row.item_id, row.assignment_id) for row in rows}


def _log_faults(
    assignment: Row[Any], log: list[StoredRow], owners: dict[int, tuple[int, int | None]]
) -> Iterator[Mismatch]:
    chain = ""
    own = ((assignment.item_id, None), (assignment.item_id, assignment.id))
    for expected, stored in enumerate(log, 1):
        revision, unit_id = stored.row.revision, stored.row.unit_id
        if revision != expected:
            yield Mismatch(
                assignment.id, f"revision {expected} is missing from the log, {revision} stands there"
            )
            return
        chain = chain_of(chain, stored.chained)
        if stored.chain != chain:
            yield Mismatch(assignment.id, f"revision {revision} was changed after it was written")
            return
        if stored.row.verb == Verb.ACKNOWLEDGE and stored.row.guideline_id is None:
            yield Mismatch(assignment.id, f"revision {revision} acknowledges no version")
        if unit_id is not None and owners.get(unit_id) not in own:
            yield Mismatch(assignment.id, f"revision {revision} is about unit {unit_id} of another item")


def _rating_faults(
    assignment: Row[Any], folded: Folded, found: dict[Layered, dict[str, Any]]
) -> Iterator[Mismatch]:
    expected = ratings_of(folded.ratings)
    for key in sorted(expected.keys() | found.keys()):
        unit_id, field, phase = key
        where = f"{field} of unit {unit_id} ({phase})"
        if key not in found:
            yield Mismatch(assignment.id, f"the rating {where} is missing")
        elif key not in expected:
            yield Mismatch(assignment.id, f"the rating {where} is in no decision")
        elif found[key] != expected[key]:
            for column, value in expected[key].items():
                if found[key][column] != value:
                    told = f"{column} {found[key][column]!r}, the log {value!r}"
                    yield Mismatch(assignment.id, f"the rating {where} has {told}")


def _state_faults(assignment: Row[Any], folded: Folded) -> Iterator[Mismatch]:
    for column, value in state_of(folded).items():
        found = assignment._mapping[column]
        if found != value:
            yield Mismatch(assignment.id, f"its {column} is {found!r}, the log says {value!r}")


def _strays(conn: Connection) -> Iterator[Mismatch]:
    """Rows of assignments that do not exist: foreign keys forbid them, a damaged file may hold them."""
    for table in (m.decision, m.rating):
        t = table.c
        known = select(m.assignment.c.id)
        stray = select(func.count()).select_from(table).where(t.assignment_id.not_in(known))
        count = conn.execute(stray).scalar_one()
        if count:
            yield Mismatch(None, f"{count} rows of {table.name} belong to no assignment")
