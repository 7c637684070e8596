"""Two records of one file that say different things of one dialogue: the first stands, the other is told apart."""

from collections.abc import Iterator
from itertools import groupby

import orjson

from store.content_records import Dialogue, Quarantined, SourceRecord
from store.kinds import Origin

_Identity = tuple[str, str]
_Part = tuple[str, ...]


class OneFile:
    """What the records of one file said of each dialogue so far, as hashes: a file may be larger than memory.

    Between files a later text or list is a new version of the earlier one. Within a file there is no later:
    it is nearly always an id given twice, and a new version would take the first from everybody's queue.
    """

    def __init__(self, word: str = "line") -> None:
        """`word` is what a record of the file is called: line or row."""
        self._word = word
        self._said: dict[_Identity, dict[_Part, tuple[int, int]]] = {}

    def accept(self, record: SourceRecord) -> SourceRecord | Quarantined:
        """The record, or in its place its quarantine with the line that said otherwise before it."""
        found = [
            ((part.source, part.external_id), dict(_hashes(part)))
            for part in record.content
            if isinstance(part, Dialogue)
        ]
        for identity, parts in found:
            known = self._said.get(identity, {})
            for part, value in parts.items():
                if part in known and known[part][0] != value:
                    reason = self._reason(identity[1], part, known[part][1])
                    return Quarantined(record.ordinal, record.external_id, record.raw, reason)
        for identity, parts in found:
            known = self._said.setdefault(identity, {})
            for part, value in parts.items():
                known.setdefault(part, (value, record.ordinal))
        return record

    def _reason(self, dialogue_id: str, part: _Part, before: int) -> str:
        return (
            f'"{dialogue_id}" is the id of {self._word} {before} too, with {_NAMES[part[0]].format(*part[1:])}; '
            "the first one stands. Give this one an id of its own, or import it from another file as a new version"
        )


_NAMES = {
    "dialogue": "other turns",
    "memories": "another list of {1} memories",
    "query": 'another query "{1}"',
    "update": 'another update "{0}"',
}


def _hashes(dialogue: Dialogue) -> Iterator[tuple[_Part, int]]:
    """Each part of a dialogue that the store keeps in versions. Memories given with a query are the query's."""
    if dialogue.turns:
        yield ("dialogue",), hash(dialogue.turns)
    ordered = sorted(dialogue.memories, key=lambda one: (one.origin.value, one.origin_name))
    for (origin, name), group in groupby(ordered, key=lambda one: (one.origin, one.origin_name)):
        if origin is not Origin.GIVEN:
            called = name if name == origin.value else f"{name}'s"
            yield ("memories", origin.value, called), _hash([one.raw for one in group])
    for query in dialogue.queries:
        said = [query.text, query.ability, query.category, query.target, query.given, query.pool]
        yield ("query", query.kind, query.external_id), _hash(said)
    for task in dialogue.updates:
        turns = [(turn.role, turn.text) for turn in task.new_dialogue]
        yield ("update", task.external_id), _hash([task.selected, turns, task.pool, task.answer])


def _hash(value: object) -> int:
    return hash(orjson.dumps(value, option=orjson.OPT_SORT_KEYS, default=list))
