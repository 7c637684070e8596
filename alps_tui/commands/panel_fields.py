"""The fields of a study, or of a file of ratings, as panels: who answered what, and what was prefilled."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from alps_tui.commands.exit_codes import NOTHING_TO_DO, Ending
from alps_tui.commands.render import say
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from alps_tui.agreement.asked_fields import Asked, Said
    from alps_tui.agreement.field_meta import FieldMeta
    from alps_tui.agreement.panel import Panel
    from store.table import Table

MOST_CLASSES = 64
"""Up to so many different answers a field's values are taken for classes."""


@dataclass(frozen=True, slots=True)
class OfFile:
    """A file of ratings instead of the study, and what is said of its fields (`alps_tui.commands.ratings_file`).

    form   only this one: NAME, or NAME@VERSION
    """

    ratings: Path | None = None
    levels: Sequence[str] = ()
    scales: Sequence[str] = ()
    beside: Sequence[str] = ()
    form: str | None = None


@dataclass(frozen=True, slots=True)
class FieldPanel:
    """One field of a form.

    people        the blind answers of people that somebody is known to have given
    to_decide     the same, with every unit that anybody has, prefilled or not
    prefilled     answers that a form started on and nobody is known to have looked at: no number counts them
    adjudicators  their answers after the blind ones
    """

    form: str
    people: "Panel"
    to_decide: "Panel"
    prefilled: "Panel"
    adjudicators: "Panel"

    @property
    def n_prefilled(self) -> int:
        return int((self.prefilled.codes >= 0).sum())

    @property
    def title(self) -> str:
        return f"{self.form} {self.people.field}".strip()


def fields_of(url: str, wanted: str | None, of: OfFile = OfFile()) -> Iterator[FieldPanel]:
    """Every field of single answers that two people answered, prefilled answers among them.

    Fields that nothing can be computed of are named on stderr, with the reason.

    raises   Ending if no field is left, or none is called `wanted`
    """
    from alps_tui.agreement.asked_fields import asked_fields
    from alps_tui.agreement.ratings import population
    from store.kinds import Phase, RaterKind

    rows, said = _rows(url, of)
    people, _ = population(rows)
    judged = rows.where(
        (rows.column("rater_kind") == RaterKind.ADJUDICATOR) & (rows.column("phase") != Phase.BLIND)
    )
    known: set[str] = set()
    refused: dict[str, str] = {}
    used = 0
    for form in asked_fields(people, said):
        for meta, made in _panels(form, people, judged):
            known.add(meta)
            if wanted not in (None, meta):
                continue
            if isinstance(made, str):
                refused[meta] = made
            elif made is not None:
                used += 1
                yield made
    where = url if of.ratings is None else str(of.ratings)
    for key, why in refused.items():
        say(f"{key}: left out. {why}")
    if wanted is not None and wanted not in known:
        raise Ending(f"{where} has no answers to a field {wanted}. Known: {', '.join(sorted(known))}.")
    if not used and refused:
        raise Ending(f"{where}: nothing can be computed, see above.")
    if not used:
        more = (
            "Have a second rater answer: alps annotate" if of.ratings is None else "One answer shows nothing."
        )
        raise Ending(f"{where}: no field was answered by two people. {more}", NOTHING_TO_DO)


def _panels(
    form: "Asked", people: "Table", judged: "Table"
) -> "Iterator[tuple[str, FieldPanel | str | None]]":
    """Each field of a form with its panels, or why there are none; None where one person answered it."""
    from alps_tui.agreement.fields import closed_field, of_form

    mine, theirs = of_form(people, form.form), of_form(judged, form.form)
    yield from form.refused.items()
    for meta in form.fields:
        closed = closed_field(mine, meta)
        if isinstance(closed, str):
            yield meta.key, closed
        elif len(closed.scale) > MOST_CLASSES:
            yield (
                meta.key,
                f"It has {len(closed.scale):,} different values, and classes are what is decided here.",
            )
        elif len(closed.scale) < 2:
            yield meta.key, "Every answer is the same, and no scale says what else could be."
        else:
            yield meta.key, _panel(form.form, closed, mine, theirs)


def _panel(form: str, meta: "FieldMeta", mine: "Table", theirs: "Table") -> "FieldPanel | None":
    from alps_tui.agreement.panel import emptied, panel_of
    from store.kinds import Attested

    def of(rows: "Table") -> "Panel":
        return panel_of(rows, meta.key, meta.level, meta.scale)

    seeded = mine.column("attested") == Attested.SEEDED
    everybody, prefilled = of(mine), of(mine.where(seeded))
    if len(everybody.raters) < 2:
        return None
    return FieldPanel(form, of(mine.where(~seeded)), emptied(everybody, prefilled), prefilled, of(theirs))


def _rows(url: str, of: OfFile) -> "tuple[Table, Said]":
    """The long table of the study or of the file, and what is said of its fields."""
    from alps_tui.agreement.asked_fields import Said
    from alps_tui.commands.agreement import known_forms, rows_of
    from alps_tui.commands.ratings_file import read_file

    if of.ratings is not None:
        read = read_file(of.ratings, of.levels, of.scales, of.beside, of.form)
        for sentence in read.told:
            say(sentence)
        return read.table, read.said
    study = open_study(url, read_only=True)
    try:
        return rows_of(study, of.form), Said(forms=known_forms(study))
    finally:
        study.close()
