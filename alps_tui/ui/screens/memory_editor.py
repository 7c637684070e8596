"""The one editor of a memory record: typed fields, pickers, and the rules it breaks as sentences."""

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from textual.app import ComposeResult
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.content import Content
from textual.widget import Widget
from textual.widgets import Static

from alps_tui.protocols import rules
from alps_tui.protocols.taxonomy import (
    ATTITUDES,
    CONFIDENCES,
    EMOTIONS,
    PICKER,
    TIME_SCOPES,
    TYPES,
    UNMAPPED,
    is_preference,
)
from alps_tui.ui.memory_record import Record
from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.screens.filter_list import Entrant, FilterScreen
from alps_tui.ui.screens.sheet import RESTORED, Sheet
from alps_tui.ui.widgets.blocks import Paragraph
from alps_tui.ui.widgets.choice_row import ChoiceRow
from alps_tui.ui.widgets.entry import Entry, TextBox
from alps_tui.ui.widgets.key_bar import KeyBar
from alps_tui.ui.widgets.label_row import LabelRow
from store.content_records import Json

FIELDS = (
    "value",
    "label",
    "label_suggestion",
    "preference_attitude",
    "type",
    "time_scope",
    "confidence",
    "emotion",
    "reasoning",
)
"""The fields in the order in which they stand in the editor."""

CHOICES: Mapping[str, tuple[str, tuple[Json, ...], bool]] = {
    "preference_attitude": ("attitude", ATTITUDES, True),
    "type": ("type", TYPES, False),
    "time_scope": ("time scope", TIME_SCOPES, False),
    "confidence": ("confidence", CONFIDENCES, False),
    "emotion": ("emotion", EMOTIONS, True),
}
"""Key → its name in the editor, its values, and whether it may be null: an attitude only beside no preference."""


@dataclass(frozen=True)
class EditorTask:
    """What the editor is opened for.

    before   the proposal the record comes from: what it broke already, left as it was, does not bind
    aside    a line to have before one's eyes: the other memory of a merge, where a part comes from
    """

    title: str
    record: Mapping[str, Json]
    before: Mapping[str, Json] | None = None
    quote: str = ""
    aside: str = ""
    restored: bool = False


class MemoryEditor(Sheet):
    """Edits one record. Enter saves it if no rule is broken; Escape leaves, and what was typed stays as a draft.

    on_draft   gets the record on every pause and however the editor is left: it is a draft until it is decided
    """

    def __init__(self, task: EditorTask, on_draft: Callable[[Record], None]) -> None:
        super().__init__(task.record, on_draft)
        self._job = task

    # ------------------------------------------------------------ what it looks like

    def compose(self) -> ComposeResult:
        task, record = self._job, self.values
        with Vertical(classes="editor"):
            yield Static(plain_line(task.title, "bold"), classes="title")
            if task.quote:
                yield Paragraph(plain_line(f"“{task.quote}”", "$foreground-muted"), classes="quote")
            if task.aside:
                yield Paragraph(plain(task.aside, "$foreground-muted"), classes="quote")
            with VerticalScroll(classes="fields", can_focus=False):
                yield TextBox(str(record.get("value") or ""), id="value")
                yield LabelRow(record.get("label"), self._choose_label, id="label")
                with Horizontal(id="suggestion"):
                    yield Static(plain_line(" suggestion ", "$foreground-muted"), classes="name")
                    yield Entry(
                        str(record.get("label_suggestion") or ""),
                        placeholder="Domain/Aspect/Detail",
                        id="label_suggestion",
                    )
                for key, (name, values, nullable) in CHOICES.items():
                    yield ChoiceRow(name, values, record.get(key), nullable=nullable, id=key)
                yield Static(
                    plain_line("why it follows from the dialogue", "$foreground-muted"), classes="name"
                )
                yield TextBox(str(record.get("reasoning") or ""), id="reasoning")
            yield Static("", id="problems")
            yield KeyBar()

    def on_mount(self) -> None:
        hints = [
            ("enter", "save"),
            ("tab", "next field"),
            ("ctrl+j", "new line"),
            ("esc", "leave, draft kept"),
        ]
        bar = self.query_one(KeyBar)
        bar.show(hints)
        if self._job.restored:
            bar.say(RESTORED)
        box = self.query_one("#value", TextBox)
        box.move_cursor(box.document.end)
        self.show_rules()
        self.start_in(box)

    def show_rules(self) -> None:
        """Which fields make sense now, and which rules are broken."""
        label = self.values.get("label")
        label = label if isinstance(label, str) else None
        suggestion, attitude = (
            self.query_one("#suggestion", Horizontal),
            self.query_one("#preference_attitude", ChoiceRow),
        )
        suggestion.display = label == UNMAPPED or bool(self.values.get("label_suggestion"))
        attitude.nullable = not is_preference(label)
        attitude.display = is_preference(label) or self.values.get("preference_attitude") is not None
        lines = [
            plain("✗ " if p.binding else "· as proposed: ", "bold" if p.binding else "$foreground-muted")
            + plain(p.sentence, "" if p.binding else "$foreground-muted")
            for p in self._problems()
        ]
        attitude.refresh(layout=True)
        self.query_one("#problems", Static).update(Content("\n").join(lines))

    def _problems(self) -> tuple[rules.Problem, ...]:
        return rules.check_memory(self.values, self._job.before)

    # ------------------------------------------------------------ what is typed

    def _choose_label(self, typed: str) -> None:
        entrants = [Entrant(label.path, label.path, (label.means,)) for label in PICKER]
        screen: FilterScreen[str] = FilterScreen("Which label?", entrants, typed=typed)
        self.app.push_screen(screen, self._on_label)

    def _on_label(self, label: str | None) -> None:
        if label is None:
            return
        self.query_one(LabelRow).load(label)
        self.put("label", label)
        if label != UNMAPPED and self.values.get("label_suggestion") is not None:
            self.query_one("#label_suggestion", Entry).load("")
            self.put("label_suggestion", None)
        if not is_preference(label) and self.values.get("preference_attitude") is not None:
            self.query_one("#preference_attitude", ChoiceRow).load(None)
            self.put("preference_attitude", None)
        follow = (
            "#label_suggestion"
            if label == UNMAPPED
            else "#preference_attitude"
            if is_preference(label)
            else ""
        )
        if follow:
            self.set_focus(self.query_one(follow, Widget))

    # ------------------------------------------------------------ how it ends

    def wrong(self) -> tuple[str, str] | None:
        problem = next((p for p in self._problems() if p.binding), None)
        if problem is None:
            return None
        return (problem.key if problem.key in FIELDS else "", problem.sentence)
