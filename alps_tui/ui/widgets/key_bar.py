"""The last line of a screen: the keys that matter now, or a sentence about what just happened."""

from collections.abc import Sequence

from textual.content import Content
from textual.widget import Widget

from alps_tui.ui.plain import plain_line

Hint = tuple[str, str]


class KeyBar(Widget):
    """One row of key and word; a sentence takes its place until the next key."""

    DEFAULT_CSS = """
    KeyBar { height: 1; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._hints: tuple[Hint, ...] = ()
        self._sentence = ""

    @property
    def sentence(self) -> str:
        return self._sentence

    def show(self, hints: Sequence[Hint]) -> None:
        """Keys with their words, the most needed first; the last one always stays."""
        if tuple(hints) != self._hints:
            self._hints = tuple(hints)
            self.refresh()

    def say(self, sentence: str) -> None:
        """A sentence in place of the keys; empty to take it away."""
        if sentence != self._sentence:
            self._sentence = sentence
            self.refresh()

    def render(self) -> Content:
        width = max(self.size.width - 2, 1)
        if self._sentence:
            return Content(" ") + plain_line(self._sentence, "bold").truncate(width, ellipsis=True)
        if not self._hints:
            return Content("")
        *hints, last = [_hint(h) for h in self._hints]
        room = width - last.cell_length
        kept: list[Content] = []
        for hint in hints:
            room -= hint.cell_length + 2
            if room < 0:
                break
            kept.append(hint)
        return Content(" ") + Content("  ").join([*kept, last])


def _hint(hint: Hint) -> Content:
    key, word = hint
    return plain_line(key, "bold $text-accent") + Content(" ") + plain_line(word, "$foreground-muted")
