"""Text from data is text on every screen: nothing in it acts on the terminal, crashes the app or vanishes."""

import inspect
import pkgutil
import re
from importlib import import_module
from pathlib import Path

import pytest
from at_the_desk import RATE, VERIFY, Desk, at_the_desk
from studies import MODELS, RATING, VERIFICATION, memory, rating_item, record, verification_item
from textual.screen import Screen

from alps_tui.protocols.loading import load_builtin
from alps_tui.ui import screens
from store.assignments import add_item, add_protocol, add_rater, assign_all
from store.content import add_file, add_record, dialogues
from store.database import Database, open_database
from store.kinds import Origin
from store.records import Dialogue, Query, Response, Turn

HOSTILE = "[/] [bold]x[/bold] [@click=app.exit()]y[/] \\[ \x1b[2J\x1b]0;PWNED\x07 \x9b31m \x00 \u202eabc \u2066 👩‍👩‍👧 é 日本語 ابجد"
CONTROLS = ("\x1b[2J", "\x1b]0;PWNED", "\x9b", "\x00", "\u202e", "\u2066", "\x07")
SIGNS = "␛[2J"
POINTER_SHAPE = re.compile(r"\x1b\]22;[a-z-]+\x07")
"""What Textual itself sends to give the mouse pointer its shape."""

NAME = "[/]\x1b[2J\u202eid"


def hostile_study(path: Path) -> Database:
    """Every text of the study is hostile: turns, memories, labels, quotes, query, responses, ids, the rater."""
    db = open_database(path, create=True)
    with db.write() as conn:
        file_id = add_file(conn, "hostile.jsonl", "3" * 64, "tiny")
        add_record(conn, file_id, record(_dialogue()))
        forms = add_protocol(conn, VERIFICATION), add_protocol(conn, RATING)
        for one in dialogues(conn):
            add_item(conn, forms[0], verification_item(conn, one.id, one.external_id))
            add_item(conn, forms[1], rating_item(conn, one.id, one.external_id))
        assign_all(conn, add_rater(conn, NAME).id)
    return db


def _dialogue() -> Dialogue:
    from dataclasses import replace

    def hostile(name: str, origin: Origin = Origin.GOLD, origin_name: str = "gold", position: int = 0):
        plain = memory(name, f"{name} {HOSTILE}", origin, origin_name, position)
        fields = (
            "label",
            "type",
            "reasoning",
            "time_scope",
            "preference_attitude",
            "emotion",
            "label_suggestion",
        )
        return replace(plain, **dict.fromkeys(fields, HOSTILE))

    return Dialogue(
        source="tiny",
        external_id=NAME,
        turns=(Turn("user", HOSTILE, speaker=NAME, translation=HOSTILE), Turn("assistant", HOSTILE)),
        memories=(hostile("m1"), hostile("m2", position=1), hostile("m1", Origin.MODEL, MODELS[0])),
        queries=(Query("q1", "utilization", HOSTILE, ability=HOSTILE, given=("m2",)),),
        responses=(Response("q1", MODELS[0], HOSTILE, 0), Response("q1", MODELS[1], HOSTILE, 1)),
        language="[/]",
    )


Way = tuple[str, tuple[str, ...]]

WAYS: dict[str, list[Way]] = {
    "AnnotateScreen": [(VERIFY, ()), (RATE, ())],
    "HomeScreen": [(VERIFY, ("q",))],
    "PickScreen": [(VERIFY, ("m",)), (VERIFY, ("x", "4"))],
    "MemoryEditor": [(VERIFY, ("e",)), (VERIFY, ("m", "1"))],
    "FilterScreen": [(VERIFY, ("t",)), (VERIFY, (":",))],
    "NoteScreen": [(VERIFY, ("o",))],
    "PromptScreen": [(VERIFY, ("/",))],
    "GuidelineScreen": [(VERIFY, ("g",))],
    "KeysScreen": [(VERIFY, ("?",))],
    "TextScreen": [(VERIFY, ("escape", "tab", "tab", "home", "y"))],
    "NotSavedScreen": [],
    "CommandPalette": [(VERIFY, ("ctrl+p",))],
}
"""Screen → ways to it with hostile text about. `NotSavedScreen` has a test of its own."""


def our_screens() -> set[str]:
    """Every screen of the product that can be opened."""
    found: set[str] = set()
    for module in pkgutil.walk_packages(screens.__path__, f"{screens.__name__}."):
        for name, kind in inspect.getmembers(import_module(module.name), inspect.isclass):
            if issubclass(kind, Screen) and kind.__module__ == module.name:
                found.add(name)
    return found - {"Modal", "KeyModal", "TextModal"}


def test_every_screen_has_a_hostile_case() -> None:
    assert our_screens() <= set(WAYS)


def assert_harmless(desk: Desk) -> None:
    """Nothing of the data's controls is in what the terminal was sent."""
    sent = POINTER_SHAPE.sub("", desk.driver.output)
    for control in CONTROLS:
        assert control not in sent, repr(control)


@pytest.mark.parametrize("name", [name for name, ways in WAYS.items() if ways])
async def test_hostile_text_is_text_on(tmp_path: Path, name: str) -> None:
    for number, (form, keys) in enumerate(WAYS[name]):
        db = hostile_study(tmp_path / f"hostile{number}.db")
        try:
            for size in ((80, 24), (200, 60)):
                async with at_the_desk(db, form, rater=NAME, size=size) as desk:
                    for key in keys:
                        desk.hit(key)
                        await desk.settle_anywhere()
                    await desk.until(lambda: type(desk.app.screen).__name__ == name)
                    await desk.pilot.pause()
                    assert_harmless(desk)
        finally:
            db.close()


async def test_what_the_data_says_is_on_the_screen_sign_for_sign(tmp_path: Path) -> None:
    db = hostile_study(tmp_path / "hostile.db")
    try:
        async with at_the_desk(db, VERIFY, rater=NAME, size=(200, 60)) as desk:
            shown = desk.screen()
            assert "[/] [bold]x[/bold] [@click=app.exit()]y[/]" in shown
            assert SIGNS in shown
            await desk.press("e")
            assert "[bold]x[/bold]" in desk.screen()
            assert_harmless(desk)
    finally:
        db.close()


async def test_hostile_text_comes_back_from_the_editor_as_it_was(tmp_path: Path) -> None:
    db = hostile_study(tmp_path / "hostile.db")
    try:
        async with at_the_desk(db, VERIFY, rater=NAME) as desk:
            before = next(iter(desk.annotate.sitting.view.memories.values())).value
            assert "\x1b[2J" in before
            await desk.press("e")
            await desk.type("!")
            await desk.press("enter", "enter")
            assert desk.value("m1", "memory")["value"] == f"{before}!"
            assert_harmless(desk)
    finally:
        db.close()


async def test_pasted_control_codes_are_shown_and_never_sent(tmp_path: Path) -> None:
    from textual import events

    db = hostile_study(tmp_path / "hostile.db")
    try:
        async with at_the_desk(db, VERIFY, rater=NAME) as desk:
            for key in ("o", "e", "/"):
                await desk.press(key)
                assert desk.app.focused is not None
                desk.app.focused.post_message(events.Paste(HOSTILE))
                await desk.pilot.pause()
                assert SIGNS in desk.screen()
                await desk.press("escape")
            assert_harmless(desk)
    finally:
        db.close()


async def test_a_hostile_reason_for_a_failed_write_is_shown_as_text(tmp_path: Path) -> None:
    from store.errors import StudyBusy

    def fail() -> None:
        raise StudyBusy(HOSTILE)

    db = hostile_study(tmp_path / "hostile.db")
    try:
        async with at_the_desk(db, VERIFY, rater=NAME, before_write=fail) as desk:
            desk.hit("d")
            await desk.until(lambda: "NOT SAVED" in desk.status())
            desk.hit("q")
            await desk.until(lambda: type(desk.app.screen).__name__ == "NotSavedScreen")
            await desk.pilot.pause()
            assert SIGNS in desk.screen()
            assert_harmless(desk)
    finally:
        db.close()


async def test_a_hostile_form_is_text_in_questions_pickers_help_and_palette(tmp_path: Path) -> None:
    form = load_builtin(VERIFY)
    fields = tuple(
        field.model_copy(
            update={
                "title": HOSTILE,
                "options": tuple(
                    o.model_copy(update={"label": HOSTILE, "anchor": HOSTILE}) for o in field.options
                ),
            }
        )
        for field in form.fields
    )
    hostile = form.model_copy(
        update={"fields": fields, "title": HOSTILE, "guideline": f"# {HOSTILE}\n- {HOSTILE}"}
    )
    db = hostile_study(tmp_path / "hostile.db")
    try:
        async with at_the_desk(db, VERIFY, rater=NAME, protocols={VERIFY: hostile}) as desk:
            for keys in (
                ("x", "escape"),
                ("g", "escape"),
                ("?", "escape"),
                ("c", "escape"),
                ("1",),
                ("ctrl+p",),
            ):
                for key in keys:
                    desk.hit(key)
                    await desk.settle_anywhere()
                    await desk.pilot.pause()
            assert_harmless(desk)
    finally:
        db.close()
