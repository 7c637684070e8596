"""How figures of agreement are written wherever they stand: a value, its interval, undefined. Pure text."""

from collections.abc import Iterable

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
    """`.412 to .655`; after perfect agreement the upper limit of the rate of differing; a dash where there is none."""
    made = coefficient.interval
    if coefficient.value is None or not isinstance(made, Interval):
        return NONE
    if made.disagreement_upper is not None:
        return f"diff < {number(made.disagreement_upper)} *"
    if made.agreement_upper is not None:
        return f"same < {number(made.agreement_upper)} *"
    return f"{number(made.low)} to {number(made.high)}"


def counted(amount: int, noun: str, plural: str | None = None) -> str:
    """`1 turn`, `1,362 turns`."""
    return f"{amount:,} {noun if amount == 1 else plural or noun + 's'}"


def how_made(coefficients: Iterable[Coefficient]) -> tuple[str, ...]:
    """How the intervals were made: each method once, with the dialogues it rests on."""
    ways: dict[str, set[int]] = {}
    for coefficient in coefficients:
        made = coefficient.interval
        if isinstance(made, Interval):
            ways.setdefault(_way(made), set()).add(made.n_clusters)
    return tuple(f"{way} ({_span(sizes)})" for way, sizes in ways.items())


def _way(made: Interval) -> str:
    if made.disagreement_upper is not None or made.agreement_upper is not None:
        return f"* {made.method}, all or nothing agreed: n dialogues still allow a rate of up to 3/n"
    if made.seed is None:
        return str(made.method)
    lost = f", {made.undefined:,} of them undefined" if made.undefined else ""
    return f"{made.method}, {made.replicates:,} replicates{lost}, seed {made.seed}"


def _span(sizes: set[int]) -> str:
    low, high = min(sizes), max(sizes)
    return counted(low, "dialogue") if low == high else f"{low:,} to {counted(high, 'dialogue')}"


def below_bounds(alpha: Coefficient) -> str:
    """Where alpha's replicates lie, or why nobody can say; "" where alpha has no interval."""
    made = alpha.interval
    if not isinstance(made, Interval):
        return ""
    if made.below is not None:
        shares = ", ".join(
            f"{100 * share:.0f} % below {number(float(bound)).rstrip('0')}"
            for bound, share in made.below.items()
        )
        return f"alpha's replicates: {shares} (where the replicates lie; no probability about alpha)"
    return (
        f"how many of alpha's replicates lie below .667 and .8 is not known: {made.no_below}"
        if made.no_below
        else ""
    )
