"""One value of a closed list, or null: digits and arrows choose, backspace empties. For editors of records."""

from collections.abc import Sequence

from textual import events
from textual.content import Content
from textual.geometry import Size
from textual.message import Message
from textual.widget import Widget

from alps_tui.ui.commands import key_name
from alps_tui.ui.plain import plain_line
from alps_tui.ui.widgets.blocks import rows_of
from alps_tui.ui.widgets.entry import settle
from store.content_records import Json


class ChoiceRow(Widget, can_focus=True):
    """Shows all values, each beside its digit. Null is a value to choose only where the row is `nullable`; else it
    is no answer yet, and shown as that. A value from outside the list is shown as the last one and kept until changed."""

    DEFAULT_CSS = """
    ChoiceRow { height: auto; padding: 0 1; }
    ChoiceRow:focus { background: $boost; }
    """

    class Chosen(Message):
        """The value was changed by a key."""

        def __init__(self, row: "ChoiceRow") -> None:
            super().__init__()
            self.row = row

    def __init__(self, name: str, values: Sequence[Json], value: Json, *, nullable: bool, id: str) -> None:
        super().__init__(id=id)
        self._title = name
        self._values: tuple[Json, ...] = tuple(values)
        self.nullable = nullable
        self.value: Json = value
        self.problem = ""

    def load(self, value: Json) -> None:
        """Show this value; says nothing."""
        self.value = value
        self.refresh(layout=True)

    def render(self) -> Content:
        return Content("\n").join(self._rows(self.content_size.width))

    def get_content_height(self, container: Size, viewport: Size, width: int) -> int:
        return len(self._rows(width))

    def _rows(self, width: int) -> list[Content]:
        mark = Content.styled("▌", "bold") if self.has_focus else Content(" ")
        name = mark + plain_line(f"{self._title:<11} ", "bold" if self.has_focus else "$foreground-muted")
        parts = [self._part(str(i), v) for i, v in enumerate(self._shown(), 1)]
        if self.nullable:
            parts.append(self._part("0", None))
        elif self.value is None:
            parts.append(plain_line("not chosen yet", "italic"))
        first, *rest = rows_of(parts, max(width - name.cell_length, 2), "  ") or [Content("")]
        return [name + first, *(row.pad_left(name.cell_length) for row in rest)]

    def _shown(self) -> tuple[Json, ...]:
        outside = () if self.value is None or self.value in self._values else (self.value,)
        return self._values + outside

    def _part(self, key: str, value: Json) -> Content:
        words = plain_line("none" if value is None else _words(value))
        if value == self.value:
            return Content.styled("[", "bold") + words.stylize("bold") + Content.styled("]", "bold")
        key_shown = plain_line(key, "bold $text-accent") if self.has_focus else Content("")
        return key_shown + (Content(" ") if self.has_focus else Content("")) + words

    async def _on_key(self, event: events.Key) -> None:
        if settle(self, event):
            return
        key = key_name(event.key, event.character)
        shown = self._shown()
        if key.isdigit() and 0 < int(key) <= len(shown):
            self._set(shown[int(key) - 1])
        elif key in ("0", "backspace", "delete") and self.nullable:
            self._set(None)
        elif key in ("left", "right"):
            self._set(self._beside(1 if key == "right" else -1))
        elif key in ("up", "down"):
            self.screen.focus_previous() if key == "up" else self.screen.focus_next()
        elif not event.is_printable:
            return
        event.stop()
        event.prevent_default()

    def _beside(self, step: int) -> Json:
        ring = (*self._shown(), *((None,) if self.nullable else ()))
        at = ring.index(self.value) if self.value in ring else -1 if step > 0 else 0
        return ring[(at + step) % len(ring)]

    def _set(self, value: Json) -> None:
        if value != self.value:
            self.value = value
            self.refresh(layout=True)
            self.post_message(self.Chosen(self))

    def on_focus(self) -> None:
        self.refresh(layout=True)

    def on_blur(self) -> None:
        self.refresh(layout=True)


def _words(value: Json) -> str:
    return f"{value:.2f}".lstrip("0") if isinstance(value, float) and 0 < value < 1 else str(value)
