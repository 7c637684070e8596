"""What LLM judges said of models, as it came: each output an annotation of a judge that is a rater of its own.

The files do not name the judge's model. A judge is called after the data it came with, one for each task, so that
two judges that may be different are never taken for one. `final_score` stays in the raw record: it is the judge's
score, or half of it and half an algorithm's, or the algorithm's alone, and so compares with nothing.
"""

from collections.abc import Collection, Iterator, Mapping, Sequence
from typing import Any

from alps_tui.sources.lints import Code, Notes
from alps_tui.sources.normalise import clean_text
from alps_tui.sources.parts import as_list, as_object, id_of, kind_of
from store.content_records import Annotation, Dialogue, Json, Response
from store.kinds import RaterKind

EXTRACTION = "judge:extraction"
UPDATE = "judge:update"
USE = "judge:use"
ABILITY = "judge:ability"
TASK_OF = {"task1": EXTRACTION, "task2": UPDATE, "task3": USE, "task4": ABILITY}

DIMENSIONS = ("resonation", "expression", "reception")
MISSPELT = "should_have extracted"

_REVIEWS = {"pair_reviews": ("gold_id", "pred_id"), "missing_reviews": ("id",), "extra_reviews": ("id",)}


def judge_annotation(
    dialogue: Dialogue, task: str, data: str, model: str, output: Json, score: Json
) -> Annotation:
    """A judge's output on what one model did, under the judge's name.

    data    what the file is part of: the judge is "judge-of-" and this
    """
    return Annotation(
        source=dialogue.source,
        session_id=dialogue.external_id,
        task=task,
        rater=f"judge-of-{data}",
        side=model,
        payload={"model": model, "judge_output_raw": output, "judge_score": score},
        rater_kind=RaterKind.IMPORTED_JUDGE,
        rater_params={"imported": True, "source": data, "judges": task.removeprefix("judge:")},
    )


def note_final_score(record: Mapping[str, Any], where: str, notes: Notes) -> None:
    """Note a `final_score` beside a judge's: whatever it is, it stays in the raw record only."""
    if record.get("final_score") is not None:
        notes.add(Code.FINAL_SCORE_MIXED, where)


def note_no_judge(where: str, notes: Notes) -> None:
    notes.add(Code.JUDGE_MISSING, where)


# ---------------------------------------------------------------- structured reviews


def check_reviews(
    output: Json, gold: Collection[str], predicted: Collection[str], where: str, notes: Notes
) -> None:
    """Note what is odd in the reviews of an extraction or an update; memories that are not there among it.

    raises   Unreadable if the output, one of its lists or a review is of another kind
    """
    lists = as_object(output, where)
    paired: set[str | None] = set()
    for name, keys in _REVIEWS.items():
        for i, review in _reviews(lists, name, where, notes):
            here = f"{where}/{name}/{i}"
            if MISSPELT in review:
                notes.add(Code.KEY_MISSPELT, here, f'"{MISSPELT}" is read as "should_have_extracted"')
            for key in keys:
                known = predicted if key == "pred_id" or name == "extra_reviews" else gold
                _note_dangling(review.get(key), known, known is gold, f"{here}/{key}", notes)
            if name == "pair_reviews":
                paired.add(id_of(review.get("gold_id")))
            elif name == "missing_reviews" and id_of(review.get("id")) in paired:
                notes.add(Code.REVIEWED_TWICE, here, f"{review.get('id')} is also reviewed in a pair")


def _reviews(
    lists: Mapping[str, Any], name: str, where: str, notes: Notes
) -> Iterator[tuple[int, dict[str, Any]]]:
    if lists.get(name) is None:
        notes.add(Code.PART_MISSING, f"{where}/{name}", f'no "{name}"')
        return
    for i, entry in enumerate(as_list(lists[name], f"{where}/{name}")):
        yield i, as_object(entry, f"{where}/{name}/{i}")


def _note_dangling(value: Any, known: Collection[str], is_gold: bool, where: str, notes: Notes) -> None:
    cited = id_of(value)
    if cited is None or cited not in known:
        shown = kind_of(value) if cited is None else f'"{cited}"'
        place = "the gold that came with it" if is_gold else "the model's list"
        notes.add(Code.JUDGE_DANGLING, where, f"the judge cites {shown}, which is not in {place}")


# ---------------------------------------------------------------- scores of responses


def check_use(output: Json, where: str, notes: Notes) -> None:
    """Note what a judge of memory use left out. Raises Unreadable if the output is no object."""
    said = as_object(output, where)
    for key in ("used_memory", "score"):
        if said.get(key) is None:
            notes.add(Code.SCORE_MISSING, f"{where}/{key}", f"the judge gave no {key}")


def check_ability(output: Json, responses: Sequence[Response], where: str, notes: Notes) -> None:
    """Note scores that are missing, and rows that are of no response of the record.

    responses   the model's; a row names its query, or repeats its text

    raises   Unreadable if the output is neither an object nor a list of objects
    """
    texts = {response.text for response in responses}
    queries = {response.query_id for response in responses}
    for i, entry in enumerate(output if isinstance(output, list) else [output]):
        here = f"{where}/{i}" if isinstance(output, list) else where
        row = as_object(entry, here)
        for key in ("score",) if "score" in row else DIMENSIONS:
            if row.get(key) is None:
                notes.add(Code.SCORE_MISSING, f"{here}/{key}", f"the judge gave no {key}")
        text = row.get("response")
        named = id_of(row.get("query_id")) in queries
        if not named and not (isinstance(text, str) and clean_text(text)[0] in texts):
            notes.add(Code.SCORE_UNJOINED, here)
