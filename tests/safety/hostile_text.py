"""Texts that act on terminals, markup parsers and layouts, and what a terminal must get instead of them."""

import re
from collections.abc import Iterable
from functools import cache
from zlib import crc32

from hypothesis import strategies as st

from alps_tui.safe_text import one_line, visible
from alps_tui.sources.normalise import clean_text

BITES: dict[str, str] = {
    "a closing bracket without end": "[/",
    "markup": "[bold]x[/bold]",
    "a link that runs an action": "[@click=app.hacked]y[/]",
    "backslashes": "\\[b]\\",
    "clear the screen": "\x1b[2J",
    "leave the screen": "\x1b[?1049l\x1bc",
    "a style of nobody's": "\x1b[999m",
    "clipboard, ended by a bell": "\x1b]52;c;aGFja2Vk\x07",
    "clipboard, ended by a string terminator": "\x1b]52;c;aGFja2Vk\x1b\\",
    "a title": "\x1b]0;PWNED\x07",
    "an introducer of eight bits": "\x9b2J\x9d0;x\x9c",
    "NUL, backspace, shift out, delete": "\0\b\x0e\x7f",
    "line ends": "a\r\nb\rc\nd\x85e\x0bf\x0c",
}
"""What would do something on a terminal or in a parser of markup."""

TWISTS: dict[str, str] = {
    "a tab": "a\tb",
    "an override": "\u202ekcah\u202c",
    "isolates and marks": "\u2066a\u2069\u200eb\u200f\u061c",
    "separators": "a\u2028b\u2029c",
    "a byte order mark": "\ufeffz",
    "tags that hide a word": "".join(chr(0xE0000 + ord(sign)) for sign in "hide") + "!",
    "spaces without width": "a\u200bb\u00adc\u2060d",
    "a joiner between letters": "a\u200db",
    "a family": "👨‍👩‍👧‍👦 👩🏽‍🚀 🏳️‍🌈 🏴\U000e0067\U000e0062\U000e0065\U000e006e\U000e0067\U000e007f",
    "keycaps, flags and hearts": "1️⃣ 🇩🇪🇫🇷 ❤️ ☎️",
    "marks upon marks": "Z" + "\u0300\u0323\u035c" * 12 + "algo e\u0301\u0327",
    "wide signs": "漢字かな交じり文，全角ＡＢ한국어",
    "Arabic": "مَرْحَبًا بِالعَالَمِ سلام\u200cها",
    "Hebrew": "שָׁלוֹם עוֹלָם (א) 12",
    "Indic": "क्षत्रिय नमस्ते ক্ষ",
    "lone surrogates": "\udfff\ud800",
    "nothing at all": "\ufffe\u3164\u115f",
}
"""What would look otherwise than it is, or be of another width than it seems."""

BREAKS = "[/\x1b[2J"
"""Ends a program that takes it for markup, and wipes a terminal that gets it: the beginning of every text."""


def mixture(place: str, turn: int = 0) -> str:
    """What breaks, then a text that bites and one that twists: others from place to place and from turn to turn."""
    at = crc32(place.encode()) + turn
    return BREAKS + "".join(texts[at % len(texts)] for texts in ([*BITES.values()], [*TWISTS.values()]))


HOSTILE = st.lists(
    st.one_of(st.sampled_from([*BITES.values(), *TWISTS.values()]), st.text(max_size=6)), max_size=8
).map("".join)
"""Any text, with what bites in it more often than chance would put it there."""


# ---------------------------------------------------------------- what a terminal gets

_OURS = re.compile(r"\x1b\[(?:\d{1,3};\d{1,3}H|(?P<style>[0-9;]*)m)")
"""Put the cursor somewhere, and set a style: all that a screen library sends while it draws."""

_POINTER = re.compile(r"\x1b\]22;[a-z-]+\x07")
"""The shape of the pointer, over what can be clicked."""

_COPIED = re.compile(r"\x1b\]52;c;[A-Za-z0-9+/]*=*\x07")
BELL = "\x07"


def foreign(frames: Iterable[str], *, copying: bool = False) -> str:
    """What a terminal would act upon in `frames` and no screen library sent: empty if all is well.

    Each write is taken by itself: a bell and a shape of the pointer are writes of their own, and so is a text put
    on the clipboard, which only a person who is `copying` does.
    """
    left = []
    for frame in frames:
        if not (frame == BELL or _POINTER.fullmatch(frame) or (copying and _COPIED.fullmatch(frame))):
            text = _OURS.sub(lambda found: "" if _is_style(found["style"]) else found[0], frame).replace(
                "\n", ""
            )
            left += [sign for sign, safe in zip(text, one_line(text), strict=True) if sign != safe]
    return "".join(left)


@cache
def _is_style(numbers: str | None) -> bool:
    """True if this is no style at all, or one that is in use: attributes, 16, 256 or all colours."""
    if numbers is None:
        return True
    left = re.sub(r"\b[34]8;(?:5;\d{1,3}|2;\d{1,3};\d{1,3};\d{1,3})\b", "", numbers)
    return all(int(one) <= 107 for one in left.split(";") if one)


def shown(text: str, signs: int) -> set[str]:
    """The first signs of a text as a screen may show them: on one line, or on several, without blanks."""
    known = stored(text)
    return {"".join(way(known).split())[:signs] for way in (one_line, visible)}


def stored(text: str) -> str:
    """The text as an import stores it."""
    return clean_text(text)[0]


def file_name(text: str) -> str:
    """The text as far as a file can be called so."""
    return text.replace("/", "").encode()[:120].decode("utf-8", "ignore")


def said(screen: Iterable[str]) -> str:
    """A screen without blanks and frames, so that a text that was wrapped is whole again."""
    return re.sub(r"[\s│▏▌▐┃┏┓┗┛╭╮╰╯─━▁▂▃▄▅▆▇█▔]", "", "".join(screen))
