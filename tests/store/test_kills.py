"""Killed at any moment: what was called saved is there. Many at once: nothing is lost and no log is forked."""

import contextlib
import multiprocessing
import os
import random
import time
from multiprocessing.connection import Connection
from pathlib import Path

import pytest
from sqlalchemy import func, select
from studies import act

from store import models as m
from store.assignments import add_rater, assign_all, assignment_by_id, assignments
from store.content import item_view
from store.database import open_database
from store.decisions import append, item_answers, verify
from store.errors import NotPossible
from store.kinds import UnitKind, Verb
from store.records import Act, Assignment, Change, NewUnit, Saved
from store.writer import WriteFailed, Writer

server = multiprocessing.get_context("forkserver")
server.set_forkserver_preload(["store.writer", "store.assignments", "store.content", "studies"])


def a_session(path: str, assignment_id: int, seed: int, told: Connection) -> None:
    """Decide as fast as the writer takes it, until killed; tell each act's id only after it was saved."""
    db = open_database(path)

    def report(result: Saved | WriteFailed) -> None:
        if isinstance(result, Saved):
            told.send_bytes(result.act_id.encode())

    with db.read() as conn:
        mine = assignment_by_id(conn, assignment_id)
        assert mine is not None
        units = [unit.id for unit in item_view(conn, assignment_id).units]
    writer = Writer(db, report)
    chance = random.Random(seed)
    while True:
        writer.put(_some_act(chance, mine, units))
        while writer.pending > 2:
            time.sleep(0.0005)


def _some_act(chance: random.Random, mine: Assignment, units: list[int]) -> Act:
    verb = chance.choice(
        [Verb.SET, Verb.SET, Verb.SET, Verb.NOTE, Verb.UNDO, Verb.REDO, Verb.SUBMIT, Verb.REOPEN]
    )
    if verb is Verb.NOTE:
        return act(verb, mine, reason="n" * chance.randrange(200))
    if verb is not Verb.SET:
        return act(verb, mine)
    new = NewUnit(UnitKind.MEMORY, f"new-{chance.randrange(3)}", "m9")
    changes = [Change("verdict", "keep", chance.choice(units)), Change("memory", {"v": 1}, new_unit=new)]
    return act(verb, mine, *changes[: chance.randrange(1, 3)])


def drained(told: Connection) -> list[str]:
    """All that a process said before it was killed, which ends the pipe."""
    found = []
    with contextlib.suppress(EOFError, OSError):
        while told.poll(0.5):
            found.append(told.recv_bytes().decode())
    return found


def killed_sessions(path: Path, kills: int) -> None:
    chance = random.Random(7)
    with open_database(path) as db, db.write() as conn:
        rater = add_rater(conn, "kim")
        assign_all(conn, rater.id)
        mine = assignments(conn, rater.id)[0]
    running = 0
    for kill in range(kills):
        hears, tells = server.Pipe(duplex=False)
        process = server.Process(target=a_session, args=(str(path), mine.id, kill, tells))
        process.start()
        tells.close()
        assert hears.poll(60), "the session never saved anything"
        time.sleep(chance.uniform(0, 0.12))
        running += process.is_alive()
        process.kill()
        process.join()
        saved = drained(hears)
        hears.close()
        assert saved
        with open_database(path) as db, db.read() as conn:
            known = set(conn.execute(select(m.decision.c.act_id)).scalars())
            assert set(saved) <= known
            assert verify(conn) == ()
            item_answers(conn, mine.id)
    assert running == kills


def test_after_a_kill_everything_that_was_called_saved_is_there(study_path: Path) -> None:
    killed_sessions(study_path, kills=8)


@pytest.mark.slow
def test_after_fifty_kills_everything_that_was_called_saved_is_there(study_path: Path) -> None:
    killed_sessions(study_path, kills=50)


def some_decisions(path: str, own: int, shared: int, n: int, told: Connection) -> None:
    """n acts on an assignment of one's own, and n on one that all the others answer too."""
    db = open_database(path)
    written = 0
    with db.read() as conn:
        both = [assignment_by_id(conn, number) for number in (own, shared)]
        unit = {number: item_view(conn, number).units[1].id for number in (own, shared)}
    for count in range(n):
        for mine in both:
            assert mine is not None
            value = f"{os.getpid()}-{count}"
            with db.write() as conn:
                append(conn, act(Verb.SET, mine, Change("verdict", value, unit[mine.id])))
            written += 1
        try:
            with db.write() as conn:
                append(conn, act(Verb.UNDO, both[1]))
            written += 1
        except NotPossible:
            pass  # another process undid the last act first
    db.close()
    told.send(written)


def decided_at_once(path: Path, processes: int, n: int) -> None:
    with open_database(path) as db, db.write() as conn:
        raters = [add_rater(conn, f"r{count}") for count in range(processes + 1)]
        for rater in raters:
            assign_all(conn, rater.id)
        given = [assignments(conn, rater.id, "memory-verification")[0].id for rater in raters]
    shared = given.pop()
    pipes = [server.Pipe(duplex=False) for _ in given]
    workers = [
        server.Process(target=some_decisions, args=(str(path), own, shared, n, tells))
        for own, (_, tells) in zip(given, pipes, strict=True)
    ]
    for worker in workers:
        worker.start()
    written = sum(hears.recv() for hears, _ in pipes)
    for worker in workers:
        worker.join()
        assert worker.exitcode == 0
    with open_database(path, read_only=True) as db, db.read() as conn:
        assert conn.execute(select(func.count()).select_from(m.decision)).scalar_one() == written
        assert verify(conn) == ()
        revisions = conn.execute(select(m.decision.c.revision).where(m.decision.c.assignment_id == shared))
        assert sorted(revisions.scalars()) == list(range(1, item_answers(conn, shared).revision + 1))
        assert all(item_answers(conn, own).revision == n for own in given)


def test_eight_processes_lose_nothing_and_never_fork_a_log(study_path: Path) -> None:
    decided_at_once(study_path, processes=8, n=12)


@pytest.mark.slow
def test_eight_processes_deciding_for_long_lose_nothing(study_path: Path) -> None:
    decided_at_once(study_path, processes=8, n=150)
