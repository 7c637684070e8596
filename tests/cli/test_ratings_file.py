"""`alps agreement --ratings FILE`: tables from elsewhere, our own export, and what is wrong with a file."""

import json
from pathlib import Path
from typing import Any

import krippendorff
import numpy as np
import pytest
from command_line import Ended, run

NUMBERS = {"p1": [1, 2, 3, 4, 5, 5, 2, 1], "p2": [1, 3, 3, 4, 4, 5, 2, 2], "p3": [2, 2, 3, 5, 5, 4, 3, 1]}


def table(path: Path, rows: list[dict[str, Any]]) -> Path:
    """A CSV or JSONL file of rows."""
    if path.suffix == ".csv":
        names = list(dict.fromkeys(name for row in rows for name in row))
        lines = [",".join(names), *(",".join(str(row.get(name, "")) for name in names) for row in rows)]
        path.write_text("\n".join(lines) + "\n", encoding="utf-8")
    else:
        path.write_text("".join(json.dumps(row) + "\n" for row in rows), encoding="utf-8")
    return path


def stars(**more: Any) -> list[dict[str, Any]]:
    return [
        {"item": f"i{place}", "annotator": rater, "label": value} | more
        for rater, values in NUMBERS.items()
        for place, value in enumerate(values)
    ]


def without_f1(report: Any) -> Any:
    """A report without what only the study knows: the proposals as they were before anybody touched them."""
    if isinstance(report, dict):
        return {k: without_f1(v) for k, v in report.items() if not k.startswith("set_f1") and k != "said"}
    return [without_f1(one) for one in report] if isinstance(report, list) else report


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_our_own_export_gives_the_same_numbers_as_the_study(
    sample: tuple[Path, Ended], tmp_path: Path, ending: str
) -> None:
    study, _ = sample
    assert run("export", "long", tmp_path / "out", "--db", study).code == 0
    ended = run("agreement", "--ratings", tmp_path / "out" / f"long_table.{ending}", "--json")
    assert ended.code == 0 and "F1 of the lists is not shown" in ended.err
    assert without_f1(ended.json) == without_f1(run("agreement", "--db", study, "--json").json)


def test_a_parquet_file_is_read_like_the_others(tmp_path: Path) -> None:
    arrow = pytest.importorskip("pyarrow", reason="parquet needs the optional package pyarrow")
    from pyarrow import parquet

    columns = {name: [row[name] for row in stars()] for name in ("item", "annotator", "label")}
    parquet.write_table(arrow.table(columns), tmp_path / "stars.parquet")
    asked = ("--level", "ordinal", "--scale", "1..5", "--json")
    found = [
        run("agreement", "--ratings", file, *asked).json
        for file in (tmp_path / "stars.parquet", table(tmp_path / "s.csv", stars()))
    ]
    assert found[0] == found[1]


@pytest.mark.parametrize("ending", ["csv", "jsonl"])
def test_a_file_with_other_names_for_the_columns_is_read_and_alpha_is_the_packages(
    tmp_path: Path, ending: str
) -> None:
    file = table(tmp_path / f"stars.{ending}", stars())
    ended = run("agreement", "--ratings", file, "--level", "ordinal", "--scale", "1..5", "--json")
    (field,) = ended.json["ratings"]["fields"]
    expected = krippendorff.alpha(
        reliability_data=np.array(list(NUMBERS.values()), dtype=float), level_of_measurement="ordinal"
    )
    assert ended.code == 0
    assert field["with_seeded"]["alpha"]["value"] == pytest.approx(expected, abs=1e-12)
    assert field["scale"] == ["1", "2", "3", "4", "5"]
    assert "every item counts as a dialogue of its own" in ended.err
    assert field["with_seeded"]["alpha"]["n_dialogues"] == 8


def test_units_of_one_cluster_are_one_dialogue_and_panels_and_plans_take_the_file_too(tmp_path: Path) -> None:
    rows = [row | {"cluster": f"d{int(row['item'][1:]) // 2}"} for row in stars()]
    file = table(tmp_path / "stars.csv", rows)
    asked = ("--ratings", file, "--level", "ordinal", "--scale", "1..5")
    (field,) = run("agreement", *asked, "--json").json["ratings"]["fields"]
    assert field["with_seeded"]["alpha"]["n_dialogues"] == 4
    (panel,) = run("agreement", "--panel", "--model", "one_coin", *asked, "--json").json
    assert [one["rater"] for one in panel["leave_one_out"]["raters"]] == ["p1", "p2", "p3"]


def test_without_a_scale_what_needs_none_is_computed_and_the_rest_says_why(tmp_path: Path) -> None:
    file = table(tmp_path / "stars.csv", stars())
    (field,) = run("agreement", "--ratings", file, "--level", "interval", "--json").json["ratings"]["fields"]
    scale = field["with_seeded"]
    assert scale["alpha"]["value"] is not None and scale["intraclass"]["icc_2_1"]["value"] is not None
    assert scale["ac"]["status"] == "open_scale" and "full scale is not known" in scale["ac"]["reason"]


@pytest.mark.parametrize(
    ("text", "arguments", "code", "said"),
    [
        ("", (), 3, "is empty"),
        ("item,rater,value\n", (), 3, "holds no rating"),
        ("item,rater\na,b\n", (), 2, "has no column value"),
        ("rater,value\na,1\n", (), 2, "has no column unit"),
        ("item,rater,value\na,b,1\na,c,2\n", (), 2, "level is never guessed"),
        ("item,rater,value\na,b,1\na,c,2,3\n", ("--level", "nominal"), 2, "a row has 4 cells"),
        ("item,rater,value\na,b,1\na,c,2\n", ("--level", "mood=nominal"), 2, "has no field mood"),
        ("item,rater,value\na,b,1\na,c,2\n", ("--level", "fuzzy"), 2, "there are nominal, ordinal"),
        ("item,rater,value\na,b,1\na,c,2\n", ("--level", "ordinal", "--scale", "5..1"), 2, "from the lowest"),
        ("item,rater,value\na,b,low\na,c,high\n", ("--level", "ordinal"), 2, "order nobody said"),
        ("item,rater,value\na,,1\na,c,2\n", ("--level", "nominal"), 2, "have no rater"),
        ("item,rater,label,score,x\na,b,1,2,3\n", ("--level", "nominal"), 2, "could each be the value"),
        ("item,rater,value,rater_kind\na,b,1,judge\n", ("--level", "nominal"), 3, "1 not human"),
        ('item,rater,value\na,"b,1\n', ("--level", "nominal"), 2, "a row has 2 cells"),
        ("item,rater,value,saw_peer\na,b,1,perhaps\n", ("--level", "nominal"), 2, "neither true nor false"),
    ],
)
def test_a_file_that_cannot_be_used_is_a_sentence_and_an_exit_code(
    tmp_path: Path, text: str, arguments: tuple[str, ...], code: int, said: str
) -> None:
    file = tmp_path / "ratings.csv"
    file.write_text(text)
    ended = run("agreement", "--ratings", file, *arguments)
    assert (ended.code, ended.out) == (code, "") and said in ended.err
    assert ended.err.count("\n") == 1


def test_files_that_are_none_of_the_three_formats_are_sentences(tmp_path: Path) -> None:
    (tmp_path / "x.txt").write_text("a")
    (tmp_path / "x.jsonl").write_text("{]\n")
    (tmp_path / "latin.csv").write_bytes(b"item,rater,value\n\xe9,b,1\n")
    for name, said in (
        ("x.txt", "ends in .csv"),
        ("x.jsonl", "line 1: not JSON"),
        ("latin.csv", "UTF-8"),
        ("no.csv", "No such"),
    ):
        ended = run("agreement", "--ratings", tmp_path / name)
        assert ended.code == 2 and said in ended.err and ended.out == ""


def test_equal_rows_count_once_contradicting_ones_not_at_all_and_both_are_said(tmp_path: Path) -> None:
    rows = [*stars(), *stars()[:3], stars()[8] | {"label": 5}]
    file = table(tmp_path / "stars.csv", rows)
    ended = run("agreement", "--ratings", file, "--level", "ordinal", "--scale", "1..5", "--json")
    assert ended.code == 1
    assert "3 rows repeat another one" in ended.err and "2 rows contradict each other" in ended.err
    (field,) = ended.json["ratings"]["fields"]
    assert field["n_ratings"] == 23


def test_values_off_the_scale_are_counted_and_never_used(tmp_path: Path) -> None:
    file = table(tmp_path / "stars.csv", [*stars(), {"item": "i9", "annotator": "p1", "label": 7}])
    ended = run("agreement", "--ratings", file, "--level", "ordinal", "--scale", "1..5")
    assert ended.code == 1 and "1 off the scale, not used" in ended.out


def test_a_field_of_two_levels_is_named_and_the_other_is_computed(tmp_path: Path) -> None:
    good = stars(field="fit", level="ordinal", scale="[1|2|3|4|5]")
    for row in good:
        row["scale"] = [1, 2, 3, 4, 5]
    torn = [
        row | {"field": "mood", "level": "nominal" if n % 2 else "ordinal"} for n, row in enumerate(stars())
    ]
    file = table(tmp_path / "stars.jsonl", [*good, *torn])
    ended = run("agreement", "--ratings", file)
    words = " ".join(ended.out.split())
    assert ended.code == 1
    assert (
        "mood: no number. Its rows have 2 levels, nominal and ordinal" in words
        and "fit · ordinal 1 to 5" in words
    )
    assert run("agreement", "--ratings", file, "--level", "mood=ordinal", "--scale", "mood=1..5").code == 0


def test_answers_that_are_sets_are_compared_as_sets(tmp_path: Path) -> None:
    rows = [
        {"unit": f"u{n}", "rater": rater, "value": value, "level": "nominal", "scale": ["a", "b", "c"]}
        for rater, values in {"p": [["a"], ["a", "b"], [], ["c"]], "q": [["a"], ["a"], [], ["b"]]}.items()
        for n, value in enumerate(values)
    ]
    ended = run("agreement", "--ratings", table(tmp_path / "sets.jsonl", rows), "--json")
    (field,) = ended.json["ratings"]["fields"]
    assert field["answers"] == "set" and field["with_seeded"]["alpha"]["name"] == "alpha_masi"
    assert field["with_seeded"]["specific_agreement"]["a"]["value"] == 1.0
    assert field["with_seeded"]["raw_agreement"]["value"] == 0.5


def test_unit_ids_that_mean_other_units_in_other_items_are_told_apart(tmp_path: Path) -> None:
    rows = [
        {"item": item, "unit": "u1", "rater": rater, "value": value}
        for item in ("x", "y")
        for rater, value in (("p", 1), ("q", 2))
    ]
    ended = run(
        "agreement",
        "--ratings",
        table(tmp_path / "r.csv", rows),
        "--level",
        "nominal",
        "--scale",
        "1,2",
        "--json",
    )
    assert ended.json["ratings"]["fields"][0]["n_units"] == 2 and "told by its item" in ended.err


def test_a_studys_forms_say_the_levels_and_one_format_is_written_at_a_time(
    sample: tuple[Path, Ended],
) -> None:
    study, _ = sample
    assert "A study's forms say theirs" in run("agreement", "--db", study, "--level", "verdict=nominal").err
    assert "One format at a time" in run("agreement", "--db", study, "--json", "--csv").err
    both = run("agreement", "--db", study, "--panel", "--evidence")
    assert (both.code, both.err) == (2, "One report at a time: --panel or --evidence.\n")
    assert "the others need a study" in run("agreement", "--ratings", "x.csv", "--evidence").err
    assert "no answers to a field mood" in run("agreement", "--db", study, "--field", "mood").err


@pytest.mark.parametrize(
    "report", [("--panel", "--model", "one_coin", "--priors", "8,2"), ("--gold", "majority")]
)
def test_the_panel_and_gold_take_a_table_from_elsewhere_without_a_scale(
    tmp_path: Path, report: tuple[str, ...]
) -> None:
    file = table(tmp_path / "stars.csv", stars())
    ended = run("agreement", "--ratings", file, "--level", "nominal", *report, "--json")
    assert ended.code == 0
    if "--panel" in report:
        (field,) = ended.json
        assert [one["rater"] for one in field["leave_one_out"]["raters"]] == ["p1", "p2", "p3"]
        return
    gold = {row["unit_id"]: row["gold"] for row in ended.json}
    assert [gold[f"i{place}"] for place in range(8)] == ["1", "2", "3", "4", "5", "5", "2", "1"]


def test_gold_of_a_table_whose_level_nobody_said_asks_for_it(tmp_path: Path) -> None:
    ended = run("agreement", "--ratings", table(tmp_path / "s.csv", stars()), "--gold", "majority")
    assert ended.code == 2 and "--level value=nominal" in ended.err and ended.out == ""
    wrong = run("agreement", "--ratings", tmp_path / "s.csv", "--level", "label=nominal")
    assert wrong.code == 2 and "only value: --level nominal is enough" in wrong.err


def test_only_the_rows_of_a_form_are_read_if_one_is_named(tmp_path: Path) -> None:
    rows = [*stars(protocol="a@1", level="ordinal"), *stars(protocol="b@1", level="nominal")]
    file = table(tmp_path / "two.jsonl", rows)
    assert set(run("agreement", "--ratings", file, "--protocol", "a", "--json").json) & {"a", "b"} == {"a"}
    other = run("agreement", "--ratings", file, "--protocol", "c")
    assert other.code == 3 and "It has: a, b." in other.err
