"""Every form that people fill has its picture in two sizes, and its screen still looks like it."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from make import (
    FORMS,
    REVEALED,
    REVEALING,
    SIZES,
    drawn,
    first_items,
    forms_with_screens,
    judged_study,
    picture_of,
    said,
    sample_study,
)

from store.database import Database, backup, open_database
from store.records import Rater

MAKE = "python tests/screenshots/make.py {form}"


Material = dict[str, tuple[Database, Rater, str]]


@pytest.fixture(scope="module")
def material(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Material]:
    """Form → the study that has an item of it, its rater, and the item; the sample study first."""
    folder = tmp_path_factory.mktemp("pictures")
    judged, reviewer = judged_study(folder / "judged.db")
    sample, rater = sample_study(folder / "sample.db")
    with judged, sample:
        found = {form: (judged, reviewer, item) for form, item in first_items(judged, reviewer).items()}
        yield found | {form: (sample, rater, item) for form, item in first_items(sample, rater).items()}


def test_every_form_has_a_picture_in_both_sizes(material: Material) -> None:
    for form in forms_with_screens():
        assert form in material, (
            f"{form} has a screen and no item: give it one in alps_tui/demo or in judged_material, then "
            f"{MAKE.format(form=form)}"
        )
        missing = [picture_of(form, size).name for size in SIZES if not picture_of(form, size).exists()]
        assert not missing, (
            f"{form} has no picture {missing}: {MAKE.format(form=form)} draws it, then look at it"
        )


def test_no_picture_is_of_a_form_that_is_gone() -> None:
    known = {picture_of(form, size) for form in forms_with_screens() for size in SIZES}
    known |= {picture_of(REVEALED, size, revealed=True) for size in SIZES}
    assert set(FORMS.glob("*.svg")) <= known


@pytest.mark.parametrize(
    "size",
    [SIZES[0], *(pytest.param(size, marks=pytest.mark.slow) for size in SIZES[1:])],
    ids=lambda size: f"{size[0]}x{size[1]}",
)
@pytest.mark.parametrize("form", forms_with_screens())
async def test_a_form_looks_like_its_picture(material: Material, form: str, size: tuple[int, int]) -> None:
    study, rater, item = material[form]
    _assert_alike(picture_of(form, size), form, await drawn(study, rater, form, item, size))


@pytest.mark.parametrize("size", SIZES, ids=lambda size: f"{size[0]}x{size[1]}")
async def test_what_a_judge_said_looks_like_its_picture(
    material: Material, tmp_path: Path, size: tuple[int, int]
) -> None:
    study, rater, item = material[REVEALED]
    backup(study, tmp_path / "copy.db")
    with open_database(tmp_path / "copy.db") as copy:
        svg = await drawn(copy, rater, REVEALED, item, size, REVEALING)
    _assert_alike(picture_of(REVEALED, size, revealed=True), REVEALED, svg)


def _assert_alike(path: Path, form: str, svg: str) -> None:
    now = said(svg)
    then = said(path.read_text(encoding="utf-8"))
    gone, come = [one for one in then if one not in now], [one for one in now if one not in then]
    assert not gone + come, (
        f"{path.name} shows another screen: {MAKE.format(form=form)} draws it anew; look at it before you keep it.\n"
        f"gone: {[one[2] for one in gone][:8]}\ncome: {[one[2] for one in come][:8]}"
    )
