"""AlpsBench session packets: one JSON file per session with its dialogue and tasks 1 to 4."""

from collections.abc import Mapping
from typing import Any

from alps_tui.sources.evidence import QuoteFinder
from alps_tui.sources.language import guess_language
from alps_tui.sources.lints import Code, Notes, Unreadable
from alps_tui.sources.memories import MODEL_KEYS, lint_records, read_memories
from alps_tui.sources.parts import (
    as_list,
    as_object,
    id_of,
    list_in,
    read_dialogue,
    read_turns,
    required_id,
    text_of,
)
from alps_tui.sources.queries import query_text, read_queries, unique_ids
from store.content_records import Dialogue, Json, Memory, Query, UpdateTask
from store.kinds import RECORD_KEYS, Origin

SOURCE = "alpsbench"
GOLD = "gold"

_TASKS = ("task1", "task2", "task3", "task4")
_KNOWN = frozenset({"session_id", "available_tasks", "dialogue", "dialogue_source", *_TASKS})


def read(document: Any, notes: Notes) -> tuple[Dialogue]:
    """The dialogue of a packet with gold and model memories, update task, pool and task-4 queries.

    A task that is absent or null is left out, with a lint if the packet announces it. Turn numbers, the order
    of the pool and the ids in it stay as they are.

    raises   Unreadable if there is no session id or dialogue, or a list or an object is something else
    """
    if isinstance(document, list):
        raise Unreadable("a JSON list of packets: give each a file or a line of its own (jq -c '.[]' FILE)")
    packet = as_object(document, "the packet")
    session_id = required_id(packet, "session_id")
    turns = read_dialogue(packet, "dialogue", notes)
    _note_parts(packet, notes)
    task1, task2, task3 = (_task(packet, name) for name in _TASKS[:3])
    finder = QuoteFinder(turns)
    queries = [*_retrieval(task3, session_id, notes), *_utilization(packet.get("task4"), session_id, notes)]
    dialogue = Dialogue(
        source=SOURCE,
        external_id=session_id,
        turns=turns,
        memories=_memories(task1, finder, notes),
        queries=tuple(queries),
        updates=_updates(task2, session_id, notes),
        language=guess_language(turns),
        meta=_meta(task1, task3),
    )
    return (dialogue,)


def _note_parts(packet: Mapping[str, Any], notes: Notes) -> None:
    """What is announced and missing, and what is there under a name that is not known."""
    announced = packet.get("available_tasks")
    for name in _TASKS:
        if packet.get(name) is None and isinstance(announced, dict) and announced.get(name):
            notes.add(Code.PART_MISSING, name, f"available_tasks says there is {name}, but there is none")
    for name in sorted(packet.keys() - _KNOWN):
        notes.add(Code.PART_UNKNOWN, name, f'"{name}" is kept in the raw record only')


def _task(packet: Mapping[str, Any], name: str) -> dict[str, Any] | None:
    task = packet.get(name)
    return None if task is None else as_object(task, name)


def _memories(task: Mapping[str, Any] | None, finder: QuoteFinder, notes: Notes) -> tuple[Memory, ...]:
    if task is None:
        return ()
    gold = list_in(task, "ground_truth_memories", "task1", notes)
    found = [*read_memories(gold, Origin.GOLD, GOLD, "task1", finder, notes, RECORD_KEYS)]
    if task.get("llm_outputs") is None:
        notes.add(Code.PART_MISSING, "task1/llm_outputs", "no models' memories")
        return tuple(found)
    for model, output in as_object(task["llm_outputs"], "task1/llm_outputs").items():
        where = f"task1/{model}"
        name = text_of(model, where, notes) or "unnamed"
        items = list_in(as_object(output, where), "memory_items", where, notes)
        found += read_memories(items, Origin.MODEL, name, where, finder, notes, MODEL_KEYS)
    return tuple(found)


def _updates(task: Mapping[str, Any] | None, session_id: str, notes: Notes) -> tuple[UpdateTask, ...]:
    if task is None:
        return ()
    pool = _records(task, "memory_pool_before_update", "task2", notes)
    answer = _records(task, "golden_answer", "task2", notes)
    lint_records(answer, "task2/golden_answer", notes)
    turns = list_in(task, "new_dialogue", "task2", notes)
    update = UpdateTask(
        external_id=f"{session_id}:task2",
        selected=id_of(task.get("task2_selected_memory_id")),
        new_dialogue=read_turns(turns, "task2/new_dialogue", notes),
        pool=pool,
        answer=answer,
    )
    return (update,)


def _retrieval(task: Mapping[str, Any] | None, session_id: str, notes: Notes) -> list[Query]:
    if task is None:
        return []
    query = Query(
        external_id=f"{session_id}:task3",
        kind="retrieval",
        text=query_text(task.get("query"), "task3/query", notes),
        target=id_of(task.get("task3_selected_memory_id")),
        pool=_records(task, "candidate_memories", "task3", notes),
    )
    return [query]


def _utilization(task: Any, session_id: str, notes: Notes) -> list[Query]:
    found: list[Query] = []
    for i, entry in enumerate([] if task is None else as_list(task, "task4")):
        where = f"task4/{i}"
        record = as_object(entry, where)
        found += read_queries(
            list_in(record, "queries", where, notes),
            f"{where}/queries",
            notes,
            prefix=f"{session_id}:task4:{i}",
            ability=text_of(record.get("ability"), f"{where}/ability", notes),
            target=id_of(record.get("task4_selected_memory_id")),
        )
    return unique_ids(found, "task4", notes)


def _records(task: Mapping[str, Any], key: str, where: str, notes: Notes) -> tuple[Mapping[str, Json], ...]:
    """A list of memory records, kept as they came and in order.

    raises   Unreadable if it is no list or an entry is no object
    """
    entries = list_in(task, key, where, notes)
    return tuple(as_object(entry, f"{where}/{key}/{i}") for i, entry in enumerate(entries))


def _meta(task1: Mapping[str, Any] | None, task3: Mapping[str, Any] | None) -> dict[str, Json]:
    """What a plan may stratify by: the label the session was sampled for, the language of the task-3 query."""
    meta: dict[str, Json] = {}
    if task1 is not None and isinstance(task1.get("stratum"), str):
        meta["stratum"] = task1["stratum"]
    if task3 is not None and isinstance(task3.get("metadata"), dict):
        meta["retrieval_query_language"] = task3["metadata"].get("language")
    return meta
