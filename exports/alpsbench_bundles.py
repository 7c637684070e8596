"""Imported annotations on their way out again: one bundle per annotator of saved work and one of drafts, verbatim.

A bundle is what AlpsBench's own tool saves and reads (`q1-q2-annotations`, version 1). Each entry is the one that was
imported, every key of it; `annotator`, a key of ours, says by pseudonym whose work it is, so that a bundle read again
gives the same annotations to the same annotator. Lists of the gold editor go out in the shape they came in.
"""

import json
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from itertools import groupby
from pathlib import Path
from typing import Any

from exports.alpsbench_memories import file_names, fingerprint
from exports.folder import MANIFEST, atomic, drop_stale, earlier_files, prepare
from exports.manifest import FileEntry, Manifest, about
from store.assignments import raters
from store.content import StoredAnnotation, annotation_tasks, annotations, raw_record
from store.database import Database
from store.kinds import RaterKind
from store.records import Rater
from store.study import protocols, study

Json = Any

GOLD = "gold"
PACKETS = "alpsbench"
TREES = {"Q1": "benchmark_construction_check_data", "Q2": "LLM_as_judge_Human_Alignment_data"}
"""The source of annotations of session packets; and where the others' items, the check items, lie by track."""

POPULATION = "the newest version of every imported annotation of a person"
NOTES = (
    "entries are the imported ones, verbatim; people's names in them were replaced by pseudonyms at import",
    "what was decided here is in other exports: this one holds what came in",
    "the same study gives the same bytes: generatedAt is the time of the last annotation in the file",
)


def export_bundles(db: Database, out_dir: Path, *, force: bool = False) -> Manifest:
    """Write the bundles of every imported annotator, and the manifest.

    force    replace an earlier export in the folder
    raises   ExportRefused (a sentence; nothing was written), OSError if the disk fails (no half file is left)
    """
    prepare(out_dir, force=force)
    earlier = earlier_files(out_dir)
    (out_dir / MANIFEST).unlink(missing_ok=True)
    entries: list[FileEntry] = []
    with db.read() as conn:
        origin = about(study(conn), protocols(conn))
        people = {one.id: one for one in raters(conn) if one.kind is RaterKind.HUMAN}
        found = [one for task in annotation_tasks(conn) for one in annotations(conn, task)]
        mine = sorted((one for one in found if one.rater_id in people), key=_order)
        read = _records(lambda number: raw_record(conn, number))
        names = file_names(dict.fromkeys(one.rater for one in mine))
        for rater_id, some in groupby(mine, key=lambda one: one.rater_id):
            for suffix, document, rows in _documents(people[rater_id], list(some), read):
                name = names[people[rater_id].name].removesuffix(".json") + f"-{suffix}.json"
                with atomic(out_dir / name) as file:
                    file.write(json.dumps(document, ensure_ascii=False, indent=1).encode("utf-8") + b"\n")
                entries.append(FileEntry.of(name, rows, file, {"rater": people[rater_id].name}))
    made = Manifest(
        kind="alpsbench-bundles",
        **origin,
        population=POPULATION,
        options={},
        counts={"annotators": len({one.rater_id for one in mine}), **_counts(mine)},
        files=tuple(entries),
        notes=NOTES,
    )
    made.write(out_dir)
    drop_stale(out_dir, earlier, tuple(entry.name for entry in entries))
    return made


def _order(one: StoredAnnotation) -> tuple[Any, ...]:
    return one.rater, one.rater_id, one.session_id, one.task, one.source


def _counts(found: Sequence[StoredAnnotation]) -> dict[str, int]:
    return dict(sorted(Counter("drafts" if _is_draft(one) else "annotations" for one in found).items()))


def _is_draft(one: StoredAnnotation) -> bool:
    return one.payload.get("status") == "draft"


def _documents(
    rater: Rater, mine: Sequence[StoredAnnotation], read: "Reader"
) -> Iterator[tuple[str, Json, int]]:
    """What a rater's files are called after the rater, what each holds, and of how many annotations."""
    gold = [one for one in mine if one.task == GOLD]
    if gold:
        yield GOLD, {_gold_key(one, read): one.payload for one in gold}, len(gold)
    for draft in (False, True):
        some = [one for one in mine if one.task != GOLD and _is_draft(one) == draft]
        if some:
            yield "drafts" if draft else "annotations", bundle(rater, some, read, draft=draft), len(some)


def bundle(
    rater: Rater, found: Sequence[StoredAnnotation], read: "Reader", *, draft: bool
) -> dict[str, Json]:
    """One annotator's work, saved or drafts, as AlpsBench's tool saves it, and whose it is."""
    kind = "draft" if draft else "saved"
    return {
        "bundleType": "q1-q2-annotations",
        "version": 1,
        "sourceType": f"{kind}_annotation_bundle",
        "rootName": "alpsbench",
        "datasetFingerprint": fingerprint({one.session_id for one in found}),
        "generatedAt": max(one.updated_at or "" for one in found),
        "annotationStatus": kind,
        "annotator": {"side": rater.params.get("side"), "group": rater.params.get("group")},
        "annotations": [entry(one, read) for one in found],
    }


def entry(one: StoredAnnotation, read: "Reader") -> dict[str, Json]:
    """The entry an annotation came in as, with the payload it has; made anew where the record is not to be had."""
    track, _, task = one.task.rpartition(":")
    track = track or "Q1"
    path = _path(one, track, task)
    for came in _entries(read(one.record_id)):
        if (came.get("sessionId"), came.get("track"), came.get("task")) == (one.session_id, track, task) and (
            came.get("annotation") == one.payload
        ):
            told = {} if _tells(came.get("relativeItemPath"), one) else {"relativeItemPath": path}
            return {**came, **told, "annotation": one.payload}
    canonical = f"{one.session_id}:task4" if task == "task4" else one.session_id
    return {
        "draftKey": f"{track}:{task}:none:{one.session_id}:{canonical}",
        "relativeItemPath": path,
        "canonicalId": canonical,
        "sessionId": one.session_id,
        "track": track,
        "task": task,
        "annotation": one.payload,
    }


def _path(one: StoredAnnotation, track: str, task: str) -> str:
    """A path of the item that tells whether a check item or a packet was annotated."""
    if one.source == PACKETS:
        return f"{one.session_id}.json"
    return f"manual_check_data/{TREES[track]}/{task}/sessions/{one.session_id}__{one.session_id}/item.json"


def _tells(path: Json, one: StoredAnnotation) -> bool:
    """Whether a path as it came tells that too: in a merged dataset it may begin within its folder."""
    parts = path.replace("\\", "/").split("/") if isinstance(path, str) else []
    return (one.source == PACKETS) == set(TREES.values()).isdisjoint(parts)


# ---------------------------------------------------------------- the records they came in

Reader = Callable[[int | None], Mapping[str, Json]]
"""Row id of a source record → its JSON object; an empty one where there is none that can be read."""


def _records(raw: Callable[[int], bytes | None]) -> Reader:
    """A reader that parses each record once: a bundle is one record of thousands of annotations."""
    known: dict[int, Mapping[str, Json]] = {}

    def read(number: int | None) -> Mapping[str, Json]:
        if number is None:
            return {}
        if number not in known:
            if len(known) > 64:
                known.clear()
            known[number] = _object(raw(number))
        return known[number]

    return read


def _object(data: bytes | None) -> Mapping[str, Json]:
    try:
        document = json.loads((data or b"").removeprefix(b"\xef\xbb\xbf"))
    except ValueError:
        return {}
    return document if isinstance(document, dict) else {}


def _entries(document: Mapping[str, Json]) -> Iterator[Mapping[str, Json]]:
    """The entries of a double annotation or of a bundle."""
    tasks, listed = document.get("tasks"), document.get("annotations")
    found = tasks.values() if isinstance(tasks, dict) else listed if isinstance(listed, list) else ()
    yield from (entry for entry in found if isinstance(entry, dict))


def _gold_key(one: StoredAnnotation, read: Reader) -> str:
    came = next((key for key, said in read(one.record_id).items() if said == one.payload), None)
    return came or f"{one.session_id}__{one.payload.get('canonical_id', one.session_id)}"
