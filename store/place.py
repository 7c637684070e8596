"""Where a rater was in an item: reading position, folds and draft. A convenience, not a decision."""

from collections.abc import Mapping

from sqlalchemy import Connection, delete, insert, select

from store import models as m
from store.content_records import Json
from store.encoding import canonical, now, read_json


def save_place(conn: Connection, assignment_id: int, place: Mapping[str, Json]) -> None:
    """Remember the place of an assignment; the last one counts."""
    conn.execute(delete(m.place).where(m.place.c.assignment_id == assignment_id))
    row = {"assignment_id": assignment_id, "data": canonical(dict(place)), "updated_at": now()}
    conn.execute(insert(m.place), row)


def load_place(conn: Connection, assignment_id: int) -> dict[str, Json]:
    """The remembered place; empty if there is none."""
    stored = conn.execute(select(m.place.c.data).where(m.place.c.assignment_id == assignment_id)).scalar()
    return {} if stored is None else dict(read_json(stored))
