"""A text put in other words: what stands there to start from, kept while it is typed."""

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Static, TextArea

from alps_tui.ui.pause import Pause
from alps_tui.ui.plain import plain_line
from alps_tui.ui.screens.base import TextModal
from alps_tui.ui.widgets.entry import TextBox
from alps_tui.ui.widgets.key_bar import KeyBar


class RewriteScreen(TextModal[str | None]):
    """Text of any length. Enter takes it if `check` has nothing against it; Escape leaves, and it stays a draft.

    on_draft   gets the text on every pause and however one leaves
    """

    def __init__(
        self,
        title: str,
        text: str,
        on_draft: Callable[[str], None],
        *,
        check: Callable[[str], str | None],
    ) -> None:
        super().__init__()
        self._title, self._text, self._on_draft, self._check = title, text, on_draft, check

    def compose(self) -> ComposeResult:
        with Vertical(classes="foot"):
            yield Static(plain_line(self._title, "bold"), classes="title")
            yield TextBox(self._text)
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([("enter", "save"), ("ctrl+j", "new line"), ("esc", "leave, draft kept")])
        box = self.query_one(TextBox)
        box.move_cursor(box.document.end)
        self._pause = Pause(self, self.flush)
        self.start_in(box)

    def on_text_area_changed(self, _event: TextArea.Changed) -> None:
        self.query_one(KeyBar).say("")
        self._pause.poke()

    def entered(self) -> None:
        text = self.query_one(TextBox).meant
        wrong = self._check(text)
        if wrong:
            self.query_one(KeyBar).say(wrong)
            return
        self.flush()
        self.close(text)

    def left(self) -> None:
        self.flush()
        self.close(None)

    def flush(self) -> None:
        self._pause.drop()
        text = self.query_one(TextBox).meant
        if text != self._text:
            self._on_draft(text)
