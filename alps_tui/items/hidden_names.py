"""Ids that tell which model is behind something, and what is shown in their place."""

import re
from collections.abc import Iterable
from dataclasses import dataclass

from alps_tui.items.content import Content
from store.content import StoredDialogue

_FAMILY = re.compile(r"[^\W\d_]{3,}")
_SIGNS = re.compile(r"[\W_]+")


@dataclass(frozen=True, slots=True)
class Names:
    """The names of the models and memory systems of a study, folded so that spelling does not hide them."""

    folded: frozenset[str]

    def tells(self, external_id: str) -> bool:
        """True if an id has one of the names in it, in any case and with any signs between."""
        plain = _plain(external_id)
        return any(name in plain for name in self.folded)

    def shown(self, dialogue: StoredDialogue) -> str:
        """The id of a dialogue as raters see it: its own, or its number in the study where its own tells a name."""
        return f"d{dialogue.id}" if self.tells(dialogue.external_id) else dialogue.external_id


def names_of(found: Iterable[str]) -> Names:
    """The names themselves and the family each begins with: "gpt" of gpt-5.2."""
    folded: set[str] = set()
    for name in found:
        family = _FAMILY.match(name.casefold())
        folded |= {_plain(name), family[0] if family else ""}
    return Names(frozenset(name for name in folded if len(name) > 1))


def model_names(known: Iterable[Content]) -> Names:
    """The names behind the model memories and responses of a study."""
    found: set[str] = set()
    for content in known:
        found |= {memory.origin_name for memory in content.extracted}
        found |= {response.model for answers in content.responses.values() for response in answers}
    return names_of(found)


def _plain(text: str) -> str:
    return _SIGNS.sub("", text.casefold())
