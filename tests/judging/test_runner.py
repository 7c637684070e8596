"""The offline judge as a rater: it answers through the log, once, and never turns a failure into a score."""

import os
import signal
import subprocess
import sys
import textwrap
from dataclasses import replace
from pathlib import Path

import pytest
from rating_studies import rate, rating_study
from studies import act, tiny_study

from alps_tui.judging import runner
from alps_tui.judging.baseline import FIELDS, NAME, Verdict, definition, judge_response
from alps_tui.judging.runner import NOT_MADE_FOR, run_offline
from alps_tui.protocols.loading import load_builtin
from store.assignments import assignments, rater_by_name
from store.content import item_view
from store.database import open_database
from store.decisions import append, verify
from store.errors import NotPossible
from store.judges import calls, judges_of
from store.kinds import Attested, ItemState, RaterKind, Status, Verb


@pytest.fixture
def study(tmp_path):
    with rating_study(tmp_path / "alps.db") as db:
        yield db


def answers(db, name=NAME):
    """Every answer of a rater: (item, unit, field) -> Answer."""
    with db.read() as conn:
        rater = rater_by_name(conn, name)
        return {
            (one.item_id, unit, field): answer
            for one in assignments(conn, rater.id)
            for (unit, field), answer in item_view(conn, one.id).answers.answers.items()
        }


def test_the_judge_answers_every_response_through_the_log_and_submits(study):
    report = run_offline(study)
    assert (report.items, report.answered, report.responses, report.failed) == (3, 3, 6, ())
    given = answers(study)
    mine = [answer for (_, _, field), answer in given.items() if field in FIELDS]
    left = {answer.reason for (_, _, field), answer in given.items() if field not in FIELDS}
    assert (len(mine), left) == (6 * len(FIELDS), {NOT_MADE_FOR})
    assert {answer.attested for answer in given.values()} == {Attested.EXPLICIT}
    with study.read() as conn:
        rater = rater_by_name(conn, NAME)
        assert rater.kind is RaterKind.BASELINE
        assert rater.params["baseline"] is True and "understands nothing" in rater.params["text"]
        assert {one.state for one in assignments(conn, rater.id)} == {ItemState.SUBMITTED}
        assert verify(conn) == ()


def test_a_second_run_asks_nothing_and_writes_nothing(study):
    run_offline(study)
    before = answers(study)

    def never(*_):
        raise AssertionError("asked again")

    report = run_offline(study, judge=never)
    assert (report.already_done, report.answered, report.failed) == (3, 0, ())
    assert answers(study) == before


def test_a_dry_run_counts_and_changes_nothing(study):
    report = run_offline(study, dry_run=True)
    assert report.dry_run and (report.items, report.answered, report.responses) == (3, 3, 6)
    with study.read() as conn:
        assert rater_by_name(conn, NAME) is None


def test_a_failing_item_is_a_status_and_never_a_score_and_is_asked_again(study):
    def fails_on_steak(response, *rest):
        if "steak" in response:
            raise RuntimeError("no steak")
        return judge_response(response, *rest)

    report = run_offline(study, judge=fails_on_steak)
    assert report.answered == 0
    assert [reason for _, reason in report.failed] == ["RuntimeError: no steak"] * 3
    assert answers(study) == {}
    with study.read() as conn:
        (judge,) = judges_of(conn, rater_by_name(conn, NAME).id)
        assert [one.status for one in calls(conn, judge.id)] == ["parse_error"] * 3
    assert run_offline(study).answered == 3
    with study.read() as conn:
        assert [one.status for one in calls(conn, judge.id)] == ["ok"] * 3


@pytest.mark.parametrize(
    "verdict",
    [
        Verdict({**dict.fromkeys(FIELDS, 3), "preference_alignment": 6}),
        Verdict({"preference_alignment": 3}),
        Verdict({**dict.fromkeys(FIELDS, 3), "kindness": 3}),
    ],
)
def test_an_answer_that_the_form_does_not_allow_fails_its_item(study, verdict):
    report = run_offline(study, judge=lambda *_: verdict)
    assert len(report.failed) == 3 and report.answered == 0
    assert answers(study) == {}


def test_what_the_judge_cannot_judge_is_stored_with_its_reason_and_without_a_value(study):
    unscored = Verdict(dict.fromkeys(FIELDS[1:], "na"), {FIELDS[0]: "words cannot be compared"})
    report = run_offline(study, judge=lambda *_: unscored)
    assert report.unscored[FIELDS[0]] == {"words cannot be compared": 6}
    assert report.unscored["error_spans"] == {NOT_MADE_FOR: 6}
    cells = [answer for (_, _, field), answer in answers(study).items() if field == FIELDS[0]]
    assert {(answer.status, answer.value, answer.reason) for answer in cells} == {
        (Status.CANNOT_JUDGE, None, "words cannot be compared")
    }


def test_a_reopened_item_is_answered_again_from_the_call_that_was_made(study):
    run_offline(study)
    before = {key: answer.value for key, answer in answers(study).items()}
    with study.write() as conn:
        one = assignments(conn, rater_by_name(conn, NAME).id)[0]
        append(conn, act(Verb.REOPEN, one))

    def never(*_):
        raise AssertionError("asked again")

    assert run_offline(study, judge=never).answered == 1
    assert {key: answer.value for key, answer in answers(study).items()} == before


def test_the_judge_sees_what_a_blind_rater_sees_and_nothing_of_people_models_or_origins(study):
    rate(study, "ada", 5)
    told = []

    def listens(*shown):
        told.append(repr(shown))
        return judge_response(*shown)

    run_offline(study, judge=listens)
    everything = "\n".join(told)
    assert len(told) == 6 and "A steak." in everything
    for secret in ("model-north", "model-south", "gold", "ada", "preference_alignment"):
        assert secret not in everything


def test_a_changed_lexicon_is_another_judge_and_answers_as_another_rater(study, monkeypatch):
    run_offline(study)
    newer = replace(definition(), lexicon_version="2")
    monkeypatch.setattr(runner, "definition", lambda _: newer)
    report = run_offline(study)
    assert report.rater == f"{NAME}-{newer.sha256[:8]}"
    assert report.answered == 3
    assert run_offline(study).already_done == 3


def test_a_study_with_another_form_of_that_name_is_refused_with_a_sentence(tmp_path):
    with tiny_study(tmp_path / "tiny.db") as db:
        with db.write() as conn:
            form = load_builtin("response-rating").version
            conn.exec_driver_sql(f"UPDATE protocol SET version = '{form}' WHERE name = 'response-rating'")
        with pytest.raises(NotPossible, match="new version"):
            run_offline(db)


def test_progress_counts_every_item(study):
    seen = []
    run_offline(study, progress=lambda done, total: seen.append((done, total)))
    assert seen == [(1, 3), (2, 3), (3, 3)]


def test_a_killed_run_goes_on_where_it_stopped(tmp_path):
    path = tmp_path / "alps.db"
    with rating_study(path, dialogues_made=8):
        pass
    code = textwrap.dedent(
        """
        import os, signal, sys
        from alps_tui.judging.runner import run_offline
        from store.database import open_database

        def stop(done, total):
            if done == 3:
                os.kill(os.getpid(), signal.SIGKILL)

        run_offline(open_database(sys.argv[1]), progress=stop)
        """
    )
    root = Path(__file__).resolve().parents[2]
    killed = subprocess.run([sys.executable, "-c", code, str(path)], cwd=root, env=os.environ, check=False)
    assert killed.returncode == -signal.SIGKILL
    with open_database(path) as db:
        report = run_offline(db)
        assert (report.already_done, report.answered) == (3, 5)
        with db.read() as conn:
            assert verify(conn) == ()
