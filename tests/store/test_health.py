"""The doctor sees what is wrong with a study or its place, and nothing where all is well."""

from datetime import UTC, datetime, timedelta
from types import SimpleNamespace

import pytest
from studies import tiny_study

from store import health
from store.assignments import add_rater, assign_all, assignments
from store.content import item_view
from store.database import open_database
from store.decisions import append
from store.errors import StoreError
from store.kinds import UnitKind, Verb
from store.records import Act, Change
from store.recovery import recovery_path


@pytest.fixture
def study(tmp_path):
    db = tiny_study(tmp_path / "alps.db")
    yield db
    db.close()


def by_name(study, **more):
    return {check.name: check for check in health.examine(study, **more)}


def test_a_whole_study_on_a_local_disk_is_well(study):
    found = by_name(study)
    assert set(found) == {"integrity", "journal", "schema", "disk", "filesystem", "clock"}
    assert all(check.well for check in found.values() if check.name != "disk")
    assert found["journal"].found == "wal"


def test_a_decision_of_tomorrow_is_a_clock_to_set(study):
    with study.write() as connection:
        rater = add_rater(connection, "ana")
        assign_all(connection, rater.id)
    with study.read() as connection:
        one = assignments(connection, rater.id, "memory-verification")[0]
        unit = next(u for u in item_view(connection, one.id).units if u.kind is UnitKind.MEMORY)
    act = Act(
        Verb.SET,
        one.id,
        one.item_id,
        "a1",
        "2026-10-05T10:00:00.000000+00:00",
        changes=(Change("verdict", "keep", unit_id=unit.id),),
    )
    with study.write() as connection:
        append(connection, act)
    decided = datetime(2026, 10, 5, 10, tzinfo=UTC)
    assert by_name(study, now=decided + timedelta(minutes=1))["clock"].well
    assert not by_name(study, now=decided - timedelta(days=1))["clock"].well


def test_a_full_disk_and_a_network_place_are_named(study, monkeypatch):
    monkeypatch.setattr(health, "LEAST_FREE", 10**18)
    monkeypatch.setattr(health, "network_filesystem", lambda path: "nfs4")
    found = by_name(study)
    assert not found["disk"].well and not found["filesystem"].well
    assert found["filesystem"].found == "nfs4"


@pytest.mark.parametrize(
    ("free", "advice"),
    [
        (300_000_000, ""),
        (40_000_000, "Make room soon: a backup takes 2.0 MB of it, and under 200 MB is little"),
        (1_200_000, "Make room now: a backup does not fit here"),
        (0, "Make room now: a backup does not fit here"),
    ],
)
def test_the_disk_is_told_in_sizes_a_person_can_hold_against_each_other(tmp_path, monkeypatch, free, advice):
    path = tmp_path / "alps.db"
    path.write_bytes(bytes(1_500_000))
    path.with_name("alps.db-wal").write_bytes(bytes(500_000))
    monkeypatch.setattr(health.shutil, "disk_usage", lambda _: SimpleNamespace(free=free, total=400_000_000))
    found = health._disk(path)
    assert found.found.endswith("of 400 MB, the study is 2.0 MB")
    assert found.advice.startswith(advice) and found.well == (not advice)


def test_acts_beside_the_study_are_named(study):
    recovery_path(study).write_text("{}\n")
    assert not by_name(study)["not saved yet"].well


def test_a_damaged_file_is_not_called_whole(study, tmp_path):
    path = study.path
    study.close()
    size = path.stat().st_size
    with path.open("r+b") as file:
        for place in range(8192, size - 4096, 4096):
            file.seek(place + 100)
            file.write(b"\xff" * 600)
    try:
        with open_database(path, read_only=True) as damaged:
            assert not by_name(damaged)["integrity"].well
    except StoreError as refused:
        assert "alps.db" in str(refused)
