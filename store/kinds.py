"""The closed vocabularies of a study: kinds of units, raters, acts and answers. Pure: imports nothing of ours."""

from collections.abc import Collection
from enum import StrEnum


class UnitKind(StrEnum):
    """What a set of answers is about."""

    SESSION = "session"
    MEMORY = "memory"
    UPDATE = "update"
    QUERY = "query"
    RESPONSE = "response"
    RESPONSE_PREFERENCE = "response_preference"
    RESPONSE_PAIR = "response_pair"
    REVIEW = "review"
    JUDGE_FIELD = "judge_field"
    INTENT = "intent"


class RaterKind(StrEnum):
    """Who answers: people and judges are rows of the same table."""

    HUMAN = "human"
    JUDGE = "judge"
    BASELINE = "baseline"
    IMPORTED_JUDGE = "imported_judge"
    ADJUDICATOR = "adjudicator"


class Phase(StrEnum):
    """How much of others' work the rater may see: nothing, nothing any more to change, or all."""

    BLIND = "blind"
    LOCKED = "locked"
    REVEALED = "revealed"


class Purpose(StrEnum):
    """Why a rater was given an item."""

    CORE = "core"
    REPEAT = "repeat"
    GOLD = "gold"
    ATTENTION = "attention"
    MEASURE = "measure"
    LEARN = "learn"


class Status(StrEnum):
    """The four states of a unit's field; only an answered one holds a value."""

    ANSWERED = "answered"
    SKIPPED = "skipped"
    CANNOT_JUDGE = "cannot_judge"
    UNSEEN = "unseen"


class Attested(StrEnum):
    """How we know an answer: a key was pressed, it follows from a change, or it equals what was prefilled."""

    EXPLICIT = "explicit"
    DERIVED = "derived"
    SEEDED = "seeded"


class Verb(StrEnum):
    """One act of a rater on an item."""

    SET = "set"
    CLEAR = "clear"
    UNDO = "undo"
    REDO = "redo"
    SUBMIT = "submit"
    SKIP = "skip"
    FLAG = "flag"
    NOTE = "note"
    REOPEN = "reopen"
    REVEAL = "reveal"
    ACKNOWLEDGE = "acknowledge"


class ItemState(StrEnum):
    """Where a rater stands with an item."""

    OPEN = "open"
    SUBMITTED = "submitted"
    SKIPPED = "skipped"


def asks_of(abilities: Collection[str] | None, ability: str | None) -> bool:
    """Whether a field is asked of an item whose query tests this ability: the one definition there is.

    abilities   those the field is about; None for a field that is asked of every item
    ability     the item's; one that has none is asked what every item is asked, and nothing more
    """
    return abilities is None or ability in abilities


class Level(StrEnum):
    """The measurement level of a field: it picks the coefficient."""

    NOMINAL = "nominal"
    ORDINAL = "ordinal"
    INTERVAL = "interval"
    RATIO = "ratio"


class Origin(StrEnum):
    """Where a memory comes from."""

    GOLD = "gold"
    MODEL = "model"
    SYSTEM = "system"
    GIVEN = "given"
    RATER = "rater"


class EvidenceMatch(StrEnum):
    """How the quote given with a memory was found in its turn."""

    EXACT = "exact"
    NORMALISED = "normalised"
    FUZZY = "fuzzy"
    NOT_FOUND = "not_found"
    NO_QUOTE = "no_quote"


RECORD_KEYS: tuple[str, ...] = (
    "memory_id",
    "type",
    "label",
    "label_suggestion",
    "value",
    "reasoning",
    "evidence",
    "confidence",
    "time_scope",
    "emotion",
    "preference_attitude",
)
"""The keys of a memory record as in AlpsBench, in the order in which an editor shows them."""
