"""Where a rater was is kept through a kill and a resize: item, part, reading position, folds and drafts."""

from pathlib import Path

import pytest
from at_the_desk import RATE, VERIFY, Desk, at_the_desk, tiny_desk
from studies import VERIFICATION, dialogue, record, verification_item

from store.assignments import add_item, add_protocol, add_rater, assign_all
from store.content import add_file, add_record, dialogues
from store.content_records import Dialogue, Turn
from store.database import Database, backup, open_database
from store.place import load_place

LONG = "\n".join(f"line {number} of a long turn" for number in range(90))


def long_study(path: Path) -> Database:
    """Three dialogues of 40 turns, the sixth of which is folded."""
    db = open_database(path, create=True)
    with db.write() as conn:
        file_id = add_file(conn, "long.jsonl", "2" * 64, "tiny")
        for ordinal, name in enumerate(("d1", "d2", "d3")):
            add_record(conn, file_id, record(_long(dialogue(name)), ordinal))
        form = add_protocol(conn, VERIFICATION)
        for one in dialogues(conn):
            add_item(conn, form, verification_item(conn, one.id, one.external_id))
        assign_all(conn, add_rater(conn, "ada").id)
    return db


def _long(short: Dialogue) -> Dialogue:
    turns = [Turn("user" if i % 2 == 0 else "assistant", f"turn number {i + 1}") for i in range(36)]
    turns[2] = Turn("user", LONG)
    return Dialogue(
        short.source,
        short.external_id,
        (*short.turns, *turns),
        short.memories,
        short.queries,
        short.responses,
    )


async def kept(desk: Desk, what: str) -> None:
    """Wait until this stands in the place that the database holds."""

    def is_kept() -> bool:
        with desk.db.read() as conn:
            return what in str(load_place(conn, desk.assignment.id))

    await desk.until(is_kept)


@pytest.mark.parametrize("end", ["kill", "quit"])
async def test_after_a_kill_or_quit_the_same_item_part_position_fold_and_draft_are_there(
    tmp_path: Path, end: str
) -> None:
    db = long_study(tmp_path / "study.db")
    async with at_the_desk(db, VERIFY, size=(80, 24)) as desk:
        await desk.press("a", "]", "j", "}", "}", "}", "space", "pagedown", "pagedown")
        item, top = desk.shown_item(), desk.annotate.panes.dialogue.top()
        await desk.press("e")
        await desk.type(" or fish")
        if end == "kill":
            await kept(desk, "or fish")
            backup(db, tmp_path / "left.db")  # what a killed process leaves on the disk
        else:
            desk.hit("ctrl+q")  # at once: the pause after which a draft is kept has not passed
            await desk.until(lambda: not desk.app.is_running)
    if end == "quit":
        backup(db, tmp_path / "left.db")
    db.close()
    with open_database(tmp_path / "left.db") as left:
        async with at_the_desk(left, VERIFY, size=(80, 24)) as desk:
            assert desk.shown_item() == item
            assert desk.cursor == "m2"
            assert desk.annotate.panes.dialogue.top() == top
            assert top.unfolded
            assert "kept" in desk.sentence
            await desk.press("e")
            assert "Eats no meat or fish" in desk.screen()
            await desk.press("enter", "enter")
            assert desk.value("m2", "memory")["value"] == "Eats no meat or fish"


async def test_a_note_that_was_being_typed_survives_a_kill(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("o")
        await desk.type("half a thought")
        await kept(desk, "half a thought")
        backup(desk.db, tmp_path / "after_the_kill.db")
    with open_database(tmp_path / "after_the_kill.db") as left:
        async with at_the_desk(left, VERIFY) as desk:
            await desk.press("o")
            assert "half a thought" in desk.screen()


async def test_leaving_in_the_middle_of_an_edit_keeps_what_was_typed(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("e")
        await desk.type(" twice")
        await desk.press("escape")
        assert desk.log() == []
        await desk.press("]", "[", "e")
        assert "Likes green tea twice" in desk.screen()


async def test_resizing_keeps_item_part_position_and_answers(tmp_path: Path) -> None:
    db = long_study(tmp_path / "study.db")
    async with at_the_desk(db, VERIFY, size=(80, 24)) as desk:
        await desk.press("a", "}", "}", "}", "}", "}")
        before = (desk.shown_item(), desk.cursor, desk.annotate.panes.dialogue.current_turn, desk.stored())
        for size in ((200, 60), (80, 24), (120, 40), (80, 24)):
            await desk.pilot.resize_terminal(*size)
            await desk.settle()
            now = (desk.shown_item(), desk.cursor, desk.annotate.panes.dialogue.current_turn, desk.stored())
            assert now == before
            assert f"{before[2] + 1} user" in desk.screen()
    db.close()


async def test_every_part_of_the_screen_is_there_from_80x24_to_200x60(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        for size in ((80, 24), (100, 30), (120, 40), (200, 60)):
            await desk.pilot.resize_terminal(*size)
            await desk.settle()
            shown = desk.screen()
            for part in (
                "Dialogue · turn 1 of 4",
                "Memories · 0 of 2",
                "Session",
                "a keep",
                "? keys",
                "I like green tea",
            ):
                assert part in shown, (size, part)


async def test_the_rating_screen_shows_query_response_preferences_and_anchors_at_every_size(
    tmp_path: Path,
) -> None:
    async with tiny_desk(tmp_path, RATE) as desk:
        for size in ((80, 24), (100, 30), (120, 40), (200, 60)):
            await desk.pilot.resize_terminal(*size)
            await desk.settle()
            parts = (
                "What should I cook?",
                "Response A",
                "Does it fit",
                "1 against",
                "5 made for them",
                "0 does not",
            )
            for part in parts:
                await desk.until(lambda part=part: part in desk.screen())
            assert all(part in desk.screen() for part in parts), size


async def test_zoom_gives_one_pane_the_screen_and_back(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, size=(80, 24)) as desk:
        await desk.press("z")
        assert "Dialogue ·" not in desk.screen()
        assert "Memories ·" in desk.screen()
        await desk.press("tab", "tab")
        assert "Dialogue ·" in desk.screen()
        assert "Memories ·" not in desk.screen()
        await desk.press("z")
        assert "Dialogue ·" in desk.screen()
        assert "Memories ·" in desk.screen()


async def test_keys_decide_from_every_pane(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        for pane in ("units", "session", "dialogue"):
            assert desk.annotate.pane == pane
            await desk.press("backspace" if pane == "units" else "escape")
            while desk.annotate.pane != pane:
                await desk.press("tab")
            for key, verdict in (("x1", "delete"), ("a", "keep")):
                desk.annotate.go_to(desk.annotate.sitting.units[0])
                await desk.press(*key)
                assert desk.value("m1", "verdict") == verdict
            await desk.press("tab")


async def test_moving_to_a_memory_brings_its_evidence_and_h_goes_the_other_way(tmp_path: Path) -> None:
    db = long_study(tmp_path / "study.db")
    async with at_the_desk(db, VERIFY, size=(80, 24)) as desk:
        await desk.press("tab", "tab", "end")
        assert "I like green tea" not in desk.screen()
        await desk.press("j")
        assert "I like green tea" in desk.screen()
        await desk.press("h")
        assert desk.cursor == "m1"
        await desk.press("h")
        assert desk.cursor == "m2"
    db.close()


async def test_going_to_an_item_or_a_turn_by_number_and_filtering_the_list(tmp_path: Path) -> None:
    db = long_study(tmp_path / "study.db")
    async with at_the_desk(db, VERIFY, size=(80, 24)) as desk:
        await desk.press(":")
        await desk.type("3")
        await desk.press("enter")
        assert "3 of 3" in desk.status()
        await desk.press(":")
        await desk.type("t20")
        await desk.press("enter")
        assert desk.annotate.panes.dialogue.current_turn == 19
        first = desk.annotate.queue.assignments[0].shown_id
        await desk.press(":")
        await desk.type(first)
        await desk.press("enter")
        assert desk.shown_item() == first
    db.close()


async def test_find_marks_hits_and_goes_from_one_to_the_next(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("/")
        await desk.type("MEAT")
        await desk.press("enter")
        assert "1 of 2" in desk.sentence
        await desk.press("n")
        assert "2 of 2" in desk.sentence
        assert desk.annotate.panes.dialogue.current_turn == 3
        await desk.press("N")
        assert "1 of 2" in desk.sentence
