"""The forms a rater meets: each version as the study has it, with the rater's own keys. Knows no widget."""

from collections.abc import Mapping
from typing import Any

from alps_tui.items.study_forms import loaded
from alps_tui.protocols.schema import Protocol
from alps_tui.ui.keymap import Keymap
from store.records import Assignment
from store.versions import KnownForm, known_forms


class Forms:
    """An item is answered on the version of the form it was made for, whatever came since.

    given   forms by name that stand in for whatever the study has; None: the study's own
    """

    def __init__(self, keymap: Keymap, given: Mapping[str, Protocol] | None) -> None:
        self._keymap = keymap
        self._given = None if given is None else {name: keymap.form(form) for name, form in given.items()}
        self._known: dict[int, KnownForm] = {}
        self._loaded: dict[tuple[int, str], Protocol | None] = {}

    def read(self, conn: Any) -> None:
        """Look what the study has now, on a connection of its own `read`."""
        if self._given is None:
            self._known = {form.protocol_id: form for form in known_forms(conn)}

    def of(self, assignment: Assignment) -> Protocol | None:
        """The form an item was given under; None if this program cannot show it."""
        if self._given is not None:
            return self._given.get(assignment.protocol)
        known = self._known.get(assignment.protocol_id)
        if known is None:
            return None
        key = (known.protocol_id, known.guideline)
        if key not in self._loaded:
            form = loaded(known)
            self._loaded[key] = None if form is None else self._keymap.form(form)
        return self._loaded[key]
