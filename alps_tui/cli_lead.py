"""The commands of a lead that open a screen of their own, added to the command line."""

from typing import Annotated

import typer

from alps_tui.cli_options import STUDY, Bidi, Db, Emoji, Keys

lead_app = typer.Typer(rich_markup_mode=None)
"""Commands without a group: they stand beside those of `alps_tui.cli`."""


@lead_app.command()
def show(
    item: Annotated[
        str,
        typer.Argument(
            help="As annotators see it, or as the long table names it (form/key).", metavar="ITEM"
        ),
    ],
    db: Db = STUDY,
    protocol: Annotated[
        str | None, typer.Option("--protocol", help="Its form, where several have an item of that name.")
    ] = None,
    emoji: Emoji = None,
    bidi: Bidi = None,
    keymap: Keys = None,
) -> int:
    """Open an item for reading: its material alone, nobody's answers, nothing written."""
    from alps_tui.commands import show as command

    return command.run(db, item, protocol, emoji, bidi, keymap)
