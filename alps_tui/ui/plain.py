"""The only way in which text from data reaches a stock widget: as Content, made safe, never parsed as markup."""

from textual.content import Content

from alps_tui.safe_text import one_line, visible


def plain(text: str, style: str = "") -> Content:
    """`text` shown literally, line breaks kept; tabs become four spaces.

    A stock widget expands tabs to its own stops and drops some controls: both are settled here.
    """
    shown = visible(text).replace("\t", "    ")
    return Content.styled(shown, style) if style else Content(shown)


def plain_line(text: str, style: str = "") -> Content:
    """`text` shown literally on one line: for titles, options, cells and notifications."""
    shown = one_line(text)
    return Content.styled(shown, style) if style else Content(shown)
