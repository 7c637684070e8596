"""Whether raters rest a memory on the same passages: alpha over turns, and F1 over characters beside it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Any

import numpy as np

from alps_tui.agreement.coefficient import Coefficient
from alps_tui.agreement.companions import specific_agreement
from alps_tui.agreement.intervals import SEED, sum_by
from alps_tui.agreement.many_raters import Over, krippendorff_alpha
from alps_tui.agreement.report import skew_warnings
from alps_tui.agreement.sets import f1_coefficient
from store.kinds import Level
from store.table import codes_by_name

LABELS = ("not cited", "cited")


@dataclass(frozen=True, slots=True, order=True)
class Span:
    """Code points [start, end) of a turn."""

    turn: int
    start: int
    end: int


@dataclass(frozen=True, slots=True)
class Marked:
    """What each rater marked as evidence for one unit; an empty tuple is a rater who says that nothing carries it.

    n_turns   of the dialogue: every turn could have been cited
    """

    unit: str
    dialogue: str
    n_turns: int
    by_rater: Mapping[str, tuple[Span, ...]]


@dataclass(frozen=True, slots=True)
class EvidenceAgreement:
    """Turns first, characters beside them; never characters alone.

    cited           specific agreement on citing a turn: what is read first, since most turns are cited by nobody
    alpha           nominal, over all turns of the dialogue of each unit
    f1_micro/macro  of the characters of each pair of raters on each unit, pooled and as a mean
    left_out        units that only one rater marked
    """

    n_units: int
    n_turns: int
    n_pairs: int
    left_out: int
    raters: tuple[str, ...]
    cited: Coefficient
    alpha: Coefficient
    f1_micro: Coefficient
    f1_macro: Coefficient
    warnings: tuple[str, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "n_units": self.n_units,
            "n_turns": self.n_turns,
            "n_pairs": self.n_pairs,
            "left_out": self.left_out,
            "raters": list(self.raters),
            "turns": {
                "specific_agreement_cited": self.cited.to_json(),
                "alpha_nominal": self.alpha.to_json(),
            },
            "characters": {"f1_micro": self.f1_micro.to_json(), "f1_macro": self.f1_macro.to_json()},
            "warnings": list(self.warnings),
        }


def evidence_agreement(marked: Sequence[Marked], *, seed: int = SEED) -> EvidenceAgreement:
    """Agreement on evidence of units that two raters or more marked.

    raises   ValueError if a span lies outside the turns of its dialogue or ends before it begins
    """
    for one in marked:
        _check(one)
    both = [one for one in marked if len(one.by_rater) > 1]
    raters = tuple(sorted({name for one in both for name in one.by_rater}))
    names, dialogue = codes_by_name([one.dialogue for one in both])
    counts = np.array([row for one in both for row in _turns(one)], dtype=np.float64).reshape(-1, 2)
    clusters = np.repeat(dialogue, [one.n_turns for one in both]).astype(np.intp)
    over = Over((0.0, 1.0), LABELS, len(names), len(raters), seed)
    alpha = krippendorff_alpha(counts, clusters, over, Level.NOMINAL)
    lost, whole, pair_dialogue = _characters(both, dialogue)
    share = np.divide(lost, whole, out=np.zeros(len(lost)), where=whole > 0)
    micro = sum_by(pair_dialogue, np.column_stack([lost, whole]), len(names))
    macro = sum_by(pair_dialogue, np.column_stack([share, np.ones(len(share))]), len(names))
    empty = int(np.count_nonzero(whole == 0))
    total = counts.sum()
    shares = {LABELS[i]: float(counts[:, i].sum() / total) for i in range(2)} if total else {}
    return EvidenceAgreement(
        n_units=len(both),
        n_turns=len(counts),
        n_pairs=len(lost),
        left_out=len(marked) - len(both),
        raters=raters,
        cited=specific_agreement(counts, clusters, over, 1),
        alpha=alpha,
        f1_micro=f1_coefficient("f1_micro", micro, len(lost), empty, seed),
        f1_macro=f1_coefficient("f1_macro", macro, len(lost), 0, seed),
        warnings=skew_warnings(shares, alpha, alpha),
    )


def characters(spans: Sequence[Span]) -> set[tuple[int, int]]:
    """The (turn, place) of every code point that spans cover; what overlaps counts once."""
    return {(span.turn, place) for span in spans for place in range(span.start, span.end)}


def _check(one: Marked) -> None:
    for spans in one.by_rater.values():
        for span in spans:
            if not (0 <= span.turn < one.n_turns and 0 <= span.start <= span.end):
                raise ValueError(
                    f"{one.unit}: a passage lies outside the {one.n_turns} turns of its dialogue"
                )


def _turns(one: Marked) -> list[tuple[int, int]]:
    """For each turn how many raters did not cite it, and how many did."""
    cited = [0] * one.n_turns
    for spans in one.by_rater.values():
        for turn in {span.turn for span in spans}:
            cited[turn] += 1
    return [(len(one.by_rater) - n, n) for n in cited]


def _characters(
    marked: Sequence[Marked], dialogue: np.ndarray[Any, Any]
) -> tuple[np.ndarray[Any, Any], np.ndarray[Any, Any], np.ndarray[Any, Any]]:
    """Of each pair of raters on each unit: characters that only one marked, all that each marked, the dialogue."""
    rows: list[tuple[float, float, int]] = []
    for one, place in zip(marked, dialogue.tolist(), strict=True):
        covered = [characters(one.by_rater[name]) for name in sorted(one.by_rater)]
        rows += [(float(len(a ^ b)), float(len(a) + len(b)), place) for a, b in combinations(covered, 2)]
    found = np.array(rows, dtype=np.float64).reshape(-1, 3)
    return found[:, 0], found[:, 1], found[:, 2].astype(np.intp)
