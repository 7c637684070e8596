"""Questions as a blind rater sees them: the memory each was written for, its pool by places, studies from before."""

from dataclasses import replace
from pathlib import Path

from earlier import take_back
from sqlalchemy import text

from alps_tui.items.build import build_items
from alps_tui.protocols.loading import load_builtin
from store.content import add_file, add_record, preview_item
from store.content_records import Dialogue, Memory, Query, SourceRecord, Turn
from store.database import Database, open_database
from store.kinds import Origin
from store.migrations.steps import MIGRATIONS
from store.records import ItemView, PoolView

FORMS = [load_builtin("memory-retrieval"), load_builtin("utilization-check")]

POOL = (
    {"memory_id": "m1", "value": "Has a cat", "label": "Possessions/Pet"},
    {"memory_id": "m1", "value": "Drinks tea", "label": "Preferences/Food", "judge_score": 4.25},
    {"memory_id": "m1", "value": "Drinks tea ", "by": "Telltale"},
    {"memory_id": "Telltale_p1", "value": "Has a cat", "confidence": "often"},
)
TEA = Memory("m1", Origin.GOLD, "gold", 0, "Drinks tea")
CAT = Memory("m2", Origin.GOLD, "gold", 1, "Has a dog")
ASKED = Query("q", "retrieval", "Tea?", target="m1", pool=POOL)
TESTS = Query("Telltale_q1", "utilization", "Which cup?", ability="ability2", target="m2")


def study(path: Path, query: Query = ASKED, memories: tuple[Memory, ...] = (TEA, CAT)) -> Database:
    """A study of one dialogue with a question before a pool, and one that tests an ability."""
    model = Memory("Telltale_p1", Origin.MODEL, "Telltale", 0, "x")
    talk = Dialogue("s", "d1", (Turn("user", "Tea."),), (*memories, model), (query, TESTS))
    db = open_database(path, create=True)
    with db.write() as conn:
        add_record(conn, add_file(conn, "f", "0" * 64, "f"), SourceRecord(0, "d1", b"x", (talk,)))
    build_items(db, FORMS)
    return db


def views(db: Database) -> dict[str, ItemView]:
    with db.read() as conn:
        ids = conn.execute(text("SELECT id FROM item")).scalars().all()
        return {view.assignment.protocol: view for view in (preview_item(conn, one) for one in ids)}


def pool_of(db: Database) -> PoolView:
    pool = views(db)["memory-retrieval"].pool
    assert pool is not None
    return pool


def test_the_target_is_found_by_its_id_and_its_words_since_ids_repeat(tmp_path: Path) -> None:
    with study(tmp_path / "a.db") as db:
        pool = pool_of(db)
        assert pool.target == 1
        assert [one.shown_id for one in pool.entries] == ["#1", "#2", "#3", "#4"]
        assert [one.id for one in pool.entries] == [-1, -2, -3, -4]
        assert pool.entries[0].key == pool.entries[3].key != pool.entries[1].key
        assert pool.entries[3].confidence is None


def test_a_target_that_is_on_no_record_is_the_one_entry_that_bears_its_id(tmp_path: Path) -> None:
    with study(tmp_path / "a.db", replace(ASKED, target="Telltale_p1"), ()) as db:
        view = views(db)["memory-retrieval"]
        (unit,) = view.units
        assert view.pool is not None
        assert view.pool.target == 3
        assert view.memories[unit.memory_id or 0] == view.pool.entries[3]


def test_a_target_that_several_entries_could_be_is_none_of_them(tmp_path: Path) -> None:
    with study(tmp_path / "a.db", memories=()) as db:
        assert pool_of(db).target is None
        assert views(db)["memory-retrieval"].units[0].memory_id is None


def test_a_question_that_tests_an_ability_comes_with_its_memory_and_all_on_record(tmp_path: Path) -> None:
    with study(tmp_path / "a.db") as db:
        view = views(db)["utilization-check"]
        (unit,) = view.units
        assert (view.queries[unit.id].text, view.queries[unit.id].ability) == ("Which cup?", "ability2")
        assert view.memories[unit.memory_id or 0].value == "Has a dog"
        assert [(one.shown_id, one.value) for one in view.preferences] == [
            ("m1", "Drinks tea"),
            ("m2", "Has a dog"),
        ]
        assert view.pool is None


def test_nothing_but_what_a_record_says_is_in_the_view_or_in_what_is_read_for_it(tmp_path: Path) -> None:
    with study(tmp_path / "a.db") as db:
        shown = repr(views(db))
        with db.read() as conn:
            kept = repr(conn.execute(text("SELECT shown_pool, shown_target FROM query")).all())
            keys = repr(conn.execute(text("SELECT key FROM unit")).all())
    for said in (shown, kept, keys):
        assert "elltale" not in said
        assert "4.25" not in said


def test_a_study_from_before_shows_the_same_questions_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with study(path) as db:
        now = views(db)
    take_back(path, 3)
    with open_database(path) as db:
        assert views(db) == now
        with db.read() as read:
            applied = read.execute(text("SELECT number FROM schema_migration ORDER BY number")).scalars()
            assert list(applied) == [step.number for step in MIGRATIONS]
        assert build_items(db, FORMS) == {"memory-retrieval": 0, "utilization-check": 0}
