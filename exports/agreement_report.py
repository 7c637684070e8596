"""A whole agreement report as blocks, in the order to be read: decisions on proposals, then each form's fields."""

from collections.abc import Sequence

from alps_tui.agreement.reading import CONVENTION
from alps_tui.agreement.whole import AgreementReport
from exports.agreement_blocks import Block
from exports.agreement_decision_blocks import decision_blocks
from exports.agreement_field_blocks import form_blocks

WITHOUT_SEEDED = (
    "seeded out: without answers that only left what a form was prefilled with, of which nobody can know whether they "
    "were meant"
)


def blocks(report: AgreementReport, *, brief: bool = False) -> tuple[Block, ...]:
    """All of it, or in brief the decisions and each form's overview."""
    found: list[Block] = [Block("How to read this", facts=_reading(report), level=1)]
    if report.decisions is not None and report.decisions.population.kept:
        found += decision_blocks(report.decisions)
    for name, form in report.forms.items():
        if any(field.n_ratings for field in form.fields) or form.refused:
            made = form_blocks(name, form)
            found += made[:1] if brief else made
    return tuple(found) if len(found) > 1 else ()


def _reading(report: AgreementReport) -> tuple[str, ...]:
    who = report.population
    left = ", ".join(f"{n:,} {reason.replace('_', ' ')}" for reason, n in who.left_out.items())
    counted = (
        f"counted: {who.kept:,} rows of people's blind core answers that saw neither judge nor peer, of each rater the "
        f"first occasion under the newest version; left out: {left or 'none'}"
    )
    return (counted, WITHOUT_SEEDED, CONVENTION)


def every_grid_row(made: Sequence[Block]) -> list[tuple[str, ...]]:
    """The rows of all tables of blocks, for whoever looks for something in them."""
    return [row for block in made for grid in block.grids for row in grid.rows]
