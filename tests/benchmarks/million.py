"""A study of a million ratings: the next item and the progress of one of its raters, and of all by stratum."""

import sqlite3
import tempfile
import time
from collections.abc import Callable, Iterator
from functools import partial
from pathlib import Path

from budgets import Kind, Line, Row
from real_frames import median
from sqlalchemy import Connection

from alps_tui.items.build import build_items
from alps_tui.sources.importer import import_paths
from store.assignments import next_open, progress, rater_by_name
from store.database import Database, open_database
from store.strata import Stratum, progress_by

FORM = "memory-verification"
BARE = "SELECT state, COUNT(*) FROM assignment WHERE withdrawn_at IS NULL GROUP BY state"
DIALOGUES, MEMORIES, RATERS, TIMES = 10_000, 5, 20, 21
"""10,000 items x 20 raters x 5 memories: a million ratings."""


def small_study(folder: Path) -> Path:
    """Dialogues of two turns and five memories, in the plain format."""
    path = folder / "dialogues.jsonl"
    with path.open("w", encoding="utf-8") as lines:
        for number in range(DIALOGUES):
            memories = ",".join(
                f'{{"memory_id":"g{m}","type":"direct","label":"Thoughts/Curiosity","value":"matter {m} of {number}"}}'
                for m in range(MEMORIES)
            )
            lines.write(
                f'{{"dialogue_id":"d{number}","language":"en","dialogue":[{{"role":"user","content":"I like {number}."}},'
                f'{{"role":"assistant","content":"So be it."}}],"memories":[{memories}]}}\n'
            )
    return path


def fill(path: Path) -> int:
    """Twenty raters with every item, each memory rated, a tenth of the items still open; gives the ratings in all."""
    connection = sqlite3.connect(path)
    connection.execute("PRAGMA synchronous = OFF")
    protocol, guideline = connection.execute(
        "SELECT p.id, g.id FROM protocol p JOIN guideline g ON g.protocol_id = p.id WHERE p.name = ?", (FORM,)
    ).fetchone()
    items = [
        row[0]
        for row in connection.execute("SELECT id FROM item WHERE protocol_id = ? ORDER BY id", (protocol,))
    ]
    units: dict[int, list[int]] = {}
    for unit, item in connection.execute("SELECT id, item_id FROM unit WHERE kind = 'memory'"):
        units.setdefault(item, []).append(unit)
    at = "2026-01-01T00:00:00.000000+00:00"
    for number in range(RATERS):
        connection.execute(
            "INSERT INTO rater (id, name, kind, params, created_at) VALUES (?, ?, 'human', '{}', ?)",
            (1000 + number, f"rater-{number}", at),
        )
    columns = (
        "id, item_id, rater_id, protocol_id, protocol_name, given_phase, phase, occasion, purpose, probability, position,"
        " seed, state, revision, remarks, active_ms, created_at, opened_at"
    )
    connection.executemany(
        f"INSERT INTO assignment ({columns}) VALUES (?,?,?,?,?,'blind','blind',0,'core',1.0,?,1,?,?,'{{}}',0,?,?)",
        (
            (
                rater * len(items) + place,
                item,
                1000 + rater,
                protocol,
                FORM,
                place,
                *_state(place, len(items)),
                at,
                at,
            )
            for rater in range(RATERS)
            for place, item in enumerate(items)
        ),
    )
    connection.executemany(
        "INSERT INTO rating (assignment_id, unit_id, field, phase, status, value, attested, revision, decided_at,"
        " active_ms, presentation, saw_prefill, saw_judge, saw_peer, saw_translation, guideline_id)"
        " VALUES (?,?,'verdict','blind','answered','\"keep\"','explicit',1,?,900,'[]',0,0,0,0,?)",
        _ratings(items, units, at, guideline),
    )
    connection.commit()
    connection.execute("ANALYZE")
    connection.commit()
    number = connection.execute("SELECT COUNT(*) FROM rating").fetchone()[0]
    connection.close()
    return int(number)


def _state(place: int, items: int) -> tuple[str, int]:
    return ("submitted", 6) if place < items * 9 // 10 else ("open", 5)


def _ratings(items: list[int], units: dict[int, list[int]], at: str, guideline: int) -> Iterator[tuple]:
    for rater in range(RATERS):
        for place, item in enumerate(items):
            for unit in units[item]:
                yield rater * len(items) + place, unit, at, guideline


def timed(study: Database, call: Callable[[Connection], object]) -> float:
    """Median ms of a call with a connection of its own."""
    times = []
    for _ in range(TIMES):
        start = time.perf_counter()
        with study.read() as connection:
            call(connection)
        times.append((time.perf_counter() - start) * 1000)
    return median(times)


def measure() -> list[Line]:
    with tempfile.TemporaryDirectory() as name:
        path = Path(name, "study.db")
        with open_database(path, create=True) as study:
            import_paths(study, [small_study(Path(name))])
            build_items(study)
        ratings = fill(path)
        with open_database(path) as study:
            with study.read() as connection:
                rater = rater_by_name(connection, "rater-7")
                assert rater is not None
                found = next_open(connection, rater.id, FORM)
                assert found is not None
                assert progress(connection, rater.id, FORM).submitted == DIALOGUES * 9 // 10
            opened = timed(study, lambda connection: next_open(connection, rater.id, FORM))
            whole = timed(study, lambda connection: progress(connection, rater.id, FORM))
            strata = {by: timed(study, partial(progress_by, by=by, protocol=FORM)) for by in Stratum}
            bare = timed(study, lambda connection: connection.exec_driver_sql(BARE).all())
    slowest = max(strata, key=strata.__getitem__)
    said = f"by {slowest}, the slowest of {len(strata)}; the states of all assignments counted in plain SQL {bare:.0f} ms"
    beside = f"{ratings:,} ratings, {DIALOGUES * RATERS:,} assignments"
    return [
        Row("a million ratings: next item", Kind.AT_MOST, 10, opened, "ms", beside),
        Row("a million ratings: progress of a rater", Kind.AT_MOST, 100, whole, "ms"),
        Row("a million ratings: progress by stratum", Kind.AT_MOST, 300, max(strata.values()), "ms", said),
    ]
