"""Opening a study, and the commands about the study as a whole: init, verify, backup, progress."""

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from alps_tui.commands.exit_codes import INTEGRITY, Ending
from alps_tui.commands.render import count, out, out_json, say, table

if TYPE_CHECKING:
    from store.database import Database
    from store.records import Rater


def open_study(url: str, *, create: bool = False, read_only: bool = False) -> "Database":
    """The study at `url`. Raises the store's errors, each a sentence."""
    from store.database import open_database

    study = open_database(url, create=create, read_only=read_only)
    if study.recovered is not None and study.recovered.written:
        say(f"{count(study.recovered.written, 'decision')} that could not be saved before came in now.")
    return study


def queues(study: "Database", rater_id: int) -> tuple[str, ...]:
    """The forms of which a rater has items, by name."""
    from store.assignments import assignments

    with study.read() as connection:
        return tuple(dict.fromkeys(one.protocol for one in assignments(connection, rater_id)))


def init(url: str) -> None:
    """Make an empty study; an existing file is left alone."""
    if "://" not in url and Path(url).exists() and Path(url).stat().st_size:
        raise Ending(f"{url} exists already; nothing was changed. Choose another name, or import into it.")
    open_study(url, create=True).close()
    say(f"{url}: an empty study. Next: alps import FILE-OR-FOLDER --db {url}")


def verify(url: str, as_json: bool) -> int:
    """Refold the whole log and compare; exit code 5 if anything differs."""
    from store.decisions import verify as refold

    study = open_study(url, read_only=True)
    with study.read() as connection:
        mismatches = refold(connection)
    study.close()
    if as_json:
        out_json({"mismatches": [str(mismatch) for mismatch in mismatches]})
    else:
        for mismatch in mismatches:
            out(str(mismatch))
        if not mismatches:
            out("Every answer equals the fold of its log.")
    return INTEGRITY if mismatches else 0


def backup(url: str, target: Path, as_json: bool) -> None:
    """A consistent copy, also while somebody annotates."""
    from store.database import backup as copy

    if target.exists():
        raise Ending(f"{target} exists already; nothing was copied. Name a file that does not exist.")
    study = open_study(url, read_only=True)
    copy(study, target)
    study.close()
    if as_json:
        out_json({"study": url, "copy": str(target), "bytes": target.stat().st_size})
    else:
        say(f"{target}: a copy of {url}.")


def progress(url: str, everyone: bool, as_json: bool) -> None:
    """Per person, or per rater of any kind, and form: items, submitted, skipped, started."""
    from store.assignments import progress as of
    from store.strata import rater_groups

    study = open_study(url, read_only=True)
    with study.read() as connection:
        people, others = rater_groups(connection)
    shown = sorted((*people, *others), key=lambda rater: rater.id) if everyone else people
    forms = [(rater, form) for rater in shown for form in queues(study, rater.id)]
    with study.read() as connection:
        rows = [(rater.name, form, of(connection, rater.id, form)) for rater, form in forms]
    study.close()
    if others and not everyone:
        say(f"Not shown: {_kinds_of(others)}. With them: --everyone")
    if as_json:
        out_json(
            [
                {
                    "rater": name,
                    "protocol": protocol,
                    "total": done.total,
                    "submitted": done.submitted,
                    "skipped": done.skipped,
                    "started": done.started,
                }
                for name, protocol, done in rows
            ]
        )
        return
    if not rows:
        raise Ending(f"{url} has nobody with items yet. Add a rater: alps rater add NAME --db {url}", 3)
    cells = [
        [name, protocol, f"{p.total:,}", f"{p.submitted:,}", f"{p.skipped:,}", f"{p.started:,}"]
        for name, protocol, p in rows
    ]
    out(table(["rater", "form", "items", "submitted", "skipped", "started"], cells))


def progress_by(url: str, by: str, protocol: str | None, everyone: bool, as_json: bool) -> None:
    """Over the people of the study, or all raters, per stratum: items, assignments, submitted, skipped, started."""
    from dataclasses import asdict

    from store.strata import Stratum, rater_groups
    from store.strata import progress_by as of

    if by not in set(Stratum):
        raise Ending(f"There is no progress by {by}. Say one of: {', '.join(Stratum)}.")
    study = open_study(url, read_only=True)
    with study.read() as connection:
        people, others = rater_groups(connection)
        counted = None if everyone or not others else [one.id for one in people]
        shares = of(connection, Stratum(by), protocol=protocol, rater_ids=counted)
    study.close()
    if others and not everyone:
        say(f"Not counted: {_kinds_of(others)}. With them: --everyone")
    if as_json:
        out_json([{by: one.stratum, "items": one.items} | asdict(one.progress) for one in shares])
        return
    if not shares:
        what = f"no items of {protocol}" if protocol else "no items"
        raise Ending(
            f"{url} has {what} yet. Import something first: alps import FILE-OR-FOLDER --db {url}", 3
        )
    cells = []
    for one in shares:
        p = one.progress
        done = f"{100 * p.submitted / p.total:.0f} %" if p.total else "-"
        counts = (one.items, p.total, p.submitted, p.skipped, p.started)
        cells.append([one.stratum, *(f"{number:,}" for number in counts), done])
    out(table([by, "items", "given out", "submitted", "skipped", "started", "done"], cells))


def _kinds_of(others: "Sequence[Rater]") -> str:
    """Who is not a person at this study's keyboard, by what they are: "2 judges, 5 imported raters"."""
    from store.kinds import RaterKind

    imported = sum(one.kind is RaterKind.HUMAN for one in others)
    judges = sum(
        one.kind in (RaterKind.JUDGE, RaterKind.BASELINE, RaterKind.IMPORTED_JUDGE) for one in others
    )
    named = [
        (judges, "judge", "judges"),
        (imported, "imported rater", "imported raters"),
        (len(others) - judges - imported, "adjudicator", "adjudicators"),
    ]
    return ", ".join(count(number, one, many) for number, one, many in named if number)
