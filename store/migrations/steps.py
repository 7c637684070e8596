"""The numbered migrations of a study: a list that only grows, and whose entries never change."""

import json
from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection, text

from store.encoding import canonical
from store.shown_records import shown_records


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from the schema before it to the next. `apply` runs inside a write transaction of its own."""

    number: int
    name: str
    apply: Callable[[Connection], None]


def _already_there(connection: Connection) -> None:
    """The first schema is made by `store.models` when a study is created: nothing to change."""


def _updates_can_be_shown(connection: Connection) -> None:
    """Keep of the records of each update, beside them, what a blind rater may see."""
    for column in ("shown_before", "shown_after"):
        connection.execute(text(f"ALTER TABLE update_task ADD COLUMN {column} TEXT NOT NULL DEFAULT '[]'"))
    found = connection.execute(text("SELECT id, pool, answer FROM update_task")).all()
    for number, pool, answer in found:
        connection.execute(
            text("UPDATE update_task SET shown_before = :before, shown_after = :after WHERE id = :id"),
            {
                "before": canonical(shown_records(json.loads(pool))),
                "after": canonical(shown_records(json.loads(answer))),
                "id": number,
            },
        )


def _items_know_their_update(connection: Connection) -> None:
    """Give items the update they are about: the newest one of the item's key whose records have the item's units."""
    connection.execute(text("ALTER TABLE item ADD COLUMN update_id INTEGER REFERENCES update_task (id)"))
    found = connection.execute(
        text(
            "SELECT item.id AS item_id, update_task.id AS update_id, update_task.answer AS answer "
            "FROM item JOIN dialogue ON dialogue.id = item.dialogue_id "
            "JOIN update_task ON update_task.dialogue_id = dialogue.id "
            "AND item.key = dialogue.source || ':' || dialogue.external_id || ':' || update_task.external_id "
            "ORDER BY item.id, update_task.version"
        )
    ).all()
    for item_id, update_id, answer in found:
        units = connection.execute(
            text(
                "SELECT key FROM unit WHERE item_id = :item AND assignment_id IS NULL AND kind = 'update' "
                "ORDER BY position"
            ),
            {"item": item_id},
        ).scalars()
        records = json.loads(answer)
        keys = list(units)
        named = all(
            key in (f"answer:{record.get('memory_id')}", f"answer:#{place}")
            for place, (key, record) in enumerate(zip(keys, records, strict=False), 1)
        )
        if keys and named and len(keys) == len(records):
            connection.execute(
                text("UPDATE item SET update_id = :update WHERE id = :item"),
                {"update": update_id, "item": item_id},
            )


MIGRATIONS: tuple[Migration, ...] = (
    Migration(1, "the first schema", _already_there),
    Migration(2, "updates can be shown", _updates_can_be_shown),
    Migration(3, "items know their update", _items_know_their_update),
)
