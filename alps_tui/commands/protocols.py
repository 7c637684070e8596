"""Commands about forms: list, show, check, new, add, versions."""

from pathlib import Path
from typing import TYPE_CHECKING, Any

from alps_tui.commands.exit_codes import CHECK_FAILED, NOTHING_TO_DO, OK, USAGE, Ending
from alps_tui.commands.render import count, out, out_json, out_prose, say, table
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from alps_tui.protocols.loading import Problem
    from alps_tui.protocols.schema import Field, Protocol
    from store.database import Database
    from store.versions import KnownForm


# ---------------------------------------------------------------- list, show


def list_all(url: str, as_json: bool) -> None:
    """The built-in forms, and those of a team's own that a study holds, with their versions."""
    from alps_tui.protocols.loading import builtin_names, load_builtin

    forms: list[tuple[Protocol, str]] = [(load_builtin(name), "built in") for name in builtin_names()]
    forms += [(form, "this study") for form in _own_forms(url)]
    if as_json:
        keys = ("name", "version", "title", "item", "screen")
        out_json([{**{key: getattr(form, key) for key in keys}, "from": where} for form, where in forms])
        return
    rows = [
        [form.name, form.version, str(len(form.fields)), where if form.screen else f"{where}, no screen yet"]
        for form, where in forms
    ]
    out(table(["form", "version", "fields", ""], rows))


def show(name: str, guideline: bool, url: str, as_json: bool) -> None:
    """A form field by field, or its guideline: a file, a built-in one, or one of the study."""
    form = _form(name, url)
    if guideline:
        out(form.guideline)
        return
    from alps_tui.protocols.describing import described, item_words

    if as_json:
        out_json(described(form))
        return
    out(f"{form.title} · {form.name} {form.version}")
    out_prose(f"  An item is {item_words(form)} ({form.item}).")
    if form.note:
        out_prose(f"  New in this version: {form.note}")
    for field in form.fields:
        out()
        _print_field(field)
    for kind, rows in form.rows.items():
        bounds = f"at least {rows.min}" + (f", at most {rows.max}" if rows.max is not None else "")
        out_prose(
            f"The rater may make {kind} units of their own: {bounds if rows.min or rows.max else 'any number'}."
        )
    if form.keys:
        out()
        keys = [f"{key} {action.replace('_', ' ')}" for action, key in form.keys.items()]
        out(f"Keys: {', '.join(keys)}")


def _print_field(field: "Field") -> None:
    from alps_tui.protocols.describing import condition_words, scale_words

    needed = "required" if field.required else "optional"
    level = f", {field.level}" if field.level else ""
    out(f"{field.key} · per {field.per} · {field.kind}{level} · {needed}\n    {field.title}")
    scale, shown = scale_words(field), condition_words(field)
    if scale and field.kind not in ("choice", "multi"):
        out(f"    answers: {scale}")
    if shown:
        out(f"    asked if {shown}")
    if field.asked != "given":
        out(
            f"    asked of {'units the rater makes' if field.asked == 'made' else 'all units, the rater’s own too'}"
        )
    beside = (field.not_applicable,) if field.not_applicable else ()
    for option in (*field.options, *beside):
        choice = field.option(option.value) or option
        out(f"    {choice.key or '·'}  {option.value}: {option.anchor or option.label}")


def _form(name: str, url: str) -> "Protocol":
    """A form by its file, or by its name among those that ship and those of the study."""
    from alps_tui.protocols.loading import ProtocolError, builtin_names, load_builtin, load_file

    if name.endswith(".toml") or "/" in name or Path(name).is_file():
        try:
            return load_file(name)
        except ProtocolError as problem:
            said = f"{name} has mistakes. See: alps protocol check {name}"
            raise Ending.of_lines([said, *str(problem).splitlines()]) from problem
    if name in builtin_names():
        return load_builtin(name)
    own = {form.name: form for form in _own_forms(url)}
    if name not in own:
        there = ", ".join((*builtin_names(), *own))
        raise Ending(f"There is no form called {name}, built in or in {url}. There are: {there}.")
    return own[name]


def _own_forms(url: str) -> "tuple[Protocol, ...]":
    """The forms of a team's own in a study; none where there is no study."""
    from alps_tui.items.study_forms import own_forms
    from store.errors import StoreError, StudyMissing

    try:
        study = open_study(url, read_only=True)
    except StudyMissing:
        return ()
    except StoreError as problem:
        say(f"Only the forms that ship: {problem}")
        return ()
    try:
        return own_forms(study)
    finally:
        study.close()


# ---------------------------------------------------------------- check


def check(path: Path, as_json: bool) -> int:
    """Every mistake of a form with file, line and key, and what is worth a word; exit code 1 if there is a mistake."""
    from alps_tui.protocols.advice import advice
    from alps_tui.protocols.loading import ProtocolError, load_file

    form: Protocol | None = None
    mistakes: tuple[Problem, ...] = ()
    try:
        form = load_file(path)
    except ProtocolError as problem:
        mistakes = problem.problems
    warnings = advice(form, path) if form is not None else ()
    if as_json:
        known = (
            None if form is None else {"name": form.name, "version": form.version, "fields": len(form.fields)}
        )
        found = {
            "mistakes": [_problem(one) for one in mistakes],
            "warnings": [_problem(one) for one in warnings],
        }
        out_json({"file": str(path), "form": known, **found})
        return CHECK_FAILED if mistakes else OK
    for one in mistakes:
        out(str(one))
    for one in warnings:
        out(f"{one} (warning)")
    if form is not None:
        beside = f", {count(len(warnings), 'warning')}" if warnings else ""
        say(f"{path}: no mistake{beside}. {form.name} {form.version}, {count(len(form.fields), 'field')}.")
    return CHECK_FAILED if mistakes else OK


def _problem(problem: "Problem") -> dict[str, Any]:
    return {"file": problem.file, "line": problem.line, "key": problem.key, "sentence": problem.sentence}


# ---------------------------------------------------------------- new


def new(name: str, per: str, copied: str | None) -> None:
    """Write NAME.toml and NAME.md, a form that works; nothing that is there is overwritten."""
    from alps_tui.items.build import BUILDERS
    from alps_tui.protocols.beginning import PER, copy_of, name_refused, small_form
    from alps_tui.protocols.loading import builtin_names, load_builtin

    refused = name_refused(name)
    if refused is not None:
        raise Ending(f"“{name}” cannot be the name of a form. {refused}")
    if copied is not None and copied not in builtin_names():
        raise Ending(f"There is no built-in form called {copied}. There are: {', '.join(builtin_names())}.")
    if copied is not None and load_builtin(copied).item not in BUILDERS:
        raise Ending(
            f"{copied} shows a judge's answers beside one's own: only the forms that ship do. Copy another."
        )
    if per not in PER:
        raise Ending(f"--per is what is asked about: {', '.join(PER)}; not {per}.")
    form, guideline = small_form(name, per) if copied is None else copy_of(copied, name)  # type: ignore[arg-type]
    files = {Path(f"{name}.toml"): form, Path(f"{name}.md"): guideline}
    for path in files:
        if path.exists():
            raise Ending(f"{path} exists already; nothing was written. Choose another name, or move it away.")
    for path, text in files.items():
        try:
            with path.open("x", encoding="utf-8", newline="\n") as file:
                file.write(text)
        except OSError as problem:
            raise Ending(f"{path} cannot be written: {problem.strerror or problem}.") from problem
    say(f"{name}.toml and {name}.md: a form that works. Change it, then: alps protocol check {name}.toml")


# ---------------------------------------------------------------- add, versions


def add(url: str, path: Path) -> int:
    """Take a form into a study; exit code 1 if it has mistakes, 3 if the study has it as it is."""
    from alps_tui.items.build import BUILDERS
    from alps_tui.protocols.loading import ProtocolError, builtin_names, load_file
    from store.assignments import add_protocol
    from store.versions import known_forms

    try:
        form = load_file(path)
    except ProtocolError as problem:
        for line in str(problem).splitlines():
            out(line)
        say(f"{path} was not added: it has mistakes.")
        return CHECK_FAILED
    if form.item not in BUILDERS:
        raise Ending(
            f"{path}: only the forms that ship hold a judge's answers beside one's own. Ask of another item."
        )
    if form.name in builtin_names():
        raise Ending(
            f"{form.name} is a form that ships with the product, and its versions come with it. "
            f"Give yours another name: alps protocol new NAME --from {form.name}"
        )
    study = open_study(url, create=True)
    try:
        with study.read() as connection:
            known = known_forms(connection, form.name)
        _may_be_added(form, known, url)
        with study.write() as connection:
            add_protocol(connection, form.to_version())
    finally:
        study.close()
    before = f" after version {known[-1].version}" if known and known[-1].version != form.version else ""
    say(f"{url}: {form.name} {form.version}{before}. Next: alps items --protocol {form.name} --db {url}")
    return OK


def _may_be_added(form: "Protocol", known: "tuple[KnownForm, ...]", url: str) -> None:
    """raises   Ending if the study has the form as it is, a later version, or if nothing says what has changed"""
    from store.table import version_order

    if not known:
        return
    last = known[-1]
    same_form = last.content_hash == form.content_hash
    if same_form and last.guideline == form.guideline:
        raise Ending(f"{url} has {form.name} {form.version} as it is in the file.", NOTHING_TO_DO)
    if not same_form:
        order = version_order(f"{form.name}@{form.version}"), version_order(f"{form.name}@{last.version}")
        if form.version == last.version or any(one.version == form.version for one in known):
            raise Ending(
                f"{form.name} asks something else than version {form.version} in {url}. A version never changes: "
                f"give this one a later number, with a note that says what is different."
            )
        if order[0] <= order[1]:
            raise Ending(
                f"{form.name} {form.version} comes before {last.version}, which {url} has. Number it higher."
            )
    if not form.note.strip() or form.note == last.note:
        what = "What is asked has changed" if not same_form else "The guideline has changed"
        old = "the note is still that of the version before" if form.note.strip() else "nothing says how"
        raise Ending(
            f"{what} since {form.name} {last.version} in {url}, and {old}. Write below the version, for those who "
            f'knew the one before: note = "…"'
        )


def versions(url: str, name: str, as_json: bool) -> None:
    """What stands under each version of a form: items, raters, answers, and what could be queued again."""
    from dataclasses import asdict

    from store.versions import known_forms, version_counts

    study = open_study(url, read_only=True)
    try:
        with study.read() as connection:
            found = version_counts(connection, name)
            notes = [form.note for form in known_forms(connection, name)]
    finally:
        study.close()
    if not found:
        raise Ending(f"{url} has no form {name}. See: alps protocol list --db {url}", USAGE)
    if as_json:
        out_json([{**asdict(one), "note": note or None} for one, note in zip(found, notes, strict=True)])
        return
    heads = [
        "version",
        "came",
        "guidelines",
        "items",
        "raters",
        "labelled",
        "begun",
        "answers",
        "to queue again",
    ]
    rows = [
        [
            one.version,
            one.created_at[:10],
            *(
                f"{n:,}"
                for n in (
                    one.guidelines,
                    one.items,
                    one.raters,
                    one.labelled,
                    one.begun,
                    one.answers,
                    one.waiting,
                )
            ),
        ]
        for one in found
    ]
    out(table(heads, rows))
    for one, note in zip(found, notes, strict=True):
        if note:
            out_prose(f"  {one.version}: {note}")
    waiting = sum(one.waiting for one in found)
    if waiting:
        say(
            f"{count(waiting, 'item')} to label again: alps items --again {name} --db {url} (--dry-run lists them)"
        )


# ---------------------------------------------------------------- queueing again


def again(url: str, name: str, dry_run: bool, as_json: bool) -> None:
    """Queue what was answered under older versions of a form once more; exit code 3 if there is nothing."""
    from store.versions import known_forms, queue_again, to_queue_again

    study = open_study(url, read_only=dry_run)
    try:
        if dry_run:
            with study.read() as connection:
                known, plan = known_forms(connection, name), to_queue_again(connection, name)
        else:
            with study.write() as connection:
                known, plan = known_forms(connection, name), queue_again(connection, name)
    finally:
        study.close()
    if not known:
        raise Ending(f"{url} has no form {name}. See: alps protocol list --db {url}", USAGE)
    under = {form.protocol_id: form.version for form in known}
    if as_json:
        rows = [
            {
                "rater": one.rater.name,
                "item": one.shown_id,
                "answered_under": under[one.answered_under],
                "occasion": one.occasion,
            }
            for one in plan
        ]
        out_json({"form": name, "dry_run": dry_run, "queued": rows})
        return
    if not plan:
        raise Ending(f"Nobody has answered an item of {name} under an older version only.", NOTHING_TO_DO)
    if dry_run:
        cells = [[one.rater.name, one.shown_id, under[one.answered_under], str(one.occasion)] for one in plan]
        out(table(["rater", "item", "answered under", "occasion"], cells))
    people = count(len({one.rater.id for one in plan}), "rater")
    would = "would be" if dry_run else "are"
    say(f"{count(len(plan), 'item')} of {people} {would} queued again; the answers given before stay.")


def form_of_study(study: "Database", name: str) -> "Protocol":
    """A form by its name, for making its items. Raises Ending if it is neither built in nor in the study."""
    from alps_tui.items.study_forms import own_forms
    from alps_tui.protocols.loading import builtin_names, load_builtin

    if name in builtin_names():
        return load_builtin(name)
    own = {form.name: form for form in own_forms(study)}
    if name not in own:
        there = ", ".join((*builtin_names(), *own))
        raise Ending(
            f"There is no form {name} in {study.url}. There are: {there}. Add one: alps protocol add FILE"
        )
    return own[name]
