"""The writer thread: in order, one transaction each, drained at the end, and nothing lost when the disk says no."""

import sqlite3
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path

import pytest
from studies import act

from store.database import Database, open_database
from store.decisions import item_answers, verify
from store.kinds import Attested, Status, UnitKind, Verb
from store.place import load_place, save_place
from store.records import Act, Assignment, Change, ItemView, NewUnit, Saved, Seen
from store.recovery import (
    act_from_line,
    act_to_line,
    elsewhere,
    forget,
    keep,
    keep_places,
    keep_somewhere,
    recover,
    recovery_path,
    refused_path,
)
from store.writer import WriteFailed, Writer

Results = list[Saved | WriteFailed]


@contextmanager
def writing(db: Database, before_write: Callable[[], None] | None = None) -> Iterator[tuple[Writer, Results]]:
    results: Results = []
    writer = Writer(db, results.append, before_write=before_write)
    try:
        yield writer, results
    finally:
        writer.close(30)


def wait_for(condition: Callable[[], object]) -> None:
    deadline = time.monotonic() + 30
    while not condition():
        assert time.monotonic() < deadline, "waited in vain"
        time.sleep(0.002)


def answers(first: Assignment, view: ItemView, n: int) -> list[Act]:
    return [act(Verb.SET, first, Change("verdict", f"v{count}", view.units[1].id)) for count in range(n)]


class Trouble:
    """A disk that fails as long as it is told to."""

    def __init__(self) -> None:
        self.on = True

    def __call__(self) -> None:
        if self.on:
            raise OSError(28, "No space left on device")


def test_acts_are_written_in_order_and_reported_after_the_commit(
    study: Database, first: Assignment, view: ItemView
) -> None:
    acts = answers(first, view, 20)
    assert study.path is not None
    other = sqlite3.connect(study.path)
    found_at_report: list[bool] = []
    known = "SELECT count(*) FROM decision WHERE act_id = ?"

    def report(result: Saved | WriteFailed) -> None:
        assert isinstance(result, Saved)
        with sqlite3.connect(str(study.path)) as elsewhere:
            found_at_report.append(elsewhere.execute(known, (result.act_id,)).fetchone()[0] == 1)
        elsewhere.close()

    writer = Writer(study, report)
    for one in acts:
        writer.put(one)
    assert writer.close(30)
    assert found_at_report == [True] * 20
    rows = other.execute("SELECT act_id FROM decision ORDER BY revision").fetchall()
    other.close()
    assert [row[0] for row in rows] == [one.act_id for one in acts]


def test_put_does_not_wait_for_the_disk(study: Database, first: Assignment, view: ItemView) -> None:
    gate = threading.Event()
    with writing(study, gate.wait) as (writer, results):
        for one in answers(first, view, 5):
            writer.put(one)
        assert writer.pending == 5
        assert results == []
        gate.set()
        wait_for(lambda: len(results) == 5)
        assert (writer.pending, writer.failed) == (0, ())


def test_closing_writes_what_is_queued(study: Database, first: Assignment, view: ItemView) -> None:
    results: Results = []
    writer = Writer(study, results.append, before_write=lambda: time.sleep(0.005))
    for one in answers(first, view, 30):
        writer.put(one)
    assert writer.close(30)
    assert [type(one) for one in results] == [Saved] * 30
    with pytest.raises(RuntimeError, match="closed"):
        writer.put(answers(first, view, 1)[0])


def test_an_act_the_rules_refuse_is_reported_kept_and_does_not_stop_the_others(
    study: Database, queue: tuple[Assignment, ...], view: ItemView
) -> None:
    refused = act(Verb.NOTE, replace(queue[0], item_id=queue[1].item_id), reason="a long thought")
    with writing(study) as (writer, results):
        writer.put(refused)
        writer.put(answers(queue[0], view, 1)[0])
        wait_for(lambda: len(results) == 2)
        assert writer.failed == ()
    failed, saved = results
    assert isinstance(failed, WriteFailed)
    assert (failed.act, failed.retryable) == (refused, False)
    assert "another item" in failed.sentence
    assert isinstance(saved, Saved)
    assert "a long thought" in refused_path(study).read_text()
    assert not recovery_path(study).exists()


def test_a_write_that_fails_is_said_kept_in_memory_and_on_disk_and_holds_the_later_ones_back(
    study: Database, first: Assignment, view: ItemView
) -> None:
    trouble = Trouble()
    acts = answers(first, view, 3)
    with writing(study, trouble) as (writer, results):
        for one in acts:
            writer.put(one)
        wait_for(lambda: len(results) == 3)
        assert all(isinstance(one, WriteFailed) and one.retryable for one in results)
        assert "No space left" in results[0].sentence  # type: ignore[union-attr]
        assert results[0].kept_in == recovery_path(study)  # type: ignore[union-attr]
        assert writer.failed == tuple(acts)
        assert writer.pending == 0
        kept = [act_from_line(line) for line in recovery_path(study).read_text().splitlines()]
        assert kept == acts
        trouble.on = False
        writer.retry()
        wait_for(lambda: len(results) == 6)
        assert [one.act_id for one in results[3:]] == [one.act_id for one in acts]  # type: ignore[union-attr]
        assert (writer.failed, writer.pending) == ((), 0)
        wait_for(lambda: not recovery_path(study).exists())
    with study.read() as conn:
        assert item_answers(conn, first.id).answers[view.units[1].id, "verdict"].value == "v2"
        assert verify(conn) == ()


def test_a_new_act_is_a_new_try_and_goes_behind_those_that_wait(
    study: Database, first: Assignment, view: ItemView
) -> None:
    trouble = Trouble()
    before, after = answers(first, view, 2)
    with writing(study, trouble) as (writer, results):
        writer.put(before)
        wait_for(lambda: len(results) == 1)
        trouble.on = False
        writer.put(after)
        wait_for(lambda: len(results) == 3)
    assert [getattr(one, "act_id", None) for one in results] == [None, before.act_id, after.act_id]


def test_a_locked_study_is_said_to_be_busy_and_written_when_it_is_free(
    study: Database, first: Assignment, view: ItemView, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("store.connections.BUSY_TIMEOUT_MS", 20)
    assert study.path is not None
    impatient = open_database(study.path)
    lock = sqlite3.connect(study.path)
    lock.execute("BEGIN IMMEDIATE")
    with writing(impatient) as (writer, results):
        writer.put(answers(first, view, 1)[0])
        wait_for(lambda: results)
        assert "another program" in results[0].sentence  # type: ignore[union-attr]
        lock.rollback()
        lock.close()
        writer.retry()
        wait_for(lambda: len(results) == 2)
    assert isinstance(results[1], Saved)
    impatient.close()


def test_what_could_not_be_written_before_the_end_is_written_when_the_study_is_opened(
    study: Database, first: Assignment, view: ItemView
) -> None:
    acts = answers(first, view, 2)
    with writing(study, Trouble()) as (writer, results):
        for one in acts:
            writer.put(one)
        wait_for(lambda: len(results) == 2)
        assert writer.close(30) is False
    study.close()
    assert study.path is not None
    with open_database(study.path) as again:
        assert again.recovered is not None
        assert again.recovered.written == 2
        with again.read() as conn:
            assert item_answers(conn, first.id).answers[view.units[1].id, "verdict"].value == "v1"
        assert not recovery_path(again).exists()
    with open_database(study.path) as again:
        assert again.recovered is None


def test_recovery_writes_nothing_twice_and_keeps_what_it_cannot_read(
    study: Database, first: Assignment, view: ItemView
) -> None:
    one, other = answers(first, view, 2)
    with writing(study) as (writer, results):
        writer.put(one)
        wait_for(lambda: results)
    stray = replace(other, item_id=other.item_id + 1, act_id="stray")
    keep(recovery_path(study), [one, other, stray])
    with recovery_path(study).open("a") as file:
        file.write('{"verb": "set", "assig')  # a crash in the middle of a line
    recovered = recover(study)
    assert recovered.written == 2
    assert [refused.act_id for refused, _ in recovered.refused] == ["stray"]
    with study.read() as conn:
        assert item_answers(conn, first.id).revision == 2
    assert recovery_path(study).read_text() == '{"verb": "set", "assig'
    assert "stray" in refused_path(study).read_text()


def test_a_place_that_could_not_be_kept_in_the_study_comes_back_with_what_was_typed(
    study: Database, first: Assignment, view: ItemView
) -> None:
    path = recovery_path(study)
    with study.write() as conn:
        save_place(conn, first.id, {"unit": "gold:m1"})
    typed = {"drafts": {"edit gold:m2": {"value": "half a sentence\u2028 \u05d0\n"}}}
    keep_places(path, {first.id: {"unit": "gold:m2"}, 999_999: typed})
    keep(path, answers(first, view, 1))
    keep_places(path, {first.id: typed})
    assert recover(study).written == 1
    with study.read() as conn:
        assert load_place(conn, first.id) == typed
        assert load_place(conn, 999_999) == {}
        assert verify(conn) == ()
    assert not path.exists()


def test_a_recovery_file_is_shared_by_programs_that_do_not_know_each_other(
    study: Database, first: Assignment, view: ItemView
) -> None:
    path = recovery_path(study)
    acts = answers(first, view, 40)

    def come_and_go(mine: list[Act]) -> None:
        for one in mine:
            keep(path, [one])
        forget(path, [one.act_id for one in mine[::2]])

    threads = [threading.Thread(target=come_and_go, args=(acts[start::4],)) for start in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    left = {act_from_line(line).act_id for line in path.read_text().splitlines()}
    assert left == {one.act_id for start in range(4) for one in acts[start::4][1::2]}
    forget(path, left)
    assert not path.exists()


def test_a_screen_that_fails_to_show_a_result_does_not_stop_the_writing(
    study: Database, first: Assignment, view: ItemView
) -> None:
    def broken(_: object) -> None:
        raise KeyError("no such widget")

    writer = Writer(study, broken)
    for one in answers(first, view, 3):
        writer.put(one)
    assert writer.close(30)
    with study.read() as conn:
        assert item_answers(conn, first.id).revision == 3


def test_an_error_nobody_foresaw_keeps_the_act_and_the_thread(
    study: Database, first: Assignment, view: ItemView
) -> None:
    failures = iter([True, False, False])

    def sometimes() -> None:
        if next(failures):
            raise ArithmeticError("a bug")

    with writing(study, sometimes) as (writer, results):
        writer.put(answers(first, view, 1)[0])
        wait_for(lambda: results)
        assert isinstance(results[0], WriteFailed)
        writer.retry()
        wait_for(lambda: len(results) == 2)
    assert isinstance(results[1], Saved)


def test_what_the_disk_of_the_study_does_not_take_is_kept_elsewhere_and_comes_in(
    study: Database, first: Assignment, view: ItemView
) -> None:
    trouble = Trouble()
    recovery_path(study).mkdir()
    with writing(study, trouble) as (writer, results):
        writer.put(answers(first, view, 1)[0])
        wait_for(lambda: results)
        assert results[0].kept_in == writer.kept_in == elsewhere(study)  # type: ignore[union-attr]
    keep_places(elsewhere(study), {first.id: {"unit": "gold:m2"}})
    assert study.path is not None
    with open_database(study.path) as again, again.read() as conn:
        assert again.recovered is not None
        assert again.recovered.written == 1
        assert item_answers(conn, first.id).revision == 1
        assert load_place(conn, first.id) == {"unit": "gold:m2"}
    assert not elsewhere(study).exists()


def test_a_file_that_was_made_and_could_not_be_written_is_taken_away(study: Database) -> None:
    def fails_beside(path: Path) -> None:
        if path == recovery_path(study):
            path.touch()
            raise OSError(28, "No space left on device")
        path.write_text("kept")

    assert keep_somewhere(study, fails_beside) == elsewhere(study)
    assert not recovery_path(study).exists()


def test_when_even_the_recovery_file_cannot_be_written_it_is_said_and_the_act_stays_in_memory(
    study: Database, first: Assignment, view: ItemView, monkeypatch: pytest.MonkeyPatch
) -> None:
    trouble = Trouble()
    recovery_path(study).mkdir()
    monkeypatch.setenv("XDG_STATE_HOME", "/dev/null")
    with writing(study, trouble) as (writer, results):
        one = answers(first, view, 1)[0]
        writer.put(one)
        wait_for(lambda: results)
        assert results[0].kept_in is None  # type: ignore[union-attr]
        assert writer.kept_in is None
        assert writer.failed == (one,)
        trouble.on = False
        writer.retry()
        wait_for(lambda: len(results) == 2)
    assert isinstance(results[1], Saved)


def test_an_act_survives_its_line(tmp_path: Path) -> None:
    change = Change(
        "memory",
        {"value": "[/] \x1b \ud800 日本", "n": 1.5},
        new_unit=NewUnit(UnitKind.MEMORY, "k", "m3"),
        status=Status.ANSWERED,
        attested=Attested.DERIVED,
        raw_value=["x"],
    )
    full = Act(
        Verb.SET,
        1,
        2,
        "id",
        "2026-01-01T00:00:00+00:00",
        (change, Change("f", None, 3, status=Status.SKIPPED, reason="a\nb")),
        "reason \0",
        7,
        1234,
        (3, 1, 2),
        Seen(True, False, True, False),
    )
    assert act_from_line(act_to_line(full)) == full
    assert "\n" not in act_to_line(full)
