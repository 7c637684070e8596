"""The judge card: how far a judge is from the people who answered the same form, and how far each of them is.

A judge is a rater, so anybody can be held up as one: an LLM, the offline baseline, an imported judge, a person.
"""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

import numpy as np

from alps_tui.agreement.coefficient import Coefficient
from alps_tui.agreement.intervals import SEED
from alps_tui.judging.against_people import (
    Distance,
    LeftOut,
    Scores,
    against_each,
    against_mean,
    exact,
    leave_one_out,
    pooled,
    within_one_of_each,
)
from alps_tui.judging.baseline import HONEST
from store.content_records import Json
from store.encoding import canonical
from store.kinds import Attested, Level, RaterKind, Status
from store.records import FieldScale
from store.table import Table, default_population

NOT_REACHED = "not_reached"
"""The judge has no row at all for a unit that people answered."""

CLOSED_KINDS = frozenset({"choice", "scale", "number"})


@dataclass(frozen=True, slots=True)
class NaConfusion:
    """Judge-person pairs by whether each said that the field does not apply; such pairs enter no coefficient."""

    both_score: int
    both_na: int
    judge_na: int
    person_na: int

    def to_json(self) -> dict[str, int]:
        return {
            "both_score": self.both_score,
            "both_na": self.both_na,
            "judge_na_person_score": self.judge_na,
            "judge_score_person_na": self.person_na,
        }


@dataclass(frozen=True, slots=True)
class FieldCard:
    """One field of the form; the words of an ordinal scale count as their places from 1.

    n_units        units that the judge and at least one person scored; n_pairs judge-person pairs on them
    unscored       units without an answer of the judge that a person answered: by status
    reasons        the judge's own words for these
    without_person units that the judge scored and no person did: in no number here
    against        person -> the judge's kappa with that person
    """

    key: str
    level: str | None
    scale: tuple[Json, ...]
    n_units: int
    n_pairs: int
    n_dialogues: int
    unscored: Mapping[str, int]
    reasons: Mapping[str, int]
    without_person: int
    na: NaConfusion
    mean: Distance
    within_one: Coefficient
    exact: Coefficient
    pooled: Coefficient
    against: Mapping[str, Coefficient]
    left_out: tuple[LeftOut, ...]

    def to_json(self, people: Sequence[str]) -> dict[str, Json]:
        return {
            "field": self.key,
            "level": self.level,
            "scale": list(self.scale),
            "n_units": self.n_units,
            "n_pairs": self.n_pairs,
            "n_dialogues": self.n_dialogues,
            "n_unscored": sum(self.unscored.values()),
            "unscored": dict(self.unscored),
            "unscored_reasons": dict(self.reasons),
            "units_without_person": self.without_person,
            "not_applicable": self.na.to_json(),
            "bias": self.mean.bias.to_json(),
            "mae": self.mean.mae.to_json(),
            "within_one_of_mean": self.mean.within_one.to_json(),
            "concordance_with_mean": self.mean.concordance.to_json(),
            "within_one": self.within_one.to_json(),
            "exact": self.exact.to_json(),
            "kappa": self.pooled.to_json(),
            "kappa_with": {name: value.to_json() for name, value in self.against.items()},
            "leave_one_out": [_left_out_json(left, people) for left in self.left_out],
        }


@dataclass(frozen=True, slots=True)
class JudgeCard:
    """A judge held against people, field by field.

    title         one line; for the baseline it says that it is one
    reference     what the judge is held against
    fields        in the order of the form
    passed_over   fields that a card has no number for (open text, spans, lists), with the reason
    population    what of the table was left out, by reason
    """

    judge: str
    judge_kind: str
    title: str
    people: tuple[str, ...]
    reference: str
    protocols: tuple[str, ...]
    fields: tuple[FieldCard, ...]
    passed_over: Mapping[str, str] = field(default_factory=dict)
    population: Mapping[str, int] = field(default_factory=dict)
    seed: int = SEED

    def to_json(self) -> dict[str, Json]:
        return {
            "judge": self.judge,
            "judge_kind": self.judge_kind,
            "title": self.title,
            "people": list(self.people),
            "reference": self.reference,
            "protocols": list(self.protocols),
            "seed": self.seed,
            "left_out_of_population": dict(self.population),
            "fields": [each.to_json(self.people) for each in self.fields],
            "passed_over": dict(self.passed_over),
        }


class NoCard(Exception):
    """There is nothing to make a card from: `str(error)` says what is missing and what to do."""


def judge_card(table: Table, judge: str, fields: Iterable[FieldScale], *, seed: int = SEED) -> JudgeCard:
    """Hold a rater against the people of the default population, on each field with a closed scale.

    table     the long table with the judge's rows in it
    fields    of one form (`Protocol.to_version().fields`)
    The judge's rows are chosen by the rule for people: blind, core, first occasion, newest protocol. If the judge
    is a person, the others are the people. Seeded answers are left out of both and counted.

    raises    NoCard if the judge has no such row, or there is nobody else
    """
    names = table.column("rater")
    rows, left_out = default_population(_counted_as_human(table, judge))
    seeded = rows.column("attested") == Attested.SEEDED
    if seeded.any():
        rows, left_out = rows.where(~seeded), left_out | {"seeded": int(seeded.sum())}
    mine = rows.where(rows.column("rater") == judge)
    theirs = rows.where(rows.column("rater") != judge)
    people = tuple(sorted(set(theirs.column("rater").tolist())))
    if not len(mine):
        raise NoCard(f"{judge} has no blind first answers. Let it answer: alps judge run --offline")
    if not people:
        raise NoCard(
            f"There are no people's answers to hold {judge} against. Let somebody rate: alps annotate"
        )
    kind = str(table.column("rater_kind")[names == judge][0])
    cards, passed_over = [], {}
    for each in fields:
        if each.scale is None or each.kind not in CLOSED_KINDS:
            passed_over[each.key] = f"{each.kind}: no closed scale to hold a judge to"
        else:
            cards.append(_field_card(mine.field(each.key), theirs.field(each.key), people, each, seed))
    return JudgeCard(
        judge=judge,
        judge_kind=kind,
        title=f"{judge} · {HONEST}" if kind == RaterKind.BASELINE else f"{judge} · {kind}",
        people=people,
        reference=_reference(people),
        protocols=tuple(sorted(set(rows.column("protocol").tolist()))),
        fields=tuple(cards),
        passed_over=passed_over,
        population=left_out,
        seed=seed,
    )


def _counted_as_human(table: Table, judge: str) -> Table:
    """The table with the judge's rows as a person's, so that one rule chooses its rows and theirs."""
    kinds = table.column("rater_kind").copy()
    kinds[table.column("rater") == judge] = RaterKind.HUMAN.value
    return Table({**table.columns, "rater_kind": kinds})


def _reference(people: Sequence[str]) -> str:
    if len(people) == 1:
        return f"the answers of one person, {people[0]}: not a truth, and nothing shows how well they would agree"
    return (
        f"this panel's mean, {len(people)} people, on each unit the mean of those who scored it: not a truth"
    )


@dataclass(frozen=True, slots=True)
class _Cells:
    """One rater's cells of a field by unit: class code (-1: none), whether "does not apply", status, reason."""

    codes: Mapping[str, int]
    na: frozenset[str]
    statuses: Mapping[str, str]
    reasons: Mapping[str, str | None]


def _field_card(mine: Table, theirs: Table, people: Sequence[str], field: FieldScale, seed: int) -> FieldCard:
    judge = _cells(mine, field)
    panel = [_cells(theirs.where(theirs.column("rater") == name), field) for name in people]
    dialogues = dict(zip(mine.column("unit_id"), mine.column("dialogue_id"), strict=True))
    dialogues |= dict(zip(theirs.column("unit_id"), theirs.column("dialogue_id"), strict=True))
    scores = _scores(judge, panel, dialogues, field, seed)
    paired = (scores.judge >= 0)[:, None] & (scores.people >= 0)
    units = paired.any(axis=1)
    unscored, reasons = _unscored(judge, panel)
    return FieldCard(
        key=field.key,
        level=field.level,
        scale=field.scale or (),
        n_units=int(units.sum()),
        n_pairs=int(paired.sum()),
        n_dialogues=len(np.unique(scores.clusters[units])),
        unscored=unscored,
        reasons=reasons,
        without_person=int(((scores.judge >= 0) & ~units).sum()),
        na=_na_confusion(judge, panel),
        mean=against_mean(scores),
        within_one=within_one_of_each(scores),
        exact=exact(scores),
        pooled=pooled(scores),
        against=dict(zip(people, against_each(scores), strict=True)),
        left_out=leave_one_out(scores),
    )


def _cells(rows: Table, field: FieldScale) -> _Cells:
    """An answer that is none of the scale's values is "does not apply": no number, and no missing answer either."""
    places = {canonical(value): place for place, value in enumerate(field.scale or ())}
    codes: dict[str, int] = {}
    na: set[str] = set()
    statuses, reasons = {}, {}
    columns = (rows.column(name) for name in ("unit_id", "status", "skip_reason"))
    for unit, status, reason, value in zip(*columns, rows.parsed(), strict=True):
        statuses[unit], reasons[unit] = str(status), reason
        if status == Status.ANSWERED:
            place = places.get(canonical(_whole(value)), -1)
            codes[unit] = place
            if place < 0:
                na.add(unit)
    return _Cells(codes, frozenset(na), statuses, reasons)


def _whole(value: Json) -> Json:
    """3.0 as 3: a table that went through a spreadsheet says it so."""
    return int(value) if isinstance(value, float) and value.is_integer() else value


def _scores(
    judge: _Cells, panel: Sequence[_Cells], dialogues: Mapping[str, str], field: FieldScale, seed: int
) -> Scores:
    units = sorted(unit for unit in dialogues if any(unit in cells.codes for cells in (judge, *panel)))
    names = sorted({dialogues[unit] for unit in units})
    place = {name: code for code, name in enumerate(names)}

    def column(cells: _Cells) -> list[int]:
        return [cells.codes.get(unit, -1) for unit in units]

    return Scores(
        judge=np.array(column(judge), dtype=np.intp),
        people=np.array([column(cells) for cells in panel], dtype=np.intp).reshape(len(panel), -1).T,
        clusters=np.array([place[dialogues[unit]] for unit in units], dtype=np.intp),
        n_clusters=len(names),
        scale=_numbers(field),
        labels=tuple(str(value) for value in field.scale or ()),
        seed=seed,
    )


def _numbers(field: FieldScale) -> tuple[float, ...] | None:
    """The scale's own numbers, the places of its words from 1 where they have an order, None where they have not."""
    values = field.scale or ()
    if field.level in (None, Level.NOMINAL):
        return None
    if all(isinstance(value, int | float) and not isinstance(value, bool) for value in values):
        return tuple(float(value) for value in values)
    return tuple(float(place) for place in range(1, len(values) + 1))


def _unscored(judge: _Cells, panel: Sequence[_Cells]) -> tuple[dict[str, int], dict[str, int]]:
    """Of the units that a person answered, those that the judge did not: by status, and by its reasons."""
    asked = set().union(*(cells.codes for cells in panel))
    silent = sorted(asked - set(judge.codes))
    statuses = Counter(judge.statuses.get(unit, NOT_REACHED) for unit in silent)
    reasons = Counter(reason for unit in silent if (reason := judge.reasons.get(unit)))
    return dict(sorted(statuses.items())), dict(sorted(reasons.items()))


def _na_confusion(judge: _Cells, panel: Sequence[_Cells]) -> NaConfusion:
    counts = Counter(
        (unit in judge.na, unit in cells.na) for cells in panel for unit in cells.codes if unit in judge.codes
    )
    return NaConfusion(
        both_score=counts[False, False],
        both_na=counts[True, True],
        judge_na=counts[True, False],
        person_na=counts[False, True],
    )


def _left_out_json(left: LeftOut, people: Sequence[str]) -> dict[str, Json]:
    return {
        "left_out": None if left.person is None else people[left.person],
        "human": _distance_json(left.human),
        "judge": _distance_json(left.judge),
        "mae_difference": left.difference.to_json(),
    }


def _distance_json(distance: Distance) -> dict[str, Json]:
    return {
        "bias": distance.bias.to_json(),
        "mae": distance.mae.to_json(),
        "within_one": distance.within_one.to_json(),
        "concordance": distance.concordance.to_json(),
    }
