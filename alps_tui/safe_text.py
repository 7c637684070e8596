"""Text from data made showable: every sign that could act on a terminal becomes one visible sign.

One sign stands for one sign, so offsets into the shown text are offsets into the text itself.

| source                                             | shown as                                              |
|----------------------------------------------------|-------------------------------------------------------|
| C0 c (NUL to US), without TAB and LF in `visible`  | U+2400 + c, its control picture (ESC is ␛)            |
| DEL                                                | U+2421 ␡                                              |
| C1 c (U+0080 to U+009F)                            | U+2800 + c, the Braille pattern of its byte           |
| bidi marks, embeddings, overrides, isolates        | an arrow each, see `_BIDI`                            |
| line and paragraph separator                       | ␤ and ⁋                                               |
| byte order mark                                    | ⌧                                                     |
| soft hyphen, zero width space                      | ⁃ and ␣                                               |
| zero width joiner outside an emoji sequence        | ⁀                                                     |
| tag c outside a flag sequence                      | U+2800 + its low byte                                 |
| other format signs and fillers without a glyph     | Braille from U+28A0 in the order of `_FORMAT`         |
| surrogates, noncharacters, unassigned ignorables   | U+FFFD (the only many-to-one; the store keeps none)   |

Kept as they are: combining marks, variation selectors, the zero width non-joiner (Persian and Indic spelling),
private use, and joiners and tags that belong to a well-formed emoji. Those need no undoing. The signs were chosen
one cell wide everywhere, also where a terminal draws ambiguous signs wide (UAX #11).
"""

import re
from functools import cache
from typing import Any

TAB, LF, REPLACEMENT = 0x09, 0x0A, 0xFFFD
_ZWJ, _BLACK_FLAG, _CANCEL_TAG = "\u200d", "\U0001f3f4", "\U000e007f"

_BIDI = {
    0x061C: 0x21DC,  # Arabic letter mark           ⇜
    0x200E: 0x21FE,  # left-to-right mark           ⇾
    0x200F: 0x21FD,  # right-to-left mark           ⇽
    0x202A: 0x21E2,  # left-to-right embedding      ⇢
    0x202B: 0x21E0,  # right-to-left embedding      ⇠
    0x202C: 0x21E1,  # pop directional formatting   ⇡
    0x202D: 0x21DB,  # left-to-right override       ⇛
    0x202E: 0x21DA,  # right-to-left override       ⇚
    0x2066: 0x21E5,  # left-to-right isolate        ⇥
    0x2067: 0x21E4,  # right-to-left isolate        ⇤
    0x2068: 0x21F9,  # first strong isolate         ⇹
    0x2069: 0x21E3,  # pop directional isolate      ⇣
}
_SINGLE = {
    0x7F: 0x2421,  # delete                         ␡
    0x00AD: 0x2043,  # soft hyphen                  ⁃
    0x200B: 0x2423,  # zero width space             ␣
    0x200D: 0x2040,  # zero width joiner            ⁀
    0x2028: 0x2424,  # line separator               ␤
    0x2029: 0x204B,  # paragraph separator          ⁋
    0xFEFF: 0x2327,  # byte order mark              ⌧
}
_FORMAT = (
    0x180E,  # Mongolian vowel separator
    *range(0x2060, 0x2065),  # word joiner, invisible operators
    *range(0x206A, 0x2070),  # deprecated shaping and digit switches
    0x3164,  # Hangul filler
    0xFFA0,  # halfwidth Hangul filler
    *range(0xFFF9, 0xFFFC),  # interlinear annotation
    *range(0x13430, 0x13440),  # Egyptian hieroglyph joiners
    *range(0x1BCA0, 0x1BCA4),  # shorthand format controls
    *range(0x1D173, 0x1D17B),  # musical beams and slurs
)
_TAGS = (0xE0001, *range(0xE0020, 0xE0080))
_NO_SIGN = (
    *range(0xD800, 0xE000),  # surrogates
    *range(0xFDD0, 0xFDF0),  # noncharacters
    *(plane << 16 | low for plane in range(17) for low in (0xFFFE, 0xFFFF)),
    0x2065,  # unassigned, ignorable by default
    *range(0xFFF0, 0xFFF9),
    0xE0000,
    *range(0xE0002, 0xE0020),
    *range(0xE0080, 0xE0100),
    *range(0xE01F0, 0xE1000),
)

LINE_TABLE: dict[int, int] = {
    **{c: 0x2400 + c for c in range(0x20)},
    **{c: 0x2800 + c for c in range(0x80, 0xA0)},
    **_BIDI,
    **_SINGLE,
    **{c: 0x28A0 + place for place, c in enumerate(_FORMAT)},
    **{c: 0x2800 + (c & 0xFF) for c in _TAGS},
    **dict.fromkeys(_NO_SIGN, REPLACEMENT),
}
"""Source → sign as `one_line` applies it: TAB and LF are signs too."""

TABLE: dict[int, int] = {source: sign for source, sign in LINE_TABLE.items() if source not in (TAB, LF)}
"""Source → sign as `visible` applies it."""

_SOURCE_OF: dict[int, int] = {sign: source for source, sign in LINE_TABLE.items() if sign != REPLACEMENT}

SIGNS: frozenset[str] = frozenset(map(chr, LINE_TABLE.values()))
"""Every sign that may stand for something else, so that a view can set it apart from one that was written."""


def _ranges(points: list[int]) -> str:
    """Code points as the inside of a character class."""
    out: list[str] = []
    start = previous = points[0]
    for point in [*points[1:], -1]:
        if point != previous + 1:
            out.append(f"\\U{start:08x}-\\U{previous:08x}")
            start = point
        previous = point
    return "".join(out)


# A class that mixes planes is searched sign by sign, one of the first plane by a bitmap: hence two searches, and
# before the second the question whether anything but emoji lies that high at all.
_LOW = _ranges(sorted(c for c in TABLE if c < 0x10000))
_HIGH = _ranges(sorted(c for c in TABLE if c >= 0x10000))
_UNSAFE_LOW = re.compile(f"[{_LOW}]")
_ANY_HIGH = re.compile("[\U00013430-\U0001efff\U0001fb00-\U0010ffff]")
_UNSAFE_HIGH = re.compile(f"[{_HIGH}]")
_UNSAFE = re.compile(f"[{_LOW}]|[{_HIGH}]")
_LOW_OUTSIDE = re.compile(f"[{_ranges(sorted(c for c in TABLE if c < 0x10000 and c != ord(_ZWJ)))}]")
"""What is unsafe wherever it stands: all of the first plane but the joiner."""
_JOINER = re.compile(f"[{_ZWJ}{_ranges(sorted(_TAGS))}]")
"""What is safe inside an emoji only."""
_EMOJI_SIGN = "[©®\u200d\u203c-\u3299\ufe0f\U0001f000-\U0001faff\U0001fc00-\U0001fffd\U000e0001-\U000e007f]"
_IS_EMOJI_SIGN = re.compile(_EMOJI_SIGN)
_EMOJI_SIGNS = re.compile(f"{_EMOJI_SIGN}+")
"""A stretch of signs that emoji are made of: the slow pattern is only asked around a joiner."""


@cache
def _emoji_sequences() -> Any:
    """Pattern of the emoji that are held together by joiners or tags (UTS #51, ED-14a and ED-16).

    The first element is one that terminals draw two cells wide, so that the whole is two cells wide.
    """
    import regex

    skin = "[\U0001f3fb-\U0001f3ff]"
    wide = rf"[\p{{Emoji_Presentation}}&&\p{{ExtPict}}]{skin}?"
    first = rf"(?:{wide}|\p{{ExtPict}}\ufe0f|\p{{Emoji_Modifier_Base}}{skin})"
    joined = rf"{first}(?:{_ZWJ}\p{{ExtPict}}\ufe0f?{skin}?)+"
    flag = f"{_BLACK_FLAG}[\U000e0030-\U000e0039\U000e0061-\U000e007a]{{1,6}}{_CANCEL_TAG}"
    return regex.compile(f"(?V1)({joined}|{flag})")


def is_safe(text: str) -> bool:
    """True if `visible` would return `text` as it is and no joiner or tag has to be looked at in its context."""
    if _UNSAFE_LOW.search(text):
        return False
    return text.isascii() or not _ANY_HIGH.search(text) or not _UNSAFE_HIGH.search(text)


def _sign(match: re.Match[str]) -> str:
    return chr(TABLE[ord(match[0])])


def visible(text: str) -> str:
    """`text` with one visible sign for each sign that is none; TAB and LF stay.

    The length is the same; text that is safe is returned itself.
    """
    if is_safe(text):
        return text
    text = _ANY_HIGH.sub(_high_sign, _LOW_OUTSIDE.sub(_sign, text))
    out: list[str] = []
    done = 0
    for joiner in _JOINER.finditer(text):
        start = joiner.start()
        if start < done:
            continue
        stretch = _EMOJI_SIGNS.match(text, start)
        while start > done and _IS_EMOJI_SIGN.match(text, start - 1):
            start -= 1
        out.append(text[done:start])
        done = stretch.end() if stretch else start
        parts = _emoji_sequences().split(text[start:done])
        out += (part if place % 2 else _UNSAFE.sub(_sign, part) for place, part in enumerate(parts))
    return "".join([*out, text[done:]]) if out else text


def _high_sign(match: re.Match[str]) -> str:
    code = ord(match[0])
    return match[0] if code in _TAGS else chr(TABLE.get(code, code))


def one_line(text: str) -> str:
    """`visible`, with TAB and LF as signs too: for titles, notifications and cells. Same length."""
    shown = visible(text)
    return (
        shown.translate({TAB: LINE_TABLE[TAB], LF: LINE_TABLE[LF]})
        if "\n" in shown or "\t" in shown
        else shown
    )


def original(shown: str) -> str:
    """What `visible` or `one_line` made `shown` from.

    Exact for every text that holds none of the `SIGNS` itself; a sign that was written is taken for its source, and
    U+FFFD stays.
    """
    return shown.translate(_SOURCE_OF)
