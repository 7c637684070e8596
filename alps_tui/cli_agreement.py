"""The commands about agreement, added to the command line: what raters agree on, and how many of them it takes."""

from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from alps_tui.cli_options import STUDY, Db, Json, Seed
from alps_tui.commands import exit_codes

if TYPE_CHECKING:
    from alps_tui.commands.panel_fields import OfFile

agreement_app = typer.Typer(rich_markup_mode=None)
"""Commands without a group: they stand beside those of `alps_tui.cli`."""


AsPublished = Annotated[
    bool, typer.Option("--as-published", help="Exactly as the AlpsBench authors computed it.")
]
Panel = Annotated[
    bool, typer.Option("--panel", help="Each rater: agreement without them, and how able they are.")
]
Gold = Annotated[
    str | None,
    typer.Option(
        "--gold",
        help="Gold, a row a unit, with who said what and what decided.",
        metavar="majority|weighted|adjudicated|distribution",
    ),
]
Pairs = Annotated[
    Path | None,
    typer.Argument(
        help="With --preferences: a file in place of the study's own pairs "
        "(CSV or JSONL: prompt, first, second, winner, rater).",
        metavar="[FILE]",
        show_default=False,
    ),
]
Preferences = Annotated[
    bool,
    typer.Option("--preferences", help="Which system is preferred: the study's pairs, or those of FILE."),
]
Evidence = Annotated[
    bool, typer.Option("--evidence", help="The passages that were marked: turns, then characters.")
]
Ratings = Annotated[
    Path | None,
    typer.Option(
        "--ratings",
        help="A long table instead of the study (CSV, JSONL or parquet): unit, rater, value; field if several.",
        metavar="FILE",
    ),
]
Levels = Annotated[
    list[str],
    typer.Option(
        "--level",
        help="With --ratings: nominal, ordinal, interval or ratio, where the file does not say it. Repeatable.",
        metavar="FIELD=LEVEL",
    ),
]
Scales = Annotated[
    list[str],
    typer.Option(
        "--scale", help="With --ratings: every value in order. Repeatable.", metavar="FIELD=1..5|a,b,c"
    ),
]
Beside = Annotated[
    list[str],
    typer.Option(
        "--does-not-apply",
        help="With --ratings: the answer that stands beside the scale. Repeatable.",
        metavar="FIELD=VALUE",
    ),
]
Form = Annotated[
    str | None, typer.Option("--protocol", help="Only this form, one of your own too.", metavar="NAME")
]
Version = Annotated[
    str | None,
    typer.Option(
        "--version",
        help="With --protocol: answers under this version; the newest, if left out.",
        metavar="VERSION",
    ),
]
OneField = Annotated[str | None, typer.Option("--field", help="Only this field.")]
Model = Annotated[
    str | None,
    typer.Option("--model", help="With --panel and --gold weighted.", metavar="dawid_skene|one_coin|mace"),
]
Priors = Annotated[
    str | None,
    typer.Option(
        "--priors", help="Fixed priors of a model: answers as if seen, on each class.", metavar="RIGHT,WRONG"
    ),
]
Markdown = Annotated[bool, typer.Option("--markdown", help="The report as Markdown.")]
Latex = Annotated[bool, typer.Option("--latex", help="The report as LaTeX, to be \\input.")]
AsCsv = Annotated[bool, typer.Option("--csv", help="A row for each coefficient.")]
Methods = Annotated[bool, typer.Option("--methods", help="A paragraph for the methods section.")]
Screen = Annotated[
    bool, typer.Option("--screen", help="A screen of its own: each number opens the items behind it.")
]


@agreement_app.command()
def agreement(
    db: Db = STUDY,
    as_published: AsPublished = False,
    panel: Panel = False,
    gold: Gold = None,
    file: Pairs = None,
    preferences: Preferences = False,
    evidence: Evidence = False,
    ratings: Ratings = None,
    level: Levels = [],  # noqa: B006 - typer reads a list as an option that may be repeated
    scale: Scales = [],  # noqa: B006
    beside: Beside = [],  # noqa: B006
    protocol: Form = None,
    form_version: Version = None,
    field: OneField = None,
    model: Model = None,
    priors: Priors = None,
    seed: Seed = 42,
    as_json: Json = False,
    markdown: Markdown = False,
    latex: Latex = False,
    as_csv: AsCsv = False,
    methods: Methods = False,
    screen: Screen = False,
) -> int:
    """Do the raters agree, and on what: decisions first, F1 beside them."""
    from alps_tui.commands.agreement import form_wanted, one_of
    from alps_tui.commands.panel_fields import OfFile

    formats = {"json": as_json, "csv": as_csv, "markdown": markdown, "latex": latex, "methods": methods}
    reports = {"as-published": as_published, "panel": panel, "gold": gold is not None}
    others = {"preferences": preferences, "evidence": evidence, "screen": screen}
    wanted, chosen = one_of(reports | others, "report"), one_of(formats)
    if wanted != "text" and chosen not in ("text", "json"):
        raise exit_codes.Ending(f"--{wanted} is printed as text or with --json; --{chosen} is the report's.")
    of = OfFile(ratings, level, scale, beside, form_wanted(protocol, form_version))
    _of_a_study(ratings, preferences or evidence or as_published, screen)
    if file is not None and not preferences and not screen:
        raise exit_codes.Ending(f"{file} goes with --preferences.", exit_codes.USAGE)
    if screen:
        from alps_tui.commands import agreement_screen

        return agreement_screen.run(db, seed)
    if panel or gold is not None:
        from alps_tui.commands import panels

        return panels.run(db, gold, panels.Asked(field, model, priors, seed, of), as_json)
    if preferences or evidence or as_published:
        _of_study_alone(db, file, preferences, evidence, seed, as_json)
        return 0
    return _report(db, of, field, chosen, seed)


def _of_a_study(ratings: Path | None, other_report: bool, screen: bool) -> None:
    if ratings is None:
        return
    if other_report:
        raise exit_codes.Ending(
            "--ratings goes with the report, --panel and --gold: the others need a study."
        )
    if screen:
        raise exit_codes.Ending("--screen is about a study: a file of ratings holds no items to open.")


def _of_study_alone(
    db: str, file: Path | None, preferences: bool, evidence: bool, seed: int, as_json: bool
) -> None:
    """Preferences (of a file of pairs too), else evidence, else what the authors published."""
    if preferences:
        from alps_tui.commands import preferences as preferred

        if file is None:
            preferred.run_of_study(db, seed, as_json)
        else:
            preferred.run(file, seed, as_json)
    elif evidence:
        from alps_tui.commands import evidence as passages

        passages.run(db, seed, as_json)
    else:
        from alps_tui.commands import as_published as published

        published.run(db, as_json)


def _report(db: str, of: "OfFile", field: str | None, chosen: str, seed: int) -> int:
    from alps_tui.commands.agreement import Wish, run

    wish = Wish(of.ratings, of.levels, of.scales, of.beside, field, chosen, seed, of.form)
    return run(db, wish)


@agreement_app.command()
def plan(
    purpose: Annotated[str, typer.Option("--for", help="What is planned.", metavar="alpha")] = "alpha",
    half_width: Annotated[
        float, typer.Option("--half-width", help="Of the 95 % interval of alpha that is wanted.")
    ] = 0.1,
    raters: Annotated[str, typer.Option("--raters", help="Raters on each unit to compare.")] = "2,3,4,5",
    pilot: Annotated[
        str | None,
        typer.Option("--pilot", help="A field of the study to take the model from.", metavar="FIELD"),
    ] = None,
    protocol: Annotated[
        str | None,
        typer.Option("--protocol", help="With --pilot: the form that asks the field.", metavar="NAME"),
    ] = None,
    db: Db = STUDY,
    alpha: Annotated[float, typer.Option("--alpha", help="Without a pilot: the alpha to expect.")] = 0.7,
    level: Annotated[str, typer.Option("--level", help="Without a pilot.")] = "ordinal",
    shares: Annotated[
        str, typer.Option("--shares", help="Without a pilot: of the classes, in order.")
    ] = "20,20,20,20,20",
    per_dialogue: Annotated[int, typer.Option("--per-dialogue", help="Without a pilot: units in each.")] = 1,
    icc: Annotated[
        float, typer.Option("--icc", help="Without a pilot: how alike the units of a dialogue are, 0 to 1.")
    ] = 0.0,
    seed: Annotated[int, typer.Option("--seed", help="Of the simulated studies.")] = 42,
    as_json: Json = False,
) -> int:
    """How many items and raters give which half-width of alpha."""
    from alps_tui.commands import planning

    wish = planning.Wish(half_width, raters, level, alpha, shares, per_dialogue, icc, pilot, protocol, seed)
    return planning.run(db, purpose, wish, as_json)
