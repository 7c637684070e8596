r"""An agreement report as LaTeX to be \input into a paper: sections, sentences, tabulars; needs no package.

Text stays text: every sign that LaTeX reads is escaped. Names in other scripts need XeLaTeX or LuaLaTeX and a font.
"""

import re
from collections.abc import Sequence

from exports.agreement_blocks import Block, Grid

_SIGNS = {
    "\\": r"\textbackslash{}",
    "{": r"\{",
    "}": r"\}",
    "$": r"\$",
    "&": r"\&",
    "#": r"\#",
    "_": r"\_",
    "%": r"\%",
    "~": r"\textasciitilde{}",
    "^": r"\textasciicircum{}",
    "<": r"\textless{}",
    ">": r"\textgreater{}",
    "|": r"\textbar{}",
    '"': "''",
    "`": r"\textasciigrave{}",
    "·": r"\textperiodcentered{}",
    "…": r"\ldots{}",
    "[": "{[}",
    "]": "{]}",
    "-": "-{}",
}
_SPECIAL = re.compile("[" + re.escape("".join(_SIGNS)) + "]")
_NEGATIVE = re.compile(r"(?<![\w.)-])-(?=[.\d])")
_HEADINGS = {1: "section", 2: "subsection"}


def written(blocks: Sequence[Block]) -> str:
    """The body of a document, without its preamble."""
    head = "% Agreement of raters. Text in other scripts than Latin: compile with XeLaTeX or LuaLaTeX.\n"
    return head + "\n".join(map(_block, blocks))


def escaped(text: str) -> str:
    """Text that LaTeX sets as it is; line ends are spaces, a minus before a number is one."""
    pieces = _NEGATIVE.split(" ".join(text.split()))
    return "$-$".join(_SPECIAL.sub(lambda found: _SIGNS[found.group()], piece) for piece in pieces)


def _block(block: Block) -> str:
    parts = [rf"\{_HEADINGS[block.level]}*{{{escaped(block.title)}}}"]
    if block.words:
        parts.append(escaped(block.words) + "\n")
    if block.facts:
        parts.append(_list("itemize", block.facts))
    parts += map(_grid, block.grids)
    if block.notes:
        parts.append(_list("itemize", block.notes))
    if block.steps:
        parts.append("Next:\n" + _list("enumerate", block.steps))
    return "\n".join(parts) + "\n"


def _list(kind: str, lines: Sequence[str]) -> str:
    items = "\n".join(rf"  \item {escaped(line)}" for line in lines)
    return f"\\begin{{{kind}}}\n{items}\n\\end{{{kind}}}"


def _grid(grid: Grid) -> str:
    columns = "l" + "r" * (len(grid.header) - 1)
    rows = "\n".join(f"  {_row(row)}" for row in grid.rows)
    return (
        f"\\par\\medskip\\noindent\n\\begin{{tabular}}{{{columns}}}\n  \\hline\n  {_row(grid.header)}\n  \\hline\n"
        f"{rows}\n  \\hline\n\\end{{tabular}}\n"
    )


def _row(cells: Sequence[str]) -> str:
    return " & ".join(map(escaped, cells)) + r" \\"
