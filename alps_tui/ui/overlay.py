"""What an item will say once the acts still under way are saved: the screen shows it at once, the store's own
fold replaces it as soon as it reports."""

from collections.abc import Iterable, Mapping
from dataclasses import replace

from store.kinds import ItemState, Status, Verb
from store.records import Act, Answer, Cell, Change, ItemAnswers, UnitView


def laid_over(answers: ItemAnswers, acts: Iterable[Act]) -> ItemAnswers:
    """The answers with these acts on top, in order. Undo and redo wait for the store: only it has the log."""
    for act in acts:
        answers = _with_act(answers, act)
    return answers


def made_unit(answers: ItemAnswers, key: str) -> UnitView | None:
    """The rater's own unit with this key, saved or on its way."""
    return next((unit for unit in answers.made if unit.key == key), None)


def _with_act(answers: ItemAnswers, act: Act) -> ItemAnswers:
    match act.verb:
        case Verb.SET | Verb.CLEAR:
            return _with_changes(answers, act)
        case Verb.SUBMIT:
            return replace(answers, state=ItemState.SUBMITTED, skip_reason=None, can_undo=True)
        case Verb.SKIP:
            return replace(answers, state=ItemState.SKIPPED, skip_reason=act.reason, can_undo=True)
        case Verb.REOPEN:
            return replace(answers, state=ItemState.OPEN, skip_reason=None, can_undo=True)
        case Verb.NOTE:
            return replace(answers, notes=_with_words(answers.notes, act), can_undo=True)
        case Verb.FLAG:
            return replace(answers, flags=_with_words(answers.flags, act), can_undo=True)
    return answers


def _with_words(words: Mapping[int | None, str], act: Act) -> dict[int | None, str]:
    kept = {unit: text for unit, text in words.items() if unit != act.unit_id}
    return {**kept, act.unit_id: act.reason} if act.reason else kept


def _with_changes(answers: ItemAnswers, act: Act) -> ItemAnswers:
    cells: dict[Cell, Answer] = dict(answers.answers)
    made = list(answers.made)
    for change in act.changes:
        unit_id = _unit_of(change, made)
        if act.verb == Verb.CLEAR or change.status == Status.UNSEEN:
            cells.pop((unit_id, change.field), None)
        else:
            cells[(unit_id, change.field)] = _answer(change, act)
    return replace(answers, answers=cells, made=_still_made(made, cells), can_undo=True, can_redo=False)


def _unit_of(change: Change, made: list[UnitView]) -> int:
    """The unit a change is about; a unit not yet saved gets a negative id of its own."""
    if change.unit_id is not None:
        return change.unit_id
    new = change.new_unit
    if new is None:
        raise ValueError(f"a change of {change.field} names no unit")
    known = next((unit.id for unit in made if unit.key == new.key), None)
    if known is not None:
        return known
    unit_id = min((unit.id for unit in made), default=0)
    unit_id = min(unit_id, 0) - 1
    made.append(UnitView(unit_id, new.kind, new.key, new.shown_id, made=True))
    return unit_id


def _still_made(made: list[UnitView], cells: dict[Cell, Answer]) -> tuple[UnitView, ...]:
    answered = {unit_id for unit_id, _ in cells}
    return tuple(unit for unit in made if unit.id in answered)


def _answer(change: Change, act: Act) -> Answer:
    return Answer(
        value=change.value,
        status=change.status,
        reason=change.reason,
        attested=change.attested,
        revision=0,
        decided_at=act.decided_at,
        raw_value=change.raw_value,
        active_ms=act.active_ms,
        seen=act.seen,
        presentation=act.presentation,
    )
