"""How a coefficient is printed: its value, its interval, and the sentence where it has none."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from alps_tui.commands.render import count, number

if TYPE_CHECKING:
    from alps_tui.agreement.coefficient import Coefficient


def cell(coefficient: "Coefficient") -> str:
    """The value, or the word undefined."""
    return number(coefficient.value)


def interval(coefficient: "Coefficient") -> str:
    """`.412 to .655`; the limit that n allows where all or nothing agreed; a dash where there is none."""
    made = coefficient.interval
    low, high = getattr(made, "low", None), getattr(made, "high", None)
    if coefficient.value is None or low is None or high is None:
        return "-"
    if getattr(made, "disagreement_upper", None) is not None:
        return f"> {number(1 - made.disagreement_upper)} *"  # type: ignore[union-attr]
    if getattr(made, "agreement_upper", None) is not None:
        return f"< {number(made.agreement_upper)} *"  # type: ignore[union-attr]
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
    """How the intervals were made: each method once, with the dialogues it rests on."""
    ways: dict[str, set[int]] = {}
    for coefficient in coefficients:
        made = coefficient.interval
        method = getattr(made, "method", None)
        if method is None:
            continue
        seed = getattr(made, "seed", None)
        drawn = f", {made.replicates:,} replicates, seed {seed}" if seed is not None else ""  # type: ignore[union-attr]
        limit = (
            getattr(made, "disagreement_upper", None) is not None
            or getattr(made, "agreement_upper", None) is not None
        )
        mark = "* " if limit else ""
        meaning = ": all or nothing agreed, 3/n is all that n dialogues can say" if limit else ""
        ways.setdefault(f"{mark}{method}{drawn}{meaning}", set()).add(made.n_clusters)  # type: ignore[union-attr]
    return [f"{way} ({_span(sizes)})" for way, sizes in ways.items()]


def _span(sizes: set[int]) -> str:
    low, high = min(sizes), max(sizes)
    return count(low, "dialogue") if low == high else f"{low:,} to {count(high, 'dialogue')}"
