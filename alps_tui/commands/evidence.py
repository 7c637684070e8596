"""Agreement on the passages that carry a memory, of the raters of a study who marked them."""

from typing import TYPE_CHECKING, Any

from alps_tui.commands.coefficients import cell, how, interval, undefined_notes
from alps_tui.commands.exit_codes import NOTHING_TO_DO, Ending
from alps_tui.commands.render import count, out, out_json, out_prose, table
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from alps_tui.agreement.evidence import EvidenceAgreement, Marked, Span

FIELD = "evidence"


def run(url: str, seed: int, as_json: bool) -> None:
    """Print turn-level agreement on evidence, characters beside it; exit code 3 if no memory was marked twice."""
    from alps_tui.agreement.evidence import evidence_agreement

    marked = _marked(url)
    report = evidence_agreement(marked, seed=seed)
    if as_json:
        out_json(report.to_json())
    elif not report.n_units:
        raise Ending(
            f"{url}: evidence was marked for {count(len(marked), 'memory', 'memories')}, for none of them by two "
            "people. Mark passages with v in: alps annotate",
            NOTHING_TO_DO,
        )
    else:
        _print(report)


def _marked(url: str) -> "list[Marked]":
    """What people marked for each proposed memory, under the default population."""
    from alps_tui.agreement.evidence import Marked
    from alps_tui.agreement.ratings import answered, population
    from alps_tui.commands.agreement import DECISIONS
    from store.content import dialogues, turns
    from store.kinds import Origin
    from store.ratings import ratings_table

    study = open_study(url, read_only=True)
    try:
        with study.read() as connection:
            rows, _ = population(ratings_table(connection, protocol=DECISIONS))
            mine = answered(rows.field(FIELD))
            mine = mine.where(mine.column("origin") != Origin.RATER)
            needed = set(mine.column("dialogue_id").tolist())
            lengths = {
                one.external_id: len(turns(connection, one.id))
                for one in dialogues(connection)
                if one.external_id in needed
            }
    finally:
        study.close()
    units: dict[tuple[str, str], dict[str, tuple[Span, ...]]] = {}
    columns = (mine.column(name) for name in ("unit_id", "dialogue_id", "rater"))
    for unit, dialogue, rater, spans in zip(*columns, mine.parsed(), strict=True):
        units.setdefault((unit, dialogue), {})[rater] = _spans(spans)
    return [
        Marked(unit, dialogue, lengths[dialogue], said) for (unit, dialogue), said in sorted(units.items())
    ]


def _spans(value: Any) -> "tuple[Span, ...]":
    from alps_tui.agreement.evidence import Span

    return tuple(Span(int(one["turn"]), int(one["start"]), int(one["end"])) for one in value or ())


def _print(report: "EvidenceAgreement") -> None:
    out_prose(
        f"Evidence · {count(report.n_units, 'memory', 'memories')} marked by two people or more, "
        f"{count(report.n_turns, 'turn')}, {count(len(report.raters), 'rater')}"
    )
    lines = [
        ("turns: both cite", report.cited),
        ("turns: alpha", report.alpha),
        ("characters: F1, pooled", report.f1_micro),
        ("characters: F1, mean", report.f1_macro),
    ]
    out(
        table(
            ["", "n", "value", "95 % interval"],
            [[name, f"{one.n:,}", cell(one), interval(one)] for name, one in lines],
        )
    )
    coefficients = [one for _, one in lines]
    for note in (*undefined_notes(coefficients), *(f"intervals: {way}" for way in how(coefficients))):
        out_prose(f"  {note}")
    if report.left_out:
        out_prose(f"  left out: {count(report.left_out, 'memory', 'memories')} marked by one person only")
    for warning in report.warnings:
        out_prose(f"  {warning}")
