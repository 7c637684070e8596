"""Raters as a panel: how able each is, what agreement would be without them, and gold with where it comes from."""

from dataclasses import dataclass
from typing import TYPE_CHECKING

from alps_tui.commands.coefficients import cell
from alps_tui.commands.exit_codes import CHECK_FAILED, OK, Ending
from alps_tui.commands.panel_fields import FieldPanel, OfFile, fields_of
from alps_tui.commands.progress_bar import progress_bar
from alps_tui.commands.render import count, number, out, out_json, out_prose, say, table

if TYPE_CHECKING:
    from alps_tui.agreement.annotator_models import Smoothing
    from alps_tui.agreement.competence import CompetenceReport
    from alps_tui.agreement.gold import Gold, Rule
    from alps_tui.agreement.leave_one_out import LeaveOneOut


@dataclass(frozen=True, slots=True)
class Asked:
    """What of a study or file is asked: one field or all, with which model and which fixed priors."""

    field: str | None
    model: str | None
    priors: str | None
    seed: int
    of: OfFile


def run(url: str, rule: str | None, asked: Asked, as_json: bool) -> int:
    """The panel, or gold by a rule; exit code 1 if a field was left out.

    raises   Ending for a model, rule or field that does not exist
    """
    from alps_tui.agreement.annotator_models import Model

    if asked.model is not None and asked.model not in set(Model):
        raise Ending(f"There is no model {asked.model}. Say one of: {', '.join(Model)}.")
    if rule is None:
        panel(url, asked, as_json)
        return OK
    return gold(url, rule, asked, as_json)


def panel(url: str, asked: Asked, as_json: bool) -> None:
    """Print leave-one-out and competence of every field two raters answered."""
    from alps_tui.agreement.annotator_models import Model
    from alps_tui.agreement.competence import competence
    from alps_tui.agreement.leave_one_out import leave_one_out

    fixed = _priors(asked.priors)
    found = []
    models = [Model(asked.model)] if asked.model else list(Model)
    fields = list(fields_of(url, asked.field, asked.of))
    with progress_bar("Fitting models of the raters") as report:
        for done, one in enumerate(fields):
            if report is not None:
                report(done, len(fields))
            reports = [competence(one.people, model, fixed=fixed, seed=asked.seed) for model in models]
            found.append((one, leave_one_out(one.people, seed=asked.seed), reports))
    if as_json:
        out_json(
            [
                {
                    "form": one.form,
                    "leave_one_out": without.to_json(),
                    "models": [report.to_json() for report in reports],
                    "prefilled_left_out": one.n_prefilled,
                }
                for one, without, reports in found
            ]
        )
        return
    for place, (one, without, reports) in enumerate(found):
        if place:
            out()
        _print_panel(one, without, reports)


def gold(url: str, rule: str, asked: Asked, as_json: bool) -> int:
    """One row a unit and field: JSONL on stdout (one document with --json), how it was decided on stderr."""
    from alps_tui.agreement.gold import Rule, summary, with_prefilled

    if rule not in set(Rule):
        raise Ending(f"There is no rule {rule}. Say one of: {', '.join(Rule)}.")
    rows: list[dict[str, object]] = []
    open_units = refused = 0
    for field in fields_of(url, asked.field, asked.of):
        made = _gold(Rule(rule), field, asked)
        if isinstance(made, str):
            refused += 1
            say(f"{field.title}: left out. {made}")
            continue
        counted = ", ".join(f"{n:,} {way}" for way, n in summary(made).items())
        say(f"{field.title}: {count(len(made), 'unit')}: {counted}")
        if field.n_prefilled:
            say(f"{field.title}: {_prefilled(field)}")
        open_units += sum(one.label is None for one in made)
        rows += [{"form": field.form} | one.to_json() for one in with_prefilled(made, field.prefilled)]
    if as_json:
        out_json(rows)
    else:
        import orjson

        for row in rows:
            out(orjson.dumps(row).decode())
    if open_units and rule != Rule.DISTRIBUTION:
        say(f"{count(open_units, 'unit')} without gold: each row says why.")
    return CHECK_FAILED if refused else OK


def _prefilled(field: FieldPanel) -> str:
    return f"{count(field.n_prefilled, 'prefilled answer')} that nobody is known to have looked at: left out."


def _gold(rule: "Rule", field: FieldPanel, asked: Asked) -> "tuple[Gold, ...] | str":
    """Gold of one field, or why there is none."""
    from alps_tui.agreement import gold as rules
    from alps_tui.agreement.annotator_models import Model
    from alps_tui.agreement.competence import competence

    people = field.to_decide
    if rule == rules.Rule.MAJORITY:
        return rules.majority_gold(people)
    if rule == rules.Rule.DISTRIBUTION:
        return rules.distributions(people)
    if rule == rules.Rule.ADJUDICATED:
        return rules.adjudicated_gold(people, field.adjudicators)
    model = Model(asked.model or Model.DAWID_SKENE)
    fitted = competence(people, model, fixed=_priors(asked.priors), replicates=0, seed=asked.seed)
    if fitted.fit is None:
        return (
            f"{fitted.reason} Fixed priors: --priors 8,2 (as if 8 right and 2 wrong answers of each rater on each "
            "class had been seen), with --model dawid_skene or one_coin."
        )
    return rules.weighted_gold(people, fitted)


def _priors(text: str | None) -> "Smoothing | None":
    from alps_tui.agreement.annotator_models import Smoothing

    if text is None:
        return None
    try:
        right, wrong = (float(part) for part in text.split(","))
    except ValueError:
        raise Ending(f"--priors takes two numbers, RIGHT,WRONG (8,2), not {text}.") from None
    if right <= 0 or wrong < 0 or not (right < 1e6 and wrong < 1e6):
        raise Ending("--priors: RIGHT is above 0, WRONG is 0 or above, both under a million.")
    return Smoothing(right, wrong)


# ---------------------------------------------------------------- printed


def _print_panel(field: FieldPanel, without: "LeaveOneOut", reports: "list[CompetenceReport]") -> None:
    people = field.people
    named = f"{field.form} · {people.field}" if field.form else people.field
    out_prose(
        f"{named} · {people.level} · {count(len(people.units), 'unit')}, "
        f"{count(len(people.raters), 'rater')}, alpha {cell(without.alpha)}"
    )
    if field.n_prefilled:
        out_prose(f"  {_prefilled(field)}")
    if not people.units:
        return
    rows = [
        [
            one.rater + (" !" if one.flagged else ""),
            f"{one.n:,}",
            cell(one.alpha_without),
            number(one.rise) if one.rise is not None else "-",
            cell(one.with_rest),
            "-" if one.severity is None else number(one.severity, 2),
            "-" if one.odd_one_out is None else f"{100 * one.odd_one_out:.0f} %",
        ]
        for one in without.raters
    ]
    rest = "with rest" if people.level == "nominal" else "Spearman"
    out(table(["without", "n", "alpha", "rise", rest, "severity", "odd one out"], rows))
    for name in without.flagged:
        out_prose(f"  ! Without {name} alpha rises by more than .05: look at this rater's answers first.")
    few = [one.rater for one in without.raters if not one.enough]
    if few:
        out_prose(f"  {', '.join(few)}: fewer than 20 units shared with others, so nothing is said.")
    _print_competence(reports)


def _print_competence(reports: "list[CompetenceReport]") -> None:
    fitted = [report for report in reports if report.fit is not None]
    if fitted:
        rows = []
        for place, rater in enumerate(fitted[0].raters):
            line = [rater.rater]
            for report in fitted:
                one = report.raters[place]
                spread = "" if one.low is None else f" {number(one.low, 2)}-{number(one.high, 2)}"
                line.append(f"{number(one.value, 2)}{spread}")
            rows.append(line)
        names = [report.model.replace("_", "-") for report in fitted]
        out(table(["competence, 95 %", *names], rows))
    for report in reports:
        if report.fit is None:
            out_prose(f"  {report.model.replace('_', '-')}: not fitted. {report.reason}")
        else:
            out_prose(f"  {report.model.replace('_', '-')}: {'; '.join(report.assumes)}")
    for report in fitted[:1]:
        out_prose(
            f"  intervals: item bootstrap by dialogue, {report.replicates} replicates, seed {report.seed}"
        )
