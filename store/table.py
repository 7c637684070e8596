"""The long table as columns of arrays: what agreement, judging and exports compute on. Pure, no SQL in it."""

import json
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from itertools import islice
from typing import Any

import numpy as np
from numpy.typing import NDArray

from store.kinds import Attested, Origin, Phase, Purpose, RaterKind, Status, UnitKind

Array = NDArray[Any]
Objects = NDArray[np.object_]
Bools = NDArray[np.bool_]
Codes = NDArray[np.intp]

COLUMNS: tuple[str, ...] = (
    "dialogue_id",
    "item_id",
    "unit_id",
    "unit_kind",
    "field",
    "rater",
    "rater_kind",
    "phase",
    "occasion",
    "purpose",
    "value",
    "number",
    "level",
    "scale",
    "status",
    "skip_reason",
    "attested",
    "revision",
    "decided_at",
    "active_ms",
    "protocol",
    "guideline",
    "position",
    "presentation",
    "saw_prefill",
    "saw_judge",
    "saw_peer",
    "saw_translation",
    "accepted_unchanged",
    "probability",
    "language",
    "ability",
    "origin",
    "note",
)
"""The names of the long table, in order."""

ALIASES: Mapping[str, str] = {
    "item": "item_id",
    "unit": "unit_id",
    "annotator": "rater",
    "cluster": "dialogue_id",
}
"""Other names that a table from elsewhere may use."""

_NUMBERS = {"number": np.nan, "probability": 1.0}
_COUNTS = {"occasion": 0, "revision": 0, "active_ms": 0, "position": 0}
_FLAGS = ("saw_prefill", "saw_judge", "saw_peer", "saw_translation")
_WORDS: Mapping[str, str] = {
    "rater_kind": RaterKind.HUMAN,
    "phase": Phase.BLIND,
    "purpose": Purpose.CORE,
    "protocol": "",
}


@dataclass(frozen=True, slots=True)
class Table:
    """n rows, every column of COLUMNS as an array of length n.

    number, probability are float64 (number is NaN where the value is none); occasion, revision, active_ms,
    position int64; saw_* bool; all others hold objects, None where there is nothing. `value` is canonical JSON
    as text: equal values are equal texts (`parsed` reads it).
    """

    columns: Mapping[str, Array]

    def __len__(self) -> int:
        return len(self.columns["unit_id"])

    def column(self, name: str) -> Array:
        """raises   KeyError if the long table has no such column"""
        return self.columns[name]

    def where(self, mask: Array) -> "Table":
        """The rows of a boolean mask of length n, or of an array of row numbers, in their order."""
        n = int(np.count_nonzero(mask)) if mask.dtype == np.bool_ else len(mask)
        if n == len(self) and mask.dtype == np.bool_:
            return self
        return Table({name: _rows(column, mask, n) for name, column in self.columns.items()})

    def field(self, key: str) -> "Table":
        """The rows of one field."""
        return self.where(self.columns["field"] == key)

    def parsed(self) -> Objects:
        """The values read from JSON, shape (n,), None where there is none; each different text is read once."""
        known: dict[str, Any] = {}
        values = np.empty(len(self), dtype=object)
        for place, text in enumerate(self.columns["value"]):
            if text is not None:
                if text not in known:
                    known[text] = json.loads(text)
                values[place] = known[text]
        return values


def _rows(column: Array, mask: Array, n: int) -> Array:
    """Some rows of a column; a column that repeats one value without holding it n times goes on doing so."""
    if n and column.strides == (0,):
        return np.broadcast_to(column[:1], n)
    return column[mask]


# ---------------------------------------------------------------- from rows


def from_rows(rows: Iterable[Mapping[str, Any]]) -> Table:
    """A table of rows with the names of COLUMNS or their aliases; what a row lacks gets its default.

    A row from elsewhere counts as a blind, core, first answer of a person. A value that is no JSON text
    becomes one, and `number` is read from it where it is a number.
    """
    lists: dict[str, list[Any]] = {name: [] for name in COLUMNS}
    remaining = iter(rows)
    while chunk := list(islice(remaining, 10_000)):
        start = len(lists["field"])
        for name, column in lists.items():
            column += [row.get(name) for row in chunk]
        for alias, name in ALIASES.items():
            for place, row in enumerate(chunk, start):
                if alias in row and lists[name][place] is None:
                    lists[name][place] = row[alias]
    _complete(lists)
    return Table({name: _array(name, values) for name, values in lists.items()})


def _complete(lists: dict[str, list[Any]]) -> None:
    """Values as JSON text, numbers read from them, and the status of rows that name none."""
    values = _Values()
    read = [values.read(value) for value in lists["value"]]
    lists["value"] = [text for text, _ in read]
    lists["number"] = [
        found if number is None else number for number, (_, found) in zip(lists["number"], read, strict=True)
    ]
    status, attested = lists["status"], lists["attested"]
    for place, (text, _) in enumerate(read):
        if status[place] is None:
            status[place] = Status.UNSEEN.value if text is None else Status.ANSWERED.value
            if text is not None and attested[place] is None:
                attested[place] = Attested.EXPLICIT.value


class _Values:
    """Values as canonical JSON text with their number; each different one is looked at once."""

    def __init__(self) -> None:
        self._known: dict[str, tuple[str, float | None]] = {}

    def read(self, value: Any) -> tuple[str | None, float | None]:
        if value is None:
            return None, None
        if not isinstance(value, str):
            text = json.dumps(value, ensure_ascii=False, sort_keys=True, separators=(",", ":"))
            return text, _number(value)
        if value not in self._known:
            self._known[value] = self._look(value)
        return self._known[value]

    @staticmethod
    def _look(value: str) -> tuple[str, float | None]:
        try:
            return value, _number(json.loads(value))
        except ValueError:
            return json.dumps(value, ensure_ascii=False), None


def _number(value: Any) -> float | None:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else None


def _array(name: str, values: list[Any]) -> Array:
    if name in _NUMBERS:
        return np.array([_NUMBERS[name] if v is None else v for v in values], dtype=np.float64)
    if name in _COUNTS:
        return np.array([_COUNTS[name] if v is None else v for v in values], dtype=np.int64)
    if name in _FLAGS:
        return np.array([bool(v) for v in values], dtype=np.bool_)
    column = np.empty(len(values), dtype=object)
    default = _WORDS.get(name)
    column[:] = [default if v is None else v for v in values]
    return column


# ---------------------------------------------------------------- the default population


def default_population(t: Table) -> tuple[Table, dict[str, int]]:
    """People's blind core answers, made without seeing judge or peer: of each rater and item the first occasion
    under the newest version of each protocol.

    returns  the rows that are in, and how many rows were left out by each reason; a row that several reasons
             leave out counts under the first of: not_human, not_blind, not_core, saw_judge, saw_peer,
             older_protocol, later_occasion
    """
    c = t.columns
    keep = np.ones(len(t), dtype=np.bool_)
    left_out: dict[str, int] = {}
    reasons: list[tuple[str, Bools]] = [
        ("not_human", c["rater_kind"] != RaterKind.HUMAN),
        ("not_blind", c["phase"] != Phase.BLIND),
        ("not_core", c["purpose"] != Purpose.CORE),
        ("saw_judge", c["saw_judge"]),
        ("saw_peer", c["saw_peer"]),
    ]
    for reason, out in reasons:
        _leave_out(keep, left_out, reason, out)
    _leave_out(keep, left_out, "older_protocol", _of_older_protocol(c["protocol"], keep))
    _leave_out(keep, left_out, "later_occasion", _of_later_occasion(c, keep))
    return t.where(keep), left_out


def _leave_out(keep: Bools, left_out: dict[str, int], reason: str, out: Bools) -> None:
    new = keep & out
    if new.any():
        left_out[reason] = int(new.sum())
        keep &= ~new


def _of_older_protocol(protocols: Objects, keep: Bools) -> Bools:
    """Rows under another version than the newest of their protocol's name among the rows that are kept."""
    newest: dict[str, str] = {}
    for name in set(protocols[keep]):
        base = name.rpartition("@")[0] or name
        if base not in newest or version_order(newest[base]) < version_order(name):
            newest[base] = name
    current = set(newest.values())
    return np.array([name not in current for name in protocols], dtype=np.bool_)


def version_order(protocol: str) -> tuple[tuple[int, int, str], ...]:
    """A key that puts `form@1.9` before `form@1.10`: numbers by size and before words."""
    version = protocol.rpartition("@")[2]
    parts = re.findall(r"\d+|[^\d.]+", version)
    return tuple((0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts)


def _of_later_occasion(c: Mapping[str, Array], keep: Bools) -> Bools:
    """Rows of an occasion after the first of the same rater on the same item (the unit where no item is known)."""
    first: dict[tuple[Any, Any], int] = {}
    things = [unit if item is None else item for item, unit in zip(c["item_id"], c["unit_id"], strict=True)]
    keys = list(zip(c["rater"], things, strict=True))
    for key, occasion, kept in zip(keys, c["occasion"].tolist(), keep.tolist(), strict=True):
        if kept and occasion < first.get(key, occasion + 1):
            first[key] = occasion
    later = [
        occasion > first.get(key, occasion)
        for key, occasion in zip(keys, c["occasion"].tolist(), strict=True)
    ]
    return np.array(later, dtype=np.bool_)


# ---------------------------------------------------------------- units x raters


@dataclass(frozen=True, slots=True)
class Matrix:
    """One field's answers of u units by r raters.

    values     (u, r) float64 with NaN, or objects with None, where a rater gave no answer
    units      (u,) unit ids, sorted; clusters (u,) the dialogue of each
    raters     (r,) names, sorted
    attested   (u, r) how each answer is known, None where there is none
    """

    values: Array
    units: tuple[str, ...]
    raters: tuple[str, ...]
    clusters: tuple[str, ...]
    attested: Objects


def matrix(t: Table, field: str, numeric: bool) -> Matrix:
    """The answered cells of a field as units × raters; skipped, unseen and not judgeable cells are missing.

    numeric   True: numbers; an answer that is no number ("does not apply") is missing too.
              False: values as read from JSON.
    raises    ValueError if one rater answered a unit twice: choose a phase, an occasion and a protocol first
    """
    rows = t.where((t.column("field") == field) & (t.column("status") == Status.ANSWERED))
    units, unit = codes_by_name(rows.column("unit_id").tolist())
    raters, rater = codes_by_name(rows.column("rater").tolist())
    if len(np.unique(unit * max(1, len(raters)) + rater)) != len(rows):
        raise ValueError(
            f"one rater answered {field} of a unit twice: choose a phase, an occasion and a protocol"
        )
    shape = (len(units), len(raters))
    attested = np.full(shape, None, dtype=object)
    attested[unit, rater] = rows.column("attested")
    clusters = np.full(len(units), None, dtype=object)
    clusters[unit] = rows.column("dialogue_id")
    values: Array
    if numeric:
        values = np.full(shape, np.nan)
        values[unit, rater] = rows.column("number")
    else:
        values = np.full(shape, None, dtype=object)
        for place, value in enumerate(rows.parsed()):
            values[unit[place], rater[place]] = value
    return Matrix(values, units, raters, tuple(clusters.tolist()), attested)


def codes_by_appearance(names: Sequence[Any]) -> tuple[tuple[Any, ...], Codes]:
    """The different names in the order of their first rows, and the place of each row's name among them.

    Each row's name is looked up once (of half a million strings that is most of the work there is): what is kept
    with a name is the row where it stood first.
    """
    n = len(names)
    rows: dict[Any, int] = {}
    first = np.fromiter(map(rows.setdefault, names, range(n)), dtype=np.intp, count=n)
    place = np.cumsum(first == np.arange(n)) - 1
    return tuple(rows), place[first]


def codes_by_name(names: Sequence[Any]) -> tuple[tuple[Any, ...], Codes]:
    """The different names sorted, and the place of each row's name among them."""
    different, codes = codes_by_appearance(names)
    order = sorted(range(len(different)), key=different.__getitem__)
    place = np.empty(len(order), dtype=np.intp)
    place[order] = np.arange(len(order))
    return tuple(different[i] for i in order), place[codes]


# ---------------------------------------------------------------- final lists of memories


@dataclass(frozen=True, slots=True)
class MemorySet:
    """The memories that stand after a rater's verification of one dialogue; empty if none does.

    untouched   every proposal was kept as it was and nothing was added
    seeded      nothing in it is known to be meant (every answer is seeded)
    """

    dialogue_id: str
    rater: str
    memories: tuple[Mapping[str, Any], ...]
    untouched: bool
    seeded: bool


def memory_sets(t: Table) -> tuple[MemorySet, ...]:
    """Each rater's final list for each dialogue, sorted by dialogue and rater: kept proposals as they were, edited
    ones as edited, none that was deleted or left in doubt, and what the rater added.

    The table must hold one phase, occasion and protocol of each (`default_population`). A dialogue of which a
    rater has no answer (skipped, not begun) is not in the result.
    """
    answered = t.where(t.column("status") == Status.ANSWERED)
    kinds = answered.column("unit_kind")
    mine = answered.where((kinds == UnitKind.MEMORY) | (kinds == UnitKind.SESSION))
    parsed = mine.parsed()
    lists: dict[tuple[str, str], list[tuple[str, str, Any, int]]] = {}
    c = mine.columns
    for place, key in enumerate(zip(c["dialogue_id"], c["rater"], strict=True)):
        lists.setdefault(key, []).append((c["unit_id"][place], c["field"][place], parsed[place], place))
    sets = []
    for (dialogue, rater), rows in sorted(lists.items()):
        sets.append(_memory_set(mine, dialogue, rater, rows))
    return tuple(sets)


def _memory_set(t: Table, dialogue: str, rater: str, rows: list[tuple[str, str, Any, int]]) -> MemorySet:
    verdicts = {unit: value for unit, field, value, _ in rows if field == "verdict"}
    memories = [(unit, value, place) for unit, field, value, place in rows if field == "memory"]
    origin = t.column("origin")
    added = [unit for unit, _, place in memories if origin[place] == Origin.RATER and unit not in verdicts]
    standing = {unit for unit, verdict in verdicts.items() if verdict in ("keep", "edit")} | set(added)
    attested = t.column("attested")
    about = [place for _, field, _, place in rows if field in ("verdict", "memory")]
    return MemorySet(
        dialogue_id=dialogue,
        rater=rater,
        memories=tuple(value for unit, value, _ in memories if unit in standing),
        untouched=not added and all(verdict == "keep" for verdict in verdicts.values()),
        seeded=bool(about) and all(attested[place] == Attested.SEEDED for place in about),
    )
