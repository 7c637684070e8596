"""What an import did, file by file and record by record: frozen, and sayable as JSON."""

from collections import Counter
from dataclasses import asdict, dataclass, field
from typing import Any

COUNTED = {
    "records": "records",
    "dialogues": "dialogues",
    "turns": "turns",
    "gold": "gold_memories",
    "model": "model_memories",
    "given": "given_memories",
    "system": "system_memories",
    "updates": "updates",
    "pools": "pools",
    "pool_entries": "pool_entries",
    "queries": "queries",
    "responses": "responses",
    "annotations": "annotations",
    "raters": "raters",
}
"""What the store counts, and what the report calls it, in the order of the report."""


@dataclass(frozen=True, slots=True)
class KeptAside:
    """A record that could not be read. Its bytes are in the study, with this reason."""

    file: str
    ordinal: int
    record: str
    reason: str

    def sentence(self) -> str:
        """Where it is and why, for people."""
        return f"{self.file}, record {self.ordinal}: {self.reason}"


@dataclass(frozen=True, slots=True)
class LintFound:
    """Something odd in a record that came in all the same. `where` is the path within the record."""

    file: str
    ordinal: int
    record: str
    code: str
    where: str
    message: str


@dataclass(frozen=True, slots=True)
class NewVersion:
    """A record that came in as another text or list than the study had of the same dialogue."""

    file: str
    ordinal: int
    record: str


@dataclass(frozen=True, slots=True)
class LeftOut:
    """A file that was looked at and not read: why, in words."""

    file: str
    reason: str


@dataclass(frozen=True, slots=True)
class ImportReport:
    """What one import did.

    files         files that were read
    counts        what is new in the study, by the names in COUNTED; zero where nothing is
    same          records that were in the study already
    changed       texts and lists that became a new version of a known one
    versions      the records that brought them
    quarantined   records kept aside
    lints         how often each oddity occurred in the files read, whether their records are new or not
    left_out      files with data that were not read; the import is not complete
    no_data       files that hold nothing to import: manifests, reference numbers, other files
    formats       how many files of each format were read
    """

    files: int
    counts: Counter[str]
    same: int
    changed: int
    quarantined: tuple[KeptAside, ...]
    lints: Counter[str]
    lint_rows: tuple[LintFound, ...]
    left_out: tuple[LeftOut, ...]
    no_data: tuple[LeftOut, ...]
    formats: Counter[str]
    dry_run: bool = False
    versions: tuple[NewVersion, ...] = ()

    @property
    def complete(self) -> bool:
        """True if nothing was kept aside or left out: the exit code is 0, else 1."""
        return not self.quarantined and not self.left_out

    @property
    def is_new(self) -> bool:
        """True if the study now holds something it did not hold before."""
        return any(self.counts.values()) or self.changed > 0

    def to_json(self) -> dict[str, Any]:
        """The report with its rows, keys in reading order."""
        return {
            "dry_run": self.dry_run,
            "files": self.files,
            "formats": dict(sorted(self.formats.items())),
            "counts": {name: self.counts[name] for name in COUNTED.values()},
            "same": self.same,
            "changed": self.changed,
            "versions": [asdict(one) for one in self.versions],
            "complete": self.complete,
            "quarantined": [asdict(one) for one in self.quarantined],
            "left_out": [asdict(one) for one in self.left_out],
            "no_data": [asdict(one) for one in self.no_data],
            "lints": dict(sorted(self.lints.items())),
            "lint_rows": [asdict(one) for one in self.lint_rows],
        }


@dataclass
class Tally:
    """An import report while it is being counted."""

    files: int = 0
    recognised: int = 0
    same: int = 0
    changed: int = 0
    counts: Counter[str] = field(default_factory=Counter)
    formats: Counter[str] = field(default_factory=Counter)
    quarantined: list[KeptAside] = field(default_factory=list)
    lint_rows: list[LintFound] = field(default_factory=list)
    left_out: list[LeftOut] = field(default_factory=list)
    no_data: list[LeftOut] = field(default_factory=list)
    versions: list[NewVersion] = field(default_factory=list)

    def add(self, stored: Counter[str]) -> None:
        """Count what the store said was new about one record."""
        self.same += stored["same"]
        self.changed += stored["changed"]
        for key, name in COUNTED.items():
            self.counts[name] += stored[key]

    def report(self, *, dry_run: bool) -> ImportReport:
        return ImportReport(
            files=self.files,
            counts=Counter({name: self.counts[name] for name in COUNTED.values()}),
            same=self.same,
            changed=self.changed,
            quarantined=tuple(self.quarantined),
            lints=Counter(one.code for one in self.lint_rows),
            lint_rows=tuple(self.lint_rows),
            left_out=tuple(self.left_out),
            no_data=tuple(self.no_data),
            formats=Counter(self.formats),
            dry_run=dry_run,
            versions=tuple(self.versions),
        )
