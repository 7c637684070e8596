"""One option of a form's question in an editor: a row of choices by their words, which may change with another answer."""

from collections.abc import Sequence

from textual.content import Content

from alps_tui.protocols.schema import Option
from alps_tui.ui.plain import plain_line
from alps_tui.ui.widgets.choice_row import ChoiceRow
from store.content_records import Json


class OptionRow(ChoiceRow):
    """A choice row that shows what options are called. What is not offered any more is no answer any more."""

    def __init__(self, name: str, options: Sequence[Option], value: Json, *, nullable: bool, id: str) -> None:
        super().__init__(name, [option.value for option in options], value, nullable=nullable, id=id)
        self._options = {str(option.value): option for option in options}

    @property
    def meaning(self) -> str:
        """What the chosen option means; empty while none is chosen."""
        option = self._options.get(str(self.value))
        return option.anchor if option is not None else ""

    def offer(self, values: Sequence[Json]) -> None:
        """Only these from now on."""
        if tuple(values) != self._values:
            self._values = tuple(values)
            if self.value not in self._values:
                self.value = None
            self.refresh(layout=True)

    def _part(self, key: str, value: Json) -> Content:
        option = self._options.get(str(value))
        words = plain_line("none" if value is None else option.label if option is not None else str(value))
        if value == self.value:
            return Content.styled("[", "bold") + words.stylize("bold") + Content.styled("]", "bold")
        return plain_line(f"{key} ", "bold $text-accent") + words if self.has_focus else words
