"""Items in which a judge is held against people: made of what judges answered, and of nothing else."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from judged_sessions import judged_memories, session_packet, write

from alps_tui.commands.importing import make_items
from alps_tui.items.judged_items import alignment_forms
from alps_tui.protocols.json_schema import answer_schema
from alps_tui.protocols.loading import load_builtin
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assignments, raters
from store.content import item_view
from store.database import Database, open_database
from store.decisions import append, verify
from store.kinds import RaterKind, UnitKind, Verb
from store.ratings import long_rows
from store.records import Act

FORM = "judge-alignment-extraction"


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with open_database(tmp_path / "study.db", create=True) as study:
        with study.write() as conn:
            add_rater(conn, "ada")
        yield study


def bring(db: Database, *paths: Path) -> dict[str, int]:
    import_paths(db, paths)
    return make_items(db)[0]


def test_what_no_judge_has_answered_is_never_offered(db, tmp_path):
    unjudged = judged_memories() | {"llm_as_judge_results": {}}
    made = bring(db, write(tmp_path / "p.json", session_packet()), write(tmp_path / "j.json", unjudged))
    assert not any(made.get(form.name) for form in alignment_forms())


def test_a_judged_item_is_made_once_with_the_judges_own_answers_on_it(db, tmp_path):
    path = write(tmp_path / "j.json", judged_memories())
    assert bring(db, path)[FORM] == 1
    assert bring(db, path)[FORM] == 0
    with db.read() as conn:
        rows = [row for row in long_rows(conn, protocol=FORM) if row["status"] == "answered"]
        assert {row["rater_kind"] for row in rows} == {RaterKind.IMPORTED_JUDGE}
        assert {row["unit_id"].rpartition("/")[2] for row in rows if row["field"] == "review"} == {
            "pair:m1:p1",
            "missing:m2",
            "extra:p2",
        }
        assert [row["number"] for row in rows if row["field"] == "penalty_score"] == [57]
        assert verify(conn) == ()


def test_what_the_judge_said_is_read_only_after_a_reveal(db, tmp_path):
    bring(db, write(tmp_path / "j.json", judged_memories()))
    with db.read() as conn:
        ada = next(rater for rater in raters(conn) if rater.name == "ada")
        (mine,) = assignments(conn, ada.id, FORM)
        blind = item_view(conn, mine.id)
    assert not blind.judged and not any(unit.kind is UnitKind.JUDGE_FIELD for unit in blind.units)
    at = "2026-05-01T10:00:00+00:00"
    with db.write() as conn:
        append(conn, Act(Verb.SUBMIT, mine.id, mine.item_id, "act-1", at))
        append(conn, Act(Verb.REVEAL, mine.id, mine.item_id, "act-2", at))
        revealed = item_view(conn, mine.id)
    said = [revealed.judged[unit.id].values for unit in revealed.units if unit.kind is UnitKind.JUDGE_FIELD]
    assert [one["review"] for one in said] == ["pair", "missing", "extra"]


def test_a_judge_is_asked_only_what_is_asked_blind():
    for form in alignment_forms():
        alone = answer_schema(load_builtin(form.blind))["properties"]
        asked = answer_schema(form)["properties"]
        assert asked.keys() <= alone.keys() and asked
        assert "humanVerdict" not in str(asked)
