"""One agreement report in text, JSON, CSV, Markdown and LaTeX: what stands together, what is undefined, what is escaped."""

import csv
import io
import json
import re
from typing import Any

import pytest

from alps_tui.agreement.asked_fields import Said
from alps_tui.agreement.whole import AgreementReport, Imported, agreement_report
from alps_tui.commands.agreement import write
from exports import agreement_csv, agreement_latex, agreement_markdown, agreement_methods
from exports.agreement_report import blocks
from store.kinds import Attested
from store.table import from_rows

HOSTILE = r"b|o`b_*[x](y)<i>$a$\{#}%&~^ 100%"


def row(field: str, unit: str, rater: str, value: Any, seeded: bool = False, **more: Any) -> dict[str, Any]:
    return {
        "dialogue_id": f"d{unit}",
        "item_id": f"form/d{unit}",
        "unit_id": f"form/d{unit}/{unit}",
        "unit_kind": "response",
        "field": field,
        "rater": rater,
        "value": json.dumps(value),
        "level": "ordinal",
        "scale": "[1,2,3]",
        "attested": Attested.SEEDED if seeded else Attested.EXPLICIT,
        "protocol": "form@1",
    } | more


def verdict(unit: int, rater: str, value: str, seeded: bool = False) -> dict[str, Any]:
    return row(
        "verdict",
        f"m{unit}",
        rater,
        value,
        seeded,
        unit_kind="memory",
        level="nominal",
        scale='["keep","edit","delete"]',
        protocol="memory-verification@1",
        origin="gold",
        dialogue_id=f"d{unit // 2}",
    )


def memory(unit: int, rater: str, value: str) -> dict[str, Any]:
    return row("memory", f"m{unit}", rater, {"value": value}) | {
        "unit_kind": "memory",
        "level": None,
        "scale": None,
        "protocol": "memory-verification@1",
        "origin": "gold",
        "dialogue_id": f"d{unit // 2}",
    }


@pytest.fixture(scope="module")
def report() -> AgreementReport:
    """Decisions of two raters with lists, a field with seeded answers, one of a single class, one of one rater."""
    rows: list[dict[str, Any]] = []
    for unit in range(24):
        for rater, said in (
            ("ann", "keep" if unit % 3 else "delete"),
            (HOSTILE, "keep" if unit % 4 else "edit"),
        ):
            rows.append(verdict(unit, rater, said, seeded=unit % 6 == 1))
            if said == "keep":
                rows.append(memory(unit, rater, f"memory number {unit}"))
        rows.append(row("fit", f"r{unit}", "ann", unit % 3 + 1, seeded=unit > 15))
        rows.append(row("fit", f"r{unit}", HOSTILE, (unit + unit // 9) % 3 + 1, seeded=unit > 17))
        rows += [row("same", f"r{unit}", rater, 3, seeded=unit > 0) for rater in ("ann", HOSTILE)]
        rows.append(row("alone", f"r{unit}", "ann", 2))
    seeds = {f"d{n}": [f"memory number {2 * n}", f"memory number {2 * n + 1}"] for n in range(12)}
    return agreement_report(from_rows(rows), said=Said(), imported=Imported({}, seeds=seeds), seed=7)


def text_of(report: AgreementReport, format: str, capsys: pytest.CaptureFixture[str]) -> str:
    write(report, format)
    return capsys.readouterr().out


def sections(report: AgreementReport, format: str, capsys: pytest.CaptureFixture[str]) -> list[str]:
    """What stands together in a format: a block of text, a section of Markdown or LaTeX."""
    made = text_of(report, format, capsys)
    marks = {"text": r"\n\n", "markdown": r"\n(?=#)", "latex": r"\n(?=\\(?:sub)?section)"}
    return re.split(marks[format], made)


@pytest.mark.parametrize("format", ["text", "markdown", "latex"])
def test_f1_stands_with_the_decision_coefficient_and_the_proposals_f1_in_one_block(
    report: AgreementReport, format: str, capsys: pytest.CaptureFixture[str]
) -> None:
    found = [block for block in sections(report, format, capsys) if "F1 of the lists" in block]
    assert found
    for block in found:
        assert (
            "kappa of the decisions" in block
            and "ann and the proposal" in block
            and "between the raters" in block
        )


def test_f1_stands_beside_the_decision_coefficient_and_the_proposals_f1_in_json(
    report: AgreementReport,
) -> None:
    for side in ("without_seeded", "with_seeded"):
        table = report.to_json()["memory-verification"]["raters"][side]
        assert table["set_f1"]["f1_macro"]["value"] is not None
        assert table["cohen_kappa"]["value"] is not None and set(table["set_f1_against_seed"]) == {
            "ann",
            HOSTILE,
        }


def test_the_word_agreement_heads_no_column_with_f1_in_it(report: AgreementReport) -> None:
    for block in blocks(report):
        for grid in block.grids:
            if any("F1" in cell for cell in (*grid.header, *(row[0] for row in grid.rows))):
                assert not any("agree" in cell.lower() for cell in (block.title, *grid.header))


def test_each_undefined_column_has_its_own_reason_and_they_are_alike_in_every_format(
    report: AgreementReport, capsys: pytest.CaptureFixture[str]
) -> None:
    block = next(one for one in blocks(report) if one.title.startswith("same"))
    alpha = next(row for grid in block.grids for row in grid.rows if row[0].startswith("alpha"))
    marks = [cell.removeprefix("undefined ") for cell in alpha if cell.startswith("undefined")]
    reasons = {note[0]: note for note in block.notes if re.match(r"[a-z]  ", note)}
    assert len(set(marks)) == 2
    said = [reasons[mark][3:] for mark in marks]
    assert all("Every rating is the same" in reason for reason in said)
    assert ["n 1." in said[0], "n 24." in said[1]] == [True, True]
    for format in ("text", "markdown", "latex"):
        written = " ".join(text_of(report, format, capsys).split())
        assert "undefined a" in written and "Raw agreement 1.000, n 24." in written
    (field,) = [one for one in report.to_json()["form"]["fields"] if one["field"] == "same"]
    assert field["without_seeded"]["alpha"]["status"] == field["with_seeded"]["alpha"]["status"]
    assert field["without_seeded"]["alpha"]["n"] == 1 and field["with_seeded"]["alpha"]["n"] == 24
    assert field["with_seeded"]["alpha"]["reason"]
    lines = list(csv.DictReader(io.StringIO(agreement_csv.written(report))))
    alphas = [one for one in lines if one["field"] == "same" and one["coefficient"] == "alpha_ordinal"]
    assert {one["answers"]: one["status"] for one in alphas} == {
        "seeded_out": "undefined_no_variation",
        "all": "undefined_no_variation",
        "worst_case": "ok",
    }
    assert all(one["reason"] or one["value"] for one in lines)


def test_one_rater_is_undefined_with_that_reason(report: AgreementReport) -> None:
    block = next(one for one in blocks(report) if one.title.startswith("alone"))
    assert any("Fewer than two raters answered" in note for note in block.notes)
    assert "no agreement to speak of" in block.words and block.steps


def test_perfect_agreement_prints_the_limit_of_differing_and_never_one_to_one(
    report: AgreementReport,
) -> None:
    block = next(one for one in blocks(report) if one.title.startswith("same"))
    raw = next(row for grid in block.grids for row in grid.rows if row[0] == "raw agreement")
    assert raw[3:] == ("1.000", "diff < .125 *")
    assert any(
        "n dialogues still allow a rate of up to 3/n (1 to 24 dialogues)" in note for note in block.notes
    )


def test_seeded_answers_stand_out_in_and_in_the_worst_case(report: AgreementReport) -> None:
    block = next(one for one in blocks(report) if one.title.startswith("fit"))
    heads = [grid.header for grid in block.grids]
    assert ("", "seeded out", "95 % interval", "all", "95 % interval") in heads
    assert any(head[0] == "worst case of the seeded" for head in heads)
    assert heads[0][0] == "both say"
    field = next(one for one in report.forms["form"].fields if one.key == "fit")
    assert field.worst_case is not None and field.worst_case.alpha.value is not None
    assert field.with_seeded.alpha.value is not None
    assert field.worst_case.alpha.value < field.with_seeded.alpha.value


def test_markdown_shows_a_hostile_name_as_it_is(report: AgreementReport) -> None:
    made = agreement_markdown.written(blocks(report))
    tables = [line for line in made.splitlines() if line.startswith("|")]
    assert tables and all(len(re.findall(r"(?<!\\)\|", line)) >= 3 for line in tables)
    assert r"b\|o\`b\_\*\[x\](y)\<i\>\$a\$\\\{\#\}%\&\~^ 100%" in made
    assert "](y)" not in made.replace(r"\](y)", "")


def test_latex_sets_a_hostile_name_as_it_is(report: AgreementReport) -> None:
    made = agreement_latex.written(blocks(report))
    escaped = agreement_latex.escaped(HOSTILE)
    assert escaped in made
    assert HOSTILE not in made
    plain = re.sub(r"\\(?:textbackslash|text\w+|ldots)\{\}|\\[{}$&#_%]", "", escaped)
    assert not re.search(r"[\\$&#_%^~<>|`]", plain)
    for line in made.splitlines():
        if line.endswith(r" \\"):
            assert len(re.findall(r"(?<!\\)&", line)) >= 1
    assert made.count("{") - made.count(r"\{") == made.count("}") - made.count(r"\}")


def test_the_methods_paragraph_names_every_count_policy_version_and_seed(report: AgreementReport) -> None:
    said = agreement_methods.paragraph(report, "9.9")
    for piece in (
        "Alps TUI 9.9",
        "seed 7",
        "4 fields stand side by side",
        "one low coefficient in twenty",
        "missing and never values",
        "seeded",
        "Krippendorff's alpha",
        "jackknife",
        "fit (ordinal, ",
        "Decisions on proposed memories",
        "each with its reason",
        "units that raters made themselves enter counts and set F1 only",
    ):
        assert piece in said
    assert "\n" not in said


def test_csv_has_a_row_for_each_coefficient_with_how_its_interval_was_made(report: AgreementReport) -> None:
    lines = list(csv.DictReader(io.StringIO(agreement_csv.written(report))))
    alpha = next(one for one in lines if one["field"] == "fit" and one["coefficient"] == "alpha_ordinal")
    assert (
        alpha["method"]
        and alpha["n"]
        and alpha["n_dialogues"]
        and alpha["low"] < alpha["value"] < alpha["high"]
    )
    f1 = [one for one in lines if one["coefficient"] == "set_f1_macro"]
    assert {one["raters"] for one in f1} >= {"ann and the proposal", f"ann and {HOSTILE}"}


def test_text_stays_in_eighty_columns(report: AgreementReport, capsys: pytest.CaptureFixture[str]) -> None:
    assert max(map(len, text_of(report, "text", capsys).splitlines())) <= 80
