"""Parquet files as rows, batch by batch; pyarrow is an optional package and is imported only here."""

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

MAGIC = b"PAR1"
"""The first and the last bytes of every parquet file."""

BATCH = 256
"""Rows held in memory at once: a row may be a dialogue with all that hangs on it."""


class ParquetError(Exception):
    """A parquet file that cannot be read; `str(error)` says why in words, without the file's name."""


class ParquetMissing(ParquetError):
    """The package that reads parquet is not installed; `str(error)` says how to get it."""


_UNSAYABLE = (ValueError, OverflowError, KeyError)
"""Text that is not UTF-8, a time out of range, a map with a key twice."""


@dataclass(frozen=True, slots=True)
class BadRow:
    """A row whose values cannot be said in Python, and why."""

    reason: str


def rows(path: Path, batch_size: int = BATCH) -> Iterator[dict[str, Any]]:
    """The rows of a file in order: column → value as Python says it, null as None.

    Lists and structs are lists and dicts, dates and times those of datetime, decimals Decimal. Nothing but
    `batch_size` rows is in memory.

    raises   ParquetMissing, ParquetError if the file or one of its rows cannot be read; OSError
    """
    for number, row in enumerate(tolerant_rows(path, batch_size), 1):
        if isinstance(row, BadRow):
            raise ParquetError(f"row {number}: {row.reason}")
        yield row


def tolerant_rows(path: Path, batch_size: int = BATCH) -> Iterator[dict[str, Any] | BadRow]:
    """As `rows`, but a row that cannot be read is a BadRow in its place. Raises the same for the file."""
    arrow, parquet = _pyarrow()
    with path.open("rb") as file:
        try:
            for batch in parquet.ParquetFile(file).iter_batches(batch_size):
                yield from _rows_of(batch)
        except arrow.ArrowException as error:
            raise ParquetError(_why(error)) from error
        except OSError as error:
            if error.errno is not None:
                raise
            raise ParquetError(_why(error)) from error  # pyarrow's own word for a page it cannot decode


def row_count(path: Path) -> int:
    """How many rows a file says it has, read from its end alone. Raises as `rows` does."""
    arrow, parquet = _pyarrow()
    with path.open("rb") as file:
        try:
            return int(parquet.ParquetFile(file).metadata.num_rows)
        except (arrow.ArrowException, OSError) as error:
            if isinstance(error, OSError) and error.errno is not None:
                raise
            raise ParquetError(_why(error)) from error


def _rows_of(batch: Any) -> Iterator[dict[str, Any] | BadRow]:
    names = batch.schema.names
    if len(set(names)) < len(names):
        twice = next(name for name in names if names.count(name) > 1)
        raise ParquetError(f'two of its columns are called "{twice}"')
    try:
        yield from _said(batch)
    except (
        ValueError,
        OverflowError,
    ):  # one row at a time tells which
        for place in range(batch.num_rows):
            try:
                row = _said(batch.slice(place, 1))[0]
            except _UNSAYABLE as error:
                yield BadRow(_why(error))
            else:
                yield row


def _said(batch: Any) -> list[dict[str, Any]]:
    return list(batch.to_pylist(maps_as_pydicts="strict"))


def _why(error: Exception) -> str:
    first = str(error).strip().partition("\n")[0].rstrip(".")
    return f"not readable as parquet ({first[:200]})" if first else "not readable as parquet"


def _pyarrow() -> tuple[Any, Any]:
    try:
        import pyarrow
        import pyarrow.parquet
    except ImportError:
        raise ParquetMissing(
            "parquet files need the package pyarrow, which is not installed: pip install 'alps-tui[parquet]'"
        ) from None
    return pyarrow.lib, pyarrow.parquet
