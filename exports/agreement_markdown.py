"""An agreement report as Markdown: headings, sentences, tables with pipes; whatever a name holds stays text."""

import re
from collections.abc import Sequence

from exports.agreement_blocks import Block, Grid

_SPECIAL = re.compile(r"([\\`*_{}\[\]<>#|~$&!])")
_ITEM = re.compile(r"^(\s*)([-+]|\d+[.)])(\s)")


def written(blocks: Sequence[Block]) -> str:
    """One document, its first heading of level 1."""
    return "# Agreement of raters\n\n" + "\n\n".join(map(_block, blocks)) + "\n"


def escaped(text: str) -> str:
    """Text that Markdown shows as it is: its signs escaped, its line ends spaces."""
    plain = _SPECIAL.sub(r"\\\1", " ".join(text.split()))
    return _ITEM.sub(r"\1\\\2\3", plain)


def _block(block: Block) -> str:
    parts = [f"{'#' * (block.level + 1)} {escaped(block.title)}"]
    if block.words:
        parts.append(escaped(block.words))
    if block.facts:
        parts.append(_list(block.facts))
    parts += map(_grid, block.grids)
    if block.notes:
        parts.append(_list(block.notes))
    if block.steps:
        parts.append(
            "Next:\n\n" + "\n".join(f"{n}. {escaped(step)}" for n, step in enumerate(block.steps, 1))
        )
    return "\n\n".join(parts)


def _list(lines: Sequence[str]) -> str:
    return "\n".join(f"- {escaped(line)}" for line in lines)


def _grid(grid: Grid) -> str:
    rule = "|".join([" :--- ", *[" ---: "] * (len(grid.header) - 1)])
    lines = [_row(grid.header), f"|{rule}|", *map(_row, grid.rows)]
    return "\n".join(lines)


def _row(cells: Sequence[str]) -> str:
    return "| " + " | ".join(escaped(cell) for cell in cells) + " |"
