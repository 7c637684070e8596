"""Answers that stand for a side: what is stored is which of the two it was, whatever side it stood on. Pure.

A field about a pair of responses may have the options `first` and `second`. They mean the first and the second
response of the pair in the order of the data. On the screen the word and the key of the option in the first place
belong to the side that stands first; where the sides are swapped, that side is the second response.
"""

from alps_tui.protocols.schema import Field, Option
from store.kinds import UnitKind

FIRST, SECOND = "first", "second"
_OTHER = {FIRST: SECOND, SECOND: FIRST}


def by_side(field: Field, *, is_swapped: bool) -> Field:
    """The field as it is asked of a pair: words and keys stay with their side, values go with their response."""
    if not is_swapped or field.per is not UnitKind.RESPONSE_PAIR or not _names_both(field):
        return field
    return field.model_copy(update={"options": tuple(map(_swapped, field.options))})


def _names_both(field: Field) -> bool:
    return {FIRST, SECOND} <= {option.value for option in field.options if isinstance(option.value, str)}


def _swapped(option: Option) -> Option:
    if not isinstance(option.value, str) or option.value not in _OTHER:
        return option
    return option.model_copy(update={"value": _OTHER[option.value]})
