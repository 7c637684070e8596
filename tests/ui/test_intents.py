"""What a person wants in a real session, said with keys alone: at most two intents whose probabilities come to 1."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from at_the_desk import Desk, at_the_desk
from paths import ALPSBENCH, needs_shared
from studies import tiny_study
from test_annotate_real import real_study

from alps_tui.items.build import build_items
from alps_tui.protocols.loading import load_builtin
from alps_tui.ui.turn_numbers import read_turns, said_turns
from store.assignments import assign_all, rater_by_name
from store.kinds import ItemState
from store.ratings import long_rows

INTENT = "intent"
FIRST = ("2", "tab", "3", "tab")
"""Problem solving; planning and organization."""


@asynccontextmanager
async def desk_of_intents(folder: Path, size: tuple[int, int] = (80, 24)) -> AsyncIterator[Desk]:
    """The first dialogue of the tiny study: two turns, the first the person's."""
    with tiny_study(folder / "study.db") as db:
        build_items(db, [load_builtin(INTENT)])
        with db.write() as conn:
            rater = rater_by_name(conn, "ada")
            assert rater is not None
            assign_all(conn, rater.id)
        async with at_the_desk(db, INTENT, size=size) as desk:
            yield desk


async def say(desk: Desk, *choices: str, likely: str, turns: str, why: str) -> None:
    """Fill the editor from the first question on, and save."""
    await desk.press(*choices)
    await desk.type(likely)
    await desk.press("tab")
    await desk.type(turns)
    await desk.press("tab")
    await desk.type(why)
    await desk.press("enter")


@needs_shared
@pytest.mark.parametrize(
    "size",
    [
        (80, 24),
        pytest.param((120, 40), marks=pytest.mark.slow),
        pytest.param((200, 60), marks=pytest.mark.slow),
    ],
)
async def test_two_intents_of_a_real_session_stand_in_the_long_table(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    paths = sorted((ALPSBENCH / "session_packets").glob("*.json"), key=lambda one: one.stat().st_size)
    with real_study(tmp_path / "real.db", f"session_packets/{paths[0].name}") as db:
        async with at_the_desk(db, INTENT, size=size) as desk:
            user = [n for n, turn in enumerate(desk.annotate.sitting.view.turns, 1) if turn.role == "user"]
            await desk.press("+")
            assert "problem solving" in desk.screen()
            await say(desk, *FIRST, likely=".7", turns=str(user[0]), why="asks for an order")
            assert "problem solving · planning" in desk.screen()
            await desk.press("enter")
            assert "together they must come to 1; now they come to 0.7" in desk.sentence
            await desk.press("+")
            assert "n1 has 0.7: 0.3 is left." in desk.screen()
            await say(
                desk, "1", "tab", "0", "tab", likely=".3", turns=f"{user[0]}, {user[-1]}", why="and to know"
            )
            await desk.press("+")
            assert "At most 2 intents" in desk.sentence
            item = desk.assignment
            await desk.press("enter")
            assert desk.stored(item).state is ItemState.SUBMITTED
        with db.read() as conn:
            rows = [row for row in long_rows(conn, protocol=INTENT) if row["status"] == "answered"]
    said = [(row["field"], json.loads(row["value"]), row["level"], row["unit_kind"]) for row in rows]
    assert ("intent_category", "problem_solving", "nominal", "intent") in said
    assert ("intent_subtype", "planning_organization", "nominal", "intent") in said
    assert [value for field, value, _, _ in said if field == "probability"] == [0.7, 0.3]
    assert sum(field == "intent_subtype" for field, *_ in said) == 1
    spans = [value for field, value, _, _ in said if field == "evidence"]
    assert [[span["turn"] + 1 for span in some] for some in spans] == [[user[0]], sorted({user[0], user[-1]})]
    scales = {row["field"]: row["scale"] for row in rows}
    assert json.loads(scales["intent_category"])[0] == "informational"
    assert len(json.loads(scales["intent_subtype"])) == 24


async def test_what_is_wrong_is_said_before_anything_is_written(tmp_path: Path) -> None:
    async with desk_of_intents(tmp_path) as desk:
        await desk.press("+", "enter")
        assert "What does the person want? Not said yet." in desk.sentence
        await say(desk, "1", "tab", "1", "tab", likely="2", turns="2", why="because")
        assert "from 0 to 1" in desk.sentence
        await desk.press("backspace")
        await desk.type("1")
        await desk.press("enter")
        assert "turn 2 is not the person's" in desk.sentence
        await desk.press("backspace")
        await desk.type("9")
        await desk.press("enter")
        assert "the dialogue has the turns 1 to" in desk.sentence
        assert desk.acts() == []
        await desk.press("escape")
        assert "What you typed is kept" in desk.sentence
        await desk.press("+")
        assert "your draft as you left it" in desk.sentence
        await desk.press("2")
        assert "decision support" in desk.screen()
        assert "factual queries" not in desk.screen()


async def test_an_intent_is_put_right_taken_out_and_brought_back(tmp_path: Path) -> None:
    async with desk_of_intents(tmp_path) as desk:
        await desk.press("+")
        await say(desk, *FIRST, likely="1", turns="1", why="says so")
        await desk.press("e", "3")
        await desk.press("enter")
        assert desk.value("n1", "intent_category") == "creative"
        assert desk.value("n1", "intent_subtype") is None
        assert desk.value("n1", "evidence")[0]["turn"] == 0
        await desk.press("u")
        assert desk.value("n1", "intent_subtype") == "planning_organization"
        await desk.press("x")
        assert desk.stored().made == ()
        await desk.press("u", "u")
        assert desk.stored().answers == {}
        await desk.press("U")
        assert desk.value("n1", "intent_category") == "problem_solving"
        await desk.press("o")
        await desk.type("unsure")
        await desk.press("escape", "f", "1")
        assert list(desk.stored().notes.values()) == ["unsure"]
        assert len(desk.stored().flags) == 1


async def test_no_intent_stands_beside_none_and_one_of_both_is_needed(tmp_path: Path) -> None:
    async with desk_of_intents(tmp_path) as desk:
        await desk.press("enter")
        assert desk.sentence.startswith("Not yet")
        await desk.press("w")
        assert desk.value("session", "no_intent") == "yes"
        await desk.press("+")
        await say(desk, *FIRST, likely="1", turns="1", why="says so")
        assert desk.value("session", "no_intent") is None
        await desk.press("w")
        assert "cannot be said while n1 stands" in desk.sentence
        await desk.press("x", "tab", "tab", "c", "1")
        answer = desk.answer("session", "no_intent")
        assert answer is not None
        assert answer.status == "cannot_judge"
        item = desk.assignment
        await desk.press("enter")
        assert desk.stored(item).state is ItemState.SUBMITTED


def test_turns_are_read_as_they_are_said() -> None:
    assert read_turns("3, 5-7", 9) == [2, 4, 5, 6]
    assert read_turns("7 3;3", 9) == [2, 6]
    assert read_turns("5 – 6", 9) == [4, 5]
    assert isinstance(read_turns("10", 9), str)
    assert isinstance(read_turns("0", 9), str)
    assert isinstance(read_turns("third", 9), str)
    assert said_turns([{"turn": 2}, {"turn": 4}, {"turn": 5}, {"turn": 6}]) == "3, 5-7"
