"""Ratings of one field as a matrix of class codes, units x raters, and the pairs of raters in it."""

from collections.abc import Hashable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray

from alps_tui.agreement.intervals import Floats
from alps_tui.agreement.many_raters import counts_of

Codes = NDArray[np.intp]
Mask = NDArray[np.bool_]
MISSING = -1


@dataclass(frozen=True, slots=True)
class Ratings:
    """One field's answers.

    codes      (u, r) class of each unit by each rater, MISSING where there is none
    seeded     (u, r) whether nobody can know that the rater meant it
    clusters   (u,) code of each unit's dialogue
    labels     the classes of the full scale in order
    """

    codes: Codes
    seeded: Mask
    clusters: Codes
    raters: tuple[str, ...]
    dialogues: tuple[str, ...]
    labels: tuple[str, ...]

    @property
    def counts(self) -> Floats:
        """Units x classes: how many raters gave each."""
        units, raters = np.nonzero(self.codes >= 0)
        return counts_of(units, self.codes[units, raters], len(self.codes), len(self.labels))

    @property
    def n_active(self) -> int:
        """Raters with at least one answer."""
        return int(np.count_nonzero(np.any(self.codes >= 0, axis=0)))

    def of(self, names: Sequence[str]) -> "Ratings":
        """The columns of these raters, in their order here."""
        mine = [i for i, name in enumerate(self.raters) if name in set(names)]
        return replace(
            self,
            codes=self.codes[:, mine],
            seeded=self.seeded[:, mine],
            raters=tuple(self.raters[i] for i in mine),
        )

    def without_seeded(self) -> "Ratings":
        """The same without the answers that are seeded; itself where there is none."""
        if not np.any(self.seeded & (self.codes >= 0)):
            return self
        return replace(self, codes=np.where(self.seeded, MISSING, self.codes))


@dataclass(frozen=True, slots=True)
class Pairs:
    """Two answers on one unit, n of them: class codes (n,), the unit and its dialogue, and which pair of raters."""

    first: Codes
    second: Codes
    units: Codes
    clusters: Codes
    pair: Codes
    names: tuple[tuple[str, str], ...]

    def __len__(self) -> int:
        return len(self.first)

    def only(self, index: int) -> "Pairs":
        """The pairs of one pair of raters."""
        mine = self.pair == index
        nothing = np.zeros(int(mine.sum()), dtype=np.intp)
        return Pairs(
            self.first[mine],
            self.second[mine],
            self.units[mine],
            self.clusters[mine],
            nothing,
            (self.names[index],),
        )


def coded(
    units: Sequence[Hashable],
    raters: Sequence[str],
    dialogues: Sequence[str],
    classes: Codes,
    seeded: Mask,
    labels: tuple[str, ...],
) -> Ratings:
    """Long rows (n each) to a matrix; units, raters and dialogues in sorted order of their names.

    raises   ValueError if one rater answered a unit twice (choose one occasion first)
    """
    unit_names, unit = _codes([str(name) for name in units])
    rater_names, rater = _codes(list(raters))
    dialogue_names, dialogue = _codes(list(dialogues))
    flat = unit * max(1, len(rater_names)) + rater
    if len(np.unique(flat)) != len(flat):
        raise ValueError("one rater answered a unit twice: choose one occasion and one protocol version")
    codes = np.full((len(unit_names), len(rater_names)), MISSING, dtype=np.intp)
    codes[unit, rater] = classes
    marks = np.zeros(codes.shape, dtype=np.bool_)
    marks[unit, rater] = seeded
    clusters = np.zeros(len(unit_names), dtype=np.intp)
    clusters[unit] = dialogue
    return Ratings(codes, marks, clusters, rater_names, dialogue_names, labels)


def _codes(names: Sequence[str]) -> tuple[tuple[str, ...], Codes]:
    unique, codes = np.unique(np.array(names, dtype=object), return_inverse=True)
    return tuple(unique.tolist()), codes.astype(np.intp)


def rater_pairs(ratings: Ratings) -> Pairs:
    """Every two raters on every unit both answered, the name that sorts first in the first place."""
    order = range(len(ratings.raters))
    return _paired(
        ratings, [((i, j), (ratings.raters[i], ratings.raters[j])) for i in order for j in order if i < j]
    )


def side_pairs(ratings: Ratings, sides: Mapping[str, str], between: tuple[str, str]) -> Pairs:
    """Every rater of the first side with every rater of the second on the units both answered, as one pair."""
    places = [[i for i, name in enumerate(ratings.raters) if sides.get(name) == side] for side in between]
    pairs = _paired(ratings, [((i, j), between) for i in places[0] for j in places[1]])
    return replace(pairs, pair=np.zeros(len(pairs), dtype=np.intp), names=(between,))


def _paired(ratings: Ratings, wanted: Sequence[tuple[tuple[int, int], tuple[str, str]]]) -> Pairs:
    """Pairs of columns; those without a common unit are left away."""
    codes = ratings.codes
    units: list[Codes] = []
    columns: list[tuple[int, int]] = []
    names: list[tuple[str, str]] = []
    for (i, j), name in wanted:
        both = np.flatnonzero((codes[:, i] >= 0) & (codes[:, j] >= 0))
        if len(both):
            units.append(both)
            columns.append((i, j))
            names.append(name)
    none = np.zeros(0, dtype=np.intp)
    place = np.concatenate([none, *units])
    pair = np.concatenate([none, *(np.full(len(u), n, dtype=np.intp) for n, u in enumerate(units))])
    left = np.array([i for i, _ in columns], dtype=np.intp)
    right = np.array([j for _, j in columns], dtype=np.intp)
    return Pairs(
        codes[place, left[pair]] if len(place) else none,
        codes[place, right[pair]] if len(place) else none,
        place,
        ratings.clusters[place],
        pair,
        tuple(names),
    )
