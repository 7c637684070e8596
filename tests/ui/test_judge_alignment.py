"""Judges held against people with keys alone: blind on the judge's own scale, locked, revealed, judged; real items."""

import json
import re
from collections import Counter
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import pytest
from at_the_desk import Desk, at_the_desk, queue_of
from paths import ALPSBENCH, needs_shared
from sqlalchemy import text

from alps_tui.commands.importing import make_items
from alps_tui.sources.importer import import_paths
from alps_tui.ui.keymap import Keymap
from alps_tui.ui.review_board import ReviewSitting
from alps_tui.ui.screens import acting, advancing
from store.assignments import add_rater, progress
from store.database import Database, open_database
from store.decisions import verify
from store.kinds import ItemState, Phase, UnitKind
from store.ratings import long_rows
from store.records import Assignment

TRACK = ALPSBENCH / "manual_check_data" / "LLM_as_judge_Human_Alignment_data"
ABILITY, EMOTION, USE = "judge-alignment-ability", "judge-alignment-emotion", "judge-alignment-use"
REVIEW, EXTRACTION, UPDATE = "extraction-review", "judge-alignment-extraction", "judge-alignment-update"


@pytest.fixture(autouse=True)
def unhurried(monkeypatch: pytest.MonkeyPatch) -> None:
    """A person pauses before the answer for the whole item, and between locking and submitting; a test need not."""
    monkeypatch.setattr(advancing, "RHYTHM_SECONDS", 0.0)
    monkeypatch.setattr(acting, "SUBMIT_ONCE_SECONDS", 0.0)


def judged(task: str, number: int = 2) -> list[Path]:
    """The shortest real items of a task that a judge has answered."""
    found = sorted((TRACK / task).rglob("item.json"), key=lambda path: path.stat().st_size)
    return [path for path in found if json.loads(path.read_text("utf-8"))["judge_output_raw"] is not None][
        :number
    ]


@contextmanager
def study_of(folder: Path, *files: Path) -> Iterator[Database]:
    with open_database(folder / "study.db", create=True) as db:
        import_paths(db, files, locate=False)
        with db.write() as conn:
            add_rater(conn, "ada")
        make_items(db)
        yield db


def rows_of(db: Database, form: str, rater: str = "ada") -> list[dict[str, Any]]:
    with db.read() as conn:
        return [
            row
            for row in long_rows(conn, protocol=form)
            if row["rater"] == rater and row["status"] == "answered"
        ]


def told(rows: list[dict[str, Any]]) -> dict[str, tuple[Any, ...]]:
    return {
        row["field"]: (json.loads(row["value"]), row["phase"], row["level"], row["scale"], row["saw_judge"])
        for row in rows
    }


def done(db: Database, one: Assignment) -> int:
    with db.read() as conn:
        return progress(conn, one.rater_id, one.protocol).submitted


async def reveal(desk: Desk) -> None:
    await desk.press("enter")
    await desk.until(lambda: desk.annotate.sitting.is_revealed)
    await desk.settle()


@needs_shared
def test_every_output_of_a_judge_is_offered_in_its_form_and_nothing_else_is(tmp_path: Path) -> None:
    both = ALPSBENCH / "manual_check_data"
    with study_of(tmp_path, both) as db, db.read() as conn:
        counts = Counter(
            row.name
            for row in conn.execute(
                text("SELECT p.name FROM item i JOIN protocol p ON p.id = i.protocol_id")
            ).all()
        )
    answered: Counter[str] = Counter()
    for path in both.rglob("item.json"):
        item = json.loads(path.read_text("utf-8"))
        if item.get("judge_output_raw") is not None:
            answered[item["task"]] += 1
    of_abilities = {task: n for task, n in answered.items() if task.startswith("task4/")}
    assert len(of_abilities) == 5
    emotion = of_abilities.pop("task4/ability5")
    assert {name: n for name, n in counts.items() if name.startswith("judge-alignment")} == {
        EXTRACTION: answered["task1"],
        UPDATE: answered["task2"],
        USE: answered["task3"],
        ABILITY: sum(of_abilities.values()),
        EMOTION: 5 * emotion,
    }


@needs_shared
@pytest.mark.parametrize(
    "ability",
    [1, *(pytest.param(number, marks=pytest.mark.slow) for number in (2, 3, 4))],
)
async def test_a_score_is_given_blind_then_locked_and_the_judges_judged_beside_it(
    tmp_path: Path, ability: int
) -> None:
    files = judged(f"task4/ability{ability}")
    with study_of(tmp_path, *files) as db:
        async with at_the_desk(db, ABILITY, size=(80, 24)) as desk:
            item = desk.assignment
            assert "The judge said" not in desk.screen()
            await desk.press("1")
            assert "enter locks it and shows what the judge said" in desk.sentence
            await reveal(desk)
            assert done(db, item) == 0
            assert (desk.assignment.id, desk.assignment.phase) == (item.id, Phase.REVEALED)
            assert "judge: score" in desk.screen() and "you: score 1 yes" in desk.screen()
            await desk.press("u")
            assert desk.sentence == "There is nothing to undo on this item."
            await desk.press("0")
            assert desk.sentence.startswith("0 is no answer"), "the blind question is asked no more"
            await desk.press("x", "2", "enter")
            await desk.type("one")
            await desk.press("enter", "1", "u", "2", "enter")
            assert desk.stored(item).state is ItemState.SUBMITTED
            assert done(db, item) == 1
        scale = '["supported","partially_supported","not_supported"]'
        said = told(rows_of(db, ABILITY))
        assert said["score"] == (1, "blind", "ordinal", "[0,1]", False)
        assert said["humanVerdict"] == ("not_supported", "revealed", "ordinal", scale, True)
        assert said["issueTypes"][0] == ["score_too_low"] and said["suggestedCorrection"][0] == "one"
        assert said["alignmentVerdict"][:2] == ("partially_aligned", "revealed")
        with db.read() as conn:
            assert verify(conn) == ()


@needs_shared
async def test_an_item_opened_again_after_the_reveal_keeps_the_blind_answers(tmp_path: Path) -> None:
    with study_of(tmp_path, *judged("task4/ability1", 1)) as db:
        async with at_the_desk(db, ABILITY) as desk:
            await desk.press("0")
            await reveal(desk)
            await desk.press("a", "1")
            desk.hit("enter")
            await desk.until(lambda: desk.acts()[-1] == "submit")
        async with at_the_desk(db, ABILITY) as desk:
            assert desk.annotate.sitting.is_revealed
            await desk.press("r", "1", "x", "5", "enter", "enter", "enter")
        said = {(row["field"], row["phase"]): json.loads(row["value"]) for row in rows_of(db, ABILITY)}
        assert said[("score", "blind")] == 0 and ("score", "revealed") not in said
        assert said[("humanVerdict", "revealed")] == "not_supported"


@needs_shared
@pytest.mark.parametrize(
    ("task", "form", "blind", "fields"),
    [
        ("task3", USE, ["1", "0", "enter", "1", "enter"], ["used_memory", "score", "reason"]),
        ("task4/ability5", EMOTION, ["3", "4", "0"], ["resonation", "expression", "reception"]),
    ],
)
async def test_every_field_of_the_judge_gets_its_verdict(
    tmp_path: Path, task: str, form: str, blind: list[str], fields: list[str]
) -> None:
    with study_of(tmp_path, *judged(task, 1)) as db:
        item = queue_of(db, form)[0]
        async with at_the_desk(db, form, size=(120, 40)) as desk:
            if form == USE:
                assert "The memory it needs" in desk.screen() and "The reason it gave" in desk.screen()
            await desk.press(*blind[:2])
            if form == USE:
                await desk.type(".5")
            await desk.press(*blind[2:3])
            await reveal(desk)
            with db.read() as conn:
                mine = [
                    row for row in long_rows(conn, protocol=form) if row["rater_kind"] == "imported_judge"
                ]
            given = [name for name in fields if name in {row["field"] for row in mine}]
            assert [unit.shown_id for unit in desk.annotate.sitting.units] == given
            await desk.press(*("a" * len(given)), "1")
            desk.hit("enter")
            await desk.until(lambda: desk.stored(item).state is ItemState.SUBMITTED)
        verdicts = [row for row in rows_of(db, form) if row["field"] == "humanVerdict"]
        assert [json.loads(row["value"]) for row in verdicts] == ["supported"] * len(given)
        units = {row["unit_id"] for row in rows_of(db, form) if row["field"] in fields}
        assert units <= {row["unit_id"] for row in mine if row["field"] in fields}, "the judge's own units"


# ---------------------------------------------------------------- reviews of two lists


def rich(task: str) -> Path:
    """A short real item with at least two memories of the model's, two of the gold, and reviews of each kind."""
    for path in judged(task, 99):
        document = json.loads(path.read_text("utf-8"))
        reviews = document["judge_output_raw"]
        if all(reviews.get(f"{kind}_reviews") for kind in ("pair", "missing", "extra")):
            return path
    raise AssertionError(f"no item of {task} has all three kinds of review")


@needs_shared
async def test_an_extraction_is_reviewed_with_keys_alone_and_scored_on_the_judges_scale(
    tmp_path: Path,
) -> None:
    with study_of(tmp_path, rich("task1")) as db:
        async with at_the_desk(db, REVIEW, size=(80, 24)) as desk:
            item, sitting = desk.assignment, desk.annotate.sitting
            models = [unit for unit in sitting.units if unit.key.startswith("pred:")]
            gold = [unit for unit in sitting.units if not unit.key.startswith("pred:")]
            assert (len(models), len(gold)) >= (1, 2) and not desk.stored().answers, "nothing is preselected"
            await desk.press("enter")
            assert desk.sentence.startswith("Not yet: m1")
            await desk.press("1", "1", "2")
            assert "score 82 of 100 so far" in desk.screen()
            await desk.press("u")
            assert not desk.stored().answers, "a review is one act, and one undo"
            await desk.press("1", "0")
            await desk.press(*("x", "2") * (len(gold) - 1))
            await desk.press("x", "1", "1", *("x", "2") * (len(models) - 2), "w")
            await desk.type("no word of it")
            await desk.press("enter")
            assert desk.annotate.sitting.n_decided() == len(sitting.units)
            assert "score 85 of 100" in desk.screen() and "so far" not in desk.screen()
            desk.hit("enter")
            await desk.until(lambda: desk.stored(item).state is ItemState.SUBMITTED)
        rows = rows_of(db, REVIEW)
        (score,) = [row for row in rows if row["field"] == "penalty_score"]
        assert (json.loads(score["value"]), score["level"], score["attested"]) == (85, "interval", "derived")
        kinds = [json.loads(row["value"]) for row in rows if row["field"] == "review"]
        assert sorted(kinds) == sorted(
            ["pair", *["missing"] * (len(gold) - 1), *["extra"] * (len(models) - 1)]
        )
        assert {row["phase"] for row in rows} == {"blind"}
        named = {row["unit_id"].rpartition("/")[2] for row in rows if row["field"] == "review"}
        judge = {
            row["unit_id"].rpartition("/")[2]
            for row in rows_of(db, REVIEW, "judge-of-manual-check-task1")
            if row["field"] == "review"
        }
        assert named & judge, "a person and a judge who name the same memories answer for one unit"


@needs_shared
async def test_whoever_loses_a_partner_to_another_pair_is_named(tmp_path: Path) -> None:
    with study_of(tmp_path, rich("task1")) as db:
        async with at_the_desk(db, REVIEW, size=(120, 40)) as desk:
            first, second = [
                unit for unit in desk.annotate.sitting.units if not unit.key.startswith("pred:")
            ][:2]
            await desk.press("1", "0")
            assert "any more" not in desk.sentence
            board = desk.annotate.sitting
            assert isinstance(board, ReviewSitting)
            partner = board.partner(first)
            assert partner is not None and desk.cursor == second.shown_id
            at = [unit.key for unit in board.alike(second)].index(partner.key)
            await desk.press(str(at + 1), "0")
            assert desk.sentence.startswith(f"{first.shown_id} has no review any more: the partner was taken")
            assert board.partner(first) is None and board.partner(second) == partner
            await desk.press("u")
            assert board.partner(first) == partner and board.partner(second) is None


@needs_shared
async def test_the_keys_of_a_review_are_named_and_can_be_others(tmp_path: Path) -> None:
    other = Keymap({"no_partner": ("L",), "pair": ("f3",)})
    with study_of(tmp_path, rich("task1")) as db:
        async with at_the_desk(db, REVIEW, size=(120, 40), keymap=other) as desk:
            assert "L missing: the model has nothing for it" in desk.screen()
            assert "L no partner" in desk.screen()
            await desk.press("x")
            assert not desk.stored().answers
            await desk.press("L", "2")
            assert [unit.kind for unit in desk.stored().made] == [UnitKind.REVIEW]
            await desk.press("?")
            assert re.search(r"L +This memory has no partner", desk.screen())
            await desk.press("escape", "j", "f3")
            assert re.search(r"Pair m\d+ with which memory", desk.screen())


@needs_shared
@pytest.mark.parametrize(("task", "form"), [("task1", EXTRACTION), ("task2", UPDATE)])
async def test_reviews_are_made_blind_and_each_of_the_judges_gets_its_verdict(
    tmp_path: Path, task: str, form: str
) -> None:
    path = rich(task)
    said = json.loads(path.read_text("utf-8"))["judge_output_raw"]
    reviews = [one for kind in ("pair", "missing", "extra") for one in said[f"{kind}_reviews"]]
    with study_of(tmp_path, path) as db:
        async with at_the_desk(db, form, size=(120, 40)) as desk:
            item, rows = desk.assignment, desk.annotate.sitting.units
            assert reviews[0]["rationale"][:20] not in desk.screen()
            await desk.press(*("x", "2") * len(rows))
            await reveal(desk)
            assert len(desk.annotate.sitting.units) == len(reviews)
            shown = " ".join(desk.screen().split())
            assert f"its score {json.loads(path.read_text('utf-8'))['judge_score']:g}, yours 100" in shown
            assert "gold m" in shown and reviews[0]["rationale"].split()[0] in shown
            await desk.press(*"a" * len(reviews), "1")
            desk.hit("enter")
            await desk.until(lambda: desk.stored(item).state is ItemState.SUBMITTED)
        verdicts = [row for row in rows_of(db, form) if row["field"] == "humanVerdict"]
        assert len(verdicts) == len(reviews) and {row["phase"] for row in verdicts} == {"revealed"}
        with db.read() as conn:
            assert verify(conn) == ()
