"""The judge card from the long table: who is held against whom, on which rows, and what it says it does not know."""

import json
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rating_studies import rate, rating_study

from alps_tui.judging.baseline import HONEST, NAME
from alps_tui.judging.card import NOT_REACHED, NoCard, judge_card
from alps_tui.judging.runner import run_offline
from alps_tui.protocols.loading import load_builtin
from store.kinds import UnitKind
from store.ratings import ratings_table
from store.records import FieldScale
from store.table import from_rows

FORM = load_builtin("response-rating").to_version().fields
SCORE = FieldScale(
    "preference_alignment", UnitKind.RESPONSE, "scale", "ordinal", (1, 2, 3, 4, 5), required=True
)


def row(rater, unit, value, *, dialogue=None, field="preference_alignment", **more):
    """A long row; a judge's name begins with "judge"."""
    kind = "judge" if rater.startswith("judge") else "human"
    return {
        "rater": rater,
        "rater_kind": kind,
        "unit_id": unit,
        "item_id": dialogue or unit,
        "dialogue_id": dialogue or unit,
        "field": field,
        "value": None if value is None else json.dumps(value),
        "protocol": "response-rating@1",
    } | more


def rows_of(scores):
    """{rater: {unit: value}} to long rows; a unit's dialogue is its first sign."""
    return [
        row(rater, unit, value, dialogue=unit[0])
        for rater, mine in scores.items()
        for unit, value in mine.items()
    ]


def card_of(rows, judge="judge", fields=(SCORE,)):
    return judge_card(from_rows(rows), judge, fields)


PANEL = {
    "judge": {"a1": 2, "a2": 3, "b1": 5, "b2": 4, "c1": 1},
    "ada": {"a1": 1, "a2": 3, "b1": 4, "b2": 2, "c1": 1},
    "ben": {"a1": 2, "a2": 4, "b1": 5, "c1": 1},
    "cem": {"a1": 1, "b1": 5, "b2": 4},
}


def test_the_judge_is_held_against_the_mean_of_those_who_scored_the_unit():
    (field,) = card_of(rows_of(PANEL)).fields
    means = [4 / 3, 3.5, 14 / 3, 3, 1]
    away = np.array([2, 3, 5, 4, 1]) - means
    assert (field.n_units, field.n_pairs, field.n_dialogues) == (5, 12, 3)
    assert field.mean.bias.value == pytest.approx(away.mean())
    assert field.mean.mae.value == pytest.approx(np.abs(away).mean())
    assert list(field.against) == ["ada", "ben", "cem"]


def test_a_person_can_be_held_up_as_the_judge_by_the_same_computation():
    as_judge = card_of(
        [
            row("judge", r["unit_id"], json.loads(r["value"]), dialogue=r["dialogue_id"])
            if r["rater"] == "ada"
            else r
            for r in rows_of(PANEL)
            if r["rater"] != "judge"
        ]
    )
    as_person = card_of([r for r in rows_of(PANEL) if r["rater"] != "judge"], judge="ada")
    assert as_person.people == ("ben", "cem")
    assert as_person.fields == as_judge.fields


def test_the_order_of_the_rows_changes_nothing():
    rows = rows_of(PANEL)
    assert card_of(rows).to_json() == card_of(rows[::-1]).to_json()


def test_does_not_apply_is_counted_apart_and_is_never_a_number_or_a_missing_answer():
    scores = {
        "judge": {"a1": "na", "a2": "na", "b1": 3, "b2": 3},
        "ada": {"a1": "na", "a2": 4, "b1": "na", "b2": 3},
    }
    (field,) = card_of(rows_of(scores)).fields
    assert field.na.to_json() == {
        "both_score": 1,
        "both_na": 1,
        "judge_na_person_score": 1,
        "judge_score_person_na": 1,
    }
    assert (field.n_units, field.n_pairs, sum(field.unscored.values())) == (1, 1, 0)
    assert field.without_person == 1


def test_what_the_judge_did_not_score_is_counted_by_status_and_reason_and_not_scored_zero():
    rows = [
        *rows_of({"ada": {"a1": 5, "b1": 5, "c1": 5, "d1": 5}, "judge": {"a1": 5}}),
        row("judge", "b1", None, dialogue="b", status="cannot_judge", skip_reason="two scripts"),
        row("judge", "c1", None, dialogue="c", status="skipped", skip_reason="broken"),
        row("judge", "e1", None, dialogue="e", status="cannot_judge", skip_reason="nobody asked"),
    ]
    (field,) = card_of(rows).fields
    assert field.unscored == {"cannot_judge": 1, NOT_REACHED: 1, "skipped": 1}
    assert field.reasons == {"broken": 1, "two scripts": 1}
    assert field.mean.bias.value == 0


def test_answers_that_saw_the_judge_or_come_from_a_later_occasion_are_not_the_reference():
    rows = [
        *rows_of({"judge": {"a1": 5, "b1": 5}, "ada": {"a1": 1, "b1": 1}}),
        row("ben", "a1", 5, dialogue="a", saw_judge=True),
        row("ben", "b1", 5, dialogue="b", saw_peer=True),
        row("cem", "a1", 5, dialogue="a", phase="revealed"),
        row("ada", "a1", 5, dialogue="a", occasion=1, item_id="a"),
    ]
    rows = [r | {"item_id": r["dialogue_id"]} for r in rows]
    card = card_of(rows)
    assert card.people == ("ada",)
    assert card.fields[0].mean.bias.value == 4
    assert card.population == {"not_blind": 1, "saw_judge": 1, "saw_peer": 1, "later_occasion": 1}


def test_seeded_answers_are_in_no_number_and_are_counted():
    rows = [*rows_of(PANEL), row("dan", "a1", 5, dialogue="a", attested="seeded")]
    card = card_of(rows)
    assert "dan" not in card.people
    assert card.population == {"seeded": 1}


def test_a_repeat_by_the_judge_is_not_its_first_answer():
    rows = [*rows_of(PANEL), row("judge", "a1", 5, dialogue="a", occasion=1, item_id="a")]
    rows = [r | {"item_id": r["dialogue_id"]} for r in rows]
    assert card_of(rows).fields[0].mean == card_of([r for r in rows if not r.get("occasion")]).fields[0].mean


def test_a_judge_at_the_skill_of_the_people_is_scored_on_the_references_they_are_scored_on():
    """Against the mean of all three a fourth equal rater looks better than any of them does against two others."""
    generator = np.random.default_rng(11)
    truth = generator.integers(1, 6, 400)
    noisy = {
        name: {
            f"{index}x": int(np.clip(value + generator.integers(-1, 2), 1, 5))
            for index, value in enumerate(truth)
        }
        for name in ("judge", "ada", "ben", "cem")
    }
    rows = [
        row(rater, unit, value, dialogue=unit)
        for rater, mine in noisy.items()
        for unit, value in mine.items()
    ]
    (field,) = card_of(rows).fields
    together = field.left_out[-1]
    assert abs(together.difference.value) < 0.05
    assert field.mean.mae.value < together.human.mae.value


def test_only_closed_scales_get_a_card_and_the_others_are_named():
    text = FieldScale("why", UnitKind.RESPONSE, "text", None, None, required=False)
    card = card_of(rows_of(PANEL), fields=(SCORE, text))
    assert [field.key for field in card.fields] == ["preference_alignment"]
    assert "text" in card.passed_over["why"]


def test_words_in_an_order_have_weighted_kappa_and_words_without_one_have_not():
    words = replace(SCORE, scale=("yes", "partial", "no"))
    rows = rows_of(
        {"judge": {"a1": "yes", "b1": "no", "c1": "partial"}, "ada": {"a1": "yes", "b1": "no", "c1": "no"}}
    )
    assert card_of(rows, fields=(words,)).fields[0].pooled.name == "weighted_kappa_quadratic"
    (field,) = card_of(rows, fields=(replace(words, level="nominal"),)).fields
    assert field.pooled.name == "cohen_kappa"
    assert field.mean.mae.value is None and field.mean.mae.reason


def test_without_a_judge_or_without_people_there_is_no_card_but_a_sentence():
    with pytest.raises(NoCard, match="alps judge run"):
        card_of(rows_of(PANEL), judge="judge-7")
    with pytest.raises(NoCard, match="alps annotate"):
        card_of(rows_of({"judge": {"a1": 1}}))


def test_the_reference_says_whose_it_is_and_that_it_is_no_truth():
    assert "3 people" in card_of(rows_of(PANEL)).reference
    alone = card_of(rows_of({name: PANEL[name] for name in ("judge", "ada")}))
    assert "one person, ada" in alone.reference and "not a truth" in alone.reference
    assert alone.fields[0].left_out == ()


def test_the_baselines_card_from_a_study_says_that_it_is_a_baseline(tmp_path):
    with rating_study(tmp_path / "alps.db") as db:
        run_offline(db)
        rate(db, "ada", lambda _, text: 1 if "steak" in text else 5)
        with db.read() as conn:
            table = ratings_table(conn, protocol="response-rating")
    card = judge_card(table, NAME, FORM)
    assert HONEST in card.title and card.judge_kind == "baseline"
    assert [field.key for field in card.fields] == [field.key for field in FORM if field.level is not None]
    first = card.fields[0]
    assert (first.n_units, first.n_pairs) == (6, 6)
    assert card.fields[1].unscored == {} and card.fields[1].n_units == 0


CELL = st.sampled_from([None, "na", 1, 2, 3, 4, 5])
RATERS = ["judge", "ada", "ben"]


@settings(max_examples=25)
@given(st.lists(st.tuples(CELL, CELL, CELL), min_size=1, max_size=8))
def test_any_panel_gives_a_card_that_is_json_without_nan_and_undefined_only_with_a_reason(cells):
    rows = [
        row(
            rater,
            f"{index}",
            value,
            dialogue=f"{index % 3}",
            status="unseen" if value is None else "answered",
        )
        for index, values in enumerate(cells)
        for rater, value in zip(RATERS, values, strict=True)
    ]
    told = json.loads(json.dumps(card_of(rows).to_json(), allow_nan=False))

    def look(part):
        if isinstance(part, dict):
            if "value" in part and part["value"] is None:
                assert part["reason"]
            for inner in part.values():
                look(inner)
        elif isinstance(part, list):
            for inner in part:
                look(inner)

    look(told)
