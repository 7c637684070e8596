"""The update an item is about, as a blind rater may see it: the list before, the list after, the new dialogue."""

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from sqlalchemy import Connection, select

from store import models as m
from store.content_records import Evidence, Turn
from store.encoding import evidence_from_json, read_json, turns_from_json
from store.kinds import EvidenceMatch, Origin, UnitKind
from store.records import ItemView, MemoryView, UpdateView
from store.shown_records import TEXTS

Json = Any
Shown = Mapping[str, Json]
"""A record as `store.shown_records` makes it."""

_ELLIPSIS = re.compile(r"\s*\[?(?:\.{3,}|…)\]?\s*|\s*\n\s*")

BEFORE = -1_000_000
"""Ids of the memories before count down from here, those of the memories after from 0: no memory of the store."""


def with_update(conn: Connection, view: ItemView, update_id: int | None) -> ItemView:
    """The item with its update: the new dialogue after the one before, a memory for every unit of the list after."""
    if update_id is None:
        return view
    t = m.update_task.c
    row = conn.execute(
        select(t.new_dialogue, t.shown_before, t.shown_after, t.dialogue_id).where(t.id == update_id)
    ).one()
    before: list[Shown] = read_json(row.shown_before)
    after: list[Shown] = read_json(row.shown_after)
    new_turns = turns_from_json(row.new_dialogue)
    places = _Places(view.turns, new_turns, _known_evidence(conn, row.dialogue_id))
    pool = tuple(_memory(f"b{n}", BEFORE - n, one, places.of_old(one)) for n, one in enumerate(before, 1))
    listed = iter(enumerate(after, 1))
    units, memories = [], dict(view.memories)
    for unit in view.units:
        if unit.kind == UnitKind.UPDATE and not unit.made and (found := next(listed, None)):
            place, record = found
            memory = _memory(unit.shown_id, -place, record, places.of_new(record, before))
            memories[memory.id] = memory
            unit = replace(unit, memory_id=memory.id)
        units.append(unit)
    update = UpdateView(pool, len(view.turns))
    turns = (*view.turns, *new_turns)
    return replace(view, turns=turns, units=tuple(units), memories=memories, update=update)


def _known_evidence(conn: Connection, dialogue_id: int) -> dict[str, tuple[Evidence, ...]]:
    """Where the proposals of the dialogue before rest, by what they say: a list before repeats them."""
    t = m.memory.c
    rows = conn.execute(
        select(t.value, t.evidence).where(t.dialogue_id == dialogue_id, t.origin == Origin.GOLD.value)
    )
    return {row.value: evidence_from_json(row.evidence) for row in rows}


def _memory(shown_id: str, number: int, record: Shown, evidence: tuple[Evidence, ...]) -> MemoryView:
    return MemoryView(
        id=number,
        shown_id=shown_id,
        **{name: record[name] for name in TEXTS},
        confidence=record["confidence"],
        evidence=evidence,
        key=record["key"],
    )


# ---------------------------------------------------------------- where a quote stands


class _Places:
    """Where the quotes of records stand in the two dialogues, whose turns are counted on from one to the other."""

    def __init__(
        self, old: Sequence[Turn], new: Sequence[Turn], known: Mapping[str, tuple[Evidence, ...]]
    ) -> None:
        self._old = tuple(enumerate(old))
        self._new = tuple(enumerate(new, len(old)))
        self._known = known

    def of_old(self, record: Shown) -> tuple[Evidence, ...]:
        """A memory of the list before: where its proposal rests, if it rests on the same words."""
        known = self._known.get(record["value"], ())
        said = " ".join(one["quote"] for one in record["evidence"])
        if known and said and all(one.quote in said for one in known):
            return known
        return _located(record, (self._old, self._new))

    def of_new(self, record: Shown, before: Sequence[Shown]) -> tuple[Evidence, ...]:
        """A memory of the list after: as in the list before if its evidence is from there, else in the new dialogue.

        The data numbers the utterances of what came new in ways of its own, so that the words decide first.
        """
        if record["evidence"] and any(one["evidence"] == record["evidence"] for one in before):
            return self.of_old(record)
        return _located(record, (self._new, self._old))


Numbered = Sequence[tuple[int, Turn]]
"""Turns of a dialogue with their places in the item."""


def _located(record: Shown, dialogues: Sequence[Numbered]) -> tuple[Evidence, ...]:
    return tuple(found for one in record["evidence"] for found in _whole_or_parts(one, dialogues))


def _whole_or_parts(said: Mapping[str, Json], dialogues: Sequence[Numbered]) -> tuple[Evidence, ...]:
    """A quote in one piece, else in the pieces between its ellipses if all of them are found."""
    whole = _locate(said["quote"], said["turn"], dialogues)
    parts = [part for part in _ELLIPSIS.split(said["quote"], 20) if any(map(str.isalnum, part))]
    if whole.match is not EvidenceMatch.NOT_FOUND or not parts or parts == [said["quote"]]:
        return (whole,)
    found = tuple(_locate(part, said["turn"], dialogues) for part in parts)
    return (whole,) if any(one.turn is None for one in found) else found


def _locate(quote: str, named: int | None, dialogues: Sequence[Numbered]) -> Evidence:
    """The quote word for word, else but for spacing and case; in the turn named first, then in the user's turns.

    dialogues   where it may stand, the likelier one, which `named` counts in, before the other
    """
    if not quote.strip():
        return Evidence(quote, EvidenceMatch.NO_QUOTE)
    likelier, other = dialogues
    users = sorted(enumerate(likelier), key=lambda one: (one[0] != named, one[1][1].role != "user"))
    ordered = [*(one for _, one in users), *sorted(other, key=lambda one: one[1].role != "user")]
    for number, turn in ordered:
        start = turn.text.find(quote)
        if start >= 0:
            return Evidence(quote, EvidenceMatch.EXACT, number, start, start + len(quote))
    pattern = re.compile(r"\s+".join(re.escape(word) for word in quote.split()), re.IGNORECASE)
    for number, turn in ordered:
        if found := pattern.search(turn.text):
            return Evidence(quote, EvidenceMatch.NORMALISED, number, *found.span())
    return Evidence(quote, EvidenceMatch.NOT_FOUND)
