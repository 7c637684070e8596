"""Agreement exactly as AlpsBench published it (evaluate_annotation_consistency.py), for comparison with the paper.

Every choice here is the authors' (greedy matching, a tokenizer of [a-z0-9], macro means, population deviations, a
bootstrap that starts anew for every metric), also where the honest table does better. Where they use ROUGE-L, a
likeness that works in every script stands beside it, and how many identical texts theirs scores 0.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from alps_tui.agreement import association
from alps_tui.agreement.as_published_metrics import (
    Record,
    SessionMetric,
    attribute_kappa,
    confidences,
    mean_absolute_error,
    mean_or_nan,
    over_sessions,
    plain,
)
from alps_tui.agreement.as_published_texts import (
    published_f1,
    published_matches,
    published_normal,
    published_rouge_l,
)
from alps_tui.agreement.coefficient import Coefficient
from alps_tui.agreement.words import likeness

TASKS = ("task1", "task2", "task3", "task4")
ATTRIBUTES = ("type", "label", "time_scope")
UPWARD_BIAS = "upward-biased: only pairs with ROUGE-L >= 0.5 are matched"

Side = TypeVar("Side")
TextPairs = Sequence[tuple[Any, Any]]


@dataclass(frozen=True, slots=True)
class SessionPair(Generic[Side]):
    """What two annotators left for one session.

    Tasks 1 and 2: memory records in the order of their list. Task 3: one query. Task 4: several queries.
    """

    session_id: str
    first: Side
    second: Side


@dataclass(frozen=True, slots=True)
class Query:
    """A query as one annotator left it, with the value of the memory it is to be answered from.

    id   what makes it the same query for both annotators; "" has none and is matched with nothing
    """

    id: str
    text: Any
    memory: Any


@dataclass(frozen=True, slots=True)
class EveryScript:
    """The pairs of texts a ROUGE-L rests on, by a likeness that knows the words of every script.

    beside        the key of that ROUGE-L in the authors' report
    n_identical   pairs of the same text (normalised as the authors do, not blank)
    n_scored_0    those of them that the authors' ROUGE-L scores 0, having no letter of a-z and no digit
    likeness      averaged as the ROUGE-L is: within sessions, then over them
    """

    beside: str
    n_pairs: int
    n_identical: int
    n_scored_0: int
    likeness: SessionMetric

    def to_json(self) -> dict[str, Any]:
        return {
            "pairs": self.n_pairs,
            "identical": self.n_identical,
            "identical_scored_0": self.n_scored_0,
            "similarity": "ROUGE-L over words of any script",
            **self.likeness.to_json(),
        }


@dataclass(frozen=True, slots=True)
class PublishedMemories:
    """Tasks 1 and 2 of the authors' consistency report."""

    n_sessions: int
    matched_pairs: int
    memory_set_f1: SessionMetric
    matched_memory_rouge_l: SessionMetric
    memory_count_diff: SessionMetric
    confidence_pairs: int
    pearson: Coefficient
    spearman: Coefficient
    kendall_tau: Coefficient
    mean_absolute_error: Coefficient
    attribute_kappa: Mapping[str, Coefficient]
    every_script: EveryScript

    def to_json(self) -> dict[str, Any]:
        """The keys of the authors' report."""
        return {
            "n_sessions": self.n_sessions,
            "matched_pairs": self.matched_pairs,
            "memory_set_f1": self.memory_set_f1.to_json(),
            "matched_memory_rougeL": self.matched_memory_rouge_l.to_json(),
            "memory_count_diff": self.memory_count_diff.to_json(),
            "confidence": {
                "n_pairs": self.confidence_pairs,
                "pearson": plain(self.pearson),
                "spearman": plain(self.spearman),
                "kendall_tau": plain(self.kendall_tau),
                "MAE": plain(self.mean_absolute_error),
            },
            "attribute_kappa": {key: plain(value) for key, value in self.attribute_kappa.items()},
        }


@dataclass(frozen=True, slots=True)
class PublishedSelections:
    """Task 3 of the authors' consistency report: one query a session and the memory selected for it."""

    n_sessions: int
    query_memory_pair_f1: SessionMetric
    selected_memory_agreement: SessionMetric
    selected_memory_rouge_l: SessionMetric
    every_script: EveryScript

    def to_json(self) -> dict[str, Any]:
        """The keys of the authors' report."""
        return {
            "n_sessions": self.n_sessions,
            "query_memory_pair_f1": self.query_memory_pair_f1.to_json(),
            "selected_memory_agreement": self.selected_memory_agreement.to_json(),
            "selected_memory_rougeL": self.selected_memory_rouge_l.to_json(),
        }


@dataclass(frozen=True, slots=True)
class PublishedQueries:
    """Task 4 of the authors' consistency report: the queries of a session, paired by id."""

    n_sessions: int
    matched_query_pairs: int
    query_f1: SessionMetric
    query_rouge_l: SessionMetric
    supporting_memory_f1: SessionMetric
    every_script: EveryScript

    def to_json(self) -> dict[str, Any]:
        """The keys of the authors' report."""
        return {
            "n_sessions": self.n_sessions,
            "matched_query_pairs": self.matched_query_pairs,
            "query_f1": self.query_f1.to_json(),
            "query_rougeL": self.query_rouge_l.to_json(),
            "supporting_memory_f1": self.supporting_memory_f1.to_json(),
        }


PublishedTask = PublishedMemories | PublishedSelections | PublishedQueries


@dataclass(frozen=True, slots=True)
class PublishedReport:
    """The tasks that two people annotated, by name.

    absent      the other tasks of the four
    one_sided   per task the sessions of which one annotator only is there
    """

    tasks: Mapping[str, PublishedTask]
    one_sided: Mapping[str, tuple[str, ...]]

    @property
    def absent(self) -> tuple[str, ...]:
        return tuple(task for task in TASKS if task not in self.tasks)

    def to_json(self) -> dict[str, Any]:
        """The authors' report as it is; what is ours stands after it, under keys of its own."""
        return {
            **{name: task.to_json() for name, task in self.tasks.items()},
            "beside": {
                name: {task.every_script.beside: task.every_script.to_json()}
                for name, task in self.tasks.items()
            },
            "absent": list(self.absent),
            "one_annotator_only": {name: list(sessions) for name, sessions in self.one_sided.items()},
        }


def as_published_memories(pairs: Sequence[SessionPair[Sequence[Record]]]) -> PublishedMemories:
    """Task 1 from both annotators' gold memories, task 2 from their updated ones."""
    ordered = _ordered(pairs)
    matched = [published_matches(_values(pair.first), _values(pair.second)) for pair in ordered]
    by_session = [
        [(pair.first[i], pair.second[j]) for i, j, _ in found]
        for pair, found in zip(ordered, matched, strict=True)
    ]
    records = [both for found in by_session for both in found]
    f1 = [published_f1(len(f), len(p.first), len(p.second)) for p, f in zip(ordered, matched, strict=True)]
    confidence = confidences(records)
    return PublishedMemories(
        n_sessions=len(ordered),
        matched_pairs=len(records),
        memory_set_f1=over_sessions(f1),
        matched_memory_rouge_l=over_sessions(
            [mean_or_nan([r for _, _, r in found]) for found in matched], UPWARD_BIAS
        ),
        memory_count_diff=over_sessions([float(abs(len(p.first) - len(p.second))) for p in ordered]),
        confidence_pairs=len(confidence),
        pearson=association.pearson(confidence[:, 0], confidence[:, 1]),
        spearman=association.spearman(confidence[:, 0], confidence[:, 1]),
        kendall_tau=association.kendall_tau_b(confidence[:, 0], confidence[:, 1]),
        mean_absolute_error=mean_absolute_error(confidence),
        attribute_kappa={name: attribute_kappa(name, records) for name in ATTRIBUTES},
        every_script=every_script(
            "matched_memory_rougeL",
            [[(a.get("value"), b.get("value")) for a, b in found] for found in by_session],
        ),
    )


def as_published_selections(pairs: Sequence[SessionPair[Query]]) -> PublishedSelections:
    """Task 3: is it the same query for the same memory, the same memory, and how alike are the two memories."""
    ordered = _ordered(pairs)
    memories = [(pair.first.memory, pair.second.memory) for pair in ordered]
    return PublishedSelections(
        n_sessions=len(ordered),
        query_memory_pair_f1=over_sessions(
            [float(_query_and_memory(pair.first) == _query_and_memory(pair.second)) for pair in ordered]
        ),
        selected_memory_agreement=over_sessions([_same(a, b) for a, b in memories]),
        selected_memory_rouge_l=over_sessions([published_rouge_l(a, b) for a, b in memories]),
        every_script=every_script("selected_memory_rougeL", [[both] for both in memories]),
    )


def as_published_queries(pairs: Sequence[SessionPair[Sequence[Query]]]) -> PublishedQueries:
    """Task 4: F1 of the query texts, then of the queries both have, by id: how alike, and from the same memory."""
    ordered = _ordered(pairs)
    shared = [_shared(pair.first, pair.second) for pair in ordered]
    texts = [[(a.text, b.text) for a, b in both] for both in shared]
    return PublishedQueries(
        n_sessions=len(ordered),
        matched_query_pairs=sum(map(len, shared)),
        query_f1=over_sessions([_text_f1(pair.first, pair.second) for pair in ordered]),
        query_rouge_l=over_sessions([mean_or_nan([published_rouge_l(*both) for both in t]) for t in texts]),
        supporting_memory_f1=over_sessions(
            [mean_or_nan([_same(a.memory, b.memory) for a, b in both]) for both in shared]
        ),
        every_script=every_script("query_rougeL", texts),
    )


def every_script(beside: str, sessions: Sequence[TextPairs]) -> EveryScript:
    """The pairs of texts of each session, by the likeness that knows every script; beside which ROUGE-L."""
    pairs = [both for session in sessions for both in session]
    identical = [a for a, b in pairs if published_normal(a) == published_normal(b) != ""]
    return EveryScript(
        beside=beside,
        n_pairs=len(pairs),
        n_identical=len(identical),
        n_scored_0=sum(published_rouge_l(text, text) == 0 for text in identical),
        likeness=over_sessions(
            [mean_or_nan([likeness(_text(a), _text(b)) for a, b in session]) for session in sessions]
        ),
    )


def _ordered(pairs: Sequence[SessionPair[Side]]) -> list[SessionPair[Side]]:
    """By session id, on which the bounds of the bootstrap depend."""
    return sorted(pairs, key=lambda pair: pair.session_id)


def _values(records: Sequence[Record]) -> list[Any]:
    return [record.get("value") for record in records]


def _query_and_memory(query: Query) -> tuple[str, str]:
    return published_normal(query.text), published_normal(query.memory)


def _same(first: Any, second: Any) -> float:
    """1 if two texts are the same once normalised; two blank ones are."""
    return float(published_normal(first) == published_normal(second))


def _text_f1(first: Sequence[Query], second: Sequence[Query]) -> float:
    """F1 of the two sets of normalised query texts, blank ones left out."""
    a, b = ({published_normal(query.text) for query in side} - {""} for side in (first, second))
    return published_f1(len(a & b), len(a), len(b))


def _shared(first: Sequence[Query], second: Sequence[Query]) -> list[tuple[Query, Query]]:
    """The queries whose id both have, by id; of an id that repeats the last."""
    a, b = ({query.id: query for query in side if query.id} for side in (first, second))
    return [(a[key], b[key]) for key in sorted(a.keys() & b.keys())]


def _text(value: Any) -> str:
    return "" if value is None else str(value)
