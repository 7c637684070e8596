"""Which pairs of the responses to a question are compared: all, or where there are many a fair part of them."""

import random
from itertools import combinations

MOST = 21
"""Pairs of one item: all pairs of seven responses. Of more responses than this, as many pairs as responses."""


def chosen_pairs(n: int, seed: str, most: int = MOST) -> list[tuple[int, int]]:
    """The pairs of n responses that are compared, by their places, in the order of the data.

    All of them where they are no more than `most`. Else `most` of them (or n, if that is more), dealt on a ring in an order that the seed
    draws: every response with its next, then with its next but one, and on. Each comes up about as often as the
    others, and all are connected, so that abilities can be fitted.
    """
    every = list(combinations(range(n), 2))
    if len(every) <= most:
        return every
    ring = list(range(n))
    random.Random(f"pairs:{seed}").shuffle(ring)
    dealt = dict.fromkeys(
        tuple(sorted((ring[i], ring[(i + step) % n]))) for step in range(1, n) for i in range(n)
    )
    return sorted((a, b) for a, b in list(dealt)[: max(most, n)])
