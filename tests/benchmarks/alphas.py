"""Alpha with its interval from a long table of half a million string rows, beside a loop over the krippendorff package."""

import time

import krippendorff
import numpy as np
from budgets import Kind, Line, Row
from process_memory import peak
from real_frames import median

from alps_tui.agreement.intervals import REPLICATES
from alps_tui.agreement.many_raters import Over, krippendorff_alpha
from alps_tui.agreement.ratings import on_scale, places_of
from store.kinds import Level
from store.table import Table, from_rows

UNITS, RATERS, MISSING = 100_000, 5, 0.3
ROUNDS, REFERENCE_ROUNDS = 3, 5


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


def timed(table: Table, scale: list[int], level: Level) -> tuple[float, float, float]:
    """Median seconds of wall clock and of CPU, and the value."""
    wall, work, value = [], [], 0.0
    for _ in range(ROUNDS):
        start, spent = time.perf_counter(), time.process_time()
        value = alpha_of(table, scale, level)
        wall.append(time.perf_counter() - start)
        work.append(time.process_time() - spent)
    return median(wall), median(work), value


def one_replicate(table: Table) -> tuple[float, float]:
    """CPU seconds of one round of a loop over the package: units drawn again, then its alpha; and alpha of all units."""
    units, unit = np.unique(table.column("unit_id").astype(str), return_inverse=True)
    raters, rater = np.unique(table.column("rater").astype(str), return_inverse=True)
    matrix = np.full((len(raters), len(units)), np.nan)
    matrix[rater, unit] = table.column("number")
    draw = np.random.default_rng(1)
    times = []
    for _ in range(REFERENCE_ROUNDS):
        start = time.process_time()
        drawn = matrix[:, draw.integers(0, len(units), len(units))]
        krippendorff.alpha(drawn, level_of_measurement="ordinal")
        times.append(time.process_time() - start)
    return median(times), float(krippendorff.alpha(matrix, level_of_measurement="ordinal"))


def measure() -> list[Line]:
    scale = [1, 2, 3, 4, 5]
    table = long_table(scale, UNITS)
    alpha_of(table, scale, Level.ORDINAL)
    wall, work, value = timed(table, scale, Level.ORDINAL)
    once, theirs = one_replicate(table)
    assert abs(value - theirs) < 1e-9
    what = f"α ordinal, {UNITS:,} x {RATERS} in {len(table):,} rows, {REPLICATES:,} replicates"
    lines: list[Line] = [
        Row(what, Kind.AT_MOST, 1, work, "s", f"CPU time; {wall:.2f} s by the clock"),
        Row(
            f"{what}, against a loop over the package",
            Kind.RATIO_AT_LEAST,
            500,
            REPLICATES * once / work,
            "",
            f"{once:.3f} s CPU a replicate",
        ),
    ]
    for name, table_scale, dialogues, level in (
        ("α ordinal, clusters of 40,000 dialogues", scale, 40_000, Level.ORDINAL),
        ("α interval, scores 0 to 100", list(range(101)), UNITS, Level.INTERVAL),
    ):
        table = long_table(table_scale, dialogues)
        before = peak()
        wall, work, _ = timed(table, table_scale, level)
        lines.append(Row(name, Kind.AT_MOST, 3, work, "s", f"CPU time; {wall:.2f} s by the clock"))
        lines.append(
            Row(
                f"{name}: peak memory",
                Kind.AT_MOST,
                500,
                peak(),
                "MB",
                f"{before:.0f} MB before it, the table among it",
            )
        )
    return lines
