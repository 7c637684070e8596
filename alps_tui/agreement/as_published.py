"""Agreement exactly as AlpsBench published it (evaluate_annotation_consistency.py), for comparison with the paper.

Every choice here is the authors' (greedy matching, a tokenizer of [a-z0-9], macro means, population deviations, a
bootstrap that starts anew for every metric), also where the honest table does better.
"""

import json
import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from alps_tui.agreement import association
from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.intervals import Floats
from alps_tui.agreement.words import rouge_l

THRESHOLD = 0.5
RESAMPLES = 1_000
BOOTSTRAP_SEED = 42
DECIMALS = 6
ATTRIBUTES = ("type", "label", "time_scope")
UPWARD_BIAS = "upward-biased: only pairs with ROUGE-L >= 0.5 are matched"

Record = Mapping[str, Any]
Number = float | None


@dataclass(frozen=True, slots=True)
class SessionPair:
    """The memory records two annotators left for one session, in the order of their lists."""

    session_id: str
    first: Sequence[Record]
    second: Sequence[Record]


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


@dataclass(frozen=True, slots=True)
class PublishedMemories:
    """Task 1 (and, by the same formulas, task 2) of the authors' consistency report."""

    n_sessions: int
    matched_pairs: int
    memory_set_f1: SessionMetric
    matched_memory_rouge_l: SessionMetric
    memory_count_diff: SessionMetric
    confidence_pairs: int
    pearson: Coefficient
    spearman: Coefficient
    kendall_tau: Coefficient
    mean_absolute_error: Coefficient
    attribute_kappa: Mapping[str, Coefficient]

    def to_json(self) -> dict[str, Any]:
        """The keys of the authors' report."""
        return {
            "n_sessions": self.n_sessions,
            "matched_pairs": self.matched_pairs,
            "memory_set_f1": self.memory_set_f1.to_json(),
            "matched_memory_rougeL": self.matched_memory_rouge_l.to_json(),
            "memory_count_diff": self.memory_count_diff.to_json(),
            "confidence": {
                "n_pairs": self.confidence_pairs,
                "pearson": _plain(self.pearson),
                "spearman": _plain(self.spearman),
                "kendall_tau": _plain(self.kendall_tau),
                "MAE": _plain(self.mean_absolute_error),
            },
            "attribute_kappa": {key: _plain(value) for key, value in self.attribute_kappa.items()},
        }


def as_published_task1(pairs: Sequence[SessionPair]) -> PublishedMemories:
    """Task 1 of the report from both annotators' gold memories, sessions in the order of their ids."""
    ordered = sorted(pairs, key=lambda pair: pair.session_id)
    matched = [published_matches(_values(pair.first), _values(pair.second)) for pair in ordered]
    records = [
        (pair.first[i], pair.second[j])
        for pair, found in zip(ordered, matched, strict=True)
        for i, j, _ in found
    ]
    f1 = [_f1(len(f), len(p.first), len(p.second)) for p, f in zip(ordered, matched, strict=True)]
    overlap = [float(np.mean([r for _, _, r in found])) if found else math.nan for found in matched]
    difference = [float(abs(len(pair.first) - len(pair.second))) for pair in ordered]
    confidence = _confidences(records)
    return PublishedMemories(
        n_sessions=len(ordered),
        matched_pairs=len(records),
        memory_set_f1=over_sessions(f1),
        matched_memory_rouge_l=over_sessions(overlap, UPWARD_BIAS),
        memory_count_diff=over_sessions(difference),
        confidence_pairs=len(confidence),
        pearson=association.pearson(confidence[:, 0], confidence[:, 1]),
        spearman=association.spearman(confidence[:, 0], confidence[:, 1]),
        kendall_tau=association.kendall_tau_b(confidence[:, 0], confidence[:, 1]),
        mean_absolute_error=_mean_absolute_error(confidence),
        attribute_kappa={name: attribute_kappa(name, records) for name in ATTRIBUTES},
    )


def published_normal(value: Any) -> str:
    """None to '', else str, stripped, lower case, each run of white space one space."""
    return "" if value is None else re.sub(r"\s+", " ", str(value).strip().lower())


def published_rouge_l(first: Any, second: Any) -> float:
    """ROUGE-L F1 as rouge-score 0.1.2 without stemmer computes it on normalised texts.

    Both empty 1, one empty 0; words are runs of [a-z0-9], so two texts without any (Arabic, Chinese) score 0 even
    where they are the same.
    """
    a, b = published_normal(first), published_normal(second)
    if not a or not b:
        return 1.0 if a == b else 0.0
    return rouge_l(re.findall("[a-z0-9]+", a), re.findall("[a-z0-9]+", b))


def published_matches(first: Sequence[Any], second: Sequence[Any]) -> list[tuple[int, int, float]]:
    """The authors' matching of two lists of values: (index, index, ROUGE-L), exact pairs first, then greedy.

    Exact: the first unused equal normalised value. Greedy on the rest: ROUGE-L >= 0.5, sorted by (value, index in
    the rest of the first list, index in the rest of the second) descending, so ties go to the larger indices.
    """
    free: dict[str, list[int]] = {}
    for j, value in enumerate(second):
        free.setdefault(published_normal(value), []).append(j)
    pairs = [(i, free[key].pop(0)) for i, key in enumerate(map(published_normal, first)) if free.get(key)]
    found = [(i, j, published_rouge_l(first[i], second[j])) for i, j in pairs]
    left = [i for i in range(len(first)) if i not in {i for i, _ in pairs}]
    right = [j for j in range(len(second)) if j not in {j for _, j in pairs}]
    scored = [(published_rouge_l(first[i], second[j]), i, j) for i in left for j in right]
    taken_first: set[int] = set()
    taken_second: set[int] = set()
    for score, i, j in sorted(scored, reverse=True):
        if score >= THRESHOLD and i not in taken_first and j not in taken_second:
            taken_first.add(i)
            taken_second.add(j)
            found.append((i, j, score))
    return found


def over_sessions(values: Sequence[float], note: str = "") -> SessionMetric:
    """Macro mean, population deviation and bootstrap bounds of the sessions that have a value (NaN has none).

    Bounds: 1,000 resamples from a fresh `default_rng(42)` for this metric, one `choice` call each, percentiles
    2.5 and 97.5 with linear interpolation; they depend on the order of the sessions.
    """
    kept = np.array([value for value in values if not math.isnan(value)], dtype=np.float64)
    if not len(kept):
        return SessionMetric(None, None, None, None, 0, note)
    mean = round(float(kept.mean()), DECIMALS)
    if len(kept) < 2:
        return SessionMetric(mean, None, None, None, 1, note)
    generator = np.random.default_rng(BOOTSTRAP_SEED)
    means = [generator.choice(kept, size=len(kept), replace=True).mean() for _ in range(RESAMPLES)]
    low, high = (round(float(bound), DECIMALS) for bound in np.percentile(means, [2.5, 97.5]))
    return SessionMetric(mean, round(float(kept.std()), DECIMALS), low, high, len(kept), note)


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


def _values(records: Sequence[Record]) -> list[Any]:
    return [record.get("value") for record in records]


def _f1(matched: int, n_first: int, n_second: int) -> float:
    """The authors' F1 from P over the first list and R over the second; two empty lists agree."""
    if not n_first or not n_second:
        return 1.0 if n_first == n_second else 0.0
    precision, recall = matched / n_first, matched / n_second
    return 2 * precision * recall / (precision + recall) if matched else 0.0


def _confidences(records: Sequence[tuple[Record, Record]]) -> Floats:
    """Confidence of both sides where both are numbers, shape (n, 2)."""
    both = [(_float(a.get("confidence")), _float(b.get("confidence"))) for a, b in records]
    kept = [(a, b) for a, b in both if a is not None and b is not None]
    return np.array(kept, dtype=np.float64).reshape(-1, 2)


def _float(value: Any) -> float | None:
    """Python's own `float()`: numeric strings convert, anything else is missing."""
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def _mean_absolute_error(confidence: Floats) -> Coefficient:
    if not len(confidence):
        return Coefficient.undefined("MAE", CoefficientStatus.NOTHING_TO_COMPARE, counted="pairs")
    value = float(np.abs(confidence[:, 0] - confidence[:, 1]).mean())
    if not math.isfinite(value):
        return Coefficient.undefined(
            "MAE", CoefficientStatus.NOT_A_NUMBER, n=len(confidence), counted="pairs"
        )
    return Coefficient("MAE", value, CoefficientStatus.OK, n=len(confidence), counted="pairs")


def _spelling(value: Any) -> str:
    """A class as text; what is no text (a list in place of a label) by its JSON."""
    return value if isinstance(value, str) else json.dumps(value, sort_keys=True, ensure_ascii=False)


def _number(value: Number, reason: str) -> Any:
    return {"value": None, "status": "undefined", "reason": reason} if value is None else value


def _plain(coefficient: Coefficient) -> Any:
    """The bare number of the report, or the object that says why there is none."""
    return coefficient.to_json() if coefficient.value is None else round(coefficient.value, DECIMALS)
