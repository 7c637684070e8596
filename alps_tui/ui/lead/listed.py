"""Which units stand behind a number, those on which raters differ first, and what each rater said of one."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from alps_tui.agreement.behind import UnitRef, disagreed, given, refs
from alps_tui.agreement.panel import Panel
from alps_tui.ui.lead.names import Names


@dataclass(frozen=True, slots=True)
class Behind:
    """The units behind a cell. `differ`: how many at the head of the list have different answers.

    panel   the answers themselves; `known` those of them that are not seeded
    """

    title: str
    units: tuple[UnitRef, ...]
    differ: int
    panel: Panel
    known: Panel | None = None


def behind_field(title: str, panel: Panel, known: Panel | None = None) -> Behind:
    """Behind a coefficient: the units with two answers or more."""
    return _behind(title, panel, np.flatnonzero((panel.codes >= 0).sum(axis=1) >= 2), known)


def behind_class(title: str, panel: Panel, label: str, rater: str | None = None) -> Behind:
    """Behind a class: the units to which a rater, or anybody, gave it."""
    chosen = {one.unit for one in given(panel, label, rater)}
    at = [i for i, unit in enumerate(panel.units) if unit in chosen]
    return _behind(title, panel, np.asarray(at, dtype=np.intp))


def behind_pair(title: str, panel: Panel, differing: Sequence[UnitRef], first: str, second: str) -> Behind:
    """Behind two raters: the units both answered."""
    a, b = (panel.codes[:, panel.raters.index(name)] for name in (first, second))
    apart = {one.unit for one in differing}
    rest = [i for i in np.flatnonzero((a >= 0) & (b >= 0)).tolist() if panel.units[i] not in apart]
    return Behind(title, (*differing, *refs(panel, rest)), len(differing), panel)


def behind_step(title: str, panel: Panel, units: Sequence[UnitRef]) -> Behind:
    """What a next step is about."""
    apart = {one.unit for one in disagreed(panel)}
    ordered = sorted(units, key=lambda one: one.unit not in apart)
    return Behind(title, tuple(ordered), sum(one.unit in apart for one in ordered), panel)


def _behind(
    title: str, panel: Panel, at: "np.ndarray[tuple[int], np.dtype[np.intp]]", known: Panel | None = None
) -> Behind:
    wanted = {panel.units[i] for i in at}
    first = [one for one in disagreed(panel) if one.unit in wanted]
    apart = {one.unit for one in first}
    rest = refs(panel, [i for i in at.tolist() if panel.units[i] not in apart])
    return Behind(title, (*first, *rest), len(first), panel, known)


def answers_of(behind: Behind, names: Names) -> dict[str, str]:
    """Unit → what each rater said, `A keep  B delete`; in parentheses what nobody knows to be meant."""
    panel, known = behind.panel, behind.known
    seen: set[tuple[str, str]] | None = None
    if known is not None:
        unit, rater = np.nonzero(known.codes >= 0)
        seen = {(known.units[u], known.raters[r]) for u, r in zip(unit, rater, strict=True)}
    wanted = {one.unit for one in behind.units}
    found = {}
    for place, unit_id in enumerate(panel.units):
        if unit_id in wanted:
            said = []
            for rater_at in np.flatnonzero(panel.codes[place] >= 0):
                name, label = panel.raters[rater_at], panel.labels[panel.codes[place, rater_at]]
                sure = seen is None or (unit_id, name) in seen
                said.append(f"{names.of(name)} {label if sure else f'({label})'}")
            found[unit_id] = "  ".join(said)
    return found
