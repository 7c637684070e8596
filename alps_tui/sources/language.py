"""The language of a dialogue guessed from the script of its user's turns and from their small words."""

import re
from collections import Counter
from collections.abc import Sequence
from functools import lru_cache
from unicodedata import normalize

from alps_tui.sources.function_words import weights
from store.content_records import Turn

SAMPLE = 2_000
"""Characters of the user's turns that are looked at, so that the longest dialogue costs no more than another."""

OF_A_TURN = 300
"""Of one turn no more than its beginning: what is pasted after it may be in any language."""

LEAST_WEIGHT = 1.5
"""How many small words must speak for a language; one that several languages have counts as a part of one."""

LEAST_OWN = 2
"""How many of them the next likely language must not have."""

LEAD = 2
"""How many times as many of its own words it must have as the next likely language has of its own."""

OFTEN = 4
"""How often one word counts at most: a text that repeats a line is not surer for it."""

_RANGES: tuple[tuple[int, int, str], ...] = (
    (0x0041, 0x024F, "Latn"),
    (0x0370, 0x03FF, "el"),
    (0x0400, 0x052F, "Cyrl"),
    (0x0530, 0x058F, "hy"),
    (0x0590, 0x05FF, "he"),
    (0x0600, 0x06FF, "Arab"),
    (0x0750, 0x077F, "Arab"),
    (0x0900, 0x097F, "Deva"),
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
    (0x1E00, 0x1EFF, "Latn"),
    (0x1F00, 0x1FFF, "el"),
    (0x3040, 0x30FF, "ja"),
    (0x3400, 0x4DBF, "zh"),
    (0x4E00, 0x9FFF, "zh"),
    (0xAC00, 0xD7AF, "ko"),
    (0xFB50, 0xFDFF, "Arab"),
    (0xFE70, 0xFEFE, "Arab"),
    (0xFF66, 0xFF9D, "ja"),
    (0x20000, 0x323AF, "zh"),
)

_UNTOLD = {"Latn": "und-Latn", "Cyrl": "ru", "Arab": "ar", "Deva": "hi"}
"""What a script of several languages is called where the words do not tell."""

_WORD = re.compile(r"[^\s\d_.,;:!?¡¿…·()\[\]{}<>\"“”„«»‘`*#=+/\\|~^&%$€@،؛؟।、。，！？：；–—-]+")
"""A stretch without blanks, digits and signs; vowel signs belong to it, which \\w leaves out."""

_LETTER = re.compile("[A-Za-z]")

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
    """The language of the user's turns as a tag, as far as it can be told; None if they hold no letter that is known.

    The commonest script tells it, or where several languages share that script their small words do. What they do
    not tell, a short or a mixed text, is "und-Latn" in Latin letters; in Cyrillic it is called ru, in Arabic script
    ar, in Devanagari hi. Han with at least a tenth of kana is ja, without zh. Without user turns all turns are
    looked at. Equal text gives an equal answer.
    """
    text = _sample([turn.text for turn in turns if turn.role == "user"] or [turn.text for turn in turns])
    script = _script_of(text)
    if script is None or script not in _UNTOLD:
        return script
    return _by_words(text, script) or _UNTOLD[script]


def _sample(texts: Sequence[str]) -> str:
    """The beginnings of the texts, a line each, SAMPLE characters together."""
    beginnings: list[str] = []
    left = SAMPLE
    for text in texts:
        beginnings.append(text[: min(left, OF_A_TURN)])
        left -= len(beginnings[-1])
        if left <= 0:
            break
    return "\n".join(beginnings)


def _script_of(text: str) -> str | None:
    """The script most letters are of, where it is that of one language its tag; None without a known letter."""
    if text.isascii():
        return "Latn" if _LETTER.search(text) else None
    counts: Counter[str] = Counter()
    for char, n in Counter(text).items():
        if char.isalpha() and (script := _script(char)):
            counts[script] += n
    if not counts:
        return None
    if counts["ja"] * 10 >= counts["ja"] + counts["zh"] > 0:
        counts["ja"] += counts.pop("zh", 0)
    return max(counts, key=lambda script: (counts[script], script))


def _by_words(text: str, script: str) -> str | None:
    """The language whose small words stand out over those of the next likely one; None if none does."""
    having = weights(script)
    plain = normalize("NFC", text).casefold().replace("’", "'")
    words = Counter(_WORD.findall(plain))
    heard = [(dict(having[word]), min(n, OFTEN)) for word, n in words.items() if word in having]
    sums: dict[str, float] = {}
    for tags, n in heard:
        for tag, weight in tags.items():
            sums[tag] = sums.get(tag, 0.0) + n * weight
    ranked = sorted(sums, key=lambda tag: (-sums[tag], tag))
    if not ranked or sums[ranked[0]] < LEAST_WEIGHT:
        return None
    first, second = ranked[0], ranked[1] if len(ranked) > 1 else ""
    own = sum(n for tags, n in heard if first in tags and second not in tags)
    others = sum(n for tags, n in heard if second in tags and first not in tags)
    different = sum(first in tags for tags, _ in heard)
    return first if different >= 2 and own >= max(LEAST_OWN, LEAD * others) else None


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
