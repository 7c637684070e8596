"""Migrations: each in one transaction with its record, each after a backup, and a list that only grows."""

from pathlib import Path

import pytest
from sqlalchemy import Column, Connection, Integer, MetaData, Table, Text, insert, inspect, select, text
from sqlalchemy.exc import OperationalError

from store import models as m
from store.database import StudyNewer, StudyUnreadable, open_database
from store.decisions import verify
from store.migrations.steps import MIGRATIONS, Migration

LATER = Table("later", MetaData(), Column("id", Integer, primary_key=True), Column("what", Text))


def add_a_table(connection: Connection) -> None:
    LATER.create(connection)
    connection.execute(
        insert(LATER), [{"what": name} for name in connection.execute(select(m.rater.c.name)).scalars()]
    )


def add_a_column(connection: Connection) -> None:
    connection.execute(text("ALTER TABLE later ADD COLUMN more TEXT"))


def fail_half_way(connection: Connection) -> None:
    connection.execute(text("CREATE TABLE half (id INTEGER)"))
    connection.execute(text("SELECT nonsense FROM nowhere"))


NEXT = MIGRATIONS[-1].number + 1
TWO_MORE = (
    *MIGRATIONS,
    Migration(NEXT, "a table", add_a_table),
    Migration(NEXT + 1, "a column", add_a_column),
)


def applied(path: Path, migrations: tuple[Migration, ...]) -> list[int]:
    with open_database(path, read_only=True, migrations=migrations) as db, db.read() as conn:
        return sorted(conn.execute(select(m.schema_migration.c.number)).scalars())


def test_an_older_study_is_upgraded_when_it_is_opened_with_a_backup_before_each_step(
    study_path: Path,
) -> None:
    with open_database(study_path, migrations=TWO_MORE) as db, db.read() as conn:
        assert conn.execute(select(LATER.c.what)).scalars().all() == ["ada", "ben"]
        assert "more" in {column["name"] for column in inspect(conn).get_columns("later")}
        assert verify(conn) == ()
    assert applied(study_path, TWO_MORE) == [step.number for step in TWO_MORE]
    backups = sorted(study_path.parent.glob("alps.db.before-migration-*"))
    assert [name.name.split("-")[2] for name in backups] == [str(NEXT), str(NEXT + 1)]
    with open_database(backups[0], read_only=True) as before, before.read() as conn:
        assert "later" not in inspect(conn).get_table_names()
        assert len(conn.execute(select(m.dialogue.c.id)).all()) == 2


def test_opening_an_upgraded_study_again_does_nothing(study_path: Path) -> None:
    open_database(study_path, migrations=TWO_MORE).close()
    before = sorted(file.name for file in study_path.parent.iterdir())
    open_database(study_path, migrations=TWO_MORE).close()
    assert sorted(file.name for file in study_path.parent.iterdir()) == before


def test_a_migration_that_fails_leaves_the_study_as_it_was(study_path: Path) -> None:
    broken = (
        *MIGRATIONS,
        Migration(NEXT, "a table", add_a_table),
        Migration(NEXT + 1, "broken", fail_half_way),
    )
    with pytest.raises(OperationalError):
        open_database(study_path, migrations=broken)
    reached = broken[:-1]
    assert applied(study_path, reached) == [step.number for step in reached]
    with open_database(study_path, migrations=reached) as db, db.read() as conn:
        assert "half" not in inspect(conn).get_table_names()
    open_database(study_path, migrations=TWO_MORE).close()
    assert applied(study_path, TWO_MORE) == [step.number for step in TWO_MORE]


def test_a_study_that_needs_an_upgrade_is_not_read_as_it_is(study_path: Path) -> None:
    with pytest.raises(StudyUnreadable, match="older version"):
        open_database(study_path, read_only=True, migrations=TWO_MORE)


def test_a_program_without_the_newest_migration_refuses_the_study(study_path: Path) -> None:
    open_database(study_path, migrations=TWO_MORE).close()
    with pytest.raises(StudyNewer):
        open_database(study_path)


def test_the_list_of_migrations_counts_from_one_without_gaps() -> None:
    assert [step.number for step in MIGRATIONS] == list(range(1, len(MIGRATIONS) + 1))


def test_a_new_study_has_every_migration_on_record_and_no_backup(tmp_path: Path) -> None:
    open_database(tmp_path / "alps.db", create=True, migrations=MIGRATIONS).close()
    assert applied(tmp_path / "alps.db", MIGRATIONS) == [step.number for step in MIGRATIONS]
    assert not list(tmp_path.glob("*before-migration*"))
