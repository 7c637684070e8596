"""The registry of derived fields: values computed from other answers of the same unit, never asked. Pure."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

Json = Any


@dataclass(frozen=True, slots=True)
class DerivedRule:
    """A function a form can name. It sees the answers named in `of`, in order, None where there is none."""

    name: str
    compute: Callable[[Sequence[Json]], Json]
    kinds: tuple[str, ...]
    means: str


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


DERIVED: dict[str, DerivedRule] = {
    rule.name: rule
    for rule in (
        DerivedRule("mean", _mean, ("scale", "number"), "the mean; none while one part is missing"),
        DerivedRule("total", _total, ("scale", "number"), "the sum; none while one part is missing"),
        DerivedRule("lowest", _lowest, ("scale", "number"), "the lowest; none while one part is missing"),
    )
}


def compute(name: str, of: Sequence[str], answers: Mapping[str, Json]) -> Json:
    """The value of a derived field; None while it cannot be said. KeyError for an unknown name."""
    return DERIVED[name].compute([answers.get(key) for key in of])
