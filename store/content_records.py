"""Content as a source reads it: frozen dataclasses that enter the store. `Json` stands for what JSON can say."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from store.kinds import EvidenceMatch, Origin, RaterKind

Json = Any


@dataclass(frozen=True, slots=True)
class Turn:
    """One utterance. `text` has LF line ends, NUL and lone surrogates already mapped one for one."""

    role: str
    text: str
    speaker: str | None = None
    timestamp: str | None = None
    translation: str | None = None


@dataclass(frozen=True, slots=True)
class Evidence:
    """Where a memory rests: code points [start, end) of a turn, the quote given and how it was found.

    `turn`, `start`, `end` are None where nothing was located; `score` (0 to 1) only for fuzzy matches.
    """

    quote: str
    match: EvidenceMatch
    turn: int | None = None
    start: int | None = None
    end: int | None = None
    score: float | None = None


@dataclass(frozen=True, slots=True)
class Memory:
    """A candidate memory from one origin. `raw` is the record as it came, for byte-true comparison and export."""

    external_id: str
    origin: Origin
    origin_name: str
    position: int
    value: str
    label: str | None = None
    type: str | None = None
    label_suggestion: str | None = None
    reasoning: str | None = None
    confidence: float | None = None
    time_scope: str | None = None
    emotion: str | None = None
    preference_attitude: str | None = None
    evidence: tuple[Evidence, ...] = ()
    raw: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Query:
    """A question put to a model. `kind` is "utilization" or "retrieval".

    `given` names the memories handed over with it (external ids of this dialogue's memories), `target` the one
    it is about; `pool` holds the distractor list in order, as records: ids repeat in it, so it is never keyed.
    """

    external_id: str
    kind: str
    text: str
    ability: str | None = None
    category: str | None = None
    target: str | None = None
    given: tuple[str, ...] = ()
    pool: tuple[Mapping[str, Json], ...] = ()


@dataclass(frozen=True, slots=True)
class Response:
    """A model's answer to a query of the same dialogue; `reason` is what it gave as its reason, empty for none."""

    query_id: str
    model: str
    text: str
    position: int = 0
    reason: str = ""


@dataclass(frozen=True, slots=True)
class UpdateTask:
    """An update to be judged: the pool before, the new dialogue, the answer pool. Records stay as they came."""

    external_id: str
    selected: str | None
    new_dialogue: tuple[Turn, ...]
    pool: tuple[Mapping[str, Json], ...]
    answer: tuple[Mapping[str, Json], ...]


@dataclass(frozen=True, slots=True)
class Lint:
    """Something odd in a record that does not stop its import. `where` is a path such as task1/m2/confidence."""

    code: str
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class Dialogue:
    """A conversation with all that came with it. (source, external_id) is its identity in a study."""

    source: str
    external_id: str
    turns: tuple[Turn, ...]
    memories: tuple[Memory, ...] = ()
    queries: tuple[Query, ...] = ()
    responses: tuple[Response, ...] = ()
    updates: tuple[UpdateTask, ...] = ()
    language: str | None = None
    meta: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Annotation:
    """What somebody annotated elsewhere, as it came: one task of one session by one rater.

    `side` is the place in a pair ("annotator_1"), kept because published pair measures are not symmetric; of a
    judge's output it is the model judged. `payload` is the annotation record verbatim. `rater_kind` and
    `rater_params` are those of a rater who is new; both are kept of a known one.
    """

    source: str
    session_id: str
    task: str
    rater: str
    side: str
    payload: Mapping[str, Json]
    updated_at: str | None = None
    rater_kind: RaterKind = RaterKind.HUMAN
    rater_params: Mapping[str, Json] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class SourceRecord:
    """One record of a file: the bytes as they came and what was understood. `content` may hold several parts."""

    ordinal: int
    external_id: str
    raw: bytes
    content: tuple[Dialogue | Annotation, ...]
    lints: tuple[Lint, ...] = ()


@dataclass(frozen=True, slots=True)
class Quarantined:
    """A record that could not be read; kept with its reason, never dropped."""

    ordinal: int
    external_id: str
    raw: bytes
    reason: str
