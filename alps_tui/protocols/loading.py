"""Reads a form from TOML: every mistake with its file, line and key, or the form whole."""

import hashlib
import json
import tomllib
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache
from importlib import resources
from pathlib import Path
from typing import Any

from alps_tui.protocols import blind_part, checks
from alps_tui.protocols.checks import RESERVED_KEYS, Mistake
from alps_tui.protocols.schema import Field, Protocol, Rows
from alps_tui.protocols.toml_lines import line_of, locate, not_toml
from store.kinds import UnitKind

__all__ = [
    "RESERVED_KEYS",
    "Problem",
    "ProtocolError",
    "builtin_names",
    "load_builtin",
    "load_file",
]

Json = Any


@dataclass(frozen=True, slots=True)
class Problem:
    """One mistake in a form: where it stands and what to do about it. `key` is a path such as fields.verdict.level."""

    file: str
    line: int
    key: str
    sentence: str

    def __str__(self) -> str:
        """One line, whatever a name or a value in the form holds: nothing raw reaches a terminal."""
        parts = (f"{self.file}:{self.line}", self.key, self.sentence)
        line = ": ".join(part for part in parts if part)
        return "".join(sign if sign.isprintable() else repr(sign)[1:-1] for sign in line)


class ProtocolError(Exception):
    """A form that cannot be used, with every mistake found in it."""

    def __init__(self, problems: tuple[Problem, ...]) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems


WORK_ORDER = (
    "memory-verification",
    "memory-update",
    "memory-retrieval",
    "utilization-check",
    "response-rating",
    "response-preference",
    "intent",
    "extraction-review",
)
"""The forms that ship in the order of the work; judges are held against people last, forms of a team's own come first."""


def work_place(name: str) -> int:
    """Where a form stands among the others: sort by it."""
    if name in WORK_ORDER:
        return 1 + WORK_ORDER.index(name)
    return 1 + len(WORK_ORDER) if name in builtin_names() else 0


def builtin_names() -> tuple[str, ...]:
    """The forms that ship with the product, by name."""
    folder = resources.files("alps_tui.protocols")
    return tuple(sorted(f.name.removesuffix(".toml") for f in folder.iterdir() if f.name.endswith(".toml")))


@cache
def load_builtin(name: str) -> Protocol:
    """A form that ships with the product. KeyError with the names there are if it is none of them."""
    if name not in builtin_names():
        raise KeyError(f"no built-in protocol {name!r}; there are {', '.join(builtin_names())}")
    folder = resources.files("alps_tui.protocols")
    text = (folder / f"{name}.toml").read_text(encoding="utf-8")
    guideline = (folder / f"{name}.md").read_text(encoding="utf-8")
    return load_text(text, guideline=guideline, file=f"{name}.toml")


def load_file(path: str | Path) -> Protocol:
    """A team's own form; its guideline is the file it names, or one of the same name ending in .md.

    raises   ProtocolError with every mistake, also where a file cannot be read
    """
    path = Path(path)
    text = _read(path, path)
    named = _named_guideline(text)
    guide = guideline_path(path, named)
    if named is None and not guide.is_file():
        return load_text(text, guideline="", file=str(path))
    line = locate(text).get(("guideline",), 1) if named else 1
    return load_text(text, guideline=_read(guide, path, line, "guideline"), file=str(path))


def guideline_path(path: Path, named: str | None = None) -> Path:
    """Where the guideline of a form lies: the file it names, or one of its own name ending in .md."""
    return path.with_name(named) if named else path.with_suffix(".md")


def load_text(text: str, *, guideline: str, file: str) -> Protocol:
    """A form from its TOML text.

    raises   ProtocolError with every mistake
    """
    try:
        raw = tomllib.loads(text)
    except tomllib.TOMLDecodeError as error:
        raise ProtocolError((_not_toml(error, text, file),)) from error
    mistakes = checks.check(raw)
    asked_first: Protocol | None = None
    if not mistakes and "blind" in raw:
        known = [name for name in builtin_names() if name != raw["name"]]
        asked_first = load_builtin(raw["blind"]) if raw["blind"] in known else None
        mistakes = blind_part.mistakes(raw, asked_first, known)
    if mistakes:
        lines = locate(text)
        problems = {_problem(m, raw, lines, file) for m in mistakes}
        raise ProtocolError(tuple(sorted(problems, key=lambda p: (p.line, p.key, p.sentence))))
    return _build(raw, text, guideline, asked_first)


def _build(
    raw: Mapping[str, Json], text: str, guideline: str, asked_first: Protocol | None = None
) -> Protocol:
    fields = expand(tuple(Field.model_validate(f) for f in raw["fields"]))
    rows = {UnitKind(kind): Rows.model_validate(rows) for kind, rows in raw.get("rows", {}).items()}
    said = raw
    if asked_first is not None:
        before = blind_part.blind_fields(raw, asked_first)
        fields, rows = (*before, *fields), {**asked_first.rows, **rows}
        guideline = blind_part.guideline(guideline, before, asked_first)
        said = {**raw, "asked first": [f.model_dump(mode="json", exclude_defaults=True) for f in before]}
    return Protocol(
        name=raw["name"],
        version=str(raw["version"]),
        title=raw["title"],
        item=raw["item"],
        note=raw.get("note", ""),
        screen=raw.get("screen", True),
        blind=raw.get("blind", ""),
        fields=fields,
        keys={**(asked_first.keys if asked_first else {}), **raw.get("keys", {})},
        rows=rows,
        guideline=guideline,
        source=text,
        content_hash=content_hash(said),
    )


def content_hash(raw: Mapping[str, Json]) -> str:
    """SHA-256 of what a form asks: comments and layout do not count, and neither do the guideline, `screen` or `note`.

    A guideline has versions of its own in a study, so that making it clearer does not make a new form; nor does it
    change what is asked that there is a screen for it, or that it is said what has changed.
    """
    asked = {key: value for key, value in raw.items() if key not in ("screen", "note")}
    said = json.dumps(asked, sort_keys=True, ensure_ascii=False, separators=(",", ":"), default=str)
    return hashlib.sha256(said.encode("utf-8", "surrogatepass")).hexdigest()


def expand(fields: tuple[Field, ...]) -> tuple[Field, ...]:
    """The fields as they are asked: conditions carry those of the fields they name, each reason is a text field.

    `reason_if` on a field F becomes a required text field F_reason right after it, shown while it holds.
    """
    by_key = {field.key: field for field in fields}
    out: list[Field] = []
    for field in fields:
        whole = field.model_copy(update={"visible_if": _conditions(field.visible_if, by_key)})
        out.append(whole)
        if field.reason_if:
            shown = _conditions({**(field.visible_if or {}), **field.reason_if}, by_key)
            out.append(_reason_field(field, shown))
    return tuple(out)


def reason_key(key: str) -> str:
    """The key of the text field that holds the reason for an answer."""
    return f"{key}_reason"


def _reason_field(field: Field, shown: Mapping[str, tuple[Json, ...]] | None) -> Field:
    return Field(
        key=reason_key(field.key),
        per=field.per,
        kind="text",
        title=f"Why? ({field.title})",
        required=True,
        asked=field.asked,
        visible_if=shown,
    )


def _conditions(
    visible_if: Mapping[str, tuple[Json, ...]] | None, fields: Mapping[str, Field]
) -> dict[str, tuple[Json, ...]] | None:
    """A condition with those of the fields it names, so that an answer left behind a closed door opens none."""
    whole: dict[str, tuple[Json, ...]] = {}
    waiting = list((visible_if or {}).items())
    while waiting:
        key, values = waiting.pop(0)
        if key in whole:
            whole[key] = tuple(v for v in whole[key] if v in values)
            continue
        whole[key] = values
        waiting.extend((fields[key].visible_if or {}).items())
    return whole or None


def _problem(mistake: Mistake, raw: Mapping[str, Json], lines: dict[checks.Path, int], file: str) -> Problem:
    return Problem(file, line_of(lines, mistake.path), _spoken(mistake.path, raw), mistake.sentence)


def _spoken(path: checks.Path, raw: Mapping[str, Json]) -> str:
    """fields.verdict.options.keep.key instead of fields.0.options.1.key, where the names are known."""
    words: list[str] = []
    here: Json = raw
    for step in path:
        here = _step(here, step)
        name = here.get("value", here.get("key", step)) if isinstance(here, dict) else step
        words.append(str(name if isinstance(step, int) else step))
    return ".".join(words)


def _step(here: Json, step: str | int) -> Json:
    if isinstance(here, dict):
        return here.get(step)
    if isinstance(here, list) and isinstance(step, int) and step < len(here):
        return here[step]
    return None


def _not_toml(error: tomllib.TOMLDecodeError, text: str, file: str) -> Problem:
    line, sentence = not_toml(error, text)
    return Problem(file, line, "", sentence)


def _named_guideline(text: str) -> str | None:
    """The file name under `guideline`; None where there is none, or where the text has mistakes to report first."""
    try:
        named = tomllib.loads(text).get("guideline")
    except tomllib.TOMLDecodeError:
        return None
    return named if isinstance(named, str) and checks.is_file_name(named) else None


def _read(path: Path, form: Path, line: int = 1, key: str = "") -> str:
    try:
        return path.read_bytes().decode("utf-8").replace("\r\n", "\n")
    except FileNotFoundError as error:
        raise ProtocolError((Problem(str(form), line, key, f"there is no file {path}"),)) from error
    except UnicodeDecodeError as error:
        raise ProtocolError((Problem(str(form), line, key, f"{path.name} is not UTF-8"),)) from error
    except OSError as error:
        problem = Problem(str(form), line, key, f"{path.name} cannot be read: {error.strerror}")
        raise ProtocolError((problem,)) from error
