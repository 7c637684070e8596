"""Walks every screen of the installed package on the sample study; needs nothing but the package itself.

python walk_screens.py STUDY.db [SCREENSHOT-FOLDER]
"""

import asyncio
import importlib
import pkgutil
import sys
from dataclasses import replace
from pathlib import Path

from textual.screen import Screen

import alps_tui.ui
from alps_tui.demo.load import load_sample
from alps_tui.protocols.loading import load_builtin
from alps_tui.ui.app import AlpsApp
from store.assignments import add_protocol, add_rater, assign_all, rater_by_name
from store.database import Database, open_database

VERIFY, RATE, UPDATE, CHECK = "memory-verification", "response-rating", "memory-update", "utilization-check"
INTENT, COMPARE = "intent", "response-preference"
WALKS = {
    VERIFY: ["g esc", "? esc", ": esc", "e esc", "x esc", "o esc", "/ esc", "s esc", "f esc", "c esc", "t esc",
             "plus esc", "m esc", "b esc", "v esc", "z z", "a u U", "tab tab", "j k", "] [", "y esc", "M esc"],
    RATE: ["g esc", "? esc", "5 3 3 3", "u u U", "j k", "/ esc", "o esc", "z z", "] ["],
    UPDATE: ["g esc", "? esc", "a u U", "e esc", "j k", "v esc", "z z", "] ["],
    CHECK: ["g esc", "? esc", "e esc", "1 u U", "o esc", "z z", "] ["],
    INTENT: ["g esc", "? esc", "plus esc", "w u U", "o esc", "z z", "] ["],
    COMPARE: ["g esc", "? esc", "1 2 1 u U", "x x", "j k", "o esc", "z z", "] ["],
}  # fmt: skip
FULL = {VERIFY: "a", RATE: "3", UPDATE: "a", CHECK: "1", INTENT: "w", COMPARE: "3"}
"""A key of each form that decides something."""
NOT_IN_SAMPLE = {"FilterLine"}
"""What asks for material that the sample study has none of: a pool of memories."""
KEYS = {
    "esc": "escape",
    "/": "slash",
    "?": "question_mark",
    ":": "colon",
    "[": "left_square_bracket",
    "]": "right_square_bracket",
}


def screens_of_ours() -> set[str]:
    """Every screen class of the app of raters that is not the base of another."""
    for module in pkgutil.walk_packages(alps_tui.ui.__path__, "alps_tui.ui."):
        if not module.name.startswith("alps_tui.ui.lead"):
            importlib.import_module(module.name)
    found, waiting = set(), [Screen]
    while waiting:
        kind = waiting.pop()
        under = [
            one
            for one in kind.__subclasses__()
            if one.__module__.startswith("alps_tui") or one.__subclasses__()
        ]
        waiting += under
        if kind.__module__.startswith("alps_tui") and not any(
            o.__module__.startswith("alps_tui") for o in under
        ):
            found.add(kind.__name__)
    return found


class Disk:
    """A disk that can be full."""

    full = False

    def __call__(self) -> None:
        if self.full:
            raise OSError(28, "No space left on device")


async def walk(
    study: Database, form: str, seen: set[str], size: tuple[int, int], pictures: Path | None
) -> None:
    with study.write() as connection:
        rater = add_rater(connection, f"walker-{form}-{size[0]}")
        assign_all(connection, rater.id)
    disk = Disk()
    app = AlpsApp(study, rater, protocol=form, before_write=disk)
    async with app.run_test(size=size) as pilot:
        await _settled(pilot)
        _note(app, seen)
        for keys in WALKS[form]:
            for key in keys.split():
                await pilot.press(KEYS.get(key, key))
                await _settled(pilot)
                _note(app, seen)
            assert app.is_running, f"{form}: the app ended after {keys}"
        if pictures is not None:
            (pictures / f"{form}-{size[0]}.svg").write_text(app.export_screenshot(), encoding="utf-8")
        disk.full = True
        await pilot.press(FULL[form])
        await _settled(pilot)
        await pilot.press("q")
        await _settled(pilot)
        _note(app, seen)
        disk.full = False
        await pilot.press("r")
        await _settled(pilot)
    app.session.close()


async def walk_change(study: Database, form: str, seen: set[str]) -> None:
    """Who walked a form before reads what is new in its guideline, once."""
    known = load_builtin(form).to_version()
    with study.write() as connection:
        add_protocol(connection, replace(known, guideline=known.guideline + "\n\nNew.", note="A new remark."))
        rater = rater_by_name(connection, f"walker-{form}-80")
    assert rater is not None
    app = AlpsApp(study, rater)
    async with app.run_test(size=(80, 24)) as pilot:
        await _settled(pilot)
        home = app.screen
        home.open_queue(form)  # type: ignore[attr-defined]
        await _settled(pilot)
        _note(app, seen)
        assert app.screen is not home, "what is new stands before the queue"
        await pilot.press("enter")
        await _settled(pilot)
        assert app.is_running
    app.session.close()


async def _settled(pilot) -> None:  # type: ignore[no-untyped-def]
    for _ in range(5):
        await pilot.app.workers.wait_for_complete()
        await pilot.pause(0.02)


def _note(app: AlpsApp, seen: set[str]) -> None:
    seen |= {type(screen).__name__ for screen in app.screen_stack}


def main(place: str, pictures: str | None = None) -> None:
    seen: set[str] = set()
    with open_database(place, create=True) as study:
        load_sample(study)
        for form in WALKS:
            for size in ((80, 24), (200, 60)):
                asyncio.run(walk(study, form, seen, size, Path(pictures) if pictures else None))
        asyncio.run(walk_change(study, VERIFY, seen))
    missing = screens_of_ours() - seen - NOT_IN_SAMPLE
    if missing:
        raise SystemExit(f"walk_screens: never seen: {', '.join(sorted(missing))}")
    print(f"walked {len(seen)} screens: {', '.join(sorted(seen))}")


if __name__ == "__main__":
    main(*sys.argv[1:])
