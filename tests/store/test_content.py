"""Content: written once, whatever text it holds; the same again changes nothing; a change is a new version."""

import uuid
from collections import Counter
from collections.abc import Iterator
from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import func, select
from studies import MODELS, dialogue, memory, record

from store import models as m
from store.content import (
    add_file,
    add_quarantine,
    add_record,
    annotations,
    dialogue_by_external_id,
    dialogues,
    lints,
    memories,
    memories_by_id,
    memory_record,
    quarantined,
    queries,
    responses,
    responses_of_dialogue,
    turns,
    updates,
)
from store.content_records import (
    Annotation,
    Dialogue,
    Evidence,
    Lint,
    Memory,
    Quarantined,
    Query,
    Response,
    SourceRecord,
    Turn,
    UpdateTask,
)
from store.database import Database, open_database
from store.kinds import EvidenceMatch, Origin


@pytest.fixture(scope="module")
def empty(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    db = open_database(tmp_path_factory.mktemp("content") / "alps.db", create=True)
    yield db
    db.close()


@pytest.fixture
def blank(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Database]:
    db = open_database(tmp_path_factory.mktemp("content") / "alps.db", create=True)
    yield db
    db.close()


def put(db: Database, *records: SourceRecord, file: str = "a") -> Counter[str]:
    total: Counter[str] = Counter()
    with db.write() as conn:
        number = add_file(conn, f"{file}.jsonl", file, "plain")
        for one in records:
            total += add_record(conn, number, one)
    return total


def everything(db: Database) -> dict[str, int]:
    with db.read() as conn:
        return {
            table.name: conn.execute(select(func.count()).select_from(table)).scalar_one()
            for table in m.metadata.sorted_tables
        }


def test_a_record_counts_what_was_new(blank: Database) -> None:
    task = UpdateTask(
        "u1", "m1", (Turn("user", "no more tea"),), ({"memory_id": "m1"},), ({"memory_id": "m1"},)
    )
    pool = Query("q2", "retrieval", "tea?", target="m1", pool=({"memory_id": "m1"}, {"memory_id": "m1"}))
    one = dialogue("d1")
    counts = put(blank, record(replace(one, queries=(*one.queries, pool), updates=(task,))))
    assert counts == Counter(
        records=1,
        dialogues=1,
        turns=4,
        gold=2,
        model=2,
        queries=1,
        pools=1,
        pool_entries=2,
        responses=2,
        updates=1,
    )


def test_the_same_record_again_changes_nothing(blank: Database) -> None:
    put(blank, record(dialogue("d1")), record(dialogue("d2"), 1))
    before = everything(blank)
    assert put(blank, record(dialogue("d1")), record(dialogue("d2"), 1)) == Counter(same=2)
    assert put(blank, record(dialogue("d2"), 7), file="b") == Counter(same=1)
    after = everything(blank)
    assert after.pop("source_file") == before.pop("source_file") + 1
    assert after == before


def test_the_same_content_in_other_bytes_is_kept_as_a_record_and_nothing_else(blank: Database) -> None:
    put(blank, record(dialogue("d1")))
    before = everything(blank)
    assert put(blank, record(dialogue("d1"), 1, raw=b"{ other blanks }")) == Counter(records=1)
    after = everything(blank)
    assert after.pop("source_record") == before.pop("source_record") + 1
    assert after == before


def test_equal_bytes_of_two_raters_are_two_records(blank: Database) -> None:
    def of(name: str, side: str) -> SourceRecord:
        note = Annotation("double", "s1", "task1", name, side, {"verdict": "reasonable"}, "2026-01-01")
        return SourceRecord(0, "s1", b'{"verdict": "reasonable"}', (note,))

    assert put(blank, of("kim", "annotator_1"), file="1") == Counter(records=1, annotations=1)
    assert put(blank, of("lee", "annotator_2"), file="2") == Counter(records=1, annotations=1)
    with blank.read() as conn:
        found = annotations(conn, "task1")
    assert [(one.rater, one.side, one.session_id) for one in found] == [
        ("kim", "annotator_1", "s1"),
        ("lee", "annotator_2", "s1"),
    ]
    assert found[0].payload == {"verdict": "reasonable"}


def test_a_changed_annotation_is_a_new_version_and_the_newest_is_read(blank: Database) -> None:
    first = Annotation("double", "s1", "task1", "kim", "annotator_1", {"b": 1, "a": 2}, "2026-01-01")
    put(blank, SourceRecord(0, "s1", b"1", (first,)))
    changed = replace(first, payload={"b": 2, "a": 2})
    assert put(blank, SourceRecord(0, "s1", b"2", (changed,)), file="b")["changed"] == 1
    with blank.read() as conn:
        found = annotations(conn, "task1")
    assert [list(one.payload.items()) for one in found] == [[("b", 2), ("a", 2)]]


def test_a_changed_gold_list_is_a_new_version_and_the_old_one_stays(blank: Database) -> None:
    put(blank, record(dialogue("d1")))
    with blank.read() as conn:
        number = dialogues(conn)[0].id
        old = memories(conn, number, Origin.GOLD)
    changed = replace(
        dialogue("d1"), memories=(memory("m1", "Likes black tea"), memory("m3", "Is new", position=1))
    )
    counts = put(blank, record(changed, raw=b"changed"), file="b")
    assert (counts["changed"], counts["gold"], counts["turns"]) == (1, 2, 0)
    with blank.read() as conn:
        assert [one.value for one in memories(conn, number, Origin.GOLD)] == ["Likes black tea", "Is new"]
        assert {one.version for one in memories(conn, number, Origin.GOLD)} == {2}
        assert memories(conn, number, Origin.GOLD, all_versions=True)[:2] == old
        assert [one.value for one in memories(conn, number, Origin.MODEL)] == ["Likes tea", "Is a vegetarian"]
        assert memories_by_id(conn, [old[0].id, 10**6]) == {old[0].id: old[0]}
    assert put(blank, record(dialogue("d1"), raw=b"the old list in other bytes"), file="c") == Counter(
        records=1
    )


def test_changed_turns_are_a_new_version_of_the_dialogue(blank: Database) -> None:
    put(blank, record(dialogue("d1")))
    changed = replace(dialogue("d1"), turns=(Turn("user", "Something else."),))
    assert put(blank, record(changed, raw=b"changed"), file="b")["changed"] == 1
    with blank.read() as conn:
        (newest,) = dialogues(conn)
        assert (newest.external_id, newest.version) == ("d1", 2)
        assert [turn.text for turn in turns(conn, newest.id)] == ["Something else."]
        assert dialogue_by_external_id(conn, "d1") == (newest,)
        assert len(memories(conn, newest.id)) == 4


def test_memories_that_come_before_or_after_the_turns_belong_to_one_dialogue(blank: Database) -> None:
    late = replace(dialogue("d1"), turns=(), memories=(memory("x", "extra", Origin.MODEL, "model-east"),))
    late = replace(late, queries=(), responses=())
    put(blank, record(late, raw=b"1"), record(dialogue("d1"), 1))
    put(blank, record(dialogue("d2"), 2), record(replace(late, external_id="d2"), 3, raw=b"4"))
    with blank.read() as conn:
        found = dialogues(conn)
        assert [(one.external_id, one.version) for one in found] == [("d1", 1), ("d2", 1)]
        for one in found:
            assert len(turns(conn, one.id)) == 4
            assert {memory.origin_name for memory in memories(conn, one.id)} == {
                "gold",
                *MODELS,
                "model-east",
            }


def test_a_response_finds_its_query_whichever_comes_first(blank: Database) -> None:
    only_responses = replace(dialogue("d1"), memories=(), queries=())
    put(blank, record(only_responses, raw=b"1"))
    with blank.read() as conn:
        number = dialogues(conn)[0].id
        assert [one.query_row for one in responses_of_dialogue(conn, number)] == [None, None]
    put(blank, record(replace(dialogue("d1"), responses=()), 1, raw=b"2"))
    again = (Response("q1", MODELS[0], "Another soup.", 2), Response("q1", MODELS[0], "A lentil soup.", 0))
    counts = put(blank, record(replace(dialogue("d1"), responses=again), 2, raw=b"3"))
    assert counts["responses"] == 1
    with blank.read() as conn:
        (query,) = queries(conn, number, "utilization")
        found = responses(conn, query.id)
    assert [one.text for one in found] == ["A lentil soup.", "A steak.", "Another soup."]
    assert {one.query_row for one in found} == {query.id}
    assert {one.query_id for one in found} == {"q1"}


def test_queries_and_updates_come_back_as_they_went_in_and_their_pools_repeat_ids(blank: Database) -> None:
    pool = ({"memory_id": "m1", "z": 1, "a": 2}, {"memory_id": "m1", "value": "again"})
    query = Query("q9", "retrieval", "which?", None, "cat", "m1", ("m1", "m2"), pool)
    task = UpdateTask("u1", None, (Turn("user", "x", "Ann", "2026", "y"),), pool, ({"memory_id": "m2"},))
    one = replace(dialogue("d1"), queries=(query,), responses=(), updates=(task,))
    put(blank, record(one))
    with blank.read() as conn:
        number = dialogues(conn)[0].id
        (found,) = queries(conn, number)
        (update,) = updates(conn, number)
    assert (found.text, found.category, found.target, found.given, found.pool) == (
        "which?",
        "cat",
        "m1",
        ("m1", "m2"),
        pool,
    )
    assert [list(entry) for entry in found.pool] == [["memory_id", "z", "a"], ["memory_id", "value"]]
    assert (update.selected, update.new_dialogue, update.pool, update.answer) == (
        task.selected,
        task.new_dialogue,
        task.pool,
        task.answer,
    )
    changed = replace(
        one, queries=(replace(query, text="which one?"),), updates=(replace(task, selected="m1"),)
    )
    assert put(blank, record(changed, raw=b"2"), file="b")["changed"] == 2
    with blank.read() as conn:
        assert [(q.text, q.version) for q in queries(conn, number)] == [("which one?", 2)]
        assert [(u.selected, u.version) for u in updates(conn, number)] == [("m1", 2)]


def test_what_is_odd_and_what_cannot_be_read_is_kept_with_file_and_record(blank: Database) -> None:
    odd = SourceRecord(
        0, "d1", b"raw", (dialogue("d1"),), (Lint("confidence", "m1/confidence", "8 is above 1"),)
    )
    bad = Quarantined(1, "d2", b"\xff\x00 not json", "no dialogue")
    with blank.write() as conn:
        number = add_file(conn, "folder/a.jsonl", "a", "plain")
        assert add_file(conn, "copy/b.jsonl", "a", "plain") == number
        add_record(conn, number, odd)
        add_quarantine(conn, number, bad)
        add_quarantine(conn, number, bad)
    with blank.read() as conn:
        (lint,) = lints(conn)
        (kept,) = quarantined(conn)
    assert (lint.path, lint.record, lint.code, lint.where) == (
        "folder/a.jsonl",
        "d1",
        "confidence",
        "m1/confidence",
    )
    assert (kept.path, kept.ordinal, kept.record, kept.reason, kept.raw) == (
        "folder/a.jsonl",
        1,
        "d2",
        "no dialogue",
        b"\xff\x00 not json",
    )


def test_a_record_that_can_be_read_at_last_leaves_the_quarantine(blank: Database) -> None:
    with blank.write() as conn:
        number = add_file(conn, "a.jsonl", "a", "plain")
        add_quarantine(conn, number, Quarantined(0, "d1", b"raw", "unknown"))
        assert add_record(conn, number, record(dialogue("d1"), 0, b"raw"))["dialogues"] == 1
    with blank.read() as conn:
        assert quarantined(conn) == ()


def test_a_kept_memory_stands_for_its_whole_record(blank: Database) -> None:
    raw = {
        "memory_id": "m1",
        "value": "v",
        "label": "L",
        "evidence": {"utterance_index": 3},
        "updated_at": "2026",
    }
    full = replace(memory("m1", "v"), raw=raw)
    assert memory_record(full)["evidence"] == {"utterance_index": 3}
    assert "updated_at" not in memory_record(full)
    plain = replace(memory("m7", "v"), raw={"id": "m7", "value": "v"})
    assert memory_record(plain) == {
        "memory_id": "m7",
        "type": "direct",
        "label": "Preferences/Food",
        "label_suggestion": None,
        "value": "v",
        "reasoning": "said so",
        "evidence": {"utterance_index": 0, "text": "green tea"},
        "confidence": 0.8,
        "time_scope": "long_term",
        "emotion": None,
        "preference_attitude": "like",
    }


# ---------------------------------------------------------------- any text

texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=40)
numbers = st.none() | st.floats(allow_nan=False, allow_infinity=False)
optional = st.none() | texts
json_values = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | texts,
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(texts, inner, max_size=3),
    max_leaves=6,
)
evidences = st.builds(
    Evidence,
    texts,
    st.sampled_from(EvidenceMatch),
    st.none() | st.integers(0, 9),
    st.none(),
    st.none(),
    numbers,
)
memories_ = st.builds(
    Memory,
    texts,
    st.sampled_from((Origin.GOLD, Origin.MODEL)),
    st.sampled_from(("a", "b")),
    st.integers(0, 3),
    texts,
    optional,
    optional,
    optional,
    optional,
    numbers,
    optional,
    optional,
    optional,
    st.lists(evidences, max_size=2).map(tuple),
    st.dictionaries(texts, json_values, max_size=3),
)
turns_ = st.builds(Turn, texts, texts, optional, optional, optional)


@settings(max_examples=50, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(
    texts,
    st.lists(turns_, min_size=1, max_size=4),
    st.lists(memories_, max_size=4),
    texts,
    st.binary(max_size=60),
    st.dictionaries(texts, json_values, max_size=2),
)
def test_any_text_and_any_bytes_come_back_as_they_went_in(
    empty: Database,
    name: str,
    some_turns: list[Turn],
    some: list[Memory],
    text: str,
    raw: bytes,
    meta: dict[str, object],
) -> None:
    external = f"{uuid.uuid4()}{name}"
    one = Dialogue(
        source="any",
        external_id=external,
        turns=tuple(some_turns),
        memories=tuple(some),
        queries=(Query(text, "utilization", text, ability=text, given=(text,)),),
        responses=(Response(text, text, text, 0),),
        language=text,
        meta=meta,
    )
    put(empty, SourceRecord(0, external, raw, (one,)), file=external)
    with empty.read() as conn:
        (found,) = dialogue_by_external_id(conn, external)
        assert (found.language, found.meta) == (text, meta)
        assert turns(conn, found.id) == one.turns
        stored = memories(conn, found.id)
        (query,) = queries(conn, found.id)
        (response,) = responses(conn, query.id)
        bytes_kept = conn.execute(
            select(m.source_record.c.raw).where(m.source_record.c.external_id == external)
        ).scalar_one()
    assert bytes_kept == raw
    expected = sorted(some, key=lambda memory: (memory.origin, memory.origin_name, memory.position))
    names = [field for field in Memory.__slots__]
    assert [[getattr(one, field) for field in names] for one in stored] == [
        [getattr(one, field) for field in names] for one in expected
    ]
    assert (query.text, query.ability, query.given, response.text, response.model) == (
        text,
        text,
        (text,),
        text,
        text,
    )
