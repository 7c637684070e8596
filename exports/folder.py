"""A folder that an export is written into: complete or not there, and never over somebody's work."""

import hashlib
import json
import os
import secrets
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import BinaryIO

MANIFEST = "manifest.json"


class ExportRefused(Exception):
    """The export was not begun: `str(error)` is a sentence that says why and what to do."""


@dataclass
class HashedFile:
    """A file being written, with the hash and size of what went into it."""

    file: BinaryIO
    hasher: "hashlib._Hash" = field(default_factory=hashlib.sha256)
    size: int = 0

    @property
    def sha256(self) -> str:
        return self.hasher.hexdigest()

    def write(self, data: bytes) -> None:
        self.file.write(data)
        self.hasher.update(data)
        self.size += len(data)


def prepare(folder: Path, *, force: bool) -> None:
    """Make the folder, or take an empty one; one with anything in it only with `force`.

    raises   ExportRefused if it is a file, cannot be made, or is not empty and `force` is not given
    """
    if folder.exists() and not folder.is_dir():
        raise ExportRefused(f"{folder} is a file: name a folder to export into.")
    try:
        folder.mkdir(parents=True, exist_ok=True)
        found = sorted(entry.name for entry in folder.iterdir())
    except OSError as error:
        raise ExportRefused(f"{folder} cannot be used: {error.strerror}. Name another folder.") from error
    if found and not force:
        shown = ", ".join(found[:3]) + (", ..." if len(found) > 3 else "")
        raise ExportRefused(
            f"{folder} is not empty ({shown}): nothing was written. Name a new folder, or add --force to replace "
            "the files of an earlier export in it."
        )


@contextmanager
def atomic(path: Path) -> Iterator[HashedFile]:
    """A file that appears under its name only when it is complete and on disk; nothing is left if it fails."""
    temporary = path.with_name(f".{path.name}.{secrets.token_hex(4)}.partial")
    try:
        with temporary.open("xb") as file:
            yield HashedFile(file)
            file.flush()
            os.fsync(file.fileno())
        temporary.replace(path)
    except BaseException:
        temporary.unlink(missing_ok=True)
        raise


def earlier_files(folder: Path) -> tuple[str, ...]:
    """The files that the manifest in a folder names; none without a manifest that can be read."""
    try:
        named = json.loads((folder / MANIFEST).read_bytes())["files"]
        return tuple(entry["name"] for entry in named)
    except (OSError, ValueError, KeyError, TypeError):
        return ()


def drop_stale(folder: Path, earlier: tuple[str, ...], written: tuple[str, ...]) -> None:
    """Remove what an earlier export wrote here and this one did not; other files are not ours."""
    for name in set(earlier) - set(written):
        if Path(name).name == name and name != MANIFEST:
            (folder / name).unlink(missing_ok=True)
