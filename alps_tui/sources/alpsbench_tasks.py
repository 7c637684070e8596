"""What AlpsBench's check items and dataset rows hold of a task before any model answered: one shape per task."""

from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from alps_tui.sources.evidence import QuoteFinder
from alps_tui.sources.language import guess_language
from alps_tui.sources.lints import Notes
from alps_tui.sources.memories import lint_records, read_memories
from alps_tui.sources.parts import as_list, as_object, id_of, list_in, read_dialogue, read_turns
from alps_tui.sources.queries import note_unknown_memories, query_text, read_queries, unique_ids
from store.content_records import Dialogue, Json, Query, UpdateTask
from store.kinds import RECORD_KEYS, Origin

TASKS = ("task1", "task2", "task3", "task4")
SOURCES = {
    "task1": "alpsbench-check-task1",
    "task2": "alpsbench-check-task2",
    "task3": "alpsbench-check-task3",
    "task4": "alpsbench-task4",
}
"""A source per task: the same session has another text, another gold and other models in each of them."""

GOLD = "gold"
GIVEN = "given"


def read_task(
    task: str, original: Mapping[str, Any], external_id: str, ability: str | None, notes: Notes
) -> Dialogue:
    """The dialogue with gold, update, pool or queries of a task.

    raises   Unreadable if a part that the task needs is missing or of another kind
    """
    readers = {"task1": _extraction, "task2": _update, "task3": _retrieval}
    if task in readers:
        return readers[task](original, external_id, notes)
    return _utilization(original, external_id, ability, notes)


def tell_task(row: Mapping[str, Any]) -> str | None:
    """The task that a row of a dataset is of, by its keys; None if it is of none."""
    if isinstance(row.get("probe"), dict):
        return "task1"
    if isinstance(row.get("record"), dict) and {"memory", "answer"} <= row.keys():
        return "task2"
    if {"candidate_memories", "query"} <= row.keys():
        return "task3"
    return "task4" if {"conversation", "queries"} <= row.keys() else None


def _extraction(original: Mapping[str, Any], external_id: str, notes: Notes) -> Dialogue:
    probe = as_object(original.get("probe"), "original/probe")
    turns = read_dialogue(probe, "dialogue", notes)
    entries = list_in(probe, "ground_truth_memories", "probe", notes)
    gold = read_memories(entries, Origin.GOLD, GOLD, "probe", QuoteFinder(turns), notes, RECORD_KEYS)
    return Dialogue(SOURCES["task1"], external_id, turns, gold, language=guess_language(turns))


def _update(original: Mapping[str, Any], external_id: str, notes: Notes) -> Dialogue:
    record = as_object(original.get("record"), "original/record")
    turns = read_dialogue(record, "old_dialogue", notes)
    metadata = original.get("metadata")
    answer = _records(original, "answer", notes)
    lint_records(list(answer), "answer", notes)
    update = UpdateTask(
        external_id=f"{external_id}:task2",
        selected=id_of(metadata.get("selected_memory_id")) if isinstance(metadata, dict) else None,
        new_dialogue=read_turns(
            list_in(record, "new_dialogue", "record", notes), "record/new_dialogue", notes
        ),
        pool=_records(original, "memory", notes),
        answer=answer,
    )
    return Dialogue(SOURCES["task2"], external_id, turns, updates=(update,), language=guess_language(turns))


def _retrieval(original: Mapping[str, Any], external_id: str, notes: Notes) -> Dialogue:
    """The question and its pool. These items come without a dialogue, so that an empty one is no oddity."""
    given = original.get("dialogue")
    turns = (
        read_turns(given, "dialogue", notes) if as_list([] if given is None else given, "dialogue") else ()
    )
    metadata = original.get("metadata")
    query = Query(
        external_id=f"{external_id}:task3",
        kind="retrieval",
        text=query_text(original.get("query"), "query", notes),
        target=id_of(original.get("selected_memory_id")),
        pool=_records(original, "candidate_memories", notes),
    )
    language = metadata.get("language") if isinstance(metadata, dict) else None
    meta: dict[str, Json] = {"retrieval_query_language": language} if isinstance(language, str) else {}
    return Dialogue(
        SOURCES["task3"], external_id, turns, queries=(query,), language=guess_language(turns), meta=meta
    )


def _utilization(
    original: Mapping[str, Any], external_id: str, ability: str | None, notes: Notes
) -> Dialogue:
    turns = read_dialogue(original, "conversation", notes)
    entries = list_in(original, "extracted_memory", "original", notes)
    memories = read_memories(entries, Origin.GIVEN, GIVEN, "given", QuoteFinder(turns), notes)
    queries = unique_ids(
        read_queries(
            list_in(original, "queries", "original", notes),
            "queries",
            notes,
            prefix=external_id,
            ability=ability,
            target=id_of(original.get("memory_key")),
            given=tuple(memory.external_id for memory in memories),
        ),
        "queries",
        notes,
    )
    note_unknown_memories(queries, memories, "queries", notes)
    return Dialogue(
        SOURCES["task4"],
        external_id,
        turns,
        memories,
        tuple(queries),
        language=guess_language(turns),
        meta={} if ability is None else {"ability": ability},
    )


def with_language(dialogue: Dialogue, language: str | None) -> Dialogue:
    """The dialogue in the language its data names, else as it was guessed."""
    return dialogue if language is None else replace(dialogue, language=language)


def _records(record: Mapping[str, Any], key: str, notes: Notes) -> tuple[Mapping[str, Json], ...]:
    entries = list_in(record, key, "original", notes)
    return tuple(as_object(entry, f"original/{key}/{i}") for i, entry in enumerate(entries))
