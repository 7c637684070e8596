"""An update verified with keys alone: the aligned list, the action let stand or overruled, both dialogues, real items."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import Desk, at_the_desk
from paths import ALPSBENCH, needs_shared

from alps_tui.items.build import build_items
from alps_tui.protocols.loading import load_builtin
from alps_tui.sources.importer import import_paths
from alps_tui.ui.screens import advancing
from store.assignments import add_rater, assign_all
from store.database import open_database
from store.decisions import item_answers, verify
from store.kinds import Attested, ItemState
from store.ratings import long_rows

UPDATE = "memory-update"
KEPT = dict(label="Preferences/Food", type="direct", time_scope="long_term", confidence=0.8,
            reasoning="They say so.", emotion=None, preference_attitude="like", label_suggestion=None)  # fmt: skip


def memory(name: str, value: str, quote: str | None) -> dict[str, object]:
    evidence = None if quote is None else {"utterance_index": 0, "text": quote}
    return {"memory_id": name, "value": value, "evidence": evidence, **KEPT}


HERBS = memory("m1", "Grows herbs on the balcony", "herbs on my balcony")
TEA = memory("m2", "Drinks green tea every morning", "green tea every morning")
BOAT = memory("m3", "Owns a small boat", "my boat")
COFFEE = memory("m2_updated", "Drinks black coffee every morning", None)
CHOIR = memory("m_new_1", "Sings in a choir", "choir practice")

PACKET: dict[str, Any] = {
    "session_id": "sess_balcony",
    "dialogue": [
        {"role": "user", "text": "I have herbs on my balcony, green tea every morning, and my boat."},
        {"role": "assistant", "text": "A good life."},
    ],
    "task1": {"ground_truth_memories": [HERBS, TEA, BOAT], "llm_outputs": {}},
    "task2": {
        "new_dialogue": [
            {"role": "user", "text": "No tea any more, it is coffee now. I am late for choir practice."},
            {"role": "assistant", "text": "Hurry then."},
        ],
        "memory_pool_before_update": [HERBS, TEA, BOAT],
        "task2_selected_memory_id": "m2",
        "golden_answer": [HERBS, COFFEE, CHOIR],
    },
}


@asynccontextmanager
async def update_desk(
    folder: Path, packet: Path | None = None, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[Desk]:
    """A rater before the update of a packet, the one of our own words if None."""
    if packet is None:
        packet = folder / "packet.json"
        packet.write_text(json.dumps(PACKET), encoding="utf-8")
    with open_database(folder / "update.db", create=True) as db:
        import_paths(db, [packet])
        build_items(db, [load_builtin(UPDATE)])
        with db.write() as conn:
            assign_all(conn, add_rater(conn, "ada").id)
        async with at_the_desk(db, UPDATE, size=size) as desk:
            yield desk


async def test_the_reader_starts_with_the_new_dialogue_and_the_list_says_what_became_of_each(
    tmp_path: Path,
) -> None:
    async with update_desk(tmp_path, size=(120, 40)) as desk:
        screen = desk.screen()
        assert "Dialogue · new · turn 3 of 4" in screen
        assert "3 user · 64 chars · new dialogue" in screen
        assert "retention (derived)" in screen
        assert "open changed" in screen
        assert "open new" in screen
        assert "✗ dropped Owns a small boat" in screen
        await desk.press("j")
        screen = " ".join(desk.screen().split())
        assert "modification (derived)" in screen
        assert "[-green tea-]" in screen
        assert "{+black coffee+}" in screen


async def test_one_key_keeps_a_memory_and_lets_the_derived_action_stand_in_one_act(tmp_path: Path) -> None:
    async with update_desk(tmp_path) as desk:
        await desk.press("a", "a", "a")
        await desk.breath()
        await desk.press("1", "1", "1")
        actions = [desk.answer(name, "action") for name in ("m1", "m2", "m3")]
        assert [one.value for one in actions] == ["retention", "modification", "addition"]
        assert {one.attested for one in actions} == {Attested.DERIVED}
        assert desk.acts() == ["set"] * 6
        assert "enter submits" in desk.sentence


async def test_a_digit_in_the_rhythm_of_the_last_memory_does_not_answer_for_the_whole_update(
    tmp_path: Path,
) -> None:
    async with update_desk(tmp_path) as desk:
        await desk.press("a", "a")
        await desk.press("k", "k")
        desk.hit("x", "2", "2")
        await desk.settle()
        assert desk.value("m1", "delete_reason") == "over_inference"
        assert "digits now answer “What does the update do with this memory?”" in desk.sentence
        await desk.press("j", "j")
        desk.hit("x", "1", "1", "1")
        await desk.settle()
        assert (desk.value("m2", "action"), desk.answer("m2", "action").attested) == (
            "modification",
            Attested.DERIVED,
        )
        assert desk.value("m3", "delete_reason") == "no_evidence"
        assert desk.value("session", "goldUpdateReasonable") is None
        assert "digits now answer “right”" in desk.sentence
        assert "▶ Session · digits answer here · 3 required" in desk.screen()
        await desk.breath()
        await desk.press("1")
        assert desk.value("session", "goldUpdateReasonable") == "yes"


async def test_a_digit_after_a_key_that_goes_to_the_question_is_meant_however_fast_it_comes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(advancing, "RHYTHM_SECONDS", 3600.0)
    async with update_desk(tmp_path) as desk:
        await desk.press("x", "2", "1")
        assert "came too soon to be meant" in desk.sentence
        await desk.press("tab", "1")
        assert desk.value("session", "goldUpdateReasonable") == "yes"


async def test_a_digit_overrules_the_action_before_or_after_the_verdict_and_is_never_overwritten(
    tmp_path: Path,
) -> None:
    async with update_desk(tmp_path) as desk:
        await desk.press("2")
        assert desk.cursor == "m1"
        await desk.press("a", "a", "k", "3")
        assert [desk.value(name, "action") for name in ("m1", "m2")] == ["addition", "modification"]
        assert {desk.answer(name, "action").attested for name in ("m1", "m2")} == {Attested.EXPLICIT}


async def test_a_deleted_memory_has_no_action_and_one_undo_brings_both_back(tmp_path: Path) -> None:
    async with update_desk(tmp_path) as desk:
        await desk.press("a", "k", "x", "6")
        assert (desk.value("m1", "verdict"), desk.value("m1", "action")) == ("delete", None)
        assert desk.value("m1", "delete_reason") == "not_durable"
        await desk.press("u")
        assert (desk.value("m1", "verdict"), desk.value("m1", "action")) == ("keep", "retention")


async def test_an_edited_memory_is_held_against_the_list_before_anew(tmp_path: Path) -> None:
    async with update_desk(tmp_path) as desk:
        await desk.press("e")
        await desk.type(" no more")
        await desk.press("enter")
        assert desk.value("m1", "memory")["value"].endswith("no more")
        assert (desk.value("m1", "verdict"), desk.value("m1", "action")) == ("edit", "modification")
        await desk.press("k")
        assert "{+ no more+}" in " ".join(desk.screen().split())


async def test_evidence_is_marked_in_the_new_dialogue_with_the_turns_counted_on(tmp_path: Path) -> None:
    async with update_desk(tmp_path) as desk:
        await desk.press("j", "v", "right", "enter")
        (span,) = desk.value("m2", "evidence")
        assert (span["turn"], span["start"]) == (2, 0)
        await desk.press("a", "1")
        assert (desk.value("m2", "verdict"), desk.value("m2", "action")) == ("edit", "modification")
        assert "edit_reason" not in {field for _, field in desk.stored().answers}


async def test_a_memory_the_update_lacks_is_added_as_an_addition_and_edited_and_taken_out_like_any(
    tmp_path: Path,
) -> None:
    async with update_desk(tmp_path) as desk:
        await desk.press("+")
        await desk.type("Cooks at home")
        await desk.press("enter", "1", "tab", "3", "tab", "2", "shift+tab", "shift+tab", "shift+tab")
        await desk.type("past")
        await desk.press("enter", "enter")
        assert desk.value("n1", "memory")["value"] == "Cooks at home"
        assert (desk.value("n1", "action"), desk.answer("n1", "action").attested) == (
            "addition",
            Attested.DERIVED,
        )
        assert desk.acts() == ["set"]
        assert "addition (derived, confirmed)" in desk.screen()
        await desk.press("3")
        assert desk.value("n1", "action") == "modification"
        await desk.press("j", "j", "j", "x")
        assert not desk.stored().made


async def test_a_change_of_the_record_alone_is_said_as_what_it_is(tmp_path: Path) -> None:
    packet = tmp_path / "packet.json"
    unsure = {**HERBS, "confidence": 0.5, "reasoning": "They hint at it."}
    task = {**PACKET["task2"], "golden_answer": [unsure, COFFEE, CHOIR]}
    packet.write_text(json.dumps({**PACKET, "task2": task}), encoding="utf-8")
    async with update_desk(tmp_path, packet) as desk:
        assert "modification (derived)" in desk.screen()
        assert "also confidence: 0.8 → 0.5 · other reasoning" in desk.screen()


@needs_shared
@pytest.mark.parametrize("size", [(80, 24), pytest.param((200, 60), marks=pytest.mark.slow)])
async def test_a_real_update_that_is_right_costs_a_key_a_memory_and_one_for_each_session_question(
    tmp_path: Path, size: tuple[int, int]
) -> None:
    packet = ALPSBENCH / "session_packets" / "sess_0906dd29e59c.json"
    async with update_desk(tmp_path, packet, size) as desk:
        item, db = desk.assignment, desk.db
        await desk.press("j", "j", "j")
        screen = " ".join(desk.screen().split())
        assert "[-Desire to expand role" in screen
        assert "{+Huningue assignment" in screen
        await desk.press("k", "k", "k", *"aaaaa")
        await desk.breath()
        await desk.press(*"111", "enter")
        with db.read() as conn:
            stored = item_answers(conn, item.id)
            rows = [row for row in long_rows(conn, protocol=UPDATE) if row["status"] == "answered"]
            assert verify(conn) == ()
        assert stored.state is ItemState.SUBMITTED
        said = [(row["field"], json.loads(row["value"])) for row in rows]
        assert [value for field, value in said if field == "action"] == [
            "retention", "retention", "retention", "modification", "addition",
        ]  # fmt: skip
        levels = {row["field"]: (row["level"], json.loads(row["scale"])) for row in rows}
        assert levels["changedOnlyRelevantMemory"][0] == "nominal"
        assert levels["newDialogueContainsUpdateSignal"] == ("ordinal", ["yes", "partial", "no"])
        assert len(said) == 5 * 2 + 3
