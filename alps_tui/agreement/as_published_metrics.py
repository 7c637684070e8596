"""Values of sessions and of matched pairs, summed up as AlpsBench's consistency report does; undefined has a reason."""

import json
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.intervals import Floats

RESAMPLES = 1_000
BOOTSTRAP_SEED = 42
DECIMALS = 6

Record = Mapping[str, Any]
Number = float | None


@dataclass(frozen=True, slots=True)
class SessionMetric:
    """Mean over sessions, population deviation and percentile bounds, rounded to 6 decimals; None is undefined."""

    mean: Number
    std: Number
    low: Number
    high: Number
    n: int
    note: str = ""

    def to_json(self) -> dict[str, Any]:
        """`reference_agreement.json` shape: numbers where defined, objects with the reason where not."""
        none, few = "No session has a value.", "Fewer than two sessions have a value."
        fields: dict[str, Any] = {
            "mean": _number(self.mean, none),
            "std": _number(self.std, few),
            "ci95_lo": _number(self.low, few),
            "ci95_hi": _number(self.high, few),
        }
        return fields | ({"note": self.note} if self.note else {})


def over_sessions(values: Sequence[float], note: str = "") -> SessionMetric:
    """Macro mean, population deviation and bootstrap bounds of the sessions that have a value (NaN has none).

    Bounds: 1,000 resamples from a fresh `default_rng(42)` for this metric (drawn at once, which gives what the
    authors' one call for each gives), percentiles 2.5 and 97.5 with linear interpolation; they depend on the order
    of the sessions.
    """
    kept = np.array([value for value in values if not math.isnan(value)], dtype=np.float64)
    if not len(kept):
        return SessionMetric(None, None, None, None, 0, note)
    mean = round(float(kept.mean()), DECIMALS)
    if len(kept) < 2:
        return SessionMetric(mean, None, None, None, 1, note)
    generator = np.random.default_rng(BOOTSTRAP_SEED)
    means = generator.choice(kept, size=(RESAMPLES, len(kept)), replace=True).mean(axis=1)
    low, high = (round(float(bound), DECIMALS) for bound in np.percentile(means, [2.5, 97.5]))
    return SessionMetric(mean, round(float(kept.std()), DECIMALS), low, high, len(kept), note)


def mean_or_nan(values: Sequence[float]) -> float:
    """A session's own mean; NaN, which `over_sessions` leaves out, where the session has nothing to say."""
    return float(np.mean(values)) if len(values) else math.nan


def attribute_kappa(name: str, records: Sequence[tuple[Record, Record]]) -> Coefficient:
    """Cohen's kappa of one attribute over matched pairs with both sides present, classes as they are spelt.

    Given that two memories were matched at all: it says nothing about those that one of the two missed.
    """
    both = [(a.get(name), b.get(name)) for a, b in records]
    pairs = [(_spelling(a), _spelling(b)) for a, b in both if a is not None and b is not None]
    if len(pairs) < 2:
        return Coefficient.undefined(name, CoefficientStatus.TOO_FEW_PAIRS, n=len(pairs), counted="pairs")
    classes = sorted({value for pair in pairs for value in pair})
    if len(classes) < 2:
        return Coefficient.undefined(name, CoefficientStatus.NO_VARIATION, n=len(pairs), counted="pairs")
    n = len(pairs)
    observed = sum(a == b for a, b in pairs) / n
    expected = sum(
        sum(a == value for a, _ in pairs) * sum(b == value for _, b in pairs) for value in classes
    ) / (n * n)
    return Coefficient(
        name, (observed - expected) / (1 - expected), CoefficientStatus.OK, n=n, counted="pairs"
    )


def confidences(records: Sequence[tuple[Record, Record]]) -> Floats:
    """Confidence of both sides where both are numbers, shape (n, 2)."""
    both = [(_float(a.get("confidence")), _float(b.get("confidence"))) for a, b in records]
    kept = [(a, b) for a, b in both if a is not None and b is not None]
    return np.array(kept, dtype=np.float64).reshape(-1, 2)


def mean_absolute_error(confidence: Floats) -> Coefficient:
    """Mean |a - b| of the pairs, shape (n, 2); undefined with no pair or with a value that is no finite number."""
    if not len(confidence):
        return Coefficient.undefined("MAE", CoefficientStatus.NOTHING_TO_COMPARE, counted="pairs")
    value = float(np.abs(confidence[:, 0] - confidence[:, 1]).mean())
    if not math.isfinite(value):
        return Coefficient.undefined(
            "MAE", CoefficientStatus.NOT_A_NUMBER, n=len(confidence), counted="pairs"
        )
    return Coefficient("MAE", value, CoefficientStatus.OK, n=len(confidence), counted="pairs")


def plain(coefficient: Coefficient) -> Any:
    """The bare number of the report, or the object that says why there is none."""
    return coefficient.to_json() if coefficient.value is None else round(coefficient.value, DECIMALS)


def _float(value: Any) -> float | None:
    """Python's own `float()`: numeric strings convert, anything else is missing."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _spelling(value: Any) -> str:
    """A class as text; what is no text (a list in place of a label) by its JSON."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _number(value: Number, reason: str) -> Any:
    return {"value": None, "status": "undefined", "reason": reason} if value is None else value
