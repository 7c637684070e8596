"""How one guideline differs from another: the paragraphs that changed, word by word, under their headings. Pure."""

from collections.abc import Iterator
from dataclasses import dataclass
from difflib import SequenceMatcher

from alps_tui.ui.word_diff import Piece, word_diff


@dataclass(frozen=True, slots=True)
class ChangedPart:
    """Paragraphs that changed below one heading; `heading` is empty above the first one."""

    heading: str
    paragraphs: tuple[tuple[Piece, ...], ...]


@dataclass(frozen=True, slots=True)
class _Paragraph:
    """A paragraph on one line, with the heading it stands below."""

    heading: str
    text: str


def changed_parts(before: str, after: str) -> tuple[ChangedPart, ...]:
    """What changed from one text in Markdown to another, in the order of the second; empty if only breaks moved."""
    parts: list[ChangedPart] = []
    for heading, pieces in _changes(list(_paragraphs(before)), list(_paragraphs(after))):
        if parts and parts[-1].heading == heading:
            parts[-1] = ChangedPart(heading, (*parts[-1].paragraphs, pieces))
        else:
            parts.append(ChangedPart(heading, (pieces,)))
    return tuple(parts)


def _paragraphs(text: str) -> Iterator[_Paragraph]:
    """Paragraphs and headings, without the signs that set words apart; what stands in lines of one paragraph is one
    line, as the screen wraps it anyway."""
    heading = ""
    text = text.replace("**", "").replace("`", "")
    for block in "\n".join(line.rstrip() for line in text.split("\n")).split("\n\n"):
        lines = [line.strip() for line in block.split("\n") if line.strip()]
        if lines and lines[0].startswith("#"):
            heading = lines[0].lstrip("# ")
            yield _Paragraph(heading, lines[0])
            lines = lines[1:]
        if lines:
            yield _Paragraph(heading, " ".join(lines))


def _changes(before: list[_Paragraph], after: list[_Paragraph]) -> Iterator[tuple[str, tuple[Piece, ...]]]:
    """Heading and word diff of each paragraph that was changed, taken out or put in."""
    first, second = [one.text for one in before], [one.text for one in after]
    for name, a, b, c, d in SequenceMatcher(None, first, second, autojunk=False).get_opcodes():
        if name == "equal":
            continue
        for place in range(max(b - a, d - c)):
            old = before[a + place] if a + place < b else None
            new = after[c + place] if c + place < d else None
            one = new or old
            assert one is not None
            yield one.heading, word_diff(old.text if old else "", new.text if new else "")
