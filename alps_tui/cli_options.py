"""The options that several commands have, said once."""

from pathlib import Path
from typing import Annotated

import typer

STUDY = "alps.db"

Db = Annotated[
    str, typer.Option("--db", envvar="ALPS_DB", help="The study: a path or URL.", metavar="PATH-or-URL")
]
Json = Annotated[bool, typer.Option("--json", help="One JSON document on stdout.")]
Seed = Annotated[int, typer.Option("--seed", help="Of the bootstrap.")]
Emoji = Annotated[
    str | None,
    typer.Option("--emoji", envvar="ALPS_EMOJI", metavar="full|plain", help="How emoji are drawn."),
]
Bidi = Annotated[
    str | None,
    typer.Option(
        "--bidi", envvar="ALPS_BIDI", metavar="terminal|visual", help="Who orders right-to-left text."
    ),
]
Keys = Annotated[
    Path | None,
    typer.Option("--keymap", envvar="ALPS_KEYMAP", metavar="FILE", help="Keys of your own (TOML)."),
]
