"""An id that two lines of one file claim never replaces what came first without a word."""

from pathlib import Path

import pytest
from source_samples import bring_in, packet, write_json, write_lines

from store import content
from store.database import Database


def texts(db: Database) -> dict[str, list[str]]:
    """Of each version of a dialogue, what its turns say."""
    with db.read() as connection:
        return {
            f"{one.external_id} v{one.version}": [turn.text for turn in content.turns(connection, one.id)]
            for one in content.dialogues(connection)
        }


def line(dialogue_id: str, text: str, **more: object) -> dict:
    return {"dialogue_id": dialogue_id, "dialogue": [{"role": "user", "content": text}], **more}


HI = [{"role": "user", "content": "Hi."}]
MEMORIES = [{"id": "m1", "value": "Is vegetarian."}]


@pytest.mark.parametrize(
    ("second", "what"),
    [
        (line("d1", "Another person.", memories=MEMORIES), "other turns"),
        (
            line("d1", "I eat no meat.", memories=[{"id": "m1", "value": "Eats."}]),
            "another list of gold memories",
        ),
        (
            line("d1", "I eat no meat.", candidates={"tern": [{"id": "p", "value": "Eats."}]}),
            "another list of tern's memories",
        ),
        (line("d1", "I eat no meat.", queries=[{"id": "q1", "text": "Lunch?"}]), 'another query "q1"'),
        (
            line(
                "d1",
                "I eat no meat.",
                updates=[{"id": "u1", "new_dialogue": HI, "before": [], "after": MEMORIES}],
            ),
            'another update "u1"',
        ),
    ],
)
def test_a_second_line_that_says_otherwise_is_kept_aside_with_both_places(
    db: Database, tmp_path: Path, second: dict, what: str
) -> None:
    first = line(
        "d1",
        "I eat no meat.",
        memories=MEMORIES,
        candidates={"tern": [{"id": "p", "value": "No meat."}]},
        queries=[{"id": "q1", "text": "Dinner?"}],
        updates=[{"id": "u1", "new_dialogue": HI, "before": MEMORIES, "after": MEMORIES}],
    )
    path = write_lines(tmp_path / "own.jsonl", line("d0", "Hi."), first, second, line("d2", "Ho."))
    report = bring_in(db, path)

    (aside,) = report.quarantined
    assert (aside.ordinal, aside.record) == (3, "d1")
    assert f'"d1" is the id of line 2 too, with {what}; the first one stands' in aside.reason
    assert report.changed == 0 and not report.complete
    assert texts(db) == {"d0 v1": ["Hi."], "d1 v1": ["I eat no meat."], "d2 v1": ["Ho."]}
    with db.read() as connection:
        (kept,) = content.quarantined(connection)
    assert kept.raw == path.read_bytes().splitlines()[2]


def test_lines_that_add_to_one_dialogue_or_say_the_same_again_come_in(db: Database, tmp_path: Path) -> None:
    first = line("d1", "I eat no meat.", memories=MEMORIES)
    adds = line("d1", "I eat no meat.", queries=[{"id": "q1", "text": "Dinner?"}])
    report = bring_in(db, write_lines(tmp_path / "own.jsonl", first, adds, first))
    assert report.complete and report.same == 1
    assert (report.counts["dialogues"], report.counts["gold_memories"], report.counts["queries"]) == (1, 1, 1)


def test_two_packets_of_one_session_in_one_file_are_told_apart_and_in_two_files_are_versions(
    db: Database, tmp_path: Path
) -> None:
    other = packet()
    other["dialogue"][0]["text"] = "Something else."
    lines = write_lines(tmp_path / "packets.jsonl", packet(), other)
    assert "is the id of line 1 too, with other turns" in bring_in(db, lines).quarantined[0].reason

    later = bring_in(db, write_json(tmp_path / "later.json", other))
    assert later.changed >= 1 and later.complete
    assert [(one.file, one.record) for one in later.versions] == [("later.json", other["session_id"])]


def test_what_two_collections_call_alike_are_two_dialogues(db: Database, tmp_path: Path) -> None:
    lines = write_lines(tmp_path / "own.jsonl", line("1", "Hi.", source="a"), line("1", "Ho.", source="b"))
    assert bring_in(db, lines).complete
    with db.read() as connection:
        assert [one.source for one in content.dialogues(connection)] == ["a", "b"]
