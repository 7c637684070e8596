"""Words of any script, and how far two texts share them in order: what matching memories needs. Standard library only."""

import re
import unicodedata
from collections.abc import Sequence

NO_SPACES = re.compile(
    "["
    "\u0e00-\u0eff"  # Thai, Lao
    "\u0f00-\u0fff"  # Tibetan
    "\u1000-\u109f\uaa60-\uaa7f\ua9e0-\ua9ff"  # Myanmar
    "\u1780-\u17ff\u19e0-\u19ff"  # Khmer
    "\u1950-\u19df\u1a20-\u1aaf\uaa80-\uaadf"  # Tai Le, New Tai Lue, Tai Tham, Tai Viet
    "\ua980-\ua9df\u1b00-\u1b7f"  # Javanese, Balinese
    "\u2e80-\u2fdf\u3005-\u3007\u3021-\u3029"  # Han radicals and iteration marks
    "\u3040-\u30ff\u31f0-\u31ff"  # Hiragana, Katakana
    "\u3100-\u312f\u31a0-\u31bf"  # Bopomofo
    "\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff"  # Han
    "\ua000-\ua4cf"  # Yi
    "\U0001b000-\U0001b16f\U00020000-\U0003ffff"  # Kana supplement, Han extensions
    "]"
)
"""Scripts written without spaces between words: each character is a word of its own."""


def normalised(text: str) -> str:
    """NFKC, case folded, each run of white space one space, the ends stripped."""
    return " ".join(unicodedata.normalize("NFKC", unicodedata.normalize("NFKC", text).casefold()).split())


def words(text: str) -> tuple[str, ...]:
    """Maximal runs of letters, marks and numbers; in scripts without spaces each character with its marks.

    Python's own word class stops at combining marks and would cut Hindi or vocalised Arabic into pieces. A text
    that holds only other signs (emoji, punctuation) is one word for each of them that is not white space.
    """
    found: list[str] = []
    running = False
    for sign in normalised(text):
        category = unicodedata.category(sign)
        if category[0] == "M" or category == "Cf":
            if running:
                found[-1] += sign
        elif category[0] in "LN":
            alone = NO_SPACES.match(sign) is not None
            joins = running and not alone and NO_SPACES.match(found[-1][0]) is None
            if joins:
                found[-1] += sign
            else:
                found.append(sign)
            running = True
        else:
            running = False
    return tuple(found) or tuple(sign for sign in normalised(text) if not sign.isspace())


def common_length(first: Sequence[str], second: Sequence[str]) -> int:
    """Length of the longest common subsequence, bit-parallel (Crochemore et al. 2001; Hyyrö 2004).

    One Python integer holds a row of the usual table, so the cost is len(second) big-integer additions.
    """
    places: dict[str, int] = {}
    for index, word in enumerate(first):
        places[word] = places.get(word, 0) | (1 << index)
    everything = (1 << len(first)) - 1
    row = everything
    for word in second:
        hit = row & places.get(word, 0)
        row = ((row + hit) | (row - hit)) & everything
    return len(first) - row.bit_count()


def rouge_l(first: Sequence[str], second: Sequence[str]) -> float:
    """F measure of the longest common subsequence (Lin 2004, ROUGE-L with beta 1); 0 if either has no word."""
    if not first or not second:
        return 0.0
    length = common_length(first, second)
    if length == 0:
        return 0.0
    precision, recall = length / len(second), length / len(first)
    return 2 * precision * recall / (precision + recall)


def likeness(first: str, second: str) -> float:
    """ROUGE-L over words of any script: 1 for the same words in the same order; two blank texts are alike."""
    if first == second:
        return 1.0
    a, b = words(first), words(second)
    return rouge_l(a, b) if a and b else float(a == b)
