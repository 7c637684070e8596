"""Hostile text in fields: it comes back from the editor as it was, and what is pasted never acts on the terminal."""

import re
from pathlib import Path

from at_the_desk import VERIFY, Desk, at_the_desk
from studies import MODELS, RATING, VERIFICATION, memory, rating_item, record, verification_item

from store.assignments import add_item, add_protocol, add_rater, assign_all
from store.content import add_file, add_record, dialogues
from store.content_records import Dialogue, Query, Response, Turn
from store.database import Database, open_database
from store.kinds import Origin

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


def assert_harmless(desk: Desk) -> None:
    """Nothing of the data's controls is in what the terminal was sent."""
    sent = POINTER_SHAPE.sub("", desk.driver.output)
    for control in CONTROLS:
        assert control not in sent, repr(control)


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
