"""Plain JSON lines: one dialogue per line with its memories, queries and responses, for data of one's own."""

from collections.abc import Iterator, Mapping
from typing import Any

from alps_tui.sources import judge_outputs as judge
from alps_tui.sources.evidence import QuoteFinder
from alps_tui.sources.language import guess_language, language_tag
from alps_tui.sources.lints import Code, Notes, Unreadable
from alps_tui.sources.memories import read_memories
from alps_tui.sources.parts import (
    as_list,
    as_object,
    id_of,
    read_dialogue,
    read_turns,
    required_id,
    text_of,
)
from alps_tui.sources.queries import (
    note_unknown_memories,
    read_queries,
    read_records,
    read_responses,
    unique_ids,
)
from store.content_records import Annotation, Dialogue, Memory, Turn, UpdateTask
from store.kinds import Origin

SOURCE = "plain"

_KNOWN = frozenset(
    {
        "dialogue_id",
        "dialogue",
        "memories",
        "candidates",
        "queries",
        "responses",
        "updates",
        "judged",
        "language",
        "source",
        "meta",
    }
)


def read(document: Any, notes: Notes) -> tuple[Dialogue | Annotation, ...]:
    """One line: dialogue_id, dialogue [{role, content}], memories, queries, responses; only the first two must be.

    A turn's text may stand under `text` too, and a turn may have `speaker`, `timestamp` and `translation`.
    A memory is gold unless it says otherwise: `model` names the model that extracted it, `origin` is one of
    gold, model, system and given. `candidates` maps the name of a model to the memories it extracted. `language` is a language tag or an English name; `source` tells apart
    collections whose dialogue ids overlap; `meta` is an object that is kept. `updates` are lists of memories `before`
    and `after` a `new_dialogue`; `selected` may name the memory that was to change. A query with a `pool` of memories
    is one whose answer lies in it. `judged` is what judges said of models, see `_judged`.

    raises   Unreadable for what is broken
    """
    record = as_object(document, "the line")
    dialogue_id = required_id(record, "dialogue_id")
    turns = read_dialogue(record, "dialogue", notes)
    for name in sorted(record.keys() - _KNOWN):
        notes.add(Code.PART_UNKNOWN, name, f'"{name}" is kept in the raw record only')
    memories = _memories(record, QuoteFinder(turns), notes)
    asked = read_queries(_list(record, "queries"), "queries", notes, prefix=f"{dialogue_id}:query")
    queries = unique_ids(asked, "queries", notes)
    note_unknown_memories(queries, memories, "queries", notes)
    dialogue = Dialogue(
        source=id_of(record.get("source")) or SOURCE,
        external_id=dialogue_id,
        turns=turns,
        memories=memories,
        queries=tuple(queries),
        responses=read_responses(_list(record, "responses"), queries, "responses", notes),
        updates=_updates(record, dialogue_id, notes),
        language=_language(record, turns, notes),
        meta={} if record.get("meta") is None else as_object(record["meta"], "meta"),
    )
    return (dialogue, *_judged(record, dialogue, notes))


def _list(record: Mapping[str, Any], key: str) -> list[Any]:
    """The list under a key; a line need not have it."""
    return [] if record.get(key) is None else as_list(record[key], f'"{key}"')


def _memories(record: Mapping[str, Any], finder: QuoteFinder, notes: Notes) -> tuple[Memory, ...]:
    """The memories by origin and model, each such list in the order of the line."""
    lists: dict[tuple[Origin, str], list[Any]] = {}
    for i, entry in enumerate(_list(record, "memories")):
        where = f"memories/{i}"
        lists.setdefault(_origin(as_object(entry, where), where), []).append(entry)
    if record.get("candidates") is not None:
        for model, entries in as_object(record["candidates"], "candidates").items():
            where = f"candidates/{model}"
            name = id_of(model) or "unnamed"
            lists.setdefault((Origin.MODEL, name), []).extend(as_list(entries, where))
    found: list[Memory] = []
    for (origin, name), group in lists.items():
        where = f"candidates/{name}" if origin in (Origin.MODEL, Origin.SYSTEM) else "memories"
        found += read_memories(group, origin, name, where, finder, notes, ("memory_id", "value"))
    return tuple(found)


def _updates(record: Mapping[str, Any], dialogue_id: str, notes: Notes) -> tuple[UpdateTask, ...]:
    """What is to be judged after a new dialogue: one entry each, under its `id` or its place in the list.

    raises   Unreadable if a part is no list, an entry or a memory no object, or an id comes twice
    """
    found: dict[str, UpdateTask] = {}
    for i, one in enumerate(_list(record, "updates")):
        where = f"updates/{i}"
        entry = as_object(one, where)
        name = id_of(entry.get("id")) or f"{dialogue_id}:update:{i + 1}"
        if name in found:
            raise Unreadable(f"{where}: an update of this id was there before")
        found[name] = UpdateTask(
            external_id=name,
            selected=id_of(entry.get("selected")),
            new_dialogue=read_turns(entry.get("new_dialogue"), f"{where}/new_dialogue", notes),
            pool=_records(entry, "before", where),
            answer=_records(entry, "after", where),
        )
    return tuple(found.values())


def _records(entry: Mapping[str, Any], key: str, where: str) -> tuple[dict[str, Any], ...]:
    """A list of memories as they came, which need not be there."""
    return () if entry.get(key) is None else read_records(entry[key], f"{where}/{key}")


def _judged(record: Mapping[str, Any], dialogue: Dialogue, notes: Notes) -> Iterator[Annotation]:
    """Each entry: `task` (extraction, use or ability), `model`, the `judge`'s name, its `output` and `score`.

    The output is in AlpsBench's shape: reviews of a list of memories; whether a memory was used, with a score; a row
    of scores for each response, by `query_id`.

    raises   Unreadable if an entry, its task or its output is of another kind
    """
    for i, one in enumerate(_list(record, "judged")):
        where = f"judged/{i}"
        entry = as_object(one, where)
        task, model = id_of(entry.get("task")), required_id(entry, "model")
        if task not in CHECKS:
            raise Unreadable(f"{where}: its task is none of {', '.join(CHECKS)}")
        output = entry.get("output")
        CHECKS[task](dialogue, model, output, f"{where}/output", notes)
        name = id_of(entry.get("judge")) or dialogue.source
        yield judge.judge_annotation(dialogue, f"judge:{task}", name, model, output, entry.get("score"))


def _check_extraction(dialogue: Dialogue, model: str, output: Any, where: str, notes: Notes) -> None:
    gold = {one.external_id for one in dialogue.memories if one.origin is Origin.GOLD}
    found = {one.external_id for one in dialogue.memories if one.origin_name == model}
    judge.check_reviews(output, gold, found, where, notes)


def _check_use(dialogue: Dialogue, model: str, output: Any, where: str, notes: Notes) -> None:
    judge.check_use(output, where, notes)


def _check_ability(dialogue: Dialogue, model: str, output: Any, where: str, notes: Notes) -> None:
    responses = [one for one in dialogue.responses if one.model == model]
    judge.check_ability(output, responses, where, notes)


CHECKS = {"extraction": _check_extraction, "use": _check_use, "ability": _check_ability}


def _origin(entry: Mapping[str, Any], where: str) -> tuple[Origin, str]:
    model = id_of(entry.get("model"))
    given = entry.get("origin")
    if given is None:
        return (Origin.MODEL, model) if model else (Origin.GOLD, Origin.GOLD.value)
    if given not in (Origin.GOLD, Origin.MODEL, Origin.SYSTEM, Origin.GIVEN):
        raise Unreadable(f"{where}: its origin is none of gold, model, system, given")
    return Origin(given), model or given


def _language(record: Mapping[str, Any], turns: tuple[Turn, ...], notes: Notes) -> str | None:
    given = text_of(record.get("language"), "language", notes)
    tag = language_tag(given)
    if given is not None and tag is None:
        notes.add(
            Code.PART_UNKNOWN, "language", f'"{given}" names no language, the script of the text is used'
        )
    return tag or guess_language(turns)
