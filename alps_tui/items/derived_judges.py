"""What imported outputs of LLM judges say in the terms of our forms. Pure.

A judge said what it said: its answers are explicit. A score that is missing gives no answer, and what a form does
not allow is left out with a sentence; the output itself stays in the study verbatim.
"""

from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from alps_tui.items.derived_acts import Wanted, form_answers, utc
from alps_tui.protocols import derived
from alps_tui.protocols.schema import Protocol
from store.content import StoredAnnotation, StoredResponse
from store.kinds import Attested, UnitKind
from store.records import Change, NewUnit

Json = Any
Units = Mapping[str, int]

DIMENSIONS = ("resonation", "expression", "reception")
MISSPELT = "should_have extracted"
PENALTY = ("review", "ok", "error_type", "should_have_extracted", "hallucinated", "severity")

_LISTS = {"pair": "pair_reviews", "missing": "missing_reviews", "extra": "extra_reviews"}
_ASKED = {
    "pair": ("ok", "error_type", "severity", "rationale"),
    "missing": ("should_have_extracted", "severity", "rationale"),
    "extra": ("hallucinated", "severity", "rationale"),
}

_NEWER = "{who}: the response is in a newer version of the item than the one this judge answered"


@dataclass(frozen=True, slots=True)
class Review:
    """One review of a judge: its kind, the ids it cites, and its own words by our keys."""

    kind: str
    gold_id: str | None
    pred_id: str | None
    said: Mapping[str, Json]

    @property
    def answers(self) -> dict[str, Json]:
        """The answers that the penalty is computed from."""
        return {key: self.said.get(key) for key in PENALTY} | {"review": self.kind}


def reviews_of(output: Json) -> tuple[Review, ...]:
    """The reviews of a judge's output: pairs, then missing, then extra, each in its order."""
    return tuple(_reviews(output)) if isinstance(output, dict) else ()


def _reviews(output: Mapping[str, Json]) -> Iterator[Review]:
    for kind, name in _LISTS.items():
        listed = output.get(name)
        for entry in listed if isinstance(listed, list) else ():
            if not isinstance(entry, dict):
                continue
            said = dict(entry)
            if MISSPELT in said and "should_have_extracted" not in said:
                said["should_have_extracted"] = said.pop(MISSPELT)
            gold = said.get("gold_id") if kind == "pair" else said.get("id") if kind == "missing" else None
            pred = said.get("pred_id") if kind == "pair" else said.get("id") if kind == "extra" else None
            yield Review(kind, _text(gold), _text(pred), said)


def _text(value: Json) -> str | None:
    return None if value is None else str(value)


def score_of(reviews: Sequence[Review]) -> float | None:
    """The score of an extraction by the penalty table, 0 to 100; None while one review cannot be counted."""
    return _score([_penalty(review) for review in reviews])


def _penalty(review: Review) -> Json:
    return derived.compute("review_penalty", PENALTY, review.answers)


def _score(penalties: Sequence[Json]) -> float | None:
    score: float | None = derived.compute_over("penalty_score", penalties)
    return score


def review_answers(form: Protocol, annotation: StoredAnnotation, units: Units, gone: bool = False) -> Wanted:
    """Each review as a unit the judge made, with what it costs; and the score they come to.

    gone   True where the judge saw a gold that is not the one of now: it is counted
    A stored score that is another one is named in `left_out`: then the table is not the judge's.
    """
    found = reviews_of(annotation.payload.get("judge_output_raw"))
    changes: list[Change] = []
    left_out: list[str] = []
    seen: Counter[str] = Counter()
    for review in found:
        said, lacking = _of_review(form, annotation, review, seen)
        changes += said
        left_out += lacking
    score = score_of(found)
    if score is not None:
        changes.append(Change("penalty_score", score, units["session"], attested=Attested.DERIVED))
    stored = annotation.payload.get("judge_score")
    if isinstance(stored, int | float) and score != stored:
        left_out.append(f"{_who(annotation)}: judge_score is {stored:g}, its reviews come to {score}")
    return _wanted(annotation, units, changes, left_out, reviews=len(found), other_gold=int(gone))


def _of_review(
    form: Protocol, annotation: StoredAnnotation, review: Review, seen: Counter[str]
) -> tuple[list[Change], list[str]]:
    name = ":".join(part for part in (review.kind, review.gold_id, review.pred_id) if part is not None)
    seen[name] += 1
    key = name if seen[name] == 1 else f"{name}#{seen[name]}"
    unit = NewUnit(UnitKind.REVIEW, key=key, shown_id=key)
    said = {**review.said, "review": review.kind, "gold_id": review.gold_id, "pred_id": review.pred_id}
    asked = ["review", *_ASKED[review.kind]]
    asked += ["gold_id"] * (review.kind != "extra") + ["pred_id"] * (review.kind != "missing")
    answers, left_out = form_answers(form, annotation, said, 0, dict.fromkeys(asked))
    changes = [replace(change, unit_id=None, new_unit=unit) for change in answers]
    penalty = _penalty(review)
    if penalty is not None:
        changes.append(Change("penalty", penalty, new_unit=unit, attested=Attested.DERIVED))
    return changes, left_out


# ---------------------------------------------------------------- scores of responses


def use_answers(form: Protocol, annotation: StoredAnnotation, key: str, units: Units) -> Wanted:
    """What a judge said of a model's answer to a question that needs a memory. `key` is of the answer's unit."""
    if key not in units:
        return _wanted(annotation, units, (), [_NEWER.format(who=_who(annotation))])
    output = annotation.payload.get("judge_output_raw")
    said = output if isinstance(output, dict) else {}
    asked = dict.fromkeys(("used_memory", "score", "reason"))
    changes, left_out = form_answers(form, annotation, said, units[key], asked)
    return _wanted(annotation, units, changes, left_out)


def ability_answers(
    form: Protocol, annotation: StoredAnnotation, row: Mapping[str, Json], key: str, units: Units
) -> Wanted:
    """The judge's scores of one response, whose unit has this key: those that the form asks for."""
    if key not in units:
        return _wanted(annotation, units, (), [_NEWER.format(who=_who(annotation))])
    known = {field.key for field in form.fields}
    asked = dict.fromkeys(name for name in ("score", *DIMENSIONS) if name in known)
    changes, left_out = form_answers(form, annotation, row, units[key], asked)
    return _wanted(annotation, units, changes, left_out)


def rows_by_response(output: Json, responses: Sequence[StoredResponse]) -> dict[int, Mapping[str, Json]]:
    """Row id of a model's response → what the judge of abilities said of it.

    A row is joined by its `query_id`; else by its text, in its own place first, since texts may come twice. A row
    that fits none is left away: the import has noted it.

    responses   the model's, in order
    """
    rows = [row for row in (output if isinstance(output, list) else [output]) if isinstance(row, dict)]
    joined: dict[int, Mapping[str, Json]] = {}
    for place, row in enumerate(rows):
        here = [one for one in responses[place : place + 1] if one.text == _plain(row)]
        named = [one for one in responses if one.query_id == row.get("query_id")]
        same = [one for one in responses if one.text == _plain(row)]
        found = next((one for one in (*named, *here, *same) if one.id not in joined), None)
        if found is not None:
            joined[found.id] = row
    return joined


def _plain(row: Mapping[str, Json]) -> str | None:
    """The response a row was given for, with line ends as they are stored."""
    text = row.get("response")
    if not isinstance(text, str):
        return None
    return text.replace("\r\n", "\n").replace("\r", "\n").replace("\0", "\u2400")


def _who(annotation: StoredAnnotation) -> str:
    return f"{annotation.session_id}, {annotation.rater}"


def _wanted(
    annotation: StoredAnnotation,
    units: Units,
    changes: Sequence[Change],
    left_out: Sequence[str],
    **counts: int,
) -> Wanted:
    return Wanted(
        changes=tuple(changes),
        note=None,
        submitted=True,
        decided_at=utc(annotation.updated_at),
        presentation=tuple(units.values()),
        counts=Counter(change.attested.value for change in changes) + Counter(counts),
        left_out=tuple(left_out),
        prefilled=False,
    )
