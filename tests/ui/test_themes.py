"""Everything can be told apart without colour, and the theme for contrast has it."""

from pathlib import Path

import pytest
from at_the_desk import tiny_desk
from textual.color import Color

from alps_tui.ui.themes import CONTRAST


async def test_states_are_words_and_signs_in_every_theme_and_without_colour(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    async with tiny_desk(tmp_path, size=(120, 40)) as desk:
        await desk.press("a", "x", "1")
        for theme in ("textual-dark", "alps-contrast", "textual-light", "ansi-dark"):
            desk.app.theme = theme
            await desk.settle()
            shown = desk.screen()
            assert "✓ keep" in shown, theme
            assert "✗ delete" in shown, theme
            assert "▶ Memories" in shown, theme


def test_the_contrast_theme_holds_seven_to_one() -> None:
    background = Color.parse(CONTRAST.background or "")
    for name in ("foreground", "primary", "accent", "success", "warning", "error"):
        colour = Color.parse(getattr(CONTRAST, name))
        assert ratio(colour, background) >= 7, name
    assert ratio(Color.parse(CONTRAST.variables["text-muted"]), Color.parse(CONTRAST.panel or "")) >= 7


def ratio(one: Color, other: Color) -> float:
    """Contrast of two colours, 1 to 21 (WCAG 2.2, relative luminance)."""

    def luminance(colour: Color) -> float:
        parts = [
            c / 12.92 if (c := part / 255) <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4
            for part in (colour.r, colour.g, colour.b)
        ]
        return 0.2126 * parts[0] + 0.7152 * parts[1] + 0.0722 * parts[2]

    light, dark = sorted((luminance(one), luminance(other)), reverse=True)
    return (light + 0.05) / (dark + 0.05)
