"""The agreement screen of a lead: fields by coefficients, and from each cell to the items behind it and what was said."""

from collections.abc import AsyncIterator, Callable, Iterator
from contextlib import asynccontextmanager
from pathlib import Path
from threading import Event

import pytest
from lead_desk import LeadDesk, lead_desk
from paths import ALPSBENCH, needs_shared

from alps_tui.agreement.whole import AgreementReport
from alps_tui.commands.agreement import make_report
from alps_tui.commands.agreement_screen import screen_of
from alps_tui.commands.importing import make_items
from alps_tui.protocols.taxonomy import LABELS
from alps_tui.sources.importer import import_paths
from alps_tui.ui.lead.agreement import AgreementScreen
from alps_tui.ui.lead.behind_screen import BehindScreen
from alps_tui.ui.lead.cell_grid import Cell, CellGrid, Row
from alps_tui.ui.lead.field_screen import FieldScreen
from alps_tui.ui.lead.names import Names, letters
from alps_tui.ui.lead.preview import PreviewScreen
from alps_tui.ui.lead.shelf import Shelf
from alps_tui.ui.widgets.blocks import Blocks
from store.database import Database, open_database

RATER_NAMES = ("rater-amber", "rater-birch", "rater-cobalt")


@pytest.fixture(scope="module")
def sample(sample_template: tuple[Path, object]) -> Iterator[Database]:
    with open_database(sample_template[0], read_only=True) as db:
        yield db


@pytest.fixture(scope="module")
def report(sample: Database) -> AgreementReport:
    return make_report(sample, 42, form="memory-verification")


@asynccontextmanager
async def at_agreement(
    db: Database, report: AgreementReport, size: tuple[int, int] = (80, 24)
) -> AsyncIterator[LeadDesk]:
    """The screen with a report that was computed before."""
    made = screen_of(db, 42)
    made._load = lambda _: report
    async with lead_desk(lambda: made, size) as desk:
        yield desk


def says(desk: LeadDesk) -> str:
    return desk.app.screen.query_one("#says", Blocks).text()


async def test_from_a_field_to_its_items_to_what_was_said_of_one(
    sample: Database, report: AgreementReport
) -> None:
    async with at_agreement(sample, report) as desk:
        assert "verdict" in desk.screen()
        assert " .491]" in desk.screen() or "[.491]" in desk.screen()
        assert "95 % interval" in says(desk).replace("\n", " ")
        await desk.press("enter")
        assert isinstance(desk.app.screen, BehindScreen)
        assert "44 units, 20 with different answers first" in desk.rows()[0]
        assert "A keep  B delete  C edit" in desk.rows()[2]
        await desk.press("enter")
        assert isinstance(desk.app.screen, PreviewScreen)
        assert "read only" in desk.rows()[0]
        assert desk.preview.unit is not None
        assert desk.preview.unit.shown_id == "m2"
        await desk.press("]")
        assert "zh-listen" in desk.rows()[0]
        assert not any(name in desk.screen() for name in RATER_NAMES)
        await desk.press("w")
        assert all(name in desk.screen() for name in RATER_NAMES)
        await desk.press("q")
        assert "A rater-amber keep" in desk.screen()


async def test_a_field_has_its_coefficients_its_raters_its_answers_and_what_to_do_next(
    sample: Database, report: AgreementReport
) -> None:
    async with at_agreement(sample, report) as desk:
        await desk.press("f")
        assert isinstance(desk.app.screen, FieldScreen)
        assert "both say “delete”" in desk.rows()[3]
        await desk.press("enter")
        assert "both say “delete”" in desk.rows()[0]
        await desk.press("q", "2")
        assert "▒ .49" in desk.screen()
        assert "8 or more" in says(desk)
        await desk.press("enter")
        assert "A and B" in desk.rows()[0]
        assert desk.rows()[2].startswith("▌≠")
        await desk.press("q", "3")
        assert "████████ 52 %" in desk.screen()
        await desk.press("right", "right", "enter")
        assert "“keep” by A · 29 units" in desk.rows()[0]
        await desk.press("q", "4")
        assert "clarify" in desk.screen()
        await desk.press("enter")
        assert "10 units" in desk.rows()[0]


async def test_undefined_stands_with_its_reason(sample: Database, report: AgreementReport) -> None:
    async with at_agreement(sample, report, size=(120, 40)) as desk:
        grid = desk.app.screen.query_one(CellGrid)
        places = [
            (at, column)
            for at, row in enumerate(grid._rows)
            for column, cell in enumerate(row.cells)
            if cell.text == "undefined"
        ]
        assert places
        for at, column in places:
            grid.put(at, column)
            desk.app.screen.moved()
            await desk.settle()
            assert "undefined" in says(desk)
            assert says(desk).split(": ", 2)[2].strip()


async def test_computing_never_holds_the_keys(sample: Database, report: AgreementReport) -> None:
    go_on, said = Event(), Event()

    def load(doing: Callable[[str], None]) -> AgreementReport:
        doing("Counting")
        said.set()
        go_on.wait(20)
        return report

    screen = AgreementScreen(load, Shelf(sample), lambda *_: None)
    async with lead_desk(lambda: screen, settled=False) as desk:
        await desk.until(lambda: desk.app.screen is screen and said.is_set() and "Counting" in says(desk))
        desk.hit("?")
        await desk.until(lambda: desk.app.screen is not screen)
        desk.hit("escape")
        await desk.until(lambda: desk.app.screen is screen)
        go_on.set()
        await desk.until(lambda: "verdict" in desk.screen())


async def test_what_cannot_be_computed_is_said(sample: Database) -> None:
    def load(_: Callable[[str], None]) -> AgreementReport:
        raise ValueError("one rater answered verdict of a unit twice")

    async with lead_desk(lambda: AgreementScreen(load, Shelf(sample), lambda *_: None)) as desk:
        assert "twice" in says(desk)
        await desk.press("enter", "f", "j", "w")
        assert isinstance(desk.app.screen, AgreementScreen)


async def test_nothing_is_told_by_colour_alone(
    sample: Database, report: AgreementReport, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with at_agreement(sample, report, size=(200, 60)) as desk:
        await desk.press("f", "2")
        assert "[▒ .49]" in desk.screen()
        assert "next" in desk.screen()


@needs_shared
@pytest.mark.slow
async def test_every_number_of_the_real_double_annotations_opens_its_items(tmp_path: Path) -> None:
    with open_database(tmp_path / "study.db", create=True) as db:
        packets = sorted((ALPSBENCH / "session_packets").rglob("*.json"))
        import_paths(db, [*packets, ALPSBENCH / "double_annotations"], labels=LABELS)
        make_items(db)
        report = make_report(db, 42)
        async with at_agreement(db, report, (200, 60)) as desk:
            assert "annotator_1 with annotator_2" in desk.screen()
            await desk.press("j")
            assert "with seeded" in says(desk)
            await desk.press("enter")
            assert "126 units" in desk.rows()[0]
            assert "(keep)" in desk.screen()
            await desk.press("enter")
            assert "nobody knows whether it was looked at" in desk.screen()


def test_a_number_in_a_table_is_never_cut() -> None:
    grid = CellGrid()
    grid.show(("a", "b"), [Row("row", (Cell(".123"), Cell(".456")))])
    for room in range(3, 30):
        widths = dict(grid._columns(room))
        assert all(width >= 6 for column, width in widths.items() if column > 0)


def test_letters_go_on_behind_z_and_stay_with_their_rater() -> None:
    assert [letters(at) for at in (0, 25, 26, 701, 702)] == ["A", "Z", "AA", "ZZ", "AAA"]
    names = Names(["b", "a"])
    names.know(["0"])
    assert [names.of(one) for one in "ab0"] == ["A", "B", "C"]
