"""From the bytes of a file to records: which reader, one record or many, and what becomes of a broken one."""

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import orjson

from alps_tui.sources import (
    alpsbench_bundles,
    alpsbench_double,
    alpsbench_gold_editor,
    alpsbench_items,
    alpsbench_llm_memories,
    alpsbench_packets,
    alpsbench_rows,
    plain_jsonl,
)
from alps_tui.sources.detect import NO_DATA, Format, detect, first_text, looks_like_json
from alps_tui.sources.files import (
    DATA_SUFFIXES,
    DOCUMENT_LIMIT,
    HEAD,
    LONG_HEAD,
    Found,
    read_lines,
    read_sample,
)
from alps_tui.sources.lints import Code, Notes, Unreadable
from alps_tui.sources.normalise import clean_text
from alps_tui.sources.parsing import BOM, parse_json
from store.content_records import Annotation, Dialogue, Quarantined, SourceRecord

Content = Dialogue | Annotation

Reader = Callable[[Any, Notes], tuple[Content, ...]]

READERS: dict[Format, Reader] = {
    Format.PACKET: alpsbench_packets.read,
    Format.DOUBLE: alpsbench_double.read,
    Format.ITEM: alpsbench_items.read,
    Format.MEMORIES: alpsbench_llm_memories.read,
    Format.ROWS: alpsbench_rows.read,
    Format.PLAIN: plain_jsonl.read,
}
"""The readers that need the record alone; whose a bundle or a gold editor's file is, its path tells."""

IN_LINES = frozenset({Format.PLAIN, Format.ROWS})
"""Formats of one record per line. A file of any other in READERS may be in lines too: see `in_lines`."""

COMPANIONS = {
    "config.snapshot.json": "the settings of a sampling run",
    "build_summary.json": "the summary of a build",
}
"""Files beside AlpsBench's data that hold whatever their tools' settings were: told by name, since by nothing else."""

_ID_KEYS = {
    Format.PACKET: "session_id",
    Format.DOUBLE: "sessionId",
    Format.ITEM: "canonical_id",
    Format.MEMORIES: "session_id",
    Format.ROWS: "session_id",
    Format.BUNDLE: "rootName",
    Format.GOLD_EDITOR: "session_id",
    Format.PLAIN: "dialogue_id",
}


@dataclass(frozen=True, slots=True)
class Options:
    """How to read. `labels` is the taxonomy to hold labels against, or None; see `Notes` for `locate`."""

    labels: frozenset[str] | None = None
    locate: bool = True
    limit: int = DOCUMENT_LIMIT


@dataclass(frozen=True, slots=True)
class NotRead:
    """A file of which nothing is imported. `data` tells whether something that is data stays out."""

    reason: str
    data: bool
    recognised: bool = True


@dataclass(frozen=True, slots=True)
class Step:
    """One record of a file, and how many bytes of the file are behind it."""

    record: SourceRecord | Quarantined
    done: int


def recognise(found: Found, options: Options) -> Format | NotRead | Quarantined:
    """What a file is: a format to read, a reason not to, or a broken thing to keep aside. Raises OSError."""
    sample = read_sample(found.path)
    format = detect(sample)
    if format is None and not sample.whole and looks_like_json(sample.head):
        sample = read_sample(found.path, LONG_HEAD)
        format = detect(sample)
    if format is None:
        return _unknown(found, sample.head, options)
    if format is Format.LFS_POINTER:
        return NotRead("a Git LFS pointer: the data itself is not here (git lfs pull)", data=True)
    if format in NO_DATA:
        return NotRead("a manifest" if format is Format.MANIFEST else "reference numbers", data=False)
    if format is Format.PARQUET:
        return format
    if found.size > options.limit and not in_lines(found, format, options):
        return _too_large(found.size, options.limit)
    return format


def in_lines(found: Found, format: Format, options: Options) -> bool:
    """Whether each line of a file is a record of its own: the first is a JSON document and not the last."""
    if format in IN_LINES or format not in READERS:
        return format in IN_LINES
    lines = read_lines(found.path, options.limit)
    first = next(lines, None)
    return first is not None and first.whole and next(lines, None) is not None and _is_json(first.data)


def read_document(found: Found, format: Format, options: Options) -> Iterator[SourceRecord | Quarantined]:
    """The record of a file that is one JSON document, and each part of it that could not be read. Raises OSError.

    The parts are in the record's bytes too; by themselves they are named, with a reason each, as records 2 and on.
    """
    data = found.path.read_bytes()
    notes = Notes(options.labels, locate=options.locate)
    yield understand(format, 1, data, _without_names(format, data), _reader(format, found), notes)
    for one in notes.aside:
        raw = _without_names(format, orjson.dumps(one.part))
        yield Quarantined(2 + one.place, _guess_part(raw), raw, clean_text(one.reason)[0])


def _guess_part(raw: bytes) -> str:
    return clean_text(first_text(raw[:HEAD], "sessionId") or first_text(raw[:HEAD], "session_id"))[0]


def _without_names(format: Format, data: bytes) -> bytes:
    """The bytes to keep: those of the file, without people's names where its shape puts them."""
    if format is Format.DOUBLE:
        return alpsbench_double.without_names(data)
    return alpsbench_bundles.without_bundle_names(data) if format is Format.BUNDLE else data


def _reader(format: Format, found: Found) -> Reader:
    """The reader of a file; for those that do not say whose they are, with what their path says of it."""
    if format is Format.BUNDLE:
        annotator = alpsbench_bundles.annotator_of(found.path)
        return lambda document, notes: alpsbench_bundles.read(document, notes, annotator)
    if format is Format.GOLD_EDITOR:
        editor = alpsbench_gold_editor.editor_of(found.path)
        return lambda document, notes: alpsbench_gold_editor.read(document, notes, editor)
    return READERS[format]


def stored_name(found: Found, format: Format) -> str:
    """What the study calls a file: as it is shown, or with pseudonyms where its name may be a person's."""
    if format is Format.BUNDLE:
        return alpsbench_bundles.stored_bundle_path(found.path)
    if format is Format.GOLD_EDITOR:
        return alpsbench_gold_editor.stored_editor_path(found.path)
    return found.shown


def read_json_lines(found: Found, format: Format, options: Options) -> Iterator[Step]:
    """The records of JSON lines, numbered by line; nothing but one line is in memory. Raises OSError."""
    if format in IN_LINES and (reason := _no_lines(read_sample(found.path).head)):
        raw = read_sample(found.path, options.limit).head
        yield Step(Quarantined(1, "", raw, reason), found.size)
        return
    for line in read_lines(found.path, options.limit):
        if not line.whole:
            reason = f"a line of over {options.limit // 1_000_000} MB: only its beginning is kept here"
            yield Step(Quarantined(line.number, _guess_id(format, line.data), line.data, reason), line.end)
            continue
        notes = Notes(options.labels, locate=options.locate)
        kept = _without_names(format, line.data)
        yield Step(understand(format, line.number, line.data, kept, READERS[format], notes), line.end)


def understand(
    format: Format, ordinal: int, data: bytes, kept: bytes, reader: Reader, notes: Notes
) -> SourceRecord | Quarantined:
    """One record read by its format's reader; `kept` are the bytes to store. Nothing is raised for bad data."""
    if kept != data:
        notes.add(Code.NAME_REPLACED, "")
    try:
        content = reader(parse_json(data, notes), notes)
    except Unreadable as error:
        return Quarantined(ordinal, _guess_id(format, data), kept, clean_text(str(error))[0])
    return SourceRecord(
        ordinal, _id_of(content) or _guess_id(format, data), kept, content, tuple(notes.lints)
    )


def _id_of(content: tuple[Content, ...]) -> str:
    if not content:
        return ""
    return content[0].external_id if isinstance(content[0], Dialogue) else content[0].session_id


def _guess_id(format: Format, data: bytes) -> str:
    """The id a broken record seems to have, for the report; empty if none is seen at its beginning."""
    return clean_text(first_text(data[:HEAD], _ID_KEYS[format]))[0]


def _no_lines(head: bytes) -> str | None:
    """Why a file that has the keys of plain JSON lines is not in lines; None if it is."""
    start = head.removeprefix(BOM).lstrip()
    first = start.split(b"\n", 1)[0].strip()
    if first.startswith(b"["):
        return "a JSON list; plain JSON lines have one object per line (jq -c '.[]' FILE)"
    if first == b"{":
        return "one object spread over several lines; plain JSON lines have one per line (jq -c . FILE)"
    return None


def _unknown(found: Found, head: bytes, options: Options) -> NotRead | Quarantined:
    """A file of no known format: broken JSON is kept aside, other JSON named, anything else passed over."""
    json_like = looks_like_json(head)
    if not json_like and found.path.suffix.lower() not in DATA_SUFFIXES:
        return NotRead("not JSON", data=False, recognised=False)
    if not json_like and found.path.suffix.lower() == ".parquet":
        return NotRead("not a parquet file, or one whose beginning is missing", data=True)
    if found.size > options.limit:
        return _too_large(found.size, options.limit)
    data = found.path.read_bytes()
    try:
        parse_json(data, Notes())
    except Unreadable as error:
        if not _is_json(data.split(b"\n", 1)[0]):
            kept = alpsbench_double.without_names(data)
            return Quarantined(1, "", kept, clean_text(str(error))[0])
    if found.path.name in COMPANIONS:
        return NotRead(COMPANIONS[found.path.name], data=False)
    return NotRead("JSON of no format that this version knows", data=True, recognised=False)


def _is_json(data: bytes) -> bool:
    try:
        orjson.loads(data)
    except orjson.JSONDecodeError:
        return False
    return True


def _too_large(size: int, limit: int) -> NotRead:
    return NotRead(
        f"one JSON document of {size // 1_000_000:,} MB: over {limit // 1_000_000} MB is refused. "
        "Split it, or write it as JSON lines (jq -c '.[]' FILE, if it is a list)",
        data=True,
    )
