"""Files of which nothing can be read make no study, and no report claims that the rest came in."""

from pathlib import Path

import pytest

GOOD = b'{"dialogue_id": "d1", "dialogue": [{"role": "user", "content": "Hi"}]}\n'
CUT = b'{"dialogue_id": "d2", "dialogue": [\n'


@pytest.mark.parametrize(
    ("name", "data", "said"),
    [
        ("empty.jsonl", b"", "empty.jsonl: empty."),
        ("cut.jsonl", CUT * 2, "cut.jsonl: record 1: cut off: "),
        (
            "packet.json",
            b'{"session_id": "s", "available_tasks": {}, "dialogue": [{"ro',
            "packet.json: record 1: cut off: ",
        ),
        ("lfs.jsonl", b"version https://git-lfs.github.com/spec/v1\noid sha256:00\n", "git lfs pull"),
        ("other.json", b'{"a": 1}', "other.json: not of a format this version reads. It reads AlpsBench"),
        ("manifest.json", b'{"chunk_name": "a"}', "manifest.json: a manifest."),
        ("notes.txt", b"hello", "notes.txt: not of a format this version reads."),
        ("broken.parquet", b"PAR1 and no more", "broken.parquet: "),
    ],
)
@pytest.mark.parametrize("more", [[], ["--dry-run"]])
def test_a_file_of_which_nothing_can_be_read_makes_no_study(
    alps, tmp_path: Path, name: str, data: bytes, said: str, more: list[str]
) -> None:
    (tmp_path / name).write_bytes(data)
    ended = alps("import", name, *more)
    assert ended.code == 2 and ended.out == ""
    assert said in ended.err and "no study was made" in ended.err and len(ended.err.splitlines()) == 1
    assert [one.name for one in tmp_path.iterdir()] == [name]


def test_what_is_said_of_the_rest_is_true(alps, tmp_path: Path) -> None:
    for name, data in {"both.jsonl": GOOD + CUT, "cut.jsonl": CUT}.items():
        (tmp_path / name).write_bytes(data)
    assert "1 record kept aside with the reason; the rest came in." in alps("import", "both.jsonl").out
    assert (
        "1 record kept aside with the reason; the rest was there before." in alps("import", "both.jsonl").out
    )
    ended = alps("import", "cut.jsonl")
    assert ended.code == 1 and "1 record kept aside with the reason; there was nothing else." in ended.out
