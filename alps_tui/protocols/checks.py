"""Checks a form read from TOML and names every mistake, not only the first."""

import difflib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, TypeVar

from pydantic import BaseModel, ValidationError

from alps_tui.protocols.field_checks import check_cycles, check_field, check_references
from alps_tui.protocols.key_checks import RESERVED_KEYS, Placed, check_keys
from alps_tui.protocols.mistakes import Mistake, Path
from alps_tui.protocols.schema import Field, Option, Rows
from store.kinds import UnitKind

__all__ = ["ITEM_KINDS", "RESERVED_KEYS", "Mistake", "Path", "check", "is_file_name"]

Json = Any
M = TypeVar("M", bound=BaseModel)

ITEM_KINDS: dict[str, tuple[UnitKind, ...]] = {
    "dialogue": (UnitKind.SESSION, UnitKind.INTENT),
    "memory-verification": (UnitKind.SESSION, UnitKind.MEMORY),
    "response-rating": (UnitKind.QUERY, UnitKind.RESPONSE, UnitKind.RESPONSE_PREFERENCE),
    "response-preference": (UnitKind.RESPONSE_PAIR,),
    "memory-update": (UnitKind.SESSION, UnitKind.UPDATE),
    "memory-retrieval": (UnitKind.QUERY,),
    "utilization-check": (UnitKind.QUERY,),
    "memory-use": (UnitKind.QUERY, UnitKind.RESPONSE),
    "extraction-review": (UnitKind.SESSION, UnitKind.MEMORY, UnitKind.UPDATE, UnitKind.REVIEW),
    "judge-alignment": (UnitKind.SESSION, UnitKind.JUDGE_FIELD),
    "judge-alignment-update": (UnitKind.SESSION, UnitKind.JUDGE_FIELD),
}
"""What items can be made of content, and which kinds of units each has."""

NO_DEFAULT = (
    "a form has no defaults: a question that starts answered measures whether people changed it, "
    "not what they think (in AlpsBench every one of 2,000 records kept them); take this line out"
)

_TOP = (
    *("name", "version", "note", "title", "item", "guideline", "screen", "keys", "rows", "fields"),
    *("blind", "blind_fields"),
)
_NAME = re.compile(r"[a-z][a-z0-9-]*")


def check(raw: Mapping[str, Json]) -> list[Mistake]:
    """Every mistake of a form, in no order."""
    mistakes = list(_head(raw))
    entries = raw.get("fields", [])
    if not isinstance(entries, list) or not entries:
        return [*mistakes, Mistake(("fields",), "a form asks something: give it [[fields]]")]
    placed: list[Placed] = []
    for i, entry in enumerate(entries):
        parsed = _parse(Field, entry, ("fields", i), mistakes)
        if parsed is not None:
            placed.append((parsed, ("fields", i)))
    mistakes += _fields(placed, entries, raw)
    mistakes += _rows(raw.get("rows", {}), placed)
    return mistakes


def is_file_name(name: str) -> bool:
    """True for a bare file name: a form and its guideline travel in one folder."""
    return bool(name.strip()) and not set(name) & set("/\\:") and name not in (".", "..")


def _head(raw: Mapping[str, Json]) -> Iterator[Mistake]:
    for key in raw:
        if key not in _TOP:
            yield Mistake((key,), _unknown(key, _TOP))
    for key in ("name", "version", "title", "item"):
        if key not in raw:
            yield Mistake((), f"{key} must be given")
        elif not isinstance(raw[key], str) or not raw[key].strip():
            yield Mistake((key,), "must be a text in quotes")
    name = raw.get("name")
    if isinstance(name, str) and name.strip() and not _NAME.fullmatch(name):
        yield Mistake(("name",), "a name is small letters, digits and -, and begins with a letter")
    item = raw.get("item")
    if isinstance(item, str) and item.strip() and item not in ITEM_KINDS:
        yield Mistake(("item",), f"there are no items {item}; there are {', '.join(ITEM_KINDS)}")
    guideline = raw.get("guideline")
    if guideline is not None and not (isinstance(guideline, str) and is_file_name(guideline)):
        yield Mistake(("guideline",), "the guideline is the name of a file beside the form")
    note = raw.get("note", "-")
    if not (isinstance(note, str) and note.strip()):
        yield Mistake(
            ("note",), "the note is a sentence or two in quotes: what is different from the version before"
        )
    if not isinstance(raw.get("screen", True), bool):
        yield Mistake(("screen",), "must be true or false")
    yield from _blind(raw)
    for key in ("keys", "rows"):
        if not isinstance(raw.get(key, {}), dict):
            yield Mistake((key,), f"must be a table: [{key}]")


def _blind(raw: Mapping[str, Json]) -> Iterator[Mistake]:
    """A form that reveals names the form it asks first; only items of judges' answers have something to reveal."""
    aligns = str(raw.get("item")).startswith("judge-alignment")
    if "blind" in raw and not aligns:
        yield Mistake(("blind",), 'only a form of item = "judge-alignment" asks another form first')
    elif aligns and not (isinstance(raw.get("blind"), str) and raw["blind"].strip()):
        yield Mistake(("blind",) if "blind" in raw else (), "blind names the form that the judge answered")
    keys = raw.get("blind_fields", [])
    if not isinstance(keys, list) or not all(isinstance(key, str) for key in keys):
        yield Mistake(("blind_fields",), "must be a list of the keys of fields")
    entries = raw.get("fields")
    for i, entry in enumerate(entries if isinstance(entries, list) else ()):
        if isinstance(entry, dict) and aligns != (entry.get("phase") == "revealed"):
            word = 'phase = "revealed"' if aligns else "no phase"
            yield Mistake(
                ("fields", i, "phase") if "phase" in entry else ("fields", i),
                f"give this field {word}: it is asked {'after' if aligns else 'before'} a reveal",
            )


def _fields(placed: list[Placed], entries: list[Json], raw: Mapping[str, Json]) -> Iterator[Mistake]:
    """What only shows when the fields are seen together; fields that could not be read are not held against others."""
    fields, paths = {f.key: f for f, _ in placed}, {f.key: p for f, p in placed}
    readable = set(fields)
    broken = {e["key"] for e in entries if isinstance(e, dict) and isinstance(e.get("key"), str)} - readable
    sound: list[Placed] = []
    for field, path in placed:
        own = list(check_field(field, path))
        yield from own
        yield from check_references(field, path, fields, broken)
        if not any(m.path[-1] in ("min", "max", "step") for m in own):
            sound.append((field, path))
    yield from _twice(placed)
    yield from _kinds(placed, raw.get("item"))
    yield from check_cycles(fields, paths)
    keys = raw.get("keys", {})
    yield from check_keys(sound, keys if isinstance(keys, dict) else {})


def _twice(placed: list[Placed]) -> Iterator[Mistake]:
    seen: set[str] = set()
    reasons = {f"{f.key}_reason" for f, _ in placed if f.reason_if}
    for field, path in placed:
        if field.key in seen:
            yield Mistake((*path, "key"), f"there is already a field {field.key}")
        elif field.key in reasons:
            yield Mistake((*path, "key"), f"{field.key} is the name of the reason another field asks for")
        seen.add(field.key)


def _kinds(placed: list[Placed], item: Json) -> Iterator[Mistake]:
    kinds = ITEM_KINDS.get(item) if isinstance(item, str) else None
    for field, path in placed:
        if kinds is not None and field.per not in kinds:
            known = ", ".join(kinds)
            yield Mistake((*path, "per"), f"items of {item} have no {field.per} units; they have {known}")


def _rows(rows: Json, placed: list[Placed]) -> Iterator[Mistake]:
    rows = rows if isinstance(rows, dict) else {}
    for kind, entry in rows.items():
        at = ("rows", kind)
        found: list[Mistake] = []
        parsed = _parse(Rows, entry, at, found)
        yield from found
        if kind not in set(UnitKind):
            yield Mistake(at, f"there are no units of kind {kind}; there are {', '.join(UnitKind)}")
        elif parsed and parsed.max is not None and parsed.max < max(parsed.min, 1):
            yield Mistake((*at, "max"), "max must be at least 1 and not below min")
        elif not any(f.per == kind and f.asked != "given" for f, _ in placed):
            yield Mistake(
                at, f'nothing is asked of a {kind} the rater makes; give a field asked = "made" or "both"'
            )
    for field, path in placed:
        if field.asked != "given" and field.per not in rows:
            yield Mistake((*path, "asked"), f"the rater makes no {field.per} units; add [rows.{field.per}]")


def _parse(model: type[M], entry: Json, path: Path, mistakes: list[Mistake]) -> M | None:
    """The entry as a model; None, and each mistake noted, where it does not fit."""
    try:
        return model.model_validate(entry)
    except ValidationError as error:
        seen: set[Path] = set()
        for detail in error.errors(include_url=False, include_context=True):
            at = (*path, *_reached(entry, detail["loc"]))
            if at not in seen or detail["type"] == "missing":
                mistakes.append(Mistake(at, _sentence(dict(detail))))
            seen.add(at)
        return None


def _reached(entry: Json, loc: tuple[int | str, ...]) -> Path:
    """The part of pydantic's place that is really in the text: it appends the names of a union's branches."""
    reached: list[int | str] = []
    for step in loc:
        inside = isinstance(entry, dict) and step in entry
        if not inside and not (isinstance(entry, list) and isinstance(step, int) and step < len(entry)):
            break
        entry = entry[step]
        reached.append(step)
    return tuple(reached)


def _sentence(detail: Mapping[str, Json]) -> str:
    kind, name = detail["type"], str(detail["loc"][-1]) if detail["loc"] else ""
    if kind == "extra_forbidden":
        return NO_DEFAULT if name == "default" else _unknown(name, _names_at(detail["loc"]))
    if kind == "missing":
        return f"{name} must be given"
    if kind in ("literal_error", "enum"):
        return f"must be {detail['ctx']['expected']}"
    words = {
        "string_type": "must be a text in quotes",
        "bool_type": "must be true or false",
        "int_type": "must be a number",
        "float_type": "must be a number",
        "tuple_type": "must be a list",
        "mapping_type": "must be a table",
        "model_type": "must be a table",
    }
    message = str(detail["msg"])
    return words.get(kind, message[:1].lower() + message[1:])


def _names_at(loc: tuple[int | str, ...]) -> Iterable[str]:
    """The keys that could have been meant where an unknown one stood."""
    if len(loc) == 1:
        return Field.model_fields
    return Option.model_fields


def _unknown(key: str, names: Iterable[str]) -> str:
    near = difflib.get_close_matches(key, list(names), n=1)
    return f"unknown key; did you mean {near[0]}?" if near else f"unknown key; known are {', '.join(names)}"
