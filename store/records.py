"""What enters and leaves the store: frozen dataclasses, never ORM objects.

Items as the items room plans them, acts as a screen or a judge makes them, and what a screen reads. Content as a
source reads it is in `store.content_records`.
"""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field

from store.content_records import Evidence, Json, Turn
from store.kinds import (
    Attested,
    ItemState,
    Phase,
    Purpose,
    RaterKind,
    Status,
    UnitKind,
    Verb,
)

Cell = tuple[int, str]
"""A unit and a field: where one answer stands."""


# ---------------------------------------------------------------- protocols and items


@dataclass(frozen=True, slots=True)
class FieldScale:
    """What the long table must know of a protocol's field. `scale` lists the values in order (None if open).

    `conditional` fields are shown only where another answer asks for them: without an answer they are not missing.
    `abilities` names those whose items are asked at all, None for every item: see `store.kinds.asks_of`.
    `needs` is the kind of unit that must have come with the item: of an item without one the field is not missing.
    """

    key: str
    per: UnitKind
    kind: str
    level: str | None
    scale: tuple[Json, ...] | None
    required: bool
    conditional: bool = False
    abilities: tuple[str, ...] | None = None
    needs: str | None = None


@dataclass(frozen=True, slots=True)
class ProtocolVersion:
    """A form as it was used: its text, its hash, its guideline, and what changed with it."""

    name: str
    version: str
    content_hash: str
    source: str
    guideline: str
    fields: tuple[FieldScale, ...]
    note: str = ""


@dataclass(frozen=True, slots=True)
class UnitSpec:
    """A part of an item that gets its own answers, with the content it is about.

    `key` is unique within the item and stable over imports ("gold:m1"); `shown_id` is what a rater may see.
    """

    key: str
    kind: UnitKind
    shown_id: str
    memory_id: int | None = None
    response_id: int | None = None
    query_id: int | None = None


@dataclass(frozen=True, slots=True)
class ItemSpec:
    """A thing to be judged in one sitting. `preferences` and `candidates` are memory ids, in content order.

    `update_id` is the update it is about, by its row; other records of the same update are another row.
    """

    key: str
    shown_id: str
    dialogue_id: int
    units: tuple[UnitSpec, ...]
    query_id: int | None = None
    preferences: tuple[int, ...] = ()
    candidates: tuple[int, ...] = ()
    language: str | None = None
    ability: str | None = None
    update_id: int | None = None


# ---------------------------------------------------------------- raters and assignments


@dataclass(frozen=True, slots=True)
class Rater:
    id: int
    name: str
    kind: RaterKind
    params: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Assignment:
    """An item given to a rater. `position` is its place in that rater's own order, from 0."""

    id: int
    item_id: int
    rater_id: int
    protocol_id: int
    protocol: str
    phase: Phase
    occasion: int
    purpose: Purpose
    position: int
    seed: int
    state: ItemState
    shown_id: str
    language: str | None = None
    ability: str | None = None


@dataclass(frozen=True, slots=True)
class Progress:
    total: int
    submitted: int
    skipped: int
    started: int


# ---------------------------------------------------------------- acts and their fold


@dataclass(frozen=True, slots=True)
class Seen:
    """What stood before the rater when the act was made, beyond the material itself."""

    prefill: bool = False
    judge: bool = False
    peer: bool = False
    translation: bool = False


@dataclass(frozen=True, slots=True)
class NewUnit:
    """A unit a rater makes with an act (an added memory). `key` is unique within assignment, chosen by the caller."""

    kind: UnitKind
    key: str
    shown_id: str


@dataclass(frozen=True, slots=True)
class Change:
    """One field of one unit. For a unit made in the same act, `unit_id` is None and `new_unit` says which.

    `status` SKIPPED and CANNOT_JUDGE carry a reason and no value; verb CLEAR carries neither, and neither does UNSEEN,
    which takes a field back in an act that sets another.
    """

    field: str
    value: Json = None
    unit_id: int | None = None
    new_unit: NewUnit | None = None
    status: Status = Status.ANSWERED
    reason: str | None = None
    attested: Attested = Attested.EXPLICIT
    raw_value: Json = None
    """What was typed before a constraint capped it; None where nothing was capped."""


@dataclass(frozen=True, slots=True)
class Act:
    """One act of a rater on the item that was on the screen at the key press.

    changes         SET and CLEAR: one or more fields that change together and are undone together
    reason          SKIP and FLAG: why; NOTE: the text
    act_id          a random id made at the key press: the same act sent twice is written once
    presentation    unit ids in the order in which they stood
    decided_at      ISO 8601 UTC with microseconds, taken at the key press
    on_revision     the revision of the answers it was made on; it is not written once another window has changed them.
                    None (a judge, an import): whatever they are
    window          which window made it: what the same window wrote since `on_revision` is no change by another
    """

    verb: Verb
    assignment_id: int
    item_id: int
    act_id: str
    decided_at: str
    changes: tuple[Change, ...] = ()
    reason: str | None = None
    unit_id: int | None = None
    active_ms: int = 0
    presentation: tuple[int, ...] = ()
    seen: Seen = Seen()
    on_revision: int | None = None
    window: str = ""


@dataclass(frozen=True, slots=True)
class Answer:
    """The current state of one cell."""

    value: Json
    status: Status
    reason: str | None
    attested: Attested
    revision: int
    decided_at: str
    raw_value: Json = None
    active_ms: int = 0
    seen: Seen = Seen()
    presentation: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ItemAnswers:
    """The fold of one assignment's log: what the rater says now.

    `made` holds the rater's own units that have at least one answer, in the order they were made.
    `notes` and `flags` are keyed by unit id, None for the whole item.
    """

    state: ItemState
    answers: Mapping[Cell, Answer]
    notes: Mapping[int | None, str]
    flags: Mapping[int | None, str]
    made: tuple["UnitView", ...]
    revision: int
    can_undo: bool
    can_redo: bool
    skip_reason: str | None = None


@dataclass(frozen=True, slots=True)
class Saved:
    """What the writer reports after the commit.

    revision   that of the act's last row; `answers` are the newest, and so may be later where an act is sent again
    """

    act_id: str
    assignment_id: int
    revision: int
    answers: ItemAnswers


# ---------------------------------------------------------------- what a screen reads


@dataclass(frozen=True, slots=True)
class MemoryView:
    """A memory without its origin: what a blind rater may know of it.

    key   sixteen hexadecimal digits of its value: of a candidate the name that an answer keeps, the same for every
          rater, in every study, and whatever is offered beside it later
    """

    id: int
    shown_id: str
    value: str
    label: str | None
    type: str | None
    label_suggestion: str | None
    reasoning: str | None
    confidence: float | None
    time_scope: str | None
    emotion: str | None
    preference_attitude: str | None
    evidence: tuple[Evidence, ...]
    key: str = ""


@dataclass(frozen=True, slots=True)
class ResponseView:
    """A response without its model; `reason` is what was given as its reason, empty for none."""

    id: int
    shown_id: str
    text: str
    reason: str = ""


@dataclass(frozen=True, slots=True)
class PairView:
    """Two responses to be compared, as they stand for this rater: named A and B.

    stood        the ids of their units, the left one first: what the presentation of an act tells
    is_swapped   the left one is the second of the pair in the order of the data
    """

    left: ResponseView
    right: ResponseView
    stood: tuple[int, int]
    is_swapped: bool


@dataclass(frozen=True, slots=True)
class QueryView:
    id: int
    text: str
    ability: str | None
    category: str | None


@dataclass(frozen=True, slots=True)
class UpdateView:
    """An update to be judged, beside the memories of its units, which are the list after it.

    before   the list before, in order, named b1, b2…; a `key` stands for an id, `<key>_updated` for it changed
    begins   the index of the turn with which the new dialogue begins
    """

    before: tuple[MemoryView, ...]
    begins: int


@dataclass(frozen=True, slots=True)
class PoolView:
    """The memories a question is put to, in the order of the data, named "#1" and on; ids in the data repeat.

    entries   each with an id below 0: it is no memory of the store
    target    the index of the one the question was written for, None where the pool does not tell
    """

    entries: tuple[MemoryView, ...]
    target: int | None


@dataclass(frozen=True, slots=True)
class JudgeSaid:
    """What a judge said, behind one unit of kind judge_field.

    about    the unit of the item it is about; None where it is a review of the judge's own
    field    the one field it is, empty where it is all that the judge said of `about`
    values   field → value
    """

    about: int | None
    field: str
    values: Mapping[str, Json]


@dataclass(frozen=True, slots=True)
class UnitView:
    """A unit as it stands on the screen. `made` marks a unit the rater made."""

    id: int
    kind: UnitKind
    key: str
    shown_id: str
    memory_id: int | None = None
    response_id: int | None = None
    query_id: int | None = None
    made: bool = False


@dataclass(frozen=True, slots=True)
class ItemView:
    """All that one rater may see of one item; in a blind phase nothing of anyone else is in it.

    units           in the order of this rater's presentation, the session unit first
    candidates      model-extracted memories, deduplicated over models by value, in this rater's shuffled order
    queries         the question of each query unit, by the unit's id
    pool            what its one question is put to, where the item has no responses; `update` where it is about one
    target          of an item of responses to a question that was put to a pool, the memory it was written for
    judged          what a judge said, by the unit that stands for it, of the whole by the session's: empty until it was
                    revealed to this rater
    pairs           of an item of pairs the two responses of each, by the unit's id
    """

    assignment: Assignment
    turns: tuple[Turn, ...]
    language: str | None
    units: tuple[UnitView, ...]
    memories: Mapping[int, MemoryView]
    responses: Mapping[int, ResponseView]
    query: QueryView | None
    preferences: tuple[MemoryView, ...]
    candidates: tuple[MemoryView, ...]
    answers: ItemAnswers
    queries: Mapping[int, QueryView] = field(default_factory=dict)
    pool: PoolView | None = None
    update: UpdateView | None = None
    target: MemoryView | None = None
    judged: Mapping[int, JudgeSaid] = field(default_factory=dict)
    pairs: Mapping[int, PairView] = field(default_factory=dict)

    def stood(self, made: Iterable[UnitView] = ()) -> tuple[int, ...]:
        """The unit ids in the order in which they stood, `made` last: after each pair its left and its right response."""
        ids: list[int] = []
        for unit in self.units:
            pair = self.pairs.get(unit.id)
            ids += [unit.id] if pair is None else [unit.id, *pair.stood]
        return (*ids, *(unit.id for unit in made if unit.id not in ids))
