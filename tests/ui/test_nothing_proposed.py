"""A dialogue for which nothing was proposed: a person says that there is nothing, or adds what was missed."""

import json
from pathlib import Path

from at_the_desk import VERIFY, at_the_desk, queue_of

from alps_tui.items.build import build_items
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all
from store.database import open_database
from store.kinds import ItemState, Status

LINE = {
    "dialogue_id": "bare",
    "dialogue": [{"role": "user", "content": "What is the time?"}, {"role": "assistant", "content": "Noon."}],
}


async def test_one_key_says_so_and_the_item_can_be_sent(tmp_path: Path) -> None:
    (tmp_path / "bare.jsonl").write_text(json.dumps(LINE) + "\n")
    with open_database(tmp_path / "alps.db", create=True) as db:
        import_paths(db, [tmp_path / "bare.jsonl"])
        build_items(db)
        with db.write() as conn:
            assign_all(conn, add_rater(conn, "ada").id)
        async with at_the_desk(db, VERIFY) as desk:
            assert "What is the time?" in desk.screen()
            await desk.press("w", "c", "1")
            said = {field: answer for (_, field), answer in desk.stored().answers.items()}
            assert said["no_memory"].value == "yes"
            assert said["faithfulToOriginalMeaning"].status is Status.CANNOT_JUDGE
            await desk.press("enter")
        (mine,) = queue_of(db, VERIFY)
        assert mine.state is ItemState.SUBMITTED
