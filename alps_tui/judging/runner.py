"""Let the offline baseline answer `response-rating` as a rater among raters: same queue, same log, same rules."""

import secrets
from collections import Counter
from collections.abc import Callable, Mapping, Sequence
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any

from alps_tui.judging.baseline import FIELDS, NAME, Definition, Verdict, definition, judge_response
from alps_tui.protocols.loading import load_builtin
from alps_tui.protocols.rules import check_value, missing, visible
from alps_tui.protocols.schema import Protocol
from store import assignments as queue
from store import decisions, judges, views
from store.content_records import Json
from store.database import Database
from store.encoding import canonical, digest, now, read_json
from store.kinds import ItemState, RaterKind, Status, UnitKind, Verb
from store.records import Act, Assignment, Change, ItemView, MemoryView, Rater, UnitView

FORM = "response-rating"
NOT_MADE_FOR = "this judge does not answer it"
"""Why a question of the form is left: named in the report, and on the log as a status, never a score."""

USER_ROLES = frozenset({"user", "human"})

Judge = Callable[[str, str, Sequence[MemoryView], Sequence[str]], Verdict]
"""(response, query, preferences, what the user said) -> verdict."""

Verdicts = Mapping[int, Verdict]
"""Unit id of a response -> verdict."""


@dataclass(frozen=True, slots=True)
class RunReport:
    """What a run did; `items` = `already_done` + `answered` + `failed`.

    rater        the name under which the judge answered
    definition   the hash of what it is
    answered     items answered in this run; in a dry run, those that would be
    responses    responses in them
    values       field -> value in words -> how often, of this run
    unscored     field -> reason -> how often: a status, never a score
    failed       (item as it is shown, what went wrong): left open, asked again by the next run
    """

    rater: str
    definition: str
    items: int
    already_done: int = 0
    answered: int = 0
    responses: int = 0
    values: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    unscored: Mapping[str, Mapping[str, int]] = field(default_factory=dict)
    failed: tuple[tuple[str, str], ...] = ()
    dry_run: bool = False

    def to_json(self) -> dict[str, Json]:
        return {
            "rater": self.rater,
            "definition": self.definition,
            "items": self.items,
            "already_done": self.already_done,
            "answered": self.answered,
            "responses": self.responses,
            "values": {key: dict(counts) for key, counts in self.values.items()},
            "unscored": {key: dict(counts) for key, counts in self.unscored.items()},
            "failed": [{"item": item, "reason": reason} for item, reason in self.failed],
            "dry_run": self.dry_run,
        }


@dataclass
class _Tally:
    """What a run counts as it goes."""

    already: int = 0
    answered: int = 0
    responses: int = 0
    values: dict[str, Counter[str]] = field(default_factory=dict)
    unscored: dict[str, Counter[str]] = field(default_factory=dict)
    failed: list[tuple[str, str]] = field(default_factory=list)

    def add(self, verdicts: Verdicts) -> None:
        self.answered += 1
        self.responses += len(verdicts)
        for verdict in verdicts.values():
            for key, value in verdict.values.items():
                self.values.setdefault(key, Counter())[str(value)] += 1
            for key, reason in verdict.unscored.items():
                self.unscored.setdefault(key, Counter())[reason] += 1

    def report(self, rater: Rater, mine: Definition, items: int, *, dry_run: bool = False) -> RunReport:
        return RunReport(
            rater.name,
            mine.sha256,
            items,
            self.already,
            self.answered,
            self.responses,
            {key: dict(sorted(counts.items())) for key, counts in sorted(self.values.items())},
            {key: dict(sorted(counts.items())) for key, counts in sorted(self.unscored.items())},
            tuple(self.failed),
            dry_run,
        )


@dataclass(frozen=True, slots=True)
class _Run:
    """Who answers what, in one run."""

    form: Protocol
    mine: Definition
    judge: Judge
    id: int


class _OnlyCounting(Exception):
    """Rolls back the transaction in which a dry run looked at what it would do."""


def run_offline(
    db: Database,
    *,
    name: str = NAME,
    judge: Judge = judge_response,
    dry_run: bool = False,
    progress: Callable[[int, int], None] | None = None,
) -> RunReport:
    """Answer every item of `response-rating` that this judge has not answered yet.

    Each item is one transaction with its answers, its submission and its call, so a killed run goes on where it
    stopped and a finished one does nothing again. The judge is shown what a blind rater is shown, nothing else.
    If its definition changed since it last answered, it answers as a new rater: a judge never changes in place.

    judge      the function that answers; an item on which it raises, or whose answer the form does not allow,
               fails and is left open
    dry_run    count only; the study is not changed
    progress   called with (items looked at, items)
    raises     StoreError if the study cannot be written, or holds the form in another shape
    """
    form, mine = load_builtin(FORM), definition(name)
    if dry_run:
        return _counted(db, form, mine)
    with db.write() as conn:
        protocol_id, rater, todo = _enrol(conn, form, mine)
        known = judges.add_judge(conn, rater.name, rater.id, mine.to_json(), mine.sha256)
        run = _Run(form, mine, judge, judges.start_run(conn, known.id, protocol_id, {"offline": True}))
    tally = _Tally()
    for place, assignment in enumerate(todo, 1):
        _one_item(db, run, assignment, tally)
        if progress is not None:
            progress(place, len(todo))
    with db.write() as conn:
        judges.end_run(conn, run.id)
    return tally.report(rater, mine, len(todo))


def _counted(db: Database, form: Protocol, mine: Definition) -> RunReport:
    """What a run would do, seen in a transaction that is rolled back."""
    tally = _Tally()
    seen: list[tuple[Rater, int]] = []
    with suppress(_OnlyCounting), db.write() as conn:
        _, rater, todo = _enrol(conn, form, mine)
        seen.append((rater, len(todo)))
        for assignment in todo:
            if assignment.state is ItemState.OPEN:
                tally.answered += 1
                tally.responses += len(_responses(views.preview_item(conn, assignment.item_id)))
            else:
                tally.already += 1
        raise _OnlyCounting
    rater, items = seen[0]
    return tally.report(rater, mine, items, dry_run=True)


def _enrol(conn: Any, form: Protocol, mine: Definition) -> tuple[int, Rater, tuple[Assignment, ...]]:
    """The form's row, the judge's rater and its queue, with whatever was missing of them made."""
    protocol_id = queue.add_protocol(conn, form.to_version())
    rater = _rater(conn, mine)
    queue.assign_all(conn, rater.id, protocol_id)
    todo = queue.assignments(conn, rater.id, form.name)
    return protocol_id, rater, tuple(one for one in todo if one.protocol_id == protocol_id)


def _rater(conn: Any, mine: Definition) -> Rater:
    """The rater of this definition: under the judge's name, or with the hash behind it if that name is taken."""
    params = {"definition": mine.sha256, **mine.to_json()}
    for name in (mine.name, f"{mine.name}-{mine.sha256[:8]}"):
        known = queue.rater_by_name(conn, name)
        if known is None or (
            known.kind is RaterKind.BASELINE and known.params.get("definition") == mine.sha256
        ):
            return queue.add_rater(conn, name, RaterKind.BASELINE, params)
    return queue.add_rater(conn, f"{mine.name}-{mine.sha256}", RaterKind.BASELINE, params)


# ---------------------------------------------------------------- one item


def _one_item(db: Database, run: _Run, assignment: Assignment, tally: _Tally) -> None:
    if assignment.state is not ItemState.OPEN:
        tally.already += 1
        return
    with db.read() as conn:
        view = views.item_view(conn, assignment.id)
        request = request_hash(run.mine, run.form, view)
        known = judges.call(conn, request)
    if known is not None and known.status == judges.CALL_OK:
        verdicts: Verdicts | str = _read(known.raw_text or "{}")
    else:
        verdicts = _asked(run.form, view, run.judge)
    with db.write() as conn:
        _write(conn, run, view, request, verdicts, tally)


def _write(
    conn: Any, run: _Run, view: ItemView, request: str, verdicts: Verdicts | str, tally: _Tally
) -> None:
    """Answers, submission and call of one item; nothing if another run was faster."""
    there = queue.assignment_by_id(conn, view.assignment.id)
    if there is None or there.state is not ItemState.OPEN:
        tally.already += 1
        return
    if isinstance(verdicts, str):
        failed = judges.Call(request, "parse_error", view.assignment.id, verdicts)
        judges.record_call(conn, run.id, failed)
        tally.failed.append((view.assignment.shown_id, verdicts))
        return
    for act in acts(view, verdicts):
        decisions.append(conn, act)
    known = judges.call(conn, request)
    if known is None or known.status != judges.CALL_OK:
        answered = judges.Call(request, judges.CALL_OK, view.assignment.id, _told(verdicts))
        judges.record_call(conn, run.id, answered)
    tally.add(verdicts)


def request_hash(mine: Definition, form: Protocol, view: ItemView) -> str:
    """What was asked: the judge's definition, the form, the item and every text that the judge is shown."""
    asked = {
        "item": view.assignment.item_id,
        "query": view.query.text if view.query else "",
        "responses": {str(unit): text for unit, text in _responses(view).items()},
        "preferences": [
            [memory.value, memory.label, memory.preference_attitude] for memory in view.preferences
        ],
        "user": _user_turns(view),
    }
    return digest(mine.sha256, form.content_hash, canonical(asked))


def _asked(form: Protocol, view: ItemView, judge: Judge) -> Verdicts | str:
    """The verdict on each response of an item, or why there is none for the item."""
    form = form.for_ability(view.assignment.ability)
    query = view.query.text if view.query else ""
    user = _user_turns(view)
    verdicts: dict[int, Verdict] = {}
    for unit, text in _responses(view).items():
        try:
            verdict = judge(text, query, view.preferences, user)
        except Exception as error:  # noqa: BLE001  a judge is somebody's code: its fault is one item's, not the run's
            return f"{type(error).__name__}: {error}"
        verdict = _with_unasked(form, verdict)
        wrong = _not_allowed(form, verdict)
        if wrong is not None:
            return wrong
        verdicts[unit] = verdict
    return verdicts


def _with_unasked(form: Protocol, verdict: Verdict) -> Verdict:
    """The verdict with a reason for each required question that this judge was never made to answer."""
    asked = (each for each in form.fields_of(UnitKind.RESPONSE) if each.required and each.key not in FIELDS)
    said = {**verdict.values, **verdict.unscored}
    left = {
        each.key: NOT_MADE_FOR for each in asked if each.key not in said and visible(each, verdict.values)
    }
    return Verdict(verdict.values, {**verdict.unscored, **left})


def _not_allowed(form: Protocol, verdict: Verdict) -> str | None:
    """Why the form does not take this verdict, or None."""
    known = {each.key: each for each in form.fields_of(UnitKind.RESPONSE)}
    strange = sorted((set(verdict.values) | set(verdict.unscored)) - set(known))
    if strange:
        return f"the form has no field {', '.join(strange)}"
    for key, value in verdict.values.items():
        sentence = check_value(known[key], value)
        if sentence is not None:
            return f"{key} = {value!r}: {sentence}"
    left = missing(form, UnitKind.RESPONSE, verdict.values, settled=set(verdict.unscored))
    return f"no answer to {', '.join(each.key for each in left)}" if left else None


def acts(view: ItemView, verdicts: Verdicts) -> tuple[Act, ...]:
    """One act for each response, all its fields at once, and the submission."""
    order = tuple(unit.id for unit in view.units)
    inner = [unit for unit in view.units if unit.kind is UnitKind.RESPONSE_PREFERENCE]
    made = [
        Act(
            verb=Verb.SET,
            assignment_id=view.assignment.id,
            item_id=view.assignment.item_id,
            act_id=secrets.token_hex(16),
            decided_at=now(),
            changes=(*_changes(unit, verdict), *_not_answered(view, unit, inner)),
            unit_id=unit,
            presentation=order,
        )
        for unit, verdict in verdicts.items()
    ]
    submit = Act(
        verb=Verb.SUBMIT,
        assignment_id=view.assignment.id,
        item_id=view.assignment.item_id,
        act_id=secrets.token_hex(16),
        decided_at=now(),
        presentation=order,
    )
    return (*made, submit)


def _not_answered(view: ItemView, unit: int, inner: Sequence[UnitView]) -> tuple[Change, ...]:
    """That each preference of a response is left unjudged: the judge says something of the response as a whole."""
    response = next(one.response_id for one in view.units if one.id == unit)
    asked = load_builtin(FORM).fields_of(UnitKind.RESPONSE_PREFERENCE)
    return tuple(
        Change(each.key, unit_id=one.id, status=Status.CANNOT_JUDGE, reason=NOT_MADE_FOR)
        for one in inner
        if one.response_id == response
        for each in asked
        if each.required
    )


def _changes(unit: int, verdict: Verdict) -> tuple[Change, ...]:
    scored = [Change(key, value, unit) for key, value in verdict.values.items()]
    unscored = [
        Change(key, unit_id=unit, status=Status.CANNOT_JUDGE, reason=reason)
        for key, reason in verdict.unscored.items()
    ]
    return (*scored, *unscored)


def _responses(view: ItemView) -> dict[int, str]:
    """Unit id -> text of each response, by unit id: the order in which they stand is not asked about."""
    found = {
        unit.id: view.responses[unit.response_id].text
        for unit in view.units
        if unit.kind is UnitKind.RESPONSE and unit.response_id is not None
    }
    return dict(sorted(found.items()))


def _user_turns(view: ItemView) -> list[str]:
    return [turn.text for turn in view.turns if turn.role in USER_ROLES]


def _told(verdicts: Verdicts) -> str:
    return canonical(
        {str(unit): {"values": dict(v.values), "unscored": dict(v.unscored)} for unit, v in verdicts.items()}
    )


def _read(raw_text: str) -> Verdicts:
    return {
        int(unit): Verdict(told["values"], told["unscored"]) for unit, told in read_json(raw_text).items()
    }
