"""What may be odd in a record without stopping its import, and the list in which a reader notes it."""

from collections.abc import Collection, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, replace
from enum import StrEnum
from typing import Any

from store.content_records import Lint


class Code(StrEnum):
    """The kinds of oddities; the value is what the report and the store call them."""

    BOM = "bom"
    NUL = "nul"
    SURROGATE = "surrogate"
    LINE_ENDS = "line_ends"
    NULL_TEXT = "null_text"
    NOT_TEXT = "not_text"
    MISSING_KEYS = "missing_keys"
    MISSING_ID = "missing_id"
    DUPLICATE_ID = "duplicate_id"
    DIALOGUE_EMPTY = "dialogue_empty"
    TURN_WITHOUT_TEXT = "turn_without_text"
    ROLE_UNKNOWN = "role_unknown"
    SAME_ROLE_TWICE = "same_role_twice"
    PART_MISSING = "part_missing"
    PART_UNKNOWN = "part_unknown"
    SESSION_DIFFERS = "session_differs"
    NAME_REPLACED = "name_replaced"
    VALUE_MISSING = "value_missing"
    LABEL_OUTSIDE = "label_outside"
    CONFIDENCE_OUTSIDE = "confidence_outside"
    CONFIDENCE_TEXT = "confidence_text"
    CONFIDENCE_NO_NUMBER = "confidence_no_number"
    EVIDENCE_SHAPE = "evidence_shape"
    EVIDENCE_INDEX = "evidence_index"
    EVIDENCE_NO_QUOTE = "evidence_no_quote"
    EVIDENCE_OTHER_TURN = "evidence_other_turn"
    EVIDENCE_ASSISTANT = "evidence_assistant"
    EVIDENCE_NORMALISED = "evidence_normalised"
    EVIDENCE_FUZZY = "evidence_fuzzy"
    EVIDENCE_JOINED = "evidence_joined"
    EVIDENCE_NOT_FOUND = "evidence_not_found"
    QUERY_EMPTY = "query_empty"
    MEMORY_UNKNOWN = "memory_unknown"
    RESPONSE_EMPTY = "response_empty"
    ANSWER_UNPARSED = "answer_unparsed"
    JUDGE_MISSING = "judge_missing"
    JUDGE_DANGLING = "judge_dangling"
    KEY_MISSPELT = "key_misspelt"
    REVIEWED_TWICE = "reviewed_twice"
    SCORE_MISSING = "score_missing"
    SCORE_UNJOINED = "score_unjoined"
    FINAL_SCORE_MIXED = "final_score_mixed"


MEANING: dict[Code, str] = {
    Code.BOM: "the file begins with a byte order mark",
    Code.NUL: "a text holds NUL, kept as the sign U+2400",
    Code.SURROGATE: "a text holds half a character (a lone surrogate), kept as U+FFFD",
    Code.LINE_ENDS: "a text has CR or CRLF line ends, stored as LF",
    Code.NULL_TEXT: 'a value is the word "null" in quotes, read as none',
    Code.NOT_TEXT: "a number or a list stands where text should",
    Code.MISSING_KEYS: "a memory lacks keys that its kind has",
    Code.MISSING_ID: "an id is missing, its place is used",
    Code.DUPLICATE_ID: "an id occurs twice",
    Code.DIALOGUE_EMPTY: "the dialogue has no turns",
    Code.TURN_WITHOUT_TEXT: "a turn has no text, kept as an empty one",
    Code.ROLE_UNKNOWN: "a role is none of user, assistant, system and tool",
    Code.SAME_ROLE_TWICE: "the same role speaks twice in a row",
    Code.PART_MISSING: "a part that the record announces is not there",
    Code.PART_UNKNOWN: "a part of the record has a name this version does not know",
    Code.SESSION_DIFFERS: "a part names another session than its record",
    Code.NAME_REPLACED: "a person's name in the record was replaced by a pseudonym",
    Code.VALUE_MISSING: "a memory has no value, kept as an empty one",
    Code.LABEL_OUTSIDE: "a label is not in the taxonomy",
    Code.CONFIDENCE_OUTSIDE: "a confidence is not between 0 and 1",
    Code.CONFIDENCE_TEXT: "a confidence is a number in quotes",
    Code.CONFIDENCE_NO_NUMBER: "a confidence is no number",
    Code.EVIDENCE_SHAPE: "evidence is neither an object, a list nor text",
    Code.EVIDENCE_INDEX: "evidence points at a turn that does not exist",
    Code.EVIDENCE_NO_QUOTE: "evidence has no quote",
    Code.EVIDENCE_OTHER_TURN: "a quote stands in another turn than the one named",
    Code.EVIDENCE_ASSISTANT: "evidence rests on a turn that is not the user's",
    Code.EVIDENCE_NORMALISED: "a quote was found but for case, punctuation or spaces",
    Code.EVIDENCE_FUZZY: "no verbatim quote; a similar stretch was found",
    Code.EVIDENCE_JOINED: "a quote joins several, each was sought by itself",
    Code.EVIDENCE_NOT_FOUND: "a quote stands nowhere in the dialogue",
    Code.QUERY_EMPTY: "a query has no text",
    Code.MEMORY_UNKNOWN: "a query names a memory that its dialogue does not have",
    Code.RESPONSE_EMPTY: "a response is empty",
    Code.ANSWER_UNPARSED: "a model's answer was not parsed by the tool that asked for it",
    Code.JUDGE_MISSING: "there is no judge's output, so nobody's answers come of it",
    Code.JUDGE_DANGLING: "a judge cites a memory that is not there: it saw another version; its review is kept",
    Code.KEY_MISSPELT: "a key is misspelt and read as the one meant",
    Code.REVIEWED_TWICE: "a judge reviews a gold memory in a pair and as missing",
    Code.SCORE_MISSING: "a judge left out a score",
    Code.SCORE_UNJOINED: "a judge's score is of no response of the record",
    Code.FINAL_SCORE_MIXED: "final_score mixes scales with and without a judge; kept in the raw record, never compared",
}


@dataclass(frozen=True, slots=True)
class Aside:
    """A part of a record that could not be read, while the others were: its place among them, and why."""

    place: int
    part: Any
    reason: str


class Notes:
    """The oddities of one record, in the order they are met, and the parts of it that could not be read.

    labels   the taxonomy, or None: then labels are not looked at
    locate   False leaves evidence out of the memories; only for measuring what locating costs
    """

    def __init__(self, labels: Collection[str] | None = None, *, locate: bool = True) -> None:
        self.labels = labels
        self.locate = locate
        self.lints: list[Lint] = []
        self.aside: list[Aside] = []

    def without_locating(self) -> "Notes":
        """The same list of oddities, for memories whose quotes are not located."""
        quiet = Notes(self.labels, locate=False)
        quiet.lints = self.lints
        return quiet

    def add(self, code: Code, where: str, message: str | None = None) -> None:
        """Note an oddity at a path such as task1/m2/confidence; without a message the code's meaning stands."""
        self.lints.append(Lint(code.value, where, message or MEANING[code]))

    @contextmanager
    def apart(self, place: int, part: Any, where: str) -> Iterator[None]:
        """Read one of many parts: what cannot be read is kept aside alone; oddities get `where` before their path."""
        before = len(self.lints)
        try:
            yield
        except Unreadable as error:
            self.aside.append(Aside(place, part, str(error)))
        if where:
            self.lints[before:] = [replace(one, where=f"{where}/{one.where}") for one in self.lints[before:]]


class Unreadable(Exception):
    """A record that cannot be read; the message is the reason, in words, with the path to the place."""
