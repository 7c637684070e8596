"""Two windows of one rater on one item: each hears of what the other did before it can undo it."""

import shutil
import threading
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path

import pytest
from at_the_desk import RATE, VERIFY, Desk, at_the_desk
from studies import tiny_study

from store.database import open_database
from store.decisions import verify
from store.kinds import ItemState


@pytest.fixture(scope="module")
def template(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("two") / "study.db"
    tiny_study(path).close()
    return path


@asynccontextmanager
async def two_desks(template: Path, folder: Path, form: str = VERIFY) -> AsyncIterator[tuple[Desk, Desk]]:
    """The same rater twice, each with a connection of their own."""
    path = folder / "study.db"
    shutil.copyfile(template, path)
    with open_database(path) as one, open_database(path) as two:
        async with at_the_desk(one, form) as first, at_the_desk(two, form) as second:
            assert first.assignment.id == second.assignment.id
            yield first, second
        with one.read() as conn:
            assert verify(conn) == ()


async def overtaken(desk: Desk) -> None:
    await desk.settle()
    assert "CHANGED IN ANOTHER WINDOW" in desk.screen(), desk.screen()


async def test_a_key_pressed_on_what_another_window_changed_is_not_taken_and_the_newer_state_is_shown(
    template: Path, tmp_path: Path
) -> None:
    async with two_desks(template, tmp_path) as (one, two):
        await one.press("x", "1")
        await two.press("a")
        await overtaken(two)
        assert "✗ delete" in two.screen()
        assert two.value("m1", "verdict") == "delete"
        await two.press("k", "a")
        assert "CHANGED" not in two.screen()
        assert two.value("m1", "verdict") == "keep"


async def test_an_undo_takes_back_what_another_window_did_only_once_it_is_seen(
    template: Path, tmp_path: Path
) -> None:
    async with two_desks(template, tmp_path, RATE) as (one, two):
        await two.press("4")
        await one.press("5")  # overtaken in its turn: what it does from here on it does on what it sees
        await one.press("3")
        assert one.acts() == ["set", "set"]
        await two.press("u")
        await overtaken(two)
        assert two.acts() == ["set", "set"]
        await two.press("u")
        assert two.acts() == ["set", "set", "undo"]


async def test_words_typed_on_what_another_window_changed_are_still_there_to_go_on_with(
    template: Path, tmp_path: Path
) -> None:
    async with two_desks(template, tmp_path) as (one, two):
        await two.press("o")
        await two.type("my thoughts")
        await one.press("a")
        await two.press("enter")
        await overtaken(two)
        assert not two.stored().notes
        assert "What you typed is kept" in two.screen()
        await two.press("k", "o")
        assert "my thoughts" in two.screen()
        await two.press("enter")
        assert list(two.stored().notes.values()) == ["my thoughts"]
        await one.press("j", "e")
        await one.type(" truly")
        await one.press("enter", "enter")
        await overtaken(one)
        assert one.value("m2", "verdict") is None
        await one.press("j", "e")
        assert "truly" in one.screen()
        await one.press("escape")


@pytest.mark.slow
async def test_a_burst_on_what_another_window_changed_does_nothing_and_a_submit_stays_on_the_item(
    template: Path, tmp_path: Path
) -> None:
    async with two_desks(template, tmp_path) as (one, two):
        await one.press("a", "a", "1")
        before = two.acts()
        two.hit("d", "escape", "a", "1", "u", "u")
        await overtaken(two)
        assert two.acts() == before
        await one.press("u")
        await two.press("enter")
        await overtaken(two)
        assert two.stored().state is ItemState.OPEN
        await two.press("1")
        await two.breath()
        await two.press("enter")
        assert [one.db.path, two.acts()[-1]] == [two.db.path, "submit"]


@pytest.mark.slow
async def test_what_was_decided_last_before_leaving_is_said_on_the_screen_one_comes_to(
    template: Path, tmp_path: Path
) -> None:
    async with two_desks(template, tmp_path) as (one, two):
        await one.press("a")
        two.hit("x", "1", "q")
        await two.settle_anywhere()
        await two.until(lambda: "was changed in another window" in two.screen())
        assert two.acts() == ["set"]


@pytest.mark.slow
async def test_what_was_decided_last_before_the_end_is_said_when_no_screen_is_left(
    template: Path, tmp_path: Path
) -> None:
    gate = threading.Event()
    shutil.copyfile(template, tmp_path / "study.db")
    with open_database(tmp_path / "study.db") as one, open_database(tmp_path / "study.db") as two:
        async with at_the_desk(two, before_write=gate.wait) as late, at_the_desk(one) as desk:
            await desk.press("a")
            late.hit("x", "1")
            await late.until(lambda: late.app.session.unsaved == 1)
            late.app.exit()
            gate.set()
        assert late.app.close_session()
        assert ["This item was changed in another window" in said for said in late.app.unheard] == [True]
