"""Whether two people took the same decision (keep, edit, delete) on the same proposed memories.

Set F1 of the final lists stands in the same block and never alone: beside a shared proposal it is high for two people
who never read.
"""

from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace

import numpy as np

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.detail import FieldDetail
from alps_tui.agreement.field_meta import FieldMeta
from alps_tui.agreement.fields import field_agreement
from alps_tui.agreement.intervals import SEED, Floats, Range, Statistic, class_shares, coefficient
from alps_tui.agreement.many_raters import Over, counts_of, gwet_ac, krippendorff_alpha
from alps_tui.agreement.ratings import (
    Codes,
    Mask,
    Pairs,
    Ratings,
    answered,
    missing_by_status,
    on_scale,
    places_of,
    population,
    rater_pairs,
    side_pairs,
)
from alps_tui.agreement.report import Comparison, DecisionReport, DecisionTable, ListsLeft, skew_warnings
from alps_tui.agreement.sets import FinalList, SetAgreement, set_agreement
from alps_tui.agreement.two_raters import (
    identity_weights,
    kappa,
    percent,
    pooled_kappa,
    specific,
    specific_parts,
    tables,
)
from alps_tui.agreement.worst_case import worst_case
from store.kinds import Attested, Level, Origin, Status
from store.table import Table, memory_sets

FORM = "memory-verification"
VERDICT = "verdict"
DECISIONS = ("keep", "edit", "delete")
IN_DOUBT = "in_doubt"
READ_FIRST = ("delete", "edit", "keep", IN_DOUBT)

BY_SIDE = "every rater of the first side with every rater of the second, in one table"
BY_PAIR = (
    "kappa: mean over pairs of raters, weighted by the pairs' numbers of memories; "
    "cells, raw and specific agreement: all pairs in one table; alpha and AC1: all raters at once"
)

Listed = tuple[str, str]
"""A session and a rater: one final list."""

ListPair = tuple[str, str]
"""Two raters whose final lists are compared."""


@dataclass(frozen=True, slots=True)
class Study:
    """What a comparison is made from: the decisions, and the final lists that belong to them."""

    ratings: Ratings
    lists: Mapping[Listed, FinalList]
    seed: int = SEED


@dataclass(frozen=True, slots=True)
class Design:
    """Who is compared with whom.

    paired    pairs of answers of two raters on one memory
    counts    (u, k) for coefficients of any number of raters, of the dialogues `clusters` (u,)
    members   the raters behind each name of the report
    """

    paired: Pairs
    counts: Floats
    clusters: Codes
    n_raters: int
    lists: tuple[ListPair, ...]
    members: Mapping[str, tuple[str, ...]]


Designer = Callable[[Ratings], Design]


def decision_report(
    table: Table,
    *,
    sides: Mapping[str, str] | None = None,
    lists: Sequence[FinalList] = (),
    seeds: Mapping[str, Sequence[str]] | None = None,
    packetless: Sequence[str] = (),
    seed: int = SEED,
    detail: bool = False,
) -> DecisionReport:
    """Agreement on the decisions of `memory-verification`, from the long table's default population.

    sides        imported rater → side; these are compared by side, all other raters pair by pair
    lists        final lists that the table cannot tell (imported sessions without a packet), or all of them;
                 for every other rater and dialogue the list is what the table's verdicts leave standing
    seeds        dialogue → the values that were proposed there, before anybody touched them
    packetless   imported sessions whose proposals are not in the study
    detail       whether to find the memories behind the numbers and what to do next
    raises       ValueError if one rater decided on a memory twice in the population
    """
    sides, seeds = sides or {}, seeds or {}
    table, kept = population(table)
    rows = table.field(VERDICT)
    decided = answered(rows)
    in_doubt = bool(np.any(places_of(decided, (IN_DOUBT,)) == 0))
    classes = (*DECISIONS, IN_DOUBT) if in_doubt else DECISIONS
    ratings = on_scale(decided, places_of(decided, classes), classes)
    study = Study(ratings, _final_lists(table, lists, seeds), seed)
    others = [name for name in ratings.raters if name not in sides]
    by_side = compare_sides(study, sides)
    everywhere = None
    if by_side is not None and packetless:
        pairs = [
            (a, b) for a in sorted(sides) for b in sorted(sides) if (sides[a], sides[b]) == by_side.between
        ]
        everywhere = lists_agreement(study, pairs, frozenset(), seeded_only=False)
    by_pair = compare_raters(study, others)
    if detail and by_side is not None:
        by_side = replace(
            by_side, detail=_detail(_of_both_sides(rows, sides, by_side.between), classes, seed)
        )
    if detail and by_pair is not None:
        mine = np.isin(rows.column("rater"), others)
        by_pair = replace(by_pair, detail=_detail(rows.where(mine), classes, seed))
    return DecisionReport(
        population=kept,
        classes=classes,
        sides=by_side,
        raters=by_pair,
        packetless=tuple(sorted(packetless)),
        all_lists=everywhere,
        missing=missing_by_status(rows),
        seed=seed,
        rater_made=_added(table),
    )


def _added(table: Table) -> dict[str, int]:
    """How many memories each rater added: they are on no list of proposals, so no coefficient knows them."""
    rows = answered(table.field("memory"))
    added = rows.column("rater")[rows.column("origin") == Origin.RATER].tolist()
    return dict(sorted(Counter(map(str, added)).items()))


def _of_both_sides(rows: Table, sides: Mapping[str, str], between: ListPair) -> Table:
    """The decisions of two sides on what both are known to have decided: the rest is behind no number of theirs."""
    units = rows.column("unit_id")
    of_side = np.array([sides.get(name, "") for name in rows.column("rater").tolist()], dtype=object)
    known = (rows.column("attested") != Attested.SEEDED) & (rows.column("status") == Status.ANSWERED)
    both = set(units[known & (of_side == between[0])]) & set(units[known & (of_side == between[1])])
    return rows.where(
        np.isin(of_side, between) & np.array([unit in both for unit in units.tolist()], dtype=np.bool_)
    )


def _detail(rows: Table, classes: tuple[str, ...], seed: int) -> FieldDetail | None:
    """Who with whom, who decides what, and what to do next, as of every field of a form."""
    found = field_agreement(rows, FieldMeta(VERDICT, Level.NOMINAL, classes, form=FORM), seed, detail=True)
    return None if isinstance(found, str) else found.detail


def _final_lists(
    table: Table, given: Sequence[FinalList], seeds: Mapping[str, Sequence[str]]
) -> dict[Listed, FinalList]:
    """The lists that were given, and for everyone else what the verdicts of the table leave standing."""
    found: dict[Listed, FinalList] = {}
    for one in memory_sets(table):
        values = tuple(str(memory.get("value") or "") for memory in one.memories)
        proposed = seeds.get(one.dialogue_id)
        seed = None if proposed is None else tuple(proposed)
        found[one.dialogue_id, one.rater] = FinalList(one.dialogue_id, one.rater, values, seed)
    return found | {(one.session_id, one.rater): one for one in given}


def compare_sides(study: Study, sides: Mapping[str, str]) -> Comparison | None:
    """Imported double annotations by their side, the side that sorts first in rows; None without two sides."""
    present = sorted({sides[name] for name in study.ratings.raters if name in sides})
    if len(present) < 2:
        return None
    between = (present[0], present[1])
    members = {
        side: tuple(name for name in study.ratings.raters if sides.get(name) == side) for side in between
    }
    lists = tuple((a, b) for a in members[between[0]] for b in members[between[1]])
    study = replace(study, ratings=study.ratings.of(members[between[0]] + members[between[1]]))

    def design(ratings: Ratings) -> Design:
        pairs = side_pairs(ratings, sides, between)
        counts = _pairs_as_units(pairs, len(ratings.labels))
        return Design(pairs, counts, pairs.clusters, 2 if len(pairs) else 0, lists, members)

    return _compare(study, between, BY_SIDE, design, members)


def compare_raters(study: Study, names: Sequence[str]) -> Comparison | None:
    """The named raters: pooled over their pairs, and each pair; None if no two of them met."""
    study = replace(study, ratings=study.ratings.of(names))
    met = rater_pairs(study.ratings).names
    if not met:
        return None
    if len(met) == 1:
        return _compare_met(study, met, "")
    pooled = _compare_met(study, met, BY_PAIR)
    each = (_compare_met(replace(study, ratings=study.ratings.of(pair)), (pair,), "") for pair in met)
    return replace(pooled, pairs=tuple(each))


def untouched_lists(ratings: Ratings) -> frozenset[Listed]:
    """Lists of which every decision is seeded: nothing was changed, and nobody pressed a key."""
    return frozenset(_lists_where(ratings, ratings.seeded))


def _compare_met(study: Study, met: tuple[ListPair, ...], pooled: str) -> Comparison:
    members = {name: (name,) for pair in met for name in pair}

    def design(ratings: Ratings) -> Design:
        return Design(rater_pairs(ratings), ratings.counts, ratings.clusters, ratings.n_active, met, members)

    between = met[0] if len(met) == 1 else ("first of each pair", "second of each pair")
    return _compare(study, between, pooled, design, dict(sorted(members.items())))


def _compare(
    study: Study, between: ListPair, pooled: str, design: Designer, members: Mapping[str, tuple[str, ...]]
) -> Comparison:
    """Without the seeded decisions, and with them; one and the same table where none is seeded."""
    kept = study.ratings.without_seeded()
    with_seeded = _table(study, study.ratings, design(study.ratings), frozenset())
    without = with_seeded
    if kept is not study.ratings:
        without = _table(study, kept, design(kept), untouched_lists(study.ratings))
    left = tuple(_list_state(study.ratings.of(names), name) for name, names in members.items())
    worst = None
    if kept is not study.ratings:
        moved, _ = worst_case(study.ratings, identity_weights(len(study.ratings.labels)))
        worst = _table(replace(study, lists={}), moved, design(moved), frozenset())
    return Comparison(between, pooled, without, with_seeded, left, worst_case=worst)


def _table(study: Study, ratings: Ratings, design: Design, untouched: frozenset[Listed]) -> DecisionTable:
    labels, k, pairs = ratings.labels, len(ratings.labels), design.paired
    n_dialogues, n_units = len(ratings.dialogues), len(np.unique(pairs.units))
    by_dialogue = tables(pairs.first, pairs.second, pairs.clusters, k, n_dialogues)
    shares = class_shares(by_dialogue.sum(axis=(0, 2)) + by_dialogue.sum(axis=(0, 1)), labels)
    over = Over(tuple(map(float, range(k))), labels, n_dialogues, design.n_raters, study.seed)
    alpha = krippendorff_alpha(design.counts, design.clusters, over, Level.NOMINAL)
    ac1 = gwet_ac(design.counts, design.clusters, over, identity_weights(k))

    def of_pairs(
        name: str,
        parts: Floats,
        statistic: Statistic,
        within: Range = Range.SIGNED,
        if_undefined: CoefficientStatus = CoefficientStatus.NO_VARIATION,
    ) -> Coefficient:
        return coefficient(
            name,
            parts,
            statistic,
            n=len(pairs),
            counted="pairs",
            within=within,
            shares=shares,
            if_undefined=if_undefined,
            seed=study.seed,
        )

    def specific_to(label: str) -> Coefficient:
        parts = specific_parts(by_dialogue, labels.index(label))
        return of_pairs(f"specific_{label}", parts, specific, Range.SHARE, CoefficientStatus.CLASS_NEVER_USED)

    kappa_parts, kappa_of = _kappa(pairs, k, n_dialogues)
    return DecisionTable(
        n=len(pairs),
        n_units=n_units,
        sessions=tuple(sorted(ratings.dialogues[code] for code in np.unique(pairs.clusters))),
        left_out=int(np.count_nonzero(np.any(ratings.codes >= 0, axis=1))) - n_units,
        cells=_cells(by_dialogue.sum(axis=0), labels),
        specific={label: specific_to(label) for label in READ_FIRST if label in labels},
        raw_agreement=of_pairs("raw_agreement", by_dialogue, percent(k), Range.SHARE),
        cohen_kappa=of_pairs("cohen_kappa", kappa_parts, kappa_of),
        alpha_nominal=alpha,
        ac1=ac1,
        shares=shares,
        warnings=skew_warnings(shares, alpha, ac1),
        sets=lists_agreement(study, design.lists, untouched, seeded_only=True),
        against_seed={name: _against_seed(study, names, untouched) for name, names in design.members.items()},
    )


def lists_agreement(
    study: Study, pairs: Sequence[ListPair], untouched: frozenset[Listed], *, seeded_only: bool
) -> SetAgreement | None:
    """Set F1 of the raters' final lists, sessions with a known proposal only if `seeded_only`; None if there are none.

    untouched   lists to leave out: a pair goes if one of its lists is among them
    """
    found: list[tuple[FinalList, FinalList]] = []
    sessions = sorted({session for session, _ in study.lists})
    for first, second in pairs:
        both = ((study.lists.get((s, first)), study.lists.get((s, second))) for s in sessions)
        found += [(a, b) for a, b in both if a is not None and b is not None]
    kept = [
        (a, b)
        for a, b in found
        if not (seeded_only and (a.seed is None or b.seed is None))
        and not {(a.session_id, a.rater), (b.session_id, b.rater)} & untouched
    ]
    if not kept:
        return None
    return set_agreement(
        [(a.memories, b.memories) for a, b in kept], [a.session_id for a, _ in kept], seed=study.seed
    )


def _against_seed(study: Study, names: Sequence[str], untouched: frozenset[Listed]) -> SetAgreement:
    """Set F1 of raters' final lists against the proposals as they were before anybody touched them."""
    pairs: list[tuple[Sequence[str], Sequence[str]]] = []
    sessions: list[str] = []
    for key in sorted(study.lists):
        mine = study.lists[key]
        if mine.rater in names and mine.seed is not None and key not in untouched:
            pairs.append((mine.memories, mine.seed))
            sessions.append(mine.session_id)
    return set_agreement(pairs, sessions, seed=study.seed)


def _kappa(pairs: Pairs, k: int, n_dialogues: int) -> tuple[Floats, Statistic]:
    """Cohen's kappa of one pair, or the weighted mean over several; parts per dialogue and the statistic of their sum."""
    weights = identity_weights(k)
    if len(pairs.names) < 2:
        return tables(pairs.first, pairs.second, pairs.clusters, k, n_dialogues), kappa(weights)
    each = [pairs.only(index) for index in range(len(pairs.names))]
    parts = np.stack([tables(p.first, p.second, p.clusters, k, n_dialogues) for p in each], axis=1)
    return parts, pooled_kappa(weights)


def _pairs_as_units(pairs: Pairs, k: int) -> Floats:
    """Each pair of answers as a unit of two ratings: counts (n, k)."""
    n = len(pairs)
    place = np.arange(n, dtype=np.intp)
    return counts_of(place, pairs.first, n, k) + counts_of(place, pairs.second, n, k)


def _cells(table: Floats, labels: tuple[str, ...]) -> dict[str, int]:
    return {
        f"{row}-{column}": int(table[i, j]) for i, row in enumerate(labels) for j, column in enumerate(labels)
    }


def _lists_where(ratings: Ratings, holds: Mask) -> list[Listed]:
    """Lists with at least one decision, of which `holds` (u, r) is true of every one."""
    answered = ratings.codes >= 0
    shape = (len(ratings.dialogues), len(ratings.raters))
    all_of, those = np.zeros(shape, dtype=np.int64), np.zeros(shape, dtype=np.int64)
    np.add.at(all_of, ratings.clusters, answered)
    np.add.at(those, ratings.clusters, answered & holds)
    places = np.argwhere((all_of > 0) & (all_of == those))
    return sorted((ratings.dialogues[d], ratings.raters[r]) for d, r in places)


def _list_state(ratings: Ratings, name: str) -> ListsLeft:
    everything = np.ones(ratings.codes.shape, dtype=np.bool_)
    return ListsLeft(
        name=name,
        lists=len(_lists_where(ratings, everything)),
        untouched=len(_lists_where(ratings, ratings.seeded)),
        all_kept=len(_lists_where(ratings, ratings.codes == ratings.labels.index("keep"))),
        seeded_keeps=int(np.count_nonzero(ratings.seeded & (ratings.codes >= 0))),
    )
