"""What a judge said beside what the rater said blind, in the words their pane shows; and what both are about."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from alps_tui.protocols.schema import Field
from alps_tui.ui.asking import verdict_field
from alps_tui.ui.shown import answer_words, state_of, value_words
from alps_tui.ui.sitting import Sitting
from store.content_records import Json
from store.kinds import UnitKind
from store.records import JudgeSaid, UnitView

NOTHING = "nothing"
SCORE = "penalty_score"
IDS = ("review", "gold_id", "pred_id", "penalty")
"""What a review is of, told by the memories' own words, and what follows from the rest."""


@dataclass(frozen=True)
class JudgedRow:
    """One thing that a judge said. `judge` and `you` are (question, answer) in words, `about` (whose, its words).

    glyph, word   how far the rater is with it
    reason        what the rater said beside the verdict
    """

    shown_id: str
    title: str
    glyph: str
    word: str
    judge: tuple[tuple[str, str], ...]
    you: tuple[tuple[str, str], ...]
    about: tuple[tuple[str, str], ...] = ()
    reason: tuple[str, ...] = ()
    keys: tuple[tuple[str, str], ...] = ()
    note: str = ""
    flag: str = ""


def judged_rows(sitting: Sitting) -> tuple[JudgedRow, ...]:
    """A row for each part of what the judge said, in their order."""
    return tuple(_kept_row(sitting, unit) for unit in sitting.units)


def _kept_row(sitting: Sitting, unit: UnitView) -> JudgedRow:
    return sitting.kept.of(unit, "judged", lambda: _row(sitting, unit))


def _row(sitting: Sitting, unit: UnitView) -> JudgedRow:
    said = sitting.view.judged.get(unit.id, JudgeSaid(None, "", {}))
    verdict = verdict_field(sitting, unit)
    glyph, word = state_of(sitting, unit)
    if verdict is not None and (value := sitting.value(unit, verdict.key)) is not None:
        glyph = {"supported": "✓", "partially_supported": "?", "not_supported": "✗"}.get(str(value), glyph)
    return JudgedRow(
        shown_id=unit.shown_id,
        title=_title(sitting, said),
        glyph=glyph,
        word=word,
        judge=_words(sitting, said.values),
        you=_own_words(sitting, said),
        about=tuple(_about(sitting, said)),
        reason=tuple(_beside(sitting, unit, verdict)),
        keys=tuple((o.key or "", o.label) for o in verdict.options) if verdict else (),
        note=sitting.shown.notes.get(unit.id, ""),
        flag=sitting.shown.flags.get(unit.id, ""),
    )


def _title(sitting: Sitting, said: JudgeSaid) -> str:
    if said.field:
        return _locked(sitting, said.field).title
    names = [unit.shown_id for _, unit in _cited(sitting, said) if unit is not None]
    return f"{said.values.get('review', '')} {' ⇄ '.join(names)}".strip()


def _locked(sitting: Sitting, key: str) -> Field:
    """A question that was asked before the reveal, by its key."""
    return next(field for field in sitting.protocol.locked if field.key == key)


def _words(sitting: Sitting, values: Mapping[str, Json]) -> tuple[tuple[str, str], ...]:
    """Answers in words, in the form's order; a single one needs no name."""
    known = [f for f in sitting.protocol.locked if f.key in values and f.key not in IDS]
    return tuple(
        (f.short or f.key.replace("_", " "), _said(f, values[f.key]))
        for f in known
        if values[f.key] not in (None, "")
    )


def _said(field: Field, value: Json) -> str:
    """A value with its number where its word alone would not tell it."""
    words = value_words(field, value)
    shows = field.kind == "choice" and isinstance(value, int) and not isinstance(value, bool)
    return f"{value} {words}" if shows else words


def _own_words(sitting: Sitting, said: JudgeSaid) -> tuple[tuple[str, str], ...]:
    """What this rater said of the same thing before the reveal."""
    answers = sitting.shown.answers
    if said.about is not None:
        field = _locked(sitting, said.field)
        answer = answers.get((said.about, said.field))
        if answer is not None and answer.value is not None:
            return ((field.short or field.key.replace("_", " "), _said(field, answer.value)),)
        return ((field.key.replace("_", " "), answer_words(field, answer) or NOTHING),)
    found: list[tuple[str, str]] = []
    for mine in sitting.shown.made:
        values = {key: a.value for (unit_id, key), a in answers.items() if unit_id == mine.id}
        if mine.kind is UnitKind.REVIEW and _same_memory(values, said.values):
            kind = str(values.get("review", ""))
            found += [(kind, ""), *_words(sitting, values)]
    return tuple(found) or ((NOTHING, ""),)


def _same_memory(mine: Mapping[str, Json], judges: Mapping[str, Json]) -> bool:
    """Whether two reviews have a memory in common, the gold one or the model's."""
    return any(
        mine.get(key) is not None and mine.get(key) == judges.get(key) for key in ("gold_id", "pred_id")
    )


def _about(sitting: Sitting, said: JudgeSaid) -> Iterator[tuple[str, str]]:
    """The memories a review is of, in their own words; never by the ids that the judge was given."""
    for whose, unit in _cited(sitting, said):
        memory = sitting.view.memories.get(unit.memory_id or 0) if unit is not None else None
        label = f" ({memory.label})" if memory is not None and memory.label else ""
        words = f"{memory.value}{label}" if memory is not None else "(a memory that the data has no more)"
        yield f"{whose} {unit.shown_id}" if unit is not None else whose, words


def _cited(sitting: Sitting, said: JudgeSaid) -> Iterator[tuple[str, UnitView | None]]:
    """Whose the memories are that a review names, and their parts of the item; None where the item has none such."""
    for key, whose, lists in (("gold_id", "gold", ("gold", "answer")), ("pred_id", "model", ("pred",))):
        name = said.values.get(key)
        if name is not None:
            keys = {f"{one}:{name}" for one in lists}
            yield whose, next((unit for unit in sitting.view.units if unit.key in keys), None)


def scores(sitting: Sitting) -> str:
    """The score that a judge's reviews come to beside the rater's own, where the form has one."""
    session = sitting.session
    said = sitting.view.judged.get(session.id) if session is not None else None
    judges = said.values.get(SCORE) if said is not None else None
    if session is None or judges is None:
        return ""
    own = sitting.shown.answers.get((session.id, SCORE))
    yours = f"yours {own.value:g}" if own is not None and own.value is not None else "yours is not complete"
    return f"its score {judges:g}, {yours}"


def _beside(sitting: Sitting, unit: UnitView, verdict: Field | None) -> Iterator[str]:
    """What was said beside the verdict, with the question where the words alone do not tell."""
    for field in sitting.visible_fields(unit):
        words = answer_words(field, sitting.answer(unit, field.key))
        if field is not verdict and words:
            yield f"{field.short or field.title}: {words}"
