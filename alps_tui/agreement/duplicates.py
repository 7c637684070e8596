"""Rows that say the same cell twice: equal ones are one row, contradicting ones are none."""

from dataclasses import dataclass

import numpy as np

from store.table import Table, codes_by_appearance

_CELL = ("field", "unit_id", "rater", "protocol", "phase", "purpose")


@dataclass(frozen=True, slots=True)
class Deduplicated:
    """The table with one row a cell; `equal` rows were dropped, `contradicting` ones left out (all that contradict)."""

    table: Table
    equal: int
    contradicting: int

    @property
    def said(self) -> tuple[str, ...]:
        """What happened, as sentences."""
        found = []
        if self.equal:
            found.append(f"{self.equal:,} rows repeat another one exactly: each was counted once.")
        if self.contradicting:
            found.append(
                f"{self.contradicting:,} rows contradict each other (one rater, one unit, two answers): left out, all of "
                "them."
            )
        return tuple(found)


def without_duplicates(table: Table) -> Deduplicated:
    """One row for each field, unit, rater, protocol, phase, purpose and occasion."""
    cell = _codes(table, _CELL, table.column("occasion").astype(np.int64))
    different, first, cell, times = np.unique(
        cell, return_index=True, return_inverse=True, return_counts=True
    )
    if len(different) == len(table):
        return Deduplicated(table, 0, 0)
    answers = _codes(table, ("value", "status"), np.zeros(len(table), dtype=np.int64))
    differs = answers != answers[first[cell]]
    contradicted = np.zeros(len(different), dtype=np.bool_)
    contradicted[cell[differs]] = True
    out = contradicted[cell]
    keep = np.zeros(len(table), dtype=np.bool_)
    keep[first[~contradicted]] = True
    equal = int((times[~contradicted] - 1).sum())
    return Deduplicated(table.where(keep), equal, int(np.count_nonzero(out)))


def _codes(table: Table, names: tuple[str, ...], start: np.ndarray) -> np.ndarray:
    """One whole number for each different combination of the columns with `start`."""
    _, code = np.unique(start, return_inverse=True)
    for name in names:
        column = table.column(name)
        if column.strides == (0,):
            continue
        values, place = codes_by_appearance(column.tolist())
        code = code.astype(np.int64) * len(values) + place
        if code.max(initial=0) > 2**40:
            _, code = np.unique(code, return_inverse=True)
    return code
