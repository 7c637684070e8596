"""What agreement must know of a field of a form: its level, its scale, and of which kind its answers are."""

from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from alps_tui.agreement.intervals import Floats
from alps_tui.agreement.two_raters import identity_weights, quadratic_weights
from store.kinds import Level

Json = Any


class AnswerKind(StrEnum):
    """What one answer is: one value, or a set of options of which none, one or several are named."""

    ONE = "one"
    SET = "set"


@dataclass(frozen=True, slots=True)
class FieldMeta:
    """What agreement must know of a form's field; from the form, never from the values that were given.

    scale            the values in order, without "does not apply"; the options, where answers are sets
    not_applicable   the answer that stands beside the scale, None if the field has none
    closed           False where nobody said which values there are: what needs the full scale is then undefined
    form             the protocol's name without version, "" where rows name none
    """

    key: str
    level: Level
    scale: tuple[Json, ...]
    title: str = ""
    not_applicable: Json = None
    kind: AnswerKind = AnswerKind.ONE
    closed: bool = True
    form: str = ""

    @property
    def labels(self) -> tuple[str, ...]:
        return tuple(label_of(value) for value in self.scale)

    @property
    def scores(self) -> tuple[float, ...]:
        """The scale's own numbers; for words their places from 1, in the order of the form."""
        if self.numeric:
            return tuple(float(value) for value in self.scale)
        return tuple(float(place) for place in range(1, len(self.scale) + 1))

    @property
    def numeric(self) -> bool:
        return all(isinstance(value, int | float) and not isinstance(value, bool) for value in self.scale)

    @property
    def ordered(self) -> bool:
        return self.level is not Level.NOMINAL

    @property
    def measured(self) -> bool:
        """Whether values are numbers on a scale with an order: means, ICC and limits of agreement have a meaning."""
        return self.ordered and self.numeric and self.kind is AnswerKind.ONE

    @property
    def weights(self) -> Floats:
        """Disagreement weights of kappa and AC: quadratic on a scale with an order, 0 and 1 on one without."""
        if self.level is Level.NOMINAL:
            return identity_weights(len(self.scale))
        return quadratic_weights(self.scores)

    def over(self, scale: tuple[Json, ...]) -> "FieldMeta":
        """The same field over other values: those that were given, where its scale is open."""
        return replace(self, scale=scale)


def label_of(value: Json) -> str:
    """A value of a scale in words: 4 and 4.0 are one number, and read as one."""
    if isinstance(value, float) and value.is_integer() and abs(value) < 1e15:
        return str(int(value))
    return str(value)
