"""Texts as AlpsBench's consistency report compares them, one with one and list with list. Theirs, also where we differ."""

import re
from collections.abc import Sequence
from typing import Any

from alps_tui.agreement.words import rouge_l

THRESHOLD = 0.5


def published_normal(value: Any) -> str:
    """None to '', else str, stripped, lower case, each run of white space one space."""
    return "" if value is None else re.sub(r"\s+", " ", str(value).strip().lower())


def published_rouge_l(first: Any, second: Any) -> float:
    """ROUGE-L F1 as rouge-score 0.1.2 without stemmer computes it on normalised texts.

    Both empty 1, one empty 0; words are runs of [a-z0-9], so two texts without any (Arabic, Chinese) score 0 even
    where they are the same.
    """
    a, b = published_normal(first), published_normal(second)
    if not a or not b:
        return 1.0 if a == b else 0.0
    return rouge_l(re.findall("[a-z0-9]+", a), re.findall("[a-z0-9]+", b))


def published_matches(first: Sequence[Any], second: Sequence[Any]) -> list[tuple[int, int, float]]:
    """The authors' matching of two lists of values: (index, index, ROUGE-L), exact pairs first, then greedy.

    Exact: the first unused equal normalised value. Greedy on the rest: ROUGE-L >= 0.5, sorted by (value, index in
    the rest of the first list, index in the rest of the second) descending, so ties go to the larger indices.
    """
    free: dict[str, list[int]] = {}
    for j, value in enumerate(second):
        free.setdefault(published_normal(value), []).append(j)
    pairs = [(i, free[key].pop(0)) for i, key in enumerate(map(published_normal, first)) if free.get(key)]
    found = [(i, j, published_rouge_l(first[i], second[j])) for i, j in pairs]
    taken_first, taken_second = {i for i, _ in pairs}, {j for _, j in pairs}
    left = [i for i in range(len(first)) if i not in taken_first]
    right = [j for j in range(len(second)) if j not in taken_second]
    scored = [(published_rouge_l(first[i], second[j]), i, j) for i in left for j in right]
    for score, i, j in sorted(scored, reverse=True):
        if score >= THRESHOLD and i not in taken_first and j not in taken_second:
            taken_first.add(i)
            taken_second.add(j)
            found.append((i, j, score))
    return found


def published_f1(matched: int, n_first: int, n_second: int) -> float:
    """The authors' F1 from P over the first list and R over the second; two empty lists agree."""
    if not n_first or not n_second:
        return 1.0 if n_first == n_second else 0.0
    precision, recall = matched / n_first, matched / n_second
    return 2 * precision * recall / (precision + recall) if matched else 0.0
