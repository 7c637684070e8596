"""A parquet file brings in what the same lines of JSON bring in; what it cannot say is told row by row."""

import json
from datetime import datetime
from pathlib import Path
from typing import Any

import pytest
from source_samples import bring_in, plain_line, write_lines

from alps_tui.sources.parquet import ParquetError, rows, tolerant_rows
from store import content
from store.database import Database, open_database

arrow = pytest.importorskip("pyarrow", reason="the optional package pyarrow is not installed")


def write_parquet(path: Path, table: Any, **more: Any) -> Path:
    import pyarrow.parquet

    pyarrow.parquet.write_table(table, path, **more)
    return path


def columns_line(dialogue_id: str) -> dict[str, Any]:
    """A plain line in which every value of a key has one type, as a column has."""
    line = plain_line(dialogue_id)
    line["memories"][0]["evidence"] = {"turn": 0, "quote": "I don't eat meat."}
    return line


def as_text(line: dict[str, Any]) -> dict[str, Any]:
    """What a table without nested columns makes of a line."""
    return {
        key: json.dumps(value) if isinstance(value, list | dict) else value for key, value in line.items()
    }


@pytest.mark.parametrize("flat", [False, True])
def test_rows_bring_in_what_the_same_lines_bring_in_and_nothing_the_second_time(
    db: Database, tmp_path: Path, flat: bool
) -> None:
    lines = [columns_line(f"d{i}") for i in range(5)] + [
        {"dialogue_id": "bare", "dialogue": [{"role": "user", "content": "Hi"}]}
    ]
    with open_database(tmp_path / "lines.db", create=True) as other:
        expected = bring_in(other, write_lines(tmp_path / "lines.jsonl", *lines))

    table = arrow.Table.from_pylist([as_text(one) for one in lines] if flat else lines)
    path = write_parquet(tmp_path / "rows.parquet", table, row_group_size=2)
    report = bring_in(db, path)

    assert report.counts == expected.counts and report.lints == expected.lints and report.complete
    assert dict(report.formats) == {"parquet": 1}
    again = bring_in(db, path)
    assert again.same == len(lines) and not again.is_new
    with db.read() as connection:
        assert {one.external_id for one in content.dialogues(connection)} == {
            one["dialogue_id"] for one in lines
        }


def test_a_row_that_cannot_be_said_is_kept_aside_and_the_others_come_in(db: Database, tmp_path: Path) -> None:
    dialogue = json.dumps([{"role": "user", "content": "Hi"}]).encode()
    ids = arrow.array([b"d1", b"\xff\xfe", b"d3"], type=arrow.binary()).view(arrow.string())
    table = arrow.table({"dialogue_id": ids, "dialogue": arrow.array([dialogue.decode()] * 3)})
    report = bring_in(db, write_parquet(tmp_path / "rows.parquet", table))
    assert report.counts["dialogues"] == 2
    assert [(one.ordinal, "utf-8" in one.reason) for one in report.quarantined] == [(2, True)]


def test_a_table_of_other_columns_and_a_broken_file_are_left_out_with_the_reason(
    db: Database, tmp_path: Path
) -> None:
    other = write_parquet(tmp_path / "a.parquet", arrow.table({"x": [1], "y": [2]}))
    whole = write_parquet(
        tmp_path / "whole.parquet", arrow.Table.from_pylist([columns_line("d1")])
    ).read_bytes()
    (tmp_path / "b.parquet").write_bytes(whole[: len(whole) // 2])
    (tmp_path / "c.parquet").write_bytes(whole[4:])
    report = bring_in(db, other, tmp_path / "b.parquet", tmp_path / "c.parquet")
    assert [one.file for one in report.left_out] == ["a.parquet", "b.parquet", "c.parquet"]
    assert "columns (x, y)" in report.left_out[0].reason
    assert not report.is_new and not report.complete


def test_rows_are_what_python_says_and_a_bad_one_has_its_number(tmp_path: Path) -> None:
    times = arrow.array([1, 2**62], type=arrow.timestamp("us"))
    maps = arrow.array([[("a", 1)], None], type=arrow.map_(arrow.string(), arrow.int64()))
    path = write_parquet(tmp_path / "x.parquet", arrow.table({"at": times, "map": maps}))
    first, second = tolerant_rows(path)
    assert first == {"at": datetime(1970, 1, 1, 0, 0, 0, 1), "map": {"a": 1}}
    assert "out of range" in second.reason  # type: ignore[union-attr]
    with pytest.raises(ParquetError, match="row 2: "):
        list(rows(path))
