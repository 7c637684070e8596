"""Opening the workbench."""

import sys
from typing import TYPE_CHECKING

from alps_tui.commands.exit_codes import NOTHING_TO_DO, Ending
from alps_tui.commands.raters import who
from alps_tui.commands.study import open_study, queues

if TYPE_CHECKING:
    from alps_tui.ui.look import Look
    from store.database import Database
    from store.records import Rater


def run(
    url: str,
    name: str | None,
    protocol: str | None,
    item: str | None,
    emoji: str | None = None,
    bidi: str | None = None,
) -> int:
    """Open the workbench for one rater; returns its exit code."""
    if not sys.stdout.isatty():
        raise Ending("The workbench needs a terminal. For what there is to do: alps progress")
    from alps_tui.ui.look import look_for

    try:
        look = look_for(emoji, bidi)
    except ValueError as problem:
        raise Ending(str(problem)) from problem
    study = open_study(url)
    try:
        rater = who(study, name)
        return open_workbench(study, rater, protocol, item, look)
    finally:
        study.close()


def open_workbench(
    study: "Database",
    rater: "Rater",
    protocol: str | None,
    item: str | None,
    look: "Look | None" = None,
) -> int:
    """Run the app on an open study. Raises Ending if the rater has nothing to label."""
    mine = queues(study, rater.id)
    if not mine:
        raise Ending(
            f"{study.url} has nothing to label yet. Import something: alps import PATH --db {study.url}",
            NOTHING_TO_DO,
        )
    if protocol is not None and protocol not in mine:
        raise Ending(f"{rater.name} has no items of {protocol}. There are: {', '.join(mine)}.", NOTHING_TO_DO)
    from alps_tui.ui.app import AlpsApp, run_app

    return run_app(AlpsApp(study, rater, protocol=protocol, start_item=item, look=look))
