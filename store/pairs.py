"""Pairs of responses to one query: how a pair is named in keys, and what one rater sees of it, sides drawn."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select

from store import models as m
from store.kinds import UnitKind
from store.records import ItemView, PairView, ResponseView, UnitView

RESPONSE, PAIR = "response:", "pair:"


def pair_key(first: str, second: str) -> str:
    """The key of the pair of two responses, by the keys of their units, in the order of the data."""
    return f"{PAIR}{first.removeprefix(RESPONSE)}:{second.removeprefix(RESPONSE)}"


def pair_of(key: str) -> tuple[str, str] | None:
    """The keys of the two response units that a pair is made of; None if it is the key of no pair."""
    first, mark, second = key.removeprefix(PAIR).partition(":")
    if not key.startswith(PAIR) or not mark:
        return None
    return RESPONSE + first, RESPONSE + second


def with_pairs(conn: Connection, view: ItemView, seed: int | None) -> ItemView:
    """The item with its pairs in the order, and each with the sides, that the seed draws; without one as in the data.

    The responses are parts of the pairs alone: they are no units of their own here, and have no names. Keys tell
    models by their hashes, so they are read here and go no further.
    """
    u = m.unit.c
    rows = conn.execute(
        select(u.id, u.kind, u.key)
        .where(u.item_id == view.assignment.item_id, u.assignment_id.is_(None))
        .order_by(u.position)
    ).all()
    unit_of = {row.key: int(row.id) for row in rows}
    keys = {int(row.id): str(row.key) for row in rows if row.kind == UnitKind.RESPONSE_PAIR.value}
    texts = {unit.id: view.responses[unit.response_id] for unit in view.units if unit.response_id is not None}
    order = list(keys)
    if seed is not None:
        random.Random(f"{seed}:pairs").shuffle(order)
    pairs = {one: _pair(one, keys[one], unit_of, texts, seed) for one in order}
    return replace(view, units=_units(view.units, order), responses={}, pairs=pairs)


def swaps(seed: int | None, key: str) -> bool:
    """Whether the second of a pair stands left: drawn from the assignment's seed and the pair, one half each."""
    return seed is not None and random.Random(f"{seed}:sides:{key}").random() < 0.5


def _pair(
    unit_id: int, key: str, unit_of: Mapping[str, int], texts: Mapping[int, ResponseView], seed: int | None
) -> PairView:
    named = pair_of(key)
    assert named is not None, f"unit {unit_id} is no pair: {key}"
    left, right = (unit_of[one] for one in named)
    is_swapped = swaps(seed, key)
    if is_swapped:
        left, right = right, left
    return PairView(
        replace(texts[left], shown_id="A"), replace(texts[right], shown_id="B"), (left, right), is_swapped
    )


def _units(units: Sequence[UnitView], order: Sequence[int]) -> tuple[UnitView, ...]:
    """What is no response, then the pairs, each named by its place."""
    known = {unit.id: unit for unit in units}
    parts = (UnitKind.RESPONSE, UnitKind.RESPONSE_PAIR)
    named = (replace(known[one], key=f"pair {n}", shown_id=f"pair {n}") for n, one in enumerate(order, 1))
    return (*(unit for unit in units if unit.kind not in parts), *named)


def models_of(key: str, models: Mapping[str, Any]) -> tuple[str, str] | None:
    """Of a pair the two models, by the keys of the response units; None if one is not known."""
    named = pair_of(key)
    if named is None or any(models.get(one) is None for one in named):
        return None
    return str(models[named[0]]), str(models[named[1]])
