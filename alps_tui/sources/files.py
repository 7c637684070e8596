"""Files and folders as they are named: walked in order, read as one document or line by line."""

import hashlib
import os
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path

from alps_tui.sources.alpsbench_double import is_annotator_folder, stored_path
from alps_tui.sources.detect import Sample
from alps_tui.sources.normalise import clean_text

DOCUMENT_LIMIT = 200_000_000
"""Bytes of one JSON document or one line; more is refused, since it would have to be held in memory whole."""

HEAD = 65_536
LONG_HEAD = 2_000_000
DATA_SUFFIXES = frozenset({".json", ".jsonl", ".ndjson", ".parquet"})


class CannotImport(Exception):
    """What was asked cannot be imported at all; `str(error)` is a sentence that says why and what to do."""


@dataclass(frozen=True, slots=True)
class Found:
    """A file to look at. `shown` is what reports and the study call it, without machine paths or people's names."""

    path: Path
    shown: str
    size: int


@dataclass(frozen=True, slots=True)
class Missed:
    """A file or folder that could not be looked at, and why."""

    shown: str
    reason: str


def find_files(paths: Sequence[str | Path]) -> tuple[list[Found], list[Missed]]:
    """All regular files under the paths, each once, in the order of the paths and sorted within each.

    Links to folders are not followed.

    raises   CannotImport if a path does not exist
    """
    found: dict[str, Found] = {}
    missed: list[Missed] = []
    for given in paths:
        root = Path(given)
        if not os.path.exists(root):  # noqa: PTH110 - Path.exists raises for names too long or closed folders
            raise CannotImport(f"{root} does not exist, nothing was imported. Check the path.")
        for path in _walk(root, missed) if root.is_dir() else [root]:
            shown = shown_path(path, root)
            if not path.is_file():
                missed.append(Missed(shown, "not a regular file"))
                continue
            try:
                found.setdefault(os.path.realpath(path), Found(path, shown, path.stat().st_size))
            except OSError as error:
                missed.append(Missed(shown, error.strerror or "cannot be read"))
    return list(found.values()), missed


def _walk(root: Path, missed: list[Missed]) -> Iterator[Path]:
    def note(error: OSError) -> None:
        missed.append(
            Missed(shown_path(Path(error.filename or root), root), error.strerror or "cannot be read")
        )

    for folder, folders, names in os.walk(root, onerror=note):
        folders.sort()
        for name in sorted(names):
            yield Path(folder, name)


def shown_path(path: Path, root: Path) -> str:
    """The path from the named folder on; for annotators' folders without the names in it."""
    if is_annotator_folder(path.absolute().parent.name):
        return stored_path(clean_text(path.absolute().as_posix())[0])
    if path == root:
        return clean_text(path.name or str(path))[0]
    return clean_text((Path(root.absolute().name) / path.relative_to(root)).as_posix())[0]


def read_sample(path: Path, size: int = HEAD) -> Sample:
    """The first bytes of a file. Raises OSError."""
    with path.open("rb") as file:
        head = file.read(size)
        return Sample(head, whole=not file.read(1))


def sha256_of(path: Path) -> str:
    """The hash of a file's bytes, read in pieces. Raises OSError."""
    with path.open("rb") as file:
        return hashlib.file_digest(file, "sha256").hexdigest()


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a file that is not blank: its number from 1, its bytes without the end, whether it is all there."""

    number: int
    data: bytes
    whole: bool
    end: int


def read_lines(path: Path, limit: int = DOCUMENT_LIMIT) -> Iterator[Line]:
    """The lines of a file, one at a time; of a line over the limit only its beginning. Raises OSError."""
    with path.open("rb") as file:
        number = 0
        while data := file.readline(limit + 1):
            number += 1
            whole = data.endswith(b"\n") or len(data) <= limit
            if not whole:
                while (rest := file.readline(limit)) and not rest.endswith(b"\n"):
                    pass
                data = data[:HEAD]
            if data.strip():
                yield Line(number, data.rstrip(b"\r\n"), whole, file.tell())
