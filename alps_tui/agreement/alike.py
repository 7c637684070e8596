"""Units and dialogues that were answered alike, found once: what a coefficient needs is worked out once for each kind.

A hundred thousand units of five raters on five classes are at most 461 kinds (how many raters gave each class), and
dialogues are told apart by the kinds of their units. The sums of each dialogue do not depend on the order of units.
"""

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from alps_tui.agreement.intervals import Floats

EXACT = 2**53
"""Whole numbers under this are exact as floating point."""

FEW = 4
"""Up to so many places for each unit it is faster to mark the numbers that occur in a row of places than to sort."""


def kinds_of_units(counts: Floats) -> tuple[Floats, NDArray[np.intp]]:
    """The different rows of counts, shape (p, k), and the place of each unit's row among them, shape (u,).

    Rows are told apart by one whole number, in a number system whose base is more than any count. Where that number
    would be too large (a long scale, where hardly two units are alike) each unit stays a kind of its own.
    """
    u, k = counts.shape
    base = int(counts.max(initial=0.0)) + 1
    if base**k >= EXACT:
        return counts, np.arange(u)
    numbers = np.zeros(u, dtype=np.int64)
    for column in counts.T:
        numbers = numbers * base + column.astype(np.int64)
    largest = int(numbers.max(initial=0))
    if largest > FEW * (u + 1):
        _, first, kind = np.unique(numbers, return_index=True, return_inverse=True)
        return counts[first], kind.astype(np.intp)
    unit = np.full(largest + 1, -1, dtype=np.intp)
    unit[numbers] = np.arange(u)
    used = unit >= 0
    return counts[unit[used]], (np.cumsum(used) - 1)[numbers]


def dialogues_by_kind(
    counts: Floats, clusters: NDArray[np.intp], parts_of: Callable[[Floats], Floats]
) -> tuple[Floats, NDArray[np.int64]]:
    """Sums of a coefficient's parts over each kind of dialogue, shape (g, ...), and how many of each there are (g,).

    counts     units x classes, shape (u, k)
    clusters   (u,) dialogue code of each unit
    parts_of   counts of some units to their parts, shape (units, ...), each row by itself
    """
    rows, kind = kinds_of_units(counts)
    parts = parts_of(rows)
    p = max(1, len(rows))
    by_dialogue = np.sort(clusters.astype(np.int64) * p + kind)
    dialogue, kind = by_dialogue // p, by_dialogue % p
    starts = np.flatnonzero(np.diff(dialogue, prepend=-1))
    lengths = np.diff(starts, append=len(kind))
    sums, sizes = [np.zeros((0, *parts.shape[1:]))], [np.zeros(0, dtype=np.int64)]
    for length in np.unique(lengths).tolist():
        members = kind[starts[lengths == length][:, None] + np.arange(length)]
        members, alike = _different_rows(members, p)
        sums.append(parts[members].sum(axis=1))
        sizes.append(alike)
    return np.concatenate(sums), np.concatenate(sizes)


def _different_rows(members: NDArray[np.int64], p: int) -> tuple[NDArray[np.int64], NDArray[np.int64]]:
    """The different rows of numbers under p, and how often each is there; all of them, once each, if rows are long."""
    length = members.shape[1]
    if p**length >= EXACT:
        return members, np.ones(len(members), dtype=np.int64)
    numbers = members @ (np.int64(p) ** np.arange(length, dtype=np.int64))
    _, first, sizes = np.unique(numbers, return_index=True, return_counts=True)
    return members[first], sizes.astype(np.int64)
