"""AlpsBench check items (manual_check_data): the task-4 items of the judge track, with a model's responses."""

from collections.abc import Mapping
from typing import Any

from alps_tui.sources.evidence import QuoteFinder
from alps_tui.sources.language import guess_language, language_tag
from alps_tui.sources.lints import Notes, NotYet
from alps_tui.sources.memories import read_memories
from alps_tui.sources.parts import as_object, id_of, list_in, read_dialogue, required_id
from alps_tui.sources.queries import note_unknown_memories, read_queries, read_responses, unique_ids
from store.kinds import Origin
from store.records import Dialogue, Turn

SOURCE = "alpsbench-task4"
GIVEN = "given"


def read(document: Any, notes: Notes) -> tuple[Dialogue]:
    """A task-4 item of the judge track: dialogue, the memories given, its queries and the model's responses.

    What the judge said and scored is not looked at; it stays in the raw record.

    raises   NotYet for items of other tasks or of the construction track; Unreadable for what is broken
    """
    item = as_object(document, "the item")
    ability = _ability(item)
    original = as_object(item.get("original"), "original")
    turns = read_dialogue(original, "conversation", notes)
    entries = list_in(original, "extracted_memory", "original", notes)
    memories = read_memories(entries, Origin.GIVEN, GIVEN, "given", QuoteFinder(turns), notes)
    external_id = required_id(item, "canonical_id")
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
    output = as_object(item.get("model_output"), "model_output")
    answers = list_in(output, "responses", "model_output", notes)
    dialogue = Dialogue(
        source=SOURCE,
        external_id=external_id,
        turns=turns,
        memories=memories,
        queries=tuple(queries),
        responses=read_responses(
            answers, queries, "responses", notes, model=required_id(item, "assigned_model")
        ),
        language=_language(item, turns),
        meta={"ability": ability},
    )
    return (dialogue,)


def _ability(item: Mapping[str, Any]) -> str:
    """The ability a task-4 item of the judge track tests.

    raises   NotYet for any other item
    """
    task = item.get("task")
    kind, _, ability = task.partition("/") if isinstance(task, str) else ("no task", "", "")
    if kind != "task4" or not ability:
        raise NotYet(f"a check item of {kind}")
    if "assigned_model" not in item:
        raise NotYet("a check item of task4, construction track")
    return ability


def _language(item: Mapping[str, Any], turns: tuple[Turn, ...]) -> str | None:
    """The language group where the items are sampled by it, else a guess."""
    given = language_tag(item.get("stratum")) if item.get("stratum_source") == "dataset group" else None
    return given or guess_language(turns)
