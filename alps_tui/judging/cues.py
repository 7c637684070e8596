"""The cue lexicon of the baseline judge, and how a text is cut so that a cue can be found in it. Pure."""

import hashlib
import tomllib
import unicodedata
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files

import regex

_WORD = regex.compile(r"[\p{L}\p{M}\p{N}]+")
_NO_SPACES = r"\p{Han}\p{Hiragana}\p{Katakana}\p{Thai}\p{Lao}\p{Khmer}\p{Myanmar}"
_UNSPACED = regex.compile(rf"[{_NO_SPACES}\p{{M}}ー]+")
_HAS_UNSPACED = regex.compile(rf"[{_NO_SPACES}]")
_ARABIC_SIGNS = regex.compile(r"[\u0640\u064B-\u065F\u0670]")
_ARABIC_LETTERS = str.maketrans({"أ": "ا", "إ": "ا", "آ": "ا", "ى": "ي", "ة": "ه"})
_SCRIPTS = (
    "Latin",
    "Cyrillic",
    "Greek",
    "Arabic",
    "Hebrew",
    "Devanagari",
    "Bengali",
    "Tamil",
    "Thai",
    "Hangul",
)
_LETTERS_OF = {name: regex.compile(rf"\p{{{name}}}") for name in _SCRIPTS}
_EAST_ASIAN = regex.compile(r"[\p{Han}\p{Hiragana}\p{Katakana}]")


def normalised(text: str) -> str:
    """Text as cues see it: NFKC, casefolded, without Arabic vowel signs, its alef and ta marbuta unified."""
    folded = unicodedata.normalize("NFKC", text).casefold()
    unsigned: str = _ARABIC_SIGNS.sub("", folded)
    return unsigned.translate(_ARABIC_LETTERS)


def words(text: str) -> list[str]:
    """Unicode words of a normalised text; a combining mark belongs to its word."""
    return list(_WORD.findall(text))


def content_units(text: str, lexicon: "Lexicon") -> frozenset[str]:
    """What two texts can share: words with content, and pairs of characters in scripts without spaces.

    Left out: function words and words of one sign. An English word of more than four signs loses a final s, so
    that "movie" and "movies" meet ("summary" and "summaries" do not).
    """
    units: set[str] = set()
    for word in words(normalised(text)):
        if not _HAS_UNSPACED.search(word):
            if len(word) > 1 and word not in lexicon.function_words:
                units.add(word[:-1] if len(word) > 4 and word.isascii() and word.endswith("s") else word)
            continue
        for run in _UNSPACED.findall(_without(word, lexicon.function_strings)):
            units.update({run} if len(run) == 1 else {run[i : i + 2] for i in range(len(run) - 1)})
        units.update(part for part in _UNSPACED.split(word) if len(part) > 1)
    return frozenset(units)


def _without(word: str, strings: tuple[str, ...]) -> str:
    for string in strings:
        word = word.replace(string, " ")
    return word


def script(text: str) -> str | None:
    """The script most letters of a text are in; Chinese and Japanese count as one; None without letters."""
    counts = {name: len(pattern.findall(text)) for name, pattern in _LETTERS_OF.items()}
    counts["East Asian"] = len(_EAST_ASIAN.findall(text))
    name = max(counts, key=lambda key: counts[key])
    return name if counts[name] else None


@dataclass(frozen=True)
class Cues:
    """Words and phrases of one meaning. `bounded` match whole words, `anywhere` match inside a run."""

    bounded: tuple[str, ...]
    anywhere: tuple[str, ...]

    def found(self, reading: "Reading") -> frozenset[str]:
        """The distinct cues that a text holds."""
        return frozenset(
            [cue.strip() for cue in self.bounded if cue in reading.spaced]
            + [cue for cue in self.anywhere if cue in reading.text]
        )


@dataclass(frozen=True)
class Reading:
    """A text prepared once for many cues: normalised, and the same with single spaces between its words."""

    text: str
    spaced: str


def read(text: str) -> Reading:
    plain = normalised(text)
    return Reading(plain, f" {' '.join(words(plain))} ")


@dataclass(frozen=True)
class Lexicon:
    """All cues, with the version written in the file and the hash of its bytes."""

    version: str
    sha256: str
    feelings: dict[str, Cues]
    acknowledge: Cues
    validate: Cues
    support: Cues
    ask_back: Cues
    dismiss: Cues
    aversion: Cues
    attitudes: frozenset[str]
    function_words: frozenset[str]
    function_strings: tuple[str, ...]


def _cues(entries: list[str]) -> Cues:
    bounded, anywhere = [], []
    for entry in entries:
        plain = normalised(entry)
        if _HAS_UNSPACED.search(plain):
            anywhere.append(plain)
        else:
            phrase = " " + " ".join(words(plain))
            bounded.append(phrase if entry.endswith("*") else phrase + " ")
    return Cues(tuple(bounded), tuple(anywhere))


@lru_cache(maxsize=1)
def lexicon() -> Lexicon:
    """The lexicon that ships with the package (cues.toml)."""
    raw = (files("alps_tui.judging") / "cues.toml").read_bytes()
    data = tomllib.loads(raw.decode("utf-8"))
    response, preferences = data["response"], data["preferences"]
    longest_first = sorted((normalised(s) for s in preferences["function_strings"]), key=len, reverse=True)
    return Lexicon(
        version=data["version"],
        sha256=hashlib.sha256(raw).hexdigest(),
        feelings={name: _cues(entries) for name, entries in data["feelings"].items()},
        acknowledge=_cues(response["acknowledge"]),
        validate=_cues(response["validate"]),
        support=_cues(response["support"]),
        ask_back=_cues(response["ask_back"]),
        dismiss=_cues(response["dismiss"]),
        aversion=_cues(preferences["aversion"]),
        attitudes=frozenset(preferences["attitudes"]),
        function_words=frozenset(normalised(word) for word in preferences["function_words"]),
        function_strings=tuple(longest_first),
    )
