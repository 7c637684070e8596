"""What a form is: fields, options and keys, as frozen models that screens, judges and tables all read."""

from collections.abc import Collection, Mapping
from typing import Any, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    PrivateAttr,
    StrictBool,
    StrictFloat,
    StrictInt,
    StrictStr,
    field_validator,
)
from pydantic import Field as Slot

from store.kinds import Level, UnitKind, asks_of
from store.records import FieldScale, ProtocolVersion

Json = Any
Kind = Literal["choice", "multi", "scale", "number", "text", "span", "entries", "memory", "derived"]
Asked = Literal["given", "made", "both"]
When = Literal["blind", "revealed"]
Number = StrictInt | StrictFloat


class Model(BaseModel):
    model_config = ConfigDict(frozen=True, extra="forbid")


TEN_TENTHS = "x"
"""The key of 1 on a scale of tenths, after the digits: the Roman ten."""


class Option(Model):
    """One answer a rater can choose: the value that is stored, the word shown, what it means, and its key."""

    value: Json
    label: StrictStr
    anchor: StrictStr = ""
    example: StrictStr = ""
    key: StrictStr | None = None


class Field(Model):
    """One question about one kind of unit. It never starts answered: the grammar has no default.

    kind            choice (one of the options), multi (a list of them; min and max count them), scale (the points
                    from min to max in steps, some with an anchor in words), number, text, span (passages of a
                    text), entries (memories of the item, each by its `MemoryView.key`), memory (a whole record),
                    derived (computed, never asked)
    on              of a span: passages of the dialogue, or of the unit's own text, each with one of the options
    among           of entries: memories of the pool, or of those that are on record with the item
    abilities       asked only of items whose query tests one of these; of every item if None
    short           the title in a word or two, for a line that holds several; empty: the title
    level           nominal, ordinal, interval or ratio: picks the coefficient; text, span, entries and memory have none
    asked           of the units that came with the item ("given"), of those the rater makes ("made"), or of both
    phase           revealed for what is asked once the judge's answers are shown; by then nothing else is
    needs           not asked of an item with which no unit of this kind came: a question about proposals asks nothing
                    where there are none
    visible_if      field → value or values: shown while every named field of the same unit has one of its values
    reason_if       the same, and while it holds a required text field KEY_reason is asked right after
    derived, of     the name of a function of `alps_tui.protocols.derived`, and the fields it is computed from
    constraint      the name of a rule of `alps_tui.protocols.hard_rules`; its arguments in `constraint_args`
    not_applicable  an answer beside the scale; stored as its value, never a number
    """

    key: StrictStr
    per: UnitKind
    kind: Kind
    title: StrictStr
    short: StrictStr = ""
    help: StrictStr = ""
    level: Level | None = None
    options: tuple[Option, ...] = ()
    min: Number | None = None
    max: Number | None = None
    step: Number | None = None
    required: StrictBool = False
    asked: Asked = "given"
    on: Literal["dialogue", "unit"] = "dialogue"
    among: Literal["pool", "preferences"] = "pool"
    abilities: tuple[StrictStr, ...] | None = None
    phase: When = "blind"
    needs: UnitKind | None = None
    visible_if: Mapping[str, tuple[Json, ...]] | None = None
    reason_if: Mapping[str, tuple[Json, ...]] | None = None
    derived: StrictStr | None = None
    of: tuple[StrictStr, ...] = ()
    constraint: StrictStr | None = None
    constraint_args: Mapping[str, Json] = Slot(default_factory=dict)
    not_applicable: Option | None = None

    @field_validator("visible_if", "reason_if", mode="before")
    @classmethod
    def _one_value_is_a_list_of_one(cls, conditions: Json) -> Json:
        if not isinstance(conditions, Mapping):
            return conditions
        return {k: v if isinstance(v, list | tuple) else (v,) for k, v in conditions.items()}

    @property
    def values(self) -> tuple[Json, ...] | None:
        """The closed list of answers in order, without `not_applicable`; None if any text or number goes."""
        if self.kind == "scale":
            return scale_values(self.min, self.max, self.step)
        if self.kind in ("choice", "multi"):
            return tuple(option.value for option in self.options)
        return None

    @property
    def choices(self) -> tuple[Option, ...]:
        """Everything a rater can choose: the options, a scale's unanchored points, and "does not apply" last."""
        shown = tuple(map(self._point, self.values or ())) if self.kind == "scale" else self.options
        return shown + ((self.not_applicable,) if self.not_applicable else ())

    def _point(self, value: Json) -> Option:
        """A point of a scale: its anchor where it has one, and its own digit as key where none is given."""
        option = next(
            (o for o in self.options if same(o.value, value)), Option(value=value, label=str(value))
        )
        if option.key is None:
            return option.model_copy(update={"key": self._digit(value)})
        return option

    def _digit(self, value: Json) -> str | None:
        """A point's own digit; on a scale of tenths a digit is so many of them, and the end has a sign of its own."""
        if isinstance(value, int):
            return str(value) if 0 <= value <= 9 else None
        if self.in_tenths:
            tenths = round(value * 10)
            return str(tenths) if tenths < 10 else TEN_TENTHS
        return None

    @property
    def in_tenths(self) -> bool:
        """A scale from 0 to 1 in steps of .1: more points than one reads through, so that few are put in words."""
        return self.kind == "scale" and (self.min, self.max, self.step) == (0, 1, 0.1)

    def option(self, value: Json) -> Option | None:
        """The choice with this value (1 and True are different values)."""
        return next((o for o in self.choices if same(o.value, value)), None)

    def option_for(self, key: str) -> Option | None:
        """The choice this key stands for."""
        return next((o for o in self.choices if o.key == key), None)


class Rows(Model):
    """How many units of a kind a rater may make; `max` None is without end."""

    min: StrictInt = Slot(default=0, ge=0)
    max: StrictInt | None = None


class Protocol(Model):
    """A form as it was loaded: what is asked, with which keys, and the guideline that explains it.

    note     what is different from the version before, to be shown once to everybody who knew that one
    screen   False for a form that people cannot fill yet: it says what imported answers mean, and no queue is made
    blind    the form whose questions are asked first, before a judge's answers to them are shown; empty: there is
             nothing to show
    locked   of such a form as it is asked after a reveal, the fields that were asked before it
    """

    name: str
    version: str
    title: str
    item: str
    fields: tuple[Field, ...]
    note: str = ""
    screen: bool = True
    blind: str = ""
    locked: tuple[Field, ...] = ()
    keys: Mapping[str, str] = Slot(default_factory=dict)
    rows: Mapping[UnitKind, Rows] = Slot(default_factory=dict)
    guideline: str = ""
    source: str = ""
    content_hash: str = ""
    _asked: dict[tuple[UnitKind, bool], tuple[Field, ...]] = PrivateAttr(default_factory=dict)
    _of_ability: dict[str | None, "Protocol"] = PrivateAttr(default_factory=dict)
    _at_phase: dict[bool, "Protocol"] = PrivateAttr(default_factory=dict)

    def fields_of(self, kind: UnitKind, *, made: bool = False) -> tuple[Field, ...]:
        """The fields asked of a unit, in order; `made` for a unit the rater makes.

        A condition on a field that is not asked of such a unit does not count there.
        """
        if (kind, made) not in self._asked:
            who = ("both", "made" if made else "given")
            asked = [field for field in self.fields if field.per == kind and field.asked in who]
            known = {field.key for field in asked}
            self._asked[kind, made] = tuple(_without_unasked(field, known) for field in asked)
        return self._asked[kind, made]

    def for_units(self, kinds: Collection[UnitKind]) -> "Protocol":
        """The form as it is asked of an item with which units of these kinds came."""
        asked = tuple(field for field in self.fields if field.needs is None or field.needs in kinds)
        return self if len(asked) == len(self.fields) else self.with_keys(asked, self.keys)

    def for_ability(self, ability: str | None) -> "Protocol":
        """The form as it is asked of an item whose query tests this ability.

        Fields of other abilities are not in it, and a condition on one of those does not count.
        """
        if all(field.abilities is None for field in self.fields):
            return self
        if ability not in self._of_ability:
            asked = tuple(field for field in self.fields if asks_of(field.abilities, ability))
            known = {field.key for field in asked}
            fields = tuple(_without_unasked(field, known) for field in asked)
            self._of_ability[ability] = self.with_keys(fields, self.keys)
        return self._of_ability[ability]

    def at_phase(self, *, revealed: bool) -> "Protocol":
        """The form as it is asked before a reveal or after it; the same form where nothing is revealed."""
        if not self.reveals:
            return self
        if revealed not in self._at_phase:
            fields = tuple(f for f in self.fields if (f.phase == "revealed") == revealed)
            locked = tuple(f for f in self.fields if f not in fields) if revealed else ()
            part = self.with_keys(fields, self.keys).model_copy(update={"locked": locked})
            self._at_phase[revealed] = part
        return self._at_phase[revealed]

    def field(self, key: str) -> Field:
        """The field with this key; KeyError if there is none."""
        for field in self.fields:
            if field.key == key:
                return field
        raise KeyError(key)

    @property
    def reveals(self) -> bool:
        """Whether answers are locked at a point, and a judge's shown beside them."""
        return bool(self.blind)

    @property
    def kinds(self) -> tuple[UnitKind, ...]:
        """The kinds of units that are asked about, in order of first mention."""
        return tuple(dict.fromkeys(field.per for field in self.fields))

    def with_keys(self, fields: tuple[Field, ...], keys: Mapping[str, str]) -> "Protocol":
        """The same form with these fields and keys in place of its own; its text and its hash stay."""
        other = self.model_copy(update={"fields": fields, "keys": keys})
        other._asked, other._of_ability, other._at_phase = (
            {},
            {},
            {},
        )  # a copy shares them, and the keys of both
        return other

    def to_version(self) -> ProtocolVersion:
        """What the store keeps of a form."""
        return ProtocolVersion(
            name=self.name,
            version=self.version,
            content_hash=self.content_hash,
            source=self.source,
            guideline=self.guideline,
            fields=tuple(map(_scale_of, self.fields)),
            note=self.note,
        )


def _scale_of(field: Field) -> FieldScale:
    """A field that hangs on another, on a reveal, or on a unit the rater makes, is never missing on its own."""
    return FieldScale(
        key=field.key,
        per=field.per,
        kind=field.kind,
        level=field.level.value if field.level else None,
        scale=field.values,
        required=field.required,
        needs=field.needs,
        abilities=field.abilities,
        conditional=bool(field.visible_if) or field.asked == "made" or field.phase == "revealed",
    )


def same(left: Json, right: Json) -> bool:
    """Equality as JSON has it: true is not 1, and 1 is 1.0."""
    return isinstance(left, bool) == isinstance(right, bool) and bool(left == right)


def scale_values(low: float | None, high: float | None, step: float | None) -> tuple[Json, ...]:
    """The points from `low` to `high` in steps, both ends included; whole numbers stay whole."""
    if low is None or high is None:
        return ()
    width = step or 1
    count = round((high - low) / width)
    points = [round(low + i * width, 10) for i in range(count + 1)]
    return tuple(int(p) for p in points) if all(p == int(p) for p in points) else tuple(points)


def _without_unasked(field: Field, asked: set[str]) -> Field:
    if not field.visible_if or all(key in asked for key in field.visible_if):
        return field
    kept = {key: values for key, values in field.visible_if.items() if key in asked}
    return field.model_copy(update={"visible_if": kept or None})
