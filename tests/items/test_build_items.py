"""Items are made of content once, blind, and anew only where content has changed."""

import pytest
from item_studies import PROPOSALS, bring_in, dialogue, memory
from paths import ALPSBENCH, needs_shared

from alps_tui.items.build import build_items
from alps_tui.items.hidden_names import names_of
from alps_tui.protocols.loading import load_builtin, load_text
from alps_tui.sources.importer import import_paths
from store.assignments import add_rater, assign_all, assignments
from store.content import StoredDialogue, item_view, memories_by_id, preview_item
from store.database import open_database
from store.encoding import same_words
from store.errors import NotPossible

FIRST = [load_builtin(name) for name in ("memory-verification", "response-rating")]


@pytest.fixture
def db(tmp_path):
    with open_database(tmp_path / "alps.db", create=True) as study:
        yield study


def views(db, protocol):
    """Every item of a form as a new rater sees it, by shown id."""
    with db.write() as conn:
        rater = add_rater(conn, "reader")
        assign_all(conn, rater.id)
    with db.read() as conn:
        return {one.shown_id: item_view(conn, one.id) for one in assignments(conn, rater.id, protocol)}


RESPONSES = {
    "queries": [
        {"id": "q1", "text": "A menu for Sunday?", "ability": "ability2", "memory_ids": ["m2"]},
        {"id": "q2", "text": "Nobody answered this", "ability": "ability2"},
    ],
    "responses": [
        {"query_id": "q1", "model": "gpt-5.2", "text": "Tofu."},
        {"query_id": "q1", "model": "claude-sonnet-4-5", "text": "Steak."},
    ],
}


def test_a_dialogue_with_proposals_gives_one_item_with_the_session_and_each_proposal(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue())
    assert build_items(db, FIRST) == {"memory-verification": 1, "response-rating": 0}
    view = views(db, "memory-verification")["s1"]
    assert [(unit.shown_id, unit.key) for unit in view.units] == [
        ("session", "session"),
        ("m1", "gold:m1"),
        ("m2", "gold:m2"),
        ("m3", "gold:m3"),
    ]
    assert view.language == "en"


def test_a_dialogue_without_any_memory_gives_an_item_to_say_so_or_to_add_what_was_missed(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(memories=[]))
    assert build_items(db, FIRST) == {"memory-verification": 1, "response-rating": 0}
    view = views(db, "memory-verification")["s1"]
    assert [unit.key for unit in view.units] == ["session"]


@pytest.mark.parametrize(
    "more", [RESPONSES, {"memories": [memory("m1", "Is vegan", origin="given")], **RESPONSES}]
)
def test_a_dialogue_that_came_to_have_its_answers_rated_is_not_to_be_verified(db, tmp_path, more):
    bring_in(db, tmp_path / "in", dialogue(**{"memories": [], **more}))
    assert build_items(db, FIRST) == {"memory-verification": 0, "response-rating": 1}


def test_making_items_again_makes_none(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(**RESPONSES), dialogue("s2"))
    assert build_items(db, FIRST) == {"memory-verification": 2, "response-rating": 1}
    assert build_items(db, FIRST) == {"memory-verification": 0, "response-rating": 0}


def test_changed_proposals_make_a_new_version_that_takes_the_place_of_the_old(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(), dialogue("s2"))
    build_items(db)
    first = views(db, "memory-verification")["s1"].assignment.item_id
    bring_in(db, tmp_path / "again", dialogue(memories=[*PROPOSALS, memory("m4", "Has a cat")]))
    assert build_items(db)["memory-verification"] == 1
    newest = views(db, "memory-verification")["s1"]
    assert newest.assignment.item_id != first
    assert len(newest.units) == 5


def test_proposals_with_one_id_are_units_of_their_own(db, tmp_path):
    bring_in(
        db, tmp_path / "in", dialogue(memories=[memory("m1", "Is vegan"), memory("m1", "Lives in Lyon")])
    )
    build_items(db)
    keys = [unit.key for unit in views(db, "memory-verification")["s1"].units]
    assert len(keys) == len(set(keys)) == 3


def test_candidates_are_each_value_once_and_none_that_is_proposed_already(db, tmp_path):
    extracted = {
        "gpt-5.2": [{"value": "Has a cat."}, {"value": "is VEGAN"}],
        "qwen3-max": [{"value": "has  a cat"}, {"value": "Plays chess"}],
    }
    bring_in(db, tmp_path / "in", dialogue(candidates=extracted))
    build_items(db)
    candidates = views(db, "memory-verification")["s1"].candidates
    assert sorted(one.value for one in candidates) == ["Has a cat.", "Plays chess"]


def test_candidates_alone_make_an_item(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(memories=[], candidates={"gpt-5.2": [{"value": "Has a cat"}]}))
    assert build_items(db)["memory-verification"] == 1


def test_an_item_of_responses_is_one_query_with_all_its_responses(db, tmp_path):
    bring_in(db, tmp_path / "in", dialogue(**RESPONSES))
    build_items(db)
    rating = views(db, "response-rating")
    assert list(rating) == ["s1·q1"]
    view = rating["s1·q1"]
    per_preference = ["response_preference"] * 2 * len(view.preferences)
    assert [unit.kind for unit in view.units] == ["query", "response", "response", *per_preference]
    assert view.query.text == "A menu for Sunday?"
    assert view.assignment.ability == "ability2"


def test_the_preference_set_is_tastes_and_boundaries_and_what_the_query_names(db, tmp_path):
    plain = memory("m4", "Is a nurse", label="Personal_Background/Occupation", preference_attitude=None)
    bring_in(db, tmp_path / "in", dialogue(memories=[*PROPOSALS, plain], **RESPONSES))
    build_items(db)
    preferences = views(db, "response-rating")["s1·q1"].preferences
    assert [one.value for one in preferences] == ["Is vegan", "Lives in Lyon", "Dislikes being called"]


def test_what_was_given_with_a_query_is_its_whole_preference_set(db, tmp_path):
    given = [memory("m1", "Is a nurse", origin="given"), memory("m2", "Has a cat", origin="given")]
    gold = [memory("g1", "Is vegan")]
    queries = [{"id": "q1", "text": "?", "memory_ids": ["m1", "m2"]}]
    responses = [{"query_id": "q1", "model": "x-1", "text": "!"}]
    bring_in(db, tmp_path / "in", dialogue(memories=[*gold, *given], queries=queries, responses=responses))
    build_items(db)
    preferences = views(db, "response-rating")["s1·q1"].preferences
    assert [one.value for one in preferences] == ["Is a nurse", "Has a cat"]


def test_no_id_or_key_that_is_shown_tells_a_model(db, tmp_path):
    names = ("gpt-5.2", "claude-sonnet-4-5")
    leaky = dialogue("run_GPT_5_2_0001", memories=[memory("claude_p1", "Is vegan")], **RESPONSES)
    bring_in(db, tmp_path / "in", leaky, dialogue("s2"))
    build_items(db)
    shown = str(views(db, "memory-verification")) + str(views(db, "response-rating"))
    for name in (*names, "GPT", "gpt", "claude"):
        assert name not in shown
    assert "d1" in views(db, "memory-verification")
    assert "s2" in views(db, "memory-verification")


@pytest.mark.parametrize(
    ("external_id", "tells"),
    [
        ("sess_68e1", False),
        ("run-GPT-5.2-1", True),
        ("gpt_4_1_mini_p3", True),
        ("Claude.Sonnet", True),
        ("english_45", False),
    ],
)
def test_a_name_is_found_in_an_id_however_it_is_spelt(external_id, tells):
    names = names_of(["gpt-5.2", "gpt-4.1-mini_again", "claude-sonnet-4-5"])
    assert names.tells(external_id) is tells
    shown = names.shown(StoredDialogue(7, "alpsbench", external_id, 1, None, {}))
    assert shown == ("d7" if tells else external_id)


def test_a_study_without_models_hides_no_id():
    assert not names_of([]).tells("anything")


@pytest.mark.parametrize("twin", ["Likes tea", " likes  TEA.", "Ｌｉｋｅｓ tea!"])
def test_values_are_the_same_whatever_their_case_width_and_blanks(twin):
    assert same_words(twin) == same_words("likes tea")


def test_a_form_changed_in_place_is_refused(db, tmp_path):
    form = load_builtin("response-rating")
    bring_in(db, tmp_path / "in", dialogue(**RESPONSES))
    build_items(db, [form])
    changed = load_text(form.source.replace("Rate a response", "Rate one"), guideline="", file="x.toml")
    with pytest.raises(NotPossible, match="never changed in place"):
        build_items(db, [changed])


def test_a_clearer_guideline_makes_no_new_form(db, tmp_path):
    form = load_builtin("response-rating")
    bring_in(db, tmp_path / "in", dialogue(**RESPONSES))
    build_items(db, [form])
    clearer = load_text(form.source, guideline=form.guideline + "More.", file="x.toml")
    assert build_items(db, [clearer]) == {"response-rating": 0}


@needs_shared
def test_real_task_4_items_are_rated_against_all_memories_given_with_them(db):
    import_paths(db, [ALPSBENCH / "manual_check_data"], locate=False)
    assert build_items(db, FIRST) == {"memory-verification": 0, "response-rating": 72}
    with db.read() as conn:
        for item_id in range(1, 73):
            view = preview_item(conn, item_id)
            responses = [unit for unit in view.units if unit.kind == "response"]
            assert len(responses) == 1
            assert view.preferences
            origins = memories_by_id(conn, [one.id for one in view.preferences]).values()
            assert {one.origin for one in origins} == {"given"}
