"""The two lists of a review in the words and rows their pane shows. Pure."""

from dataclasses import dataclass

from alps_tui.ui.review_board import Review, ReviewSitting, is_models
from alps_tui.ui.shown import attributes, evidence_of, value_words
from alps_tui.ui.word_diff import Piece, word_diff
from store.records import UnitView

GONE = "(a memory of the gold that was judged; the data has it no more)"
NO_PARTNER = {"missing": "missing", "extra": "extra"}
CLOSE = 0.45
"""From this likeness on the most similar memory of the other list stands beside a row that has no review."""


@dataclass(frozen=True)
class Other:
    """A memory of the other list that a row can be paired with: its digit, its name, its words; `taken` by which row."""

    key: str
    shown_id: str
    words: str
    taken: str = ""


@dataclass(frozen=True)
class BoardRow:
    """A memory of one of the lists.

    said      what the review says of it, in words; empty while there is none
    partner   the name of the memory it is paired with
    diff      its words beside its partner's
    others    those it can be paired with, the most similar first
    keys      for a memory that has no partner, and to find one
    """

    shown_id: str
    side: str
    glyph: str
    words: str
    aside: tuple[str, ...]
    said: str = ""
    partner: str = ""
    partner_aside: tuple[str, ...] = ()
    diff: tuple[Piece, ...] = ()
    rationale: str = ""
    quote: str = ""
    others: tuple[Other, ...] = ()
    note: str = ""
    flag: str = ""
    keys: tuple[str, str] = ("", "")


def words_of(board: ReviewSitting, row: UnitView) -> str:
    memory = board.memory(row)
    return memory.value if memory is not None else GONE


def board_rows(board: ReviewSitting) -> tuple[BoardRow, ...]:
    """A row for each memory of the gold, then for each of the model's."""
    return tuple(_row(board, row) for row in board.units)


def _row(board: ReviewSitting, row: UnitView) -> BoardRow:
    review, partner = board.review_of(row), board.partner(row)
    evidence = evidence_of(board, row)
    quote = next((f"“{one.quote}” turn {one.turn + 1}" for one in evidence if one.turn is not None), "")
    return BoardRow(
        shown_id=row.shown_id,
        side="model" if is_models(row) else "gold",
        glyph=_glyph(review),
        words=words_of(board, row),
        aside=_aside(board, row),
        said=review_words(board, review) if review is not None else "",
        partner=partner.shown_id if partner is not None else "",
        partner_aside=_aside(board, partner) if partner is not None else (),
        diff=_diff(board, row, partner),
        rationale=str(review.values.get("rationale") or "") if review is not None else "",
        quote=quote,
        others=_others(board, row),
        note=board.shown.notes.get(row.id, ""),
        flag=board.shown.flags.get(row.id, ""),
        keys=board.keys,
    )


def _glyph(review: Review | None) -> str:
    if review is None:
        return "·"
    if not review.penalty:
        return "✓"
    return "✎" if review.kind == "pair" else "✗"


def _aside(board: ReviewSitting, row: UnitView) -> tuple[str, ...]:
    memory = board.memory(row)
    return (memory.label or "no label", *attributes(memory)) if memory is not None else ()


def review_words(board: ReviewSitting, review: Review) -> str:
    """`value drift · 2 clear · −18`, `missing · well left out`, `extra · made up · 1 slight · −15`."""
    parts = [NO_PARTNER.get(review.kind, "")]
    for key, no in (
        ("error_type", None),
        ("should_have_extracted", "may be left out"),
        ("hallucinated", "not made up"),
    ):
        value = review.values.get(key)
        if value is not None:
            yes = {"should_have_extracted": "should be there", "hallucinated": "made up"}.get(key, "")
            field = board.protocol.field(key)
            parts.append(value_words(field, value) if no is None else yes if value is True else no)
    penalty = review.penalty
    if penalty:
        severity = review.values.get("severity")
        parts += [value_words(board.protocol.field("severity"), severity), f"−{penalty:g}"]
    return " · ".join(part for part in parts if part)


def _diff(board: ReviewSitting, row: UnitView, partner: UnitView | None) -> tuple[Piece, ...]:
    if partner is None:
        return ()
    gold, models = (partner, row) if is_models(row) else (row, partner)
    return word_diff(words_of(board, gold), words_of(board, models))


def _others(board: ReviewSitting, row: UnitView) -> tuple[Other, ...]:
    found = []
    for place, other in enumerate(board.alike(row), 1):
        partner, review = board.partner(other), board.review_of(other)
        taken = partner.shown_id if partner is not None else NO_PARTNER.get(review.kind, "") if review else ""
        found.append(Other(str(place) if place <= 9 else "", other.shown_id, words_of(board, other), taken))
    return tuple(found)


def title(board: ReviewSitting) -> str:
    """How far the review is, and what the score comes to so far."""
    score = board.score
    done, n = board.n_decided(), len(board.units)
    if not board.reviews or score is None:
        return f"{done} of {n} reviewed"
    return f"{done} of {n} reviewed · score {score:g} of 100{'' if done == n else ' so far'}"
