"""Whatever bytes a file holds, the import ends with a report in which that file stands exactly once."""

import json
import os
import random
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, example, given, settings
from hypothesis import strategies as st
from layout_samples import bundle, dataset_row, editor_export, extraction_item, judged_memories
from source_samples import annotated, bring_in, check_item, packet, plain_line, write_json, write_lines

from alps_tui.sources.detect import Format, Sample, detect
from alps_tui.sources.files import Found
from alps_tui.sources.importer import ImportReport, import_paths
from alps_tui.sources.records import NotRead, Options, read_json_lines, recognise
from store import content
from store.content_records import Quarantined, SourceRecord
from store.database import Database, open_database

SAMPLES = [
    packet("sess_f"),
    annotated("sess_f"),
    check_item("item_f"),
    plain_line("plain_f"),
    extraction_item("sess_e"),
    judged_memories("sess_j"),
    bundle("sess_b"),
    editor_export("sess_0e"),
    dataset_row("sess_r"),
]

SCALARS = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-(10**30), 10**30),
    st.floats(allow_nan=False, allow_infinity=False),
    st.text(st.characters(), max_size=8),
    st.sampled_from(["", "null", "user", "m1", "0.8", "q1", "\ud800", "a\0b"]),
)
JSON = st.recursive(
    SCALARS,
    lambda inner: st.one_of(
        st.lists(inner, max_size=3), st.dictionaries(st.text(max_size=5), inner, max_size=3)
    ),
    max_leaves=6,
)


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, Path]]:
    """One study that all examples go into, and the folder of their files."""
    base = tmp_path_factory.mktemp("fuzz")
    with open_database(base / "study.db", create=True) as db:
        yield db, base


def _places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    pairs = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    for key, inner in pairs:
        yield from _places(inner, (*path, key))


def _replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    copy = dict(value) if isinstance(value, dict) else list(value)
    copy[path[0]] = _replaced(copy[path[0]], path[1:], new)
    return copy


def _bring(study: tuple[Database, Path], data: bytes, suffix: str = ".json") -> ImportReport:
    """Import the bytes beside a file that is whole, and check that the file stands in the report once."""
    db, base = study
    path = base / f"one{suffix}"
    path.write_bytes(data)
    report = bring_in(db, path, write_lines(base / "whole.jsonl", plain_line("always")))
    lines = max(1, len([line for line in data.split(b"\n") if line.strip()]))
    parts = {"alpsbench-annotation-bundle", "alpsbench-gold-editor"} & report.formats.keys()
    aside = [one for one in report.quarantined if not parts or one.ordinal == 1]
    told = report.same + report.counts["records"] + len(aside)
    told += len(report.left_out) + len(report.no_data)
    assert 2 <= told <= 1 + lines
    json.dumps(report.to_json())
    return report


FUZZ = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


@FUZZ
@given(st.sampled_from(SAMPLES), st.lists(st.tuples(st.integers(0, 10_000), JSON), min_size=1, max_size=4))
def test_any_part_of_a_file_may_be_anything(
    study: tuple[Database, Path], sample: Any, changes: list[tuple[int, Any]]
) -> None:
    document: Any = sample
    for number, new in changes:
        places = list(_places(document))
        document = _replaced(document, places[number % len(places)], new)
    _bring(study, json.dumps(document, ensure_ascii=True).encode())


@FUZZ
@given(st.sampled_from(SAMPLES), st.floats(0, 1))
def test_a_file_may_end_anywhere(study: tuple[Database, Path], sample: Any, part: float) -> None:
    data = json.dumps(sample, ensure_ascii=False).encode()
    cut = data[: int(len(data) * part)]
    report = _bring(study, cut)
    if len(cut) < len(data):
        assert len(report.quarantined) == 1


@FUZZ
@given(st.binary(max_size=300), st.sampled_from([".json", ".jsonl", ".bin", ""]))
@example(b"\xef\xbb\xbf", ".json")
@example(b"{}", ".jsonl")
@example(b'{"dialogue_id": "a"}\n\n\x00\n[\n', ".jsonl")
def test_a_file_may_hold_any_bytes(study: tuple[Database, Path], data: bytes, suffix: str) -> None:
    _bring(study, data, suffix)


@FUZZ
@given(
    st.dictionaries(st.sampled_from(["dialogue_id", "dialogue", "memories", "queries", "responses"]), JSON)
)
def test_a_line_may_hold_any_json(study: tuple[Database, Path], line: dict[str, Any]) -> None:
    _bring(study, json.dumps(line).encode() + b"\n", ".jsonl")


@given(st.binary(max_size=200))
def test_detection_takes_any_bytes(head: bytes) -> None:
    for start in (b"", b"{", b'{"', b"[{", b'{"dialogue": "'):
        detect(Sample(start + head, True))


def test_a_long_text_that_never_ends_is_looked_at_once() -> None:
    head = b'{"dialogue": "' + b'\\"x' * 600_000
    assert detect(Sample(head, False)) is None


def test_folders_links_empty_and_strange_files_are_named(db: Database, tmp_path: Path) -> None:
    folder = tmp_path / "data"
    folder.mkdir()
    write_lines(folder / "a.jsonl", plain_line())
    (folder / "empty.json").touch()
    (folder / "notes.txt").write_text("hello")
    (folder / "inner.json").mkdir()
    (folder / "broken.jsonl").symlink_to(folder / "gone")
    (folder / "again.jsonl").symlink_to(folder / "a.jsonl")
    os.mkfifo(folder / "pipe.jsonl")
    os.link(folder / "a.jsonl", folder / "linked.jsonl")

    report = bring_in(db, folder)

    assert {(one.file, one.reason) for one in report.left_out} == {
        ("data/broken.jsonl", "not a regular file"),
        ("data/pipe.jsonl", "not a regular file"),
    }
    assert [(one.file, one.reason) for one in report.quarantined] == [("data/empty.json", "empty")]
    assert [one.file for one in report.no_data] == ["data/notes.txt"]
    assert (report.counts["dialogues"], report.same) == (1, 1)


def test_a_file_that_may_not_be_read_is_left_out(db: Database, tmp_path: Path) -> None:
    if os.geteuid() == 0:
        pytest.skip("root may read everything")
    write_lines(tmp_path / "a.jsonl", plain_line())
    closed = write_lines(tmp_path / "b.jsonl", plain_line("d2"))
    closed.chmod(0)
    report = bring_in(db, tmp_path / "a.jsonl", closed)
    assert [(one.file, one.reason) for one in report.left_out] == [("b.jsonl", "Permission denied")]


def test_a_document_past_the_limit_is_refused_unread(tmp_path: Path) -> None:
    path = write_json(tmp_path / "big.json", packet())
    with path.open("r+b") as file:
        file.truncate(250_000_000)
    found = Found(path, "big.json", path.stat().st_size)
    refused = recognise(found, Options())
    assert isinstance(refused, NotRead)
    assert refused.data and "250 MB: over 200 MB is refused" in refused.reason


def test_a_line_past_the_limit_is_kept_aside_and_the_next_one_is_read(tmp_path: Path) -> None:
    long = plain_line("d1") | {"meta": {"x": "y" * 200_000}}
    path = write_lines(tmp_path / "own.jsonl", long, plain_line("d2"))
    steps = list(
        read_json_lines(Found(path, "own.jsonl", path.stat().st_size), Format.PLAIN, Options(limit=100_000))
    )
    first, second = (step.record for step in steps)
    assert isinstance(first, Quarantined) and first.external_id == "d1" and len(first.raw) <= 65_536
    assert isinstance(second, SourceRecord) and second.external_id == "d2"


def test_files_come_in_sorted_order_whatever_order_the_disk_has(db: Database, tmp_path: Path) -> None:
    names = [f"sess_{i:02}" for i in range(20)]
    for name in random.Random(4).sample(names, len(names)):
        write_json(tmp_path / "p" / name[-1] / f"{name}.json", packet(name))
    bring_in(db, tmp_path / "p")
    with db.read() as connection:
        came = [one.external_id for one in content.dialogues(connection)]
    assert came == sorted(names, key=lambda name: (name[-1], name))


def test_progress_reaches_the_end_and_never_goes_back(db: Database, tmp_path: Path) -> None:
    write_lines(tmp_path / "own.jsonl", *(plain_line(f"d{i}") for i in range(50)))
    write_json(tmp_path / "p.json", packet())
    seen: list[tuple[int, int]] = []
    import_paths(
        db,
        [tmp_path / "own.jsonl", tmp_path / "p.json"],
        progress=lambda done, all_: seen.append((done, all_)),
    )
    assert seen == sorted(seen)
    assert seen[-1][0] == seen[-1][1] > 0
    assert len(seen) > 50


def test_others_write_while_an_import_runs_and_see_what_is_in_so_far(db: Database, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "own.jsonl", *(plain_line(f"d{i}") for i in range(200)))
    seen: list[int] = []

    def write_too(done: int, total: int) -> None:
        if done > total / 2 and not seen:
            with db.write() as connection:
                seen.append(len(content.dialogues(connection)))

    report = import_paths(db, [path], progress=write_too)

    assert 0 < seen[0] < 200
    assert report.counts["dialogues"] == 200


def test_an_import_that_is_interrupted_goes_on_where_it_was(db: Database, tmp_path: Path) -> None:
    path = write_lines(tmp_path / "own.jsonl", *(plain_line(f"d{i}") for i in range(200)))

    def stop(done: int, total: int) -> None:
        if done > total * 0.7:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        import_paths(db, [path], progress=stop)
    with db.read() as connection:
        before = len(content.dialogues(connection))

    report = import_paths(db, [path])

    assert 0 < before < 200
    assert (report.same, report.counts["dialogues"]) == (before, 200 - before)
