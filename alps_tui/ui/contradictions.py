"""Answers of an item that cannot stand together, such as "nothing to remember" beside a memory that is kept. Pure."""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import TYPE_CHECKING

from alps_tui.protocols import rules
from alps_tui.protocols.hard_rules import Part
from alps_tui.protocols.schema import Field
from store.content_records import Json
from store.kinds import Status, UnitKind
from store.records import Change, UnitView

if TYPE_CHECKING:
    from alps_tui.ui.sitting import Sitting


def broken(
    sitting: "Sitting", given: Mapping[str, Json], coming: Iterable[Change] = ()
) -> list[tuple[Field, str]]:
    """The questions about the whole item whose answers do not go with its parts, each with a sentence.

    given    answers about the whole item that are about to be made
    coming   changes of its parts that are about to be made
    """
    session = sitting.session
    if session is None:
        return []
    answers = {**sitting.values(session), **given}
    found = rules.check_item(sitting.protocol, session.kind, answers, _parts(sitting, coming))
    return [
        (field, sentence)
        for field, sentence in found
        if field.key in answers or sitting.answer(session, field.key) is None
    ]


def refusal(sitting: "Sitting", unit: UnitView, given: Mapping[str, Json]) -> str:
    """A sentence if an answer about the whole item does not go with its parts; empty if it does."""
    if unit != sitting.session:
        return ""
    return next((said(f, given[f.key], why) for f, why in broken(sitting, given) if f.key in given), "")


def said(field: Field, value: Json, sentence: str) -> str:
    """The sentence of a rule about an answer, with the answer's word where there is one."""
    option = field.option(value) if value is not None else None
    return f"“{option.label}” {sentence}." if option is not None else f"{sentence[0].upper()}{sentence[1:]}."


def giving_way(sitting: "Sitting", coming: Iterable[Change]) -> tuple[tuple[str, Change], ...]:
    """What was said of the whole item and gives way to these changes of its parts: its word, and the change."""
    session, coming = sitting.session, tuple(coming)
    if session is None or any(change.unit_id == session.id for change in coming):
        return ()
    values = sitting.values(session)
    return tuple(
        (_word(field, values[field.key]), replace(sitting.change(session, field.key), status=Status.UNSEEN))
        for field, _ in broken(sitting, {}, coming)
        if field.key in values
    )


def _word(field: Field, value: Json) -> str:
    option = field.option(value)
    return option.label if option is not None else field.title


def _parts(sitting: "Sitting", coming: Iterable[Change]) -> dict[UnitKind, list[Part]]:
    """Every part the rater goes through, by kind, as it would be with these changes."""
    given: dict[str, dict[str, Json]] = {}
    parts = {unit.key: unit for unit in sitting.units}
    by_id = {unit.id: unit.key for unit in sitting.units}
    for change in coming:
        new = change.new_unit
        key = new.key if new is not None else by_id.get(change.unit_id or 0)
        if key is None:
            continue
        if new is not None and key not in parts:
            parts[key] = UnitView(0, new.kind, key, new.shown_id, made=True)
        given.setdefault(key, {})[change.field] = change.value if change.status is Status.ANSWERED else None
    found: dict[UnitKind, list[Part]] = {}
    for key, unit in parts.items():
        before = sitting.values(unit) if unit.id else {}
        found.setdefault(unit.kind, []).append(Part(unit.shown_id, before | given.get(key, {}), unit.made))
    return found
