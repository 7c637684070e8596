"""A guideline in the words of the screen: it is written with the names that files bear, people read labels."""

import re

from alps_tui.protocols.schema import Field, Protocol

_SECTION = re.compile(r"^## `([^`]+)`: ", re.MULTILINE)


def for_people(protocol: Protocol) -> str:
    """The guideline with each field's values as their labels, and its headings without the fields' names."""
    text, out, at = protocol.guideline, [], 0
    fields = {field.key: field for field in protocol.fields}
    current: Field | None = None
    for heading in _SECTION.finditer(text):
        out.append(_with_labels(text[at : heading.start()], current))
        current = fields.get(heading[1])
        out.append("## " if current is not None else heading[0])
        at = heading.end()
    out.append(_with_labels(text[at:], current))
    return "".join(out)


def _with_labels(text: str, field: Field | None) -> str:
    for option in field.choices if field is not None else ():
        if str(option.value) != option.label and not isinstance(option.value, int):
            text = text.replace(f"`{option.value}`", f"`{option.label}`")
    return text
