"""Commands about judges: run one, and the card that holds it against people."""

from typing import TYPE_CHECKING

from alps_tui.commands.coefficients import cell, interval, undefined_notes
from alps_tui.commands.exit_codes import CHECK_FAILED, NOTHING_TO_DO, OK, USAGE, Ending
from alps_tui.commands.progress_bar import progress_bar
from alps_tui.commands.render import count, out, out_json, out_prose, say, table
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from alps_tui.agreement.coefficient import Coefficient
    from alps_tui.judging.card import FieldCard, JudgeCard
    from store.database import Database

FORM = "response-rating"


def run(url: str, *, offline: bool, dry_run: bool, as_json: bool) -> int:
    """Let the judge answer what it has not answered; exit code 1 if an item failed, 3 if there was nothing."""
    if not offline:
        raise Ending("Only the offline baseline judge is built in so far. Say: alps judge run --offline")
    from alps_tui.judging.runner import NOT_MADE_FOR, run_offline

    study = open_study(url)
    try:
        with progress_bar("Judging") as progress:
            report = run_offline(study, dry_run=dry_run, progress=progress)
    finally:
        study.close()
    if as_json:
        out_json(report.to_json())
    else:
        verb = "would answer" if dry_run else "answered"
        out(
            f"{report.rater} {verb} {count(report.answered, 'item')} with {count(report.responses, 'response')}."
        )
        if report.already_done:
            out(f"{count(report.already_done, 'item')} answered before; nothing is asked twice.")
        left = [field for field, reasons in report.unscored.items() if NOT_MADE_FOR in reasons]
        if left:
            out(f"It does not answer {', '.join(left)}, nor what is asked of each preference.")
        for shown, reason in report.failed:
            out(f"failed: {shown}: {reason}")
    if report.failed:
        return CHECK_FAILED
    if not report.items:
        raise Ending(
            f"{url} has no responses to judge. Import some: alps import PATH --db {url}", NOTHING_TO_DO
        )
    if not report.answered:
        return NOTHING_TO_DO
    if not dry_run and not as_json:
        say(f"Next: alps judge card --db {url}")
    return OK


def card(url: str, judge: str | None, seed: int, as_json: bool) -> None:
    """Print the card of a judge."""
    study = open_study(url, read_only=True)
    try:
        made = make_card(study, judge or _only_judge(study), seed)
    finally:
        study.close()
    if as_json:
        out_json(made.to_json())
    else:
        print_card(made)


def make_card(study: "Database", judge: str, seed: int) -> "JudgeCard":
    """The card of a rater as judge. Raises Ending if there is nothing to hold against."""
    from alps_tui.judging.card import NoCard, judge_card
    from alps_tui.protocols.loading import load_builtin
    from store.assignments import rater_by_name
    from store.kinds import RaterKind
    from store.ratings import ratings_table

    with study.read() as connection:
        known = rater_by_name(connection, judge)
        ratings = ratings_table(connection, protocol=FORM)
    if known is None:
        raise Ending(f"There is no rater {judge} in {study.url}. See: alps rater list --db {study.url}")
    if known.kind is RaterKind.HUMAN and judge not in set(ratings.column("rater").tolist()):
        raise Ending(f"{judge} has rated no response yet, so there is nothing to compare.", NOTHING_TO_DO)
    try:
        return judge_card(ratings, judge, load_builtin(FORM).to_version().fields, seed=seed)
    except NoCard as problem:
        raise Ending(str(problem), NOTHING_TO_DO) from problem


def _only_judge(study: "Database") -> str:
    """The one judge that has answered this form; others may have answered other forms."""
    from store.assignments import progress, raters
    from store.kinds import RaterKind

    with study.read() as connection:
        judges = [
            r.name
            for r in raters(connection)
            if r.kind not in (RaterKind.HUMAN, RaterKind.ADJUDICATOR)
            and progress(connection, r.id, FORM).total
        ]
    if not judges:
        raise Ending("No judge has answered yet. Run one: alps judge run --offline", NOTHING_TO_DO)
    if len(judges) > 1:
        raise Ending(f"Which judge? There are {', '.join(judges)}. Say: alps judge card NAME", USAGE)
    return judges[0]


def print_card(made: "JudgeCard") -> None:
    """A card in 80 columns: the judge against the people's mean, then everybody against the rest."""
    out_prose(made.title)
    out_prose(f"Held against {made.reference}")
    out(f"People: {', '.join(made.people)}. Protocol: {', '.join(made.protocols)}.")
    met = [field for field in made.fields if field.n_pairs or any(field.na.to_json().values())]
    for field in met:
        out()
        _print_field(field, made.people)
    apart = [field.key for field in made.fields if field not in met]
    if apart:
        out()
        out_prose(f"No unit that both the judge and a person answered: {', '.join(apart)}.")
    for key, reason in made.passed_over.items():
        out(f"{key}: {reason}")


def _print_field(field: "FieldCard", people: tuple[str, ...]) -> None:
    unscored = sum(field.unscored.values())
    out_prose(
        f"{field.key} · {count(field.n_units, 'unit')} in {count(field.n_dialogues, 'dialogue')}, "
        f"{count(field.n_pairs, 'judge-person pair')}, {unscored} unscored"
    )
    na = field.na
    out_prose(
        f"  pairs where it does not apply: both {na.both_na}, only the judge {na.judge_na}, only the person {na.person_na}, "
        f"scored by both {na.both_score}"
    )
    rows: list[tuple[str, Coefficient]] = [
        ("bias, judge - mean of people", field.mean.bias),
        ("mean absolute error", field.mean.mae),
        ("within one of the mean", field.mean.within_one),
        ("within one, per pair", field.within_one),
        ("weighted kappa, pairs pooled", field.pooled),
        *[(f"weighted kappa with {name}", value) for name, value in field.against.items()],
    ]
    out(table(["against people", "value", "95 % interval"], [[n, cell(c), interval(c)] for n, c in rows]))
    if field.left_out:
        out("  same items, same references (the mean of the others):")
        names = [
            people[left.person] if left.person is not None else "all together" for left in field.left_out
        ]
        cells = [
            [
                name,
                cell(left.human.mae),
                cell(left.judge.mae),
                cell(left.difference),
                interval(left.difference),
            ]
            for name, left in zip(names, field.left_out, strict=True)
        ]
        out(table(["left out", "human MAE", "judge MAE", "judge-human", "95 % interval"], cells))
    for note in undefined_notes(coefficient for _, coefficient in rows):
        out_prose(f"  {note}")
