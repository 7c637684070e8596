"""Every command says what it did, in the right place, with the right exit code."""

import csv
import re
import shutil
import sqlite3
import subprocess
import sys
from pathlib import Path

import orjson
import pytest
from command_line import run, run_process
from earlier import take_back

TINY = {
    "dialogue_id": "d1",
    "dialogue": [
        {"role": "user", "content": "I am vegetarian [really], and I live in Porto."},
        {"role": "assistant", "content": "Noted: no meat."},
    ],
    "memories": [
        {
            "id": "m1",
            "type": "direct",
            "label": "Preferences/Food",
            "value": "Is vegetarian.",
            "evidence": {"turn": 0, "quote": "I am vegetarian"},
        }
    ],
    "queries": [{"id": "q1", "text": "Dinner tonight?", "ability": "ability2", "memory_ids": ["m1"]}],
    "responses": [{"query_id": "q1", "model": "heron-2", "text": "Try a bean stew."}],
}


@pytest.fixture
def tiny(tmp_path: Path) -> Path:
    path = tmp_path / "tiny.jsonl"
    path.write_bytes(orjson.dumps(TINY) + b"\n")
    return path


def test_help_imports_nothing_slow(alps):
    code = (
        "import sys; sys.argv=['alps','--help']\n"
        "from alps_tui.cli import main\n"
        "try: main()\n"
        "except SystemExit: pass\n"
        "print([m for m in ('numpy','sqlalchemy','textual','openai','scipy') if m in sys.modules], file=sys.stderr)"
    )
    ended = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert ended.stderr.strip() == "[]"
    assert "annotate" in ended.stdout and "agreement" in ended.stdout


def test_a_file_comes_in_once(alps, tiny):
    first = alps("import", tiny)
    assert first.code == 0
    assert "1 dialogue\n" in first.out and "2 turns" in first.out and "nothing quarantined" in first.out
    again = alps("import", tiny)
    assert again.code == 0
    assert "1 same as before; nothing changed" in again.out and "new item" not in again.out


def test_a_dry_run_writes_nothing(alps, tiny, tmp_path):
    ended = alps("import", tiny, "--dry-run")
    assert ended.code == 0 and "Would come in:" in ended.out and "1 dialogue" in ended.out
    assert not (tmp_path / "alps.db").exists()


def test_a_broken_line_is_kept_aside_with_its_place_and_the_rest_comes_in(alps, tiny):
    tiny.write_bytes(tiny.read_bytes() + b'{"dialogue_id": "d2", "dialogue": \n')
    ended = alps("import", tiny)
    assert ended.code == 1
    assert "1 dialogue\n" in ended.out
    assert "kept aside: tiny.jsonl, record 2" in ended.out


def test_a_path_that_is_not_there_is_one_sentence(alps):
    ended = alps("import", "nowhere.jsonl")
    assert ended.code == 2
    assert "nowhere.jsonl" in ended.err and "Traceback" not in ended.err
    assert len(ended.err.strip().splitlines()) == 1


@pytest.mark.parametrize(
    "command", [("agreement",), ("verify",), ("progress",), ("judge", "card"), ("rater", "list")]
)
def test_without_a_study_a_command_says_so(alps, command):
    ended = alps(*command)
    assert ended.code == 2
    assert "alps.db" in ended.err and "Traceback" not in ended.err


def test_a_file_that_is_no_study_is_refused_and_left_alone(alps, tmp_path):
    (tmp_path / "alps.db").write_text("these are my notes, not a database; " * 40)
    ended = run_process("agreement", cwd=tmp_path)
    assert ended.code == 2 and "alps.db" in ended.err and "Traceback" not in ended.err
    assert (tmp_path / "alps.db").read_text().startswith("these are my notes")


def test_another_programs_database_is_refused_before_anything_of_it_is_changed(alps, tiny, tmp_path):
    with sqlite3.connect(tmp_path / "alps.db") as connection:
        connection.execute("CREATE TABLE notes (text)")
    connection.close()
    before = (tmp_path / "alps.db").read_bytes()
    ended = alps("import", tiny)
    assert ended.code == 2 and "no study" in ended.err
    assert (tmp_path / "alps.db").read_bytes() == before


def test_the_sample_stays_out_of_a_study_of_ones_own(alps, tiny, tmp_path):
    alps("import", tiny)
    ended = alps("demo", "--db", tmp_path / "alps.db")
    assert ended.code == 2 and "kept out of it" in ended.err
    assert alps("rater", "list").code == 3


def test_the_sample_without_a_home_is_one_sentence(tmp_path):
    (tmp_path / "file").write_text("")
    nowhere = str(tmp_path / "file")
    ended = run_process("demo", HOME=nowhere, XDG_DATA_HOME=nowhere, XDG_STATE_HOME=nowhere)
    assert ended.code == 2 and "--db" in ended.err and "Traceback" not in ended.err


def test_a_reader_who_stops_reading_is_no_failure(sample):
    line = (
        f'"{sys.executable}" -m alps_tui agreement --db "{sample[0]}" | head -n 1; exit "${{PIPESTATUS[0]}}"'
    )
    ended = subprocess.run(["bash", "-c", line], capture_output=True, text=True, check=False)
    assert ended.returncode == 0 and ended.stderr == ""


def test_a_card_of_nobody_and_of_somebody_who_rated_nothing_say_which(alps, tiny):
    alps("import", tiny)
    alps("rater", "add", "ana")
    assert "no rater nobody" in alps("judge", "card", "nobody").err
    assert "ana has rated no response yet" in alps("judge", "card", "ana").err


def test_an_unknown_command_is_a_usage_error(alps):
    assert alps("anotate").code == 2


def test_nobody_annotates_without_a_name_or_a_terminal(alps, tiny):
    alps("import", tiny)
    ended = alps("annotate")
    assert ended.code == 2 and "terminal" in ended.err


def test_raters_get_a_queue_each_and_names_are_checked(alps, tiny):
    alps("import", tiny)
    added = alps("rater", "add", "ana", "bo")
    assert added.code == 0 and "ana: 4 new items." in added.err
    progress = alps("progress", "--json").json
    assert {(row["rater"], row["protocol"], row["total"]) for row in progress} == {
        ("ana", "intent", 1),
        ("ana", "memory-verification", 1),
        ("ana", "response-rating", 1),
        ("ana", "utilization-check", 1),
        ("bo", "intent", 1),
        ("bo", "memory-verification", 1),
        ("bo", "response-rating", 1),
        ("bo", "utilization-check", 1),
    }
    assert alps("rater", "add", " ").code == 2
    assert alps("rater", "add", "a\x1b[31m").code == 2


def test_items_that_arrive_later_join_every_queue(alps, tiny, tmp_path):
    alps("import", tiny)
    alps("rater", "add", "ana")
    later = tmp_path / "later.jsonl"
    later.write_bytes(orjson.dumps(TINY | {"dialogue_id": "d2"}) + b"\n")
    alps("import", later)
    assert {row["total"] for row in alps("progress", "--json").json} == {2}


def test_agreement_of_nobody_is_nothing_to_do(alps, tiny):
    alps("import", tiny)
    assert alps("agreement").code == 3
    assert alps("agreement", "--as-published").code == 3
    assert alps("judge", "card").code == 3


def test_the_sample_study_runs_through_the_whole_pipeline(sample):
    _, printed = sample
    assert printed.code == 0
    assert "Decisions on proposed memories" in printed.out
    assert "baseline" in printed.out and "weighted kappa" in printed.out
    assert "both say delete" in printed.out
    assert printed.out.index("both say delete") < printed.out.index("kappa")
    assert max(map(len, printed.out.splitlines())) <= 80


def test_f1_never_stands_without_the_decision_and_the_proposal(sample):
    _, printed = sample
    blocks = [block for block in printed.out.split("\n\n") if "F1 of the lists" in block]
    assert blocks
    for block in blocks:
        assert "kappa" in block and "and the proposal" in block


def test_the_log_of_the_sample_study_folds_to_what_it_holds_and_a_tampered_one_does_not(sample, tmp_path):
    study = tmp_path / "copy.db"
    assert run("backup", study, "--db", sample[0]).code == 0
    assert run("verify", "--db", study).code == 0
    with sqlite3.connect(study) as connection:
        connection.execute("UPDATE rating SET value = '\"delete\"' WHERE value = '\"keep\"'")
    connection.close()
    ended = run("verify", "--db", study)
    assert ended.code == 5 and ended.out


def test_a_judge_is_asked_once(sample):
    study, _ = sample
    assert run("judge", "run", "--offline", "--db", study).code == 3


def test_the_long_table_leaves_as_jsonl_and_csv_with_equal_rows(sample, tmp_path):
    study, _ = sample
    assert run("export", "long", tmp_path / "out", "--db", study).code == 0
    jsonl = next((tmp_path / "out").glob("*.jsonl")).read_text(encoding="utf-8").splitlines()
    with next((tmp_path / "out").glob("*.csv")).open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert len(rows) == len(jsonl) > 500
    assert [row["unit_id"] for row in rows] == [orjson.loads(line)["unit_id"] for line in jsonl]
    again = run("export", "long", tmp_path / "out", "--db", study)
    assert again.code == 2 and "Traceback" not in again.err


def test_verified_memories_leave_in_one_file_per_rater(sample, tmp_path):
    study, _ = sample
    ended = run("export", "memories", tmp_path / "out", "--db", study)
    assert ended.code == 1 and "left out" in ended.out, "sessions that were skipped are named, not dropped"
    names = {path.name for path in (tmp_path / "out").iterdir()}
    for rater in ("rater-amber", "rater-birch", "rater-cobalt"):
        assert any(rater in name for name in names)


def test_a_backup_is_a_study_and_never_replaces_a_file(sample, tmp_path):
    study, _ = sample
    assert run("backup", tmp_path / "copy.db", "--db", study).code == 0
    assert run("verify", "--db", tmp_path / "copy.db").code == 0
    assert run("backup", tmp_path / "copy.db", "--db", study).code == 2


def test_the_doctor_finds_the_sample_study_whole(sample):
    ended = run("doctor", "--db", sample[0], "--json")
    assert next(row for row in ended.json if row["check"] == "integrity")["well"]
    assert run("doctor", "--db", "nowhere.db").code == 2


def test_every_mistake_of_a_form_is_named_with_its_line(alps, tmp_path):
    form = tmp_path / "form.toml"
    form.write_text('name = "x"\nversion = "1"\n\n[[fields]]\nkey = "k"\nkind = "chioce"\ndefault = "yes"\n')
    ended = alps("protocol", "check", form)
    assert ended.code == 1
    assert "form.toml:6" in ended.out and "form.toml:7" in ended.out


def test_forms_are_shown_with_their_keys(alps):
    ended = alps("protocol", "show", "memory-verification")
    assert ended.code == 0 and "faithfulToOriginalMeaning" in ended.out
    assert alps("protocol", "show", "nothing").code == 2
    names = {form["name"] for form in alps("protocol", "list", "--json").json}
    assert names >= {"memory-verification", "response-rating"}


def test_a_card_names_the_fields_without_a_common_answer_in_one_sentence(sample):
    said = " ".join(sample[1].out.split())
    apart = re.findall(r"No unit that both the judge and a person answered: ([^.]*)\.", said)
    assert len(apart) == 1
    assert "preference_status" in apart[0] and "resonation" not in apart[0]
    assert "0 judge-person pairs" not in said


def test_the_sample_of_an_older_version_is_upgraded_with_a_backup_and_opened(sample_template, tmp_path):
    study = tmp_path / "demo.db"
    shutil.copyfile(sample_template[0], study)
    take_back(study, 4)
    ended = run("demo", "--db", study)
    assert ended.code == 0, ended.err
    assert ended.out.startswith("The sample study: ")
    assert len(list(tmp_path.glob("demo.db.before-migration-*"))) == 2


def test_a_damaged_study_ends_with_a_code_of_its_own_and_an_empty_file_stays_empty(sample, tmp_path):
    study, _ = sample
    damaged, empty = tmp_path / "damaged.db", tmp_path / "empty.db"
    damaged.write_bytes(study.read_bytes()[:9000])
    empty.touch()
    for command in ("progress", "agreement", "items", "verify"):
        ended = run(command, "--db", damaged)
        assert (ended.code, ended.out) == (5, "") and "Restore a backup" in ended.err
        ended = run(command, "--db", empty)
        assert (ended.code, ended.out) == (2, "") and "is empty, and no study yet" in ended.err
    assert empty.stat().st_size == 0
    assert run("init", "--db", empty).code == 0
