"""Hostile text in the records of an update, before and after, and in its new dialogue: text on the screen, and no more."""

import json
from functools import partial
from pathlib import Path

import pytest
from at_the_desk import at_the_desk
from hostile_studies import Words
from hostile_text import BREAKS, foreign, mixture, said, shown

from alps_tui.items.build import build_items
from alps_tui.protocols.loading import load_builtin
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all
from store.database import Database, open_database

UPDATE = "memory-update"
RECORD = (
    "value",
    "label",
    "type",
    "label_suggestion",
    "reasoning",
    "time_scope",
    "emotion",
    "preference_attitude",
)


def record(words: Words, place: str, name: str) -> dict[str, object]:
    told = {key: words(f"{place}{key.upper().replace('_', '')}") for key in RECORD}
    return {"memory_id": name, **told, "confidence": 0.5, "evidence": {"text": words(f"{place}QUOTE")}}


def hostile_update(folder: Path, words: Words) -> Database:
    """A study of one update: a memory that was reworded, one that came, one that went. The caller closes it."""
    old = words("ID")
    before = [record(words, "WAS", old), record(words, "GONE", words("GONEID"))]
    after = [
        record(words, "NOW", f"{old}_updated"),
        record(words, "NEW", "m_new_1"),
        {"value": [words("ODD")]},
    ]
    packet = {
        "session_id": words("SESSION"),
        "dialogue": [{"role": "user", "text": words("TURN")}],
        "task1": {"ground_truth_memories": [], "llm_outputs": {}},
        "task2": {
            "new_dialogue": [{"role": "user", "text": words("NEWTURN")}],
            "memory_pool_before_update": before,
            "golden_answer": after,
        },
    }
    path = folder / "packet.json"
    path.write_text(json.dumps(packet), encoding="utf-8")
    db = open_database(folder / "study.db", create=True)
    import_paths(db, [path])
    build_items(db, [load_builtin(UPDATE)])
    with db.write() as conn:
        assign_all(conn, add_rater(conn, "ada").id)
    return db


@pytest.mark.parametrize("turn", [0, pytest.param(5, marks=pytest.mark.slow)])
async def test_hostile_records_of_an_update_are_text(tmp_path: Path, turn: int) -> None:
    words = Words(partial(mixture, turn=turn))
    db = hostile_update(tmp_path, words)
    try:
        async with at_the_desk(db, UPDATE, size=(120, 40)) as desk:
            seen = []
            for keys in (["j", "k"], ["j"], ["j"], ["k", "a", "k"], ["e", "escape"]):
                await desk.press(*keys)
                strips = desk.app.screen._compositor.render_strips()
                seen.append(said(strip.text for strip in strips))
            assert not foreign(desk.driver.frames)
        for place in ("NEWTURN", "NOWLABEL", "NEWVALUE", "NEWLABEL", "GONEVALUE"):
            texts = shown(words(place), len(place) + len(BREAKS))
            assert any(text in one for text in texts for one in seen), place
        assert any("WASVALUE" in one for one in seen)
    finally:
        db.close()
