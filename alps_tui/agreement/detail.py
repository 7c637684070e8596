"""What stands behind one field's coefficients: who agrees with whom, who says what how often, and what to do next."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from alps_tui.agreement.behind import UnitRef
from alps_tui.agreement.coefficient import Coefficient
from alps_tui.agreement.panel import Panel

UNITS_LISTED = 200
"""Ids of units that JSON lists with a cell or a step; how many there are is said beside them."""


@dataclass(frozen=True, slots=True)
class MatrixCell:
    """Two raters on the units both answered.

    coefficient   kappa (weighted on a scale with an order), or alpha where answers are sets or open numbers
    difference    mean of second - first on the scale; undefined where the scale has no order
    units         those they answered differently, the furthest apart first
    few           under 20 common units: too few to say anything about this pair
    """

    first: str
    second: str
    n: int
    few: bool
    coefficient: Coefficient
    raw_agreement: Coefficient
    difference: Coefficient
    units: tuple[UnitRef, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "between": [self.first, self.second],
            "n": self.n,
            "few_units": self.few,
            "coefficient": {"name": self.coefficient.name} | self.coefficient.to_json(),
            "raw_agreement": self.raw_agreement.to_json(),
            "mean_signed_difference": self.difference.to_json(),
            "n_differing": len(self.units),
            "differing": [unit.to_json() for unit in self.units[:UNITS_LISTED]],
        }


@dataclass(frozen=True, slots=True)
class RaterMatrix:
    """Rater x rater, the upper half: each two raters once, the name that sorts first in the first place.

    measure   the name of the coefficient in the cells
    reason    why there are no cells ("" where there are): too many pairs of raters
    """

    measure: str
    raters: tuple[str, ...]
    cells: tuple[MatrixCell, ...]
    reason: str = ""

    def cell(self, one: str, other: str) -> MatrixCell | None:
        """The cell of two raters in either order; None on the diagonal and where cells were not made."""
        return next((cell for cell in self.cells if {cell.first, cell.second} == {one, other}), None)

    def to_json(self) -> dict[str, Any]:
        return {
            "measure": self.measure,
            "raters": list(self.raters),
            "cells": [cell.to_json() for cell in self.cells],
            "reason": self.reason,
        }


@dataclass(frozen=True, slots=True)
class RaterDistribution:
    """How often one rater gave each class, in the order of the scale; `beside`: how often "does not apply"."""

    rater: str
    counts: tuple[int, ...]
    beside: int = 0

    @property
    def n(self) -> int:
        return sum(self.counts)


@dataclass(frozen=True, slots=True)
class Distribution:
    """How often each class of the full scale was given, by all and by each rater."""

    labels: tuple[str, ...]
    total: tuple[int, ...]
    by_rater: tuple[RaterDistribution, ...]
    beside: int = 0

    def shares(self) -> tuple[float, ...]:
        """Of each class among all answers on the scale; zeros where there is none."""
        whole = sum(self.total)
        return tuple(n / whole if whole else 0.0 for n in self.total)

    def to_json(self) -> dict[str, Any]:
        return {
            "classes": list(self.labels),
            "total": list(self.total),
            "does_not_apply": self.beside,
            "by_rater": [
                {"rater": one.rater, "counts": list(one.counts), "does_not_apply": one.beside}
                for one in self.by_rater
            ],
        }


class Advice(StrEnum):
    """What a step asks for."""

    RELABEL = "relabel"
    CLARIFY = "clarify"
    DROP_RATER = "drop_rater"
    COLLECT = "collect"
    NOTHING = "nothing"


@dataclass(frozen=True, slots=True)
class NextStep:
    """One thing to do, as a sentence with its numbers, and the units it is about.

    classes     the two classes that are confused, where the guideline is to be clarified
    rater       whose answers to look at
    dialogues   how many more dialogues; `raters` how many answer each; where more is to be collected
    """

    advice: Advice
    said: str
    units: tuple[UnitRef, ...] = ()
    classes: tuple[str, str] | None = None
    rater: str | None = None
    dialogues: int | None = None
    raters: int | None = None

    def to_json(self) -> dict[str, Any]:
        return {
            "advice": str(self.advice),
            "said": self.said,
            "classes": None if self.classes is None else list(self.classes),
            "rater": self.rater,
            "more_dialogues": self.dialogues,
            "raters": self.raters,
            "n_units": len(self.units),
            "units": [unit.to_json() for unit in self.units[:UNITS_LISTED]],
        }


@dataclass(frozen=True, slots=True)
class FieldDetail:
    """All of it for one field, on the answers that are not seeded.

    panel   the answers themselves: `alps_tui.agreement.behind` finds the units behind any cell in it
    """

    matrix: RaterMatrix
    distribution: Distribution
    steps: tuple[NextStep, ...]
    panel: Panel

    def to_json(self) -> dict[str, Any]:
        return {
            "rater_matrix": self.matrix.to_json(),
            "distribution": self.distribution.to_json(),
            "next": [step.to_json() for step in self.steps],
        }


def distribution_of(panel: Panel, beside: Mapping[str, int] | None = None) -> Distribution:
    """From a panel; `beside` counts each rater's "does not apply"."""
    beside = beside or {}
    by_class = [(panel.codes == code).sum(axis=0).tolist() for code in range(len(panel.labels))]
    names = sorted({*panel.raters, *beside})
    columns: dict[str, Sequence[int]] = {
        name: [row[place] for row in by_class] for place, name in enumerate(panel.raters)
    }
    none = [0] * len(panel.labels)
    each = tuple(
        RaterDistribution(name, tuple(columns.get(name, none)), beside.get(name, 0)) for name in names
    )
    return Distribution(
        panel.labels, tuple(sum(row) for row in by_class), each, sum(one.beside for one in each)
    )
