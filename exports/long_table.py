"""The long table as files: one row per unit × field × rater × phase × occasion, as JSON lines and as CSV.

Both hold the columns of `store.table.COLUMNS` in that order and the same rows. Values are canonical JSON as text
(`"keep"`, `3`, `{"label": ...}`), so that a text "3" and a number 3 stay apart in CSV too. What CSV does with
nothing, empty texts and formulas stands in `exports.csv_text`.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from contextlib import ExitStack
from pathlib import Path
from typing import Any

import orjson

from exports import csv_text
from exports.folder import MANIFEST, ExportRefused, HashedFile, atomic, drop_stale, earlier_files, prepare
from exports.manifest import FileEntry, Manifest, about
from store.database import Database
from store.ratings import long_rows
from store.study import protocols, study
from store.table import COLUMNS

Json = Any
FORMATS = ("jsonl", "csv")
STEM = "long_table"
POPULATION = (
    "every rater, phase, occasion and purpose: nothing is filtered. For coefficients take human, blind, core rows "
    "of the first occasion that saw neither judge nor peer, and leave out the seeded ones."
)
NOTES = (
    "value is canonical JSON as text; number is the same where it is a number; empty unless status is answered",
    "origin names models and memory systems: do not show this table to a blind rater",
    "CSV: UTF-8 without a byte order mark, CR LF, texts always in quotes, nothing is empty and bare",
    "CSV: texts that begin with =, +, - or @ are written as they are; import them as text, not as formulas",
)


def export_long_table(
    db: Database,
    out_dir: Path,
    formats: Sequence[str] = FORMATS,
    *,
    protocol: str | None = None,
    force: bool = False,
) -> Manifest:
    """Write the long table of one moment of the study, streamed, and its manifest.

    formats    of FORMATS; protocol: only one form's rows; force: replace an earlier export in the folder
    raises     ExportRefused (a sentence; nothing was written), OSError if the disk fails (no half file is left)
    """
    unknown = sorted(set(formats) - set(FORMATS))
    if unknown or not formats:
        raise ExportRefused(f"{', '.join(unknown) or 'No format'}: the formats are {' and '.join(FORMATS)}.")
    prepare(out_dir, force=force)
    earlier = earlier_files(out_dir)
    (out_dir / MANIFEST).unlink(missing_ok=True)
    names = [f"{STEM}.{format}" for format in FORMATS if format in formats]
    counts: dict[str, int] = {"rows": 0}
    with db.read() as conn:
        origin = about(study(conn), protocols(conn))
        with ExitStack() as stack:
            files = {name: stack.enter_context(atomic(out_dir / name)) for name in names}
            _write(long_rows(conn, protocol=protocol), files, counts)
    entries = tuple(FileEntry.of(name, counts["rows"], file) for name, file in files.items())
    made = Manifest(
        kind="long-table",
        **origin,
        population=POPULATION,
        options={"formats": [name.rpartition(".")[2] for name in names], "protocol": protocol},
        counts=dict(sorted(counts.items())),
        files=entries,
        notes=NOTES,
    )
    made.write(out_dir)
    drop_stale(out_dir, earlier, tuple(names))
    return made


def _write(
    rows: Iterator[Mapping[str, Json]], files: Mapping[str, HashedFile], counts: dict[str, int]
) -> None:
    """Each row into every file, once through the rows."""
    for name, file in files.items():
        if name.endswith(".csv"):
            file.write(csv_text.header(COLUMNS))
    for row in rows:
        cells = [row[name] for name in COLUMNS]
        for name, file in files.items():
            file.write(csv_text.line(cells) if name.endswith(".csv") else json_line(row))
        counts["rows"] += 1
        status = f"status_{row['status']}"
        counts[status] = counts.get(status, 0) + 1


def json_line(row: Mapping[str, Json]) -> bytes:
    """One row as a line of JSON, its keys in the order of the columns."""
    return orjson.dumps({name: row[name] for name in COLUMNS}) + b"\n"


# ---------------------------------------------------------------- reading back


def read_jsonl(path: Path) -> Iterator[dict[str, Json]]:
    """The rows of a JSONL export, as they were in the study."""
    with path.open("rb") as file:
        for line in file:
            yield json.loads(line)


def read_csv(path: Path) -> Iterator[dict[str, Json]]:
    """The rows of a CSV export, as they were in the study.

    raises   ValueError if the file is no CSV, or its first line does not name columns
    """
    records = csv_text.records(path.read_bytes().decode("utf-8"))
    head = next(records, [])
    names = [cell.text if isinstance(cell, csv_text.Bare) else str(cell) for cell in head]
    for cells in records:
        yield {name: _value(cell) for name, cell in zip(names, cells, strict=True)}


def _value(cell: str | csv_text.Bare | None) -> Json:
    """A bare cell is a number or a truth value, as JSON writes them too."""
    return json.loads(cell.text) if isinstance(cell, csv_text.Bare) else cell
