"""The agreement command: reads the long table and the final lists once, and prints what the reports say."""

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import TYPE_CHECKING

from alps_tui.commands.coefficients import cell, how, interval, undefined_notes
from alps_tui.commands.exit_codes import NOTHING_TO_DO, Ending
from alps_tui.commands.render import count, out, out_json, out_prose, table
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from alps_tui.agreement.coefficient import Coefficient
    from alps_tui.agreement.field_reports import FieldAgreement, FieldReport, ScaleAgreement
    from alps_tui.agreement.fields import FieldMeta
    from alps_tui.agreement.report import Comparison, DecisionReport, DecisionTable
    from alps_tui.agreement.sets import FinalList, SetAgreement
    from store.database import Database
    from store.kinds import UnitKind

SEED = 42
DECISIONS = "memory-verification"
RATINGS = "response-rating"
SESSIONS_SHOWN = 6
PAIRS_SHOWN = 6


@dataclass(frozen=True, slots=True)
class Reports:
    """Decisions on memories, the session's questions, and the ratings of responses."""

    decisions: "DecisionReport"
    session: "FieldReport"
    fields: "FieldReport"

    @property
    def empty(self) -> bool:
        return self.decisions.population.kept == 0 and self.fields.population.kept == 0


def run(url: str, seed: int, as_json: bool) -> None:
    """Print agreement on decisions and on every field of the ratings; exit code 3 if nobody has answered."""
    study = open_study(url, read_only=True)
    try:
        reports = make_reports(study, seed)
    finally:
        study.close()
    if as_json:
        session = {"session_questions": reports.session.to_json()}
        out_json({DECISIONS: reports.decisions.to_json() | session, RATINGS: reports.fields.to_json()})
    elif reports.empty:
        raise Ending(
            f"{url} holds no answers of people yet. Import something (alps import PATH), then: alps annotate",
            NOTHING_TO_DO,
        )
    else:
        print_reports(reports)


def print_all(study: "Database", seed: int) -> None:
    """Print both reports of an open study."""
    print_reports(make_reports(study, seed))


def make_reports(study: "Database", seed: int) -> Reports:
    """Read the study once and compute both reports."""
    from alps_tui.agreement.decisions import decision_report
    from alps_tui.agreement.fields import field_report
    from store.kinds import UnitKind
    from store.ratings import ratings_table

    with study.read() as connection:
        decided = ratings_table(connection, protocol=DECISIONS)
        rated = ratings_table(connection, protocol=RATINGS)
    imported = _imported(study)
    decisions = decision_report(
        decided,
        sides=imported.sides,
        lists=imported.lists,
        seeds=imported.seeds,
        packetless=imported.packetless,
        seed=seed,
    )
    return Reports(
        decisions,
        field_report(decided, _scales(DECISIONS, UnitKind.SESSION), form=DECISIONS, seed=seed),
        field_report(rated, _scales(RATINGS, UnitKind.RESPONSE), form=RATINGS, seed=seed),
    )


@dataclass(frozen=True, slots=True)
class _Imported:
    sides: Mapping[str, str]
    lists: "tuple[FinalList, ...]"
    seeds: Mapping[str, list[str]]
    packetless: tuple[str, ...]


def _imported(study: "Database") -> _Imported:
    """Sides and lists of imported annotators, and what was proposed in every dialogue."""
    from alps_tui.agreement.sets import FinalList
    from alps_tui.items.content import OTHER_LAYOUTS
    from alps_tui.items.final_lists import final_lists
    from store.assignments import raters
    from store.content import dialogues, memories
    from store.kinds import Origin

    with study.read() as connection:
        sides = {r.name: str(r.params["side"]) for r in raters(connection) if "side" in r.params}
        seeds: dict[str, list[str]] = {}
        for dialogue in dialogues(connection):
            proposed = memories(connection, dialogue.id, Origin.GOLD)
            if proposed and dialogue.source not in OTHER_LAYOUTS:
                seeds[dialogue.external_id] = [memory.value for memory in proposed]
    found = [one for one in final_lists(study) if one.rater in sides]
    lists = tuple(
        FinalList(
            one.session_id,
            one.rater,
            tuple(str(record.get("value") or "") for record in one.records),
            tuple(seeds[one.session_id]) if one.session_id in seeds else None,
        )
        for one in found
    )
    packetless = tuple(sorted({one.session_id for one in found} - seeds.keys()))
    return _Imported(sides, lists, seeds, packetless)


def _scales(form: str, kind: "UnitKind") -> "list[FieldMeta]":
    """What a form asks of a kind of unit on a closed scale of two values or more."""
    from alps_tui.agreement.fields import FieldMeta
    from alps_tui.protocols.loading import load_builtin

    return [
        FieldMeta(
            field.key,
            field.level,
            field.values,
            field.title,
            field.not_applicable.value if field.not_applicable else None,
        )
        for field in load_builtin(form).fields_of(kind)
        if field.level is not None and field.values is not None and len(field.values) > 1
    ]


# ---------------------------------------------------------------- the honest table


def print_reports(reports: Reports) -> None:
    """Decisions first, then each rated field."""
    decisions = reports.decisions
    if decisions.population.kept:
        _print_decisions(decisions)
        _print_session(reports.session)
    if reports.fields.population.kept:
        if decisions.population.kept:
            out()
        _print_fields(reports.fields)


def _print_decisions(report: "DecisionReport") -> None:
    out(f"Decisions on proposed memories · {', '.join(report.population.protocols)}")
    _print_left_out(report.population.left_out, report.missing)
    if report.sides is None and report.raters is None:
        out("  Fewer than two raters decided on the same memories: nothing to compare.")
    if report.sides is not None:
        out()
        out(f"Imported double annotations · {_versus(report.sides)}")
        _print_comparison(report.sides)
    if report.raters is not None:
        out()
        out(f"Raters of this study · {_versus(report.raters)}")
        _print_comparison(report.raters)
        _print_pairs(report.raters.pairs)
    if report.packetless:
        out()
        few = ", ".join(report.packetless[:SESSIONS_SHOWN])
        rest = len(report.packetless) - SESSIONS_SHOWN
        out_prose(
            f"{count(len(report.packetless), 'session')} without a packet, no decision derivable: {few}"
            + (f" and {rest} more (--json lists them)" if rest > 0 else "")
        )


def _versus(comparison: "Comparison") -> str:
    return (
        f"{comparison.between[0]} (rows) and {comparison.between[1]} (columns)"
        if not comparison.pairs
        else (f"{count(len(comparison.pairs), 'pair')}, pooled")
    )


def _print_comparison(comparison: "Comparison") -> None:
    """Without the seeded decisions first, with them beside it."""
    bare, full = comparison.without_seeded, comparison.with_seeded
    names = {"raw_agreement": "raw agreement", "cohen_kappa": "kappa", "alpha_nominal": "alpha", "ac1": "AC1"}
    rows = [(f"both say {label}", bare.specific[label], full.specific[label]) for label in full.specific]
    rows += [(name, getattr(bare, key), getattr(full, key)) for key, name in names.items()]
    pairs = ["pairs of decisions", f"{bare.n:,}", "", f"{full.n:,}", ""]
    cells = [[name, cell(b), interval(b), cell(f), interval(f)] for name, b, f in rows]
    out(table(["", "seeded out", "95 % interval", "all", "95 % interval"], [pairs, *cells]))
    _print_cells(full)
    _print_lists(comparison)
    everything = [c for _, b, f in rows for c in (b, f)]
    for note in undefined_notes(everything):
        out_prose(f"  {note}")
    for way in how(everything):
        out_prose(f"  intervals: {way}")
    for warning in dict.fromkeys((*bare.warnings, *full.warnings)):
        out_prose(f"  {warning}")
    if comparison.pooled:
        out_prose(f"  pooled: {comparison.pooled}")


def _print_cells(decided: "DecisionTable") -> None:
    classes = list(dict.fromkeys(name.split("-")[0] for name in decided.cells))
    rows = [[row, *[f"{decided.cells[f'{row}-{column}']:,}" for column in classes]] for row in classes]
    out(table([f"cells, n {decided.n:,}", *classes], rows))


def _print_lists(comparison: "Comparison") -> None:
    """Set F1 never alone: the decision coefficient stands above, the untouched proposal's F1 beside."""
    rows = [("between the raters", comparison.with_seeded.sets, comparison.without_seeded.sets)]
    rows += [
        (f"{name} and the proposal", against, comparison.without_seeded.against_seed.get(name))
        for name, against in comparison.with_seeded.against_seed.items()
    ]
    cells = [[name, *_f1(bare), *_f1(full)] for name, full, bare in rows]
    out(table(["F1 of the lists", "seeded out", "lists", "all", "lists"], cells))
    for left in comparison.lists:
        share = f" ({100 * left.untouched / left.lists:.0f} %)" if left.lists else ""
        out(
            f"  {left.name}: {left.untouched:,} of {count(left.lists, 'list')} left untouched{share}, "
            f"{count(left.seeded_keeps, 'seeded keep')}"
        )


def _f1(sets: "SetAgreement | None") -> list[str]:
    return ["-", "0"] if sets is None else [cell(sets.macro), f"{sets.n_lists:,}"]


def _print_pairs(pairs: Iterable["Comparison"]) -> None:
    rows = []
    for pair in pairs:
        bare = pair.without_seeded
        rows.append(
            [
                " and ".join(pair.between),
                f"{bare.n:,}",
                cell(bare.specific["delete"]),
                cell(bare.specific["edit"]),
                cell(bare.cohen_kappa),
                interval(bare.cohen_kappa),
            ]
        )
    if rows:
        out(table(["pair, seeded out", "n", "on delete", "on edit", "kappa", "95 % interval"], rows))


def _print_fields(report: "FieldReport") -> None:
    out(f"Ratings of responses · {', '.join(report.population.protocols)}")
    _print_left_out(report.population.left_out, {})
    for field in report.fields:
        out()
        _print_field(field)
    out()
    for note in report.notes:
        out_prose(f"  {note}")


def _print_field(field: "FieldAgreement") -> None:
    missing = sum(field.missing.values())
    said = "".join(
        f", {amount:,} {status.replace('_', ' ')}" for status, amount in field.missing.items() if amount
    )
    out_prose(
        f"{field.key} · {field.level} · {count(field.n_units, 'unit')}, {count(field.n_ratings, 'rating')} by "
        f"{count(len(field.raters), 'rater')}, {missing:,} missing{said if missing else ''}"
    )
    bare, full = field.without_seeded, field.with_seeded
    rows = _field_rows(field, bare)
    if bare.n_ratings == full.n_ratings:
        cells = [[name, n, cell(c), interval(c)] for name, c, n in rows]
        out(table(["", "n", "value", "95 % interval"], cells))
    else:
        both = zip(rows, _field_rows(field, full)[: len(rows)], strict=False)
        cells = [[name, cell(c), interval(c), cell(d), interval(d)] for (name, c, _), (_, d, _) in both]
        ratings = ["ratings", f"{bare.n_ratings:,}", "", f"{full.n_ratings:,}", ""]
        out(table(["", "seeded out", "95 % interval", "all", "95 % interval"], [ratings, *cells]))
    spread = "  ".join(f"{value}: {amount:,}" for value, amount in full.distribution.items())
    beside = field.applicability.n_does_not_apply if field.applicability is not None else 0
    applies = "" if field.applicability is None else f"   does not apply: {beside:,}"
    out(f"  given: {spread}{applies}")
    if full.n_ratings and not bare.n_ratings:
        out_prose(
            "  Every answer is what its form was prefilled with: nobody can know whether anybody looked."
        )
    coefficients = [c for _, c, _ in rows]
    for note in undefined_notes(coefficients):
        out_prose(f"  {note}")
    for way in how(coefficients):
        out_prose(f"  intervals: {way}")
    for warning in bare.warnings:
        out_prose(f"  {warning}")


def _field_rows(field: "FieldAgreement", scale: "ScaleAgreement") -> "list[tuple[str, Coefficient, str]]":
    """Name, coefficient and n of each line; single pairs only where they are few."""
    kappa = "kappa" if field.level == "nominal" else "weighted kappa"
    rows: list[tuple[str, Coefficient, str]] = [
        ("alpha", scale.alpha, f"{scale.n_pairable:,}"),
        (f"{kappa}, mean of pairs", scale.mean_kappa, ""),
    ]
    if len(scale.pairs) <= PAIRS_SHOWN:
        rows += [(f"  {pair.first} and {pair.second}", pair.kappa, f"{pair.n:,}") for pair in scale.pairs]
    if field.applicability is not None:
        rows.append(("does it apply: both say no", field.applicability.specific, ""))
        rows.append(("does it apply: alpha", field.applicability.alpha_nominal, ""))
    return rows


def _print_session(report: "FieldReport") -> None:
    """The questions about a whole session, where anybody answered them."""
    answered = [field for field in report.fields if field.n_ratings]
    if not answered:
        return
    out()
    out("Questions about the session")
    for field in answered:
        out()
        _print_field(field)


def _print_left_out(left_out: Mapping[str, int], missing: Mapping[str, int]) -> None:
    said = [
        f"{amount:,} {reason.replace('_', ' ')}"
        for reason, amount in (*left_out.items(), *missing.items())
        if amount
    ]
    if said:
        out_prose(f"  left out: {', '.join(said)}")
