"""The manifest that lies beside every export: what is in it, what was left out, and how to tell that it is whole."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exports.folder import MANIFEST, HashedFile, atomic
from store.study import KnownProtocol, Study

Json = Any
VERSION = 1


@dataclass(frozen=True, slots=True)
class FileEntry:
    """A file of the export: `rows` are its records (long rows, or sessions)."""

    name: str
    rows: int
    size: int
    sha256: str
    counts: Mapping[str, Json] = field(default_factory=dict)

    @classmethod
    def of(
        cls, name: str, rows: int, file: HashedFile, counts: Mapping[str, Json] | None = None
    ) -> "FileEntry":
        """What was written into a file."""
        return cls(name, rows, file.size, file.sha256, counts or {})

    def to_json(self) -> dict[str, Json]:
        told: dict[str, Json] = {
            "name": self.name,
            "rows": self.rows,
            "bytes": self.size,
            "sha256": self.sha256,
        }
        return told | ({"counts": dict(self.counts)} if self.counts else {})


@dataclass(frozen=True, slots=True)
class Manifest:
    """What an export holds. It names no time and no place, so that the same study gives the same bytes.

    kind         "long-table", "alpsbench-memories" or "alpsbench-bundles"
    population   in words: whose answers are in
    counts       totals over the files
    left_out     reason -> how many; anything here means exit code 1
    notes        what a reader of the files must know
    """

    kind: str
    study: str
    schema: int
    protocols: Mapping[str, str]
    population: str
    options: Mapping[str, Json]
    counts: Mapping[str, Json]
    files: tuple[FileEntry, ...]
    left_out: Mapping[str, int] = field(default_factory=dict)
    notes: tuple[str, ...] = ()

    @property
    def complete(self) -> bool:
        """True if nothing was left out."""
        return not any(self.left_out.values())

    def to_json(self) -> dict[str, Json]:
        return {
            "manifest": VERSION,
            "kind": self.kind,
            "study": self.study,
            "schema": self.schema,
            "protocols": dict(self.protocols),
            "population": self.population,
            "options": dict(self.options),
            "counts": dict(self.counts),
            "left_out": dict(self.left_out),
            "files": [entry.to_json() for entry in self.files],
            "notes": list(self.notes),
        }

    def write(self, folder: Path) -> None:
        """Write it last: a folder without a manifest is not a finished export."""
        with atomic(folder / MANIFEST) as file:
            file.write(json.dumps(self.to_json(), ensure_ascii=False, indent=1).encode("utf-8") + b"\n")


def about(study: Study, protocols: tuple[KnownProtocol, ...]) -> dict[str, Json]:
    """The part of a manifest that says which study it is of."""
    return {
        "study": study.id,
        "schema": study.schema,
        "protocols": {each.title: each.content_hash for each in protocols},
    }
