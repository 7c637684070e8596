"""Random sessions: the store against a second implementation of undo that keeps whole states instead of a log."""

from collections.abc import Iterator
from copy import deepcopy
from dataclasses import dataclass, field
from itertools import count
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from studies import act, tiny_study

from store.assignments import assign, assignment_by_id, assignments, rater_by_name
from store.content import item_view
from store.database import Database
from store.decisions import append, item_answers, verify
from store.errors import NotPossible
from store.kinds import ItemState, Phase, Status, UnitKind, Verb
from store.records import Act, Assignment, Change, ItemAnswers, NewUnit


@dataclass
class State:
    """What a rater says, by unit name."""

    state: ItemState = ItemState.OPEN
    skip_reason: str | None = None
    cells: dict[tuple[str, str], Any] = field(default_factory=dict)
    notes: dict[str | None, str] = field(default_factory=dict)
    flags: dict[str | None, str] = field(default_factory=dict)


class Model:
    """Undo as a stack of whole states."""

    def __init__(self) -> None:
        self.now = State()
        self.phase = Phase.BLIND
        self.past: list[State] = []
        self.future: list[State] = []

    def step(self, verb: Verb, what: Any) -> bool:
        """Take a step; False, and nothing changed, where the rules forbid it."""
        open_now = self.now.state is ItemState.OPEN
        if verb is Verb.REVEAL:
            said_something = open_now and self.now.cells
            if self.phase is Phase.REVEALED or not (self.now.state is ItemState.SUBMITTED or said_something):
                return False
            self.phase, self.past, self.future = Phase.REVEALED, [], []
            return True
        if verb in (Verb.UNDO, Verb.REDO):
            source, target = (self.past, self.future) if verb is Verb.UNDO else (self.future, self.past)
            if not source:
                return False
            target.append(self.now)
            self.now = source.pop()
            return True
        allowed = verb in (Verb.NOTE, Verb.FLAG) or (open_now != (verb is Verb.REOPEN))
        if not allowed:
            return False
        self.past.append(self.now)
        self.future = []
        self.now = deepcopy(self.now)
        self._apply(verb, what)
        return True

    def _apply(self, verb: Verb, what: Any) -> None:
        if verb is Verb.SET:
            self.now.cells.update(what)
            for cell in [cell for cell, value in what.items() if value is Status.UNSEEN]:
                del self.now.cells[cell]
        elif verb is Verb.CLEAR:
            for cell in what:
                self.now.cells.pop(cell, None)
        elif verb in (Verb.NOTE, Verb.FLAG):
            remarks = self.now.notes if verb is Verb.NOTE else self.now.flags
            unit, text = what
            if text is None:
                remarks.pop(unit, None)
            else:
                remarks[unit] = text
        else:
            self.now.state = {
                Verb.SUBMIT: ItemState.SUBMITTED,
                Verb.SKIP: ItemState.SKIPPED,
                Verb.REOPEN: ItemState.OPEN,
            }[verb]
            self.now.skip_reason = what if verb is Verb.SKIP else None


# ---------------------------------------------------------------- random steps

UNITS = ("session", "gold:m1", "gold:m2", "new-1", "new-2")
texts = st.text(st.characters(exclude_categories=("Cs",), exclude_characters="\0"), max_size=8)
cells = st.tuples(st.sampled_from(UNITS), st.sampled_from(("verdict", "memory", "why")))
answered = texts | st.integers(-5, 5) | st.booleans() | st.lists(texts, max_size=2)
states = st.sampled_from((Status.SKIPPED, Status.CANNOT_JUDGE))
changes = st.dictionaries(cells, answered | states, min_size=1, max_size=3)


def _then_taken_back(
    given: dict[tuple[str, str], Any], gone: dict[tuple[str, str], Any]
) -> dict[tuple[str, str], Any]:
    """Answers, and after them others that are taken back by the same act."""
    return given | {cell: Status.UNSEEN for cell in gone if cell not in given}


named = st.none() | st.sampled_from(UNITS[:3])
steps = st.one_of(
    st.tuples(st.just(Verb.SET), changes),
    st.tuples(st.just(Verb.SET), st.builds(_then_taken_back, changes, changes)),
    st.tuples(st.just(Verb.CLEAR), st.lists(cells, min_size=1, max_size=2, unique=True)),
    st.tuples(st.sampled_from((Verb.NOTE, Verb.FLAG)), st.tuples(named, st.none() | texts)),
    st.tuples(st.just(Verb.SKIP), st.just("because")),
    st.tuples(
        st.sampled_from((Verb.UNDO, Verb.UNDO, Verb.REDO, Verb.SUBMIT, Verb.REOPEN, Verb.REVEAL)), st.none()
    ),
)
sessions = st.lists(steps, min_size=1, max_size=70)


@pytest.fixture(scope="module")
def desk(tmp_path_factory: pytest.TempPathFactory) -> Iterator["Desk"]:
    db = tiny_study(tmp_path_factory.mktemp("model") / "alps.db")
    yield Desk(db)
    db.close()


class Desk:
    """Gives a fresh assignment of the same item for each session."""

    def __init__(self, db: Database) -> None:
        self.db = db
        self._occasions = count(1)
        with db.read() as conn:
            ada = rater_by_name(conn, "ada")
            assert ada is not None
            first = assignments(conn, ada.id, "memory-verification")[0]
            self.units = {unit.key: unit.id for unit in item_view(conn, first.id).units}
        self._item, self._rater = first.item_id, ada.id

    def fresh(self, conn: Any) -> Assignment:
        number = assign(conn, self._item, self._rater, occasion=next(self._occasions))
        found = assignment_by_id(conn, number)
        assert found is not None
        return found

    def act(self, assignment: Assignment, verb: Verb, what: Any, made: dict[str, int]) -> Act:
        known = self.units | made
        if verb is Verb.SET:
            return act(verb, assignment, *(self._set(cell, value) for cell, value in what.items()))
        if verb is Verb.CLEAR:
            return act(
                verb, assignment, *(Change(name, unit_id=known[unit]) for unit, name in what if unit in known)
            )
        if verb in (Verb.NOTE, Verb.FLAG):
            unit, text = what
            return act(verb, assignment, reason=text, unit_id=None if unit is None else self.units[unit])
        return act(verb, assignment, reason=what)

    def _set(self, cell: tuple[str, str], value: Any) -> Change:
        unit, name = cell
        where: dict[str, Any] = {"unit_id": self.units.get(unit)}
        if unit.startswith("new"):
            where["new_unit"] = NewUnit(UnitKind.MEMORY, unit, unit)
        if isinstance(value, Status):
            reason = None if value is Status.UNSEEN else "so"
            return Change(name, None, status=value, reason=reason, **where)
        return Change(name, value, **where)


def told(answers: ItemAnswers, names: dict[int, str]) -> tuple[Any, ...]:
    """The fold in the model's words."""

    def worded(answer: Any) -> Any:
        return answer.value if answer.status is Status.ANSWERED else answer.status

    return (
        answers.state,
        answers.skip_reason,
        {(names[unit], name): worded(answer) for (unit, name), answer in answers.answers.items()},
        {None if unit is None else names[unit]: text for unit, text in answers.notes.items()},
        {None if unit is None else names[unit]: text for unit, text in answers.flags.items()},
        {unit.key for unit in answers.made},
    )


def modelled(model: Model) -> tuple[Any, ...]:
    now = model.now
    made = {unit for unit, _ in now.cells if unit.startswith("new")}
    return (now.state, now.skip_reason, now.cells, now.notes, now.flags, made)


@settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[
        HealthCheck.function_scoped_fixture,
        HealthCheck.too_slow,
        HealthCheck.data_too_large,
    ],
)
@given(session=sessions)
def test_any_session_says_what_the_model_says_and_can_be_undone_and_redone_whole(
    desk: Desk, session: list[tuple[Verb, Any]]
) -> None:
    model = Model()
    made: dict[str, int] = {}
    with desk.db.write() as conn:
        mine = desk.fresh(conn)
        revision = 0

        def step(verb: Verb, what: Any) -> None:
            nonlocal revision
            if verb is Verb.CLEAR:
                what = [cell for cell in what if cell[0] in desk.units | made]
                if not what:
                    return
            one = desk.act(mine, verb, what, made)
            if model.step(verb, what):
                answers = append(conn, one).answers
                assert answers.revision == revision + max(1, len(one.changes))
                revision = answers.revision
                made.update({unit.key: unit.id for unit in answers.made})
                names = {number: name for name, number in (desk.units | made).items()}
                assert told(answers, names) == modelled(model)
                assert (answers.can_undo, answers.can_redo) == (bool(model.past), bool(model.future))
            else:
                with pytest.raises(NotPossible):
                    append(conn, one)

        for verb, what in session:
            step(verb, what)
        there = modelled(model)
        while model.past:
            step(Verb.UNDO, None)
        while model.future:
            step(Verb.REDO, None)
        if not any(verb is Verb.UNDO for verb, _ in session):
            assert modelled(model) == there
        names = {number: name for name, number in (desk.units | made).items()}
        assert told(item_answers(conn, mine.id), names) == modelled(model)
    with desk.db.read() as conn:
        assert verify(conn) == ()
