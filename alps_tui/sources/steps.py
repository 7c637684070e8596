"""A file as the steps of its import: told what it is, then read record by record, whichever way it is stored."""

from collections.abc import Iterator, Sequence
from pathlib import Path

from alps_tui.sources.detect import Format
from alps_tui.sources.files import Found, find_files
from alps_tui.sources.records import (
    NotRead,
    Options,
    Step,
    in_lines,
    read_document,
    read_json_lines,
    recognise,
)
from alps_tui.sources.twice import OneFile
from store.content_records import Quarantined, SourceRecord


def tell(found: Found, options: Options) -> tuple[Format, Format] | NotRead | Quarantined:
    """What a file is and the layout of its records, the same but for tables; or why not. Raises OSError."""
    format = recognise(found, options)
    if format is Format.PARQUET:
        from alps_tui.sources.parquet_records import layout_of

        layout = layout_of(found)
        return (format, layout) if isinstance(layout, Format) else layout
    return (format, format) if isinstance(format, Format) else format


def steps_of(found: Found, format: Format, layout: Format, options: Options) -> Iterator[Step]:
    """The records of a file in order. Nothing is raised for bad data; raises OSError."""
    if format is Format.PARQUET:
        from alps_tui.sources.parquet_records import read_rows

        return _told_apart(read_rows(found, layout, options), OneFile("row"))
    if in_lines(found, format, options):
        return _told_apart(read_json_lines(found, format, options), OneFile("line"))
    return (Step(one, found.size) for one in read_document(found, format, options))


def _told_apart(steps: Iterator[Step], file: OneFile) -> Iterator[Step]:
    for step in steps:
        if isinstance(step.record, SourceRecord):
            yield Step(file.accept(step.record), step.done)
        else:
            yield step


FILES_NAMED = 3


def why_empty(paths: Sequence[str | Path]) -> str | None:
    """What keeps every file under the paths from being read, in a sentence; None as soon as one record can be.

    raises   CannotImport if a path does not exist
    """
    found, missed = find_files(paths)
    reasons = [f"{one.shown}: {one.reason}" for one in missed]
    nothing: list[str] = []
    for one in found:
        reason = _why_not(one, Options(locate=False))
        if reason is None:
            return None
        if isinstance(reason, str):
            reasons.append(f"{one.shown}: {reason}")
        elif reason.recognised:
            nothing.append(f"{one.shown}: {reason.reason}")
    named = reasons or nothing
    if not named:
        return no_format(paths, len(found))
    more = len(named) - FILES_NAMED
    return "; ".join(named[:FILES_NAMED]) + (f"; and {more:,} more files" if more > 0 else "") + "."


def no_format(paths: Sequence[str | Path], seen: int) -> str:
    """That none of so many files is of a format that is read, and which are."""
    where = ", ".join(str(path) for path in paths)
    what = "there is no file" if not seen else "not" if seen == 1 else f"none of its {seen:,} files is"
    return (
        f"{where}: {what} of a format this version reads. It reads AlpsBench session packets, double "
        "annotations, annotation bundles, check items, model memories and dataset rows, gold-editor exports, "
        "and plain JSON lines or parquet with dialogue_id and dialogue."
    )


def _why_not(found: Found, options: Options) -> str | NotRead | None:
    """Why no record of a file can be read, as NotRead if it holds no data anyway; None if one can."""
    first = ""
    try:
        told = tell(found, options)
        if isinstance(told, NotRead):
            return told.reason if told.data and told.recognised else told
        if isinstance(told, Quarantined):
            return told.reason
        for step in steps_of(found, *told, options):
            if isinstance(step.record, SourceRecord):
                return None
            first = first or f"record {step.record.ordinal}: {step.record.reason}"
    except OSError as error:
        return error.strerror or "cannot be read"
    return first or "it holds no record"
