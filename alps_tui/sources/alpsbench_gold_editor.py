"""Exports of AlpsBench's gold editor: sessions with the memories somebody left, as a backup or as results.

The editor numbers its memories anew whenever it saves, so that their ids say nothing of the proposals they came
from. The lists are kept as that person's annotations of the task "gold"; where the session's packet is in the study,
decisions on its gold are read off them by what the memories say.
"""

import re
from pathlib import Path
from typing import Any

from alps_tui.sources.alpsbench_double import SOURCE, pseudonym
from alps_tui.sources.lints import Code, Notes
from alps_tui.sources.memories import lint_records
from alps_tui.sources.parts import as_list, as_object, id_of, text_of
from store.content_records import Annotation

TASK = "gold"
SIDE = "gold-editor"
SESSION_KEY = re.compile(r"(?P<session>sess_\w+?)__(?P<canonical>.+)", re.DOTALL)


def editor_of(path: Path) -> str:
    """What the person is called whose file this is: its name may be theirs and is hashed."""
    return f"{SIDE}-{pseudonym(path.stem)}"


def stored_editor_path(path: Path) -> str:
    return f"{editor_of(path)}{path.suffix}"


def read(document: Any, notes: Notes, editor: str) -> tuple[Annotation, ...]:
    """One annotation per session; of a backup with the time it was saved. A session that is broken is kept aside.

    raises   Unreadable if the file holds no object
    """
    found: list[Annotation] = []
    for place, (key, entry) in enumerate(as_object(document, "the file").items()):
        with notes.apart(place, {key: entry}, ""):
            found.append(_annotation(key, entry, editor, notes))
    return tuple(found)


def _annotation(key: str, entry: Any, editor: str, notes: Notes) -> Annotation:
    record = as_object(entry, key)
    lint_records(as_list(record.get("golden_answer"), f"{key}/golden_answer"), key, notes)
    match = SESSION_KEY.fullmatch(key)
    session = id_of(record.get("session_id")) or (match["session"] if match else id_of(key)) or "unnamed"
    if match is not None and match["session"] != session:
        notes.add(Code.SESSION_DIFFERS, key, f'its session_id is "{session}"')
    return Annotation(
        source=SOURCE,
        session_id=session,
        task=TASK,
        rater=editor,
        side=SIDE,
        payload=record,
        updated_at=text_of(record.get("updatedAt"), f"{key}/updatedAt", notes) or None,
        rater_params={"imported": True, "side": SIDE, "group": editor.rpartition("-")[2]},
    )
