"""Which fields a long table holds, at which level and on which scale: as its rows or the caller say, never guessed."""

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from alps_tui.agreement.field_meta import AnswerKind, FieldMeta
from store.kinds import Level
from store.table import Table, codes_by_appearance

Json = Any


@dataclass(frozen=True, slots=True)
class Known:
    """What a form says of a field beyond what the long table holds."""

    title: str = ""
    not_applicable: Json = None
    several: bool = False


@dataclass(frozen=True, slots=True)
class Said:
    """What the caller says of fields by key; it counts before what the rows say.

    beside   the answer that stands beside the scale ("does not apply")
    forms    (form without version, field) → what the form says of it
    """

    levels: Mapping[str, Level] = field(default_factory=dict)
    scales: Mapping[str, tuple[Json, ...]] = field(default_factory=dict)
    beside: Mapping[str, Json] = field(default_factory=dict)
    forms: Mapping[tuple[str, str], Known] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Asked:
    """A form's fields in the order of their first rows.

    refused   field → why no coefficient can be chosen for it
    open      fields whose rows have no level where others have one: texts, records, passages
    """

    form: str
    fields: tuple[FieldMeta, ...]
    refused: Mapping[str, str]
    open: tuple[str, ...]


def asked_fields(table: Table, said: Said | None = None) -> tuple[Asked, ...]:
    """The fields of each form of a table, of the rows that count (`default_population`)."""
    said = said or Said()
    forms = _forms_of(table)
    some_level = any(level is not None for level in set(table.column("level").tolist()))
    found = []
    for form in dict.fromkeys(forms):
        fields: list[FieldMeta] = []
        refused: dict[str, str] = {}
        open_: list[str] = []
        for key, rows in _by_field(table, forms, form):
            made = _meta(key, form, rows, said, some_level)
            if isinstance(made, FieldMeta):
                fields.append(made)
            elif made is None:
                open_.append(key)
            else:
                refused[key] = made
        found.append(Asked(form, tuple(fields), refused, tuple(open_)))
    return tuple(found)


def form_of(protocol: object) -> str:
    """A protocol's name without its version, "" where there is none."""
    name = str(protocol or "")
    return name.rpartition("@")[0] or name


def _forms_of(table: Table) -> list[str]:
    names = table.column("protocol").tolist()
    known = {name: form_of(name) for name in set(names)}
    return [known[name] for name in names]


Rows = Mapping[tuple[Json, Json], set[str]]
"""(level, scale) as the rows have them → different values that were given under it."""


def _by_field(table: Table, forms: list[str], form: str) -> list[tuple[str, Rows]]:
    """Each field of a form with what its rows say, every different row looked at once."""
    columns = [table.column(name).tolist() for name in ("field", "level", "scale", "value")]
    different, _ = codes_by_appearance(list(zip(forms, *columns, strict=True)))
    found: dict[str, dict[tuple[Json, Json], set[str]]] = {}
    for its_form, key, level, scale, value in different:
        if its_form == form and key is not None:
            values = found.setdefault(str(key), {}).setdefault((level, scale), set())
            if value is not None:
                values.add(value)
    return list(found.items())


def _meta(key: str, form: str, rows: Rows, said: Said, some_level: bool) -> FieldMeta | str | None:
    known = said.forms.get((form, key), Known())
    level = _level(key, rows, said)
    if level is None:
        return None if some_level else _no_level(key)
    if not isinstance(level, Level):
        return level
    scale = _scale(key, rows, said)
    if isinstance(scale, str):
        return scale
    texts = [text for values in rows.values() for text in values]
    several = known.several or any(text.startswith("[") for text in texts)
    return FieldMeta(
        key,
        level,
        scale or (),
        known.title,
        said.beside.get(key, known.not_applicable),
        AnswerKind.SET if several else AnswerKind.ONE,
        closed=scale is not None,
        form=form,
    )


def _no_level(key: str) -> str:
    return f"Its level is never guessed. Say it: --level {key}=nominal, ordinal, interval or ratio"


def _level(key: str, rows: Rows, said: Said) -> Level | str | None:
    if key in said.levels:
        return said.levels[key]
    levels = sorted({str(level) for level, _ in rows if level is not None})
    if len(levels) > 1:
        return f"Its rows have {len(levels)} levels, {' and '.join(levels)}. Say the right one: --level {key}={levels[0]}"
    if levels and levels[0] not in set(Level):
        return f'Its rows have the level "{levels[0]}": there are {", ".join(Level)}. Say one: --level {key}=nominal'
    return Level(levels[0]) if levels else None


def _scale(key: str, rows: Rows, said: Said) -> tuple[Json, ...] | str | None:
    if key in said.scales:
        return said.scales[key]
    scales = {str(scale) for _, scale in rows if scale is not None}
    if len(scales) > 1:
        return f"Its rows have {len(scales)} scales. Say the right one: --scale {key}=1..5, or --scale {key}=a,b,c"
    if not scales:
        return None
    (text,) = scales
    try:
        values = json.loads(text)
    except ValueError:
        return f"Its rows have a scale that is no JSON list ({text}). Say it: --scale {key}=1..5"
    if not isinstance(values, list) or not values:
        return f"Its rows have a scale that is no list of values ({text}). Say it: --scale {key}=1..5"
    return tuple(values)
