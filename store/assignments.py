"""Who labels what: raters, protocols, items, queues, and the one definition of done."""

import random
import tomllib
from collections.abc import Iterable, Mapping
from typing import Any

from sqlalchemy import Connection, Row, Select, and_, case, exists, func, insert, or_, select, update

from store import models as m
from store.content_records import Json
from store.encoding import canonical, digest, now, read_json
from store.errors import NotPossible
from store.items import add_item as add_item  # part of who labels what, for those who call it
from store.items import withdraw
from store.kinds import ItemState, Phase, Purpose, RaterKind, UnitKind, Verb
from store.records import Assignment, FieldScale, Progress, ProtocolVersion, Rater

# ---------------------------------------------------------------- raters


def add_rater(
    conn: Connection, name: str, kind: RaterKind = RaterKind.HUMAN, params: Mapping[str, Json] | None = None
) -> Rater:
    """The rater of this name; made if there is none. A known rater keeps kind and parameters.

    raises   NotPossible if the name is empty or belongs to a rater of another kind
    """
    if not name.strip():
        raise NotPossible("A rater needs a name that is not empty.")
    known = rater_by_name(conn, name)
    if known is not None:
        if known.kind is not kind:
            raise NotPossible(f"{name!r} is already a rater of kind {known.kind.value}. Choose another name.")
        return known
    row = {"name": name, "kind": kind.value, "params": canonical(dict(params or {})), "created_at": now()}
    key = conn.execute(insert(m.rater), row).inserted_primary_key
    assert key is not None
    return Rater(int(key[0]), name, kind, dict(params or {}))


def raters(conn: Connection) -> tuple[Rater, ...]:
    """All raters, in the order in which they were made."""
    return tuple(_rater(row) for row in conn.execute(_raters().order_by(m.rater.c.id)))


def rater_by_name(conn: Connection, name: str) -> Rater | None:
    row = conn.execute(_raters().where(m.rater.c.name == name)).first()
    return None if row is None else _rater(row)


def _raters() -> Select[Any]:
    t = m.rater.c
    return select(t.id, t.name, t.kind, t.params)


def _rater(row: Row[Any]) -> Rater:
    return Rater(row.id, row.name, RaterKind(row.kind), read_json(row.params))


# ---------------------------------------------------------------- protocols


def add_protocol(conn: Connection, p: ProtocolVersion) -> int:
    """The row id of a form, known by its content hash; a new guideline text of a known form is kept beside it.

    Of a known form the text is kept as it came last: what the hash leaves out of account (remarks, whether there is
    a screen for it) may have changed.

    raises   NotPossible if the version of this name is known with another content: forms never change in place
    """
    t = m.protocol.c
    known = conn.execute(select(t.id).where(t.content_hash == p.content_hash)).scalar()
    if known is None:
        clash = conn.execute(select(t.id).where(t.name == p.name, t.version == p.version)).scalar()
        if clash is not None:
            raise NotPossible(
                f"Version {p.version} of the protocol {p.name} is in this study with another content. "
                "A protocol is never changed in place: give the changed one a new version."
            )
        row = {
            "name": p.name,
            "version": p.version,
            "content_hash": p.content_hash,
            "source": p.source,
            "fields": canonical(p.fields),
            "created_at": now(),
        }
        key = conn.execute(insert(m.protocol), row).inserted_primary_key
        assert key is not None
        known = int(key[0])
    conn.execute(update(m.protocol).where(t.id == known, t.source != p.source).values(source=p.source))
    _add_guideline(conn, known, p.guideline, p.note)
    return int(known)


def _add_guideline(conn: Connection, protocol_id: int, text: str, note: str) -> None:
    """The guideline in use from now on, and what changed; a new row only where it differs from the newest one."""
    t = m.guideline.c
    newest = select(t.content_hash).where(t.protocol_id == protocol_id).order_by(t.id.desc()).limit(1)
    content_hash = digest(text)
    if conn.execute(newest).scalar() != content_hash:
        row = {
            "protocol_id": protocol_id,
            "content_hash": content_hash,
            "text": text,
            "note": note,
            "created_at": now(),
        }
        conn.execute(insert(m.guideline), row)


def protocol_fields(conn: Connection, protocol_id: int) -> tuple[FieldScale, ...]:
    """What the long table knows of a form's fields, in the order of the form."""
    stored = conn.execute(select(m.protocol.c.fields).where(m.protocol.c.id == protocol_id)).scalar_one()
    return tuple(field_scale(one) for one in read_json(stored))


def field_scale(stored: Mapping[str, Any]) -> FieldScale:
    lists = {
        name: None if stored.get(name) is None else tuple(stored[name]) for name in ("scale", "abilities")
    }
    return FieldScale(**{**stored, "per": UnitKind(stored["per"]), **lists})


# ---------------------------------------------------------------- items


def find_item(conn: Connection, name: str) -> int | None:
    """The row id of an item by its name in the long table, `form/key` or `form/key#version`; the newest form's."""
    form, _, key = name.partition("/")
    bare, mark, number = key.rpartition("#")
    wanted = [(key, 1)]
    if mark and number.isdecimal():
        wanted.append((bare, int(number)))
    i, p = m.item.c, m.protocol.c
    for one, version in wanted:
        row = conn.execute(
            select(i.id)
            .join(m.protocol, p.id == i.protocol_id)
            .where(p.name == form, i.key == one, i.version == version)
            .order_by(i.id.desc())
            .limit(1)
        ).first()
        if row is not None:
            return int(row.id)
    return None


def unit_ids(conn: Connection, item_id: int) -> dict[str, int]:
    """Key → row id of an item's own units, in their order. Keys may tell models: this is not for a rater's eyes."""
    u = m.unit.c
    own = select(u.key, u.id).where(u.item_id == item_id, u.assignment_id.is_(None)).order_by(u.position)
    return {row.key: int(row.id) for row in conn.execute(own)}


# ---------------------------------------------------------------- assigning


def assign_all(conn: Connection, rater_id: int, protocol_id: int | None = None) -> int:
    """Give a rater every current item that is missing: core, blind, occasion 0. Returns how many are new.

    The order is drawn from the rater's name and the protocol's, so it is the same whenever it is made; items
    that arrive later are appended. Without `protocol_id` the newest version of every protocol is assigned, and
    what was not begun under an older version of one is withdrawn. What was begun stays under the version it was
    begun under, and its item is not given once more (a lead may queue it again: `store.versions`). Of a protocol
    whose text says `screen = false` nothing is given, since nobody could fill it. Imported raters are never given
    a queue.

    raises   NotPossible if there is no such rater
    """
    row = conn.execute(_raters().where(m.rater.c.id == rater_id)).first()
    if row is None:
        raise NotPossible(f"There is no rater with the number {rater_id}.")
    rater = _rater(row)
    if rater.params.get("imported"):
        return 0
    if protocol_id is not None:
        return _assign_protocol(conn, rater, protocol_id)
    new = 0
    for one in _newest_protocols(conn):
        new += _assign_protocol(conn, rater, one.id)
        older = and_(
            m.assignment.c.rater_id == rater_id,
            m.assignment.c.protocol_name == one.name,
            m.assignment.c.protocol_id < one.id,
        )
        withdraw(conn, older)
    return new


def _newest_protocols(conn: Connection) -> list[Row[Any, Any, Any]]:
    """Of each name the newest protocol that has items, if there is a screen for it."""
    t = m.protocol.c
    has_items = exists().where(m.item.c.protocol_id == t.id)
    newest = select(func.max(t.id)).where(has_items).group_by(t.name)
    found = conn.execute(select(t.id, t.name, t.source).where(t.id.in_(newest)).order_by(t.id))
    return [row for row in found if _has_screen(row.source)]


def _has_screen(source: str) -> bool:
    """False for a form whose text says so; one whose text is no TOML came from elsewhere and has its own."""
    try:
        return tomllib.loads(source).get("screen", True) is not False
    except tomllib.TOMLDecodeError:
        return True


def _assign_protocol(conn: Connection, rater: Rater, protocol_id: int) -> int:
    i, a = m.item.c, m.assignment.c
    name = conn.execute(select(m.protocol.c.name).where(m.protocol.c.id == protocol_id)).scalar_one()
    newest = (
        select(i.key, func.max(i.version).label("version"))
        .where(i.protocol_id == protocol_id)
        .group_by(i.key)
        .subquery()
    )
    given = exists().where(
        a.item_id == i.id, a.rater_id == rater.id, a.given_phase == Phase.BLIND.value, a.occasion == 0
    )
    missing = list(
        conn.execute(
            select(i.id, i.key)
            .join(newest, and_(newest.c.key == i.key, newest.c.version == i.version))
            .where(i.protocol_id == protocol_id, ~given)
            .order_by(i.id)
        )
    )
    kept = _begun_under_older(conn, rater.id, protocol_id, name) if missing else set()
    missing = [one for one in missing if one.key not in kept]
    if not missing:
        return 0
    random.Random(f"{rater.name}:{name}").shuffle(missing)
    start = next_position(conn, rater.id, name)
    rows = [
        assignment_row(
            one.id, rater, protocol_id, name, start + place, order_seed(rater.name, name, one.key, 0)
        )
        for place, one in enumerate(missing)
    ]
    conn.execute(insert(m.assignment), rows)
    return len(rows)


def _begun_under_older(conn: Connection, rater_id: int, protocol_id: int, name: str) -> set[str]:
    """The keys of the items that a rater has opened or answered under an older version of a form."""
    a, i = m.assignment.c, m.item.c
    begun = or_(a.revision > 0, a.opened_at.is_not(None))
    older = and_(a.rater_id == rater_id, a.protocol_name == name, a.protocol_id < protocol_id, begun)
    return set(conn.execute(select(i.key).join(m.assignment, a.item_id == i.id).where(older)).scalars())


def next_position(conn: Connection, rater_id: int, protocol_name: str) -> int:
    a = m.assignment.c
    last = select(func.max(a.position)).where(a.rater_id == rater_id, a.protocol_name == protocol_name)
    position = conn.execute(last).scalar()
    return 0 if position is None else int(position) + 1


def order_seed(rater: str, protocol: str, item_key: str, occasion: int) -> int:
    """The seed of an item's shuffled order: drawn from names alone, so that it can be drawn again."""
    return int(digest(rater, protocol, item_key, str(occasion))[:12], 16)


def assignment_row(
    item_id: int, rater: Rater, protocol_id: int, protocol_name: str, position: int, seed: int
) -> dict[str, Any]:
    return {
        "item_id": item_id,
        "rater_id": rater.id,
        "protocol_id": protocol_id,
        "protocol_name": protocol_name,
        "given_phase": Phase.BLIND.value,
        "phase": Phase.BLIND.value,
        "occasion": 0,
        "purpose": Purpose.CORE.value,
        "probability": 1.0,
        "position": position,
        "seed": seed,
        "created_at": now(),
    }


def assign(
    conn: Connection,
    item_id: int,
    rater_id: int,
    *,
    phase: Phase = Phase.BLIND,
    occasion: int = 0,
    purpose: Purpose = Purpose.CORE,
    probability: float = 1.0,
    position: int | None = None,
    seed: int | None = None,
) -> int:
    """The assignment of an item to a rater in a phase and on an occasion; made if there is none.

    position    place in the rater's order; after the last one if None
    seed        of the shuffled orders within the item; drawn from the names if None
    raises      NotPossible if there is no such item or rater
    """
    a = m.assignment.c
    known = conn.execute(
        select(a.id).where(
            a.item_id == item_id, a.rater_id == rater_id, a.given_phase == phase.value, a.occasion == occasion
        )
    ).scalar()
    if known is not None:
        return int(known)
    item = conn.execute(
        select(m.item.c.key, m.protocol.c.id, m.protocol.c.name)
        .join(m.protocol, m.protocol.c.id == m.item.c.protocol_id)
        .where(m.item.c.id == item_id)
    ).first()
    row = conn.execute(_raters().where(m.rater.c.id == rater_id)).first()
    if item is None or row is None:
        raise NotPossible(f"There is no item {item_id} or no rater {rater_id} to assign.")
    rater = _rater(row)
    place = next_position(conn, rater_id, item.name) if position is None else position
    drawn = order_seed(rater.name, item.name, item.key, occasion) if seed is None else seed
    new = assignment_row(item_id, rater, item.id, item.name, place, drawn) | {
        "given_phase": phase.value,
        "phase": phase.value,
        "occasion": occasion,
        "purpose": purpose.value,
        "probability": probability,
    }
    key = conn.execute(insert(m.assignment), new).inserted_primary_key
    assert key is not None
    return int(key[0])


# ---------------------------------------------------------------- reading the queue


def _assignments() -> Select[Any]:
    """Explicit columns only: nothing of another rater, nothing that tells an origin."""
    a, i = m.assignment.c, m.item.c
    return select(
        a.id,
        a.item_id,
        a.rater_id,
        a.protocol_id,
        a.protocol_name,
        a.phase,
        a.occasion,
        a.purpose,
        a.position,
        a.seed,
        a.state,
        i.shown_id,
        i.language,
        i.ability,
    ).join(m.item, i.id == a.item_id)


def _assignment(row: Iterable[Any]) -> Assignment:
    """Unpacked by place: a queue may have thousands of rows, and reading SQLAlchemy's rows by name is slow."""
    number, item, rater, form, name, phase, occasion, purpose, position, seed, state, *shown = row
    return Assignment(
        number,
        item,
        rater,
        form,
        name,
        Phase(phase),
        occasion,
        Purpose(purpose),
        position,
        seed,
        ItemState(state),
        *shown,
    )


def assignments(conn: Connection, rater_id: int, protocol: str | None = None) -> tuple[Assignment, ...]:
    """A rater's queue in its own order; over all protocols, one after the other by name, if none is named."""
    a = m.assignment.c
    query = _assignments().where(a.rater_id == rater_id, a.withdrawn_at.is_(None))
    if protocol is not None:
        query = query.where(a.protocol_name == protocol)
    return tuple(_assignment(row) for row in conn.execute(query.order_by(a.protocol_name, a.position, a.id)))


def assignment_by_id(conn: Connection, assignment_id: int) -> Assignment | None:
    row = conn.execute(_assignments().where(m.assignment.c.id == assignment_id)).first()
    return None if row is None else _assignment(row)


def next_open(conn: Connection, rater_id: int, protocol: str, after_position: int = -1) -> Assignment | None:
    """The rater's first open item behind a position, or None: then there is none behind it."""
    a = m.assignment.c
    query = (
        _assignments()
        .where(
            a.rater_id == rater_id,
            a.protocol_name == protocol,
            a.withdrawn_at.is_(None),
            a.state == ItemState.OPEN.value,
            a.position > after_position,
        )
        .order_by(a.position, a.id)
        .limit(1)
    )
    row = conn.execute(query).first()
    return None if row is None else _assignment(row)


def progress(conn: Connection, rater_id: int, protocol: str) -> Progress:
    """How far a rater is. Done is submitted; skipped is neither done nor open; started is open with
    something said of it: to have looked at it is not to have begun."""
    a, d = m.assignment.c, m.decision.c
    only_acknowledged = exists().where(
        d.assignment_id == a.id, d.revision == a.revision, d.verb == Verb.ACKNOWLEDGE.value
    )
    begun = case((a.revision == 0, 0), (and_(a.revision == 1, only_acknowledged), 0), else_=1)
    rows = conn.execute(
        select(a.state, func.count().label("n"), func.sum(begun).label("begun"))
        .where(a.rater_id == rater_id, a.protocol_name == protocol, a.withdrawn_at.is_(None))
        .group_by(a.state)
    )
    counts = {row.state: (int(row.n), int(row.begun)) for row in rows}
    return Progress(
        total=sum(n for n, _ in counts.values()),
        submitted=counts.get(ItemState.SUBMITTED.value, (0, 0))[0],
        skipped=counts.get(ItemState.SKIPPED.value, (0, 0))[0],
        started=counts.get(ItemState.OPEN.value, (0, 0))[1],
    )


def mark_opened(conn: Connection, assignment_id: int, at: str) -> None:
    """Note when a rater first saw an item; later calls change nothing."""
    a = m.assignment.c
    conn.execute(
        update(m.assignment).where(a.id == assignment_id, a.opened_at.is_(None)).values(opened_at=at)
    )
