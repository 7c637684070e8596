"""What a file is, told by what its first bytes say, never by its name."""

import json
import re
from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum

from alps_tui.sources.parquet import MAGIC
from alps_tui.sources.parsing import BOM

WINDOWS = (4_096, 65_536, 2_000_000)
"""Bytes looked at, a longer stretch only while a shorter one does not tell."""


class Format(StrEnum):
    """The kinds of files that are known."""

    PACKET = "alpsbench-packet"
    DOUBLE = "alpsbench-double-annotation"
    ITEM = "alpsbench-check-item"
    PLAIN = "plain-jsonl"
    MEMORIES = "alpsbench-llm-memories"
    BUNDLE = "alpsbench-annotation-bundle"
    GOLD_EDITOR = "alpsbench-gold-editor"
    ROWS = "alpsbench-dataset-rows"
    MANIFEST = "alpsbench-manifest"
    REFERENCE = "reference-numbers"
    LFS_POINTER = "git-lfs-pointer"
    PARQUET = "parquet"


NO_DATA = frozenset({Format.MANIFEST, Format.REFERENCE})
"""Known kinds that hold nothing to import."""

_ROW_SHAPES = (
    {"record_id", "probe"},
    {"record", "memory", "answer"},
    {"candidate_memories", "selected_memory_id", "query"},
    {"conversation", "extracted_memory", "queries"},
)
"""Keys of the rows of AlpsBench's datasets, one set per task."""

_TOKEN = re.compile(rb'"(?:[^"\\]|\\.)*+(?:"|\\?\Z)|[{}\[\]:]', re.DOTALL)
_TASKS = frozenset({"task1", "task2", "task3", "task4"})
_TURN_LISTS = frozenset({"memories", "queries", "responses"})
_SESSION_KEY = re.compile(r"sess_[0-9a-f]+__.+", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Sample:
    """The first bytes of a file, and whether that is all of it."""

    head: bytes
    whole: bool


def detect(sample: Sample) -> Format | None:
    """The kind of a file, or None if it is none that is known."""
    head = sample.head.removeprefix(BOM).lstrip()
    if head.startswith(b"version https://git-lfs.github.com/spec/"):
        return Format.LFS_POINTER
    if sample.head.startswith(MAGIC):
        return Format.PARQUET
    if not looks_like_json(head):
        return None
    size = 0
    for size in WINDOWS:
        if found := _tell_early(_first_keys(head[:size])):
            return found
        if size >= len(head):
            break
    return _tell_late(set(_first_keys(head[:size])), listed=head.startswith(b"["))


def looks_like_json(head: bytes) -> bool:
    """True if the first sign that is no white space opens an object or a list."""
    return head.removeprefix(BOM).lstrip()[:1] in (b"{", b"[")


def _tell_early(keys: Iterator[str]) -> Format | None:
    """The format that the keys tell as far as they go, so that no later one could change it."""
    seen: set[str] = set()
    for key in keys:
        seen.add(key)
        if found := _certain(key, seen):
            return found
    return None


def _certain(key: str, seen: set[str]) -> Format | None:
    """What a key tells at once, given those before it."""
    if key == "available_tasks" or ("dialogue" in seen and not _TASKS.isdisjoint(seen)):
        return Format.PACKET
    if key == "annotatorFolder" or {"sessionId", "tasks"} <= seen:
        return Format.DOUBLE
    if key in {"assigned_model", "assigned_model_for_judge_track"}:
        return None if seen <= {"canonical_id", "session_id", "stratum", key} else Format.ITEM
    if key == "bundleType":
        return Format.BUNDLE
    if len(seen) == 1 and _SESSION_KEY.fullmatch(key):
        return Format.GOLD_EDITOR
    if key in {"llm_as_judge_results", "golden_answer"} or {"canonical_id", "dialogue"} <= seen:
        return Format.MEMORIES
    if key in {"chunk_name", "chunk_count", "sampleSize", "output_root", "judge_sample_count"}:
        return Format.MANIFEST
    if key in {"with_seeded", "without_seeded"}:
        return Format.REFERENCE
    return None


def _tell_late(seen: set[str], *, listed: bool) -> Format | None:
    """What all the keys tell when no more are to come; `listed` if they are those of the first in a list."""
    if {"canonical_id", "original"} <= seen:
        return Format.ITEM
    if listed and {"canonical_id", "session_id", "stratum"} <= seen:
        return Format.MANIFEST
    if seen and seen <= _TASKS:
        return Format.REFERENCE
    if not listed and any(shape <= seen for shape in _ROW_SHAPES):
        return Format.ROWS
    if "dialogue_id" in seen or ("dialogue" in seen and not seen.isdisjoint(_TURN_LISTS)):
        return Format.PLAIN
    return Format.PACKET if "dialogue_source" in seen or seen >= _TASKS else None


def first_text(head: bytes, key: str) -> str:
    """The text under a key of the first object of a JSON text that may be broken; empty if none is seen."""
    for name, value in _first_pairs(head.removeprefix(BOM).lstrip()):
        if name == key:
            return _text(value)
    return ""


def _first_keys(head: bytes) -> Iterator[str]:
    return (key for key, _ in _first_pairs(head))


def _first_pairs(head: bytes) -> Iterator[tuple[str, bytes]]:
    """The keys of the first object of a JSON text (of the first in a list, likewise), as far as it goes.

    With each the token that follows: a text in quotes, a bracket, or something else where no such token is.
    """
    depth = 0
    level = 2 if head[:1] == b"[" else 1
    text: bytes | None = None
    key: str | None = None
    colon = 0
    for match in _TOKEN.finditer(head):
        token = match.group()
        if key is not None:
            yield key, token if not head[colon : match.start()].strip() else b""
            key = None
        if token in b"{[":
            depth += 1
        elif token in b"}]":
            depth -= 1
            if depth < level:
                return
        elif token == b":" and text is not None and depth == level:
            key, colon = _text(text), match.end()
        text = token if token[:1] == b'"' else None
    if key is not None:
        yield key, b""


def _text(token: bytes) -> str:
    try:
        value = json.loads(token)
    except ValueError:  # not UTF-8, half an escape, or no text at all
        return ""
    return value if isinstance(value, str) else ""
