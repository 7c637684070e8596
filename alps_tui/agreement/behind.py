"""The units behind a number: which items to open where raters differ, use a class, or confuse two of them."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alps_tui.agreement.intervals import Floats
from alps_tui.agreement.panel import Panel
from alps_tui.agreement.ratings import Codes
from store.kinds import Level


@dataclass(frozen=True, slots=True)
class UnitRef:
    """One unit with the item that a screen opens for it (`form/item`) and its dialogue."""

    unit: str
    item: str
    dialogue: str

    def to_json(self) -> dict[str, Any]:
        return {"unit_id": self.unit, "item_id": self.item, "dialogue_id": self.dialogue}


def refs(panel: Panel, places: Sequence[int] | Codes) -> tuple[UnitRef, ...]:
    """The units at these places of a panel, in their order."""
    return tuple(
        UnitRef(
            panel.units[i],
            panel.items[i] if panel.items else panel.units[i],
            panel.dialogues[i] if panel.dialogues else str(panel.clusters[i]),
        )
        for i in places
    )


def places(panel: Panel) -> Floats:
    """The classes as numbers in which a difference means how far apart answers are; of a nominal scale see `apart`."""
    return np.asarray(panel.scores, dtype=np.float64)


def apart(panel: Panel, first: Codes, second: Codes) -> Floats:
    """How far apart class codes (n,) are: 0 or 1 on a nominal scale, else the distance of their scores."""
    if panel.level is Level.NOMINAL:
        return np.asarray(first != second, dtype=np.float64)
    scores = places(panel)
    return np.asarray(np.abs(scores[first] - scores[second]), dtype=np.float64)


def differing(panel: Panel, first: str, second: str) -> tuple[UnitRef, ...]:
    """Units that two raters answered differently, the furthest apart first.

    raises   ValueError if the panel has no such rater
    """
    a, b = (panel.codes[:, panel.raters.index(name)] for name in (first, second))
    both = np.flatnonzero((a >= 0) & (b >= 0) & (a != b))
    far = apart(panel, a[both], b[both])
    return refs(panel, both[np.argsort(-far, kind="stable")])


def confused(
    panel: Panel, one: str, other: str, raters: tuple[str, str] | None = None
) -> tuple[UnitRef, ...]:
    """Units to which one rater gave class `one` and another class `other`; of two named raters in this order.

    raises   ValueError if the panel has no such class or rater
    """
    a, b = panel.labels.index(one), panel.labels.index(other)
    if raters is not None:
        mine, theirs = (panel.codes[:, panel.raters.index(name)] for name in raters)
        return refs(panel, np.flatnonzero((mine == a) & (theirs == b)))
    said_a, said_b = (panel.codes == a).sum(axis=1), (panel.codes == b).sum(axis=1)
    needed = 2 if a == b else 1
    return refs(panel, np.flatnonzero((said_a >= needed) & (said_b >= needed)))


def given(panel: Panel, label: str, rater: str | None = None) -> tuple[UnitRef, ...]:
    """Units to which a rater (None: anybody) gave a class.

    raises   ValueError if the panel has no such class or rater
    """
    said = panel.codes == panel.labels.index(label)
    mine = said.any(axis=1) if rater is None else said[:, panel.raters.index(rater)]
    return refs(panel, np.flatnonzero(mine))


def disagreed(panel: Panel) -> tuple[UnitRef, ...]:
    """Units whose answers are not all the same: the widest span first, then the most different answers."""
    codes = panel.codes
    if not codes.size:
        return ()
    low = np.where(codes >= 0, codes, len(panel.labels)).min(axis=1)
    mixed = np.flatnonzero(codes.max(axis=1) > low)
    ordered = np.sort(codes[mixed], axis=1)
    different = ((ordered[:, 1:] != ordered[:, :-1]) & (ordered[:, 1:] >= 0)).sum(axis=1)
    span = np.ones(len(mixed))
    if panel.level is not Level.NOMINAL and len(mixed):
        scores = np.where(codes[mixed] >= 0, places(panel)[codes[mixed]], np.nan)
        span = np.nanmax(scores, axis=1) - np.nanmin(scores, axis=1)
    return refs(panel, mixed[np.lexsort((-different, -span))])


def rated_once(panel: Panel) -> tuple[UnitRef, ...]:
    """Units that one rater answered and no other: no agreement can be read off them yet."""
    return refs(panel, np.flatnonzero((panel.codes >= 0).sum(axis=1) == 1))
