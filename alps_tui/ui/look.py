"""How text is drawn on this terminal: emoji full or plain, directions by the terminal or by us. From options and
environment, changed in the palette."""

import os
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from alps_tui.ui.cells import MARK, Count, count_by, known
from alps_tui.ui.text_layout import TAB_SHOWN, plain_emoji, wants_plain_emoji

if TYPE_CHECKING:
    from alps_tui.ui.keyed_app import KeyedApp

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


def begin(app: "KeyedApp") -> None:
    """Count cells as the terminal does, and tell it who orders rows of mixed directions; said only if it is us."""
    count_by(_count_for(app))
    _take_over(app)


def ask_for_marks(app: "KeyedApp") -> bool:
    """Ask a terminal that joins emoji whether a spacing mark takes a cell; the answer is where its cursor stands.

    False if it is not asked. Ask before the first frame, which covers the question.
    """
    if app.look.plain or not getattr(app._driver, "says_where_it_stands", False):
        return False
    app._driver.write(f"\x1b7\x1b[1;1H{MARK}\x1b[6n\x1b[1;1H  \x1b8")  # type: ignore[union-attr]
    return True


def marks_take(app: "KeyedApp", cells: int) -> None:
    """The terminal's answer: with two cells for a letter and its mark everything is laid out anew."""
    app.joined_count = "marks" if cells == 2 else "clusters"
    if count_by(_count_for(app)):
        _lay_out_anew(app)


def _count_for(app: "KeyedApp") -> Count:
    return "signs" if app.look.plain else app.joined_count


def end(app: "KeyedApp") -> None:
    """Give the order of rows back to the terminal, and count as usual again."""
    count_by("clusters")
    _give_back(app)


def _take_over(app: "KeyedApp") -> None:
    if app.look.visual and app._driver is not None:
        app._driver.write(ORDERED_BY_US)


def _give_back(app: "KeyedApp") -> None:
    if app.look.visual and app._driver is not None:
        app._driver.write(ORDERED_BY_TERMINAL)


def change(app: "KeyedApp", **to: bool) -> None:
    """Draw otherwise from now on, on every screen."""
    _give_back(app)
    app.look = replace(app.look, **to)
    _take_over(app)
    count_by(_count_for(app))
    _lay_out_anew(app)


def _lay_out_anew(app: "KeyedApp") -> None:
    from alps_tui.ui.widgets.blocks import Blocks
    from alps_tui.ui.widgets.transcript import Transcript

    for screen in app.screen_stack:
        for transcript in screen.query(Transcript):
            transcript.set_look(app.look)
        for blocks in screen.query(Blocks):
            blocks.redraw()
        screen.refresh(layout=True)
