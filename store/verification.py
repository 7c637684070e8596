"""Prove that the log is whole and that every projection says what the log says."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, Row, Table, func, select

from store import models as m
from store.fold import Folded, fold
from store.kinds import Phase
from store.log import chained, log_row, ratings_of, state_of

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
        logs = _by_assignment(conn, m.decision, first, last)
        ratings = _by_assignment(conn, m.rating, first, last)
        owners = _owners(conn, some)
        for assignment in some:
            log = logs.get(assignment.id, [])
            yield from _log_faults(assignment, log, owners)
            folded = fold([log_row(row) for row in log], Phase(assignment.given_phase))
            yield from _rating_faults(assignment, folded, ratings.get(assignment.id, []))
            yield from _state_faults(assignment, folded)
    yield from _strays(conn)


def _by_assignment(conn: Connection, table: Table, first: int, last: int) -> dict[int, list[Row[Any]]]:
    """The rows of a range of assignments, each list in the order of its revisions."""
    t = table.c
    rows = conn.execute(
        select(table).where(t.assignment_id.between(first, last)).order_by(t.assignment_id, t.revision)
    )
    found: dict[int, list[Row[Any]]] = {}
    for row in rows:
        found.setdefault(row.assignment_id, []).append(row)
    return found


def _owners(conn: Connection, assignments: Sequence[Row[Any]]) -> dict[int, tuple[int, int | None]]:
    """Of the units of these assignments' items: the item, and the assignment whose rater made it."""
    u = m.unit.c
    items = sorted({row.item_id for row in assignments})
    rows = conn.execute(select(u.id, u.item_id, u.assignment_id).where(u.item_id.in_(items)))
    return {row.id: (row.item_id, row.assignment_id) for row in rows}


def _log_faults(
    assignment: Row[Any], log: list[Row[Any]], owners: dict[int, tuple[int, int | None]]
) -> Iterator[Mismatch]:
    chain = ""
    for expected, row in enumerate(log, 1):
        if row.revision != expected:
            yield Mismatch(
                assignment.id, f"revision {expected} is missing from the log, {row.revision} stands there"
            )
            return
        chain = chained(chain, row._asdict())
        if row.chain != chain:
            yield Mismatch(assignment.id, f"revision {row.revision} was changed after it was written")
            return
        if row.unit_id is not None and owners.get(row.unit_id) not in (
            (assignment.item_id, None),
            (assignment.item_id, assignment.id),
        ):
            yield Mismatch(
                assignment.id, f"revision {row.revision} is about unit {row.unit_id} of another item"
            )


def _rating_faults(assignment: Row[Any], folded: Folded, rows: list[Row[Any]]) -> Iterator[Mismatch]:
    expected = ratings_of(folded.ratings)
    found = {(row.unit_id, row.field, row.phase): row._mapping for row in rows}
    for key in sorted(expected.keys() | found.keys()):
        unit_id, field, phase = key
        where = f"{field} of unit {unit_id} ({phase})"
        if key not in found:
            yield Mismatch(assignment.id, f"the rating {where} is missing")
        elif key not in expected:
            yield Mismatch(assignment.id, f"the rating {where} is in no decision")
        else:
            for column, value in expected[key].items():
                if found[key][column] != value:
                    yield Mismatch(
                        assignment.id,
                        f"the rating {where} has {column} {found[key][column]!r}, the log {value!r}",
                    )


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
