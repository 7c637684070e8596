"""Items about an update: the view a blind rater has, versions when records change, and studies from before."""

from pathlib import Path

from earlier import take_back
from sqlalchemy import text

from alps_tui.items.build import build_items
from alps_tui.protocols.loading import load_builtin
from store.content import add_record, preview_item
from store.content_records import Dialogue, Memory, SourceRecord, Turn, UpdateTask
from store.database import Database, open_database
from store.kinds import EvidenceMatch, Origin
from store.migrations.steps import MIGRATIONS

FORM = load_builtin("memory-update")


def record(name: str, value: str, **more: object) -> dict[str, object]:
    return {"memory_id": name, "value": value, "label": "Preferences/Food", **more}


TEA = record("m1", "Drinks tea", evidence={"utterance_index": 0, "text": "I drink tea"})
CAT = record("Telltale_m2", "Has a cat", evidence={"text": "my  CAT"}, judge_score=4.25, judge="Telltale")
COFFEE = record("m1_updated", "Drinks coffee", evidence=None)
DOG = record("m_new_1", "Has a dog", evidence={"utterance_index": 0, "text": "a dog too"}, best="Telltale")


def add(db: Database, answer: tuple[dict[str, object], ...], ordinal: int = 1) -> None:
    task = UpdateTask("u1", "m1", (Turn("assistant", "Well?"), Turn("user", "I have a dog too, no tea now")),
                      (TEA, CAT), answer)  # fmt: skip
    talk = Dialogue(
        "s", "d1", (Turn("user", "I drink tea with my cat"), Turn("assistant", "Nice")),
        memories=(Memory("m", Origin.MODEL, "Telltale", 0, "x"),), updates=(task,),
    )  # fmt: skip
    with db.write() as conn:
        if ordinal == 1:
            conn.execute(
                text(
                    "INSERT INTO source_file (id, path, sha256, format, imported_at) VALUES (1, 'f', 'f', 'f', '')"
                )
            )
        add_record(conn, 1, SourceRecord(ordinal, "d1", b"%d" % ordinal, (talk,)))


def study(path: Path) -> Database:
    db = open_database(path, create=True)
    add(db, (CAT, COFFEE, DOG))
    build_items(db, [FORM])
    return db


def test_the_new_dialogue_follows_the_old_and_quotes_are_found_in_theirs(tmp_path: Path) -> None:
    with study(tmp_path / "a.db") as db, db.read() as conn:
        view = preview_item(conn, 1)
    assert view.update is not None
    assert (view.update.begins, len(view.turns)) == (2, 4)
    assert [one.value for one in view.update.before] == ["Drinks tea", "Has a cat"]
    units = [unit for unit in view.units if unit.memory_id is not None]
    cat, coffee, dog = (view.memories[unit.memory_id or 0] for unit in units)
    assert [(e.match, e.turn, e.start) for e in cat.evidence] == [(EvidenceMatch.NORMALISED, 0, 17)]
    assert coffee.evidence == ()
    assert [(e.match, e.turn, e.start) for e in dog.evidence] == [(EvidenceMatch.EXACT, 3, 7)]
    tea, before = view.update.before
    assert (cat.key, coffee.key) == (before.key, f"{tea.key}_updated")


def test_nothing_but_what_a_record_says_is_in_the_view_or_in_what_is_read_for_it(tmp_path: Path) -> None:
    with study(tmp_path / "a.db") as db, db.read() as conn:
        shown = repr(preview_item(conn, 1))
        kept = repr(conn.execute(text("SELECT shown_before, shown_after FROM update_task")).all())
        keys = repr(conn.execute(text("SELECT key FROM unit")).all())
    for said in (shown, kept, keys):
        assert "elltale" not in said
        assert "4.25" not in said


def test_other_records_make_a_new_version_of_the_item_and_the_same_ones_none(tmp_path: Path) -> None:
    with study(tmp_path / "a.db") as db:
        assert build_items(db, [FORM]) == {"memory-update": 0}
        add(db, (CAT, COFFEE | {"value": "Drinks espresso"}, DOG), 2)
        assert build_items(db, [FORM]) == {"memory-update": 1}
        with db.read() as conn:
            versions = conn.execute(text("SELECT version, update_id FROM item ORDER BY id")).all()
            assert [tuple(row) for row in versions] == [(1, 1), (2, 2)]
            assert "Drinks espresso" in repr(preview_item(conn, 2).memories)
            assert "Drinks espresso" not in repr(preview_item(conn, 1).memories)


def test_an_item_made_before_updates_could_be_shown_is_the_same_item_afterwards(tmp_path: Path) -> None:
    path = tmp_path / "a.db"
    with study(path) as db, db.read() as conn:
        now = preview_item(conn, 1)
    take_back(path, 1)
    with open_database(path) as db:
        with db.read() as conn:
            assert preview_item(conn, 1) == now
            applied = conn.execute(text("SELECT number FROM schema_migration ORDER BY number")).scalars()
            assert list(applied) == [step.number for step in MIGRATIONS]
        assert build_items(db, [FORM]) == {"memory-update": 0}
