"""Much work in short transactions: those who annotate meanwhile do not wait for an import or a derivation."""

import time
from collections.abc import Callable, Iterator, Sequence
from typing import TypeVar

from sqlalchemy import Connection

from store.connections import begin_writing, writes_of_others
from store.database import Database

Job = TypeVar("Job")
Result = TypeVar("Result")

BATCH_SECONDS = 0.006
"""How long a transaction may go on taking jobs."""

PAUSE_SECONDS = 0.004
"""How long the lock is left to others between two transactions while somebody else writes too."""

COMPANY_SECONDS = 1.0
"""How long after another program's last write it is taken to be still at it."""


def in_batches(
    db: Database, jobs: Sequence[Job], write: Callable[[Connection, Job], Result]
) -> Iterator[Result]:
    """What `write` gives for each job, in order, once the transaction it was written in is on disk.

    A transaction takes the jobs that begin within BATCH_SECONDS, at least one; a job that raises undoes those of
    its transaction only. Others get their turn between two transactions: they ask for the lock every millisecond
    or two, and who takes it again at once would leave them no moment in which it is free.
    """
    done = 0
    company = _Company()
    with db.writing_connection() as connection:
        while done < len(jobs):
            written: list[Result] = []
            with begin_writing(connection, db.path):
                until = time.monotonic() + BATCH_SECONDS
                company.look(connection)
                while done < len(jobs) and (not written or time.monotonic() < until):
                    written.append(write(connection, jobs[done]))
                    done += 1
            yield from written
            if company.here:
                time.sleep(PAUSE_SECONDS)


class _Company:
    """Whether somebody else writes to the study, as one connection sees it."""

    def __init__(self) -> None:
        self._version: int | None = None
        self._until = 0.0

    def look(self, connection: Connection) -> None:
        version = writes_of_others(connection)
        if self._version not in (None, version):
            self._until = time.monotonic() + COMPANY_SECONDS
        self._version = version

    @property
    def here(self) -> bool:
        return time.monotonic() < self._until
