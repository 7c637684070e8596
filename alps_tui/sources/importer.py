"""Bring files into a study: every record once, in small transactions, and a report of what happened to each."""

import tempfile
from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from typing import Any

from alps_tui.sources.detect import Format
from alps_tui.sources.files import CannotImport, Found, find_files, sha256_of
from alps_tui.sources.records import NotRead, Options, stored_name
from alps_tui.sources.report import ImportReport, KeptAside, LeftOut, LintFound, NewVersion, Tally
from alps_tui.sources.steps import no_format, steps_of, tell
from store.assignments import add_rater, raters
from store.batches import in_batches
from store.content_records import Annotation, Quarantined, SourceRecord
from store.database import Database, backup, open_database
from store.ingest import (
    add_file,
    add_parts,
    add_quarantine,
    add_record,
    begin_record,
    end_record,
)

__all__ = ["CannotImport", "ImportReport", "Progress", "import_paths"]

Progress = Callable[[int, int], None]
"""Called with the bytes behind and the bytes in all."""

WAITING_RECORDS = 64
WAITING_BYTES = 8_000_000
"""How much may be read ahead of what is written."""

PARTS_AT_ONCE = 32
"""Dialogues and annotations of one record that are written together; a longer record takes several transactions."""


def import_paths(
    db: Database | None,
    paths: Sequence[str | Path],
    *,
    dry_run: bool = False,
    progress: Progress | None = None,
    labels: Iterable[str] | None = None,
    locate: bool = True,
) -> ImportReport:
    """Import files and folders, in sorted order; what the study already has stays as it is.

    db        the study; with `dry_run` it is only read, and may be None for an empty one
    dry_run   everything is done on a throw-away copy, so that the counts are those of the real import
    labels    the taxonomy to hold labels against; None: labels are not looked at
    locate    False leaves evidence out of memories: to measure what locating costs, not for a study

    Bad data raises nothing: it is kept aside, noted or left out, and stands in the report. An import that is
    interrupted leaves whole records; the next one goes on.

    raises   CannotImport if a path does not exist or nothing under the paths is of a known format;
             StoreError if the study cannot be written
    """
    found, missed = find_files(paths)
    options = Options(None if labels is None else frozenset(labels), locate)
    tally = Tally(left_out=[LeftOut(one.shown, one.reason) for one in missed])
    with _target(db, dry_run) as study:
        _import_files(study, found, options, tally, progress or (lambda done, total: None))
    if not tally.recognised and not tally.quarantined:
        raise CannotImport(no_format(paths, len(tally.no_data) + len(tally.left_out)))
    return tally.report(dry_run=dry_run)


@contextmanager
def _target(db: Database | None, dry_run: bool) -> Iterator[Database]:
    """The study itself, or for a dry run a copy of it that is thrown away."""
    if not dry_run:
        if db is None:
            raise ValueError("an import that is no dry run needs a study")
        yield db
        return
    with tempfile.TemporaryDirectory(prefix="alps-dry-run-") as folder:
        copy = Path(folder, "study.db")
        if db is not None:
            backup(db, copy)
        with open_database(copy, create=True) as study:
            yield study


def _import_files(
    study: Database, found: Sequence[Found], options: Options, tally: Tally, progress: Progress
) -> None:
    batches = _Batches(study, tally)
    total = sum(one.size for one in found)
    behind = 0
    for one in found:
        for done in _import_file(one, options, tally, batches):
            progress(min(behind + done, total), total)
        behind += one.size
        progress(behind, total)
    batches.flush()


def _import_file(found: Found, options: Options, tally: Tally, batches: "_Batches") -> Iterator[int]:
    """Read a file into the batches, yielding the bytes behind; a file that cannot be read is left out."""
    try:
        told = tell(found, options)
        if isinstance(told, tuple):
            yield from _import_records(found, *told, options, tally, batches)
        elif isinstance(told, Quarantined):
            batches.put(_File(found.shown, sha256_of(found.path), "unknown"), told)
        else:
            _leave_out(found, told, tally)
    except OSError as error:
        tally.left_out.append(LeftOut(found.shown, error.strerror or "cannot be read"))


def _import_records(
    found: Found, format: Format, layout: Format, options: Options, tally: Tally, batches: "_Batches"
) -> Iterator[int]:
    file = _File(stored_name(found, format), sha256_of(found.path), format.value)
    tally.files += 1
    tally.recognised += 1
    tally.formats[format.value] += 1
    for step in steps_of(found, format, layout, options):
        batches.put(file, step.record)
        yield step.done


def _leave_out(found: Found, reason: NotRead, tally: Tally) -> None:
    tally.recognised += reason.recognised
    (tally.left_out if reason.data else tally.no_data).append(LeftOut(found.shown, reason.reason))


@dataclass(frozen=True, slots=True)
class _File:
    """A file as the study keeps it."""

    shown: str
    sha256: str
    format: str


@dataclass(frozen=True, slots=True)
class _Job:
    """One step of a transaction; `ends` says which record it is the last step of."""

    write: Callable[[Any], Counter[str]]
    ends: tuple[_File, SourceRecord | Quarantined] | None = None


class _Batches:
    """Records that wait to be written, and the short transactions that write them in order."""

    def __init__(self, study: Database, tally: Tally) -> None:
        self._study = study
        self._tally = tally
        self._waiting: list[_Job] = []
        self._records = 0
        self._bytes = 0
        self._changed = 0
        self._files: dict[str, int] = {}
        with study.read() as connection:
            self._raters = {rater.name for rater in raters(connection)}

    def put(self, file: _File, record: SourceRecord | Quarantined) -> None:
        self._waiting += self._jobs(file, record)
        self._records += 1
        self._bytes += len(record.raw)
        if self._records >= WAITING_RECORDS or self._bytes >= WAITING_BYTES:
            self.flush()

    def flush(self) -> None:
        """Write all that waits, and count what is on disk."""
        for job, counts in in_batches(
            self._study, self._waiting, lambda connection, job: (job, job.write(connection))
        ):
            self._tally.add(counts)
            self._changed += counts["changed"]
            if job.ends is not None:
                self._note(*job.ends)
        self._waiting, self._records, self._bytes = [], 0, 0

    def _jobs(self, file: _File, record: SourceRecord | Quarantined) -> Iterator[_Job]:
        """What is to be done for a record: all at once, or of a long one beginning, slices and end."""
        ends = (file, record)
        if isinstance(record, Quarantined):
            yield _Job(partial(self._keep_aside, file, record), ends)
        elif len(record.content) <= PARTS_AT_ONCE:
            yield _Job(partial(self._write, file, record), ends)
        else:
            long = _LongRecord(record)
            yield _Job(partial(self._begin, file, long))
            for start in range(0, len(record.content), PARTS_AT_ONCE):
                yield _Job(partial(long.add, start))
            yield _Job(long.end, ends)

    def _keep_aside(self, file: _File, record: Quarantined, connection: Any) -> Counter[str]:
        add_quarantine(connection, self._file_id(connection, file), record)
        return Counter()

    def _write(self, file: _File, record: SourceRecord, connection: Any) -> Counter[str]:
        file_id = self._file_id(connection, file)
        new = self._add_raters(connection, record)
        return add_record(connection, file_id, record) + Counter(raters=new)

    def _begin(self, file: _File, long: "_LongRecord", connection: Any) -> Counter[str]:
        file_id = self._file_id(connection, file)
        new = self._add_raters(connection, long.record)
        return long.begin(connection, file_id) + Counter(raters=new)

    def _file_id(self, connection: Any, file: _File) -> int:
        if file.sha256 not in self._files:
            self._files[file.sha256] = add_file(connection, file.shown, file.sha256, file.format)
        return self._files[file.sha256]

    def _add_raters(self, connection: Any, record: SourceRecord) -> int:
        """Make the raters a record speaks of; how many of them are new."""
        said = {part.rater: part for part in record.content if isinstance(part, Annotation)}
        new = said.keys() - self._raters
        for name in sorted(new):
            add_rater(connection, name, said[name].rater_kind, said[name].rater_params)
        self._raters |= new
        return len(new)

    def _note(self, file: _File, record: SourceRecord | Quarantined) -> None:
        place = (file.shown, record.ordinal, record.external_id)
        if self._changed:
            self._tally.versions.append(NewVersion(*place))
            self._changed = 0
        if isinstance(record, Quarantined):
            self._tally.quarantined.append(KeptAside(*place, record.reason))
        else:
            self._tally.lint_rows += [
                LintFound(*place, one.code, one.where, one.message) for one in record.lints
            ]


class _LongRecord:
    """A record that is written in many short transactions, one step after the other."""

    def __init__(self, record: SourceRecord) -> None:
        self.record = record
        self._id: int | None = None

    def begin(self, connection: Any, file_id: int) -> Counter[str]:
        self._id = begin_record(connection, file_id, self.record)
        return Counter(same=1) if self._id is None else Counter()

    def add(self, start: int, connection: Any) -> Counter[str]:
        if self._id is None:
            return Counter()
        return add_parts(connection, self._id, self.record.content[start : start + PARTS_AT_ONCE])

    def end(self, connection: Any) -> Counter[str]:
        return Counter() if self._id is None else end_record(connection, self._id, self.record)
