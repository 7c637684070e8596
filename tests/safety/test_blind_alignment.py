"""Blind before a reveal: of what a judge said of an item, and of how much it said, a rater meets nothing until then."""

import json
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import at_the_desk
from blind_pilot import BlindPilot, Disk
from blind_studies import BLIND
from canaries import Canaries
from paths import ALPSBENCH, needs_shared
from watching import watched_study

from alps_tui.commands.importing import make_items
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater
from store.database import open_database
from store.kinds import UnitKind

TRACK = ALPSBENCH / "manual_check_data" / "LLM_as_judge_Human_Alignment_data"
FORMS = {
    "judge-alignment-extraction": (
        "task1",
        ["x", "2", "w", "type:!", "enter", "u", "p", "escape", "c", "o", "escape"],
    ),
    "judge-alignment-update": ("task2", ["x", "2", "w", "type:!", "enter", "backspace", "?", "escape"]),
    "judge-alignment-use": ("task3", ["1", "0", "type:.5", "enter", "o", "!", "escape", "g", "escape"]),
}


def seeded(task: str, canaries: Canaries) -> Any:
    """A short real item with reviews, the model under a canary's name and a canary in every word of its judge."""
    found = sorted((TRACK / task).rglob("item.json"), key=lambda path: path.stat().st_size)
    documents = (json.loads(path.read_text("utf-8")) for path in found)
    document = next(one for one in documents if one["judge_output_raw"])
    model = canaries.name("name of a model")
    document |= {"assigned_model": model, "source_result_file": f"results/{model}/judged.json"}
    document["final_score"] = canaries.number("final score")
    said = document["judge_output_raw"]
    if task == "task3":
        said["reason"] = canaries.word("reason of a judge")
    else:
        for reviews in said.values():
            for review in reviews:
                review["rationale"] = canaries.word("rationale of a judge")
    return document


@asynccontextmanager
async def before_it(folder: Path, canaries: Canaries, form: str, task: str) -> AsyncIterator[BlindPilot]:
    """The blind rater before an item that a judge has answered, every connection under watch."""
    (folder / "item.json").write_text(json.dumps(seeded(task, canaries)), encoding="utf-8")
    with open_database(folder / "study.db", create=True) as db:
        import_paths(db, [folder / "item.json"], locate=False)
        with db.write() as conn:
            add_rater(conn, BLIND)
        make_items(db)
    disk = Disk()
    with watched_study(folder / "study.db") as (db, watch):
        async with at_the_desk(db, form, rater=BLIND, size=(80, 24), before_write=disk) as desk:
            yield BlindPilot(desk, canaries, watch, disk)


@needs_shared
@pytest.mark.parametrize(
    "form",
    [
        "judge-alignment-extraction",
        pytest.param("judge-alignment-update", marks=pytest.mark.slow),
        pytest.param("judge-alignment-use", marks=pytest.mark.slow),
    ],
)
async def test_nothing_a_judge_said_is_met_before_its_reveal_and_all_of_it_after(
    tmp_path: Path, form: str
) -> None:
    canaries = Canaries()
    print("canaries of seed", canaries.seed)
    task, keys = FORMS[form]
    async with before_it(tmp_path, canaries, form, task) as pilot:
        desk = pilot.desk
        await pilot.do(keys)
        sitting = desk.annotate.sitting
        assert not sitting.view.judged
        assert not any(unit.kind is UnitKind.JUDGE_FIELD for unit in sitting.view.units)
        while sitting.next_open(None) is not None and task != "task3":
            await pilot.do(["x", "2"])
        pilot.look("just before the reveal")
        desk.hit("enter")
        await desk.until(lambda: desk.annotate.sitting.is_revealed)
        await desk.settle()
        seen = canaries.found_in(repr(desk.annotate.sitting.view))
        assert {"reason of a judge", "rationale of a judge"} & seen
        assert "name of a model" not in seen, "whose answer it is stays hidden"
