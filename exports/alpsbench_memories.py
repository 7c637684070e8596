"""Verified memories in AlpsBench's shape: one annotation bundle per rater, never merged.

A bundle is what AlpsBench's own tool saves and reads (`q1-q2-annotations`, version 1), with task 1 of each session.
What a rater left alone is the source's record, every key and its order as it came, if it came in AlpsBench's shape:
a record of one's own JSON lines is said in that shape, and stands as it came under `alps`. What they edited is that
record with the keys they changed. What stands in no list (deleted, in doubt) is named under `alps`, a key of ours.
An answer that was not given is null, never the form's default.
"""

import hashlib
import json
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Any

from exports.folder import MANIFEST, HashedFile, atomic, drop_stale, earlier_files, prepare
from exports.manifest import FileEntry, Manifest, about
from exports.verified import FORM, Session, sessions_of
from store.content import StoredAnnotation, annotations
from store.database import Database
from store.kinds import ItemState, Phase, Purpose
from store.study import Sitting, Study, protocols, sittings, study

Json = Any

TASK = "task1"
VERDICTS = ("overallVerdict", "hasDialogueEvidence", "overInference", "faithfulToOriginalMeaning")
POPULATION = "of every rater the first core occasion on the newest version of each session's item"
NOTES = (
    "one file is one rater's work; lists of two raters are never merged and nothing here is adjudicated",
    "records that were kept are the source's, untouched; `alps` names what was deleted or left in doubt",
    "records that did not come in AlpsBench's shape are said in it, and stand as they came in `alps`, `imported`",
    "the same study gives the same bytes: generatedAt is the time of the last decision in the file",
)
_UNSAFE = re.compile(r"[^A-Za-z0-9._-]+")
_RESERVED = re.compile(r"(?i)(con|prn|aux|nul|com\d|lpt\d|manifest)(\..*)?")


def export_memories(
    db: Database, out_dir: Path, *, unfinished: bool = False, force: bool = False
) -> Manifest:
    """Write one bundle per rater who verified memories, and the manifest.

    unfinished   also sessions that were begun and not submitted; their bundle entry is a draft
    force        replace an earlier export in the folder
    raises       ExportRefused (a sentence; nothing was written), OSError if the disk fails (no half file is left)
    """
    prepare(out_dir, force=force)
    earlier = earlier_files(out_dir)
    (out_dir / MANIFEST).unlink(missing_ok=True)
    entries: list[FileEntry] = []
    totals: Counter[str] = Counter()
    with db.read() as conn:
        whose = study(conn)
        origin = about(whose, protocols(conn))
        found = sittings(conn, FORM)
        chosen, left_out = choose(found, unfinished=unfinished)
        left_out |= _without_packet(found, annotations(conn, TASK))
        names = file_names(chosen)
        for rater, mine in chosen.items():
            with atomic(out_dir / names[rater]) as file:
                counts = _write_bundle(file, rater, whose, sessions_of(conn, mine))
            totals.update(counts)
            entries.append(FileEntry.of(names[rater], len(mine), file, {"rater": rater, **counts}))
    made = Manifest(
        kind="alpsbench-memories",
        **origin,
        population=POPULATION,
        options={"unfinished": unfinished},
        counts={"raters": len(entries), **dict(sorted(totals.items()))},
        files=tuple(entries),
        left_out=left_out,
        notes=NOTES,
    )
    made.write(out_dir)
    drop_stale(out_dir, earlier, tuple(entry.name for entry in entries))
    return made


# ---------------------------------------------------------------- which sessions


def choose(found: Sequence[Sitting], *, unfinished: bool) -> tuple[dict[str, list[Sitting]], dict[str, int]]:
    """Rater -> the sittings to export, and why others are left out.

    Sittings that nobody has begun are no work and are not counted.
    """
    newest: dict[tuple[str, str], int] = {}
    for each in found:
        if _counts(each, unfinished=unfinished) is None:
            key = (each.rater.name, each.item_key)
            newest[key] = max(newest.get(key, 0), each.item_version)
    chosen: dict[str, list[Sitting]] = {}
    left_out: Counter[str] = Counter()
    for each in found:
        reason = _counts(each, unfinished=unfinished)
        if reason is None and each.item_version < newest[each.rater.name, each.item_key]:
            reason = "older_item"
        if reason is None:
            chosen.setdefault(each.rater.name, []).append(each)
        elif reason:
            left_out[reason] += 1
    return chosen, dict(sorted(left_out.items()))


def _without_packet(found: Sequence[Sitting], imported: Sequence[StoredAnnotation]) -> dict[str, int]:
    """How many imported annotations are no decisions, because the proposals they started from are not in the study."""
    decided = {(each.rater.id, each.dialogue) for each in found if each.begun}
    missing = {(each.rater_id, each.session_id) for each in imported} - decided
    return {"no_packet": len(missing)} if missing else {}


def _counts(sitting: Sitting, *, unfinished: bool) -> str | None:
    """None if a sitting is exported, else why not; "" if there is nothing in it."""
    if not sitting.begun:
        return ""
    if sitting.purpose is not Purpose.CORE:
        return f"purpose_{sitting.purpose}"
    if sitting.occasion > 0:
        return "later_occasion"
    if sitting.state is ItemState.SKIPPED:
        return "skipped"
    if sitting.state is ItemState.OPEN and not unfinished:
        return "not_submitted"
    return None


def file_names(raters: Iterable[str]) -> dict[str, str]:
    """Rater -> a file name that is safe everywhere: ASCII, no path, no two alike even where case does not count."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    for rater in raters:
        plain = _UNSAFE.sub("-", rater).strip("-.")[:60]
        if plain != rater or plain.lower() in taken or _RESERVED.fullmatch(plain):
            plain = (
                f"{plain or 'rater'}-{hashlib.sha256(rater.encode('utf-8', 'surrogatepass')).hexdigest()[:8]}"
            )
        taken.add(plain.lower())
        names[rater] = f"{plain}.json"
    return names


# ---------------------------------------------------------------- one bundle


def _write_bundle(file: HashedFile, rater: str, whose: Study, sessions: Iterator[Session]) -> dict[str, int]:
    """The bundle of one rater, a session at a time; returns what is in it."""
    counts: Counter[str] = Counter()
    entries = []
    for session in sessions:
        counts.update(session.counts)
        counts["sessions"] += 1
        entries.append(entry(session))
    drafts = any(each["annotation"]["status"] == "draft" for each in entries)
    bundle = {
        "bundleType": "q1-q2-annotations",
        "version": 1,
        "sourceType": "draft_annotation_bundle" if drafts else "saved_annotation_bundle",
        "rootName": f"alps-{whose.id[:12]}",
        "datasetFingerprint": fingerprint(each["sessionId"] for each in entries),
        "generatedAt": max((each["annotation"]["updatedAt"] for each in entries), default=""),
        "annotationStatus": "draft" if drafts else "saved",
        "rater": rater,
        "annotations": entries,
    }
    file.write(json.dumps(bundle, ensure_ascii=False, allow_nan=False, indent=1).encode("utf-8") + b"\n")
    return dict(sorted(counts.items()))


def entry(session: Session) -> dict[str, Json]:
    """A session as AlpsBench's tool saves it."""
    sitting = session.sitting
    return {
        "draftKey": f"Q1:task1:none:{sitting.dialogue}:{sitting.dialogue}",
        "relativeItemPath": f"{sitting.dialogue}.json",
        "canonicalId": sitting.dialogue,
        "sessionId": sitting.dialogue,
        "track": "Q1",
        "task": "task1",
        "annotation": {
            "formType": "Q1:task1",
            "status": "draft" if sitting.state is ItemState.OPEN else "saved",
            "updatedAt": sitting.submitted_at or session.last_decided_at,
            **{key: session.verdicts.get(key) for key in VERDICTS},
            "editableGoldMemories": list(session.memories),
            "issueTypes": [],
            "evidenceNote": "",
            "revisionSuggestion": "",
            "annotatorNote": session.note,
        },
        "alps": {
            "protocol": sitting.protocol,
            "source": sitting.source,
            "revealed": sitting.phase is not Phase.BLIND,
            "noMemory": session.verdicts.get("no_memory") == "yes",
            "seeded": session.seeded,
            "decisions": [decision.to_json() for decision in session.decisions],
        },
    }


def fingerprint(session_ids: Iterable[str]) -> str:
    """Eight hex digits as AlpsBench's tool has them to tell data sets apart: djb2, here over the sorted session ids."""
    value = 5381
    for sign in "\n".join(sorted(session_ids)):
        value = (value * 33 + ord(sign)) & 0xFFFFFFFF
    return f"{value:08x}"
