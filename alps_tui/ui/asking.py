"""Which questions stand where and which come next: pure rules over a sitting and its form."""

from collections.abc import Collection, Mapping

from alps_tui.protocols import rules
from alps_tui.protocols.schema import Field, Option, Protocol
from alps_tui.ui.sitting import Sitting
from store.content_records import Json
from store.kinds import UnitKind
from store.records import UnitView

BAR_KINDS = ("choice", "multi", "scale", "number", "text")
"""Kinds of fields that can stand in a list of questions; evidence and memories have keys and editors of their own."""

FOLLOWED_THOUGH_OPTIONAL = ("duplicate_of", "suggestedCorrection")
"""Optional fields worth asking right after the answer that makes sense of them; escape leaves them empty."""


ON_CARDS = frozenset({UnitKind.MEMORY, UnitKind.UPDATE, UnitKind.JUDGE_FIELD})
"""What stands on a card or a row of its own, with its verdict."""


def verdict_field(sitting: Sitting, unit: UnitView) -> Field | None:
    """The choice that stands on the part's card, answered by letters at once: the first required one whose options all
    have keys, none a digit. Of a part without a card it stands in the list, like any other question."""
    if unit.kind not in ON_CARDS:
        return None
    for field in sitting.fields(unit):
        keys = [option.key for option in field.options]
        if (
            field.kind == "choice"
            and keys
            and all(key and not key.isdigit() for key in keys)
            and field.required
        ):
            return field
    return None


def bar_fields(sitting: Sitting, unit: UnitView | None) -> tuple[Field, ...]:
    """The questions about a part that stand in the list: visible, and not asked right after a verdict."""
    if unit is None or (unit.made and unit.kind is UnitKind.INTENT):  # the editor asks all of it
        return ()
    verdict = verdict_field(sitting, unit)
    return tuple(
        f
        for f in sitting.visible_fields(unit)
        if _stands_in_list(f)
        and f is not verdict
        and not _hangs_on(f, verdict)
        and not _is_bookkeeping(f, unit)
    )


def _stands_in_list(field: Field) -> bool:
    """Passages of the part's own text, and memories on record, are listed and taken away in the list too."""
    own_text = field.kind == "span" and field.on == "unit"
    on_record = field.kind == "entries" and field.among == "preferences"
    return field.kind in BAR_KINDS or own_text or on_record


def _hangs_on(field: Field, verdict: Field | None) -> bool:
    return verdict is not None and verdict.key in (field.visible_if or {})


def _is_bookkeeping(field: Field, unit: UnitView) -> bool:
    """Where a unit of the rater's own came from is written down, never asked."""
    return unit.made and field.kind == "text" and not field.required


def first_open_field(sitting: Sitting, unit: UnitView | None, after: str | None = None) -> Field | None:
    """The next unanswered question of a part: required ones first, after this one, then from the top; else any."""
    if unit is None:
        return None
    fields = bar_fields(sitting, unit)
    start = next((i + 1 for i, f in enumerate(fields) if f.key == after), 0)
    turn = fields[start:] + fields[:start]
    unanswered = [f for f in turn if not sitting.answer(unit, f.key)]
    required = [f for f in unanswered if f.required]
    return next(iter(required or unanswered), None)


def letter_options(sitting: Sitting, unit: UnitView | None) -> dict[str, tuple[UnitView, Field, Option]]:
    """Every answer that has a letter or sign of its own, with the part it answers for; the part before the session.

    The signs of a scale are not among them: like digits they are about the question in focus.
    """
    found: dict[str, tuple[UnitView, Field, Option]] = {}
    session = sitting.session
    parts = [part for part in (unit, session) if part is not None]
    for part in parts:
        for field in sitting.visible_fields(part):
            for option in field.choices:
                if option.key and not option.key.isdigit() and field.kind != "scale":
                    found.setdefault(option.key, (part, field, option))
    return found


def next_question(
    sitting: Sitting, unit: UnitView, given: Mapping[str, Json], asked: Collection[str]
) -> Field | None:
    """What to ask now that `given` was answered: what hangs on it, a memory first, then in the form's order.

    given   the answers just made, not saved yet
    asked   keys asked already in this act
    """
    values = {**sitting.values(unit), **given}
    verdict = verdict_field(sitting, unit)
    waiting = [
        f
        for f in sitting.fields(unit)
        if f.key not in asked
        and f.key not in given
        and set(f.visible_if or {}) & set(given)
        and rules.visible(f, values)
        and (f.required or f.key in FOLLOWED_THOUGH_OPTIONAL)
        and (_hangs_on(f, verdict) or f.kind in ("text", "memory"))
    ]
    return next((f for f in waiting if f.kind == "memory"), next(iter(waiting), None))


def list_kind(protocol: Protocol) -> UnitKind:
    """The kind of the memories that a rater may add to the list of an item."""
    for kind in protocol.kinds:
        if any(field.kind == "memory" for field in protocol.fields_of(kind, made=True)):
            return kind
    return UnitKind.MEMORY


def left_behind(sitting: Sitting, unit: UnitView, given: Mapping[str, Json]) -> tuple[str, ...]:
    """Answers that nobody can see any more once `given` holds: they go in the same act."""
    values = {**sitting.values(unit), **given}
    hidden = rules.hidden_answers(sitting.protocol, unit.kind, values, made=unit.made)
    return tuple(key for key in hidden if key not in given)


def cannot_fields(sitting: Sitting, unit: UnitView, focused: Field | None) -> tuple[Field, ...]:
    """What "cannot judge" answers: the verdict of a part that has one, else the question in focus."""
    verdict = verdict_field(sitting, unit)
    if verdict is not None:
        return (verdict,)
    return (focused,) if focused is not None else ()


def is_session(unit: UnitView) -> bool:
    return unit.kind == UnitKind.SESSION


TYPED = frozenset({"text", "number"})


def answer_keys(field: Field) -> str:
    """The keys that answer a question, shortly: `1-5`, `0-9 x`, `y n`; any digit begins what is typed or listed."""
    keys = [o.key or str(place) for place, o in enumerate(field.choices, 1) if o.key or place < 10]
    if field.kind in TYPED:
        return "0-9"
    if field.kind in ("entries", "span"):
        keys = [*"123456789", *keys]
    digits = sorted({key for key in keys if key.isdigit()})
    if len(digits) > 2 and ord(digits[-1]) - ord(digits[0]) == len(digits) - 1:
        digits = [f"{digits[0]}-{digits[-1]}"]
    return " ".join([*digits, *(key for key in keys if not key.isdigit())])
