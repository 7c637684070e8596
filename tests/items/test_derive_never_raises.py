"""Whatever stands in an annotation or a judge's output that came in, deriving ends, and ends the same again."""

import copy
import json
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from judged_sessions import (
    ability_item,
    entries,
    extraction_item,
    judged_memories,
    retrieval_item,
    session_packet,
    update_item,
    write,
)

from alps_tui.items.derive import derive_decisions
from alps_tui.sources.importer import import_paths
from store.database import open_database
from store.decisions import verify

ABILITY = [{"response": "a", "resonation": 1}, {"query_id": "ability5_7:1", "expression": 2}]
SAMPLES = [
    entries(task2={}, task3={}, task4={}),
    judged_memories(),
    extraction_item(),
    update_item(),
    retrieval_item(),
    ability_item("ability5", ["a", "b"], ABILITY),
    ability_item("ability1", ["a"], {"response": "a", "score": 1}),
]
ODD = [None, True, 0, 1.5, 10**30, "", "x", "\0", "null", [], {}, [[]], [None], {"a": 1}, ["x"], [{}]]


def places(value: Any, path: tuple[Any, ...] = ()) -> Iterator[tuple[Any, ...]]:
    yield path
    steps = value.keys() if isinstance(value, dict) else range(len(value)) if isinstance(value, list) else ()
    for step in steps:
        yield from places(value[step], (*path, step))


def replaced(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    if not path:
        return new
    changed = copy.copy(value)
    changed[path[0]] = replaced(changed[path[0]], path[1:], new)
    return changed


@settings(deadline=None, max_examples=25)
@given(
    st.sampled_from(SAMPLES),
    st.lists(st.tuples(st.integers(0, 10_000), st.sampled_from(ODD)), min_size=1, max_size=3),
)
def test_any_part_may_be_anything(sample: Any, changes: list[tuple[int, Any]]) -> None:
    document: Any = sample
    for number, new in changes:
        known = list(places(document))
        document = replaced(document, known[number % len(known)], new)
    with (
        tempfile.TemporaryDirectory() as name,
        open_database(Path(name, "study.db"), create=True) as db,
    ):
        packet = write(Path(name, "packet.json"), session_packet())
        import_paths(db, [packet, write(Path(name, "annotator_1", "g1__one.json"), document)])

        derive_decisions(db)
        again = derive_decisions(db)

        assert again.derived == 0
        assert not any(form.derived for form in again.forms.values())
        json.dumps(again.to_json())
        with db.read() as conn:
            assert verify(conn) == ()
