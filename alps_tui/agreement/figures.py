"""How figures of agreement are written wherever they stand: a value, its interval, undefined. Pure text."""

from alps_tui.agreement.coefficient import Coefficient, Interval

UNDEFINED = "undefined"
NONE = "-"


def number(value: float | None, digits: int = 3) -> str:
    """A coefficient without its leading zero: .815, -.020, 1.000; `undefined` where there is none."""
    if value is None:
        return UNDEFINED
    text = f"{value:.{digits}f}"
    return text.replace("0.", ".", 1) if abs(value) < 1 else text


def value_of(coefficient: Coefficient) -> str:
    """The value, or the word undefined."""
    return number(coefficient.value)


def interval_of(coefficient: Coefficient) -> str:
    """`.412 to .655`; after perfect agreement the upper limit of the disagreement rate; a dash where there is none."""
    made = coefficient.interval
    if coefficient.value is None or not isinstance(made, Interval):
        return NONE
    if made.disagreement_upper is not None:
        return f"differ < {number(made.disagreement_upper)} *"
    if made.agreement_upper is not None:
        return f"agree < {number(made.agreement_upper)} *"
    return f"{number(made.low)} to {number(made.high)}"


def counted(amount: int, noun: str, plural: str | None = None) -> str:
    """`1 turn`, `1,362 turns`."""
    return f"{amount:,} {noun if amount == 1 else plural or noun + 's'}"
