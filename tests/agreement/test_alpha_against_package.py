"""Our alpha, needed for intervals, is the krippendorff package's on random matrices."""

import warnings

import krippendorff
import numpy as np
import pytest

from alps_tui.agreement import many_raters
from alps_tui.agreement.alike import dialogues_by_kind
from store.kinds import Level


def differences(matrices: int, seed: int) -> tuple[float, int]:
    """The largest difference over random matrices of 2 to 5 raters with missing cells, and how many were defined."""
    generator = np.random.default_rng(seed)
    worst, defined = 0.0, 0
    for index in range(matrices):
        level = list(Level)[index % 4]
        raters, units, k = generator.integers(2, 6), generator.integers(3, 60), generator.integers(2, 8)
        data = generator.integers(1, k + 1, size=(raters, units)).astype(float)
        copied = generator.random((raters, units)) < generator.random()
        data = np.where(copied, data[0], data)
        data[generator.random((raters, units)) < 0.25] = np.nan
        scale = list(range(1, int(k) + 1))
        counts = np.stack([(data == value).sum(axis=0) for value in scale], axis=1).astype(float)
        counts = counts[many_raters.pairable(counts)]
        if np.count_nonzero(counts.sum(axis=0)) < 2:
            continue
        clusters = generator.integers(0, 4, size=len(counts)).astype(np.intp)
        parts, sizes = dialogues_by_kind(
            counts,
            clusters,
            lambda units, scale=scale, level=level: many_raters.alpha_parts(units, level, scale),
        )
        assert int(sizes.sum()) == len(np.unique(clusters))
        total = np.tensordot(sizes.astype(float), parts, axes=1)[None]
        ours = float(many_raters.alpha(level, scale)(total).value()[0])
        with warnings.catch_warnings():
            warnings.simplefilter("error")
            theirs = krippendorff.alpha(reliability_data=data, level_of_measurement=str(level))
        worst, defined = max(worst, abs(ours - theirs)), defined + 1
        assert many_raters.package_alpha(counts, level, scale) == pytest.approx(theirs, abs=1e-12)
    return worst, defined


def test_alpha_equals_the_krippendorff_package_on_300_random_matrices() -> None:
    worst, defined = differences(300, seed=11)
    assert worst < 1e-9
    assert defined > 290


@pytest.mark.slow
def test_alpha_equals_the_krippendorff_package_on_1000_random_matrices() -> None:
    worst, defined = differences(1_000, seed=12)
    assert worst < 1e-9
    assert defined > 950
