"""A study that holds the built-in response form, with two people's queues, for the tests of judging."""

from pathlib import Path

from studies import act, dialogue, rating_item, record

from alps_tui.protocols.loading import load_builtin
from store.assignments import add_item, add_protocol, add_rater, assign_all, assignments
from store.content import add_file, add_record, dialogues, item_view
from store.database import Database, open_database
from store.decisions import append
from store.kinds import RaterKind, UnitKind, Verb
from store.records import Change

PEOPLE = ("ada", "ben")


def rating_study(path: Path, *, dialogues_made: int = 3) -> Database:
    """Dialogues with one query and two responses each, as items of the built-in form. The caller closes it."""
    db = open_database(path, create=True)
    with db.write() as conn:
        file_id = add_file(conn, "made.jsonl", "1" * 64, "made")
        for ordinal in range(dialogues_made):
            add_record(conn, file_id, record(dialogue(f"d{ordinal}"), ordinal))
        form = add_protocol(conn, load_builtin("response-rating").to_version())
        for one in dialogues(conn):
            add_item(conn, form, rating_item(conn, one.id, one.external_id))
        for name in PEOPLE:
            assign_all(conn, add_rater(conn, name).id)
    return db


def rate(
    db: Database, name: str, value, fields=("preference_alignment",), kind: RaterKind = RaterKind.HUMAN
) -> None:
    """Let a rater answer fields of every response: `value` is one value, or a function of (dialogue, letter)."""
    with db.write() as conn:
        rater = add_rater(conn, name, kind)
        assign_all(conn, rater.id)
        for assignment in assignments(conn, rater.id, "response-rating"):
            view = item_view(conn, assignment.id)
            for unit in view.units:
                if unit.kind is UnitKind.RESPONSE:
                    text = view.responses[unit.response_id].text
                    given = value(assignment.shown_id, text) if callable(value) else value
                    changes = [Change(field, given, unit.id) for field in fields]
                    append(conn, act(Verb.SET, assignment, *changes, unit_id=unit.id))
            append(conn, act(Verb.SUBMIT, assignment))
