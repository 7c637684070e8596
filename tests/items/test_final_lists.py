"""The lists raters leave: folded from decisions here, verbatim where they were imported."""

import json
import uuid

import pytest
from item_studies import PROPOSALS, annotation, bring_in, dialogue, memory
from paths import ALPSBENCH, needs_shared

from alps_tui.items.build import build_items
from alps_tui.items.derive import derive_decisions
from alps_tui.items.final_lists import final_lists, published_pairs
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all, assignments
from store.content import item_view
from store.database import open_database
from store.decisions import append
from store.kinds import UnitKind, Verb
from store.records import Act, Change, NewUnit

EDITED = [PROPOSALS[2], PROPOSALS[0] | {"value": "Is vegetarian", "_x": 1}, memory("new-1", "Has a cat")]


@pytest.fixture
def db(tmp_path):
    with open_database(tmp_path / "alps.db", create=True) as study:
        yield study


def decide(db, name, *changes):
    """A person's decisions on the only item: (short unit name or None for an addition, field, value)."""
    build_items(db)
    with db.write() as conn:
        rater = add_rater(conn, name)
        assign_all(conn, rater.id)
        one = assignments(conn, rater.id, "memory-verification")[0]
        units = {unit.shown_id: unit.id for unit in item_view(conn, one.id).units}
        for shown, field, value in changes:
            new = None if shown in units else NewUnit(UnitKind.MEMORY, key=shown, shown_id=shown)
            change = Change(field, value, None if new else units[shown], new)
            at = "2026-05-01T00:00:00.000000+00:00"
            append(conn, Act(Verb.SET, one.id, one.item_id, uuid.uuid4().hex, at, (change,)))


def values(found):
    return [record["value"] for record in found.records]


def test_a_persons_list_is_what_was_kept_edited_and_added(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue())
    decide(
        db,
        "kim",
        ("m1", "verdict", "edit"),
        ("m1", "memory", PROPOSALS[0] | {"value": "Is vegetarian"}),
        ("m2", "verdict", "delete"),
        ("m3", "verdict", "keep"),
        ("mine", "memory", memory("new", "Has a cat")),
    )
    (found,) = final_lists(db)
    assert (found.session_id, found.rater, found.verbatim) == ("s1", "kim", False)
    assert values(found) == ["Is vegetarian", "Dislikes being called", "Has a cat"]


def test_a_proposal_in_doubt_or_deleted_after_an_edit_is_in_no_list(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue())
    decide(
        db,
        "kim",
        ("m1", "verdict", "edit"),
        ("m1", "memory", PROPOSALS[0] | {"value": "Is vegetarian"}),
        ("m1", "verdict", "delete"),
        ("m2", "verdict", "in_doubt"),
    )
    (found,) = final_lists(db)
    assert values(found) == []


def test_a_person_who_decided_nothing_has_no_list(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue())
    decide(db, "kim", ("session", "faithfulToOriginalMeaning", "yes"))
    assert final_lists(db) == ()


def test_an_imported_list_is_verbatim_with_or_without_its_packet(db, tmp_path):
    bring_in(
        db,
        tmp_path / "in",
        dialogue(),
        annotation("s1", "annotator_1", EDITED),
        annotation("s9", "annotator_1", EDITED),
    )
    derive_decisions(db)
    found = final_lists(db)
    assert [(one.session_id, one.verbatim) for one in found] == [("s1", True), ("s9", True)]
    assert all(list(one.records) == EDITED for one in found)


def test_pairs_are_made_within_a_pair_of_annotators_in_the_order_of_sessions(db, tmp_path):
    bring_in(
        db,
        tmp_path / "in",
        annotation("s2", "annotator_2", PROPOSALS),
        annotation("s2", "annotator_1", EDITED),
        annotation("s1", "annotator_1", PROPOSALS, group="g2"),
        annotation("s1", "annotator_2", EDITED, group="g2"),
        annotation("s3", "annotator_1", EDITED),
        annotation("s4", "annotator_1", EDITED, group="g1"),
        annotation("s4", "annotator_2", EDITED, group="g2"),
    )
    found = published_pairs(db)
    assert [pair.session_id for pair in found.pairs] == ["s1", "s2"]
    assert list(found.pairs[0].first) == PROPOSALS
    assert list(found.pairs[1].first) == EDITED
    assert found.one_sided == ("s3", "s4")


@needs_shared
def test_the_real_pairs_are_the_lists_of_the_files(db):
    import_paths(db, [ALPSBENCH / "double_annotations"], locate=False)
    found = published_pairs(db)
    assert len(found.pairs) == 103
    assert found.one_sided == ()
    assert [pair.session_id for pair in found.pairs] == sorted(pair.session_id for pair in found.pairs)
    for side in ("annotator_1", "annotator_2"):
        for path in (ALPSBENCH / "double_annotations" / side).glob("*.json"):
            record = json.loads(path.read_text(encoding="utf-8"))
            pair = next(pair for pair in found.pairs if pair.session_id == record["sessionId"])
            wanted = record["tasks"]["task1"]["annotation"]["editableGoldMemories"]
            assert list(pair.first if side == "annotator_1" else pair.second) == wanted
