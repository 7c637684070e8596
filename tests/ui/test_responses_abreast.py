"""Responses beside each other where there is room: each keeps its place, and what is answered is about the one in hand."""

from pathlib import Path

import pytest
from at_the_desk import RATE, Desk, at_the_desk
from studies import tiny_study

from alps_tui.ui.widgets.response_reading import ResponseReading
from store.database import Database, open_database
from store.records import UnitView


@pytest.fixture
def study(sample_template: tuple[Path, object], tmp_path: Path) -> Path:
    path = tmp_path / "sample.db"
    path.write_bytes(sample_template[0].read_bytes())
    return path


def named(desk: Desk) -> list[str]:
    """The responses on the screen from left to right, the one in hand with its mark."""
    columns = desk.annotate.panes.responses.names
    return [str(column.border_title).split(" · ")[0].strip() for column, _ in columns]


async def wide_desk_with_three(db: Database, desk: Desk) -> tuple[UnitView, ...]:
    while len(desk.annotate.sitting.view.responses) < 3:
        await desk.press("]")
    return desk.annotate.sitting.units


async def test_two_stand_abreast_and_the_keys_go_through_all_of_them(study: Path) -> None:
    with open_database(study) as db:
        async with at_the_desk(db, RATE, rater="rater-amber", size=(200, 60)) as desk:
            units = await wide_desk_with_three(db, desk)
            names = [unit.shown_id for unit in units]
            await desk.press("k", "k", "k")
            assert named(desk) == [f"▶ Response {names[0]}", f"Response {names[1]}"]
            texts = [one.text for one in desk.annotate.sitting.view.responses.values()]
            await desk.press("j")
            assert named(desk) == [f"Response {names[0]}", f"▶ Response {names[1]}"]
            assert desk.annotate.panes.response is desk.annotate.panes.responses.columns[1]
            assert desk.app.screen.focused is desk.annotate.panes.response
            await desk.press("j")
            assert named(desk) == [f"Response {names[1]}", f"▶ Response {names[2]}"]
            await desk.press("k")
            assert named(desk) == [f"▶ Response {names[1]}", f"Response {names[2]}"]
            shown = [column.turns[-1].text for column, _ in desk.annotate.panes.responses.names]
            assert set(shown) <= set(texts) and len(set(shown)) == 2


async def test_a_passage_is_marked_in_the_response_in_hand(tmp_path: Path) -> None:
    with tiny_study(tmp_path / "study.db") as db:
        async with at_the_desk(db, RATE, size=(200, 60)) as desk:
            second = desk.annotate.sitting.units[1]
            await desk.press("j", "v", "enter", "1")
            spans = {
                unit: a.value for (unit, field), a in desk.stored().answers.items() if field == "error_spans"
            }
            assert list(spans) == [second.id]
            marked = [bool(column._marks) for column in desk.annotate.panes.responses.columns]
            assert marked == [False, True]


async def test_one_alone_where_there_is_no_room_and_abreast_again_where_there_is(study: Path) -> None:
    with open_database(study) as db:
        async with at_the_desk(db, RATE, rater="rater-amber", size=(120, 40)) as desk:
            await wide_desk_with_three(db, desk)
            reading = desk.annotate.query_one(ResponseReading)
            assert not reading.is_abreast
            await desk.pilot.resize_terminal(200, 60)
            await desk.until(lambda: reading.is_abreast)
            await desk.pilot.resize_terminal(80, 24)
            await desk.until(lambda: not reading.is_abreast)
            assert len(named(desk)) == 1


async def test_a_response_is_read_on_from_where_it_was_left(study: Path) -> None:
    with open_database(study) as db:
        async with at_the_desk(db, RATE, rater="rater-amber", size=(60, 20)) as desk:
            await wide_desk_with_three(db, desk)
            await desk.press("k", "k", "up", "up")
            begun = desk.annotate.panes.response.top()
            await desk.press("end")
            left = desk.annotate.panes.response.top()
            assert left != begun
            text = desk.annotate.panes.response.turns[-1].text
            await desk.press("j")
            assert desk.annotate.panes.response.turns[-1].text != text
            await desk.press("k")
            assert desk.annotate.panes.response.turns[-1].text == text
            assert desk.annotate.panes.response.top() == left
