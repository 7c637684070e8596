"""The numbered migrations of a study: a list that only grows, and whose entries never change."""

from collections.abc import Callable
from dataclasses import dataclass

from sqlalchemy import Connection


@dataclass(frozen=True, slots=True)
class Migration:
    """One step from the schema before it to the next. `apply` runs inside a write transaction of its own."""

    number: int
    name: str
    apply: Callable[[Connection], None]


def _already_there(connection: Connection) -> None:
    """The first schema is made by `store.models` when a study is created: nothing to change."""


MIGRATIONS: tuple[Migration, ...] = (Migration(1, "the first schema", _already_there),)
