"""The commands of a lead that open a screen of their own, added to the command line."""

from pathlib import Path
from typing import Annotated

import typer

lead_app = typer.Typer(rich_markup_mode=None)
"""Commands without a group: they stand beside those of `alps_tui.cli`."""

Study = Annotated[
    str, typer.Option("--db", envvar="ALPS_DB", help="The study: a path or URL.", metavar="PATH-or-URL")
]


@lead_app.command()
def show(
    item: Annotated[
        str,
        typer.Argument(
            help="As annotators see it, or as the long table names it (form/key).", metavar="ITEM"
        ),
    ],
    db: Study = "alps.db",
    protocol: Annotated[
        str | None, typer.Option("--protocol", help="Its form, where several have an item of that name.")
    ] = None,
    emoji: Annotated[
        str | None,
        typer.Option("--emoji", envvar="ALPS_EMOJI", metavar="full|plain", help="How emoji are drawn."),
    ] = None,
    bidi: Annotated[
        str | None,
        typer.Option(
            "--bidi", envvar="ALPS_BIDI", metavar="terminal|visual", help="Who orders right-to-left text."
        ),
    ] = None,
    keymap: Annotated[
        Path | None,
        typer.Option("--keymap", envvar="ALPS_KEYMAP", metavar="FILE", help="Keys of your own (TOML)."),
    ] = None,
) -> int:
    """Open an item for reading: its material alone, nobody's answers, nothing written."""
    from alps_tui.commands import show as command

    return command.run(db, item, protocol, emoji, bidi, keymap)
