"""Gold labels with where each comes from: majority, weighted by a model of annotators, adjudicated; distributions."""

import dataclasses
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

import numpy as np

from alps_tui.agreement.competence import CompetenceReport
from alps_tui.agreement.intervals import Floats
from alps_tui.agreement.panel import Panel
from store.kinds import Level

FAR_APART = 2
"""So many steps of an ordered scale between two blind answers go to an adjudicator, whatever the majority."""


class Rule(StrEnum):
    """How gold is decided."""

    MAJORITY = "majority"
    WEIGHTED = "weighted"
    ADJUDICATED = "adjudicated"
    DISTRIBUTION = "distribution"


class Decided(StrEnum):
    """What decided one unit, or why nothing did."""

    UNANIMOUS = "unanimous"
    MAJORITY = "majority"
    MODEL = "posterior of the model"
    KNOWN = "known gold"
    ADJUDICATOR = "adjudicator"
    SINGLE = "single answer"
    TIE = "tie"
    TOO_FAR_APART = "too far apart"
    NOBODY = "nobody answered"
    UNDECIDED = "adjudicators disagree"


Decision = tuple[int | None, Decided, float | None]
"""The class, what decided it, and its support."""


@dataclass(frozen=True, slots=True)
class Gold:
    """The gold of one unit.

    label         None where nothing decided: `decided` says why, and what is needed
    support       share of the answers (majority) or the posterior (model) that stands for the label
    said          who said what, before adjudication; adjudicators' own answers stand in `adjudicated`
    distribution  share of each class among the answers: the target of a subjective field
    prefilled     what the form started on for whom, and nobody is known to have looked at: it decided nothing
    """

    unit: str
    field: str
    label: str | None
    rule: Rule
    decided: Decided
    support: float | None
    said: Mapping[str, str]
    adjudicated: Mapping[str, str]
    distribution: Mapping[str, float]
    prefilled: Mapping[str, str] = dataclasses.field(default_factory=dict)

    def to_json(self) -> dict[str, Any]:
        return {
            "unit_id": self.unit,
            "field": self.field,
            "gold": self.label,
            "rule": str(self.rule),
            "decided_by": str(self.decided),
            "support": self.support,
            "said": dict(self.said),
            "adjudicated": dict(self.adjudicated),
            "distribution": dict(self.distribution),
            "prefilled": dict(self.prefilled),
        }


def majority_gold(panel: Panel) -> tuple[Gold, ...]:
    """More answers than any other class has; a tie and a single answer decide nothing."""
    return tuple(
        _gold(panel, place, Rule.MAJORITY, *_majority(counts)) for place, counts in enumerate(panel.counts)
    )


def weighted_gold(panel: Panel, report: CompetenceReport) -> tuple[Gold, ...]:
    """The class with the largest posterior under a fitted model of annotators.

    raises   ValueError if the model was refused: its reason
    """
    if report.fit is None or report.votes is None:
        raise ValueError(report.reason)
    posterior = report.fit.of_items(report.votes)
    known = report.votes.known[report.votes.kind] >= 0
    found = []
    for place, row in enumerate(posterior):
        if not (panel.codes[place] >= 0).any() and not known[place]:
            found.append(_gold(panel, place, Rule.WEIGHTED, None, Decided.NOBODY, None))
            continue
        top = int(row.argmax())
        even = bool(np.isclose(np.delete(row, top), row[top], atol=1e-9, rtol=0).any())
        decided = Decided.KNOWN if known[place] else Decided.TIE if even else Decided.MODEL
        label = None if even else top
        found.append(_gold(panel, place, Rule.WEIGHTED, label, decided, float(row[top])))
    return tuple(found)


def adjudicated_gold(panel: Panel, adjudicators: Panel) -> tuple[Gold, ...]:
    """Two blind answers that agree are gold, a third decides by majority; an adjudicator's answer stands over both.

    On an ordered scale, blind answers two steps apart or more wait for the adjudicator. Blind answers are never
    changed: what adjudicators (their own panel, on the same scale) said is kept beside them.
    """
    theirs = {unit: adjudicators.codes[place] for place, unit in enumerate(adjudicators.units)}
    found = []
    for place, counts in enumerate(panel.counts):
        row = theirs.get(panel.units[place])
        said = [] if row is None else sorted({int(code) for code in row if code >= 0})
        over = (
            {}
            if row is None
            else {
                name: panel.labels[code]
                for name, code in zip(adjudicators.raters, row, strict=True)
                if code >= 0
            }
        )
        if len(said) == 1:
            support = float(counts[said[0]] / counts.sum()) if counts.sum() else None
            one: Decision = (said[0], Decided.ADJUDICATOR, support)
        elif said:
            one = (None, Decided.UNDECIDED, None)
        elif panel.level is not Level.NOMINAL and _spread(counts) >= FAR_APART:
            one = (None, Decided.TOO_FAR_APART, None)
        else:
            one = _majority(counts)
        found.append(_gold(panel, place, Rule.ADJUDICATED, *one, adjudicated=over))
    return tuple(found)


def distributions(panel: Panel) -> tuple[Gold, ...]:
    """For a subjective field: the answers as they are spread, and no label forced on them."""
    return tuple(
        _gold(
            panel,
            place,
            Rule.DISTRIBUTION,
            None,
            _majority(counts)[1],
            None,
        )
        for place, counts in enumerate(panel.counts)
    )


def with_prefilled(gold: tuple[Gold, ...], prefilled: Panel) -> tuple[Gold, ...]:
    """The same, each unit with what was prefilled beside what decided it."""
    beside = {unit: dict(_said(prefilled, place)) for place, unit in enumerate(prefilled.units)}
    return tuple(replace(one, prefilled=beside.get(one.unit, {})) for one in gold)


def summary(gold: tuple[Gold, ...]) -> dict[str, int]:
    """How many units each way of deciding decided, or left open, in the order of `Decided`."""
    return {str(way): n for way in Decided if (n := sum(one.decided is way for one in gold))}


def _majority(counts: Floats) -> Decision:
    total, most = float(counts.sum()), float(counts.max(initial=0.0))
    if total == 0:
        return None, Decided.NOBODY, None
    if total == 1:
        return None, Decided.SINGLE, None
    if (counts == most).sum() > 1:
        return None, Decided.TIE, most / total
    return int(counts.argmax()), Decided.UNANIMOUS if most == total else Decided.MAJORITY, most / total


def _spread(counts: Floats) -> int:
    used = np.flatnonzero(counts > 0)
    return int(used[-1] - used[0]) if len(used) else 0


def _gold(
    panel: Panel,
    place: int,
    rule: Rule,
    label: int | None,
    decided: Decided,
    support: float | None,
    *,
    adjudicated: Mapping[str, str] | None = None,
) -> Gold:
    counts = panel.counts_of_unit(place)
    total = counts.sum()
    shares = {name: float(n / total) for name, n in zip(panel.labels, counts, strict=True) if total and n}
    return Gold(
        panel.units[place],
        panel.field,
        None if label is None else panel.labels[label],
        rule,
        decided,
        support,
        dict(_said(panel, place)),
        adjudicated or {},
        shares,
    )


def _said(panel: Panel, place: int) -> Iterator[tuple[str, str]]:
    for name, code in zip(panel.raters, panel.codes[place].tolist(), strict=True):
        if code >= 0:
            yield name, panel.labels[code]
