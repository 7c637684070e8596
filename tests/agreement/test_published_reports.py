"""Published examples through the whole report of a field: the numbers a reader is shown are the published ones."""

import json
from typing import Any

import numpy as np
import pytest
from paths import STATISTICS

from alps_tui.agreement import two_raters
from alps_tui.agreement.field_meta import FieldMeta
from alps_tui.agreement.field_reports import FieldAgreement
from alps_tui.agreement.fields import field_report
from store.kinds import Level
from store.table import from_rows

pytestmark = pytest.mark.skipif(
    not STATISTICS.is_dir(), reason="the shared statistics are not beside this checkout"
)


def case(file: str, name: str) -> dict[str, Any]:
    found = json.loads((STATISTICS / f"{file}.json").read_text())["cases"]
    return {one["id"]: one for one in found}[name]


def reported(ratings: list[list[Any]], scale: tuple[Any, ...], level: Level) -> FieldAgreement:
    """Raters x units through the long table."""
    rows = [
        {"unit_id": f"u{unit}", "dialogue_id": f"u{unit}", "field": "x", "rater": f"r{rater}", "value": value}
        for rater, said in enumerate(ratings)
        for unit, value in enumerate(said)
        if value is not None
    ]
    (found,) = field_report(from_rows(rows), [FieldMeta("x", level, scale)]).fields
    return found


def test_gwets_four_raters_are_reported_with_gwets_numbers() -> None:
    gwet = case("categorical_agreement", "gwet_raw4raters")
    scale = reported(gwet["input"]["ratings"], (1, 2, 3, 4, 5), Level.NOMINAL).with_seeded
    expected, near = gwet["expected"], pytest.approx
    known = {one.name: one.value for one in scale.companions}
    assert scale.ac.value == near(expected["AC1"], abs=1e-9)
    assert known["brennan_prediger"] == near(expected["BP"], abs=1e-9)
    assert scale.alpha.value == near(expected["krippendorff"], abs=1e-9)


@pytest.mark.parametrize("level", list(Level))
def test_krippendorffs_example_is_reported_at_every_level(level: Level) -> None:
    found = case("krippendorff", f"K2011_CD_{level}")
    scale = reported(found["input"]["ratings"], (1, 2, 3, 4, 5), level).with_seeded
    assert scale.alpha.value == pytest.approx(found["expected"]["alpha"], abs=found["tolerance"])


def test_kappa_keeps_the_distance_of_classes_that_nobody_used() -> None:
    trap = case("categorical_agreement", "sklearn_labels_trap")
    a, b = np.array(trap["input"]["a"]) - 1, np.array(trap["input"]["b"]) - 1
    table = two_raters.tables(a, b, np.zeros(len(a), dtype=np.intp), 5, 1)
    found = two_raters.kappa(two_raters.linear_weights([1, 2, 3, 4, 5]))(table).value()[0]
    assert found == pytest.approx(trap["expected"]["with_labels_1_to_5"], abs=trap["tolerance"])


def test_shrout_and_fleiss_six_iccs_are_reported_of_complete_cases() -> None:
    found = case("icc", "shrout_fleiss_1979")
    ratings = np.array(found["input"]["ratings"], dtype=float)
    across = ratings if ratings.shape[0] < ratings.shape[1] else ratings.T
    values = tuple(sorted({float(value) for value in across.ravel()}))
    scale = reported(across.tolist(), values, Level.INTERVAL).with_seeded
    known = {one.name: one.value for one in scale.intraclass}
    shown = [
        round(known[name] or 0.0, 2)
        for name in ("icc_1_1", "icc_2_1", "icc_3_1", "icc_1_k", "icc_2_k", "icc_3_k")
    ]
    assert shown == [0.17, 0.29, 0.71, 0.44, 0.62, 0.91]


@pytest.mark.parametrize(
    ("name", "warned"), [("feinstein_cicchetti_balanced", False), ("feinstein_cicchetti_skewed", True)]
)
def test_the_prevalence_paradox_is_warned_of_and_specific_agreement_stands_first(
    name: str, warned: bool
) -> None:
    found = case("categorical_agreement", name)
    table = np.array(found["input"]["table"])
    pairs = [(i, j) for i in range(2) for j in range(2) for _ in range(table[i, j])]
    scale = reported([[i for i, _ in pairs], [j for _, j in pairs]], (0, 1), Level.NOMINAL).with_seeded
    assert bool(scale.warnings) is warned
    assert scale.raw_agreement.value == pytest.approx(found["expected"]["percent"])
    assert scale.mean_kappa.value == pytest.approx(found["expected"]["kappa"], abs=1e-9)
    assert [one.name for one in scale.coefficients()][:3] == ["specific_0", "specific_1", "raw_agreement"]
