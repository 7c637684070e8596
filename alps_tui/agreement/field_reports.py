"""What agreement hands on about the fields of a form: frozen, printed by commands, shown by screens, written by exports."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from alps_tui.agreement.association import BlandAltman
from alps_tui.agreement.coefficient import Coefficient
from alps_tui.agreement.detail import FieldDetail
from alps_tui.agreement.ratings import Population
from alps_tui.agreement.report import FEW_UNITS


@dataclass(frozen=True, slots=True)
class PairAgreement:
    """Two raters on the units both answered; `difference` is second minus first, on the scale.

    kappa          Cohen's, weighted on a scale with an order; where answers are sets, alpha over these two
    associations   Pearson (numbers with distances), Spearman and tau-b; empty on a scale without an order
    bland_altman   bias and limits of agreement, of numbers only
    few            under 20 common units: too few to say anything about this pair
    """

    first: str
    second: str
    n: int
    kappa: Coefficient
    raw_agreement: Coefficient
    difference: Coefficient
    associations: tuple[Coefficient, ...] = ()
    bland_altman: BlandAltman | None = None

    @property
    def few(self) -> bool:
        return self.n < FEW_UNITS

    def to_json(self) -> dict[str, Any]:
        return {
            "between": [self.first, self.second],
            "n": self.n,
            "few_units": self.few,
            "kappa": self.kappa.to_json(),
            "raw_agreement": self.raw_agreement.to_json(),
            "mean_signed_difference": self.difference.to_json(),
            "associations": {one.name: one.to_json() for one in self.associations},
            "bland_altman": None if self.bland_altman is None else self.bland_altman.to_json(),
        }


@dataclass(frozen=True, slots=True)
class ScaleAgreement:
    """Agreement on the scale of one field, in the order to be read.

    n_units, n_ratings   units with a value of the scale, and how many values
    n_pairable           units with two values or more: what alpha rests on
    distribution         how often each value of the full scale was given (each option named, where answers are sets)
    specific             per class: given that one rater said it, does another
    ac                   AC1, or AC2 on a scale with an order
    mean_kappa           weighted by the pairs' numbers of units
    companions           Fleiss on the balanced part, Brennan-Prediger, Scott where there are two raters
    intraclass           the six ICCs on complete cases, of numbers only
    no_pairs             why the pairs of raters are not told ("" where they are)
    """

    n_units: int
    n_ratings: int
    n_pairable: int
    distribution: Mapping[str, int]
    specific: Mapping[str, Coefficient]
    raw_agreement: Coefficient
    alpha: Coefficient
    ac: Coefficient
    mean_kappa: Coefficient
    pairs: tuple[PairAgreement, ...]
    warnings: tuple[str, ...]
    companions: tuple[Coefficient, ...] = ()
    intraclass: tuple[Coefficient, ...] = ()
    no_pairs: str = ""

    def coefficients(self) -> Iterator[Coefficient]:
        """Those of all raters together, in the order to be read."""
        yield from self.specific.values()
        yield from (self.raw_agreement, self.alpha, self.ac, self.mean_kappa)
        yield from self.companions
        yield from self.intraclass

    def to_json(self) -> dict[str, Any]:
        return {
            "n_units": self.n_units,
            "n_ratings": self.n_ratings,
            "n_pairable": self.n_pairable,
            "distribution": dict(self.distribution),
            "specific_agreement": {label: one.to_json() for label, one in self.specific.items()},
            "raw_agreement": self.raw_agreement.to_json(),
            "alpha": {"name": self.alpha.name} | self.alpha.to_json(),
            "ac": {"name": self.ac.name} | self.ac.to_json(),
            "mean_kappa": {"name": self.mean_kappa.name} | self.mean_kappa.to_json(),
            "companions": {one.name: one.to_json() for one in self.companions},
            "intraclass": {one.name: one.to_json() for one in self.intraclass},
            "pairs": [pair.to_json() for pair in self.pairs],
            "no_pairs": self.no_pairs,
            "warnings": list(self.warnings),
        }


@dataclass(frozen=True, slots=True)
class WorstCase:
    """What agreement falls to if every seeded answer was meant as unlike the others as the scale allows.

    n_moved   seeded answers that were moved to another class
    """

    n_moved: int
    raw_agreement: Coefficient
    alpha: Coefficient
    ac: Coefficient

    def to_json(self) -> dict[str, Any]:
        return {
            "assumes": WORST_CASE,
            "n_moved": self.n_moved,
            "raw_agreement": self.raw_agreement.to_json(),
            "alpha": self.alpha.to_json(),
            "ac": self.ac.to_json(),
        }


WORST_CASE = (
    "each seeded answer takes the class furthest from the other answers to its unit (Manski 1990); its own where "
    "that is as far"
)


@dataclass(frozen=True, slots=True)
class Applicability:
    """Whether raters agree that the field applies at all; nominal, its own table, never a point of the scale."""

    n_does_not_apply: int
    by_rater: Mapping[str, int]
    specific: Coefficient
    raw_agreement: Coefficient
    alpha_nominal: Coefficient

    def to_json(self) -> dict[str, Any]:
        return {
            "n_does_not_apply": self.n_does_not_apply,
            "by_rater": dict(self.by_rater),
            "specific_agreement_does_not_apply": self.specific.to_json(),
            "raw_agreement": self.raw_agreement.to_json(),
            "alpha_nominal": self.alpha_nominal.to_json(),
        }


@dataclass(frozen=True, slots=True)
class FieldAgreement:
    """One field of a form.

    missing          ratings without a value by status: skipped, cannot_judge, unseen
    off_scale        answers that are no value of the field's scale: counted, never used
    rater_made       answers on units that a rater made: counted, never part of a coefficient
    applicability    None where "does not apply" is no answer of the field
    worst_case       None where nothing is seeded, or where an open scale has no furthest class
    closed           whether the full scale is known
    detail           who with whom, who says what, what next; None where it was not asked for
    """

    key: str
    title: str
    level: str
    scale: tuple[str, ...]
    raters: tuple[str, ...]
    n_units: int
    n_ratings: int
    missing: Mapping[str, int]
    off_scale: int
    without_seeded: ScaleAgreement
    with_seeded: ScaleAgreement
    applicability: Applicability | None
    worst_case: WorstCase | None = None
    rater_made: int = 0
    kind: str = "one"
    closed: bool = True
    form: str = ""
    detail: FieldDetail | None = field(default=None, compare=False)

    @property
    def any_seeded(self) -> bool:
        return self.without_seeded.n_ratings != self.with_seeded.n_ratings

    def to_json(self) -> dict[str, Any]:
        found: dict[str, Any] = {
            "field": self.key,
            "title": self.title,
            "level": self.level,
            "answers": self.kind,
            "scale": list(self.scale),
            "scale_known": self.closed,
            "raters": list(self.raters),
            "n_units": self.n_units,
            "n_ratings": self.n_ratings,
            "missing": dict(self.missing),
            "off_scale": self.off_scale,
            "on_units_raters_made": self.rater_made,
            "without_seeded": self.without_seeded.to_json(),
            "with_seeded": self.with_seeded.to_json(),
            "worst_case": None if self.worst_case is None else self.worst_case.to_json(),
            "applicability": None if self.applicability is None else self.applicability.to_json(),
        }
        return found if self.detail is None else found | self.detail.to_json()


@dataclass(frozen=True, slots=True)
class FieldReport:
    """Agreement on each field of a form, with the population it was computed on.

    refused      field → why no number was computed for it
    unanswered   fields on an open scale of which there is not one answer
    """

    population: Population
    fields: tuple[FieldAgreement, ...]
    notes: tuple[str, ...]
    seed: int
    form: str = ""
    refused: Mapping[str, str] = field(default_factory=dict)
    unanswered: tuple[str, ...] = ()

    def to_json(self) -> dict[str, Any]:
        return {
            "population": self.population.to_json(),
            "fields": [one.to_json() for one in self.fields],
            "refused": dict(self.refused),
            "unanswered": list(self.unanswered),
            "notes": list(self.notes),
            "seed": self.seed,
        }
