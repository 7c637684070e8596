"""The files a form of a team's own starts from: a small one with remarks, or a copy of one that ships."""

import re
from importlib import resources
from typing import Literal, get_args

from alps_tui.protocols.loading import builtin_names, load_builtin

Per = Literal["session", "memory", "response"]
PER: tuple[str, ...] = get_args(Per)
"""What a small form asks about: a dialogue as a whole, its memories, or the responses to a question."""

_NAME = re.compile(r"[a-z][a-z0-9-]{0,59}")
_STAND_IN = "my-form"


def name_refused(name: str) -> str | None:
    """Why a form cannot have this name, as a sentence; None if it can."""
    if not _NAME.fullmatch(name):
        return "A name is small letters, digits and -, at most 60, and begins with a letter."
    if name in builtin_names():
        return f"{name} is a form that ships with the product. Choose another name (--from {name} copies it)."
    return None


def small_form(name: str, per: Per) -> tuple[str, str]:
    """TOML and guideline of a form that works as it stands, with remarks on what to change."""
    folder = resources.files("alps_tui.protocols") / "beginnings"
    form = (folder / f"{per}.toml").read_text(encoding="utf-8")
    return form.replace(_STAND_IN, name), (folder / f"{per}.md").read_text(encoding="utf-8")


def copy_of(builtin: str, name: str) -> tuple[str, str]:
    """TOML and guideline of a form that ships, under another name and as version 1.

    raises   KeyError if there is none of that name
    """
    form = load_builtin(builtin)
    head, fields, rest = form.source.partition("\n[")
    head = re.sub(r"(?m)^name = .*$", f'name = "{name}"', head)
    head = re.sub(r"(?m)^version = .*$", 'version = "1"', head)
    head = re.sub(r"(?m)^guideline = .*$\n?", "", head)
    head = re.sub(r"(?m)^note = .*$\n?", "", head)
    head = re.sub(r"(?m)^(item = .*)$", rf'\1\nguideline = "{name}.md"', head)
    return head + fields + rest, form.guideline
