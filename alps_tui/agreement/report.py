"""What agreement hands on: frozen reports, printed by the command line, shown by screens, written by exports."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from alps_tui.agreement.coefficient import Coefficient
from alps_tui.agreement.detail import FieldDetail
from alps_tui.agreement.ratings import Population
from alps_tui.agreement.sets import SetAgreement

SKEWED_CLASS = 0.80
ALPHA_FROM_AC1 = 0.2
FEW_UNITS = 20


# ---------------------------------------------------------------- decisions on proposals


@dataclass(frozen=True, slots=True)
class DecisionTable:
    """Whether two people took the same decision on the same proposed memories, in the order to be read.

    n              pairs of decisions on one proposal
    left_out       proposals that only one rater decided on (in this table: without the seeded ones, or with)
    cells          "keep-delete": rows are the first rater or side, columns the second
    specific       per class, delete and edit first: given that one said it, does the other
    sessions       the dialogues these proposals belong to
    sets           set F1 of the final lists of the same sessions, over rater pairs where there are several
    against_seed   each rater's or side's final lists against the proposals nobody touched
    """

    n: int
    n_units: int
    sessions: tuple[str, ...]
    left_out: int
    cells: Mapping[str, int]
    specific: Mapping[str, Coefficient]
    raw_agreement: Coefficient
    cohen_kappa: Coefficient
    alpha_nominal: Coefficient
    ac1: Coefficient
    shares: Mapping[str, float]
    warnings: tuple[str, ...]
    sets: SetAgreement | None
    against_seed: Mapping[str, SetAgreement]

    def to_json(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "n_units": self.n_units,
            "left_out": self.left_out,
            "sessions": list(self.sessions),
            "cells": dict(self.cells),
            "specific_agreement": _each(self.specific),
            "raw_agreement": self.raw_agreement.to_json(),
            "cohen_kappa": self.cohen_kappa.to_json(),
            "alpha_nominal": self.alpha_nominal.to_json(),
            "ac1": self.ac1.to_json(),
            "class_shares": dict(self.shares),
            "warnings": list(self.warnings),
            "set_f1": None if self.sets is None else self.sets.to_json(),
            "set_f1_against_seed": _each(self.against_seed),
        }


@dataclass(frozen=True, slots=True)
class ListsLeft:
    """How many of a rater's or side's lists stand as they were proposed.

    untouched      nothing was changed and nobody pressed a key: all its decisions are seeded
    all_kept       every proposal was kept, whether by key or untouched
    seeded_keeps   decisions that are seeded
    """

    name: str
    lists: int
    untouched: int
    all_kept: int
    seeded_keeps: int

    def to_json(self) -> dict[str, Any]:
        return {
            "name": self.name,
            "lists": self.lists,
            "untouched": self.untouched,
            "all_kept": self.all_kept,
            "seeded_keeps": self.seeded_keeps,
            "share_untouched": self.untouched / self.lists if self.lists else None,
        }


@dataclass(frozen=True, slots=True)
class Comparison:
    """One pairing of raters, without the seeded decisions first and with them beside it.

    between     the names in rows and columns of the cells
    pooled      how several pairs became one number, "" where there is one pair
    pairs       the same for each pair of raters; empty where the pairing is by side
    worst_case  each seeded decision as unlike the other's as can be (`worst_case`); None where none is seeded
    detail      who with whom, who says what, what next: of the decisions of this pairing that are not seeded
    """

    between: tuple[str, str]
    pooled: str
    without_seeded: DecisionTable
    with_seeded: DecisionTable
    lists: tuple[ListsLeft, ...]
    pairs: tuple["Comparison", ...] = ()
    worst_case: DecisionTable | None = None
    detail: FieldDetail | None = field(default=None, compare=False)

    def to_json(self) -> dict[str, Any]:
        left = {
            "untouched_lists": [each.untouched for each in self.lists],
            "seeded_keeps": [each.seeded_keeps for each in self.lists],
        }
        found = {
            "between": list(self.between),
            "pooled": self.pooled,
            "without_seeded": self.without_seeded.to_json() | left,
            "with_seeded": self.with_seeded.to_json(),
            "worst_case": None if self.worst_case is None else self.worst_case.to_json(),
            "lists": [each.to_json() for each in self.lists],
            "pairs": [pair.to_json() for pair in self.pairs],
        }
        return found if self.detail is None else found | self.detail.to_json()


@dataclass(frozen=True, slots=True)
class DecisionReport:
    """Agreement on the decisions of `memory-verification`.

    sides        imported double annotations, pooled over rater pairs by their side; None where there are none
    raters       the other raters, per pair and pooled; None with fewer than two
    packetless   imported sessions whose proposals are not in the study: no decision can be derived
    all_lists    set F1 of the imported sides over all their sessions, those without a packet too
    missing      decisions without a value by status
    rater_made   memories that raters added: counted, part of the final lists, never of a coefficient
    """

    population: Population
    classes: tuple[str, ...]
    sides: Comparison | None
    raters: Comparison | None
    packetless: tuple[str, ...]
    all_lists: SetAgreement | None
    missing: Mapping[str, int]
    seed: int
    rater_made: Mapping[str, int] = field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "population": self.population.to_json(),
            "classes": list(self.classes),
            "sides": None if self.sides is None else self.sides.to_json(),
            "raters": None if self.raters is None else self.raters.to_json(),
            "sessions_without_packet": {"n": len(self.packetless), "sessions": list(self.packetless)},
            "set_f1_all_sessions": None if self.all_lists is None else self.all_lists.to_json(),
            "missing": dict(self.missing),
            "memories_raters_added": dict(self.rater_made),
            "seed": self.seed,
        }


def skew_warnings(shares: Mapping[str, float], alpha: Coefficient, ac: Coefficient) -> tuple[str, ...]:
    """What to beware of when classes are uneven: said before anybody chooses the coefficient that looks best."""
    found = [
        f'Skewed: "{label}" is {100 * share:.0f} % of the answers, so raw agreement and AC1 flatter.'
        for label, share in shares.items()
        if share > SKEWED_CLASS
    ]
    apart = alpha.value is not None and ac.value is not None and abs(alpha.value - ac.value) > ALPHA_FROM_AC1
    if apart and alpha.value is not None and ac.value is not None:
        found.append(
            f"Alpha ({alpha.value:.3f}) and AC1 or AC2 ({ac.value:.3f}) differ by more than {ALPHA_FROM_AC1}: "
            "read the agreement on each class first."
        )
    return tuple(found)


def _each(items: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value.to_json() for key, value in items.items()}
