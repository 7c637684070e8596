"""The three raters of the sample study: what they decided is possible, complete, and as different as people are."""

from collections import defaultdict
from datetime import datetime, timedelta
from itertools import combinations, pairwise

import krippendorff
import numpy as np
import pytest
from sqlalchemy import func, select

from alps_tui.demo.load import load_sample
from alps_tui.demo.sittings import read_sittings
from alps_tui.protocols.loading import load_builtin
from alps_tui.protocols.rules import check_value, missing, visible
from store import models as m
from store.assignments import add_rater, assign_all, assignments, progress, rater_by_name
from store.content import dialogues, item_view, responses_of_dialogue
from store.database import backup, open_database
from store.decisions import verify
from store.kinds import ItemState, Status, UnitKind
from store.ratings import long_rows

RATERS = ("rater-amber", "rater-birch", "rater-cobalt")
EMOTIONAL = ("resonation", "expression", "reception")
VERIFICATION, RATING = "memory-verification", "response-rating"


@pytest.fixture(scope="module")
def answered(sample):
    """(rater, protocol) → the item views on which the rater decided anything."""
    db, _ = sample
    views = defaultdict(list)
    with db.read() as conn:
        for name in RATERS:
            rater = rater_by_name(conn, name)
            for assignment in assignments(conn, rater.id):
                view = item_view(conn, assignment.id)
                if view.answers.revision:
                    views[name, assignment.protocol].append(view)
    return views


@pytest.fixture
def copy(sample, tmp_path):
    """The sample study as loaded, to be written to."""
    db, _ = sample
    backup(db, tmp_path / "copy.db")
    with open_database(tmp_path / "copy.db") as opened:
        yield opened


@pytest.fixture(scope="module")
def cells(answered):
    """field → unit id → rater → value, of the units that all raters were given."""
    table = defaultdict(lambda: defaultdict(dict))
    for (name, _), views in answered.items():
        for view in views:
            given = {unit.id for unit in view.units if not unit.made}
            for (unit, field), answer in view.answers.answers.items():
                if unit in given and answer.status is Status.ANSWERED:
                    table[field][unit][name] = answer.value
    return table


def values(unit, answers):
    return {field: a.value for (unit_id, field), a in answers.items() if unit_id == unit.id}


def numbers(cells, field):
    """Raters x units, NaN where there is no number."""
    rows = [
        [one.get(name) if one.get(name) != "na" else None for name in RATERS] for one in cells[field].values()
    ]
    return np.array(rows, dtype=float).T


def kappa(left, right):
    """Cohen's kappa of two lists of categories (Cohen 1960)."""
    raw = np.mean([a == b for a, b in zip(left, right, strict=True)])
    by_chance = sum(left.count(k) * right.count(k) for k in set(left) | set(right)) / len(left) ** 2
    return (raw - by_chance) / (1 - by_chance)


# ---------------------------------------------------------------- possible and complete


def test_every_answer_is_allowed_by_its_form_and_shown_by_it(answered):
    checked = 0
    for (_, protocol), views in answered.items():
        for view in views:
            form = load_builtin(protocol).for_ability(view.assignment.ability)
            for unit in view.units:
                fields = {field.key: field for field in form.fields_of(unit.kind, made=unit.made)}
                given = values(unit, view.answers.answers)
                for key, value in given.items():
                    assert check_value(fields[key], value) is None, (view.assignment.shown_id, key, value)
                    assert visible(fields[key], given)
                    checked += 1
    assert checked > 900


def test_what_was_submitted_lacks_nothing_and_what_was_skipped_says_why(answered):
    states = []
    for (_, protocol), views in answered.items():
        for view in views:
            form = load_builtin(protocol).for_ability(view.assignment.ability)
            states.append(view.answers.state)
            if view.answers.state is ItemState.SKIPPED:
                assert view.answers.skip_reason and not view.answers.answers
                continue
            assert view.answers.state is ItemState.SUBMITTED
            for unit in view.units:
                given = values(unit, view.answers.answers)
                assert missing(form, unit.kind, given, made=unit.made) == ()
    assert states.count(ItemState.SKIPPED) == 2


def test_an_edit_changes_the_proposal_and_keeps_its_id(answered):
    edits = 0
    for (_, protocol), views in answered.items():
        for view in views if protocol == VERIFICATION else ():
            for unit in view.units:
                given = values(unit, view.answers.answers)
                if given.get("verdict") != "edit":
                    continue
                proposal, record = view.memories[unit.memory_id], given["memory"]
                assert record["memory_id"] == unit.shown_id == proposal.shown_id
                assert any(record[key] != getattr(proposal, key) for key in ("value", "label", "time_scope"))
                edits += 1
    assert edits == 32


def test_every_quote_of_a_rater_stands_in_the_turn_it_names(answered):
    for (_, protocol), views in answered.items():
        for view in views if protocol == VERIFICATION else ():
            for (_, field), answer in view.answers.answers.items():
                if field == "memory":
                    place = answer.value["evidence"]
                    assert place["text"] in view.turns[place["utterance_index"]].text


def test_raters_edit_delete_doubt_add_note_flag_and_undo(answered):
    given = [v for views in answered.values() for view in views for v in view.answers.answers.items()]
    verdicts = {answer.value for (_, field), answer in given if field == "verdict"}
    assert verdicts == {"keep", "edit", "delete", "in_doubt"}
    views = [view for some in answered.values() for view in some]
    assert sum(unit.made for view in views for unit in view.units) == 9
    assert sum(len(view.answers.notes) for view in views) >= 15
    assert sum(len(view.answers.flags) for view in views) == 1
    assert any(act.get("verb") == "undo" for sitting in read_sittings() for act in sitting.acts)


def test_log_and_projection_agree(sample):
    db, _ = sample
    with db.read() as conn:
        assert verify(conn) == ()


def test_loading_again_adds_nothing(sample, copy):
    _, first = sample
    with copy.read() as conn:
        before = list(long_rows(conn))
    again = load_sample(copy)
    with copy.read() as conn:
        assert list(long_rows(conn)) == before
        assert verify(conn) == ()
    assert (first.sittings, first.acts) == (108, 1490)
    assert (again.dialogues, again.responses, again.sittings, again.acts) == (0, 0, 0, 0)
    assert not any(again.items.values())


def test_progress_counts_every_sitting_also_those_that_are_there_already(copy):
    calls = []
    load_sample(copy, lambda done, total: calls.append((done, total)))
    assert calls == [(n, 108) for n in range(1, 109)]


def test_a_new_rater_finds_every_item_open(copy):
    with copy.write() as conn:
        me = add_rater(conn, "somebody new")
        judges_alone = ("ability-score", "memory-use")
        asked_of_people = m.protocol.c.name.not_in(judges_alone)
        counted = select(func.count()).select_from(m.item.join(m.protocol)).where(asked_of_people)
        items = conn.execute(counted).scalar()
        assert assign_all(conn, me.id) == items >= 13 + 27 + 3
        done = progress(conn, me.id, VERIFICATION)
    assert (done.total, done.submitted, done.started) == (13, 0, 0)


# ---------------------------------------------------------------- when


def test_nobody_works_on_two_items_at_once_and_acts_are_at_most_a_minute_apart():
    by_rater = defaultdict(list)
    for sitting in read_sittings():
        times = [datetime.fromisoformat(act["at"]) for act in sitting.acts]
        assert all(timedelta(0) < b - a <= timedelta(minutes=1) for a, b in pairwise(times))
        assert all((t.year, t.month) == (2026, 10) and t.utcoffset() == timedelta(0) for t in times)
        assert datetime.fromisoformat(sitting.opened) < times[0]
        assert all(0 < act["ms"] <= 60_000 for act in sitting.acts)
        by_rater[sitting.rater].append((datetime.fromisoformat(sitting.opened), times[-1]))
    for spans in by_rater.values():
        assert all(end < start for (_, end), (start, _) in pairwise(sorted(spans)))


# ---------------------------------------------------------------- how different


def test_three_raters_verified_half_of_the_proposals(cells, answered):
    assert sum(len(one) == 3 for one in cells["verdict"].values()) == 44
    for name in RATERS:
        done = [v for v in answered[name, VERIFICATION] if v.answers.state is ItemState.SUBMITTED]
        assert len(done) == 7


def test_at_least_24_responses_have_both_axes_from_all_three(cells):
    fields = [numbers(cells, field) for field in ("preference_alignment", *EMOTIONAL)]
    assert sum(not np.isnan(row).any() for row in np.stack(fields).transpose(2, 0, 1)) >= 24


def test_kappa_of_each_pair_on_the_verdict_is_that_of_people_who_read(cells):
    verdicts = {name: [one[name] for one in cells["verdict"].values()] for name in RATERS}
    for left, right in combinations(RATERS, 2):
        assert 0.45 <= kappa(verdicts[left], verdicts[right]) <= 0.7


def test_alpha_is_fair_for_preferences_and_lower_for_feelings(cells):
    def alpha(field):
        return krippendorff.alpha(numbers(cells, field), level_of_measurement="ordinal")

    preference = alpha("preference_alignment")
    assert 0.5 <= preference <= 0.75
    for field in EMOTIONAL:
        assert 0.35 <= alpha(field) < preference


def test_amber_is_lenient_and_birch_deletes_what_is_inferred(cells):
    means = dict(zip(RATERS, np.nanmean(numbers(cells, "preference_alignment"), axis=1), strict=True))
    assert means["rater-amber"] > max(means["rater-birch"], means["rater-cobalt"]) + 0.5
    deleted = {name: sum(one[name] == "delete" for one in cells["verdict"].values()) for name in RATERS}
    assert deleted["rater-birch"] >= 2 * max(deleted["rater-amber"], deleted["rater-cobalt"]) - 1


def test_no_model_is_best_or_worst_everywhere(sample, answered):
    db, _ = sample
    with db.read() as conn:
        model = {r.id: r.model for d in dialogues(conn) for r in responses_of_dialogue(conn, d.id)}
    best, worst = set(), set()
    scores = defaultdict(lambda: defaultdict(list))
    for (_, protocol), views in answered.items():
        for view in views if protocol == RATING else ():
            for unit in view.units:
                value = values(unit, view.answers.answers).get("preference_alignment")
                if unit.kind is UnitKind.RESPONSE and isinstance(value, int):
                    scores[view.assignment.item_id][model[unit.response_id]].append(value)
    for item in scores.values():
        ranked = sorted(item, key=lambda name: np.mean(item[name]))
        worst.add(ranked[0])
        best.add(ranked[-1])
    assert len(best) >= 2 and len(worst) >= 2
