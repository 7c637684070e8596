"""Hard rules while a form is filled: an answer lowers another one, or lets it stand as it was typed again."""

from collections.abc import Mapping
from dataclasses import replace

from alps_tui.protocols import rules
from alps_tui.protocols.schema import Field, same
from alps_tui.ui.sitting import Sitting
from store.content_records import Json
from store.kinds import Attested, Status
from store.records import Answer, Change, UnitView


def recapped(
    sitting: Sitting, unit: UnitView, given: Mapping[str, Json]
) -> tuple[tuple[Change, ...], tuple[str, ...]]:
    """What `given` changes in answers that stand under a cap: they go in the same act. With the reasons that bite.

    What was typed is what counts: a cap that no longer bites gives it back.
    """
    values = {**sitting.values(unit), **given}
    changes: list[Change] = []
    reasons: list[str] = []
    for field in sitting.visible_fields(unit):
        answer = sitting.answer(unit, field.key)
        if field.key in given or answer is None or answer.status != Status.ANSWERED:
            continue
        capped = rules.cap(field, _typed(answer), values)
        if not same(capped.value, answer.value):
            change = sitting.change(unit, field.key)
            attested = Attested.DERIVED if capped.sentence else Attested.EXPLICIT
            changes.append(replace(change, value=capped.value, raw_value=capped.raw, attested=attested))
            reasons += [capped.sentence] if capped.sentence else []
    return tuple(changes), tuple(reasons)


def why_capped(sitting: Sitting, unit: UnitView, field: Field) -> str:
    """The sentence of the cap that an answer stands under; empty if it stands as it was typed."""
    answer = sitting.answer(unit, field.key)
    if answer is None or answer.raw_value is None:
        return ""
    return rules.cap(field, answer.raw_value, sitting.values(unit)).sentence or ""


def _typed(answer: Answer) -> Json:
    return answer.value if answer.raw_value is None else answer.raw_value
