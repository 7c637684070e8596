"""The answers that only ratings have, as choices to read: points of a scale of tenths, memories, marked passages."""

from collections.abc import Mapping, Sequence

from alps_tui.protocols.schema import Field, Option, same
from alps_tui.ui.sitting import Sitting
from alps_tui.ui.widgets.question_list import Choice
from store.content_records import Json

MEMORIES_BY_KEY = 9
"""So many memories have a digit of their own."""

BETWEEN = "between its neighbours"


def tenths(field: Field, value: Json) -> tuple[Choice, ...]:
    """Of a scale of tenths the points that are put in words, and the one that was chosen."""
    shown = [o for o in field.choices if o.anchor or same(o.value, value)]
    return tuple(_point(option, value) for option in shown)


def _point(option: Option, value: Json) -> Choice:
    chosen = value is not None and same(option.value, value)
    number = f"{option.value:g} " if isinstance(option.value, int | float) else ""
    label = f"{number}{option.label}" if option.anchor else f"{number}".strip()
    return Choice(option.key or "", label, option.anchor or BETWEEN, chosen=chosen)


def tenths_words(field: Field, value: Json) -> str:
    """A point in words: `0.5 in part`, `0.7`."""
    option = field.option(value)
    return f"{value:g} {option.label}" if option is not None and option.anchor else f"{value:g}"


def memories(sitting: Sitting, field: Field, value: Json) -> tuple[Choice, ...]:
    """The memories on record, each with its digit, and that it is none of them."""
    chosen = value if isinstance(value, list | tuple) else ()
    found = [
        Choice(
            str(place) if place <= MEMORIES_BY_KEY else "", f"p{place}", memory.value, memory.key in chosen
        )
        for place, memory in enumerate(sitting.view.preferences, 1)
    ]
    return (*found, *_beside(field, value))


def memory_words(sitting: Sitting, field: Field, value: Json) -> str:
    """Which memories, by the names they have on the screen."""
    if not isinstance(value, list | tuple):
        option = field.option(value)
        return option.label if option else str(value)
    names = [f"p{n}" for n, memory in enumerate(sitting.view.preferences, 1) if memory.key in value]
    return ", ".join(names) or f"{len(value)} not on record now"


def passages(field: Field, value: Json) -> tuple[Choice, ...]:
    """The passages marked, each with the digit that takes it away, and that there is none."""
    marked = value if isinstance(value, list | tuple) else ()
    found = [
        Choice(str(n) if n <= 9 else "", f"✗ {_kind(field, one)}", f"“{one['quote']}”", chosen=True)
        for n, one in enumerate(marked, 1)
    ]
    return (*found, *(() if marked else _beside(field, value)))


def passage_words(field: Field, value: Json) -> str:
    """How many passages of each kind."""
    if not isinstance(value, list | tuple):
        option = field.option(value)
        return option.label if option else str(value)
    counts = {o.label: sum(one.get("type") == o.value for one in value) for o in field.options}
    return ", ".join(f"{n} {label}" for label, n in counts.items() if n) or f"{len(value)} marked"


def _kind(field: Field, passage: Mapping[str, Json]) -> str:
    option = field.option(passage.get("type"))
    return option.label if option else ""


def _beside(field: Field, value: Json) -> Sequence[Choice]:
    option = field.not_applicable
    if option is None:
        return ()
    return (Choice(option.key or "", option.label, option.anchor, chosen=same(option.value, value)),)
