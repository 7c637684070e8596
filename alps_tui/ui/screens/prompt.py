"""One question answered by typing: a note, a word to find, a number, a reason."""

from collections.abc import Callable

from textual.app import ComposeResult
from textual.containers import Vertical
from textual.widgets import Input, Static, TextArea

from alps_tui.ui.pause import Pause
from alps_tui.ui.plain import plain_line
from alps_tui.ui.screens.base import TextModal
from alps_tui.ui.widgets.entry import Entry, TextBox
from alps_tui.ui.widgets.key_bar import KeyBar


class PromptScreen(TextModal[str | None]):
    """One line of text; Escape leaves without a result. `check` gives a sentence for a text that will not do."""

    def __init__(
        self,
        title: str,
        text: str = "",
        *,
        placeholder: str = "",
        check: Callable[[str], str | None] | None = None,
    ) -> None:
        super().__init__()
        self._title, self._text, self._placeholder, self._check = title, text, placeholder, check

    def compose(self) -> ComposeResult:
        with Vertical(classes="foot"):
            yield Static(plain_line(self._title, "bold"), classes="title")
            yield Entry(self._text, placeholder=self._placeholder)
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([("enter", "go"), ("esc", "leave it")])
        self.start_in(self.query_one(Entry))

    def on_input_changed(self, _event: Input.Changed) -> None:
        self.query_one(KeyBar).say("")

    def entered(self) -> None:
        text = self.query_one(Entry).text
        wrong = self._check(text) if self._check else None
        if wrong:
            self.query_one(KeyBar).say(wrong)
        else:
            self.close(text)

    def left(self) -> None:
        self.close(None)


class NoteScreen(TextModal[str]):
    """Free text of any length. Leaving keeps what was typed, however one leaves; `on_pause` gets it while typing."""

    def __init__(self, title: str, text: str, on_pause: Callable[[str], None]) -> None:
        super().__init__()
        self._title, self._text, self._on_pause = title, text, on_pause

    def compose(self) -> ComposeResult:
        with Vertical(classes="foot"):
            yield Static(plain_line(self._title, "bold"), classes="title")
            yield TextBox(self._text)
            yield KeyBar()

    def on_mount(self) -> None:
        self.query_one(KeyBar).show([("enter", "done"), ("ctrl+j", "new line"), ("esc", "done")])
        box = self.query_one(TextBox)
        box.move_cursor(box.document.end)
        self._pause = Pause(self, self.flush)
        self.start_in(box)

    def on_text_area_changed(self, _event: TextArea.Changed) -> None:
        self._pause.poke()

    def entered(self) -> None:
        self.close(self.query_one(TextBox).meant)

    def left(self) -> None:
        self.close(self.query_one(TextBox).meant)

    def flush(self) -> None:
        self._on_pause(self.query_one(TextBox).meant)
