"""An agreement report as blocks of words and tables: what text, Markdown and LaTeX all write, so that they say the same."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus, NoInterval
from alps_tui.agreement.figures import below_bounds, how_made, interval_of, number, value_of

SEEDED_OUT, ALL = "seeded out", "all"
INTERVAL = "95 % interval"
NAMES = {
    "raw_agreement": "raw agreement",
    "cohen_kappa": "kappa",
    "kappa_quadratic": "weighted kappa",
    "alpha_nominal": "alpha",
    "alpha_ordinal": "alpha, ordinal",
    "alpha_interval": "alpha, interval",
    "alpha_ratio": "alpha, ratio",
    "alpha_masi": "alpha, MASI",
    "ac1": "AC1",
    "ac2": "AC2",
    "fleiss_kappa": "Fleiss kappa",
    "brennan_prediger": "Brennan-Prediger",
    "scott_pi": "Scott pi",
    "pearson": "Pearson r",
    "spearman": "Spearman rho",
    "kendall_tau_b": "Kendall tau-b",
    "mean_signed_difference": "mean difference",
}


@dataclass(frozen=True, slots=True)
class Grid:
    """One table: names in the first column, figures in the others."""

    header: tuple[str, ...]
    rows: tuple[tuple[str, ...], ...]


@dataclass(frozen=True, slots=True)
class Block:
    """What belongs together: a title, the result in words, the counts it rests on, tables, and what to know of them.

    level   1 for a form, 2 for a field in it
    steps   what to do next
    """

    title: str
    words: str = ""
    facts: tuple[str, ...] = ()
    grids: tuple[Grid, ...] = ()
    notes: tuple[str, ...] = ()
    steps: tuple[str, ...] = ()
    level: int = 2


def said_of_sides(bare: Sequence[str], full: Sequence[str]) -> tuple[str, ...]:
    """Sentences about the answers without the seeded ones and about all of them, each with the side it is about."""
    alike = [one for one in bare if one in full]
    return (
        *alike,
        *(f"{SEEDED_OUT}: {one}" for one in dict.fromkeys(bare) if one not in alike),
        *(f"{ALL}: {one}" for one in dict.fromkeys(full) if one not in alike),
    )


@dataclass(slots=True)
class Marks:
    """The reasons of a block why a cell is undefined or has no interval, each with the letter that stands in the cell."""

    reasons: dict[str, str] = field(default_factory=dict)

    def value(self, coefficient: Coefficient, raw: Coefficient | None = None) -> str:
        """The value, or `undefined a`; `raw` is told with the reason where nothing varies."""
        if coefficient.value is not None:
            return value_of(coefficient)
        return f"{value_of(coefficient)} {self._letter(_why(coefficient, raw))}"

    def short(self, coefficient: Coefficient, raw: Coefficient | None = None) -> str:
        """The value, or a dash with the letter of the reason, where columns are narrow."""
        if coefficient.value is not None:
            return value_of(coefficient)
        return f"- {self._letter(f'Undefined: {_why(coefficient, raw)}')}"

    def interval(self, coefficient: Coefficient) -> str:
        """The interval, or a dash with the letter of the reason."""
        made = coefficient.interval
        if coefficient.value is not None and isinstance(made, NoInterval):
            return f"- {self._letter(f'No interval: {made.reason}')}"
        return interval_of(coefficient)

    def notes(self) -> tuple[str, ...]:
        return tuple(f"{letter}  {reason}" for reason, letter in self.reasons.items())

    def _letter(self, reason: str) -> str:
        if reason not in self.reasons:
            place = len(self.reasons)
            letter = chr(ord("a") + place % 26)
            self.reasons[reason] = letter if place < 26 else f"{letter}{place // 26}"
        return self.reasons[reason]


def _why(coefficient: Coefficient, raw: Coefficient | None) -> str:
    said = coefficient.reason
    if coefficient.status is CoefficientStatus.NO_VARIATION and raw is not None and raw.value is not None:
        said += f" Raw agreement {number(raw.value)}, n {raw.n:,}."
    return said


def name_of(coefficient: Coefficient) -> str:
    """What a coefficient is called in a table."""
    return NAMES.get(coefficient.name, coefficient.name.replace("_", " "))


def n_of(coefficient: Coefficient) -> str:
    return f"{coefficient.n:,}" + (" pairs" if coefficient.counted == "pairs" else "")


Row = tuple[str, Coefficient]


def one_sided(rows: Iterable[Row], marks: Marks, raw: Coefficient | None = None, corner: str = "") -> Grid:
    """Coefficients with their intervals and n, where nothing is seeded."""
    return Grid(
        (corner, "value", INTERVAL, "n"),
        tuple((name, marks.value(c, raw), marks.interval(c), n_of(c)) for name, c in rows),
    )


def two_sided(
    bare: Sequence[Row],
    full: Sequence[Row],
    marks: Marks,
    raw: tuple[Coefficient | None, Coefficient | None] = (None, None),
    corner: str = "",
    first: tuple[str, ...] | None = None,
) -> Grid:
    """The same coefficients without the seeded answers first and with them beside; rows are joined by name."""
    beside = dict(full)
    rows = [] if first is None else [first]
    for name, one in bare:
        other = beside[name]
        rows.append(
            (
                name,
                marks.value(one, raw[0]),
                marks.interval(one),
                marks.value(other, raw[1]),
                marks.interval(other),
            )
        )
    return Grid((corner, SEEDED_OUT, INTERVAL, ALL, INTERVAL), tuple(rows))


def closing_notes(
    marks: Marks, coefficients: Sequence[Coefficient], alphas: Sequence[tuple[str, Coefficient]]
) -> tuple[str, ...]:
    """The letters, how the intervals were made, where alpha's replicates lie, and what else a coefficient says."""
    known = [(label, said) for label, alpha in alphas if (said := below_bounds(alpha))]
    alike = len({said for _, said in known}) < 2
    shares = [said if alike else f"{label}{said}" for label, said in known]
    others = [f"{name_of(one)}: {one.note}" for one in coefficients if one.note and one.defined]
    return (
        *marks.notes(),
        *(f"intervals: {way}" for way in how_made(coefficients)),
        *dict.fromkeys(shares),
        *dict.fromkeys(others),
    )


def left_out_facts(left_out: Iterable[tuple[str, int]]) -> tuple[str, ...]:
    said = [f"{amount:,} {reason.replace('_', ' ')}" for reason, amount in left_out if amount]
    return (f"left out: {', '.join(said)}",) if said else ()


def numbered(raters: Sequence[str]) -> tuple[str, ...]:
    """Raters with the number that stands for them in a column's head."""
    return tuple(f"{place} {name}" for place, name in enumerate(raters, 1))
