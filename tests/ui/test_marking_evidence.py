"""Evidence marked anew is part of what is decided: shown, counted as an edit, never dropped in silence."""

from pathlib import Path

from at_the_desk import Desk, tiny_desk

from store.kinds import Attested

MARK_MORE = ("v", "right", "right", "enter")
"""From the first word of the old passage on: green tea in."""


def passage(desk: Desk, shown_id: str = "m1") -> str:
    """The words of the evidence in the stored record of a memory."""
    return str(desk.value(shown_id, "memory")["evidence"]["text"])


async def test_another_passage_on_an_open_proposal_is_an_edit_with_its_reason_in_one_act(
    tmp_path: Path,
) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press(*MARK_MORE)
        assert "“green tea in”" in desk.screen()
        assert "marked by you" in desk.screen()
        assert "makes it an edit" in desk.sentence
        assert desk.value("m1", "verdict") == "edit"
        assert desk.value("m1", "edit_reason") == ["evidence"]
        assert desk.answer("m1", "edit_reason").attested is Attested.DERIVED
        assert desk.value("m1", "memory")["evidence"] == {"utterance_index": 0, "text": "green tea in"}
        assert desk.value("m1", "memory")["value"] == "Likes green tea"
        assert desk.acts() == ["set"]
        await desk.press("u")
        assert not desk.stored().answers
        assert "“green tea”" in desk.screen()


async def test_another_passage_on_a_kept_proposal_is_an_edit_too(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("a", "k", *MARK_MORE)
        assert desk.value("m1", "verdict") == "edit"
        assert passage(desk) == "green tea in"


async def test_the_passage_the_proposal_gives_marked_again_changes_no_verdict(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("v", "right", "enter")
        assert desk.value("m1", "evidence") == [{"turn": 0, "start": 7, "end": 16}]
        assert desk.value("m1", "verdict") is None


async def test_keep_after_marking_asks_which_passage_stands(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press(*MARK_MORE, "a")
        assert "Which stands?" in desk.screen()
        await desk.press("escape")
        assert desk.acts() == ["set"]
        await desk.press("a", "1")
        assert desk.value("m1", "verdict") == "edit"
        assert passage(desk) == "green tea in"
        assert desk.cursor == "m2"
        await desk.press("k", "a", "2")
        assert desk.value("m1", "verdict") == "keep"
        assert desk.value("m1", "evidence") is None
        assert desk.value("m1", "memory") is None
        assert desk.cursor == "m2"


async def test_evidence_marked_on_a_memory_in_doubt_or_to_go_leaves_its_verdict(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("x", "1", "k", *MARK_MORE)
        assert desk.value("m1", "verdict") == "delete"
        assert desk.value("m1", "evidence") == [{"turn": 0, "start": 7, "end": 19}]
        assert "“green tea in”" in desk.screen()


async def test_the_editor_counts_a_passage_marked_before_as_a_change(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("x", "1", "k", *MARK_MORE, "e", "enter")
        assert "[x] evidence" in desk.screen()
        await desk.press("enter")
        assert desk.value("m1", "verdict") == "edit"
        assert desk.value("m1", "edit_reason") == ["evidence"]
        assert passage(desk) == "green tea in"


async def test_a_passage_marked_on_an_edit_joins_its_record_and_reasons(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("e", "!", "enter", "enter", "k", *MARK_MORE)
        assert desk.value("m1", "memory")["value"] == "Likes green tea!"
        assert desk.value("m1", "edit_reason") == ["wording", "evidence"]
        assert passage(desk) == "green tea in"


async def test_a_passage_marked_on_an_added_memory_stands_in_its_record(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("t", "enter")
        assert "taken over" in desk.screen()
        assert "marked by you" not in desk.screen()
        await desk.press(*MARK_MORE, "1")
        assert passage(desk, "n1") == "green tea in"
        assert "marked by you" in desk.screen()


async def test_arrows_grow_the_passage_at_once_and_space_moves_its_start(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, size=(80, 24)) as desk:
        await desk.press("v")
        assert "grow" in desk.screen().splitlines()[-1]
        assert "takes it" in desk.screen().splitlines()[-1]
        await desk.press("space", "left", "space", "right", "enter")
        assert desk.value("m1", "evidence") == [{"turn": 0, "start": 2, "end": 12}]


async def test_one_letter_is_no_passage(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("v", "space", "home", "space", "enter")
        assert "at least two letters" in desk.sentence
        assert desk.log() == []
        await desk.press("right", "enter")
        assert desk.value("m1", "evidence") == [{"turn": 0, "start": 0, "end": 6}]


async def test_another_turn_of_the_user_can_be_marked_from_within(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        await desk.press("v", "}", "right", "enter")
        assert desk.value("m1", "evidence") == [{"turn": 2, "start": 0, "end": 6}]
