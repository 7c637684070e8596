"""A whole real session verified, and two real responses rated, with keys alone."""

from pathlib import Path

import pytest
from at_the_desk import RATE, VERIFY, at_the_desk, queue_of
from paths import ALPSBENCH, needs_shared

from alps_tui.items.build import build_items
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all
from store.database import Database, open_database
from store.decisions import item_answers, verify
from store.kinds import ItemState
from store.records import ItemAnswers

JUDGE_ITEMS = "manual_check_data/LLM_as_judge_Human_Alignment_data/task4"


def real_study(path: Path, *parts: str) -> Database:
    """A study of real files, with a queue for one rater. The caller closes it."""
    db = open_database(path, create=True)
    import_paths(db, [ALPSBENCH / part for part in parts])
    build_items(db)
    with db.write() as conn:
        assign_all(conn, add_rater(conn, "ada").id)
    return db


def packet_with(memories: int) -> str:
    """The name of a real packet that proposes so many memories."""
    import json

    for path in sorted((ALPSBENCH / "session_packets").glob("*.json")):
        if len(json.loads(path.read_text(encoding="utf-8"))["task1"]["ground_truth_memories"]) == memories:
            return f"session_packets/{path.name}"
    raise AssertionError(f"no packet proposes {memories} memories")


@needs_shared
async def test_a_whole_real_session_is_verified_with_keys_alone(tmp_path: Path) -> None:
    db = real_study(tmp_path / "real.db", packet_with(4))
    try:
        async with at_the_desk(db, VERIFY, size=(80, 24)) as desk:
            item = desk.assignment
            await desk.press("a", "x", "2", "d", "escape", "e")
            await desk.type(" indeed")
            await desk.press("enter", "enter", "t", "enter", "tab", "2", "enter")
        stored = item_answers_of(db, item.id)
        verdicts = [a.value for (_, field), a in sorted(stored.answers.items()) if field == "verdict"]
        assert verdicts == ["keep", "delete", "in_doubt", "edit"]
        reasons = {field: a.value for (_, field), a in stored.answers.items()}
        assert reasons["delete_reason"] == "over_inference"
        assert reasons["edit_reason"] == ["wording"]
        assert reasons["faithfulToOriginalMeaning"] == "partial"
        assert len(stored.made) == 1
        assert stored.state is ItemState.SUBMITTED
        with db.read() as conn:
            assert verify(conn) == ()
    finally:
        db.close()


@needs_shared
async def test_two_real_responses_are_rated_with_keys_alone(tmp_path: Path) -> None:
    db = real_study(tmp_path / "real.db", f"{JUDGE_ITEMS}/ability5")
    try:
        async with at_the_desk(db, RATE, size=(80, 24)) as desk:
            for digits in ("4352", "0123"):
                while len(desk.annotate.sitting.units) > 1:
                    await desk.press("]")
                item = desk.assignment
                known = len(desk.annotate.sitting.view.preferences)
                await desk.press(digits[0], *"2" * known, *digits[1:], *"345", "0", "0", "enter")
                stored = item_answers_of(db, item.id)
                values = [
                    a.value for _, a in sorted(stored.answers.items(), key=lambda one: one[1].decided_at)
                ]
                first, *feelings = (int(d) if d != "0" else "na" for d in digits)
                assert values == [first, *["ignored"] * known, *feelings, 3, 4, 5, "none", "none"]
                assert stored.state is ItemState.SUBMITTED
                await desk.pilot.pause(0.35)
    finally:
        db.close()


@pytest.mark.slow
@needs_shared
@pytest.mark.parametrize("size", [(80, 24), (200, 60)])
async def test_every_real_session_opens_with_its_dialogue_and_memories(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    db = real_study(tmp_path / "real.db", "session_packets")
    try:
        queue = queue_of(db, VERIFY)
        async with at_the_desk(db, VERIFY, size=size) as desk:
            for assignment in queue:
                assert desk.shown_item() == assignment.shown_id
                assert "Dialogue ·" in desk.screen()
                assert "Memories ·" in desk.screen()
                if assignment != queue[-1]:
                    await desk.press("]")
    finally:
        db.close()


def item_answers_of(db: Database, assignment_id: int) -> ItemAnswers:
    with db.read() as conn:
        return item_answers(conn, assignment_id)
