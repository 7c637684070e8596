"""The honest table: did two people take the same decision."""

import json
from collections.abc import Iterable
from typing import Any

import pytest
import second_opinion
from paths import ALPSBENCH, needs_shared

from alps_tui.agreement.coefficient import Coefficient, CoefficientStatus, Interval, Method
from alps_tui.agreement.decisions import decision_report
from alps_tui.agreement.report import Comparison, DecisionReport
from alps_tui.agreement.sets import FinalList
from store.kinds import Attested
from store.table import Table, from_rows


def row(dialogue: str, memory: str, rater: str, verdict: str | None, **more: Any) -> dict[str, Any]:
    return {
        "dialogue_id": dialogue,
        "item_id": f"memory-verification/{dialogue}",
        "unit_id": f"memory-verification/{dialogue}/{memory}",
        "unit_kind": "memory",
        "field": "verdict",
        "rater": rater,
        "value": verdict,
        "attested": Attested.EXPLICIT,
        "protocol": "memory-verification@1",
        "origin": "gold",
    } | more


def imported(
    lists: second_opinion.Lists, proposed: dict[str, list[second_opinion.Record]]
) -> tuple[Table, list[FinalList], dict[str, str]]:
    """The long table, the final lists and the sides that an import of double annotations leads to."""
    rows, final = [], []
    for session, both in lists.items():
        memories = proposed.get(session)
        for side, records in zip(("annotator_1", "annotator_2"), both, strict=True):
            values = tuple(str(record.get("value") or "") for record in records)
            seed = None if memories is None else tuple(str(m["value"]) for m in memories)
            final.append(FinalList(session, side + "-g", values, seed))
            said, same = second_opinion.decisions(memories or [], records)
            how = Attested.SEEDED if same else Attested.DERIVED
            rows += [
                row(session, f"m{i}", side + "-g", verdict, attested=how, saw_prefill=True)
                for i, verdict in enumerate(said)
            ]
    sides = {name + "-g": name for name in ("annotator_1", "annotator_2")}
    return from_rows(rows), final, sides


def sides_of(lists: second_opinion.Lists, proposed: dict[str, list[second_opinion.Record]]) -> DecisionReport:
    table, final, sides = imported(lists, proposed)
    missing = sorted(set(lists) - set(proposed))
    return decision_report(table, sides=sides, lists=final, packetless=missing)


def by_side(report: DecisionReport) -> Comparison:
    assert report.sides is not None
    return report.sides


@needs_shared
def test_both_tables_of_the_reference_are_held_and_the_46_sessions_without_a_packet_named() -> None:
    reference = json.loads((ALPSBENCH / "reference_decisions.json").read_text())
    lists = second_opinion.final_lists(ALPSBENCH / "double_annotations")
    report = sides_of(lists, second_opinion.proposals(ALPSBENCH / "session_packets"))
    shown = report.to_json()
    for key in ("with_seeded", "without_seeded"):
        mine, theirs = shown["sides"][key], reference[key]
        assert mine["cells"] == theirs["cells"]
        assert mine["raw_agreement"]["value"] == pytest.approx(theirs["raw_agreement"], abs=1e-12)
        assert mine["cohen_kappa"]["value"] == pytest.approx(theirs["cohen_kappa"], abs=1e-12)
    assert shown["sides"]["with_seeded"]["sessions"] == reference["with_seeded"]["sessions"]
    for key in ("n", "untouched_lists", "seeded_keeps"):
        assert shown["sides"]["without_seeded"][key] == reference["without_seeded"][key]
    assert shown["sessions_without_packet"]["n"] == 46 == len(report.packetless)
    json.dumps(shown, allow_nan=False)


@needs_shared
def test_the_final_lists_look_alike_where_the_decisions_do_not() -> None:
    lists = second_opinion.final_lists(ALPSBENCH / "double_annotations")
    report = sides_of(lists, second_opinion.proposals(ALPSBENCH / "session_packets"))
    both = by_side(report).with_seeded
    assert both.sets is not None and report.all_lists is not None
    assert both.sets.n_sessions == 57 and report.all_lists.n_sessions == 103
    assert report.all_lists.macro.value == pytest.approx(0.760788, abs=1e-6)
    assert both.cohen_kappa.value == pytest.approx(-0.020501, abs=1e-6)
    against = [both.against_seed[side].micro.value for side in ("annotator_1", "annotator_2")]
    assert all(value is not None and both.sets.micro.value is not None for value in against)
    assert min(v for v in against if v is not None) > (both.sets.micro.value or 1)


@needs_shared
@pytest.mark.parametrize("seed", [1, 2])
def test_a_permuted_copy_equals_the_second_implementation_of_the_decisions(seed: int) -> None:
    copy, proposed = second_opinion.permuted(
        second_opinion.final_lists(ALPSBENCH / "double_annotations"),
        second_opinion.proposals(ALPSBENCH / "session_packets"),
        seed,
    )
    expected = second_opinion.decision_tables(copy, proposed)
    found = by_side(sides_of(copy, proposed))
    for key, table in (("with_seeded", found.with_seeded), ("without_seeded", found.without_seeded)):
        assert dict(table.cells) == expected[key]["cells"]
        assert table.n == expected[key]["n"]
        assert table.raw_agreement.value == pytest.approx(expected[key]["raw_agreement"], abs=1e-12)
        assert table.cohen_kappa.value == pytest.approx(expected[key]["cohen_kappa"], abs=1e-12)
    assert [one.untouched for one in found.lists] == expected["untouched_lists"]
    assert found.without_seeded.sets is not None
    assert found.without_seeded.sets.n_lists == expected["touched_by_both"]
    assert [one.seeded_keeps for one in found.lists] == expected["seeded_keeps"]


def people(*decisions: tuple[str, str, str, str, str], **more: Any) -> Table:
    """Rows of (dialogue, memory, then the verdicts of p1, p2 and p3; "" for none)."""
    return from_rows(
        row(dialogue, memory, name, verdict, **more)
        for dialogue, memory, *verdicts in decisions
        for name, verdict in zip(("p1", "p2", "p3"), verdicts, strict=True)
        if verdict
    )


def raters_of(table: Table, **more: Any) -> Comparison:
    found = decision_report(table, **more).raters
    assert found is not None
    return found


THREE = (
    ("d1", "m1", "keep", "keep", "edit"),
    ("d1", "m2", "delete", "delete", "delete"),
    ("d2", "m1", "keep", "delete", "keep"),
    ("d3", "m1", "edit", "edit", ""),
    ("d3", "m2", "keep", "keep", ""),
    ("d4", "m1", "delete", "keep", "keep"),
)


def test_delete_and_edit_are_read_first() -> None:
    table = raters_of(people(*THREE)).with_seeded
    assert list(table.specific) == ["delete", "edit", "keep"]
    assert list(table.to_json())[5] == "specific_agreement"
    assert list(table.to_json()["specific_agreement"]) == ["delete", "edit", "keep"]


def test_several_raters_are_pooled_by_pairs_with_the_weights_said_and_each_pair_shown() -> None:
    found = raters_of(people(*THREE))
    assert [pair.between for pair in found.pairs] == [("p1", "p2"), ("p1", "p3"), ("p2", "p3")]
    sizes = [pair.with_seeded.n for pair in found.pairs]
    kappas = [pair.with_seeded.cohen_kappa.value for pair in found.pairs]
    assert sizes == [6, 4, 4] and None not in kappas
    mean = sum(n * k for n, k in zip(sizes, kappas, strict=True) if k is not None) / 14
    assert found.with_seeded.cohen_kappa.value == pytest.approx(mean)
    assert "weighted by the pairs' numbers of memories" in found.pooled
    assert found.with_seeded.n == 14 and found.with_seeded.n_units == 6


def test_in_doubt_is_a_class_of_its_own_only_where_it_occurs() -> None:
    assert decision_report(people(*THREE)).classes == ("keep", "edit", "delete")
    doubtful = people(*THREE, ("d5", "m1", "in_doubt", "keep", "in_doubt"))
    report = decision_report(doubtful)
    assert report.classes == ("keep", "edit", "delete", "in_doubt")
    assert report.raters is not None and "in_doubt" in report.raters.with_seeded.specific


def test_without_seeded_rows_both_tables_are_one_and_with_them_the_seeded_pairs_are_left_out() -> None:
    plain = raters_of(people(*THREE))
    assert plain.without_seeded is plain.with_seeded
    seeded = from_rows(
        [
            row("d1", "m1", "p1", "keep", attested=Attested.SEEDED),
            row("d1", "m1", "p2", "edit"),
            row("d2", "m1", "p1", "delete"),
            row("d2", "m1", "p2", "delete"),
            row("d3", "m1", "p1", "keep"),
            row("d3", "m1", "p2", "delete"),
        ]
    )
    found = raters_of(seeded)
    assert (found.without_seeded.n, found.with_seeded.n) == (2, 3)
    assert [(one.untouched, one.seeded_keeps, one.lists) for one in found.lists] == [(1, 1, 3), (0, 0, 3)]


def coefficients(found: Any) -> Iterable[Coefficient]:
    if isinstance(found, Coefficient):
        yield found
    elif isinstance(found, dict):
        for each in found.values():
            yield from coefficients(each)
    elif isinstance(found, tuple | list):
        for each in found:
            yield from coefficients(each)
    elif hasattr(found, "__dataclass_fields__"):
        for name in found.__dataclass_fields__:
            yield from coefficients(getattr(found, name))


def test_every_coefficient_has_n_and_an_interval_or_the_reason_why_not() -> None:
    report = decision_report(people(*THREE), seeds={"d1": ["a", "b"]})
    found = list(coefficients(report))
    assert len(found) > 20
    for one in found:
        assert (one.value is None) == (one.status is not CoefficientStatus.OK)
        assert one.reason if one.value is None else one.n > 0 and one.interval is not None
    json.dumps(report.to_json(), allow_nan=False)


def test_nobody_alone_and_nobody_together_is_no_comparison() -> None:
    alone = from_rows([row("d1", "m1", "p1", "keep"), row("d2", "m1", "p2", "keep")])
    report = decision_report(alone)
    assert (report.sides, report.raters) == (None, None)
    assert decision_report(from_rows([])).raters is None


def test_two_people_who_keep_everything_have_no_kappa_and_a_limit_of_disagreement() -> None:
    table = from_rows(row(f"d{i}", "m1", name, "keep") for i in range(20) for name in ("p1", "p2"))
    found = raters_of(table).with_seeded
    assert found.cohen_kappa.status is CoefficientStatus.NO_VARIATION
    assert found.alpha_nominal.value is None
    assert found.specific["delete"].status is CoefficientStatus.CLASS_NEVER_USED
    raw = found.raw_agreement
    assert raw.value == 1.0 and isinstance(raw.interval, Interval)
    assert raw.interval.method is Method.RULE_OF_THREE
    assert raw.interval.disagreement_upper == pytest.approx(3 / 20)
    assert any("Skewed" in warning for warning in found.warnings)


def test_other_peoples_answers_seen_judges_and_repeats_are_not_counted() -> None:
    table = from_rows(
        [row("d1", "m1", name, "keep") for name in ("p1", "p2")]
        + [row("d1", "m2", "p1", "keep"), row("d1", "m2", "p2", "edit", saw_peer=True)]
        + [row("d1", "m1", "judge", "delete", rater_kind="judge")]
        + [row("d1", "m1", "p1", "delete", occasion=1)]
    )
    report = decision_report(table)
    assert report.raters is not None and report.raters.with_seeded.n == 1
    assert report.population.left_out == {"saw_peer": 1, "not_human": 1, "later_occasion": 1}
    assert report.population.protocols == ("memory-verification@1",)


def test_skipped_and_unseen_decisions_are_counted_as_missing_by_status() -> None:
    table = from_rows(
        [row("d1", "m1", name, "keep") for name in ("p1", "p2")]
        + [row("d1", "m2", "p1", None, status="skipped"), row("d1", "m2", "p2", None, status="unseen")]
    )
    assert decision_report(table).missing == {"skipped": 1, "unseen": 1}


def test_added_memories_enter_set_f1_and_never_a_coefficient() -> None:
    def memory(unit: str, rater: str, value: str, origin: str) -> dict[str, Any]:
        name = f"{unit}@{rater}" if origin == "rater" else unit
        return row("d1", name, rater, None, field="memory", value={"value": value}, origin=origin)

    rows = [row("d1", "m1", name, "keep") for name in ("p1", "p2")]
    rows += [memory("m1", name, "likes tea", "gold") for name in ("p1", "p2")]
    rows += [memory("new", "p1", "用户喜欢茶", "rater"), memory("new", "p2", "用户喜欢茶", "rater")]
    rows += [memory("more", "p2", "has a dog", "rater")]
    found = raters_of(from_rows(rows), seeds={"d1": ["likes tea"]}).with_seeded
    assert found.n == 1 and found.sets is not None
    assert (found.sets.n_first, found.sets.n_second, found.sets.n_exact) == (2, 3, 2)
    assert found.sets.micro.value == pytest.approx(4 / 5)
    assert found.against_seed["p2"].micro.value == pytest.approx(2 / 4)


def test_one_rater_who_decides_twice_on_a_memory_is_refused() -> None:
    twice = [row("d1", "m1", "p1", "keep", item_id=None), row("d1", "m1", "p1", "edit", item_id=None)]
    with pytest.raises(ValueError, match="answered a unit twice"):
        decision_report(from_rows(twice))


def test_behind_a_pairing_stand_its_own_raters_and_what_both_sides_decided() -> None:
    def said(dialogue: str, answers: dict[str, str], **more: Any) -> list[dict[str, Any]]:
        return [row(dialogue, "m1", rater, verdict, **more) for rater, verdict in answers.items()]

    rows = [
        *said("d1", {"one": "keep", "two": "delete", "ada": "edit", "eve": "keep"}),
        *said("d2", {"one": "keep", "one-b": "edit"}),  # two of the same side
        *said("d3", {"ada": "keep", "one": "delete"}),  # one of each pairing
    ]
    rows += [row("d2", "m1", "two", "keep", attested=Attested.SEEDED)]
    sides = {"one": "annotator_1", "one-b": "annotator_1", "two": "annotator_2"}
    report = decision_report(from_rows(rows), sides=sides, detail=True)
    assert report.sides is not None and report.raters is not None
    behind = {}
    for name, comparison in (("sides", report.sides), ("raters", report.raters)):
        assert comparison.detail is not None
        panel = comparison.detail.panel
        compared = (panel.codes >= 0).sum(axis=1) >= 2
        behind[name] = (panel.raters, [panel.dialogues[i] for i in compared.nonzero()[0]])
    assert behind["sides"] == (("one", "two"), ["d1"])
    assert behind["raters"] == (("ada", "eve"), ["d1"])
    assert report.sides.without_seeded.n == report.raters.without_seeded.n == 1
