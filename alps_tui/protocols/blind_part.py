"""The blind part of a form that reveals: the questions of the form a judge answered, and what its guideline says."""

import re
from collections.abc import Iterable, Mapping
from typing import Any

from alps_tui.protocols.mistakes import Mistake
from alps_tui.protocols.schema import Field, Protocol

Json = Any

_SECTION = re.compile(r"(?m)^(?=## `)")
_KEY = re.compile(r"## `([^`]+)`")


def mistakes(raw: Mapping[str, Json], asked_first: Protocol | None, names: Iterable[str]) -> list[Mistake]:
    """What is wrong with how a form names the form it asks first; `asked_first` is None if there is none so called."""
    if asked_first is None:
        return [Mistake(("blind",), f"there is no form {raw['blind']}; there are {', '.join(names)}")]
    known = {field.key for field in asked_first.fields}
    found = [
        Mistake(("blind_fields", i), f"{asked_first.name} asks no {key}; it asks {', '.join(sorted(known))}")
        for i, key in enumerate(raw.get("blind_fields", ()))
        if key not in known
    ]
    taken = {field.key for field in blind_fields(raw, asked_first)}
    for i, entry in enumerate(raw["fields"]):
        if entry["key"] in taken:
            found.append(
                Mistake(("fields", i, "key"), f"{asked_first.name} has a field {entry['key']} already")
            )
    return found


def blind_fields(raw: Mapping[str, Json], asked_first: Protocol) -> tuple[Field, ...]:
    """The fields of the form asked first, in its order: those named, or all."""
    wanted = raw.get("blind_fields")
    return tuple(field for field in asked_first.fields if wanted is None or field.key in wanted)


def guideline(own: str, fields: Iterable[Field], asked_first: Protocol) -> str:
    """The form's own guideline, then what that of the form asked first says of the fields it asks.

    A text that says it already, as one that was kept in a study does, stays as it is.
    """
    wanted = {field.key for field in fields}
    head, *sections = _SECTION.split(asked_first.guideline)
    kept = [section for section in sections if (key := _KEY.match(section)) and key[1] in wanted]
    before = (
        head.partition("\n")[2].strip() if len(wanted) == len({f.key for f in asked_first.fields}) else ""
    )
    sections = [section.strip() for section in kept]
    parts = [own.strip(), *(part for part in (before, *sections) if part not in own)]
    return "\n\n".join(part for part in parts if part) + "\n"
