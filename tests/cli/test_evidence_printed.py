"""Agreement on evidence as the command line prints it, of raters who marked passages in a study."""

from pathlib import Path

from command_line import Ended, run
from studies import RATERS, act, tiny_study

from store.assignments import assignments, rater_by_name
from store.decisions import append
from store.kinds import Verb
from store.records import Change
from store.views import item_view


def mark(study: Path, spans: dict[str, list[dict[str, int]]]) -> None:
    """Each rater marks the same passages for every memory of every dialogue."""
    db = tiny_study(study)
    for name, marked in spans.items():
        with db.write() as conn:
            rater = rater_by_name(conn, name)
            assert rater is not None
            for one in assignments(conn, rater.id, "memory-verification"):
                units = [u for u in item_view(conn, one.id).units if u.memory_id is not None]
                changes = tuple(Change("evidence", marked, unit_id=unit.id) for unit in units)
                append(conn, act(Verb.SET, one, *changes))
                append(conn, act(Verb.SUBMIT, one))
    db.close()


def test_two_raters_evidence_is_held_by_turns_first_and_characters_beside(tmp_path: Path) -> None:
    study = tmp_path / "alps.db"
    first, second = RATERS[:2]
    mark(study, {first: [{"turn": 0, "start": 0, "end": 10}], second: [{"turn": 0, "start": 5, "end": 15}]})
    ended = run("agreement", "--evidence", "--db", study)
    assert ended.code == 0, ended.err
    lines = ended.out.splitlines()
    assert lines[0] == "Evidence · 4 memories marked by two people or more, 16 turns, 2 raters"
    order = [ended.out.index(name) for name in ("turns: both cite", "turns: alpha", "characters: F1, pooled")]
    assert order == sorted(order)
    found = run("agreement", "--evidence", "--json", "--db", study).json
    assert found["turns"]["alpha_nominal"]["value"] == 1
    assert found["characters"]["f1_micro"]["value"] == 0.5


def test_a_study_without_marked_passages_says_how_to_mark_them(sample: tuple[Path, Ended]) -> None:
    study, _ = sample
    ended = run("agreement", "--evidence", "--db", study)
    assert ended.code == 3 and "Mark passages with v" in ended.err
