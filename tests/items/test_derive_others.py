"""Annotations of tasks 2 to 4 and judges' outputs: what they say in our forms, whichever file comes first."""

import json
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from judged_sessions import (
    ability_item,
    double,
    entries,
    extraction_item,
    judged_memories,
    retrieval_item,
    session_packet,
    sub,
    update_item,
    write,
)

from alps_tui.items.build import build_items
from alps_tui.items.derive import DeriveReport, derive_decisions
from alps_tui.protocols.loading import load_builtin
from alps_tui.sources.importer import import_paths
from store.assignments import add_protocol, add_rater, assign_all, assignments, raters
from store.content import annotations
from store.database import Database, open_database
from store.decisions import verify
from store.kinds import RaterKind
from store.ratings import long_rows


@pytest.fixture
def db(tmp_path: Path) -> Iterator[Database]:
    with open_database(tmp_path / "study.db", create=True) as study:
        yield study


def bring(db: Database, *paths: Path) -> DeriveReport:
    for path in paths:
        assert not import_paths(db, [path]).quarantined
    build_items(db)
    return derive_decisions(db)


def said(db: Database, form: str, rater: str | None = None) -> dict[tuple[str, str], tuple[Any, str]]:
    """(unit key, field) → value and how we know it, of a form's only sitting or of one rater's."""
    with db.read() as conn:
        rows = [row for row in long_rows(conn, protocol=form) if rater in (None, row["rater"])]
    assert len({(row["rater"], row["item_id"]) for row in rows}) <= 1
    return {
        (row["unit_id"].rpartition("/")[2].partition("@")[0], row["field"]): (
            json.loads(row["value"]),
            row["attested"],
        )
        for row in rows
        if row["status"] == "answered"
    }


# ---------------------------------------------------------------- task 2


def test_an_untouched_update_is_seeded_through_and_through(db, tmp_path):
    bring(db, write(tmp_path / "p.json", session_packet()), double(tmp_path, entries(task2={})))

    answers = said(db, "memory-update")
    assert {how for _, how in answers.values()} == {"seeded"}
    assert {key: value for (key, field), (value, _) in answers.items() if field == "action"} == {
        "answer:m1": "retention",
        "answer:m2_updated": "modification",
        "answer:m_new_1": "addition",
    }
    assert answers["session", "expectedAction"] == ("modification", "seeded")


def test_what_was_changed_in_an_update_is_derived_and_the_rest_is_kept_knowingly(db, tmp_path):
    packet = session_packet()
    answer = packet["task2"]["golden_answer"]
    added = {**answer[0], "memory_id": "new-memory-1", "value": "Has a cat"}
    final = [answer[0], {**answer[1], "value": "Lives in Bergen"}, added]
    record = {
        "editableUpdatedMemories": final,
        "goldUpdateReasonable": "partial",
        "issueTypes": ["over_update"],
    }
    bring(db, write(tmp_path / "p.json", packet), double(tmp_path, entries(task2=record)))

    answers = said(db, "memory-update")
    verdicts = {key: found for (key, field), found in answers.items() if field == "verdict"}
    assert verdicts == {
        "answer:m1": ("keep", "derived"),
        "answer:m2_updated": ("edit", "derived"),
        "answer:m_new_1": ("delete", "derived"),
    }
    assert answers["answer:m2_updated", "memory"][0]["value"] == "Lives in Bergen"
    assert answers["added:1", "memory"] == (added, "derived")
    assert answers["added:1", "action"] == ("addition", "derived")
    assert answers["session", "goldUpdateReasonable"] == ("partial", "explicit")
    assert answers["session", "overallVerdict"] == ("reasonable", "seeded")
    assert answers["session", "issueTypes"] == (["over_update"], "explicit")
    assert ("answer:m_new_1", "action") not in answers


# ---------------------------------------------------------------- tasks 3 and 4


def test_a_question_and_a_memory_left_as_they_were_are_seeded(db, tmp_path):
    bring(db, write(tmp_path / "p.json", session_packet()), double(tmp_path, entries(task3={})))

    answers = said(db, "memory-retrieval")
    assert {how for _, how in answers.values()} == {"seeded"}
    assert answers["query", "query_verdict"][0] == answers["query", "target_verdict"][0] == "keep"
    assert answers["query", "relevanceLevel"][0] == "strong"


@pytest.mark.parametrize(
    ("record", "verdict"),
    [
        ({"memory_id": "m2", "value": "Lives in Lyon"}, "swap"),
        ({"memory_id": "m1", "value": "Is vegetarian"}, "edit"),
        ({"memory_id": "m1", "value": "Is vegan"}, "keep"),
        (None, "none"),
    ],
)
def test_a_memory_that_was_swapped_edited_or_taken_out_is_told_apart(db, tmp_path, record, verdict):
    changed = {"queryText": "What shall I eat?", "editableSelectedMemory": record}
    bring(db, write(tmp_path / "p.json", session_packet()), double(tmp_path, entries(task3=changed)))

    answers = said(db, "memory-retrieval")
    assert answers["query", "query_verdict"] == ("edit", "derived")
    assert answers["query", "queryText"] == ("What shall I eat?", "derived")
    assert answers["query", "target_verdict"] == (verdict, "seeded" if verdict == "keep" else "derived")
    assert (("query", "memory") in answers) == (verdict in ("swap", "edit"))


def test_each_question_of_task_4_gets_its_own_answers(db, tmp_path):
    first = sub("ability1_1:1", memoryDependency="weak", issueTypes=["leakage"], evidenceNote="Turn 1.")
    record = {"subAnnotations": [first, sub("ability2_9:1", queryText="Say it in Norwegian.")]}
    report = bring(db, write(tmp_path / "p.json", session_packet()), double(tmp_path, entries(task4=record)))

    answers = said(db, "utilization-check")
    assert answers["query:ability1_1:1", "memoryDependency"] == ("weak", "explicit")
    assert answers["query:ability1_1:1", "issueTypes"] == (["leakage"], "explicit")
    assert answers["query:ability1_1:1", "evidenceNote"] == ("Turn 1.", "explicit")
    assert answers["query:ability1_1:1", "query_verdict"] == ("keep", "seeded")
    assert answers["query:ability2_9:1", "query_verdict"] == ("edit", "derived")
    assert answers["query:ability2_9:1", "testsTargetAbility"] == ("yes", "seeded")
    assert report.forms["utilization-check"].left_out == ()


def test_what_no_form_allows_is_named_and_the_rest_is_there(db, tmp_path):
    record = {"subAnnotations": [sub("ability1_1:1", memoryDependency="enormous"), sub("gone:1")]}
    report = bring(db, write(tmp_path / "p.json", session_packet()), double(tmp_path, entries(task4=record)))

    assert len(report.forms["utilization-check"].left_out) == 2
    answers = said(db, "utilization-check")
    assert ("query:ability1_1:1", "memoryDependency") not in answers
    assert answers["query:ability1_1:1", "overallVerdict"] == ("reasonable", "seeded")


def test_whichever_file_comes_first_the_decisions_are_the_same(tmp_path):
    packet = write(tmp_path / "p.json", session_packet())
    annotated = double(tmp_path, entries(task2={}, task3={"queryText": "Else?"}, task4={}))
    seen = []
    for name, order in (("a", [packet, annotated]), ("b", [annotated, packet])):
        with open_database(tmp_path / f"{name}.db", create=True) as db:
            first = bring(db, order[0])
            assert not any(one.derived for one in first.forms.values())
            second = bring(db, order[1])
            assert {form: one.derived for form, one in second.forms.items()} == dict.fromkeys(
                ("memory-update", "memory-retrieval", "utilization-check"), 1
            )
            seen.append([said(db, form) for form in second.forms])
            with db.read() as conn:
                assert verify(conn) == ()
    assert seen[0] == seen[1]


def test_again_nothing_is_derived_and_an_annotation_changed_elsewhere_is_decided_anew(db, tmp_path):
    packet = write(tmp_path / "p.json", session_packet())
    bring(db, packet, double(tmp_path, entries(task3={})))
    again = derive_decisions(db).forms["memory-retrieval"]
    assert (again.derived, again.same) == (0, 1)

    report = bring(db, double(tmp_path, entries(task3={"relevanceLevel": "weak"})))

    assert report.forms["memory-retrieval"].derived == 1
    assert said(db, "memory-retrieval")["query", "relevanceLevel"] == ("weak", "explicit")


def test_a_question_changed_since_leaves_the_decisions_on_the_one_they_were_made_for(db, tmp_path):
    bring(db, write(tmp_path / "p.json", session_packet()), double(tmp_path, entries(task3={})))
    newer = session_packet()
    newer["task3"]["query"] = "A new question?"

    report = bring(db, write(tmp_path / "q.json", newer))

    assert (report.forms["memory-retrieval"].derived, report.forms["memory-retrieval"].same) == (0, 1)
    assert said(db, "memory-retrieval")["query", "query_verdict"] == ("keep", "seeded")


def test_a_draft_is_left_open(db, tmp_path):
    bring(
        db, write(tmp_path / "p.json", session_packet()), double(tmp_path, entries(task3={"status": "draft"}))
    )

    with db.read() as conn:
        (rater,) = raters(conn)
        (sitting,) = assignments(conn, rater.id, "memory-retrieval")
    assert sitting.state == "open"


# ---------------------------------------------------------------- judges


def test_a_judges_reviews_are_units_it_made_and_come_to_its_score(db, tmp_path):
    report = bring(db, write(tmp_path / "j.json", judged_memories()))

    done = report.forms["extraction-review"]
    assert (done.derived, done.left_out, done.answers["reviews"]) == (1, (), 3)
    answers = said(db, "extraction-review")
    assert answers["pair:m1:p1", "error_type"] == ("VALUE_DRIFT", "explicit")
    assert answers["pair:m1:p1", "ok"] == (False, "explicit")
    assert answers["missing:m2", "gold_id"] == ("m2", "explicit"), "m2 is not in the gold any more"
    assert answers["missing:m2", "should_have_extracted"] == (True, "explicit")
    assert answers["extra:p2", "hallucinated"] == (True, "explicit")
    assert answers["pair:m1:p1", "penalty"] == (18, "derived")
    assert answers["session", "penalty_score"] == (57, "derived")


def test_a_score_that_its_reviews_do_not_come_to_is_named(db, tmp_path):
    document = judged_memories()
    document["llm_as_judge_results"]["model-a"]["judge_score"] = 58
    report = bring(db, write(tmp_path / "j.json", document))

    assert report.forms["extraction-review"].left_out == (
        "sess_j, judge-of-llm-memories: judge_score is 58, its reviews come to 57.0",
    )


def test_a_misspelt_key_is_the_answer_it_means(db, tmp_path):
    document = judged_memories()
    reviews = document["llm_as_judge_results"]["model-a"]["judge_output_raw"]
    reviews["missing_reviews"][0]["should_have extracted"] = reviews["missing_reviews"][0].pop(
        "should_have_extracted"
    )
    bring(db, write(tmp_path / "j.json", document))

    assert said(db, "extraction-review")["missing:m2", "should_have_extracted"] == (True, "explicit")


def test_a_judge_of_an_update_is_reviewed_under_the_same_form(db, tmp_path):
    bring(db, write(tmp_path / "u.json", update_item()))

    assert said(db, "extraction-review") == {("session", "penalty_score"): (100, "derived")}


def test_a_judge_of_memory_use_answers_its_form(db, tmp_path):
    bring(db, write(tmp_path / "t.json", retrieval_item()))

    assert list(said(db, "memory-use").values()) == [
        ("It fits.", "explicit"),
        (0.9, "explicit"),
        (True, "explicit"),
    ]


def test_scores_of_the_fifth_ability_answer_the_form_people_fill_and_the_others_one_of_their_own(
    db, tmp_path
):
    rows = [
        {"response": "Same.", "resonation": 2, "expression": 3, "reception": None},
        {"response": "Same.", "resonation": 4, "expression": 5, "reception": 5},
    ]
    bring(
        db,
        write(tmp_path / "5.json", ability_item("ability5", ["Same.", "Same."], rows)),
        write(tmp_path / "1.json", ability_item("ability1", ["Yes."], {"response": "Yes.", "score": 0})),
    )

    with db.read() as conn:
        rated = [
            (row["item_id"].rpartition(":")[2], row["field"], row["number"])
            for row in long_rows(conn, protocol="response-rating")
            if row["status"] == "answered"
        ]
    assert rated == [
        ("0", "score", 0),
        ("0", "expression", 3),
        ("0", "resonation", 2),
        ("1", "expression", 5),
        ("1", "reception", 5),
        ("1", "resonation", 4),
    ], "responses of one text are joined in their places; a score that is missing is no answer"
    assert list(said(db, "ability-score").values()) == [(0, "explicit")]


def test_a_judge_saw_no_form_and_an_annotator_saw_the_proposals(db, tmp_path):
    bring(
        db,
        write(tmp_path / "p.json", session_packet()),
        write(tmp_path / "j.json", judged_memories()),
        double(tmp_path, entries(task2={})),
    )

    with db.read() as conn:
        seen = {
            form: {row["saw_prefill"] for row in long_rows(conn, protocol=form)}
            for form in ("memory-update", "extraction-review")
        }
        kinds = {row["rater_kind"] for row in long_rows(conn, protocol="extraction-review")}
    assert seen == {"memory-update": {True}, "extraction-review": {False}}
    assert kinds == {RaterKind.IMPORTED_JUDGE}


def test_a_judges_answers_stay_where_they_are_when_the_gold_changes_and_are_not_doubled(db, tmp_path):
    bring(db, write(tmp_path / "j.json", judged_memories()))
    newer = judged_memories()
    newer["golden_answer"].append(newer["golden_answer"][0] | {"memory_id": "m9", "value": "Has a cat"})

    report = bring(db, write(tmp_path / "k.json", newer))

    assert (report.forms["extraction-review"].derived, report.forms["extraction-review"].same) == (0, 1)
    assert said(db, "extraction-review")["session", "penalty_score"] == (57, "derived")


# ---------------------------------------------------------------- one session, several layouts; queues


def test_a_session_in_every_layout_is_verified_once_in_whatever_order_it_comes(tmp_path):
    layouts = [
        write(tmp_path / "packet.json", session_packet("sess_1")),
        write(tmp_path / "memories.json", judged_memories("sess_1")),
        write(tmp_path / "item1.json", extraction_item("sess_1")),
        write(tmp_path / "item2.json", update_item("sess_1")),
        write(tmp_path / "item3.json", retrieval_item("sess_1")),
    ]
    for name, order in (("forth", layouts), ("back", layouts[::-1])):
        with open_database(tmp_path / f"{name}.db", create=True) as db:
            made = Counter()
            for path in order:
                import_paths(db, [path])
                made += Counter(build_items(db))
            derive_decisions(db)
            with db.write() as conn:
                person = add_rater(conn, "ada")
                assign_all(conn, person.id)
            with db.read() as conn:
                queue = assignments(conn, person.id)
            verified = [one.shown_id for one in queue if one.protocol == "memory-verification"]
            assert (verified, made["memory-verification"]) == (["sess_1"], 1)


def test_an_annotation_keeps_to_the_layout_it_was_made_on(db, tmp_path):
    other = retrieval_item("sess_1") | {"original": {**retrieval_item()["original"], "query": "Another?"}}
    report = bring(
        db,
        write(tmp_path / "item3.json", other),
        write(tmp_path / "packet.json", session_packet("sess_1")),
        double(tmp_path, entries("sess_1", task3={})),
    )

    assert report.forms["memory-retrieval"].derived == 1
    assert said(db, "memory-retrieval")["query", "query_verdict"] == ("keep", "seeded")


def test_nobody_is_given_a_queue_of_a_form_without_a_screen(db, tmp_path):
    bring(
        db,
        write(tmp_path / "p.json", session_packet()),
        write(tmp_path / "j.json", judged_memories()),
        double(tmp_path, entries(task2={}, task3={}, task4={})),
    )

    with db.write() as conn:
        person = add_rater(conn, "ada")
        assign_all(conn, person.id)
    with db.read() as conn:
        queued = {one.protocol for one in assignments(conn, person.id)}
        assert queued == {name for name in queued if load_builtin(name).screen} >= {"memory-verification"}
        assert annotations(conn, "task2")


def test_a_form_that_gets_a_screen_gives_a_queue_though_the_study_knew_it_without(db, tmp_path):
    bring(db, write(tmp_path / "p.json", session_packet()), write(tmp_path / "j.json", judged_memories()))
    form = load_builtin("extraction-review")
    shown = form.to_version()
    hidden = replace(shown, source="screen = false\n" + form.source)
    with db.write() as conn:
        protocol_id = add_protocol(conn, shown)
        assert add_protocol(conn, hidden) == protocol_id
        person = add_rater(conn, "ada")
        assign_all(conn, person.id)
        assert not assignments(conn, person.id, form.name)
        add_protocol(conn, shown)
        assert assign_all(conn, person.id) == len(assignments(conn, person.id, form.name)) >= 1


# ---------------------------------------------------------------- the gold editor


def editor_export(*records: dict[str, Any], session: str = "sess_0a") -> dict[str, Any]:
    key = f"{session}__703"
    return {key: {"sessionKey": key, "golden_answer": list(records), "status": "done"}}


def test_the_gold_editors_list_becomes_decisions_on_the_packets_gold(db, tmp_path):
    second = session_packet("sess_0a")["task1"]["ground_truth_memories"][1]
    left = [second | {"memory_id": "m1", "value": "Lives in Lyon now"}]
    report = bring(
        db,
        write(tmp_path / "editor.json", editor_export(*left)),
        write(tmp_path / "p.json", session_packet("sess_0a")),
    )

    done = report.forms["memory-verification"]
    assert (done.derived, done.without_content, report.kept) == (1, (), {})
    answers = said(db, "memory-verification")
    assert answers["gold:m1", "verdict"] == ("delete", "derived")
    assert answers["gold:m2", "verdict"] == ("edit", "derived")
    assert answers["gold:m2", "edit_reason"] == (["wording"], "derived")
    assert not any(field == "faithfulToOriginalMeaning" for _, field in answers), (
        "that tool asks nothing else"
    )


def test_a_list_the_gold_editor_saved_as_it_was_is_seeded(db, tmp_path):
    gold = session_packet("sess_0a")["task1"]["ground_truth_memories"]
    bring(
        db,
        write(tmp_path / "p.json", session_packet("sess_0a")),
        write(tmp_path / "editor.json", editor_export(*gold)),
    )

    answers = said(db, "memory-verification")
    assert [found for (_, field), found in answers.items() if field == "verdict"] == [("keep", "seeded")] * 2


def test_a_gold_editors_session_without_a_packet_is_kept_and_named(db, tmp_path):
    report = bring(db, write(tmp_path / "editor.json", editor_export()))

    (missing,) = report.forms["memory-verification"].without_content
    assert missing.startswith("sess_0a, gold-editor-")
