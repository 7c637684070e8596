"""The commands about forms, added to the command line."""

from pathlib import Path
from typing import Annotated

import typer

from alps_tui.cli_options import STUDY, Db, Json

protocol_app = typer.Typer(
    help="The forms, and those of your own.", no_args_is_help=True, rich_markup_mode=None
)

Form = Annotated[Path, typer.Argument(help="A TOML file.", metavar="FILE")]


@protocol_app.command("new")
def protocol_new(
    name: Annotated[str, typer.Argument(help="What the form will be called.", metavar="NAME")],
    per: Annotated[
        str, typer.Option("--per", help="What it asks about.", metavar="session|memory|response")
    ] = "session",
    copied: Annotated[
        str | None, typer.Option("--from", help="Start from a built-in form instead.", metavar="FORM")
    ] = None,
) -> None:
    """Write NAME.toml and NAME.md, a form of your own that works and says what to change."""
    from alps_tui.commands import protocols

    protocols.new(name, per, copied)


@protocol_app.command("check")
def protocol_check(path: Form, as_json: Json = False) -> int:
    """Name every mistake of a form with its line, and what its guideline leaves open."""
    from alps_tui.commands import protocols

    return protocols.check(path, as_json)


@protocol_app.command("add")
def protocol_add(path: Form, db: Db = STUDY) -> int:
    """Take a form, or a later version of it, into a study."""
    from alps_tui.commands import protocols

    return protocols.add(db, path)


@protocol_app.command("show")
def protocol_show(
    name: Annotated[str, typer.Argument(help="A form, or the file of one.", metavar="NAME|FILE")],
    guideline: Annotated[
        bool, typer.Option("--guideline", help="The guideline instead of the form.")
    ] = False,
    db: Db = STUDY,
    as_json: Json = False,
) -> None:
    """A form as an annotator meets it."""
    from alps_tui.commands import protocols

    protocols.show(name, guideline, db, as_json)


@protocol_app.command("list")
def protocol_list(db: Db = STUDY, as_json: Json = False) -> None:
    """The forms that ship, and those of your own in a study."""
    from alps_tui.commands import protocols

    protocols.list_all(db, as_json)


@protocol_app.command("versions")
def protocol_versions(
    name: Annotated[str, typer.Argument(help="A form of the study.", metavar="NAME")],
    db: Db = STUDY,
    as_json: Json = False,
) -> None:
    """What was answered under each version of a form, and what can be queued again."""
    from alps_tui.commands import protocols

    protocols.versions(db, name, as_json)
