"""On which line each key of a TOML text stands: tomllib gives values without places, and a mistake needs one.

The text is known to be valid TOML (tomllib has read it), so this only follows names, brackets and strings.
"""

import re
import tomllib

Path = tuple[str | int, ...]

_BARE = re.compile(r"[A-Za-z0-9_-]+")
_BLANK = re.compile(r"(?:[ \t\r\n]|#[^\n]*)*")
_SPACE = re.compile(r"[ \t]*")
_STRING = re.compile(
    r'"""(?:[^"\\]|\\.|"{1,2}(?!"))*"{3,5}'
    r"|'''(?:[^']|'{1,2}(?!'))*'{3,5}"
    r'|"(?:[^"\\\n]|\\.)*"'
    r"|'[^'\n]*'",
    re.DOTALL,
)
_SCALAR = re.compile(r"[^,\]}#\n]+")


def locate(text: str) -> dict[Path, int]:
    """Path of names and array positions → line from 1; tables and array elements have their own line too."""
    return _Scanner(text).run()


_AT_LINE = re.compile(r"\s*\(at (?:line (\d+), column \d+|end of document)\)$")


def not_toml(error: tomllib.TOMLDecodeError, text: str) -> tuple[int, str]:
    """The line of a mistake that keeps a text from being TOML, and what is wrong there, without a full stop."""
    match = _AT_LINE.search(str(error))
    line = int(match[1]) if match and match[1] else text.count("\n") + 1
    what = _AT_LINE.sub("", str(error))
    return line, f"this is not TOML: {what[:1].lower()}{what[1:]}"


def line_of(lines: dict[Path, int], path: Path) -> int:
    """The line of a path, or of the nearest thing around it; 1 for the whole file."""
    for end in range(len(path), 0, -1):
        if path[:end] in lines:
            return lines[path[:end]]
    return 1


class _Scanner:
    """A place in a TOML text and what was found up to it."""

    def __init__(self, text: str) -> None:
        self.text = text
        self.at = 0
        self.line = 1
        self.lines: dict[Path, int] = {}
        self.counts: dict[Path, int] = {}

    def run(self) -> dict[Path, int]:
        table: Path = ()
        self._skip(_BLANK)
        while self.at < len(self.text):
            if self.text[self.at] == "[":
                table = self._header()
            else:
                self._pair(table)
            self._skip(_BLANK)
        return self.lines

    def _skip(self, pattern: re.Pattern[str]) -> str:
        """Move over what the pattern matches here and return it."""
        match = pattern.match(self.text, self.at)
        found = match.group() if match else ""
        self.at += len(found)
        self.line += found.count("\n")
        return found

    def _name(self) -> tuple[str, ...]:
        """A dotted name; quotes are taken off, escapes in them are left."""
        parts: list[str] = []
        while True:
            self._skip(_SPACE)
            quoted = self._skip(_STRING)
            parts.append(quoted[1:-1] if quoted else self._skip(_BARE))
            self._skip(_SPACE)
            if self.text[self.at : self.at + 1] != ".":
                return tuple(parts)
            self.at += 1

    def _header(self) -> Path:
        """A table or the next element of an array of tables."""
        double = self.text.startswith("[[", self.at)
        line = self.line
        self.at += 2 if double else 1
        names = self._name()
        self.at += 2 if double else 1
        path: Path = ()
        for name in names[:-1]:
            path = self._current((*path, name))
        path = (*path, names[-1])
        if double:
            self.counts[path] = self.counts.get(path, -1) + 1
            self.lines.setdefault(path, line)
            path = (*path, self.counts[path])
        self.lines.setdefault(path, line)
        return path

    def _current(self, path: Path) -> Path:
        return (*path, self.counts[path]) if path in self.counts else path

    def _pair(self, table: Path) -> None:
        """name = value; every prefix of a dotted name gets the line too."""
        line = self.line
        names = self._name()
        path = table
        for name in names:
            path = (*path, name)
            self.lines.setdefault(path, line)
        self.at += 1  # the equals sign
        self._skip(_SPACE)
        self._value(path)

    def _value(self, path: Path) -> None:
        sign = self.text[self.at : self.at + 1]
        if sign == "[":
            self._array(path)
        elif sign == "{":
            self._inline(path)
        elif sign in ('"', "'"):
            self._skip(_STRING)
        else:
            self._skip(_SCALAR)

    def _array(self, path: Path) -> None:
        self.at += 1
        position = 0
        self._skip(_BLANK)
        while self.text[self.at] != "]":
            self.lines[(*path, position)] = self.line
            self._value((*path, position))
            position += 1
            self._comma()
        self.at += 1

    def _inline(self, path: Path) -> None:
        self.at += 1
        self._skip(_BLANK)
        while self.text[self.at] != "}":
            self._pair(path)
            self._comma()
        self.at += 1

    def _comma(self) -> None:
        self._skip(_BLANK)
        if self.text[self.at] == ",":
            self.at += 1
        self._skip(_BLANK)
