"""Ratings of one field as a matrix of class codes, units x raters, and the pairs of raters in it."""

import json
from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from alps_tui.agreement.intervals import Floats
from alps_tui.agreement.many_raters import counts_of
from store.kinds import Attested, Status
from store.table import Table, codes_by_appearance, codes_by_name, default_population

Json = Any
Codes = NDArray[np.intp]
Mask = NDArray[np.bool_]
Objects = NDArray[np.object_]
MISSING = -1


@dataclass(frozen=True, slots=True)
class Population:
    """Who and what was counted: the ratings kept, what was left out by reason, the protocol versions."""

    kept: int
    left_out: Mapping[str, int]
    protocols: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {"kept": self.kept, "left_out": dict(self.left_out), "protocols": list(self.protocols)}


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
        codes = self.codes.reshape(-1)
        given = np.flatnonzero(codes >= 0)
        units = given // max(1, self.codes.shape[1])
        return counts_of(units, codes[given], len(self.codes), len(self.labels))

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
    units: Sequence[str],
    raters: Sequence[str],
    dialogues: Objects,
    classes: Codes,
    seeded: Mask,
    labels: tuple[str, ...],
) -> Ratings:
    """Long rows (n each) to a matrix; raters in sorted order of their names.

    Units stand in an order that only their answers decide (`_by_answers`), dialogues in that of their first unit: to
    sort names would cost more than all the rest, and no number may depend on names or on the order of rows.

    raises   ValueError if one rater answered a unit twice (choose one occasion first)
    """
    unit_names, unit = codes_by_appearance(units)
    rater_names, rater = codes_by_name(raters)
    shape = (len(unit_names), len(rater_names))
    last = np.zeros(len(unit_names), dtype=np.intp)
    last[unit] = np.arange(len(unit))
    cell = unit * shape[1] + rater
    codes = np.full(shape, MISSING, dtype=np.intp)
    codes.reshape(-1)[cell] = classes
    if np.count_nonzero(codes >= 0) != len(unit):
        raise ValueError("one rater answered a unit twice: choose one phase, occasion and protocol version")
    marks = np.zeros(shape, dtype=np.bool_)
    if seeded.any():
        marks.reshape(-1)[cell] = seeded
    dialogue_names, dialogue = codes_by_appearance(dialogues[last].tolist())
    order = _by_answers(codes, marks, len(labels))
    return Ratings(codes[order], marks[order], dialogue[order], rater_names, dialogue_names, labels)


def _by_answers(codes: Codes, seeded: Mask, k: int) -> Codes:
    """The order of units by their rows of answers: each row read as whole numbers in a system of 2 (k + 1) digits."""
    digits = 2 * (codes + 1) + seeded
    base = 2 * (k + 1)
    at_once = int(62 / np.log2(base))
    keys = [
        digits[:, first : first + at_once] @ base ** np.arange(digits[:, first : first + at_once].shape[1])
        for first in range(0, digits.shape[1], at_once)
    ]
    return np.lexsort(keys) if keys else np.arange(len(codes))


# ---------------------------------------------------------------- from the long table


def population(table: Table) -> tuple[Table, Population]:
    """The default population of a table (design: people, blind, core, first occasion) and what was left out."""
    kept, left_out = default_population(table)
    forms = tuple(sorted({str(name) for name in kept.column("protocol") if name}))
    return kept, Population(len(kept), left_out, forms)


def answered(rows: Table) -> Table:
    return rows.where(rows.column("status") == Status.ANSWERED)


def missing_by_status(rows: Table) -> dict[str, int]:
    """How many cells have no value, by status: skipped, cannot_judge, unseen."""
    return dict(sorted(Counter(str(s) for s in rows.column("status") if s != Status.ANSWERED).items()))


def places_of(rows: Table, scale: Sequence[Json]) -> Codes:
    """Place of each answer on a scale, MISSING for one that is not on it. 1 and 1.0 are one value, 1 and True two."""
    known = {(isinstance(value, bool), value): place for place, value in enumerate(scale)}
    texts = rows.column("value").tolist()
    found: dict[str | None, int] = {None: MISSING}
    for text in set(texts) - {None}:
        value = json.loads(text)
        plain = isinstance(value, str | int | float)
        found[text] = known.get((isinstance(value, bool), value), MISSING) if plain else MISSING
    return np.fromiter(map(found.__getitem__, texts), dtype=np.intp, count=len(texts))


def on_scale(rows: Table, codes: Codes, labels: tuple[str, ...]) -> Ratings:
    """Answered rows of one field with their codes (n,) as a matrix; rows with MISSING are left away."""
    unit, rater, dialogue, attested = (
        rows.column(name) for name in ("unit_id", "rater", "dialogue_id", "attested")
    )
    here = codes >= 0
    if not here.all():
        unit, rater, dialogue, attested, codes = (
            column[here] for column in (unit, rater, dialogue, attested, codes)
        )
    seeded = np.asarray(attested == Attested.SEEDED, dtype=np.bool_)
    return coded(unit.tolist(), rater.tolist(), dialogue, codes, seeded, labels)


# ---------------------------------------------------------------- pairs


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
