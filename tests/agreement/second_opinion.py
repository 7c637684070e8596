"""A second, independent implementation of the published tasks 1 and 2 and of the decision table, for tests only.

Plain Python throughout: no code of the product, other algorithms (a full table for the common subsequence, search in
place of sorting, counting pairs for tau), so that an error would have to be made twice to stay unseen.
"""

import json
import math
from collections import Counter
from pathlib import Path
from typing import Any

import numpy as np

Record = dict[str, Any]
Lists = dict[str, tuple[list[Record], list[Record]]]


def final_lists(folder: Path, task: str = "task1") -> Lists:
    """Session → both annotators' final lists of task 1 or 2, from the double-annotation folders."""
    key = {"task1": "editableGoldMemories", "task2": "editableUpdatedMemories"}[task]
    return {name: (a[key], b[key]) for name, (a, b) in annotations(folder, task).items()}


def annotations(folder: Path, task: str) -> dict[str, tuple[Record, Record]]:
    """Session → both annotators' annotations of a task, from the double-annotation folders."""
    sides: list[dict[str, Record]] = []
    for side in ("annotator_1", "annotator_2"):
        records = [json.loads(path.read_text()) for path in sorted((folder / side).glob("*.json"))]
        sides.append({r["sessionId"]: r["tasks"][task]["annotation"] for r in records})
    return {name: (sides[0][name], sides[1][name]) for name in sides[0] if name in sides[1]}


def proposals(folder: Path) -> dict[str, list[Record]]:
    """Session → the memories that were proposed, from the session packets."""
    return {
        path.stem: json.loads(path.read_text())["task1"]["ground_truth_memories"]
        for path in sorted(folder.glob("*.json"))
    }


# ---------------------------------------------------------------- the published report


def clean(value: Any) -> str:
    if value is None:
        return ""
    return " ".join(str(value).strip().lower().split())


def tokens(text: str) -> list[str]:
    kept = "".join(sign if sign in "abcdefghijklmnopqrstuvwxyz0123456789" else " " for sign in text)
    return kept.split()


def overlap(a: Any, b: Any) -> float:
    x, y = clean(a), clean(b)
    if x == "" or y == "":
        return float(x == y)
    u, v = tokens(x), tokens(y)
    grid = [[0] * (len(v) + 1) for _ in range(len(u) + 1)]
    for i, left in enumerate(u):
        for j, right in enumerate(v):
            grid[i + 1][j + 1] = grid[i][j] + 1 if left == right else max(grid[i][j + 1], grid[i + 1][j])
    common = grid[-1][-1]
    if common == 0:
        return 0.0
    precision, recall = common / len(v), common / len(u)
    return 2 * precision * recall / (precision + recall)


def matches(first: list[Record], second: list[Record]) -> list[tuple[int, int]]:
    used: set[int] = set()
    found: list[tuple[int, int]] = []
    for i, record in enumerate(first):
        for j, other in enumerate(second):
            if j not in used and clean(record.get("value")) == clean(other.get("value")):
                used.add(j)
                found.append((i, j))
                break
    left = [i for i in range(len(first)) if i not in {i for i, _ in found}]
    right = [j for j in range(len(second)) if j not in used]
    while left and right:
        best = max(
            (overlap(first[i].get("value"), second[j].get("value")), i, j) for i in left for j in right
        )
        if best[0] < 0.5:
            break
        found.append((best[1], best[2]))
        left.remove(best[1])
        right.remove(best[2])
    return found


def session_metric(values: list[float]) -> dict[str, float]:
    kept = [value for value in values if not math.isnan(value)]
    n = len(kept)
    mean = math.fsum(kept) / n
    deviation = math.sqrt(math.fsum((value - mean) ** 2 for value in kept) / n)
    generator = np.random.default_rng(42)
    means = sorted(math.fsum(kept[i] for i in generator.integers(0, n, size=n)) / n for _ in range(1000))

    def percentile(q: float) -> float:
        place = q / 100 * 999
        low = math.floor(place)
        return means[low] + (means[min(low + 1, 999)] - means[low]) * (place - low)

    numbers = {"mean": mean, "std": deviation, "ci95_lo": percentile(2.5), "ci95_hi": percentile(97.5)}
    return {key: round(value, 6) for key, value in numbers.items()}


def correlation(x: list[float], y: list[float]) -> float:
    n = len(x)
    sums = [math.fsum(v) for v in (x, y, [a * b for a, b in zip(x, y, strict=True)])]
    squares = [math.fsum(a * a for a in v) for v in (x, y)]
    over = n * sums[2] - sums[0] * sums[1]
    return over / math.sqrt((n * squares[0] - sums[0] ** 2) * (n * squares[1] - sums[1] ** 2))


def average_ranks(values: list[float]) -> list[float]:
    return [
        sum(other < v for other in values) + (sum(other == v for other in values) + 1) / 2 for v in values
    ]


def tau_b(x: list[float], y: list[float]) -> float:
    def sign(a: float) -> int:
        return (a > 0) - (a < 0)

    pairs = [(i, j) for i in range(len(x)) for j in range(i)]
    both = sum(sign(x[i] - x[j]) * sign(y[i] - y[j]) for i, j in pairs)
    untied = [sum(v[i] != v[j] for i, j in pairs) for v in (x, y)]
    return both / math.sqrt(untied[0] * untied[1])


def kappa(pairs: list[tuple[str, str]]) -> float:
    n = len(pairs)
    left, right = Counter(a for a, _ in pairs), Counter(b for _, b in pairs)
    chance = sum(left[c] * right[c] for c in left) / n**2
    return (sum(a == b for a, b in pairs) / n - chance) / (1 - chance)


def number(value: Any) -> float | None:
    try:
        return float(value)
    except (TypeError, ValueError):
        return None


def published_lists(lists: Lists) -> dict[str, Any]:
    """The task 1 or 2 part of the authors' report, with its keys."""
    f1, likeness, difference = [], [], []
    pairs: list[tuple[Record, Record]] = []
    for _, (a, b) in sorted(lists.items()):
        found = matches(a, b)
        f1.append(2 * len(found) / (len(a) + len(b)) if a or b else 1.0)
        each = [overlap(a[i].get("value"), b[j].get("value")) for i, j in found]
        likeness.append(sum(each) / len(each) if each else math.nan)
        difference.append(float(abs(len(a) - len(b))))
        pairs += [(a[i], b[j]) for i, j in found]
    numbers = [(number(a.get("confidence")), number(b.get("confidence"))) for a, b in pairs]
    both = [(x, y) for x, y in numbers if x is not None and y is not None]
    x, y = [a for a, _ in both], [b for _, b in both]
    kappas = {}
    for key in ("type", "label", "time_scope"):
        spelt = [(a.get(key), b.get(key)) for a, b in pairs]
        kappas[key] = round(kappa([(s, t) for s, t in spelt if s is not None and t is not None]), 6)
    return {
        "n_sessions": len(lists),
        "matched_pairs": len(pairs),
        "memory_set_f1": session_metric(f1),
        "matched_memory_rougeL": session_metric(likeness),
        "memory_count_diff": session_metric(difference),
        "confidence": {
            "n_pairs": len(both),
            "pearson": round(correlation(x, y), 6),
            "spearman": round(correlation(average_ranks(x), average_ranks(y)), 6),
            "kendall_tau": round(tau_b(x, y), 6),
            "MAE": round(sum(abs(a - b) for a, b in both) / len(both), 6),
        },
        "attribute_kappa": kappas,
    }


# ---------------------------------------------------------------- decisions


def public(record: Record) -> Record:
    return {key: value for key, value in record.items() if not key.startswith("_")}


def decisions(proposed: list[Record], final: list[Record]) -> tuple[list[str], bool]:
    """keep, edit or delete for each proposal, and whether the list is the proposal, untouched."""
    by_id = {record["memory_id"]: public(record) for record in final}
    said = []
    for record in proposed:
        mine = by_id.get(record["memory_id"])
        said.append("delete" if mine is None else "keep" if mine == public(record) else "edit")
    return said, [public(r) for r in final] == [public(r) for r in proposed]


def decision_tables(lists: Lists, proposed: dict[str, list[Record]]) -> dict[str, Any]:
    """Cells, n, raw agreement and kappa with and without the decisions of untouched lists."""
    found: dict[str, list[tuple[str, str]]] = {"with_seeded": [], "without_seeded": []}
    untouched, seeded, touched_by_both = [0, 0], [0, 0], 0
    for name, memories in sorted(proposed.items()):
        if name not in lists:
            continue
        (a, a_same), (b, b_same) = (decisions(memories, final) for final in lists[name])
        found["with_seeded"] += zip(a, b, strict=True)
        if not (a_same or b_same):
            touched_by_both += 1
            found["without_seeded"] += zip(a, b, strict=True)
        for side, same in enumerate((a_same, b_same)):
            untouched[side] += same
            seeded[side] += same * len(memories)
    tables: dict[str, Any] = {
        "untouched_lists": untouched,
        "seeded_keeps": seeded,
        "touched_by_both": touched_by_both,
    }
    for key, pairs in found.items():
        cells = Counter(f"{a}-{b}" for a, b in pairs)
        classes = ("keep", "edit", "delete")
        tables[key] = {
            "cells": {f"{a}-{b}": cells[f"{a}-{b}"] for a in classes for b in classes},
            "n": len(pairs),
            "raw_agreement": sum(a == b for a, b in pairs) / len(pairs),
            "cohen_kappa": kappa(pairs),
        }
    return tables


# ---------------------------------------------------------------- a copy that must not be the original


def permuted(
    lists: Lists, proposed: dict[str, list[Record]], seed: int
) -> tuple[Lists, dict[str, list[Record]]]:
    """Annotators swapped, sessions renamed into another order, 20 memory records altered."""
    generator = np.random.default_rng(seed)
    names = sorted(lists)
    renamed = {
        name: f"s{place:04d}" for name, place in zip(names, generator.permutation(len(names)), strict=True)
    }
    copy: Lists = {
        renamed[name]: ([dict(r) for r in lists[name][1]], [dict(r) for r in lists[name][0]])
        for name in names
    }
    places = [(s, side, i) for s in sorted(copy) for side in (0, 1) for i in range(len(copy[s][side]))]
    for n, which in enumerate(generator.choice(len(places), size=20, replace=False)):
        session, side, index = places[which]
        _alter(copy[session][side], index, n)
    for session, sides in copy.items():
        copy[session] = ([r for r in sides[0] if r], [r for r in sides[1] if r])
    return copy, {renamed[name]: memories for name, memories in proposed.items() if name in renamed}


def _alter(records: list[Record], index: int, n: int) -> None:
    """One of eight changes; an emptied record is taken out by the caller."""
    record = records[index]
    changes: list[Record] = [
        {"value": " ".join(str(record.get("value")).split()[:3])},
        {"value": str(record.get("value")).upper() + "  "},
        {"label": "UNMAPPED"},
        {"type": None},
        {"confidence": "0.5"},
        {"confidence": "high"},
        {"time_scope": "past_only", "value": None},
    ]
    if n % 8 == 7:
        records[index] = {}
    else:
        record.update(changes[n % 8])
