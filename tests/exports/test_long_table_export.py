"""The long table as files: the same rows in both formats, complete or not there, and never over somebody's work."""

import hashlib
import json

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from studies import act, tiny_study

from exports import long_table
from exports.csv_text import header, line
from exports.folder import ExportRefused
from exports.long_table import export_long_table, json_line, read_csv, read_jsonl
from store.assignments import add_rater, assign_all, assignments, rater_by_name
from store.content import item_view
from store.decisions import append
from store.kinds import UnitKind, Verb
from store.ratings import long_rows
from store.records import Change
from store.table import COLUMNS

HOSTILE = [
    'say "hi", ok',
    "line\r\nbreak",
    "=cmd|' /C calc'!A0",
    "\x1b[31m",
    "",
    "مرحبا 💥",
    "a\u2028b",
    "null",
    "3",
]


@pytest.fixture
def study(tmp_path):
    """Two raters have answered, one item each is still open, and every free text is hostile."""
    with tiny_study(tmp_path / "alps.db") as db:
        with db.write() as conn:
            strange = add_rater(conn, 'Zoë, "the =1" \n')
            assign_all(conn, strange.id)
            for rater in (rater_by_name(conn, "ada"), strange):
                _answer(conn, rater)
        yield db


def _answer(conn, rater):
    texts = iter(HOSTILE * 9)
    for assignment in assignments(conn, rater.id)[:3]:
        for unit in item_view(conn, assignment.id).units:
            if unit.kind is UnitKind.MEMORY:
                changes = (
                    Change("verdict", "edit", unit.id),
                    Change("memory", {"value": next(texts)}, unit.id),
                )
                append(conn, act(Verb.SET, assignment, *changes))
                append(conn, act(Verb.NOTE, assignment, unit_id=unit.id, reason=next(texts)))
            elif unit.kind is UnitKind.RESPONSE:
                append(conn, act(Verb.SET, assignment, Change("resonation", "na", unit.id)))
        append(conn, act(Verb.SUBMIT, assignment))


def stored(db):
    with db.read() as conn:
        return list(long_rows(conn))


def test_both_formats_read_back_as_the_rows_of_the_study(study, tmp_path):
    manifest = export_long_table(study, tmp_path / "out")
    rows = stored(study)
    assert len(rows) > 10 and manifest.counts["rows"] == len(rows)
    assert list(read_jsonl(tmp_path / "out" / "long_table.jsonl")) == rows
    assert list(read_csv(tmp_path / "out" / "long_table.csv")) == rows


VALUE = (
    st.none()
    | st.booleans()
    | st.integers(-(2**53), 2**53)
    | st.floats(allow_nan=False, allow_infinity=False)
    | st.text()
)
ROW = st.fixed_dictionaries({name: VALUE for name in COLUMNS})


@settings(suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], max_examples=40)
@given(rows=st.lists(ROW, max_size=3))
def test_any_rows_survive_both_formats(rows, tmp_path):
    (tmp_path / "any.jsonl").write_bytes(b"".join(map(json_line, rows)))
    cells = [[row[name] for name in COLUMNS] for row in rows]
    (tmp_path / "any.csv").write_bytes(header(COLUMNS) + b"".join(map(line, cells)))
    assert list(read_jsonl(tmp_path / "any.jsonl")) == rows
    assert list(read_csv(tmp_path / "any.csv")) == rows


def test_the_manifest_names_study_protocols_options_and_the_hash_of_every_file(study, tmp_path):
    export_long_table(study, tmp_path / "out")
    told = json.loads((tmp_path / "out" / "manifest.json").read_bytes())
    assert told["kind"] == "long-table" and len(told["study"]) == 32 and told["schema"] >= 1
    assert told["protocols"] == {"memory-verification@1": "verification-1", "response-rating@1": "rating-1"}
    assert told["options"] == {"formats": ["jsonl", "csv"], "protocol": None}
    assert told["left_out"] == {}
    for entry in told["files"]:
        data = (tmp_path / "out" / entry["name"]).read_bytes()
        assert (len(data), hashlib.sha256(data).hexdigest()) == (entry["bytes"], entry["sha256"])


def test_the_same_study_gives_the_same_bytes(study, tmp_path):
    for name in ("one", "two"):
        export_long_table(study, tmp_path / name)
    for file in ("long_table.jsonl", "long_table.csv", "manifest.json"):
        assert (tmp_path / "one" / file).read_bytes() == (tmp_path / "two" / file).read_bytes()


def test_one_form_and_one_format_can_be_asked_for(study, tmp_path):
    export_long_table(study, tmp_path / "out", ["jsonl"], protocol="response-rating")
    assert sorted(file.name for file in (tmp_path / "out").iterdir()) == ["long_table.jsonl", "manifest.json"]
    rows = list(read_jsonl(tmp_path / "out" / "long_table.jsonl"))
    assert {row["protocol"] for row in rows} == {"response-rating@1"}


def test_a_folder_with_something_in_it_is_refused_and_left_as_it_was(study, tmp_path):
    (tmp_path / "notes.txt").write_text("mine")
    with pytest.raises(ExportRefused, match=r"not empty .*--force"):
        export_long_table(study, tmp_path)
    assert not (tmp_path / "manifest.json").exists()
    with pytest.raises(ExportRefused, match="is a file"):
        export_long_table(study, tmp_path / "notes.txt")
    with pytest.raises(ExportRefused, match="jsonl and csv"):
        export_long_table(study, tmp_path / "new", ["parquet"])
    assert not (tmp_path / "new").exists()


def test_force_replaces_an_earlier_export_and_keeps_what_is_not_ours(study, tmp_path):
    out = tmp_path / "out"
    export_long_table(study, out)
    (out / "notes.txt").write_text("mine")
    export_long_table(study, out, ["csv"], force=True)
    assert sorted(file.name for file in out.iterdir()) == ["long_table.csv", "manifest.json", "notes.txt"]


def test_an_export_that_fails_leaves_no_half_file_and_no_manifest(study, tmp_path, monkeypatch):
    def breaks(*_, **__):
        yield stored(study)[0]
        raise OSError("the disk is full")

    monkeypatch.setattr(long_table, "long_rows", breaks)
    with pytest.raises(OSError, match="full"):
        export_long_table(study, tmp_path / "out")
    assert list((tmp_path / "out").iterdir()) == []
