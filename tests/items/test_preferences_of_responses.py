"""Each response gets a part for each preference of its item; responses that name a model are pointed out to the lead."""

from pathlib import Path

from studies import dialogue, record

from alps_tui.items.build import build_items
from alps_tui.items.self_named import CODE, ModelWords, flag_named
from alps_tui.protocols.loading import load_builtin, load_text
from store.assignments import add_rater, assign_all, assignments
from store.content import add_file, add_record, item_view, lints
from store.database import Database, open_database
from store.kinds import UnitKind

FIELD = """
[[fields]]
key = "{key}"
per = "{per}"
kind = "choice"
level = "nominal"
title = "Which?"
options = [{{ value = "a", label = "one", key = "1" }}, {{ value = "b", label = "two", key = "2" }}]
"""
FORM = load_text(
    'name = "team-form"\nversion = "1"\ntitle = "A form"\nitem = "response-rating"\n'
    + FIELD.format(key="fits", per="response")
    + FIELD.format(key="status", per="response_preference"),
    guideline="",
    file="form.toml",
)


def study(folder: Path) -> Database:
    db = open_database(folder / "study.db", create=True)
    with db.write() as conn:
        file_id = add_file(conn, "made.jsonl", "2" * 64, "made")
        add_record(conn, file_id, record(dialogue("d1")))
    return db


def view_of(db: Database, form: str):
    with db.write() as conn:
        ada = add_rater(conn, "ada")
        assign_all(conn, ada.id)
        return item_view(conn, assignments(conn, ada.id, form)[0].id)


def test_each_response_has_a_part_for_each_preference_in_the_order_it_stands_in(tmp_path):
    with study(tmp_path) as db:
        assert build_items(db, [FORM]) == {"team-form": 1}
        assert build_items(db, [FORM]) == {"team-form": 0}
        view = view_of(db, "team-form")
    responses = [unit for unit in view.units if unit.kind is UnitKind.RESPONSE]
    asked = [unit for unit in view.units if unit.kind is UnitKind.RESPONSE_PREFERENCE]
    assert [unit.shown_id for unit in responses] == ["A", "B"]
    assert [unit.shown_id for unit in asked] == ["A·p1", "A·p2", "B·p1", "B·p2"]
    assert [unit.response_id for unit in asked[::2]] == [unit.response_id for unit in responses]
    assert [unit.memory_id for unit in asked[:2]] == [memory.id for memory in view.preferences]
    assert not view.memories
    assert "response:" not in str([unit.key for unit in view.units])


def test_a_form_that_does_not_ask_per_preference_has_the_items_it_had(tmp_path):
    with study(tmp_path) as db:
        build_items(db, [load_builtin("ability-score")])
        with db.read() as conn:
            kinds = [row[0] for row in conn.exec_driver_sql("SELECT kind FROM unit")]
    assert kinds == ["query", "response", "response"]


def test_names_of_models_are_found_word_by_word_and_the_longest_first():
    words = ModelWords(["gpt-5.2", "vanilla_qwen3", "meta-llama/llama-4-maverick"])
    assert words.first("I am GPT 5.2, at your service.", "gpt-5.2") == ("GPT 5.2", True)
    assert words.first("Qwen3 would say so, and GPT too.", "gpt-5.2") == ("GPT", True)
    assert words.first("As Llama once said", "gpt-5.2") == ("Llama", False)
    for text in ("Vanilla ice in the Metaverse", "llamas graze", "gptish", ""):
        assert words.first(text, "gpt-5.2") is None


def test_a_response_that_names_its_model_is_kept_as_an_oddity_once_and_shown_to_no_rater(tmp_path):
    with study(tmp_path) as db:
        with db.write() as conn:
            conn.exec_driver_sql("UPDATE response SET text = 'I, model-north, say soup.' WHERE id = 1")
        build_items(db, [FORM])
        first, again = flag_named(db), flag_named(db)
        assert first == again
        assert [(one.words, one.own) for one in first] == [("model-north", True)]
        with db.read() as conn:
            assert [one.code for one in lints(conn)] == [CODE]
        assert CODE not in repr(view_of(db, "team-form"))
