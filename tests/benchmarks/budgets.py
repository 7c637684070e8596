"""One row of the benchmark table: a budget, what was measured, what it was held against, and the verdict."""

from dataclasses import asdict, dataclass
from enum import StrEnum
from typing import Any

NOISE = 2.0
"""An absolute value may miss its budget by this factor before the run fails: other work shares the machine."""


class Kind(StrEnum):
    """How a measured value is held against its budget."""

    RATIO_AT_LEAST = "ratio at least"
    RATIO_AT_MOST = "ratio at most"
    AT_MOST = "at most"
    EXACT = "exactly"


@dataclass(frozen=True, slots=True)
class Row:
    """A measured budget. `reference` says what the same run measured beside it, or what was counted."""

    what: str
    kind: Kind
    budget: float
    measured: float
    unit: str = ""
    reference: str = ""

    @property
    def missed(self) -> bool:
        """True if the run must fail: a ratio or a count that is not kept, an absolute value missed by more than NOISE."""
        match self.kind:
            case Kind.RATIO_AT_LEAST:
                return self.measured < self.budget
            case Kind.RATIO_AT_MOST:
                return self.measured > self.budget
            case Kind.EXACT:
                return self.measured != self.budget
        return self.measured > NOISE * self.budget

    @property
    def verdict(self) -> str:
        if self.missed:
            return "MISSED"
        if self.kind is Kind.AT_MOST and self.measured > self.budget:
            return f"over, within {NOISE:.0f} x"
        return "kept"

    @property
    def cells(self) -> tuple[str, ...]:
        sign = {Kind.RATIO_AT_LEAST: "≥", Kind.EXACT: "="}.get(self.kind, "≤")
        unit = " x" if self.kind in (Kind.RATIO_AT_LEAST, Kind.RATIO_AT_MOST) else f" {self.unit}".rstrip()
        budget, measured = f"{sign} {number(self.budget)}{unit}", f"{number(self.measured)}{unit}"
        return self.what, budget, measured, self.reference, self.verdict

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


@dataclass(frozen=True, slots=True)
class Skipped:
    """A budget that was not measured, and why."""

    what: str
    reason: str

    missed = False

    @property
    def cells(self) -> tuple[str, ...]:
        return self.what, "", "", self.reason, "skipped"

    def to_json(self) -> dict[str, Any]:
        return asdict(self)


Line = Row | Skipped


def line_from_json(said: dict[str, Any]) -> Line:
    """What `to_json` of either gave."""
    return Skipped(**said) if "reason" in said else Row(**said | {"kind": Kind(said["kind"])})


def number(value: float) -> str:
    """Three digits that matter, thousands parted."""
    if value == int(value):
        return f"{int(value):,}"
    return f"{value:,.0f}" if abs(value) >= 100 else f"{value:.1f}" if abs(value) >= 10 else f"{value:.2f}"


def table(lines: list[Line]) -> str:
    """All rows as one Markdown table, columns aligned."""
    rows = [("what", "budget", "measured", "measured beside it", "verdict"), *(line.cells for line in lines)]
    widths = [max(len(row[column]) for row in rows) for column in range(5)]
    shown = [
        "| " + " | ".join(cell.ljust(width) for cell, width in zip(row, widths, strict=True)) + " |"
        for row in rows
    ]
    return "\n".join([shown[0], "|" + "|".join("-" * (width + 2) for width in widths) + "|", *shown[1:]])


def readme_table(lines: list[Line]) -> str:
    """What was measured as a Markdown table for people: no padding, and a word only where a budget was not kept."""
    rows = ["| what | budget | measured | in the same run |", "|---|---|---|---|"]
    for line in lines:
        if isinstance(line, Skipped):
            rows.append(f"| {line.what} | | not yet | {line.reason} |")
        else:
            what, budget, measured, reference, verdict = line.cells
            said = measured if verdict == "kept" else f"{measured} ({verdict})"
            rows.append(f"| {what} | {budget} | {said} | {reference} |")
    return "\n".join(rows)
