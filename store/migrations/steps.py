"""The numbered migrations of a study: a list that only grows, and whose entries never change."""

import json
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

from sqlalchemy import DDL, Connection, and_, column, select, table, update

from store.encoding import canonical
from store.migrations.acknowledging import versions_can_be_acknowledged
from store.migrations.reasons import responses_keep_their_reason
from store.shown_records import opaque, shown_pool, shown_records


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from the schema before it to the next. `apply` runs inside a write transaction of its own."""

    number: int
    name: str
    apply: Callable[[Connection], None]


def _already_there(connection: Connection) -> None:
    """The first schema is made by `store.models` when a study is created: nothing to change."""


# Tables as the migrations need them: those of `store.models` are as they are now, not as they were then.
_UPDATES = table("update_task", *map(column, ("id", "dialogue_id", "external_id", "version", "pool", "answer",
                                              "shown_before", "shown_after")))  # fmt: skip
_QUERIES = table("query", *map(column, ("id", "pool", "target", "shown_pool", "shown_target")))
_ITEMS = table("item", *map(column, ("id", "dialogue_id", "key", "update_id")))
_DIALOGUES = table("dialogue", *map(column, ("id", "source", "external_id")))
_UNITS = table("unit", *map(column, ("item_id", "assignment_id", "kind", "key", "position")))


def _updates_can_be_shown(connection: Connection) -> None:
    """Keep of the records of each update, beside them, what a blind rater may see."""
    for name in ("shown_before", "shown_after"):
        connection.execute(DDL(f"ALTER TABLE update_task ADD COLUMN {name} TEXT NOT NULL DEFAULT '[]'"))  # type: ignore[no-untyped-call]
    t = _UPDATES.c
    for number, pool, answer in connection.execute(select(t.id, t.pool, t.answer)).all():
        shown = {
            "shown_before": canonical(shown_records(json.loads(pool))),
            "shown_after": canonical(shown_records(json.loads(answer))),
        }
        connection.execute(update(_UPDATES).where(t.id == number).values(**shown))


def _items_know_their_update(connection: Connection) -> None:
    """Give items the update they are about: the newest one of the item's key whose records have the item's units."""
    connection.execute(DDL("ALTER TABLE item ADD COLUMN update_id INTEGER REFERENCES update_task (id)"))  # type: ignore[no-untyped-call]
    i, d, t = _ITEMS.c, _DIALOGUES.c, _UPDATES.c
    key = d.source + ":" + d.external_id + ":" + t.external_id
    found = connection.execute(
        select(i.id, t.id, t.answer)
        .select_from(_ITEMS)
        .join(_DIALOGUES, d.id == i.dialogue_id)
        .join(_UPDATES, and_(t.dialogue_id == i.dialogue_id, i.key == key))
        .order_by(i.id, t.version)
    ).all()
    for item_id, update_id, answer in found:
        if _has_units(connection, item_id, json.loads(answer)):
            connection.execute(update(_ITEMS).where(i.id == item_id).values(update_id=update_id))


def _has_units(connection: Connection, item_id: int, records: Sequence[Any]) -> bool:
    """Whether an item has a unit for each of the records, named by its id or its place."""
    u = _UNITS.c
    own = and_(u.item_id == item_id, u.assignment_id.is_(None), u.kind == "update")
    keys = connection.execute(select(u.key).where(own).order_by(u.position)).scalars().all()
    named = (
        key in (f"answer:{record.get('memory_id')}", f"answer:#{place}")
        for place, (key, record) in enumerate(zip(keys, records, strict=False), 1)
    )
    return len(keys) == len(records) > 0 and all(named)


def _pools_can_be_shown(connection: Connection) -> None:
    """Keep of each pool, beside it, what a blind rater may see."""
    for name, default in (("shown_pool", "[]"), ("shown_target", "")):
        connection.execute(DDL(f"ALTER TABLE query ADD COLUMN {name} TEXT NOT NULL DEFAULT '{default}'"))  # type: ignore[no-untyped-call]
    t = _QUERIES.c
    for number, pool, target in connection.execute(select(t.id, t.pool, t.target)).all():
        shown = {"shown_pool": canonical(shown_pool(json.loads(pool))), "shown_target": opaque(target)}
        connection.execute(update(_QUERIES).where(t.id == number).values(**shown))


MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, "the first schema", _already_there),
    Migration(2, "updates can be shown", _updates_can_be_shown),
    Migration(3, "items know their update", _items_know_their_update),
    Migration(4, "pools can be shown", _pools_can_be_shown),
    Migration(5, "versions can be acknowledged", versions_can_be_acknowledged),
    Migration(6, "responses keep their reason", responses_keep_their_reason),
)
