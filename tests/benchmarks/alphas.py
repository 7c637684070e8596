"""Alpha with its interval from a long table of half a million string rows, beside a loop over the krippendorff package."""

import gc
import time
from collections.abc import Callable

import krippendorff
import numpy as np
from budgets import Kind, Line, Row
from process_memory import forget_peak, peak
from real_frames import median

from alps_tui.agreement.intervals import REPLICATES
from alps_tui.agreement.many_raters import Over, krippendorff_alpha
from alps_tui.agreement.ratings import on_scale, places_of
from store.kinds import Level
from store.table import Table, from_rows

UNITS, RATERS, MISSING = 100_000, 5, 0.3
ROUNDS, LOOPED = 5, 4


def long_table(scale: list[int], dialogues: int, seed: int = 7) -> Table:
    """Ratings of all raters with holes, ids as strings, units spread over dialogues; raters agree in part."""
    draw = np.random.default_rng(seed)
    truth = draw.integers(0, len(scale), UNITS)
    here = draw.random((UNITS, RATERS)) > MISSING
    noise = draw.normal(0, len(scale) / 6, (UNITS, RATERS)).round().astype(int)
    answers = np.clip(truth[:, None] + noise, 0, len(scale) - 1)
    unit, rater = np.nonzero(here)
    texts = [str(value) for value in scale]
    row_dialogue = unit % dialogues
    columns = dict(from_rows([{"unit": "u", "value": "1"}]).columns)
    n = len(unit)
    filled = {name: np.repeat(column, n) for name, column in columns.items()}
    filled["unit_id"] = _objects([f"item-{u // 5}:unit-{u}" for u in unit.tolist()])
    filled["rater"] = _objects([f"rater-{r}" for r in rater.tolist()])
    filled["dialogue_id"] = _objects([f"dialogue-{d}" for d in row_dialogue.tolist()])
    filled["value"] = _objects([texts[a] for a in answers[unit, rater].tolist()])
    filled["number"] = np.asarray(scale, dtype=np.float64)[answers[unit, rater]]
    filled["field"] = _objects(["score"] * n)
    return Table(filled)


def _objects(values: list[str]) -> np.ndarray:
    out = np.empty(len(values), dtype=object)
    out[:] = values
    return out


def alpha_of(table: Table, scale: list[int], level: Level) -> float:
    """From the long table to the value and its interval."""
    labels = tuple(str(value) for value in scale)
    ratings = on_scale(table, places_of(table, scale), labels)
    over = Over(tuple(map(float, scale)), labels, len(ratings.dialogues), len(ratings.raters))
    made = krippendorff_alpha(ratings.counts, ratings.clusters, over, level)
    assert made.value is not None and made.interval is not None
    return made.value


def one_replicate(table: Table) -> tuple[Callable[[], object], Callable[[], object], float]:
    """One round of a loop over the package, and alpha of all units.

    returns   the round as its documentation has it (columns of the raters x units matrix drawn with replacement, then
              alpha of that matrix); the round of one who counts the classes of each unit before the loop, and gives
              it counts. Making the matrix from the strings is not in either: a loop does it once.
    """
    units, unit = np.unique(table.column("unit_id").astype(str), return_inverse=True)
    raters, rater = np.unique(table.column("rater").astype(str), return_inverse=True)
    matrix = np.full((len(raters), len(units)), np.nan)
    matrix[rater, unit] = table.column("number")
    scale = np.unique(table.column("number"))
    counts = np.stack([(matrix == value).sum(axis=0) for value in scale], axis=1)
    draw = np.random.default_rng(1)

    def of_ratings() -> object:
        drawn = matrix[:, draw.integers(0, len(units), len(units))]
        return krippendorff.alpha(drawn, level_of_measurement="ordinal")

    def of_counts() -> object:
        drawn = counts[draw.integers(0, len(units), len(units))]
        return krippendorff.alpha(value_counts=drawn, value_domain=scale, level_of_measurement="ordinal")

    return of_ratings, of_counts, float(krippendorff.alpha(matrix, level_of_measurement="ordinal"))


def timed(turn: Callable[[], object], *loops: Callable[[], object]) -> list[tuple[float, float]]:
    """Median seconds of wall clock and of CPU, turn and turn about: of `turn` as it is called once, of the others as
    they are called in a loop, when their memory is warm."""
    took: list[list[tuple[float, float]]] = [[] for _ in range(1 + len(loops))]
    for _ in range(ROUNDS):
        gc.collect()
        took[0].append(_once(turn))
        for loop, own in zip(loops, took[1:], strict=True):
            own += [_once(loop) for _ in range(1 + LOOPED)][1:]
    return [(median([wall for wall, _ in own]), median([work for _, work in own])) for own in took]


def _once(turn: Callable[[], object]) -> tuple[float, float]:
    start, spent = time.perf_counter(), time.process_time()
    turn()
    return time.perf_counter() - start, time.process_time() - spent


def against_the_package() -> list[Line]:
    scale = [1, 2, 3, 4, 5]
    table = long_table(scale, UNITS)
    of_ratings, of_counts, theirs = one_replicate(table)
    assert abs(alpha_of(table, scale, Level.ORDINAL) - theirs) < 1e-9
    (wall, work), (_, once), (_, counted) = timed(
        lambda: alpha_of(table, scale, Level.ORDINAL), of_ratings, of_counts
    )
    what = f"α ordinal, {UNITS:,} x {RATERS} in {len(table):,} rows, {REPLICATES:,} replicates"
    beside = (
        f"CPU time of {REPLICATES:,} replicates, from {ROUNDS * LOOPED}: {once:.3f} s each; "
        f"given counts {counted:.3f} s ({REPLICATES * counted / work:,.0f} x)"
    )
    return [
        Row(what, Kind.AT_MOST, 1, work, "s", f"CPU time; {wall:.2f} s by the clock"),
        Row(
            f"{what}, against a loop over the package",
            Kind.RATIO_AT_LEAST,
            500,
            REPLICATES * once / work,
            "",
            beside,
        ),
    ]


def with_memory(name: str, scale: list[int], dialogues: int, level: Level) -> list[Line]:
    """Time, and the most that was resident from the finished table on."""
    table = long_table(scale, dialogues)
    before = forget_peak()
    ((wall, work),) = timed(lambda: alpha_of(table, scale, level))
    return [
        Row(name, Kind.AT_MOST, 3, work, "s", f"CPU time; {wall:.2f} s by the clock"),
        Row(f"{name}: peak memory", Kind.AT_MOST, 500, peak(), "MB", f"{before:.0f} MB with the table made"),
    ]


def measure() -> list[Line]:
    return [
        *with_memory("α interval, scores 0 to 100", list(range(101)), UNITS, Level.INTERVAL),
        *with_memory("α ordinal, clusters of 40,000 dialogues", [1, 2, 3, 4, 5], 40_000, Level.ORDINAL),
        *against_the_package(),
    ]
