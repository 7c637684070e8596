"""A sheet of fields that one fills and enters at once: what is typed is a draft until then, and no key is lost."""

from collections.abc import Callable, Mapping
from typing import Any

from textual.widget import Widget
from textual.widgets import Input, TextArea

from alps_tui.ui.pause import Pause
from alps_tui.ui.screens.base import TextModal
from alps_tui.ui.widgets.choice_row import ChoiceRow
from alps_tui.ui.widgets.entry import Entry, TextBox
from alps_tui.ui.widgets.key_bar import KeyBar
from store.content_records import Json

Values = dict[str, Any]
RESTORED = "This is your draft as you left it. Enter saves it, esc leaves it a draft."


class Sheet(TextModal[Values | None]):
    """Its fields are the widgets whose id is a key of `values`. Enter gives the values, if `wrong` finds nothing.

    on_draft   gets the values on every pause and however the sheet is left: they are a draft until they are decided
    """

    def __init__(self, values: Mapping[str, Json], on_draft: Callable[[Values], None]) -> None:
        super().__init__()
        self.values: Values = dict(values)
        self._on_draft = on_draft
        self._changed = False
        self._pause = Pause(self, self._save_draft)

    def wrong(self) -> tuple[str, str] | None:
        """What keeps the sheet from being entered: the field to put right (none: ""), and a sentence."""
        raise NotImplementedError

    def show_rules(self) -> None:
        """Something was typed or chosen: show what makes sense now."""
        raise NotImplementedError

    def meant(self, text: str) -> str | None:
        """What a text stands for; None for nothing."""
        return text if text.strip() else None

    # ------------------------------------------------------------ what is typed

    def on_text_area_changed(self, event: TextArea.Changed) -> None:
        box = event.text_area
        if isinstance(box, TextBox) and box.id:
            self.put(box.id, self.meant(box.meant))

    def on_input_changed(self, event: Input.Changed) -> None:
        entry = event.input
        if isinstance(entry, Entry) and entry.id:
            self.put(entry.id, self.meant(entry.text))

    def on_choice_row_chosen(self, event: ChoiceRow.Chosen) -> None:
        if event.row.id:
            self.put(event.row.id, event.row.value)

    def put(self, key: str, value: Json) -> None:
        """Take a value over, unless it says the same as what was there (null and empty say the same)."""
        if value == self.values.get(key) or (value is None and self.values.get(key) in (None, "")):
            return
        self.values[key] = value
        self._changed = True
        self.query_one(KeyBar).say("")
        self.show_rules()
        self._pause.poke()

    # ------------------------------------------------------------ how it ends

    def _read_fields(self) -> None:
        """What stands in the fields counts, also where the message about the last key is still on its way."""
        for box in self.query(TextBox):
            self.put(box.id or "", self.meant(box.meant))
        for entry in self.query(Entry):
            self.put(entry.id or "", self.meant(entry.text))
        for row in self.query(ChoiceRow):
            self.put(row.id or "", row.value)

    def entered(self) -> None:
        self._read_fields()
        wrong = self.wrong()
        if wrong is None:
            self.flush()
            self.close(dict(self.values))
            return
        key, sentence = wrong
        self.query_one(KeyBar).say(f"Not yet: {sentence}")
        if key:
            self.set_focus(self.query_one(f"#{key}", Widget))

    def left(self) -> None:
        self.flush()
        self.close(None)

    def flush(self) -> None:
        self._read_fields()
        self._pause.drop()
        self._save_draft()

    def _save_draft(self) -> None:
        if self._changed:
            self._on_draft(dict(self.values))
