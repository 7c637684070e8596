"""The editor of an intent: what the form asks of one, in one sheet, with what is still wrong as sentences."""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from alps_tui.protocols.hard_rules import allowed_beside
from alps_tui.protocols.schema import Field
from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.screens.sheet import RESTORED, Sheet
from alps_tui.ui.widgets.blocks import Paragraph
from alps_tui.ui.widgets.entry import Entry, TextBox
from alps_tui.ui.widgets.key_bar import KeyBar
from alps_tui.ui.widgets.option_row import OptionRow
from store.content_records import Json

Typed = dict[str, Json]
"""Field → the option chosen, or the text as it was typed; None where there is nothing."""

PLACEHOLDERS = {"span": "numbers of turns: 3, 5-7", "number": "0 to 1, such as .6"}


@dataclass(frozen=True)
class IntentTask:
    """What the editor is opened for.

    check   what is wrong with what was typed: the field to put right, and a sentence
    aside   a line to have before one's eyes
    """

    title: str
    fields: Sequence[Field]
    typed: Mapping[str, Json]
    check: Callable[[Typed], Sequence[tuple[str, str]]]
    aside: str = ""
    restored: bool = False


class IntentEditor(Sheet):
    """Asks all at once. Enter saves if nothing is wrong; Escape leaves, and what was typed stays as a draft."""

    def __init__(self, task: IntentTask, on_draft: Callable[[Typed], None]) -> None:
        super().__init__(task.typed, on_draft)
        self._job = task

    # ------------------------------------------------------------ what it looks like

    def compose(self) -> ComposeResult:
        with Vertical(classes="editor"):
            yield Static(plain_line(self._job.title, "bold"), classes="title")
            if self._job.aside:
                yield Paragraph(plain(self._job.aside, "$foreground-muted"), classes="quote")
            with VerticalScroll(classes="fields", can_focus=False):
                for field in self._job.fields:
                    yield from self._row(field)
            yield Static("", id="problems")
            yield KeyBar()

    def _row(self, field: Field) -> ComposeResult:
        typed, name = self.values.get(field.key), field.short or field.title
        if field.kind == "choice":
            yield OptionRow(name, field.options, typed, nullable=not field.required, id=field.key)
            yield Static("", id=f"means-{field.key}", classes="name")
        elif field.kind == "text":
            yield Static(plain_line(field.title, "$foreground-muted"), classes="name")
            yield TextBox(str(typed or ""), id=field.key)
        else:
            with Horizontal(classes="line"):
                yield Static(plain_line(f" {name}", "$foreground-muted"), classes="name")
                yield Entry(str(typed or ""), placeholder=PLACEHOLDERS.get(field.kind, ""), id=field.key)

    def on_mount(self) -> None:
        bar = self.query_one(KeyBar)
        bar.show([("enter", "save"), ("tab", "next field"), ("1-9", "choose"), ("esc", "leave, draft kept")])
        if self._job.restored:
            bar.say(RESTORED)
        self.show_rules()
        self.start_in(self.query_one(f"#{self._job.fields[0].key}", Widget))

    def show_rules(self) -> None:
        """What can be chosen now, what it means, and what is still wrong."""
        for field in self._job.fields:
            if field.kind == "choice":
                row = self.query_one(f"#{field.key}", OptionRow)
                allowed = self._allowed(field)
                row.offer([option.value for option in field.options] if allowed is None else allowed)
                row.display = allowed is not None or field.constraint != "goes_with"
                self.values[field.key] = row.value
                means = self.query_one(f"#means-{field.key}", Static)
                means.display = bool(row.meaning)
                means.update(plain(row.meaning, "$foreground-muted"))
        wrong = [sentence for key, sentence in self._job.check(self.values) if self.values.get(key)]
        lines = [plain("✗ ", "bold") + plain(sentence) for sentence in wrong]
        self.query_one("#problems", Static).update(Content("\n").join(lines))

    def _allowed(self, field: Field) -> tuple[Json, ...] | None:
        if field.constraint != "goes_with":
            return None
        return allowed_beside(field.constraint_args, self.values.get(field.constraint_args["field"]))

    # ------------------------------------------------------------ how it ends

    def meant(self, text: str) -> str | None:
        return text.strip() or None

    def wrong(self) -> tuple[str, str] | None:
        return next(iter(self._job.check(self.values)), None)
