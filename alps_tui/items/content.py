"""Everything of one dialogue that items are made of, read from the store one dialogue after the other."""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from store.content import (
    StoredDialogue,
    StoredMemory,
    StoredQuery,
    StoredResponse,
    dialogues,
    memories,
    queries,
    responses,
)
from store.database import Database
from store.kinds import Origin


@dataclass(frozen=True, slots=True)
class Content:
    """A dialogue with its memories, its questions to models, and the responses by row id of the question."""

    dialogue: StoredDialogue
    memories: Sequence[StoredMemory]
    queries: Sequence[StoredQuery]
    responses: Mapping[int, Sequence[StoredResponse]]

    @property
    def gold(self) -> list[StoredMemory]:
        return [memory for memory in self.memories if memory.origin is Origin.GOLD]

    @property
    def extracted(self) -> list[StoredMemory]:
        """What models and memory systems found, by name and place in their lists."""
        return [memory for memory in self.memories if memory.origin in (Origin.MODEL, Origin.SYSTEM)]

    def slim(self) -> "Content":
        """The same without raw records, evidence and reasoning: what planning items of a whole study can hold."""
        memories = [replace(memory, raw={}, evidence=(), reasoning=None) for memory in self.memories]
        return replace(self, memories=memories)

    @property
    def key(self) -> str:
        """What the dialogue is called in item keys: the same in every study it is imported to."""
        return dialogue_key(self.dialogue)


def contents(db: Database) -> Iterator[Content]:
    """The content of a study, one dialogue at a time, in the order of import, as it is at one moment."""
    with db.read() as conn:
        for dialogue in dialogues(conn):
            asked = queries(conn, dialogue.id, kind="utilization")
            yield Content(
                dialogue,
                memories(conn, dialogue.id),
                asked,
                {query.id: responses(conn, query.id) for query in asked},
            )


def dialogue_key(dialogue: StoredDialogue) -> str:
    return f"{dialogue.source}:{dialogue.external_id}"
