"""Every form that people fill has its picture in two sizes, and its screen still looks like it."""

from collections.abc import Iterator

import pytest
from make import FORMS, SIZES, drawn, first_items, forms_with_screens, picture_of, said, sample_study

from store.database import Database
from store.records import Rater

NOT_IN_SAMPLE = frozenset(
    {
        "memory-retrieval",  # a pool of a hundred memories
        "extraction-review",  # a model's list beside a gold one
        "judge-alignment-ability",  # these five: what a judge has said
        "judge-alignment-emotion",
        "judge-alignment-extraction",
        "judge-alignment-update",
        "judge-alignment-use",
    }
)
"""Forms of which the sample study has no item to be drawn, with the material it lacks."""

MAKE = "python tests/screenshots/make.py {form}"


@pytest.fixture(scope="module")
def sample(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Database, Rater]]:
    study, rater = sample_study(tmp_path_factory.mktemp("pictures") / "sample.db")
    with study:
        yield study, rater


def test_every_form_has_a_picture_in_both_sizes(sample: tuple[Database, Rater]) -> None:
    items = first_items(*sample)
    for form in forms_with_screens():
        if form in NOT_IN_SAMPLE:
            assert form not in items, f"{form} is in the sample study now: take it out of NOT_IN_SAMPLE here"
            continue
        assert form in items, (
            f"{form} has a screen and no item in the sample study: give it one in alps_tui/demo, then "
            f"{MAKE.format(form=form)} (or name it in NOT_IN_SAMPLE here, with the reason)"
        )
        missing = [picture_of(form, size).name for size in SIZES if not picture_of(form, size).exists()]
        assert not missing, (
            f"{form} has no picture {missing}: {MAKE.format(form=form)} draws it, then look at it"
        )


def test_no_picture_is_of_a_form_that_is_gone() -> None:
    known = {picture_of(form, size) for form in forms_with_screens() for size in SIZES}
    assert set(FORMS.glob("*.svg")) <= known


@pytest.mark.parametrize(
    "size",
    [SIZES[0], *(pytest.param(size, marks=pytest.mark.slow) for size in SIZES[1:])],
    ids=lambda size: f"{size[0]}x{size[1]}",
)
@pytest.mark.parametrize("form", [form for form in forms_with_screens() if form not in NOT_IN_SAMPLE])
async def test_a_form_looks_like_its_picture(
    sample: tuple[Database, Rater], form: str, size: tuple[int, int]
) -> None:
    path = picture_of(form, size)
    if not path.exists():
        pytest.skip("it has none: that fails by itself")
    study, rater = sample
    now = said(await drawn(study, rater, form, first_items(study, rater)[form], size))
    then = said(path.read_text(encoding="utf-8"))
    gone, come = [one for one in then if one not in now], [one for one in now if one not in then]
    assert not gone + come, (
        f"{path.name} shows another screen: {MAKE.format(form=form)} draws it anew; look at it before you keep it.\n"
        f"gone: {[one[2] for one in gone][:8]}\ncome: {[one[2] for one in come][:8]}"
    )
