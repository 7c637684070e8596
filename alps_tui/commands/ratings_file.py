"""Ratings from a file instead of a study: read, with what the caller says of its fields, and the report of them."""

import json
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alps_tui.commands.exit_codes import NOTHING_TO_DO, Ending
from alps_tui.commands.progress_bar import progress_bar

if TYPE_CHECKING:
    from alps_tui.agreement.asked_fields import Said
    from alps_tui.agreement.whole import AgreementReport
    from alps_tui.commands.agreement import Wish
    from store.table import Table

_RANGE = re.compile(r"(-?\d+)\.\.(-?\d+)")
_IMPORTED = re.compile(r"(annotator_\d+)-[0-9a-f]{6}")
"""The names that an import gives to annotators of a double annotation: their side and their group."""

MOST_POINTS = 1_001
NO_LISTS = "The file does not hold the proposals as they were before anybody touched them, so F1 of the lists is not shown."


@dataclass(frozen=True, slots=True)
class FileRead:
    """The rows of a file that can be counted, what is said of them, and how many contradict each other."""

    table: "Table"
    said: "Said"
    told: tuple[str, ...]
    dropped: int


def report_of_file(wish: "Wish") -> "AgreementReport":
    """The report of a file of ratings.

    raises   Ending, with a sentence, if it is no table of ratings or nothing in it can be computed
    """
    from alps_tui.agreement.whole import DECISIONS, Imported, agreement_report

    assert wish.ratings is not None
    read = read_file(wish.ratings, wish.levels, wish.scales, wish.beside, wish.form)
    sides = {
        name: found[1]
        for name in set(read.table.column("rater").tolist())
        if (found := _IMPORTED.fullmatch(name))
    }
    with progress_bar("Computing agreement"):
        report = agreement_report(
            read.table,
            said=read.said,
            imported=Imported(sides),
            field=wish.field,
            told=read.told,
            dropped=read.dropped,
            seed=wish.seed,
        )
    if report.empty:
        left = ", ".join(
            f"{n:,} {reason.replace('_', ' ')}" for reason, n in report.population.left_out.items()
        )
        raise Ending(
            f"{wish.ratings}: none of its {len(read.table):,} rows counts. Left out: {left or 'contradicting rows'}.",
            NOTHING_TO_DO,
        )
    if not report.n_fields and report.refused:
        raise Ending(f"{wish.ratings}: nothing can be computed. " + _each(report.refused))
    if report.decisions is not None and wish.field in (None, "verdict"):
        from dataclasses import replace

        report = replace(report, said=(*report.said, f"{DECISIONS}: {NO_LISTS}"))
    return report


def _each(refused: "dict[str, str]") -> str:
    few = list(refused.items())
    rest = f" And {len(few) - 3} more fields." if len(few) > 3 else ""
    return " ".join(f"{key}: {why}" + ("" if why.endswith(".") else ".") for key, why in few[:3]) + rest


def read_file(
    path: Path,
    levels: Sequence[str],
    scales: Sequence[str],
    beside: Sequence[str],
    form: str | None = None,
) -> FileRead:
    """The rows of a file, one a cell, with what was said on the command line and by the built-in forms.

    form   only the rows of this one: NAME, or NAME@VERSION
    """
    from alps_tui.agreement.asked_fields import Said
    from alps_tui.agreement.duplicates import without_duplicates
    from alps_tui.commands.agreement import known_forms
    from alps_tui.sources.rating_files import RatingsEmpty, RatingsUnreadable, read_ratings
    from store.kinds import Level

    try:
        with progress_bar(f"Reading {path.name}") as progress:
            read = read_ratings(path, progress)
    except RatingsEmpty as problem:
        raise Ending(str(problem), NOTHING_TO_DO) from problem
    except RatingsUnreadable as problem:
        raise Ending(str(problem)) from problem
    except OSError as problem:
        raise Ending(f"{path} cannot be read: {problem.strerror or problem}.") from problem
    rows = read.table if form is None else _of_form(read.table, form, path)
    fields = tuple(dict.fromkeys(str(key) for key in dict.fromkeys(rows.column("field").tolist()) if key))
    said = Said(
        levels={key: Level(word) for key, word in _pairs("--level", levels, fields, tuple(Level))},
        scales={key: _scale(key, text) for key, text in _pairs("--scale", scales, fields)},
        beside={key: _value(text) for key, text in _pairs("--does-not-apply", beside, fields)},
        forms=known_forms(),
    )
    once = without_duplicates(rows)
    return FileRead(once.table, said, (*read.said, *once.said), once.contradicting)


def _of_form(rows: "Table", form: str, path: Path) -> "Table":
    """The rows of a form, under one version or all of them."""
    from alps_tui.agreement.asked_fields import form_of
    from alps_tui.agreement.fields import of_form

    mine = rows.where(rows.column("protocol") == form) if "@" in form else of_form(rows, form)
    if len(mine):
        return mine
    there = sorted({form_of(name) for name in set(rows.column("protocol").tolist()) if name})
    others = f" It has: {', '.join(there)}." if there else " It names no forms."
    raise Ending(f"{path} has no answers to {form.replace('@', ' ')}.{others}", NOTHING_TO_DO)


def _pairs(
    option: str, given: Sequence[str], fields: Sequence[str], allowed: Sequence[str] = ()
) -> list[tuple[str, str]]:
    """FIELD and what is said of it; a file of one field needs no FIELD=."""
    found = []
    for text in given:
        key, mark, word = text.partition("=")
        if not mark and len(fields) == 1:
            key, word = fields[0], text
        elif not mark:
            raise Ending(f"{option} takes FIELD=..., not {text}. The file has: {', '.join(fields[:12])}.")
        if key not in fields:
            if len(fields) == 1:
                raise Ending(
                    f"{option}: the file has no field {key}, only {fields[0]}: {option} {word} is enough."
                )
            raise Ending(f"{option}: the file has no field {key}. It has: {', '.join(fields[:12])}.")
        if allowed and word not in allowed:
            raise Ending(f"{option} {key}={word}: there are {', '.join(allowed)}.")
        found.append((key, word))
    return found


def _scale(key: str, text: str) -> tuple[Any, ...]:
    """`1..5`, `a,b,c` or a JSON list."""
    if found := _RANGE.fullmatch(text):
        low, high = int(found[1]), int(found[2])
        if low >= high or high - low >= MOST_POINTS:
            raise Ending(
                f"--scale {key}={text}: from the lowest to the highest, at most {MOST_POINTS:,} points."
            )
        return tuple(range(low, high + 1))
    if text.startswith("["):
        try:
            values = json.loads(text)
        except ValueError as problem:
            raise Ending(f"--scale {key}={text} is no JSON list.") from problem
    else:
        values = [_value(part) for part in text.split(",")]
    plain = all(isinstance(value, str | int | float) and value != "" for value in values)
    if len(values) < 2 or not plain or len({(isinstance(v, bool), v) for v in values}) < len(values):
        raise Ending(f"--scale {key}={text}: two different values or more, in order (1..5, or a,b,c).")
    return tuple(values)


def _value(text: str) -> Any:
    """A number where it is one, else the words."""
    try:
        value = json.loads(text)
    except ValueError:
        return text.strip()
    return value if isinstance(value, str | int | float | bool) else text.strip()
