"""What a study says of itself, and every sitting in it: for exports and reports, never for a blind screen."""

from dataclasses import dataclass

from sqlalchemy import Connection, func, select

from store import models as m
from store.encoding import read_json
from store.kinds import ItemState, Phase, Purpose, RaterKind
from store.records import Rater


@dataclass(frozen=True, slots=True)
class Study:
    """`id` is drawn when the study is made; `schema` is the number of its newest migration."""

    id: str
    created_at: str
    schema: int


@dataclass(frozen=True, slots=True)
class KnownProtocol:
    """A version of a form that is in the study; `title` is name@version, as in the long table."""

    title: str
    content_hash: str


@dataclass(frozen=True, slots=True)
class Sitting:
    """One rater on one item, with whose dialogue it is. `begun` is False as long as the log holds nothing of it."""

    assignment_id: int
    rater: Rater
    item_key: str
    item_version: int
    dialogue: str
    source: str
    protocol: str
    phase: Phase
    occasion: int
    purpose: Purpose
    state: ItemState
    begun: bool
    withdrawn: bool
    skip_reason: str | None
    submitted_at: str | None


def study(conn: Connection) -> Study:
    """Who this study is."""
    row = conn.execute(select(m.study.c.id, m.study.c.created_at)).one()
    schema = conn.execute(select(func.max(m.schema_migration.c.number))).scalar_one()
    return Study(row.id, row.created_at, int(schema))


def protocols(conn: Connection) -> tuple[KnownProtocol, ...]:
    """Every version of every form, in the order in which they came."""
    p = m.protocol.c
    rows = conn.execute(select(p.name, p.version, p.content_hash).order_by(p.id))
    return tuple(KnownProtocol(f"{row.name}@{row.version}", row.content_hash) for row in rows)


def sittings(conn: Connection, protocol: str) -> tuple[Sitting, ...]:
    """All sittings over a form, by rater, then in the order of the rater's queue."""
    a, i, d, r, p = m.assignment.c, m.item.c, m.dialogue.c, m.rater.c, m.protocol.c
    rows = conn.execute(
        select(
            a.id,
            a.phase,
            a.occasion,
            a.purpose,
            a.state,
            a.revision,
            a.skip_reason,
            a.submitted_at,
            a.withdrawn_at,
            i.key,
            i.version.label("item_version"),
            d.external_id.label("dialogue"),
            d.source,
            r.id.label("rater_id"),
            r.name,
            r.kind,
            r.params,
            p.version.label("form_version"),
        )
        .join(m.item, i.id == a.item_id)
        .join(m.dialogue, d.id == i.dialogue_id)
        .join(m.rater, r.id == a.rater_id)
        .join(m.protocol, p.id == a.protocol_id)
        .where(a.protocol_name == protocol)
        .order_by(r.id, a.position, a.id)
    )
    return tuple(
        Sitting(
            assignment_id=row.id,
            rater=Rater(row.rater_id, row.name, RaterKind(row.kind), read_json(row.params)),
            item_key=row.key,
            item_version=row.item_version,
            dialogue=row.dialogue,
            source=row.source,
            protocol=f"{protocol}@{row.form_version}",
            phase=Phase(row.phase),
            occasion=row.occasion,
            purpose=Purpose(row.purpose),
            state=ItemState(row.state),
            begun=row.revision > 0,
            withdrawn=row.withdrawn_at is not None,
            skip_reason=row.skip_reason,
            submitted_at=row.submitted_at,
        )
        for row in rows
    )
