"""All coefficients of one field whose answers are sets of options: MASI alpha, exact equality, each option by itself."""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.companions import raw_agreement
from alps_tui.agreement.field_meta import FieldMeta, Json, label_of
from alps_tui.agreement.field_reports import PairAgreement, ScaleAgreement, WorstCase
from alps_tui.agreement.intervals import SEED
from alps_tui.agreement.many_raters import Over
from alps_tui.agreement.pair_agreement import each_pair, raw_of_pair, too_many
from alps_tui.agreement.ratings import MISSING, Codes, Mask, Pairs, Ratings
from alps_tui.agreement.set_valued import (
    MOST_SETS,
    Chosen,
    alpha_masi,
    masi_distances,
    option_agreement,
)
from alps_tui.agreement.worst_case import worst_case
from store.table import Table


def sets_given(rows: Table, field: FieldMeta) -> tuple[Codes, tuple[Chosen, ...]]:
    """Code of each answered row among the different sets, MISSING for one that names what is no option.

    A bare value counts as the set of it alone; the sets stand in the order of the options they hold.
    """
    known = {(isinstance(v, bool), v): place for place, v in enumerate(field.scale)}
    chosen: list[frozenset[int] | None] = []
    for value in rows.parsed():
        named = value if isinstance(value, list) else [value]
        places = [_place(known, one) for one in named]
        chosen.append(None if None in places else frozenset(place for place in places if place is not None))
    different = sorted({one for one in chosen if one is not None}, key=sorted)
    code = {one: place for place, one in enumerate(different)}
    codes = np.array([MISSING if one is None else code[one] for one in chosen], dtype=np.intp)
    return codes, tuple(frozenset(field.scale[place] for place in one) for one in different)


def _place(known: dict[tuple[bool, Json], int], value: Json) -> int | None:
    plain = isinstance(value, str | int | float)
    return known.get((isinstance(value, bool), value)) if plain else None


def label_of_set(chosen: Chosen, field: FieldMeta) -> str:
    """`wording + scope`, in the order of the form; `(none)` for the empty set."""
    return " + ".join(label_of(value) for value in field.scale if value in chosen) or "(none)"


def set_agreement_of(
    ratings: Ratings, sets: Sequence[Chosen], field: FieldMeta, seed: int = SEED
) -> ScaleAgreement:
    """Agreement on each option first, then equal sets, then alpha with MASI distances.

    ratings   codes are places in `sets`
    """
    counts = ratings.counts
    over = _over(ratings, seed)
    given = counts.sum(axis=0)
    per_unit = counts.sum(axis=1)
    no_pairs = too_many(ratings)
    undefined = {
        name: Coefficient.undefined(name, CoefficientStatus.NOT_OF_SETS) for name in ("ac1", "cohen_kappa")
    }
    return ScaleAgreement(
        n_units=int(np.count_nonzero(per_unit >= 1)),
        n_ratings=int(counts.sum()),
        n_pairable=int(np.count_nonzero(per_unit >= 2)),
        distribution={
            label_of(option): int(sum(n for n, one in zip(given, sets, strict=True) if option in one))
            for option in field.scale
        },
        specific={
            label_of(option): option_agreement(counts, ratings.clusters, over, sets, option, label_of(option))
            for option in field.scale
        },
        raw_agreement=raw_agreement(counts, ratings.clusters, over),
        alpha=alpha_masi(counts, ratings.clusters, over, sets),
        ac=undefined["ac1"],
        mean_kappa=undefined["cohen_kappa"],
        pairs=tuple(_pair(ratings, pair, sets, field, over) for pair in each_pair(ratings)),
        warnings=(),
        no_pairs=no_pairs,
    )


def _over(ratings: Ratings, seed: int) -> Over:
    places = tuple(float(place) for place in range(len(ratings.labels)))
    return Over(places, ratings.labels, len(ratings.dialogues), ratings.n_active, seed)


def _pair(
    ratings: Ratings, pair: Pairs, sets: Sequence[Chosen], field: FieldMeta, over: Over
) -> PairAgreement:
    (names,) = pair.names
    both = ratings.of(names)
    everyone: Mask = np.all(both.codes >= 0, axis=1, keepdims=True)
    met = replace(both, codes=np.where(everyone, both.codes, MISSING))
    coded = replace(field, scale=tuple(ratings.labels))
    alpha = alpha_masi(met.counts, met.clusters, replace(over, n_raters=2), sets)
    difference = Coefficient.undefined("mean_signed_difference", CoefficientStatus.NOT_OF_SETS, n=len(pair))
    return PairAgreement(*names, len(pair), alpha, raw_of_pair(pair, coded, over), difference)


def worst_of_sets(
    ratings: Ratings, sets: Sequence[Chosen], field: FieldMeta, seed: int = SEED
) -> WorstCase | None:
    """With every seeded set as unlike the others as the options allow: all other options, or none at all."""
    if not np.any(ratings.seeded & (ratings.codes >= 0)) or len(sets) > MOST_SETS // 2:
        return None
    everything = frozenset(field.scale)
    extra = dict.fromkeys([frozenset[Json](), *(everything - one for one in sets)])
    wider = (*sets, *(one for one in extra if one not in set(sets)))
    labels = tuple(label_of_set(one, field) for one in wider)
    worst, moved = worst_case(replace(ratings, labels=labels), masi_distances(wider))
    counts, over = worst.counts, _over(worst, seed)
    return WorstCase(
        moved,
        raw_agreement(counts, worst.clusters, over),
        alpha_masi(counts, worst.clusters, over, wider),
        Coefficient.undefined("ac1", CoefficientStatus.NOT_OF_SETS),
    )
