"""A team's own form goes the whole way: written, checked, added, labelled by keys, exported, and its agreement said."""

import asyncio
import csv
from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from at_the_desk import at_the_desk
from command_line import Ended, run

from alps_tui.ui.screens.acting import SUBMIT_ONCE_SECONDS
from store.database import open_database

DIALOGUES = [
    {
        "dialogue_id": name,
        "dialogue": [
            {"role": "user", "content": f"I am {name} and I drink green tea."},
            {"role": "assistant", "content": "Noted."},
        ],
        "memories": [
            {"id": "m1", "type": "direct", "label": "Preferences/Food", "value": "Drinks green tea.",
             "evidence": {"turn": 0, "quote": "I drink green tea"}},
        ],
        "queries": [{"id": "q1", "text": "What to drink?", "ability": "ability2", "memory_ids": ["m1"]}],
        "responses": [
            {"query_id": "q1", "model": "heron-2", "text": "Green tea."},
            {"query_id": "q1", "model": "ibis-1", "text": "Black coffee."},
        ],
    }
    for name in ("d1", "d2", "d3")
]  # fmt: skip

Alps = Callable[..., Ended]


@pytest.fixture
def alps(tmp_path: Path) -> Alps:
    lines = b"\n".join(map(orjson.dumps, DIALOGUES))
    (tmp_path / "talks.jsonl").write_bytes(lines)

    def call(*arguments: object) -> Ended:
        return run(*arguments, cwd=tmp_path)

    assert call("import", "talks.jsonl").code == 0
    assert call("rater", "add", "ana", "bo").code == 0
    return call


FORMS = {
    "session": (["p", "2"], ["p", "3"], ("safety", "harm"), {"private", "2", "3"}),
    "memory": (["3", "tab", "2"], ["2", "tab", "2"], ("worth", "enough"), {"3", "2", "complete"}),
    "response": (["3", "j", "3"], ["3", "j", "0"], ("helpful",), {"3", "na"}),
}
"""What the form asks about → the keys of two raters on every item, its fields, and the values given."""


@pytest.mark.parametrize(
    "per",
    [
        "memory",
        pytest.param("session", marks=pytest.mark.slow),
        pytest.param("response", marks=pytest.mark.slow),
    ],
)
async def test_a_form_of_a_team_goes_from_its_file_to_agreement(alps: Alps, tmp_path: Path, per: str) -> None:
    first, second, fields, values = FORMS[per]
    assert alps("protocol", "new", "own", "--per", per).code == 0
    assert alps("protocol", "check", "own.toml").code == 0
    assert alps("protocol", "add", "own.toml").code == 0
    made = alps("items", "--protocol", "own", "--json")
    assert made.json == {"items": {"own": 3}}
    with open_database(tmp_path / "alps.db") as db:
        for name, keys in (("ana", first), ("bo", second)):
            async with at_the_desk(db, "own", rater=name) as desk:
                for _ in DIALOGUES:
                    await asyncio.sleep(
                        2 * SUBMIT_ONCE_SECONDS
                    )  # enter at once again would be the same enter
                    await desk.press(*keys, "enter")
                assert "is answered" in desk.screen(), desk.screen()
    assert alps("export", "long", "labels").code == 0
    with (tmp_path / "labels" / "long_table.csv").open(encoding="utf-8", newline="") as file:
        rows = [
            row for row in csv.DictReader(file) if row["protocol"] == "own@1" and row["status"] == "answered"
        ]
    assert {row["field"] for row in rows} == set(fields)
    assert {row["value"].strip('"') for row in rows} == values
    assert all(row["level"] and row["scale"] for row in rows)
    said = alps("agreement", "--protocol", "own", "--json")
    assert said.code == 0, said.out + said.err
    assert {field["field"] for field in said.json["own"]["fields"]} >= set(fields)
    assert said.json["own"]["population"]["protocols"] == ["own@1"]
    assert alps("verify").code == 0


async def test_what_changed_is_read_once_before_going_on_and_by_nobody_else(
    alps: Alps, tmp_path: Path
) -> None:
    assert alps("protocol", "new", "own").code == 0
    assert alps("protocol", "add", "own.toml").code == 0
    assert alps("items", "--protocol", "own").code == 0
    with open_database(tmp_path / "alps.db") as db:
        async with at_the_desk(db, "own", rater="ana") as desk:
            await desk.press("a", "enter")
    form, guideline = tmp_path / "own.toml", tmp_path / "own.md"
    later = form.read_text().replace('version = "1"', 'version = "2"').replace("max = 3", "max = 4", 1)
    form.write_text(later)
    guideline.write_text(guideline.read_text().replace("how long lentils cook", "how long rice cooks"))
    refused = alps("protocol", "add", "own.toml")
    assert refused.code == 2
    assert "note" in refused.err
    form.write_text(later.replace("# note =", "note ="))
    assert alps("protocol", "add", "own.toml").code == 0
    assert "alps items --again own" in alps("items", "--protocol", "own").err
    with open_database(tmp_path / "alps.db") as db:
        async with at_the_desk(db, None, rater="ana", size=(120, 40)) as desk:
            await desk.until(lambda: "Is this dialogue safe" in desk.screen())
            await desk.press(*_number_of(desk, "Is this dialogue safe"))
            seen = " ".join(desk.screen().split())
            assert "Addresses count as private now" in seen
            assert "how long [-lentils cook-]{+rice cooks+}" in seen
            await desk.press("escape")
            assert desk.acts().count("acknowledge") == 0, "what was put off is not acknowledged"
            await desk.press("enter", "enter")
            await desk.settle()
            assert desk.annotate.sitting.protocol.version == "1", "what was begun stays as it was"
            await desk.press("]")
            assert desk.annotate.sitting.protocol.version == "2"
            assert desk.acts().count("acknowledge") == 1
            await desk.press("u")
            assert "nothing to undo" in desk.sentence.lower() or "undo" in desk.sentence.lower()
            await desk.press("q", "enter")
            await desk.settle()
            assert desk.annotate.is_before_the_rater, "it is asked once"
        async with at_the_desk(db, "own", rater="bo") as desk:
            assert desk.annotate.sitting.protocol.version == "2", (
                "who never saw the version before is asked nothing"
            )
        assert desk.acts().count("acknowledge") == 1
    assert alps("verify").code == 0
    again = alps("items", "--again", "own", "--json")
    assert [(one["rater"], one["answered_under"], one["occasion"]) for one in again.json["queued"]] == [
        ("ana", "1", 1)
    ]
    assert alps("items", "--again", "own").code == 3


def _number_of(desk, words: str) -> list[str]:
    """The key that opens the queue whose title begins so."""
    row = next(row for row in desk.rows() if words in row)
    return [row.replace("▌", " ").split()[0]]
