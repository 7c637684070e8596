"""The sample study: opened on a terminal, run through the whole pipeline without one."""

import sys
from pathlib import Path
from typing import TYPE_CHECKING

from alps_tui.commands.exit_codes import Ending
from alps_tui.commands.render import count, out, say

if TYPE_CHECKING:
    from store.database import Database

GUEST = "guest"


def run(path: Path | None, name: str | None, fresh: bool) -> int:
    """Open the sample study, or print what the pipeline finds on it; returns the exit code."""
    from store.database import open_database

    place = path or _home()
    if place.exists() and not _is_sample(place):
        raise Ending(
            f"{place} holds a study of your own; the sample was kept out of it. Name another file with --db."
        )
    if fresh:
        _forget(place)
    study = open_database(place, create=True)
    try:
        _load(study)
        if not (sys.stdin.isatty() and sys.stdout.isatty()):
            return _print_findings(study, place)
        from alps_tui.commands.annotate import open_workbench
        from alps_tui.commands.raters import check_name, enrol

        check_name(name or GUEST)
        rater, _ = enrol(study, name or GUEST)
        return open_workbench(study, rater, None, None)
    finally:
        study.close()


def _home() -> Path:
    """A place of this user's own, so that what was tried is still there tomorrow."""
    from platformdirs import user_data_path

    try:
        return user_data_path("alps-tui", ensure_exists=True) / "demo.db"
    except OSError as problem:
        raise Ending(
            f"The sample study cannot be kept in {user_data_path('alps-tui')}: {problem.strerror}. "
            "Say where to keep it with --db FILE."
        ) from problem


def _forget(place: Path) -> None:
    """Remove the sample study."""
    for suffix in ("", "-wal", "-shm"):
        place.with_name(place.name + suffix).unlink(missing_ok=True)


def _is_sample(place: Path) -> bool:
    from alps_tui.demo.load import SOURCE
    from store.database import dialogue_sources

    return dialogue_sources(place) <= {SOURCE}


def _load(study: "Database") -> None:
    from alps_tui.commands.progress_bar import progress_bar
    from alps_tui.demo.load import load_sample
    from store.errors import NotPossible

    try:
        with progress_bar("Preparing the sample study") as progress:
            load_sample(study, progress)
    except NotPossible as problem:
        raise Ending(
            f"{study.url} holds the sample study of another version. Start it over: alps demo --fresh"
        ) from problem


def _print_findings(study: "Database", place: Path) -> int:
    """Agreement and the baseline judge's card on the sample study, and where to go next."""
    from alps_tui.commands import agreement, judging
    from alps_tui.judging.runner import run_offline
    from store.content import dialogues

    with study.read() as connection:
        held = dialogues(connection)
    languages = sorted({dialogue.language for dialogue in held if dialogue.language})
    out(f"The sample study: {count(len(held), 'dialogue')} in {', '.join(languages)}.")
    out()
    agreement.print_all(study, agreement.SEED)
    out()
    report = run_offline(study)
    judging.print_card(judging.make_card(study, report.rater, agreement.SEED))
    out()
    say(f"It is in {place}. Open it in a terminal: alps demo. Your own data: alps import PATH")
    return 0
