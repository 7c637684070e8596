"""A review of what was extracted: each gold memory and each memory of the model is a row, until a review names it."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from difflib import SequenceMatcher

from alps_tui.protocols import derived
from alps_tui.protocols.schema import Field, Protocol
from alps_tui.ui.sitting import Sitting
from store.content_records import Json
from store.kinds import Attested, Status, UnitKind
from store.records import Change, MemoryView, UnitView

ROWS = (UnitKind.MEMORY, UnitKind.UPDATE)
MODELS = "pred:"
"""What the key of a memory of the model's begins with; the id that a review cites stands behind the colon."""

MOST_COMPARED = 400
"""Characters of a value that its likeness is judged by."""

PENALTY, SCORE = "penalty", "penalty_score"


@dataclass(frozen=True)
class Review:
    """A review that the rater made, by the unit that holds it."""

    unit: UnitView
    values: Mapping[str, Json]

    @property
    def kind(self) -> str:
        return str(self.values.get("review", ""))

    def cites(self, row: UnitView) -> bool:
        key = "pred_id" if is_models(row) else "gold_id"
        return self.values.get(key) == cited(row)

    @property
    def penalty(self) -> float | None:
        """What it takes off the score; None while that cannot be said."""
        penalty: float | None = derived.compute("review_penalty", PENALTY_OF, self.values)
        return penalty


PENALTY_OF = ("review", "ok", "error_type", "should_have_extracted", "hallucinated", "severity")


def is_models(row: UnitView) -> bool:
    """Whether a row is a memory of the model's, not of the gold."""
    return row.key.startswith(MODELS)


def cited(row: UnitView) -> str:
    """The id by which a review names the memory of a row."""
    return row.key.partition(":")[2]


def reviews_in(form: Protocol) -> bool:
    """Whether the form, as it is asked now, has its rater make reviews."""
    return UnitKind.REVIEW in form.kinds and UnitKind.REVIEW in form.rows


class ReviewSitting(Sitting):
    """The parts that the rater goes through are the memories of both lists; what they say of them are reviews."""

    keys: tuple[str, str] = ("", "")
    """The keys that say of a memory that it has no partner, and that find one."""
    _likeness: dict[tuple[int, int], float] | None = None

    @property
    def units(self) -> tuple[UnitView, ...]:
        return tuple(unit for unit in self.view.units if unit.kind in ROWS and not unit.made)

    @property
    def reviews(self) -> tuple[Review, ...]:
        """The rater's reviews, in the order in which they were made."""
        made = [unit for unit in self.shown.made if unit.kind is UnitKind.REVIEW]
        return tuple(Review(unit, dict(self._said(unit))) for unit in made)

    def _said(self, unit: UnitView) -> Iterator[tuple[str, Json]]:
        for field in self.fields(unit):
            answer = self.answer(unit, field.key)
            if answer is not None and answer.status is Status.ANSWERED:
                yield field.key, answer.value

    def review_of(self, row: UnitView) -> Review | None:
        return next((review for review in self.reviews if review.cites(row)), None)

    def partner(self, row: UnitView) -> UnitView | None:
        """The memory that a row is paired with."""
        review = self.review_of(row)
        others = (other for other in self.units if is_models(other) != is_models(row))
        return next((other for other in others if review and review.cites(other)), None)

    def missing(self, unit: UnitView) -> tuple[Field, ...]:
        if unit.kind not in ROWS:
            return super().missing(unit)
        return () if self.review_of(unit) else (self.protocol.field("review"),)

    def decided(self, unit: UnitView) -> bool:
        return not self.missing(unit)

    def memory(self, row: UnitView) -> MemoryView | None:
        """What a row says; None for a memory that a judge saw and the data has no more."""
        return self.view.memories.get(row.memory_id) if row.memory_id is not None else None

    def alike(self, row: UnitView) -> tuple[UnitView, ...]:
        """The memories of the other list, the most similar first: only an order, nothing is proposed by it."""
        if self._likeness is None:
            self._likeness = dict(self._compared())
        known = self._likeness
        others = [other for other in self.units if is_models(other) != is_models(row)]
        return tuple(sorted(others, key=lambda other: -known[row.id, other.id]))

    def _compared(self) -> Iterator[tuple[tuple[int, int], float]]:
        for one in self.units:
            for other in self.units:
                if not is_models(one) and is_models(other):
                    score = _likeness(self.memory(one), self.memory(other))
                    yield (one.id, other.id), score
                    yield (other.id, one.id), score

    # ------------------------------------------------------------ the score

    @property
    def score(self) -> float | None:
        """100 less what the reviews cost so far, at least 0; None while one of them cannot be counted."""
        return total(review.penalty for review in self.reviews)

    def score_changes(
        self, without: frozenset[int], penalty: float | None, covers: int
    ) -> tuple[Change, ...]:
        """The score as it is to stand once a review is made or taken out: only where every memory is in a review.

        without   ids of the reviews that go
        penalty   what the new one costs; `covers` how many memories it names that none of those that stay does
        """
        session = self.session
        if session is None:
            return ()
        kept = [review for review in self.reviews if review.unit.id not in without]
        named = sum(any(review.cites(row) for review in kept) for row in self.units)
        before = self.value(session, SCORE)
        if named + covers < len(self.units):
            gone = self.change(session, SCORE)
            return () if before is None else (_unseen(gone),)
        costs = [review.penalty for review in kept] + ([penalty] if covers else [])
        score = total(costs)
        if score is None or score == before:
            return ()
        return self.changes(session, {SCORE: score}, attested=Attested.DERIVED)


def _unseen(change: Change) -> Change:
    return Change(change.field, unit_id=change.unit_id, new_unit=change.new_unit, status=Status.UNSEEN)


def total(costs: "Iterator[float | None] | list[float | None]") -> float | None:
    score: float | None = derived.compute_over("penalty_score", list(costs))
    return score


def _likeness(one: MemoryView | None, other: MemoryView | None) -> float:
    """How alike two memories are, 0 to 1 by their words, and a little more where the label is the same."""
    if one is None or other is None:
        return 0.0
    first, second = (" ".join(memory.value.casefold().split())[:MOST_COMPARED] for memory in (one, other))
    ratio: float = SequenceMatcher(None, first, second, autojunk=False).ratio()
    return ratio + (0.15 if one.label is not None and one.label == other.label else 0.0)
