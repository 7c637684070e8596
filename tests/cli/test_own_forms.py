"""A form of a team's own on the command line: new, check, show, list, add, its versions, and asking again."""

from collections.abc import Callable
from pathlib import Path

import orjson
import pytest
from command_line import Ended

from store.assignments import assignments, rater_by_name
from store.content import item_view
from store.database import open_database
from store.decisions import append
from store.encoding import now
from store.kinds import Verb
from store.records import Act, Change

Alps = Callable[..., Ended]
TALK = {"dialogue": [{"role": "user", "content": "Hello there."}, {"role": "assistant", "content": "Hello."}]}


@pytest.fixture
def study(alps: Alps, tmp_path: Path) -> Path:
    """Two dialogues, two raters, and the form `own` with its items."""
    talks = [orjson.dumps({"dialogue_id": name, **TALK}) for name in ("d1", "d2")]
    (tmp_path / "talks.jsonl").write_bytes(b"\n".join(talks))
    for words in (
        ("import", "talks.jsonl"),
        ("rater", "add", "ana", "bo"),
        ("protocol", "new", "own"),
        ("protocol", "add", "own.toml"),
        ("items", "--protocol", "own"),
    ):
        assert alps(*words).code == 0
    return tmp_path


def label(study: Path, name: str, item: int, value: str, version: str | None = None) -> None:
    """Answer and submit one item of the form, as a person would."""
    with open_database(study / "alps.db") as db, db.write() as conn:
        rater = rater_by_name(conn, name)
        assert rater is not None
        one = assignments(conn, rater.id, "own")[item]
        unit = item_view(conn, one.id).units[0]
        for number, (verb, changes) in enumerate(
            ((Verb.SET, (Change("safety", value, unit.id),)), (Verb.SUBMIT, ()))
        ):
            act_id = f"{name}{item}{one.id}{number}"
            append(conn, Act(verb, one.id, one.item_id, act_id, now(), changes))


def change(study: Path, **words: str) -> None:
    """Words of the form in place of others."""
    path = study / "own.toml"
    text = path.read_text()
    for old, new in {"Is it safe": words.get("title"), 'version = "1"': words.get("version")}.items():
        text = text if new is None else text.replace(old, new)
    path.write_text(text.replace("# note", "note") if "note" in words else text)


def test_new_writes_a_form_that_works_and_overwrites_nothing(alps: Alps, tmp_path: Path) -> None:
    assert alps("protocol", "new", "own").code == 0
    assert alps("protocol", "check", "own.toml").code == 0
    before = (tmp_path / "own.toml").read_bytes()
    again = alps("protocol", "new", "own", "--per", "memory")
    assert again.code == 2
    assert "own.toml exists already; nothing was written" in again.err
    assert (tmp_path / "own.toml").read_bytes() == before
    assert alps("protocol", "new", "other", "--from", "memory-update").code == 0
    assert alps("protocol", "check", "other.toml", "--json").json["warnings"] == []
    for wrong in (("memory-update",), ("../up",), ("x", "--from", "nothing"), ("x", "--per", "turn")):
        assert alps("protocol", "new", *wrong).code == 2
    assert sorted(path.name for path in tmp_path.iterdir()) == [
        "other.md",
        "other.toml",
        "own.md",
        "own.toml",
    ]


def test_check_names_every_mistake_with_file_line_and_key(alps: Alps, tmp_path: Path) -> None:
    assert alps("protocol", "new", "own").code == 0
    form = tmp_path / "own.toml"
    text = form.read_text().replace('key = "p"', 'key = "j"').replace('level = "ordinal"', 'levl = "ordinal"')
    form.write_text(text)
    found = alps("protocol", "check", "own.toml")
    assert found.code == 1
    line = next(n for n, row in enumerate(text.splitlines(), 1) if "levl" in row)
    assert f"own.toml:{line}: fields.harm.levl: unknown key; did you mean level?" in found.out
    assert "fields.safety.options.private.key: the key 'j' means the same on every screen" in found.out
    as_data = alps("protocol", "check", "own.toml", "--json").json
    assert as_data["form"] is None
    assert {"file", "line", "key", "sentence"} == set(as_data["mistakes"][0])
    assert alps("protocol", "check", "nothing.toml").code == 1


def test_show_says_what_an_item_is_and_what_is_asked_of_it(alps: Alps, study: Path) -> None:
    for name in ("own", "own.toml"):
        shown = alps("protocol", "show", name)
        assert "An item is a dialogue as a whole" in shown.out
        assert "asked if safety is private or harmful" in shown.out
        assert "p  private: It tells who somebody is" in shown.out
    as_data = alps("protocol", "show", "own", "--json").json
    assert as_data["item"] == "dialogue"
    assert [field["level"] for field in as_data["fields"]] == ["nominal", "ordinal", None]
    listed = {one["name"]: one["from"] for one in alps("protocol", "list", "--json").json}
    assert listed["own"] == "this study"
    assert listed["memory-verification"] == "built in"
    assert alps("protocol", "show", "nothing").code == 2


def test_a_version_is_added_only_with_its_number_and_what_is_different(alps: Alps, study: Path) -> None:
    assert alps("protocol", "add", "own.toml").code == 3
    change(study, title="Can it be shown, is it safe")
    assert "asks something else than version 1" in alps("protocol", "add", "own.toml").err
    change(study, version='version = "0.9"')
    assert "comes before 1" in alps("protocol", "add", "own.toml").err
    (study / "own.toml").write_text((study / "own.toml").read_text().replace('"0.9"', '"2"'))
    assert "nothing says how" in alps("protocol", "add", "own.toml").err
    change(study, note="")
    assert alps("protocol", "add", "own.toml").code == 0
    (study / "own.md").write_text("# Other words\n")
    assert "the note is still that of the version before" in alps("protocol", "add", "own.toml").err
    assert alps("protocol", "add", "own.toml").code == 2
    copy = (study / "own.toml").read_text().replace('name = "own"', 'name = "memory-update"')
    (study / "taken.toml").write_text(copy)
    assert "ships with the product" in alps("protocol", "add", "taken.toml").err


def test_versions_are_counted_asked_again_and_never_mixed(alps: Alps, study: Path) -> None:
    label(study, "ana", 0, "safe")
    label(study, "bo", 0, "safe")
    change(study, title="Can it be shown, is it safe", version='version = "2"', note="")
    assert alps("protocol", "add", "own.toml").code == 0
    assert "2 items of 2 raters stand answered" in alps("items", "--protocol", "own").err
    old, new = alps("protocol", "versions", "own", "--json").json
    assert (old["version"], old["labelled"], old["answers"], old["waiting"]) == ("1", 2, 2, 2)
    assert (new["version"], new["labelled"], new["items"]) == ("2", 0, 2)
    planned = alps("items", "--again", "own", "--dry-run", "--json").json["queued"]
    assert alps("items", "--again", "own", "--json").json["queued"] == planned
    assert len(planned) == 2
    assert alps("items", "--again", "own").code == 3
    label(study, "ana", -1, "private")
    newest = alps("agreement", "--protocol", "own", "--json").json["own"]["population"]
    assert newest["protocols"] == ["own@2"]
    assert newest["left_out"]["older_protocol"] == 2
    older = alps("agreement", "--protocol", "own", "--version", "1", "--json").json["own"]["population"]
    assert (older["protocols"], older["left_out"]) == (["own@1"], {})
    none = alps("agreement", "--protocol", "own", "--version", "9")
    assert none.code == 3
    assert "There are answers under 1, 2" in none.err
    assert alps("verify").code == 0


def test_import_makes_the_items_of_an_own_form_too(alps: Alps, study: Path) -> None:
    (study / "more.jsonl").write_bytes(orjson.dumps({"dialogue_id": "d3", **TALK}))
    made = alps("import", "more.jsonl", "--json").json["items"]
    assert made["own"] == 1
