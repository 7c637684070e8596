"""The order in which a row of mixed directions is drawn, for terminals that draw signs as they come (UAX #9). Pure.

`safe_text` has turned every explicit direction mark into a visible sign, so a paragraph is one isolating run without
embeddings: what is left of the algorithm are the weak types, brackets, neutrals and implicit levels. Arabic letters
are not joined here: a terminal that joins them does so by itself.
"""

import re
import unicodedata
from collections.abc import Callable, Sequence
from functools import lru_cache

from alps_tui.ui.text_layout import direction

_RTL = re.compile("[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufeff\U00010800-\U00010fff\U0001e800-\U0001efff]")
"""Signs that can make a row go another way: without one of them nothing is looked at closely."""
_PAIRS = {
    "(": ")",
    "[": "]",
    "{": "}",
    "⟨": "⟩",
    "〈": "〉",
    "《": "》",
    "「": "」",
    "『": "』",
    "【": "】",
    "（": "）",
    "［": "］",
}
_CLOSING = {close: opening for opening, close in _PAIRS.items()}
_MIRRORED = {
    **_PAIRS,
    **_CLOSING,
    **dict(zip("<>«»‹›≤≥≪≫∈∋⊂⊃⊆⊇", "><»«›‹≥≤≫≪∋∈⊃⊂⊇⊆", strict=True)),
}
_STRONG = {"L": "L", "R": "R", "AL": "R", "EN": "R", "AN": "R"}
"""What a sign counts as for the neutrals beside it (rules N0 to N2: numbers count as R)."""
NEAR = 512
"""Signs to either side of a row that decide about it where its paragraph is very long."""
LONG = 8 * NEAR


def turns_around(text: str, start: int, end: int) -> bool:
    """True if the row [start, end) may have to be drawn in another order than it is written in, or at the right."""
    if text.isascii():
        return False
    return _RTL.search(text, start, end) is not None or is_rtl(text, start, end)


def paragraph(text: str, start: int, end: int) -> tuple[int, int]:
    """The paragraph that holds the row [start, end), without its line break."""
    left = text.rfind("\n", 0, start) + 1
    right = text.find("\n", end)
    return left, len(text) if right < 0 else right


@lru_cache(maxsize=256)
def levels(text: str, base: int) -> tuple[int, ...]:
    """The embedding level of each sign of a paragraph whose direction is `base`: 0 left to right, 1 right to left.

    UAX #9, rules W1 to W7, N0 to N2, I1 and I2, over the paragraph as one isolating run.
    """
    kinds = _weak([unicodedata.bidirectional(sign) or "L" for sign in text], base)
    _brackets(text, kinds, base)
    _neutrals(kinds, base)
    rise = {"L": (0, 1), "R": (1, 0), "EN": (2, 1), "AN": (2, 1)}
    return tuple(base + rise[kind][base] if kind in rise else base for kind in kinds)


def _weak(kinds: list[str], base: int) -> list[str]:
    """Marks and numbers (rules W1 to W7). A tab parts a paragraph as in rule L1: it keeps the base level."""
    before = strong = "LR"[base]
    for place, kind in enumerate(kinds):
        if kind == "NSM":
            kind = before  # W1
        before = kind
        if kind in ("L", "R", "AL"):
            strong = kind
        elif kind == "EN" and strong == "AL":
            kind = "AN"  # W2
        kinds[place] = kind
    kinds = ["R" if kind == "AL" else kind for kind in kinds]  # W3
    for place in range(1, len(kinds) - 1):  # W4
        kind, left, right = kinds[place], kinds[place - 1], kinds[place + 1]
        if left == right and ((kind in ("ES", "CS") and left == "EN") or (kind == "CS" and left == "AN")):
            kinds[place] = left
    for first, after in _runs(kinds, lambda kind: kind in ("ET", "BN")):  # W5
        if "EN" in (kinds[first - 1] if first else "", kinds[after] if after < len(kinds) else ""):
            kinds[first:after] = ["EN"] * (after - first)
    strong = "LR"[base]
    for place, kind in enumerate(kinds):
        if kind in ("ES", "ET", "CS"):
            kinds[place] = "ON"  # W6
        elif kind in ("L", "R"):
            strong = kind
        elif kind == "EN" and strong == "L":
            kinds[place] = "L"  # W7
    return kinds


def _brackets(text: str, kinds: list[str], base: int) -> None:
    """Brackets take the direction of what they hold, or of what stands before them (rule N0)."""
    own = "LR"[base]
    for opened, closed in _bracket_pairs(text, kinds):
        inside = {_STRONG[kind] for kind in kinds[opened + 1 : closed] if kind in _STRONG}
        if own in inside:
            taken = own
        elif inside:
            held = next((_STRONG[kind] for kind in reversed(kinds[:opened]) if kind in _STRONG), own)
            taken = held if held != own else own
        else:
            continue
        kinds[opened] = kinds[closed] = taken


def _bracket_pairs(text: str, kinds: Sequence[str]) -> list[tuple[int, int]]:
    """Places of matching brackets by their opening one (definition BD16)."""
    waiting: list[int] = []
    pairs = []
    for place, sign in enumerate(text):
        if kinds[place] != "ON":
            continue
        if sign in _PAIRS:
            waiting.append(place)
        elif sign in _CLOSING:
            for depth in range(len(waiting) - 1, -1, -1):
                if text[waiting[depth]] == _CLOSING[sign]:
                    pairs.append((waiting[depth], place))
                    del waiting[depth:]
                    break
    return sorted(pairs)


def _neutrals(kinds: list[str], base: int) -> None:
    """Neutrals between two of one direction take it, others that of the paragraph (rules N1 and N2)."""
    own = "LR"[base]
    for first, after in _runs(kinds, lambda kind: kind not in _STRONG and kind not in ("S", "B")):
        left = _STRONG.get(kinds[first - 1], own) if first else own
        right = _STRONG.get(kinds[after], own) if after < len(kinds) else own
        kinds[first:after] = [left if left == right else own] * (after - first)


def _runs(kinds: Sequence[str], belongs: Callable[[str], bool]) -> list[tuple[int, int]]:
    """Stretches [first, after) of kinds that belong together."""
    out = []
    first = -1
    for place, kind in enumerate([*kinds, ""]):
        inside = place < len(kinds) and belongs(kind)
        if inside and first < 0:
            first = place
        elif not inside and first >= 0:
            out.append((first, place))
            first = -1
    return out


def is_rtl(text: str, start: int, end: int) -> bool:
    """True if the paragraph of the row [start, end) goes from right to left, by its first strong sign."""
    return direction(text, *paragraph(text, start, end)) == "rtl"


def row_levels(text: str, start: int, end: int) -> tuple[int, ...]:
    """The level of each sign of the row [start, end), trailing spaces at the paragraph's own (rule L1)."""
    left, right = paragraph(text, start, end)
    base = int(direction(text, left, right) == "rtl")
    if right - left > LONG:
        left, right = max(left, start - NEAR), min(right, end + NEAR)
    found = list(levels(text[left:right], base)[start - left : end - left])
    for place in range(end - start - 1, -1, -1):
        if not text[start + place].isspace():
            break
        found[place] = base
    return tuple(found)


def visual_order(levels: Sequence[int]) -> list[int]:
    """The places of a row's pieces from left to right, by the level of each (rule L2)."""
    order = list(range(len(levels)))
    odd = [level for level in levels if level % 2]
    if not odd:
        return order
    for level in range(max(levels), min(odd) - 1, -1):
        for first, after in _stretches([levels[place] >= level for place in order]):
            order[first:after] = order[first:after][::-1]
    return order


def _stretches(flags: Sequence[bool]) -> list[tuple[int, int]]:
    return _runs(["x" if flag else "" for flag in flags], lambda kind: kind == "x")


def mirrored(cluster: str) -> str:
    """A sign as it is drawn from right to left: brackets open the other way (rule L4)."""
    return _MIRRORED.get(cluster, cluster)
