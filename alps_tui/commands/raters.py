"""Commands about raters, and the answer to: who is at the keyboard."""

import sys
from typing import TYPE_CHECKING

from alps_tui.commands.exit_codes import NOTHING_TO_DO, Ending
from alps_tui.commands.render import count, out, out_json, say, table
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from store.database import Database
    from store.records import Rater

LONGEST_NAME = 40


def add(url: str, names: list[str], as_json: bool) -> None:
    """Add people; each gets every item in an order of their own."""
    for name in names:
        check_name(name)
    study = open_study(url, create=True)
    enrolled: list[dict[str, str | int]] = []
    try:
        for name in names:
            rater, given = enrol(study, name)
            enrolled.append({"rater": rater.name, "new_items": given})
            if not as_json:
                say(f"{rater.name}: {count(given, 'new item')}.")
    finally:
        study.close()
    if as_json:
        out_json(enrolled)


def enrol(study: "Database", name: str) -> tuple["Rater", int]:
    """The rater of that name, made if new, with every item of the study in their queue; and how many are new."""
    from store.assignments import add_rater, assign_all

    with study.write() as connection:
        rater = add_rater(connection, name)
        return rater, assign_all(connection, rater.id)


def show(url: str, as_json: bool) -> None:
    """Everybody who answers, judges included."""
    from store.assignments import raters

    study = open_study(url, read_only=True)
    with study.read() as connection:
        everybody = raters(connection)
    study.close()
    if as_json:
        out_json([{"name": r.name, "kind": str(r.kind), "params": dict(r.params)} for r in everybody])
        return
    if not everybody:
        raise Ending(f"{url} has no raters yet. Add one: alps rater add NAME --db {url}", NOTHING_TO_DO)
    out(table(["rater", "kind"], [[r.name, str(r.kind)] for r in everybody]))


def check_name(name: str) -> None:
    """A pseudonym is one printable line of at most 40 signs."""
    if not name.strip() or name != name.strip() or len(name) > LONGEST_NAME or not name.isprintable():
        raise Ending(
            f"“{name}” is no name for a rater: 1 to {LONGEST_NAME} printable signs, no blank at the ends. "
            "Choose a pseudonym."
        )


def who(study: "Database", name: str | None) -> "Rater":
    """The rater at the keyboard: the name given, else asked for once; never a shared default."""
    from store.assignments import rater_by_name

    if name is None:
        name = _ask(study)
    check_name(name)
    with study.read() as connection:
        known = rater_by_name(connection, name)
    if known is None and not _confirmed_new(name):
        raise Ending(
            f"There is no rater {name} in this study. Add one: alps rater add {name} --db {study.url}"
        )
    if known is not None and known.kind != "human":
        raise Ending(f"{name} is a {known.kind}, not a person. Choose another name with --as.")
    if known is not None and known.params.get("imported"):
        raise Ending(f"{name} stands for somebody whose labels were imported. Choose another name with --as.")
    return enrol(study, name)[0]


def _ask(study: "Database") -> str:
    from store.assignments import raters

    if not sys.stdin.isatty():
        raise Ending("Who is annotating? Say --as NAME or set ALPS_RATER.")
    with study.read() as connection:
        people = [r.name for r in raters(connection) if r.kind == "human" and not r.params.get("imported")]
    if people:
        say(f"Raters of this study: {', '.join(people)}")
    print("Who are you in this study (a pseudonym)? ", end="", file=sys.stderr, flush=True)
    return input().strip()


def _confirmed_new(name: str) -> bool:
    """A new name could be a slip of the finger, so it is asked about; nobody can answer without a terminal."""
    if not sys.stdin.isatty():
        return False
    print(f"{name} is new here. Add {name} as a rater? [y/N] ", end="", file=sys.stderr, flush=True)
    return input().strip().lower() in {"y", "yes"}
