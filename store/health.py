"""Whether a study and the place it lies in can keep their promises: the checks of `alps doctor`."""

import os
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path

from sqlalchemy import func, select

from store import models as m
from store.database import Database, integrity, journal_mode
from store.filesystem import network_filesystem
from store.recovery import recovery_paths, refused_path

LEAST_FREE = 200_000_000
"""Bytes that should be free: a day of labels is a few megabytes, a backup is the study once more."""

CLOCK_SLACK = timedelta(minutes=5)


@dataclass(frozen=True, slots=True)
class Check:
    """One thing looked at. `advice` is empty where all is well."""

    name: str
    found: str
    advice: str = ""

    @property
    def well(self) -> bool:
        return not self.advice


def examine(db: Database, *, now: datetime | None = None) -> tuple[Check, ...]:
    """Look at integrity, journal, schema, disk, filesystem, clock and left-over acts. Changes nothing.

    now   the machine's clock, UTC; read if None
    """
    assert db.path is not None
    return tuple(_checks(db, db.path, now or datetime.now(UTC)))


def _checks(db: Database, path: Path, now: datetime) -> Iterator[Check]:
    broken = integrity(db)
    yield Check(
        "integrity",
        "every page and reference is whole" if not broken else "; ".join(broken),
        "Go back to a backup, and keep this file for a look." if broken else "",
    )
    mode = journal_mode(db)
    yield Check("journal", mode, "" if mode == "wal" else "Open the study once for writing with: alps items")
    with db.read() as connection:
        schema = connection.execute(select(func.max(m.schema_migration.c.number))).scalar()
        latest = connection.execute(select(func.max(m.decision.c.decided_at))).scalar()
    yield Check("schema", f"version {schema}")
    yield _disk(path)
    remote = network_filesystem(path.parent)
    yield Check(
        "filesystem",
        remote or "local",
        "Move the study to a local disk: what is saved there can be lost." if remote else "",
    )
    yield _clock(latest, now)
    yield from _left_over(db)


def _disk(path: Path) -> Check:
    """Room for the labels to come, and for a backup beside the study. The write-ahead log is a part of the study."""
    space = shutil.disk_usage(path.parent)
    log = path.with_name(path.name + "-wal")
    size = path.stat().st_size + (log.stat().st_size if log.exists() else 0)
    found = f"{_size(space.free)} free of {_size(space.total)}, the study is {_size(size)}"
    if space.free <= size:
        advice = (
            "Make room now: a backup does not fit here, and soon labels will not either. "
            "To another disk: alps backup FILE"
        )
    elif space.free < max(LEAST_FREE, 2 * size):
        advice = (
            f"Make room soon: a backup takes {_size(size)} of it, and under {_size(max(LEAST_FREE, 2 * size))} is "
            "little for the labels to come and their log."
        )
    else:
        advice = ""
    return Check("disk", found, advice)


def _size(amount: int) -> str:
    """`412 kB`, `1.1 MB`, `24 GB`."""
    for unit, name in ((1e9, "GB"), (1e6, "MB")):
        if amount >= unit:
            return f"{amount / unit:,.{0 if amount >= 10 * unit else 1}f} {name}"
    return f"{-(-amount // 1000):,} kB"


def _clock(latest: str | None, now: datetime) -> Check:
    if latest is None:
        return Check("clock", f"{now:%Y-%m-%d %H:%M} UTC, no decision yet")
    last = datetime.fromisoformat(latest)
    last = last if last.tzinfo else last.replace(tzinfo=UTC)
    ahead = last - now > CLOCK_SLACK
    return Check(
        "clock",
        f"{now:%Y-%m-%d %H:%M} UTC, last decision {last:%Y-%m-%d %H:%M}",
        "A decision lies in the future: set this machine's clock." if ahead else "",
    )


def _left_over(db: Database) -> Iterator[Check]:
    """Acts beside the study that are not in it."""
    refused = refused_path(db)
    for waiting in recovery_paths(db):
        yield Check("not saved yet", os.fspath(waiting), "Open the study once for writing with: alps items")
    if refused.exists():
        yield Check(
            "refused", os.fspath(refused), "Acts the study did not allow; read the file and tell the lead."
        )
