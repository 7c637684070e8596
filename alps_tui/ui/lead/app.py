"""The app of a lead: screens that show more than one rater's answers. It has no rater, makes no act, writes nothing.

It is a program of its own: the app in which people answer imports none of these modules.
"""

from collections.abc import Callable
from pathlib import Path
from typing import Any, ClassVar

from textual.screen import Screen

from alps_tui.ui.keyed_app import KeyedApp
from alps_tui.ui.look import Look

STYLES = Path(__file__).parent.parent / "styles"


class LeadApp(KeyedApp):
    """Shows a first screen and what is opened from it; it ends when that screen is left."""

    CSS_PATH: ClassVar[list[str | Path]] = [
        STYLES / "base.tcss",
        STYLES / "annotate.tcss",
        STYLES / "modals.tcss",
        STYLES / "lead.tcss",
    ]  # type: ignore[assignment]

    def __init__(self, first: Callable[[], Screen[Any]], look: Look | None = None) -> None:
        super().__init__(look)
        self._first = first

    def begin(self) -> None:
        self.push_screen(self._first(), lambda _: self.exit())
