"""Something could not be written: what it is, and the ways out that lose nothing."""

from textual import events
from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static

from alps_tui.ui.plain import plain
from alps_tui.ui.screens.base import KeyModal
from alps_tui.ui.widgets.key_bar import KeyBar

SAVED = "saved"
"""The result when the disk took everything while the screen was open."""


class NotSavedScreen(KeyModal[str]):
    """Gives "retry", "export", "leave" (only after an export), SAVED, or None: stay.

    exported   the file that holds all that is not saved, once there is one
    kept_in    the file that keeps it meanwhile; empty where no disk took it
    """

    def __init__(self, sentence: str, acts: int, exported: str = "", kept_in: str = "") -> None:
        super().__init__()
        self._sentence, self._acts, self._exported, self._kept_in = sentence, acts, exported, kept_in

    def compose(self) -> ComposeResult:
        with Vertical(classes="foot"):
            yield Static(plain(self._words()), classes="title")
            yield KeyBar()

    def _words(self) -> str:
        many = "1 decision is" if self._acts == 1 else f"{self._acts} decisions are"
        where = (
            f"and in {self._kept_in}."
            if self._kept_in
            else "alone: no disk takes it, do not close this window."
        )
        leaving = (
            f"You can leave now: this file holds what the study does not:\n{self._exported}"
            if self._exported
            else "Leaving waits until it is saved, or until you write it to a file."
        )
        problem = self._sentence or "The study could not be written."
        return f"✗ NOT SAVED: {problem}\n{many} kept in memory {where}\n{leaving}"

    def on_mount(self) -> None:
        leave = [("l", "leave")] if self._exported else []
        self.query_one(KeyBar).show(
            [("r", "try again"), ("e", "write to a file"), *leave, ("esc", "stay here")]
        )

    def on_pressed(self, event: events.Key) -> bool:
        ways = {"r": "retry", "e": "export"} | ({"l": "leave"} if self._exported else {})
        way = ways.get(event.character or "")
        if way:
            self.close(way)
        return True
