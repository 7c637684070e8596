"""AlpsBench check items (manual_check_data): both tracks, all tasks; of the judge track also model and judge."""

import json
import re
from collections.abc import Mapping
from dataclasses import replace
from typing import Any

from alps_tui.sources import judge_outputs as judge
from alps_tui.sources.alpsbench_tasks import SOURCES, TASKS, read_task, with_language
from alps_tui.sources.evidence import QuoteFinder
from alps_tui.sources.language import language_tag
from alps_tui.sources.lints import Code, Notes, Unreadable
from alps_tui.sources.memories import MODEL_KEYS, read_memories
from alps_tui.sources.parts import as_object, list_in, required_id, text_of
from alps_tui.sources.queries import read_responses
from store.content_records import Annotation, Dialogue, Memory, Response
from store.kinds import Origin

SOURCE = SOURCES["task4"]
DATA = "manual-check-{task}"
"""What the judges of the judge track are called after; see `judge_outputs`."""

_FENCED = re.compile(r"\s*```(?:json)?\s*(\{.*\})\s*```\s*", re.DOTALL)


def read(document: Any, notes: Notes) -> tuple[Dialogue | Annotation, ...]:
    """The dialogue of an item with what its task adds; in the judge track the model's output and the judge's.

    raises   Unreadable if the task is none of the four or a part is missing or of another kind
    """
    item = as_object(document, "the item")
    task, ability = _task(item)
    session = required_id(item, "canonical_id" if task == "task4" else "session_id")
    original = as_object(item.get("original"), "original")
    dialogue = with_language(read_task(task, original, session, ability, notes), _language(item))
    if "assigned_model" not in item:
        return (dialogue,)
    model = required_id(item, "assigned_model")
    dialogue = _answered(task, dialogue, as_object(item.get("model_output"), "model_output"), model, notes)
    return (dialogue, *_judged(task, item, dialogue, model, notes))


def _task(item: Mapping[str, Any]) -> tuple[str, str | None]:
    """The task and, of task 4, the ability."""
    named = item.get("task")
    task, _, ability = named.partition("/") if isinstance(named, str) else ("", "", "")
    if task not in TASKS:
        raise Unreadable(f'the task is "{named}"' if isinstance(named, str) else 'no "task"')
    return task, ability or None


def _language(item: Mapping[str, Any]) -> str | None:
    """The language group where the items are sampled by it."""
    return language_tag(item.get("stratum")) if item.get("stratum_source") == "dataset group" else None


# ---------------------------------------------------------------- what the model answered


def _answered(task: str, dialogue: Dialogue, output: Mapping[str, Any], model: str, notes: Notes) -> Dialogue:
    if task == "task3":
        return replace(dialogue, responses=(_answer(dialogue, output, model, notes),))
    if task == "task4":
        answers = list_in(output, "responses", "model_output", notes)
        responses = read_responses(answers, dialogue.queries, "responses", notes, model=model)
        return replace(dialogue, responses=responses)
    return replace(dialogue, memories=(*dialogue.memories, *_found(task, dialogue, output, model, notes)))


def _found(
    task: str, dialogue: Dialogue, output: Mapping[str, Any], model: str, notes: Notes
) -> tuple[Memory, ...]:
    """What the model extracted, or its updated pool; evidence of the latter may stand in either dialogue.

    Offsets are of one dialogue, so that quotes of an updated pool are not located; they stay in the record.
    """
    quiet = notes if task == "task1" else notes.without_locating()
    items = list_in(output, "memory_items", "model_output", notes)
    keys = MODEL_KEYS if task == "task1" else ()
    finder = QuoteFinder(dialogue.turns)
    return read_memories(items, Origin.MODEL, model, "model_output", finder, quiet, keys)


def _answer(dialogue: Dialogue, output: Mapping[str, Any], model: str, notes: Notes) -> Response:
    """The model's answer to a retrieval question: parsed, or parsed here, or the text as it came."""
    parsed = output.get("parsed_response")
    raw = text_of(output.get("raw_output"), "model_output/raw_output", notes) or ""
    if parsed is None:
        notes.add(Code.ANSWER_UNPARSED, "model_output/parsed_response")
        parsed = _unfenced(raw)
    answer = parsed.get("answer") if isinstance(parsed, dict) else None
    text = raw if answer is None else text_of(answer, "model_output/answer", notes) or ""
    if not text.strip():
        notes.add(Code.RESPONSE_EMPTY, "model_output")
    given = text_of(parsed.get("reason"), "model_output/reason", notes) if isinstance(parsed, dict) else None
    return Response(dialogue.queries[0].external_id, model, text, reason=given or "")


def _unfenced(raw: str) -> Any:
    """The JSON object in a fenced answer; None if there is none that can be read."""
    found = _FENCED.fullmatch(raw)
    try:
        return json.loads(found[1] if found else raw)
    except (ValueError, RecursionError):
        return None


# ---------------------------------------------------------------- what the judge said


def _judged(
    task: str, item: Mapping[str, Any], dialogue: Dialogue, model: str, notes: Notes
) -> tuple[Annotation, ...]:
    output = item.get("judge_output_raw")
    if task in ("task1", "task2"):
        judge.note_final_score(item, "final_score", notes)
    if output is None:
        judge.note_no_judge("judge_output_raw", notes)
        return ()
    _check(task, dialogue, output, notes)
    data = DATA.format(task=task)
    return (
        judge.judge_annotation(dialogue, judge.TASK_OF[task], data, model, output, item.get("judge_score")),
    )


def _check(task: str, dialogue: Dialogue, output: Any, notes: Notes) -> None:
    where = "judge_output_raw"
    if task == "task3":
        judge.check_use(output, where, notes)
    elif task == "task4":
        judge.check_ability(output, dialogue.responses, where, notes)
    else:
        if task == "task1":
            gold = {one.external_id for one in dialogue.memories if one.origin is Origin.GOLD}
        else:
            gold = {str(record.get("memory_id")) for record in dialogue.updates[0].answer}
        found = {one.external_id for one in dialogue.memories if one.origin is Origin.MODEL}
        judge.check_reviews(output, gold, found, where, notes)
