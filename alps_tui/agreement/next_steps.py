"""What to do next about one field: look again, clarify the guideline, look at a rater, collect more, or nothing."""

import numpy as np

from alps_tui.agreement.behind import confused, disagreed, rated_once, refs
from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus, Interval
from alps_tui.agreement.detail import Advice, NextStep
from alps_tui.agreement.figures import counted, number
from alps_tui.agreement.intervals import SEED
from alps_tui.agreement.leave_one_out import FEW_SHARED, LeftOut, leave_one_out
from alps_tui.agreement.many_raters import coincidences, pairable
from alps_tui.agreement.panel import Panel
from alps_tui.agreement.planning import dialogues_by_root
from store.kinds import Level

FIRM = 0.8
HALF_WIDTH = 0.1
"""The half-width that "collect more" aims at; `alps plan` answers for any other."""

OFTEN_ENOUGH = 3
"""Units on which two classes are confused before the guideline is held to be unclear."""

MOST_CLASSES = 64
MOST_RATERS = 25
"""Up to here each rater is left out once; beyond, that takes longer than all the rest (`alps agreement --panel`)."""

MOST_ANSWERS = 500_000
"""Beyond, simulated studies and left-out raters are not made unasked."""


def next_steps(
    panel: Panel, alpha: Coefficient, *, form: str = "", prefilled: bool = False, seed: int = SEED
) -> tuple[NextStep, ...]:
    """Steps in the order to be taken; the last resort (`NOTHING`) alone.

    panel       answers that are not seeded; alpha: of the same answers, with its interval
    form        the field's, empty for a file that names none: what a plan is asked for
    prefilled   whether there are seeded answers beside: where nothing else is known, they are why
    """
    if prefilled and alpha.status in (CoefficientStatus.NEED_2_RATERS, CoefficientStatus.NO_PAIRABLE_UNITS):
        said = "Have this field answered again on a form that starts empty: what was prefilled says nothing."
        return (NextStep(Advice.COLLECT, said, rated_once(panel)),)
    alone = _needs_a_second_rater(panel, alpha)
    if alone is not None:
        return (alone,)
    if alpha.status is CoefficientStatus.NO_VARIATION:
        return (_one_class_only(panel),)
    if alpha.value is None:
        return (NextStep(Advice.COLLECT, f"First of all give alpha a value. {alpha.reason}"),)
    low = alpha.interval.low if isinstance(alpha.interval, Interval) else alpha.value
    more = _collect(panel, alpha, form)
    if low >= FIRM:
        said = f"Nothing: alpha is {number(low)} or more over its whole interval."
        return (more,) if more is not None else (NextStep(Advice.NOTHING, said),)
    found = [*_rater(panel, seed), _clarify(panel), _relabel(panel), more]
    return tuple(step for step in found if step is not None)


def _needs_a_second_rater(panel: Panel, alpha: Coefficient) -> NextStep | None:
    if alpha.status not in (CoefficientStatus.NEED_2_RATERS, CoefficientStatus.NO_PAIRABLE_UNITS):
        return None
    single = rated_once(panel)
    said = "Have somebody answer this field."
    if single:
        what = (
            "the one unit that one rater has"
            if len(single) == 1
            else f"the {len(single):,} units that one rater has"
        )
        said = f"Have a second rater answer {what} answered."
    return NextStep(Advice.COLLECT, said, single)


def _one_class_only(panel: Panel) -> NextStep:
    used = [label for label, n in zip(panel.labels, panel.counts.sum(axis=0), strict=True) if n]
    said = (
        f'Every answer is "{used[0]}": draw units on which another answer is likely. More of the same cannot show '
        "whether raters tell the classes apart."
    )
    return NextStep(Advice.COLLECT, said)


def _small(panel: Panel) -> bool:
    return len(panel.labels) <= MOST_CLASSES and int((panel.codes >= 0).sum()) <= MOST_ANSWERS


def _rater(panel: Panel, seed: int) -> list[NextStep]:
    """The rater without whom the others agree most clearly better.

    Only where enough of this rater's units have two others: with two raters a unit nobody can know which of them it is.
    """
    if not 3 <= len(panel.raters) <= MOST_RATERS or not _small(panel):
        return []
    without = leave_one_out(panel, seed=seed)
    given = (panel.codes >= 0).sum(axis=1)
    best: LeftOut | None = None
    for place, one in enumerate(without.raters):
        judged_by_others = int(np.count_nonzero((panel.codes[:, place] >= 0) & (given >= 3)))
        if (
            one.flagged
            and judged_by_others >= FEW_SHARED
            and (best is None or (one.rise or 0) > (best.rise or 0))
        ):
            best = one
    if best is None:
        return []
    said = (
        f"Look at {best.rater}'s answers: without them alpha rises from {number(without.alpha.value)} to "
        f"{number(best.alpha_without.value)}. Drop a rater only for a reason that holds without looking at "
        "agreement, and then report both."
    )
    differ = _differs_from_all(panel, panel.codes[:, panel.raters.index(best.rater)])
    return [NextStep(Advice.DROP_RATER, said, refs(panel, differ), rater=best.rater)]


def _differs_from_all(panel: Panel, column: np.ndarray) -> np.ndarray:
    """Places of units on which a rater has answered, somebody else too, and nobody the same."""
    same = (panel.codes == column[:, None]).sum(axis=1)
    others = (panel.codes >= 0).sum(axis=1) - 1
    return np.flatnonzero((column >= 0) & (others >= 1) & (same == 1))


def _clarify(panel: Panel) -> NextStep | None:
    """The two classes whose confusion costs most: how often they meet on one unit, times their squared distance."""
    counts = panel.counts
    k = len(panel.labels)
    if k < 2 or k > MOST_CLASSES:
        return None
    met = np.zeros((k, k))
    kept = counts[pairable(counts)]
    for start in range(0, len(kept), 10_000):
        met += coincidences(kept[start : start + 10_000]).sum(axis=0)
    cost = met * (1 - np.eye(k))
    if panel.level is not Level.NOMINAL:
        scores = np.asarray(panel.scores)
        cost = met * (scores[:, None] - scores[None]) ** 2
    if cost.max(initial=0.0) <= 0:
        return None
    a, b = sorted(divmod(int(cost.argmax()), k))
    classes = (panel.labels[a], panel.labels[b])
    units = confused(panel, *classes)
    if len(units) < OFTEN_ENOUGH:
        return None
    said = (
        f'Say in the guideline where "{classes[0]}" ends and "{classes[1]}" begins: '
        f"{len(units):,} units were given both, the confusion that costs alpha most."
    )
    return NextStep(Advice.CLARIFY, said, units, classes=classes)


def _relabel(panel: Panel) -> NextStep | None:
    units = disagreed(panel)
    if not units:
        return None
    what = "the one unit" if len(units) == 1 else f"the {len(units):,} units"
    order = "" if panel.level is Level.NOMINAL else ", the furthest apart first"
    said = (
        f"Talk through {what} with different answers{order}; then label fresh units for the number to report, "
        "for answers that were talked through agree by design."
    )
    return NextStep(Advice.RELABEL, said, units)


def _collect(panel: Panel, alpha: Coefficient, form: str) -> NextStep | None:
    """How many more dialogues bring the interval to a half-width of .1 with as many raters as now."""
    made = alpha.interval
    if not isinstance(made, Interval):
        reason = "" if made is None else f" {made.reason}"
        return NextStep(Advice.COLLECT, f"Collect more dialogues: alpha has no interval yet.{reason}")
    if (made.high - made.low) / 2 <= HALF_WIDTH:
        return None
    given = (panel.codes >= 0).sum(axis=1)
    raters = max(2, round(float(given[given >= 2].mean())))
    wide = f"The interval is {number(made.low)} to {number(made.high)}, from {counted(made.n_clusters, 'dialogue')}"
    needed = dialogues_by_root(made, HALF_WIDTH)
    if needed is None:
        said = f"{wide}: more than 20,000 would be needed for {number(HALF_WIDTH, 2)} on each side."
        return NextStep(Advice.COLLECT, said, raters=raters)
    more = max(1, needed - made.n_clusters)
    planned = f"alps plan --pilot {panel.field} --protocol {form}"
    others = (
        f" ({planned} says it for other numbers of raters)" if form and 0 < (alpha.value or 0) < 1 else ""
    )
    said = (
        f"{wide}. About {counted(more, 'more dialogue')} with {raters} raters each would bring it to "
        f"{number(HALF_WIDTH, 2)} on each side{others}."
    )
    return NextStep(Advice.COLLECT, said, dialogues=more, raters=raters)
