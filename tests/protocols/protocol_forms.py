"""Small forms written for tests: a head that is right, and a way to find a mistake by its key."""

from alps_tui.protocols.loading import Problem, ProtocolError, load_text
from alps_tui.protocols.schema import Protocol

HEAD = 'name = "team-form"\nversion = "1"\ntitle = "A form"\nitem = "response-rating"\n'
HEAD_LINES = HEAD.count("\n")

CHOICE = """
[[fields]]
key = "{key}"
per = "response"
kind = "choice"
level = "nominal"
title = "Which?"
options = [
  {{ value = "a", label = "one", key = "{first}" }},
  {{ value = "b", label = "two", key = "{second}" }},
]
"""


def choice(key: str, first: str = "1", second: str = "2", extra: str = "") -> str:
    return CHOICE.format(key=key, first=first, second=second) + extra


def field(key: str, kind: str, extra: str = "", *, level: str = "ordinal", per: str = "response") -> str:
    lines = ["[[fields]]", f'key = "{key}"', f'per = "{per}"', f'kind = "{kind}"', f'title = "About {key}"']
    if level:
        lines.append(f'level = "{level}"')
    return "\n" + "\n".join(lines) + "\n" + extra + "\n"


def load(body: str, head: str = HEAD) -> Protocol:
    return load_text(head + body, guideline="", file="form.toml")


def problems(body: str, head: str = HEAD) -> tuple[Problem, ...]:
    try:
        load(body, head)
    except ProtocolError as error:
        return error.problems
    return ()


def at(found: tuple[Problem, ...], key: str) -> Problem:
    return next(problem for problem in found if problem.key == key)
