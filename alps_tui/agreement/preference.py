"""What people preferred: abilities with intervals by prompt, ranks as ranges, win rates, the effect of position."""

from collections.abc import Sequence
from dataclasses import dataclass
from math import comb
from typing import Any

import numpy as np

from alps_tui.agreement.association import kendall_tau_b
from alps_tui.agreement.bradley_terry import (
    Abilities,
    Cells,
    Outcome,
    cells_of,
    fit,
    not_connected,
    win_probability,
)
from alps_tui.agreement.coefficient import Coefficient
from alps_tui.agreement.intervals import FEW_DIALOGUES, LEVEL, MANY_UNDEFINED, SEED, Floats
from alps_tui.agreement.ratings import Codes
from store.table import codes_by_appearance, codes_by_name

REPLICATES = 1_000
MODEL = "Bradley-Terry with ties (Davidson 1970) and an order effect (Davidson & Beaver 1977)"


@dataclass(frozen=True, slots=True)
class Comparison:
    """One answer: which of two systems' responses to a prompt is better, `first` being shown first.

    scores   what the two got on an absolute scale, where known: from the same rater, or as means over raters
    """

    prompt: str
    rater: str
    first: str
    second: str
    outcome: Outcome
    scores: tuple[float, float] | None = None


@dataclass(frozen=True, slots=True)
class System:
    """One system. `ability` is the utility with mean 0; ranks from 1, the best.

    rank_low, rank_high   every rank that the differences between systems leave open
    win_rate              wins and half the ties over its comparisons; `expected` against each other system equally
    """

    name: str
    n: int
    wins: int
    ties: int
    losses: int
    win_rate: float
    win_rate_low: float | None
    win_rate_high: float | None
    ability: float | None
    low: float | None
    high: float | None
    rank_low: int | None
    rank_high: int | None
    expected: float | None

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class Position:
    """Whether being shown first helps.

    log_odds      the order effect of the model, its interval by prompt; None where it is not identified
    both_orders   pairs that the same rater met in both orders; `always_first` of them went to the first both
                  times, `always_second` to the second; p of the exact sign test on these (McNemar 1947)
    """

    log_odds: float | None
    low: float | None
    high: float | None
    both_orders: int
    always_first: int
    always_second: int
    p: float | None
    said: str

    def to_json(self) -> dict[str, Any]:
        return {name: getattr(self, name) for name in self.__slots__}


@dataclass(frozen=True, slots=True)
class CrossCheck:
    """Preferences against the absolute scores of the same two responses.

    agree      among comparisons with a preference and different scores: the preferred one had the higher score
    table      preference (first, second, tie) x scores (first higher, second higher, equal)
    tau_b      of abilities and mean scores over systems
    """

    n: int
    n_decided: int
    agree: float | None
    table: tuple[tuple[int, int, int], ...]
    tau_b: Coefficient | None

    def to_json(self) -> dict[str, Any]:
        return {
            "n": self.n,
            "n_decided": self.n_decided,
            "agree": self.agree,
            "rows": ["prefers first", "prefers second", "tie"],
            "columns": ["first scored higher", "second scored higher", "scored alike"],
            "table": [list(row) for row in self.table],
            "tau_b": None if self.tau_b is None else self.tau_b.to_json(),
        }


@dataclass(frozen=True, slots=True)
class PreferenceReport:
    """Who is preferred to whom; `reason` says why there are no abilities where there are none."""

    n: int
    n_prompts: int
    n_raters: int
    n_ties: int
    systems: tuple[System, ...]
    tie: float | None
    position: Position
    cross_check: CrossCheck | None
    reason: str
    warnings: tuple[str, ...]
    replicates: int
    undefined: int
    seed: int

    def to_json(self) -> dict[str, Any]:
        return {
            "model": MODEL,
            "n": self.n,
            "n_prompts": self.n_prompts,
            "n_raters": self.n_raters,
            "n_ties": self.n_ties,
            "systems": [one.to_json() for one in self.systems],
            "tie": self.tie,
            "position": self.position.to_json(),
            "cross_check": None if self.cross_check is None else self.cross_check.to_json(),
            "reason": self.reason,
            "warnings": list(self.warnings),
            "interval": "cluster bootstrap by prompt, percentile, 95 %",
            "replicates": self.replicates,
            "undefined_replicates": self.undefined,
            "seed": self.seed,
        }


@dataclass(frozen=True, slots=True)
class _Data:
    names: tuple[str, ...]
    cells: Cells
    cell: Codes
    prompt: Codes
    n_prompts: int


def preference_report(
    comparisons: Sequence[Comparison], *, replicates: int = REPLICATES, seed: int = SEED
) -> PreferenceReport:
    """Abilities, ranks, win rates and position effect of n comparisons.

    raises   ValueError if a system is compared with itself
    """
    if any(one.first == one.second for one in comparisons):
        raise ValueError("a system is compared with itself")
    data = _coded(comparisons)
    order = True
    whole = fit(data.cells, order=True)
    if whole is None:
        whole, order = fit(data.cells, order=False), False
    drawn = _replicated(data, whole, order, replicates, seed)
    undefined = int(np.isnan(drawn.ability[:, 0]).sum()) if whole is not None else 0
    return PreferenceReport(
        n=len(comparisons),
        n_prompts=data.n_prompts,
        n_raters=len({one.rater for one in comparisons}),
        n_ties=sum(one.outcome is Outcome.TIE for one in comparisons),
        systems=_systems(data, whole, drawn),
        tie=None if whole is None else whole.tie,
        position=_position(comparisons, whole, drawn),
        cross_check=_cross_check(comparisons, data, whole),
        reason="" if whole is not None else _why_not(data),
        warnings=_warnings(data, undefined, replicates),
        replicates=replicates,
        undefined=undefined,
        seed=seed,
    )


def _coded(comparisons: Sequence[Comparison]) -> _Data:
    n = len(comparisons)
    names, both = codes_by_name([one.first for one in comparisons] + [one.second for one in comparisons])
    outcome = np.array([one.outcome for one in comparisons], dtype=np.intp)
    cells, cell = cells_of(both[:n], both[n:], outcome, max(1, len(names)))
    prompts, prompt = codes_by_appearance([one.prompt for one in comparisons])
    return _Data(names, cells, cell, prompt, len(prompts))


def _why_not(data: _Data) -> str:
    if len(data.names) < 2:
        return "Fewer than two systems were compared."
    apart = not_connected(data.cells, data.cells.counts)
    if apart:
        named = ", ".join(data.names[i] for i in apart)
        return (
            f"No chain of wins leads both from and to {named}: won or lost every comparison, or was never compared "
            "with the rest, so no finite ability fits. Win rates stand."
        )
    return "The likelihood has no maximum (only ties, or abilities that cannot be told from the order). Win rates stand."


def _warnings(data: _Data, undefined: int, replicates: int) -> tuple[str, ...]:
    found = []
    if data.n_prompts < FEW_DIALOGUES:
        found.append(
            f"{data.n_prompts} prompts, fewer than {FEW_DIALOGUES}: a bootstrap over so few is too narrow."
        )
    if undefined > MANY_UNDEFINED * replicates:
        found.append(
            f"{undefined} of {replicates} replicates have no finite abilities and were left out of the intervals."
        )
    return tuple(found)


# ---------------------------------------------------------------- intervals by prompt


@dataclass(frozen=True, slots=True)
class _Drawn:
    """Of each replicate: abilities (b, s), order effect (b,), win rates (b, s); NaN where undefined (in here only)."""

    ability: Floats
    order: Floats
    win_rate: Floats


def _replicated(data: _Data, whole: Abilities | None, order: bool, replicates: int, seed: int) -> _Drawn:
    """Prompts drawn with replacement, all comparisons of a prompt together, the model fitted again."""
    generator = np.random.default_rng(seed)
    s, n = len(data.names), data.n_prompts
    ability, effect = np.full((replicates, s), np.nan), np.full(replicates, np.nan)
    rates = np.full((replicates, s), np.nan)
    for b in range(replicates if n > 1 else 0):
        times = np.bincount(generator.integers(0, n, size=n), minlength=n)
        drawn = np.bincount(data.cell, weights=times[data.prompt], minlength=len(data.cells.counts))
        weights: Floats = drawn.astype(np.float64)
        rates[b] = _win_rates(data.cells, weights)[0]
        found = None if whole is None else fit(data.cells, weights, order=order, start=whole.parameters)
        if found is not None:
            ability[b] = found.utility
            effect[b] = np.nan if found.order is None else found.order
    return _Drawn(ability, effect, rates)


def _win_rates(cells: Cells, weights: Floats) -> tuple[Floats, Floats]:
    """(s,) wins and half the ties over comparisons, and (3, s) wins, losses and ties."""
    tally = np.zeros((3, cells.n_systems))
    ended = cells.outcome
    for mine, theirs in (
        (cells.first, (Outcome.FIRST, Outcome.SECOND)),
        (cells.second, (Outcome.SECOND, Outcome.FIRST)),
    ):
        for row, kind in enumerate((*theirs, Outcome.TIE)):
            here = ended == kind
            tally[row] += np.bincount(mine[here], weights=weights[here], minlength=cells.n_systems)
    whole = tally.sum(axis=0)
    rate = np.divide(tally[0] + tally[2] / 2, whole, out=np.full(cells.n_systems, np.nan), where=whole > 0)
    return rate, tally


def _ends(values: Floats) -> tuple[float | None, float | None]:
    defined = values[np.isfinite(values)]
    if len(defined) < 2:
        return None, None
    low, high = np.percentile(defined, [100 * (1 - LEVEL) / 2, 100 * (1 + LEVEL) / 2])
    return float(low), float(high)


def _systems(data: _Data, whole: Abilities | None, drawn: _Drawn) -> tuple[System, ...]:
    rate, tally = _win_rates(data.cells, data.cells.counts)
    expected = None if whole is None else win_probability(whole.utility, whole.tie)
    ranges = None if whole is None else rank_ranges(drawn.ability)
    found = []
    for i, name in enumerate(data.names):
        low, high = _ends(drawn.ability[:, i])
        rate_low, rate_high = _ends(drawn.win_rate[:, i])
        rest = [j for j in range(len(data.names)) if j != i]
        found.append(
            System(
                name=name,
                n=int(tally[:, i].sum()),
                wins=int(tally[0, i]),
                ties=int(tally[2, i]),
                losses=int(tally[1, i]),
                win_rate=float(rate[i]),
                win_rate_low=rate_low,
                win_rate_high=rate_high,
                ability=None if whole is None else float(whole.utility[i]),
                low=low,
                high=high,
                rank_low=None if ranges is None else ranges[i][0],
                rank_high=None if ranges is None else ranges[i][1],
                expected=None if expected is None else float(expected[i, rest].mean()),
            )
        )
    return tuple(
        sorted(found, key=lambda one: (-(one.ability if one.ability is not None else one.win_rate), one.name))
    )


def rank_ranges(ability: Floats) -> tuple[tuple[int, int], ...] | None:
    """From replicates (b, s): a system is behind another where the interval of their difference lies under 0.

    A rank range runs from 1 + the systems surely before it to s - the systems surely behind it.
    """
    defined = ability[np.isfinite(ability).all(axis=1)]
    if len(defined) < 2:
        return None
    s = ability.shape[1]
    low = np.percentile(defined[:, :, None] - defined[:, None, :], 100 * (1 - LEVEL) / 2, axis=0)
    before = low > 0
    return tuple((1 + int(before[:, i].sum()), s - int(before[i].sum())) for i in range(s))


# ---------------------------------------------------------------- position and scores


def sign_test(first: int, second: int) -> float | None:
    """Two-sided exact p of `first` against `second` successes under one half (Arbuthnot 1710; McNemar 1947)."""
    n = first + second
    if n == 0:
        return None
    tail: float = sum(comb(n, i) for i in range(min(first, second) + 1)) / 2**n
    return min(1.0, 2 * tail)


def _position(comparisons: Sequence[Comparison], whole: Abilities | None, drawn: _Drawn) -> Position:
    both, first, second = _swapped(comparisons)
    effect = None if whole is None else whole.order
    low, high = _ends(drawn.order) if effect is not None else (None, None)
    if effect is None:
        said = "The effect of being shown first cannot be told from the abilities here."
    elif low is None or high is None:
        said = "The effect of being shown first has no interval: all of it comes from one prompt."
    elif low > 0 or high < 0:
        side = "first" if effect > 0 else "second"
        said = f"Being shown {side} helps: the interval of the order effect excludes 0."
    else:
        said = "No effect of position is shown: the interval of the order effect holds 0."
    return Position(effect, low, high, both, first, second, sign_test(first, second) if both else None, said)


def _swapped(comparisons: Sequence[Comparison]) -> tuple[int, int, int]:
    """Pairs that one rater met in both orders; how many went to the first both times, and to the second."""
    met: dict[tuple[str, str, str, str], Outcome] = {}
    for one in comparisons:
        met.setdefault((one.prompt, one.rater, one.first, one.second), one.outcome)
    both = first = second = 0
    for (prompt, rater, a, b), outcome in met.items():
        other = met.get((prompt, rater, b, a))
        if a < b and other is not None:
            both += 1
            first += outcome is Outcome.FIRST and other is Outcome.FIRST
            second += outcome is Outcome.SECOND and other is Outcome.SECOND
    return both, first, second


def _cross_check(
    comparisons: Sequence[Comparison], data: _Data, whole: Abilities | None
) -> CrossCheck | None:
    scored = [(one, one.scores) for one in comparisons if one.scores is not None]
    if not scored:
        return None
    table = np.zeros((3, 3), dtype=np.intp)
    sums, counts = np.zeros(len(data.names)), np.zeros(len(data.names))
    place = {name: i for i, name in enumerate(data.names)}
    for one, (a, b) in scored:
        table[one.outcome, 0 if a > b else 1 if b > a else 2] += 1
        for name, score in ((one.first, a), (one.second, b)):
            sums[place[name]] += score
            counts[place[name]] += 1
    decided = int(table[:2, :2].sum())
    seen = counts > 0
    tau = None if whole is None else kendall_tau_b(whole.utility[seen], sums[seen] / counts[seen])
    rows = tuple((int(row[0]), int(row[1]), int(row[2])) for row in table)
    agree = float(np.trace(table[:2, :2]) / decided) if decided else None
    return CrossCheck(len(scored), decided, agree, rows, tau)
