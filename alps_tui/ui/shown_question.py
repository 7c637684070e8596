"""What a question says, in the words its pane shows: the question, what it tests, its memory, and its pool."""

from dataclasses import replace

from alps_tui.protocols.abilities import ability_named
from alps_tui.ui.pool import Pool
from alps_tui.ui.shown import answer_words, card, preference_lines
from alps_tui.ui.sitting import Sitting
from alps_tui.ui.widgets.pool_list import PoolRow
from alps_tui.ui.widgets.question_card import Asked
from store.records import UnitView

NOT_NAMED = "The data names no single memory this question was written for."
ENTRIES = "entries"
"""The kind of a field that holds memories of a pool."""


def is_rewrite(field: str, sitting: Sitting, unit: UnitView) -> bool:
    """Whether a text field holds the question of this unit in other words."""
    return field == "queryText" and unit.id in sitting.view.queries


def asked(sitting: Sitting, unit: UnitView, pool: Pool | None, show_target_key: str = "") -> Asked:
    """The question of a unit as it stands for this rater; its memory only where it is to be seen."""
    query = sitting.view.queries[unit.id]
    reworded = sitting.value(unit, "queryText")
    text = reworded if isinstance(reworded, str) else query.text
    ability = ability_named(query.ability) if query.ability else None
    found = Asked(
        text=text,
        was=query.text if text != query.text else "",
        ability=ability.name if ability else "",
        means=ability.means if ability else "",
        note=sitting.shown.notes.get(unit.id, ""),
        flag=sitting.shown.flags.get(unit.id, ""),
    )
    if hides_target(unit, pool):
        return replace(
            found, hidden=f"{show_target_key} shows the memory it was written for, here and in the pool"
        )
    others = tuple(one for one in sitting.view.preferences if one.id != unit.memory_id)
    found = replace(found, others=preference_lines(others), judged=_judged(sitting, unit))
    memory = card(sitting, unit)
    is_swapped = sitting.value(unit, "target_verdict") == "swap"
    if unit.memory_id is None and not is_swapped:
        return replace(found, hidden=NOT_NAMED)
    title = "Its memory, by you" if is_swapped else "Its memory"
    return replace(found, title=title, card=replace(memory, changes=()) if is_swapped else memory)


def hides_target(unit: UnitView, pool: Pool | None) -> bool:
    """Whether there is a target that the rater has not asked for yet."""
    return pool is not None and unit.memory_id is not None and not pool.is_target_shown


def _judged(sitting: Sitting, unit: UnitView) -> str:
    field = next((f for f in sitting.fields(unit) if f.key == "target_verdict"), None)
    words = answer_words(field, sitting.answer(unit, field.key)) if field else ""
    return f"you: {words}" if words else ""


# ---------------------------------------------------------------- pools


def marked(sitting: Sitting, unit: UnitView) -> frozenset[str]:
    """The keys of the memories of the pool that this rater marked."""
    keys: set[str] = set()
    for field in sitting.fields(unit):
        if field.kind == ENTRIES:
            keys.update(sitting.value(unit, field.key) or ())
    return frozenset(keys)


def pool_rows(sitting: Sitting, unit: UnitView, pool: Pool) -> tuple[PoolRow, ...]:
    """The rows of those shown, by rank."""
    chosen, target = marked(sitting, unit), pool.target
    rows = []
    for index in pool.shown:
        entry = pool.pool.entries[index]
        rows.append(
            PoolRow(
                rank=pool.rank(index),
                place=entry.shown_id,
                value=entry.value,
                label=entry.label or "",
                is_target=target is not None and entry.id == target.id,
                is_marked=entry.key in chosen,
            )
        )
    return tuple(rows)


def pool_title(sitting: Sitting, unit: UnitView, pool: Pool) -> str:
    """How many of how many, what they are ordered by, and how many are marked."""
    every = len(pool.pool.entries)
    number = f"{len(pool.shown)} of {every} with “{pool.filter}”" if pool.filter else f"{every}"
    chosen = marked(sitting, unit)
    parts = [number, "by words shared", f"{len(chosen)} marked" if chosen else ""]
    return " · ".join(part for part in parts if part)
