"""Reviewing by keys: which memories are a pair, which is missing or extra, what is wrong and how bad. One act each."""

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from alps_tui.protocols.schema import Field
from alps_tui.ui.review_board import PENALTY, Review, ReviewSitting, cited, is_models
from alps_tui.ui.screens.filter_list import Entrant, FilterScreen
from alps_tui.ui.screens.pick import Pickable, Picked, PickScreen
from alps_tui.ui.screens.prompt import PromptScreen
from alps_tui.ui.shown_review import words_of
from store.content_records import Json
from store.kinds import Attested, Status, UnitKind, Verb
from store.records import Cell, Change, ItemAnswers, UnitView

if TYPE_CHECKING:
    from alps_tui.ui.screens.annotate import AnnotateScreen

Values = Mapping[str, Json]
NOTHING_WRONG = "EQUIVALENT"
IDS = ("gold_id", "pred_id")


class ReviewActs:
    """The commands of one annotate screen about the two lists of its item."""

    def __init__(self, screen: "AnnotateScreen") -> None:
        self._screen = screen

    @property
    def _board(self) -> ReviewSitting | None:
        sitting = self._screen.sitting
        return sitting if isinstance(sitting, ReviewSitting) else None

    @property
    def is_on(self) -> bool:
        return self._screen.has_item and self._board is not None

    def digit(self, key: str) -> bool:
        """Pair the memory in focus with the one that bears this digit; False where there are no lists to review."""
        board, row = self._board, self._screen.unit
        if board is None or row is None:
            return False
        others = board.alike(row)
        place = int(key) - 1
        if 0 <= place < min(len(others), 9):
            self._pair(row, others[place])
        else:
            self._screen.say(f"There is no memory {key} to pair {row.shown_id} with; {self._alone}.")
        return True

    def reviewed_in(self, before: ItemAnswers, after: ItemAnswers, cells: Iterable[Cell]) -> UnitView | None:
        """The memory whose review came or went between two states, of a pair the gold one; None where no review did."""
        board = self._board
        if board is None:
            return None
        answers = {cell: after.answers.get(cell) or before.answers.get(cell) for cell in cells}
        named = {(field, answer.value) for (_, field), answer in answers.items() if answer and field in IDS}
        ids = ((row, ("pred_id" if is_models(row) else "gold_id", cited(row))) for row in board.units)
        return next((row for row, own in ids if own in named), None)

    @property
    def _alone(self) -> str:
        return f"{self._screen.acting.key('no_partner')}: it has no partner"

    # ------------------------------------------------------------ the commands

    def do_pair(self) -> None:
        """Choose the partner in a list that is narrowed by typing."""
        board, row = self._board, self._screen.unit
        if board is None or row is None or not self._screen.acting.is_open():
            return
        others = board.alike(row)
        entrants = [Entrant(one, words_of(board, one), (_aside(board, one),), one.shown_id) for one in others]
        if not entrants:
            self._screen.say(f"The other list is empty; {self._alone}.")
            return

        def then(other: UnitView | None) -> None:
            if other is not None:
                self._pair(row, other)

        self._screen.ask(FilterScreen(f"Pair {row.shown_id} with which memory?", entrants), then)

    def do_no_partner(self) -> None:
        """A gold memory is missing, a memory of the model's is extra."""
        board, row = self._board, self._screen.unit
        if board is None or row is None or not self._screen.acting.is_open():
            return
        kind, key, id_key = (
            ("extra", "hallucinated", "pred_id")
            if is_models(row)
            else ("missing", "should_have_extracted", "gold_id")
        )
        named = {"review": kind, id_key: cited(row)}

        def then(value: Json) -> None:
            said = {**named, key: value}
            if value is True:
                self._ask_severity(row, said)
            else:
                self._write(row, {**said, "severity": 0}, derived=("severity",))

        self._ask(row, board.protocol.field(key), then)

    def do_why(self) -> None:
        """Put the reason for the review of the memory in focus in words."""
        board, row = self._board, self._screen.unit
        if board is None or row is None or not self._screen.acting.is_open():
            return
        review = board.review_of(row)
        if review is None:
            self._screen.say(f"{row.shown_id} has no review yet; first a pair, or {self._alone}.")
            return
        before = str(review.values.get("rationale") or "")

        def then(text: str | None) -> None:
            if text is None or text.strip() == before.strip():
                return
            unit = review.unit
            if text.strip():
                changes = board.changes(unit, {"rationale": text.strip()})
                self._screen.put(board.act(Verb.SET, changes, unit=unit))
            else:
                self._screen.put(board.act(Verb.CLEAR, [board.change(unit, "rationale")], unit=unit))

        title = f"{row.shown_id}: {board.protocol.field('rationale').title}"
        self._screen.ask(PromptScreen(title, before), then)

    def clear(self) -> bool:
        """Take the review of the memory in focus out; False where there are no lists to review."""
        board, row = self._board, self._screen.unit
        if board is None or row is None:
            return False
        review = board.review_of(row)
        if review is None:
            self._screen.say(f"{row.shown_id} has no review to take out.")
            return True
        changes = [*_taken_out(board, review), *board.score_changes(frozenset({review.unit.id}), None, 0)]
        self._screen.put(board.act(Verb.CLEAR, changes))
        self._screen.refresh_item()
        return True

    # ------------------------------------------------------------ asking on

    def _pair(self, row: UnitView, other: UnitView) -> None:
        board = self._board
        if board is None or not self._screen.acting.is_open():
            return
        gold, models = (other, row) if is_models(row) else (row, other)
        named = {"review": "pair", "gold_id": cited(gold), "pred_id": cited(models)}

        def then(value: Json) -> None:
            said = {**named, "ok": value == NOTHING_WRONG, "error_type": value}
            if value == NOTHING_WRONG:
                self._write(row, {**said, "severity": 0}, derived=("ok", "severity"))
            else:
                self._ask_severity(row, said, derived=("ok",))

        self._ask(row, board.protocol.field("error_type"), then, beside=other)

    def _ask_severity(self, row: UnitView, said: Values, derived: tuple[str, ...] = ()) -> None:
        board = self._board
        if board is not None:
            severity = board.protocol.field("severity")
            self._ask(row, severity, lambda value: self._write(row, {**said, "severity": value}, derived))

    def _ask(
        self, row: UnitView, field: Field, then: Callable[[Json], None], beside: UnitView | None = None
    ) -> None:
        options = [Pickable(o.value, o.label, o.anchor, o.key or "") for o in field.choices]
        pair = f" with {beside.shown_id}" if beside is not None else ""

        def picked(found: Picked | None) -> None:
            if found is not None:
                then(found.value)

        self._screen.ask(
            PickScreen(f"{row.shown_id}{pair}: {field.title}", options, about=field.title), picked
        )

    # ------------------------------------------------------------ writing

    def _write(self, row: UnitView, values: Values, derived: tuple[str, ...]) -> None:
        """The review as one act, with all reviews it takes the place of, and the score where that is complete."""
        board = self._board
        if board is None:
            return
        new = board.new_unit(UnitKind.REVIEW)
        review = Review(UnitView(0, new.kind, new.key, new.shown_id, made=True), values)
        rows = [one for one in board.units if review.cites(one)]
        stale = [old for old in board.reviews if any(old.cites(one) for one in rows)]
        gone = frozenset(old.unit.id for old in stale)
        changes: list[Change] = []
        for key, value in values.items():
            attested = Attested.DERIVED if key in derived else Attested.EXPLICIT
            changes += board.changes(new, {key: value}, attested=attested)
        if review.penalty is not None:
            changes += board.changes(new, {PENALTY: review.penalty}, attested=Attested.DERIVED)
        for old in stale:
            changes += _taken_out(board, old)
        changes += board.score_changes(gone, review.penalty, len(rows))
        left = [
            one.shown_id for one in board.units if one not in rows and any(old.cites(one) for old in stale)
        ]
        self._screen.put(board.act(Verb.SET, changes))
        self._screen.advance(row, None)
        if left:
            undo = self._screen.acting.key("undo")
            self._screen.say(
                f"{' and '.join(left)} {'has' if len(left) == 1 else 'have'} no review any more: "
                f"the partner was taken for {row.shown_id}. {undo} undoes it."
            )


def _taken_out(board: ReviewSitting, review: Review) -> Iterator[Change]:
    for key in review.values:
        yield replace(board.change(review.unit, key), status=Status.UNSEEN)


def _aside(board: ReviewSitting, row: UnitView) -> str:
    """What stands below a memory in a list: its label, and the review it is in already."""
    memory, partner = board.memory(row), board.partner(row)
    label = memory.label or "no label" if memory is not None else ""
    return " · ".join(part for part in (label, f"paired with {partner.shown_id}" if partner else "") if part)
