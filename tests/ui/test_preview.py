"""Any item opens for reading, without a rater: every key that reads, none that decides, nothing written."""

from collections.abc import Iterator
from pathlib import Path
from shutil import copyfile

import pytest
from lead_desk import previewing
from sqlalchemy import text

from alps_tui.protocols.loading import builtin_names, load_builtin
from store.database import Database, open_database
from store.open_items import items_named, said_of


@pytest.fixture
def sample(sample_template: tuple[Path, object], tmp_path: Path) -> Iterator[Database]:
    copyfile(sample_template[0], tmp_path / "study.db")
    with open_database(tmp_path / "study.db", read_only=True) as db:
        yield db


def written(db: Database) -> list[tuple[int, ...]]:
    tables = ("decision", "rating", "assignment", "place", "unit")
    with db.read() as conn:
        return [tuple(conn.execute(text(f"SELECT count(*) FROM {one}")).one()) for one in tables]


def first_items(db: Database) -> dict[str, str]:
    with db.read() as conn:
        rows = conn.execute(
            text(
                "SELECT p.name, i.key FROM item i JOIN protocol p ON p.id = i.protocol_id ORDER BY i.id DESC"
            )
        ).all()
    return {form: f"{form}/{key}" for form, key in rows}


async def test_an_item_is_read_without_a_rater_and_no_key_writes_anything(sample: Database) -> None:
    before = written(sample)
    async with previewing(sample, "memory-verification/ward-counts", size=(80, 24)) as desk:
        assert "read only" in desk.rows()[0]
        assert "ward-counts" in desk.rows()[0]
        assert "decided" not in desk.screen()
        assert "a keep" not in desk.screen()
        for keys in ("a", "aexdcsfor+tmbUu123456789", ("enter", "backspace")):
            await desk.press(*keys)
            assert "open for reading" in desk.sentence
        assert not desk.preview.sitting.pending
    assert written(sample) == before


async def test_every_key_that_reads_reads(sample: Database) -> None:
    async with previewing(sample, "memory-verification/ward-counts", size=(80, 24)) as desk:
        await desk.press("j", "j")
        assert desk.preview.unit is not None
        assert desk.preview.unit.shown_id == "m3"
        assert desk.preview.panes.dialogue.current_turn == 6
        await desk.press("]")
        assert "night-train" in desk.rows()[0]
        await desk.press("[")
        assert desk.preview.unit.shown_id == "m3"
        await desk.press("/", *"python", "enter")
        assert "“python”" in desk.sentence
        await desk.press("z")
        assert "Dialogue" not in desk.screen()
        await desk.press("escape", ":", *"t9", "enter")
        assert desk.preview.panes.dialogue.current_turn == 8
        await desk.press("?", "pagedown", "pagedown")
        assert "Go to the evidence" in desk.screen()
        assert "Submit" not in desk.screen()
        await desk.press("escape", "g")
        assert "Guideline" in desk.screen()


async def test_without_being_handed_in_nobodys_answers_are_read(sample: Database) -> None:
    async with previewing(sample, "memory-verification/ward-counts") as desk:
        assert "raters said" not in desk.screen()
        assert desk.preview._opened is not None
        assert desk.preview._opened.said is None
        await desk.press("w")
        assert "does nothing here" in desk.sentence


async def test_answers_of_raters_stand_beside_the_item_as_letters_until_they_are_named(
    sample: Database,
) -> None:
    with sample.read() as conn:
        (item,) = items_named(conn, "memory-verification/ward-counts")
        raters = sorted(one.rater for one in said_of(conn, item.id))
    assert len(raters) == 3
    async with previewing(sample, "memory-verification/ward-counts", with_said=True, size=(120, 40)) as desk:
        await desk.press("j")
        assert "≠ A keep  B delete  C edit" in desk.screen()
        assert not any(name in desk.screen() for name in raters)
        await desk.press("w")
        assert all(name in desk.screen() for name in raters)
        await desk.press("w")
        assert not any(name in desk.screen() for name in raters)


@pytest.mark.parametrize("size", [(80, 24), pytest.param((200, 60), marks=pytest.mark.slow)], ids=str)
async def test_an_item_of_every_form_opens(sample: Database, size: tuple[int, int]) -> None:
    found = first_items(sample)
    in_sample = {name for name in builtin_names() if load_builtin(name).screen} & found.keys()
    assert {"memory-verification", "response-rating", "memory-update", "utilization-check"} <= in_sample
    for form in sorted(in_sample):
        async with previewing(sample, found[form], with_said=True, size=size) as desk:
            assert form in desk.rows()[0] or size[0] < 100
            assert "read only" in desk.rows()[0]
            await desk.press("j", "tab", "]")
            assert "2 of" in desk.rows()[0]
            assert not desk.preview.sitting.pending


def test_an_item_is_found_by_what_annotators_see_and_by_its_name_in_the_long_table(sample: Database) -> None:
    with sample.read() as conn:
        several = items_named(conn, "ward-counts")
        assert {one.form for one in several} >= {"memory-verification", "utilization-check"}
        (one,) = items_named(conn, "ward-counts", "memory-verification")
        assert items_named(conn, one.name) == (one,)
        assert items_named(conn, "memory-verification/ward-counts") == (one,)
        assert items_named(conn, "nothing of that name") == ()
        assert items_named(conn, "memory-verification/nothing") == ()
