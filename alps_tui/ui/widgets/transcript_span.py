"""A span of a turn chosen by keys: it moves by word, sign and row until its start is fixed, then it grows. Pure."""

from bisect import bisect_left, bisect_right
from dataclasses import dataclass, replace
from typing import Literal

import regex

from alps_tui.ui.text_layout import Wrapped

SPAN_KEYS = "←→ word · ⇧←→ sign · ↑↓ row · space fix start · enter take · esc leave"
"""What a status line says while a span is being chosen."""

SpanUnit = Literal["word", "char", "line"]

_ALONE = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_WORD = regex.compile(rf"(?V1)[{_ALONE}]\p{{M}}*|[\w--[{_ALONE}]](?:[\w--[{_ALONE}]]|['’\-]\w)*|[^\w\s]+")
_SIGN = regex.compile(r"\X")


@dataclass(frozen=True, slots=True)
class Span:
    """Code points [start, end) of `turn`. While `fixed` is False the whole span moves, then only its end does."""

    turn: int
    start: int
    end: int
    fixed: bool = False


class TurnUnits:
    """The words, signs and rows of a turn as slices, found once: scripts without spaces count sign by sign."""

    def __init__(self, rows: Wrapped) -> None:
        text = rows.text
        self._slices: dict[SpanUnit, list[tuple[int, int]]] = {
            "word": [found.span() for found in _WORD.finditer(text)],
            "char": [found.span() for found in _SIGN.finditer(text) if not found[0].isspace()],
            "line": [rows.shown(row) for row in range(len(rows)) if rows.shown(row)[0] < rows.shown(row)[1]],
        }

    def first(self, turn: int, at: int = 0) -> Span | None:
        """The word that holds offset `at` or follows it, the last one if none does; None for an empty turn."""
        words = self._slices["word"]
        if not words:
            return None
        place = min(bisect_right(words, at, key=lambda word: word[1]), len(words) - 1)
        return Span(turn, *words[place])

    def moved(self, span: Span, unit: SpanUnit, steps: int) -> Span:
        """`span` moved by `steps` units, or with its end moved if its start is fixed; never empty, never outside."""
        if span.fixed:
            return self._grown(span, unit, steps)
        slices = self._slices[unit]
        if not slices:
            return span
        place = bisect_right(slices, span.start, key=lambda piece: piece[0]) - 1
        start, end = slices[max(0, min(place + steps, len(slices) - 1))]
        if unit == "line":
            first = self.first(span.turn, start)
            return span if first is None else replace(first, fixed=False)
        return replace(span, start=start, end=end)

    def _grown(self, span: Span, unit: SpanUnit, steps: int) -> Span:
        ends = [end for _, end in self._slices[unit]]
        end = span.end
        for _ in range(abs(steps)):
            place = bisect_right(ends, end) if steps > 0 else bisect_left(ends, end) - 1
            if not 0 <= place < len(ends) or ends[place] <= span.start:
                break
            end = ends[place]
        return replace(span, end=end)

    def to_edge(self, span: Span, steps: int) -> Span:
        """The first or last word of the turn; with a fixed start the span's first word, or all to the end."""
        words = self._slices["word"]
        if not words:
            return span
        if not span.fixed:
            start, end = words[-1 if steps > 0 else 0]
            return replace(span, start=start, end=end)
        if steps > 0:
            return replace(span, end=max(span.end, words[-1][1]))
        return self._grown(replace(span, end=span.start), "word", 1)


class SpanChoice:
    """A span of one turn while it is being chosen with keys.

    `press` says what a key did: "moved", "taken", "left", "before" and "after" (another user turn is
    wanted), or "none".
    """

    def __init__(self, turn: int, rows: Wrapped, at: int = 0) -> None:
        """Begin at the word at offset `at`. Raises ValueError for a turn without any word."""
        self._units = TurnUnits(rows)
        first = self._units.first(turn, at)
        if first is None:
            raise ValueError("a turn without a word has no span")
        self.span = first

    @property
    def moving(self) -> int:
        """The offset that should be in view: of the end that moves."""
        return self.span.end - 1 if self.span.fixed else self.span.start

    def extend(self, unit: SpanUnit, steps: int) -> None:
        """Move by `steps` words, signs or rows: the whole span, or its end once the start is fixed."""
        self.span = self._units.moved(self.span, unit, steps)

    def edge(self, steps: int) -> None:
        """To the first or the last word of the turn; with a fixed start back to one word, or on to the end."""
        self.span = self._units.to_edge(self.span, steps)

    def fix(self) -> None:
        """Fix the start, so that moving grows the span; or let it move as a whole again."""
        self.span = replace(self.span, fixed=not self.span.fixed)

    def press(self, key: str) -> str:
        """Act on a key by its Textual name."""
        if key in _MOVES:
            self.extend(*_MOVES[key])
        elif key in ("home", "end"):
            self.edge(1 if key == "end" else -1)
        elif key in ("space", "v"):
            self.fix()
        elif key in _ENDS:
            return _ENDS[key]
        elif key in _OTHER_TURN and not self.span.fixed:
            return _OTHER_TURN[key]
        else:
            return "none"
        return "moved"


_MOVES: dict[str, tuple[SpanUnit, int]] = {
    "right": ("word", 1),
    "left": ("word", -1),
    "shift+right": ("char", 1),
    "shift+left": ("char", -1),
    "full_stop": ("char", 1),
    "comma": ("char", -1),
    "down": ("line", 1),
    "up": ("line", -1),
}
_ENDS = {"enter": "taken", "escape": "left"}
_OTHER_TURN = {"left_curly_bracket": "before", "right_curly_bracket": "after"}
