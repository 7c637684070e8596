"""Pairs of responses compared with keys alone: the key is of the side, what is stored is which response it was."""

import json
import shutil
from collections.abc import Iterator
from pathlib import Path

import pytest
from at_the_desk import at_the_desk, queue_of
from studies import tiny_study

from alps_tui.agreement.bradley_terry import Outcome
from alps_tui.agreement.compared import compared
from alps_tui.items.build import build_items
from alps_tui.protocols.loading import load_builtin
from store.assignments import add_rater, assign_all
from store.database import Database, open_database
from store.kinds import ItemState
from store.pairs import swaps
from store.ratings import long_rows, ratings_table
from store.views import item_view

COMPARE = "response-preference"
SIZES = ((80, 24), (120, 40), (200, 60))
SOUP, STEAK = "A lentil soup.", "A steak."


@pytest.fixture
def pairs(tmp_path: Path) -> Iterator[Database]:
    """Two dialogues with one question each, answered by two models: one pair each."""
    with tiny_study(tmp_path / "study.db") as db:
        build_items(db, [load_builtin(COMPARE)])
        with db.write() as conn:
            for name in ("ada", "bea", "cem", "dag"):
                assign_all(conn, add_rater(conn, name).id)
        yield db


def sides(db: Database, rater: str) -> list[tuple[str, str]]:
    """What stands left and right in each pair of a rater, in the order of the queue."""
    with db.read() as conn:
        views = [item_view(conn, one.id) for one in queue_of(db, COMPARE, rater)]
    return [(pair.left.text, pair.right.text) for view in views for pair in view.pairs.values()]


def rater_with(db: Database, left: str) -> str:
    """A rater before whom this response stands left in the first pair; raters are made until there is one."""
    for number in range(40):
        name = f"rater {number}"
        with db.write() as conn:
            assign_all(conn, add_rater(conn, name).id)
        if sides(db, name)[0][0] == left:
            return name
    raise AssertionError(f"{left} stands left for nobody")


@pytest.mark.parametrize("left", [SOUP, pytest.param(STEAK, marks=pytest.mark.slow)])
async def test_the_same_key_stores_the_response_that_stood_there(pairs: Database, left: str) -> None:
    rater = rater_with(pairs, left)
    async with at_the_desk(pairs, COMPARE, rater=rater, size=(120, 40)) as desk:
        screen = desk.screen()
        at = [screen.index(text) for text in (left, STEAK if left == SOUP else SOUP)]
        assert at[0] < at[1]
        await desk.press("1", "2", "1", "5")
        assert "A is better" in desk.screen()
        assert desk.value("pair 1", "preference") == ("first" if left == SOUP else "second")
        assert desk.value("pair 1", "strength") == 2
        assert desk.value("pair 1", "reason") == ["preferences", "helpfulness"]
        item = desk.assignment
        await desk.press("enter")
        assert desk.stored(item).state is ItemState.SUBMITTED
    with pairs.read() as conn:
        rows = {row["field"]: row for row in long_rows(conn, protocol=COMPARE)}
        found = compared(ratings_table(conn, protocol=COMPARE))
    row = rows["preference"]
    models = json.loads(row["origin"])
    stood = json.loads(row["presentation"])
    names = [f"response:{part}" for part in row["unit_id"].rpartition("pair:")[2].split(":")]
    assert stood[1:3] == (names if left == SOUP else names[::-1])
    assert (row["level"], json.loads(row["scale"])) == ("nominal", ["first", "second", "tie_good", "tie_bad"])
    assert (rows["strength"]["level"], rows["reason"]["level"]) == ("ordinal", "nominal")
    one = found.comparisons[0]
    assert (one.first, one.second) == tuple(models if left == SOUP else models[::-1])
    assert one.outcome is Outcome.FIRST


async def test_a_tie_asks_neither_by_how_much_nor_why_and_takes_both_back(pairs: Database) -> None:
    async with at_the_desk(pairs, COMPARE, size=(80, 24)) as desk:
        await desk.press("2", "3", "7", "left", "left", "4")
        assert desk.value("pair 1", "preference") == "tie_bad"
        assert desk.value("pair 1", "strength") is desk.value("pair 1", "reason") is None
        await desk.press("u")
        assert desk.value("pair 1", "strength") == 3
        assert desk.value("pair 1", "reason") == ["harm"]
        await desk.press("u", "u", "u")
        assert desk.stored().answers == {}
        await desk.press("U", "U")
        assert desk.value("pair 1", "strength") == 3
        await desk.press("c", "2")
        item = desk.assignment
        await desk.press("left", "left", "3", "enter")
        assert desk.stored(item).state is ItemState.SUBMITTED


async def test_what_cannot_be_judged_is_no_tie(pairs: Database) -> None:
    async with at_the_desk(pairs, COMPARE, size=(80, 24)) as desk:
        await desk.press("c", "1")
        answer = desk.answer("pair 1", "preference")
        assert answer is not None
        assert (answer.status, answer.value) == ("cannot_judge", None)
        await desk.press("enter")
        with pairs.read() as conn:
            found = compared(ratings_table(conn, protocol=COMPARE))
        assert (found.comparisons, found.left_out) == ((), {"cannot judge": 1})


@pytest.mark.parametrize(
    "size", [SIZES[0], *(pytest.param(size, marks=pytest.mark.slow) for size in SIZES[1:])]
)
async def test_both_are_read_at_every_size_and_the_dialogue_is_one_key_away(
    pairs: Database, size: tuple[int, int]
) -> None:
    async with at_the_desk(pairs, COMPARE, size=size) as desk:
        left, right = sides(pairs, "ada")[0]
        narrow = size[0] < 100
        assert "What should I cook?" in desk.screen()
        assert left in desk.screen()
        assert (right in desk.screen()) is not narrow
        await desk.press("x")
        assert right in desk.screen()
        assert (left in desk.screen()) is not narrow
        assert "▶ Response B" in desk.screen()
        assert all(word in desk.screen() for word in ("1 A is better", "2 B is better", "3 both", "4 both"))
        await desk.press("tab")
        assert "No meat then." in desk.screen()
        await desk.press("1", "x")
        assert right in desk.screen()
        assert desk.value("pair 1", "preference") in ("first", "second")
        await desk.press("1", "4")
        assert all(f"{key} " in desk.screen() for key in "12345678")
        assert "something else" in desk.screen()


def test_sides_are_drawn_for_each_rater_half_and_half_and_stay(pairs: Database) -> None:
    drawn = {rater: sides(pairs, rater) for rater in ("ada", "bea", "cem", "dag")}
    assert drawn == {rater: sides(pairs, rater) for rater in drawn}
    assert len({pair for some in drawn.values() for pair in some}) == 2
    assert 180 <= sum(swaps(seed, f"pair:{seed % 7}:x") for seed in range(400)) <= 220
    assert not swaps(None, "pair:a:b")


async def test_notes_flags_and_skips_go_with_a_pair(pairs: Database) -> None:
    async with at_the_desk(pairs, COMPARE, size=(80, 24)) as desk:
        await desk.press("o")
        await desk.type("names itself")
        await desk.press("escape", "f", "1")
        stored = desk.stored()
        assert list(stored.notes.values()) == ["names itself"]
        assert len(stored.flags) == 1
        item = desk.assignment
        await desk.press("s", "1")
        assert desk.stored(item).state is ItemState.SKIPPED


@pytest.mark.slow
async def test_three_pairs_of_the_sample_study_are_compared_with_keys_alone(
    sample_template: tuple[Path, object], tmp_path: Path
) -> None:
    with open_database(shutil.copyfile(sample_template[0], tmp_path / "sample.db")) as db:
        with db.write() as conn:
            assign_all(conn, add_rater(conn, "ada").id)
        async with at_the_desk(db, COMPARE, size=(120, 40)) as desk:
            await desk.press("1", "2", "1", "j", "2", "3", "1", "3", "j", "3")
            assert desk.sentence.startswith("Everything required is answered")
            item = desk.assignment
            pairs = list(desk.annotate.sitting.view.pairs.values())
            await desk.press("enter")
            assert desk.stored(item).state is ItemState.SUBMITTED
        with db.read() as conn:
            mine = ratings_table(conn, protocol=COMPARE, rater="ada")
        found = compared(mine).comparisons
        assert sorted(one.outcome for one in found) == sorted([Outcome.FIRST, Outcome.SECOND, Outcome.TIE])
        assert len({one.first for one in found} | {one.second for one in found}) == 3
        assert len(pairs) == 3
