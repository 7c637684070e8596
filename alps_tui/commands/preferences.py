"""Preferences between systems, from a study's own pairs or a file of comparisons: abilities, ranks as ranges, win rates, position."""

import csv
import json
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

from alps_tui.commands.exit_codes import NOTHING_TO_DO, Ending
from alps_tui.commands.render import count, number, out, out_json, out_prose, table
from alps_tui.commands.study import open_study

if TYPE_CHECKING:
    from alps_tui.agreement.preference import Comparison, PreferenceReport

NEEDED = ("prompt", "first", "second", "winner")
ALIASES = {
    "prompt": ("dialogue_id", "item_id", "question_id", "query_id"),
    "first": ("model_a", "system_a", "a"),
    "second": ("model_b", "system_b", "b"),
    "winner": ("preferred", "value", "outcome"),
    "rater": ("annotator", "judge"),
}
FIRST = frozenset({"first", "model_a", "a", "1", "left"})
SECOND = frozenset({"second", "model_b", "b", "2", "right"})
TIE = frozenset({"tie", "both", "equal", "tie (bothbad)", "0"})


def run(path: Path, seed: int, as_json: bool) -> None:
    """Print the report of a file of comparisons: CSV, or JSON objects one a line."""
    from alps_tui.agreement.preference import preference_report

    comparisons = [_comparison(path, line, row) for line, row in _rows(path)]
    if not comparisons:
        raise Ending(f"{path} holds no comparison.", NOTHING_TO_DO)
    report = preference_report(comparisons, seed=seed)
    if as_json:
        out_json(report.to_json())
    else:
        _print(report)


def run_of_study(url: str, seed: int, as_json: bool) -> None:
    """Print the report of the pairs that were compared in a study, held against the scores its responses got."""
    from alps_tui.agreement.compared import FORM, compared, mean_scores
    from alps_tui.agreement.preference import preference_report
    from store.ratings import ratings_table

    study = open_study(url, read_only=True)
    try:
        with study.read() as connection:
            answers = ratings_table(connection, protocol=FORM)
            scores = mean_scores(ratings_table(connection, protocol="response-rating"))
    finally:
        study.close()
    found = compared(answers, scores)
    if not found.comparisons:
        raise Ending(
            f"{url} holds no compared pairs yet. Compare some (alps annotate --protocol {FORM}), or name a file: "
            "alps agreement --preferences FILE",
            NOTHING_TO_DO,
        )
    report = preference_report(found.comparisons, seed=seed)
    if as_json:
        more = {
            "ties": dict(found.ties),
            "left_out": dict(found.left_out),
            "scores": "preference_alignment, mean",
        }
        out_json(report.to_json() | more)
        return
    _print(report, scored="the mean preference_alignment of each response")
    if report.n_ties:
        out_prose(f"  ties: {found.ties['tie_good']} both good, {found.ties['tie_bad']} both bad")
    if found.left_out:
        said = ", ".join(f"{n:,} {reason}" for reason, n in sorted(found.left_out.items()))
        out_prose(f"  left out: {said}")


def _rows(path: Path) -> Iterator[tuple[int, dict[str, Any]]]:
    """Line number and row of each comparison."""
    try:
        with path.open(encoding="utf-8-sig", newline="") as file:
            if path.suffix.lower() == ".csv":
                for row in (reader := csv.DictReader(file)):
                    yield reader.line_num, row
                return
            for line, text in enumerate(file, 1):
                if text.strip():
                    row = json.loads(text)
                    if not isinstance(row, dict):
                        raise Ending(f"{path}, line {line}: not an object with {', '.join(NEEDED)}.")
                    yield line, row
    except OSError as problem:
        raise Ending(f"{path} cannot be read: {problem.strerror or problem}.") from problem
    except UnicodeDecodeError as problem:
        raise Ending(f"{path} is not UTF-8 text.") from problem
    except json.JSONDecodeError as problem:
        raise Ending(f"{path}, line {line}: not JSON ({problem.msg}).") from problem
    except csv.Error as problem:
        raise Ending(f"{path} is not CSV: {problem}.") from problem


def _comparison(path: Path, line: int, row: dict[str, Any]) -> "Comparison":
    from alps_tui.agreement.bradley_terry import Outcome
    from alps_tui.agreement.preference import Comparison

    found = {name: _value(row, name) for name in (*NEEDED, "rater")}
    for name in NEEDED:
        if not found[name]:
            raise Ending(f"{path}, line {line}: no {name}. Needed: {', '.join(NEEDED)}; rater if known.")
    if found["first"] == found["second"]:
        raise Ending(f"{path}, line {line}: {found['first']} is compared with itself.")
    said = found["winner"]
    if said == found["first"] or said.lower() in FIRST:
        outcome = Outcome.FIRST
    elif said == found["second"] or said.lower() in SECOND:
        outcome = Outcome.SECOND
    elif said.lower() in TIE:
        outcome = Outcome.TIE
    else:
        raise Ending(
            f"{path}, line {line}: winner is {said}, neither a system of the two, first, second nor tie."
        )
    return Comparison(
        found["prompt"],
        found["rater"] or "",
        found["first"],
        found["second"],
        outcome,
        _scores(path, line, row),
    )


def _value(row: dict[str, Any], name: str) -> str:
    for key in (name, *ALIASES.get(name, ())):
        if row.get(key) not in (None, ""):
            return str(row[key]).strip()
    return ""


def _scores(path: Path, line: int, row: dict[str, Any]) -> tuple[float, float] | None:
    import math

    texts = [row.get("first_score"), row.get("second_score")]
    if any(text in (None, "") for text in texts):
        return None
    try:
        first, second = (float(str(text)) for text in texts)
    except ValueError:
        raise Ending(f"{path}, line {line}: first_score and second_score are not both numbers.") from None
    if not (math.isfinite(first) and math.isfinite(second)):
        raise Ending(f"{path}, line {line}: a score is infinite or not a number.")
    return first, second


def _print(report: "PreferenceReport", scored: str = "the scores of the same rater") -> None:
    from alps_tui.agreement.preference import MODEL

    out_prose(
        f"Preferences · {count(report.n, 'comparison')} of {count(len(report.systems), 'system')} on "
        f"{count(report.n_prompts, 'prompt')}, {count(report.n_ties, 'tie')}"
    )
    rows = [
        [
            one.name,
            _range(one.rank_low, one.rank_high),
            "-" if one.ability is None else number(one.ability, 2),
            _between(one.low, one.high, 2),
            number(one.win_rate, 2),
            _between(one.win_rate_low, one.win_rate_high, 2),
            f"{one.n:,}",
        ]
        for one in report.systems
    ]
    out(table(["system", "rank", "ability", "95 % interval", "wins", "95 % interval", "n"], rows))
    position = report.position
    effect = "" if position.log_odds is None else f" (log odds {number(position.log_odds, 2)})"
    out_prose(f"  position: {position.said}{effect}")
    if position.both_orders:
        p = "-" if position.p is None else number(position.p)
        out_prose(
            f"  {count(position.both_orders, 'pair')} met in both orders: {position.always_first} always to the first, "
            f"{position.always_second} always to the second, exact p {p}"
        )
    if report.cross_check is not None and report.cross_check.agree is not None:
        out_prose(
            f"  absolute scores point the same way in {100 * report.cross_check.agree:.0f} % of "
            f"{count(report.cross_check.n_decided, 'comparison')} that both decide (scores: {scored})"
        )
    for said in (report.reason, *report.warnings):
        if said:
            out_prose(f"  {said}")
    out_prose(f"  {MODEL}; a rank range holds every rank that the differences of abilities leave open")
    out_prose(
        f"  intervals: cluster bootstrap by prompt, {report.replicates:,} replicates, seed {report.seed}"
    )


def _between(low: float | None, high: float | None, digits: int) -> str:
    return "-" if low is None or high is None else f"{number(low, digits)} to {number(high, digits)}"


def _range(low: int | None, high: int | None) -> str:
    if low is None or high is None:
        return "-"
    return f"{low}" if low == high else f"{low}-{high}"
