"""What is no mistake in a form and yet worth a word before people work with it: guideline, names, nothing required."""

import re
import tomllib
from collections.abc import Iterator
from pathlib import Path

from alps_tui.protocols.checks import ITEM_KINDS
from alps_tui.protocols.loading import Problem, builtin_names, guideline_path, load_builtin
from alps_tui.protocols.schema import Field, Option, Protocol
from alps_tui.protocols.toml_lines import line_of, locate
from store.kinds import UnitKind

_PARTS = (UnitKind.MEMORY, UnitKind.UPDATE, UnitKind.QUERY, UnitKind.RESPONSE, UnitKind.RESPONSE_PAIR)
_HEADING = re.compile(r"^(#{1,6})[ \t]+(.*?)[ \t]*$", re.MULTILINE)
_BEGINS = re.compile(r"^[ \t]*(?:[-*+|]|\d+[.)])?[ \t]*(?:`([^`\n]+)`|\*\*([^*\n]+)\*\*)", re.MULTILINE)


def advice(form: Protocol, path: Path) -> tuple[Problem, ...]:
    """Warnings about a form without mistakes, in the order of its lines.

    path   the file it was read from: what is said names it
    """
    lines = locate(form.source)
    found: list[Problem] = []

    def warn(at: tuple[str | int, ...], key: str, sentence: str) -> None:
        found.append(Problem(str(path), line_of(lines, at), key, sentence))

    if form.name in builtin_names() and form.content_hash != load_builtin(form.name).content_hash:
        warn(
            ("name",),
            "name",
            f"{form.name} is a form that ships with the product: it cannot be added under its name",
        )
    parts = [kind for kind in ITEM_KINDS.get(form.item, ()) if kind in _PARTS]
    if parts and not set(parts) & set(form.kinds):
        words = " or ".join(parts)
        sentence = f"nothing is asked per {words}, so none is shown; ask something, or judge another item"
        warn(("item",), "item", sentence)
    if not any(field.required for field in form.fields):
        warn(("fields",), "fields", "no field is required: an item can be submitted without a single answer")
    if not form.guideline.strip():
        name = guideline_path(path).name
        warn(
            ("guideline",),
            "guideline",
            f"there is no guideline; people read it with g. Write {name} beside the form",
        )
        return tuple(found)
    sections = _sections(form.guideline)
    for place, key in enumerate(_written(form)):
        field = form.field(key)
        section = next((text for title, text in sections if _names(title, field.key, field.title)), None)
        if section is None:
            if field.options:
                warn(
                    ("fields", place),
                    f"fields.{key}",
                    f"the guideline has no section for it: ## `{key}`: {field.title}",
                )
            continue
        for at, option in _defined(field):
            if not _says(section, option):
                where = f"fields.{key}.options.{option.value}"
                warn(("fields", place, *at), where, f"the guideline does not define it: ### `{option.value}`")
    return tuple(sorted(found, key=lambda p: (p.line, p.key, p.sentence)))


def _written(form: Protocol) -> list[str]:
    """The keys of the fields as they stand in the file: without those that the form takes from elsewhere."""
    return [entry["key"] for entry in tomllib.loads(form.source)["fields"]]


def _defined(field: Field) -> Iterator[tuple[tuple[str | int, ...], Option]]:
    """What the guideline has to define, with its place in the file: all that is written as an option."""
    for place, option in enumerate(field.options):
        yield ("options", place), option
    if field.not_applicable is not None:
        yield ("not_applicable",), field.not_applicable


def _sections(text: str) -> list[tuple[str, str]]:
    """Title and text of every heading, the text up to the next heading of the same or a higher rank."""
    heads = list(_HEADING.finditer(text))
    found = []
    for place, head in enumerate(heads):
        rank = len(head[1])
        after = (later.start() for later in heads[place + 1 :] if len(later[1]) <= rank)
        found.append((head[2], text[head.end() : next(after, len(text))]))
    return found


def _names(title: str, key: str, words: str) -> bool:
    return f"`{key}`" in title or title.casefold() in (key.casefold(), words.casefold())


def _says(section: str, option: Option) -> bool:
    """True if a heading, or the word that a line begins with in backticks or bold, is the option's value or label."""
    marked = [title for title, _ in _sections(section)]
    marked += [found for pair in _BEGINS.findall(section) for found in pair]
    wanted = {str(option.value).casefold(), option.label.casefold()}
    return any(word.strip("`*:. ").casefold() in wanted for word in marked)
