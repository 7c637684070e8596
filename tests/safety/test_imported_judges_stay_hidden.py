"""An imported judge answers the very items people get: nothing it said is fetched for a blind rater."""

import json
import secrets
from pathlib import Path

from watching import watched_study

from alps_tui.commands.importing import make_items
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all, assignments, next_open, progress
from store.content import annotations, item_view, preview_item
from store.database import open_database
from store.ratings import long_rows

CANARY = f"canary-{secrets.token_hex(6)}"

ITEM = {
    "task": "task4/ability5",
    "canonical_id": "english_1",
    "session_id": "english_1",
    "assigned_model": "some-model",
    "original": {
        "queries": [{"query_id": "english_1:0", "query": "I am tired.", "category": "Emotional Support"}],
        "conversation": [{"role": "user", "text": "Hello."}],
        "extracted_memory": [{"label": "Preferences/Food", "value": "Does not eat meat"}],
    },
    "model_output": {"responses": [{"query_id": "english_1:0", "response": "Rest first."}]},
    "judge_output_raw": [
        {"response": "Rest first.", "resonation": 4, "expression": 3, "reception": 5, "why": CANARY}
    ],
    "judge_score": {"avg_resonation": 4.0, "why": CANARY},
    "final_score": {"why": CANARY},
}


def test_nothing_an_imported_judge_said_is_fetched_for_a_blind_rater(tmp_path: Path) -> None:
    path = tmp_path / "study.db"
    (tmp_path / "item.json").write_text(json.dumps(ITEM))
    with open_database(path, create=True) as db:
        import_paths(db, [tmp_path / "item.json"])
        make_items(db)
        with db.write() as conn:
            person = add_rater(conn, "ada")
            assert assign_all(conn, person.id) == 4
        with db.read() as conn:
            (said,) = annotations(conn, "judge:ability")
            scores = [row["number"] for row in long_rows(conn) if row["status"] == "answered"]
    assert CANARY in json.dumps(said.payload)
    assert sorted(scores) == [3, 3, 4, 4, 5, 5], "its own item, and the one where it is held against people"

    with watched_study(path) as (db, watch), db.read() as conn:
        for mine in assignments(conn, person.id):
            assert item_view(conn, mine.id).answers.answers == {}
            preview_item(conn, mine.item_id)
            progress(conn, person.id, mine.protocol)
            next_open(conn, person.id, mine.protocol)

    told = repr(watch.rows) + repr(watch.statements)
    for secret in (CANARY, said.rater, "some-model", "derived-"):
        assert secret not in told
    assert not any("annotation" in statement for statement in watch.statements)
