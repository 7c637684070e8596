"""The baseline on the 40 real task-4 items: every response is answered, and no judge output reaches its input."""

import json

import pytest
from paths import ALPSBENCH, needs_shared

from alps_tui.items.build import build_items
from alps_tui.judging.baseline import FIELDS, judge_response
from alps_tui.judging.runner import NOT_MADE_FOR, run_offline
from alps_tui.sources.importer import import_paths
from store.database import open_database
from store.kinds import Status
from store.ratings import long_rows

ITEMS = ALPSBENCH / "manual_check_data" / "LLM_as_judge_Human_Alignment_data" / "task4"
CANARY = "canary-7f3a-judge-said-so"


@pytest.fixture(scope="module")
def heard(tmp_path_factory):
    """The real items with a canary wherever a judge or a model is named, imported and judged: study and inputs."""
    folder = tmp_path_factory.mktemp("items")
    for file in sorted(ITEMS.rglob("item.json")):
        item = json.loads(file.read_bytes())
        for key in ("judge_output_raw", "judge_score", "final_score"):
            item[key] = {"score": CANARY, "reason": CANARY, "was": item.get(key)}
        item["assigned_model"] = f"{CANARY}-{item['assigned_model']}"
        for row in item["model_output"].get("score_rows") or []:
            row["reason"] = CANARY
        place = folder / file.parent.name / "item.json"
        place.parent.mkdir()
        place.write_text(json.dumps(item), encoding="utf-8")
    inputs = []

    def listens(*shown):
        inputs.append(shown)
        return judge_response(*shown)

    with open_database(folder / "alps.db", create=True) as db:
        import_paths(db, [folder])
        build_items(db)
        report = run_offline(db, judge=listens)
        yield db, report, inputs


@needs_shared
def test_all_72_responses_of_the_40_items_are_answered_on_every_field(heard):
    db, report, inputs = heard
    assert (report.responses, len(report.failed), len(inputs)) == (72, 0, 72)
    with db.read() as conn:
        rows = [row for row in long_rows(conn, protocol="response-rating") if row["rater"] == report.rater]
    mine = [row for row in rows if row["field"] in FIELDS]
    left = [row for row in rows if row["field"] not in FIELDS]
    assert len(mine) == 72 * len(FIELDS)
    assert {row["status"] for row in rows} <= {Status.ANSWERED, Status.CANNOT_JUDGE}
    assert {(row["status"], row["skip_reason"]) for row in left} == {(Status.CANNOT_JUDGE, NOT_MADE_FOR)}
    assert {"preference_status", "claimed_memories", "score"} <= {row["field"] for row in left}
    assert all(row["skip_reason"] for row in rows if row["status"] == Status.CANNOT_JUDGE)


@needs_shared
def test_no_judge_output_score_or_model_name_reaches_the_judge(heard):
    db, _, inputs = heard
    stored = b"".join(file.read_bytes() for file in db.path.parent.glob("alps.db*"))
    assert CANARY.encode() in stored
    assert CANARY not in repr(inputs)


@needs_shared
def test_what_it_cannot_compare_is_two_scripts_and_nothing_else(heard):
    _, report, _ = heard
    reasons = report.unscored.get("preference_alignment", {})
    assert sum(reasons.values()) + sum(report.values["preference_alignment"].values()) == 72
    made_for = {key for key, why in report.unscored.items() if NOT_MADE_FOR not in why}
    assert made_for <= {"preference_alignment"}
    assert all(reason.startswith("words cannot be compared") for reason in reasons)


@needs_shared
def test_a_second_run_over_the_real_items_does_nothing(heard):
    db, report, _ = heard
    again = run_offline(db)
    assert (again.answered, again.already_done) == (0, report.items)
