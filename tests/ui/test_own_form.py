"""A team's own form is screen, keys and help without a line of code: every kind of question, conditions, rules."""

from pathlib import Path

from at_the_desk import VERIFY, at_the_desk
from studies import tiny_study

from alps_tui.protocols.loading import load_text
from alps_tui.protocols.schema import Protocol
from store.kinds import Attested, ItemState

FORM = """
name = "memory-verification"
version = "7"
title = "How much is each memory worth?"
item = "memory-verification"

[[fields]]
key = "worth"
per = "memory"
kind = "scale"
level = "ordinal"
title = "Worth knowing?"
min = 1
max = 3
required = true
reason_if = { worth = [1] }

[[fields]]
key = "topics"
per = "memory"
kind = "multi"
level = "nominal"
title = "What is it about?"
required = true
options = [{ value = "food", label = "food" }, { value = "work", label = "work" }, { value = "health", label = "health" }]

[[fields]]
key = "chance"
per = "memory"
kind = "number"
level = "interval"
title = "How likely is it true?"
min = 0
max = 1
required = true

[[fields]]
key = "strength"
per = "memory"
kind = "choice"
level = "ordinal"
title = "How strong?"
visible_if = { worth = [3] }
options = [{ value = "weak", label = "weak" }, { value = "strong", label = "strong" }]

[[fields]]
key = "remark"
per = "session"
kind = "text"
title = "Anything else?"
"""


def own_form() -> Protocol:
    return load_text(FORM, guideline="# Worth\n\nSay what it is worth.", file="own.toml")


async def test_every_kind_of_question_of_an_own_form_is_answered_by_keys(tmp_path: Path) -> None:
    with tiny_study(tmp_path / "study.db") as db:
        async with at_the_desk(db, VERIFY, protocols={VERIFY: own_form()}) as desk:
            assert "Worth knowing?" in desk.screen()
            first = desk.assignment
            await desk.press("3", "1", "3")
            assert desk.value("m1", "worth") == 3
            assert desk.value("m1", "topics") == ["food", "health"]
            await desk.press("right", "0")
            await desk.type(".8")
            await desk.press("enter")
            assert desk.value("m1", "chance") == 0.8
            assert desk.cursor == "m2"
            await desk.press("k")
            while desk.annotate.question[1].key != "strength":
                await desk.press("right")
            await desk.press("2")
            assert desk.value("m1", "strength") == "strong"
            await desk.press("enter")
            assert desk.sentence.startswith("Not yet: m2: Worth knowing?")
            assert desk.stored(first).state is ItemState.OPEN


async def test_a_reason_the_form_wants_is_asked_at_once_and_is_part_of_the_answer(tmp_path: Path) -> None:
    with tiny_study(tmp_path / "study.db") as db:
        async with at_the_desk(db, VERIFY, protocols={VERIFY: own_form()}) as desk:
            await desk.press("1", "escape")
            assert desk.log() == []
            await desk.press("1")
            await desk.type("too vague")
            await desk.press("enter")
            assert desk.value("m1", "worth") == 1
            assert desk.value("m1", "worth_reason") == "too vague"
            assert len(desk.acts()) == 1
            assert desk.answer("m1", "worth").attested is Attested.EXPLICIT


async def test_a_number_outside_its_bounds_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with tiny_study(tmp_path / "study.db") as db:
        async with at_the_desk(db, VERIFY, protocols={VERIFY: own_form()}) as desk:
            while desk.annotate.question[1].key != "chance":
                await desk.press("right")
            await desk.press("7", "enter")
            assert "from 0 to 1" in desk.sentence
            assert desk.log() == []


async def test_the_session_s_own_text_is_written_and_taken_back(tmp_path: Path) -> None:
    with tiny_study(tmp_path / "study.db") as db:
        async with at_the_desk(db, VERIFY, protocols={VERIFY: own_form()}) as desk:
            await desk.press("tab", "1")
            await desk.type("nothing")
            await desk.press("enter")
            assert desk.value("session", "remark") == "nothing"
            await desk.press("backspace")
            assert desk.value("session", "remark") is None


async def test_help_and_guideline_are_those_of_the_form(tmp_path: Path) -> None:
    with tiny_study(tmp_path / "study.db") as db:
        async with at_the_desk(db, VERIFY, protocols={VERIFY: own_form()}) as desk:
            await desk.press("g")
            assert "Say what it is worth." in desk.screen()
            await desk.press("escape", "?", "end")
            assert "Worth knowing?" in desk.screen() or "What is it about?" in desk.screen()
