"""What an update did with each memory, in the words its card shows: the action derived, the words that changed."""

from collections.abc import Mapping
from dataclasses import dataclass

from alps_tui.items.alignment import Fate, actions, align
from alps_tui.ui.memory_record import Record, changed_keys, record_of
from alps_tui.ui.sitting import Sitting
from alps_tui.ui.word_diff import Piece, word_diff
from store.content_records import Json
from store.kinds import Attested, Status, UnitKind
from store.records import MemoryView, UnitView

ACTION = "action"
"""The field that says what the update does with a memory."""

SHORT = {"retention": "same", "modification": "changed", "addition": "new"}
"""An action in the list, where a line is all there is."""


@dataclass(frozen=True)
class Beside:
    """A memory of the updated list beside the list before.

    action    the action in words, with where it comes from
    short     the same in a word
    choices   the keys that say otherwise, each with its word
    diff      the words before and after, empty where they are the same or there was none
    also      what else of its record is another than before: "label: A → B"
    """

    action: str
    short: str
    choices: tuple[tuple[str, str], ...] = ()
    diff: tuple[Piece, ...] = ()
    also: tuple[str, ...] = ()


def beside(sitting: Sitting, unit: UnitView, memory: MemoryView | None) -> Beside | None:
    """The memory as it stands for this rater beside what it was; None in an item that is about no update."""
    update = sitting.view.update
    if update is None or unit.kind != UnitKind.UPDATE or memory is None:
        return None
    field = next((f for f in sitting.fields(unit) if f.key == ACTION), None)
    derived = derived_action(sitting, unit, {}) or ""
    answer = sitting.answer(unit, ACTION)
    said = str(answer.value) if answer and answer.status == Status.ANSWERED else ""
    if not said:
        words = f"{derived} (derived)"
    elif answer is not None and answer.attested is Attested.DERIVED:
        words = f"{said} (derived, confirmed)" if said == derived else f"{said} (derived from another list)"
    else:
        words = f"{said} (confirmed)" if said == derived else f"{said} (yours; derived: {derived})"
    was = _was(sitting, unit)
    return Beside(
        action=words,
        short=SHORT.get(said or derived, said or derived),
        choices=tuple((o.key or "", o.label) for o in field.options) if field else (),
        diff=word_diff(was.value, memory.value) if was and was.value != memory.value else (),
        also=_also(was, memory) if was else (),
    )


def _also(was: MemoryView, memory: MemoryView) -> tuple[str, ...]:
    """The parts of two records beside their words that differ; reasoning and evidence only where the words do not."""
    before, after = record_of(was), record_of(memory)
    long = ("reasoning", "evidence")
    keys = [key for key in changed_keys(before, after) if key not in ("value", *long)]
    said = [f"{key.replace('_', ' ')}: {_short(before[key])} → {_short(after[key])}" for key in keys]
    if was.value == memory.value:
        quotes = [[one.quote for one in side.evidence] for side in (was, memory)]
        said += ["other reasoning"] if was.reasoning != memory.reasoning else []
        said += ["other evidence"] if quotes[0] != quotes[1] else []
    return tuple(said)


def _short(value: Json) -> str:
    return "none" if value is None else str(value)


def dropped(sitting: Sitting) -> tuple[MemoryView, ...]:
    """The memories of the list before that the updated list has no more."""
    update = sitting.view.update
    if update is None:
        return ()
    listed, _ = _listed(sitting, None, {})
    gone = align([_as_record(one) for one in update.before], listed).dropped
    return tuple(update.before[row.before] for row in gone if row.before is not None)


def derived_action(sitting: Sitting, unit: UnitView | None, given: Mapping[str, Json]) -> str | None:
    """The action on a memory: of a part of the item, as edited; else of the record given, which comes new.

    given   answers under way, `memory` among them if it is being edited or added
    returns None in an item that is about no update
    """
    update = sitting.view.update
    if update is None:
        return None
    listed, place = _listed(sitting, unit, given)
    return actions([_as_record(one) for one in update.before], listed)[place]


def implied(
    sitting: Sitting, unit: UnitView, given: Mapping[str, Json]
) -> tuple[dict[str, Json], tuple[str, ...]]:
    """What a verdict says of the action at once: the derived one is let stand, or goes with a memory that goes.

    An action that the rater gave by its own key is left alone. Returns answers that follow, and keys that go.
    """
    answer = sitting.answer(unit, ACTION)
    own = answer is not None and answer.attested is Attested.EXPLICIT
    asked = any(f.key == ACTION for f in sitting.fields(unit))
    if not asked or own or ACTION in given or not ({"verdict", "memory"} & given.keys()):
        return {}, ()
    verdict = given.get("verdict", sitting.value(unit, "verdict"))
    if unit.made or verdict in ("keep", "edit"):
        action = derived_action(sitting, unit, given)
        return ({ACTION: action} if action else {}), ()
    return {}, (ACTION,) if answer is not None else ()


# ---------------------------------------------------------------- the two lists


def _as_record(memory: MemoryView) -> Record:
    return record_of(memory) | {"memory_id": memory.key}


def _updated(sitting: Sitting) -> tuple[UnitView, ...]:
    return tuple(u for u in sitting.view.units if u.kind == UnitKind.UPDATE and not u.made)


def _listed(sitting: Sitting, unit: UnitView | None, given: Mapping[str, Json]) -> tuple[list[Record], int]:
    """The updated list as records, with one part as edited, and that part's place; a part of the rater's own is last."""
    listed: list[Record] = []
    place = None
    for one in _updated(sitting):
        memory = sitting.view.memories.get(one.memory_id or 0)
        record = _as_record(memory) if memory is not None else {}
        if unit is not None and one.id == unit.id:
            place = len(listed)
            edited = given.get("memory", sitting.value(one, "memory"))
            if isinstance(edited, dict) and given.get("verdict") != "keep":
                record = {**edited, "memory_id": record.get("memory_id")}
        listed.append(record)
    if place is None:
        own = given.get("memory", sitting.value(unit, "memory") if unit is not None else None)
        if isinstance(own, dict):
            listed.append({**own, "memory_id": None})
        place = len(listed) - 1
    return listed, place


def _was(sitting: Sitting, unit: UnitView) -> MemoryView | None:
    """The memory before that this one is or was."""
    update = sitting.view.update
    if update is None:
        return None
    listed, place = _listed(sitting, unit, {})
    row = align([_as_record(one) for one in update.before], listed).of(place)
    return update.before[row.before] if row.fate is not Fate.ADDED and row.before is not None else None
