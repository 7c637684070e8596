"""Keys of both forms become decisions in the database, each undone and redone by one key."""

from pathlib import Path

import pytest
from at_the_desk import RATE, VERIFY, Desk, tiny_desk

from store.kinds import Attested, ItemState, Status

DELETE_REASONS = {
    "1": "no_evidence",
    "2": "over_inference",
    "3": "inaccurate_wording",
    "5": "not_about_user",
    "6": "not_durable",
    "7": "private",
    "8": "other",
}


async def test_nothing_is_answered_before_a_key_is_pressed(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        assert not desk.stored().answers
        assert "[" not in desk.screen().split("Session")[1].split("\n")[2]
        assert desk.log() == []


async def test_one_key_is_one_verdict_and_the_cursor_goes_on(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        for keys, verdict in (("a", "keep"), (("d", "escape"), "in_doubt")):
            await desk.press(*keys)
            assert desk.value("m1", "verdict") == verdict
            assert desk.cursor == "m2"
            await desk.press("k")


async def test_delete_takes_one_further_key_for_its_reason_and_is_one_act(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        for acts, (key, reason) in enumerate(DELETE_REASONS.items(), 1):
            await desk.press("x", key)
            assert desk.value("m1", "verdict") == "delete"
            assert desk.value("m1", "delete_reason") == reason
            assert len(desk.acts()) == acts
            if key == "8":  # the list does not say it: a note is asked for at once
                await desk.type("a test")
                await desk.press("enter")
                assert list(desk.stored().notes.values()) == ["a test"]
            await desk.press("k")


async def test_a_duplicate_names_the_memory_that_says_it_already(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("j", "x", "4", "1")
        assert desk.value("m2", "delete_reason") == "duplicate"
        assert desk.value("m2", "duplicate_of") == "gold:m1"
        await desk.press("k", "x", "4", "escape")
        assert desk.value("m1", "delete_reason") == "duplicate"
        assert desk.value("m1", "duplicate_of") is None


async def test_escape_at_the_reason_decides_nothing(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("x", "escape")
        assert desk.log() == []
        assert desk.cursor == "m1"


async def test_edit_opens_the_editor_then_asks_what_was_put_right(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("e")
        await desk.type(" a lot")
        await desk.press("enter", "5", "enter")
        assert desk.value("m1", "verdict") == "edit"
        assert desk.value("m1", "memory")["value"] == "Likes green tea a lot"
        assert desk.value("m1", "edit_reason") == ["wording", "attribute"]
        assert desk.answer("m1", "edit_reason").attested is Attested.EXPLICIT


async def test_enter_takes_the_reasons_that_follow_from_the_change(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("e")
        await desk.type("!")
        await desk.press("tab", "tab", "tab", "2", "enter", "enter")
        assert desk.value("m1", "memory")["type"] == "indirect"
        assert desk.value("m1", "edit_reason") == ["wording", "type"]
        assert desk.answer("m1", "edit_reason").attested is Attested.DERIVED


async def test_a_reason_that_follows_from_the_change_stays_ticked_until_it_is_unticked(
    tmp_path: Path,
) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("e", "!", "enter")
        assert "[x] wording" in desk.screen()
        await desk.press("1", "enter")
        assert "Mark at least one" in desk.sentence
        assert desk.log() == []
        await desk.press("4", "enter")
        assert desk.value("m1", "edit_reason") == ["scope"]


async def test_an_edit_that_changes_nothing_is_no_edit(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("e", "enter")
        assert desk.log() == []
        assert "Nothing was changed" in desk.sentence


async def test_another_verdict_takes_the_reason_of_the_first_away(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("x", "1", "k", "a")
        assert desk.value("m1", "verdict") == "keep"
        assert desk.answer("m1", "delete_reason") is None


async def test_one_undo_brings_the_first_verdict_back_with_its_reason(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("x", "1", "k")
        before = said(desk)
        await desk.press("a")
        after = said(desk)
        await desk.press("u")
        assert said(desk) == before
        await desk.press("U")
        assert said(desk) == after
        await desk.press("u", "u")
        assert not desk.stored().answers


async def test_the_same_key_again_writes_nothing(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("a", "k", "a")
        assert [row[0] for row in desk.log()] == ["set"]


async def test_digits_answer_the_session_and_w_says_there_is_no_memory(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("2", "1", "3", "2", "w")
        assert desk.value("session", "faithfulToOriginalMeaning") == "partial"
        assert desk.value("session", "overallVerdict") == "reasonable"
        assert desk.value("session", "hasDialogueEvidence") == "no"
        assert desk.value("session", "overInference") == "no"
        assert desk.value("session", "no_memory") == "yes"


async def test_a_memory_the_list_missed_is_added_typed_and_checked(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("+")
        await desk.type("Cooks at home")
        await desk.press("enter")
        assert "the type is" in desk.sentence
        await desk.press("1", "tab", "3", "tab", "2")
        await desk.press("shift+tab", "shift+tab", "shift+tab")
        await desk.type("past")
        await desk.press("enter", "enter")
        made = desk.stored().made
        assert [unit.shown_id for unit in made] == ["n1"]
        record = desk.value("n1", "memory")
        assert (record["value"], record["label"]) == ("Cooks at home", "States_Experiences/Past_Experience")
        assert (record["type"], record["time_scope"], record["confidence"]) == ("direct", "long_term", 0.8)
        assert record["emotion"] is None
        assert desk.cursor == "n1"


async def test_a_models_memory_is_taken_over_by_one_key_and_its_model_is_nowhere(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("t")
        assert "model-" not in desk.screen()
        await desk.type("vegetarian")
        await desk.press("enter")
        assert desk.value("n1", "memory")["value"] == "Is a vegetarian"
        taken = next(one for one in desk.annotate.sitting.view.candidates if one.value == "Is a vegetarian")
        assert desk.value("n1", "from_candidate") == taken.key
        assert f"taken over from {taken.shown_id}" in desk.screen()
        assert desk.value("n1", "evidence") == [{"turn": 0, "start": 7, "end": 16}]
        await desk.press("t")
        assert "= n1" in desk.screen()


async def test_own_memories_are_edited_and_taken_out_again(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("t", "enter", "e")
        await desk.type("!")
        await desk.press("enter")
        assert desk.value("n1", "memory")["value"].endswith("!")
        await desk.press("x")
        assert desk.stored().made == ()
        await desk.press("u")
        assert desk.value("n1", "memory")["value"].endswith("!")


async def test_merge_keeps_one_deletes_the_other_and_is_one_act(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("m", "1")
        await desk.type(" and no meat")
        await desk.press("enter")
        assert desk.value("m1", "verdict") == "edit"
        assert desk.value("m1", "memory")["value"] == "Likes green tea and no meat"
        assert (desk.value("m2", "verdict"), desk.value("m2", "delete_reason")) == ("delete", "duplicate")
        assert desk.value("m2", "duplicate_of") == "gold:m1"
        await desk.press("u")
        assert not desk.stored().answers


async def test_split_edits_one_adds_one_and_is_one_act(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("b")
        await desk.type(" in the morning")
        await desk.press("enter")
        await desk.type(" cold")
        await desk.press("enter")
        assert desk.value("m1", "memory")["value"] == "Likes green tea in the morning"
        assert desk.value("n1", "memory")["value"] == "Likes green tea cold"
        assert desk.value("n1", "split_from") == "gold:m1"
        await desk.press("u")
        assert not desk.stored().answers
        assert desk.stored().made == ()


async def test_evidence_is_marked_by_words_in_the_dialogue(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("v", "right", "enter")
        assert desk.value("m1", "evidence") == [{"turn": 0, "start": 7, "end": 16}]
        assert desk.cursor == "m1"
        await desk.press("v", "enter", "2")
        assert len(desk.value("m1", "evidence")) == 2


async def test_cannot_judge_is_a_state_with_a_reason_and_never_a_value(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("c", "1")
        found = desk.answer("m1", "verdict")
        assert (found.status, found.value, found.reason) == (Status.CANNOT_JUDGE, None, "language")
        assert desk.cursor == "m2"


async def test_an_answer_can_be_taken_back(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("x", "1", "k", "backspace")
        assert not desk.stored().answers


async def test_notes_and_flags_are_kept_beside_the_answers(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("o")
        await desk.type("see turn 3")
        await desk.press("enter", "f", "2")
        stored = desk.stored()
        unit = desk.annotate.unit
        assert stored.notes == {unit.id: "see turn 3"}
        assert stored.flags == {unit.id: "private data"}
        await desk.press("tab", "o")
        await desk.type("whole")
        await desk.press("escape")
        assert desk.stored().notes[None] == "whole"


async def test_submit_names_the_first_missing_answer_and_goes_there(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("a", "enter")
        assert desk.sentence == "Not yet: m2: What should happen to this memory?"
        assert desk.cursor == "m2"
        await desk.pilot.pause(0.35)
        await desk.press("a", "enter")
        assert desk.sentence == "Not yet: Do the proposals say what the user meant?"
        assert desk.annotate.pane == "session"
        assert desk.stored().state is ItemState.OPEN


async def test_a_complete_item_is_submitted_and_the_next_open_one_comes(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        first = desk.assignment
        await desk.press("a", "a", "1", "enter")
        assert desk.stored(first).state is ItemState.SUBMITTED
        assert desk.assignment.id != first.id


async def test_enter_twice_at_once_is_one_submit_and_never_touches_the_next_item(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        first = desk.assignment
        await desk.press("a", "a", "1")
        await desk.pilot.press("enter", "enter", "enter")
        await desk.settle()
        assert [row[0] for row in desk.log()].count("submit") == 1
        assert desk.stored(first).state is ItemState.SUBMITTED
        assert desk.stored().state is ItemState.OPEN


async def test_skipping_needs_a_reason_and_goes_on(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        first = desk.assignment
        await desk.press("s", "1")
        assert desk.stored(first).state is ItemState.SKIPPED
        assert desk.stored(first).skip_reason == "wrong language"
        assert desk.assignment.id != first.id


async def test_another_reason_for_skipping_is_asked_for_in_words_and_is_one_act(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        first = desk.assignment
        await desk.press("s", "6", "enter")
        assert "A few words" in desk.sentence
        await desk.press("escape")
        assert desk.acts() == []
        await desk.press("s", "6")
        await desk.type("two dialogues in one")
        await desk.press("enter")
        assert desk.stored(first).skip_reason == "other: two dialogues in one"
        assert desk.acts() == ["skip"]


async def test_a_submitted_item_takes_no_decision_until_it_is_reopened(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("a", "a", "1", "enter", "[")
        rows = len(desk.log())
        await desk.press("d")
        assert len(desk.log()) == rows
        assert "r reopens it" in desk.sentence
        await desk.press("r", "d", "escape")
        assert desk.stored().state is ItemState.OPEN
        assert "in_doubt" in {a.value for a in desk.stored().answers.values()}


ACTS: dict[str, tuple[str, ...]] = {
    "keep": ("a",),
    "delete": ("x", "2"),
    "in doubt": ("d", "escape"),
    "edit": ("e", "!", "enter", "enter"),
    "session": ("2",),
    "no memory": ("w",),
    "take over": ("t", "enter"),
    "merge": ("m", "1", "!", "enter"),
    "split": ("b", "!", "enter", "!", "enter"),
    "evidence": ("v", "enter"),
    "cannot judge": ("c", "2"),
    "flag": ("f", "1"),
    "note": ("o", "n", "enter"),
}


@pytest.mark.parametrize("half", [0, 1])
async def test_every_act_is_undone_and_redone_by_one_key(tmp_path: Path, half: int) -> None:
    async with tiny_desk(tmp_path) as desk:
        before = said(desk)
        for name, keys in list(ACTS.items())[half::2]:
            await desk.press(*keys)
            after = said(desk)
            assert after != before, name
            await desk.press("u")
            assert said(desk) == before, name
            await desk.press("U")
            assert said(desk) == after, name
            await desk.press("u", "escape", "k", "k")


async def test_undo_reaches_back_over_fifty_steps(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        desk.hit(*["k", "a", "k", "c", "1"] * 28)
        await desk.settle()
        assert len(desk.acts()) >= 55
        desk.hit(*["u"] * len(desk.acts()))
        await desk.settle()
        assert not desk.stored().answers


async def test_submit_and_skip_are_undone_too(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("s", "5", "[", "u")
        assert desk.stored().state is ItemState.OPEN
        await desk.press("a", "a", "1", "enter", "[", "u")
        assert desk.stored().state is ItemState.OPEN


def said(desk: Desk) -> tuple[object, ...]:
    """What a rater says of an item, without when it was said."""
    stored = desk.stored()
    cells = {cell: (a.value, a.status, a.reason) for cell, a in stored.answers.items()}
    return cells, dict(stored.notes), dict(stored.flags), stored.state, tuple(u.key for u in stored.made)


# ---------------------------------------------------------------- rating


async def test_digits_rate_one_question_after_the_other_then_the_next_response(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, RATE) as desk:
        await desk.press("4", "1", "5", "0")
        fields = ("preference_alignment", "resonation", "expression", "reception")
        assert [desk.value("A", f) for f in fields] == [4, 1, 5, "na"]
        assert desk.cursor == "A"
        await desk.press(*"98x7", "5", "1", "0", "0")
        criteria = (
            "alignment",
            "naturalness",
            "honesty",
            "personalization",
            "overall_weighted_score",
            "score",
        )
        assert [desk.value("A", f) for f in criteria] == [0.9, 0.8, 1.0, 0.7, 0.5, 1]
        assert [desk.value("A", f) for f in ("claimed_memories", "error_spans")] == ["none", "none"]
        assert desk.cursor == "B"
        await desk.press("2")
        assert desk.value("B", "preference_alignment") == 2


async def test_every_point_of_the_scale_has_its_digit_and_no_other_digit_answers(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, RATE) as desk:
        await desk.press("7")
        assert desk.log() == []
        assert "no answer" in desk.sentence
        for key in "12345":
            await desk.press(key, "left")
            assert desk.value("A", "preference_alignment") == int(key)


async def test_arrows_go_back_to_a_question_and_its_answer_can_be_changed(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, RATE) as desk:
        await desk.press("4", "3", "left", "left", "1")
        assert desk.value("A", "preference_alignment") == 1
        assert desk.value("A", "resonation") == 3
        await desk.press("u")
        assert desk.value("A", "preference_alignment") == 4


async def test_submitting_ratings_names_the_first_response_that_lacks_one(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, RATE) as desk:
        await desk.press(*"4444", *"9999", "9", "1", "0", "0", "enter")
        assert desk.sentence == "Not yet: B: Does it fit what this person prefers?"
        await desk.pilot.pause(0.35)
        first = desk.assignment
        await desk.press("3", "3", "3", "c", "1", *"9999", "9", "1", "0", "0", "enter")
        assert desk.stored(first).state is ItemState.SUBMITTED


async def test_the_order_in_which_responses_stood_is_written_with_every_rating(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, RATE) as desk:
        await desk.press("4")
        shown = tuple(unit.id for unit in desk.annotate.sitting.view.units)
        assert desk.answer("A", "preference_alignment").presentation == shown


async def test_what_was_seen_is_written_with_the_act(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, VERIFY) as desk:
        await desk.press("a")
        assert desk.answer("m1", "verdict").seen.prefill
        assert not desk.answer("m1", "verdict").seen.translation
        await desk.press("tab", "tab", "}", "y", "escape", "a")
        assert desk.answer("m2", "verdict").seen.translation
