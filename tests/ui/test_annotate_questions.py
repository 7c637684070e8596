"""Real questions checked with keys alone: one before its pool of 101, and those of a dialogue by their abilities."""

import json
from pathlib import Path
from typing import Any

from at_the_desk import CHECK, RETRIEVE, Desk, at_the_desk
from paths import ALPSBENCH, needs_shared
from studies import tiny_study
from test_annotate_real import real_study

from alps_tui.ui.widgets.pool_list import TARGET_WORDS
from store.database import Database
from store.kinds import Attested, ItemState
from store.ratings import long_rows


def packet(*, questions: int = 1) -> Path:
    """The shortest real packet with so many questions that test an ability."""
    for path in sorted((ALPSBENCH / "session_packets").glob("*.json"), key=lambda one: one.stat().st_size):
        if len(json.loads(path.read_text(encoding="utf-8"))["task4"] or ()) == questions:
            return path
    raise AssertionError(f"no packet has {questions} questions")


def task3(path: Path) -> Any:
    return json.loads(path.read_text(encoding="utf-8"))["task3"]


def rows_of(db: Database, form: str) -> dict[str, dict[str, Any]]:
    """The rows of the long table that have an answer, by field."""
    with db.read() as conn:
        return {row["field"]: row for row in long_rows(conn, protocol=form) if row["status"] == "answered"}


@needs_shared
async def test_a_real_question_is_checked_against_its_pool_with_keys_alone(tmp_path: Path) -> None:
    path = packet()
    real = task3(path)
    with real_study(tmp_path / "real.db", f"session_packets/{path.name}") as db:
        async with at_the_desk(db, RETRIEVE, size=(120, 40)) as desk:
            value = real["task3_selected_memory"]["value"]
            assert "Pool · 101 · by words shared" in desk.screen()
            await desk.press("1")
            assert desk.sentence.startswith("First t")
            assert TARGET_WORDS not in desk.screen()
            await desk.press("t")
            assert TARGET_WORDS in desk.screen()
            assert desk.annotate.panes.pool is not None
            assert desk.annotate.panes.pool.current is not None
            assert desk.annotate.panes.pool.current.value == value
            item = desk.assignment
            await desk.press("1", "1", "2", "2", "enter")
            assert desk.stored(item).state is ItemState.SUBMITTED
        rows = rows_of(db, RETRIEVE)
        said = {
            field: (json.loads(row["value"]), row["level"], row["attested"]) for field, row in rows.items()
        }
        assert said == {
            "relevanceLevel": ("strong", "ordinal", "explicit"),
            "hardWithoutTargetMemory": ("yes", "ordinal", "explicit"),
            "answerableByCommonSense": ("no", "nominal", "explicit"),
            "multipleMemoriesCouldSupport": ("no", "nominal", "explicit"),
        }
        assert json.loads(rows["relevanceLevel"]["scale"]) == ["strong", "medium", "weak", "irrelevant"]


@needs_shared
async def test_what_would_serve_as_well_is_marked_and_unmarked_by_one_key(tmp_path: Path) -> None:
    field, which = "multipleMemoriesCouldSupport", "supportingMemories"
    with real_study(tmp_path / "real.db", f"session_packets/{packet().name}") as db:
        async with at_the_desk(db, RETRIEVE, size=(80, 24)) as desk:
            await desk.press("m")
            assert desk.sentence.startswith("First t")
            await desk.press("t", "m")
            assert desk.sentence.startswith("That is the memory")
            keys = [await marked_next(desk) for _ in range(2)]
            assert desk.value("query", which) == keys
            assert (desk.value("query", field), desk.answer("query", field).attested) == (
                "yes",
                Attested.DERIVED,
            )  # type: ignore[union-attr]
            await desk.press("m", "k", "m")
            assert desk.answer("query", which) is None
            assert desk.answer("query", field) is None
            await desk.press("u", "u")
            assert desk.value("query", which) == keys
            await desk.press("right", "right", "right", "2")
            assert desk.value("query", field) == "no"
            assert desk.answer("query", which) is None


async def marked_next(desk: Desk) -> str:
    """Mark the next memory of the pool, and say which it is."""
    pool = desk.annotate.panes.pool
    assert pool is not None
    step = "j" if pool.cursor is not None and pool.cursor < len(pool.shown) - 3 else "k"
    await desk.press(step, "m")
    assert pool.current is not None
    return pool.current.key


@needs_shared
async def test_a_pool_is_filtered_as_one_types_and_what_was_asked_for_is_remembered(tmp_path: Path) -> None:
    path = packet()
    with real_study(tmp_path / "real.db", f"session_packets/{path.name}") as db:
        async with at_the_desk(db, RETRIEVE, size=(80, 24)) as desk:
            pool = desk.annotate.panes.pool
            assert pool is not None
            await desk.press("/")
            await desk.type("prefers")
            await desk.until(lambda: f"Pool · {len(pool.shown)} of 101 with “prefers”" in desk.screen())
            assert 0 < len(pool.shown) < 101
            await desk.press("enter", "escape")
            await desk.until(lambda: len(pool.shown) == 101)
            await desk.press("t", "q")
        async with at_the_desk(db, RETRIEVE, size=(80, 24)) as desk:
            assert desk.annotate.panes.pool is not None
            assert desk.annotate.panes.pool.target is not None


@needs_shared
async def test_a_question_is_reworded_and_given_another_memory(tmp_path: Path) -> None:
    path = packet()
    real = task3(path)
    with real_study(tmp_path / "real.db", f"session_packets/{path.name}") as db:
        async with at_the_desk(db, RETRIEVE, size=(120, 40)) as desk:
            await desk.press("e")
            await desk.type(" Now?")
            await desk.press("escape")
            assert desk.answer("query", "query_verdict") is None
            await desk.press("e", "enter")
            assert desk.value("query", "queryText") == f"{real['query']} Now?"
            assert "was: " in desk.screen()
            await desk.press("t", "right", "right", "right", "right", "right", "right")
            assert desk.annotate.question is not None
            assert desk.annotate.question[1].key == "target_verdict"
            await desk.press("3")
            await desk.type("#7")
            await desk.press("enter", "enter")
            assert desk.value("query", "target_verdict") == "swap"
            record = desk.value("query", "memory")
            assert record["value"] == real["candidate_memories"][int(record["memory_id"][1:]) - 1]["value"]


@needs_shared
async def test_the_questions_of_a_real_dialogue_are_checked_with_keys_alone(tmp_path: Path) -> None:
    path = packet(questions=2)
    with real_study(tmp_path / "real.db", f"session_packets/{path.name}") as db:
        async with at_the_desk(db, CHECK, size=(120, 40)) as desk:
            assert "Tests " in desk.screen()
            assert "Its memory: " in desk.screen()
            await desk.press(*"1111")
            assert desk.cursor == "q2"
            await desk.press(*"2112", "enter")
            assert desk.sentence == (
                "Not yet: q2: name what is wrong, or say how the question should be mended"
            )
            assert desk.stored().state is ItemState.OPEN
            assert "q1 ✓" in desk.screen() and "q2 …" in desk.screen()
            item = desk.assignment
            await desk.press("5")
            assert "q2 ✓" in desk.screen()
            await desk.pilot.pause(0.35)
            await desk.press("enter")
            assert desk.stored(item).state is ItemState.SUBMITTED
        rows = rows_of(db, CHECK)
        assert json.loads(rows["issueTypes"]["value"]) == ["leakage"]
        assert json.loads(rows["abilityPurity"]["value"]) == "medium"
        assert rows["memoryDependency"]["level"] == "ordinal"


async def test_items_without_questions_look_as_before(tmp_path: Path) -> None:
    with tiny_study(tmp_path / "study.db") as db:
        async with at_the_desk(db) as desk:
            assert not desk.annotate.panes.has_questions
            assert desk.annotate.panes.pool is None


@needs_shared
async def test_a_question_without_a_dialogue_and_one_that_is_longer_than_its_pane(tmp_path: Path) -> None:
    folder = ALPSBENCH / "manual_check_data"
    items = [
        next(path for path in sorted(folder.rglob("item.json")) if name in path.parts)
        for name in ("task3", "ability5")
    ]
    with real_study(tmp_path / "real.db", *(str(path.relative_to(ALPSBENCH)) for path in items)) as db:
        async with at_the_desk(db, RETRIEVE, size=(80, 24)) as desk:
            assert "Dialogue" not in desk.screen()
            await desk.press("t", "tab", "1")
            assert desk.value("query", "relevanceLevel") == "strong"
        async with at_the_desk(db, CHECK, size=(80, 24)) as desk:
            assert "q5 0/4" in desk.screen()
            card = desk.annotate.panes.query_one("#asked")
            await desk.press("pagedown")
            assert card.scroll_offset.y > 0
            await desk.press("pageup")
            assert card.scroll_offset.y == 0
