"""The panel, gold, preferences and a plan, as people call them."""

import json
from pathlib import Path

import pytest
from command_line import Ended, run

COMPARISONS = """prompt,first,second,winner,rater
p1,x,y,x,r1
p1,y,x,second,r2
p2,x,y,tie,r1
p2,y,x,first,r1
p3,x,y,first,r1
"""


def test_the_panel_names_the_rater_who_pulls_agreement_down(sample: tuple[Path, Ended]) -> None:
    study, _ = sample
    ended = run(
        "agreement", "--panel", "--field", "preference_alignment", "--model", "one_coin", "--db", study
    )
    assert ended.code == 0
    assert "rater-amber !" in ended.out and "! Without rater-amber alpha rises" in ended.out
    assert "item bootstrap by dialogue, 200 replicates, seed 42" in ended.out
    assert all(len(line) <= 80 for line in ended.out.splitlines())
    asked = ("--field", "verdict", "--model", "one_coin", "--json")
    (verdict,) = run("agreement", "--panel", *asked, "--db", study).json
    assert verdict["models"][0]["status"] == "ok"
    assert len(verdict["leave_one_out"]["raters"]) == 3


def test_gold_is_a_row_a_unit_with_who_said_what_and_what_decided(sample: tuple[Path, Ended]) -> None:
    study, _ = sample
    ended = run("agreement", "--gold", "majority", "--field", "verdict", "--db", study)
    rows = [json.loads(line) for line in ended.out.splitlines()]
    assert ended.code == 0 and len(rows) == 44
    assert {row["decided_by"] for row in rows} == {"unanimous", "majority", "tie"}
    assert all(len(row["said"]) >= 2 for row in rows)
    assert "44 units: 24 unanimous" in ended.err and "2 units without gold" in ended.err


def test_weighted_gold_leaves_out_a_field_that_no_model_can_weigh_and_says_so(
    sample: tuple[Path, Ended],
) -> None:
    study, _ = sample
    ended = run("agreement", "--gold", "weighted", "--field", "delete_reason", "--db", study)
    assert ended.code == 1 and ended.out == ""
    assert "delete_reason: left out. Fewer than 20 items" in ended.err


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--gold", "best"), "There is no rule best"),
        (("--panel", "--model", "glad"), "There is no model glad"),
        (("--panel", "--field", "mood"), "has no answers to a field mood"),
        (("--panel", "--priors", "many"), "--priors takes two numbers"),
        (("--panel", "--priors", "0,1"), "RIGHT is above 0"),
    ],
)
def test_what_does_not_exist_is_a_sentence(
    sample: tuple[Path, Ended], arguments: tuple[str, ...], said: str
) -> None:
    study, _ = sample
    ended = run("agreement", *arguments, "--db", study)
    assert ended.code == 2 and said in ended.err and ended.out == ""


def test_preferences_of_a_file_are_ranked_with_ranges_and_the_position_is_tested(tmp_path: Path) -> None:
    file = tmp_path / "pairs.csv"
    file.write_text(COMPARISONS)
    ended = run("agreement", "--preferences", file)
    assert ended.code == 0
    assert "5 comparisons of 2 systems on 3 prompts, 1 tie" in ended.out
    assert "Davidson 1970" in ended.out and "position:" in ended.out
    assert all(len(line) <= 80 for line in ended.out.splitlines())
    lines = tmp_path / "pairs.jsonl"
    lines.write_text(
        "\n".join(
            json.dumps(dict(zip(COMPARISONS.splitlines()[0].split(","), row.split(","), strict=True)))
            for row in COMPARISONS.splitlines()[1:]
        )
    )
    read = run("agreement", "--preferences", lines, "--json").json
    assert (read["n"], read["n_prompts"], read["n_ties"], read["seed"]) == (5, 3, 1, 42)
    best = read["systems"][0]
    shown = next(row.split() for row in ended.out.splitlines() if row.split()[:1] == ["x"])
    assert [shown[2], shown[-5], shown[-1]] == [
        f"{best['ability']:.2f}".lstrip("0"),
        f"{best['win_rate']:.2f}".lstrip("0"),
        str(best["n"]),
    ]


def test_the_pairs_of_a_study_are_read_without_a_file_and_held_against_its_scores(
    sample: tuple[Path, Ended], tmp_path: Path
) -> None:
    study, _ = sample
    ended = run("agreement", "--preferences", "--db", study)
    assert ended.code == 0
    assert "of 3 systems" in ended.out and "both good" in ended.out
    assert "mean preference_alignment" in " ".join(ended.out.split())
    assert all(len(line) <= 80 for line in ended.out.splitlines())
    read = run("agreement", "--preferences", "--json", "--db", study).json
    assert read["n"] == sum(one["n"] for one in read["systems"]) // 2
    assert read["n_ties"] == sum(read["ties"].values()) > 0
    assert sum(map(sum, read["cross_check"]["table"])) == read["n"]
    assert (read["cross_check"]["agree"], read["left_out"]) == (pytest.approx(0.9, abs=0.1), {})
    empty = tmp_path / "empty.db"
    run("init", "--db", empty)
    nothing = run("agreement", "--preferences", "--db", empty)
    assert nothing.code == 3 and "no compared pairs yet" in nothing.err
    assert run("agreement", "pairs.csv").code == 2


@pytest.mark.parametrize(
    ("name", "text", "said", "code"),
    [
        ("a.csv", "prompt,first,second\np,x,y\n", "line 2: no winner", 2),
        ("a.csv", "prompt,first,second,winner\np,x,y,z\n", "winner is z", 2),
        ("a.csv", "prompt,first,second,winner\np,x,x,tie\n", "compared with itself", 2),
        ("a.jsonl", "{", "line 1: not JSON", 2),
        ("a.jsonl", "[1]", "not an object", 2),
        ("a.csv", "", "holds no comparison", 3),
        (
            "a.csv",
            "prompt,first,second,winner,first_score,second_score\np,x,y,x,high,1\n",
            "not both numbers",
            2,
        ),
    ],
)
def test_a_file_of_comparisons_that_is_wrong_is_a_sentence_with_its_line(
    tmp_path: Path, name: str, text: str, said: str, code: int
) -> None:
    file = tmp_path / name
    file.write_text(text)
    ended = run("agreement", "--preferences", file)
    assert ended.code == code and said in ended.err and ended.out == ""
    assert run("agreement", "--preferences", tmp_path / "absent.csv").code == 2


def test_a_plan_says_how_many_and_what_it_assumes(sample: tuple[Path, Ended]) -> None:
    stated = run("plan", "--for", "alpha", "--half-width", "0.15", "--raters", "3")
    assert stated.code == 0 and "Fewest ratings: 3 raters" in stated.out
    assert "assumes: shares of the classes 20 %" in stated.out
    study, _ = sample
    pilot = run(
        "plan", "--pilot", "verdict", "--half-width", "0.15", "--raters", "3", "--db", study, "--json"
    )
    assert pilot.json["choices"][0]["dialogues"] > 1
    assert any("pilot: verdict, 44 units of 7 dialogues" in said for said in pilot.json["assumes"])


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (("--for", "power"), "There is no plan for power"),
        (("--raters", "two"), "--raters takes numbers"),
        (("--raters", "1"), "two raters"),
        (("--level", "cardinal"), "There is no level cardinal"),
        (("--shares", "all"), "--shares takes numbers"),
        (("--alpha", "1"), "between 0 and 1"),
    ],
)
def test_a_plan_that_makes_no_sense_is_a_sentence(arguments: tuple[str, ...], said: str) -> None:
    ended = run("plan", *arguments)
    assert ended.code == 2 and said in ended.err and ended.out == ""
