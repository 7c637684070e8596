"""Queries put to a model and the responses to them, joined by their ids."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from alps_tui.sources.lints import Code, Notes, Unreadable
from alps_tui.sources.parts import as_list, as_object, id_of, kind_of, text_of
from store.content_records import Memory, Query, Response


def query_text(value: Any, where: str, notes: Notes) -> str:
    """The text of a query; an empty one is noted."""
    text = text_of(value, where, notes)
    if text is None or not text.strip():
        notes.add(Code.QUERY_EMPTY, where)
    return text or ""


def read_queries(
    entries: Sequence[Any],
    where: str,
    notes: Notes,
    *,
    prefix: str,
    ability: str | None = None,
    target: str | None = None,
    given: tuple[str, ...] = (),
) -> list[Query]:
    """Queries in order: `query_id` or `id`, `query` or `text`, and their own ability, if they have one.

    One with a `pool` of memories is put to that pool; any other tests an ability.

    prefix            of the id made for a query that has none
    ability, target   those of the whole list
    given             the memories handed over with each of them, unless it has its own `memory_ids`

    raises   Unreadable if an entry or a memory of a pool is no object, or its `memory_ids` or `pool` no list
    """
    queries: list[Query] = []
    for i, entry in enumerate(entries):
        here = f"{where}/{i}"
        record = as_object(entry, here)
        external_id = id_of(record.get("query_id", record.get("id")))
        if external_id is None:
            notes.add(Code.MISSING_ID, here, "no query_id, its place is used")
        own = record.get("memory_ids")
        pool = record.get("pool")
        queries.append(
            Query(
                external_id=external_id or f"{prefix}:{i}",
                kind="utilization" if pool is None else "retrieval",
                text=query_text(record.get("query", record.get("text")), here, notes),
                ability=text_of(record.get("ability"), f"{here}/ability", notes) or ability,
                category=text_of(record.get("category"), f"{here}/category", notes),
                target=id_of(record.get("target")) or target,
                given=given if own is None else _memory_ids(own, f"{here}/memory_ids"),
                pool=() if pool is None else read_records(pool, f"{here}/pool"),
            )
        )
    return queries


def read_records(value: Any, where: str) -> tuple[dict[str, Any], ...]:
    """A list of memories as they came, `memory_id` for an `id`.

    raises   Unreadable if it is no list or one of them no object
    """
    listed = [as_object(one, f"{where}/{i}") for i, one in enumerate(as_list(value, where))]
    named = [{"memory_id": one["id"]} if "id" in one and "memory_id" not in one else {} for one in listed]
    return tuple({**more, **one} for one, more in zip(listed, named, strict=True))


def _memory_ids(value: Any, where: str) -> tuple[str, ...]:
    ids = [id_of(entry) for entry in as_list(value, where)]
    if None in ids:
        raise Unreadable(f"{where} holds {kind_of(value[ids.index(None)])}, not an id")
    return tuple(found for found in ids if found is not None)


def note_unknown_memories(
    queries: Iterable[Query], memories: Iterable[Memory], where: str, notes: Notes
) -> None:
    """Note the ids given with a query that no memory of the dialogue has."""
    named = {memory.external_id for memory in memories}
    for query in queries:
        known = named | {id_of(record.get("memory_id")) for record in query.pool}
        for name in dict.fromkeys((*query.given, *filter(None, (query.target,)))):
            if name not in known:
                notes.add(Code.MEMORY_UNKNOWN, f"{where}/{query.external_id}", f'there is no memory "{name}"')


def unique_ids(queries: Sequence[Query], where: str, notes: Notes) -> list[Query]:
    """The queries with distinct ids: a repeated one gets its number appended, with a lint."""
    seen: set[str] = set()
    unique: list[Query] = []
    for query in queries:
        name, n = query.external_id, 1
        while name in seen:
            n += 1
            name = f"{query.external_id}#{n}"
        if n > 1:
            notes.add(
                Code.DUPLICATE_ID, f"{where}/{query.external_id}", f"the id occurs again, here as {name}"
            )
        seen.add(name)
        unique.append(replace(query, external_id=name))
    return unique


def read_responses(
    entries: Sequence[Any], queries: Sequence[Query], where: str, notes: Notes, *, model: str | None = None
) -> tuple[Response, ...]:
    """Responses in order, each joined to its query by `query_id`; an empty one is kept and noted.

    model    who answered, where the responses do not say it themselves

    raises   Unreadable if a response names no query of the record, or an id that several queries bear
    """
    known = {query.external_id for query in queries}
    responses: list[Response] = []
    for i, entry in enumerate(entries):
        here = f"{where}/{i}"
        record = as_object(entry, here)
        query_id = id_of(record.get("query_id"))
        if query_id is None or query_id not in known:
            named = (
                "no query" if query_id is None else f'the query "{query_id}", which the record does not have'
            )
            raise Unreadable(f"{here} names {named}")
        if f"{query_id}#2" in known:
            raise Unreadable(f'{here} names the query "{query_id}", which the record has more than once')
        text = text_of(record.get("response", record.get("text")), here, notes) or ""
        if not text.strip():
            notes.add(Code.RESPONSE_EMPTY, here)
        responses.append(Response(query_id, _model_of(record, model, here, notes), text, i))
    return tuple(responses)


def _model_of(record: Mapping[str, Any], model: str | None, here: str, notes: Notes) -> str:
    name = model or id_of(record.get("model"))
    if name is None:
        notes.add(Code.MISSING_ID, here, "no model is named")
    return name or "unnamed"
