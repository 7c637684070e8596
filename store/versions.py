"""The versions of a form in a study: what was answered under each, what a rater must be told, and queueing again."""

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any

from sqlalchemy import Connection, and_, distinct, exists, func, insert, select

from store import models as m
from store.assignments import assignment_row, next_position, order_seed, raters
from store.kinds import ItemState, Phase, Purpose, RaterKind, Status, Verb
from store.records import Rater


@dataclass(frozen=True, slots=True)
class KnownForm:
    """A version of a form as the study holds it, with the guideline in use and the note of what changed last."""

    protocol_id: int
    name: str
    version: str
    content_hash: str
    source: str
    guideline: str
    note: str
    created_at: str
    has_items: bool


def known_forms(conn: Connection, name: str | None = None) -> tuple[KnownForm, ...]:
    """Every version of every form, or of one, in the order in which they came to the study."""
    p, g = m.protocol.c, m.guideline.c
    newest = select(func.max(g.id)).where(g.protocol_id == p.id).correlate(m.protocol).scalar_subquery()
    query = (
        select(p.id, p.name, p.version, p.content_hash, p.source, g.text, g.note, p.created_at)
        .add_columns(exists().where(m.item.c.protocol_id == p.id))
        .join(m.guideline, g.id == newest)
        .order_by(p.id)
    )
    if name is not None:
        query = query.where(p.name == name)
    return tuple(KnownForm(*row) for row in conn.execute(query).all())


# ---------------------------------------------------------------- what was answered under which version


@dataclass(frozen=True, slots=True)
class VersionCounts:
    """What stands under one version of a form.

    items      made for it; raters: people and judges who answered
    labelled   items × raters that are submitted or skipped; begun: open with something said
    answers    values given
    waiting    of the labelled ones, those of people who have not got the item under the newest version
    """

    version: str
    created_at: str
    guidelines: int
    items: int
    raters: int
    labelled: int
    begun: int
    answers: int
    waiting: int


def version_counts(conn: Connection, name: str) -> tuple[VersionCounts, ...]:
    """The versions of a form in the order in which they came; empty if the study does not know it."""
    waiting: dict[int, int] = {}
    for one in to_queue_again(conn, name):
        waiting[one.answered_under] = waiting.get(one.answered_under, 0) + 1
    forms = known_forms(conn, name)
    return tuple(_counts(conn, form, waiting.get(form.protocol_id, 0)) for form in forms)


def _counts(conn: Connection, form: KnownForm, waiting: int) -> VersionCounts:
    a, g, r = m.assignment.c, m.guideline.c, m.rating.c
    under = a.protocol_id == form.protocol_id
    said = conn.execute(select(a.state, func.count()).where(under, a.revision > 0).group_by(a.state)).all()
    by_state = {state: int(n) for state, n in said}
    answers = (
        select(func.count())
        .select_from(m.rating)
        .join(m.assignment, a.id == r.assignment_id)
        .where(under, r.status == Status.ANSWERED.value)
    )
    items = select(func.count()).select_from(m.item).where(m.item.c.protocol_id == form.protocol_id)
    guidelines = select(func.count()).select_from(m.guideline).where(g.protocol_id == form.protocol_id)
    people = select(func.count(distinct(a.rater_id))).where(under, a.revision > 0)
    open_ones = by_state.pop(ItemState.OPEN.value, 0)
    return VersionCounts(
        version=form.version,
        created_at=form.created_at,
        guidelines=int(conn.execute(guidelines).scalar_one()),
        items=int(conn.execute(items).scalar_one()),
        raters=int(conn.execute(people).scalar_one()),
        labelled=sum(by_state.values()),
        begun=open_ones,
        answers=int(conn.execute(answers).scalar_one()),
        waiting=waiting,
    )


# ---------------------------------------------------------------- queueing again


@dataclass(frozen=True, slots=True)
class Again:
    """An item that a rater answered under an older version, as it would be queued under the newest one.

    item_id, key      the item under the newest version; `answered_under` is the row of the older version
    occasion          the next number of this rater on the item
    """

    rater: Rater
    item_id: int
    key: str
    shown_id: str
    answered_under: int
    occasion: int


def to_queue_again(conn: Connection, name: str) -> tuple[Again, ...]:
    """What people have submitted or skipped under older versions of a form and not got under the newest, by rater
    and in the order in which they answered it. Items that the newest version no longer has are not in it."""
    newest = [form.protocol_id for form in known_forms(conn, name) if form.has_items]
    if not newest:
        return ()
    current = _current_items(conn, newest[-1])
    found: list[Again] = []
    for rater in raters(conn):
        if rater.kind is RaterKind.HUMAN and not rater.params.get("imported"):
            found += _again(conn, rater, name, newest[-1], current)
    return tuple(found)


def _current_items(conn: Connection, protocol_id: int) -> dict[str, tuple[int, str]]:
    """Key → row id and shown id of the newest version of each item."""
    i = m.item.c
    rows = conn.execute(
        select(i.key, i.id, i.shown_id).where(i.protocol_id == protocol_id).order_by(i.version)
    )
    return {key: (number, shown) for key, number, shown in rows}


def _again(
    conn: Connection, rater: Rater, name: str, newest: int, current: dict[str, tuple[int, str]]
) -> Iterable[Again]:
    a, i = m.assignment.c, m.item.c
    mine = and_(a.rater_id == rater.id, a.protocol_name == name)
    rows = conn.execute(
        select(i.key, a.protocol_id, a.occasion, a.state, a.given_phase, a.purpose, a.withdrawn_at)
        .join(m.item, i.id == a.item_id)
        .where(mine)
        .order_by(a.position, a.id)
    ).all()
    given = {row.key for row in rows if row.protocol_id == newest and row.withdrawn_at is None}
    occasions: dict[str, int] = {}
    answered: dict[str, int] = {}
    for row in rows:
        occasions[row.key] = max(occasions.get(row.key, 0), row.occasion)
        counts = row.given_phase == Phase.BLIND and row.purpose == Purpose.CORE
        if counts and row.state != ItemState.OPEN and row.protocol_id != newest:
            answered[row.key] = row.protocol_id
    for key, under in answered.items():
        if key in current and key not in given:
            item_id, shown_id = current[key]
            yield Again(rater, item_id, key, shown_id, under, occasions[key] + 1)


def queue_again(conn: Connection, name: str) -> tuple[Again, ...]:
    """Give the items of `to_queue_again` once more, each on the next occasion, behind what the rater has already.

    The answers given before stay where they are; the new occasion starts without any.
    """
    plan = to_queue_again(conn, name)
    places: dict[int, int] = {}
    rows: list[dict[str, Any]] = []
    for one in plan:
        place = places.get(one.rater.id)
        place = next_position(conn, one.rater.id, name) if place is None else place + 1
        places[one.rater.id] = place
        seed = order_seed(one.rater.name, name, one.key, one.occasion)
        protocol_id = _protocol_of(conn, one.item_id) if not rows else rows[0]["protocol_id"]
        row = assignment_row(one.item_id, one.rater, protocol_id, name, place, seed)
        rows.append(row | {"occasion": one.occasion})
    if rows:
        conn.execute(insert(m.assignment), rows)
    return plan


def _protocol_of(conn: Connection, item_id: int) -> int:
    return int(conn.execute(select(m.item.c.protocol_id).where(m.item.c.id == item_id)).scalar_one())


# ---------------------------------------------------------------- what a rater must be told


@dataclass(frozen=True, slots=True)
class News:
    """What has changed for a rater since they last opened an item of a form.

    version, note            of the newest version; `before` is the version they knew
    guideline, guideline_before   the two texts; the same where only the form has changed
    guideline_id             the row that stands for both as they are now: what is acknowledged
    assignment_id, item_id   an open item under the newest version, on which the acknowledgement is written
    """

    version: str
    before: str
    note: str
    guideline: str
    guideline_before: str
    guideline_id: int
    assignment_id: int
    item_id: int


def news(conn: Connection, rater_id: int, name: str) -> News | None:
    """What a rater has to acknowledge before going on with a form; None if nothing is new to them.

    None too for one who has nothing open under the newest version, and for one who never opened an item under an
    earlier one: to them it is not a change. What they knew is what was in use when they last opened an item before
    the newest came.
    """
    a, g, p = m.assignment.c, m.guideline.c, m.protocol.c
    mine = and_(a.rater_id == rater_id, a.protocol_name == name)
    waiting = and_(mine, a.withdrawn_at.is_(None), a.state == ItemState.OPEN.value)
    first = conn.execute(
        select(a.id, a.item_id, a.protocol_id)
        .where(waiting)
        .order_by(a.protocol_id.desc(), a.position)
        .limit(1)
    ).first()
    if first is None:
        return None
    guidelines = (
        select(g.id, g.text, g.note, g.created_at, p.version)
        .join(m.protocol, p.id == g.protocol_id)
        .where(p.name == name)
        .order_by(g.id.desc())
    )
    now_so = conn.execute(guidelines.where(g.protocol_id == first.protocol_id).limit(1)).first()
    if now_so is None or _is_acknowledged(conn, rater_id, now_so.id):
        return None
    opened = select(func.max(a.opened_at)).where(mine, a.opened_at < now_so.created_at)
    last = conn.execute(opened).scalar()
    if last is None:
        return None
    known = conn.execute(guidelines.where(g.created_at <= last, g.id != now_so.id).limit(1)).first()
    if known is None:
        return None
    return News(
        version=now_so.version,
        before=known.version,
        note=now_so.note,
        guideline=now_so.text,
        guideline_before=known.text,
        guideline_id=now_so.id,
        assignment_id=first.id,
        item_id=first.item_id,
    )


def _is_acknowledged(conn: Connection, rater_id: int, guideline_id: int) -> bool:
    a, d = m.assignment.c, m.decision.c
    query = (
        select(d.id)
        .join(m.assignment, a.id == d.assignment_id)
        .where(d.verb == Verb.ACKNOWLEDGE.value, d.guideline_id == guideline_id, a.rater_id == rater_id)
        .limit(1)
    )
    return conn.execute(query).first() is not None
