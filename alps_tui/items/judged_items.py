"""Items in which a judge is held against people: what it answered, to be answered blind first and judged then.

Each is made of one judge's sitting on an item of its own form, and the judge gets its own answers on it too: people's
blind answers and the judge's then stand on the same units. Where no judge has answered there is no item.
"""

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

from alps_tui.items.derived_acts import Wanted, acts
from alps_tui.items.units import SESSION, hashed
from alps_tui.protocols.loading import builtin_names, load_builtin
from alps_tui.protocols.schema import Protocol
from store.assignments import add_protocol, assign, unit_ids
from store.batches import in_batches
from store.database import Database
from store.decisions import append, item_answers
from store.items import add_item
from store.judged import JudgedItem, Said, field_key, judged_items
from store.kinds import UnitKind
from store.records import Change, ItemSpec, NewUnit, UnitSpec

OF_UPDATES = "judge-alignment-update"
"""What a form's `item` says that takes what judges said of updated lists; the others take all but that."""

MATERIAL = (UnitKind.QUERY, UnitKind.MEMORY, UnitKind.UPDATE)
"""What comes along whether or not the judge said anything of it."""


@dataclass(frozen=True, slots=True)
class Aligned:
    """An alignment item to be made, and what its judge said of it."""

    spec: ItemSpec
    judged: JudgedItem
    said: tuple[Said, ...]


def alignment_forms() -> tuple[Protocol, ...]:
    """The built-in forms in which judges are held against people."""
    forms = (load_builtin(name) for name in builtin_names())
    return tuple(form for form in forms if form.reveals and form.screen)


def build_alignment_items(db: Database, forms: Iterable[Protocol] | None = None) -> dict[str, int]:
    """Make the items of what judges have answered. Run again it writes nothing, but where a judge says something new.

    returns  form → how many items or new versions of items it got
    """
    made: dict[str, int] = {}
    for form in alignment_forms() if forms is None else forms:
        with db.read() as conn:
            found = [one for judged in judged_items(conn, form.blind) for one in _aligned(form, judged)]
        if not found:
            continue
        with db.write() as conn:
            protocol_id = add_protocol(conn, form.to_version())
        written = in_batches(db, found, partial(_write, protocol_id))
        made[form.name] = sum(written)
    return made


def _aligned(form: Protocol, judged: JudgedItem) -> Iterator[Aligned]:
    """The item for what a judge said in answer to the blind part of the form; none if that is nothing."""
    asked = {field.key for field in form.fields if field.phase == "blind"}
    said = tuple(one for one in judged.said if one.field in asked)
    if (form.item == OF_UPDATES) != any(unit.kind is UnitKind.UPDATE for unit in judged.item.units):
        return
    if not any(one.kind is not UnitKind.SESSION for one in said):
        return
    item, version = judged.item, "" if judged.version == 1 else f"#{judged.version}"
    yield Aligned(
        replace(
            item,
            key=f"{form.blind}:{item.key}{version}:{hashed(judged.rater)[:8]}",
            units=(SESSION, *_judged_units(item.units, said), *_field_units(form, item.units, said)),
        ),
        judged,
        said,
    )


def _judged_units(units: Sequence[UnitSpec], said: Sequence[Said]) -> Iterator[UnitSpec]:
    """The units of the item that are judged or judged by, of responses those that the judge said something of."""
    answered = {one.unit for one in said}
    for unit in units:
        if unit.kind in MATERIAL or (unit.kind is UnitKind.RESPONSE and unit.key in answered):
            yield unit


def _field_units(form: Protocol, units: Sequence[UnitSpec], said: Sequence[Said]) -> Iterator[UnitSpec]:
    """A unit for each field that the judge answered of a given unit, in the form's order, and for each unit it made."""
    order = {field.key: place for place, field in enumerate(form.fields)}
    for unit in units:
        mine = [one for one in said if one.unit == unit.key and not one.made]
        for one in (
            sorted(mine, key=lambda one: order[one.field]) if unit.kind is not UnitKind.SESSION else ()
        ):
            key = field_key(unit.key, one.field)
            yield UnitSpec(key, UnitKind.JUDGE_FIELD, one.field, response_id=unit.response_id)
    for place, made in enumerate(dict.fromkeys(one.unit for one in said if one.made), 1):
        yield UnitSpec(field_key(made), UnitKind.JUDGE_FIELD, f"j{place}")


# ---------------------------------------------------------------- writing


def _write(protocol_id: int, conn: Any, one: Aligned) -> bool:
    """The item, and the judge's own answers on it; whether the item is new."""
    item_id, is_new = add_item(conn, protocol_id, one.spec)
    units = unit_ids(conn, item_id)
    assignment_id = assign(conn, item_id, one.judged.rater_id)
    now = item_answers(conn, assignment_id)
    for act in acts(_wanted(one, units), assignment_id, item_id, now):
        append(conn, act)
    return is_new


def _wanted(one: Aligned, units: Mapping[str, int]) -> Wanted:
    return Wanted(
        changes=tuple(_change(said, units) for said in one.said),
        note=None,
        submitted=True,
        decided_at=one.judged.decided_at,
        presentation=tuple(units.values()),
        counts=Counter(),
        left_out=(),
        prefilled=False,
    )


def _change(said: Said, units: Mapping[str, int]) -> Change:
    if said.made:
        new = NewUnit(said.kind, key=said.unit, shown_id=said.shown_id)
        return Change(said.field, said.value, new_unit=new, attested=said.attested)
    return Change(said.field, said.value, units[said.unit], attested=said.attested)
