"""A second, independent implementation of the published tasks 3 and 4, for tests only; see `second_opinion`."""

import math
from pathlib import Path
from typing import Any

import numpy as np
from second_opinion import annotations, clean, overlap, session_metric

Asked = dict[str, Any]
"""A query: its id, its text and the value of its memory."""

Queries = dict[str, tuple[list[Asked], list[Asked]]]


def selections(folder: Path) -> Queries:
    """Session → both annotators' only query of task 3."""
    return {name: ([asked(a)], [asked(b)]) for name, (a, b) in annotations(folder, "task3").items()}


def queries(folder: Path) -> Queries:
    """Session → both annotators' queries of task 4."""
    found = annotations(folder, "task4")
    return {
        name: ([asked(q) for q in a["subAnnotations"]], [asked(q) for q in b["subAnnotations"]])
        for name, (a, b) in found.items()
    }


def asked(record: dict[str, Any]) -> Asked:
    memory = record["editableSelectedMemory"]
    return {
        "id": record.get("queryId", ""),
        "text": record["queryText"],
        "memory": None if memory is None else memory["value"],
    }


def published_task3(sessions: Queries) -> dict[str, Any]:
    """The task 3 part of the authors' report, with its keys."""
    whole, chosen, alike = [], [], []
    for _, ([a], [b]) in sorted(sessions.items()):
        memory, other = clean(a["memory"]), clean(b["memory"])
        chosen.append(1.0 if memory == other else 0.0)
        whole.append(chosen[-1] if clean(a["text"]) == clean(b["text"]) else 0.0)
        alike.append(overlap(memory, other))
    return {
        "n_sessions": len(sessions),
        "query_memory_pair_f1": session_metric(whole),
        "selected_memory_agreement": session_metric(chosen),
        "selected_memory_rougeL": session_metric(alike),
    }


def published_task4(sessions: Queries) -> dict[str, Any]:
    """The task 4 part of the authors' report, with its keys."""
    f1, alike, chosen, shared = [], [], [], 0
    for _, (first, second) in sorted(sessions.items()):
        f1.append(text_f1([clean(q["text"]) for q in first], [clean(q["text"]) for q in second]))
        pairs = []
        for name in sorted({q["id"] for q in first if q["id"]}):
            mine = [q for q in first if q["id"] == name][-1]
            pairs += [(mine, q) for q in [q for q in second if q["id"] == name][-1:]]
        shared += len(pairs)
        likeness = [overlap(a["text"], b["text"]) for a, b in pairs]
        same = [clean(a["memory"]) == clean(b["memory"]) for a, b in pairs]
        alike.append(math.fsum(likeness) / len(pairs) if pairs else math.nan)
        chosen.append(sum(same) / len(pairs) if pairs else math.nan)
    return {
        "n_sessions": len(sessions),
        "matched_query_pairs": shared,
        "query_f1": session_metric(f1),
        "query_rougeL": session_metric(alike),
        "supporting_memory_f1": session_metric(chosen),
    }


def text_f1(first: list[str], second: list[str]) -> float:
    """Dice of the two sets of texts that are not blank."""
    a, b = (sorted({text for text in side if text}) for side in (first, second))
    both = [text for text in a if text in b]
    return 2 * len(both) / (len(a) + len(b)) if a or b else 1.0


def identical(pairs: list[tuple[Any, Any]]) -> tuple[int, int]:
    """How many pairs are one text, not blank, and how many of these have no a to z and no digit."""
    same = [clean(a) for a, b in pairs if clean(a) == clean(b) and clean(a)]
    latin = "abcdefghijklmnopqrstuvwxyz0123456789"
    return len(same), sum(not any(sign in latin for sign in text) for text in same)


def permuted(sessions: Queries, seed: int) -> Queries:
    """Annotators swapped, sessions renamed into another order, 30 queries altered; task 3 keeps one a side."""
    generator = np.random.default_rng(seed)
    names = sorted(sessions)
    renamed = {
        name: f"s{place:04d}" for name, place in zip(names, generator.permutation(len(names)), strict=True)
    }
    copy = {
        renamed[name]: ([dict(q) for q in sessions[name][1]], [dict(q) for q in sessions[name][0]])
        for name in names
    }
    places = [(s, side, i) for s in sorted(copy) for side in (0, 1) for i in range(len(copy[s][side]))]
    for n, which in enumerate(generator.choice(len(places), size=30, replace=False)):
        session, side, index = places[which]
        _alter(copy[session][side][index], n)
    return copy


def permuted_lists(sessions: Queries, seed: int) -> Queries:
    """`permuted`, and in every tenth session a query less, an id given twice, or no query at all."""
    copy = permuted(sessions, seed)
    for n, name in enumerate(sorted(copy)[::10]):
        first, second = copy[name]
        if n % 4 == 0:
            first.pop()
        elif n % 4 == 1:
            first.append(second[0] | {"text": "Plan a dinner with lentils", "memory": "likes lentils"})
        elif n % 4 == 2:
            copy[name] = ([], [])
        else:
            second.append({"id": "", "text": "  ", "memory": None})
    return copy


def _alter(query: Asked, n: int) -> None:
    """One of six changes."""
    changes: list[Asked] = [
        {"text": str(query["text"]).upper() + " \n"},
        {"text": "用户喜欢茶"},
        {"text": " ".join(str(query["text"]).split()[:4])},
        {"memory": None},
        {"memory": f"  {query['memory']}\t"},
        {"id": "", "text": None},
    ]
    query.update(changes[n % 6])
