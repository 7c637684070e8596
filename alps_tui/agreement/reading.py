"""What a report says, in one sentence: what two raters agreed on, how far beyond chance, and whether that is enough."""

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus, Interval
from alps_tui.agreement.field_reports import FieldAgreement, ScaleAgreement
from alps_tui.agreement.figures import counted, interval_of, number
from alps_tui.agreement.report import Comparison, DecisionTable

FIRM, TENTATIVE = 0.8, 0.667
CONVENTION = "The bounds .667 and .8 are Krippendorff's convention, not a test."


def field_in_words(field: FieldAgreement) -> str:
    """One field, of the answers that are not seeded."""
    bare, full = field.without_seeded, field.with_seeded
    if full.n_ratings and not bare.n_ratings:
        return (
            f"Nothing is known of agreement here: all {full.n_ratings:,} answers are what the form was prefilled "
            "with, and nobody can know whether anybody looked."
        )
    if not bare.n_ratings:
        return "Nobody answered."
    beside = (
        ""
        if not field.any_seeded
        else f"Of {full.n_ratings:,} answers {full.n_ratings - bare.n_ratings:,} were prefilled and left: without them, "
    )
    said = f"{_same_answer(field, bare)} {_beyond_chance(bare.alpha)}{_best_and_worst(bare)}"
    return beside + (said[0].lower() + said[1:] if beside else said)


def decisions_in_words(comparison: Comparison) -> str:
    """Two annotators, or several, on the same proposed memories: without the seeded decisions, then with them."""
    bare, full = comparison.without_seeded, comparison.with_seeded
    who = "two raters" if comparison.pairs else f"{comparison.between[0]} and {comparison.between[1]}"
    if full.n and not bare.n:
        return f"Nothing is known of agreement here: on every proposal {who} share, one of them left what was prefilled."
    if not bare.n:
        return "No proposal was decided on by two raters."
    start = (
        f"Where both are known to have decided, {who} took"
        if bare.n != full.n
        else f"{who[0].upper()}{who[1:]} took"
    )
    said = f"{start} the same decision in {_percent(bare.raw_agreement)} of {counted(bare.n, 'pair')} of decisions. {_beyond_chance(bare.alpha_nominal)} {_classes(bare)}"
    if bare.n != full.n:
        said += (
            f" With the decisions that only left what was proposed it would be {_percent(full.raw_agreement)} of "
            f"{full.n:,}, alpha {number(full.alpha_nominal.value)}: a form that starts on keep makes that number."
        )
    return said


def _percent(share: Coefficient) -> str:
    return "an unknown share" if share.value is None else f"{100 * share.value:.0f} %"


def _classes(table: DecisionTable) -> str:
    """Specific agreement of each class that was used."""
    used = [f"{label} {number(one.value)}" for label, one in table.specific.items() if one.value is not None]
    return f"Given that one said it, so did the other: {', '.join(used)}." if used else ""


def _same_answer(field: FieldAgreement, scale: ScaleAgreement) -> str:
    raw = scale.raw_agreement
    if raw.status is CoefficientStatus.NEED_2_RATERS:
        return "Fewer than two raters answered, so there is no agreement to speak of."
    if raw.status is CoefficientStatus.NO_PAIRABLE_UNITS:
        return "No unit was answered by two raters, so there is no agreement to speak of."
    if raw.value is None:
        return f"Of {counted(scale.n_pairable, 'unit')} answered by two raters or more:"
    what = "named the same options" if field.kind == "set" else "gave the same answer"
    return f"Two raters of the same unit {what} {_percent(raw)} of the time ({counted(scale.n_pairable, 'unit')})."


def _beyond_chance(alpha: Coefficient) -> str:
    if alpha.status in (CoefficientStatus.NEED_2_RATERS, CoefficientStatus.NO_PAIRABLE_UNITS):
        return ""
    if alpha.value is None:
        return f"How much of that is chance cannot be said: {alpha.reason[0].lower()}{alpha.reason[1:]}"
    made = alpha.interval
    if isinstance(made, Interval) and made.disagreement_upper is not None:
        n = counted(made.n_clusters, "dialogue")
        return (
            f"Nobody ever differed; with {n} a disagreement rate of up to {number(made.disagreement_upper)} "
            "is still possible."
        )
    value = f"Beyond chance that is alpha {number(alpha.value)}"
    if not isinstance(made, Interval):
        return f"{value}, without an interval: {_by_value(alpha.value)}."
    return f"{value} ({interval_of(alpha)}): {_by_interval(made.low, made.high)}."


def _by_value(value: float) -> str:
    if value < TENTATIVE:
        return "too low to rest a conclusion on"
    return (
        "high, but how sure cannot be said" if value >= FIRM else "enough for tentative conclusions at best"
    )


def _by_interval(low: float, high: float) -> str:
    if low >= FIRM:
        return "firm"
    if low >= TENTATIVE:
        return "enough for tentative conclusions"
    if low <= 0:
        return "it may be no more than chance"
    if high < TENTATIVE:
        return "too low to rest a conclusion on"
    return "whether that is enough is open, for the interval reaches below .667"


def _best_and_worst(scale: ScaleAgreement) -> str:
    known = {label: one.value for label, one in scale.specific.items() if one.value is not None}
    if len(known) < 2 or len(set(known.values())) < 2:
        return ""
    best, worst = max(known, key=lambda label: known[label]), min(known, key=lambda label: known[label])
    return (
        f' When one says "{best}" so does the other {100 * known[best]:.0f} % of the time, when one says "{worst}" '
        f"{100 * known[worst]:.0f} %."
    )
