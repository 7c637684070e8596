"""The units of items: what each is called in keys that are stable over imports, and what a rater is shown of it."""

import hashlib
from collections.abc import Iterable, Iterator, Mapping, Sequence
from typing import Any

from alps_tui.items.hidden_names import Names
from store.content import StoredMemory, StoredQuery, StoredResponse
from store.kinds import UnitKind
from store.pairs import pair_key
from store.records import UnitSpec
from store.views import NAMED

SESSION = UnitSpec(key="session", kind=UnitKind.SESSION, shown_id="session")


def memory_units(gold: Sequence[StoredMemory], names: Names) -> Iterator[UnitSpec]:
    """One unit per proposal; ids that come again, or tell a model, get their place instead."""
    seen: set[str] = set()
    for place, memory in enumerate(gold, 1):
        key = f"gold:{memory.external_id}"
        if key in seen or names.tells(memory.external_id):
            key = f"gold:#{place}"
        seen.add(key)
        yield UnitSpec(key=key, kind=UnitKind.MEMORY, shown_id=f"m{place}", memory_id=memory.id)


def model_units(found: Sequence[StoredMemory], names: Names) -> Iterator[UnitSpec]:
    """One unit per memory that a model extracted; ids that come again, or tell a model, get their place instead.

    So the id in a key is one that a rater may see, and a judge cites the memory by it.
    """
    seen: set[str] = set()
    for place, memory in enumerate(found, 1):
        key = f"{NAMED}{memory.external_id}"
        if key in seen or names.tells(memory.external_id):
            key = f"{NAMED}#{place}"
        seen.add(key)
        yield UnitSpec(key=key, kind=UnitKind.MEMORY, shown_id=f"p{place}", memory_id=memory.id)


def update_units(answer: Sequence[Mapping[str, Any]], names: Names) -> Iterator[UnitSpec]:
    """One unit per memory of an updated list; ids that come again, or tell a model, get their place instead."""
    seen: set[str] = set()
    for place, record in enumerate(answer, 1):
        key = f"answer:{record.get('memory_id')}"
        if key in seen or names.tells(str(record.get("memory_id"))):
            key = f"answer:#{place}"
        seen.add(key)
        yield UnitSpec(key=key, kind=UnitKind.UPDATE, shown_id=f"m{place}")


def query_unit(query: StoredQuery, target: StoredMemory | None = None) -> UnitSpec:
    """The one question of an item, with the memory it was written for where that is to be judged with it."""
    memory_id = None if target is None else target.id
    return UnitSpec("query", UnitKind.QUERY, "query", memory_id=memory_id, query_id=query.id)


def query_units(
    queries: Sequence[StoredQuery], targets: Mapping[str, StoredMemory], names: Names
) -> Iterator[UnitSpec]:
    """One unit per question of a dialogue, with the memory it was written for, by that one's id in the data.

    The id of a question that tells a model is kept out of its key, which has its place instead.
    """
    for place, query in enumerate(queries, 1):
        target = targets.get(query.target or "")
        memory_id = None if target is None else target.id
        key = f"query:#{place}" if names.tells(query.external_id) else f"query:{query.external_id}"
        yield UnitSpec(key, UnitKind.QUERY, f"q{place}", memory_id=memory_id, query_id=query.id)


def response_units(answers: Sequence[StoredResponse]) -> Iterator[UnitSpec]:
    """One unit per response. Its key is a hash: stable over imports, and it does not tell the model."""
    for place, response in enumerate(answers, 1):
        key = f"response:{hashed(response.model, response.text)}"
        yield UnitSpec(key=key, kind=UnitKind.RESPONSE, shown_id=f"r{place}", response_id=response.id)


def pair_units(of_responses: Sequence[UnitSpec], chosen: Iterable[tuple[int, int]]) -> Iterator[UnitSpec]:
    """One unit per pair of responses that is chosen by their places: its key names both, in the order of the data."""
    for first, second in chosen:
        one, other = of_responses[first], of_responses[second]
        shown = f"{one.shown_id}-{other.shown_id}"
        yield UnitSpec(pair_key(one.key, other.key), UnitKind.RESPONSE_PAIR, shown)


def preference_units(
    of_responses: Sequence[UnitSpec], preferences: Sequence[StoredMemory], names: Names
) -> Iterator[UnitSpec]:
    """One unit per response and preference: its key has the response's, and the preference by its id in the data.

    An id that comes again, or tells a model, gets its place instead.
    """
    said: list[str] = []
    for place, memory in enumerate(preferences, 1):
        known = memory.external_id in said or names.tells(memory.external_id)
        said.append(f"#{place}" if known else memory.external_id)
    for response in of_responses:
        for place, (name, memory) in enumerate(zip(said, preferences, strict=True), 1):
            yield UnitSpec(
                key=f"{response.key}:preference:{name}",
                kind=UnitKind.RESPONSE_PREFERENCE,
                shown_id=f"p{place}",
                memory_id=memory.id,
                response_id=response.response_id,
            )


def hashed(*said: str) -> str:
    """Sixteen hexadecimal digits that stand for a model and what it said."""
    return hashlib.sha256("\0".join(said).encode("utf-8", "surrogatepass")).hexdigest()[:16]
