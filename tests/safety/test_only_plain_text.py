"""No stock widget of a screen is given text that did not come through `plain`: it would take brackets for markup."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

import alps_tui.ui

ROOM = Path(alps_tui.ui.__path__[0])
PARSE_MARKUP = frozenset(
    {
        "Static",
        "Label",
        "Button",
        "Checkbox",
        "RadioButton",
        "Collapsible",
        "Markdown",
        "Option",
        "Selection",
        "Link",
    }
)
"""Widgets and entries of widgets whose text is markup if it is a string."""

TITLES = frozenset({"border_title", "border_subtitle", "tooltip"})
SAFE = frozenset({"plain", "plain_line", "visible", "Content", "styled", "join"})
"""What makes a text that is shown as it is; `visible` for what reads Markdown, where a string is no markup."""


def given_texts(tree: ast.AST) -> Iterator[tuple[int, ast.expr]]:
    """Line and expression of everything a widget that parses markup is told to show."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            name = node.func.attr if isinstance(node.func, ast.Attribute) else getattr(node.func, "id", "")
            if name in PARSE_MARKUP | {"notify"} and node.args:
                yield node.lineno, node.args[0]
            yield from ((node.lineno, key.value) for key in node.keywords if key.arg in TITLES)
        elif isinstance(node, ast.Assign):
            for target in node.targets:
                if isinstance(target, ast.Attribute) and target.attr in TITLES:
                    yield node.lineno, node.value


def is_plain(text: ast.expr) -> bool:
    """True for what was made by one of SAFE, for a literal that needs no making, and for sums of such."""
    if isinstance(text, ast.Constant):
        return text.value is None or "[" not in str(text.value)
    if isinstance(text, ast.BinOp):
        return is_plain(text.left) and is_plain(text.right)
    if isinstance(text, ast.Call):
        name = text.func.attr if isinstance(text.func, ast.Attribute) else getattr(text.func, "id", "")
        return name in SAFE
    return False


@pytest.mark.parametrize("path", sorted(ROOM.rglob("*.py")), ids=lambda path: str(path.relative_to(ROOM)))
def test_stock_widgets_are_given_plain_text_only(path: Path) -> None:
    tree = ast.parse(path.read_text(encoding="utf-8"))
    loose = [
        f"{path.name}:{line}: {ast.unparse(text)}" for line, text in given_texts(tree) if not is_plain(text)
    ]
    assert not loose


@pytest.mark.parametrize(
    "code", ["Static(f'{name}')", "Label(title)", "self.notify(str(error))", "w.border_title = name"]
)
def test_a_text_as_it_came_is_noticed(code: str) -> None:
    assert [text for _, text in given_texts(ast.parse(code)) if not is_plain(text)]
