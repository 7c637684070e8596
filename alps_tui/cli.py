"""The command line: parse, call, print. What is slow to import is imported inside the command that uses it."""

import os
import sys
from pathlib import Path
from typing import Annotated

import typer

from alps_tui.cli_agreement import agreement_app
from alps_tui.cli_lead import lead_app
from alps_tui.cli_options import STUDY, Bidi, Db, Emoji, Json, Keys, Seed
from alps_tui.cli_protocol import protocol_app
from alps_tui.commands import exit_codes

app = typer.Typer(
    name="alps",
    help="Verify memories, rate responses, measure agreement and hold LLM judges against people.",
    no_args_is_help=True,
    add_completion=False,
    rich_markup_mode=None,
    pretty_exceptions_enable=False,
    context_settings={"help_option_names": ["-h", "--help"]},
)
rater_app = typer.Typer(help="The people and judges of a study.", no_args_is_help=True, rich_markup_mode=None)
judge_app = typer.Typer(
    help="Run a judge; hold it against people.", no_args_is_help=True, rich_markup_mode=None
)
export_app = typer.Typer(help="Write labels for other tools.", no_args_is_help=True, rich_markup_mode=None)
app.add_typer(agreement_app)
app.add_typer(lead_app)
app.add_typer(rater_app, name="rater")
app.add_typer(protocol_app, name="protocol")
app.add_typer(judge_app, name="judge")
app.add_typer(export_app, name="export")

As = Annotated[
    str | None,
    typer.Option("--as", envvar="ALPS_RATER", help="Who you are in this study, a pseudonym.", metavar="NAME"),
]


def _version(wanted: bool) -> None:
    if not wanted:
        return
    from importlib.metadata import version

    print(f"alps {version('alps-tui')}")
    raise typer.Exit


@app.callback()
def _root(
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Print the version and stop.")
    ] = False,
) -> None:
    pass


@app.command()
def demo(
    db: Annotated[
        str | None, typer.Option("--db", help="Where to keep the sample study.", metavar="PATH")
    ] = None,
    name: As = None,
    fresh: Annotated[bool, typer.Option("--fresh", help="Start the sample study over.")] = False,
) -> int:
    """Open the sample study; without a terminal, print what the pipeline finds on it."""
    from alps_tui.commands import demo as command

    return command.run(Path(db) if db else None, name, fresh)


@app.command()
def init(db: Db = STUDY) -> None:
    """Make an empty study."""
    from alps_tui.commands import study

    study.init(db)


@app.command("import")
def import_(
    paths: Annotated[list[Path], typer.Argument(help="Files or folders.", metavar="PATH...")],
    db: Db = STUDY,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="Say what would come in; write nothing.")
    ] = False,
    report: Annotated[bool, typer.Option("--report", help="List every lint and quarantined record.")] = False,
    as_json: Json = False,
) -> int:
    """Read dialogues, memories, responses and annotations made elsewhere."""
    from alps_tui.commands import importing

    return importing.run(db, paths, dry_run=dry_run, full=report, as_json=as_json)


@app.command()
def items(
    db: Db = STUDY,
    protocol: Annotated[
        str | None, typer.Option("--protocol", help="Only of this form.", metavar="NAME")
    ] = None,
    again: Annotated[
        str | None,
        typer.Option(
            "--again",
            help="Queue once more what was answered under older versions of this form only.",
            metavar="NAME",
        ),
    ] = None,
    dry_run: Annotated[
        bool, typer.Option("--dry-run", help="With --again: list what would be queued.")
    ] = False,
    as_json: Json = False,
) -> None:
    """Make the items of every form and give them to every rater; import does this by itself."""
    if again is not None:
        from alps_tui.commands import protocols

        protocols.again(db, again, dry_run, as_json)
        return
    if dry_run:
        raise exit_codes.Ending("--dry-run goes with --again NAME.")
    from alps_tui.commands import importing

    importing.items(db, as_json, protocol)


@app.command()
def annotate(
    db: Db = STUDY,
    name: As = None,
    protocol: Annotated[str | None, typer.Option("--protocol", help="Go straight to this form.")] = None,
    item: Annotated[str | None, typer.Option("--item", help="Start at this item.")] = None,
    emoji: Emoji = None,
    bidi: Bidi = None,
    keymap: Keys = None,
    print_keymap: Annotated[
        bool, typer.Option("--print-keymap", help="Print every key as a keymap file to change.")
    ] = False,
) -> int:
    """Open the workbench."""
    from alps_tui.commands import annotate as command

    if print_keymap:
        return command.print_keymap()
    return command.run(db, name, protocol, item, emoji, bidi, keymap)


@app.command()
def verify(db: Db = STUDY, as_json: Json = False) -> int:
    """Rebuild every answer from the log and compare."""
    from alps_tui.commands import study

    return study.verify(db, as_json)


@app.command()
def doctor(db: Db = STUDY, as_json: Json = False) -> int:
    """Is the study whole, and is its place safe: file, disk, clock, filesystem, acts left over."""
    from alps_tui.commands import doctor as command

    return command.run(db, as_json)


@app.command()
def backup(
    target: Annotated[Path, typer.Argument(help="A file that does not exist yet.")],
    db: Db = STUDY,
    as_json: Json = False,
) -> None:
    """Copy a study while people work on it."""
    from alps_tui.commands import study

    study.backup(db, target, as_json)


@app.command()
def progress(
    db: Db = STUDY,
    by: Annotated[
        str | None,
        typer.Option(
            "--by",
            help="By what items are, over the people of the study.",
            metavar="language|ability|length|label|source|form",
        ),
    ] = None,
    protocol: Annotated[str | None, typer.Option("--protocol", help="With --by: only this form.")] = None,
    everyone: Annotated[bool, typer.Option("--everyone", help="Judges and imported raters too.")] = False,
    as_json: Json = False,
) -> None:
    """How far each person is with each form; or how far the study is, by what its items are."""
    from alps_tui.commands import study

    if by is None and protocol is None:
        study.progress(db, everyone, as_json)
    else:
        study.progress_by(db, by or "form", protocol, everyone, as_json)


@app.command("reset-terminal")
def reset_terminal() -> None:
    """Mend a terminal in which the workbench was killed: mouse, cursor, echo, screen."""
    from alps_tui.commands import terminal

    terminal.reset()


@rater_app.command("add")
def rater_add(
    names: Annotated[list[str], typer.Argument(metavar="NAME...", help="Pseudonyms.")],
    db: Db = STUDY,
    as_json: Json = False,
) -> None:
    """Add people, each with every item of the study in an order of their own."""
    from alps_tui.commands import raters

    raters.add(db, names, as_json)


@rater_app.command("list")
def rater_list(db: Db = STUDY, as_json: Json = False) -> None:
    """Everybody who answers, judges included."""
    from alps_tui.commands import raters

    raters.show(db, as_json)


@judge_app.command("run")
def judge_run(
    db: Db = STUDY,
    offline: Annotated[
        bool, typer.Option("--offline", help="The baseline judge: no model, no network.")
    ] = False,
    dry_run: Annotated[bool, typer.Option("--dry-run", help="Count the items; answer none.")] = False,
    as_json: Json = False,
) -> int:
    """Let a judge answer the same form as people."""
    from alps_tui.commands import judging

    return judging.run(db, offline=offline, dry_run=dry_run, as_json=as_json)


@judge_app.command("card")
def judge_card(
    judge: Annotated[str | None, typer.Argument(help="A rater; the only judge if left out.")] = None,
    db: Db = STUDY,
    seed: Seed = 42,
    as_json: Json = False,
) -> None:
    """How far a judge is from the people, beside how far they are from each other."""
    from alps_tui.commands import judging

    judging.card(db, judge, seed, as_json)


@export_app.command("long")
def export_long(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.")],
    db: Db = STUDY,
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that holds something.")] = False,
    as_json: Json = False,
) -> int:
    """The long table as JSONL and CSV: one row per unit, field and rater."""
    from alps_tui.commands import exporting

    return exporting.long_table(db, folder, force, as_json)


@export_app.command("bundles")
def export_bundles(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.")],
    db: Db = STUDY,
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that holds something.")] = False,
    as_json: Json = False,
) -> int:
    """Imported annotations as AlpsBench's tool saves them: one annotator a file, drafts apart."""
    from alps_tui.commands import exporting

    return exporting.bundles(db, folder, force, as_json)


@export_app.command("memories")
def export_memories(
    folder: Annotated[Path, typer.Argument(help="A new or empty folder.")],
    db: Db = STUDY,
    unfinished: Annotated[
        bool, typer.Option("--unfinished", help="Also sessions not submitted yet.")
    ] = False,
    force: Annotated[bool, typer.Option("--force", help="Write into a folder that holds something.")] = False,
    as_json: Json = False,
) -> int:
    """Verified memories in AlpsBench's shape, one file per rater, never merged."""
    from alps_tui.commands import exporting

    return exporting.memories(db, folder, unfinished, force, as_json)


def run_command(arguments: list[str]) -> int:
    """Run one command and return its exit code; every way out has a sentence."""
    return exit_codes.guard(
        lambda: app(arguments, prog_name="alps", standalone_mode=False), debug="ALPS_DEBUG" in os.environ
    )


def main() -> None:
    """Entry point of `alps`."""
    sys.exit(run_command(sys.argv[1:]))
