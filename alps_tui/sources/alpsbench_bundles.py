"""AlpsBench annotation bundles (`q1-q2-annotations`, version 1): one person's saved work, or drafts, as one file.

A merged dataset (`q1-q2-merged-dataset`) has the same annotations, and the items they were made on beside them.

A bundle does not say whose work it is. Ours name it under `annotator`, by pseudonym. Of any other the folder stands
for the pair and the end of the file's name (`..._1.json`) for the side, as the authors' own scripts expect it; both
may be people's names and are kept as pseudonyms only. A file whose name tells no side is a rater of its own.
"""

import json
import re
from collections.abc import Callable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

from alps_tui.sources import alpsbench_items, alpsbench_packets
from alps_tui.sources.alpsbench_double import (
    SOURCE,
    hide_in_path,
    pseudonym,
    rater_params,
    side_name,
)
from alps_tui.sources.alpsbench_tasks import SOURCES
from alps_tui.sources.lints import Code, Notes, Unreadable
from alps_tui.sources.memories import lint_records
from alps_tui.sources.parts import as_list, as_object, id_of, kind_of, required_id, text_of
from store.content_records import Annotation, Dialogue

TYPE = "q1-q2-annotations"
MERGED = "q1-q2-merged-dataset"
TASKS = frozenset({"task1", "task2", "task3", "task4"})
LISTS = {"task1": "editableGoldMemories", "task2": "editableUpdatedMemories"}

_CHECK_TREES = frozenset({"benchmark_construction_check_data", "LLM_as_judge_Human_Alignment_data"})

_SIDE = re.compile(r"(?:.*[_-])?([12])")
_KIND = re.compile(r"-(annotations|drafts)(?=-)")
_HEX = re.compile(r"[0-9a-f]{6}")
_ROOT = re.compile(rb'("rootName"\s*:\s*)("(?:[^"\\]|\\.)*+")', re.DOTALL)
_PATH = re.compile(rb'("(?:relativeItemPath|manifestPath|baseDir)"\s*:\s*)("(?:[^"\\]|\\.)*+")', re.DOTALL)
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


def read(document: Any, notes: Notes, annotator: Annotator) -> tuple[Dialogue | Annotation, ...]:
    """The annotations of a bundle, drafts and all, as one rater's; of the judge track under the task "Q2:task1" etc.

    Of a merged dataset also the dialogues of its items. A part that is broken is kept aside, and the others read.

    raises   Unreadable if the bundle is of another version or kind, or a list of it is none
    """
    bundle = as_object(document, "the bundle")
    kind, version = bundle.get("bundleType"), bundle.get("version")
    if kind not in (TYPE, MERGED) or (version != 1 and not (kind == MERGED and version is None)):
        raise Unreadable(f'a bundle of type "{kind}", version {version}; known is {TYPE}, version 1')
    annotator = _named(bundle, notes) or annotator
    given = bundle.get("annotations")
    entries = [] if given is None and kind == MERGED else as_list(given, "annotations")
    items = list(_merged(bundle)) if kind == MERGED else []
    found: list[Dialogue | Annotation] = []
    for place, (where, entry, item) in enumerate(items):
        with notes.apart(place, item, where):
            found += _of_item(entry, item, annotator, notes)
    checked = {(one.source, one.external_id) for one in found if isinstance(one, Dialogue)}
    for i, entry in enumerate(entries):
        with notes.apart(len(items) + i, entry, ""):
            found.append(_on_its_item(_annotation(entry, f"annotations/{i}", annotator, notes), checked))
    return _each_once(found, notes)


def _merged(bundle: Mapping[str, Any]) -> Iterator[tuple[str, Mapping[str, Any], Any]]:
    """(where, entry, item) of every item of a merged dataset. Raises Unreadable if a list is none."""
    for i, entry in enumerate(as_list(bundle.get("entries"), "entries")):
        record = as_object(entry, f"entries/{i}")
        for j, item in enumerate(as_list(record.get("items"), f"entries/{i}/items")):
            yield f"entries/{i}/items/{j}", record, item


def _of_item(
    entry: Mapping[str, Any], item: Any, annotator: Annotator, notes: Notes
) -> Iterator[Dialogue | Annotation]:
    """What an item of a merged dataset holds: a check item or a packet, and what was annotated of it."""
    record = as_object(item, "the item")
    data = as_object(record.get("itemData"), "itemData")
    if "original" not in data and TASKS.isdisjoint(data):
        raise Unreadable("itemData is neither a check item nor a session packet")
    yield from (alpsbench_items if "original" in data else alpsbench_packets).read(data, notes)
    said = record.get("annotation")
    if said is not None:
        whole = _whole(as_object(said, "annotation"), entry, record, data)
        found = _annotation(whole, "annotation", annotator, notes)
        yield _on_its_item(
            found, {(SOURCES[_task_of(found)], found.session_id)} if "original" in data else set()
        )


def _on_its_item(one: Annotation, checked: Set[tuple[str, str]]) -> Annotation:
    """The annotation with the source of its item, if that is among the check items: its path need not tell it here."""
    source = SOURCES[_task_of(one)]
    return replace(one, source=source) if (source, one.session_id) in checked else one


def _task_of(one: Annotation) -> str:
    return one.task.rpartition(":")[2]


def _whole(
    said: Mapping[str, Any], entry: Mapping[str, Any], item: Mapping[str, Any], data: Mapping[str, Any]
) -> Mapping[str, Any]:
    """An annotation as a bundle lists it; one that stands bare with its item gets what the item says of it."""
    if isinstance(said.get("annotation"), dict):
        return said
    return {
        "relativeItemPath": item.get("relativeItemPath"),
        "canonicalId": data.get("canonical_id"),
        "sessionId": data.get("session_id"),
        "track": entry.get("track"),
        "task": entry.get("task"),
        "annotation": said,
    }


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


def _annotation(entry: Any, where: str, annotator: Annotator, notes: Notes) -> Annotation:
    record = as_object(entry, where)
    task, track = record.get("task"), record.get("track")
    if not isinstance(task, str) or task not in TASKS or track not in ("Q1", "Q2"):
        raise Unreadable(f"{where}: {_shown(task)} and {_shown(track)} where task and track should stand")
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


def _shown(value: Any) -> str:
    return f'"{value}"' if isinstance(value, str) else kind_of(value)


def _source(record: Mapping[str, Any], task: str) -> str:
    """The source of the item that was annotated: of a check item its own, else the packets'."""
    path = record.get("relativeItemPath")
    parts = set(path.replace("\\", "/").split("/")) if isinstance(path, str) else set()
    return SOURCE if _CHECK_TREES.isdisjoint(parts) else SOURCES[task]


def _each_once(found: Sequence[Dialogue | Annotation], notes: Notes) -> tuple[Dialogue | Annotation, ...]:
    """What was read, an annotation that comes again in the same words once; in other words the later one counts."""
    said: dict[tuple[str, str, str], Annotation] = {}
    kept: list[Dialogue | Annotation] = []
    for one in found:
        if isinstance(one, Annotation):
            key = (one.source, one.session_id, one.task)
            if key in said and said[key].payload == one.payload:
                continue
            if key in said:
                where = f"{one.session_id}/{one.task}"
                notes.add(Code.DUPLICATE_ID, where, "annotated twice, the later one counts")
            said[key] = one
        kept.append(one)
    return tuple(kept)


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
