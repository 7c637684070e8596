"""Responses for a lead to look at: their texts with the models behind them, and the oddities noted of them.

This tells models: nothing of it is for a rater's eyes.
"""

from collections.abc import Iterator
from typing import NamedTuple

from sqlalchemy import Connection, insert, select

from store import models as m
from store.kinds import Origin


class Answered(NamedTuple):
    """A response with its model, and where it stands in the data."""

    id: int
    model: str
    text: str
    dialogue: str
    query: str
    record_id: int | None


def answered(conn: Connection, after: int = 0) -> Iterator[Answered]:
    """Every response behind an id, in the order of import."""
    r, d = m.response.c, m.dialogue.c
    query = (
        select(r.id, r.model, r.text, d.external_id, r.query_external_id, r.record_id)
        .join(m.dialogue, d.id == r.dialogue_id)
        .where(r.id > after)
        .order_by(r.id)
    )
    yield from map(Answered._make, conn.execute(query))


def models_named(conn: Connection) -> frozenset[str]:
    """The names of all models and memory systems that said something in a study."""
    t = m.memory.c
    extracted = select(t.origin_name).where(t.origin.in_((Origin.MODEL.value, Origin.SYSTEM.value)))
    found = conn.execute(select(m.response.c.model).union(extracted)).scalars()
    return frozenset(name for name in found if name)


def note_oddity(conn: Connection, record_id: int, code: str, location: str, message: str) -> bool:
    """Keep an oddity beside the record it is in; False if it is known already."""
    t = m.lint.c
    known = select(t.id).where(t.record_id == record_id, t.code == code, t.location == location)
    if conn.execute(known).first() is not None:
        return False
    row = {"record_id": record_id, "code": code, "location": location, "message": message}
    conn.execute(insert(m.lint), row)
    return True
