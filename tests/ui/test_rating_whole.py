"""Real responses rated whole with keys alone: preferences one by one, the criteria of the ability, memories, passages."""

import json
import shutil
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import RATE, Desk, at_the_desk
from paths import ALPSBENCH, needs_shared
from studies import tiny_study
from test_annotate_real import real_study

from alps_tui.protocols.loading import load_builtin
from alps_tui.ui.asking import bar_fields
from store.assignments import add_rater, assign_all
from store.content_records import Json
from store.database import Database, open_database
from store.kinds import ItemState, Status
from store.ratings import long_rows
from store.records import Answer

TRACK = "manual_check_data/LLM_as_judge_Human_Alignment_data/task4"
KEYS = {"ability2_variant": "1", "contradicts_preference": "2", "meta_talk": "2", "violates_constraint": "2"}
"""What is pressed where the first key would set a hard rule off, or leads elsewhere."""


@asynccontextmanager
async def real_desk(folder: Path, ability: str, size: tuple[int, int]) -> AsyncIterator[Desk]:
    """A desk on one real answered question that tests this ability."""
    path = next(iter(sorted((ALPSBENCH / TRACK / ability).rglob("item.json"))))
    with real_study(folder / "real.db", str(path.relative_to(ALPSBENCH))) as db:
        async with at_the_desk(db, RATE, size=size) as desk:
            yield desk


async def fill(desk: Desk, keys: dict[str, str]) -> None:
    """Answer every required question of the item by its key in `keys`, else by the first that fits its kind."""
    for _ in range(200):
        if next(desk.annotate.sitting.gaps(), None) is None:
            return
        asked = desk.annotate.question
        assert asked is not None
        field = asked[1]
        fitting = {"entries": "0", "span": "0", "scale": "9" if field.in_tenths else "4", "choice": "1"}
        await desk.press(keys.get(field.key.partition(":")[0], fitting[field.kind]))
    raise AssertionError("it never ends")


def rows_of(db: Database) -> list[dict[str, Any]]:
    with db.read() as conn:
        return [row for row in long_rows(conn, protocol=RATE) if row["rater"] == "ada"]


def answer_of(desk: Desk, field: str) -> Answer:
    answer = desk.answer("A", field)
    assert answer is not None
    return answer


ABILITIES = ["ability1", *(pytest.param(f"ability{n}", marks=pytest.mark.slow) for n in (2, 3, 4, 5))]


@needs_shared
@pytest.mark.parametrize("ability", ABILITIES)
async def test_a_real_response_is_rated_whole_and_stands_in_the_long_table(
    tmp_path: Path, ability: str
) -> None:
    async with real_desk(tmp_path, ability, (80, 24)) as desk:
        item, view = desk.assignment, desk.annotate.sitting.view
        await fill(desk, KEYS)
        await desk.press("enter")
        assert desk.stored(item).state is ItemState.SUBMITTED
        rows = rows_of(desk.db)
    form = load_builtin(RATE).for_ability(ability)
    asked = {field.key: field for field in form.fields}
    mine = [row for row in rows if row["item_id"] == rows[0]["item_id"]]
    assert {row["status"] for row in mine} == {Status.ANSWERED}
    assert sum(row["unit_kind"] == "response_preference" for row in mine) == len(view.preferences)
    for row in mine:
        field = asked[row["field"]]
        assert row["level"] == (field.level and field.level.value)
        assert row["scale"] is None or json.loads(row["value"]) in [*json.loads(row["scale"]), "na"]
        assert row["ability"] == ability
    required = {f.key for f in form.fields if f.required and not f.visible_if}
    assert required <= {row["field"] for row in mine} <= set(asked)


async def test_a_hard_rule_lowers_the_overall_score_says_why_and_gives_it_back(tmp_path: Path) -> None:
    with tiny_study(tmp_path / "study.db") as db:
        async with at_the_desk(db, RATE, size=(120, 40)) as desk:
            await desk.press(*"4444", *"7999", "8")
            assert answer_of(desk, "overall_weighted_score").value == 0.8
            await desk.press(*["left"] * 5, "3")
            lowered = answer_of(desk, "overall_weighted_score")
            assert (lowered.value, lowered.raw_value) == (0.2, 0.8)
            assert "at most 0.2, since the persona fit is below 0.5; your 0.8 is kept beside" in desk.sentence
            await to_question(desk, "overall_weighted_score")
            assert "at most 0.2, since the persona fit" in desk.screen()
            await desk.press("u")
            assert answer_of(desk, "overall_weighted_score").value == 0.8
            await desk.press("U")
            await to_question(desk, "alignment")
            await desk.press("5")
            back = answer_of(desk, "overall_weighted_score")
            assert (back.value, back.raw_value) == (0.8, None)


async def to_question(desk: Desk, key: str) -> None:
    """Go to a question of the part by the arrows."""
    for _ in range(40):
        asked = desk.annotate.question
        assert asked is not None
        keys = [field.key for field in bar_fields(desk.annotate.sitting, asked[0])]
        if asked[1].key == key:
            return
        await desk.press("right" if keys.index(key) > keys.index(asked[1].key) else "left")
    raise AssertionError(key)


async def test_passages_of_a_response_are_marked_listed_taken_away_and_brought_back(tmp_path: Path) -> None:
    with tiny_study(tmp_path / "study.db") as db:
        async with at_the_desk(db, RATE, size=(120, 40)) as desk:
            view = desk.annotate.sitting.view
            text = next(view.responses[u.response_id].text for u in view.units if u.shown_id == "A")  # type: ignore[index]
            await desk.press("v", "right", "enter", "2")
            first: Json = desk.value("A", "error_spans")
            words = " ".join(text.split()[:2])
            assert first == [{"start": 0, "end": len(words), "quote": words, "type": "wrong"}]
            assert text[first[0]["start"] : first[0]["end"]] == words
            await to_question(desk, "error_spans")
            assert "✗ unverifiable or wrong" in desk.screen()
            assert f"“{words}”" in desk.screen()
            await desk.press("v", "enter", "1")
            assert [one["type"] for one in desk.value("A", "error_spans")] == ["irrelevant", "wrong"]
            await desk.press("1")
            assert desk.value("A", "error_spans") == first
            await desk.press("1")
            assert desk.answer("A", "error_spans") is None
            await desk.press("u", "u")
            assert len(desk.value("A", "error_spans")) == 2
            await desk.press("v", "escape")
            assert len(desk.value("A", "error_spans")) == 2


async def test_memories_used_are_set_and_taken_away_by_their_digits_and_none_is_an_answer(
    tmp_path: Path,
) -> None:
    with tiny_study(tmp_path / "study.db") as db:
        async with at_the_desk(db, RATE, size=(120, 40)) as desk:
            await to_question(desk, "claimed_memories")
            known = [memory.key for memory in desk.annotate.sitting.view.preferences]
            await desk.press("2", "1")
            assert desk.value("A", "claimed_memories") == [known[1], known[0]]
            await desk.press("2", "9")
            assert desk.value("A", "claimed_memories") == known[:1]
            assert "no p9" in desk.sentence
            await desk.press("0")
            assert desk.value("A", "claimed_memories") == "none"


@needs_shared
async def test_the_kind_of_a_preference_chooses_the_criteria_and_takes_the_others_back(
    tmp_path: Path,
) -> None:
    async with real_desk(tmp_path, "ability2", (120, 40)) as desk:
        await to_question(desk, "ability2_variant")
        await desk.press("1", "7")
        assert desk.value("A", "naturalness") == 0.7
        keys = [field.key for field in desk.annotate.sitting.visible_fields(desk.annotate.unit)]  # type: ignore[arg-type]
        assert "respect_score" in keys and "answer_quality" not in keys
        await to_question(desk, "respect_score")
        await to_question(desk, "ability2_variant")
        await desk.press("2")
        keys = [field.key for field in desk.annotate.sitting.visible_fields(desk.annotate.unit)]  # type: ignore[arg-type]
        assert "respect_score" not in keys and "answer_quality" in keys
        assert desk.answer("A", "naturalness") is None
        await desk.press("u")
        assert desk.value("A", "naturalness") == 0.7


async def test_undoing_what_a_response_does_with_a_preference_goes_back_to_that_question(
    sample_template: tuple[Path, object], tmp_path: Path
) -> None:
    with open_database(shutil.copyfile(sample_template[0], tmp_path / "sample.db")) as db:
        with db.write() as conn:
            assign_all(conn, add_rater(conn, "ada").id)
        async with at_the_desk(db, RATE, size=(120, 40)) as desk:
            while not desk.annotate.sitting.view.preferences:
                await desk.press("]")
            first = desk.annotate.sitting.units[0].shown_id
            await desk.press("4", "1")
            await desk.press("u")
            assert desk.sentence.startswith(f"Undone: {first}, ")
            question = desk.annotate.question
            assert question is not None and question[1].key.startswith("preference_status:")
            assert desk.annotate.sitting.value(question[0], question[1].key) is None
            await desk.press("U")
            assert desk.sentence.startswith(f"Done again: {first}, ")
