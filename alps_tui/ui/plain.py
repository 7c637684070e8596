"""The only way in which text from data reaches a stock widget: as Content, made safe, never parsed as markup."""

from textual.content import Content

from alps_tui.safe_text import one_line, visible
from alps_tui.ui.cells import is_by_sign, known
from alps_tui.ui.text_layout import plain_emoji


def plain(text: str, style: str = "") -> Content:
    """`text` shown literally, line breaks kept; tabs become four spaces.

    A stock widget expands tabs to its own stops and drops some controls: both are settled here.
    """
    shown = _drawn(visible(text)).replace("\t", "    ")
    return Content.styled(shown, style) if style else Content(shown)


def plain_line(text: str, style: str = "") -> Content:
    """`text` shown literally on one line: for titles, options, cells and notifications."""
    shown = _drawn(one_line(text))
    return Content.styled(shown, style) if style else Content(shown)


def _drawn(shown: str) -> str:
    """A text as a terminal can draw it that counts sign by sign: one glyph of each emoji, none it does not know."""
    return known(plain_emoji(shown)) if is_by_sign() else shown
