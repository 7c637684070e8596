"""What one rater may see of an item: explicit columns, and in them nothing of a model, an origin, a judge or a peer."""

import random
from collections.abc import Mapping, Sequence
from typing import Any, TypeVar

from sqlalchemy import ColumnElement, Connection, Row, Select, case, select, true

from store import models as m
from store.assignments import assignment_by_id
from store.content_records import Turn
from store.decisions import item_answers
from store.encoding import digest, evidence_from_json, read_json
from store.errors import NotPossible
from store.judged import with_judge
from store.kinds import ItemState, Origin, Phase, Purpose, UnitKind
from store.material import with_questions, with_target
from store.material_update import with_update
from store.pairs import with_pairs
from store.records import Assignment, ItemAnswers, ItemView, MemoryView, QueryView, ResponseView, UnitView

T = TypeVar("T")

NAMED = "pred:"
"""What the key of a model's memory begins with that tells no model: who made the item saw to that."""


def item_view(conn: Connection, assignment_id: int) -> ItemView:
    """The item of an assignment as its rater sees it.

    Units stand in this order: session, then memories and the like in content order with the responses shuffled
    by the assignment's seed and named A, B, C…, then each response with each preference (A·p1), then what the
    rater made. Candidates are shuffled by the same
    seed and named c1, c2…; their `key` stays when more of them come.

    raises   NotPossible if there is no such assignment
    """
    assignment = assignment_by_id(conn, assignment_id)
    if assignment is None:
        raise NotPossible(f"There is no assignment with the number {assignment_id}.")
    answers = item_answers(conn, assignment_id)
    return _view(conn, assignment, answers, shuffled=True)


def preview_item(conn: Connection, item_id: int) -> ItemView:
    """An item opened for reading, without an assignment: nothing of any rater, everything in content order.

    raises   NotPossible if there is no such item
    """
    i, p = m.item.c, m.protocol.c
    row = conn.execute(
        select(i.shown_id, i.language, i.ability, p.id, p.name)
        .join(m.protocol, p.id == i.protocol_id)
        .where(i.id == item_id)
    ).first()
    if row is None:
        raise NotPossible(f"There is no item with the number {item_id}.")
    assignment = Assignment(
        id=0,
        item_id=item_id,
        rater_id=0,
        protocol_id=row.id,
        protocol=row.name,
        phase=Phase.BLIND,
        occasion=0,
        purpose=Purpose.CORE,
        position=0,
        seed=0,
        state=ItemState.OPEN,
        shown_id=row.shown_id,
        language=row.language,
        ability=row.ability,
    )
    nothing = ItemAnswers(ItemState.OPEN, {}, {}, {}, (), 0, can_undo=False, can_redo=False)
    return _view(conn, assignment, nothing, shuffled=False)


def _view(conn: Connection, assignment: Assignment, answers: ItemAnswers, *, shuffled: bool) -> ItemView:
    i = m.item.c
    item = conn.execute(
        select(i.dialogue_id, i.query_id, i.update_id, i.preferences, i.candidates).where(
            i.id == assignment.item_id
        )
    ).one()
    seed = assignment.seed if shuffled else None
    units = _units(conn, assignment, seed)
    preferences = list(read_json(item.preferences))
    offered = list(read_json(item.candidates))
    judged = [unit for unit in units if unit.kind not in (UnitKind.RESPONSE_PREFERENCE, UnitKind.JUDGE_FIELD)]
    shown = {unit.memory_id: unit.shown_id for unit in judged if unit.memory_id is not None}
    known = _memories(conn, {*shown, *preferences, *offered})
    candidates = _offered(offered, known, seed)
    responses = {unit.response_id: unit.shown_id for unit in judged if unit.response_id is not None}
    view = ItemView(
        assignment=assignment,
        turns=_turns(conn, item.dialogue_id),
        language=assignment.language,
        units=(*units, *answers.made),
        memories={number: _memory(known[number], name) for number, name in shown.items()},
        responses=_responses(conn, responses),
        query=_query(conn, item.query_id),
        preferences=tuple(_memory(known[one], f"p{place}") for place, one in enumerate(preferences, 1)),
        candidates=tuple(_memory(known[one], f"c{place}") for place, one in enumerate(candidates, 1)),
        answers=answers,
    )
    if any(unit.kind is UnitKind.RESPONSE_PAIR for unit in units):
        return with_pairs(conn, view, seed)
    if responses:
        view = with_target(conn, view, item.query_id)
    else:
        view = with_update(conn, with_questions(conn, view), item.update_id)
    return with_judge(conn, view)


# ---------------------------------------------------------------- units and their order


def _units(conn: Connection, assignment: Assignment, seed: int | None) -> list[UnitView]:
    """The item's own units. The key of a response or pair, or of a memory that is no proposal, may tell a model: it is
    not read, and the name shown stands for it."""
    u, mem = m.unit.c, m.memory.c
    of_response = u.response_id.is_not(None) | (u.kind == UnitKind.RESPONSE_PAIR.value)
    of_model = of_response | mem.origin.is_not(None) & (mem.origin != Origin.GOLD.value)
    telling = of_model & (u.kind != UnitKind.JUDGE_FIELD.value) & ~u.key.startswith(NAMED)
    rows: Sequence[Any] = conn.execute(
        select(
            u.id,
            u.kind,
            case((telling, None), else_=u.key).label("key"),
            u.shown_id,
            u.memory_id,
            u.response_id,
            u.query_id,
        )
        .outerjoin(m.memory, mem.id == u.memory_id)
        .where(u.item_id == assignment.item_id, u.assignment_id.is_(None), _revealed(assignment))
        .order_by(u.position)
    ).all()
    session = [row for row in rows if row.kind == UnitKind.SESSION.value]
    of_responses = _shuffled([row for row in rows if row.kind == UnitKind.RESPONSE.value], seed, "responses")
    letters = {row.response_id: _letters(place) for place, row in enumerate(of_responses)}
    rows = _preferences_last(rows, list(letters))
    shuffled = iter(of_responses)
    others = [
        next(shuffled) if row.kind == UnitKind.RESPONSE.value else row
        for row in rows
        if row.kind != UnitKind.SESSION.value
    ]
    return [_unit(row, letters) for row in (*session, *others)]


def _revealed(assignment: Assignment) -> ColumnElement[bool]:
    """Not even how much a judge said is read before it was revealed."""
    return true() if assignment.phase is Phase.REVEALED else m.unit.c.kind != UnitKind.JUDGE_FIELD.value


def _preferences_last(rows: Sequence[Any], order: Sequence[int]) -> list[Any]:
    """Units with those of a response and a preference behind all others, in the order of the responses."""
    place = {response_id: at for at, response_id in enumerate(order)}
    mine = [row for row in rows if row.kind == UnitKind.RESPONSE_PREFERENCE.value]
    others = [row for row in rows if row.kind != UnitKind.RESPONSE_PREFERENCE.value]
    return [*others, *sorted(mine, key=lambda row: place.get(row.response_id, len(order)))]


def _unit(row: Row[Any], letters: dict[int, str]) -> UnitView:
    shown = row.shown_id
    if row.kind == UnitKind.RESPONSE.value:
        shown = letters[row.response_id]
    elif row.kind == UnitKind.RESPONSE_PREFERENCE.value:
        shown = f"{letters.get(row.response_id, '')}·{row.shown_id}"
    return UnitView(
        id=row.id,
        kind=UnitKind(row.kind),
        key=shown if row.key is None else row.key,
        shown_id=shown,
        memory_id=row.memory_id,
        response_id=row.response_id,
        query_id=row.query_id,
    )


def _letters(place: int) -> str:
    """A, B, … Z, AA, AB, …"""
    name = ""
    place += 1
    while place:
        place, letter = divmod(place - 1, 26)
        name = chr(ord("A") + letter) + name
    return name


def _shuffled(entries: list[T], seed: int | None, what: str) -> list[T]:
    """The entries in the order that the seed draws; as they are without a seed."""
    if seed is not None:
        random.Random(f"{seed}:{what}").shuffle(entries)
    return entries


def _offered(candidates: list[int], known: Mapping[int, Row[Any]], seed: int | None) -> list[int]:
    """Candidates in the order that the seed and their words draw: one that comes later changes no other's turn."""
    if seed is None:
        return candidates
    return sorted(candidates, key=lambda one: digest(str(seed), known[one].value))


# ---------------------------------------------------------------- the material


def _turns(conn: Connection, dialogue_id: int) -> tuple[Turn, ...]:
    t = m.turn.c
    rows = conn.execute(
        select(t.role, t.text, t.speaker, t.timestamp, t.translation)
        .where(t.dialogue_id == dialogue_id)
        .order_by(t.position)
    )
    return tuple(Turn(*row) for row in rows)


def _blind_memories() -> Select[Any]:
    """A memory without external id, origin, origin's name, raw record or source."""
    t = m.memory.c
    return select(t.id, *(t[name] for name in _SAID), t.evidence)


def _memories(conn: Connection, ids: set[int]) -> dict[int, Row[Any]]:
    found: dict[int, Row[Any]] = {}
    for some in _batches(sorted(ids)):
        for row in conn.execute(_blind_memories().where(m.memory.c.id.in_(some))):
            found[row.id] = row
    return found


_SAID = (
    "value",
    "label",
    "type",
    "label_suggestion",
    "reasoning",
    "confidence",
    "time_scope",
    "emotion",
    "preference_attitude",
)


def what_it_says(row: Row[Any]) -> dict[str, Any]:
    """Of a row of a memory all that it says, and nothing of whose it is."""
    said = {name: getattr(row, name) for name in _SAID}
    return said | {"evidence": evidence_from_json(row.evidence)}


def _memory(row: Row[Any], shown_id: str) -> MemoryView:
    return MemoryView(id=row.id, shown_id=shown_id, key=digest(row.value)[:16], **what_it_says(row))


def _responses(conn: Connection, shown: dict[int, str]) -> dict[int, ResponseView]:
    t = m.response.c
    said: dict[int, tuple[str, str]] = {}
    for some in _batches(sorted(shown)):
        for row in conn.execute(select(t.id, t.text, t.reason).where(t.id.in_(some))):
            said[row.id] = (row.text, row.reason)
    return {number: ResponseView(number, name, *said[number]) for number, name in shown.items()}


def _query(conn: Connection, query_id: int | None) -> QueryView | None:
    if query_id is None:
        return None
    t = m.query.c
    row = conn.execute(select(t.id, t.text, t.ability, t.category).where(t.id == query_id)).one()
    return QueryView(*row)


def _batches(ids: Sequence[int]) -> list[Sequence[int]]:
    """Slices short enough for one IN list."""
    return [ids[start : start + 500] for start in range(0, len(ids), 500)]
