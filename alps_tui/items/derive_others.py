"""Imported annotations of tasks 2 to 4 and judges' outputs become decisions, in whichever order content arrives."""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from alps_tui.items import derived_checks as checks
from alps_tui.items import derived_judges as judges
from alps_tui.items.build import as_asked, rating_items, verification_items, write_items
from alps_tui.items.build_others import (
    retrieval_items,
    review_items,
    update_items,
    use_items,
    utilization_items,
)
from alps_tui.items.content import Content
from alps_tui.items.derived_acts import Wanted, acts, proposal
from alps_tui.items.hidden_names import Names
from alps_tui.items.list_decisions import Record
from alps_tui.items.units import hashed
from alps_tui.protocols.loading import load_builtin
from alps_tui.protocols.schema import Protocol
from store.assignments import add_protocol, assign, assignments, unit_ids
from store.batches import in_batches
from store.content import StoredAnnotation, StoredQuery, StoredResponse
from store.database import Database
from store.decisions import append, item_answers
from store.records import ItemSpec

Json = Any
Units = Mapping[str, int]
COUNTED = ("explicit", "derived", "seeded", "reviews", "other_gold")
Say = Callable[..., Wanted]
"""Called with the form and the units of the item by key."""


@dataclass(frozen=True, slots=True)
class Planned:
    """An annotation on one item: how to say what it stands for, once the item's units have their row ids.

    goes_on   True where that does not hang on the version of the item: a judge's words are its own
    """

    annotation: StoredAnnotation
    spec: ItemSpec
    say: Say
    goes_on: bool = False


Plan = Callable[[StoredAnnotation, Content, Names, Sequence[Content]], Iterator[Planned]]
"""Called with the content of the annotation's own source, and with that of the same session from others."""


@dataclass(frozen=True, slots=True)
class Derivation:
    """How the annotations of one task become answers of one form.

    plan     gives nothing where the content is not in the study
    partly   the form takes only some of what the task's annotations say: giving nothing tells nothing then
    """

    form: str
    task: str
    plan: Plan
    partly: bool = False


@dataclass(frozen=True, slots=True)
class FormDerived:
    """What became of the annotations under one form.

    derived, same     sittings whose decisions were written now, or stood already
    answers           of those written now: explicit, derived, seeded; of judges also `reviews`, and `other_gold`:
                      how many of them saw a gold that is not the one of now
    without_content   "session, rater" of annotations whose content is not in the study
    left_out          a sentence for each value that is none of the form's
    """

    derived: int
    same: int
    answers: Mapping[str, int]
    without_content: tuple[str, ...]
    left_out: tuple[str, ...]

    def __add__(self, other: "FormDerived") -> "FormDerived":
        return FormDerived(
            self.derived + other.derived,
            self.same + other.same,
            dict(Counter(self.answers) + Counter(other.answers)),
            (*self.without_content, *other.without_content),
            (*self.left_out, *other.left_out),
        )

    def to_json(self) -> dict[str, Json]:
        return {
            "derived": self.derived,
            "same": self.same,
            "answers": dict(self.answers),
            "without_content": list(self.without_content),
            "left_out": list(self.left_out),
        }


# ---------------------------------------------------------------- which items, and what is said on them


def _edited_gold(
    annotation: StoredAnnotation, content: Content, names: Names, others: Sequence[Content]
) -> Iterator[Planned]:
    if not content.gold:
        return
    for spec in verification_items(content, names):
        proposals = [proposal(memory) for memory in content.gold]
        say = partial(checks.edited_gold_answers, annotation=annotation, proposals=proposals)
        yield Planned(annotation, spec, say)


def _update(
    annotation: StoredAnnotation, content: Content, names: Names, others: Sequence[Content]
) -> Iterator[Planned]:
    for update, spec in zip(content.updates[-1:], list(update_items(content, names))[-1:], strict=True):
        say = partial(checks.update_answers, annotation=annotation, update=update)
        yield Planned(annotation, spec, say)


def _retrieval(
    annotation: StoredAnnotation, content: Content, names: Names, others: Sequence[Content]
) -> Iterator[Planned]:
    for query, spec in zip(content.retrieval[-1:], list(retrieval_items(content, names))[-1:], strict=True):
        target = _target(query, content)
        say = partial(checks.retrieval_answers, annotation=annotation, query=query, target=target)
        yield Planned(annotation, spec, say)


def _utilization(
    annotation: StoredAnnotation, content: Content, names: Names, others: Sequence[Content]
) -> Iterator[Planned]:
    asked = [(query, _target(query, content)) for query in content.queries]
    for spec in utilization_items(content, names):
        say = partial(checks.utilization_answers, annotation=annotation, asked=asked)
        yield Planned(annotation, spec, say)


def _target(query: StoredQuery, content: Content) -> Record | None:
    """The memory the form started from: the gold one of this id, else what the pool says of it."""
    for memory in (*content.gold, *content.given):
        if memory.external_id == query.target:
            return proposal(memory)
    return next((record for record in query.pool if record.get("memory_id") == query.target), None)


def _review(
    annotation: StoredAnnotation, content: Content, names: Names, others: Sequence[Content]
) -> Iterator[Planned]:
    """The item of the gold that the judge saw: it names each memory of it, in a pair or as missing."""
    found = judges.reviews_of(annotation.payload.get("judge_output_raw"))
    cited = {review.gold_id for review in found if review.gold_id is not None}
    for spec in review_items(content, names, [annotation.side], cited, others):
        say = partial(judges.review_answers, annotation=annotation, gone=":gold-" in spec.key)
        yield Planned(annotation, spec, say, goes_on=True)


def _use(
    annotation: StoredAnnotation, content: Content, names: Names, others: Sequence[Content]
) -> Iterator[Planned]:
    for spec in use_items(content, names):
        for response in content.responses.get(spec.query_id or 0, ()):
            if response.model == annotation.side:
                say = partial(judges.use_answers, annotation=annotation, key=_key(response))
                yield Planned(annotation, spec, say, goes_on=True)


def _ability(form_asks: frozenset[str]) -> Plan:
    """The plan for one of the two forms a judge of abilities fills: the one that asks what a row says."""

    def plan(
        annotation: StoredAnnotation, content: Content, names: Names, others: Sequence[Content]
    ) -> Iterator[Planned]:
        mine = [
            one
            for query in content.queries
            for one in content.responses.get(query.id, ())
            if one.model == annotation.side
        ]
        joined = judges.rows_by_response(annotation.payload.get("judge_output_raw"), mine)
        specs = {spec.query_id: spec for spec in rating_items(content, names)}
        for response in mine:
            row = joined.get(response.id, {})
            if form_asks & row.keys() and response.query_row in specs:
                say = partial(judges.ability_answers, annotation=annotation, row=row, key=_key(response))
                yield Planned(annotation, specs[response.query_row], say, goes_on=True)

    return plan


def _key(response: StoredResponse) -> str:
    return f"response:{hashed(response.model, response.text)}"


DERIVATIONS = (
    Derivation("memory-verification", "gold", _edited_gold),
    Derivation("memory-update", "task2", _update),
    Derivation("memory-retrieval", "task3", _retrieval),
    Derivation("utilization-check", "task4", _utilization),
    Derivation("extraction-review", "judge:extraction", _review),
    Derivation("extraction-review", "judge:update", _review),
    Derivation("memory-use", "judge:use", _use),
    Derivation("ability-score", "judge:ability", _ability(frozenset({"score"})), partly=True),
    Derivation(
        "response-rating", "judge:ability", _ability(frozenset(("score", *judges.DIMENSIONS))), partly=True
    ),
)


# ---------------------------------------------------------------- pairing and writing


def derive_form(
    db: Database,
    derivation: Derivation,
    found: Sequence[StoredAnnotation],
    known: Mapping[str, Sequence[Content]],
    names: Names,
) -> FormDerived:
    """Give every annotation the decisions it stands for. Run again it writes nothing.

    Decisions stay on the version of the item they were made for: where content has changed since, an annotator's
    stand as they are, since they were made from the older text, and a judge's go on there.

    known   session → its content, of every source that has it
    """
    form = load_builtin(derivation.form)
    plans: list[Planned] = []
    missing: list[str] = []
    for annotation in found:
        mine = _planned(derivation, annotation, known.get(annotation.session_id, ()), names)
        plans += mine
        if not mine and not derivation.partly:
            missing.append(f"{annotation.session_id}, {annotation.rater}")
    if not plans:
        return FormDerived(0, 0, {}, tuple(missing), ())
    counts, left_out = _write(db, form, _sittings(db, form, plans))
    answers = {key: counts[key] for key in COUNTED if counts[key]}
    return FormDerived(counts["written"], counts["stood"], answers, tuple(missing), tuple(left_out))


def _planned(
    derivation: Derivation, annotation: StoredAnnotation, contents: Sequence[Content], names: Names
) -> list[Planned]:
    """The items of the annotation's own source: the same session of another one has another text or gold."""
    own = [content for content in contents if content.dialogue.source == annotation.source]
    others = [content for content in contents if content.dialogue.source != annotation.source]
    return [plan for content in own for plan in derivation.plan(annotation, content, names, others)]


@dataclass(frozen=True, slots=True)
class _Sitting:
    """All that one rater says on one item; `newest` tells whether that is the version the item has now."""

    item_id: int
    newest: bool
    plans: tuple[Planned, ...]


def _sittings(db: Database, form: Protocol, plans: Sequence[Planned]) -> list[_Sitting]:
    with db.write() as conn:
        protocol_id = add_protocol(conn, form.to_version())
    specs = list({plan.spec.key: as_asked(form, plan.spec) for plan in plans}.values())
    written = write_items(db, protocol_id, specs)
    ids = {spec.key: item_id for spec, (item_id, _) in zip(specs, written, strict=True)}
    together: dict[tuple[int, str], list[Planned]] = {}
    for plan in plans:
        together.setdefault((plan.annotation.rater_id, plan.spec.key), []).append(plan)
    begun: dict[int, dict[str, int]] = {}
    judged = all(plan.goes_on for plan in plans)
    with db.read() as conn:
        for rater_id in {rater_id for rater_id, _ in together}:
            mine = assignments(conn, rater_id, form.name)
            if (
                judged
            ):  # what a judge said it says under a newer form too; a person answered the one that they saw
                mine = tuple(one for one in mine if one.protocol_id == protocol_id)
            begun[rater_id] = {one.shown_id: one.item_id for one in mine}
    found = []
    for (rater_id, key), some in together.items():
        item_id = begun[rater_id].get(some[0].spec.shown_id, ids[key])
        found.append(_Sitting(item_id, item_id == ids[key], tuple(some)))
    return found


def _write(db: Database, form: Protocol, sittings: Sequence[_Sitting]) -> tuple[Counter[str], list[str]]:
    """Append what is not in the log yet."""
    counts: Counter[str] = Counter()
    left_out: list[str] = []
    for counted, lacking in in_batches(db, sittings, lambda conn, one: _write_one(conn, form, one)):
        counts.update(counted)
        left_out += lacking
    return counts, left_out


def _write_one(conn: Any, form: Protocol, sitting: _Sitting) -> tuple[Counter[str], Sequence[str]]:
    first = sitting.plans[0]
    if not sitting.newest and not first.goes_on:
        return Counter(stood=1), ()
    units = unit_ids(conn, sitting.item_id)
    wants = [plan.say(form=form, units=units) for plan in sitting.plans]
    want = replace(
        wants[0],
        changes=tuple(change for one in wants for change in one.changes),
        counts=sum((one.counts for one in wants), Counter()),
        left_out=tuple(line for one in wants for line in one.left_out),
    )
    assignment_id = assign(conn, sitting.item_id, first.annotation.rater_id)
    todo = list(acts(want, assignment_id, sitting.item_id, item_answers(conn, assignment_id)))
    for act in todo:
        append(conn, act)
    return want.counts + Counter(written=1) if todo else Counter(stood=1), want.left_out
