"""An act that was not taken because another window had changed the item: what is said, and what was typed with it."""

from typing import TYPE_CHECKING

from alps_tui.ui.shown_question import is_rewrite
from store.content_records import Json
from store.kinds import Verb
from store.records import Act

if TYPE_CHECKING:
    from alps_tui.ui.sitting import Sitting

HERE = "✗ CHANGED IN ANOTHER WINDOW: the item stands here as it is now; your last decision was not taken. Look, then decide again."
KEPT = " What you typed is kept: the same key goes on with it."


def said_of(shown_id: str) -> str:
    """The sentence about an item that was left in the meantime."""
    return f"{shown_id} was changed in another window: what you decided there last was not taken. Open it again and look."


def typed_with(act: Act, sitting: "Sitting") -> dict[str, Json]:
    """The texts and records that were typed for an act, by the names of the drafts from which they go on."""
    if act.verb is Verb.NOTE:
        unit = next((u for u in sitting.units if u.id == act.unit_id), None)
        return {f"note {unit.key}" if unit else "note": act.reason} if act.reason else {}
    drafts: dict[str, Json] = {}
    keys = {unit.id: unit.key for unit in sitting.units}
    for change in act.changes:
        key = change.new_unit.key if change.new_unit is not None else keys.get(change.unit_id or 0, "")
        unit = sitting.unit(key)
        if change.field == "memory" and isinstance(change.value, dict):
            drafts["add" if unit is None else f"edit {key}"] = change.value
        elif isinstance(change.value, str) and unit is not None and is_rewrite(change.field, sitting, unit):
            drafts[f"rewrite {key}"] = change.value
    return drafts
