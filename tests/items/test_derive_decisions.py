"""Imported final lists become decisions, in whichever order list and proposals arrive, and only once."""

import json
from collections import Counter

import pytest
from item_studies import PROPOSALS, annotation, bring_in, dialogue, memory
from paths import ALPSBENCH, needs_shared

from alps_tui.items.build import build_items
from alps_tui.items.derive import derive_decisions
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all, assignments, rater_by_name, raters
from store.database import open_database
from store.decisions import item_answers, verify
from store.ratings import long_rows

EDITED = [PROPOSALS[0] | {"value": "Is vegetarian"}, PROPOSALS[2], memory("new-memory-1", "Has a cat")]


@pytest.fixture
def db(tmp_path):
    with open_database(tmp_path / "alps.db", create=True) as study:
        yield study


def rows_of(db, **wanted):
    with db.read() as conn:
        rows = list(long_rows(conn, protocol="memory-verification"))
    return [row for row in rows if all(row[key] == value for key, value in wanted.items())]


def verdicts(db, **wanted):
    """Short name of the unit → (verdict, how it is known)."""
    found = rows_of(db, field="verdict", status="answered", **wanted)
    return {row["unit_id"].rsplit("/", 1)[1]: (json.loads(row["value"]), row["attested"]) for row in found}


def answers_of(db, name):
    with db.read() as conn:
        rater = rater_by_name(conn, name)
        one = assignments(conn, rater.id)[0]
        return one, item_answers(conn, one.id)


def only_rater(db):
    with db.read() as conn:
        return raters(conn)[0].name


def test_a_touched_list_gives_derived_decisions_with_records_reasons_and_additions(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(), annotation("s1", "annotator_1", EDITED))
    report = derive_decisions(db)
    assert report.decisions == {"keep": 1, "edit": 1, "delete": 1, "added": 1, "seeded": 0}
    assert verdicts(db) == {
        "gold:m1": ("edit", "derived"),
        "gold:m2": ("delete", "derived"),
        "gold:m3": ("keep", "derived"),
    }
    assert [json.loads(row["value"]) for row in rows_of(db, field="edit_reason")] == [["wording"]]
    records = [json.loads(row["value"]) for row in rows_of(db, field="memory", status="answered")]
    assert [record["value"] for record in records] == ["Is vegetarian", "Dislikes being called", "Has a cat"]


def test_keeps_of_an_untouched_list_are_seeded(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(), annotation("s1", "annotator_1", PROPOSALS))
    assert derive_decisions(db).decisions["seeded"] == 3
    assert set(verdicts(db).values()) == {("keep", "seeded")}


def test_a_session_verdict_is_seeded_where_it_is_the_forms_default_and_explicit_where_not(db, tmp_path):
    given = annotation("s1", "annotator_1", PROPOSALS, overInference="yes", overallVerdict="unreasonable")
    bring_in(db, tmp_path / "in", dialogue(), given)
    derive_decisions(db)
    session = {
        row["field"]: (json.loads(row["value"]), row["attested"]) for row in rows_of(db, unit_kind="session")
    }
    assert session == {
        "faithfulToOriginalMeaning": ("yes", "seeded"),
        "hasDialogueEvidence": ("yes", "seeded"),
        "overInference": ("yes", "explicit"),
        "overallVerdict": ("unreasonable", "explicit"),
    }


def test_a_session_verdict_that_is_none_of_the_forms_is_named_and_left_out(db, tmp_path):
    bring_in(
        db, tmp_path / "in", dialogue(), annotation("s1", "annotator_1", PROPOSALS, overInference="maybe")
    )
    report = derive_decisions(db)
    assert len(report.left_out) == 1
    assert "s1" in report.left_out[0]
    assert "overInference is 'maybe'" in report.left_out[0]
    assert not rows_of(db, field="overInference")


def test_the_act_has_the_annotations_own_time_and_says_that_proposals_were_seen(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(), annotation("s1", "annotator_1", EDITED, annotatorNote="hm"))
    derive_decisions(db)
    row = rows_of(db, field="verdict")[0]
    assert row["decided_at"] == "2026-04-15T03:23:52.286000+00:00"
    assert (row["saw_prefill"], row["saw_judge"], row["saw_peer"]) == (True, False, False)
    assert (row["phase"], row["occasion"], row["purpose"]) == ("blind", 0, "core")
    assert row["note"] == "hm"
    one, _ = answers_of(db, only_rater(db))
    assert one.state == "submitted"


def test_a_draft_is_not_submitted(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(), annotation("s1", "annotator_1", EDITED, status="draft"))
    derive_decisions(db)
    one, answers = answers_of(db, only_rater(db))
    assert one.state == "open"
    assert len(answers.answers) == 10


@pytest.mark.parametrize("updated_at", ["", "yesterday", None])
def test_a_time_that_cannot_be_read_is_no_reason_to_lose_a_decision(db, tmp_path, updated_at):
    bring_in(db, tmp_path / "in", dialogue(), annotation("s1", "annotator_1", EDITED, updatedAt=updated_at))
    assert derive_decisions(db).derived == 1


def test_a_session_without_its_packet_is_counted_and_named_and_derived_when_it_comes(db, tmp_path):
    bring_in(
        db, tmp_path / "first", annotation("s1", "annotator_1", EDITED), annotation("s2", "annotator_1", [])
    )
    report = derive_decisions(db)
    assert (report.derived, report.without_packet) == (0, ("s1", "s2"))
    bring_in(db, tmp_path / "then", dialogue())
    report = derive_decisions(db)
    assert (report.derived, report.without_packet) == (1, ("s2",))
    assert verdicts(db)["gold:m2"] == ("delete", "derived")


def test_deriving_again_derives_nothing(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(), annotation("s1", "annotator_1", EDITED, annotatorNote="hm"))
    derive_decisions(db)
    before = rows_of(db)
    report = derive_decisions(db)
    assert (report.derived, report.same) == (0, 1)
    assert rows_of(db) == before


def test_a_list_that_was_changed_and_imported_again_is_decided_anew(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(), annotation("s1", "annotator_1", EDITED))
    derive_decisions(db)
    later = annotation("s1", "annotator_1", PROPOSALS[:2], updatedAt="2026-04-16T10:00:00Z")
    bring_in(db, tmp_path / "again", later)
    assert derive_decisions(db).derived == 1
    assert verdicts(db) == {
        "gold:m1": ("keep", "derived"),
        "gold:m2": ("keep", "derived"),
        "gold:m3": ("delete", "derived"),
    }
    assert not rows_of(db, field="edit_reason", status="answered")
    one, answers = answers_of(db, only_rater(db))
    assert one.state == "submitted"
    assert not answers.made
    with db.read() as conn:
        assert verify(conn) == ()


def test_one_list_never_counts_twice_when_its_proposals_change_later(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(), annotation("s1", "annotator_1", EDITED))
    derive_decisions(db)
    bring_in(db, tmp_path / "again", dialogue(memories=[*PROPOSALS, memory("m4", "Plays chess")]))
    build_items(db)
    report = derive_decisions(db)
    assert (report.derived, report.same) == (0, 1)
    assert len(rows_of(db, field="verdict")) == 3
    later = annotation("s1", "annotator_1", PROPOSALS, updatedAt="2026-04-16T10:00:00Z")
    bring_in(db, tmp_path / "later", later)
    assert derive_decisions(db).derived == 1
    assert set(verdicts(db).values()) == {("keep", "seeded")}


def test_imported_raters_get_no_queue_and_people_get_theirs(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(), dialogue("s2"), annotation("s1", "annotator_1", EDITED))
    build_items(db)
    derive_decisions(db)
    with db.write() as conn:
        imported = raters(conn)[0]
        person = add_rater(conn, "kim")
        assert assign_all(conn, imported.id) == 0
        assert assign_all(conn, person.id) == 4, "each to be verified, and asked what was wanted"


def test_a_packet_of_another_source_stands_in_where_it_is_the_only_one(db, tmp_path):
    bring_in(
        db, tmp_path / "in", dialogue() | {"source": "elsewhere"}, annotation("s1", "annotator_1", EDITED)
    )
    assert derive_decisions(db).derived == 1


def test_an_empty_study_derives_nothing(db):
    report = derive_decisions(db)
    assert (report.derived, report.same, report.without_packet) == (0, 0, ())


# ---------------------------------------------------------------- the real data


def cells(db, *, seeded):
    """first-second → how many proposals, over the sessions in which both annotators' decisions are counted."""
    found = {}
    for row in rows_of(db, field="verdict"):
        if seeded or row["attested"] != "seeded":
            side = row["rater"].split("-")[0]
            found.setdefault(row["unit_id"], {})[side] = json.loads(row["value"])
    pairs = Counter(f"{one['annotator_1']}-{one['annotator_2']}" for one in found.values() if len(one) == 2)
    return {key: pairs[key] for key in REFERENCE_KEYS}


REFERENCE_KEYS = [f"{a}-{b}" for a in ("keep", "edit", "delete") for b in ("keep", "edit", "delete")]


def reference():
    return json.loads((ALPSBENCH / "reference_decisions.json").read_text(encoding="utf-8"))


@pytest.fixture(
    scope="module", params=["packets first", pytest.param("annotations first", marks=pytest.mark.slow)]
)
def real(request, tmp_path_factory):
    """The real packets and double annotations, derived after each import."""
    if not ALPSBENCH.is_dir():
        pytest.skip("the shared data is not beside this checkout")
    order = [ALPSBENCH / "session_packets", ALPSBENCH / "double_annotations"]
    if request.param == "annotations first":
        order.reverse()
    reports = []
    with open_database(tmp_path_factory.mktemp("real") / "alps.db", create=True) as study:
        for path in order:
            import_paths(study, [path], locate=False)
            build_items(study)
            reports.append(derive_decisions(study))
        yield study, reports


@needs_shared
def test_the_real_decisions_are_the_published_reference_with_and_without_seeded_rows(real):
    db, _ = real
    assert cells(db, seeded=True) == reference()["with_seeded"]["cells"]
    assert cells(db, seeded=False) == reference()["without_seeded"]["cells"]


@needs_shared
def test_seeded_keeps_of_the_real_lists_are_counted_per_side(real):
    db, _ = real
    seeded = rows_of(db, field="verdict", attested="seeded")
    sides = Counter(row["rater"].split("-")[0] for row in seeded)
    lists = {(row["rater"].split("-")[0], row["dialogue_id"]) for row in seeded}
    wanted = reference()["without_seeded"]
    assert [sides["annotator_1"], sides["annotator_2"]] == wanted["seeded_keeps"]
    per_side = Counter(side for side, _ in lists)
    assert [per_side["annotator_1"], per_side["annotator_2"]] == wanted["untouched_lists"]


@needs_shared
def test_the_46_real_sessions_without_a_packet_are_named_and_the_rest_is_the_referenced_sessions(real):
    db, reports = real
    assert len(reports[-1].without_packet) == 46
    assert not set(reports[-1].without_packet) & set(reference()["with_seeded"]["sessions"])
    assert sorted({row["dialogue_id"] for row in rows_of(db)}) == reference()["with_seeded"]["sessions"]
    assert sum(report.derived for report in reports) == 114


@needs_shared
def test_every_real_session_verdict_is_seeded(real):
    db, _ = real
    session = rows_of(db, unit_kind="session", status="answered")
    assert len(session) == 114 * 4
    assert {row["attested"] for row in session} == {"seeded"}


@needs_shared
def test_the_log_of_the_real_decisions_verifies_and_deriving_again_writes_nothing(real):
    db, _ = real
    report = derive_decisions(db)
    assert (report.derived, report.same) == (0, 114)
    with db.read() as conn:
        assert verify(conn) == ()
