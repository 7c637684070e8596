"""How a coefficient is printed: its value, its interval, and the sentence where it has none."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from alps_tui.commands.render import number

if TYPE_CHECKING:
    from alps_tui.agreement.coefficient import Coefficient


def cell(coefficient: "Coefficient") -> str:
    """The value, or the word undefined."""
    return number(coefficient.value)


def interval(coefficient: "Coefficient") -> str:
    """`.412 to .655`; after perfect agreement the limit that n allows; a dash where there is none."""
    made = coefficient.interval
    low, high = getattr(made, "low", None), getattr(made, "high", None)
    if coefficient.value is None or low is None or high is None:
        return "-"
    disagreement = getattr(made, "disagreement_upper", None)
    if disagreement is not None:
        return f"n {coefficient.n:,}, disagreement < {number(disagreement)}"
    agreement = getattr(made, "agreement_upper", None)
    if agreement is not None:
        return f"n {coefficient.n:,}, agreement < {number(agreement)}"
    return f"{number(low)} to {number(high)}"


def undefined_notes(coefficients: Iterable["Coefficient"]) -> list[str]:
    """One sentence per reason why something is undefined or has no interval."""
    notes: dict[str, list[str]] = {}
    for coefficient in coefficients:
        reason = (
            coefficient.reason if coefficient.value is None else getattr(coefficient.interval, "reason", "")
        )
        if reason:
            word = "undefined" if coefficient.value is None else "no interval"
            notes.setdefault(f"{word}: {reason}", []).append(coefficient.name.replace("_", " "))
    return [f"{', '.join(dict.fromkeys(names))} {note}" for note, names in notes.items()]


def how(coefficients: Iterable["Coefficient"]) -> list[str]:
    """How the intervals were made, each way once."""
    ways: dict[str, None] = {}
    for coefficient in coefficients:
        made = coefficient.interval
        method = getattr(made, "method", None)
        if method is None:
            continue
        seed = getattr(made, "seed", None)
        drawn = f", {made.replicates:,} replicates, seed {seed}" if seed is not None else ""  # type: ignore[union-attr]
        ways[f"{method} ({made.why}{drawn})"] = None  # type: ignore[union-attr]
    return list(ways)
