"""Blind is structural: a rater in a blind phase meets nothing of a model's name, a judge or a peer, wherever they look."""

import logging
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest
import textual.constants
from at_the_desk import CHECK, RATE, RETRIEVE, VERIFY, at_the_desk
from blind_pilot import BlindPilot, Disk
from blind_studies import BLIND, real_study, written_study
from canaries import Canaries
from paths import needs_shared
from screen_classes import screen_classes
from sqlalchemy import text
from textual.command import CommandPalette
from watching import watched_study

from alps_tui.safe_text import one_line
from alps_tui.ui.screens.change import ChangeScreen
from alps_tui.ui.screens.intent_editor import IntentEditor
from alps_tui.ui.screens.memory_editor import MemoryEditor
from alps_tui.ui.screens.pool_acts import FilterLine
from alps_tui.ui.screens.rewrite import RewriteScreen
from store.assignments import assignments, rater_by_name
from store.database import Database
from store.records import Assignment

UPDATE, PAIRS, INTENT = "memory-update", "response-preference", "intent"

RICH_ITEM = {VERIFY: "d1", RATE: "d1·q1"}
"""The item with something in every pane: translations, candidates, three responses."""


@pytest.fixture
def canaries() -> Canaries:
    made = Canaries()
    print("canaries of seed", made.seed)
    return made


@pytest.fixture
def log_files(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Path]:
    """A folder with all that is ever logged: our crash log, the screen library's log, and every logger's words."""
    folder = tmp_path / "logs"
    folder.mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", str(folder))
    monkeypatch.setattr(textual.constants, "LOG_FILE", str(folder / "textual.log"))
    handler = logging.FileHandler(folder / "loggers.log", encoding="utf-8")
    logging.getLogger().addHandler(handler)
    yield folder
    logging.getLogger().removeHandler(handler)
    handler.close()


@asynccontextmanager
async def blind_pilot(
    study: Path, canaries: Canaries, form: str, start: str | None = None
) -> AsyncIterator[BlindPilot]:
    """The blind rater before an item of a study, every connection under watch."""
    disk = Disk()
    with watched_study(study) as (db, watch):
        async with at_the_desk(
            db, form, rater=BLIND, size=(80, 24), start_item=start, before_write=disk
        ) as desk:
            yield BlindPilot(desk, canaries, watch, disk)


def mine(db: Database, form: str) -> tuple[Assignment, ...]:
    with db.read() as conn:
        rater = rater_by_name(conn, BLIND)
        assert rater is not None
        return assignments(conn, rater.id, form)


def assert_no_file_tells(folder: Path, canaries: Canaries) -> None:
    """Nothing that was written beside the study and its sources holds a canary."""
    written = [
        path
        for path in folder.rglob("*")
        if path.is_file() and "sources" not in path.parts and not path.name.startswith("study.db")
    ]
    assert any(path.name == "textual.log" and path.stat().st_size for path in written)
    for path in written:
        assert not canaries.found_in(path.read_text("utf-8", "replace")), path
        assert not canaries.found_in(path.name), path


# ---------------------------------------------------------------- the promise


@pytest.mark.parametrize("form", [VERIFY, RATE])
async def test_a_blind_rater_meets_no_canary_on_any_item_pane_or_modal(
    tmp_path: Path, log_files: Path, canaries: Canaries, form: str
) -> None:
    study = written_study(tmp_path, canaries)
    async with blind_pilot(study, canaries, form, RICH_ITEM[form]) as pilot:
        await pilot.visit_everything(form)
        await pilot.fail_to_save()
        await pilot.open_items()
        await pilot.do(["q"])
        assert pilot.items == [one.shown_id for one in mine(pilot.desk.db, form)]
        pilot.look("the end")
    of_others = {FilterLine, RewriteScreen, IntentEditor, ChangeScreen}
    assert screen_classes() - pilot.met == (of_others if form == VERIFY else of_others | {MemoryEditor})
    assert CommandPalette in pilot.met
    assert_no_file_tells(tmp_path, canaries)


async def test_a_blind_rater_of_updates_meets_no_canary(
    tmp_path: Path, log_files: Path, canaries: Canaries
) -> None:
    study = written_study(tmp_path, canaries)
    async with blind_pilot(study, canaries, UPDATE) as pilot:
        await pilot.do(
            ["j", "3", "a", "x", "1", "u", "v", "right", "enter", "a", "1", "+", "type:own", "escape"]
        )
        await pilot.do(["e", "type:now", "enter", "tab", "1", "shift+tab", "?", "escape", "o", "!", "escape"])
        await pilot.open_items()
        assert pilot.items == [one.shown_id for one in mine(pilot.desk.db, UPDATE)]
    assert_no_file_tells(tmp_path, canaries)


@pytest.mark.parametrize("form", [RETRIEVE, CHECK])
async def test_a_blind_rater_of_others_meets_no_canary(
    tmp_path: Path, log_files: Path, canaries: Canaries, form: str
) -> None:
    study = written_study(tmp_path, canaries)
    async with blind_pilot(study, canaries, form) as pilot:
        if form == RETRIEVE:
            await pilot.do(["t", "j", "m", "/", "type:cake", "enter", "escape", "e", "type:!", "escape"])
            await pilot.do(["left", "left", "3", "type:m1", "enter", "escape"])
            assert {FilterLine, RewriteScreen} <= pilot.met
        await pilot.do(["1", "1", "2", "c", "1", "j", "?", "escape", "o", "!", "escape", ":", "escape", "h"])
        await pilot.open_items()
        assert pilot.items == [one.shown_id for one in mine(pilot.desk.db, form)]
    assert_no_file_tells(tmp_path, canaries)


async def test_a_blind_rater_of_pairs_meets_no_canary(
    tmp_path: Path, log_files: Path, canaries: Canaries
) -> None:
    study = written_study(tmp_path, canaries)
    async with blind_pilot(study, canaries, PAIRS) as pilot:
        await pilot.do(["x", "tab", "tab", "x", "1", "2", "1", "j", "2", "k", "left", "left", "3", "u", "U"])
        await pilot.do(
            ["c", "1", "?", "escape", "o", "!", "escape", ":", "escape", "palette:s", "z", "z", "/"]
        )
        await pilot.do(["escape", "f", "1", "enter"])
        await pilot.open_items()
        assert pilot.items == [one.shown_id for one in mine(pilot.desk.db, PAIRS)]
    assert_no_file_tells(tmp_path, canaries)


async def test_a_blind_rater_of_intents_meets_no_canary(
    tmp_path: Path, log_files: Path, canaries: Canaries
) -> None:
    study = written_study(tmp_path, canaries)
    async with blind_pilot(study, canaries, INTENT) as pilot:
        await pilot.do(["+", "1", "tab", "1", "tab", "type:1", "tab", "type:1", "tab", "type:why", "enter"])
        assert IntentEditor in pilot.met
        await pilot.do(
            ["e", "escape", "o", "!", "escape", "x", "u", "v", "right", "enter", "?", "escape", "escape"]
        )
        await pilot.do(["enter"])
        await pilot.open_items()
        assert pilot.items == [one.shown_id for one in mine(pilot.desk.db, INTENT)]
    assert_no_file_tells(tmp_path, canaries)


@pytest.mark.slow
@needs_shared
async def test_no_canary_in_real_packets_and_items_is_met(
    tmp_path: Path, log_files: Path, canaries: Canaries
) -> None:
    study = real_study(tmp_path, canaries, packets=3)
    for form, items in ((VERIFY, 3), (RATE, 72)):
        async with blind_pilot(study, canaries, form) as pilot:
            waiting = mine(pilot.desk.db, form)
            assert len(waiting) == items
            for one in waiting:
                pilot.read(one)
            await pilot.open_items(5)
            assert pilot.items == [one.shown_id for one in waiting[:5]]
    assert_no_file_tells(tmp_path, canaries)


@needs_shared
@pytest.mark.slow
@pytest.mark.parametrize("form", [VERIFY, RATE])
async def test_no_canary_is_met_on_any_real_item_nor_in_the_modals_of_every_eighth(
    tmp_path: Path, log_files: Path, canaries: Canaries, form: str
) -> None:
    study = real_study(tmp_path, canaries)
    async with blind_pilot(study, canaries, form) as pilot:
        waiting = mine(pilot.desk.db, form)
        await pilot.open_items()
        assert pilot.items == [one.shown_id for one in waiting]
        for _ in waiting[::8]:
            await pilot.visit_everything(form)
            await pilot.do(["["] * 8)
    assert_no_file_tells(tmp_path, canaries)


# ---------------------------------------------------------------- the looking itself sees


async def test_a_canary_is_seen_wherever_it_comes_up(tmp_path: Path, canaries: Canaries) -> None:
    """What the pilot trusts in: a canary in a frame, a widget, an entry of the palette or a row ends its round."""
    study = written_study(tmp_path, canaries)
    secret = canaries.word("secret")
    async with blind_pilot(study, canaries, VERIFY) as pilot:
        pilot.look("nothing yet")
        screen, app = pilot.desk.annotate, pilot.desk.app
        screen.say(one_line(secret).upper())
        await pilot.desk.pilot.pause()
        assert {"frames", "screen"} <= pilot.leaks().keys()
        screen.say("")
        await pilot.desk.pilot.pause()
        pilot.look("said and gone")
        screen.panes.dialogue.tooltip = secret
        assert [way.rpartition(".")[2] for way in pilot.in_widgets()] == ["_tooltip"]
        screen.panes.dialogue.tooltip = None
        app.COMMANDS = {lambda: partial(print, secret)}
        assert any("COMMANDS" in way for way in pilot.in_widgets())
        app.COMMANDS = set()
        with pilot.desk.db.read() as conn:
            conn.execute(text("SELECT origin_name, external_id FROM memory")).all()
        with pilot.desk.db.write() as conn:
            conn.execute(text("SELECT raw FROM source_record")).all()
        seen = set().union(*pilot.leaks().values())
        assert {"name of a model", "raw judge output", "note of an annotator"} <= seen
        pilot.look("all gone")
