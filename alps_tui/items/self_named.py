"""Responses that name a model: flagged to the lead, since a rater who reads one knows whose it is. Never shown to raters."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from store.content_records import Json
from store.database import Database
from store.self_named import Answered, answered, models_named, note_oddity

CODE = "names_a_model"
"""The oddity under which the import report has it."""

_WORD = re.compile(r"[^\W\d_]{3,}")
_SIGNS = re.compile(r"[\W_]+")
_NO_FAMILY = frozenset(
    [
        "model",
        "vanilla",
        "meta",
        "base",
        "mini",
        "max",
        "pro",
        "plus",
        "flash",
        "preview",
        "reasoner",
        "chat",
        "instruct",
        "turbo",
        "lite",
        "nano",
        "large",
        "small",
        "again",
        "thinking",
        "ali",
        "the",
        "and",
    ]
)
"""Words in names of models that many models bear, and many texts."""


@dataclass(frozen=True, slots=True)
class NamesModel:
    """A response in which a model is named: where it stands in the data, and the words that do it.

    own   they are of the name of the model that wrote it
    """

    dialogue: str
    query: str
    model: str
    words: str
    own: bool

    def to_json(self) -> dict[str, Json]:
        return {
            "dialogue": self.dialogue,
            "query": self.query,
            "model": self.model,
            "words": self.words,
            "own": self.own,
        }


class ModelWords:
    """Finds names of models in texts: whole names and the families in them, the longest first, word by word."""

    def __init__(self, models: Iterable[str]) -> None:
        """`models` are the names in the study: nothing else is looked for."""
        said = {part for name in models for part in (name, *_family(name)) if len(part) > 2}
        longest_first = sorted(said, key=lambda name: (-len(name), name))
        words = "|".join(filter(None, map(_pattern, longest_first)))
        self._pattern = re.compile(rf"(?<!\w)(?:{words})(?!\w)", re.IGNORECASE) if words else None

    def first(self, text: str, model: str) -> tuple[str, bool] | None:
        """The words that name a model, and whether it is the one that wrote the text; its own before others'."""
        found = [match[0] for match in self._pattern.finditer(text)] if self._pattern else []
        own = [words for words in found if _plain(words) in _plain(model)]
        words = next(iter(own or found), None)
        return None if words is None else (words, bool(own))


def flag_named(db: Database) -> tuple[NamesModel, ...]:
    """Every response of a study that names a model of the study; each is kept as an oddity of its record.

    Done again it finds the same, and keeps nothing twice.
    """
    with db.read() as conn:
        words = ModelWords(models_named(conn))
        found = [(one, named) for one in answered(conn) if (named := words.first(one.text, one.model))]
    if not found:
        return ()
    with db.write() as conn:
        for response, (said, own) in found:
            if response.record_id is not None:
                whose = "its own model" if own else "a model"
                note_oddity(conn, response.record_id, CODE, _where(response), f"names {whose}: {said}")
    return tuple(NamesModel(one.dialogue, one.query, one.model, *named) for one, named in found)


def _where(response: Answered) -> str:
    return f"response {response.id} to {response.query}"


def _family(name: str) -> tuple[str, ...]:
    """The first word in a name that is a family's: "gpt" of gpt-5.2, "llama" of meta-llama/llama-4."""
    words = (match[0] for match in _WORD.finditer(name.casefold()))
    return tuple(word for word in words if word not in _NO_FAMILY)[:1]


def _pattern(name: str) -> str:
    """The name with any signs, or none, between its parts."""
    return r"[\W_]*".join(re.escape(part) for part in _SIGNS.split(name) if part)


def _plain(text: str) -> str:
    return _SIGNS.sub("", text.casefold())
