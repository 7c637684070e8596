"""Responses as they are read: what stands before them, the text, the reason given, the passages marked in it."""

from collections.abc import Sequence

from alps_tui.ui.sitting import Sitting
from alps_tui.ui.widgets.response_reading import ResponseText
from alps_tui.ui.widgets.transcript import Mark, TurnText
from store.records import ItemView, ResponseView, UnitView


def response_turn(response: ResponseView) -> TurnText:
    return TurnText(turn_header_of(response.shown_id, response.text), response.text, "user")


def named(view: ItemView, lines: Sequence[str]) -> list[str]:
    """What is on record, each under the name it has in questions."""
    return [f"{memory.shown_id} {line}" for memory, line in zip(view.preferences, lines, strict=True)]


def response_text(sitting: Sitting, unit: UnitView, before: Sequence[TurnText]) -> ResponseText:
    """A response as it is read, below what stands before each of them."""
    response = sitting.view.responses[unit.response_id or 0]
    parts = [*before, response_turn(response)]
    if response.reason:
        parts.append(TurnText("The reason it gave", response.reason, "user"))
    marks = passage_marks(sitting, unit, len(before))
    return ResponseText(unit.key, response.shown_id, tuple(parts), len(before), tuple(marks))


def passage_marks(sitting: Sitting, unit: UnitView, turn: int) -> list[Mark]:
    """What the rater marked in the text of a part."""
    marks: list[Mark] = []
    for field in sitting.visible_fields(unit):
        if field.kind == "span" and field.on == "unit":
            value = sitting.value(unit, field.key)
            found = value if isinstance(value, list | tuple) else ()
            marks += [Mark(turn, one["start"], one["end"], "evidence") for one in found]
    return marks


def turn_header_of(shown_id: str, text: str) -> str:
    return f"Response {shown_id} · {len(text):,} chars"
