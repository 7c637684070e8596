"""One thread that writes acts, one after the other, each in its own transaction, and is drained before the end."""

import logging
import threading
from collections import deque
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from sqlalchemy import Connection
from sqlalchemy.exc import SQLAlchemyError

from store.connections import begin_writing
from store.database import Database
from store.decisions import append, on_own_acts
from store.errors import ChangedElsewhere, Conflict, NotPossible, StoreError
from store.records import Act, ItemAnswers, Saved
from store.recovery import forget, keep, keep_refused, keep_somewhere, recovery_paths

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class WriteFailed:
    """An act that is not in the log. `sentence` is for people.

    retryable   True: the disk or a lock stood in the way; the act waits, in memory and in the file `kept_in`
                (None if that could not be written either), and `Writer.retry` tries again.
                False: the rules of the study refuse it; it is kept in the refused file and not tried again.
    answers     what the item says now, where another window has changed it since the act was made; else None
    """

    act: Act
    sentence: str
    retryable: bool
    kept_in: Path | None = None
    answers: ItemAnswers | None = None


Result = Saved | WriteFailed


class Writer:
    """Writes acts in the order in which they were put. Acts behind a failed one wait for it."""

    def __init__(
        self,
        db: Database,
        on_result: Callable[[Result], None],
        *,
        before_write: Callable[[], None] | None = None,
    ) -> None:
        """
        on_result      called in the writer's thread, after the commit, once for each try that was made known
        before_write   called in the writer's thread before each try: tests delay or fail writes with it
        """
        self._db = db
        self._on_result = on_result
        self._before_write = before_write
        self._queue: deque[Act] = deque()
        self._failed: list[Act] = []
        self._reached: dict[tuple[str, int], int] = {}
        """By window and assignment, the revision after the last act written here; for the writer's thread alone."""
        self._kept: set[str] = set()
        self._kept_in: Path | None = None
        self._blocked = False
        self._closing = False
        self._wake = threading.Condition()
        self._thread = threading.Thread(target=self._run, name="alps-writer", daemon=True)
        self._thread.start()

    # ------------------------------------------------------------ for the screen

    @property
    def pending(self) -> int:
        """How many acts are on their way into the log; those that failed and wait are counted by `failed`."""
        with self._wake:
            return len(self._queue) - len(self._failed)

    @property
    def failed(self) -> tuple[Act, ...]:
        """The acts that wait behind a failure, in order."""
        with self._wake:
            return tuple(self._failed)

    @property
    def kept_in(self) -> Path | None:
        """The file that holds what failed, until it is in the log; None where no disk took all of it."""
        with self._wake:
            return self._kept_in if all(act.act_id in self._kept for act in self._failed) else None

    def put(self, act: Act) -> None:
        """Queue an act; returns at once.

        raises   RuntimeError after `close`: nobody would write it
        """
        with self._wake:
            if self._closing:
                raise RuntimeError("the writer is closed")
            self._queue.append(act)
            self._blocked = False  # a new act is a new try, from the first that waits
            self._wake.notify_all()

    def retry(self) -> None:
        """Try the acts that wait again, from the first."""
        with self._wake:
            self._blocked = False
            self._wake.notify_all()

    def close(self, timeout: float | None = None) -> bool:
        """Write what is queued, end the thread. Acts that still fail stay in the recovery file.

        returns  True if the thread ended with nothing left to write
        """
        with self._wake:
            self._closing = True
            self._blocked = False
            self._wake.notify_all()
        self._thread.join(timeout)
        return not self._thread.is_alive() and not self._queue

    # ------------------------------------------------------------ the thread

    def _run(self) -> None:
        """Until closed: hold one connection while writes succeed, take a new one after a failure."""
        while self._wait_for_work():
            try:
                with self._db.writing_connection() as connection:
                    self._drain(connection)
            except Exception as error:
                if not isinstance(error, StoreError | SQLAlchemyError | OSError):
                    log.exception("an act could not be written for a reason nobody foresaw")
                self._fail(error)

    def _wait_for_work(self) -> bool:
        """False when closed and there is nothing left that has not been tried since."""
        with self._wake:
            while not self._queue or self._blocked:
                if self._closing:
                    return False
                self._wake.wait()
            return True

    def _drain(self, connection: Connection) -> None:
        """Write act by act until closed with an empty queue; a write that fails leaves by its exception."""
        while self._wait_for_work():
            act = self._queue[0]
            if self._before_write is not None:
                self._before_write()
            try:
                with begin_writing(connection, self._db.path):
                    saved = append(connection, on_own_acts(act, self._reached.get(_place_of(act))))
            except ChangedElsewhere as error:
                self._refuse(act, str(error), error.answers)
                continue
            except (NotPossible, Conflict) as error:
                self._refuse(act, str(error))
                continue
            self._reached[_place_of(act)] = saved.revision
            self._finish(act, saved)

    def _finish(self, act: Act, result: Result) -> None:
        """The act is done with: out of the queue, made known, and out of the recovery file once nothing waits."""
        with self._wake:
            self._queue.popleft()
            if act in self._failed:
                self._failed.remove(act)
            done, self._kept = (self._kept, set()) if not self._queue else (set(), self._kept)
        self._tell(result)
        if done:
            try:
                for path in recovery_paths(self._db):
                    forget(path, done)
            except OSError as error:  # the acts are in the log: reading them there again changes nothing
                log.warning("the recovery file could not be cleared: %s", error)

    def _refuse(self, act: Act, sentence: str, answers: ItemAnswers | None = None) -> None:
        try:
            keep_refused(self._db, [(act, sentence)])
        except OSError as error:  # the sentence still goes to the screen, which has the text
            log.error("the file of refused acts could not be written: %s", error)
        self._finish(act, WriteFailed(act, sentence, retryable=False, answers=answers))

    def _fail(self, error: Exception) -> None:
        """Keep everything that waits on the disk by another way, and say so for each act once."""
        sentence = (
            str(error) if isinstance(error, StoreError) else f"The study could not be written: {error}."
        )
        with self._wake:
            self._blocked = True
            waiting = list(self._queue)
            self._failed = waiting
        fresh = [act for act in waiting if act.act_id not in self._kept]
        path = self._kept_in
        try:
            if fresh:
                path = keep_somewhere(self._db, lambda file: keep(file, fresh))
            self._kept |= {act.act_id for act in fresh}
        except OSError as disk:
            log.error("the recovery file could not be written: %s", disk)
            path = None
        self._kept_in = path
        for act in fresh or waiting[:1]:
            self._tell(WriteFailed(act, sentence, retryable=True, kept_in=path))

    def _tell(self, result: Result) -> None:
        """A screen that fails to take a result must not stop the writing: the error goes to the log file."""
        try:
            self._on_result(result)
        except Exception:
            log.exception("the result of a write could not be shown")


def _place_of(act: Act) -> tuple[str, int]:
    return act.window, act.assignment_id
