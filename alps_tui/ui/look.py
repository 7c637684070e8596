"""How text is drawn on this terminal: emoji full or plain, directions by the terminal or by us. From options and
environment, changed in the palette."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from alps_tui.ui.cells import count_by_sign, known
from alps_tui.ui.text_layout import TAB_SHOWN, plain_emoji, wants_plain_emoji

if TYPE_CHECKING:
    from alps_tui.ui.app import AlpsApp

EMOJI, BIDI = "ALPS_EMOJI", "ALPS_BIDI"
ORDERED_BY_US, ORDERED_BY_TERMINAL = "\x1b[8l", "\x1b[8h"
"""ECMA-48 mode BDSM: the terminal draws signs as they come, or orders rows of mixed directions itself."""


@dataclass(frozen=True, slots=True)
class Look:
    """How text is drawn; nothing of it changes what is stored, chosen or copied.

    plain    emoji as terminals without joiners draw them, cells as they count them: sign by sign
    visual   rows of mixed directions reordered here, for a terminal that does not do it itself
    """

    plain: bool = False
    visual: bool = False

    def drawn(self, text: str) -> str:
        """A slice as its signs are drawn: tabs as their cells."""
        return known(plain_emoji(text) if self.plain else text).replace("\t", TAB_SHOWN)


def look_for(
    emoji: str | None = None, bidi: str | None = None, environment: Mapping[str, str] = os.environ
) -> Look:
    """What was asked for, else what the environment says, else plain emoji inside tmux and the terminal's own order.

    raises   ValueError with a sentence for a value that is none
    """
    said_emoji = _one_of("emoji", emoji or environment.get(EMOJI) or "auto", ("auto", "full", "plain"))
    said_bidi = _one_of("bidi", bidi or environment.get(BIDI) or "terminal", ("terminal", "visual"))
    plain = wants_plain_emoji(environment) if said_emoji == "auto" else said_emoji == "plain"
    return Look(plain, said_bidi == "visual")


def _one_of(name: str, value: str, values: tuple[str, ...]) -> str:
    if value not in values:
        raise ValueError(f"{name} is one of {', '.join(values)}, not {value!r}.")
    return value


def begin(app: "AlpsApp") -> None:
    """Count cells as the terminal does, and tell it who orders rows of mixed directions; said only if it is us."""
    count_by_sign(app.look.plain)
    if app.look.visual and app._driver is not None:
        app._driver.write(ORDERED_BY_US)


def end(app: "AlpsApp") -> None:
    """Give the order of rows back to the terminal, and count as usual again."""
    count_by_sign(False)
    if app.look.visual and app._driver is not None:
        app._driver.write(ORDERED_BY_TERMINAL)


def change(app: "AlpsApp", **to: bool) -> None:
    """Draw otherwise from now on, on every screen."""
    from alps_tui.ui.widgets.blocks import Blocks
    from alps_tui.ui.widgets.transcript import Transcript

    end(app)
    app.look = replace(app.look, **to)
    begin(app)
    for screen in app.screen_stack:
        for transcript in screen.query(Transcript):
            transcript.set_look(app.look)
        for blocks in screen.query(Blocks):
            blocks.redraw()
