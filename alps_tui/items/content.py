"""Everything of one dialogue that items are made of, read from the store one dialogue after the other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from store.content import (
    StoredDialogue,
    StoredMemory,
    StoredQuery,
    StoredResponse,
    StoredUpdate,
    dialogues,
    memories,
    queries,
    responses,
    updates,
)
from store.database import Database
from store.kinds import Origin

OTHER_LAYOUTS = frozenset(
    {
        "alpsbench-llm-memories",
        "alpsbench-check-task1",
        "alpsbench-check-task2",
        "alpsbench-check-task3",
    }
)
"""Sources that hold sessions of the packets again, cut, cleaned or with other models, for judges to be held against.

Their memories are reviewed, not verified: whoever verifies memories gets a session once, from its packet, in
whichever order the files arrive.
"""


@dataclass(frozen=True, slots=True)
class Content:
    """A dialogue with its memories, its questions to models, and the responses by row id of the question.

    memories    the newest list of each origin
    queries     those that test an ability; `retrieval` those put to a pool
    older_gold  the gold lists that stood before the newest, the latest first
    """

    dialogue: StoredDialogue
    memories: Sequence[StoredMemory]
    queries: Sequence[StoredQuery]
    responses: Mapping[int, Sequence[StoredResponse]]
    retrieval: Sequence[StoredQuery] = ()
    updates: Sequence[StoredUpdate] = ()
    older_gold: Sequence[Sequence[StoredMemory]] = ()

    @property
    def gold(self) -> list[StoredMemory]:
        return [memory for memory in self.memories if memory.origin is Origin.GOLD]

    @property
    def given(self) -> list[StoredMemory]:
        return [memory for memory in self.memories if memory.origin is Origin.GIVEN]

    @property
    def extracted(self) -> list[StoredMemory]:
        """What models and memory systems found, by name and place in their lists."""
        return [memory for memory in self.memories if memory.origin in (Origin.MODEL, Origin.SYSTEM)]

    def slim(self) -> "Content":
        """The same without records, pools, evidence and reasoning: what planning items of a whole study can hold."""
        memories = _bare(self.memories)
        older = [_bare(one) for one in self.older_gold]
        retrieval = [replace(query, pool=()) for query in self.retrieval]
        updates = [
            replace(one, new_dialogue=(), pool=(), answer=tuple(map(_only_id, one.answer)))
            for one in self.updates
        ]
        return replace(self, memories=memories, retrieval=retrieval, updates=updates, older_gold=older)

    @property
    def key(self) -> str:
        """What the dialogue is called in item keys: the same in every study it is imported to."""
        return dialogue_key(self.dialogue)


def contents(db: Database) -> Iterator[Content]:
    """The content of a study, one dialogue at a time, in the order of import, as it is at one moment."""
    with db.read() as conn:
        for dialogue in dialogues(conn):
            asked = queries(conn, dialogue.id)
            newest, older = _lists(memories(conn, dialogue.id, all_versions=True))
            yield Content(
                dialogue,
                newest,
                [query for query in asked if query.kind == "utilization"],
                {query.id: responses(conn, query.id) for query in asked},
                [query for query in asked if query.kind == "retrieval"],
                updates(conn, dialogue.id),
                older,
            )


def _lists(found: Sequence[StoredMemory]) -> tuple[list[StoredMemory], list[list[StoredMemory]]]:
    """The newest list of each origin, and the gold lists before it, the latest first."""
    versions: dict[tuple[Origin, str], dict[int, list[StoredMemory]]] = {}
    for memory in found:
        known = versions.setdefault((memory.origin, memory.origin_name), {})
        known.setdefault(memory.version, []).append(memory)
    newest = [memory for known in versions.values() for memory in known[max(known)]]
    older = [
        known[version]
        for (origin, _), known in versions.items()
        if origin is Origin.GOLD
        for version in sorted(known, reverse=True)[1:]
    ]
    return newest, older


def _bare(found: Sequence[StoredMemory]) -> list[StoredMemory]:
    return [replace(memory, raw={}, evidence=(), reasoning=None) for memory in found]


def _only_id(record: Mapping[str, Any]) -> dict[str, Any]:
    return {"memory_id": record.get("memory_id")}


def dialogue_key(dialogue: StoredDialogue) -> str:
    return f"{dialogue.source}:{dialogue.external_id}"
