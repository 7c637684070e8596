"""Between the screens and the study: reading items, the writer thread, and remembering places. Knows no widget."""

import logging
import os
import threading
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any
from uuid import uuid4

from alps_tui.protocols.loading import work_place
from alps_tui.protocols.schema import Protocol
from alps_tui.ui.forms import Forms
from alps_tui.ui.keymap import Keymap
from store import assignments, content, place, recovery, versions
from store.content_records import Json
from store.database import Database
from store.errors import NotPossible, StoreError
from store.kinds import ItemState, Phase, Verb
from store.records import Act, Assignment, ItemView, Progress, Rater
from store.writer import Writer

log = logging.getLogger(__name__)

KEEP_AGAIN_SECONDS = 2.0
"""How long to wait before a place that could not be written is tried again."""

LOOK_AHEAD = 200
"""How many open items are looked at for the one where the rater left off."""


@dataclass(frozen=True, slots=True)
class Queue:
    """What a rater has of one form: every item in the rater's order, and how far it is.

    left_off   the open item the rater was on last, None if there is none
    news       what has changed in the form since the rater knew it, to be acknowledged before going on
    """

    protocol: Protocol
    assignments: tuple[Assignment, ...]
    progress: Progress
    left_off: Assignment | None = None
    news: versions.News | None = None

    @property
    def next_open(self) -> Assignment | None:
        return self.next_open_after(-1)

    def next_open_after(self, position: int) -> Assignment | None:
        """The first open item behind a position, else the first open one of all."""
        still = [a for a in self.assignments if a.state == ItemState.OPEN]
        return next((a for a in still if a.position > position), next(iter(still), None))


@dataclass(frozen=True, slots=True)
class Loaded:
    """An item as it was read: all the screen needs, nothing of anybody else."""

    view: ItemView
    place: Mapping[str, Json]
    protocol: Protocol


@dataclass(frozen=True, slots=True)
class PlaceFailed:
    """A place (with what was typed and not yet decided) could not be written; it is kept and tried again."""

    sentence: str


@dataclass(frozen=True, slots=True)
class PlaceSaved:
    assignment_id: int


class Session:
    """One rater at one study. `report` gets what writer and keeper say, in their threads.

    window   a random name for this window: what another one does to the same item must be seen before it is changed
    """

    def __init__(
        self,
        db: Database,
        rater: Rater,
        protocols: Mapping[str, Protocol] | None,
        report: Callable[[object], None],
        *,
        keymap: Keymap | None = None,
        before_write: Callable[[], None] | None = None,
    ) -> None:
        """`protocols` stand in by name for the forms of the study; None: its own. `before_write` is called in the
        writer's thread before each try: tests delay and fail writes with it."""
        self.db = db
        self.rater = rater
        self.keymap = keymap or Keymap()
        self._forms = Forms(self.keymap, protocols)
        self._acknowledged: set[int] = set()
        self.window = uuid4().hex
        self._writer = Writer(db, report, before_write=before_write)
        self._keeper = PlaceKeeper(db, report)
        self._kept: dict[int, str] = {}

    # ------------------------------------------------------------ reading; each call blocks, so call it in a thread

    def queues(self) -> tuple[Queue, ...]:
        """The rater's queues, by form in the order of the work, of the forms this program knows."""
        with self.db.read() as conn:
            self._forms.read(conn)
            every = assignments.assignments(conn, self.rater.id)
            names = sorted(dict.fromkeys(a.protocol for a in every), key=work_place)
            queues = (
                self._queue(conn, name, tuple(a for a in every if a.protocol == name)) for name in names
            )
            return tuple(queue for queue in queues if queue is not None)

    def _queue(self, conn: Any, name: str, mine: tuple[Assignment, ...]) -> Queue | None:
        """A queue under the newest version of its form that the rater has items of; None if nobody can show that."""
        form = self._forms.of(max(mine, key=lambda one: one.protocol_id))
        if form is None:
            return None
        progress = assignments.progress(conn, self.rater.id, name)
        left_off = _left_off(conn, mine, self._kept)
        news = versions.news(conn, self.rater.id, name)
        is_read = news is not None and news.guideline_id in self._acknowledged
        return Queue(form, mine, progress, left_off, None if is_read else news)

    def load(self, assignment: Assignment) -> Loaded:
        """The item of an assignment with the rater's place in it."""
        with self.db.read() as conn:
            view = content.item_view(conn, assignment.id)
            where = place.load_place(conn, assignment.id)
            form = self._forms.of(view.assignment)
            if form is None:
                self._forms.read(conn)
                form = self._forms.of(view.assignment)
        if form is None:
            raise NotPossible(
                f"This version of the program has no form {view.assignment.protocol}. Upgrade it."
            )
        return Loaded(view, where, form.at_phase(revealed=view.assignment.phase is Phase.REVEALED))

    # ------------------------------------------------------------ writing; never blocks

    def put(self, act: Act) -> None:
        """Hand an act to the writer thread; the result is reported."""
        self._writer.put(act)

    def acknowledge(self, news: versions.News, at: datetime) -> None:
        """Hand over that the rater has read what is new; it is on the log for good."""
        self._acknowledged.add(news.guideline_id)
        self.put(
            Act(
                verb=Verb.ACKNOWLEDGE,
                assignment_id=news.assignment_id,
                item_id=news.item_id,
                act_id=uuid4().hex,
                decided_at=at.isoformat(timespec="microseconds"),
                reason=news.note or None,
                window=self.window,
            )
        )

    def retry(self) -> None:
        """Try again what could not be written."""
        self._writer.retry()

    @property
    def unsaved(self) -> int:
        """Acts that are not on disk yet, those that failed among them."""
        return self._writer.pending

    @property
    def failed(self) -> tuple[Act, ...]:
        return self._writer.failed

    @property
    def kept_in(self) -> str:
        """The file that holds what failed, by its name where it lies beside the study; empty where no disk took it."""
        kept = self._writer.kept_in
        if kept is None:
            return ""
        return kept.name if self.db.path is not None and kept.parent == self.db.path.parent else str(kept)

    def keep(self, assignment_id: int, where: Mapping[str, Json]) -> None:
        """Remember where the rater is in an item, and that this is the item; the last one counts."""
        self._kept[assignment_id] = at = datetime.now(UTC).isoformat(timespec="microseconds")
        self._keeper.keep(assignment_id, {**where, "at": at})

    def opened(self, assignment_id: int) -> None:
        """Note that the rater has the item before them."""
        self._keeper.opened(assignment_id, datetime.now(UTC).isoformat(timespec="microseconds"))

    def export_unsaved(self) -> Path:
        """Write every act that is not saved to a file of its own.

        raises   OSError if the disk does not take it
        """
        for path in export_paths(self.db, self.rater):
            try:
                recovery.keep(path, self._writer.failed)
            except OSError as error:
                problem = error
            else:
                return path
        raise problem

    def close(self, timeout: float | None = None) -> bool:
        """Write what is still waiting, then stop both threads; False if something could not be written."""
        kept = self._keeper.close(timeout)
        return self._writer.close(timeout) and kept


def _left_off(conn: Any, mine: Sequence[Assignment], kept_now: Mapping[int, str]) -> Assignment | None:
    """The open item whose place was kept last, or is being kept now. Who works in order never leaves off far ahead of the first one."""
    still = [a for a in mine if a.state == ItemState.OPEN][:LOOK_AHEAD]
    kept = [(kept_now.get(a.id) or str(place.load_place(conn, a.id).get("at") or ""), a) for a in still]
    at, last = max(kept, key=lambda one: one[0], default=("", None))
    return last if at else None


class PlaceKeeper:
    """A thread that writes places, the last of each item only, so that the screen never waits for the disk."""

    def __init__(self, db: Database, report: Callable[[object], None]) -> None:
        self._db = db
        self._report = report
        self._changed = threading.Condition()
        self._places: dict[int, Mapping[str, Json]] = {}
        self._opened: dict[int, str] = {}
        self._closing = False
        self._thread = threading.Thread(target=self._run, name="alps-places", daemon=True)
        self._thread.start()

    def keep(self, assignment_id: int, where: Mapping[str, Json]) -> None:
        with self._changed:
            self._places[assignment_id] = where
            self._changed.notify()

    def opened(self, assignment_id: int, at: str) -> None:
        with self._changed:
            self._opened.setdefault(assignment_id, at)
            self._changed.notify()

    def close(self, timeout: float | None = None) -> bool:
        """Write what still waits; what the study does not take goes beside it, and in when it is opened again.

        returns  False if neither took it
        """
        with self._changed:
            self._closing = True
            self._changed.notify()
        self._thread.join(timeout)
        if not self._places:
            return True
        if self._db.path is None:
            return False
        try:
            recovery.keep_somewhere(self._db, lambda file: recovery.keep_places(file, self._places))
        except OSError as error:
            log.error("what was typed last could not be kept: %s", error)
            return False
        return True

    def _run(self) -> None:
        while True:
            with self._changed:
                self._changed.wait_for(lambda: self._closing or self._places or self._opened)
                places, self._places = self._places, {}
                opened, self._opened = self._opened, {}
                closing = self._closing
            if places or opened:
                self._write(places, opened)
            if closing:
                return

    def _write(self, places: dict[int, Mapping[str, Json]], opened: dict[int, str]) -> None:
        try:
            with self._db.write() as conn:
                for assignment_id, at in opened.items():
                    assignments.mark_opened(conn, assignment_id, at)
                for assignment_id, where in places.items():
                    place.save_place(conn, assignment_id, where)
        except Exception as error:
            if not isinstance(error, StoreError):
                log.exception("a place could not be written for a reason nobody foresaw")
            self._report(PlaceFailed(str(error)))
            with self._changed:
                self._places = {**places, **self._places}
                self._opened = {**opened, **self._opened}
                self._changed.wait_for(lambda: self._closing, KEEP_AGAIN_SECONDS)
        else:
            for assignment_id in places:
                self._report(PlaceSaved(assignment_id))


def export_paths(db: Database, rater: Rater) -> tuple[Path, ...]:
    """Where acts that cannot be saved are written: beside the study, else in the folder one is in, else at home."""
    stamp = datetime.now().strftime("%Y%m%d-%H%M%S")
    beside = () if db.path is None else (db.path.parent,)
    safe = "".join(c if c.isalnum() or c in "-_" else "_" for c in rater.name)
    folders = (*beside, Path.cwd(), Path(os.path.expanduser("~")))  # noqa: PTH111 (never raises)
    return tuple(folder / f"not-saved-{safe}-{stamp}.jsonl" for folder in dict.fromkeys(folders))
