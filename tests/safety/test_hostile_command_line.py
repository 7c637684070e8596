"""What a command prints is safe to print: no name, id or file name in it acts on the terminal."""

import json
import shutil
from pathlib import Path

import pytest
from canaries import annotated, check_item, packet
from command_line import Ended, run
from hostile_studies import Words, hostile_study
from hostile_text import BREAKS, file_name, mixture, stored
from studies import act

from alps_tui.judging.runner import run_offline
from alps_tui.safe_text import one_line
from store.assignments import add_rater, assign_all, assignments
from store.content import item_view
from store.database import Database, open_database
from store.decisions import append
from store.kinds import RaterKind, UnitKind, Verb
from store.records import Change

SIGNS = one_line(BREAKS)


@pytest.fixture(scope="module")
def words() -> Words:
    return Words(lambda place: mixture(place, turn=3))


@pytest.fixture(scope="module")
def study(tmp_path_factory: pytest.TempPathFactory, words: Words) -> Path:
    """A study with hostile ids in which three raters and a judge with hostile names have answered all."""
    path, _ = hostile_study(tmp_path_factory.mktemp("hostile") / words("FOLDER"), words)
    with open_database(path) as db:
        for name in ("ADA", "BEN", "CAI"):
            _answer(db, words.one(name))
        with db.write() as conn:
            add_rater(conn, words.one("JUDGE"), RaterKind.JUDGE, {"model": words.one("MODEL")})
        run_offline(db)
    return path


def _answer(db: Database, name: str) -> None:
    with db.write() as conn:
        rater = add_rater(conn, name)
        assign_all(conn, rater.id)
        for mine in assignments(conn, rater.id):
            for unit in item_view(conn, mine.id).units:
                if unit.kind is UnitKind.MEMORY:
                    verdict = "keep" if unit.id % (rater.id + 1) else "delete"
                    append(conn, act(Verb.SET, mine, Change("verdict", verdict, unit.id)))
                elif unit.kind is UnitKind.RESPONSE:
                    change = Change("preference_alignment", 1 + (unit.id + rater.id) % 5, unit.id)
                    append(conn, act(Verb.SET, mine, change))
            append(conn, act(Verb.SUBMIT, mine))


def assert_safe(ended: Ended, *names: str) -> None:
    """Nothing acts on a terminal, and the names are there to be read."""
    for text in (ended.out, ended.err):
        left = text.replace("\n", "")
        assert {sign for sign, safe in zip(left, one_line(left), strict=True) if sign != safe} == set(), text
    said = ended.out + ended.err
    for name in names:
        assert name + SIGNS in said, said


@pytest.mark.parametrize(
    ("command", "names"),
    [
        ("rater list", ("RATER", "ADA", "JUDGE")),
        ("progress", ("RATER", "ADA")),
        ("agreement", ("ADA", "BEN")),
        ("judge run --offline", ()),
        ("judge card baseline-lexical", ("ADA",)),
        ("judge card", ()),
        ("verify", ()),
        ("items", ()),
        ("agreement --as-published", ()),
    ],
)
def test_names_and_ids_are_printed_as_text(study: Path, command: str, names: tuple[str, ...]) -> None:
    assert_safe(run(*command.split(), "--db", study), *names)


@pytest.mark.parametrize(
    "command",
    ["rater list", "progress", "agreement", "judge run --offline", "judge card baseline-lexical", "items"],
)
def test_json_is_ascii_where_a_sign_would_act_and_says_the_same(study: Path, command: str) -> None:
    ended = run(*command.split(), "--json", "--db", study)
    assert_safe(ended)
    said = json.dumps(json.loads(ended.out), ensure_ascii=False)
    assert command in ("judge run --offline", "items") or "[/\\u001b[2J" in said


def test_an_import_names_hostile_files_and_records_as_text(tmp_path: Path, words: Words) -> None:
    folder = tmp_path / file_name(words.one("FOLDER"))
    folder.mkdir()
    for name in ("ONE", "TWO", "THREE"):
        (folder / f"{file_name(words.one(name))}.json").write_text("{}", encoding="utf-8")
    lines = [
        {"dialogue_id": words("GOOD"), "dialogue": [{"role": words("ROLE"), "content": words("TEXT")}],
         words("PART"): 1, "memories": [{"id": words("MEMORY"), "value": words("VALUE"), "label": words("LABEL"),
         "confidence": words("SURE"), "evidence": [words("QUOTE"), {"turn": words("TURN")}]}],
         "queries": [{"id": words("QUERY"), "text": "", "memory_ids": [words("NOBODY")]}]},
        {"dialogue_id": words("BAD"), "dialogue": [{"role": "user", "content": []}]},
        {"dialogue_id": words("WORSE"), "dialogue": words("NOLIST")},
        {"dialogue_id": words("WORST"), "dialogue": [], "queries": [{"id": "q", "text": "?"}],
         "responses": [{"query_id": words("NOQUERY"), "text": "x"}]},
    ]  # fmt: skip
    path = folder / f"{file_name(words.one('LINES'))}.jsonl"
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")
    study = folder / file_name(words.one("STUDY"))
    for more in (["--dry-run"], ["--report"], [], ["--json"]):
        ended = run("import", folder, "--db", study, *more)
        assert ended.code == 1
        assert_safe(ended)
        assert "FOLDER" in ended.out


def test_an_import_of_hostile_sessions_and_annotations_is_told_as_text(tmp_path: Path, words: Words) -> None:
    from canaries import Canaries

    canaries, session, other = Canaries(), words("SESSION"), words("NOPACKET")
    documents = {
        "packet.json": packet(canaries, session, words("MODEL"), words("OTHERMODEL")),
        "item.json": check_item(canaries, words("ITEM"), words("MODEL")),
    }
    for side in (1, 2):
        for number, one in enumerate((session, other)):
            documents[f"annotator_{side}/{words.one('GROUP')}__{number}.json"] = annotated(
                canaries, one, side, words("GROUP")
            )
    for name, document in documents.items():
        place = tmp_path / "in" / name.replace("[/", "[")
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(json.dumps(document), encoding="utf-8")
    study = tmp_path / "study.db"
    assert_safe(run("import", tmp_path / "in", "--report", "--db", study), "NOPACKET")
    for command in ("agreement", "agreement --as-published", "progress"):
        assert_safe(run(*command.split(), "--db", study))


@pytest.mark.parametrize(
    "command",
    ["rater list --db", "annotate --as x --db", "verify --db", "progress --db", "agreement --db", "import"],
)
def test_a_study_or_file_that_is_not_there_is_named_as_text(
    words: Words, tmp_path: Path, command: str
) -> None:
    ended = run(*command.split(), tmp_path / file_name(words.one("NOWHERE")))
    assert ended.code != 0
    assert_safe(ended)


@pytest.mark.parametrize("arguments", [("rater", "add"), ("annotate", "--as"), ("judge", "card"), ("protocol", "show"),
                                       ("protocol", "check"), ("agreement", "--seed"), ("agreement",), ()])  # fmt: skip
def test_what_was_typed_is_given_back_as_text(study: Path, words: Words, arguments: tuple[str, ...]) -> None:
    for name in (words.one("NAME"), "--" + words.one("NAME")):
        assert_safe(run(*arguments, name, ALPS_DB=str(study)))


def test_exports_name_their_files_as_text(study: Path, words: Words, tmp_path: Path) -> None:
    for kind in ("long", "memories"):
        folder = tmp_path / f"{kind}{file_name(words.one('EXPORT'))}"
        ended = run("export", kind, folder, "--db", study)
        assert_safe(ended)
        assert f"{kind}EXPORT" in ended.out
        assert_safe(run("export", kind, folder, "--db", study))


def test_a_backup_and_a_new_study_are_named_as_text(study: Path, words: Words, tmp_path: Path) -> None:
    copy = tmp_path / file_name(words.one("COPY"))
    for command in (
        ["backup", copy, "--db", study],
        ["init", "--db", tmp_path / file_name(words.one("NEW"))],
    ):
        assert_safe(run(*command))
        assert_safe(run(*command))


def test_a_form_that_is_wrong_is_told_as_text(words: Words, tmp_path: Path) -> None:
    path = tmp_path / f"{file_name(words.one('FORM'))}.toml"
    quoted = json.dumps(stored(words("TITLE")))
    path.write_text(
        f"name = {quoted}\nversion = {quoted}\ntitle = {quoted}\n[[fields]]\nkey = {quoted}\n",
        encoding="utf-8",
    )
    ended = run("protocol", "check", path)
    assert ended.code == 1
    assert_safe(ended)
    shutil.copy(path, tmp_path / "plain.toml")
