"""Opening an item for reading, without a rater."""

import sys
from typing import TYPE_CHECKING

from alps_tui.commands.exit_codes import NOTHING_TO_DO, Ending
from alps_tui.commands.render import count
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from pathlib import Path

    from store.open_items import ItemRef

NAMED = 6
"""How many items of one name are listed."""


def run(
    url: str,
    item: str,
    form: str | None,
    emoji: str | None = None,
    bidi: str | None = None,
    keymap: "Path | None" = None,
) -> int:
    """Open an item read-only; returns the exit code. Nobody's answers are shown, and nothing is written."""
    if not sys.stdout.isatty():
        raise Ending("An item is read in a terminal. What was answered on it: alps export long FOLDER")
    from alps_tui.commands.annotate import own_keymap
    from alps_tui.ui.keyed_app import ran
    from alps_tui.ui.lead.app import LeadApp
    from alps_tui.ui.lead.preview import Place, PreviewScreen
    from alps_tui.ui.lead.shelf import Shelf
    from alps_tui.ui.look import look_for
    from store.open_items import items_beside, items_named

    try:
        look = look_for(emoji, bidi)
    except ValueError as problem:
        raise Ending(str(problem)) from problem
    study = open_study(url, read_only=True)
    try:
        with study.read() as connection:
            wanted = _the_one(items_named(connection, item, form), url, item, form)
            beside = items_beside(connection, wanted)
        shelf = Shelf(study, own_keymap(keymap))
        places = [Place(one.name) for one in beside]
        start = next(i for i, one in enumerate(beside) if one.id == wanted.id)
        return ran(LeadApp(lambda: PreviewScreen(shelf, places, start), look))
    finally:
        study.close()


def _the_one(found: "tuple[ItemRef, ...]", url: str, item: str, form: str | None) -> "ItemRef":
    """The one item that was meant; a sentence where it is none or several."""
    if not found:
        of_form = f" of {form}" if form else ""
        raise Ending(
            f"{url} has no item {item}{of_form}. An item is named as annotators see it, or as the long table names it "
            "(alps export long).",
            NOTHING_TO_DO,
        )
    if len(found) > 1:
        names = ", ".join(one.name for one in found[:NAMED])
        raise Ending(
            f"{item} names {count(len(found), 'item')}: {names}. Say which: alps show {found[0].name}, or --protocol FORM."
        )
    return found[0]
