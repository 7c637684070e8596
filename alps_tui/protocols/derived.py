"""The registry of derived fields: values computed from other answers of the same unit, never asked. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Literal

Json = Any


@dataclass(frozen=True, slots=True)
class DerivedRule:
    """A function a form can name.

    scope   unit: it sees the answers of its own unit named in `of`, in order, None where there is none
            units: it sees the one answer named in `of` of every unit of another kind of the item
    """

    name: str
    compute: Callable[[Sequence[Json]], Json]
    kinds: tuple[str, ...]
    means: str
    scope: Literal["unit", "units"] = "unit"


def _numbers(values: Sequence[Json]) -> list[float] | None:
    """All values as numbers; None as soon as one is missing or does not apply."""
    if not all(isinstance(v, int | float) and not isinstance(v, bool) for v in values):
        return None
    return list(values)


def _mean(values: Sequence[Json]) -> float | None:
    numbers = _numbers(values)
    return sum(numbers) / len(numbers) if numbers else None


def _total(values: Sequence[Json]) -> float | None:
    numbers = _numbers(values)
    return sum(numbers) if numbers else None


def _lowest(values: Sequence[Json]) -> float | None:
    numbers = _numbers(values)
    return min(numbers) if numbers else None


PAIR_PENALTIES = {
    "VALUE_DRIFT": 12,
    "LABEL_WRONG": 6,
    "TYPE_WRONG": 6,
    "OVERGENERAL": 3,
    "UNDERGENERAL": 3,
    "OTHER": 4,
    "HALLUCINATION": 15,
    "EQUIVALENT": 0,
}
MISSING_PENALTY = 10
EXTRA_PENALTY = 15
TIMES_SEVERITY: dict[float, float] = {0: 0, 1: 1, 2: 1.5, 3: 2}
"""The table behind the scores of AlpsBench's judge, read off all 870 that were published. There, nothing that
costs anything has severity 0; here it costs nothing."""


def _review_penalty(values: Sequence[Json]) -> float | None:
    """What one review takes off the score; None while it cannot be said."""
    review, ok, error_type, should_have, hallucinated, severity = values
    if review == "pair":
        named = error_type if isinstance(error_type, str) else ""
        base = 0 if ok is True else PAIR_PENALTIES.get(named) if ok is False else None
    elif review == "missing":
        base = _if(should_have, MISSING_PENALTY)
    else:
        base = _if(hallucinated, EXTRA_PENALTY) if review == "extra" else None
    graded = isinstance(severity, int | float) and not isinstance(severity, bool)
    times = TIMES_SEVERITY.get(severity) if graded else None
    if base == 0:
        return 0
    return None if base is None or times is None else base * times


def _if(said: Json, penalty: int) -> int | None:
    return penalty if said is True else 0 if said is False else None


def _penalty_score(values: Sequence[Json]) -> float | None:
    """100 less all penalties, at least 0; 100 where there is nothing to review; None while one cannot be said."""
    numbers = _numbers(values)
    return None if numbers is None else max(0, 100 - sum(numbers))


DERIVED: dict[str, DerivedRule] = {
    rule.name: rule
    for rule in (
        DerivedRule("mean", _mean, ("scale", "number"), "the mean; none while one part is missing"),
        DerivedRule("total", _total, ("scale", "number"), "the sum; none while one part is missing"),
        DerivedRule("lowest", _lowest, ("scale", "number"), "the lowest; none while one part is missing"),
        DerivedRule(
            "review_penalty", _review_penalty, ("choice", "scale"), "what a review of an extraction costs"
        ),
        DerivedRule(
            "penalty_score",
            _penalty_score,
            ("derived", "number"),
            "100 less the penalties of all reviews, at least 0",
            scope="units",
        ),
    )
}


def compute(name: str, of: Sequence[str], answers: Mapping[str, Json]) -> Json:
    """The value of a derived field of one unit; None while it cannot be said. KeyError for an unknown name."""
    return DERIVED[name].compute([answers.get(key) for key in of])


def compute_over(name: str, values: Sequence[Json]) -> Json:
    """The value of a field derived from one answer of all units; None while it cannot be said."""
    return DERIVED[name].compute(values)
