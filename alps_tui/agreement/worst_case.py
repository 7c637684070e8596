"""The worst that seeded answers could hide: each as unlike the other answers to its unit as the scale allows."""

from dataclasses import replace

import numpy as np

from alps_tui.agreement.intervals import Floats
from alps_tui.agreement.ratings import Ratings

OWN_FIRST = 1e-9


def worst_case(ratings: Ratings, distance: Floats) -> tuple[Ratings, int]:
    """Seeded answers moved to the class furthest from the attested ones (bounds after Manski 1990), and how many were.

    distance   disagreement of the classes, shape (k, k)
    Rater by rater: a seeded answer keeps its own class where none is further, as the only one of a unit does; the
    next rater's seeded answer on that unit is then moved away from it.
    """
    codes = ratings.codes.copy()
    given = codes >= 0
    seeded = ratings.seeded & given
    settled = replace(ratings, codes=np.where(seeded, -1, codes)).counts
    own = 1 + OWN_FIRST
    moved = 0
    for rater in range(codes.shape[1]):
        rows = np.flatnonzero(seeded[:, rater])
        if not len(rows):
            continue
        far = settled[rows] @ distance
        places = np.arange(len(rows))
        before = codes[rows, rater]
        far[places, before] = far[places, before] * own + OWN_FIRST
        after = far.argmax(axis=1)
        codes[rows, rater] = after
        settled[rows, after] += 1
        moved += int(np.count_nonzero(after != before))
    return replace(ratings, codes=codes), moved
