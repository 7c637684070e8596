"""Opening the workbench."""

import gc
import sys
from typing import TYPE_CHECKING

from alps_tui.commands.exit_codes import NOTHING_TO_DO, Ending
from alps_tui.commands.raters import who
from alps_tui.commands.study import open_study, queues

if TYPE_CHECKING:
    from pathlib import Path

    from alps_tui.protocols.schema import Protocol
    from alps_tui.ui.keymap import Keymap
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
    keymap: "Path | None" = None,
) -> int:
    """Open the workbench for one rater; returns its exit code."""
    if not sys.stdout.isatty():
        raise Ending("The workbench needs a terminal. For what there is to do: alps progress")
    from alps_tui.ui.look import look_for

    try:
        look = look_for(emoji, bidi)
    except ValueError as problem:
        raise Ending(str(problem)) from problem
    gc.disable()  # until the app is ready: imports leave no garbage, and looking for it took a fifth of the start
    try:
        study = open_study(url)
        try:
            keys = own_keymap(keymap, study)
            rater = who(study, name)
            return open_workbench(study, rater, protocol, item, look, keys)
        finally:
            study.close()
    finally:
        gc.enable()


def open_workbench(
    study: "Database",
    rater: "Rater",
    protocol: str | None,
    item: str | None,
    look: "Look | None" = None,
    keymap: "Keymap | None" = None,
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

    return run_app(AlpsApp(study, rater, protocol=protocol, start_item=item, look=look, keymap=keymap))


def own_keymap(named: "Path | None", study: "Database | None" = None) -> "Keymap | None":
    """The keymap of this file, else the one in the user's own settings; None where there is neither.

    raises   Ending with every mistake in it
    """
    from platformdirs import user_config_path

    path = named or user_config_path("alps") / "keymap.toml"
    if named is None and not path.is_file():
        return None
    from alps_tui.ui.keymap import KeymapError, load_keymap

    try:
        return load_keymap(path, _forms(study))
    except KeymapError as problem:
        raise Ending.of_lines(str(problem).splitlines()) from problem


def print_keymap() -> int:
    """Every key there is, as a keymap file to be changed."""
    from alps_tui.ui.keymap import template

    sys.stdout.write(template(_forms()))
    return 0


def _forms(study: "Database | None" = None) -> "dict[str, Protocol]":
    """The forms that ship, and those of a team's own in a study."""
    from alps_tui.items.study_forms import own_forms
    from alps_tui.protocols.loading import builtin_names, load_builtin

    own = () if study is None else own_forms(study)
    return {form.name: form for form in (*map(load_builtin, builtin_names()), *own)}
