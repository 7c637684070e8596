"""The import command: files into content, content into items, imported lists into decisions, and what came of it."""

from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alps_tui.commands.exit_codes import CHECK_FAILED, INTERRUPTED, OK, Ending
from alps_tui.commands.progress_bar import Report, progress_bar
from alps_tui.commands.render import count, out, out_json, say
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from alps_tui.items.derive import DeriveReport
    from alps_tui.items.self_named import NamesModel
    from alps_tui.sources.report import ImportReport
    from store.database import Database

NOUNS = {
    "dialogues": ("dialogue", "dialogues"),
    "turns": ("turn", "turns"),
    "gold_memories": ("gold memory", "gold memories"),
    "model_memories": ("model memory", "model memories"),
    "given_memories": ("memory given with a query", "memories given with queries"),
    "system_memories": ("memory of a memory system", "memories of memory systems"),
    "updates": ("update task", "update tasks"),
    "queries": ("query", "queries"),
    "responses": ("response", "responses"),
    "annotations": ("imported annotation", "imported annotations"),
    "raters": ("rater", "raters"),
}
SESSIONS_SHOWN = 6


def run(url: str, paths: list[Path], *, dry_run: bool, full: bool, as_json: bool) -> int:
    """Import; exit code 1 if something was kept aside or left out."""
    from alps_tui.protocols.taxonomy import LABELS
    from alps_tui.sources.importer import CannotImport, import_paths

    study = _study_for(url, paths, dry_run)
    try:
        with progress_bar("Importing") as bar, _stoppable(bar, dry_run) as report:
            imported = import_paths(study, paths, dry_run=dry_run, labels=LABELS, progress=report)
        with _stoppable_items():
            made, derived = ({}, None) if study is None or dry_run else make_items(study)
            named = () if study is None or dry_run else _flag_named(study)
    except CannotImport as problem:
        raise Ending(str(problem)) from problem
    finally:
        if study is not None:
            study.close()
    if as_json:
        told = {"items": made, "decisions": derived.to_json() if derived else None}
        out_json(imported.to_json() | told | {"names_a_model": [one.to_json() for one in named]})
    else:
        _print(url, imported, made, derived, full)
        _print_named(named)
    return OK if imported.complete else CHECK_FAILED


def _study_for(url: str, paths: list[Path], dry_run: bool) -> "Database | None":
    """The study, made only if there is something to put into it; None for a dry run without one."""
    from alps_tui.sources.files import CannotImport
    from alps_tui.sources.steps import why_empty
    from store.errors import StudyMissing

    try:
        return open_study(url, read_only=dry_run)
    except StudyMissing:
        try:
            reason = why_empty(paths)
        except CannotImport as problem:
            raise Ending(str(problem)) from problem
        if reason is not None:
            raise Ending(f"{reason} Nothing was imported, and no study was made.") from None
    return None if dry_run else open_study(url, create=True)


@contextmanager
def _stoppable(bar: Report | None, dry_run: bool) -> Iterator[Report]:
    """A progress report that remembers how far it came, so that ctrl-c can say so."""
    behind = (0, 0)

    def report(done: int, total: int) -> None:
        nonlocal behind
        behind = done, total
        if bar is not None:
            bar(done, total)

    try:
        yield report
    except KeyboardInterrupt:
        done, total = behind
        share = f"{100 * done // total} % of {_size(total)}" if total else "the beginning"
        rest = (
            "nothing was written"
            if dry_run
            else "what came in stays, and the same command goes on from there"
        )
        raise Ending(f"Stopped at {share}; {rest}.", INTERRUPTED) from None


@contextmanager
def _stoppable_items() -> Iterator[None]:
    try:
        yield
    except KeyboardInterrupt:
        raise Ending(
            "Stopped while items were made; all the files are in, and the same command goes on from there.",
            INTERRUPTED,
        ) from None


def _size(amount: int) -> str:
    return f"{amount / 1e6:,.0f} MB" if amount >= 1e6 else f"{max(1, amount // 1000):,} kB"


def items(url: str, as_json: bool, protocol: str | None = None) -> None:
    """Make the items and queues that are missing, of every form or of one."""
    study = open_study(url)
    try:
        if protocol is not None:
            made = _items_of_one(study, protocol)
            if as_json:
                out_json({"items": made})
            else:
                _print_items(made)
                if not any(made.values()):
                    say(f"No new item of {protocol}.")
                _say_what_is_older(study, protocol)
            return
        made, derived = make_items(study)
        named = _flag_named(study)
    finally:
        study.close()
    if as_json:
        told = {"items": made, "decisions": derived.to_json()}
        out_json(told | {"names_a_model": [one.to_json() for one in named]})
        return
    _print_items(made)
    _print_derived(derived)
    _print_named(named)


def _flag_named(study: "Database") -> "tuple[NamesModel, ...]":
    from alps_tui.items.self_named import flag_named

    return flag_named(study)


def _print_named(named: "Sequence[NamesModel]") -> None:
    """For the lead alone: which responses give a model away to whoever rates them."""
    if not named:
        return
    out(f"  flagged: {count(len(named), 'response')} naming a model, so that a rater may know whose it is")
    for one in named[:SESSIONS_SHOWN]:
        whose = "its own model" if one.own else "another one of the study"
        out(f"    {one.dialogue}, {one.query}: “{one.words}”, {whose}")
    if len(named) > SESSIONS_SHOWN:
        out(f"    and {len(named) - SESSIONS_SHOWN:,} more: --json names all")


def _items_of_one(study: "Database", name: str) -> dict[str, int]:
    """The items of one form, and the queues of everybody who annotates here."""
    from alps_tui.commands.protocols import form_of_study
    from alps_tui.items.build import BUILDERS, build_items

    form = form_of_study(study, name)
    if not form.screen or form.item not in BUILDERS:
        raise Ending(f"Items of {name} are not made by themselves. Make those of every form: alps items")
    made = build_items(study, [form])
    _fill_queues(study)
    return made


def _say_what_is_older(study: "Database", name: str) -> None:
    """That items were answered under an older version, and how they can be queued again."""
    from store.versions import to_queue_again

    with study.read() as connection:
        older = to_queue_again(connection, name)
    if older:
        people = count(len({one.rater.id for one in older}), "rater")
        say(
            f"{count(len(older), 'item')} of {people} stand answered under an older version and stay so. "
            f"To ask for them again: alps items --again {name}"
        )


def make_items(study: "Database") -> tuple[dict[str, int], "DeriveReport"]:
    """Items of every form, the decisions imported lists stand for, and queues for everybody who annotates here."""
    from alps_tui.items.build import build_items
    from alps_tui.items.derive import derive_decisions
    from alps_tui.items.judged_items import build_alignment_items

    made = build_items(study)
    derived = derive_decisions(study)
    made |= build_alignment_items(study)
    _fill_queues(study)
    return made, derived


def _fill_queues(study: "Database") -> None:
    """Every item that is missing into the queues of the people of a study."""
    from store.assignments import assign_all, raters
    from store.kinds import RaterKind

    with study.read() as connection:
        people = [rater for rater in raters(connection) if rater.kind is RaterKind.HUMAN]
    for rater in people:
        with study.write() as connection:
            assign_all(connection, rater.id)


def _print(
    url: str, imported: "ImportReport", made: Mapping[str, int], derived: "DeriveReport | None", full: bool
) -> None:
    out("Would come in:" if imported.dry_run else f"{url}:")
    for line in _counted(imported.counts):
        out(f"  {line}")
    if imported.same:
        nothing = "" if imported.is_new else "; nothing changed"
        out(f"  {imported.same:,} same as before{nothing}")
    if imported.changed:
        out(
            f"  {count(imported.changed, 'new version')} of known content: who began an item keeps what they saw"
        )
        for one in imported.versions if full else imported.versions[:SESSIONS_SHOWN]:
            out(f"    {one.file}, record {one.ordinal}: {one.record}")
        if not full and len(imported.versions) > SESSIONS_SHOWN:
            out(f"    and {len(imported.versions) - SESSIONS_SHOWN:,} more records")
    _print_items(made)
    if derived is not None:
        _print_derived(derived)
    _print_doubts(imported, full)
    if not imported.dry_run and imported.is_new and any(made.values()):
        say(f"Next: alps annotate --db {url} --as NAME")


def _counted(counts: Mapping[str, int]) -> list[str]:
    lines = []
    for key, (one, many) in NOUNS.items():
        if counts.get(key):
            lines.append(count(counts[key], one, many))
    if counts.get("pools"):
        size = counts["pool_entries"] / counts["pools"]
        shape = f"of {size:.0f}" if size == int(size) else f"of {size:.1f} on average"
        lines.append(f"{count(counts['pools'], 'retrieval pool')} {shape}")
    return lines


def _print_items(made: Mapping[str, int]) -> None:
    for form, new in made.items():
        if new:
            out(f"  {count(new, 'new item')} of {form}")


def _print_derived(derived: "DeriveReport") -> None:
    if derived.derived:
        said = ", ".join(f"{amount:,} {what}" for what, amount in derived.decisions.items())
        out(f"  {count(derived.derived, 'imported list')} became decisions: {said}")
    if derived.without_packet:
        few = derived.without_packet[:SESSIONS_SHOWN]
        rest = len(derived.without_packet) - len(few)
        more = f" and {rest} more" if rest else ""
        out(
            f"  {count(len(derived.without_packet), 'annotated session')} without a packet: {', '.join(few)}{more}"
        )
    for line in derived.left_out:
        out(f"  left out: {line}")
    for form, one in derived.forms.items():
        if one.derived:
            said = ", ".join(f"{n:,} {what}" for what, n in one.answers.items() if what != "other_gold")
            out(f"  {count(one.derived, 'imported sitting')} of {form}: {said}")
        if other := one.answers.get("other_gold"):
            out(f"    {other:,} of them saw another gold than the one of now, and stand on what they saw")
        if form == "memory-verification" and one.without_content:
            out(f"  {count(len(one.without_content), 'list')} of the gold editor without a packet")
        for line in one.left_out:
            out(f"  left out: {line}")
    for task, amount in derived.kept.items():
        out(f"  {count(amount, 'annotation')} of {task}: kept as they came, no form says what they mean")


def _print_doubts(imported: "ImportReport", full: bool) -> None:
    for aside in imported.quarantined if full else imported.quarantined[:SESSIONS_SHOWN]:
        out(f"  kept aside: {aside.sentence()}")
    if imported.quarantined:
        rest = "there was nothing else"
        if imported.same or imported.is_new:
            rest = "the rest came in" if imported.is_new else "the rest was there before"
        out(f"  {count(len(imported.quarantined), 'record')} kept aside with the reason; {rest}.")
    else:
        out("  nothing quarantined")
    for group in (imported.left_out, imported.no_data):
        word = "not read" if group is imported.left_out else "no data"
        for left in group if full else group[:SESSIONS_SHOWN]:
            out(f"  {word}: {left.file}: {left.reason}")
        if not full and len(group) > SESSIONS_SHOWN:
            out(f"  {word}: and {len(group) - SESSIONS_SHOWN:,} more files")
    if imported.lints:
        what: list[Any] = [f"{amount:,} {code}" for code, amount in sorted(imported.lints.items())]
        out(f"  {count(sum(imported.lints.values()), 'oddity', 'oddities')}: {', '.join(what)}")
    if full:
        for lint in imported.lint_rows:
            place = f"record {lint.ordinal}, {lint.where}" if lint.where else f"record {lint.ordinal}"
            out(f"    {lint.file}, {place}: {lint.message}")
    elif imported.lints or imported.quarantined or imported.left_out:
        say("Each one: alps import --report")
