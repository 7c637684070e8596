"""What raters said of the part under the cursor and of the whole item, in blocks to read beside the material."""

from collections.abc import Iterator, Sequence

from textual.content import Content

from alps_tui.protocols.schema import Field, Protocol
from alps_tui.ui.lead.names import Names
from alps_tui.ui.plain import plain, plain_line
from alps_tui.ui.shown import answer_words
from alps_tui.ui.widgets.blocks import Block, Line
from store.content_records import Json
from store.kinds import Attested, ItemState, UnitKind
from store.open_items import RaterSaid
from store.records import Answer, UnitView

NOBODY = "Nobody has answered this item yet."
DIFFERENT, ALIKE, ALONE = "≠", "=", "·"
INDENT = Content("    ")


def said_blocks(
    form: Protocol, unit: UnitView | None, session: UnitView | None, said: Sequence[RaterSaid], names: Names
) -> list[Block]:
    """A block for each question that anybody answered, those of the part first; then what raters added themselves."""
    if not said:
        return [(Line(plain_line(NOBODY, "$foreground-muted")),)]
    blocks: list[Block] = []
    for one in (unit, session):
        if one is not None:
            blocks += _of_unit(form, one, said, names)
            blocks += _remarks(one, said, names)
    blocks += _whole(said, names)
    blocks += _own(form, said, names)
    return blocks or [(Line(plain_line("Nobody has answered this part.", "$foreground-muted")),)]


def of_part(form: Protocol, unit: UnitView, said: Sequence[RaterSaid], names: Names) -> tuple[str, str]:
    """A sign and words for a part in a list: what each rater decided on it, and whether that differs."""
    for field in form.fields_of(unit.kind):
        answers = [(one, one.answers.answers.get((unit.id, field.key))) for one in said]
        given = [(one, answer) for one, answer in answers if answer is not None]
        if given and field.kind in ("choice", "scale"):
            sign = _sign([answer for _, answer in given])
            return sign, "  ".join(f"{names.of(one.rater)} {answer_words(field, a)}" for one, a in given)
    return ALONE, ""


def _of_unit(form: Protocol, unit: UnitView, said: Sequence[RaterSaid], names: Names) -> Iterator[Block]:
    for field in form.fields_of(unit.kind, made=unit.made):
        given = [(one, one.answers.answers.get((unit.id, field.key))) for one in said]
        answered = [(one, answer) for one, answer in given if answer is not None]
        if answered:
            yield _question(field, unit, answered, names)


def _question(
    field: Field, unit: UnitView, answered: Sequence[tuple[RaterSaid, Answer]], names: Names
) -> Block:
    sign = _sign([answer for _, answer in answered])
    part = "" if unit.kind == UnitKind.SESSION else f"{_part(unit)} · "
    title = Line(
        plain_line(f"{part}{field.title}", "bold"),
        prefix=Content.styled(f"{sign} ", "bold"),
        rows=2,
    )
    return (title, *(_answer(field, one, answer, names) for one, answer in answered))


def _part(unit: UnitView) -> str:
    """What a part is called; responses have letters as raters have, and so say what they are."""
    return f"Response {unit.shown_id}" if unit.kind == UnitKind.RESPONSE else unit.shown_id


def _answer(field: Field, one: RaterSaid, answer: Answer, names: Names) -> Line:
    words = record_words(answer.value) if field.kind == "memory" else answer_words(field, answer)
    seeded = " (as it was proposed; nobody knows whether it was looked at)"
    aside = f" · {answer.reason}" if answer.reason and answer.reason not in words else ""
    return Line(
        plain(words)
        + plain_line(f"{aside}{seeded if answer.attested == Attested.SEEDED else ''}", "$foreground-muted"),
        prefix=Content("    ") + plain_line(_who(one, names), "bold $text-accent") + Content("  "),
        rows=8,
    )


def record_words(value: Json) -> str:
    """A memory in words: what it says, and its label."""
    if not isinstance(value, dict):
        return str(value)
    said = [str(value[key]) for key in ("value", "label") if value.get(key)]
    return " · ".join(said) or "a memory without words"


def _who(one: RaterSaid, names: Names) -> str:
    """Whose answer: a letter (or name), what kind of rater if no person, and which occasion if not the first."""
    kind = "" if one.kind == "human" else f" ({one.kind.replace('_', ' ')})"
    again = f" #{one.occasion + 1}" if one.occasion else ""
    return f"{names.of(one.rater)}{kind}{again}"


def _sign(answers: Sequence[Answer]) -> str:
    if len(answers) < 2:
        return ALONE
    first = answers[0]
    alike = all((a.status, a.value) == (first.status, first.value) for a in answers)
    return ALIKE if alike else DIFFERENT


def _remarks(unit: UnitView, said: Sequence[RaterSaid], names: Names) -> Iterator[Block]:
    for one in said:
        for what, texts in (("note", one.answers.notes), ("flag", one.answers.flags)):
            if texts.get(unit.id):
                yield (_remark(one, what, texts[unit.id], names),)


def _remark(one: RaterSaid, what: str, text: str, names: Names) -> Line:
    return Line(plain(text), prefix=plain_line(f"{what} of {_who(one, names)}: ", "bold"), rows=6)


def _whole(said: Sequence[RaterSaid], names: Names) -> Iterator[Block]:
    """What was said of the item as such: notes, flags, that it was skipped or is not finished."""
    for one in said:
        for what, texts in (("note", one.answers.notes), ("flag", one.answers.flags)):
            if texts.get(None):
                yield (_remark(one, f"{what} on the item", texts[None], names),)
        if one.answers.state == ItemState.SKIPPED:
            yield (_remark(one, "skipped", one.answers.skip_reason or "without a reason", names),)
        elif one.answers.state == ItemState.OPEN:
            yield (_remark(one, "not submitted", "these are answers on the way", names),)


def _own(form: Protocol, said: Sequence[RaterSaid], names: Names) -> Iterator[Block]:
    """The parts that a rater made: an added memory, a review, an intent."""
    for one in said:
        for made in one.answers.made:
            lines = []
            for field in form.fields_of(made.kind, made=True):
                answer = one.answers.answers.get((made.id, field.key))
                if answer is not None:
                    words = (
                        record_words(answer.value) if field.kind == "memory" else answer_words(field, answer)
                    )
                    lines.append(
                        Line(
                            plain(words),
                            prefix=INDENT + plain_line(f"{field.title}: ", "$foreground-muted"),
                            rows=6,
                        )
                    )
            head = plain_line(
                f"+ {_who(one, names)} added {made.kind.replace('_', ' ')} {made.shown_id}", "bold"
            )
            yield (Line(head), *lines)
