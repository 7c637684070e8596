"""Eight processes that decide with Poisson gaps on one file while another imports: how long each decision waits."""

import multiprocessing
import os
import random
import sqlite3
import tempfile
import time
import uuid
from datetime import UTC, datetime
from multiprocessing.queues import Queue
from multiprocessing.synchronize import Event, Semaphore
from pathlib import Path

from budgets import Kind, Line, Row, Skipped
from importing import write_copies
from real_study import FORM, NO_DATA, PACKETS

from alps_tui.items.build import build_items
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all, assignments, rater_by_name
from store.connections import begin_writing
from store.database import open_database
from store.decisions import append
from store.errors import StoreError
from store.kinds import UnitKind, Verb
from store.records import Act, Assignment, Change
from store.views import item_view

PROCESSES, DECISIONS, GAP = 8, 150, 0.05


def decide(path: str, name: str, ready: Semaphore, start: Event, results: Queue) -> None:
    """One rater's process: decisions on memories of its own queue, each in a transaction; ms of each, and refusals.

    It holds its connection as the writer thread does, and has decided once before the clock runs.
    """
    draw = random.Random(name)
    with open_database(path) as study:
        with study.read() as connection:
            rater = rater_by_name(connection, name)
            assert rater is not None
            todo = []
            for item in assignments(connection, rater.id, FORM):
                units = [u for u in item_view(connection, item.id).units if u.kind is UnitKind.MEMORY]
                todo += [_keep(item, unit.id) for unit in units]
                if len(todo) > DECISIONS:
                    break
        times, refused = [], 0
        with study.writing_connection() as connection:
            with begin_writing(connection, study.path):
                append(connection, todo[0])
            ready.release()
            start.wait()
            for act in todo[1 : DECISIONS + 1]:
                time.sleep(draw.expovariate(1 / GAP))
                began = time.perf_counter()
                try:
                    with begin_writing(connection, study.path):
                        append(connection, act)
                except StoreError:
                    refused += 1
                times.append((time.perf_counter() - began) * 1000)
    results.put((times, refused))


def _keep(item: Assignment, unit: int) -> Act:
    return Act(
        verb=Verb.SET,
        assignment_id=item.id,
        item_id=item.item_id,
        act_id=uuid.uuid4().hex,
        decided_at=datetime.now(UTC).isoformat(timespec="microseconds"),
        changes=(Change("verdict", "keep", unit),),
    )


def bare_disk(folder: Path) -> tuple[float, float]:
    """Median and p99, in ms, of writing 12 kB to a file and having it on disk: what every decision waits for."""
    times = []
    with folder.joinpath("bare").open("wb", buffering=0) as file:
        for _ in range(500):
            file.write(bytes(12_000))
            began = time.perf_counter()
            os.fsync(file.fileno())
            times.append((time.perf_counter() - began) * 1000)
    times.sort()
    return times[250], times[495]


def import_until(path: str, folder: str, ready: Semaphore, start: Event, stop: Event, results: Queue) -> None:
    """Import packets, in the small transactions of any import, until the deciders are done."""
    with open_database(path) as study:
        ready.release()
        start.wait()
        counts = 0
        for file in sorted(Path(folder).iterdir()):
            if stop.is_set():
                break
            import_paths(study, [file])
            counts += 1
    results.put(counts)


def measure() -> list[Line]:
    what = f"{PROCESSES} processes deciding during an import"
    if not PACKETS.is_dir():
        return [Skipped(what, NO_DATA)]
    context = multiprocessing.get_context("spawn")
    with tempfile.TemporaryDirectory() as name:
        path, packets = str(Path(name, "study.db")), Path(name, "packets")
        packets.mkdir()
        write_copies(packets)
        with open_database(path, create=True) as study:
            import_paths(study, [PACKETS])
            build_items(study)
            with study.write() as connection:
                for number in range(PROCESSES):
                    assign_all(connection, add_rater(connection, f"rater-{number}").id)
        disk = bare_disk(Path(name))
        ready, start, stop = context.Semaphore(0), context.Event(), context.Event()
        results, imported = context.Queue(), context.Queue()
        deciders = [
            context.Process(target=decide, args=(path, f"rater-{n}", ready, start, results))
            for n in range(PROCESSES)
        ]
        importer = context.Process(
            target=import_until, args=(path, str(packets), ready, start, stop, imported)
        )
        for process in (*deciders, importer):
            process.start()
        for _ in range(PROCESSES + 1):
            ready.acquire()
        start.set()
        found = [results.get(timeout=300) for _ in deciders]
        stop.set()
        files = imported.get(timeout=120)
        for process in (*deciders, importer):
            process.join(60)
        connection = sqlite3.connect(path)
        kept = connection.execute("SELECT COUNT(*) FROM decision WHERE verb = 'set'").fetchone()[0]
        connection.close()
    times = sorted(ms for one, _ in found for ms in one)
    acts = len(times) + PROCESSES
    refused = sum(one for _, one in found)
    beside = f"median {times[len(times) // 2]:.1f} ms; bare fsync {disk[0]:.1f}, p99 {disk[1]:.1f} ms"
    many = f"{len(times):,} decisions while {files} packets came in; {refused} refused"
    return [
        Row(f"{what}: lost or refused", Kind.EXACT, 0, acts - kept, "", many),
        Row(f"{what}: p99", Kind.AT_MOST, 30, times[int(0.99 * len(times))], "ms", beside),
        Row(f"{what}: longest", Kind.AT_MOST, 250, times[-1], "ms"),
    ]
