"""A disk that does not take what is written: it is said at once, nothing is lost, nobody leaves unawares."""

import threading
from pathlib import Path

from at_the_desk import Desk, tiny_desk

from alps_tui.ui.screens.home import HomeScreen
from store.errors import StudyBusy
from store.recovery import act_from_line


class Disk:
    """What stands between the writer and the study: it can be full."""

    def __init__(self) -> None:
        self.full = False
        self.tries = 0
        self.says = "The disk is full. Free some space."
        self._lock = threading.Lock()

    def __call__(self) -> None:
        with self._lock:
            self.tries += 1
        if self.full:
            raise StudyBusy(self.says)


async def failed(desk: Desk) -> None:
    """Wait until the screen knows that something is not saved."""
    await desk.until(lambda: "NOT SAVED" in desk.status())


async def test_saved_is_said_only_after_the_commit(tmp_path: Path) -> None:
    gate = threading.Event()
    async with tiny_desk(tmp_path, before_write=gate.wait) as desk:
        desk.hit("a")
        try:
            await desk.until(lambda: "✓ keep" in desk.screen())
            assert "○ saving" in desk.status()
            assert desk.log() == []
        finally:
            gate.set()
        await desk.settle()
        assert "● saved" in desk.status()
        assert desk.value("m1", "verdict") == "keep"


async def test_a_failed_write_is_said_and_what_was_decided_stays_on_the_screen(tmp_path: Path) -> None:
    disk = Disk()
    async with tiny_desk(tmp_path, before_write=disk) as desk:
        disk.full = True
        desk.hit("a", "o")
        await failed(desk)
        await desk.type("my words")
        desk.hit("enter")
        await desk.until(lambda: len(desk.app.session.failed) == 2)
        shown = desk.screen()
        assert "NOT SAVED" in shown
        assert "The disk is full" in shown
        assert "✓ keep" in shown
        assert "note: my words" in shown or desk.annotate.sitting.shown.notes
        disk.full = False
        desk.app.session.retry()
        await desk.settle()
        assert "NOT SAVED" not in desk.screen()
        assert desk.value("m1", "verdict") == "keep"
        assert "my words" in desk.stored().notes.values()


async def test_leaving_waits_until_it_is_saved(tmp_path: Path) -> None:
    disk = Disk()
    async with tiny_desk(tmp_path, before_write=disk) as desk:
        item = desk.shown_item()
        disk.full = True
        desk.hit("a")
        await failed(desk)
        for key in ("]", "q", "ctrl+q"):
            desk.hit(key)
            await desk.until(lambda: "Leaving waits" in desk.screen())
            desk.hit("l")
            await desk.settle_anywhere()
            assert "Leaving waits" in desk.screen(), key
            desk.hit("escape")
            await desk.until(lambda: "Leaving waits" not in desk.screen())
            assert desk.shown_item() == item
        desk.hit("]")
        await desk.until(lambda: "Leaving waits" in desk.screen())
        disk.full = False
        desk.hit("r")
        await desk.settle()
        await desk.press("]")
        assert desk.shown_item() != item


async def test_one_may_leave_once_everything_was_written_to_a_file(tmp_path: Path) -> None:
    disk = Disk()
    async with tiny_desk(tmp_path, before_write=disk) as desk:
        disk.full = True
        desk.hit("a", "a")
        await desk.until(lambda: len(desk.app.session.failed) == 2)
        desk.hit("q", "e")
        await desk.until(lambda: "You can leave now" in desk.screen())
        desk.hit("l")
        await desk.until(lambda: isinstance(desk.app.screen, HomeScreen))
        disk.full = False
        files = list(tmp_path.glob("not-saved-ada-*.jsonl"))
        acts = [act_from_line(line) for line in files[0].read_text().splitlines()]
        assert [act.changes[0].value for act in acts] == ["keep", "keep"]


async def test_a_submit_that_failed_stays_on_its_item(tmp_path: Path) -> None:
    disk = Disk()
    async with tiny_desk(tmp_path, before_write=disk) as desk:
        await desk.press("a", "a", "1")
        item = desk.shown_item()
        disk.full = True
        desk.hit("enter")
        await failed(desk)
        assert desk.shown_item() == item
        disk.full = False
        desk.app.session.retry()
        await desk.until(lambda: desk.shown_item() != item)
        await desk.settle()
        assert desk.acts().count("submit") == 1


async def test_what_the_study_refuses_is_said_and_taken_back(tmp_path: Path) -> None:
    gate = threading.Event()
    gate.set()
    async with tiny_desk(tmp_path, before_write=gate.wait) as desk:
        await desk.press("a")
        gate.clear()
        desk.hit("u", "u")
        await desk.settle_anywhere()
        gate.set()
        await desk.settle()
        assert "nothing to undo" in desk.sentence
        assert desk.acts() == ["set", "undo"]


async def test_what_is_not_saved_and_the_ways_out_leave_most_of_a_small_screen_to_the_item(
    tmp_path: Path,
) -> None:
    disk = Disk()
    folder = tmp_path / ("a folder with a long name " * 3).strip()
    folder.mkdir()
    full = f"The disk that holds {folder / 'study.db'} is full. Free some space; nothing of the study was changed."
    disk.says = full
    async with tiny_desk(folder, before_write=disk) as desk:
        disk.full = True
        desk.hit("a")
        await failed(desk)
        desk.hit("q")
        await desk.until(lambda: "Leaving waits" in desk.screen())
        rows = desk.rows()
        assert len(rows) - next(i for i, row in enumerate(rows) if set(row) == {"━"}) <= 6
        assert "try again" in rows[-1]
        assert sum("NOT SAVED" in row for row in rows) == 3  # status, banner, modal
        assert next(i for i, row in enumerate(rows) if "Dialogue" in row) <= 4
        disk.full = False
        desk.hit("r")
        await desk.settle()
