"""A dialogue for which nothing was proposed: a person says that there is nothing, or adds what was missed."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

from at_the_desk import VERIFY, Desk, at_the_desk, queue_of, tiny_desk

from alps_tui.items.build import build_items
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all
from store.database import open_database
from store.kinds import ItemState
from store.ratings import long_rows

LINE = {
    "dialogue_id": "bare",
    "dialogue": [{"role": "user", "content": "What is the time?"}, {"role": "assistant", "content": "Noon."}],
}


@asynccontextmanager
async def bare_desk(folder: Path) -> AsyncIterator[Desk]:
    """A rater before a dialogue without memories."""
    (folder / "bare.jsonl").write_text(json.dumps(LINE) + "\n")
    with open_database(folder / "alps.db", create=True) as db:
        import_paths(db, [folder / "bare.jsonl"])
        build_items(db)
        with db.write() as conn:
            assign_all(conn, add_rater(conn, "ada").id)
        async with at_the_desk(db, VERIFY) as desk:
            yield desk


async def test_one_key_says_so_and_nothing_is_asked_about_proposals_that_are_not_there(
    tmp_path: Path,
) -> None:
    async with bare_desk(tmp_path) as desk:
        assert "What is the time?" in desk.screen()
        assert "what the user meant" not in desk.screen()
        await desk.press("enter")
        assert "nothing was proposed" in desk.sentence.lower()
        await desk.press("w")
        await desk.breath()
        await desk.press("enter")
        (mine,) = queue_of(desk.db, VERIFY)
        assert mine.state is ItemState.SUBMITTED
        with desk.db.read() as conn:
            rows = [(row["field"], row["status"]) for row in long_rows(conn)]
    assert rows == [("no_memory", "answered")]


async def test_no_memory_here_gives_way_to_what_is_kept_and_cannot_be_said_beside_it(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("w", "d", "escape", "x", "1")
        assert desk.value("session", "no_memory") == "yes"
        await desk.press("a")
        assert (desk.value("session", "no_memory"), desk.value("m2", "verdict")) == (None, "keep")
        assert "Taken back: “no memory here”" in desk.sentence
        await desk.press("w")
        assert "cannot be said while m2 stands" in desk.sentence
        assert desk.value("session", "no_memory") is None
        await desk.press("u")
        assert (desk.value("session", "no_memory"), desk.value("m2", "verdict")) == ("yes", "delete")
        await desk.press("t", "enter")
        assert (desk.value("session", "no_memory"), desk.cursor) == (None, "n1")
        await desk.press("x", "w", "w")
        assert desk.value("session", "no_memory") is None
        assert "is taken back" in desk.sentence
