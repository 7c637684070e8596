"""How a coefficient is printed: its value, its interval, and the sentence where it has none."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

from alps_tui.commands.render import count, number

if TYPE_CHECKING:
    from alps_tui.agreement.coefficient import Coefficient, Interval


def cell(coefficient: "Coefficient") -> str:
    """The value, or the word undefined."""
    return number(coefficient.value)


def interval(coefficient: "Coefficient") -> str:
    """`.412 to .655`; the limit that n allows where all or nothing agreed; a dash where there is none."""
    from alps_tui.agreement.coefficient import Interval

    made = coefficient.interval
    if coefficient.value is None or not isinstance(made, Interval):
        return "-"
    if made.disagreement_upper is not None:
        return f"> {number(1 - made.disagreement_upper)} *"
    if made.agreement_upper is not None:
        return f"< {number(made.agreement_upper)} *"
    return f"{number(made.low)} to {number(made.high)}"


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
    from alps_tui.agreement.coefficient import Interval

    ways: dict[str, set[int]] = {}
    for coefficient in coefficients:
        made = coefficient.interval
        if isinstance(made, Interval):
            ways.setdefault(_way(made), set()).add(made.n_clusters)
    return [f"{way} ({_span(sizes)})" for way, sizes in ways.items()]


def _way(made: "Interval") -> str:
    if made.disagreement_upper is not None or made.agreement_upper is not None:
        return f"* {made.method}: all or nothing agreed, 3/n is all that n dialogues can say"
    if made.seed is None:
        return str(made.method)
    return f"{made.method}, {made.replicates:,} replicates, seed {made.seed}"


def _span(sizes: set[int]) -> str:
    low, high = min(sizes), max(sizes)
    return count(low, "dialogue") if low == high else f"{low:,} to {count(high, 'dialogue')}"
