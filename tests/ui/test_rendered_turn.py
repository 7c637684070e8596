"""A turn can be read with its Markdown rendered: safe, literal in its HTML, with links that lead nowhere."""

from pathlib import Path

import pytest
from at_the_desk import tiny_desk
from capture import run_captured
from rich.cells import cell_len
from textual.app import App
from textual.widgets import Markdown

from alps_tui.ui.look import Look, change
from alps_tui.ui.screens.rendered import MOST_LINES, RenderedScreen, is_light
from alps_tui.ui.widgets.blocks import SlicedBlocks

TEXT = (
    "# Title\n\nSome **bold** words.\n\n- one\n- [a link](https://example.org)\n\n<script>alert(1)</script>\n"
)


class Alone(App[None]):
    def __init__(self, text: str) -> None:
        super().__init__()
        self.text = text
        self.opened: list[str] = []

    def open_url(self, url: str, *, new_tab: bool = True) -> None:
        self.opened.append(url)

    def on_mount(self) -> None:
        self.push_screen(RenderedScreen("1 user", self.text))


async def test_markdown_is_rendered_and_html_stays_text():
    app = Alone(TEXT)
    async with run_captured(app, (80, 30)) as (pilot, driver):
        await pilot.pause()
        screen = "\n".join(driver.screen())
        assert "1 user · Markdown" in screen
        assert "Title" in screen
        assert "**" not in screen
        assert "<script>alert(1)</script>" in screen


@pytest.mark.parametrize(
    "hostile",
    [
        "\x1b[2J\x1b]52;c;aGk=\x07",
        "\x9b31m",
        "\u202ereversed",
        "[bold]x[/]",
        "[/",
        "&#27;[2J &#x9b;31m &#x202e;x",
    ],
)
async def test_nothing_of_a_turn_acts_on_the_terminal(hostile):
    app = Alone(
        f"before {hostile} after\n\n`{hostile}`\n\n```\n{hostile}\n```\n\n| a |\n|---|\n| {hostile} |\n"
    )
    async with run_captured(app, (80, 40)) as (pilot, driver):
        await pilot.pause()
        for raw in ("\x1b[2J", "\x1b]52", "\x9b", "\u202e"):
            assert raw not in driver.output
        assert "before" in "\n".join(driver.screen())


async def test_a_link_leads_nowhere():
    app = Alone(TEXT)
    async with run_captured(app, (80, 30)) as (pilot, driver):
        await pilot.pause()
        row, line = next((row, line) for row, line in enumerate(driver.screen()) if "a link" in line)
        await pilot.click(offset=(line.index("a link") + 2, row))
        app.screen.query_one(Markdown).post_message(
            Markdown.LinkClicked(app.screen.query_one(Markdown), "https://example.org")
        )
        await pilot.pause()
        assert app.opened == []
        assert "\x1b]8;" not in driver.output


async def test_a_long_turn_is_rendered_lightly():
    app = Alone("# Title\n\n" + "- **word**\n" * (MOST_LINES + 1))
    assert is_light(app.text)
    async with run_captured(app, (80, 30)) as (pilot, driver):
        await pilot.pause()
        screen = "\n".join(driver.screen())
        assert not app.screen.query(Markdown)
        assert "rendered lightly" in screen
        assert "• word" in screen


@pytest.mark.parametrize(
    "text",
    [
        pytest.param("[brackets] [/] \x1b[2J and words of it " * 5_000, id="one row"),
        pytest.param("- **a row** [/] \x1b[31m of it\n" * 7_000, id="many rows", marks=pytest.mark.slow),
        pytest.param("words [/] of it\n" * 9_000, id="rows of one paragraph"),
    ],
)
async def test_a_huge_turn_is_rendered_in_slices_whole_and_safe(text):
    app = Alone(f"# Title\n\n{text}\n\nthe very end")
    async with run_captured(app, (80, 30)) as (pilot, driver):
        await pilot.pause()
        view = app.screen.query_one(SlicedBlocks)
        assert "Title" in "\n".join(driver.screen())
        await pilot.resize_terminal(100, 30)
        while view._is_waiting:
            await pilot.pause()
        assert "".join(view.text().split()).count("ofit") == text.count("of it")
        assert max(cell_len(row) for row in view.text().split("\n")) <= 100
        assert "[/]" in view.text()
        view.scroll_end(animate=False)
        await pilot.pause()
        await pilot.pause()
        assert "the very end" in "\n".join(driver.screen())
        assert not [frame for frame in driver.frames if "\x1b[2J" in frame or "\x1b[31m of" in frame]


async def test_a_key_shows_the_turn_that_is_read_and_a_key_leaves_it(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        turn = desk.annotate.panes.dialogue
        await desk.press("M")
        assert isinstance(desk.app.screen, RenderedScreen)
        assert f"{turn.turns[turn.current_turn].header} · Markdown" in desk.screen()
        await desk.press("M")
        assert desk.app.screen is desk.annotate
        assert desk.acts() == []


async def test_the_palette_changes_how_text_is_drawn_on_every_screen(tmp_path: Path) -> None:
    async with tiny_desk(tmp_path) as desk:
        change(desk.app, visual=True)
        assert desk.driver.output.endswith("\x1b[8l")
        assert desk.annotate.panes.dialogue.look.visual
        change(desk.app, visual=False, plain=True)
        assert desk.driver.output.endswith("\x1b[8h")
        assert desk.annotate.panes.response.look == Look(plain=True)


async def test_the_order_of_rows_is_ours_from_start_to_end(tmp_path: Path, monkeypatch) -> None:
    monkeypatch.setenv("ALPS_BIDI", "visual")
    async with tiny_desk(tmp_path) as desk:
        assert desk.driver.output.count("\x1b[8l") == 1
        assert "\x1b[8h" not in desk.driver.output
        driver = desk.driver
    assert driver.output.count("\x1b[8h") == 1
