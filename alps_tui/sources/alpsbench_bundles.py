"""AlpsBench annotation bundles (`q1-q2-annotations`, version 1): one person's saved work, or drafts, as one file.

A bundle does not say whose work it is. Ours name it under `annotator`, by pseudonym. Of any other the folder stands
for the pair and the end of the file's name (`..._1.json`) for the side, as the authors' own scripts expect it; both
may be people's names and are kept as pseudonyms only. A file whose name tells no side is a rater of its own.
"""

import json
import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from alps_tui.sources.alpsbench_double import (
    SOURCE,
    hide_in_path,
    pseudonym,
    rater_params,
    side_name,
)
from alps_tui.sources.alpsbench_tasks import SOURCES
from alps_tui.sources.lints import Code, Notes, NotYet, Unreadable
from alps_tui.sources.memories import lint_records
from alps_tui.sources.parts import as_list, as_object, id_of, kind_of, required_id, text_of
from store.records import Annotation

TYPE = "q1-q2-annotations"
MERGED = "q1-q2-merged-dataset"
TASKS = frozenset({"task1", "task2", "task3", "task4"})
LISTS = {"task1": "editableGoldMemories", "task2": "editableUpdatedMemories"}

_CHECK_TREES = frozenset({"benchmark_construction_check_data", "LLM_as_judge_Human_Alignment_data"})

_SIDE = re.compile(r"(?:.*[_-])?([12])")
_KIND = re.compile(r"-(annotations|drafts)(?=-)")
_HEX = re.compile(r"[0-9a-f]{6}")
_ROOT = re.compile(rb'("rootName"\s*:\s*)("(?:[^"\\]|\\.)*+")', re.DOTALL)
_PATH = re.compile(rb'("relativeItemPath"\s*:\s*)("(?:[^"\\]|\\.)*+")', re.DOTALL)
_KNOWN_PART = re.compile(
    r"manual_check_data|benchmark_construction_check_data|LLM_as_judge_Human_Alignment_data"
    r"|task123_session_packets|chunks?|chunk_\d+|alps-[0-9a-f]+|alpsbench|[0-9a-f]{6}"
)


@dataclass(frozen=True, slots=True)
class Annotator:
    """Whose work a bundle is: the side of a pair, and what stands for the pair; both free of names."""

    side: str
    group: str

    @property
    def rater(self) -> str:
        return f"{self.side}-{self.group}"


def annotator_of(path: Path) -> Annotator:
    """Whose work a bundle is, by where it lies; saved work and drafts of one export are one person's."""
    stem = _KIND.sub("", path.stem)
    match = _SIDE.fullmatch(path.stem) if len(path.stem) < 40 else None
    folder = path.absolute().parent.name
    if match is None or _KIND.search(path.stem):
        return Annotator(side_name(stem), pseudonym(folder))
    return Annotator(f"annotator_{match[1]}", pseudonym(folder))


def stored_bundle_path(path: Path) -> str:
    """The path to store for a bundle: pseudonyms, and the side where the name tells one."""
    who = annotator_of(path)
    drafts = "-drafts" if "-drafts-" in path.stem else ""
    return f"{who.group}/{who.side}{drafts}{path.suffix}"


def read(document: Any, notes: Notes, annotator: Annotator) -> tuple[Annotation, ...]:
    """The annotations of a bundle, drafts and all, as one rater's; of the judge track under the task "Q2:task1" etc.

    raises   NotYet for a merged dataset; Unreadable if the bundle is of another version, or an entry is broken
    """
    bundle = as_object(document, "the bundle")
    if bundle.get("bundleType") == MERGED:
        raise NotYet("a merged dataset")
    if bundle.get("bundleType") != TYPE or bundle.get("version") != 1:
        raise Unreadable(
            f'a bundle of type "{bundle.get("bundleType")}", version {bundle.get("version")}; known is {TYPE}, version 1'
        )
    annotator = _named(bundle, notes) or annotator
    entries = as_list(bundle.get("annotations"), "annotations")
    found = tuple(_annotation(entry, i, annotator, notes) for i, entry in enumerate(entries))
    _note_repeats(found, notes)
    return found


def _named(bundle: Mapping[str, Any], notes: Notes) -> Annotator | None:
    """The annotator that one of our own bundles names; None if there is none, or it is no pseudonym."""
    named = bundle.get("annotator")
    if not isinstance(named, dict):
        return None
    side, group = id_of(named.get("side")), id_of(named.get("group"))
    if side is None or group is None or not _HEX.fullmatch(group):
        notes.add(Code.PART_UNKNOWN, "annotator", "no side and group that are pseudonyms")
        return None
    return Annotator(side_name(side), group)


def _annotation(entry: Any, place: int, annotator: Annotator, notes: Notes) -> Annotation:
    where = f"annotations/{place}"
    record = as_object(entry, where)
    task, track = record.get("task"), record.get("track")
    if not isinstance(task, str) or task not in TASKS or track not in ("Q1", "Q2"):
        raise Unreadable(f"{where}: {kind_of(task)} and {kind_of(track)} where task and track should stand")
    payload = as_object(record.get("annotation"), f"{where}/annotation")
    if track == "Q1":
        lint_records(payload.get(LISTS.get(task, "")), where, notes)
    return Annotation(
        source=_source(record, task),
        session_id=required_id(record, "sessionId"),
        task=task if track == "Q1" else f"{track}:{task}",
        rater=annotator.rater,
        side=annotator.side,
        payload=payload,
        updated_at=text_of(payload.get("updatedAt"), f"{where}/updatedAt", notes) or None,
        rater_params=rater_params(annotator.rater),
    )


def _source(record: Mapping[str, Any], task: str) -> str:
    """The source of the item that was annotated: of a check item its own, else the packets'."""
    path = record.get("relativeItemPath")
    parts = set(path.replace("\\", "/").split("/")) if isinstance(path, str) else set()
    return SOURCE if _CHECK_TREES.isdisjoint(parts) else SOURCES[task]


def _note_repeats(found: tuple[Annotation, ...], notes: Notes) -> None:
    seen: set[tuple[str, str]] = set()
    for one in found:
        if (one.session_id, one.task) in seen:
            notes.add(
                Code.DUPLICATE_ID, f"{one.session_id}/{one.task}", "annotated twice, the later one counts"
            )
        seen.add((one.session_id, one.task))


def without_bundle_names(data: bytes) -> bytes:
    """The bundle without names of folders and files that may be people's: pseudonyms stand in their place.

    Of `rootName` and of each item's path, what is a known part of AlpsBench's data, or a pseudonym, is kept.
    """
    data = _ROOT.sub(lambda m: m[1] + _quoted(hidden_folder, m[2]), data)
    return _PATH.sub(lambda m: m[1] + _quoted(hidden_path, m[2]), data)


def hidden_folder(name: str) -> str:
    """A folder's name if it is one of the data's own or a pseudonym, else its pseudonym."""
    return name if _KNOWN_PART.fullmatch(name) else pseudonym(name)


def hidden_path(path: str) -> str:
    """An item's path from the first part on that is of the data; before it, and where there is none, pseudonyms."""
    parts = path.replace("\\", "/").split("/")
    known = next((i for i, part in enumerate(parts) if _KNOWN_PART.fullmatch(part)), None)
    if known is None:
        return hide_in_path(path)
    before = "/".join(parts[:known])
    return "/".join([*([pseudonym(before)] if before else []), *parts[known:]])


def _quoted(change: Callable[[str], str], token: bytes) -> bytes:
    """The token of a JSON text with its text changed; one that is no UTF-8 leaves only a pseudonym."""
    try:
        value = json.loads(token)
    except ValueError:
        return b'"' + pseudonym(token.decode("latin-1")).encode() + b'"'
    return json.dumps(change(value)).encode()
