"""The offline baseline judge: shared words and a cue list, no model and no network. It is a floor, not a judge.

It answers the fields of `response-rating` from the text alone and cannot understand any of it. It sees no negation
("without pesto" is pesto), no paraphrase, no language preference, no irony. Its use is to be beaten: a judge whose
card is not clearly better than this one has shown nothing, and a study without a network still has every step of
the pipeline. Nobody tuned its thresholds on human answers, and it never sees any.

Everything here is pure and deterministic: (response, query, preference memories, what the user said) -> answers.
"""

import hashlib
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from alps_tui.judging.cues import Lexicon, Reading, content_units, lexicon, normalised, read, script
from store.content_records import Json
from store.records import MemoryView

NAME = "baseline-lexical"
RULES_VERSION = "1"
NOT_APPLICABLE = "na"
ALIGNMENT = "preference_alignment"
EMOTIONAL = ("resonation", "expression", "reception")
FIELDS = (ALIGNMENT, *EMOTIONAL)

SOME, MUCH = 0.15, 0.4
"""The shares of a preference's content found in the response that count as taken up, and as taken up fully."""

HONEST = (
    "An offline baseline: it counts words that the response shares with the preferences, and phrases from a short "
    "list in six languages. It understands nothing. Take its numbers as the floor that a judge has to beat."
)

_NOTE = re.compile(r"\[[^\[\]]*\]")

_USER_TURN_LIMIT = 1_500
"""Longer turns are pasted material, not the user speaking: they are not searched for feelings."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What the baseline says of one response: a value or a reason for every field, never both.

    values      field -> 1..5, or "na" where the field does not apply
    unscored    field -> why it cannot judge: a status, never a score
    """

    values: Mapping[str, Json] = field(default_factory=dict)
    unscored: Mapping[str, str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Definition:
    """What makes this judge this judge. Two runs with one hash answer alike."""

    name: str
    text: str
    rules_version: str
    lexicon_version: str
    lexicon_sha256: str

    @property
    def sha256(self) -> str:
        return hashlib.sha256(json.dumps(self.to_json(), sort_keys=True).encode()).hexdigest()

    def to_json(self) -> dict[str, Json]:
        return {
            "name": self.name,
            "text": self.text,
            "baseline": True,
            "rules": self.rules_version,
            "lexicon": self.lexicon_version,
            "lexicon_sha256": self.lexicon_sha256,
            "thresholds": {"some": SOME, "much": MUCH},
        }


def definition(name: str = NAME) -> Definition:
    """The judge as it is shipped: its honest description, its rules and its lexicon."""
    known = lexicon()
    return Definition(name, HONEST, RULES_VERSION, known.version, known.sha256)


def judge_response(
    response: str, query: str, preferences: Sequence[MemoryView], user_turns: Sequence[str] = ()
) -> Verdict:
    """Answer every field of `response-rating` for one response.

    user_turns   what the user said in the dialogue, read for feelings only
    """
    if not response.strip():
        return Verdict(unscored=dict.fromkeys(FIELDS, "the response is empty"))
    known = lexicon()
    emotional = _emotional(response, query, user_turns, known)
    score = _alignment(response, preferences, known)
    if isinstance(score, _CannotJudge):
        return Verdict(emotional, {ALIGNMENT: score.reason})
    return Verdict({ALIGNMENT: score, **emotional})


# ---------------------------------------------------------------- preference alignment


@dataclass(frozen=True, slots=True)
class _CannotJudge:
    reason: str


def _alignment(response: str, preferences: Sequence[MemoryView], known: Lexicon) -> Json | _CannotJudge:
    """3 + the step of the best covered liking - the step of the best covered aversion, within 1..5.

    A preference's cover is the share of its content units that the response holds; a step is 0 below SOME, 1 below
    MUCH, else 2. So 3 is "nothing of it shows", 5 a liking taken up, 1 an aversion taken up.
    """
    if not preferences:
        return NOT_APPLICABLE
    stated = " ".join(memory.value for memory in preferences)
    theirs, ours = script(response), script(stated)
    if theirs != ours:
        return _CannotJudge(f"words cannot be compared: the response is {theirs}, the preferences are {ours}")
    said = content_units(response, known)
    liking, aversion, readable = 0.0, 0.0, False
    for memory in preferences:
        wanted = content_units(without_notes(memory.value), known)
        if not wanted:
            continue
        readable = True
        cover = len(wanted & said) / len(wanted)
        if is_aversion(memory, known):
            aversion = max(aversion, cover)
        else:
            liking = max(liking, cover)
    if not readable:
        return _CannotJudge("no preference has a word with content")
    return min(5, max(1, 3 + _step(liking) - _step(aversion)))


def _step(cover: float) -> int:
    return 0 if cover < SOME else 1 if cover < MUCH else 2


def without_notes(value: str) -> str:
    """A memory's value without what stands in square brackets: notes about the memory, such as "[ERROR: ...]"."""
    left = value
    while (shorter := _NOTE.sub("", left)) != left:
        left = shorter
    return left


def is_aversion(memory: MemoryView, known: Lexicon) -> bool:
    """Whether the response had better not take the memory up.

    By its attitude if it has one, else by its label (boundaries are aversions), else by its own words.
    """
    attitude = normalised(memory.preference_attitude or "").strip()
    if attitude and attitude != "null":
        return attitude in known.attitudes
    if (memory.label or "").startswith("Constraints_and_Boundaries/"):
        return True
    return bool(known.aversion.found(read(without_notes(memory.value))))


# ---------------------------------------------------------------- emotional alignment


def _emotional(response: str, query: str, user_turns: Sequence[str], known: Lexicon) -> dict[str, Json]:
    """Resonation, expression and reception, each 1 + its points, within 1..5; "na" where no feeling shows.

    resonation   a feeling named or noticed (at most 2), a feeling of the user's taken up (1), validation (1)
    expression   validation (at most 2), support (at most 2)
    reception    support (at most 2), an invitation to say more or a question at the end (1), validation (1)
    A phrase that brushes the feeling aside takes 2 off each.
    """
    felt = feelings(query, known).union(*(feelings(turn, known) for turn in user_turns if _spoken(turn)))
    if not felt:
        return dict.fromkeys(EMOTIONAL, NOT_APPLICABLE)
    reading = read(response)
    named = len(known.acknowledge.found(reading))
    valid = len(known.validate.found(reading))
    helped = len(known.support.found(reading))
    back = bool(known.ask_back.found(reading)) or _ends_with_question(response)
    shared = bool(felt & _felt_in(reading, known))
    aside = 2 * bool(known.dismiss.found(reading))
    points = {
        "resonation": min(named, 2) + shared + min(valid, 1),
        "expression": min(valid, 2) + min(helped, 2),
        "reception": min(helped, 2) + back + min(valid, 1),
    }
    return {key: min(5, max(1, 1 + found - aside)) for key, found in points.items()}


def feelings(text: str, known: Lexicon) -> frozenset[str]:
    """The kinds of feeling that a text names ("fear", "joy", ...)."""
    return _felt_in(read(text), known)


def _felt_in(reading: Reading, known: Lexicon) -> frozenset[str]:
    return frozenset(name for name, cues in known.feelings.items() if cues.found(reading))


def _spoken(turn: str) -> bool:
    return len(turn) <= _USER_TURN_LIMIT


def _ends_with_question(response: str) -> bool:
    return response.rstrip(" \t\r\n*_”\"'」』)）").endswith(("?", "？", "؟"))
