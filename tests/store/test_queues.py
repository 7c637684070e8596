"""Who labels what: raters, forms, items and their versions, queues that never lose their order, and done."""

from dataclasses import replace
from pathlib import Path

import pytest
from sqlalchemy import event, insert, select
from sqlalchemy.exc import IntegrityError
from studies import RATING, VERIFICATION, act, dialogue, record, tiny_study, verification_item

from store import models as m
from store.assignments import (
    add_item,
    add_protocol,
    add_rater,
    assign,
    assign_all,
    assignment_by_id,
    assignments,
    find_item,
    mark_opened,
    next_open,
    progress,
    protocol_fields,
    rater_by_name,
    raters,
)
from store.content import add_file, add_record, dialogues, item_view, preview_item
from store.database import Database
from store.decisions import append
from store.errors import NotPossible
from store.kinds import ItemState, Phase, Purpose, RaterKind, UnitKind, Verb
from store.records import Assignment, Progress, UnitSpec

FORM = "memory-verification"


def test_a_rater_is_one_row_however_often_it_is_added(study: Database) -> None:
    with study.write() as conn:
        first = add_rater(conn, "kim", RaterKind.JUDGE, {"model": "m", "k": 3})
        assert add_rater(conn, "kim", RaterKind.JUDGE) == first
        assert first.params == {"model": "m", "k": 3}
        with pytest.raises(NotPossible, match="already a rater of kind judge"):
            add_rater(conn, "kim")
        with pytest.raises(NotPossible, match="not empty"):
            add_rater(conn, "  ")
    with study.read() as conn:
        assert [rater.name for rater in raters(conn)] == ["ada", "ben", "kim"]
        assert rater_by_name(conn, "nobody") is None


def test_a_form_is_known_by_its_content_and_never_changed_in_place(study: Database) -> None:
    with study.write() as conn:
        first = add_protocol(conn, VERIFICATION)
        assert add_protocol(conn, VERIFICATION) == first
        assert add_protocol(conn, replace(VERIFICATION, guideline="Read twice.")) == first
        assert add_protocol(conn, replace(VERIFICATION, version="2", content_hash="v2")) != first
        with pytest.raises(NotPossible, match="give the changed one a new version"):
            add_protocol(conn, replace(VERIFICATION, content_hash="changed"))
    with study.read() as conn:
        assert protocol_fields(conn, first) == VERIFICATION.fields
        g = m.guideline.c
        texts = conn.execute(select(g.text).where(g.protocol_id == first).order_by(g.id)).scalars().all()
    assert texts == ["Keep what the dialogue says.", "Read twice."]


def test_an_item_is_known_by_its_key_and_a_changed_one_is_a_new_version(
    study: Database, first: Assignment
) -> None:
    with study.write() as conn:
        form = add_protocol(conn, VERIFICATION)
        number = dialogues(conn)[0].id
        spec = verification_item(conn, number, "d1")
        same, new = add_item(conn, form, spec)
        assert not new
        added = replace(spec, units=(*spec.units, UnitSpec("extra", UnitKind.MEMORY, "m9")))
        changed, new = add_item(conn, form, added)
        assert new
        assert changed != same
        assert add_item(conn, form, added) == (changed, False)
    with study.read() as conn:
        assert find_item(conn, f"{FORM}/d1") == same
        assert find_item(conn, f"{FORM}/d1#2") == changed
        assert find_item(conn, "nothing/d1") is None
        assert [unit.key for unit in preview_item(conn, changed).units][-1] == "extra"


def test_a_new_version_takes_the_place_of_what_nobody_began_and_leaves_what_was(
    study: Database, queue: tuple[Assignment, ...]
) -> None:
    begun, untouched = queue
    with study.write() as conn:
        mark_opened(conn, begun.id, "2026-01-01T00:00:00+00:00")
        form = add_protocol(conn, VERIFICATION)
        for one in dialogues(conn):
            spec = verification_item(conn, one.id, one.external_id)
            add_item(conn, form, replace(spec, language="de"))
        assert assign_all(conn, begun.rater_id) == 2
    with study.read() as conn:
        mine = assignments(conn, begun.rater_id, FORM)
        assert untouched.id not in {one.id for one in mine}
        assert begun.id in {one.id for one in mine}
        assert len(mine) == 3
        assert progress(conn, begun.rater_id, FORM) == Progress(total=3, submitted=0, skipped=0, started=0)


def test_an_act_on_a_withdrawn_item_that_is_still_on_a_screen_brings_it_back(
    study: Database, queue: tuple[Assignment, ...]
) -> None:
    with study.write() as conn:
        form = add_protocol(conn, VERIFICATION)
        one = next(d for d in dialogues(conn) if d.external_id == queue[1].shown_id)
        add_item(conn, form, replace(verification_item(conn, one.id, one.external_id), language="de"))
        assert queue[1].id not in {one.id for one in assignments(conn, queue[1].rater_id)}
        append(conn, act(Verb.NOTE, queue[1], reason="typed meanwhile"))
        assert queue[1].id in {one.id for one in assignments(conn, queue[1].rater_id)}


def more_dialogues(db: Database, names: list[str]) -> None:
    with db.write() as conn:
        number = add_file(conn, f"{names[0]}.jsonl", names[0], "tiny")
        for place, name in enumerate(names):
            add_record(conn, number, record(dialogue(name), place))
        form = add_protocol(conn, VERIFICATION)
        for one in dialogues(conn):
            add_item(conn, form, verification_item(conn, one.id, one.external_id))


def test_every_rater_has_an_order_of_its_own_that_new_items_are_appended_to(study: Database) -> None:
    more_dialogues(study, [f"x{count}" for count in range(20)])
    with study.write() as conn:
        ada, ben = rater_by_name(conn, "ada"), rater_by_name(conn, "ben")
        assert ada is not None and ben is not None
        assert assign_all(conn, ada.id) == assign_all(conn, ben.id) == 20
        assert assign_all(conn, ada.id) == 0
        first = [one.item_id for one in assignments(conn, ada.id, FORM)]
        assert [one.position for one in assignments(conn, ada.id, FORM)] == list(range(22))
        assert first != [one.item_id for one in assignments(conn, ben.id, FORM)]
        assert sorted(first) != first
    more_dialogues(study, ["later-1", "later-2"])
    with study.write() as conn:
        assert assign_all(conn, ada.id) == 2
        assert [one.item_id for one in assignments(conn, ada.id, FORM)][:22] == first
        assert {one.phase for one in assignments(conn, ada.id)} == {Phase.BLIND}
        assert {one.purpose for one in assignments(conn, ada.id)} == {Purpose.CORE}


def zoes_order(path: Path) -> list[tuple[str, int]]:
    """What a rater is given, and in which order, in a study made anew."""
    db = tiny_study(path)
    more_dialogues(db, [f"x{count}" for count in range(12)])
    with db.write() as conn:
        zoe = add_rater(conn, "zoe")
        assign_all(conn, zoe.id)
        found = [(one.shown_id, one.seed) for one in assignments(conn, zoe.id, FORM)]
    db.close()
    return found


def test_the_same_rater_in_another_study_has_the_same_order(tmp_path: Path) -> None:
    assert zoes_order(tmp_path / "a.db") == zoes_order(tmp_path / "b.db")


def test_imported_raters_get_no_queue(study: Database) -> None:
    with study.write() as conn:
        imported = add_rater(conn, "annotator-1", params={"imported": True})
        assert assign_all(conn, imported.id) == 0
        with pytest.raises(NotPossible, match="no rater"):
            assign_all(conn, 999)


def test_a_newer_form_takes_over_what_was_not_begun_under_the_old_one(
    study: Database, queue: tuple[Assignment, ...]
) -> None:
    with study.write() as conn:
        append(conn, act(Verb.NOTE, queue[0], reason="begun"))
        newer = add_protocol(conn, replace(VERIFICATION, version="2", content_hash="v2"))
        assert assign_all(conn, queue[0].rater_id) == 0
        for one in dialogues(conn):
            add_item(conn, newer, verification_item(conn, one.id, one.external_id))
        assert assign_all(conn, queue[0].rater_id) == 1
        mine = assignments(conn, queue[0].rater_id, FORM)
    assert [one.protocol_id == newer for one in mine] == [False, True]
    assert mine[0].id == queue[0].id


def test_an_assignment_is_one_of_item_rater_phase_and_occasion(study: Database, first: Assignment) -> None:
    with study.write() as conn:
        assert assign(conn, first.item_id, first.rater_id) == first.id
        again = assign(
            conn, first.item_id, first.rater_id, occasion=1, purpose=Purpose.REPEAT, probability=0.25, seed=7
        )
        assert again != first.id
        assert assign(conn, first.item_id, first.rater_id, occasion=1) == again
        revealed = assign(conn, first.item_id, first.rater_id, phase=Phase.REVEALED, position=0)
        assert revealed not in (again, first.id)
        with pytest.raises(NotPossible, match="no item"):
            assign(conn, 999, first.rater_id)
    with study.read() as conn:
        found = assignment_by_id(conn, again)
        assert assignment_by_id(conn, 999) is None
    assert found is not None
    assert (found.occasion, found.purpose, found.seed, found.position) == (1, Purpose.REPEAT, 7, 2)


def test_the_next_item_is_the_first_open_one_behind_a_position(
    study: Database, queue: tuple[Assignment, ...]
) -> None:
    with study.write() as conn:
        rater = queue[0].rater_id
        assert next_open(conn, rater, FORM) == queue[0]
        assert next_open(conn, rater, FORM, queue[0].position) == queue[1]
        assert next_open(conn, rater, FORM, queue[1].position) is None
        append(conn, act(Verb.SUBMIT, queue[0]))
        assert next_open(conn, rater, FORM) == queue[1]
        append(conn, act(Verb.SKIP, queue[1], reason="x"))
        assert next_open(conn, rater, FORM) is None
        append(conn, act(Verb.REOPEN, queue[0]))
        reopened = next_open(conn, rater, FORM)
        assert reopened is not None
        assert reopened.id == queue[0].id
        assert next_open(conn, rater, "no such form") is None


def test_done_is_submitted_and_nothing_else(study: Database, queue: tuple[Assignment, ...]) -> None:
    rater = queue[0].rater_id

    def now() -> Progress:
        with study.read() as conn:
            return progress(conn, rater, FORM)

    assert now() == Progress(total=2, submitted=0, skipped=0, started=0)
    with study.write() as conn:
        mark_opened(conn, queue[0].id, "2026-01-01T10:00:00+00:00")
        mark_opened(conn, queue[0].id, "2026-01-01T11:00:00+00:00")
    assert now() == Progress(total=2, submitted=0, skipped=0, started=0)
    with study.write() as conn:
        append(conn, act(Verb.SUBMIT, queue[0]))
        append(conn, act(Verb.SKIP, queue[1], reason="x"))
    assert now() == Progress(total=2, submitted=1, skipped=1, started=0)
    with study.read() as conn:
        row = conn.execute(select(m.assignment).where(m.assignment.c.id == queue[0].id)).one()
        assert row.opened_at == "2026-01-01T10:00:00+00:00"
        assert row.submitted_at is not None
        assert progress(conn, rater, "no such form") == Progress(0, 0, 0, 0)


def test_responses_stand_in_an_order_that_differs_between_raters_and_is_kept(study: Database) -> None:
    orders: dict[tuple[int, ...], int] = {}
    with study.write() as conn:
        item = next(one for one in assignments(conn, 1, RATING.name)).item_id
        for count in range(40):
            rater = add_rater(conn, f"r{count}")
            number = assign(conn, item, rater.id)
            units = [unit for unit in item_view(conn, number).units if unit.kind is UnitKind.RESPONSE]
            assert [unit.shown_id for unit in units] == ["A", "B"]
            assert [unit.id for unit in units] == [
                unit.id for unit in item_view(conn, number).units if unit.kind is UnitKind.RESPONSE
            ]
            order = tuple(unit.id for unit in units)
            orders[order] = orders.get(order, 0) + 1
        preview = [unit.id for unit in preview_item(conn, item).units if unit.kind is UnitKind.RESPONSE]
    assert len(orders) == 2
    assert min(orders.values()) >= 8
    assert preview == sorted(preview)


def test_candidates_are_shuffled_by_the_seed_and_named_in_the_order_shown(
    study: Database, first: Assignment
) -> None:
    shown = set()
    with study.write() as conn:
        for count in range(12):
            number = assign(conn, first.item_id, first.rater_id, occasion=count + 1, seed=count)
            candidates = item_view(conn, number).candidates
            assert [one.shown_id for one in candidates] == ["c1", "c2"]
            shown.add(tuple(one.id for one in candidates))
    assert len(shown) == 2


def test_what_does_not_exist_is_refused_with_a_sentence(study: Database) -> None:
    with study.read() as conn:
        with pytest.raises(NotPossible, match="no assignment"):
            item_view(conn, 999)
        with pytest.raises(NotPossible, match="no item"):
            preview_item(conn, 999)


def test_words_outside_the_closed_vocabularies_are_refused_by_the_database(study: Database) -> None:
    with pytest.raises(IntegrityError, match="known_kind"), study.write() as conn:
        row = {"name": "x", "kind": "robot", "params": "{}", "created_at": "2026"}
        conn.execute(insert(m.rater), row)
    with pytest.raises(IntegrityError, match="known_state"), study.write() as conn:
        conn.execute(m.assignment.update().values(state="lost"))
    assert ItemState("open") is ItemState.OPEN


def test_the_queue_is_read_through_its_index(study: Database) -> None:
    """A million ratings must not slow the next item: no table is read from end to end."""
    with study.write() as conn:
        conn.exec_driver_sql("ANALYZE")
    plans: list[str] = []
    with study.read() as conn:
        sent: list[tuple[str, object]] = []

        def note(_: object, __: object, statement: str, parameters: object, *___: object) -> None:
            sent.append((statement, parameters))

        event.listen(conn, "before_cursor_execute", note)
        next_open(conn, 1, FORM)
        progress(conn, 1, FORM)
        item_view(conn, assignments(conn, 1, FORM)[0].id)
        for statement, parameters in list(sent):
            rows = conn.exec_driver_sql(f"EXPLAIN QUERY PLAN {statement}", parameters).all()  # type: ignore[call-overload]
            plans += [str(row[-1]) for row in rows]
    scans = [plan for plan in plans if plan.startswith("SCAN") and "CONSTANT ROW" not in plan]
    assert plans
    assert scans == []
