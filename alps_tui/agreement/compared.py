"""Comparisons of a study's own pairs of responses: the long table read as which of two systems won, and from where."""

import json
import re
from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from alps_tui.agreement.bradley_terry import Outcome
from alps_tui.agreement.preference import Comparison
from store.table import Table, default_population

FORM, PREFERENCE = "response-preference", "preference"
SCORE = "preference_alignment"
TIES = ("tie_good", "tie_bad")

Scores = Mapping[tuple[str, str], float]
"""(item's key, response's key) → mean score of the response."""


@dataclass(frozen=True, slots=True)
class Compared:
    """What a study's pairs say.

    ties       how many of the comparisons were ties, by kind: both good, both bad
    left_out   answers that compare nothing, by reason in words
    """

    comparisons: tuple[Comparison, ...]
    ties: Mapping[str, int]
    left_out: Mapping[str, int]


def compared(preferences: Table, scores: Scores | None = None) -> Compared:
    """Each answer to `preference` as a comparison of two systems, the one that stood left named first.

    preferences   the long table of the form: the default population is taken of it. The value is the response of the
                  pair that won, in the order of the data; `origin` names both systems in that order, and
                  `presentation` says which stood left.
    scores        what the responses got on an absolute scale: see `mean_scores`
    """
    rows, left_out = default_population(preferences.field(PREFERENCE))
    out = Counter({reason.replace("_", " "): n for reason, n in left_out.items()})
    found: list[Comparison] = []
    ties = Counter(dict.fromkeys(TIES, 0))
    c = rows.columns
    columns = (c["item_id"], c["unit_id"], c["rater"], c["status"], c["origin"], c["presentation"])
    for item, unit, rater, status, origin, stood, value in zip(*columns, rows.parsed(), strict=True):
        if value is None:
            out[str(status).replace("_", " ")] += 1
            continue
        pair = _pair(str(item), str(unit))
        left = _left(pair, stood)
        systems = json.loads(origin) if origin else None
        if pair is None or left is None or systems is None:
            out["sides or systems not on record"] += 1
        elif systems[0] == systems[1]:
            out["both of one system"] += 1
        else:
            one = _comparison((str(item), str(rater)), systems, pair, left, value, scores or {})
            found.append(one)
            ties.update([value] if value in TIES else [])
    return Compared(tuple(found), dict(ties), {reason: n for reason, n in out.items() if n})


def _comparison(
    where: tuple[str, str],
    systems: list[str],
    pair: tuple[str, str],
    left: int,
    value: str,
    scores: Scores,
) -> Comparison:
    """left   which of the pair stood left, 0 or 1."""
    item, rater = where
    right = 1 - left
    won = {"first": 0, "second": 1}.get(value)
    outcome = Outcome.TIE if won is None else Outcome.FIRST if won == left else Outcome.SECOND
    both = [scores.get((item_key(item), pair[side])) for side in (left, right)]
    known = None if both[0] is None or both[1] is None else (both[0], both[1])
    return Comparison(item, rater, systems[left], systems[right], outcome, known)


def mean_scores(ratings: Table, field: str = SCORE) -> dict[tuple[str, str], float]:
    """The mean over raters of what each response got on one scale, of the default population; "does not apply" is none.

    ratings   the long table of the form that rates responses
    """
    rows, _ = default_population(ratings.field(field))
    sums: dict[tuple[str, str], list[float]] = {}
    for item, unit, number in zip(*(rows.column(n) for n in ("item_id", "unit_id", "number")), strict=True):
        if number == number:
            key = str(unit).removeprefix(f"{item}/")
            sums.setdefault((item_key(str(item)), key), []).append(float(number))
    return {key: sum(found) / len(found) for key, found in sums.items()}


def item_key(item_id: str) -> str:
    """What an item is about, by whichever form and in whichever version: its key in the data."""
    return re.sub(r"#\d+$", "", item_id.partition("/")[2])


def _pair(item: str, unit: str) -> tuple[str, str] | None:
    """The keys of the two responses of a pair, as the table of ratings names them."""
    first, mark, second = unit.removeprefix(f"{item}/pair:").partition(":")
    return (f"response:{first}", f"response:{second}") if mark and unit.startswith(f"{item}/pair:") else None


def _left(pair: tuple[str, str] | None, stood: Any) -> int | None:
    """Which response of the pair stood left, 0 or 1; None where the presentation does not tell."""
    if pair is None:
        return None
    keys = json.loads(stood) if isinstance(stood, str) else []
    name = "pair:" + ":".join(key.removeprefix("response:") for key in pair)
    at = keys.index(name) if name in keys else len(keys)
    left = keys[at + 1] if at + 1 < len(keys) else None
    return pair.index(left) if left in pair else None
