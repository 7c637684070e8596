"""Rows of a parquet file as records: each is the object that would be a line of JSON, in the same layouts."""

from collections.abc import Iterator, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

import orjson

from alps_tui.sources.detect import Format, Sample, detect
from alps_tui.sources.files import Found
from alps_tui.sources.lints import Notes
from alps_tui.sources.parquet import BadRow, ParquetError, row_count, tolerant_rows
from alps_tui.sources.records import IN_LINES, READERS, NotRead, Options, Step, understand
from store.content_records import Quarantined

NESTED = frozenset(
    [
        "dialogue",
        "memories",
        "candidates",
        "queries",
        "responses",
        "updates",
        "meta",
        "probe",
        "record",
        "memory",
        "answer",
        "metadata",
        "candidate_memories",
        "conversation",
        "extracted_memory",
    ]
)
"""Columns that may hold JSON as text instead of lists and structs: what a table without nesting does with them."""


def layout_of(found: Found) -> Format | NotRead:
    """The layout of a file's rows, told by its first one, or why it is not read. Raises OSError."""
    try:
        first = next(tolerant_rows(found.path, 1), None)
    except ParquetError as problem:
        return NotRead(str(problem), data=True)
    if first is None:
        return NotRead("a parquet file without rows", data=False)
    if isinstance(first, BadRow):
        return NotRead(f"its first row is {first.reason}", data=True)
    line = _as_line(first)
    if isinstance(line, BadRow):
        return NotRead(f"its first row is {line.reason}", data=True)
    format = detect(Sample(line, whole=True))
    if format not in IN_LINES:
        columns = ", ".join(sorted(first)[:8])
        return NotRead(
            f"parquet whose columns ({columns}) are those of no layout this version knows: it needs dialogue_id and "
            "dialogue at least",
            data=True,
        )
    return format


def read_rows(found: Found, format: Format, options: Options) -> Iterator[Step]:
    """The records of a file, numbered by row; no more than a batch is in memory. Raises OSError."""
    number = 0
    try:
        total = row_count(found.path)
        for number, row in enumerate(tolerant_rows(found.path), 1):
            done = found.size * number // max(total, 1)
            data = row if isinstance(row, BadRow) else _as_line(row)
            if isinstance(data, BadRow):
                yield Step(Quarantined(number, "", b"", data.reason), done)
                continue
            notes = Notes(options.labels, locate=options.locate)
            yield Step(understand(format, number, data, data, READERS[format], notes), done)
    except ParquetError as problem:
        reason = f"{problem}; this row and those after it were not read"
        yield Step(Quarantined(number + 1, "", b"", reason), found.size)


def _as_line(row: Mapping[str, Any]) -> bytes | BadRow:
    """A row as JSON. A struct has every key any row has, so that a null in one says no more than its absence."""
    try:
        said = {key: _nested(key, value) for key, value in row.items() if value is not None}
        return orjson.dumps(said)
    except (UnicodeDecodeError, TypeError) as error:  # bytes that are no text; lists in lists without end
        return BadRow(f"not sayable as JSON ({error})")


def _nested(key: str, value: Any) -> Any:
    """A value as JSON can say it; JSON in a text is read as it stands, with its nulls."""
    if key in NESTED and isinstance(value, str) and value.lstrip()[:1] in ("[", "{"):
        try:
            return orjson.loads(value)
        except orjson.JSONDecodeError:
            return value
    return _storable(value)


def _storable(value: Any) -> Any:
    """A copy of what parquet can hold in what JSON can say; bytes are text, times are written out."""
    if isinstance(value, dict):
        return {str(key): _storable(item) for key, item in value.items() if item is not None}
    if isinstance(value, list | tuple):
        return [_storable(item) for item in value]
    if isinstance(value, bytes):
        return value.decode()
    if isinstance(value, Decimal):
        return int(value) if value == value.to_integral_value() else float(value)
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    if isinstance(value, timedelta):
        return value.total_seconds()
    return value
