"""The methods paragraph of an agreement report: every count, coefficient, interval and policy that a reviewer asks for."""

from collections.abc import Iterator

from alps_tui.agreement.coefficient import Coefficient, Interval, Method
from alps_tui.agreement.field_reports import FieldAgreement
from alps_tui.agreement.figures import counted, number
from alps_tui.agreement.intervals import FEW_DIALOGUES, RARE_CLASS, REPLICATES
from alps_tui.agreement.report import Comparison
from alps_tui.agreement.whole import AgreementReport
from exports.agreement_blocks import name_of


def paragraph(report: AgreementReport, version: str) -> str:
    """One paragraph of plain text."""
    sentences = [
        *_who(report, version),
        *_policies(report),
        *_intervals(report),
        *_many(report),
        *_results(report),
        f"Software: Alps TUI {version}, krippendorff for the printed alpha; seed {report.seed}.",
    ]
    return " ".join(sentences)


def _who(report: AgreementReport, version: str) -> Iterator[str]:
    who = report.population
    forms = f" under {', '.join(who.protocols)}" if who.protocols else ""
    yield (
        f"Agreement was computed with Alps TUI {version} on {counted(who.kept, 'row')} of a long table (unit x field x "
        f"rater){forms}: people's blind core answers that saw neither a judge nor a peer, of each rater the first "
        "occasion under the newest protocol version."
    )
    left = ", ".join(f"{n:,} {reason.replace('_', ' ')}" for reason, n in who.left_out.items())
    yield f"Left out by reason: {left}." if left else "No row was left out of that population."
    yield from report.said


def _policies(report: AgreementReport) -> Iterator[str]:
    yield (
        "Skipped, cannot-judge and unseen cells are missing and never values; units with one answer enter no "
        'coefficient but the margins of AC1 and AC2; "does not apply" is counted beside the scale; units that raters '
        "made themselves enter counts and set F1 only."
    )
    yield (
        "Answers equal to what the form was prefilled with and never touched (seeded) are left out first; results with "
        "them, and under the worst case in which each takes the class furthest from the others (Manski 1990), stand "
        "beside."
    )
    levels = sorted({field.level for form in report.forms.values() for field in form.fields})
    ordered = [level for level in levels if level != "nominal"]
    weights = " with quadratic weights" if ordered else ""
    yield (
        "Coefficients: specific agreement per class, raw agreement, Krippendorff's alpha at the protocol's level "
        f"({', '.join(levels) or 'nominal'}; MASI distances for sets), Gwet's AC1{' or AC2' if ordered else ''}, Cohen's "
        f"kappa per pair of raters and its mean weighted by common units, Fleiss' kappa on the balanced part, "
        f"Brennan-Prediger{weights}, over the full scale of the protocol."
    )
    if any(field.without_seeded.intraclass for form in report.forms.values() for field in form.fields):
        yield "ICC (Shrout and Fleiss 1979) on complete cases."


def _intervals(report: AgreementReport) -> Iterator[str]:
    methods = {made.method for made in _made(report)}
    said = []
    if methods & {Method.BOOTSTRAP, Method.ITEM_BOOTSTRAP}:
        said.append(
            f"a cluster bootstrap by dialogue ({REPLICATES:,} replicates, percentile, seed {report.seed})"
        )
    if methods & {Method.JACKKNIFE_Z, Method.JACKKNIFE_T}:
        said.append(
            f"a delete-one-dialogue jackknife with Fisher z and t where there are fewer than {FEW_DIALOGUES} dialogues or "
            f"a class is under {100 * RARE_CLASS:.0f} %"
        )
    if Method.RULE_OF_THREE in methods:
        said.append("the rule of three where all or nothing agreed")
    if said:
        yield f"95 % intervals are by {'; '.join(said)}."
    lost = sum(made.undefined for made in _made(report))
    if lost:
        yield f"{lost:,} bootstrap replicates had no value and were left out."


def _made(report: AgreementReport) -> Iterator[Interval]:
    for one in _coefficients(report):
        if isinstance(one.interval, Interval):
            yield one.interval


def _coefficients(report: AgreementReport) -> Iterator[Coefficient]:
    if report.decisions is not None:
        for comparison in (report.decisions.sides, report.decisions.raters):
            if comparison is not None:
                for table in (comparison.without_seeded, comparison.with_seeded):
                    yield from table.specific.values()
                    yield from (table.raw_agreement, table.cohen_kappa, table.alpha_nominal, table.ac1)
    for form in report.forms.values():
        for field in form.fields:
            yield from field.without_seeded.coefficients()


def _many(report: AgreementReport) -> Iterator[str]:
    n = report.n_fields
    if n > 1:
        yield f"{n} fields stand side by side: one low coefficient in twenty is to be expected by chance."
    undefined = sum(not one.defined for one in _coefficients(report))
    if undefined:
        yield f"{counted(undefined, 'coefficient')} {'is' if undefined == 1 else 'are'} undefined, each with its reason."
    if report.refused:
        yield "Without a number: " + "; ".join(f"{key} ({why})" for key, why in report.refused.items()) + "."


def _results(report: AgreementReport) -> Iterator[str]:
    if report.decisions is not None:
        for comparison in (report.decisions.sides, report.decisions.raters):
            if comparison is not None:
                yield _decisions(comparison)
    for form in report.forms.values():
        for field in form.fields:
            if field.n_ratings:
                yield _field(field)


def _decisions(comparison: Comparison) -> str:
    bare, full = comparison.without_seeded, comparison.with_seeded
    each = ", ".join(f"{label} {number(one.value)}" for label, one in bare.specific.items())
    many = len(comparison.pairs)
    who = f"{many} pairs of raters, pooled" if many else " and ".join(comparison.between)
    said = (
        f"Decisions on proposed memories ({who}; {counted(bare.n, 'pair')} without seeded "
        f"ones): specific agreement {each}; raw {number(bare.raw_agreement.value)}, {_told(bare.cohen_kappa)}, "
        f"{_told(bare.alpha_nominal)}, {_told(bare.ac1)}"
    )
    if bare is full:
        return said + "."
    return f"{said}; with seeded ones ({full.n:,}) kappa {number(full.cohen_kappa.value)}, alpha {number(full.alpha_nominal.value)}."


def _field(field: FieldAgreement) -> str:
    scale = field.without_seeded
    missing = sum(field.missing.values())
    told = [scale.alpha] if field.kind == "set" else [scale.alpha, scale.ac, scale.mean_kappa]
    return (
        f"{field.key} ({field.level}, {counted(scale.n_pairable, 'unit')} with two answers or more, "
        f"{counted(scale.n_ratings, 'rating')} by {counted(len(field.raters), 'rater')}, {missing:,} missing): raw "
        f"{number(scale.raw_agreement.value)}, {', '.join(map(_told, told))}."
    )


def _told(one: Coefficient) -> str:
    """`alpha .602 [.528, .666]`, or undefined."""
    made = one.interval
    name = name_of(one)
    if one.value is None or not isinstance(made, Interval):
        return f"{name} {number(one.value)}"
    if made.disagreement_upper is not None:
        return f"{name} {number(one.value)} (rate of differing under {number(made.disagreement_upper)})"
    return f"{name} {number(one.value)} [{number(made.low)}, {number(made.high)}]"
