"""On a small screen what is judged has the rows: the response, then the dialogue once it has the focus."""

from pathlib import Path

from at_the_desk import RATE, tiny_desk


def rows_of(widget: object) -> int:
    return widget.scrollable_content_region.height  # type: ignore[attr-defined, no-any-return]


async def test_a_response_has_eight_lines_below_its_query_at_80_by_24(tmp_path: Path) -> None:
    """The heads of query and response take a row each, the query of the study another."""
    async with tiny_desk(tmp_path, RATE, size=(80, 24)) as desk:
        panes, first = desk.annotate.panes, desk.rows()
        assert rows_of(panes.response) >= 3 + 8
        assert "Dialogue · turn 1 of 4" in first[1]
        assert any("1 against" in row and "3 neutral or mixed" in row for row in first)
        await desk.press("z")
        assert "Does what the person does not want" in desk.screen()
        await desk.press("z", "tab")
        assert rows_of(panes.dialogue) >= 8
        assert "▶ Dialogue" in desk.rows()[1]


async def test_a_response_has_eight_lines_below_its_query_at_80_by_40(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path, RATE, size=(80, 40)) as desk:
        assert rows_of(desk.annotate.panes.response) >= 3 + 8
        assert rows_of(desk.annotate.panes.dialogue) >= 6
