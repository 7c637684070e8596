"""One field's answers with the names of units kept: what models of annotators, gold and leave-one-out start from."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np

from alps_tui.agreement.field_meta import label_of
from alps_tui.agreement.intervals import Floats
from alps_tui.agreement.many_raters import counts_of
from alps_tui.agreement.ratings import MISSING, Codes, answered, places_of
from store.kinds import Level, Origin
from store.table import Table, codes_by_appearance, codes_by_name


@dataclass(frozen=True, slots=True)
class Panel:
    """Answers of u units by r raters on a scale of k classes.

    codes      (u, r) class of each unit by each rater, MISSING where there is none
    units      (u,) unit ids, sorted; `clusters` (u,) the code of each one's dialogue
    labels     the classes of the full scale in order, `scores` the same as numbers
    items      (u,) the item that holds each unit, `dialogues` (u,) its dialogue's id; empty where nobody asks
    """

    field: str
    level: Level
    codes: Codes
    units: tuple[str, ...]
    clusters: Codes
    raters: tuple[str, ...]
    labels: tuple[str, ...]
    scores: tuple[float, ...]
    items: tuple[str, ...] = ()
    dialogues: tuple[str, ...] = ()

    @property
    def counts(self) -> Floats:
        """Units x classes: how many raters gave each."""
        unit, rater = np.nonzero(self.codes >= 0)
        return counts_of(unit, self.codes[unit, rater], len(self.units), len(self.labels))

    def counts_of_unit(self, place: int) -> Floats:
        """(k,) how many raters gave one unit each class."""
        row = self.codes[place]
        return np.bincount(row[row >= 0], minlength=len(self.labels)).astype(np.float64)

    @property
    def n_clusters(self) -> int:
        return len(np.unique(self.clusters))

    def without(self, rater: int) -> "Panel":
        """The same without one rater."""
        rest = [i for i in range(len(self.raters)) if i != rater]
        return replace(self, codes=self.codes[:, rest], raters=tuple(self.raters[i] for i in rest))


def panel_of(rows: Table, field: str, level: Level, scale: Sequence[Any]) -> Panel:
    """The answered cells of a field of a table; values off the scale and units that a rater made are left away.

    raises   ValueError if one rater answered a unit twice: choose a phase, an occasion and a protocol first
    """
    mine = answered(rows.field(field))
    mine = mine.where(mine.column("origin") != Origin.RATER)
    places = places_of(mine, scale)
    mine, places = mine.where(places >= 0), places[places >= 0]
    return panel_from(mine, places, field, level, tuple(map(label_of, scale)), scores_of(scale))


def panel_from(
    rows: Table, codes: Codes, field: str, level: Level, labels: tuple[str, ...], scores: tuple[float, ...]
) -> Panel:
    """Answered rows of one field with their class codes (n,), none MISSING, as a panel.

    raises   ValueError if one rater answered a unit twice: choose a phase, an occasion and a protocol first
    """
    units, unit = codes_by_name(rows.column("unit_id").tolist())
    raters, rater = codes_by_name(rows.column("rater").tolist())
    if len(np.unique(unit * max(1, len(raters)) + rater)) != len(rows):
        raise ValueError(
            f"one rater answered {field} of a unit twice: choose a phase, an occasion and a protocol"
        )
    table = np.full((len(units), len(raters)), MISSING, dtype=np.intp)
    table[unit, rater] = codes
    names, dialogue = codes_by_appearance(rows.column("dialogue_id").tolist())
    clusters = np.zeros(len(units), dtype=np.intp)
    clusters[unit] = dialogue
    items = np.array(units, dtype=object)
    given = rows.column("item_id")
    known = np.array([name is not None for name in given.tolist()], dtype=np.bool_)
    items[unit[known]] = given[known]
    return Panel(
        field,
        level,
        table,
        units,
        clusters,
        raters,
        labels,
        scores,
        tuple(items.tolist()),
        tuple(str(names[code]) for code in clusters),
    )


def emptied(panel: Panel, other: Panel) -> Panel:
    """A panel without the answers that another one of the same field holds; its units and raters stay."""
    unit = {name: place for place, name in enumerate(panel.units)}
    rater = {name: place for place, name in enumerate(panel.raters)}
    codes = panel.codes.copy()
    for i, j in np.argwhere(other.codes >= 0).tolist():
        codes[unit[other.units[i]], rater[other.raters[j]]] = MISSING
    return replace(panel, codes=codes)


def scores_of(scale: Sequence[Any]) -> tuple[float, ...]:
    """The values of a scale as numbers: its own where all are numbers, else their places."""
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in scale):
        return tuple(float(value) for value in scale)
    return tuple(float(place) for place in range(len(scale)))
