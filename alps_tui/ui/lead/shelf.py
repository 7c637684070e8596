"""Items as a lead opens them: without an assignment, for reading only. Each call blocks, so call it in a thread."""

from dataclasses import dataclass, replace

from alps_tui.items.study_forms import loaded
from alps_tui.protocols.schema import Protocol
from alps_tui.ui.keymap import Keymap
from store.content import preview_item
from store.database import Database
from store.errors import NotPossible
from store.open_items import ItemRef, RaterSaid, items_named, said_of, unit_names
from store.records import ItemView
from store.versions import KnownForm, known_forms


@dataclass(frozen=True, slots=True)
class Opened:
    """An item as it was read.

    said    what every rater says of it; None where only the material is to be shown
    units   the last part of a unit's id in the long table → its row id
    """

    item: ItemRef
    view: ItemView
    protocol: Protocol
    said: tuple[RaterSaid, ...] | None
    units: dict[str, int]


class Shelf:
    """The items of a study and the forms they are asked on, with the reader's own keys."""

    def __init__(self, db: Database, keymap: Keymap | None = None) -> None:
        self.db = db
        self.keymap = keymap or Keymap()
        with db.read() as conn:
            self._known: dict[int, KnownForm] = {form.protocol_id: form for form in known_forms(conn)}
        self._loaded: dict[int, Protocol | None] = {}

    def form_of(self, item_name: str) -> Protocol | None:
        """The newest version of the form that an item's name begins with."""
        form = item_name.partition("/")[0]
        numbers = [number for number, known in self._known.items() if known.name == form]
        return self._form(max(numbers)) if numbers else None

    def open(self, item_name: str, *, with_said: bool) -> Opened:
        """An item by its name in the long table.

        with_said   what raters say of it too
        raises      NotPossible if there is no such item, or this program cannot read its form
        """
        with self.db.read() as conn:
            found = items_named(conn, item_name)
            if not found:
                raise NotPossible(f"There is no item {item_name} in this study.")
            item = found[-1]
            view = preview_item(conn, item.id)
            said = said_of(conn, item.id) if with_said else None
            units = {key: number for number, key in unit_names(conn, item.id).items()}
        form = self._form(item.protocol_id)
        if form is None:
            raise NotPossible(f"This version of the program has no form {item.form}. Upgrade it.")
        return Opened(item, replace(view, assignment=replace(view.assignment, id=item.id)), form, said, units)

    def _form(self, protocol_id: int) -> Protocol | None:
        if protocol_id not in self._loaded:
            form = loaded(self._known[protocol_id])
            self._loaded[protocol_id] = None if form is None else self.keymap.form(form)
        return self._loaded[protocol_id]
