"""Acts and places that could not be written: a file beside the study that keeps them until they are in it."""

import json
import os
from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import IO, Any

from store.assignments import assignment_by_id
from store.content_records import Json
from store.database import Database
from store.decisions import append, on_own_acts
from store.encoding import digest
from store.errors import Conflict, NotPossible
from store.kinds import Attested, Status, UnitKind, Verb
from store.place import save_place
from store.records import Act, Change, NewUnit, Seen

try:
    import fcntl
except ImportError:  # Windows has no flock; there one program at a time uses the file
    fcntl = None  # type: ignore[assignment]


@dataclass(frozen=True, slots=True)
class Recovered:
    """What came of a recovery file: acts now in the log, and acts the rules refuse, each with its sentence."""

    written: int
    refused: tuple[tuple[Act, str], ...]


def recovery_path(db: Database) -> Path:
    """`alps.db` → `alps.db.recovery.jsonl`."""
    assert db.path is not None
    return db.path.with_name(f"{db.path.name}.recovery.jsonl")


def elsewhere(db: Database) -> Path:
    """Where they are kept when the disk of the study takes nothing at all: the user's own folder for such things, under
    a name that stands for the study's place."""
    state = os.environ.get("XDG_STATE_HOME") or os.path.expanduser("~/.local/state")  # noqa: PTH111 (never raises)
    return Path(state) / "alps" / f"{digest(str(db.path))[:16]}.recovery.jsonl"


def recovery_paths(db: Database) -> tuple[Path, ...]:
    """The files of a study that hold something, the one beside it first."""
    both = (recovery_path(db), elsewhere(db))
    return tuple(path for path in both if os.path.isfile(path))  # noqa: PTH113 (one that may not be seen is none)


def refused_path(db: Database) -> Path:
    """`alps.db` → `alps.db.refused.jsonl`: acts that the rules refused, kept for a person to read."""
    assert db.path is not None
    return db.path.with_name(f"{db.path.name}.refused.jsonl")


# ---------------------------------------------------------------- acts as lines


def act_to_line(act: Act) -> str:
    """One line of JSON, ASCII only: it survives whatever the text holds."""
    return json.dumps(asdict(act), ensure_ascii=True, separators=(",", ":"))


def act_from_line(line: str) -> Act:
    """raises   ValueError, KeyError or TypeError if the line is no act (a line cut off by a crash)"""
    stored: dict[str, Any] = json.loads(line)
    changes = tuple(_change(one) for one in stored["changes"])
    return Act(
        **{
            **stored,
            "verb": Verb(stored["verb"]),
            "changes": changes,
            "presentation": tuple(stored["presentation"]),
            "seen": Seen(**stored["seen"]),
        }
    )


def _change(stored: dict[str, Any]) -> Change:
    unit = stored["new_unit"]
    made = None if unit is None else NewUnit(UnitKind(unit["kind"]), unit["key"], unit["shown_id"])
    return Change(
        **{
            **stored,
            "new_unit": made,
            "status": Status(stored["status"]),
            "attested": Attested(stored["attested"]),
        }
    )


def _place_from_line(line: str) -> tuple[int, dict[str, Json]]:
    """The assignment and where its rater was, with what was typed and not decided.

    raises   ValueError, KeyError or TypeError if the line is no place
    """
    stored: dict[str, Any] = json.loads(line)
    return int(stored["place_of"]), dict(stored["place"])


# ---------------------------------------------------------------- the file


def keep(path: Path, acts: Iterable[Act]) -> None:
    """Append acts to a recovery file and wait until they are on the disk.

    raises   OSError if the disk does not take them
    """
    with _locked(path) as file:
        file.seek(0, os.SEEK_END)
        file.write("".join(act_to_line(act) + "\n" for act in acts))


def keep_somewhere(db: Database, keep_in: Callable[[Path], None]) -> Path:
    """Keep something beside the study, elsewhere if its disk takes nothing; the file that took it.

    keep_in   writes to a recovery file, and raises OSError if that cannot be

    raises   OSError if neither takes it
    """
    beside, other = recovery_path(db), elsewhere(db)
    try:
        keep_in(beside)
    except OSError:
        _without_empty(beside)
    else:
        return beside
    other.parent.mkdir(parents=True, exist_ok=True)
    keep_in(other)
    return other


def _without_empty(path: Path) -> None:
    """Take away a file that was made and not written: nobody should think that it keeps something."""
    if path.is_file() and not path.stat().st_size:
        path.unlink()


def keep_places(path: Path, places: Mapping[int, Mapping[str, Json]]) -> None:
    """Append the places of assignments to a recovery file and wait until they are on the disk.

    raises   OSError if the disk does not take them
    """
    with _locked(path) as file:
        file.seek(0, os.SEEK_END)
        for assignment_id, place in places.items():
            file.write(
                json.dumps({"place_of": assignment_id, "place": dict(place)}, ensure_ascii=True) + "\n"
            )


def forget(path: Path, act_ids: Iterable[str]) -> None:
    """Take acts out of a recovery file; the file goes with its last line. Lines that are no act stay.

    act_ids   ids of acts; a line that is a place, whole
    """
    if not path.exists():
        return
    gone = set(act_ids)
    with _locked(path) as file:
        lines = file.read().splitlines(keepends=True)
        left = [line for line in lines if not gone & {_act_id(line), line.rstrip("\n")}]
        file.seek(0)
        file.truncate()
        file.writelines(left)
        if not left:
            path.unlink()


def _act_id(line: str) -> str | None:
    try:
        return act_from_line(line).act_id
    except (ValueError, KeyError, TypeError):
        return None


@contextmanager
def _locked(path: Path) -> Iterator[IO[str]]:
    """The file, opened for reading and writing, held by this program alone, on the disk when it is closed."""
    while True:
        with open(path, "a+", encoding="ascii", newline="\n") as file:  # noqa: PTH123  (Path.open has no better mode)
            if fcntl is not None:
                fcntl.flock(file, fcntl.LOCK_EX)
            if not path.exists() or path.stat().st_ino != os.fstat(file.fileno()).st_ino:
                continue  # another program finished the file and removed it while we waited
            file.seek(0)
            yield file
            file.flush()
            os.fsync(file.fileno())
            return


# ---------------------------------------------------------------- back into the log


def recover(db: Database) -> Recovered:
    """Write the acts of the recovery file into the log, in their order; those already there change nothing. Places
    are remembered again.

    Acts that the rules refuse now move to the refused file with the reason; lines that are no act stay.

    raises   StudyBusy and other StoreErrors if the study still cannot be written: the file stays as it is
    """
    found = [_recover_from(db, path) for path in recovery_paths(db)]
    return Recovered(sum(one.written for one in found), tuple(act for one in found for act in one.refused))


def _recover_from(db: Database, path: Path) -> Recovered:
    lines = path.read_text(encoding="ascii", errors="replace").splitlines()
    acts = [act_from_line(line) for line in lines if _act_id(line) is not None]
    written, refused = 0, []
    reached: dict[tuple[str, int], int] = {}
    for act in acts:
        place = (act.window, act.assignment_id)
        try:
            with db.write() as conn:
                reached[place] = append(conn, on_own_acts(act, reached.get(place))).revision
            written += 1
        except (NotPossible, Conflict) as error:
            refused.append((act, str(error)))
    keep_refused(db, refused)
    places = [line for line in lines if _is_place(line)]
    _recover_places(db, places)
    forget(path, [*(act.act_id for act in acts), *places])
    return Recovered(written, tuple(refused))


def _recover_places(db: Database, lines: Iterable[str]) -> None:
    """The last place of an assignment counts; one whose assignment is not in this study is left."""
    for assignment_id, place in map(_place_from_line, lines):
        with db.write() as conn:
            if assignment_by_id(conn, assignment_id) is not None:
                save_place(conn, assignment_id, place)


def _is_place(line: str) -> bool:
    try:
        _place_from_line(line)
    except (ValueError, KeyError, TypeError):
        return False
    return True


def keep_refused(db: Database, refused: Iterable[tuple[Act, str]]) -> None:
    """Append refused acts with their reasons to the refused file: typed text is never thrown away."""
    lines = [
        json.dumps({"reason": reason, "act": asdict(act)}, ensure_ascii=True) + "\n"
        for act, reason in refused
    ]
    if lines:
        with _locked(refused_path(db)) as file:
            file.seek(0, os.SEEK_END)
            file.writelines(lines)
