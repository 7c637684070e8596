"""All coefficients of one field whose answers are one value each, from its matrix of class codes."""

from collections.abc import Callable, Sequence

import numpy as np

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus
from alps_tui.agreement.companions import (
    brennan_prediger_coefficient,
    fleiss_balanced,
    raw_agreement,
    scott_pi,
    specific_agreement,
)
from alps_tui.agreement.field_meta import FieldMeta
from alps_tui.agreement.field_reports import ScaleAgreement, WorstCase
from alps_tui.agreement.intervals import SEED, Floats, class_shares
from alps_tui.agreement.intraclass import intraclass
from alps_tui.agreement.many_raters import Over, gwet_ac, krippendorff_alpha
from alps_tui.agreement.pair_agreement import each_pair, mean_kappa, pair_agreement, too_many
from alps_tui.agreement.ratings import MISSING, Ratings
from alps_tui.agreement.report import skew_warnings
from alps_tui.agreement.worst_case import worst_case
from store.kinds import Level

MOST_CLASSES_TOLD = 20
"""Up to so many classes each has its own agreement; a scale of 0 to 100 has none that a person would read."""

MOST_VALUES = 512
"""Different values up to which classes are counted one by one."""


def over_of(ratings: Ratings, field: FieldMeta, seed: int) -> Over:
    return Over(field.scores, field.labels, len(ratings.dialogues), ratings.n_active, seed)


def scale_agreement(ratings: Ratings, field: FieldMeta, seed: int = SEED) -> ScaleAgreement:
    """Specific agreement first, then raw, alpha, AC1 or AC2, kappa, their companions, ICC, and each pair of raters.

    ratings   codes are places on `field.scale`; "does not apply" is no code
    """
    counts = ratings.counts
    over = over_of(ratings, field, seed)
    shares = class_shares(counts, field.labels)
    alpha = alpha_of(ratings, counts, field, over)
    ac = _of_full_scale(
        field, _ac_name(field), lambda: gwet_ac(counts, ratings.clusters, over, field.weights)
    )
    no_pairs = too_many(ratings)
    each = each_pair(ratings)
    n_ratings = counts.sum(axis=1)
    return ScaleAgreement(
        n_units=int(np.count_nonzero(n_ratings >= 1)),
        n_ratings=int(counts.sum()),
        n_pairable=int(np.count_nonzero(n_ratings >= 2)),
        distribution={label: int(n) for label, n in zip(field.labels, counts.sum(axis=0), strict=True)},
        specific=_specific(ratings, counts, field, over),
        raw_agreement=raw_agreement(counts, ratings.clusters, over),
        alpha=alpha,
        ac=ac,
        mean_kappa=mean_kappa(each, field, over, no_pairs),
        pairs=tuple(pair_agreement(pair, field, over) for pair in each),
        warnings=skew_warnings(shares, alpha, ac),
        companions=_companions(ratings, counts, field, over),
        intraclass=_intraclass(ratings, field, over),
        no_pairs=no_pairs,
    )


def alpha_of(ratings: Ratings, counts: Floats, field: FieldMeta, over: Over) -> Coefficient:
    """Krippendorff's alpha at the field's level."""
    if field.level in (Level.INTERVAL, Level.RATIO) and not field.numeric:
        return Coefficient.undefined(f"alpha_{field.level}", CoefficientStatus.NOT_NUMERIC)
    return krippendorff_alpha(counts, ratings.clusters, over, field.level)


def worst_of(ratings: Ratings, field: FieldMeta, seed: int = SEED) -> WorstCase | None:
    """With every seeded answer as unlike the others as the scale allows; None where nothing is seeded."""
    if not field.closed or not np.any(ratings.seeded & (ratings.codes >= 0)):
        return None
    worst, moved = worst_case(ratings, field.weights)
    counts, over = worst.counts, over_of(worst, field, seed)
    return WorstCase(
        moved,
        raw_agreement(counts, worst.clusters, over),
        alpha_of(worst, counts, field, over),
        gwet_ac(counts, worst.clusters, over, field.weights),
    )


def _ac_name(field: FieldMeta) -> str:
    return "ac2" if field.ordered else "ac1"


def _of_full_scale(field: FieldMeta, name: str, made: Callable[[], Coefficient]) -> Coefficient:
    """A coefficient that counts every class of the scale; undefined where nobody said which there are."""
    return made() if field.closed else Coefficient.undefined(name, CoefficientStatus.OPEN_SCALE)


def _specific(ratings: Ratings, counts: Floats, field: FieldMeta, over: Over) -> dict[str, Coefficient]:
    if len(field.labels) > MOST_CLASSES_TOLD or (not field.closed and field.measured):
        return {}
    return {
        label: specific_agreement(counts, ratings.clusters, over, index)
        for index, label in enumerate(field.labels)
    }


def _companions(ratings: Ratings, counts: Floats, field: FieldMeta, over: Over) -> tuple[Coefficient, ...]:
    """Fleiss' kappa on the balanced part, Brennan and Prediger's, and Scott's pi where there are two raters."""
    found = [
        fleiss_balanced(counts, ratings.clusters, over, field.weights),
        _of_full_scale(
            field,
            "brennan_prediger",
            lambda: brennan_prediger_coefficient(counts, ratings.clusters, over, field.weights),
        ),
    ]
    if over.n_raters == 2:
        both = counts.sum(axis=1) == 2
        found.append(scott_pi(counts[both], ratings.clusters[both], over, field.weights))
    return tuple(found)


def _intraclass(ratings: Ratings, field: FieldMeta, over: Over) -> tuple[Coefficient, ...]:
    if not field.measured:
        return ()
    active = np.any(ratings.codes >= 0, axis=0) if ratings.codes.size else np.zeros(0, dtype=np.bool_)
    values = values_of(ratings, field.scores)[:, active]
    return intraclass(values, ratings.clusters, over.n_clusters, seed=over.seed).each


def values_of(ratings: Ratings, scores: Sequence[float]) -> Floats:
    """Units x raters as numbers, NaN where there is no answer."""
    table = np.append(np.asarray(scores, dtype=np.float64), np.nan)
    values: Floats = table[np.where(ratings.codes == MISSING, len(scores), ratings.codes)]
    return values
