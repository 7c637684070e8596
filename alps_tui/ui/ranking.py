"""How alike a question and each memory of a pool are, in words of any script: the order of a list, never an answer."""

import math
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from alps_tui.agreement.words import NO_SPACES, words

K1, B = 1.2, 0.75
"""How soon a word that comes again stops to count, and how much the length of a memory does."""


def ranked(query: str, memories: Sequence[str]) -> tuple[int, ...]:
    """The places of the memories, the one that shares most with the question first; equals keep their order.

    Okapi BM25 (Robertson and Zaragoza 2009, eq. 3.15): a word counts more the fewer memories of the pool have it.
    """
    scores = similarities(query, memories)
    return tuple(sorted(range(len(memories)), key=lambda place: (-scores[place], place)))


def similarities(query: str, memories: Sequence[str]) -> tuple[float, ...]:
    """BM25 of each memory against the question; 0 where they share nothing."""
    texts = [Counter(features(text)) for text in memories]
    lengths = [sum(counts.values()) for counts in texts]
    mean = sum(lengths) / len(lengths) if lengths and sum(lengths) else 1.0
    holding = Counter(feature for counts in texts for feature in counts)
    weights = {
        feature: math.log(1 + (len(texts) - holding[feature] + 0.5) / (holding[feature] + 0.5))
        for feature in sorted(set(features(query)))
        if feature in holding
    }
    return tuple(
        sum(_saturated(counts[feature], length / mean) * weight for feature, weight in weights.items())
        for counts, length in zip(texts, lengths, strict=True)
    )


def features(text: str) -> tuple[str, ...]:
    """Its words; in scripts without spaces each character, and each two that stand side by side."""
    found = words(text)
    alone = [NO_SPACES.match(word) is not None for word in found]
    pairs = [a + b for (a, one), (b, two) in pairwise(zip(found, alone, strict=True)) if one and two]
    return (*found, *pairs)


def _saturated(count: int, length: float) -> float:
    return count * (K1 + 1) / (count + K1 * (1 - B + B * length)) if count else 0.0
