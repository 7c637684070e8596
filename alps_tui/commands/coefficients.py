"""How a coefficient is printed: its value, its interval, and the sentence where it has none."""

from collections.abc import Iterable
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from alps_tui.agreement.coefficient import Coefficient


def cell(coefficient: "Coefficient") -> str:
    """The value, or the word undefined."""
    from alps_tui.agreement.figures import value_of

    return value_of(coefficient)


def interval(coefficient: "Coefficient") -> str:
    """`.412 to .655`; the limit that n allows where all or nothing agreed; a dash where there is none."""
    from alps_tui.agreement.figures import interval_of

    return interval_of(coefficient)


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
    from alps_tui.agreement.figures import how_made

    return list(how_made(coefficients))
