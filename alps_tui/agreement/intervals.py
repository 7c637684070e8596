"""Intervals by dialogue, for every coefficient that is one minus observed over expected disagreement.

A coefficient is given as additive parts (one array per dialogue) and a function of their sum. Leaving a dialogue
out and drawing dialogues again are then sums over parts, never a second pass over ratings.
"""

from collections import Counter
from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

import numpy as np
from numpy.typing import NDArray
from scipy.special import stdtrit

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus, Interval, Method, NoInterval

Floats = NDArray[np.float64]

REPLICATES = 2_000
SEED = 20_260_626
LEVEL = 0.95
FEW_DIALOGUES = 60
RARE_CLASS = 0.15
MANY_UNDEFINED = 0.05
CHUNK_CELLS = 4_000_000
MANY_GROUPS = 8
DRAWN_AT_ONCE = 200_000
ONE_THREAD, FEWEST_ROWS = 250_000, 16
TOUCHES_ONE = 1 - 1e-12
BOUNDS = (0.667, 0.8)
NO_REPLICATES = "The interval draws no replicates, so no share of them lies below a bound."


@dataclass(frozen=True, slots=True)
class Quotient:
    """Observed and expected disagreement as rates, shape (r,) each, for r sums of parts.

    Rates are scaled so that the worst possible disagreement of one pair counts 1. `expected` 0 or NaN: undefined.
    """

    observed: Floats
    expected: Floats

    def value(self) -> Floats:
        """1 - observed / expected, NaN where undefined (inside this room only)."""
        defined = self.expected > 0
        out = np.full(self.observed.shape, np.nan)
        np.divide(self.observed, self.expected, out=out, where=defined)
        return 1 - out


Statistic = Callable[[Floats], Quotient]
"""Sums of parts, shape (r, ...), to r quotients."""


class Range(Enum):
    """Where values can lie: picks the transformation under which the jackknife is symmetric."""

    SIGNED = (-1.0, 1.0)
    SHARE = (0.0, 1.0)


@dataclass(frozen=True, slots=True)
class Groups:
    """Dialogues with equal parts are one group: `sizes` dialogues of each, parts of one of them.

    Sorted by content, so that neither the order nor the names of dialogues can change an interval.
    """

    parts: Floats
    sizes: NDArray[np.int64]

    @property
    def n(self) -> int:
        return int(self.sizes.sum())


def grouped(parts: Floats, sizes: NDArray[np.int64] | None = None) -> Groups:
    """Parts per dialogue, shape (c, ...), to groups; dialogues whose parts are all zero say nothing and go.

    sizes   (c,) how many dialogues have each of these parts; None: one each
    """
    flat = _flat(parts)
    says = np.any(flat != 0, axis=1)
    flat = flat[says] + 0.0
    # Equal rows are equal bytes: counting those is several times faster than sorting all rows to find them.
    row_bytes = np.dtype((np.void, flat.itemsize * flat.shape[1]))
    rows: list[Any] = np.ascontiguousarray(flat).view(row_bytes).ravel().tolist()
    counted = Counter(rows)
    if sizes is not None:
        counted = Counter(dict.fromkeys(counted, 0))
        for row, size in zip(rows, sizes[says].tolist(), strict=True):
            counted[row] += size
    unique = np.frombuffer(b"".join(counted), dtype=np.float64).reshape(-1, flat.shape[1])
    order = np.lexsort(unique.T[::-1])
    of_each = np.fromiter(counted.values(), dtype=np.int64, count=len(counted))
    return Groups(unique[order].reshape(-1, *parts.shape[1:]), of_each[order])


def sum_by(codes: NDArray[np.intp], values: Floats, n: int) -> Floats:
    """Sums of `values`, shape (u, ...), over equal codes (u,): shape (n, ...)."""
    flat = _flat(values)
    out = np.empty((n, flat.shape[1]))
    for column in range(flat.shape[1]):
        out[:, column] = np.bincount(codes, weights=flat[:, column], minlength=n)
    return out.reshape(n, *values.shape[1:])


def _flat(values: Floats) -> Floats:
    """One row for each first index, also where there is none."""
    return values.reshape(len(values), int(np.prod(values.shape[1:], dtype=np.int64)))


def jackknife_reason(n_clusters: int, shares: Mapping[str, float]) -> str | None:
    """Why the jackknife is used instead of the bootstrap, or None.

    shares   of each class among the ratings; a class that nobody used does not count
    Source: measured coverage of percentile bootstrap and jackknife with Fisher z: the former falls to .83 under
    60 units or with a class under 15 %.
    """
    if n_clusters < FEW_DIALOGUES:
        return f"{n_clusters} dialogues, fewer than {FEW_DIALOGUES}"
    used = {name: share for name, share in shares.items() if share > 0}
    rare = min(used, key=lambda name: used[name]) if len(used) > 1 else None
    if rare is not None and used[rare] < RARE_CLASS:
        return f'"{rare}" is {100 * used[rare]:.1f} % of the answers, under {100 * RARE_CLASS:.0f} %'
    return None


def coefficient(
    name: str,
    parts: Floats,
    statistic: Statistic,
    *,
    n: int,
    counted: str = "units",
    left_out: int = 0,
    within: Range = Range.SIGNED,
    shares: Mapping[str, float] | None = None,
    if_undefined: CoefficientStatus = CoefficientStatus.NO_VARIATION,
    seed: int = SEED,
    value: float | None = None,
    note: str = "",
    sizes: NDArray[np.int64] | None = None,
    edge: bool = True,
) -> Coefficient:
    """The coefficient of all dialogues together and its interval.

    parts     additive parts per dialogue, shape (c, ...)
    sizes     (c,) how many dialogues have each of these parts; None: one each
    n         units or pairs it rests on; 0 gives "no unit was answered by two raters"
    value     the point value, where another implementation supplies it; else from the statistic
    edge      whether `observed` is a rate, to which the rule of three applies where it is 0 (correlations: no)
    """
    if n == 0:
        return Coefficient.undefined(
            name, CoefficientStatus.NO_PAIRABLE_UNITS, counted=counted, left_out=left_out
        )
    groups = grouped(parts, sizes)
    whole = statistic(_total(groups)[None])
    own = float(whole.value()[0])
    if not np.isfinite(own):
        return Coefficient.undefined(name, if_undefined, n=n, counted=counted, left_out=left_out)
    point = own if value is None else value
    bound = _at_the_edge(whole, within, groups.n) if edge else None
    interval = bound or _interval(groups, statistic, whole, within, shares or {}, seed)
    if isinstance(interval, Interval):
        alone = groups.n in (n, n + left_out)
        interval = _named(interval, alone=alone, of_alpha=name.startswith("alpha"))
    return Coefficient(name, point, CoefficientStatus.OK, "", n, counted, groups.n, left_out, interval, note)


def mean_coefficient(
    name: str, sums: Floats, counts: Floats, *, counted: str = "pairs", seed: int = SEED
) -> Coefficient:
    """A mean over pairs that may lie anywhere (signed difference, absolute error), interval by dialogue.

    sums, counts   per dialogue, shape (c,): sum of the values and how many; jackknife of the ratio with t under
                   60 dialogues, cluster bootstrap above
    """
    n = int(counts.sum())
    if n == 0:
        return Coefficient.undefined(name, CoefficientStatus.NO_PAIRABLE_UNITS, counted=counted)
    used = counts > 0
    groups = grouped(np.column_stack([counts[used], sums[used]]))

    def ratio(total: Floats) -> Floats:
        return np.asarray(total[:, 1] / total[:, 0], dtype=np.float64)

    point = float(ratio(_total(groups)[None])[0])
    why = jackknife_reason(groups.n, {})
    if groups.n < 2:
        interval: Interval | NoInterval = NoInterval(ONE_DIALOGUE)
    elif why is not None:
        interval = _spread(point, ratio(_left_out_sums(groups)), groups, Method.JACKKNIFE_T, why, None)
    else:
        interval = _percentiles(_replicated(groups, ratio, seed), groups.n, f"{groups.n} dialogues", seed)
        if isinstance(interval, Interval):
            interval = _named(interval, alone=groups.n == n, of_alpha=False)
    return Coefficient(name, point, CoefficientStatus.OK, "", n, counted, groups.n, 0, interval)


ONE_DIALOGUE = "All of it comes from one dialogue: how it varies between dialogues cannot be seen."
NO_SPREAD = "It is the same whichever dialogue is left out, so these dialogues do not show how it varies."
FRAGILE = "Without one of the dialogues it is undefined."


def _total(groups: Groups) -> Floats:
    return np.asarray(np.tensordot(groups.sizes.astype(np.float64), groups.parts, axes=1), dtype=np.float64)


def _left_out_sums(groups: Groups) -> Floats:
    """The sum without one dialogue, for each group: shape (g, ...)."""
    return np.asarray(_total(groups)[None] - groups.parts, dtype=np.float64)


def _interval(
    groups: Groups,
    statistic: Statistic,
    whole: Quotient,
    within: Range,
    shares: Mapping[str, float],
    seed: int,
) -> Interval | NoInterval:
    if groups.n < 2:
        return NoInterval(ONE_DIALOGUE)
    point = float(whole.value()[0])
    why = jackknife_reason(groups.n, shares)
    if why is not None:
        return _spread(
            point, statistic(_left_out_sums(groups)).value(), groups, Method.JACKKNIFE_Z, why, within
        )
    why = f"{groups.n} dialogues" + (f" and no class under {100 * RARE_CLASS:.0f} %" if shares else "")
    return _percentiles(_replicated(groups, lambda sums: statistic(sums).value(), seed), groups.n, why, seed)


def _at_the_edge(whole: Quotient, within: Range, n: int) -> Interval | None:
    """The rule of three where every dialogue agrees, or none does: resampling would give no width at all.

    Upper limit of a rate that was 0 in n dialogues: 3/n. A lower bound of the coefficient follows from it, taking
    each possible disagreement for the worst one: 1 - (3/n) / expected. A share of 0 is bounded by 2j/(1+j), j = 3/n,
    which is the bound of a specific agreement whose joint use has the rate j.
    """
    rate = min(1.0, 3 / n)
    why = f"3/n with n = {n} dialogues"
    if whole.observed[0] <= 0:
        low = max(within.value[0], 1 - rate / float(whole.expected[0]))
        return Interval(
            low, 1.0, Method.RULE_OF_THREE, "perfect agreement, " + why, n, disagreement_upper=rate
        )
    if within is Range.SHARE and whole.observed[0] >= whole.expected[0]:
        return Interval(
            0.0,
            2 * rate / (1 + rate),
            Method.RULE_OF_THREE,
            "no agreement at all, " + why,
            n,
            agreement_upper=rate,
        )
    return None


def _spread(
    point: float, left_out: Floats, groups: Groups, method: Method, why: str, within: Range | None
) -> Interval | NoInterval:
    """Delete-one jackknife (Efron & Stein 1981) with t on n - 1, through Fisher's z where the range is bounded.

    A share p goes through atanh(2p - 1), half its logit. Where leaving one dialogue out reaches the end of the
    range, z is infinite there and the interval is made without it, cut at the range; below the range nothing is cut.
    """
    if not np.all(np.isfinite(left_out)):
        return NoInterval(FRAGILE)
    low_end, high_end = within.value if within else (-np.inf, np.inf)
    if point < low_end:  # weighted coefficients with much agreement by chance go below -1
        low_end = -np.inf
    scaled = method is Method.JACKKNIFE_Z and within is not None and np.isfinite(low_end)
    if scaled:
        unit = 2 * (np.append(left_out, point) - low_end) / (high_end - low_end) - 1
        scaled = bool(np.all(np.abs(unit) < TOUCHES_ONE))
    z = np.arctanh(unit) if scaled else np.append(left_out, point)
    n, weights = groups.n, groups.sizes
    centre = float(np.average(z[:-1], weights=weights))
    error = float(np.sqrt((n - 1) / n * np.sum(weights * (z[:-1] - centre) ** 2)))
    if error < 1e-12:
        return NoInterval(NO_SPREAD)
    reach = float(stdtrit(n - 1, (1 + LEVEL) / 2)) * error
    ends = np.array([z[-1] - reach, z[-1] + reach])
    if scaled:
        ends = (np.tanh(ends) + 1) / 2 * (high_end - low_end) + low_end
    low, high = np.clip(ends, low_end, high_end)
    return Interval(float(low), float(high), Method.JACKKNIFE_Z if scaled else Method.JACKKNIFE_T, why, n)


def _weights(groups: Groups, generator: np.random.Generator, rows: int) -> Floats:
    """How often each group is drawn when n dialogues are drawn with replacement: multinomial, shape (rows, g).

    Few groups: numpy's multinomial. Many: the n draws themselves, counted, which is then faster by a factor of 5.
    """
    n, g = groups.n, len(groups.sizes)
    if g * MANY_GROUPS < n:
        return generator.multinomial(n, groups.sizes / n, size=rows).astype(np.float64)
    group_of = np.repeat(np.arange(g), groups.sizes)
    at_once = max(1, DRAWN_AT_ONCE // n)
    out = np.empty((rows, g))
    for first in range(0, rows, at_once):
        block = out[first : first + at_once]
        drawn = generator.integers(0, n, size=(len(block), n), dtype=np.int64)
        if g < n:
            drawn = group_of[drawn]
        drawn += g * np.arange(len(block))[:, None]
        block[:] = np.bincount(drawn.ravel(), minlength=block.size).reshape(block.shape)
    return out


def _replicated(groups: Groups, of: Callable[[Floats], Floats], seed: int) -> Floats:
    """The statistic of each bootstrap replicate, in chunks of bounded memory: shape (REPLICATES,)."""
    generator = np.random.default_rng(seed)
    width = max(len(groups.sizes), int(np.prod(groups.parts.shape[1:])))
    rows = max(1, min(REPLICATES, CHUNK_CELLS // width))
    values: list[Floats] = []
    for start in range(0, REPLICATES, rows):
        weights = _weights(groups, generator, min(rows, REPLICATES - start))
        values.append(of(_weighted(weights, groups.parts)))
    return np.concatenate(values)


def _weighted(weights: Floats, parts: Floats) -> Floats:
    """Weights (r, g) times parts (g, ...): shape (r, ...).

    A product of middling size is done in pieces: to wake the threads of the matrix library takes more than they save.
    """
    flat = _flat(parts)
    rows = ONE_THREAD // max(1, flat.size)
    if rows < FEWEST_ROWS:
        product = weights @ flat
    else:
        product = np.empty((len(weights), flat.shape[1]))
        for first in range(0, len(weights), rows):
            np.matmul(weights[first : first + rows], flat, out=product[first : first + rows])
    return product.reshape(len(weights), *parts.shape[1:])


def _percentiles(values: Floats, n_clusters: int, why: str, seed: int) -> Interval | NoInterval:
    """Percentile interval of the replicates that are defined; the others are counted."""
    defined = values[np.isfinite(values)]
    missing = len(values) - len(defined)
    if len(defined) < 2 or np.ptp(defined) < 1e-12:
        return NoInterval(NO_SPREAD if len(defined) > 1 else "No replicate of the bootstrap has a value.")
    low, high = np.percentile(defined, [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2])
    if missing > MANY_UNDEFINED * len(values):
        why += f"; {missing} of {len(values)} replicates have no value, so read it with care"
    return Interval(
        float(low),
        float(high),
        Method.BOOTSTRAP,
        why,
        n_clusters,
        LEVEL,
        len(values),
        missing,
        seed,
        below={f"{bound:g}": float(np.mean(defined < bound)) for bound in BOUNDS},
    )


def _named(interval: Interval, *, alone: bool, of_alpha: bool) -> Interval:
    """The bootstrap by its name where every unit is its own dialogue; shares below the bounds are alpha's alone."""
    if alone and interval.method is Method.BOOTSTRAP:
        interval = replace(interval, method=Method.ITEM_BOOTSTRAP)
    if not of_alpha:
        return replace(interval, below=None)
    return interval if interval.below is not None else replace(interval, no_below=NO_REPLICATES)


def class_shares(counts: Floats, labels: tuple[str, ...]) -> dict[str, float]:
    """Share of each class among all ratings; counts has the classes on its last axis."""
    totals = counts.reshape(-1, counts.shape[-1]).sum(axis=0)
    whole: Any = totals.sum()
    return {
        label: float(total / whole) if whole else 0.0 for label, total in zip(labels, totals, strict=True)
    }
