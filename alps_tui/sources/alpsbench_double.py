"""AlpsBench double annotations: one file per session and annotator, with that person's record of tasks 1 to 4."""

import hashlib
import json
import re
from collections.abc import Callable, Mapping
from pathlib import PurePosixPath
from typing import Any

from alps_tui.sources.lints import Code, Notes
from alps_tui.sources.memories import lint_records
from alps_tui.sources.parts import as_object, required_id, text_of
from store.content_records import Annotation

SOURCE = "alpsbench"

_TASKS = frozenset({"task1", "task2", "task3", "task4"})
_LISTS = {"task1": "editableGoldMemories", "task2": "editableUpdatedMemories"}

_GROUP = re.compile(rb'("group"\s*:\s*)("(?:[^"\\]|\\.)*+(?:"|\\?\Z))', re.DOTALL)
_ITEM_PATH = re.compile(rb'("relativeItemPath"\s*:\s*)("(?:[^"\\]|\\.)*+(?:"|\\?\Z))', re.DOTALL)
_SIDE = re.compile(rb'("annotatorFolder"\s*:\s*)("(?:[^"\\]|\\.)*+(?:"|\\?\Z))', re.DOTALL)
_FOLDER = re.compile(r"annotator_\d+")
_SESSION = re.compile(r"sess_\w+\.json")
_FILE = re.compile(r"(?P<group>.+)__(?P<session>.+)", re.DOTALL)


def read(document: Any, notes: Notes) -> tuple[Annotation, ...]:
    """The annotations, one per task, under a pseudonym for the person.

    raises   Unreadable if session, group or annotator folder is missing, or a task or its record is no object
    """
    record = as_object(document, "the file")
    session_id = required_id(record, "sessionId")
    side = side_name(required_id(record, "annotatorFolder"))
    rater = rater_name(side, required_id(record, "group"))
    tasks = as_object(record.get("tasks"), "tasks")
    for name in sorted(tasks.keys() - _TASKS):
        notes.add(Code.PART_UNKNOWN, f"tasks/{name}", f'"{name}" is no task, kept in the raw record only')
    for name in sorted(_TASKS - tasks.keys()):
        notes.add(Code.PART_MISSING, f"tasks/{name}", f"no {name}")
    found = [
        _annotation(as_object(entry, f"tasks/{name}"), name, session_id, rater, side, notes)
        for name, entry in tasks.items()
        if name in _TASKS
    ]
    return tuple(found)


def _annotation(
    entry: Mapping[str, Any], task: str, session_id: str, rater: str, side: str, notes: Notes
) -> Annotation:
    where = f"tasks/{task}"
    if entry.get("sessionId") not in (None, session_id):
        notes.add(Code.SESSION_DIFFERS, where, "the task names another session than the file")
    payload = as_object(entry.get("annotation"), f"{where}/annotation")
    lint_records(payload.get(_LISTS.get(task, "")), where, notes)
    return Annotation(
        source=SOURCE,
        session_id=session_id,
        task=task,
        rater=rater,
        side=side,
        payload=payload,
        updated_at=text_of(payload.get("updatedAt"), f"{where}/updatedAt", notes) or None,
        rater_params=rater_params(rater),
    )


# ---------------------------------------------------------------- pseudonyms


def pseudonym(group: str) -> str:
    """Six hexadecimal digits for a pair of annotators; the same name gives the same digits everywhere."""
    return hashlib.sha256(group.encode("utf-8", "surrogatepass")).hexdigest()[:6]


def side_name(folder: str) -> str:
    """The folder's name if it is annotator_1, annotator_2 and so on; any other may be a person's and is hashed."""
    return folder if _FOLDER.fullmatch(folder) else f"annotator_{pseudonym(folder)}"


def rater_name(side: str, group: str) -> str:
    """What one of a pair is called in the study: the side, and the pair's pseudonym."""
    return f"{side}-{pseudonym(group)}"


def rater_params(rater: str) -> dict[str, Any]:
    """What is known of an imported rater, from the name alone."""
    side, _, group = rater.rpartition("-")
    return {"imported": True, "side": side, "group": group}


def without_names(data: bytes) -> bytes:
    """The file with the pair's name replaced by its pseudonym wherever its shape puts it; else byte for byte.

    Works on damaged files too. `group` holds the name; `relativeItemPath` has it in front of the session;
    `annotatorFolder` is kept unless it is a name of its own.
    """
    data = _SIDE.sub(lambda m: m[1] + _quoted(side_name, m[2]), data)
    data = _GROUP.sub(lambda m: m[1] + _quoted(pseudonym, m[2]), data)
    return _ITEM_PATH.sub(lambda m: m[1] + _quoted(hide_in_path, m[2]), data)


def stored_path(path: str) -> str:
    """The path to store for a file of a double annotation: annotator folder, pseudonym and session, no more.

    A name that does not have the known shape is hashed whole.
    """
    parts = PurePosixPath(path).parts
    folder = parts[-2] if len(parts) > 1 and _FOLDER.fullmatch(parts[-2]) else "annotator"
    name = PurePosixPath(parts[-1]) if parts else PurePosixPath(path)
    shape = _FILE.fullmatch(name.stem)
    stem = f"{pseudonym(shape['group'])}__{shape['session']}" if shape else pseudonym(name.stem)
    return f"{folder}/{stem}{name.suffix}"


def is_annotator_folder(name: str) -> bool:
    """True for the name of a folder whose files bear people's names."""
    return _FOLDER.fullmatch(name) is not None


def hide_in_path(path: str) -> str:
    """A path of an item with only its session left in words: `<names>/<session>.json` or `<names>__<session>.json`."""
    folder, _, name = path.replace("\\", "/").rpartition("/")
    hidden = f"{pseudonym(folder)}/" if folder else ""
    if _SESSION.fullmatch(name):
        return hidden + name
    shape = _FILE.fullmatch(name)
    return hidden + (f"{pseudonym(shape['group'])}__{shape['session']}" if shape else pseudonym(name))


def _quoted(change: Callable[[str], str], token: bytes) -> bytes:
    """The token of a JSON text with its text changed; one that is cut off or no UTF-8 leaves only a pseudonym."""
    try:
        value = json.loads(token)
    except ValueError:
        return b'"' + pseudonym(token.decode("latin-1")).encode()
    return json.dumps(change(value)).encode()
