"""How far a study is by what its items are: their language, ability, form, source or length. For a lead, not a rater."""

from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass
from enum import StrEnum
from typing import Any

from sqlalchemy import Connection, case, func, select

from store import models as m
from store.assignments import raters
from store.encoding import read_json
from store.kinds import ItemState, RaterKind
from store.records import Progress, Rater


class Stratum(StrEnum):
    """What items may be told apart by. `label` is what a session was sampled for, as its file says."""

    LANGUAGE = "language"
    ABILITY = "ability"
    LENGTH = "length"
    LABEL = "label"
    SOURCE = "source"
    FORM = "form"


BANDS = (10, 20, 50, 100, 200)
"""Upper ends of the bands of a dialogue's length in turns; the last band is open."""

NONE = "none"
"""The stratum of items that do not say."""


@dataclass(frozen=True, slots=True)
class Share:
    """One stratum: how many items it has, and how far all their assignments to the raters asked about are."""

    stratum: str
    items: int
    progress: Progress


def progress_by(
    conn: Connection,
    by: Stratum,
    *,
    protocol: str | None = None,
    rater_ids: Collection[int] | None = None,
) -> tuple[Share, ...]:
    """Progress over the items of each stratum; of one form, or of some raters, if named.

    Counted as by `assignments.progress`: what was withdrawn is left out. Items that nobody has count as items.
    """
    a = m.assignment.c
    query = (
        select(
            a.item_id,
            func.count(),
            func.sum(case((a.state == ItemState.SUBMITTED.value, 1), else_=0)),
            func.sum(case((a.state == ItemState.SKIPPED.value, 1), else_=0)),
            func.sum(case(((a.state == ItemState.OPEN.value) & (a.revision > 0), 1), else_=0)),
        )
        .where(a.withdrawn_at.is_(None))
        .group_by(a.item_id)
    )
    if rater_ids is not None:
        query = query.where(a.rater_id.in_(sorted(rater_ids)))
    held = {item_id: counts for item_id, *counts in conn.execute(query).all()}
    sums: dict[str, list[int]] = {}
    for item_id, stratum in _strata(conn, by, protocol, held.keys()):
        counts = held.get(item_id, (0, 0, 0, 0))
        known = sums.get(stratum, (0, 0, 0, 0, 0))
        sums[stratum] = [before + new for before, new in zip(known, (1, *counts), strict=True)]
    shares = [Share(stratum, items, Progress(*counts)) for stratum, (items, *counts) in sums.items()]
    return tuple(sorted(shares, key=lambda share: _order(by, share.stratum)))


def rater_groups(conn: Connection) -> tuple[tuple[Rater, ...], tuple[Rater, ...]]:
    """Who holds items: the people who answer in this study, and those whose answers came from elsewhere or a judge."""
    a = m.assignment.c
    held = a.withdrawn_at.is_(None)
    holding = [
        one
        for one in raters(conn)
        if conn.execute(select(a.id).where(a.rater_id == one.id, held).limit(1)).first() is not None
    ]
    people = tuple(one for one in holding if one.kind is RaterKind.HUMAN and not one.params.get("imported"))
    return people, tuple(one for one in holding if one not in people)


def _strata(
    conn: Connection, by: Stratum, protocol: str | None, held: Collection[int]
) -> Iterator[tuple[int, str]]:
    """The stratum of the newest version of each item, and of the older ones that somebody holds."""
    i = m.item.c
    column: Any = {
        Stratum.LANGUAGE: i.language,
        Stratum.ABILITY: i.ability,
        Stratum.FORM: m.protocol.c.name,
    }.get(by, i.dialogue_id)
    query = select(i.id, i.protocol_id, i.key, column).join(m.protocol, m.protocol.c.id == i.protocol_id)
    if protocol is not None:
        query = query.where(m.protocol.c.name == protocol)
    found = conn.execute(query.order_by(i.id)).all()
    newest = {(form, key): item_id for item_id, form, key, _ in found}
    own = by in (Stratum.LANGUAGE, Stratum.ABILITY, Stratum.FORM)
    of_dialogue = {} if own else _of_dialogues(conn, by)
    for item_id, form, key, said in found:
        if newest[form, key] == item_id or item_id in held:
            yield item_id, (said if own else of_dialogue.get(said)) or NONE


def _of_dialogues(conn: Connection, by: Stratum) -> Mapping[int, str]:
    d, t = m.dialogue.c, m.turn.c
    if by is Stratum.LENGTH:
        turns = select(t.dialogue_id, func.max(t.position) + 1).group_by(t.dialogue_id)
        return {number: band(count) for number, count in conn.execute(turns).all()}
    if by is Stratum.SOURCE:
        return {number: source for number, source in conn.execute(select(d.id, d.source)).all()}
    labels = conn.execute(select(d.id, d.meta).where(d.meta.contains('"stratum"'))).all()
    return {number: str(read_json(meta).get("stratum") or NONE) for number, meta in labels}


def band(turns: int) -> str:
    """The band of a dialogue of so many turns: "1-10 turns", …, "over 200 turns"."""
    lower = 1
    for upper in BANDS:
        if turns <= upper:
            return f"{lower}-{upper} turns"
        lower = upper + 1
    return f"over {BANDS[-1]} turns"


_BAND_ORDER = {band(turns): turns for turns in (*BANDS, BANDS[-1] + 1)}


def _order(by: Stratum, stratum: str) -> tuple[bool, int, str]:
    """By name, lengths by length; those that do not say last."""
    place = _BAND_ORDER.get(stratum, 0) if by is Stratum.LENGTH else 0
    return stratum == NONE, place, stratum
