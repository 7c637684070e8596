"""The language of a dialogue guessed from the script of its user's turns."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache

from store.content_records import Turn

SAMPLE = 20_000
"""Characters of the user's turns that are looked at."""

_RANGES: tuple[tuple[int, int, str], ...] = (
    (0x0041, 0x024F, "und-Latn"),
    (0x0370, 0x03FF, "el"),
    (0x0400, 0x052F, "ru"),
    (0x0530, 0x058F, "hy"),
    (0x0590, 0x05FF, "he"),
    (0x0600, 0x06FF, "ar"),
    (0x0750, 0x077F, "ar"),
    (0x0900, 0x097F, "hi"),
    (0x0980, 0x09FF, "bn"),
    (0x0B80, 0x0BFF, "ta"),
    (0x0C00, 0x0C7F, "te"),
    (0x0D80, 0x0DFF, "si"),
    (0x0E00, 0x0E7F, "th"),
    (0x0E80, 0x0EFF, "lo"),
    (0x10A0, 0x10FF, "ka"),
    (0x1100, 0x11FF, "ko"),
    (0x1200, 0x137F, "am"),
    (0x1780, 0x17FF, "km"),
    (0x1E00, 0x1EFF, "und-Latn"),
    (0x1F00, 0x1FFF, "el"),
    (0x3040, 0x30FF, "ja"),
    (0x3400, 0x4DBF, "zh"),
    (0x4E00, 0x9FFF, "zh"),
    (0xAC00, 0xD7AF, "ko"),
    (0xFB50, 0xFDFF, "ar"),
    (0xFE70, 0xFEFE, "ar"),
    (0xFF66, 0xFF9D, "ja"),
    (0x20000, 0x323AF, "zh"),
)

_NAMES = {
    "english": "en",
    "chinese": "zh",
    "ch": "zh",
    "japanese": "ja",
    "korean": "ko",
    "arabic": "ar",
    "hebrew": "he",
    "russian": "ru",
    "hindi": "hi",
    "greek": "el",
    "thai": "th",
    "german": "de",
    "french": "fr",
    "spanish": "es",
    "italian": "it",
    "portuguese": "pt",
    "turkish": "tr",
    "persian": "fa",
    "ukrainian": "uk",
}

_TAG = re.compile(r"[a-z]{2,3}(-[a-z0-9]{1,8})*", re.IGNORECASE)


def guess_language(turns: Sequence[Turn]) -> str | None:
    """The dominant script of the user's turns as a language tag; None if they hold no letter of a known script.

    A guess by script alone, and only as good as that: Latin letters say nothing of the language and give
    "und-Latn"; Cyrillic is called ru, Arabic script ar, Devanagari hi, though others are written in them;
    Han with at least a tenth of kana is ja, without zh. Without user turns all turns are looked at.
    """
    texts = [turn.text for turn in turns if turn.role == "user"] or [turn.text for turn in turns]
    counts: Counter[str] = Counter()
    left = SAMPLE
    for text in texts:
        for char, n in Counter(text[: max(left, 0)]).items():
            if char.isalpha() and (script := _script(char)):
                counts[script] += n
        left -= len(text)
        if left <= 0:
            break
    if not counts:
        return None
    if counts["ja"] * 10 >= counts["ja"] + counts["zh"] > 0:
        counts["ja"] += counts.pop("zh", 0)
    return max(counts, key=lambda script: (counts[script], script))


def language_tag(given: object) -> str | None:
    """A language named in a record ("English", "ch", "pt-BR") as a tag; None if it names none or several."""
    if not isinstance(given, str):
        return None
    name = given.strip()
    if known := _NAMES.get(name.casefold()):
        return known
    return name if _TAG.fullmatch(name) else None


@lru_cache(maxsize=4096)
def _script(char: str) -> str | None:
    code = ord(char)
    return next((tag for low, high, tag in _RANGES if low <= code <= high), None)
