"""Long tables from elsewhere, or our own exported: CSV, JSON lines and parquet to columns, without guessing a thing."""

import csv
import io
import json
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from pathlib import Path
from typing import Any

import numpy as np
import orjson

from store.kinds import Attested, Phase, Purpose, RaterKind, Status
from store.table import ALIASES, COLUMNS, Table

Json = Any
Objects = np.ndarray[Any, np.dtype[np.object_]]

CHUNK = 50_000
MORE_ALIASES: Mapping[str, tuple[str, ...]] = {
    "value": ("label", "score", "rating", "answer"),
    "rater": ("coder",),
    "dialogue_id": ("dialogue", "conversation"),
    "field": ("question", "criterion"),
}
TRUE, FALSE = frozenset({"true", "1", "yes"}), frozenset({"false", "0", "no", ""})
FLAGS = ("saw_prefill", "saw_judge", "saw_peer", "saw_translation")
COUNTS = ("occasion", "revision", "active_ms", "position")
UNUSED = frozenset(
    {
        "number",
        "presentation",
        "note",
        "skip_reason",
        "decided_at",
        "guideline",
        "revision",
        "active_ms",
        "position",
    }
    | {"probability", "accepted_unchanged", "saw_translation"}
)
"""Columns of the long table that no coefficient reads: they are not read either."""

DEFAULTS: Mapping[str, Json] = {
    "rater_kind": RaterKind.HUMAN.value,
    "phase": Phase.BLIND.value,
    "purpose": Purpose.CORE.value,
    "protocol": "",
}
ONE_FIELD = "value"
"""The name of the field where a file names none."""


class RatingsUnreadable(Exception):
    """A file that is no table of ratings; `str(error)` says what is wrong, where, and what to do."""


class RatingsEmpty(RatingsUnreadable):
    """A file without a row."""


@dataclass(frozen=True, slots=True)
class RatingsRead:
    """The table, and what a reader of numbers must know of how it was read, as sentences."""

    table: Table
    said: tuple[str, ...]


Progress = Callable[[int, int], None]


def read_ratings(path: Path, progress: Progress | None = None) -> RatingsRead:
    """The long table of a file: one row per unit, rater and field, with the design's names or their aliases.

    progress   called with bytes read and bytes in all, where the format tells
    raises     RatingsUnreadable (a sentence), OSError
    """
    columns: dict[str, list[Objects]] = {}
    n = 0
    for chunk, size in _chunks(path, progress):
        for name in chunk:
            if name not in columns:
                columns[name] = [_nothing(n)] if n else []
        for name, parts in columns.items():
            parts.append(chunk[name] if name in chunk else _nothing(size))
        n += size
    if not n:
        raise RatingsEmpty(f"{path} holds no rating.")
    return _table(path, {name: np.concatenate(parts) for name, parts in columns.items()}, n)


# ---------------------------------------------------------------- the three formats


def _chunks(path: Path, progress: Progress | None) -> Iterator[tuple[dict[str, Objects], int]]:
    ending = path.suffix.lower()
    pools: dict[str, dict[Json, Json]] = {}
    if ending == ".csv":
        read: Iterator[tuple[Sequence[str], list[Sequence[Json]], int]] = _csv(path, progress)
    elif ending in (".jsonl", ".ndjson"):
        read = _of_dicts(_jsonl(path, progress))
    elif ending in (".parquet", ".pq"):
        read = _of_dicts(_parquet(path))
    else:
        raise RatingsUnreadable(f"{path}: a table of ratings ends in .csv, .jsonl or .parquet.")
    for names, columns, size in read:
        made: dict[str, Objects] = {}
        for name, column in zip(names, columns, strict=True):
            if name not in UNUSED:
                pool = pools.setdefault(name, {})
                made[name] = _shared(column, pool)
        yield made, size


def _shared(column: Sequence[Json], pool: dict[Json, Json]) -> Objects:
    """Equal texts as one object: ten million rows have few different ones. Empty cells are None."""
    out = np.empty(len(column), dtype=object)
    try:
        out[:] = [None if cell == "" else pool.setdefault(cell, cell) for cell in column]
    except TypeError:  # lists and records of JSON are not hashable
        out[:] = [
            None if cell == "" else _text(cell) if isinstance(cell, list | dict) else cell for cell in column
        ]
    return out


def _text(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))


def _csv(path: Path, progress: Progress | None) -> Iterator[tuple[Sequence[str], list[Sequence[Json]], int]]:
    size = path.stat().st_size
    try:
        with path.open("rb") as bytes_, io.TextIOWrapper(bytes_, encoding="utf-8-sig", newline="") as file:
            csv.field_size_limit(2**31 - 1)
            reader = csv.reader(file)
            names = [name.strip() for name in next(reader, [])]
            if not names:
                raise RatingsEmpty(f"{path} is empty.")
            twice = sorted({name for name in names if names.count(name) > 1})
            if twice:
                raise RatingsUnreadable(f"{path}: two columns are called {twice[0]}.")
            while chunk := list(islice(reader, CHUNK)):
                rows = [row for row in chunk if row]
                lengths = {len(row) for row in rows}
                if lengths - {len(names)}:
                    raise RatingsUnreadable(_ragged(path, reader.line_num, names, rows))
                if rows:
                    yield names, list(zip(*rows, strict=True)), len(rows)
                if progress is not None:
                    progress(min(size, bytes_.tell()), size)
    except UnicodeDecodeError as problem:
        raise RatingsUnreadable(f"{path} is not UTF-8 text.") from problem
    except csv.Error as problem:
        raise RatingsUnreadable(f"{path} is no CSV: {problem}.") from problem


def _ragged(path: Path, last: int, names: Sequence[str], rows: Sequence[Sequence[str]]) -> str:
    wrong = next(row for row in rows if len(row) != len(names))
    return (
        f"{path}, about line {last}: a row has {len(wrong)} cells and the first line names {len(names)} columns. Is a "
        "comma in a text without quotes?"
    )


def _jsonl(path: Path, progress: Progress | None) -> Iterator[Mapping[str, Json]]:
    size, done = path.stat().st_size, 0
    with path.open("rb") as file:
        for number, line in enumerate(file, 1):
            done += len(line)
            if not line.strip():
                continue
            try:
                row = orjson.loads(line)
            except orjson.JSONDecodeError as problem:
                raise RatingsUnreadable(f"{path}, line {number}: not JSON ({problem.msg}).") from problem
            if not isinstance(row, dict):
                raise RatingsUnreadable(f"{path}, line {number}: not an object with unit, rater and value.")
            yield row
            if progress is not None and number % CHUNK == 0:
                progress(done, size)


def _parquet(path: Path) -> Iterator[Mapping[str, Json]]:
    from alps_tui.sources import parquet

    try:
        yield from parquet.rows(path, CHUNK)
    except parquet.ParquetError as problem:
        raise RatingsUnreadable(f"{path}: {problem}") from problem


def _of_dicts(
    rows: Iterator[Mapping[str, Json]],
) -> Iterator[tuple[Sequence[str], list[Sequence[Json]], int]]:
    while chunk := list(islice(rows, CHUNK)):
        names = list(dict.fromkeys(name for row in chunk for name in row))
        yield names, [[row.get(name) for row in chunk] for name in names], len(chunk)


def _nothing(n: int) -> Objects:
    return np.full(n, None, dtype=object)


# ---------------------------------------------------------------- to the long table


def _table(path: Path, read: dict[str, Objects], n: int) -> RatingsRead:
    columns = _named(path, read)
    said: list[str] = []
    if "value" not in columns or "rater" not in columns or not {"unit_id", "item_id"} & columns.keys():
        raise RatingsUnreadable(_missing(path, columns, read))
    columns.setdefault("unit_id", columns.get("item_id", _nothing(n)))
    for name in ("unit_id", "item_id", "dialogue_id", "rater", "field"):
        if name in columns:
            columns[name] = _words(columns[name])
    for name, noun in (("unit_id", "unit"), ("rater", "rater")):
        empty = sum(cell is None for cell in columns[name].tolist())
        if empty:
            raise RatingsUnreadable(f"{path}: {empty:,} of {n:,} rows have no {noun}. Every row needs one.")
    if "field" not in columns:
        columns["field"] = _same(ONE_FIELD, n)
    said += _clusters(columns)
    columns["value"], columns["number"], not_numbers = _values(columns["value"])
    if not_numbers:
        said.append(f"{not_numbers:,} values are NaN or null: they count as missing.")
    said += _statuses(columns, n)
    for name in FLAGS:
        columns[name] = _flags(path, name, columns[name]) if name in columns else _same(False, n)
    for name in COUNTS:
        columns[name] = _numbers(path, name, columns[name]) if name in columns else _same(0, n)
    columns["probability"] = _same(1.0, n)
    for name in COLUMNS:
        if name not in columns:
            columns[name] = _same(DEFAULTS.get(name), n)
        elif name in DEFAULTS:
            columns[name] = _or(columns[name], DEFAULTS[name])
    return RatingsRead(Table({name: columns[name] for name in COLUMNS}), tuple(said))


def _named(path: Path, read: Mapping[str, Objects]) -> dict[str, Any]:
    """The file's columns under the names of the long table."""
    aliases: dict[str, list[str]] = {}
    for alias, name in ALIASES.items():
        aliases.setdefault(name, []).append(alias)
    for name, more in MORE_ALIASES.items():
        aliases.setdefault(name, []).extend(more)
    found: dict[str, Any] = {name: read[name] for name in COLUMNS if name in read}
    for name, others in aliases.items():
        present = [alias for alias in others if alias in read]
        if name in found or not present:
            continue
        if len(present) > 1:
            raise RatingsUnreadable(
                f"{path}: {' and '.join(present)} could each be the {name}. Call the right one {name}."
            )
        found[name] = read[present[0]]
    return found


def _missing(path: Path, columns: Mapping[str, Json], read: Mapping[str, Json]) -> str:
    needed = {"unit": ("unit_id", "item_id"), "rater": ("rater",), "value": ("value",)}
    lacking = [noun for noun, names in needed.items() if not set(names) & columns.keys()]
    few = ", ".join(list(read)[:12])
    return (
        f"{path} has no column {' and no column '.join(lacking)}. Needed: unit (or item), rater, value; field where there "
        f"are several, cluster where units share a dialogue. It has: {few}."
    )


def _same(value: Json, n: int) -> Any:
    """A column of one value: it takes no memory."""
    cell = np.empty(1, dtype=object if value is None or isinstance(value, str) else type(value))
    cell[0] = value
    return np.broadcast_to(cell, n)


def _words(column: Objects) -> Objects:
    """Ids as text: 7 and 7.0 are one id."""
    known: dict[Json, str | None] = {None: None}

    def word(cell: Json) -> str | None:
        if cell not in known or isinstance(cell, bool):
            whole = isinstance(cell, float) and cell.is_integer()
            known[cell] = str(int(cell) if whole else cell).strip() or None
        return known[cell]

    out = np.empty(len(column), dtype=object)
    out[:] = [word(cell) for cell in column.tolist()]
    return out


def _clusters(columns: dict[str, Any]) -> list[str]:
    """Dialogues where the file names none, and unit ids that mean different units in different places."""
    said = []
    if "dialogue_id" not in columns:
        by_item = "item_id" in columns
        columns["dialogue_id"] = columns["item_id"] if by_item else columns["unit_id"]
        what = "every item" if by_item else "every unit"
        said.append(f"No column dialogue_id or cluster: {what} counts as a dialogue of its own.")
    elif any(cell is None for cell in columns["dialogue_id"].tolist()):
        columns["dialogue_id"] = _or_other(columns["dialogue_id"], columns["unit_id"])
        said.append("Rows without a dialogue count as a dialogue of their own, one a unit.")
    where: dict[str, Json] = {}
    homes = columns.get("item_id", columns["dialogue_id"])
    moved = False
    for unit, home in zip(columns["unit_id"].tolist(), homes.tolist(), strict=True):
        if where.setdefault(unit, home) != home:
            moved = True
            break
    if moved:
        joined = [
            f"{home}/{unit}" for unit, home in zip(columns["unit_id"].tolist(), homes.tolist(), strict=True)
        ]
        columns["unit_id"] = _words(np.array(joined, dtype=object))
        inside = "item" if "item_id" in columns else "dialogue"
        said.append(f"Unit ids stand in several {inside}s: a unit is told by its {inside} and its id.")
    return said


def _or_other(column: Objects, other: Objects) -> Objects:
    out = np.empty(len(column), dtype=object)
    out[:] = [b if a is None else a for a, b in zip(column.tolist(), other.tolist(), strict=True)]
    return out


def _or(column: Objects, default: Json) -> Objects:
    out = np.empty(len(column), dtype=object)
    out[:] = [default if cell is None else str(cell) for cell in column.tolist()]
    return out


def _values(column: Objects) -> tuple[Objects, Any, int]:
    """Values as canonical JSON text, as numbers where they are, and how many were NaN or null."""
    known: dict[Json, tuple[str | None, float]] = {}
    out, numbers = np.empty(len(column), dtype=object), np.full(len(column), np.nan)
    lost = 0
    for place, cell in enumerate(column.tolist()):
        if cell is None:
            continue
        key = (cell, type(cell))
        if key not in known:
            known[key] = _value(cell)
        out[place], numbers[place] = known[key]
        lost += out[place] is None
    return out, numbers, lost


def _value(cell: Json) -> tuple[str | None, float]:
    value = cell
    if isinstance(cell, str):
        try:
            value = json.loads(cell)
        except ValueError:
            value = cell.strip()
    if value is None or (isinstance(value, float) and not math.isfinite(value)):
        return None, math.nan
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        value = int(value)
    number = float(value) if isinstance(value, int | float) and not isinstance(value, bool) else math.nan
    return _text(value if isinstance(value, str | int | float | bool | list | dict) else str(value)), number


def _statuses(columns: dict[str, Any], n: int) -> list[str]:
    """A row is answered if it has a value and nothing else is said of it; skips never keep a value."""
    given = np.array([text is not None for text in columns["value"].tolist()], dtype=np.bool_)
    said = []
    if "status" in columns:
        status = _or_other(
            columns["status"], np.where(given, Status.ANSWERED.value, Status.UNSEEN.value).astype(object)
        )
        answered = status == Status.ANSWERED
        hollow = int(np.count_nonzero(answered & ~given))
        if hollow:
            said.append(f"{hollow:,} answered rows have no value: they count as missing.")
            status[answered & ~given] = Status.UNSEEN.value
        columns["status"] = status
    else:
        status = np.empty(n, dtype=object)
        status[:] = Status.UNSEEN.value
        status[given] = Status.ANSWERED.value
        columns["status"] = status
    if "attested" not in columns:
        columns["attested"] = _same(Attested.EXPLICIT.value, n)
    return said


def _flags(path: Path, name: str, column: Objects) -> Any:
    words = {cell: str(cell).strip().lower() if cell is not None else "" for cell in set(column.tolist())}
    wrong = [word for word in words.values() if word not in TRUE | FALSE]
    if wrong:
        raise RatingsUnreadable(f"{path}: {name} is {wrong[0]}, neither true nor false.")
    return np.array([words[cell] in TRUE for cell in column.tolist()], dtype=np.bool_)


def _numbers(path: Path, name: str, column: Objects) -> Any:
    try:
        whole = {cell: int(float(cell)) if cell is not None else 0 for cell in set(column.tolist())}
    except (ValueError, OverflowError) as problem:
        raise RatingsUnreadable(f"{path}: {name} is not a whole number in every row.") from problem
    return np.array([whole[cell] for cell in column.tolist()], dtype=np.int64)
