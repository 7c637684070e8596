"""The agreement command: reads the long table of a study or of a file, and prints what the report says of it."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from alps_tui.commands.exit_codes import CHECK_FAILED, NOTHING_TO_DO, OK, Ending
from alps_tui.commands.progress_bar import progress_bar
from alps_tui.commands.render import GAP, WIDTH, out, out_file, out_json, out_prose, say, table
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from alps_tui.agreement.asked_fields import Known
    from alps_tui.agreement.whole import AgreementReport, Imported
    from exports.agreement_blocks import Block, Grid
    from store.database import Database
    from store.table import Table

SEED = 42
DECISIONS = "memory-verification"
RATINGS = "response-rating"
NARROWEST = 12


@dataclass(frozen=True, slots=True)
class Wish:
    """What `alps agreement` was asked: of a study, or of a file with what is said of its fields.

    levels, scales, beside   FIELD=... as typed, each once or several times
    field                    only this one
    format                   text, json, csv, markdown, latex or methods
    form                     only this one: NAME, or NAME@VERSION for another version than the newest
    """

    ratings: Path | None = None
    levels: Sequence[str] = ()
    scales: Sequence[str] = ()
    beside: Sequence[str] = ()
    field: str | None = None
    format: str = "text"
    seed: int = SEED
    form: str | None = None


def one_of(wanted: Mapping[str, bool], what: str = "format") -> str:
    """What was asked for of several that exclude each other; text if nothing was.

    raises   Ending if there are several
    """
    chosen = [name for name, asked in wanted.items() if asked]
    if len(chosen) > 1:
        raise Ending(f"One {what} at a time: --{' or --'.join(chosen)}.")
    return chosen[0] if chosen else "text"


def run(url: str, wish: Wish) -> int:
    """Print agreement on decisions and on every field; exit code 3 if nobody has answered, 1 if something was left out."""
    if wish.ratings is not None:
        from alps_tui.commands.ratings_file import report_of_file

        report, source = report_of_file(wish), str(wish.ratings)
    elif wish.levels or wish.scales or wish.beside:
        raise Ending(
            "--level, --scale and --does-not-apply are said of a file: --ratings FILE. A study's forms say theirs."
        )
    else:
        report, source = report_of_study(url, wish), url
    if wish.field is not None and not report.n_fields and not report.refused:
        raise Ending(f"{source} has no answers to a field {wish.field}.")
    if report.empty and wish.format != "json":
        raise Ending(
            f"{source} holds no answers of people yet. Import something (alps import PATH), then: alps annotate",
            NOTHING_TO_DO,
        )
    write(report, wish.format)
    for sentence in report.said:
        say(sentence)
    return CHECK_FAILED if report.refused or report.left_rows else OK


def report_of_study(url: str, wish: Wish) -> "AgreementReport":
    study = open_study(url, read_only=True)
    try:
        with progress_bar("Computing agreement"):
            return make_report(study, wish.seed, wish.field, wish.form)
    finally:
        study.close()


def print_all(study: "Database", seed: int) -> None:
    """Print the report of an open study in short: each form's overview, and the decisions."""
    from exports.agreement_report import blocks

    for block in blocks(make_report(study, seed), brief=True):
        _print_block(block)


def form_wanted(name: str | None, version: str | None) -> str | None:
    """A form as the long table names it, where a version of it was asked for; else its name.

    raises   Ending for a version of nothing
    """
    if version is not None and name is None:
        raise Ending(
            "--version is one of a form: --protocol NAME --version VERSION. See: alps protocol versions NAME"
        )
    return name if version is None else f"{name}@{version}"


def rows_of(study: "Database", form: str | None) -> "Table":
    """The long table, or that of a form under one version or all of them.

    raises   Ending if nobody has answered it, with the versions that somebody has
    """
    from store.ratings import ratings_table
    from store.versions import version_counts

    with study.read() as connection:
        if form is None:
            return ratings_table(connection)
        rows = ratings_table(connection, protocol=form)
        if not len(rows):
            name = form.partition("@")[0]
            there = [one.version for one in version_counts(connection, name) if one.raters]
            others = f" There are answers under {', '.join(there)}." if there else ""
            raise Ending(f"{study.url} has no answers to {form.replace('@', ' ')}.{others}", NOTHING_TO_DO)
    return rows


def make_report(
    study: "Database", seed: int, field: str | None = None, form: str | None = None
) -> "AgreementReport":
    """Read the study once and compute everything, of every form or of one."""
    from alps_tui.agreement.asked_fields import Said
    from alps_tui.agreement.whole import agreement_report

    rows = rows_of(study, form)
    said = Said(forms=known_forms(study))
    return agreement_report(rows, said=said, imported=_imported(study), field=field, seed=seed)


def known_forms(study: "Database | None" = None) -> "dict[tuple[str, str], Known]":
    """What forms say of their fields beyond the long table: titles, "does not apply", sets. The built-in ones, and
    those that a study brought in itself."""
    from alps_tui.agreement.asked_fields import Known
    from alps_tui.items.study_forms import own_forms
    from alps_tui.protocols.loading import builtin_names, load_builtin

    own = () if study is None else own_forms(study)
    return {
        (form.name, field.key): Known(
            field.title,
            field.not_applicable.value if field.not_applicable else None,
            field.kind == "multi",
        )
        for form in (*map(load_builtin, builtin_names()), *own)
        for field in form.fields
    }


def _imported(study: "Database") -> "Imported":
    """Sides and lists of imported annotators, and what was proposed in every dialogue."""
    from alps_tui.agreement.sets import FinalList
    from alps_tui.agreement.whole import Imported
    from alps_tui.items.content import OTHER_LAYOUTS
    from alps_tui.items.final_lists import final_lists
    from store.assignments import raters
    from store.content import dialogues, memories
    from store.kinds import Origin

    with study.read() as connection:
        sides = {r.name: str(r.params["side"]) for r in raters(connection) if "side" in r.params}
        seeds: dict[str, list[str]] = {}
        for dialogue in dialogues(connection):
            proposed = memories(connection, dialogue.id, Origin.GOLD)
            if proposed and dialogue.source not in OTHER_LAYOUTS:
                seeds[dialogue.external_id] = [memory.value for memory in proposed]
    found = [one for one in final_lists(study) if one.rater in sides]
    lists = tuple(
        FinalList(
            one.session_id,
            one.rater,
            tuple(str(record.get("value") or "") for record in one.records),
            tuple(seeds[one.session_id]) if one.session_id in seeds else None,
        )
        for one in found
    )
    packetless = tuple(sorted({one.session_id for one in found} - seeds.keys()))
    return Imported(sides, lists, seeds, packetless)


# ---------------------------------------------------------------- written


def write(report: "AgreementReport", format: str) -> None:
    """The report on stdout in one of the formats."""
    if format == "json":
        out_json(report.to_json())
        return
    from exports import agreement_csv, agreement_latex, agreement_markdown, agreement_methods
    from exports.agreement_report import blocks

    if format == "csv":
        out_file(agreement_csv.written(report))
    elif format == "methods":
        out_prose(agreement_methods.paragraph(report, _version()))
    elif format == "markdown":
        out_file(agreement_markdown.written(blocks(report)))
    elif format == "latex":
        out_file(agreement_latex.written(blocks(report)))
    else:
        for place, block in enumerate(blocks(report)):
            if place:
                out()
            _print_block(block)


def _version() -> str:
    from importlib.metadata import version

    return version("alps-tui")


def _print_block(block: "Block") -> None:
    """One block without an empty line in it: what belongs together is read together."""
    out_prose(block.title)
    if block.words:
        out_prose(f"  {block.words}")
    for fact in block.facts:
        out_prose(f"  {fact}")
    for grid in block.grids:
        out(_fitted(grid))
    for note in block.notes:
        out_prose(f"  {note}")
    for step in block.steps:
        out_prose(f"  next: {step}")


def _fitted(grid: "Grid") -> str:
    """A table in 80 columns: where it is wider, the names in its first column are cut."""
    made = table(grid.header, grid.rows)
    over = max(map(len, made.split("\n"))) - WIDTH
    if over <= 0:
        return made
    longest = max(len(row[0]) for row in (grid.header, *grid.rows))
    room = max(NARROWEST, longest - over - len(GAP) + 1)
    cut = [_cut(row, room) for row in (grid.header, *grid.rows)]
    return table(cut[0], cut[1:])


def _cut(row: Sequence[str], room: int) -> tuple[str, ...]:
    name = row[0] if len(row[0]) <= room else row[0][: room - 1] + "…"
    return (name, *row[1:])
