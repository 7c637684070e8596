"""Blocks about decisions on proposed memories; set F1 stands in them beside the decision coefficient and the seed's F1."""

from alps_tui.agreement.coefficient import Coefficient
from alps_tui.agreement.figures import counted, number, value_of
from alps_tui.agreement.reading import decisions_in_words
from alps_tui.agreement.report import Comparison, DecisionReport, DecisionTable
from alps_tui.agreement.sets import SetAgreement
from exports.agreement_blocks import (
    ALL,
    INTERVAL,
    SEEDED_OUT,
    Block,
    Grid,
    Marks,
    Row,
    closing_notes,
    left_out_facts,
    one_sided,
    said_of_sides,
    two_sided,
)
from exports.agreement_field_blocks import detail_grids, steps_of

SESSIONS_SHOWN = 6


def decision_blocks(report: DecisionReport) -> tuple[Block, ...]:
    """The form with who was counted, then each comparison; memory by memory, never list by list alone."""
    facts = left_out_facts((*report.population.left_out.items(), *report.missing.items()))
    if report.rater_made:
        added = ", ".join(f"{name} {n:,}" for name, n in report.rater_made.items())
        facts += (f"added by raters, in lists and F1 only, in no coefficient: {added}",)
    if report.packetless:
        few = ", ".join(report.packetless[:SESSIONS_SHOWN])
        rest = len(report.packetless) - SESSIONS_SHOWN
        more = f" and {rest} more (--json lists them)" if rest > 0 else ""
        facts += (
            f"{counted(len(report.packetless), 'session')} without a packet, no decision derivable: {few}{more}",
        )
    words = ""
    if report.sides is None and report.raters is None:
        words = "Fewer than two raters decided on the same memories: nothing to compare."
    title = f"Decisions on proposed memories · {', '.join(report.population.protocols)}"
    blocks = [Block(title, words, facts, level=1)]
    for kind, comparison in (
        ("Imported double annotations", report.sides),
        ("Raters of this study", report.raters),
    ):
        if comparison is not None:
            blocks.append(_comparison_block(f"{kind} · {_versus(comparison)}", comparison))
            blocks += _detail_blocks(comparison)
    return tuple(blocks)


def _detail_blocks(comparison: Comparison) -> list[Block]:
    """Rater by rater, and what to do next."""
    if comparison.detail is None:
        return []
    marks = Marks()
    grids, extra = detail_grids(comparison.detail, marks)
    if not grids:
        return []
    notes, steps = (*marks.notes(), *extra), steps_of(comparison.detail)
    return [Block("Who decides like whom, seeded out", "", (), grids, notes, steps)]


def _versus(comparison: Comparison) -> str:
    if comparison.pairs:
        return f"{counted(len(comparison.pairs), 'pair')}, pooled"
    return f"{comparison.between[0]} (rows) and {comparison.between[1]} (columns)"


def _rows(table: DecisionTable) -> list[Row]:
    return [
        *((f"both say {label}", one) for label, one in table.specific.items()),
        ("raw agreement", table.raw_agreement),
        ("kappa", table.cohen_kappa),
        ("alpha", table.alpha_nominal),
        ("AC1", table.ac1),
    ]


def _comparison_block(title: str, comparison: Comparison) -> Block:
    """Without the seeded decisions first, with them beside it; the lists and their F1 below, in the same block."""
    bare, full, worst = comparison.without_seeded, comparison.with_seeded, comparison.worst_case
    marks = Marks()
    rows = _rows(bare), _rows(full)
    pairs = ("pairs of decisions", f"{bare.n:,}", "", f"{full.n:,}", "")
    raws = (bare.raw_agreement, full.raw_agreement)
    grids = [two_sided(rows[0], rows[1], marks, raws, first=pairs)]
    if bare is full:
        grids = [one_sided(rows[0], marks, raws[0], "nothing is seeded")]
    everything: list[Coefficient] = [c for side in rows for _, c in side]
    if worst is not None:
        grids.append(one_sided(_rows(worst)[-4:], marks, worst.raw_agreement, "worst case of the seeded"))
        everything += [c for _, c in _rows(worst)[-4:]]
    grids += (
        [_cells(full, "cells")]
        if bare is full
        else [_cells(bare, f"cells, {SEEDED_OUT}"), _cells(full, f"cells, {ALL}")]
    )
    if full.sets is not None:
        grids.append(_lists(comparison, marks))
    alphas = [("", bare.alpha_nominal)]
    if bare is not full:
        alphas = [(f"{SEEDED_OUT}: ", bare.alpha_nominal), (f"{ALL}: ", full.alpha_nominal)]
    notes = [*closing_notes(marks, everything, alphas)]
    if worst is not None:
        notes.append(
            "worst case: each seeded decision is taken for another one than the other's (Manski 1990)"
        )
    notes += said_of_sides(bare.warnings, full.warnings)
    if comparison.pooled:
        notes.append(f"pooled: {comparison.pooled}")
    return Block(title, decisions_in_words(comparison), _left_facts(comparison), tuple(grids), tuple(notes))


def _cells(decided: DecisionTable, name: str) -> Grid:
    classes = list(dict.fromkeys(name.split("-")[0] for name in decided.cells))
    rows = tuple((row, *(f"{decided.cells[f'{row}-{column}']:,}" for column in classes)) for row in classes)
    return Grid((f"{name}, n {decided.n:,}", *classes), rows)


def _lists(comparison: Comparison, marks: Marks) -> Grid:
    """Set F1 never alone: kappa of the decisions in the first line, the untouched proposal's F1 below it."""
    bare, full = comparison.without_seeded, comparison.with_seeded
    rows = [
        (
            "kappa of the decisions",
            marks.value(bare.cohen_kappa),
            f"{bare.n:,}",
            marks.value(full.cohen_kappa),
            f"{full.n:,}",
        ),
        ("between the raters", *_f1(bare.sets, marks), *_f1(full.sets, marks)),
    ]
    for name, against in full.against_seed.items():
        mine = bare.against_seed.get(name)
        rows.append((f"{name} and the proposal", *_f1(mine, marks), *_f1(against, marks)))
    return Grid(("F1 of the lists", SEEDED_OUT, "n", ALL, "n"), tuple(rows))


def _f1(sets: SetAgreement | None, marks: Marks) -> tuple[str, str]:
    if sets is None:
        return "-", "0"
    return marks.value(sets.macro), f"{sets.n_lists:,}"


def _left_facts(comparison: Comparison) -> tuple[str, ...]:
    found = []
    for left in comparison.lists:
        share = f" ({100 * left.untouched / left.lists:.0f} %)" if left.lists else ""
        found.append(
            f"{left.name}: {left.untouched:,} of {counted(left.lists, 'list')} left untouched{share}, "
            f"{counted(left.seeded_keeps, 'seeded keep')}"
        )
    return tuple(found)


def pair_grid(comparison: Comparison, marks: Marks) -> Grid | None:
    """Each pair of raters without the seeded decisions: what both say delete and edit of, and kappa."""
    rows = [
        (
            " and ".join(pair.between),
            f"{pair.without_seeded.n:,}",
            value_of(pair.without_seeded.specific["delete"]),
            value_of(pair.without_seeded.specific["edit"]),
            number(pair.without_seeded.cohen_kappa.value),
            marks.interval(pair.without_seeded.cohen_kappa),
        )
        for pair in comparison.pairs
    ]
    return Grid(("pair", "n", "on delete", "on edit", "kappa", INTERVAL), tuple(rows)) if rows else None
