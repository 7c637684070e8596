"""Random keys as fast as they come: no decision ever lands on an item that the screen did not show at its key."""

import asyncio
import random
import time
from collections import Counter
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import RATE, VERIFY, at_the_desk
from sqlalchemy import text
from studies import RATERS, RATING, VERIFICATION, dialogue, rating_item, record, verification_item

from store.assignments import add_item, add_protocol, add_rater, assign_all
from store.content import add_file, add_record, dialogues
from store.database import Database, open_database
from store.decisions import verify

DECIDING = {
    VERIFY: "a a d d 1 2 3 w k j k u x U c f backspace",
    RATE: "1 2 3 4 5 0 4 5 3 j k u U left backspace",
}
GOING = "] [ ] [ enter enter r z tab s escape"


def study_of(path: Path, items: int) -> Database:
    """A study of so many dialogues, both forms' items of each."""
    db = open_database(path, create=True)
    with db.write() as conn:
        file_id = add_file(conn, "many.jsonl", "1" * 64, "tiny")
        for ordinal in range(items):
            add_record(conn, file_id, record(dialogue(f"d{ordinal}"), ordinal))
        forms = add_protocol(conn, VERIFICATION), add_protocol(conn, RATING)
        for one in dialogues(conn):
            add_item(conn, forms[0], verification_item(conn, one.id, one.external_id))
            add_item(conn, forms[1], rating_item(conn, one.id, one.external_id))
        for name in RATERS:
            assign_all(conn, add_rater(conn, name).id)
    return db


def burst(form: str, rng: random.Random) -> list[str]:
    """Often to another item first, then decisions as fast as they come."""
    first = rng.choices(GOING.split(), k=rng.choice((0, 1, 1)))
    return first + rng.choices(DECIDING[form].split(), k=rng.randint(1, 2))


async def play(db: Database, form: str, bursts: int, seed: int) -> list[tuple[float, str]]:
    """Press random keys; gives (time, item shown) of every key."""
    rng = random.Random(seed)
    pressed: list[tuple[float, str]] = []

    def slow_disk() -> None:
        time.sleep(rng.choice((0.0, 0.0, 0.002, 0.02)))

    async with at_the_desk(db, form, size=(80, 24), before_write=slow_disk) as desk:
        for number in range(bursts):
            for key in burst(form, rng):
                pressed.append((time.time(), desk.shown_item()))
                desk.hit(key)
                await asyncio.sleep(rng.choice((0.0, 0.002, 0.01, 0.03)))
            if number % 50 == 49:
                pressed.append((time.time(), desk.shown_item()))
                desk.hit("escape", "escape")
                await desk.settle_anywhere()
                await desk.come_back(form)
    return pressed


def acts_of(db: Database) -> list[Any]:
    with db.read() as conn:
        return list(
            conn.execute(
                text(
                    "SELECT d.decided_at, d.verb, i.shown_id FROM decision d"
                    " JOIN assignment a ON a.id = d.assignment_id JOIN item i ON i.id = a.item_id"
                    " WHERE d.act_part = 0 ORDER BY d.id"
                )
            )
        )


async def check_bursts(tmp_path: Path, form: str, bursts: int, seed: int) -> Counter[str]:
    """Every act of the log bears the item that the last frame before its key showed."""
    db = study_of(tmp_path / "many.db", 6)
    try:
        pressed = await play(db, form, bursts, seed)
        acts = acts_of(db)
        for decided_at, verb, shown_id in acts:
            at = datetime.fromisoformat(decided_at).timestamp()
            key_at, item = max((p for p in pressed if p[0] <= at + 0.0005), key=lambda p: p[0])
            assert item == shown_id, (
                f"{verb} at {at - key_at:.4f}s after a key on {item!r} went to {shown_id!r}"
            )
        with db.read() as conn:
            assert verify(conn) == ()
        return Counter(verb for _, verb, _ in acts)
    finally:
        db.close()


@pytest.mark.parametrize("form", [VERIFY, pytest.param(RATE, marks=pytest.mark.slow)])
async def test_no_decision_of_100_random_bursts_is_on_an_item_the_screen_did_not_show(
    tmp_path: Path, form: str
) -> None:
    verbs = await check_bursts(tmp_path, form, 100, seed=7)
    assert verbs["set"] > 5
    assert verbs["undo"] + verbs["submit"] + verbs["skip"] > 0


@pytest.mark.slow
@pytest.mark.parametrize("form", [VERIFY, RATE])
@pytest.mark.parametrize("seed", range(10))
async def test_no_decision_of_10000_random_bursts_is_on_an_item_the_screen_did_not_show(
    tmp_path: Path, form: str, seed: int
) -> None:
    await check_bursts(tmp_path, form, 500, seed=seed)
