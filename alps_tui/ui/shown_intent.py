"""An intent of the rater's own, in the words of its card."""

from collections.abc import Sequence

from alps_tui.protocols.schema import Protocol
from alps_tui.ui.sitting import Sitting
from alps_tui.ui.turn_numbers import said_turns
from alps_tui.ui.widgets.memory_cards import MemoryText
from store.content_records import Json
from store.kinds import UnitKind
from store.records import UnitView

CATEGORY, SUBTYPE, PROBABILITY = "intent_category", "intent_subtype", "probability"
EVIDENCE, REASONING = "evidence", "reasoning"


def asks_intents(protocol: Protocol) -> bool:
    """The rater makes intents on this form."""
    return UnitKind.INTENT in protocol.kinds


def intent_text(sitting: Sitting, unit: UnitView) -> MemoryText:
    """What the person wants, how likely, where it shows and why."""
    spans = sitting.value(unit, EVIDENCE) or ()
    likely = said_probability(sitting.value(unit, PROBABILITY))
    kind = _word(sitting, unit, SUBTYPE)
    return MemoryText(
        value=" · ".join(part for part in (_word(sitting, unit, CATEGORY), kind) if part) or unit.shown_id,
        label="",
        attributes=(f"probability {likely}",) if likely else (),
        quote=_quote(sitting, spans),
        where=f"turn {said_turns(spans)}" if spans else "no turn yet",
        reasoning=str(sitting.value(unit, REASONING) or ""),
    )


def _word(sitting: Sitting, unit: UnitView, key: str) -> str:
    field = next((f for f in sitting.fields(unit) if f.key == key), None)
    option = field.option(sitting.value(unit, key)) if field is not None else None
    return option.label if option is not None else ""


def _quote(sitting: Sitting, spans: Sequence[Json]) -> str:
    if not spans:
        return ""
    span, turns = spans[0], sitting.view.turns
    return turns[span["turn"]].text[span["start"] : span["end"]][:240] if span["turn"] < len(turns) else ""


def said_probability(value: Json) -> str:
    return f"{value:g}" if isinstance(value, int | float) else ""


def standing(sitting: Sitting) -> str:
    """How many intents there are of how many, and what their probabilities come to."""
    intents = [unit for unit in sitting.units if unit.kind is UnitKind.INTENT]
    rows = sitting.protocol.rows.get(UnitKind.INTENT)
    of = f" of at most {rows.max}" if rows is not None and rows.max is not None else ""
    total = together(sitting)
    return f"{len(intents)}{of}" + (f" · together {total:g}" if intents else "")


def together(sitting: Sitting, without: UnitView | None = None) -> float:
    """What the probabilities of all intents, but for one, come to."""
    others = (unit for unit in sitting.units if unit.kind is UnitKind.INTENT and unit != without)
    return round(sum(float(sitting.value(unit, PROBABILITY) or 0) for unit in others), 10)
