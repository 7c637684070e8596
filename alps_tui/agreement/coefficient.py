"""A coefficient as it is handed on: a value with its n and its interval, or undefined with the reason."""

from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any


class CoefficientStatus(StrEnum):
    """Why a coefficient has a value, or why it has none."""

    OK = "ok"
    NO_VARIATION = "undefined_no_variation"
    NEED_2_RATERS = "need_2_raters"
    NO_PAIRABLE_UNITS = "no_pairable_units"
    CLASS_NEVER_USED = "class_never_used"
    TOO_FEW_PAIRS = "too_few_pairs"
    NOTHING_TO_COMPARE = "nothing_to_compare"
    NOT_A_NUMBER = "not_a_number"
    NOT_NUMERIC = "not_numeric"
    TOO_MANY_SETS = "too_many_sets"
    TOO_MANY = "too_many"
    OPEN_SCALE = "open_scale"
    NOT_OF_SETS = "not_of_sets"
    NOT_IDENTIFIED = "not_identified"
    TOO_FEW_ITEMS = "too_few_items"


SENTENCES: dict[CoefficientStatus, str] = {
    CoefficientStatus.NO_VARIATION: "Every rating is the same, so agreement by chance is certain.",
    CoefficientStatus.NEED_2_RATERS: "Fewer than two raters answered.",
    CoefficientStatus.NO_PAIRABLE_UNITS: "No unit was answered by two raters.",
    CoefficientStatus.CLASS_NEVER_USED: "Nobody used this class.",
    CoefficientStatus.TOO_FEW_PAIRS: "Fewer than two pairs of values.",
    CoefficientStatus.NOTHING_TO_COMPARE: "There is nothing to compare.",
    CoefficientStatus.NOT_A_NUMBER: "A value is infinite or not a number.",
    CoefficientStatus.NOT_NUMERIC: "The values of this scale are words: no distance between them is defined.",
    CoefficientStatus.OPEN_SCALE: "The full scale is not known, and chance agreement is counted over all of it.",
    CoefficientStatus.NOT_OF_SETS: "Answers are sets: it is not defined over them; read the agreement on each option.",
    CoefficientStatus.TOO_FEW_ITEMS: "Fewer than 20 items: a model of annotators would fit their noise.",
    CoefficientStatus.NOT_IDENTIFIED: "Fewer than three raters an item: nothing in the answers says whose errors they are.",
}


class Method(StrEnum):
    """How an interval was made."""

    JACKKNIFE_Z = "delete-one-dialogue jackknife, Fisher z, t"
    JACKKNIFE_T = "delete-one-dialogue jackknife, t"
    BOOTSTRAP = "cluster bootstrap by dialogue, percentile"
    ITEM_BOOTSTRAP = "item bootstrap, every unit its own dialogue, percentile"
    RULE_OF_THREE = "rule of three"


@dataclass(frozen=True, slots=True)
class Interval:
    """An interval with all that is needed to make it again.

    why                   what picked the method ("fewer than 60 dialogues")
    n_clusters            dialogues that have anything to say about the coefficient
    replicates, seed      of the bootstrap; `undefined` of them had no value and were left out
    disagreement_upper    RULE_OF_THREE after perfect agreement: upper limit of the disagreement rate, 3/n
    agreement_upper       RULE_OF_THREE after no agreement at all: upper limit of the agreement rate, 3/n
    below                 bound -> share of the replicates below it: says where they lie, no probability of alpha
    no_below              why there is no such share, where somebody would look for it
    """

    low: float
    high: float
    method: Method
    why: str
    n_clusters: int
    level: float = 0.95
    replicates: int | None = None
    undefined: int = 0
    seed: int | None = None
    disagreement_upper: float | None = None
    agreement_upper: float | None = None
    below: Mapping[str, float] | None = None
    no_below: str = ""

    def to_json(self) -> dict[str, Any]:
        """All fields but those that do not apply."""
        fields: dict[str, Any] = {
            "low": self.low,
            "high": self.high,
            "level": self.level,
            "method": str(self.method),
            "why": self.why,
            "n_dialogues": self.n_clusters,
        }
        if self.replicates is not None:
            fields |= {
                "replicates": self.replicates,
                "undefined_replicates": self.undefined,
                "seed": self.seed,
            }
        if self.disagreement_upper is not None:
            fields["disagreement_upper"] = self.disagreement_upper
        if self.agreement_upper is not None:
            fields["agreement_upper"] = self.agreement_upper
        if self.below is not None:
            fields["share_of_replicates_below"] = dict(self.below)
        elif self.no_below:
            fields |= {"share_of_replicates_below": None, "no_share_of_replicates": self.no_below}
        return fields


@dataclass(frozen=True, slots=True)
class NoInterval:
    """Why a value stands without an interval, as a sentence."""

    reason: str


@dataclass(frozen=True, slots=True)
class Coefficient:
    """A value that is never more certain than it is.

    name        "cohen_kappa", "alpha_ordinal", ...: the key in JSON
    value       None unless `status` is OK
    n           how many units, pairs or lists it rests on; `counted` says which
    n_clusters  how many dialogues these come from
    left_out    how many of them could not be used (rated once only, or without a value)
    note        what a reader must know beside the number (the weights of a pooled mean)
    """

    name: str
    value: float | None
    status: CoefficientStatus
    reason: str = ""
    n: int = 0
    counted: str = "units"
    n_clusters: int = 0
    left_out: int = 0
    interval: Interval | NoInterval | None = None
    note: str = ""

    @classmethod
    def undefined(
        cls,
        name: str,
        status: CoefficientStatus,
        *,
        n: int = 0,
        counted: str = "units",
        reason: str = "",
        left_out: int = 0,
    ) -> "Coefficient":
        """No value, with the status and its sentence (`reason` if the usual one does not fit)."""
        return cls(
            name, None, status, reason=reason or SENTENCES[status], n=n, counted=counted, left_out=left_out
        )

    @property
    def defined(self) -> bool:
        return self.value is not None

    def to_json(self) -> dict[str, Any]:
        """`{"value": null, "status", "reason", ...}` where undefined; the interval or why there is none."""
        fields: dict[str, Any] = {"value": self.value, "status": str(self.status)}
        if self.value is None:
            fields["reason"] = self.reason
        fields |= {"n": self.n, "counted": self.counted}
        if self.n_clusters:
            fields["n_dialogues"] = self.n_clusters
        if self.left_out:
            fields["left_out"] = self.left_out
        if isinstance(self.interval, Interval):
            fields["interval"] = self.interval.to_json()
        elif isinstance(self.interval, NoInterval):
            fields |= {"interval": None, "no_interval": self.interval.reason}
        if self.note:
            fields["note"] = self.note
        return fields
