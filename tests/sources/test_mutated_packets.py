"""A packet broken in one place: kept aside or noted with the right record and reason, and its neighbours untouched."""

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest
from paths import ALPSBENCH, needs_shared
from source_samples import bring_in, packet, write_json

from alps_tui.sources.importer import ImportReport
from store import content
from store.database import Database, open_database
from store.kinds import Origin

Packet = dict[str, Any]


@dataclass(frozen=True)
class Mutation:
    """What is done to a packet, and what must be said of it: a reason to keep it aside, or a lint at a place."""

    name: str
    change: Callable[[Packet], Packet | bytes | None]
    reason: str | None = None
    code: str | None = None
    where: str = ""


def _set(*path: str | int, to: Any) -> Callable[[Packet], None]:
    def change(document: Packet) -> None:
        place: Any = document
        for key in path[:-1]:
            place = place[key]
        place[path[-1]] = to

    return change


def _drop(*path: str | int) -> Callable[[Packet], None]:
    def change(document: Packet) -> None:
        place: Any = document
        for key in path[:-1]:
            place = place[key]
        del place[path[-1]]

    return change


def _bytes(document: Packet) -> bytes:
    return json.dumps(document, ensure_ascii=False).encode()


def _raw(change: Callable[[bytes], bytes]) -> Callable[[Packet], bytes]:
    return lambda document: change(_bytes(document))


def _in_text(text: str, escape: str) -> Callable[[Packet], bytes]:
    """The packet with an escape sequence of JSON written into the first turn's text."""

    def change(document: Packet) -> bytes:
        document["dialogue"][0]["text"] = f"MARK {document['dialogue'][0]['text']}"
        return _bytes(document).replace(b"MARK", escape.encode(), 1)

    return change


UNNAMED = {"no session id", "session id a list", "UTF-16"}
"""Mutations after which nobody can tell the session."""

GOLD = ("task1", "ground_truth_memories", 0)
QUOTED = (*GOLD, "evidence")

MUTATIONS = [
    Mutation("cut in half", _raw(lambda b: b[: len(b) // 2]), reason="cut off"),
    Mutation("cut within a character", _raw(lambda b: b + "é".encode()[:1]), reason="cut off: it ends within"),
    Mutation("no dialogue", _drop("dialogue"), reason='no "dialogue"'),
    Mutation("dialogue null", _set("dialogue", to=None), reason='"dialogue" is null, not a list'),
    Mutation("dialogue not a list", _set("dialogue", to={"0": "hi"}), reason='"dialogue" is an object, not a list'),
    Mutation("a turn that is text", _set("dialogue", 1, to="hello"), reason="dialogue/1 is text, not an object"),
    Mutation("a turn whose text is a list", _set("dialogue", 1, "text", to=["a"]), reason="dialogue/1: its text is a list"),
    Mutation("no session id", _drop("session_id"), reason='no "session_id"'),
    Mutation("session id a list", _set("session_id", to=[1]), reason='"session_id" is a list, not an id'),
    Mutation("NaN", _raw(lambda b: b.replace(b'"confidence": 0', b'"confidence": NaN, "was": 0', 1)), reason="NaN is not JSON"),
    Mutation("not UTF-8", _raw(lambda b: b.replace(b'"role"', b'"\xff\xfe"', 1)), reason="not UTF-8: byte"),
    Mutation("UTF-16", lambda d: json.dumps(d).encode("utf-16"), reason="UTF-16"),
    Mutation("nested without end", _raw(lambda b: b[:-1] + b',"x":' + b"[" * 900 + b"]" * 900 + b"}"), reason="nested deeper"),
    Mutation("pool an object", _set("task3", "candidate_memories", to={}), reason="task3/candidate_memories is an object"),
    Mutation("a pool entry that is text", _set("task3", "candidate_memories", 1, to="tea"), reason="candidate_memories/1 is text"),
    Mutation("task 1 a list", _set("task1", to=[]), reason="task1 is a list, not an object"),
    Mutation("task 4 an object", _set("task4", to={"ability": "ability1"}), reason="task4 is an object, not a list"),
    Mutation("a gold memory that is null", _set(*GOLD, to=None), reason="task1/0 is null, not an object"),
    Mutation("a turn without text", _drop("dialogue", 1, "text"), code="turn_without_text", where="dialogue/1"),
    Mutation("an unknown role", _set("dialogue", 0, "role", to="narrator"), code="role_unknown", where="dialogue/0"),
    Mutation("no role", _drop("dialogue", 0, "role"), code="role_unknown", where="dialogue/0"),
    Mutation("an empty dialogue", _set("dialogue", to=[]), code="dialogue_empty", where="dialogue"),
    Mutation("a memory without value", _drop(*GOLD, "value"), code="value_missing", where="task1/m1/value"),
    Mutation("a memory without id", _drop(*GOLD, "memory_id"), code="missing_id", where="task1/#1"),
    Mutation("confidence 8", _set(*GOLD, "confidence", to=8), code="confidence_outside", where="task1/m1/confidence"),
    Mutation("confidence in words", _set(*GOLD, "confidence", to="high"), code="confidence_no_number", where="task1/m1/confidence"),
    Mutation("confidence in quotes", _set(*GOLD, "confidence", to="0.65"), code="confidence_text", where="task1/m1/confidence"),
    Mutation("an invented label", _set(*GOLD, "label", to="Preferences/Hats"), code="label_outside", where="task1/m1/label"),
    Mutation("label null in quotes", _set(*GOLD, "label", to="null"), code="null_text", where="task1/m1/label"),
    Mutation("evidence in no turn", _set(*QUOTED, "utterance_index", to=9999), code="evidence_index", where="task1/m1/evidence"),
    Mutation("evidence of the assistant", _set(*QUOTED, to={"utterance_index": 1, "text": ""}), code="evidence_assistant", where="task1/m1/evidence"),
    Mutation("evidence no quote", _set(*QUOTED, "text", to="zzz qqq xxx yyy vvv www"), code="evidence_not_found", where="task1/m1/evidence"),
    Mutation("evidence a number", _set(*QUOTED, to=7), code="evidence_shape", where="task1/m1/evidence"),
    Mutation("evidence without a quote", _set(*QUOTED, "text", to=None), code="evidence_no_quote", where="task1/m1/evidence"),
    Mutation("no evidence", _drop(*QUOTED), code="missing_keys", where="task1/m1"),
    Mutation("no task-3 query", _drop("task3", "query"), code="query_empty", where="task3/query"),
    Mutation("no models", _set("task1", "llm_outputs", to=None), code="part_missing", where="task1/llm_outputs"),
    Mutation("an announced task missing", _drop("task2"), code="part_missing", where="task2"),
    Mutation("an unknown part", _set("task9", to=1), code="part_unknown", where="task9"),
    Mutation("NUL in a text", _in_text("x", "\\u0000"), code="nul", where="dialogue/0"),
    Mutation("half a character", _in_text("x", "\\ud83d"), code="surrogate"),
    Mutation("CRLF in a text", _in_text("x", "a\\r\\nb"), code="line_ends", where="dialogue/0"),
    Mutation("a byte order mark", _raw(lambda b: b"\xef\xbb\xbf" + b), code="bom"),
]  # fmt: skip


@dataclass(frozen=True)
class Broken:
    """A folder of packets, each broken in its own way, beside whole ones; what was reported, and the study."""

    db: Database
    report: ImportReport
    raw: dict[str, bytes]
    folder: Path
    whole: tuple[str, ...]


def _break_all(
    base: Path, mutations: dict[str, Mutation], documents: dict[str, Packet], whole: list[Packet]
) -> Broken:
    folder = base / "packets"
    raw: dict[str, bytes] = {}
    for name, mutation in mutations.items():
        document = documents[name]
        document["session_id"] = name
        changed = mutation.change(document)
        raw[name] = changed if isinstance(changed, bytes) else _bytes(changed or document)
    for document in whole:
        raw[document["session_id"]] = _bytes(document)
    folder.mkdir()
    for name, data in raw.items():
        (folder / f"{name}.json").write_bytes(data)
    db = open_database(base / "study.db", create=True)
    return Broken(db, bring_in(db, folder), raw, folder, tuple(document["session_id"] for document in whole))


OURS = {f"sess_{i:02}": one for i, one in enumerate(MUTATIONS)}


@pytest.fixture(scope="module")
def ours(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broken]:
    """Every mutation of the hand-written packet, and three that are whole."""
    base = tmp_path_factory.mktemp("ours")
    broken = _break_all(
        base, OURS, {name: packet(name) for name in OURS}, [packet(f"whole_{i}") for i in range(3)]
    )
    yield broken
    broken.db.close()


@pytest.mark.parametrize("name", OURS, ids=lambda name: OURS[name].name)
def test_a_broken_packet_is_named_with_its_record_and_reason(ours: Broken, name: str) -> None:
    _check_said(ours, name, OURS[name])


def test_what_is_whole_beside_broken_packets_comes_in_without_a_word(ours: Broken) -> None:
    assert not {one.file for one in ours.report.lint_rows} & {f"packets/{name}.json" for name in ours.whole}
    _check_whole(ours)


def test_broken_packets_brought_in_again_are_named_again_and_change_nothing(ours: Broken) -> None:
    again = bring_in(ours.db, ours.folder)
    assert not again.is_new
    assert again.quarantined == ours.report.quarantined
    assert again.lint_rows == ours.report.lint_rows
    assert not again.complete


DRAWN = {f"sess_drawn_{seed:02}": random.Random(seed).choice(MUTATIONS) for seed in range(24)}


@pytest.fixture(scope="module")
def real(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Broken]:
    """Real packets drawn with a seed, each broken in a drawn way, and five that are whole."""
    draw = random.Random(2603)
    paths = draw.sample(
        sorted((ALPSBENCH / "session_packets").glob("*.json"), key=lambda path: path.name), 29
    )
    documents = [json.loads(path.read_bytes()) for path in paths]
    broken = _break_all(
        tmp_path_factory.mktemp("real"), DRAWN, dict(zip(DRAWN, documents[:24], strict=True)), documents[24:]
    )
    yield broken
    broken.db.close()


@needs_shared
@pytest.mark.parametrize("name", DRAWN, ids=lambda name: f"{name}: {DRAWN[name].name}")
def test_a_real_packet_broken_by_chance_is_named_with_its_record_and_reason(real: Broken, name: str) -> None:
    _check_said(real, name, DRAWN[name])


@needs_shared
def test_real_packets_beside_broken_ones_come_in_as_if_alone(real: Broken) -> None:
    _check_whole(real)
    alone = bring_in(None, *(real.folder / f"{name}.json" for name in real.whole), dry_run=True)
    expected = [(one.record, one.code, one.where, one.message) for one in alone.lint_rows]
    found = [
        (one.record, one.code, one.where, one.message)
        for one in real.report.lint_rows
        if one.record in real.whole
    ]
    assert sorted(found) == sorted(expected)


def _check_said(broken: Broken, name: str, mutation: Mutation) -> None:
    """The one right reason, or the right lint at the right place; and the bytes are kept."""
    kept = [one for one in broken.report.quarantined if one.file == f"packets/{name}.json"]
    said = [one for one in broken.report.lint_rows if one.file == f"packets/{name}.json"]
    if mutation.reason is None:
        assert not kept
        place = [one for one in said if one.code == mutation.code and mutation.where in one.where]
        assert place, [(one.code, one.where) for one in said]
        assert {(one.ordinal, one.record) for one in said} == {(1, name)}
        return
    (one,) = kept
    assert one.ordinal == 1
    assert one.record in (name, "") and (one.record or mutation.name in UNNAMED)
    assert mutation.reason in one.reason
    assert not said
    with broken.db.read() as connection:
        stored = {row.path: row for row in content.quarantined(connection)}[one.file]
    assert (stored.reason, stored.raw) == (one.reason, broken.raw[name])


def _check_whole(broken: Broken) -> None:
    """The whole packets are in the study, and nothing of those kept aside."""
    kept = {one.file.removeprefix("packets/").removesuffix(".json") for one in broken.report.quarantined}
    with broken.db.read() as connection:
        known = {one.external_id for one in content.dialogues(connection)}
    assert known == broken.raw.keys() - kept
    assert known >= set(broken.whole)
    assert broken.report.counts["dialogues"] == len(known)


def test_a_mutation_of_each_kind_is_tried() -> None:
    assert len(MUTATIONS) >= 20
    assert sum(one.reason is not None for one in MUTATIONS) >= 10


@pytest.mark.parametrize(
    ("evidence", "turns"),
    [
        ([{"utterance_index": 0, "text": "I don't eat meat."}, {"utterance_index": 2, "text": "nothing heavy"}], [0, 2]),
        ({"turn_indices": [0, 2], "turns": [{"index": 0, "text": "dinner"}, {"index": 2, "text": "cycle"}]}, [0, 2]),
        ({"utterance_index": [0, 2], "text": "nothing heavy"}, [2]),
        ({"utterance_index": "2", "text": "nothing heavy"}, [2]),
        ("nothing heavy", [2]),
        ({"turn": 2, "quote": "nothing heavy"}, [2]),
        (None, []),
    ],
)  # fmt: skip
def test_evidence_is_read_in_every_shape_real_files_have(
    db: Database, tmp_path: Path, evidence: Any, turns: list[int]
) -> None:
    document = packet()
    document["task1"]["ground_truth_memories"][0]["evidence"] = evidence

    bring_in(db, write_json(tmp_path / "p.json", document))

    with db.read() as connection:
        (dialogue,) = content.dialogues(connection)
        gold = content.memories(connection, dialogue.id, Origin.GOLD)[0]
    assert [one.turn for one in gold.evidence] == turns
    assert all(one.match == "exact" for one in gold.evidence)


def test_a_memory_of_confidence_8_keeps_it_and_its_raw_record(db: Database, tmp_path: Path) -> None:
    document = packet()
    document["task1"]["ground_truth_memories"][0]["confidence"] = 8
    bring_in(db, write_json(tmp_path / "p.json", document))
    with db.read() as connection:
        (dialogue,) = content.dialogues(connection)
        gold = content.memories(connection, dialogue.id, Origin.GOLD)[0]
    assert gold.confidence == 8.0
    assert gold.raw["confidence"] == 8


def test_ids_that_repeat_are_noted_and_both_memories_are_kept(db: Database, tmp_path: Path) -> None:
    document = packet()
    document["task1"]["ground_truth_memories"][1]["memory_id"] = "m1"
    document["task4"] *= 2

    report = bring_in(db, write_json(tmp_path / "p.json", document))

    assert report.lints["duplicate_id"] == 2
    assert report.counts["gold_memories"] == 2
    assert report.counts["queries"] == 2


def test_a_quarantined_file_that_is_mended_comes_in(db: Database, tmp_path: Path) -> None:
    document = packet()
    path = write_json(tmp_path / "p.json", document)
    whole = path.read_bytes()
    path.write_bytes(whole[:400])
    assert bring_in(db, path).quarantined

    path.write_bytes(whole)
    report = bring_in(db, path)

    assert report.complete
    assert report.counts["dialogues"] == 1


def test_a_changed_gold_list_is_a_new_version_and_the_rest_stays(db: Database, tmp_path: Path) -> None:
    document = packet()
    path = write_json(tmp_path / "p.json", document)
    bring_in(db, path)
    document["task1"]["ground_truth_memories"][0]["value"] = "Eats no meat at all"
    write_json(path, document)

    report = bring_in(db, path)

    assert report.changed == 1
    assert report.counts["gold_memories"] == 2
    assert report.counts["dialogues"] == report.counts["model_memories"] == 0
