"""A sentence across the screen that stays until what it says is no longer true."""

from textual.content import Content
from textual.widget import Widget

from alps_tui.ui.plain import plain


class Banner(Widget):
    """Hidden while it has nothing to say."""

    DEFAULT_CSS = """
    Banner { height: auto; display: none; padding: 0 1; background: $error; color: $text; text-style: bold; }
    Banner.-on { display: block; }
    """

    def __init__(self, *, id: str | None = None) -> None:
        super().__init__(id=id)
        self._sentence = ""

    @property
    def sentence(self) -> str:
        return self._sentence

    def say(self, sentence: str) -> None:
        if sentence != self._sentence:
            self._sentence = sentence
            self.set_class(bool(sentence), "-on")
            self.refresh(layout=True)

    def render(self) -> Content:
        return plain(self._sentence)
