"""AlpsBench all_llm_memories_N.json: one session with its cleaned gold, seven models' memories and their judge.

The gold is a part of what the packets hold of the same session: people cleaned it after the judge had seen it. It
is a source of its own, so that it never stands in for the packet's, and what the judge cites and is gone is noted.
"""

from collections.abc import Iterator, Mapping
from typing import Any

from alps_tui.sources import judge_outputs as judge
from alps_tui.sources.evidence import QuoteFinder
from alps_tui.sources.language import guess_language
from alps_tui.sources.lints import Notes
from alps_tui.sources.memories import MODEL_KEYS, read_memories
from alps_tui.sources.parts import as_object, list_in, read_dialogue, required_id, text_of
from store.content_records import Annotation, Dialogue, Memory
from store.kinds import RECORD_KEYS, Origin

SOURCE = "alpsbench-llm-memories"
DATA = "llm-memories"
GOLD = "gold"


def read(document: Any, notes: Notes) -> tuple[Dialogue | Annotation, ...]:
    """The dialogue with gold and model memories, and a judge's annotation for each model that was judged.

    raises   Unreadable if there is no session id or dialogue, or a list or an object is something else
    """
    record = as_object(document, "the file")
    turns = read_dialogue(record, "dialogue", notes)
    finder = QuoteFinder(turns)
    entries = list_in(record, "golden_answer", "the file", notes)
    gold = read_memories(entries, Origin.GOLD, GOLD, "golden_answer", finder, notes, RECORD_KEYS)
    found = dict(_found(record, finder, notes))
    stratum = record.get("stratum")
    dialogue = Dialogue(
        source=SOURCE,
        external_id=required_id(record, "session_id"),
        turns=turns,
        memories=(*gold, *(memory for one in found.values() for memory in one)),
        language=guess_language(turns),
        meta={"stratum": stratum} if isinstance(stratum, str) else {},
    )
    return (dialogue, *_judged(record, dialogue, {one.external_id for one in gold}, found, notes))


def _found(
    record: Mapping[str, Any], finder: QuoteFinder, notes: Notes
) -> Iterator[tuple[str, tuple[Memory, ...]]]:
    for name, output in as_object(record.get("llm_outputs") or {}, "llm_outputs").items():
        where = f"llm_outputs/{name}"
        items = list_in(as_object(output, where), "memory_items", where, notes)
        model = text_of(name, where, notes) or "unnamed"
        yield model, read_memories(items, Origin.MODEL, model, where, finder, notes, MODEL_KEYS)


def _judged(
    record: Mapping[str, Any],
    dialogue: Dialogue,
    gold: set[str],
    found: Mapping[str, tuple[Memory, ...]],
    notes: Notes,
) -> Iterator[Annotation]:
    results = as_object(record.get("llm_as_judge_results") or {}, "llm_as_judge_results")
    for name, entry in results.items():
        where = f"llm_as_judge_results/{name}"
        result = as_object(entry, where)
        judge.note_final_score(result, f"{where}/final_score", notes)
        output = result.get("judge_output_raw")
        if output is None:
            judge.note_no_judge(f"{where}/judge_output_raw", notes)
            continue
        model = text_of(name, where, notes) or "unnamed"
        predicted = {memory.external_id for memory in found.get(model, ())}
        judge.check_reviews(output, gold, predicted, f"{where}/judge_output_raw", notes)
        yield judge.judge_annotation(
            dialogue, judge.EXTRACTION, DATA, model, output, result.get("judge_score")
        )
